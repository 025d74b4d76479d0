// SPDX-License-Identifier: MIT
// What every kind of signal looks like. A kind is one file; the list is in kinds.c.
#pragma once
#include "state/law.h"

enum { SIGNAL_INPUTS = 4 };

typedef struct {
    double t, h; // time of the evaluation; step, zero outside implicit steps
    unsigned want;
    const double *z_old, *dz_old, *memory; // all signals and laws; each owns its slice
    jet input[SIGNAL_INPUTS];              // its expressions in the order of the fields; t where unset
    // efforts of laws and multipliers of rows: after acceptance; efforts also where a graph is read in the step
    const double *scalar, *lambda;
    law_doubts *doubts; // in commit; NULL: nobody asks
} signal_in;

typedef struct {
    jet value;                  // and derivatives with time, joint coordinates held
    double gain[SIGNAL_INPUTS]; // d value / d input
    double *z, *dz;
} signal_out;

typedef struct {
    const bi_kind *schema;
    size_t item; // bytes of one compiled signal
    void (*compile)(plan *p, const void *def, void *item);
    void (*eval)(const void *item, const signal_in *in, signal_out *out);
    void (*commit)(const void *item, const signal_in *in, double value, double *memory); // NULL: no memory
} signal_kind;

extern const signal_kind expr_signal, table_signal, filter_signal, rate_limit_signal, pid_signal,
    delay_signal, switch_signal, effort_signal, actuator_signal, path_signal, count_signal, sample_signal;

int signal_kind_count(void);
const signal_kind *signal_kind_at(int k);
// Of an effort: where it stands in load.scalar.
int effort_signal_scalar(const void *item);
// Of a table: the first point after x and before the limit.
double table_signal_corner(const void *item, double x, double limit);
