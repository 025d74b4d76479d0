// SPDX-License-Identifier: MIT
// A manoeuvre: what the driver does, as a table of inputs over time.
#include "io/model/names.h"
#include <biela/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 10 };

typedef struct {
    const char *path;
    const bi_table *table;
    bi_report *report;
    int told;
} manoeuvre;

static bi_place place_of(const manoeuvre *m, int row)
{
    return (bi_place){ m->path, m->table->line ? m->table->line[row] : row + 1, 1 };
}

// A value that is missing or not a number, at each of its rows; a file full of them is cut short.
static void check_cells(manoeuvre *m, int column)
{
    for (int row = 0; row < m->table->rows; row++) {
        if (isfinite(m->table->value[column][row])) {
            continue;
        }
        if (m->told++ < MOST_TOLD) {
            bi_report_add(m->report, BI_ERROR, BI_BAD_FILE, place_of(m, row), m->table->name[column],
                          "the cell is empty or not a finite number; write a value, or leave the row out: "
                          "values are joined by straight lines");
        }
    }
}

static void check_times(manoeuvre *m, int column)
{
    const double *t = m->table->value[column];
    for (int row = 1; row < m->table->rows; row++) {
        if (t[row] <= t[row - 1] && m->told++ < MOST_TOLD) {
            bi_report_add(m->report, BI_ERROR, BI_BAD_FILE, place_of(m, row), "t",
                          "t = %.9g is not after %.9g of the row before: sort the rows by time%s", t[row],
                          t[row - 1],
                          t[row] == t[row - 1] ? "; a jump is two rows a little apart, such as 1e-6 s" : "");
        }
    }
}

// Input of each column; columns that are none are mistakes, with the nearest name.
static void find_inputs(manoeuvre *m, const bi_model *model, int t, bi_input *input)
{
    int count = bi_model_input_count(model);
    const char **name = calloc((size_t)count + 1, sizeof *name);
    for (int k = 0; name && k < count; k++) {
        name[k] = bi_model_input_name(model, (bi_input){ k + 1 });
    }
    for (int c = 0; c < m->table->columns; c++) {
        const char *column = m->table->name[c];
        input[c] = c == t ? (bi_input){ 0 } : bi_model_input(model, column);
        char hint[NAMES_HINT_SIZE] = "";
        if (c != t && input[c].i == 0) {
            bi_report_add(m->report, BI_ERROR, BI_BAD_FILE, (bi_place){ m->path, 1, 1 }, column,
                          "the model has no input of this name%s%s",
                          name ? names_hint(column, name, count, hint) : "",
                          count == 0 ? "; it has no inputs at all" : "");
        }
        for (int other = 0; other < c; other++) {
            if (strcmp(m->table->name[other], column) == 0) {
                bi_report_add(m->report, BI_ERROR, BI_BAD_FILE, (bi_place){ m->path, 1, 1 }, column,
                              "two columns have this name");
            }
        }
    }
    free(name);
}

static void check_table(manoeuvre *m, const bi_model *model, int t, bi_input *input)
{
    if (t < 0) {
        bi_report_add(m->report, BI_ERROR, BI_BAD_FILE, (bi_place){ m->path, 1, 1 }, "t",
                      "the first line names no column t");
    }
    if (m->table->rows == 0) {
        bi_report_add(m->report, BI_ERROR, BI_BAD_FILE, (bi_place){ m->path, 1, 1 }, "",
                      "a manoeuvre needs at least one row");
    }
    find_inputs(m, model, t, input);
    for (int c = 0; c < m->table->columns; c++) {
        check_cells(m, c);
    }
    if (t >= 0) {
        check_times(m, t);
    }
    if (m->told > MOST_TOLD) {
        bi_report_add(m->report, BI_NOTE, BI_BAD_FILE, (bi_place){ m->path, 1, 1 }, "",
                      "and %d more rows with mistakes", m->told - MOST_TOLD);
    }
}

static bool read_manoeuvre(const char *path, bi_model *model, bi_report *report)
{
    int errors = report->errors;
    bi_table table;
    if (!bi_table_read_with_gaps(path, &table, report)) {
        return false;
    }
    manoeuvre m = { .path = path, .table = &table, .report = report };
    int t = bi_table_column(&table, "t");
    bi_input *input = calloc((size_t)table.columns + 1, sizeof *input);
    if (input) {
        check_table(&m, model, t, input);
    } else {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
    }
    // an earlier manoeuvre ends with all its inputs
    for (int k = 1; report->errors == errors && k <= bi_model_input_count(model); k++) {
        bi_input_samples(model, (bi_input){ k }, 0, NULL, NULL, report);
    }
    for (int c = 0; report->errors == errors && c < table.columns; c++) {
        if (input[c].i > 0) {
            bi_input_samples(model, input[c], table.rows, table.value[t], table.value[c], report);
        }
    }
    free(input);
    bi_table_clear(&table);
    return report->errors == errors;
}

bool bi_read_manoeuvre(const char *path, bi_model *model, bi_report *report)
{
    bi_report own = { 0 };
    bool is_good = path && model && read_manoeuvre(path, model, report ? report : &own);
    if (!path || !model) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "a manoeuvre needs a file and a model");
    }
    bi_report_clear(&own);
    return is_good;
}
