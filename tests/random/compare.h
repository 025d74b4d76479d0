// SPDX-License-Identifier: MIT
// Runs a model in several ways and tells whether they agree.
#ifndef BIELA_TESTS_RANDOM_COMPARE_H
#define BIELA_TESTS_RANDOM_COMPARE_H

#include <stddef.h>

// What became of a model, the worst last.
typedef enum {
    CAME_GOOD,     // all runs call themselves good, and agree
    CAME_DOUBTFUL, // some call themselves doubtful
    CAME_BAD,
    CAME_STOPPED, // a step failed, loudly
    CAME_REFUSED, // the model was not accepted or did not start, loudly
    CAME_WRONG,   // runs that call themselves good differ
    CAMES
} came;

typedef enum {
    WRONG_NOTHING,
    WRONG_MOTION,   // positions or velocities
    WRONG_EFFORT,   // reactions and forces
    WRONG_ENERGY,   // energies
    WRONG_STATE,    // everything else
    WRONG_FINITE,   // not a number in a good run
    WRONG_SNAPSHOT, // other bits after restoring
    WRONG_CRASH,
    WRONG_HANG,
    WRONGS
} wrong;

typedef struct {
    came came;
    wrong wrong;
    char reason[40]; // one word or two, to be counted
    char text[400];
} outcome;

const char *came_name(came);
const char *wrong_name(wrong);

// `choice` decides which other scheme is compared.
outcome compare_model(const char *yaml, unsigned choice);

#endif
