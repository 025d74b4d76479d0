// SPDX-License-Identifier: MIT
#include "cli/words.h"
#include "cli/command.h"
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *words_alloc(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory) {
        fputs("biela: error: out of memory\n", stderr);
        exit(CLI_MACHINE);
    }
    return memory;
}

char *words_copy(const char *text, size_t length)
{
    char *copy = words_alloc(length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *words_format(const char *format, ...)
{
    assert(format); // also tells gcc's sanitizers, which otherwise warn of a null format
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);

    size_t size = (size_t)(length > 0 ? length : 0) + 1;
    char *text = words_alloc(size);
    va_start(list, format);
    vsnprintf(text, size, format, list);
    va_end(list);
    return text;
}

char *words_of_file(FILE *file)
{
    size_t length = 0, capacity = 1 << 16, n;
    char *text = words_alloc(capacity);
    while ((n = fread(text + length, 1, capacity - 1 - length, file)) > 0) {
        length += n;
        if (length + 1 == capacity) {
            char *longer = words_alloc(2 * capacity);
            memcpy(longer, text, length);
            free(text);
            text = longer;
            capacity *= 2;
        }
    }
    return text;
}

words_list words_split(const char *text, char separator)
{
    size_t room = 1;
    for (const char *c = text; *c; c++) {
        room += *c == separator;
    }
    words_list list = { .name = words_alloc(room * sizeof *list.name) };
    for (const char *from = text;;) {
        const char *end = strchr(from, separator);
        const char *next = end ? end : from + strlen(from);
        const char *to = next;
        while (from < to && isspace((unsigned char)*from)) {
            from++;
        }
        while (to > from && isspace((unsigned char)to[-1])) {
            to--;
        }
        if (to > from) {
            list.name[list.count++] = words_copy(from, (size_t)(to - from));
        }
        if (!end) {
            return list;
        }
        from = end + 1;
    }
}

void words_list_clear(words_list *list)
{
    for (int k = 0; k < list->count; k++) {
        free(list->name[k]);
    }
    free(list->name);
    *list = (words_list){ 0 };
}

// Longer words are not compared letter by letter: nobody types them.
enum { LONGEST = 63 };

static int smaller(int a, int b) { return a < b ? a : b; }

static int lower(char c) { return tolower((unsigned char)c); }

// Edits that turn one word into the other: insert, delete, replace, exchange two neighbours. Letter case is free.
static int word_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    int row[3][LONGEST + 1];
    int *before = row[0], *above = row[1], *here = row[2];
    for (size_t j = 0; j <= n_b; j++) {
        above[j] = (int)j;
    }
    for (size_t i = 1; i <= n_a; i++) {
        here[0] = (int)i;
        for (size_t j = 1; j <= n_b; j++) {
            int other = lower(a[i - 1]) != lower(b[j - 1]);
            here[j] = smaller(above[j - 1] + other, smaller(above[j], here[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                here[j] = smaller(here[j], before[j - 2] + 1);
            }
        }
        int *oldest = before;
        before = above;
        above = here;
        here = oldest;
    }
    return above[n_b];
}

nearest nearest_start(const char *word, size_t length)
{
    // a third of the letters may be wrong; one in any case
    return (nearest){ .word = word, .length = length, .distance = 2 + (int)(length / 3) };
}

void nearest_try(nearest *best, const char *candidate)
{
    size_t n = strlen(candidate);
    if (n > LONGEST || best->length > LONGEST) {
        return;
    }
    int distance = word_distance(best->word, best->length, candidate, n);
    // the beginning of a name is a good guess too: "vers" for "version"
    if (best->length >= 2 && best->length < n && strncmp(best->word, candidate, best->length) == 0) {
        distance = smaller(distance, 1);
    }
    if (distance < best->distance) {
        best->distance = distance;
        best->name = candidate;
    }
}

words_value words_of_value(double value, const char *unit)
{
    words_value out = { "not a number" };
    bool has_unit = strcmp(unit, "1") != 0;
    if (!isnan(value)) {
        snprintf(out.text, sizeof out.text, "%.3g%s%.32s", value, has_unit ? " " : "", has_unit ? unit : "");
    }
    return out;
}

double unit_factor(const bi_model *m, const char *unit)
{
    bi_report unused = { 0 };
    double factor = 1.0;
    char *one = words_format("1 %s", unit);
    if (!bi_model_number(m, one, NULL, "", &factor, &unused) || factor == 0.0) {
        factor = 1.0;
    }
    bi_report_clear(&unused);
    free(one);
    return factor;
}
