// SPDX-License-Identifier: MIT
// Commands that a page has no use for: they need other programs, processes, or results on a disk. What is sent gets smaller without them.
#include "cli/options.h"
#include <stdio.h>

static exit_code run_absent(const arguments *args)
{
    fprintf(stderr, "biela %s: is not in a page; the command on a machine has it\n", args->command->name);
    return CLI_BAD;
}

#define ABSENT(word)                                                                                         \
    const command command_##word = {                                                                         \
        .name = #word, .summary = "not in a page", .max_words = 99, .run = run_absent                        \
    };
ABSENT(bench)
ABSENT(class)
ABSENT(compare)
ABSENT(course)
ABSENT(design)
ABSENT(doc)
ABSENT(durability)
ABSENT(export)
ABSENT(fit)
ABSENT(flex)
ABSENT(handling)
ABSENT(import)
ABSENT(integrate)
ABSENT(kc)
ABSENT(new)
ABSENT(plot)
ABSENT(sweep)
ABSENT(tyre)
