// SPDX-License-Identifier: MIT
// What a tyre in the bench says, and how its wheel is turned.
#ifndef BIELA_TESTS_LAWS_TYRE_BENCH_H
#define BIELA_TESTS_LAWS_TYRE_BENCH_H

#include "laws/law_bench.h"

static inline double reading(const bench *b, const char *name)
{
    const plan_readings *t = &b->plan.readings[0];
    for (int k = 0; k < t->count; k++) {
        if (strcmp(t->name[k], name) == 0) {
            return b->load.scalar[t->scalar + k];
        }
    }
    fail_msg("no reading is called %s", name);
    return 0.0;
}

static inline mat3 turn_about(int axis, double angle)
{
    const double v[3] = { axis == 0 ? angle : 0.0, axis == 1 ? angle : 0.0, axis == 2 ? angle : 0.0 };
    return quat_to_mat3(quat_exp(tray_vec3(v)));
}

#endif
