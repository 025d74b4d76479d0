// SPDX-License-Identifier: MIT
// One case: one run, or the runs of a bisection.
#include "study/sweep_cases.h"
#include <biela/loop.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- one run -----------------------------------------------------------------------------------------------------------

typedef struct {
    survey_status status;
    bool happened;
    double event_time; // s, NAN: did not happen
    double *measure;   // (n_measure)
    bi_outcome worst;  // of all runs so far
    bool is_judged;    // one was made
    double hash;       // of its last state, 53 bits: a table holds them exactly
    char *message;
} survey_run;

typedef struct {
    const survey *plan;
    session session;
    bi_channel *channel;  // (n_measure) unset: an event
    double *area, before; // integrals for means, and the last instant
    double *last;         // values there
    int events;           // seen so far
} survey_recorder;

// Parameters of a case as words: base settings, grids, samples, and the one that is bisected.
static session_request request_of(const survey *s, int64_t number, double bisected)
{
    session_request request = s->request;
    int n = request.n_setting, most = n + s->n_axis + s->n_variation + 1;
    request.setting = words_alloc((size_t)most * sizeof *request.setting);
    if (n > 0) {
        memcpy(request.setting, s->request.setting, (size_t)n * sizeof *request.setting);
    }
    for (int k = 0; k < s->n_axis; k++) {
        request.setting[n++] =
            (bi_setting){ s->axis[k].name, words_format("%.17g", survey_axis_value(s, number, k)) };
    }
    for (int k = 0; k < s->n_variation; k++) {
        request.setting[n++] =
            (bi_setting){ s->variation[k].name, words_format("%.17g", survey_variation_value(s, number, k)) };
    }
    if (s->bisected) {
        request.setting[n++] = (bi_setting){ s->bisected, words_format("%.17g", bisected) };
    }
    request.n_setting = n;
    request.threads = "1"; // cases are shared by processes
    return request;
}

static void request_clear(const survey *s, session_request *request)
{
    for (int k = s->request.n_setting; k < request->n_setting; k++) {
        free((char *)request->setting[k].value);
    }
    free(request->setting);
}

static void see_events(survey_recorder *rec, survey_run *run)
{
    const survey *s = rec->plan;
    bi_event event;
    for (; bi_sim_event(rec->session.sim, rec->events, &event); rec->events++) {
        if (s->event && !run->happened && strcmp(event.name, s->event) == 0) {
            run->happened = true;
            run->event_time = event.t;
        }
        for (int k = 0; k < s->n_measure; k++) {
            if (s->measure[k].kind == MEASURE_TIME && isnan(run->measure[k]) &&
                strcmp(event.name, s->measure[k].name) == 0) {
                run->measure[k] = event.t;
            }
        }
    }
}

// Reads the channel of a measure where the sim stands; false: it is not a number.
static bool read_measure(survey_recorder *rec, survey_run *run, int k, double *value)
{
    *value = bi_sim_read(rec->session.sim, rec->channel[k]);
    if (!isfinite(*value)) {
        snprintf(run->message, POOL_MESSAGE, "%s is not finite at t = %.6g s", rec->plan->measure[k].name,
                 bi_sim_time(rec->session.sim));
    }
    return isfinite(*value);
}

// What is measured over the whole run.
static bool see_channels(survey_recorder *rec, survey_run *run)
{
    double t = bi_sim_time(rec->session.sim), value;
    for (int k = 0; k < rec->plan->n_measure; k++) {
        measure_kind kind = rec->plan->measure[k].kind;
        // nothing is worked out for a number that is not asked for yet
        if (kind == MEASURE_FINAL || kind == MEASURE_TIME) {
            continue;
        }
        if (!read_measure(rec, run, k, &value)) {
            return false;
        }
        double *m = &run->measure[k];
        if (isnan(rec->last[k])) {
            *m = value;
        } else if (kind == MEASURE_MEAN) {
            // trapezoidal rule over the steps
            rec->area[k] += 0.5 * (t - rec->before) * (rec->last[k] + value);
            *m = rec->area[k] / (t - rec->session.grid.start);
        } else {
            *m = kind == MEASURE_MAX ? fmax(*m, value) : fmin(*m, value);
        }
        rec->last[k] = value;
    }
    rec->before = t;
    return true;
}

static bool see_end(survey_recorder *rec, survey_run *run)
{
    for (int k = 0; k < rec->plan->n_measure; k++) {
        if (rec->plan->measure[k].kind == MEASURE_FINAL && !read_measure(rec, run, k, &run->measure[k])) {
            return false;
        }
    }
    return true;
}

static bi_status step(const session *s, int64_t *k)
{
    // steps chosen by error go on freely to the end when no rows are asked for
    if (s->run.is_auto && s->run.every == 0.0) {
        double end = time_grid_at(&s->grid, s->grid.n_step);
        bi_status status = bi_sim_step_toward(s->sim, end);
        *k = bi_sim_time(s->sim) >= end ? s->grid.n_step : *k - 1;
        return status;
    }
    bool is_last = *k == s->grid.n_step || s->run.is_auto;
    return is_last ? bi_sim_step_to(s->sim, time_grid_at(&s->grid, *k)) : bi_sim_step(s->sim);
}

static void go(survey_recorder *rec, survey_run *run)
{
    session *s = &rec->session;
    bool goes_on = see_channels(rec, run);
    see_events(rec, run);
    for (int64_t k = 1; goes_on && k <= s->grid.n_step && !bi_sim_stopped(s->sim); k++) {
        if (step(s, &k) != BI_OK) {
            snprintf(run->message, POOL_MESSAGE, "%s", bi_sim_failure(s->sim));
            goes_on = false;
            break;
        }
        see_events(rec, run);
        goes_on = see_channels(rec, run);
    }
    goes_on = goes_on && see_end(rec, run);
    run->status = goes_on ? SURVEY_DONE : SURVEY_FAILED;
}

// What the run thinks of itself. A failed one is bad, and its message tells more.
static void see_verdict(survey_recorder *rec, survey_run *run)
{
    bi_verdict v = bi_sim_verdict(rec->session.sim);
    bi_outcome outcome = run->status == SURVEY_FAILED ? BI_BAD : v.outcome;
    if (run->status == SURVEY_DONE && outcome > run->worst) {
        snprintf(run->message, POOL_MESSAGE, "%s", v.line);
    }
    run->worst = outcome > run->worst ? outcome : run->worst;
    run->is_judged = true;
}

void survey_first_error(const bi_report *report, char message[POOL_MESSAGE])
{
    for (int k = 0; k < report->count; k++) {
        const bi_issue *issue = &report->issue[k];
        if (issue->severity == BI_ERROR) {
            snprintf(message, POOL_MESSAGE, "%.80s%s%.800s", issue->where, *issue->where ? ": " : "",
                     issue->what);
            return;
        }
    }
}

// The channels that are recorded. False, and told: these parameters have left one of them out of the model.
static bool find_channels(const survey *s, survey_recorder *rec, char *message)
{
    for (int k = 0; k < s->n_measure; k++) {
        rec->channel[k] = (bi_channel){ 0 };
        if (s->measure[k].kind == MEASURE_TIME) {
            continue;
        }
        rec->channel[k] = bi_find_channel(rec->session.system, s->measure[k].name);
        if (rec->channel[k].i == 0) {
            snprintf(
                message, POOL_MESSAGE,
                "there is no channel '%.80s' with these parameters: they change what the model is made of",
                s->measure[k].name);
            return false;
        }
    }
    return true;
}

static void run_once(const survey *s, int64_t number, double bisected, survey_run *run)
{
    size_t n = (size_t)s->n_measure + 1;
    session_request request = request_of(s, number, bisected);
    survey_recorder rec = { .plan = s,
                            .channel = words_alloc(n * sizeof *rec.channel),
                            .area = words_alloc(n * sizeof *rec.area),
                            .last = words_alloc(n * sizeof *rec.last) };
    run->happened = false;
    run->event_time = NAN;
    for (int k = 0; k < s->n_measure; k++) {
        run->measure[k] = rec.last[k] = NAN;
    }
    run->status = SURVEY_REFUSED;
    if (session_open(&rec.session, &request) != CLI_OK) {
        survey_first_error(&rec.session.report, run->message);
    } else if (find_channels(s, &rec, run->message)) {
        go(&rec, run);
        see_verdict(&rec, run);
        run->hash = (double)(bi_sim_hash(rec.session.sim) >> 11);
    }
    session_close(&rec.session);
    request_clear(s, &request);
    free(rec.channel);
    free(rec.area);
    free(rec.last);
}

// ---- bisection -----------------------------------------------------------------------------------------------------------

static void keep(const survey *s, const survey_run *run, double *answer)
{
    answer[SURVEY_HAPPENED] = run->happened ? 1.0 : 0.0;
    answer[SURVEY_EVENT_TIME] = run->event_time;
    for (int k = 0; k < s->n_measure; k++) {
        answer[SURVEY_MEASURES + k] = run->measure[k];
    }
}

// One more run of the bisection; false: it failed, and so does the case.
static bool try_value(const survey *s, int64_t number, double value, survey_run *run, double *answer)
{
    run_once(s, number, value, run);
    answer[SURVEY_RUNS] += 1.0;
    if (run->status != SURVEY_DONE) {
        answer[SURVEY_STATUS] = run->status;
        size_t used = strlen(run->message);
        snprintf(run->message + used, POOL_MESSAGE - used, " (%s = %.9g)", s->bisected, value);
        return false;
    }
    // what is told beside the value is of the last run in which the event happened
    if (run->happened) {
        keep(s, run, answer);
    }
    return true;
}

static void bisect(const survey *s, int64_t number, survey_run *run, double *answer)
{
    double low = s->low, high = s->high;
    if (!try_value(s, number, low, run, answer)) {
        return;
    }
    bool at_low = run->happened;
    if (!try_value(s, number, high, run, answer)) {
        return;
    }
    bool at_high = run->happened;
    if (at_low == at_high) {
        answer[SURVEY_STATUS] = at_low ? SURVEY_ALWAYS : SURVEY_NEVER;
        answer[SURVEY_HAPPENED] = at_low ? 1.0 : 0.0;
        return;
    }
    // the middle may not lie between the ends any more when the resolution is below that of the numbers
    while (high - low > s->resolution && 0.5 * (low + high) > low && 0.5 * (low + high) < high) {
        double middle = 0.5 * (low + high);
        if (!try_value(s, number, middle, run, answer)) {
            return;
        }
        *(run->happened == at_high ? &high : &low) = middle;
    }
    answer[SURVEY_STATUS] = SURVEY_DONE;
    answer[SURVEY_BISECTED] = 0.5 * (low + high);
    answer[SURVEY_RISES] = at_high ? 1.0 : 0.0;
    answer[SURVEY_HAPPENED] = 1.0;
}

void survey_work(const void *context, const double *question, double *answer, char message[POOL_MESSAGE])
{
    const survey *s = context;
    int64_t number = (int64_t)question[0];
    for (int k = 0; k < survey_answer_size(s); k++) {
        answer[k] = NAN;
    }
    answer[SURVEY_RUNS] = 0.0;
    survey_run run = { .measure = words_alloc(((size_t)s->n_measure + 1) * sizeof *run.measure),
                       .message = message };
    if (s->bisected) {
        bisect(s, number, &run, answer);
    } else {
        run_once(s, number, 0.0, &run);
        answer[SURVEY_STATUS] = run.status;
        answer[SURVEY_RUNS] = 1.0;
        if (run.status == SURVEY_DONE) {
            keep(s, &run, answer);
        }
    }
    answer[SURVEY_VERDICT] = run.is_judged ? (double)run.worst : NAN;
    answer[SURVEY_HASH] = run.is_judged ? run.hash : NAN;
    free(run.measure);
}

// ---- the first look --------------------------------------------------------------------------------------------------

static bool event_exists(const session *s, const char *name)
{
    bool is_found = false;
    for (int k = 0; k < bi_model_event_count(s->model); k++) {
        is_found = is_found || strcmp(bi_model_event_name(s->model, k), name) == 0;
    }
    if (!is_found) {
        fprintf(stderr, "biela: error: --record time:%s: %s has no event of this name\n", name,
                s->short_name);
    }
    return is_found;
}

exit_code survey_try(const survey *s, session *out)
{
    session_request request = request_of(s, 0, s->low);
    exit_code code = session_open(out, &request);
    request_clear(s, &request);
    session_print_messages(out);
    for (int k = 0; code == CLI_OK && k < s->n_measure; k++) {
        const survey_measure *m = &s->measure[k];
        bool exists =
            m->kind == MEASURE_TIME ? event_exists(out, m->name) : session_channel(out, m->name).i != 0;
        code = exists ? code : CLI_BAD;
    }
    return code;
}
