// SPDX-License-Identifier: MIT
// The state shown: a copy of the stepper's, interpolated when that is ahead, worked out as far as somebody reads.
#include "math/rotation.h"
#include "sim/system.h"
#include <math.h>
#include <string.h>

// Fifth degree through q, v and a of both ends: dense output of explicit schemes, error of order six (explicit.8).
static void interpolate_fifth(bi_sim *sim, double x, double h)
{
    const coords *a = &sim->stepper.old, *b = &sim->stepper.now;
    coords *to = &sim->shown;
    for (int i = 0; i < sim->system->dynamics.structure.n; i++) {
        // q = q0 + h v0 x + h^2 a0 x^2/2 + x^3 (c3 + c4 x + c5 x^2)
        double v0 = h * a->v[i], a0 = 0.5 * h * h * a->a[i];
        double rest = b->q[i] - a->q[i] - v0 - a0, slope = h * b->v[i] - v0 - 2.0 * a0;
        double bend = 0.5 * h * h * b->a[i] - a0;
        double c3 = 10.0 * rest - 4.0 * slope + bend, c4 = -15.0 * rest + 7.0 * slope - 2.0 * bend;
        double c5 = 6.0 * rest - 3.0 * slope + bend;
        to->q[i] = a->q[i] + x * (v0 + x * (a0 + x * (c3 + x * (c4 + x * c5))));
        to->v[i] = (v0 + x * (2.0 * a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h;
        to->a[i] = (2.0 * a0 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))) / (h * h);
    }
    double a0 = (1.0 + 2.0 * x) * (1.0 - x) * (1.0 - x), a1 = x * (1.0 - x) * (1.0 - x) * h;
    double b0 = x * x * (3.0 - 2.0 * x), b1 = x * x * (x - 1.0) * h;
    for (int i = 0; i < sim->system->dynamics.plan.n_z; i++) {
        to->z[i] = a0 * a->z[i] + a1 * a->dz[i] + b0 * b->z[i] + b1 * b->dz[i];
    }
    to->t = sim->t;
}

// Cubic Hermite in q and v between the last two states of the stepper: order four, like nothing the stepper does.
static void interpolate(bi_sim *sim)
{
    const coords *a = &sim->stepper.old, *b = &sim->stepper.now;
    coords *to = &sim->shown;
    double h = b->t - a->t, x = (sim->t - a->t) / h;
    if (sim_scheme(sim)->is_explicit) {
        interpolate_fifth(sim, x, h);
        return;
    }
    double a0 = (1.0 + 2.0 * x) * (1.0 - x) * (1.0 - x), a1 = x * (1.0 - x) * (1.0 - x) * h;
    double b0 = x * x * (3.0 - 2.0 * x), b1 = x * x * (x - 1.0) * h;
    for (int i = 0; i < sim->system->dynamics.structure.n; i++) {
        to->q[i] = a0 * a->q[i] + a1 * a->v[i] + b0 * b->q[i] + b1 * b->v[i];
        to->v[i] = a0 * a->v[i] + a1 * a->a[i] + b0 * b->v[i] + b1 * b->a[i];
        to->a[i] = (1.0 - x) * a->a[i] + x * b->a[i];
    }
    for (int i = 0; i < sim->system->dynamics.plan.n_z; i++) {
        to->z[i] = (1.0 - x) * a->z[i] + x * b->z[i];
    }
    to->t = sim->t;
}

static double work_shown(const bi_sim *sim)
{
    const coords *a = &sim->stepper.old, *b = &sim->stepper.now;
    if (b->t <= sim->t) {
        return sim->work;
    }
    double x = (sim->t - a->t) / (b->t - a->t);
    return (1.0 - x) * sim->work_old + x * sim->work;
}

// Loads, motion and mass of the state shown, or what else is wanted, on the trays. Works on a copy: reading never
// changes a run.
static void show_state(bi_sim *sim, unsigned want)
{
    stepper *s = &sim->stepper;
    coords_copy(s->d, &s->now, &sim->shown);
    if (s->now.t > sim->t) {
        interpolate(sim);
        sim_sleep_between(sim);
    }
    s->trays.z_old = sim->shown.z;
    s->trays.dz_old = sim->shown.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &sim->shown, &s->trays, LIFT_ALL | LAW_EXPLICIT | want);
}

static void show_energy(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    energy_state e = dynamics_energy_evaluated(s->d, &sim->shown, &s->trays, 0);
    sim->energy[ENERGY_KINETIC] = dynamics_kinetic(s->d, &sim->shown, &s->trays, s->product);
    sim->energy[ENERGY_POTENTIAL] = e.potential;
    sim->energy[ENERGY_TOTAL] = sim->energy[ENERGY_KINETIC] + e.potential;
    sim->energy[ENERGY_BALANCE] = sim->energy[ENERGY_TOTAL] - sim->energy_start - work_shown(sim);
}

// One acceleration-level pass on a copy; its multipliers stay there for the channels.
static void show_reactions(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    reaction_pass(s, &sim->shown, &sim->exact);
    s->d->set->reactions(s->d->coordinates, &sim->exact, &s->trays.motion, &s->trays.load, &s->trays.rows,
                         sim->scratch, sim->reaction);
}

void sim_show_end(bi_sim *sim, unsigned need)
{
    const stepper *s = &sim->stepper;
    if (s->trays.is_evaluated && sim_scheme(sim)->is_explicit &&
        (need & ~(unsigned)(SHOWN_STATE | SHOWN_MOTION)) == 0) {
        bool has_rows = s->d->structure.n_row > 0;
        show_state(sim, has_rows ? LAW_POSITION | LAW_SECOND : 0);
        sim->have = need;
    } else {
        sim_show(sim, need);
    }
}

void sim_show_watched(bi_sim *sim, unsigned need)
{
    stepper *s = &sim->stepper;
    size_t size = (size_t)s->d->plan.n_z * sizeof(double);
    // the stepper's state itself, but for what signals write
    coords at = s->now;
    at.z = memcpy(sim->shown.z, s->now.z, size);
    at.dz = memcpy(sim->shown.dz, s->now.dz, size);
    s->trays.z_old = at.z;
    s->trays.dz_old = at.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &at, &s->trays, LAW_EXPLICIT | LAW_WATCHED);
    if (need & SHOWN_POSES) {
        s->d->set->poses(s->d->coordinates, &at, &s->trays.motion, sim->system->event_body, sim->pose,
                         sim->twist);
    }
    sim->have = need;
}

void sim_show(bi_sim *sim, unsigned need)
{
    unsigned missing = need & ~sim->have;
    if (missing & SHOWN_STATE) {
        // the mass matrix is for energies only
        bool wants_mass =
            (missing & SHOWN_ENERGY) && dynamics_needs_mass(sim->stepper.d, &sim->stepper.trays);
        show_state(sim, LAW_POSITION | LAW_SECOND | (wants_mass ? EVAL_ALL : EVAL_RESIDUAL));
        need |= SHOWN_MOTION | (missing & SHOWN_ENERGY ? SHOWN_MASS : 0);
    } else if (missing & SHOWN_MOTION) {
        show_state(sim, 0);
    }
    if (missing & SHOWN_POSES) {
        sim->stepper.d->set->poses(sim->stepper.d->coordinates, &sim->shown, &sim->stepper.trays.motion, NULL,
                                   sim->pose, sim->twist);
    }
    if (missing & SHOWN_ENERGY) {
        if (!((sim->have | need) & SHOWN_MASS) && dynamics_needs_mass(sim->stepper.d, &sim->stepper.trays)) {
            show_state(sim, LAW_POSITION | LAW_SECOND | EVAL_ALL);
            need |= SHOWN_MASS;
        }
        show_energy(sim);
    }
    if (missing & SHOWN_REACTIONS) {
        show_reactions(sim);
    }
    if (missing & SHOWN_ACCELERATIONS) {
        sensors_accelerate(sim);
    }
    if (missing & SHOWN_STEP_ACCELERATIONS) {
        sensors_step_accelerate(sim);
    }
    sim->have |= need;
}

double bi_sim_time(const bi_sim *sim) { return sim_is_shown(sim) ? sim->t : NAN; }

bi_view bi_sim_view(bi_sim *sim)
{
    if (!sim_is_shown(sim)) {
        return (bi_view){ 0 };
    }
    sim_show(sim, SHOWN_STATE | SHOWN_POSES);
    const structure *st = &sim->system->dynamics.structure;
    return (bi_view){ .t = sim->t,
                      .step = sim->step,
                      .n_body = sim->system->model->n_body,
                      .n_q = st->n,
                      .n_rows = st->n_row,
                      .q = sim->shown.q,
                      .v = sim->shown.v,
                      .a = sim->shown.a,
                      .pose = sim->pose,
                      .twist = sim->twist };
}

bi_statistics bi_sim_statistics(bi_sim *sim)
{
    if (!sim_is_shown(sim)) {
        return (bi_statistics){ 0 };
    }
    sim_show(sim, SHOWN_STATE);
    stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    const rows *r = &s->trays.rows;
    bi_statistics out = { .steps = sim->step,
                          .iterations = stepper_counted(s).iterations,
                          .factors = stepper_counted(s).factors,
                          .step_overs = sim->step_overs,
                          .unconverged = sim->unconverged,
                          .rejected = sim->adapt.rejected,
                          .forced = sim->adapt.forced,
                          .dt_smallest = sim->adapt.smallest,
                          .dt_largest = sim->adapt.largest,
                          .moved = sim->moved,
                          .turned = sim->turned };
    for (int k = 0; k < st->n_row; k++) {
        const double *G = s->trays.equations.G;
        double rate = st->is_velocity[k] ? r->phi[k] : row_dot(st, G, k, sim->shown.v) + r->phi_t[k];
        double second = row_dot(st, G, k, sim->shown.a) + r->gamma[k];
        out.violation = fmax(out.violation, st->is_velocity[k] ? 0.0 : fabs(r->phi[k]));
        out.violation_rate = fmax(out.violation_rate, fabs(rate));
        out.violation_acceleration = fmax(out.violation_acceleration, fabs(second));
    }
    return out;
}
