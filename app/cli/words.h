// SPDX-License-Identifier: MIT
/* words.h - strings of the command line: memory, formatting, lists, the nearest of several names. */
#pragma once
#include <biela/biela.h>
#include <stddef.h>
#include <stdio.h>

/* Memory for a command; without it the program says so and ends with CLI_MACHINE. Release with free. */
void *words_alloc(size_t size); /* zeroed */
char *words_copy(const char *text, size_t length);
char *words_format(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* What is left to read of a file, as one text. Free it. */
char *words_of_file(FILE *);

/* "a,b , c" as three names. */
typedef struct {
    int count;
    char **name; /* (count) */
} words_list;
words_list words_split(const char *text, char separator);
void words_list_clear(words_list *);

/* The name nearest to a misspelt word: start, try all the candidates, read `name` (NULL: nothing is near). */
typedef struct {
    const char *word;
    size_t length;
    const char *name; /* borrowed from the candidates */
    int distance;
} nearest;
nearest nearest_start(const char *word, size_t length);
void nearest_try(nearest *, const char *candidate);

/* A number in three digits and its unit ("1": none), or "not a number". */
typedef struct {
    char text[64];
} words_value;
words_value words_of_value(double value, const char *unit);

/* What one of the unit is in SI; 1 when it is no unit. */
double unit_factor(const bi_model *, const char *unit);
