// SPDX-License-Identifier: MIT
// Attempts as a table of text: one row each, its faults in one cell, "collision@12.5*1*30; ...". Written and read again it is the same.
#include "cli/words.h"
#include "course/results.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 12, CELLS = 15 };
static const char header[] =
    "trainee,exercise,title,state,score,time,started,ended,faults,model,version,system,lesson,recording,id";

// ---- writing -------------------------------------------------------------------------------------------------------

// In quotes where a spreadsheet would see more than one cell, or a formula.
static void put_cell(FILE *out, const char *text, char after)
{
    bool is_formula = *text && strchr("=+-@", *text), is_plain = !strpbrk(text, ",\"\r\n'") && !is_formula;
    if (is_plain) {
        fprintf(out, "%s%c", text, after);
        return;
    }
    // a leading apostrophe keeps what begins like a formula a text
    fputs(is_formula || *text == '\'' ? "\"'" : "\"", out);
    for (const char *c = text; *c; c++) {
        fputs(*c == '"' ? "\"\"" : (char[]){ *c, '\0' }, out);
    }
    fprintf(out, "\"%c", after);
}

static void put_name(FILE *out, const char *name)
{
    for (const char *c = name; *c; c++) {
        if (strchr("%@*;", *c)) {
            fprintf(out, "%%%02x", (unsigned)(unsigned char)*c);
        } else {
            putc(*c, out);
        }
    }
}

static char *faults_text(const attempt *a)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int k = 0; out && k < a->n_fault; k++) {
        const attempt_fault *f = &a->fault[k];
        fputs(k > 0 ? "; " : "", out);
        put_name(out, f->name);
        fprintf(out, "@%.17g*%d*%.17g", f->t, f->times, f->points);
    }
    if (out) {
        fclose(out);
    }
    return text ? text : words_format("%s", "");
}

bool attempts_write_csv(const attempts *all, FILE *out)
{
    fprintf(out, "%s\n", header);
    for (int k = 0; k < all->count; k++) {
        const attempt *a = &all->item[k];
        char *faults = faults_text(a), score[40], time[40];
        snprintf(score, sizeof score, "%.17g", a->score);
        snprintf(time, sizeof time, "%.17g", a->time);
        const char *cell[CELLS] = { a->trainee, a->exercise, a->title,  a->state,     score,
                                    time,       a->started,  a->ended,  faults,       a->model,
                                    a->version, a->system,   a->lesson, a->recording, a->id };
        for (int c = 0; c < CELLS; c++) {
            put_cell(out, cell[c] ? cell[c] : "", c + 1 < CELLS ? ',' : '\n');
        }
        free(faults);
    }
    return !ferror(out);
}

// ---- reading -------------------------------------------------------------------------------------------------------

// One cell; `end` is what stood behind it: ',', '\n' or EOF; 0: a quote is open at the end of the file.
static char *take_cell(FILE *in, int *end, int *line)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int c = getc(in);
    bool is_quoted = c == '"', is_open = is_quoted;
    c = is_quoted ? getc(in) : c;
    for (; out && c != EOF; c = getc(in)) {
        *line += c == '\n';
        if (is_open && c == '"') {
            c = getc(in);
            if (c != '"') {
                is_open = false;
                ungetc(c, in);
                continue;
            }
        } else if (!is_open && (c == ',' || c == '\n')) {
            break;
        } else if (!is_open && c == '\r') {
            continue;
        }
        putc(c, out);
    }
    if (out) {
        fclose(out);
    }
    *end = is_open ? 0 : c;
    if (text && is_quoted && text[0] == '\'') {
        memmove(text, text + 1, strlen(text));
    }
    return text;
}

static bool take_number(const char *text, double *value)
{
    char *rest;
    *value = strtod(text, &rest);
    return *text && !*rest && isfinite(*value);
}

static char *name_of(const char *text, size_t length)
{
    char *name = words_copy(text, length), *to = name;
    for (const char *c = name; *c; c++) {
        unsigned code;
        if (*c == '%' && sscanf(c + 1, "%2x", &code) == 1) {
            *to++ = (char)code;
            c += 2;
        } else {
            *to++ = *c;
        }
    }
    *to = '\0';
    return name;
}

static bool take_faults(const char *text, attempt *a)
{
    while (*text) {
        attempt_fault f = { 0 };
        int used = 0;
        const char *at = strchr(text, '@');
        if (!at || sscanf(at, "@%lf*%d*%lf%n", &f.t, &f.times, &f.points, &used) != 3 ||
            (at[used] && at[used] != ';')) {
            return false;
        }
        attempt_fault *longer = words_alloc((size_t)(a->n_fault + 1) * sizeof *longer);
        if (a->n_fault > 0) {
            memcpy(longer, a->fault, (size_t)a->n_fault * sizeof *longer);
        }
        free(a->fault);
        a->fault = longer;
        f.name = name_of(text, (size_t)(at - text));
        longer[a->n_fault++] = f;
        text = at + used;
        text += *text == ';';
        text += strspn(text, " ");
    }
    return true;
}

// Cells in the order of the header; they become the attempt's.
static const char *take_row(char *cell[CELLS], attempt *a)
{
    char **const text[TEXTS] = { &a->trainee, &a->exercise, &a->title,  &a->state,  &a->started,   &a->ended,
                                 &a->model,   &a->version,  &a->system, &a->lesson, &a->recording, &a->id };
    static const int from[TEXTS] = { 0, 1, 2, 3, 6, 7, 9, 10, 11, 12, 13, 14 };
    static const char *const states[] = { "ready", "running", "passed", "failed" };
    bool is_state = false;
    for (int k = 0; k < TEXTS; k++) {
        *text[k] = cell[from[k]];
        cell[from[k]] = NULL;
    }
    for (int k = 0; k < 4; k++) {
        is_state = is_state || strcmp(a->state, states[k]) == 0;
    }
    return !is_state ? "the state is none of ready, running, passed, failed"
           : !*a->trainee || !*a->exercise || strlen(a->id) != 32 ? "trainee, exercise and id are needed"
           : !take_number(cell[4], &a->score) || a->score < 0.0 || a->score > 100.0
               ? "the score is not a number from 0 to 100"
           : !take_number(cell[5], &a->time) || a->time < 0.0 ? "the time is not a number of seconds"
           : !take_faults(cell[8], a) ? "the faults are not NAME@TIME*TIMES*POINTS; ..."
                                      : NULL;
}

static const char *read_row(FILE *in, attempts *all, int *line)
{
    char *cell[CELLS] = { 0 };
    int n = 0, end = ',';
    const char *what = NULL;
    while (n < CELLS && end == ',') {
        cell[n++] = take_cell(in, &end, line);
    }
    if (n == 1 && end == EOF && !*cell[0]) {
        free(cell[0]);
        return NULL;
    }
    if (n < CELLS || end == ',' || end == 0) {
        what = "a row needs 15 cells, in the order of the first line";
    } else {
        what = take_row(cell, attempts_add(all));
    }
    for (int k = 0; k < n; k++) {
        free(cell[k]);
    }
    return what;
}

bool attempts_read_csv(FILE *in, attempts *all, int *line, const char **what)
{
    *all = (attempts){ 0 };
    *line = 1;
    *what = NULL;
    for (const char *c = header; *c && !*what; c++) {
        *what = getc(in) == *c
                    ? NULL
                    : "this is no table of attempts: its first line is not that of `biela course export`";
    }
    int c = *what ? EOF : getc(in);
    c = c == '\r' ? getc(in) : c;
    while (!*what && c != EOF) {
        (*line)++;
        int row = *line;
        c = getc(in);
        if (c == EOF) {
            break;
        }
        ungetc(c, in);
        *what = read_row(in, all, line);
        *line = *what ? row : *line - 1; // the end of the row counted as a line
        c = feof(in) ? EOF : 0;
    }
    if (*what) {
        attempts_clear(all);
    }
    return *what == NULL;
}
