// SPDX-License-Identifier: MIT
// How second rates and rates of states change with a coordinate, a rate or a state (linearisation.6).
#pragma once
#include "analysis/reduction.h"

// variable: a coordinate of q or v, or the number of a state.
typedef enum { OF_POSITION, OF_RATE, OF_STATE } variable_kind;

// What is differentiated: second rates of the freedoms, then rates of the states.
static inline int result_count(const reduction *r) { return r->n_freedom + r->n_z; }

// out (result_count); work: three times as much. False: no two steps agree.
bool derivative(reduction *r, variable_kind kind, int variable, double *work, double *out);
