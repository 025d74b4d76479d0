// SPDX-License-Identifier: MIT
// Tyres. Each kind is one file; dynamics/laws.c lists them.
#pragma once
#include "state/law.h"

extern const law_kind tyre_linear_kind;
extern const law_kind tyre_pacejka_kind;
extern const law_kind tyre_tmeasy_kind;
extern const law_kind tyre_lean_kind;

// An item of any of these kinds on the test rig. False: the kind is no tyre.
bool tyre_test(const law_kind *kind, const void *item, const bi_tyre_state *state, bi_tyre_force *out);
