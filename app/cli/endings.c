// SPDX-License-Identifier: MIT
#include "cli/endings.h"
#include <biela/io.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const file_ending endings[] = {
    { ENDING_EVENTS, "run, kinematics: beside --out",
      "what happened, a line per event of the model; of a contact also what touched what, where (m), speed "
      "(m/s), largest force (N), energy taken (J)" },
    { ENDING_LIFE, "run, replay --life: beside --out or --csv",
      "fatigue of every element and node of flexible bodies; beside it FILE-BODY-life.vtu for ParaView" },
    { ENDING_VERDICT, "run, kinematics: beside --out", "what the run thinks of itself, as JSON" },
    { ENDING_STATE, "run: beside --out", "the state before a step that failed, for --restart" },
    { ENDING_SUMMARY, "sweep --random: beside --out",
      "quantiles of the samples with their confidence intervals" },
    { ENDING_SAMPLES, "report --samples: beside --out",
      "a row per sample: its parameters, whether it tips over, when and at which speed" },
    { ENDING_JOURNAL, "sweep, report --samples: behind the name of the table",
      "cases that are done, until all are" },
    { ENDING_PICTURE, "--plot: beside --out; plot --out", "curves (needs gnuplot)" },
    { ENDING_DRAWING, "plot --out, bonds --svg, info --sparsity and --view",
      "curves, a bond graph, the matrix of a step, what is inside a model" },
    { ENDING_FRAMES, "run --vtu: beside --out; flex modes --out",
      "list of frames for ParaView, each a file FILE-BODY-0000.vtu: deformed mesh and stress" },
    { ENDING_PAGE, "report, drive: beside the recording", "the report of a drive" },
    { ENDING_RECORDING, "drive, replay, view --record; report of a run: beside --out",
      "a drive: model, start and all inputs" },
    { ENDING_IMAGE, "compile --out", "a compiled model, for run" },
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

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

// What its name says it is, and is no table.
static const char *other_ending(const char *path)
{
    static const char *const others[] = {
        ".vtu", ".pdf",  ".jpg", ".mat",  ".xls", ".xlsx", ".json", ".gz",
        ".zip", ".yaml", ".yml", ".urdf", ".inp", ".msh",  ".stl",  ".obj"
    };
    for (int k = 0; k < N_ENDING; k++) {
        if (!ends_with(endings[k].ending, ".csv") && ends_with(path, endings[k].ending)) {
            return endings[k].ending;
        }
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (ends_with(path, others[k])) {
            return others[k];
        }
    }
    return NULL;
}

bool ending_fits(const char *what, const char *path, ending_choice choice)
{
    const char *other = path ? other_ending(path) : NULL;
    if (other) {
        fprintf(stderr, "biela: error: %s %s: %s is no table; results are written as %s\n", what, path, other,
                choice == ENDING_TEXT ? ".csv" : ".csv, .h5 or .hdf5");
    } else if (path && choice == ENDING_TEXT && (ends_with(path, ".h5") || ends_with(path, ".hdf5"))) {
        fprintf(stderr, "biela: error: %s %s: this command writes text only; name it .csv\n", what, path);
        return false;
    }
    return !other;
}
