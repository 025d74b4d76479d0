// SPDX-License-Identifier: MIT
// The same inputs many times, with parameters at random within their tolerances: does it tip over, when, at which speed.
#include "cli/endings.h"
#include "cli/numbers.h"
#include "cli/words.h"
#include "report/report.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const measures[SAMPLE_MEASURES] = { [SAMPLE_TIP_SPEED] = "tips.speed",
                                                       [SAMPLE_LOST_TIME] = "lost.t",
                                                       [SAMPLE_LOST_SPEED] = "lost.speed",
                                                       [SAMPLE_LEAST] = "least",
                                                       [SAMPLE_END] = "end" };

bool report_wants_samples(const report *p)
{
    return arguments_has(p->args, "--samples") || arguments_has(p->args, "--sample");
}

// ---- one of them -------------------------------------------------------------------------------------------------

// Until it has tipped over: what comes then does not change the answer.
static void simulate(rerun *r, outcome_watch *w, double *answer, char *message)
{
    bi_status status = BI_OK;
    for (;;) {
        outcome_step(w, NULL);
        if (r->step >= r->steps || status != BI_OK || !isnan(w->is.tipped_t)) {
            break;
        }
        status = rerun_step(r);
    }
    const outcome *is = &w->is;
    bi_verdict verdict = bi_sim_verdict(r->s.sim);
    answer[SURVEY_STATUS] = status == BI_OK ? SURVEY_DONE : SURVEY_FAILED;
    answer[SURVEY_VERDICT] = status == BI_OK ? (double)verdict.outcome : (double)BI_BAD;
    answer[SURVEY_HASH] = (double)(bi_sim_hash(r->s.sim) >> 11);
    if (status != BI_OK) {
        snprintf(message, POOL_MESSAGE, "%s", bi_sim_failure(r->s.sim));
        return;
    }
    answer[SURVEY_HAPPENED] = isnan(is->tipped_t) ? 0.0 : 1.0;
    answer[SURVEY_EVENT_TIME] = is->tipped_t;
    double *m = answer + SURVEY_MEASURES;
    m[SAMPLE_TIP_SPEED] = is->tipped_speed;
    m[SAMPLE_LOST_TIME] = is->lost_t;
    m[SAMPLE_LOST_SPEED] = is->lost_speed;
    m[SAMPLE_LEAST] = is->least;
    m[SAMPLE_END] = is->end;
}

static void work(const void *context, const double *question, double *answer, char message[POOL_MESSAGE])
{
    const report *p = context;
    const survey *plan = &p->job.plan;
    int64_t number = (int64_t)question[0];
    for (int k = 0; k < survey_answer_size(plan); k++) {
        answer[k] = NAN;
    }
    answer[SURVEY_RUNS] = 1.0;
    answer[SURVEY_STATUS] = SURVEY_REFUSED;
    bi_setting *setting = words_alloc((size_t)(plan->n_variation + 1) * sizeof *setting);
    for (int k = 0; k < plan->n_variation; k++) {
        setting[k] = (bi_setting){ plan->variation[k].name,
                                   words_format("%.17g", survey_variation_value(plan, number, k)) };
    }
    rerun r;
    outcome_watch watch;
    if (rerun_open(&r, &p->source, setting, plan->n_variation, 1) != CLI_OK) {
        survey_first_error(&r.s.report, message);
    } else if (!report_watch(p, &r, &watch)) {
        snprintf(message, POOL_MESSAGE, "these parameters leave out what the outcome is told of");
    } else {
        simulate(&r, &watch, answer, message);
    }
    rerun_close(&r);
    for (int k = 0; k < plan->n_variation; k++) {
        free((char *)setting[k].value);
    }
    free(setting);
}

// ---- all of them -------------------------------------------------------------------------------------------------

static bool take_numbers(report *p)
{
    double samples = 1000.0, seed = 1.0, jobs = 0.0;
    number_range many = { 1.0, 1e7, NUMBER_WHOLE, "a whole number from 1 to 1e7" },
                 seeds = { 0.0, 9007199254740992.0, NUMBER_WHOLE, "a whole number from 0 to 2^53" },
                 processes = { 1.0, 1024.0, NUMBER_WHOLE, "the number of processes, 1 to 1024" };
    bool is_good = option_number(p->args, "--samples", many, &samples);
    is_good = option_number(p->args, "--seed", seeds, &seed) && is_good;
    is_good = option_number(p->args, "--jobs", processes, &jobs) && is_good;
    p->job.plan.n_sample = (int)samples;
    p->job.plan.seed = (uint64_t)seed;
    p->job.n_worker = (int)jobs;
    return is_good;
}

static void make_plan(report *p)
{
    survey *plan = &p->job.plan;
    plan->event = words_format("tips");
    plan->measure = words_alloc(SAMPLE_MEASURES * sizeof *plan->measure);
    plan->n_measure = SAMPLE_MEASURES;
    for (int k = 0; k < SAMPLE_MEASURES; k++) {
        plan->measure[k].text = words_format("%s", measures[k]);
    }
}

// What could be asked for in vain.
static bool has_question(const report *p)
{
    if (!p->is_vehicle) {
        fprintf(stderr,
                "biela report: error: --samples: they tell whether a vehicle tips over, and %s has none (a "
                "body in `view`, with a speed or a margin in `hud`)\n",
                report_model(p));
    } else if (p->job.plan.n_variation == 0) {
        fprintf(stderr,
                "biela report: error: --samples: no parameter of %s has a tolerance; say how they spread: "
                "--spread 'name=normal(mean,sd)', or `tolerance` beside their values\n",
                report_model(p));
    }
    return p->is_vehicle && p->job.plan.n_variation > 0;
}

// One alone, as a row with its hash, and how to look at it.
static exit_code do_one(report *p)
{
    survey_results *r = &p->job.results;
    double number = 0.0;
    char message[POOL_MESSAGE] = "", of[80];
    snprintf(of, sizeof of, "the number of a sample, 0 to %" PRId64, r->n_case - 1);
    if (!option_number(p->args, "--sample", (number_range){ 0.0, (double)r->n_case - 1.0, NUMBER_WHOLE, of },
                       &number)) {
        return CLI_BAD;
    }
    r->only = (int64_t)number;
    work(p, &number, r->answer, message);
    if (*message) {
        fprintf(stderr, "biela report: sample %" PRId64 ": %s\n", r->only, message);
    }
    if (!arguments_has(p->args, "--quiet")) {
        fprintf(stderr, "biela report: to look at it: biela replay %s --live", report_name(p));
        for (int k = 0; k < p->job.plan.n_variation; k++) {
            fprintf(stderr, " --set %s=%.17g", p->job.plan.variation[k].name,
                    survey_variation_value(&p->job.plan, r->only, k));
        }
        fputc('\n', stderr);
    }
    bool is_written = survey_write(r, "/dev/stdout");
    return !is_written ? CLI_MACHINE : r->answer[SURVEY_STATUS] == SURVEY_DONE ? CLI_OK : CLI_NUMERICAL;
}

// Everything the numbers depend on: the drive by its last hash and its length, the model, the spreads.
static char *signature_of(const report *p)
{
    const survey *plan = &p->job.plan;
    const bi_track *track = &p->source.track;
    uint64_t last = track->n_hash > 0 ? track->hash[track->n_hash - 1].hash : 0;
    char *text =
        words_format("report %016" PRIx64 " %016" PRIx64 " %" PRId64 " steps, %d samples, seed %" PRIu64,
                     bi_system_hash(p->base.s.system), last, track->steps, plan->n_sample, plan->seed);
    for (int k = 0; k < plan->n_variation; k++) {
        const double *a = plan->variation[k].spread.a;
        char *longer = words_format("%s, %s %d %.17g %.17g %.17g %.17g", text, plan->variation[k].name,
                                    (int)plan->variation[k].spread.kind, a[0], a[1], a[2], a[3]);
        free(text);
        text = longer;
    }
    return text;
}

exit_code report_samples(report *p)
{
    sweep_job *job = &p->job;
    survey_results *r = &job->results;
    if (!take_numbers(p) || !report_spreads(p) || !has_question(p)) {
        return CLI_BAD;
    }
    make_plan(p);
    *r = (survey_results){ .plan = &job->plan, .n_case = survey_case_count(&job->plan), .only = -1 };
    bool is_one = arguments_has(p->args, "--sample");
    size_t rows = is_one ? 1 : (size_t)r->n_case;
    r->answer = words_alloc(rows * (size_t)survey_answer_size(&job->plan) * sizeof *r->answer);
    r->is_done = words_alloc((size_t)r->n_case);
    job->who = "biela report";
    job->work = work;
    job->context = p;
    job->is_quiet = arguments_has(p->args, "--quiet");
    job->message_of = job->verdict_of = -1;
    if (is_one) {
        return do_one(p);
    }
    job->journal = words_format("%s" ENDING_JOURNAL, p->samples);
    if (arguments_has(p->args, "--fresh")) {
        remove(job->journal);
    }
    char *signature = signature_of(p);
    exit_code code = sweep_do(job, signature);
    free(signature);
    return code;
}
