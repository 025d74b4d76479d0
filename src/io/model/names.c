// SPDX-License-Identifier: MIT
#include "io/model/names.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- sets --------------------------------------------------------------------------------------

static uint64_t hash_of(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++) {
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    }
    return h ^ (h >> 29);
}

// Slot that holds the name, or the free one where it belongs. The table is never full.
static size_t slot_of(const name_set *set, const char *name)
{
    size_t n = 2 * (size_t)set->capacity;
    size_t s = (size_t)(hash_of(name) % n);
    while (set->slot[s] && strcmp(set->name[set->slot[s] - 1], name) != 0) {
        s = s + 1 < n ? s + 1 : 0;
    }
    return s;
}

int name_set_find(const name_set *set, const char *name)
{
    return set->capacity ? set->slot[slot_of(set, name)] - 1 : -1;
}

static bool name_set_grow(name_set *set)
{
    int capacity = set->capacity ? 2 * set->capacity : 32;
    const char **name = realloc((void *)set->name, (size_t)capacity * sizeof *name);
    set->name = name ? name : set->name;
    int *line = realloc(set->line, (size_t)capacity * sizeof *line);
    set->line = line ? line : set->line;
    int32_t *id = realloc(set->id, (size_t)capacity * sizeof *id);
    set->id = id ? id : set->id;
    int *slot = calloc(2 * (size_t)capacity, sizeof *slot);
    if (!name || !line || !id || !slot) {
        free(slot);
        return false;
    }
    free(set->slot);
    set->slot = slot;
    set->capacity = capacity;
    for (int k = 0; k < set->count; k++) {
        set->slot[slot_of(set, set->name[k])] = k + 1;
    }
    return true;
}

int name_set_add(name_set *set, const char *name, int line)
{
    if (set->count == set->capacity && !name_set_grow(set)) {
        return -1;
    }
    size_t s = slot_of(set, name);
    char *copy = set->slot[s] ? NULL : blocks_text(&set->text, name, strlen(name));
    if (!copy) {
        return -1;
    }
    int k = set->count++;
    set->name[k] = copy;
    set->line[k] = line;
    set->id[k] = 0;
    set->slot[s] = k + 1;
    return k;
}

void name_set_clear(name_set *set)
{
    free((void *)set->name);
    free(set->line);
    free(set->id);
    free(set->slot);
    blocks_free(&set->text);
    *set = (name_set){ 0 };
}

// ---- suggestions -------------------------------------------------------------------------------

enum { WORD = 63, CHANGE = 2, CASE_CHANGE = 1 };

static int min_int(int a, int b) { return a < b ? a : b; }

static int letter_change(char a, char b)
{
    if (a == b) {
        return 0;
    }
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE_CHANGE : CHANGE;
}

int names_distance(const char *a, const char *b)
{
    int n_a = min_int((int)strlen(a), WORD), n_b = min_int((int)strlen(b), WORD);
    int before[WORD + 1], row[WORD + 1], next[WORD + 1]; // rows i - 2, i - 1 and i of the table of distances
    for (int j = 0; j <= n_b; j++) {
        before[j] = 0;
        row[j] = j * CHANGE;
    }
    for (int i = 1; i <= n_a; i++) {
        next[0] = i * CHANGE;
        for (int j = 1; j <= n_b; j++) {
            int best = row[j - 1] + letter_change(a[i - 1], b[j - 1]);
            best = min_int(best, min_int(row[j], next[j - 1]) + CHANGE);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = min_int(best, before[j - 2] + CHANGE);
            }
            next[j] = best;
        }
        memcpy(before, row, sizeof row);
        memcpy(row, next, sizeof row);
    }
    return row[n_b];
}

const char *names_nearest(const char *name, const char *const *candidate, int count)
{
    const char *nearest = NULL;
    // a third of the letters may be wrong, at least one, at most three
    int length = (int)strlen(name);
    int allowed = CHANGE * (length < 3 ? 1 : length > 9 ? 3 : length / 3);
    for (int k = 0; k < count; k++) {
        int difference = (int)strlen(candidate[k]) - length;
        if (CHANGE * abs(difference) > allowed) {
            continue;
        }
        int distance = names_distance(name, candidate[k]);
        if (distance <= allowed && distance < CHANGE * length) {
            allowed = distance - 1;
            nearest = candidate[k];
        }
    }
    return nearest;
}

const char *names_hint(const char *name, const char *const *candidate, int count,
                       char buffer[NAMES_HINT_SIZE])
{
    const char *nearest = names_nearest(name, candidate, count);
    buffer[0] = '\0';
    if (nearest) {
        snprintf(buffer, NAMES_HINT_SIZE, " (did you mean '%.80s'?)", nearest);
    }
    return buffer;
}

// ---- what may be a name ------------------------------------------------------------------------

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool names_is_name(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (!is_letter(*c) && !is_digit(*c) && *c != '-') {
            return false;
        }
    }
    return *text != '\0';
}

bool names_is_identifier(const char *text)
{
    if (!is_letter(*text) || strcmp(text, "t") == 0 || strcmp(text, "pi") == 0) {
        return false;
    }
    while (is_letter(*text) || is_digit(*text)) {
        text++;
    }
    return *text == '\0';
}

// ---- substitution ------------------------------------------------------------------------------

// Length of what follows a '$': a name, or an expression in balanced brackets; 0: neither.
static size_t substitution_length(const char *text)
{
    size_t n = 0;
    if (text[0] != '(') {
        while (is_letter(text[n]) || (n > 0 && is_digit(text[n]))) {
            n++;
        }
        return n;
    }
    int open = 0;
    do {
        open += text[n] == '(' ? 1 : text[n] == ')' ? -1 : 0;
        n++;
    } while (open > 0 && text[n]);
    return open == 0 ? n : 0;
}

// Value of the expression of `length` letters. False: not an integer; the report says why.
static bool integer_value(bi_model *model, const char *expression, size_t length, bi_place place,
                          const char *where, bi_report *report, double *value)
{
    char *copy = malloc(length + 1);
    if (!copy) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, place, where, "out of memory");
        return false;
    }
    memcpy(copy, expression, length);
    copy[length] = '\0';
    bi_model_place(model, place);
    bool is_known = bi_model_number(model, copy, NULL, where, value, report);
    free(copy);
    if (!is_known) {
        return false;
    }
    // 1e15: beyond it doubles do not count any more
    if (!(fabs(*value) < 1e15) || fabs(*value - round(*value)) > 1e-9) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, place, where,
                      "what follows '$' must be an integer, and this is %g", *value);
        return false;
    }
    *value = round(*value);
    return true;
}

const char *names_substitute(bi_model *model, const char *text, bi_place place, const char *where,
                             blocks *memory, bi_report *report)
{
    size_t dollars = 0;
    for (const char *c = text; *c; c++) {
        dollars += *c == '$';
    }
    if (dollars == 0) {
        return text;
    }
    enum { INTEGER_SIZE = 20 }; // letters of an integer below 1e15 and its sign, with room
    char *result = blocks_new(memory, strlen(text) + dollars * INTEGER_SIZE + 1);
    if (!result) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, place, where, "out of memory");
        return NULL;
    }
    bool is_good = true;
    char *to = result;
    const char *from = text;
    while (*from) {
        if (*from != '$') {
            *to++ = *from++;
            continue;
        }
        bi_place here = place;
        here.column += (int)(from - text);
        from++;
        size_t length = substitution_length(from);
        if (length == 0) {
            bi_report_add(
                report, BI_ERROR, BI_BAD_MODEL, here, where,
                "'$' must be followed by a name or by an expression in brackets, as in $i or $(i-1)");
            return NULL;
        }
        double value = 0.0;
        here.column++;
        is_good = integer_value(model, from, length, here, where, report, &value) && is_good;
        to += snprintf(to, INTEGER_SIZE, "%.0f", value + 0.0);
        from += length;
    }
    return is_good ? result : NULL;
}
