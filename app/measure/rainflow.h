// SPDX-License-Identifier: MIT
/* rainflow.h - cycles in a history of stress (ASTM E1049) and the damage that they do. */
#pragma once
#include <stdbool.h>

typedef struct {
    double range, mean;
    double count;      /* 1 a cycle, 0.5 half of one */
    int first, second; /* samples of its two turning points, the earlier first */
} rainflow_cycle;

typedef enum {
    RAINFLOW_ONCE,    /* the history as it is: what does not close counts half (E1049, 5.4.4) */
    RAINFLOW_REPEATED /* the history again and again: whole cycles only (E1049, 5.4.5) */
} rainflow_kind;

/* Cycles of the samples; `out` has room for `count` of them. Gives their number, -1: no memory. Samples must be finite. */
int rainflow_count(const double *sample, int count, rainflow_kind kind, rainflow_cycle *out);

/* Endurance: N = reference_cycles (amplitude / equivalent amplitude)^slope, Basquin's line through one point. */
typedef struct {
    double amplitude;        /* Pa, endured for reference_cycles */
    double reference_cycles; /* */
    double slope;            /* exponent, 3 .. 15 */
    double ultimate;         /* Pa, tensile strength for Goodman's correction of the mean; 0: none */
    double limit;            /* Pa, amplitudes up to this do no damage; 0: none */
} endurance;

/* Amplitude without mean that does the same damage: Goodman, Sa / (1 - Sm / Rm); a mean in compression does not help.
 * Infinite when the mean reaches the strength. */
double endurance_equivalent(const endurance *, double range, double mean);

/* Sum of n / N (Palmgren and Miner). */
double endurance_damage(const endurance *, const rainflow_cycle *cycle, int count);
