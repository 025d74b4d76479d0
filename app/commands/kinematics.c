// SPDX-License-Identifier: MIT
/* kinematics - a mechanism that its guides move: position, velocity, acceleration and efforts at every instant. */
#include "cli/endings.h"
#include "running/run.h"
#include "running/session.h"

static exit_code run_kinematics(const arguments *args) { return run_command(args, RUN_KINEMATICS); }

static const option options[] = {
    SESSION_OPTIONS,
    RUN_OPTION("time"),
    { "--dt", "H", "time between instants, s" },
    { "--every", "D", "time between rows of the file, s; 0: each instant" },
    RUN_OPTION("formulation"),
    RUN_OPTION("manoeuvre"),
    { "--out", "FILE.csv", "results; default out/MODEL.csv" },
    { "--plot", "A,B", "channels to plot into FILE" ENDING_PICTURE " (needs gnuplot)" },
    { "--cross-check", NULL,
      "move it again in the other formulation and with half the step: gaps of all channels, worst first" },
    { "--strict", NULL, "a doubtful verdict ends with exit code 4 as a bad one does" },
    { "--json", NULL, "the summary as one JSON object on stdout" },
    { "--quiet", NULL, "no summary, no progress line" },
};

const command command_kinematics = {
    .name = "kinematics",
    .words = "MODEL",
    .summary = "move a model by its guides, write motion and efforts",
    .details =
        "Every degree of freedom must be guided; the ones that are not are named. Positions, velocities and\n"
        "accelerations are solved at each instant, so that nothing drifts and the step changes no result.\n"
        "Reactions and the efforts of the guides are those of inverse dynamics.",
    .example = "  biela kinematics robot.yaml --time 2 --dt 0.01 --plot tau1,tau2",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_kinematics,
};
