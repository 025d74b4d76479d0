// SPDX-License-Identifier: MIT
// The code that a GPU runs for one sim, in words that the host and the device share. It is compiled for both: on the host tests
// go the same way without a GPU.
#pragma once
#include "sim/system.h"

// How a sim of a system travels. Its pack is the part of its block that the next step reads, as the host has it: with the
// host's addresses. On the device the block lies elsewhere, and so does the system; words that hold addresses are listed.
typedef struct {
    int64_t hot;               // words from the beginning of the block
    int64_t room;              // words up to the end of what a step uses
    int64_t log, n_log;        // and words of the log of events, where the model has events
    int64_t words;             // of the block on the device: up to the room, and the log behind it
    int64_t host_words;        // of the whole block on the host
    int64_t n_inner, n_system; // words that point into the block; into the system
    const int32_t *inner;      // (n_inner)
    const int32_t *system;     // (n_system)
} gpu_layout;

// One of the sims.
typedef struct {
    uint64_t block;       // where its block lies on the host
    uint64_t host_system; // where its system lies on the host,
    uint64_t system;      // and here
    int32_t is_on;        // it is to be stepped
    int32_t status;       // of its last step; not BI_OK: its pack is as it was before the steps
} gpu_case;

// What all of them are to do: so many steps, or as far as that instant if steps are negative.
typedef struct {
    int64_t steps;
    double t;
} gpu_work;

enum { GPU_THINGS = 256 };
// Addresses of the things that images name by number (sim/image), less the first two, which are of the C library; 0: none here.
void gpu_things(uint64_t *at);
// What a step may ask for outside, where there is nothing outside.
const sim_outside *gpu_outside(void);
// Words that hold addresses in `from` hold those in `to` now; nothing stays nothing.
void gpu_move(uint64_t *block, const int32_t *word, int64_t n, uint64_t from, uint64_t to);
// One sim: from its pack into the block, stepped, and back.
void gpu_case_run(const gpu_layout *layout, gpu_case *one, uint64_t *pack, const gpu_work *work,
                  uint64_t *block);
