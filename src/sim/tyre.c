// SPDX-License-Identifier: MIT
// A tyre of a system on the test rig.
#include "dynamics/laws.h"
#include "sim/system.h"

bool bi_tyre_test(const bi_system *s, bi_element element, const bi_tyre_state *state, bi_tyre_force *out)
{
    if (!s || !state || !out || element.i < 1 || element.i > s->model->n_element) {
        return false;
    }
    return laws_test_tyre(&s->dynamics.laws, s->model, element.i - 1, state, out);
}
