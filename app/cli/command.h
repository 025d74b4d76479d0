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
    const char *help;  /* NULL: it is an option of runs, which have a table of their own (bi_run_option_at) */
} option;
/* The end of the help of an option that may be given more than once. */
#define OPTION_REPEATABLE "; repeatable"
#define RUN_OPTION(key)                                                                                      \
    {                                                                                                        \
        "--" key, NULL, NULL                                                                                 \
    }

/* Those of them that say how steps are made. */
#define RUN_STEP_OPTIONS                                                                                     \
    RUN_OPTION("scheme"), RUN_OPTION("rho"), RUN_OPTION("tolerance"), RUN_OPTION("solver"),                  \
        RUN_OPTION("newton"), RUN_OPTION("iterations"), RUN_OPTION("penalty")

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

/* The one list of commands, in the order of the help: each is the `command_NAME` of a file of its own (docs/guide/add-a-command.md). */
#define COMMAND_LIST(X)                                                                                      \
    X(drive)                                                                                                 \
    X(replay)                                                                                                \
    X(report)                                                                                                \
    X(view)                                                                                                  \
    X(course)                                                                                                \
    X(class)                                                                                                 \
    X(run)                                                                                                   \
    X(kinematics)                                                                                            \
    X(equilibrium)                                                                                           \
    X(inverse)                                                                                               \
    X(modes)                                                                                                 \
    X(trim)                                                                                                  \
    X(handling)                                                                                              \
    X(kc)                                                                                                    \
    X(flex)                                                                                                  \
    X(durability)                                                                                            \
    X(compare)                                                                                               \
    X(sweep)                                                                                                 \
    X(fit)                                                                                                   \
    X(design)                                                                                                \
    X(tyre)                                                                                                  \
    X(bonds)                                                                                                 \
    X(check)                                                                                                 \
    X(compile)                                                                                               \
    X(info)                                                                                                  \
    X(integrate)                                                                                             \
    X(plot)                                                                                                  \
    X(diff)                                                                                                  \
    X(bench)                                                                                                 \
    X(list)                                                                                                  \
    X(new)                                                                                                   \
    X(schema)                                                                                                \
    X(import)                                                                                                \
    X(export)                                                                                                \
    X(doc)                                                                                                   \
    X(version)                                                                                               \
    X(help)                                                                                                  \
    /* end of commands */
#define COMMAND_DECLARED(name) extern const command command_##name;
COMMAND_LIST(COMMAND_DECLARED)
#undef COMMAND_DECLARED

int command_count(void);
const command *command_at(int k);
