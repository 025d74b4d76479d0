// SPDX-License-Identifier: MIT
/* spoken.h - what a person reads in place of names and SI numbers, in English or Spanish. */
#pragma once
#include <biela/io.h>

typedef enum { SPOKEN_ENGLISH, SPOKEN_SPANISH } spoken_language;
/* "en" or "es", as a locale begins; false: neither. */
bool spoken_language_of(const char *word, spoken_language *);

/* The words of a model file: its Spanish, the labels and units of its display. */
typedef struct {
    const char *text, *said; /* in `all` */
} spoken_pair;
typedef struct {
    spoken_language language;
    bi_document *doc; /* NULL: none */
    char *all;
    int n_pair;
    spoken_pair *pair; /* its Spanish (n_pair) */
} spoken;
void spoken_open(spoken *, const char *model, spoken_language);
void spoken_close(spoken *);

/* One of two texts. */
const char *spoken_either(const spoken *, const char *english, const char *spanish);
/* A text of the model, or of the program: judgements, advice, names of events. Borrowed. */
const char *spoken_text(const spoken *, const char *text);
/* Names of channels, inputs, events and bodies. Free them. */
char *spoken_channel(const spoken *, const char *name);
char *spoken_name(const spoken *, const char *name);
char *spoken_event(const spoken *, const char *name);

/* The unit in which numbers as large as `size` are shown: `factor` times the value in `unit`. */
typedef struct {
    double factor;
    const char *sign; /* "" : none */
    double least;     /* of a range, in `unit`: below it is rounding, and not drawn */
} spoken_unit;
spoken_unit spoken_unit_of(const spoken *, const char *channel, const char *unit, double size);
spoken_unit spoken_plain_unit(const char *unit, double size);
/* "m/s^2" as "m/s²". Free it. */
char *spoken_sign(const char *unit);
/* So many significant digits, at most three behind the point, decimal comma in Spanish; "1.52 m/s". Free it. */
char *spoken_number(const spoken *, double value, int digits);
char *spoken_value(const spoken *, double value, const char *unit);
/* Dots between digits of a finished text become commas where the language has it so. */
void spoken_commas(const spoken *, char *text);
/* "kind" of the display in which a channel is shown; NULL: none. And the channel of a kind; NULL: none. */
const char *spoken_kind_of(const spoken *, const char *channel);
const char *spoken_channel_of_kind(const spoken *, const char *kind);
