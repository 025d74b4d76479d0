// SPDX-License-Identifier: MIT
// What a survey found: a row per case, and for random samples what they say about each point of the grids.
#include "running/outfiles.h"
#include "study/statistics.h"
#include "sweep/sweep_cases.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- cells -------------------------------------------------------------------------------------------------------------

typedef struct {
    bi_outfile *output;
    FILE *file;    // of `output`
    bool is_begun; // the line has a cell
} table_file;

static bool table_open(table_file *t, const char *path)
{
    *t = (table_file){ .output = outfiles_begin(path) };
    t->file = t->output ? bi_outfile_file(t->output) : NULL;
    return t->file != NULL;
}

static void put_comma(table_file *t)
{
    if (t->is_begun) {
        fputc(',', t->file);
    }
    t->is_begun = true;
}

static void put_name(table_file *t, const char *a, const char *b)
{
    put_comma(t);
    fprintf(t->file, "%s%s", a, b);
}

// What is not known is an empty cell.
static void put_number(table_file *t, double value)
{
    put_comma(t);
    if (isfinite(value)) {
        fprintf(t->file, "%.17g", value);
    }
}

static void put_end(table_file *t)
{
    fputc('\n', t->file);
    t->is_begun = false;
}

static bool table_close(table_file *t) { return t->output && outfiles_end(t->output); }

// ---- a row per case ---------------------------------------------------------------------------------------------------

static void put_case_names(table_file *t, const survey *s)
{
    put_name(t, "case", "");
    for (int k = 0; k < s->n_axis; k++) {
        put_name(t, s->axis[k].name, "");
    }
    if (s->n_sample > 0) {
        put_name(t, "sample", "");
    }
    for (int k = 0; k < s->n_variation; k++) {
        put_name(t, s->variation[k].name, "");
    }
    if (s->bisected) {
        put_name(t, s->bisected, "");
    }
    if (s->event) {
        put_name(t, s->event, "");
        put_name(t, s->event, ".t");
    }
    for (int k = 0; k < s->n_measure; k++) {
        put_name(t, s->measure[k].text, "");
    }
    put_name(t, "runs", "");
    put_name(t, "status", "");
    put_name(t, "verdict", "");
    put_name(t, "hash", "");
    put_end(t);
}

static void put_case(table_file *t, const survey_results *r, int64_t number)
{
    const survey *s = r->plan;
    put_number(t, (double)number);
    for (int k = 0; k < s->n_axis; k++) {
        put_number(t, survey_axis_value(s, number, k));
    }
    if (s->n_sample > 0) {
        put_number(t, (double)(number % s->n_sample));
    }
    for (int k = 0; k < s->n_variation; k++) {
        put_number(t, survey_variation_value(s, number, k));
    }
    if (s->bisected) {
        put_number(t, survey_answer(r, number, SURVEY_BISECTED));
    }
    if (s->event) {
        put_number(t, survey_answer(r, number, SURVEY_HAPPENED));
        put_number(t, survey_answer(r, number, SURVEY_EVENT_TIME));
    }
    for (int k = 0; k < s->n_measure; k++) {
        put_number(t, survey_answer(r, number, SURVEY_MEASURES + k));
    }
    put_number(t, survey_answer(r, number, SURVEY_RUNS));
    put_number(t, survey_answer(r, number, SURVEY_STATUS));
    put_number(t, survey_answer(r, number, SURVEY_VERDICT));
    put_number(t, survey_answer(r, number, SURVEY_HASH));
    put_end(t);
}

void survey_put(const survey_results *r, FILE *out)
{
    table_file t = { .file = out };
    int64_t first = r->only < 0 ? 0 : r->only, end = r->only < 0 ? r->n_case : r->only + 1;
    put_case_names(&t, r->plan);
    for (int64_t number = first; number < end; number++) {
        put_case(&t, r, number);
    }
}

bool survey_write(const survey_results *r, const char *path)
{
    table_file t;
    if (table_open(&t, path)) {
        survey_put(r, t.file);
    }
    return table_close(&t);
}

// ---- samples of a point -----------------------------------------------------------------------------------------------

// The event happens above the value found, as a rule; below it when most cases say so.
static bool rises(const survey_results *r)
{
    int64_t up = 0, down = 0;
    for (int64_t k = 0; k < r->n_case; k++) {
        up += survey_answer(r, k, SURVEY_RISES) == 1.0;
        down += survey_answer(r, k, SURVEY_RISES) == 0.0;
    }
    return up >= down;
}

int survey_samples(const survey_results *r, int64_t point, int k, double *sorted)
{
    int64_t per_point = r->plan->n_sample > 0 ? r->plan->n_sample : 1;
    bool is_rising = k == SURVEY_BISECTED && rises(r);
    int n = 0;
    for (int64_t number = point * per_point; number < (point + 1) * per_point; number++) {
        double value = survey_answer(r, number, k), status = survey_answer(r, number, SURVEY_STATUS);
        if (k == SURVEY_BISECTED && (status == SURVEY_ALWAYS || status == SURVEY_NEVER)) {
            value = (status == SURVEY_ALWAYS) == is_rising ? -INFINITY : INFINITY;
        }
        if (!isnan(value)) {
            sorted[n++] = value;
        }
    }
    sort_numbers(sorted, n);
    return n;
}

int survey_hits(const survey_results *r, int64_t point, int *count)
{
    int64_t per_point = r->plan->n_sample > 0 ? r->plan->n_sample : 1;
    int hits = 0;
    *count = 0;
    for (int64_t number = point * per_point; number < (point + 1) * per_point; number++) {
        double happened = survey_answer(r, number, SURVEY_HAPPENED);
        hits += happened == 1.0;
        *count += !isnan(happened);
    }
    return hits;
}

void survey_count(const survey_results *r, int64_t count[SURVEY_STATUS_COUNT])
{
    memset(count, 0, SURVEY_STATUS_COUNT * sizeof *count);
    for (int64_t k = 0; k < r->n_case; k++) {
        count[r->is_done[k] ? (int)survey_answer(r, k, SURVEY_STATUS) : SURVEY_DIED]++;
    }
}

int64_t survey_outcomes(const survey_results *r, int64_t count[SURVEY_OUTCOMES])
{
    int64_t first = -1;
    double worst = -1.0;
    memset(count, 0, SURVEY_OUTCOMES * sizeof *count);
    for (int64_t k = 0; k < r->n_case; k++) {
        double outcome = r->is_done[k] ? survey_answer(r, k, SURVEY_VERDICT) : NAN;
        if (outcome >= 0.0 && outcome < SURVEY_OUTCOMES) {
            count[(int)outcome]++;
            first = outcome > worst ? k : first;
            worst = fmax(worst, outcome);
        }
    }
    return first;
}

// The worst of a point's samples; NAN: none was run.
static double worst_of_point(const survey_results *r, int64_t point)
{
    double worst = NAN;
    for (int64_t k = point * r->plan->n_sample; k < (point + 1) * r->plan->n_sample; k++) {
        worst = fmax(worst, survey_answer(r, k, SURVEY_VERDICT));
    }
    return worst;
}

// ---- summary ----------------------------------------------------------------------------------------------------------

static void put_estimate_names(table_file *t, const char *what, const char *suffix)
{
    static const char *const ends[] = { "", ".low", ".high" };
    for (int k = 0; k < 3; k++) {
        char *name = words_format("%s%s%s", what, suffix, ends[k]);
        put_name(t, name, "");
        free(name);
    }
}

static void put_estimate(table_file *t, estimate e)
{
    put_number(t, e.value);
    put_number(t, e.low);
    put_number(t, e.high);
}

static void put_summary_names(table_file *t, const survey *s, const survey_levels *levels)
{
    for (int k = 0; k < s->n_axis; k++) {
        put_name(t, s->axis[k].name, "");
    }
    put_name(t, "samples", "");
    if (s->event && !s->bisected) {
        put_estimate_names(t, s->event, ".probability");
    }
    for (int m = s->bisected ? -1 : 0; m < s->n_measure; m++) {
        const char *name = m < 0 ? s->bisected : s->measure[m].text;
        put_name(t, name, ".samples");
        for (int q = 0; q < levels->level.count; q++) {
            char *suffix = words_format(".q%s", levels->level.name[q]);
            put_estimate_names(t, name, suffix);
            free(suffix);
        }
    }
    put_name(t, "verdict", "");
    put_end(t);
}

static void put_point(table_file *t, const survey_results *r, const survey_levels *levels, int64_t point,
                      double *room)
{
    const survey *s = r->plan;
    for (int k = 0; k < s->n_axis; k++) {
        put_number(t, survey_axis_value(s, point * s->n_sample, k));
    }
    put_number(t, s->n_sample);
    if (s->event && !s->bisected) {
        int count, hits = survey_hits(r, point, &count);
        put_estimate(t, probability_estimate(hits, count, levels->confidence));
    }
    for (int m = s->bisected ? -1 : 0; m < s->n_measure; m++) {
        int n = survey_samples(r, point, m < 0 ? SURVEY_BISECTED : SURVEY_MEASURES + m, room);
        put_number(t, n);
        for (int q = 0; q < levels->level.count; q++) {
            put_estimate(t,
                         quantile_estimate(room, n, strtod(levels->level.name[q], NULL), levels->confidence));
        }
    }
    put_number(t, worst_of_point(r, point));
    put_end(t);
}

bool survey_write_summary(const survey_results *r, const survey_levels *levels, const char *path)
{
    table_file t;
    double *room = words_alloc(((size_t)r->plan->n_sample + 1) * sizeof *room);
    if (table_open(&t, path)) {
        put_summary_names(&t, r->plan, levels);
        for (int64_t point = 0; point < survey_point_count(r->plan); point++) {
            put_point(&t, r, levels, point, room);
        }
    }
    free(room);
    return table_close(&t);
}
