// SPDX-License-Identifier: MIT
// What an exercise tells of itself: its file, and the message for pages.
#include "cli/words.h"
#include "course/exercise_inside.h"
#include "live/messages.h"
#include <stdlib.h>
#include <string.h>

// ---- what is told --------------------------------------------------------------------------------------------------

const char *exercise_name(const exercise *e) { return e->name; }

const char *exercise_title(const exercise *e)
{
    const char *title = bi_document_text(e->doc, "title");
    return title ? title : e->name;
}

const char *exercise_path(const exercise *e) { return e->path; }

const char *exercise_run(const exercise *e) { return bi_document_text(e->doc, "run"); }

uint64_t exercise_hash(const exercise *e) { return e->hash; }

int exercise_setting_count(const exercise *e) { return bi_document_count(e->doc, "set"); }

bi_setting exercise_setting(const exercise *e, int k)
{
    const char *name = bi_document_key(e->doc, "set", k);
    char *place = words_format("set.%s", name ? name : "");
    const char *value = bi_document_text(e->doc, place);
    free(place);
    return (bi_setting){ name, value ? value : "" };
}

const char *exercise_state_name(exercise_state state)
{
    static const char *const name[] = { "ready", "running", "passed", "failed" };
    return name[state];
}

int exercise_goal_count(const exercise *e) { return e->n_goal; }
const exercise_goal *exercise_goal_at(const exercise *e, int k) { return &e->goal[k]; }
int exercise_limit_count(const exercise *e) { return e->n_limit; }
const exercise_limit *exercise_limit_at(const exercise *e, int k) { return &e->limit[k]; }

// What the file says of a mark, if it does.
static void pass_on(json *j, const exercise *e, const char *place, const char *key, FILE *(*raw)(json *))
{
    char *part = words_format("%s.%s", place, key);
    if (bi_document_count(e->doc, part) > 0 || bi_document_text(e->doc, part)) {
        bi_document_json(e->doc, part, raw(j));
    }
    free(part);
}

static void write_mark(json *j, const exercise *e, const char *place, bool is_done, bool is_next)
{
    json_object(j, NULL);
    pass_on(j, e, place, "kind", raw_exercise_mark_kind);
    pass_on(j, e, place, "at", raw_exercise_mark_at);
    pass_on(j, e, place, "size", raw_exercise_mark_size);
    pass_on(j, e, place, "angle", raw_exercise_mark_angle);
    put_exercise_mark_done(j, is_done);
    put_exercise_mark_next(j, is_next);
    json_end(j);
}

static void write_marks(json *j, const exercise *e)
{
    bool is_reached = e->state != EXERCISE_PASSED && e->state != EXERCISE_FAILED; // all goals so far
    open_exercise_marks(j);
    for (int k = 0; k < e->n_goal; k++) {
        char *place = words_format("goals.%d.mark", k);
        bool is_done = e->goal[k].done_at >= 0.0;
        if (bi_document_count(e->doc, place) > 0) {
            write_mark(j, e, place, is_done, is_reached && !is_done);
        }
        is_reached = is_reached && is_done;
        free(place);
    }
    for (int k = 0; k < bi_document_count(e->doc, "marks"); k++) {
        char *place = words_format("marks.%d", k);
        write_mark(j, e, place, false, false);
        free(place);
    }
    json_end(j);
}

static void write_goals(json *j, const exercise *e)
{
    open_exercise_goals(j);
    for (int k = 0; k < e->n_goal; k++) {
        json_object(j, NULL);
        put_exercise_goal_text(j, e->goal[k].text);
        if (e->goal[k].hint) {
            put_exercise_goal_hint(j, e->goal[k].hint);
        }
        put_exercise_goal_done(j, e->goal[k].done_at >= 0.0);
        json_end(j);
    }
    json_end(j);
}

static void write_limits(json *j, const exercise *e)
{
    open_exercise_limits(j);
    for (int k = 0; k < e->n_limit; k++) {
        const exercise_limit *l = &e->limit[k];
        json_object(j, NULL);
        if (l->name) {
            put_exercise_limit_fault(j, l->name);
        }
        put_exercise_limit_text(j, l->text);
        put_exercise_limit_value(j, l->now);
        put_exercise_limit_max(j, l->max);
        put_exercise_limit_broken(j, l->is_broken);
        put_exercise_limit_times(j, l->times);
        put_exercise_limit_cost(j, l->cost);
        json_end(j);
    }
    json_end(j);
}

static void write_reasons(json *j, const exercise *e)
{
    static const char *const kind[] = { "fault", "limit", "time", "final", "late", "goal" };
    exercise_reason r;
    open_exercise_reasons(j);
    for (int k = 0; exercise_reason_at(e, k, &r); k++) {
        json_object(j, NULL);
        put_exercise_reason_kind(j, kind[r.kind]);
        put_exercise_reason_text(j, r.text);
        if (r.hint) {
            put_exercise_reason_hint(j, r.hint);
        }
        put_exercise_reason_times(j, r.times);
        put_exercise_reason_points(j, r.points);
        json_end(j);
    }
    json_end(j);
}

void exercise_json(const exercise *e, json *j)
{
    put_exercise_name(j, e->name);
    put_exercise_title(j, exercise_title(e));
    put_exercise_text(j, bi_document_text(e->doc, "text"));
    put_exercise_state(j, exercise_state_name(e->state));
    put_exercise_waits(j, exercise_waits(e));
    put_exercise_time(j, exercise_time(e));
    put_exercise_limit(j, e->limit_time);
    put_exercise_score(j, exercise_score(e));
    write_goals(j, e);
    write_limits(j, e);
    write_reasons(j, e);
    write_marks(j, e);
}
