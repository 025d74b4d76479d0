// SPDX-License-Identifier: MIT
/* options.h - the words after `biela COMMAND`, sorted into words and options by the command's own table. */
#pragma once
#include "cli/command.h"
#include "running/claims.h"

typedef struct {
    const option *option;
    const char *value; /* NULL for a switch */
} given_option;

struct arguments {
    const command *command;
    const char **word; /* (n_word) in order; borrowed from argv */
    int n_word;
    given_option *given; /* (n_given) in order */
    int n_given;
    bool wants_help;
    claims *files; /* what the command reads and writes; its words are in it from the start */
};

/* Sorts argv (count words, the command's name not among them). Mistakes are printed on stderr, with the nearest known
 * option; returns false then. Release with arguments_clear in both cases. */
bool arguments_parse(const command *, int count, char *const *argv, arguments *);
void arguments_clear(arguments *);

/* What follows an option, "FILE.csv"; NULL: nothing. */
const char *option_value(const option *);
/* Its help with unit and words to choose from; free it. */
char *option_help(const option *);
/* Its words have meanings, which deserve a line each. */
bool option_has_list(const option *);

bool arguments_has(const arguments *, const char *option);
const char *arguments_value(const arguments *,
                            const char *option); /* of one that is repeatable the last; NULL: none */
