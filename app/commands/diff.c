// SPDX-License-Identifier: MIT
/* diff - error norms between the columns of two result files. */
#include "cli/json.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/words.h"
#include "measure/column_errors.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// what sums of some thousand terms leave of the sixteen digits of a number
static const double rounding = 1e-12;
// like diff(1): the files differ
static const exit_code diff_beyond = CLI_MACHINE;

typedef struct {
    const char *file_a, *file_b;
    bi_table a, b;
    comparison c;
    double tolerance, floor;
    column_difference *column; // (n_column)
    int n_column, n_beyond;
} diff_job;

// Differences up to this are rounding: a part of the largest value of the same output ("P.x" and "P.vy" belong to "P").
// A tolerance of zero asks for the same numbers.
static double floor_of(const diff_job *job, const column_difference *d)
{
    return job->floor * fmax(1.0, d->size);
}

static bool is_beyond(const diff_job *job, const column_difference *d)
{
    return d->is_not_finite || d->largest > fmax(job->tolerance * d->range, floor_of(job, d));
}

static bool is_same_output(const char *a, const char *b)
{
    const char *dot = strrchr(a, '.');
    size_t length = dot ? (size_t)(dot - a) + 1 : strlen(a) + 1;
    return strncmp(a, b, length) == 0 && !(dot && strchr(b + length, '.'));
}

static void compare_one(diff_job *job, const char *name)
{
    int a = bi_table_column(&job->a, name), b = bi_table_column(&job->b, name);
    column_difference *d = &job->column[job->n_column++];
    *d = comparison_column(&job->c, a, b);
    for (int k = 0; k < job->a.columns; k++) {
        if (is_same_output(name, job->a.name[k])) {
            d->size = fmax(d->size, comparison_size(&job->c, k));
        }
    }
    job->n_beyond += is_beyond(job, d);
}

static bool needs_column(const bi_table *table, const char *file, const char *name)
{
    if (bi_table_column(table, name) >= 0) {
        return true;
    }
    nearest best = nearest_start(name, strlen(name));
    for (int k = 0; k < table->columns; k++) {
        nearest_try(&best, table->name[k]);
    }
    fprintf(stderr, "biela: error: %s has no column '%s'%s%s%s\n", file, name,
            best.name ? "; did you mean '" : "", best.name ? best.name : "", best.name ? "'?" : "");
    return false;
}

// Compares the columns named, or all that both files have.
static exit_code compare_columns(diff_job *job, const words_list *wanted)
{
    bool is_right = true;
    for (int k = 0; k < wanted->count; k++) {
        is_right = needs_column(&job->a, job->file_a, wanted->name[k]) && is_right;
        is_right = needs_column(&job->b, job->file_b, wanted->name[k]) && is_right;
    }
    if (!is_right) {
        return CLI_BAD;
    }
    job->column = words_alloc(((size_t)wanted->count + (size_t)job->a.columns) * sizeof *job->column);
    for (int k = 0; k < wanted->count; k++) {
        compare_one(job, wanted->name[k]);
    }
    for (int k = 0; wanted->count == 0 && k < job->a.columns; k++) {
        const char *name = job->a.name[k];
        if (strcmp(name, "t") != 0 && bi_table_column(&job->b, name) >= 0) {
            compare_one(job, name);
        }
    }
    if (job->n_column == 0) {
        fprintf(stderr, "biela: error: %s and %s have no column in common besides t\n", job->file_a,
                job->file_b);
        return CLI_BAD;
    }
    return job->n_beyond > 0 ? diff_beyond : CLI_OK;
}

// ---- what is shown -----------------------------------------------------------------------------------------

static void print_only_in(const bi_table *one, const char *file, const bi_table *other)
{
    int shown = 0;
    for (int k = 0; k < one->columns; k++) {
        if (bi_table_column(other, one->name[k]) < 0) {
            printf("%s%s", shown == 0 ? "only in " : ", ", shown == 0 ? file : one->name[k]);
            if (shown++ == 0) {
                printf(": %s", one->name[k]);
            }
        }
    }
    if (shown > 0) {
        fputc('\n', stdout);
    }
}

static void print_text(const diff_job *job)
{
    int width = 6;
    for (int k = 0; k < job->n_column; k++) {
        int length = (int)strlen(job->column[k].name);
        width = length > width ? length : width;
    }
    printf("%-*s  %10s  %10s  %10s  %12s\n", width, "column", "largest", "/ range", "rms", "at t");
    for (int k = 0; k < job->n_column; k++) {
        const column_difference *d = &job->column[k];
        if (d->is_not_finite) {
            printf("%-*s  not a number at t = %.9g  beyond\n", width, d->name, d->at);
        } else {
            bool is_rounding = !is_beyond(job, d) && d->largest > job->tolerance * d->range;
            printf("%-*s  %10.3e  %10.3e  %10.3e  %12.9g%s\n", width, d->name, d->largest, d->relative,
                   d->rms, d->at,
                   is_beyond(job, d) ? "  beyond"
                   : is_rounding     ? "  below the floor"
                                     : "");
        }
    }
    print_only_in(&job->a, job->file_a, &job->b);
    print_only_in(&job->b, job->file_b, &job->a);
    const comparison *c = &job->c;
    if (!c->is_same_grid) {
        printf("the rows differ: %s is interpolated at %d of the %d times of %s\n", job->file_b,
               c->last - c->first, job->a.rows, job->file_a);
    }
    printf("%d of %d columns beyond the tolerance, %g of a column's range", job->n_beyond, job->n_column,
           job->tolerance);
    if (job->floor > 0.0) {
        printf("; floor: %g of the largest value of the same output, or of 1", job->floor);
    }
    fputc('\n', stdout);
}

static void json_only_in(json *j, const char *key, const bi_table *one, const bi_table *other)
{
    json_array(j, key);
    for (int k = 0; k < one->columns; k++) {
        if (bi_table_column(other, one->name[k]) < 0) {
            json_text(j, NULL, one->name[k]);
        }
    }
    json_end(j);
}

static void print_json(const diff_job *job, exit_code code)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_integer(&j, "exit_code", code);
    json_text(&j, "a", job->file_a);
    json_text(&j, "b", job->file_b);
    json_number(&j, "tolerance", job->tolerance);
    json_number(&j, "floor", job->floor);
    json_true_or_false(&j, "interpolated", !job->c.is_same_grid);
    json_integer(&j, "points", job->c.last - job->c.first);
    json_integer(&j, "rows_a", job->a.rows);
    json_integer(&j, "rows_b", job->b.rows);
    json_array(&j, "columns");
    for (int k = 0; k < job->n_column; k++) {
        const column_difference *d = &job->column[k];
        double unknown = d->is_not_finite ? NAN : 0.0;
        json_object(&j, NULL);
        json_text(&j, "column", d->name);
        json_true_or_false(&j, "within", !is_beyond(job, d));
        json_number(&j, "largest", d->largest + unknown);
        json_number(&j, "relative", d->relative + unknown);
        json_number(&j, "range", d->range);
        json_number(&j, "limit", fmax(job->tolerance * d->range, floor_of(job, d)));
        json_number(&j, "rms", d->rms);
        json_number(&j, "at", d->at);
        json_end(&j);
    }
    json_end(&j);
    json_only_in(&j, "only_in_a", &job->a, &job->b);
    json_only_in(&j, "only_in_b", &job->b, &job->a);
    json_end(&j);
}

// ---- the command -------------------------------------------------------------------------------------------

static const number_range distance = { 0.0, DBL_MAX, NUMBER_OF_ANY_KIND,
                                       "a number such as 1e-6, not negative" };

static exit_code run_diff(const arguments *args)
{
    diff_job job = { .file_a = args->word[0], .file_b = args->word[1] };
    if (!option_number(args, "--tolerance", distance, &job.tolerance)) {
        return CLI_BAD;
    }
    job.floor = job.tolerance > 0.0 ? rounding : 0.0;
    if (!option_number(args, "--floor", distance, &job.floor)) {
        return CLI_BAD;
    }
    const char *columns = arguments_value(args, "--columns");
    words_list wanted = words_split(columns ? columns : "", ',');
    bi_report report = { 0 };
    exit_code code = CLI_BAD;
    bool has_a = bi_table_read(job.file_a, &job.a, &report),
         has_b = bi_table_read(job.file_b, &job.b, &report);
    if (has_a && has_b && comparison_make(&job.a, job.file_a, &job.b, job.file_b, &job.c, &report)) {
        code = compare_columns(&job, &wanted);
        if (code != CLI_BAD && arguments_has(args, "--json")) {
            print_json(&job, code);
        } else if (code != CLI_BAD) {
            print_text(&job);
        }
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    bi_table_clear(&job.a);
    bi_table_clear(&job.b);
    words_list_clear(&wanted);
    free(job.column);
    return code;
}

static const option options[] = {
    { "--tolerance", "T", "a column passes when no difference exceeds T times its own range" },
    { "--floor", "F",
      "differences up to F times the largest value of the same output (P.x, P.vy), or F, pass; default "
      "1e-12, without --tolerance 0" },
    { "--columns", "A,B", "compare these columns only; default all that both files have" },
    { "--json", NULL, "the norms as one JSON object on stdout" },
};

const command command_diff = {
    .name = "diff",
    .words = "A.csv B.csv",
    .summary = "compare two result files column by column",
    .details =
        "Shows for each common column the largest difference, the same over the range of A's column, the\n"
        "root mean square, and the time of the largest. When the rows are at different times, B is\n"
        "interpolated at A's times by cubics; times outside B are left out. The default tolerance is 0.\n"
        "A column that hardly moves is measured by its own small range; what lies below the floor is "
        "rounding.\n"
        "Exit code: 0 all within the tolerance, 1 at least one beyond, 2 bad usage or unreadable file.",
    .example = "  biela diff out/pendulum.csv models/pendulum/reference.csv --tolerance 1e-3\n"
               "  biela diff a.csv b.csv --columns P.x,P.y --json",
    .min_words = 2,
    .max_words = 2,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_diff,
};
