// SPDX-License-Identifier: MIT
// What the mechanism looks like to the solver: its size, and the scheme that suits it.
#include "analysis/freedom.h"
#include "analysis/named_count.h"

static void recommend(bi_sim *sim, bi_info *out)
{
    stepper *s = &sim->stepper;
    double dt = sim->system->options.dt, frequency = 0.0, decay = 0.0;
    out->recommended = BI_ALI3P;
    if (s->d->has_contact) {
        out->reason = "contact changes the forces abruptly";
        return;
    }
    if (s->d->plan.n_memory > 0) {
        out->reason = "some laws and constraints switch: their forces change abruptly";
        return;
    }
    // explicit rules on points and vectors lose (turn per step)^6 / 144 of the energy in each step (verdict.2)
    if (s->d->structure.n_frame > 0 && stepper_spin(s).rate * dt > 0.1) {
        out->reason = "a body turns far in a step, which explicit steps in natural coordinates do not follow";
        return;
    }
    stepper_fastest(s, &sim->shown, &frequency, &decay);
    // Runge-Kutta 4 is stable to about 2.8; one radian per step is where it is still accurate
    if (frequency * dt > 1.0 || decay * dt > 1.0) {
        out->reason = "stiff laws: the fastest motion is shorter than a step";
        return;
    }
    out->recommended = BI_INDEX1_RK4;
    out->reason = s->d->plan.n_block > 0 ? "no law is stiff at this step" : "no law has stiffness";
}

bi_status bi_sim_info(bi_sim *sim, bi_info *out, bi_report *report)
{
    bi_status refused = out ? sim_refuse(sim) : BI_BAD_ARGUMENT;
    if (refused != BI_OK) {
        return refused;
    }
    const bi_system *s = sim->system;
    const structure *st = &s->dynamics.structure;
    sim_show(sim, SHOWN_STATE);
    *out = (bi_info){ .bodies = s->model->n_body - 1,
                      .joints = s->model->n_joint,
                      .variables = st->n,
                      .constraints = st->n_row,
                      .nonzeros_tangent = st->tangent.nnz,
                      .nonzeros_factor = solver_nnz(s->fac) };
    for (int r = 0; r < st->n_row; r++) {
        out->velocity_constraints += st->is_velocity[r];
    }
    if (!freedom_find(sim, out, NULL, report)) {
        return BI_NO_MEMORY;
    }
    named_count(s->model, report);
    recommend(sim, out);
    sim->have = 0;
    return BI_OK;
}
