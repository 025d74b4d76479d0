// SPDX-License-Identifier: MIT
// Clients: who is there, who drives, what they ask for.
#include "cli/words.h"
#include "live/live.h"
#include "live/requests.h"
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

void live_send(live *l, int client, outgoing *o)
{
    char *text = outgoing_end(o);
    live_say(l, client, text);
    free(text);
}

void live_error(live *l, int client, const char *what)
{
    outgoing o;
    json *j = outgoing_begin(&o, begin_error);
    if (j) {
        put_error_text(j, what);
        live_send(l, client, &o);
    }
}

// ---- roles -----------------------------------------------------------------------------------------------------

static const double silent_seat = 10.0; // s: whoever drives and says nothing for so long has left the seat

// The one who has asked for the seat first; -1: nobody.
static int first_asker(const live *l, int *count)
{
    int first = -1;
    *count = 0;
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        const live_client *c = &l->client[k];
        bool does_ask = c->is_open && c->asked > 0.0;
        *count += does_ask;
        if (does_ask && (first < 0 || c->asked < l->client[first].asked)) {
            first = k;
        }
    }
    return first;
}

void live_roles(live *l)
{
    int viewers = 0, asking;
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        viewers += l->client[k].is_open;
    }
    (void)first_asker(l, &asking);
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        outgoing o;
        json *j = l->client[k].is_open ? outgoing_begin(&o, begin_role) : NULL;
        if (j) {
            put_role_driver(j, k == l->driver);
            put_role_viewers(j, viewers);
            put_role_taken(j, l->driver >= 0);
            put_role_may_drive(j, l->client[k].may_drive);
            put_role_instructor(j, l->client[k].instructs);
            put_role_frozen(j, l->is_frozen);
            put_role_waits(j, l->client[k].asked > 0.0);
            put_role_asks(j, k == l->driver ? asking : 0);
            if (l->client[k].instructs) {
                live_write_people(l, j);
            }
            live_send(l, k, &o);
        }
    }
}

static void seat(live *l, int client)
{
    l->driver = client;
    l->driver_left = client >= 0 ? -1.0 : live_clock();
    if (client >= 0) {
        l->client[client].asked = 0.0;
    }
    live_roles(l);
}

// An empty seat is anybody's who may drive; one that is taken is the driver's to give.
static void ask_for_seat(live *l, int client)
{
    live_client *c = &l->client[client];
    double now = live_clock();
    bool is_free = l->driver < 0 || now - l->client[l->driver].last_heard > silent_seat;
    if (c->instructs) {
        live_error(l, client, "the instructor does not drive: the driver's address has another token");
    } else if (!c->may_drive) {
        live_error(l, client, "this address is for watching: the driver's has another token");
    } else if (client == l->driver || is_free) {
        seat(l, client);
    } else if (c->asked == 0.0) {
        c->asked = now;
        live_roles(l);
    }
}

static void answer_asker(live *l, const json_tree *tree)
{
    double give = 0.0;
    int asking, first = first_asker(l, &asking);
    get_seat_give(tree, &give);
    if (first >= 0 && give != 0.0) {
        seat(l, first);
        return;
    }
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        l->client[k].asked = 0.0;
    }
    live_roles(l);
}

static void hand_seat(live *l, int client, const json_tree *tree)
{
    int to = live_seat_for(l, tree);
    if (to >= 0) {
        seat(l, to);
    } else {
        live_error(l, client, "nobody is there to take the seat: that page has gone, or is an instructor's");
    }
}

void live_joined(void *data, int client)
{
    live *l = data;
    bool may_drive = bi_server_role(l->server, client) == 0;
    l->client[client] = (live_client){ .is_open = true,
                                       .last_heard = live_clock(),
                                       .may_drive = may_drive,
                                       .instructs = bi_server_role(l->server, client) == 2 };
    if (!bi_server_send_text(l->server, client, l->run.scene, l->run.n_scene)) {
        return;
    }
    seat(l, l->driver < 0 && may_drive ? client : l->driver);
    live_send_comments(l, client);
    if (l->client[client].instructs) {
        live_tell_instructors(l);
    }
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

// Settings of the message as name=value, to be freed; numbers as they are written, texts as expressions.
static int take_settings(const json_tree *tree, bi_setting setting[JSON_ITEMS])
{
    int set = find_restart_set(tree), count = 0;
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
        live_send_comments(l, -1);
    }
}

static void restart(live *l, int client, const json_tree *tree)
{
    bi_setting setting[JSON_ITEMS];
    char run[80], why[512];
    int count = take_settings(tree, setting);
    bool has_run = get_restart_run(tree, run, sizeof run) && run[0];
    double keep = 0.0;
    get_restart_keep(tree, &keep);
    bool is_good = keep != 0.0
                       ? live_carry(l, setting, count, has_run ? run : NULL, why, sizeof why)
                       : live_restart(l, l->exercise, setting, count, has_run ? run : NULL, why, sizeof why);
    if (is_good) {
        live_announce(l);
    }
    if (!is_good || (keep != 0.0 && why[0])) {
        live_error(l, client, why);
    }
    for (int k = 0; k < count; k++) {
        free((char *)setting[k].name);
        free((char *)setting[k].value);
    }
}

static void choose_model(live *l, int client, const json_tree *tree)
{
    char name[80] = "", why[512];
    get_model_name(tree, name, sizeof name);
    if (live_change_model(l, name, why, sizeof why)) {
        live_announce(l);
    } else {
        live_error(l, client, why);
    }
}

typedef bool get_number(const json_tree *, double *);

// What the message does not say is 1.
static void order_loop(live *l, int client, bi_loop_order order, get_number *get, const json_tree *tree)
{
    double value = 1.0;
    if (get) {
        get(tree, &value);
    }
    if (!bi_loop_send(l->run.loop, (bi_loop_command){ order, value })) {
        live_error(l, client, "too many commands at once: this one was dropped");
    }
}

static void acknowledge(live *l, int client, const json_tree *tree)
{
    double number = -1.0;
    get_ack_frame(tree, &number);
    live_acknowledge(l, client, number);
}

static void choose_exercise(live *l, int client, const json_tree *tree)
{
    char name[80] = "";
    get_exercise_name(tree, name, sizeof name);
    live_exercise_choose(l, client, name);
}

static void freeze(live *l, int client, const json_tree *tree)
{
    double on = 1.0;
    get_freeze_on(tree, &on);
    // without an instructor it is the driver's pause
    l->is_frozen = l->has_instructor && on != 0.0;
    order_loop(l, client, on != 0.0 ? BI_LOOP_PAUSE : BI_LOOP_PLAY, NULL, tree);
    live_roles(l);
}

static void comment(live *l, int client, const json_tree *tree)
{
    char text[201] = "";
    get_comment_text(tree, text, sizeof text);
    if (*text) {
        live_comment(l, text);
    } else {
        live_error(l, client, "a comment has 1 to 200 bytes");
    }
}

static void obey(live *l, int client, request_kind kind, const json_tree *tree)
{
    switch (kind) {
    case REQUEST_ACK: acknowledge(l, client, tree); break;
    case REQUEST_ARROWS: order_loop(l, client, BI_LOOP_ARROWS, get_arrows_on, tree); break;
    case REQUEST_INSIDE: live_send_inside(l, client); break;
    case REQUEST_DRIVER: ask_for_seat(l, client); break;
    case REQUEST_FREEZE: freeze(l, client, tree); break;
    case REQUEST_COMMENT: comment(l, client, tree); break;
    case REQUEST_SEAT: answer_asker(l, tree); break;
    case REQUEST_INPUTS: live_take_values(l, tree, find_inputs_values(tree), false); break;
    case REQUEST_SITUATION: live_situation(l, client, tree); break;
    case REQUEST_SCENARIO: live_scenario(l, client, tree); break;
    case REQUEST_HAND: hand_seat(l, client, tree); break;
    case REQUEST_PAUSE: order_loop(l, client, BI_LOOP_PAUSE, NULL, tree); break;
    case REQUEST_PLAY: order_loop(l, client, BI_LOOP_PLAY, NULL, tree); break;
    case REQUEST_STEP: order_loop(l, client, BI_LOOP_STEP, get_step_n, tree); break;
    case REQUEST_SPEED: order_loop(l, client, BI_LOOP_SPEED, get_speed_value, tree); break;
    case REQUEST_SEEK: order_loop(l, client, BI_LOOP_SEEK, get_seek_t, tree); break;
    case REQUEST_TAKE: order_loop(l, client, BI_LOOP_TAKE, NULL, tree); break;
    case REQUEST_GHOST: order_loop(l, client, BI_LOOP_GHOST, get_ghost_on, tree); break;
    case REQUEST_EXERCISE: choose_exercise(l, client, tree); break;
    case REQUEST_RESTART: restart(l, client, tree); break;
    case REQUEST_MODEL: choose_model(l, client, tree); break;
    case REQUEST_UNKNOWN: live_error(l, client, "a message of this type is not known"); break;
    case REQUEST_NONE: live_error(l, client, "the message is not a JSON object with a type"); break;
    }
}

static const char only_driver[] = "only the driver may do that; ask for the seat first",
                  only_instructor[] = "only the instructor may do that",
                  is_stopped[] = "the instructor has stopped the drive: wait until it goes on";

// Why somebody may not ask for this; NULL: he may.
static const char *refusal(const live *l, int client, request_kind kind)
{
    bool is_class = kind == REQUEST_FREEZE || kind == REQUEST_COMMENT || kind == REQUEST_SITUATION ||
                    kind == REQUEST_SCENARIO || kind == REQUEST_HAND;
    if (!request_is_for_driver(kind)) {
        return NULL;
    }
    if (is_class && l->has_instructor) {
        return l->client[client].instructs ? NULL : only_instructor;
    }
    if (kind == REQUEST_EXERCISE && l->client[client].instructs) {
        return NULL;
    }
    if (client != l->driver) {
        return only_driver;
    }
    return l->is_frozen && kind != REQUEST_SEAT && kind != REQUEST_INPUTS ? is_stopped : NULL;
}

void live_message(void *data, int client, const char *text, size_t length)
{
    live *l = data;
    json_tree tree;
    l->client[client].last_heard = live_clock();
    request_kind kind = request_read(text, length, &tree);
    const char *why = refusal(l, client, kind);
    if (!why) {
        obey(l, client, kind, &tree);
    } else if (kind != REQUEST_INPUTS) {
        // pages send inputs all the time: whoever has just lost the seat is not told for each of them
        live_error(l, client, why);
    }
}
