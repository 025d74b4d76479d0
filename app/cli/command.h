// SPDX-License-Identifier: MIT
/* command.h - what a command of `biela` is: a row of words, options and one function. */
#pragma once
#include <stdbool.h>

/* Exit codes of the program; `biela help` prints the same list. */
#define EXIT_CODE_LIST(X)                                                                                    \
    X(CLI_OK, 0, "done")                                                                                     \
    X(CLI_MACHINE, 1, "the machine refused: a file cannot be written, no memory (diff: beyond tolerance)")   \
    X(CLI_BAD, 2, "bad model or bad usage: read the messages")                                               \
    X(CLI_NUMERICAL, 3, "numerical failure: a step failed or a result is not finite")                        \
    X(CLI_DOUBT, 4, "the run judges itself bad, or doubtful with --strict: the results are in the file")     \
    X(CLI_INTERRUPTED, 130,                                                                                  \
      "interrupted (Ctrl-C; 143 by SIGTERM, 129 by SIGHUP): the results so far are in the file")
#define EXIT_CODE_ENUM(name, code, text) name = (code),
typedef enum { EXIT_CODE_LIST(EXIT_CODE_ENUM) } exit_code;

typedef struct {
    const char *name;  /* "--out" */
    const char *value; /* what follows it, "FILE.csv"; NULL: a switch */
    const char *help;
} option;

typedef struct arguments arguments;

typedef struct {
    const char *name;
    const char *words;   /* "MODEL" in the usage line */
    const char *summary; /* one line, for the list of commands */
    const char *details; /* further lines of the help; may be NULL */
    const char *example; /* complete command lines, one per line */
    int min_words, max_words;
    const option *options;
    int n_option;
    exit_code (*run)(const arguments *);
} command;

extern const command command_run, command_check, command_info, command_plot, command_bench, command_list,
    command_version, command_help, command_kinematics, command_equilibrium, command_modes;
extern const command command_diff, command_schema, command_import;
extern const command command_inverse, command_tyre, command_compare, command_flex;
extern const command command_sweep, command_fit, command_bonds;
extern const command command_durability;
extern const command command_drive, command_replay, command_report, command_view;

/* All commands, in the order of the help. */
int command_count(void);
const command *command_at(int k);
