// SPDX-License-Identifier: MIT
// Sims that are stepped side by side on one core, one in each lane of its vectors, with the bits that each has alone.
#pragma once
#include "gpu/gpu.h"
#include "lanes/arena.h"

// The code for this processor, made by tools/lanes/build from that of the engine.
typedef struct {
    void *library;
    int lanes;
    uint64_t outside, things[GPU_THINGS]; // in every arena, from its beginning
    const char *globals;
    int64_t n_globals;
    int (*step)(lanes_arena *, char *stack, char *sim);
    int (*step_toward)(lanes_arena *, char *stack, char *sim, double t);
} lanes_code;

// code.c; false: the report says why there is none.
bool lanes_code_open(lanes_code *code, bi_report *report);
void lanes_code_close(lanes_code *code);

// Who steps groups: one for each thread.
typedef struct lanes_worker lanes_worker;
lanes_worker *lanes_worker_open(const lanes_code *code, const gpu_layout *layout);
void lanes_worker_close(lanes_worker *w);

// What became of sims.
typedef struct {
    int64_t together, alone; // turns done side by side, one lane after the other
} lanes_count;

// Up to code->lanes sims on their way, which are started and have not failed; status[k] tells how it went. Those that cannot go along
// with the first one, and turns on which the lanes part, are done alone.
void lanes_go(lanes_worker *w, bi_sim *const *sim, int count, const gpu_work *work, bi_status *status);
lanes_count lanes_counted(const lanes_worker *w);
// So often lanes parted at a place of build/lanes/sites8 or sites4; NULL: there is no such place.
const int64_t *lanes_parted(const lanes_worker *w, int32_t site);
