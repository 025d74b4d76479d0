// SPDX-License-Identifier: MIT
// The rows of an OpenCRG file: columns of ten or twenty letters, or big-endian numbers one after the other.
#include "io/road/crg.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD = 80, MOST_VALUES = 60 * 1000 * 1000 };

// A field of letters: a number, or a star for none.
static bool read_field(const char *from, size_t width, double *out)
{
    char text[32], *rest;
    size_t length = strnlen(from, width);
    memcpy(text, from, length);
    text[length] = '\0';
    if (strchr(text, '*')) {
        *out = strcmp(text, "**unused**") == 0 ? 0.0 : NAN;
        return true;
    }
    for (char *c = text; *c; c++) {
        *c = *c == 'd' || *c == 'D' ? 'e' : *c;
    }
    *out = strtod(text, &rest);
    return rest != text && rest[strspn(rest, " \t")] == '\0' && !isinf(*out);
}

// One row, over as many lines as it needs. False: there are no more, or a mistake was told.
static bool read_letters(crg *c, double *row)
{
    char room[4 * RECORD];
    size_t width = c->is_double ? 20 : 10;
    int per_line = (int)(RECORD / width);
    for (int k = 0; k < c->n_channel; k++) {
        int column = k % per_line;
        if (column == 0) {
            do {
                if (!crg_line(c, room, sizeof room)) {
                    if (k > 0) {
                        crg_complain(c, c->line, "", "the file ends in the middle of a row: %d of %d columns",
                                     k, c->n_channel);
                    }
                    return false;
                }
            } while (room[strspn(room, " \t")] == '\0');
        }
        if (strlen(room) <= (size_t)column * width) {
            crg_complain(c, c->line, "", "the row has %d columns, and KD_DEFINITION lists %d", k,
                         c->n_channel);
            return false;
        }
        if (!read_field(room + (size_t)column * width, width, &row[k])) {
            crg_complain(c, c->line, "", "column %d: '%.*s' is no number", k + 1, (int)width,
                         room + (size_t)column * width);
            return false;
        }
    }
    return true;
}

static double read_bytes(const char *from, bool is_double)
{
    uint64_t bits = 0;
    for (int k = 0; k < (is_double ? 8 : 4); k++) {
        bits = bits << 8 | (unsigned char)from[k];
    }
    if (is_double) {
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    uint32_t half = (uint32_t)bits;
    float x;
    memcpy(&x, &half, sizeof x);
    return x;
}

// How many rows the header promises; -1: it does not say, or nothing that makes sense.
static double promised(crg *c)
{
    double from = isnan(c->number[CRG_START_U]) ? 0.0 : c->number[CRG_START_U];
    double rows = floor((c->number[CRG_END_U] - from) / c->number[CRG_INCREMENT] + 0.5) + 1.0;
    if (isnan(c->number[CRG_END_U])) {
        return -1.0;
    }
    if (!(rows >= 2.0)) {
        crg_complain(c, c->number_line[CRG_END_U], "ROAD_CRG",
                     "REFERENCE_LINE_END_U leaves no road of two rows behind REFERENCE_LINE_START_U");
        return -1.0;
    }
    return rows;
}

static double *read_binary(crg *c, int *n_row)
{
    size_t size = c->is_double ? 8 : 4, per_row = size * (size_t)c->n_channel,
           there = (size_t)(c->end - c->text);
    double rows = promised(c), most = floor((double)there / (double)per_row);
    if (rows > most) {
        crg_complain(
            c, c->line, "",
            "the data end too soon: %.0f rows of %d columns of %zu bytes are promised, %.0f are there", rows,
            c->n_channel, size, most);
        return NULL;
    }
    rows = rows < 0.0 ? most : rows;
    if (rows * c->n_channel > MOST_VALUES) {
        crg_complain(c, c->line, "", "has %.3g values, and %d are the most", rows * c->n_channel,
                     MOST_VALUES);
        return NULL;
    }
    *n_row = (int)rows;
    size_t count = (size_t)*n_row * (size_t)c->n_channel;
    double *value = malloc((count + 1) * sizeof *value);
    for (size_t k = 0; value && k < count; k++) {
        value[k] = read_bytes(c->text + k * size, c->is_double);
        if (isinf(value[k])) {
            crg_complain(c, c->line, "", "row %zu, column %zu is infinite", k / (size_t)c->n_channel + 1,
                         k % (size_t)c->n_channel + 1);
            value[k] = NAN;
        }
    }
    // records of 80 bytes are filled up with what is no number
    for (bool is_empty = isnan(c->number[CRG_END_U]); value && is_empty && *n_row > 0;) {
        for (int k = 0; k < c->n_channel && is_empty; k++) {
            is_empty = isnan(value[(size_t)(*n_row - 1) * (size_t)c->n_channel + (size_t)k]);
        }
        *n_row -= is_empty;
    }
    return value;
}

static double *read_text(crg *c, int *n_row)
{
    double *value = NULL;
    size_t capacity = 0, columns = (size_t)c->n_channel;
    int errors = c->n_complaint;
    for (*n_row = 0;; ++*n_row) {
        size_t used = (size_t)*n_row * columns;
        if (used + columns > capacity) {
            size_t wider = 2 * capacity + 64 * columns;
            double *more = wider > 2u * MOST_VALUES ? NULL : realloc(value, wider * sizeof *more);
            if (!more) {
                crg_complain(c, c->line, "", "has more values than %d", MOST_VALUES);
                break;
            }
            value = more;
            capacity = wider;
        }
        if (!read_letters(c, value + used)) {
            break;
        }
    }
    double rows = promised(c);
    if (c->n_complaint == errors && rows >= 0.0 && rows != *n_row) {
        crg_complain(c, c->number_line[CRG_END_U], "ROAD_CRG",
                     "REFERENCE_LINE_END_U promises %.0f rows, and the file has %d", rows, *n_row);
    }
    return value;
}

double *crg_rows(crg *c, int *n_row)
{
    int errors = c->n_complaint;
    double *value = c->is_binary ? read_binary(c, n_row) : read_text(c, n_row);
    if (!value && c->n_complaint == errors) {
        crg_complain(c, c->line, "", "no memory for its rows");
    }
    if (value && c->n_complaint == errors && *n_row < 2) {
        crg_complain(c, c->line, "", "has %d row%s, and a road needs two", *n_row, *n_row == 1 ? "" : "s");
    }
    if (c->n_complaint > errors) {
        free(value);
        return NULL;
    }
    return value;
}
