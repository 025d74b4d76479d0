// SPDX-License-Identifier: MIT
// Clients: who is there, who drives, what they ask for.
#include "cli/words.h"
#include "live/live.h"
#include <stdlib.h>
#include <string.h>

void live_say(live *l, int client, const char *text)
{
    size_t length = strlen(text);
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        if (l->client[k].is_open && (client < 0 || client == k) &&
            !bi_server_send_text(l->server, k, text, length)) {
            // it has not read megabytes: nobody is there
            bi_server_drop(l->server, k);
        }
    }
}

void live_error(live *l, int client, const char *what)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return;
    }
    json j = json_start(out);
    json_object(&j, NULL);
    json_text(&j, "type", "error");
    json_text(&j, "text", what);
    json_end(&j);
    fclose(out);
    live_say(l, client, text);
    free(text);
}

// ---- roles -----------------------------------------------------------------------------------------------------

void live_roles(live *l)
{
    int viewers = 0;
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        viewers += l->client[k].is_open;
    }
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        if (l->client[k].is_open) {
            char text[128];
            snprintf(text, sizeof text, "{\"type\":\"role\",\"driver\":%s,\"viewers\":%d,\"taken\":%s}",
                     k == l->driver ? "true" : "false", viewers, l->driver >= 0 ? "true" : "false");
            live_say(l, k, text);
        }
    }
}

static void seat(live *l, int client)
{
    l->driver = client;
    l->driver_left = client >= 0 ? -1.0 : live_clock();
    live_roles(l);
}

void live_joined(void *data, int client)
{
    live *l = data;
    l->client[client] = (live_client){ .is_open = true, .last_heard = live_clock() };
    if (!bi_server_send_text(l->server, client, l->run.scene, l->run.n_scene)) {
        return;
    }
    seat(l, l->driver < 0 ? client : l->driver);
    l->next_report = 0.0; // whoever comes late sees the verdict at once
    if (l->is_waiting && bi_loop_send(l->run.loop, (bi_loop_command){ BI_LOOP_PLAY, 0.0 })) {
        l->is_waiting = false;
    }
}

void live_left(void *data, int client)
{
    live *l = data;
    l->client[client] = (live_client){ 0 };
    // somebody who watches does not find himself driving: the seat stays empty until it is asked for
    seat(l, client == l->driver ? -1 : l->driver);
}

// ---- messages --------------------------------------------------------------------------------------------------

void live_acknowledge(live *l, int client, double number)
{
    live_client *c = &l->client[client];
    int gone = 0;
    while (gone < c->n_waiting && number >= 0.0 && (int32_t)((uint32_t)number - c->waiting[gone]) >= 0) {
        gone++;
    }
    c->n_waiting -= gone;
    memmove(c->waiting, c->waiting + gone, (size_t)c->n_waiting * sizeof *c->waiting);
}

static void take_inputs(live *l, const json_tree *tree)
{
    int values = json_member(tree, 0, "values");
    for (int k = 0; values >= 0 && k < tree->count; k++) {
        char name[80];
        double value;
        if (tree->item[k].parent != values || !json_key_at(tree, k, name, sizeof name) ||
            !json_number_at(tree, k, &value)) {
            continue;
        }
        bi_input id = bi_find_input(l->run.s.system, name);
        if (id.i > 0) {
            bi_loop_input(l->run.loop, id.i - 1, value);
        }
    }
}

// Settings of the message as name=value, to be freed; numbers as they are written, texts as expressions.
static int take_settings(const json_tree *tree, bi_setting setting[JSON_ITEMS])
{
    int set = json_member(tree, 0, "set"), count = 0;
    for (int k = 0; set >= 0 && k < tree->count; k++) {
        char name[80], value[160];
        const json_item *item = &tree->item[k];
        if (item->parent != set || !json_key_at(tree, k, name, sizeof name)) {
            continue;
        }
        if (item->kind == JSON_NUMBER) {
            snprintf(value, sizeof value, "%.*s", (int)item->length, item->text);
        } else if (!json_text_at(tree, k, value, sizeof value)) {
            continue;
        }
        setting[count].name = words_format("%s", name);
        setting[count++].value = words_format("%s", value);
    }
    return count;
}

void live_announce(live *l)
{
    l->is_safe = false;
    l->next_report = 0.0; // the verdict is that of the new run
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        l->client[k].n_waiting = 0;
    }
    if (l->server) {
        live_say(l, -1, l->run.scene);
        live_roles(l);
    }
}

static void restart(live *l, int client, const json_tree *tree)
{
    bi_setting setting[JSON_ITEMS];
    char run[80], why[512];
    int count = take_settings(tree, setting);
    bool has_run = json_text_at(tree, json_member(tree, 0, "run"), run, sizeof run) && run[0];
    if (live_restart(l, l->exercise, setting, count, has_run ? run : NULL, why, sizeof why)) {
        live_announce(l);
    } else {
        live_error(l, client, why);
    }
    for (int k = 0; k < count; k++) {
        free((char *)setting[k].name);
        free((char *)setting[k].value);
    }
}

static void order_loop(live *l, int client, bi_loop_order order, double value)
{
    if (!bi_loop_send(l->run.loop, (bi_loop_command){ order, value })) {
        live_error(l, client, "too many commands at once: this one was dropped");
    }
}

static bool is_for_the_driver(live *l, int client)
{
    if (client != l->driver) {
        live_error(l, client, "only the driver may do that; ask for the seat first");
    }
    return client == l->driver;
}

static void control(live *l, int client, const json_tree *tree, int type)
{
    static const struct {
        const char *name, *value;
        bi_loop_order order;
    } commands[] = { { "pause", NULL, BI_LOOP_PAUSE }, { "play", NULL, BI_LOOP_PLAY },
                     { "step", "n", BI_LOOP_STEP },    { "speed", "value", BI_LOOP_SPEED },
                     { "seek", "t", BI_LOOP_SEEK },    { "take", NULL, BI_LOOP_TAKE },
                     { "ghost", "on", BI_LOOP_GHOST }, { "arrows", "on", BI_LOOP_ARROWS } };
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        if (json_is(tree, type, commands[k].name)) {
            double value = 1.0;
            if (commands[k].value) {
                json_number_at(tree, json_member(tree, 0, commands[k].value), &value);
            }
            // arrows are for all: they change nothing
            if (commands[k].order == BI_LOOP_ARROWS || is_for_the_driver(l, client)) {
                order_loop(l, client, commands[k].order, value);
            }
            return;
        }
    }
    live_error(l, client, "a message of this type is not known");
}

void live_message(void *data, int client, const char *text, size_t length)
{
    live *l = data;
    json_tree tree;
    l->client[client].last_heard = live_clock();
    int type = json_read(text, length, &tree) ? json_member(&tree, 0, "type") : -1;
    if (type < 0) {
        live_error(l, client, "the message is not a JSON object with a type");
    } else if (json_is(&tree, type, "ack")) {
        double number = -1.0;
        json_number_at(&tree, json_member(&tree, 0, "frame"), &number);
        live_acknowledge(l, client, number);
    } else if (json_is(&tree, type, "inputs")) {
        if (client == l->driver) {
            take_inputs(l, &tree);
        }
    } else if (json_is(&tree, type, "driver")) {
        seat(l, client);
    } else if (json_is(&tree, type, "exercise")) {
        char name[80] = "";
        json_text_at(&tree, json_member(&tree, 0, "name"), name, sizeof name);
        if (is_for_the_driver(l, client)) {
            live_exercise_choose(l, client, name);
        }
    } else if (json_is(&tree, type, "restart")) {
        if (is_for_the_driver(l, client)) {
            restart(l, client, &tree);
        }
    } else {
        control(l, client, &tree, type);
    }
}
