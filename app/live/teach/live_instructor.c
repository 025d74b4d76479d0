// SPDX-License-Identifier: MIT
// The instructor of a drive: inputs of the model that are his (section `instructor`), and the seat that he hands over. What he does to the
// driver is a change of inputs as any other, so that the log of the drive holds it and a replay repeats it to the bit.
#include "cli/files.h"
#include "cli/words.h"
#include "live/live.h"
#include "live/requests.h"
#include <biela/names.h>
#include <stdlib.h>
#include <string.h>

static bi_document *open_model(const char *model)
{
    bi_report unused = { 0 };
    char *installed = file_models_folder(), *path = bi_find_model(model, installed, &unused);
    bi_document *doc = path ? bi_document_open(path, &unused) : NULL;
    bi_report_clear(&unused);
    free(path);
    free(installed);
    return doc;
}

void live_teach(session_request *request)
{
    bi_document *doc = open_model(request->model);
    int count = doc ? bi_document_count(doc, "instructor.set") : 0;
    bi_setting *all = words_alloc((size_t)(count + request->n_setting + 1) * sizeof *all);
    int n = 0;
    for (int k = 0; k < count; k++) {
        const char *name = bi_document_key(doc, "instructor.set", k);
        char *place = words_format("instructor.set.%s", name ? name : "");
        const char *value = bi_document_text(doc, place);
        if (name && value) {
            // one block, as those of the command line
            char *text = words_format("%s=%s", name, value), *equals = strchr(text, '=');
            *equals = '\0';
            all[n++] = (bi_setting){ text, equals + 1 };
        }
        free(place);
    }
    for (int k = 0; k < request->n_setting; k++) {
        all[n++] = request->setting[k]; // of the command line: they win
    }
    free(request->setting);
    request->setting = all;
    request->n_setting = n;
    bi_document_close(doc);
}

// ---- inputs ------------------------------------------------------------------------------------------------------

static bool is_named(const bi_document *doc, const char *place, const char *name)
{
    const char *text = bi_document_text(doc, place);
    return text && strcmp(text, name) == 0;
}

// "ice: [[x, y, r], ...]"
static bool is_in_rows(const bi_document *doc, const char *place, const char *name)
{
    bool is = false;
    for (int k = 0; !is && k < bi_document_count(doc, place); k++) {
        for (int i = 0; !is && i < 3; i++) {
            char *part = words_format("%s.%d.%d", place, k, i);
            is = is_named(doc, part, name);
            free(part);
        }
    }
    return is;
}

bool *live_instructor_inputs(const session *s)
{
    bi_report unused = { 0 };
    bi_document *doc = bi_document_open(s->path, &unused);
    int count = bi_input_count(s->system);
    bool *is_his = words_alloc((size_t)(count + 1) * sizeof *is_his);
    for (int k = 0; doc && k < count; k++) {
        const char *name = bi_input_name(s->system, k);
        is_his[k] = is_named(doc, "instructor.wet", name) || is_named(doc, "instructor.shift", name) ||
                    is_in_rows(doc, "instructor.ice", name) || is_in_rows(doc, "instructor.barrier", name);
    }
    bi_document_close(doc);
    bi_report_clear(&unused);
    return is_his;
}

static bool is_his(const live_run *run, int k) { return run->instructors && run->instructors[k]; }

void live_take_values(live *l, const json_tree *tree, int values, bool of_instructor)
{
    for (int k = 0; values >= 0 && k < tree->count; k++) {
        char name[80];
        double value;
        if (tree->item[k].parent != values || !json_key_at(tree, k, name, sizeof name) ||
            !json_number_at(tree, k, &value)) {
            continue;
        }
        bi_input id = bi_find_input(l->run.s.system, name);
        int hand = live_hand(l->run.s.system);
        // nobody pulls the machine through an exercise
        bool is_free = hand < 0 || id.i <= hand || !l->exercise;
        if (id.i > 0 && is_free && is_his(&l->run, id.i - 1) == of_instructor) {
            bi_loop_input(l->run.loop, id.i - 1, value);
        }
    }
}

static bool says_anything(const json_tree *tree, int values)
{
    bool does = false;
    for (int k = 0; k < tree->count; k++) {
        does = does || tree->item[k].parent == values;
    }
    return does;
}

void live_situation(live *l, int client, const json_tree *tree)
{
    bool has_any = find_situation_values(tree) < 0 || !says_anything(tree, find_situation_values(tree));
    for (int k = 0; k < bi_input_count(l->run.s.system); k++) {
        has_any = has_any || is_his(&l->run, k);
    }
    if (has_any) {
        live_take_values(l, tree, find_situation_values(tree), true);
    } else {
        live_error(l, client, "this model has no inputs for an instructor (section 'instructor')");
    }
}

// ---- who is there ------------------------------------------------------------------------------------------------

void live_write_people(const live *l, json *j)
{
    open_role_people(j);
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        const live_client *c = &l->client[k];
        if (c->is_open) {
            json_object(j, NULL);
            put_person_number(j, k);
            put_person_seat(j, c->instructs     ? "instructor"
                               : k == l->driver ? "driver"
                               : c->may_drive   ? "trainee"
                                                : "watcher");
            put_person_asks(j, c->asked > 0.0);
            json_end(j);
        }
    }
    json_end(j);
}

int live_seat_for(const live *l, const json_tree *tree)
{
    double to = -1.0;
    get_hand_to(tree, &to);
    int k = to >= 0.0 && to < LIVE_CLIENTS ? (int)to : -1;
    return k >= 0 && l->client[k].is_open && !l->client[k].instructs ? k : -1;
}

void live_tell_instructors(live *l)
{
    int count = 0;
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        count += l->client[k].is_open && l->client[k].instructs;
    }
    for (int k = 0; count > 1 && k < LIVE_CLIENTS; k++) {
        if (l->client[k].is_open && l->client[k].instructs) {
            live_error(l, k, "two pages of instructors are open: what either of them does counts");
        }
    }
}
