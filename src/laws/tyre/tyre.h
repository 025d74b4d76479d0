// SPDX-License-Identifier: MIT
// Tyres. Each kind is one file of kinds/; dynamics/law_list.h lists them.
#pragma once
#include "state/law.h"

// An item of a kind of tyre on the test rig. False: the kind is no tyre.
bool tyre_test(const law_kind *kind, const void *item, const bi_tyre_state *state, bi_tyre_force *out);
