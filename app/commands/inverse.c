// SPDX-License-Identifier: MIT
/* inverse - the motion that is imposed, and the actions that it needs. */
#include "cli/endings.h"
#include "running/run.h"
#include "running/session.h"

static exit_code run_inverse(const arguments *args) { return run_command(args, RUN_INVERSE); }

static const option options[] = {
    SESSION_OPTIONS,
    { "--time", "T", "length of the motion, s" },
    RUN_OPTION("dt"),
    { "--every", "D", "time between rows of the files, s; 0: each step" },
    RUN_OPTION("formulation"),
    { "--out", "FILE.csv", "results; default out/MODEL.csv" },
    { "--actions", "FILE.csv", "the actions alone, for `biela run --actions`" },
    { "--plot", "A,B", "channels to plot into FILE" ENDING_PICTURE " (needs gnuplot)" },
    { "--json", NULL, "the summary as one JSON object on stdout" },
    { "--quiet", NULL, "no summary, no progress line" },
};

const command command_inverse = {
    .name = "inverse",
    .words = "MODEL",
    .summary = "impose a motion, find the actions it needs",
    .details = "The coordinates of the section `imposed` (and guides) are given; the others follow from the "
               "constraints,\n"
               "also non-holonomic ones. The efforts of the section `actions` that produce this motion are "
               "found at every\n"
               "row (those of the guides when there is no such section). A set of actions that cannot do it "
               "is refused.",
    .example = "  biela inverse waveboard --run inverse1 --plot F2x,F2y --actions out/actions.csv",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_inverse,
};
