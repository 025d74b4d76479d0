// SPDX-License-Identifier: MIT
// A table of numbers from CSV: names in the first line, then one row per line. Reads line by line, so the file may be
// large; memory holds the numbers only.
#include "io/results/hdf5.h"
#include <biela/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    FILE *file;
    char *line;
    size_t capacity;
    int number; // of the line, from 1
    bool may_have_gaps;
} line_reader;

enum { LONGEST_LINE = 64 * 1024 * 1024, MOST_ROWS = 500 * 1000 * 1000 };

typedef enum { LINE_READ, LINE_END, LINE_TOO_LONG } line_status;

// The next line without its end. An empty last line counts as the end.
static line_status next_line(line_reader *in)
{
    size_t length = 0;
    in->number++;
    for (;;) {
        if (in->capacity - length < 2) {
            size_t capacity = in->capacity ? 2 * in->capacity : 1 << 16;
            char *line = capacity > LONGEST_LINE ? NULL : realloc(in->line, capacity);
            if (!line) {
                return LINE_TOO_LONG;
            }
            in->line = line;
            in->capacity = capacity;
        }
        if (!fgets(in->line + length, (int)(in->capacity - length), in->file)) {
            break;
        }
        length += strlen(in->line + length);
        if (length > 0 && in->line[length - 1] == '\n') {
            break;
        }
        // fgets stops before its room is used only at the end of the file, or at a zero byte
        if (length + 1 < in->capacity) {
            break;
        }
    }
    if (length == 0) {
        return LINE_END;
    }
    while (length > 0 && (in->line[length - 1] == '\n' || in->line[length - 1] == '\r')) {
        length--;
    }
    in->line[length] = '\0';
    return LINE_READ;
}

static void trim(char **text)
{
    *text += strspn(*text, " \t");
    size_t length = strlen(*text);
    while (length > 0 && ((*text)[length - 1] == ' ' || (*text)[length - 1] == '\t')) {
        (*text)[--length] = '\0';
    }
}

// Cuts the next cell off the line; NULL: no more. Quotes around a cell are taken away.
static char *next_cell(char **rest)
{
    char *cell = *rest;
    if (!cell) {
        return NULL;
    }
    char *comma = strchr(cell, ',');
    *rest = comma ? comma + 1 : NULL;
    if (comma) {
        *comma = '\0';
    }
    trim(&cell);
    size_t length = strlen(cell);
    if (length >= 2 && cell[0] == '"' && cell[length - 1] == '"') {
        cell[length - 1] = '\0';
        cell++;
    }
    return cell;
}

static bool complain(bi_report *report, const char *path, int line, int column, const char *what)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, line, column }, "", "%s", what);
    return false;
}

static bool read_header(line_reader *in, const char *path, bi_table *table, bi_report *report)
{
    if (next_line(in) != LINE_READ) {
        return complain(report, path, 1, 1, "the table is empty; its first line must name the columns");
    }
    int n = 1;
    for (const char *c = in->line; *c; c++) {
        n += *c == ',';
    }
    table->name = calloc((size_t)n, sizeof *table->name);
    table->value = calloc((size_t)n, sizeof *table->value);
    if (!table->name || !table->value) {
        return complain(report, path, 1, 1, "out of memory");
    }
    char *rest = in->line;
    // a byte order mark is not part of the first name
    rest +=
        memcmp(rest, "\xef\xbb\xbf", 3 < strlen(rest) ? 3 : strlen(rest)) == 0 && strlen(rest) >= 3 ? 3 : 0;
    for (char *cell; (cell = next_cell(&rest)) != NULL; table->columns++) {
        size_t size = strlen(cell) + 1;
        table->name[table->columns] = malloc(size);
        if (!table->name[table->columns]) {
            return complain(report, path, 1, 1, "out of memory");
        }
        memcpy(table->name[table->columns], cell, size);
    }
    return true;
}

static bool grow(bi_table *table, int *capacity)
{
    if (table->rows < *capacity) {
        return true;
    }
    int wider = *capacity ? 2 * *capacity : 1024;
    for (int c = 0; c < table->columns; c++) {
        double *value = realloc(table->value[c], (size_t)wider * sizeof *value);
        if (!value) {
            return false;
        }
        table->value[c] = value;
    }
    int *line = realloc(table->line, (size_t)wider * sizeof *line);
    if (!line) {
        return false;
    }
    table->line = line;
    *capacity = wider;
    return true;
}

static bool read_row(line_reader *in, const char *path, bi_table *table, bi_report *report)
{
    char *rest = in->line;
    int c = 0;
    for (char *cell; c < table->columns && (cell = next_cell(&rest)) != NULL; c++) {
        char *end;
        double value = strtod(cell, &end);
        if (in->may_have_gaps && *cell == '\0') {
            value = NAN;
        } else if (end == cell || *end != '\0') {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE,
                          (bi_place){ path, in->number, (int)(cell - in->line) + 1 }, table->name[c],
                          "'%.60s' is not a number", cell);
            return false;
        }
        table->value[c][table->rows] = value;
    }
    if (c != table->columns || rest) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, in->number, 1 }, "",
                      "this row has %s than the %d columns of the first line",
                      c < table->columns ? "fewer" : "more", table->columns);
        return false;
    }
    table->line[table->rows] = in->number;
    table->rows++;
    return true;
}

static bool read_rows(line_reader *in, const char *path, bi_table *table, bi_report *report)
{
    int capacity = 0;
    line_status status;
    while ((status = next_line(in)) == LINE_READ) {
        // empty lines, at the end mostly, say nothing
        if (in->line[strspn(in->line, " \t")] == '\0') {
            continue;
        }
        if (table->rows >= MOST_ROWS || !grow(table, &capacity)) {
            return complain(report, path, in->number, 1, "the table is too large for the memory");
        }
        if (!read_row(in, path, table, report)) {
            return false;
        }
    }
    if (status == LINE_TOO_LONG) {
        return complain(report, path, in->number, 1, "this line is too long; is the file a table?");
    }
    if (ferror(in->file)) {
        return complain(report, path, in->number, 1, "cannot be read to its end");
    }
    return true;
}

// Bytes that no text has, near its begin: somebody has taken a file of another kind.
static bool is_text(FILE *file)
{
    unsigned char begin[1024];
    size_t n = fread(begin, 1, sizeof begin, file);
    bool is_good = true;
    for (size_t k = 0; k < n; k++) {
        is_good = is_good && (begin[k] >= 0x20 || begin[k] == '\t' || begin[k] == '\r' || begin[k] == '\n');
    }
    rewind(file);
    return is_good;
}

static bool read_table_file(const char *path, line_reader in, bi_table *table, bi_report *report)
{
    if (!path || !table) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is no table to read");
        return false;
    }
    *table = (bi_table){ 0 };
    if (hdf5_is_file(path)) {
        return hdf5_read(path, table, report);
    }
    const char *why;
    in.file = bi_open_plain(path, &why);
    if (!in.file) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "", "cannot be read: %s", why);
        return false;
    }
    bool is_good =
        (is_text(in.file) ||
         complain(report, path, 0, 0,
                  "is no table: it has bytes that no text has; CSV, HDF5 or a recording is meant")) &&
        read_header(&in, path, table, report) && read_rows(&in, path, table, report);
    fclose(in.file);
    free(in.line);
    if (!is_good) {
        bi_table_clear(table);
    }
    return is_good;
}

bool bi_table_read(const char *path, bi_table *table, bi_report *report)
{
    return read_table_file(path, (line_reader){ .may_have_gaps = false }, table, report);
}

bool bi_table_read_with_gaps(const char *path, bi_table *table, bi_report *report)
{
    return read_table_file(path, (line_reader){ .may_have_gaps = true }, table, report);
}

void bi_table_clear(bi_table *table)
{
    if (!table) {
        return;
    }
    for (int c = 0; c < table->columns; c++) {
        free(table->name[c]);
        free(table->value[c]);
        if (table->unit) {
            free(table->unit[c]);
        }
    }
    free(table->unit);
    free(table->line);
    free(table->name);
    free(table->value);
    *table = (bi_table){ 0 };
}

int bi_table_column(const bi_table *table, const char *name)
{
    for (int c = 0; table && name && c < table->columns; c++) {
        if (strcmp(table->name[c], name) == 0) {
            return c;
        }
    }
    return -1;
}
