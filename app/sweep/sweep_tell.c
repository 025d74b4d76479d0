// SPDX-License-Identifier: MIT
// What a sweep says at the end: verdicts, estimates, files; for people and for programs.
#define _POSIX_C_SOURCE 200809L
#include "cli/terminal.h"
#include "sweep/sweep_job.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What was not found, and whether that makes the sweep worthless.
exit_code sweep_judge(const sweep_job *job)
{
    int64_t count[SURVEY_STATUS_COUNT];
    survey_count(&job->results, count);
    for (int k = 1; k < SURVEY_STATUS_COUNT; k++) {
        if (count[k] > 0) {
            fprintf(stderr, "biela sweep: warning: status %d in %" PRId64 " of %" PRId64 " cases: %s\n", k,
                    count[k], job->results.n_case, survey_status_text((survey_status)k));
        }
    }
    if (*job->message) {
        fprintf(stderr, "biela sweep: case %" PRId64 ": %s\n", job->message_of, job->message);
    }
    int64_t ends = count[SURVEY_ALWAYS] + count[SURVEY_NEVER];
    if (job->plan.bisected && ends == job->results.n_case) {
        fprintf(stderr,
                "biela sweep: error: both ends of --bisect %s=%g:%g agree in every case: '%s' happens %s; "
                "widen the "
                "range\n",
                job->plan.bisected, job->plan.low, job->plan.high, job->plan.event,
                count[SURVEY_NEVER] == 0    ? "at both ends"
                : count[SURVEY_ALWAYS] == 0 ? "at neither end"
                                            : "at both ends or at neither");
        return CLI_BAD;
    }
    int64_t failed = count[SURVEY_FAILED] + count[SURVEY_REFUSED] + count[SURVEY_DIED];
    return failed == job->results.n_case ? CLI_NUMERICAL : CLI_OK;
}

// Why a case is not good, "" if nobody knows any more.
static const char *reason_of(const sweep_job *job, int64_t number)
{
    return number == job->verdict_of ? job->verdict : "";
}

// What the runs think of themselves, on stderr.
exit_code sweep_judge_runs(const sweep_job *job, const arguments *args)
{
    int64_t count[SURVEY_OUTCOMES], worst = survey_outcomes(&job->results, count);
    if (count[BI_DOUBTFUL] + count[BI_BAD] == 0) {
        return CLI_OK;
    }
    bool is_bad = count[BI_BAD] > 0;
    const char *reason = reason_of(job, worst);
    fprintf(stderr,
            "biela sweep: %s: verdict %s in %" PRId64 " and doubtful in %" PRId64 " of %" PRId64
            " cases, column verdict; case %" PRId64 "%s%s\n",
            is_bad ? "error" : "warning", bi_outcome_name(BI_BAD), count[BI_BAD], count[BI_DOUBTFUL],
            job->results.n_case, worst, *reason ? ": " : "", reason);
    return judgement_code(is_bad ? BI_BAD : BI_DOUBTFUL, args);
}

static void print_verdict(const sweep_job *job)
{
    int64_t count[SURVEY_OUTCOMES], worst = survey_outcomes(&job->results, count);
    printf("  verdict       %" PRId64 " good, %" PRId64 " doubtful, %" PRId64 " bad", count[BI_GOOD],
           count[BI_DOUBTFUL], count[BI_BAD]);
    if (count[BI_DOUBTFUL] + count[BI_BAD] > 0) {
        const char *reason = reason_of(job, worst);
        printf("; case %" PRId64 "%s%s", worst, *reason ? ": " : "", reason);
    }
    putchar('\n');
}

static void json_verdict(json *j, const sweep_job *job)
{
    int64_t count[SURVEY_OUTCOMES], worst = survey_outcomes(&job->results, count);
    json_object(j, "verdict");
    for (int k = 0; k < SURVEY_OUTCOMES; k++) {
        json_integer(j, bi_outcome_name((bi_outcome)k), count[k]);
    }
    if (count[BI_DOUBTFUL] + count[BI_BAD] > 0) {
        json_integer(j, "worst_case", worst);
        json_text(j, "line", reason_of(job, worst));
    }
    json_end(j);
}

static void print_estimate(const char *what, estimate e, double confidence)
{
    printf("  %-24s %.6g", what, e.value);
    if (isfinite(e.low) && isfinite(e.high)) {
        printf("   (%.6g to %.6g", e.low, e.high);
    } else if (isfinite(e.low)) {
        printf("   (above %.6g", e.low);
    } else if (isfinite(e.high)) {
        printf("   (below %.6g", e.high);
    } else {
        printf("   (not known");
    }
    printf(" with %g %% confidence)\n", 100.0 * confidence);
}

// The estimates of one point; the others are in the file.
static void print_estimates(const sweep_job *job)
{
    const survey *s = &job->plan;
    double *room = words_alloc(((size_t)s->n_sample + 1) * sizeof *room);
    if (s->event && !s->bisected) {
        int count, hits = survey_hits(&job->results, 0, &count);
        char *what = words_format("probability of %s", s->event);
        print_estimate(what, probability_estimate(hits, count, job->levels.confidence),
                       job->levels.confidence);
        free(what);
    }
    for (int m = s->bisected ? -1 : 0; m < s->n_measure; m++) {
        int n = survey_samples(&job->results, 0, m < 0 ? SURVEY_BISECTED : SURVEY_MEASURES + m, room);
        for (int q = 0; q < job->levels.level.count; q++) {
            double p = strtod(job->levels.level.name[q], NULL);
            char *what = words_format("%s, quantile %g", m < 0 ? s->bisected : s->measure[m].text, p);
            print_estimate(what, quantile_estimate(room, n, p, job->levels.confidence),
                           job->levels.confidence);
            free(what);
        }
    }
    free(room);
}

void sweep_print_result(const sweep_job *job)
{
    const survey *s = &job->plan;
    printf("%s: %" PRId64 " case%s\n", bi_model_name(job->first.model), job->results.n_case,
           job->results.n_case == 1 ? "" : "s");
    if (s->bisected && job->results.n_case == 1) {
        printf("  %s begins at %s = %.9g (within %g)\n", s->event, s->bisected,
               survey_answer(&job->results, 0, SURVEY_BISECTED), 0.5 * s->resolution);
    }
    if (s->n_sample > 0 && s->n_axis == 0) {
        print_estimates(job);
    }
    print_verdict(job);
    if (job->has_table) {
        printf("  written       %s\n", job->out);
    } else {
        printf("  not written   %s; the cases are kept in %s\n", job->out,
               job->journal ? job->journal : "no file");
    }
    if (job->summary) {
        printf("  %s   %s\n", job->has_summary ? "summary    " : "not written", job->summary);
    }
    if (job->picture) {
        printf("  plot          %s\n", job->picture);
    }
}

// Each parameter that cases differ in, from 0; NULL: no more.
static const char *varied_at(const survey *s, int k)
{
    int n = s->n_axis + s->n_variation;
    return k < s->n_axis           ? s->axis[k].name
           : k < n                 ? s->variation[k - s->n_axis].name
           : k == n && s->bisected ? s->bisected
                                   : NULL;
}

void sweep_note_files(const sweep_job *job)
{
    const survey *s = &job->plan;
    const char *name;
    for (int k = 0; !job->is_quiet && (name = varied_at(s, k)); k++) {
        const char *reason = session_kept_reason(s->request.kept, name);
        if (reason) {
            fprintf(stderr, "note: %s changes %s: where it changes, the case is read from the files\n", name,
                    reason);
        }
    }
}

static void json_files(json *j, const survey *s)
{
    const char *name;
    json_array(j, "reads_files");
    for (int k = 0; (name = varied_at(s, k)); k++) {
        if (session_kept_reason(s->request.kept, name)) {
            json_text(j, NULL, name);
        }
    }
    json_end(j);
}

static void json_estimate(json *j, const char *key, estimate e)
{
    json_object(j, key);
    json_number(j, "value", e.value);
    json_number(j, "low", e.low);
    json_number(j, "high", e.high);
    json_end(j);
}

static void json_estimates(json *j, const sweep_job *job, int64_t point)
{
    const survey *s = &job->plan;
    double *room = words_alloc(((size_t)s->n_sample + 1) * sizeof *room);
    json_object(j, NULL);
    for (int k = 0; k < s->n_axis; k++) {
        json_number(j, s->axis[k].name, survey_axis_value(s, point * s->n_sample, k));
    }
    if (s->event && !s->bisected) {
        int count, hits = survey_hits(&job->results, point, &count);
        json_estimate(j, "probability", probability_estimate(hits, count, job->levels.confidence));
    }
    for (int m = s->bisected ? -1 : 0; m < s->n_measure; m++) {
        int n = survey_samples(&job->results, point, m < 0 ? SURVEY_BISECTED : SURVEY_MEASURES + m, room);
        json_object(j, m < 0 ? s->bisected : s->measure[m].text);
        for (int q = 0; q < job->levels.level.count; q++) {
            const char *level = job->levels.level.name[q];
            json_estimate(j, level, quantile_estimate(room, n, strtod(level, NULL), job->levels.confidence));
        }
        json_end(j);
    }
    json_end(j);
    free(room);
}

void sweep_json_result(const sweep_job *job, exit_code code)
{
    int64_t count[SURVEY_STATUS_COUNT];
    survey_count(&job->results, count);
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_integer(&j, "exit_code", code);
    json_text(&j, "model", job->first.short_name);
    json_integer(&j, "cases", job->results.n_case);
    json_integer(&j, "done_before", job->n_before);
    json_files(&j, &job->plan);
    json_array(&j, "status");
    for (int k = 0; k < SURVEY_STATUS_COUNT; k++) {
        json_integer(&j, NULL, count[k]);
    }
    json_end(&j);
    if (job->plan.bisected && job->results.n_case == 1) {
        json_number(&j, "value", survey_answer(&job->results, 0, SURVEY_BISECTED));
    }
    if (job->plan.n_sample > 0) {
        json_number(&j, "confidence", job->levels.confidence);
        json_array(&j, "estimates");
        for (int64_t point = 0; point < survey_point_count(&job->plan); point++) {
            json_estimates(&j, job, point);
        }
        json_end(&j);
    }
    json_verdict(&j, job);
    json_text(&j, "message", *job->message ? job->message : NULL);
    json_text(&j, "out", job->has_table ? job->out : NULL);
    json_text(&j, "summary", job->has_summary ? job->summary : NULL);
    json_text(&j, "plot", job->picture);
    json_end(&j);
}
