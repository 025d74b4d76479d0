// SPDX-License-Identifier: MIT
/* evidence.h - a recording simulated again several ways, sampled: as it was, with half the step, with parameters changed. */
#pragma once
#include "live/exercise.h"
#include "running/rerun.h"

enum { EVIDENCE_SAMPLES = 1500 };

typedef struct {
    int n, n_channel, n_input;
    double *t;        /* (n) s */
    double *channel;  /* (n_channel * n) channel by channel */
    double *input;    /* (n_input * n) in use */
    double *position; /* (3 * n) of a body, x then y then z */
    bi_status status;
    int64_t steps, compared, equal; /* done; hashes */
    bool is_same;
    uint64_t hash;
} evidence_run;

/* Simulates all of it. `body` < 1: no positions. The exercise, if any, is judged at every step. */
void evidence_simulate(rerun *, int body, exercise *, evidence_run *);
void evidence_clear(evidence_run *);
/* Largest difference of a channel between two runs sampled at the same instants, and at their end. */
typedef struct {
    double largest, last, range; /* range: of the channel in the first run */
} evidence_difference;
evidence_difference evidence_compare(const evidence_run *, const evidence_run *, int channel);
