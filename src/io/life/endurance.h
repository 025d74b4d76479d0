// SPDX-License-Identifier: MIT
// How many cycles of a stress a material endures: its line, its means, its scatter; eqs. (life.3) to (life.8).
#pragma once
#include <biela/base.h>
#include <stdbool.h>

enum { ENDURANCE_POINTS = 32 };

typedef enum {
    MEAN_NONE,      // the mean does not count
    MEAN_GOODMAN,   // straight to the tensile strength
    MEAN_GERBER,    // a parabola to the tensile strength
    MEAN_SODERBERG, // straight to the yield stress
    MEAN_SWT,       // Smith, Watson and Topper: root of largest stress times amplitude
    MEAN_HAIGH,     // four straight pieces by the sensitivity to the mean
    MEAN_COUNT
} mean_rule;

// Amplitudes that are endured at a stress ratio of -1, falling, over cycles, rising; straight in the logarithms between
// two points.
typedef struct {
    char name[64];
    int n_point;
    double cycles[ENDURANCE_POINTS], amplitude[ENDURANCE_POINTS];
    double slope, slope_beyond; // before the first point and behind the last one
    double limit;               // Pa, amplitudes up to this do no damage; 0: none
    double ultimate, yield;     // Pa; 0: not known
    double sensitivity; // to the mean, Haigh's slope from pure alternating to pulsating; negative: not known
    double scatter;     // standard deviation of log10 of the cycles
    double survival;    // that the points have, 0 .. 1
    bool is_range;      // of a seam: the range alone counts, not the mean
    mean_rule mean;
    double share; // of the normal stress beside a shear; 0: stresses are no shears on planes
    double gate;  // Pa, ranges up to this do no damage that a number could hold
    bi_place place;
} endurance;

// Of one cycle; peak: the largest normal stress in it, where shears on planes are counted.
double endurance_of_cycle(const endurance *, double range, double mean, double peak);
// When all else is known.
void endurance_finish(endurance *);
// Moves the line to another probability of survival.
void endurance_survive(endurance *, double survival);
const char *mean_rule_name(int); // NULL: none
