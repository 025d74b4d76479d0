// SPDX-License-Identifier: MIT
// Opening a case of the waveboard of seed 001 and following its imposed motion.
#ifndef BIELA_TESTS_REFERENCE_WAVEBOARD_H
#define BIELA_TESTS_REFERENCE_WAVEBOARD_H

#include "support/run_model.h"

typedef struct {
    const char *name; // of the run
    double dt;        // 0: that of the run
    bool is_natural;  // else in joint coordinates
    const bi_setting *settings;
    int n_settings;
    void (*prepare)(bi_model *); // before it is compiled; may be NULL
} wave_case;

static inline run_model wave_open(const wave_case *what)
{
    run_model run = { 0 };
    bi_run file = { 0 };
    run.model = bi_read_model(BI_SOURCE_DIR "/models/waveboard/model.yaml", what->settings, what->n_settings,
                              what->name, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model file has mistakes");
    if (what->prepare) {
        what->prepare(run.model);
    }
    run.coordinates = what->is_natural ? BI_NATURAL : BI_JOINT;
    run.dt = what->dt > 0.0 ? what->dt : file.dt;
    run.time = file.time;
    run_compile(&run, file.scheme);
    return run;
}

// Imposed motion in whole steps until t.
static inline void wave_follow(run_model *run, double t)
{
    double from = run_now(run);
    int n = (int)((t - from) / run->dt + 0.5);
    for (int k = 1; k <= n; k++) {
        bi_status status = bi_imposed_step_to(run->sim, k == n ? t : from + k * run->dt);
        if (status != BI_OK) {
            fail_msg("imposed motion: %s", bi_sim_failure(run->sim));
        }
    }
}

static inline void wave_inverse(run_model *run, double t)
{
    wave_follow(run, t);
    run_require(bi_inverse(run->sim, NULL, &run->report) == BI_OK, &run->report, "no actions");
}

#endif
