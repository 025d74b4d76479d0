// SPDX-License-Identifier: MIT
#include "cli/verify.h"
#include "cli/files.h"
#include "cli/outfiles.h"
#include "cli/record.h"
#include "cli/words.h"
#include <math.h>
#include <stdlib.h>

// Error of the coarse run from its difference to the finer one (Richardson): 2^p / (2^p - 1) times it, p the order.
static double richardson(const session *s)
{
    if (s->run.is_auto) {
        return 1.0; // an eighth of the tolerance: the finer run counts as exact
    }
    return s->run.scheme == BI_INDEX1_RK4 ? 16.0 / 15.0 : 4.0 / 3.0;
}

static bool repeat(const session *s, const session_request *request, const char *path)
{
    session half = { 0 };
    session_request finer = *request;
    char *dt = words_format("%.17g", 0.5 * s->grid.dt);
    char *every = words_format("%.17g", (double)s->grid.steps_per_row * s->grid.dt);
    char *time = words_format("%.17g", s->run.time);
    char *tolerance = words_format("%.17g", fmax(1e-12, s->run.tolerance / 8.0));
    finer.time = time;
    finer.every = every;
    finer.dt = s->run.is_auto ? "auto" : dt;
    finer.tolerance = s->run.is_auto ? tolerance : NULL;
    bool ok = session_open(&half, &finer) == CLI_OK;
    bi_csv *csv = ok ? outfiles_begin_table(path, half.system) : NULL;
    record result = { .ending = RECORD_FAILED };
    if (csv) {
        half.is_kinematic = s->is_kinematic;
        record_run(&half, csv, RECORD_SILENTLY, NULL, &result);
        ok = outfiles_end_table(csv, path) &&
             (result.ending == RECORD_DONE || result.ending == RECORD_STOPPED);
    }
    if (!csv || !ok) {
        session_print_messages(&half);
        fputs("biela: warning: the run with half the step did not end: there is no estimate of the error\n",
              stderr);
    }
    session_close(&half);
    free(dt);
    free(every);
    free(time);
    free(tolerance);
    return csv && ok;
}

static void compare(const bi_table *a, const bi_table *b, double factor, verification *out)
{
    out->n_channel = a->columns - 1;
    out->name = words_alloc((size_t)a->columns * sizeof *out->name);
    out->error = words_alloc((size_t)a->columns * sizeof *out->error);
    out->range = words_alloc((size_t)a->columns * sizeof *out->range);
    int rows = a->rows < b->rows ? a->rows : b->rows;
    for (int c = 1; c < a->columns; c++) {
        double low = INFINITY, high = -INFINITY, most = 0.0;
        for (int k = 0; k < rows; k++) {
            low = fmin(low, a->value[c][k]);
            high = fmax(high, a->value[c][k]);
            most = fmax(most, fabs(a->value[c][k] - b->value[c][k]));
        }
        out->name[c - 1] = words_format("%s", a->name[c]);
        out->error[c - 1] = factor * most;
        out->range[c - 1] = high - low;
    }
}

bool verify_run(const session *s, const session_request *request, const char *out, verification *result)
{
    *result = (verification){ 0 };
    char *path = file_with_ending(out, ".verify.csv");
    bi_report report = { 0 };
    bi_table a = { 0 }, b = { 0 };
    bool ok = repeat(s, request, path) && bi_table_read(out, &a, &report) && bi_table_read(path, &b, &report);
    if (ok && a.columns == b.columns) {
        compare(&a, &b, richardson(s), result);
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    bi_table_clear(&a);
    bi_table_clear(&b);
    remove(path);
    free(path);
    return ok;
}

void verify_print(const verification *v)
{
    if (v->n_channel > 0) {
        puts("  estimated error (half the step)      of the range");
    }
    for (int k = 0; k < v->n_channel; k++) {
        printf("    %-24s %.2e   ", v->name[k], v->error[k]);
        printf(v->range[k] > 0.0 ? "%.1e\n" : "-\n", v->error[k] / v->range[k]);
    }
}

void verify_json(json *j, const verification *v)
{
    if (v->n_channel == 0) {
        return;
    }
    json_object(j, "verify");
    for (int k = 0; k < v->n_channel; k++) {
        json_object(j, v->name[k]);
        json_number(j, "error", v->error[k]);
        json_number(j, "range", v->range[k]);
        json_end(j);
    }
    json_end(j);
}

void verify_clear(verification *v)
{
    for (int k = 0; k < v->n_channel; k++) {
        free(v->name[k]);
    }
    free(v->name);
    free(v->error);
    free(v->range);
    *v = (verification){ 0 };
}
