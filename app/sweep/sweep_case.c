// SPDX-License-Identifier: MIT
// One case: one run, or the runs of a bisection.
#include "sweep/sweep_run.h"
#include <biela/loop.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- one run -----------------------------------------------------------------------------------------------------------

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

static bool go(survey_recorder *rec, survey_run *run)
{
    session *s = &rec->session;
    bool goes_on = survey_see_channels(rec, run);
    survey_see_events(rec, run);
    for (int64_t k = 1; goes_on && k <= s->grid.n_step && !bi_sim_stopped(s->sim); k++) {
        if (step(s, &k) != BI_OK) {
            snprintf(run->message, POOL_MESSAGE, "%s", bi_sim_failure(s->sim));
            goes_on = false;
            break;
        }
        survey_see_events(rec, run);
        goes_on = survey_see_channels(rec, run);
    }
    return goes_on;
}

static void run_once(survey_case *c)
{
    session_request request = survey_request(c->plan, c->number, c->value);
    survey_recorder rec;
    survey_run_begin(c->plan, &rec, &c->run);
    if (survey_run_opened(&rec, &c->run, session_open(&rec.session, &request))) {
        survey_run_over(&rec, &c->run, go(&rec, &c->run));
    }
    survey_run_clear(&rec);
    survey_request_clear(c->plan, &request);
}

// ---- one after the other -------------------------------------------------------------------------------------------------

static void keep(const survey *s, const survey_run *run, double *answer)
{
    answer[SURVEY_HAPPENED] = run->happened ? 1.0 : 0.0;
    answer[SURVEY_EVENT_TIME] = run->event_time;
    for (int k = 0; k < s->n_measure; k++) {
        answer[SURVEY_MEASURES + k] = run->measure[k];
    }
}

void survey_case_begin(survey_case *c, const survey *s, int64_t number, double *answer, char *message)
{
    for (int k = 0; k < survey_answer_size(s); k++) {
        answer[k] = NAN;
    }
    answer[SURVEY_RUNS] = 0.0;
    *c = (survey_case){ .plan = s,
                        .number = number,
                        .value = s->bisected ? s->low : 0.0,
                        .run = { .measure = words_alloc(((size_t)s->n_measure + 1) * sizeof *c->run.measure),
                                 .message = message },
                        .answer = answer,
                        .low = s->low,
                        .high = s->high };
}

// Of two ends in only one of which the event happens.
static bool halve(survey_case *c)
{
    double middle = 0.5 * (c->low + c->high);
    // the middle may not lie between the ends any more when the resolution is below that of the numbers
    if (c->high - c->low > c->plan->resolution && middle > c->low && middle < c->high) {
        c->value = middle;
        return true;
    }
    c->answer[SURVEY_STATUS] = SURVEY_DONE;
    c->answer[SURVEY_BISECTED] = middle;
    c->answer[SURVEY_RISES] = c->at_high ? 1.0 : 0.0;
    c->answer[SURVEY_HAPPENED] = 1.0;
    return false;
}

static bool bisect(survey_case *c)
{
    bool happened = c->run.happened;
    switch (c->stage) {
    case CASE_LOW:
        c->at_low = happened;
        c->value = c->high;
        c->stage = CASE_HIGH;
        return true;
    case CASE_HIGH:
        c->at_high = happened;
        c->stage = CASE_BETWEEN;
        if (c->at_low != c->at_high) {
            return halve(c);
        }
        c->answer[SURVEY_STATUS] = c->at_low ? SURVEY_ALWAYS : SURVEY_NEVER;
        c->answer[SURVEY_HAPPENED] = c->at_low ? 1.0 : 0.0;
        return false;
    case CASE_BETWEEN: *(happened == c->at_high ? &c->high : &c->low) = c->value; return halve(c);
    }
    return false;
}

bool survey_case_goes_on(survey_case *c)
{
    survey_run *run = &c->run;
    bool is_bisected = c->plan->bisected != NULL;
    c->answer[SURVEY_RUNS] += 1.0;
    // what is told beside the value is of the last run in which the event happened
    if (run->status == SURVEY_DONE && (run->happened || !is_bisected)) {
        keep(c->plan, run, c->answer);
    }
    if (run->status == SURVEY_DONE && is_bisected) {
        return bisect(c);
    }
    c->answer[SURVEY_STATUS] = run->status;
    if (is_bisected) {
        size_t used = strlen(run->message);
        snprintf(run->message + used, POOL_MESSAGE - used, " (%s = %.9g)", c->plan->bisected, c->value);
    }
    return false;
}

void survey_case_end(survey_case *c)
{
    c->answer[SURVEY_VERDICT] = c->run.is_judged ? (double)c->run.worst : NAN;
    c->answer[SURVEY_HASH] = c->run.is_judged ? c->run.hash : NAN;
    free(c->run.measure);
    c->run.measure = NULL;
}

void survey_work(const void *context, const double *question, double *answer, char message[POOL_MESSAGE])
{
    survey_case c;
    survey_case_begin(&c, context, (int64_t)question[0], answer, message);
    do {
        run_once(&c);
    } while (survey_case_goes_on(&c));
    survey_case_end(&c);
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
    session_request request = survey_request(s, 0, s->low);
    exit_code code = session_open(out, &request);
    survey_request_clear(s, &request);
    session_print_messages(out);
    for (int k = 0; code == CLI_OK && k < s->n_measure; k++) {
        const survey_measure *m = &s->measure[k];
        bool exists =
            m->kind == MEASURE_TIME ? event_exists(out, m->name) : session_channel(out, m->name).i != 0;
        code = exists ? code : CLI_BAD;
    }
    return code;
}
