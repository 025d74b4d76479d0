// SPDX-License-Identifier: MIT
// How slippery the ground is at a place, now: patches with another friction, also those whose numbers follow inputs.
#pragma once
#include "state/plan.h"
#include "state/trays.h"

// Who asks for it says so while compiling; the model, or NULL: friction is the same everywhere.
static inline const bi_model *slippery_plan(plan *p, int element)
{
    const bi_model *m = p->model;
    for (int k = 0; k < m->n_patch; k++) {
        const bi_patch_def *d = &m->patch[k].def;
        for (int i = 0; i < 3; i++) {
            plan_certain_signal(p, element, d->disc[i], NULL);
        }
        plan_certain_signal(p, element, d->factor, "factor");
    }
    return m->n_patch > 0 ? m : NULL;
}

static inline double slippery_signal(const signals *u, bi_expr e) { return u->signal[e.i - 1].v; }

static inline bool slippery_covers(const model_patch *p, const signals *u, vec3 at)
{
    const bi_patch_def *d = &p->def;
    if (!model_patch_moves(d)) {
        return model_patch_covers(p, at);
    }
    double r = slippery_signal(u, d->disc[2]);
    double x = at.x - slippery_signal(u, d->disc[0]), y = at.y - slippery_signal(u, d->disc[1]);
    return r > 0.0 && x * x + y * y <= r * r;
}

// The factor of the last patch that covers the place; 1 where none does.
static inline double slippery_at(const bi_model *m, const signals *u, vec3 at)
{
    for (int k = m->n_patch - 1; k >= 0; k--) {
        const model_patch *p = &m->patch[k];
        if (slippery_covers(p, u, at)) {
            double factor = p->def.factor.i > 0 ? slippery_signal(u, p->def.factor) : p->def.friction;
            return factor > 0.0 ? factor : 0.0; // a negative one ends the run (plan_certain_signal)
        }
    }
    return 1.0;
}
