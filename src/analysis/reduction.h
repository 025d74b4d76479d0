// SPDX-License-Identifier: MIT
// The motion seen through its freedoms: positions and rates that keep the constraints, and second rates of the free
// coordinates only (linearisation.1 .. linearisation.5). Dense; for analysis.
#pragma once
#include "sim/system.h"

typedef struct {
    bi_sim *sim;
    stepper *s;
    const structure *st;
    int n, n_row;
    void *memory;    // of `at`
    coords at;       // the state under work
    double *q0, *v0; // the state linearised about                                  (n)
    double *z0;      // numbers of laws there                                       (n_all_z)
    double *z_first; // as it was given: a search may move them                     (n_all_z)
    int n_all_z;
    int *state, n_z; // those of them that are states: motions depend on them       (n_z)
    int n_counter;   // behind them: states on which nothing depends (counters.h)
    int *named, n_named;
    int *bound, n_bound;     // positions that the constraints determine            (n)
    int *held, n_held;       // positions that are neither named nor bound          (n)
    int *slave, n_slave;     // rates that the constraints determine                (n)
    int *freedom, n_freedom; // free rates: the named ones first, then the rest      (n)
    double *G;               // gradients                                                        (n_row * n)
    double *A, *b; // work of least squares                                        (n_row * n), (n_row + n)
    double *N;     // rates of all coordinates per free rate                           (n * n_freedom)
    double *a;     // second rates                                                     (n)
    double *Mr;    // N^T M N                                                          (n_freedom^2)
    double *y;     // second rates of the freedoms                                     (n_freedom)
} reduction;

// From the state shown by the sim. named = NULL: as many coordinates as there are freedoms are chosen. BI_BAD_MODEL:
// the report tells which named coordinate is not independent.
bi_status reduction_create(reduction *r, bi_sim *sim, bi_report *report);
void reduction_clear(reduction *r);

// `at` is q0, v0, z0 again.
void reduction_reset(reduction *r);
// Bound positions and slave rates of `at` follow from the others. False: they cannot.
bool reduction_close(reduction *r);
// N, Mr, a, y and the rates dz of the states at `at`. False: a direction without inertia.
bool reduction_accelerate(reduction *r);
// Largest violation of the position rows at `at`.
double reduction_violation(reduction *r);
// "base.angle2", or "frame (x)".
void reduction_name(const reduction *r, int variable, char *text, size_t size);
// A state that a search has moved far beyond what it was, in z_first: a battery that is emptied until nothing flows, or filled to
// a voltage at which hardly anything does. The motion found is another one. -1: none.
int reduction_strayed(const reduction *r);
// "drive.engine.flywheel.p" of a graph, "'filter1'" of another law with one state; which: place in the numbers of laws.
void reduction_state_name(const reduction *r, int which, char *text, size_t size);
