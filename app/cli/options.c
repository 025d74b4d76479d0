// SPDX-License-Identifier: MIT
#include "cli/options.h"
#include "cli/choices.h"
#include "cli/words.h"
#include <biela/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The option whose name is the first `length` letters of `text`.
static const option *option_find(const command *cmd, const char *text, size_t length)
{
    for (int k = 0; k < cmd->n_option; k++) {
        const char *name = cmd->options[k].name;
        if (strlen(name) == length && strncmp(name, text, length) == 0) {
            return &cmd->options[k];
        }
    }
    return NULL;
}

// The entry of a run's option in the table of the engine.
static bi_run_option run_option_of(const option *o)
{
    return bi_run_option_at(bi_run_option_find(o->name + strlen("--")));
}

const char *option_value(const option *o) { return o->help ? o->value : run_option_of(o).value; }

bool option_has_list(const option *o) { return !o->help && choice_help(o->name, 0); }

char *option_help(const option *o)
{
    if (o->help) {
        return words_format("%s", o->help);
    }
    bi_run_option run = run_option_of(o);
    const char *help = run.help ? run.help : "", *word;
    // the unit belongs to the first clause
    int first = (int)strcspn(help, ";");
    char *text =
        words_format("%.*s%s%s%s", first, help, run.unit ? ", " : "", run.unit ? run.unit : "", help + first);
    for (int k = 0; !option_has_list(o) && (word = choice_word(o->name, k)); k++) {
        const char *next = choice_word(o->name, k + 1);
        char *longer = words_format("%s%s%s%s", text, k == 0 ? " (" : ", ", word, next ? "" : ")");
        free(text);
        text = longer;
    }
    return text;
}

static bool option_unknown(const command *cmd, const char *text, size_t length)
{
    nearest best = nearest_start(text, length);
    for (int k = 0; k < cmd->n_option; k++) {
        nearest_try(&best, cmd->options[k].name);
    }
    nearest_try(&best, "--help");

    fprintf(stderr, "biela %s: unknown option '%.*s'", cmd->name, (int)length, text);
    if (best.name) {
        fprintf(stderr, "; did you mean '%s'?", best.name);
    }
    fprintf(stderr, "\nTry: biela help %s\n", cmd->name);
    return false;
}

static bool option_mistake(const command *cmd, const option *opt, const char *what)
{
    fprintf(stderr, "biela %s: %s %s", cmd->name, opt->name, what);
    if (option_value(opt)) {
        fprintf(stderr, ", as in: %s %s", opt->name, option_value(opt));
    }
    fputc('\n', stderr);
    return false;
}

static bool option_is_repeatable(const option *opt)
{
    size_t end = strlen(OPTION_REPEATABLE), length = opt->help ? strlen(opt->help) : 0;
    return length >= end && strcmp(opt->help + length - end, OPTION_REPEATABLE) == 0;
}

// Of two values one would be lost; a switch is the same twice.
static bool option_is_new(const arguments *args, const given_option *given)
{
    const char *before = arguments_value(args, given->option->name);
    if (before && !option_is_repeatable(given->option)) {
        fprintf(stderr, "biela %s: %s is given twice, '%s' and '%s'; give it once\n", args->command->name,
                given->option->name, before, given->value);
        return false;
    }
    return true;
}

// One option at argv[*k], as "--name value", "--name=value" or a switch; moves *k over a value.
static bool option_take(arguments *args, int count, char *const *argv, int *k)
{
    const command *cmd = args->command;
    const char *text = argv[*k];
    const char *equal = strchr(text, '=');
    size_t length = equal ? (size_t)(equal - text) : strlen(text);

    const option *opt = option_find(cmd, text, length);
    if (!opt) {
        return option_unknown(cmd, text, length);
    }
    given_option given = { .option = opt };
    if (!option_value(opt) && equal) {
        return option_mistake(cmd, opt, "takes no value");
    }
    if (option_value(opt) && equal) {
        given.value = equal + 1;
    } else if (option_value(opt) && *k + 1 < count && !option_find(cmd, argv[*k + 1], strlen(argv[*k + 1]))) {
        given.value = argv[++*k];
    }
    if (option_value(opt) && (!given.value || !*given.value)) {
        return option_mistake(cmd, opt, "needs a value");
    }
    if (!option_is_new(args, &given)) {
        return false;
    }
    args->given[args->n_given++] = given;
    return true;
}

static bool words_are_right(const arguments *args)
{
    const command *cmd = args->command;
    if (args->n_word < cmd->min_words) {
        fprintf(stderr, "biela %s: needs %s\nTry: biela help %s\n", cmd->name, cmd->words, cmd->name);
        return false;
    }
    if (args->n_word > cmd->max_words) {
        fprintf(stderr, "biela %s: does not know what to do with '%s'\nTry: biela help %s\n", cmd->name,
                args->word[cmd->max_words], cmd->name);
        return false;
    }
    return true;
}

bool arguments_parse(const command *cmd, int count, char *const *argv, arguments *args)
{
    size_t room = (size_t)count + 1;
    *args = (arguments){ .command = cmd,
                         .word = words_alloc(room * sizeof *args->word),
                         .given = words_alloc(room * sizeof *args->given) };
    bool only_words = false;
    for (int k = 0; k < count; k++) {
        const char *text = argv[k];
        if (only_words || text[0] != '-' || text[1] == '\0') {
            args->word[args->n_word++] = text;
        } else if (strcmp(text, "--") == 0) {
            only_words = true;
        } else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            args->wants_help = true;
        } else if (!option_take(args, count, argv, &k)) {
            return false;
        }
    }
    return args->wants_help || words_are_right(args);
}

void arguments_clear(arguments *args)
{
    free(args->word);
    free(args->given);
    *args = (arguments){ 0 };
}

bool arguments_has(const arguments *args, const char *name)
{
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, name) == 0) {
            return true;
        }
    }
    return false;
}

const char *arguments_value(const arguments *args, const char *name)
{
    const char *value = NULL;
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, name) == 0) {
            value = args->given[k].value;
        }
    }
    return value;
}
