// SPDX-License-Identifier: MIT
// Judging in a process of its own, and shrinking what fails.
#ifndef BIELA_TESTS_RANDOM_JUDGE_H
#define BIELA_TESTS_RANDOM_JUDGE_H

#include "compare.h"
#include "mechanism.h"
#include <sys/types.h>

// A comparison under way: a process that may crash or hang without harm.
typedef struct {
    pid_t pid;
    int pipe;
    uint64_t seed;
} child;

child child_begin(const mechanism *);
child child_of_text(const char *yaml, uint64_t seed);
outcome child_end(child *); // waits for it

// Leaves out parts and fields as long as it fails in the same way.
outcome mechanism_shrink(mechanism *, outcome first);

#endif
