// SPDX-License-Identifier: MIT
#include "io/tyre/tir_lines.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tir_complain(tir *t, int line, int column, const char *where, const char *format, ...)
{
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bi_report_add(t->report, BI_ERROR, BI_BAD_FILE, (bi_place){ t->path, line, column }, where, "%s", what);
}

// ---- lines ---------------------------------------------------------------------------------------------------------

// Copies the trimmed letters of [from, end), quotes taken off; what is too long is cut.
static void take_word(const char *from, const char *end, char *word)
{
    while (from < end && isspace((unsigned char)*from)) {
        from++;
    }
    while (end > from && isspace((unsigned char)end[-1])) {
        end--;
    }
    if (end - from >= 2 && (*from == '\'' || *from == '"') && end[-1] == *from) {
        from++;
        end--;
    }
    size_t n = (size_t)(end - from) < TIR_WORD - 1 ? (size_t)(end - from) : TIR_WORD - 1;
    memcpy(word, from, n);
    word[n] = '\0';
}

static void to_upper(char *word)
{
    for (; *word; word++) {
        *word = (char)toupper((unsigned char)*word);
    }
}

// Where the comment of a line begins, or its end: $ and ! outside of quotes.
static const char *before_comment(const char *from, const char *end)
{
    char quote = '\0';
    for (const char *c = from; c < end; c++) {
        if (quote) {
            quote = *c == quote ? '\0' : quote;
        } else if (*c == '\'' || *c == '"') {
            quote = *c;
        } else if (*c == '$' || *c == '!') {
            return c;
        }
    }
    return end;
}

static void read_assignment(tir *t, const char *from, const char *equals, const char *end,
                            const char *section, int line)
{
    if (t->n_item >= TIR_ITEMS) {
        return;
    }
    tir_item *item = &t->item[t->n_item];
    *item = (tir_item){ .line = line, .column = 1 };
    memcpy(item->section, section, TIR_WORD);
    take_word(from, equals, item->key);
    take_word(equals + 1, end, item->value);
    to_upper(item->key);
    char *rest = NULL;
    item->number = strtod(item->value, &rest);
    item->is_number = rest != item->value && *rest == '\0';
    if (!item->key[0]) {
        tir_complain(t, line, 1, "", "a value without a name before '='");
        return;
    }
    for (int k = 0; k < t->n_item; k++) {
        if (strcmp(t->item[k].key, item->key) == 0 && strcmp(t->item[k].section, section) == 0) {
            tir_complain(t, line, 1, item->section, "%s stands here for the second time in its section",
                         item->key);
            return;
        }
    }
    t->n_item++;
}

void tir_lines(tir *t, const char *text, size_t length)
{
    char section[TIR_WORD] = "";
    const char *stop = text + length;
    int line = 0;
    for (const char *from = text; from < stop;) {
        line++;
        const char *newline = memchr(from, '\n', (size_t)(stop - from));
        const char *next = newline ? newline + 1 : stop,
                   *end = before_comment(from, newline ? newline : stop);
        char word[TIR_WORD];
        take_word(from, end, word);
        const char *equals = memchr(from, '=', (size_t)(end - from));
        if (word[0] == '[') {
            const char *open = memchr(from, '[', (size_t)(end - from)),
                       *close = memchr(from, ']', (size_t)(end - from));
            if (close && close > open) {
                take_word(open + 1, close, section);
                to_upper(section);
                if (t->n_section < TIR_SECTIONS) {
                    memcpy(t->section[t->n_section].name, section, sizeof section);
                    t->section[t->n_section++].line = line;
                }
            } else {
                tir_complain(t, line, 1, "", "'%s' lacks its ']'", word);
            }
        } else if (word[0] && equals) {
            read_assignment(t, from, equals, end, section, line);
        } else if (word[0] && word[0] != '{' && !isdigit((unsigned char)word[0]) && word[0] != '-' &&
                   word[0] != '.') {
            // tables have a head in braces and rows of numbers
            tir_complain(t, line, 1, section, "'%s' is neither a [SECTION] nor KEY = value", word);
        }
        from = next;
    }
    if (t->n_item >= TIR_ITEMS) {
        tir_complain(t, line, 1, "", "more values than a tyre can have");
    }
}

// ---- values --------------------------------------------------------------------------------------------------------

tir_item *tir_find(tir *t, const char *key)
{
    for (int k = 0; k < t->n_item; k++) {
        if (strcmp(t->item[k].key, key) == 0) {
            t->item[k].is_used = true;
            return &t->item[k];
        }
    }
    return NULL;
}

bool tir_number(tir *t, const char *key, double *value)
{
    tir_item *item = tir_find(t, key);
    if (!item) {
        return false;
    }
    if (!item->is_number || !isfinite(item->number)) {
        tir_complain(t, item->line, item->column, item->section, "%s is not a finite number", key);
        return false;
    }
    *value = item->number;
    return true;
}

double tir_number_or(tir *t, const char *key, double otherwise)
{
    tir_number(t, key, &otherwise);
    return otherwise;
}

typedef struct {
    const char *word;
    double si;
} unit_word;

static double unit(tir *t, const char *key, const unit_word *words, int n_word)
{
    tir_item *item = tir_find(t, key);
    if (!item) {
        return 1.0;
    }
    char word[TIR_WORD];
    memcpy(word, item->value, sizeof word);
    to_upper(word);
    for (int k = 0; k < n_word; k++) {
        if (strcmp(word, words[k].word) == 0) {
            return words[k].si;
        }
    }
    tir_complain(t, item->line, item->column, "UNITS", "unknown unit '%s'", item->value);
    return 1.0;
}

void tir_units(tir *t)
{
    static const unit_word length[] = { { "METER", 1.0 },   { "METERS", 1.0 }, { "M", 1.0 },
                                        { "MM", 1e-3 },     { "CM", 1e-2 },    { "KM", 1e3 },
                                        { "INCH", 0.0254 }, { "IN", 0.0254 },  { "FOOT", 0.3048 } };
    static const unit_word force[] = { { "NEWTON", 1.0 },
                                       { "NEWTONS", 1.0 },
                                       { "N", 1.0 },
                                       { "KILONEWTON", 1e3 },
                                       { "KN", 1e3 },
                                       { "KG_FORCE", 9.80665 },
                                       { "POUND_FORCE", 4.4482216152605 } };
    static const unit_word time[] = {
        { "SECOND", 1.0 }, { "SECONDS", 1.0 }, { "SEC", 1.0 }, { "S", 1.0 }, { "MILLISECOND", 1e-3 }
    };
    t->length = unit(t, "LENGTH", length, sizeof length / sizeof *length);
    t->force = unit(t, "FORCE", force, sizeof force / sizeof *force);
    t->time = unit(t, "TIME", time, sizeof time / sizeof *time);
    static const unit_word angle[] = { { "RADIAN", 1.0 },
                                       { "RADIANS", 1.0 },
                                       { "RAD", 1.0 },
                                       { "DEGREE", 0.017453292519943295 },
                                       { "DEGREES", 0.017453292519943295 },
                                       { "DEG", 0.017453292519943295 } };
    t->angle = unit(t, "ANGLE", angle, sizeof angle / sizeof *angle);
    // masses do not enter the values that are used
    tir_find(t, "MASS");
}
