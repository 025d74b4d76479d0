// SPDX-License-Identifier: MIT
// Judging: what goals and limits say of the channels and inputs of an instant, state, time and score.
#include "cli/words.h"
#include "course/exercise_inside.h"
#include <biela/look.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double touched = 1e-6; // part of a control: an input further from its initial value was touched
static const double same_time =
    1.0; // s: what is beyond again so soon is beyond still, such as a truck that bounces off a wall

// ---- names -----------------------------------------------------------------------------------------------------

static void forget_names(exercise *e)
{
    for (int k = 0; k < e->n_name; k++) {
        free(e->variable[k]);
    }
    free(e->variable);
    free(e->column);
    free(e->initial);
    bi_model_destroy(e->scratch);
    e->variable = NULL;
    e->column = NULL;
    e->initial = NULL;
    e->scratch = NULL;
    e->n_name = 0;
}

void exercise_close(exercise *e)
{
    if (e) {
        forget_names(e);
        bi_document_close(e->doc);
        bi_document_close(e->machine);
        for (int k = 0; k < e->n_limit; k++) {
            free(e->place[k]);
        }
        free(e->place);
        free(e->path);
        free(e->name);
        free(e->goal);
        free(e->limit);
        free(e);
    }
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
        if (!strchr(name, '-') && exercise_reads(e, name)) {
            add_name(e, name, k);
        }
    }
    // controls, where no channel has the name
    for (int k = 0; k < e->n_input; k++) {
        const char *name = bi_input_name(system, k);
        if (column_of(system, name) < 0 && !strchr(name, '-') && exercise_reads(e, name)) {
            add_name(e, name, e->n_channel + k);
        }
    }
}

static void note_inputs(exercise *e, const bi_model *model, const bi_system *system)
{
    e->n_channel = bi_channel_count(system);
    e->n_input = bi_input_count(system);
    e->initial = words_alloc((size_t)(e->n_input + 1) * sizeof *e->initial);
    for (int k = 0; k < e->n_input; k++) {
        bi_input_info info = { 0 };
        (void)bi_model_input_info(model, bi_model_input(model, bi_input_name(system, k)), &info);
        e->initial[k] = info.initial;
    }
}

// ---- judging -----------------------------------------------------------------------------------------------------

static void set_values(exercise *e, double t, const double *channel, const double *input)
{
    bi_model_parameter(e->scratch, "time", t, NULL);
    for (int k = 0; k < e->n_name; k++) {
        int c = e->column[k];
        double value = !channel ? 1.0 : c < e->n_channel ? channel[c] : input ? input[c - e->n_channel] : 0.0;
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

static void check_expression(const exercise *e, const char *text, const bi_document *doc, const char *place,
                             bi_report *report)
{
    double value;
    bi_report found = { 0 };
    if (!bi_model_number(e->scratch, text, NULL, place, &value, &found)) {
        for (int k = 0; k < found.count; k++) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(doc, place), place, "%s: %s", text,
                          found.issue[k].what);
        }
    }
    bi_report_clear(&found);
}

static void check_limit(const exercise *e, int k, bi_report *report)
{
    const exercise_limit *l = &e->limit[k];
    const bi_document *doc = k < e->n_own ? e->doc : e->machine;
    char *value = words_format("%s.value", e->place[k]), *when = words_format("%s.when", e->place[k]);
    check_expression(e, l->value, doc, value, report);
    for (int i = 0; i < l->n_when; i++) {
        check_expression(e, l->when[i], doc, when, report);
    }
    free(value);
    free(when);
}

static bool copy_parameters(exercise *e, const bi_model *model)
{
    e->scratch = bi_model_create("exercise");
    for (int k = 0; e->scratch && k < bi_model_parameter_count(model); k++) {
        const char *name, *unit;
        double value;
        if (bi_model_parameter_at(model, k, &name, &value, &unit)) {
            bi_model_parameter(e->scratch, name, value, NULL);
        }
    }
    return e->scratch != NULL;
}

bool exercise_bind(exercise *e, const char *model_path, const bi_model *model, const bi_system *system,
                   bi_report *report)
{
    int errors = report->errors;
    forget_names(e);
    if (!exercise_take_faults(e, model_path, report) || !copy_parameters(e, model)) {
        return false;
    }
    note_inputs(e, model, system);
    bind_names(e, system, report);
    set_values(e, 0.0, NULL, NULL);
    for (int k = 0; k < e->n_goal; k++) {
        char *place = words_format("goals.%d.when", k);
        for (int i = 0; i < e->goal[k].n_when; i++) {
            check_expression(e, e->goal[k].when[i], e->doc, place, report);
        }
        free(place);
    }
    for (int k = 0; k < e->n_limit; k++) {
        check_limit(e, k, report);
    }
    return report->errors == errors;
}

void exercise_reset(exercise *e)
{
    e->state = EXERCISE_READY;
    e->t = 0.0;
    e->begun_at = e->begins_with_input ? -1.0 : 0.0;
    e->ended_at = -1.0;
    for (int k = 0; k < e->n_goal; k++) {
        e->goal[k].since = e->goal[k].done_at = -1.0;
    }
    for (int k = 0; k < e->n_limit; k++) {
        exercise_limit *l = &e->limit[k];
        l->now = l->worst = 0.0;
        l->first = l->last = -1.0;
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
    for (int k = 0; k < e->n_limit; k++) {
        e->limit[k].last = fmin(e->limit[k].last, t);
    }
    if (e->ended_at > t) {
        e->ended_at = -1.0;
        e->state = EXERCISE_RUNNING;
    }
    if (e->begins_with_input && e->begun_at > t) {
        e->begun_at = -1.0;
    }
}

static void end(exercise *e, exercise_state state)
{
    e->state = state;
    e->ended_at = e->t;
}

// Beyond, now: the first moment of it counts.
static void count_limit(exercise *e, exercise_limit *l)
{
    if (l->last < 0.0 || e->t - l->last > same_time) {
        l->times++;
        l->first = l->first < 0.0 ? e->t : l->first;
    }
    l->last = e->t;
    if (l->is_final) {
        end(e, EXERCISE_FAILED);
    }
}

static void judge_limits(exercise *e)
{
    for (int k = 0; k < e->n_limit; k++) {
        exercise_limit *l = &e->limit[k];
        if (l->n_event > 0) {
            l->is_broken = l->last >= 0.0 && e->t - l->last <= same_time;
            l->now = l->is_broken ? 1.0 : 0.0;
            continue;
        }
        bool counts = all_hold(e, l->when, l->n_when);
        l->now = evaluate(e, l->value);
        l->worst = counts ? fmax(l->worst, l->now) : l->worst;
        l->is_broken = counts && l->now > l->max;
        if (l->is_broken) {
            count_limit(e, l);
        }
    }
}

static bool is_over(const exercise *e) { return e->state == EXERCISE_PASSED || e->state == EXERCISE_FAILED; }

void exercise_event(exercise *e, double t, const char *name)
{
    for (int k = 0; k < e->n_limit && !is_over(e) && e->begun_at >= 0.0; k++) {
        exercise_limit *l = &e->limit[k];
        for (int i = 0; i < l->n_event && !is_over(e); i++) {
            if (strcmp(l->event[i], name) == 0) {
                e->t = fmax(e->t, t);
                l->worst = 1.0;
                count_limit(e, l);
            }
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

static bool is_touched(const exercise *e, const double *input)
{
    bool is = false;
    for (int k = 0; input && k < e->n_input; k++) {
        is = is || fabs(input[k] - e->initial[k]) > touched;
    }
    return is;
}

void exercise_update(exercise *e, double t, const double *channel, const double *input)
{
    if (t < e->t) {
        go_back(e, t);
    }
    e->t = t;
    if (is_over(e)) {
        return;
    }
    if (e->begun_at < 0.0 && is_touched(e, input)) {
        e->begun_at = t;
    }
    e->state = e->begun_at >= 0.0 && t > 0.0 ? EXERCISE_RUNNING : EXERCISE_READY;
    set_values(e, t, channel, input);
    if (e->begun_at < 0.0) {
        return;
    }
    judge_limits(e);
    if (e->state != EXERCISE_FAILED) {
        judge_goals(e);
    }
    if (e->state == EXERCISE_RUNNING && exercise_time(e) > e->limit_time) {
        end(e, EXERCISE_FAILED);
    }
}

exercise_state exercise_state_of(const exercise *e) { return e->state; }

double exercise_time(const exercise *e)
{
    return e->begun_at < 0.0 ? 0.0 : (e->ended_at >= 0.0 ? e->ended_at : e->t) - e->begun_at;
}

bool exercise_waits(const exercise *e) { return e->begun_at < 0.0; }

static double lost_by_time(const exercise *e) { return e->per_second * fmax(0.0, exercise_time(e) - e->par); }

double exercise_score(const exercise *e)
{
    double score = 100.0 - lost_by_time(e);
    for (int k = 0; k < e->n_limit; k++) {
        score -= e->limit[k].cost * e->limit[k].times;
    }
    return e->state == EXERCISE_FAILED ? 0.0 : fmin(fmax(score, 0.0), 100.0);
}

// ---- reasons -------------------------------------------------------------------------------------------------------

static bool is_ended_by(const exercise *e, const exercise_limit *l)
{
    return e->state == EXERCISE_FAILED && l->is_final && l->times > 0;
}

static bool is_late(const exercise *e)
{
    return e->state == EXERCISE_FAILED && exercise_time(e) > e->limit_time;
}

// Of this kind the k-th; k counts down.
static bool reason_of(const exercise *e, exercise_reason_kind kind, int *k, exercise_reason *out)
{
    for (int i = 0; (kind == REASON_FINAL || kind == REASON_FAULT || kind == REASON_LIMIT) && i < e->n_limit;
         i++) {
        const exercise_limit *l = &e->limit[i];
        exercise_reason_kind own = is_ended_by(e, l) ? REASON_FINAL : l->name ? REASON_FAULT : REASON_LIMIT;
        if (l->times > 0 && own == kind && (*k)-- == 0) {
            *out = (exercise_reason){ kind, l->text, l->hint, l->times,
                                      own == REASON_FINAL ? 0.0 : l->cost * l->times };
            return true;
        }
    }
    for (int i = 0; kind == REASON_GOAL && e->state == EXERCISE_FAILED && i < e->n_goal; i++) {
        if (e->goal[i].done_at < 0.0 && (*k)-- == 0) {
            *out = (exercise_reason){ kind, e->goal[i].text, e->goal[i].hint, 1, 0.0 };
            return true;
        }
    }
    bool is_one = (kind == REASON_LATE && is_late(e)) || (kind == REASON_TIME && lost_by_time(e) > 0.0);
    if (is_one && (*k)-- == 0) {
        *out = (exercise_reason){ kind, "", NULL, 1, kind == REASON_TIME ? lost_by_time(e) : 0.0 };
        return true;
    }
    return false;
}

bool exercise_reason_at(const exercise *e, int k, exercise_reason *out)
{
    static const exercise_reason_kind order[] = { REASON_FINAL, REASON_LATE, REASON_FAULT,
                                                  REASON_LIMIT, REASON_TIME, REASON_GOAL };
    bool is_there = false;
    for (size_t i = 0; i < sizeof order / sizeof *order && !is_there; i++) {
        is_there = reason_of(e, order[i], &k, out);
    }
    return is_there;
}
