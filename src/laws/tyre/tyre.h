// SPDX-License-Identifier: MIT
// Tyres. Each kind is one file of kinds/; dynamics/law_list.h lists them.
#pragma once
#include "state/law.h"

// A law, in each of its instances. patch_state: N_PATCH numbers of what the tyre feels; friction: of the ground, a
// factor; the load is already in the answer.
struct dual_slopes;
struct dual_values;
struct tyre_answer_slopes;
struct tyre_answer_values;
typedef void tyre_law_slopes(const void *data, const struct dual_slopes *patch_state, double friction,
                             struct tyre_answer_slopes *out);
typedef void tyre_law_values(const void *data, const struct dual_values *patch_state, double friction,
                             struct tyre_answer_values *out);

// Both of one kind.
typedef struct {
    tyre_law_slopes *slopes; // with derivatives
    tyre_law_values *values; // the same law without
} tyre_laws;

// An item of a kind of tyre on the test rig. False: the kind is no tyre.
bool tyre_test(const law_kind *kind, const void *item, const bi_tyre_state *state, bi_tyre_force *out);
