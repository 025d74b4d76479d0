// SPDX-License-Identifier: MIT
// One run of a case: what is asked for, and what is seen of it, whoever steps it.
#include "sweep/sweep_run.h"
#include <biela/loop.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Parameters of a case as words: base settings, grids, samples, and the one that is bisected.
session_request survey_request(const survey *s, int64_t number, double bisected)
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

void survey_request_clear(const survey *s, session_request *request)
{
    for (int k = s->request.n_setting; k < request->n_setting; k++) {
        free((char *)request->setting[k].value);
    }
    free(request->setting);
}

void survey_see_events(survey_recorder *rec, survey_run *run)
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
bool survey_see_channels(survey_recorder *rec, survey_run *run)
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

// ---- from the beginning to the end --------------------------------------------------------------------------------------

void survey_run_begin(const survey *s, survey_recorder *rec, survey_run *run)
{
    size_t n = (size_t)s->n_measure + 1;
    *rec = (survey_recorder){ .plan = s,
                              .channel = words_alloc(n * sizeof *rec->channel),
                              .area = words_alloc(n * sizeof *rec->area),
                              .last = words_alloc(n * sizeof *rec->last) };
    run->happened = false;
    run->event_time = NAN;
    for (int k = 0; k < s->n_measure; k++) {
        run->measure[k] = rec->last[k] = NAN;
    }
    run->status = SURVEY_REFUSED;
}

bool survey_run_opened(survey_recorder *rec, survey_run *run, exit_code code)
{
    if (code != CLI_OK) {
        survey_first_error(&rec->session.report, run->message);
        return false;
    }
    return find_channels(rec->plan, rec, run->message);
}

void survey_run_over(survey_recorder *rec, survey_run *run, bool is_good)
{
    run->status = is_good && see_end(rec, run) ? SURVEY_DONE : SURVEY_FAILED;
    see_verdict(rec, run);
    run->hash = (double)(bi_sim_hash(rec->session.sim) >> 11);
}

void survey_run_clear(survey_recorder *rec)
{
    session_close(&rec->session);
    free(rec->channel);
    free(rec->area);
    free(rec->last);
    *rec = (survey_recorder){ 0 };
}
