// SPDX-License-Identifier: MIT
/* plot - curves of one or several result files as a picture. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/words.h"
#include "measure/column_errors.h"
#include "pictures/plotter.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64 };

typedef struct {
    int n_file;
    const char *file[MOST_WORDS];
    bi_table table[MOST_WORDS]; // (n_table <= n_file) read so far
    int n_table;
    words_list column; // what is drawn of each file
    words_list label;  // (n_file) of the legend
    bi_table
        gap[MOST_WORDS]; // --compare: differences from the first file, at its times; (n_file), first unused
    // the curves: those of the first column, file by file, then of the next; then the differences in the same order
    int n_curve;
    const bi_table **of;
    char **name, **text;
    const char **unit;
    int *group;
} plot_job;

static bool column_exists(const bi_table *table, const char *file, const char *name)
{
    if (bi_table_column(table, name) >= 0) {
        return true;
    }
    nearest best = nearest_start(name, strlen(name));
    for (int k = 0; k < table->columns; k++) {
        nearest_try(&best, table->name[k]);
    }
    fprintf(stderr, "biela: error: %s has no column '%s'", file, name);
    if (best.name) {
        fprintf(stderr, "; did you mean '%s'?", best.name);
    }
    fputc('\n', stderr);
    return false;
}

// HDF5 files carry units; the others are guessed from the name.
static const char *unit_of(const bi_table *table, const char *name)
{
    return table->unit ? table->unit[bi_table_column(table, name)] : plot_unit_of(name);
}

static void print_json(const plot_request *request, bool is_written)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", is_written);
    json_text(&j, "picture", is_written ? request->out : NULL);
    json_text(&j, "x", request->x);
    json_integer(&j, "rows", request->table->rows);
    json_array(&j, "curves");
    for (int k = 0; k < request->n_curve; k++) {
        json_object(&j, NULL);
        json_text(&j, "name", request->name[k]);
        if (request->label) {
            json_text(&j, "label", request->label[k]);
        }
        json_text(&j, "unit", request->unit[k] ? request->unit[k] : "");
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

// What was refused before there was anything to draw; the reason is on stderr.
static exit_code refused(const arguments *args, exit_code code)
{
    if (code == CLI_BAD && arguments_has(args, "--json")) {
        json j = json_start(stdout);
        json_object(&j, NULL);
        json_true_or_false(&j, "ok", false);
        json_end(&j);
    }
    return code;
}

// ---- from the words to curves ------------------------------------------------------------------------------

static bool is_result_name(const char *word)
{
    const char *ending;
    for (int k = 0; (ending = bi_result_ending(k, NULL)) != NULL; k++) {
        if (file_has_ending(word, ending)) {
            return true;
        }
    }
    return false;
}

// The first word is a file, and so are those behind it that are named as results are; the rest are columns, in one
// word or in several.
static bool sort_words(const arguments *args, plot_job *job)
{
    char *names = words_format("%s", "");
    for (int k = 0; k < args->n_word; k++) {
        if (job->n_file == k && (k == 0 || is_result_name(args->word[k]))) {
            job->file[job->n_file++] = args->word[k];
        } else {
            char *longer = words_format("%s,%s", names, args->word[k]);
            free(names);
            names = longer;
        }
    }
    job->column = words_split(names, ',');
    free(names);
    if (job->column.count == 0) {
        fputs("biela plot: name at least one column\n", stderr);
        return false;
    }
    const char *labels = arguments_value(args, "--labels");
    job->label = words_split(labels ? labels : "", ',');
    if (labels && job->label.count != job->n_file) {
        fprintf(stderr, "biela: error: --labels has %d names for %d files\n", job->label.count, job->n_file);
        return false;
    }
    if (arguments_has(args, "--compare") && job->n_file < 2) {
        fputs("biela: error: --compare wants at least two files\n", stderr);
        return false;
    }
    return true;
}

static bool read_tables(plot_job *job, const char *x)
{
    bool is_right = true;
    for (int f = 0; f < job->n_file; f++) {
        bi_report report = { 0 };
        if (!bi_table_read(job->file[f], &job->table[f], &report)) {
            bi_report_print(&report, stderr);
            bi_report_clear(&report);
            return false;
        }
        bi_report_clear(&report);
        job->n_table++;
        is_right = column_exists(&job->table[f], job->file[f], x) && is_right;
        for (int k = 0; k < job->column.count; k++) {
            is_right = column_exists(&job->table[f], job->file[f], job->column.name[k]) && is_right;
        }
    }
    return is_right;
}

// Only the rows whose x lies in the stretch that is asked for.
static void crop(bi_table *table, const char *x, double from, double to)
{
    const double *at = table->value[bi_table_column(table, x)];
    int *kept = words_alloc((size_t)(table->rows + 1) * sizeof *kept), n = 0;
    for (int i = 0; i < table->rows; i++) {
        if (at[i] >= from && at[i] <= to) {
            kept[n++] = i;
        }
    }
    for (int c = 0; c < table->columns; c++) {
        for (int i = 0; i < n; i++) {
            table->value[c][i] = table->value[c][kept[i]];
        }
    }
    table->rows = n;
    free(kept);
}

static bool crop_tables(const arguments *args, plot_job *job, const char *x)
{
    static const number_range any = { -DBL_MAX, DBL_MAX, NUMBER_OF_ANY_KIND, "a number" };
    double from = -INFINITY, to = INFINITY;
    if (!option_number(args, "--from", any, &from) || !option_number(args, "--to", any, &to)) {
        return false;
    }
    for (int f = 0; f < job->n_file; f++) {
        int all = job->table[f].rows;
        crop(&job->table[f], x, from, to);
        if (job->table[f].rows < 2 && all >= 2) {
            fprintf(stderr, "biela: error: %s has fewer than two rows with %s from %g to %g\n", job->file[f],
                    x, from, to);
            return false;
        }
    }
    return true;
}

// A table of x and the differences of file f from the first one.
static bool make_gap(plot_job *job, int f, const char *x)
{
    bi_report report = { 0 };
    comparison c;
    bool is_right = comparison_make(&job->table[0], job->file[0], &job->table[f], job->file[f], &c, &report);
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    if (!is_right) {
        return false;
    }
    bi_table *gap = &job->gap[f];
    int columns = job->column.count + 1;
    gap->rows = c.last - c.first;
    gap->name = words_alloc((size_t)columns * sizeof *gap->name);
    gap->value = words_alloc((size_t)columns * sizeof *gap->value);
    for (int k = 0; k < columns; k++) {
        gap->value[k] = words_alloc((size_t)gap->rows * sizeof **gap->value);
        if (k == 0) {
            gap->name[k] = words_format("%s", x);
            const double *from = job->table[0].value[bi_table_column(&job->table[0], x)] + c.first;
            memcpy(gap->value[k], from, (size_t)gap->rows * sizeof *from);
        } else {
            const char *name = job->column.name[k - 1];
            gap->name[k] = words_format("difference of %s", name);
            comparison_differences(&c, bi_table_column(&job->table[0], name),
                                   bi_table_column(&job->table[f], name), gap->value[k]);
        }
        gap->columns++;
    }
    return true;
}

static char *label_of(const plot_job *job, int f)
{
    return job->label.count > 0 ? words_format("%s", job->label.name[f]) : file_model_name(job->file[f]);
}

static void add_curve(plot_job *job, const bi_table *of, int f, int k, const char *name)
{
    int c = job->n_curve++;
    const char *column = job->column.name[k];
    char *label = label_of(job, f);
    job->of[c] = of;
    job->name[c] = words_format("%s", name);
    job->unit[c] = unit_of(&job->table[0], column);
    job->group[c] = of == &job->gap[f];
    job->text[c] = job->column.count > 1 ? words_format("%s: %s", label, column) : words_format("%s", label);
    free(label);
}

static bool make_curves(plot_job *job, const char *x, bool is_compared)
{
    size_t most = (size_t)job->column.count * (size_t)job->n_file * 2;
    job->of = words_alloc(most * sizeof *job->of);
    job->name = words_alloc(most * sizeof *job->name);
    job->text = words_alloc(most * sizeof *job->text);
    job->unit = words_alloc(most * sizeof *job->unit);
    job->group = words_alloc(most * sizeof *job->group);
    for (int k = 0; k < job->column.count; k++) {
        for (int f = 0; f < job->n_file; f++) {
            add_curve(job, &job->table[f], f, k, job->column.name[k]);
        }
    }
    for (int f = 1; is_compared && f < job->n_file; f++) {
        if (!make_gap(job, f, x)) {
            return false;
        }
    }
    for (int k = 0; is_compared && k < job->column.count; k++) {
        for (int f = 1; f < job->n_file; f++) {
            add_curve(job, &job->gap[f], f, k, job->gap[f].name[k + 1]);
        }
    }
    return true;
}

static void job_clear(plot_job *job)
{
    for (int f = 0; f < job->n_table; f++) {
        bi_table_clear(&job->table[f]);
    }
    for (int f = 1; f < job->n_file; f++) {
        bi_table_clear(&job->gap[f]);
    }
    for (int k = 0; k < job->n_curve; k++) {
        free(job->name[k]);
        free(job->text[k]);
    }
    free(job->of);
    free(job->name);
    free(job->text);
    free(job->unit);
    free(job->group);
    words_list_clear(&job->column);
    words_list_clear(&job->label);
    free(job);
}

// ---- the picture -------------------------------------------------------------------------------------------

static char *title_of(const plot_job *job, const arguments *args)
{
    const char *wanted = arguments_value(args, "--title");
    char *title = wanted ? words_format("%s", wanted) : file_model_name(job->file[0]);
    for (int f = 1; !wanted && f < job->n_file; f++) {
        char *name = file_model_name(job->file[f]), *longer = words_format("%s, %s", title, name);
        free(name);
        free(title);
        title = longer;
    }
    return title;
}

static exit_code draw(const arguments *args, const plot_job *job, const char *x)
{
    const char *out = arguments_value(args, "--out");
    char *picture = out ? words_format("%s", out) : file_with_ending(job->file[0], ENDING_PICTURE);
    if (!claims_write(args->files, "--out", picture)) {
        free(picture);
        return CLI_BAD;
    }
    char *title = title_of(job, args);
    bool is_one = job->n_file == 1 && job->label.count == 0;
    plot_request request = { .table = &job->table[0],
                             .title = title,
                             .out = picture,
                             .x = x,
                             .x_unit = unit_of(&job->table[0], x),
                             .y = arguments_value(args, "--y"),
                             .n_curve = job->n_curve,
                             .name = job->name,
                             .unit = job->unit,
                             .of = job->of,
                             .label = is_one ? NULL : job->text,
                             .group = job->group };
    plot_result result = plot_write(&request);
    if (arguments_has(args, "--json")) {
        print_json(&request, result == PLOT_WRITTEN);
    } else if (result == PLOT_WRITTEN) {
        printf("%s\n", picture);
    }
    free(picture);
    free(title);
    return result == PLOT_WRITTEN ? CLI_OK : CLI_MACHINE;
}

// The second horizontal axis is in every file, and differences have none.
static bool has_second_axis(const arguments *args, const plot_job *job)
{
    const char *y = arguments_value(args, "--y");
    bool is_right = true;
    if (y && arguments_has(args, "--compare")) {
        fputs("biela plot: --compare is for curves over one axis: leave out --y\n", stderr);
        return false;
    }
    for (int f = 0; y && f < job->n_file; f++) {
        is_right = column_exists(&job->table[f], job->file[f], y) && is_right;
    }
    return is_right;
}

static exit_code run_plot_command(const arguments *args)
{
    plot_job *job = words_alloc(sizeof *job);
    const char *x = arguments_value(args, "--x");
    x = x ? x : "t";
    exit_code code = CLI_BAD;
    if (sort_words(args, job) && read_tables(job, x) && crop_tables(args, job, x) &&
        has_second_axis(args, job) && make_curves(job, x, arguments_has(args, "--compare"))) {
        code = draw(args, job, x);
    }
    job_clear(job);
    return refused(args, code);
}

static const option options[] = {
    { "--x", "COLUMN", "column of the horizontal axis; default t" },
    { "--y", "COLUMN", "column of a second horizontal axis: the columns are heights of paths in space" },
    { "--out", "FILE" ENDING_PICTURE,
      "picture, also FILE" ENDING_DRAWING "; default the first file's name with " ENDING_PICTURE },
    { "--compare", NULL,
      "besides, how far the other files are from the first one, at its times (`biela diff` has the "
      "numbers)" },
    { "--labels", "A,B[,...]", "what the legend calls the files; default their names" },
    { "--from", "X", "leave out what lies before this value of the horizontal axis" },
    { "--to", "X", "leave out what lies behind it" },
    { "--title", "TEXT", "above the picture; default the names of the files" },
    { "--json", NULL, "name of the picture and its curves as one JSON object on stdout" },
};

const command command_plot = {
    .name = "plot",
    .words = "FILE [FILE...] A,B[,...]",
    .summary = "plot columns of result files (needs gnuplot)",
    .details =
        "Columns of the same unit share a panel, and so do columns of the same name of several files. A CSV "
        "file "
        "carries no\n"
        "units (HDF5 does): they follow from the ends of the names (.x .vx .angle .fx ...); `biela run "
        "--plot` "
        "knows them\n"
        "all. Words behind the first that end as result files do (.csv, .h5) are files, the others columns.",
    .example = "  biela plot out/pendulum.csv P.x,P.y,P.vx\n  biela plot out/pendulum.csv P.y --x P.x --out "
               "path.png\n  biela plot out/soft.csv out/hard.csv tip.z --labels soft,hard --compare\n"
               "  biela plot out/top.csv cg.z --x cg.x --y cg.y --out path.png",
    .min_words = 2,
    .max_words = MOST_WORDS,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_plot_command,
};
