// SPDX-License-Identifier: MIT
/* evidence.h - a recording simulated again several ways, sampled: as it was, with half the step, with parameters changed. */
#pragma once
#include "course/exercise.h"
#include "running/rerun.h"

enum { EVIDENCE_SAMPLES = 1500 };

typedef struct {
    int n, n_channel, n_input;
    double *t;       /* (n) s */
    double *channel; /* (n_channel * n) channel by channel */
    double *input;   /* (n_input * n) in use */
    int n_body;
    bi_pose *pose; /* (n * n_body) of all bodies, the ground first; NULL: not asked for */
    bi_status status;
    int64_t steps, compared, equal; /* done; hashes */
    bool is_same;
    uint64_t hash;
} evidence_run;

/* What is done on the way. */
typedef struct {
    exercise *exercise; /* judged at every step; NULL: none */
    void (*each)(void *data,
                 const double *all); /* at the start and after every step, with all channels; NULL: none */
    void *data;
    enum { EVIDENCE_VALUES, EVIDENCE_POSES } kind; /* with poses: for pictures */
} evidence_watch;
/* Simulates all of it. */
void evidence_simulate(rerun *, const evidence_watch *, evidence_run *);
void evidence_clear(evidence_run *);
/* Largest difference of a channel between two runs sampled at the same instants, and at their end. */
typedef struct {
    double largest, last, range; /* range: of the channel in the first run */
} evidence_difference;
evidence_difference evidence_compare(const evidence_run *, const evidence_run *, int channel);
