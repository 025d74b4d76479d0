// SPDX-License-Identifier: MIT
// Rows that can only push: what contacts by constraints hold at the state shown.
#include "sim/system.h"
#include <math.h>

int bi_touch_count(const bi_system *s) { return s ? s->dynamics.plan.n_contact : 0; }

const char *bi_touch_name(const bi_system *s, int k)
{
    const plan *p = s ? &s->dynamics.plan : NULL;
    return p && k >= 0 && k < p->n_contact ? s->model->element[p->contact[k].element].name : NULL;
}

double bi_sim_touch(bi_sim *sim, int k)
{
    const plan *p = sim_is_shown(sim) ? &sim->system->dynamics.plan : NULL;
    if (!p || k < 0 || k >= p->n_contact) {
        return NAN;
    }
    sim_show(sim, SHOWN_STATE | SHOWN_REACTIONS);
    return -sim->exact.lambda[p->contact[k].row];
}
