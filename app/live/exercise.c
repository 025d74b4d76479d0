// SPDX-License-Identifier: MIT
#include "live/exercise.h"
#include "cli/files.h"
#include "cli/words.h"
#include "live/messages.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct exercise {
    bi_document *doc;
    char *path, *name;
    exercise_goal *goal;
    exercise_limit *limit;
    int n_goal, n_limit;
    double limit_time, par, per_second; // s; s; points per second beyond par
    // evaluation: a model that holds nothing but names and their values now
    bi_model *scratch;
    int n_name;
    char **variable; // (n_name) as expressions call it
    int *column;     // (n_name) channel
    // state
    exercise_state state;
    double t, ended_at;
};

// ---- reading -----------------------------------------------------------------------------------------------------

static void mistake(bi_report *report, const exercise *e, const char *place, const char *what)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(e->doc, place), place, "%s", what);
}

static double number_at(const exercise *e, const char *place, double usual, bi_report *report)
{
    double value = usual;
    if (bi_document_text(e->doc, place) && !bi_document_number(e->doc, place, &value)) {
        mistake(report, e, place, "a number is expected here");
    }
    return value;
}

// "when: x > 1" or a list of such.
static int read_conditions(const exercise *e, const char *place, const char **when, bi_report *report)
{
    const char *one = bi_document_text(e->doc, place);
    if (one) {
        when[0] = one;
        return 1;
    }
    int count = bi_document_count(e->doc, place);
    if (count > EXERCISE_CONDITIONS) {
        mistake(report, e, place, "at most 8 conditions");
        count = EXERCISE_CONDITIONS;
    }
    for (int k = 0; k < count; k++) {
        char *item = words_format("%s.%d", place, k);
        when[k] = bi_document_text(e->doc, item);
        if (!when[k]) {
            mistake(report, e, item, "a condition such as 'x > 1' is expected here");
            when[k] = "0";
        }
        free(item);
    }
    return count;
}

static void check_keys(const exercise *e, const char *place, const char *const *known, bi_report *report)
{
    for (int k = 0; k < bi_document_count(e->doc, place); k++) {
        const char *key = bi_document_key(e->doc, place, k);
        bool is_known = !key;
        nearest best = key ? nearest_start(key, strlen(key)) : nearest_start("", 0);
        for (int i = 0; key && known[i]; i++) {
            is_known = is_known || strcmp(key, known[i]) == 0;
            nearest_try(&best, known[i]);
        }
        if (!is_known) {
            char *where = words_format("%s%s%s", place, *place ? "." : "", key);
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(e->doc, where), where,
                          "unknown key '%s'%s%s%s", key, best.name ? "; did you mean '" : "",
                          best.name ? best.name : "", best.name ? "'?" : "");
            free(where);
        }
    }
}

static void read_goals(exercise *e, bi_report *report)
{
    static const char *const keys[] = { "text", "when", "hold", "mark", NULL };
    e->n_goal = bi_document_count(e->doc, "goals");
    e->goal = words_alloc((size_t)(e->n_goal + 1) * sizeof *e->goal);
    if (e->n_goal == 0) {
        mistake(report, e, "goals", "an exercise needs a list of goals: {text: ..., when: ...}");
    }
    for (int k = 0; k < e->n_goal; k++) {
        char *place = words_format("goals.%d", k), *text = words_format("%s.text", place),
             *when = words_format("%s.when", place), *hold = words_format("%s.hold", place);
        check_keys(e, place, keys, report);
        exercise_goal *g = &e->goal[k];
        g->text = bi_document_text(e->doc, text);
        g->n_when = read_conditions(e, when, g->when, report);
        g->hold = number_at(e, hold, 0.0, report);
        if (!g->text || g->n_when == 0) {
            mistake(report, e, place, "a goal needs 'text' and 'when'");
            g->text = g->text ? g->text : "";
        }
        free(place);
        free(text);
        free(when);
        free(hold);
    }
}

static void read_limits(exercise *e, bi_report *report)
{
    static const char *const keys[] = { "text", "value", "max", "when", "cost", "final", NULL };
    e->n_limit = bi_document_count(e->doc, "limits");
    e->limit = words_alloc((size_t)(e->n_limit + 1) * sizeof *e->limit);
    for (int k = 0; k < e->n_limit; k++) {
        exercise_limit *l = &e->limit[k];
        char *place = words_format("limits.%d", k);
        char *part[6];
        for (int i = 0; i < 6; i++) {
            part[i] = words_format("%s.%s", place, keys[i]);
        }
        const char *final = bi_document_text(e->doc, part[5]);
        check_keys(e, place, keys, report);
        l->text = bi_document_text(e->doc, part[0]);
        l->value = bi_document_text(e->doc, part[1]);
        l->max = number_at(e, part[2], NAN, report);
        l->n_when = read_conditions(e, part[3], l->when, report);
        l->cost = number_at(e, part[4], 10.0, report);
        l->is_final = final && strcmp(final, "true") == 0;
        if (!l->text || !l->value || isnan(l->max)) {
            mistake(report, e, place, "a limit needs 'text', 'value' and 'max'");
            l->text = l->text ? l->text : "";
            l->value = l->value ? l->value : "0";
        }
        for (int i = 0; i < 6; i++) {
            free(part[i]);
        }
        free(place);
    }
}

static exercise *take_document(bi_document *doc, const char *path, bi_report *report)
{
    static const char *const keys[] = { "exercise", "title",  "text",  "model", "run",
                                        "set",      "names",  "time",  "par",   "per_second",
                                        "goals",    "limits", "marks", NULL };
    if (!doc) {
        return NULL;
    }
    int errors = report->errors;
    exercise *e = words_alloc(sizeof *e);
    const char *version = bi_document_text(doc, "exercise");
    e->doc = doc;
    e->path = words_format("%s", path);
    e->name = file_model_name(path);
    if (!version || strcmp(version, "1") != 0) {
        mistake(report, e, "", "this is not an exercise: it needs 'exercise: 1'");
    } else {
        check_keys(e, "", keys, report);
        read_goals(e, report);
        read_limits(e, report);
        e->limit_time = number_at(e, "time", INFINITY, report);
        e->par = number_at(e, "par", INFINITY, report);
        e->per_second = number_at(e, "per_second", 1.0, report);
    }
    if (report->errors > errors) {
        exercise_close(e);
        return NULL;
    }
    exercise_reset(e);
    return e;
}

exercise *exercise_open(const char *path, bi_report *report)
{
    return take_document(bi_document_open(path, report), path, report);
}

exercise *exercise_parse(const char *text, size_t length, const char *path, bi_report *report)
{
    return take_document(bi_document_parse(text, length, path, report), path, report);
}

static void forget_names(exercise *e)
{
    for (int k = 0; k < e->n_name; k++) {
        free(e->variable[k]);
    }
    free(e->variable);
    free(e->column);
    bi_model_destroy(e->scratch);
    e->variable = NULL;
    e->column = NULL;
    e->scratch = NULL;
    e->n_name = 0;
}

void exercise_close(exercise *e)
{
    if (e) {
        forget_names(e);
        bi_document_close(e->doc);
        free(e->path);
        free(e->name);
        free(e->goal);
        free(e->limit);
        free(e);
    }
}

// ---- names -----------------------------------------------------------------------------------------------------

// The text contains the name as a whole word.
static bool reads(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        bool is_begin = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '.');
        if (is_begin && !(isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.')) {
            return true;
        }
    }
    return false;
}

static bool is_read(const exercise *e, const char *name)
{
    bool is = false;
    for (int k = 0; k < e->n_goal; k++) {
        for (int i = 0; i < e->goal[k].n_when; i++) {
            is = is || reads(e->goal[k].when[i], name);
        }
    }
    for (int k = 0; k < e->n_limit; k++) {
        is = is || reads(e->limit[k].value, name);
        for (int i = 0; i < e->limit[k].n_when; i++) {
            is = is || reads(e->limit[k].when[i], name);
        }
    }
    return is;
}

static void add_name(exercise *e, const char *name, int column)
{
    size_t n = (size_t)e->n_name + 1;
    e->variable = realloc(e->variable, n * sizeof *e->variable);
    e->column = realloc(e->column, n * sizeof *e->column);
    if (!e->variable || !e->column) {
        abort(); // as words_alloc: a command without memory ends
    }
    e->variable[e->n_name] = words_format("%s", name);
    e->column[e->n_name++] = column;
}

static int column_of(const bi_system *system, const char *channel)
{
    bi_channel c = bi_find_channel(system, channel);
    for (int k = 0; c.i > 0 && k < bi_channel_count(system); k++) {
        if (bi_channel_at(system, k).i == c.i) {
            return k;
        }
    }
    return -1;
}

// `names: {x: chassis.x}`: short names for channels, also for those whose names expressions cannot hold.
static void bind_names(exercise *e, const bi_system *system, bi_report *report)
{
    for (int k = 0; k < bi_document_count(e->doc, "names"); k++) {
        const char *name = bi_document_key(e->doc, "names", k);
        char *place = words_format("names.%s", name ? name : "");
        const char *channel = bi_document_text(e->doc, place);
        int column = channel ? column_of(system, channel) : -1;
        if (column < 0) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(e->doc, place), place,
                          "the model has no channel '%s'; `biela info` lists them", channel ? channel : "");
        } else {
            add_name(e, name, column);
        }
        free(place);
    }
    for (int k = 0; k < bi_channel_count(system); k++) {
        const char *name = bi_channel_name(system, bi_channel_at(system, k));
        if (!strchr(name, '-') && is_read(e, name)) {
            add_name(e, name, k);
        }
    }
}

// ---- judging -----------------------------------------------------------------------------------------------------

static void set_values(exercise *e, double t, const double *channel)
{
    bi_model_parameter(e->scratch, "time", t, NULL);
    for (int k = 0; k < e->n_name; k++) {
        double value = channel ? channel[e->column[k]] : 1.0;
        bi_model_parameter(e->scratch, e->variable[k], isfinite(value) ? value : 0.0, NULL);
    }
}

static double evaluate(const exercise *e, const char *text)
{
    bi_report unused = { 0 };
    double value = 0.0;
    (void)bi_model_number(e->scratch, text, NULL, "", &value, &unused);
    bi_report_clear(&unused);
    return value;
}

static bool all_hold(const exercise *e, const char *const *when, int count)
{
    bool hold = true;
    for (int k = 0; hold && k < count; k++) {
        hold = evaluate(e, when[k]) != 0.0;
    }
    return hold;
}

static void check_expression(const exercise *e, const char *text, const char *place, bi_report *report)
{
    double value;
    bi_report found = { 0 };
    if (!bi_model_number(e->scratch, text, NULL, place, &value, &found)) {
        for (int k = 0; k < found.count; k++) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(e->doc, place), place, "%s: %s",
                          text, found.issue[k].what);
        }
    }
    bi_report_clear(&found);
}

bool exercise_bind(exercise *e, const bi_model *model, const bi_system *system, bi_report *report)
{
    int errors = report->errors;
    forget_names(e);
    e->scratch = bi_model_create("exercise");
    if (!e->scratch) {
        return false;
    }
    for (int k = 0; k < bi_model_parameter_count(model); k++) {
        const char *name, *unit;
        double value;
        if (bi_model_parameter_at(model, k, &name, &value, &unit)) {
            bi_model_parameter(e->scratch, name, value, NULL);
        }
    }
    bind_names(e, system, report);
    set_values(e, 0.0, NULL);
    for (int k = 0; k < e->n_goal; k++) {
        char *place = words_format("goals.%d.when", k);
        for (int i = 0; i < e->goal[k].n_when; i++) {
            check_expression(e, e->goal[k].when[i], place, report);
        }
        free(place);
    }
    for (int k = 0; k < e->n_limit; k++) {
        char *place = words_format("limits.%d.value", k), *when = words_format("limits.%d.when", k);
        check_expression(e, e->limit[k].value, place, report);
        for (int i = 0; i < e->limit[k].n_when; i++) {
            check_expression(e, e->limit[k].when[i], when, report);
        }
        free(place);
        free(when);
    }
    return report->errors == errors;
}

void exercise_reset(exercise *e)
{
    e->state = EXERCISE_READY;
    e->t = 0.0;
    e->ended_at = -1.0;
    for (int k = 0; k < e->n_goal; k++) {
        e->goal[k].since = e->goal[k].done_at = -1.0;
    }
    for (int k = 0; k < e->n_limit; k++) {
        exercise_limit *l = &e->limit[k];
        l->now = l->worst = 0.0;
        l->first = -1.0;
        l->is_broken = false;
        l->times = 0;
    }
}

static void go_back(exercise *e, double t)
{
    for (int k = 0; k < e->n_goal; k++) {
        exercise_goal *g = &e->goal[k];
        g->done_at = g->done_at > t ? -1.0 : g->done_at;
        g->since = g->since > t ? -1.0 : g->since;
    }
    if (e->ended_at > t) {
        e->ended_at = -1.0;
        e->state = EXERCISE_RUNNING;
    }
}

static void end(exercise *e, exercise_state state)
{
    e->state = state;
    e->ended_at = e->t;
}

static void judge_limits(exercise *e)
{
    for (int k = 0; k < e->n_limit; k++) {
        exercise_limit *l = &e->limit[k];
        bool counts = all_hold(e, l->when, l->n_when);
        l->now = evaluate(e, l->value);
        l->worst = counts ? fmax(l->worst, l->now) : l->worst;
        bool is_broken = counts && l->now > l->max;
        if (is_broken && !l->is_broken) {
            l->times++;
            l->first = l->first < 0.0 ? e->t : l->first;
        }
        l->is_broken = is_broken;
        if (is_broken && l->is_final) {
            end(e, EXERCISE_FAILED);
        }
    }
}

// Goals are reached in order.
static void judge_goals(exercise *e)
{
    int k = 0;
    while (k < e->n_goal && e->goal[k].done_at >= 0.0) {
        k++;
    }
    if (k == e->n_goal) {
        return;
    }
    exercise_goal *g = &e->goal[k];
    bool hold = all_hold(e, g->when, g->n_when);
    g->since = !hold ? -1.0 : g->since < 0.0 ? e->t : g->since;
    if (hold && e->t - g->since >= g->hold) {
        g->done_at = e->t;
        if (k + 1 == e->n_goal) {
            end(e, EXERCISE_PASSED);
        }
    }
}

void exercise_update(exercise *e, double t, const double *channel)
{
    if (t < e->t) {
        go_back(e, t);
    }
    e->t = t;
    if (e->state == EXERCISE_PASSED || e->state == EXERCISE_FAILED) {
        return;
    }
    e->state = t > 0.0 ? EXERCISE_RUNNING : EXERCISE_READY;
    set_values(e, t, channel);
    judge_limits(e);
    if (e->state != EXERCISE_FAILED) {
        judge_goals(e);
    }
    if (e->state == EXERCISE_RUNNING && t > e->limit_time) {
        end(e, EXERCISE_FAILED);
    }
}

// ---- what is told --------------------------------------------------------------------------------------------------

const char *exercise_name(const exercise *e) { return e->name; }

const char *exercise_title(const exercise *e)
{
    const char *title = bi_document_text(e->doc, "title");
    return title ? title : e->name;
}

const char *exercise_path(const exercise *e) { return e->path; }

const char *exercise_run(const exercise *e) { return bi_document_text(e->doc, "run"); }

int exercise_setting_count(const exercise *e) { return bi_document_count(e->doc, "set"); }

bi_setting exercise_setting(const exercise *e, int k)
{
    const char *name = bi_document_key(e->doc, "set", k);
    char *place = words_format("set.%s", name ? name : "");
    const char *value = bi_document_text(e->doc, place);
    free(place);
    return (bi_setting){ name, value ? value : "" };
}

exercise_state exercise_state_of(const exercise *e) { return e->state; }

double exercise_time(const exercise *e) { return e->ended_at >= 0.0 ? e->ended_at : e->t; }

double exercise_score(const exercise *e)
{
    double score = 100.0 - e->per_second * fmax(0.0, exercise_time(e) - e->par);
    for (int k = 0; k < e->n_limit; k++) {
        score -= e->limit[k].cost * e->limit[k].times;
    }
    return e->state == EXERCISE_FAILED ? 0.0 : fmin(fmax(score, 0.0), 100.0);
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

static void write_mark(json *j, const exercise *e, const char *place, bool is_done)
{
    json_object(j, NULL);
    pass_on(j, e, place, "kind", raw_exercise_mark_kind);
    pass_on(j, e, place, "at", raw_exercise_mark_at);
    pass_on(j, e, place, "size", raw_exercise_mark_size);
    pass_on(j, e, place, "angle", raw_exercise_mark_angle);
    put_exercise_mark_done(j, is_done);
    json_end(j);
}

static void write_marks(json *j, const exercise *e)
{
    open_exercise_marks(j);
    for (int k = 0; k < e->n_goal; k++) {
        char *place = words_format("goals.%d.mark", k);
        if (bi_document_count(e->doc, place) > 0) {
            write_mark(j, e, place, e->goal[k].done_at >= 0.0);
        }
        free(place);
    }
    for (int k = 0; k < bi_document_count(e->doc, "marks"); k++) {
        char *place = words_format("marks.%d", k);
        write_mark(j, e, place, false);
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
        put_exercise_limit_text(j, l->text);
        put_exercise_limit_value(j, l->now);
        put_exercise_limit_max(j, l->max);
        put_exercise_limit_broken(j, l->is_broken);
        put_exercise_limit_times(j, l->times);
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
    put_exercise_time(j, exercise_time(e));
    put_exercise_limit(j, e->limit_time);
    put_exercise_score(j, exercise_score(e));
    write_goals(j, e);
    write_limits(j, e);
    write_marks(j, e);
}
