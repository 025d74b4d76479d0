// SPDX-License-Identifier: MIT
#include "cli/choices.h"
#include <biela/names.h>
#include <string.h>

// In the order of their enums; each list ends with NULL.
static const char *const solvers[] = {
    [BI_SOLVER_OWN] = "own", [BI_SOLVER_KLU] = "klu", [BI_SOLVER_DENSE] = "dense", NULL
};
static const char *const starts[] = { "described", "equilibrium", NULL };

static const struct {
    const char *option;
    const char *const *words; // NULL: the schemes or the coordinates of the engine
} choices[] = {
    { "--scheme", NULL }, { "--solver", solvers }, { "--start", starts }, { "--formulation", NULL }
};
enum { N_CHOICE = sizeof choices / sizeof *choices };

const char *choice_option(int k) { return k < N_CHOICE ? choices[k].option : NULL; }

// The k-th name of all schemes, each followed by its second name if it has one.
static const char *scheme_word(int k, const char **help)
{
    for (int s = 0; s < bi_scheme_count(); s++) {
        const char *names[2] = { bi_scheme_name((bi_scheme)s), bi_scheme_also((bi_scheme)s) };
        for (int n = 0; n < 2 && names[n]; n++) {
            if (k-- == 0) {
                *help = n == 0 ? bi_scheme_help((bi_scheme)s) : "the same";
                return names[n];
            }
        }
    }
    return NULL;
}

const char *choice_word(const char *option, int k)
{
    const char *help;
    for (int c = 0; c < N_CHOICE; c++) {
        if (strcmp(choices[c].option, option) == 0) {
            return choices[c].words                       ? choices[c].words[k]
                   : strcmp(option, "--formulation") == 0 ? bi_coordinates_name((bi_coordinates)k)
                                                          : scheme_word(k, &help);
        }
    }
    return NULL;
}

const char *choice_help(const char *option, int k)
{
    const char *help = NULL;
    return strcmp(option, "--scheme") == 0 && scheme_word(k, &help) ? help : NULL;
}
