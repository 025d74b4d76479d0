// SPDX-License-Identifier: MIT
#include "cli/endings.h"
#include <biela/io.h>

static const file_ending endings[] = {
    { ENDING_EVENTS, "run, kinematics: beside --out", "what happened, a line per event of the model" },
    { ENDING_VERDICT, "run, kinematics: beside --out", "what the run thinks of itself, as JSON" },
    { ENDING_STATE, "run: beside --out", "the state before a step that failed, for --restart" },
    { ENDING_SUMMARY, "sweep --random: beside --out",
      "quantiles of the samples with their confidence intervals" },
    { ENDING_JOURNAL, "sweep: behind the name of --out", "cases that are done, until all are" },
    { ENDING_PICTURE, "--plot: beside --out; plot --out", "curves (needs gnuplot)" },
    { ENDING_DRAWING, "plot --out, bonds --svg, info --sparsity",
      "curves, a bond graph, the matrix of a step" },
    { ENDING_FRAMES, "run --vtu: beside --out; flex modes --out",
      "list of frames for ParaView, each a file FILE-BODY-0000.vtu: deformed mesh and stress" },
    { ENDING_PAGE, "report, drive: beside the recording", "the report of a drive" },
    { ENDING_RECORDING, "drive, replay, view --record", "a drive: model, start and all inputs" },
};
enum { N_ENDING = sizeof endings / sizeof *endings };

file_ending ending_at(int k)
{
    int tables = 0;
    const char *help, *ending;
    while ((ending = bi_result_ending(tables, &help))) {
        if (tables++ == k) {
            return (file_ending){ ending, "every --out of results, replay --csv", help };
        }
    }
    return k >= tables && k < tables + N_ENDING ? endings[k - tables] : (file_ending){ 0 };
}
