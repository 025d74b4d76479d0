// SPDX-License-Identifier: MIT
/* plot - curves of a CSV file as a picture. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/words.h"
#include "pictures/plotter.h"
#include <stdlib.h>
#include <string.h>

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

static exit_code plot_table(const arguments *args, const bi_table *table, const words_list *curve)
{
    const char *file = args->word[0];
    const char *x = arguments_value(args, "--x");
    x = x ? x : "t";
    bool is_right = column_exists(table, file, x);
    for (int k = 0; k < curve->count; k++) {
        is_right = column_exists(table, file, curve->name[k]) && is_right;
    }
    if (!is_right) {
        return CLI_BAD;
    }

    const char **unit = words_alloc((size_t)curve->count * sizeof *unit);
    for (int k = 0; k < curve->count; k++) {
        unit[k] = unit_of(table, curve->name[k]);
    }
    const char *out = arguments_value(args, "--out");
    char *picture = out ? words_format("%s", out) : file_with_ending(file, ENDING_PICTURE);
    if (!claims_write(args->files, "--out", picture)) {
        free(unit);
        free(picture);
        return CLI_BAD;
    }
    char *title = file_model_name(file);
    plot_request request = { .table = table,
                             .title = title,
                             .out = picture,
                             .x = x,
                             .x_unit = unit_of(table, x),
                             .n_curve = curve->count,
                             .name = curve->name,
                             .unit = unit };
    plot_result result = plot_write(&request);
    if (arguments_has(args, "--json")) {
        print_json(&request, result == PLOT_WRITTEN);
    } else if (result == PLOT_WRITTEN) {
        printf("%s\n", picture);
    }
    free(unit);
    free(picture);
    free(title);
    return result == PLOT_WRITTEN ? CLI_OK : CLI_MACHINE;
}

static exit_code run_plot_command(const arguments *args)
{
    bi_report report = { 0 };
    bi_table table;
    exit_code code = CLI_BAD;
    // the columns may be given in one word or in several
    char *names = words_format("%s", "");
    for (int k = 1; k < args->n_word; k++) {
        char *longer = words_format("%s,%s", names, args->word[k]);
        free(names);
        names = longer;
    }
    words_list curve = words_split(names, ',');
    if (curve.count == 0) {
        fputs("biela plot: name at least one column\n", stderr);
    } else if (bi_table_read(args->word[0], &table, &report)) {
        code = plot_table(args, &table, &curve);
        bi_table_clear(&table);
    } else {
        bi_report_print(&report, stderr);
    }
    bi_report_clear(&report);
    words_list_clear(&curve);
    free(names);
    return refused(args, code);
}

static const option options[] = {
    { "--x", "COLUMN", "column of the horizontal axis; default t" },
    { "--out", "FILE" ENDING_PICTURE,
      "picture, also FILE" ENDING_DRAWING "; default the CSV's name with " ENDING_PICTURE },
    { "--json", NULL, "name of the picture and its curves as one JSON object on stdout" },
};

const command command_plot = {
    .name = "plot",
    .words = "FILE A,B[,...]",
    .summary = "plot columns of a result file (needs gnuplot)",
    .details = "Columns of the same unit share a panel. A CSV file carries no units (HDF5 does): they follow "
               "from the "
               "ends of the\n"
               "names (.x .vx .angle .fx ...); `biela run --plot` knows them all.",
    .example = "  biela plot out/pendulum.csv P.x,P.y,P.vx\n  biela plot out/pendulum.csv P.y --x P.x --out "
               "path.png",
    .min_words = 2,
    .max_words = 64,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_plot_command,
};
