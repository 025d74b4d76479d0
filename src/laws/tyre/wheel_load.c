// SPDX-License-Identifier: MIT
// What the ground does to a wheel whose patch is known. Compiled twice, as the laws of kinds/ are: with derivatives,
// and with TYRE_VALUES without.
#include "laws/tyre/wheel.h"

// spin over which rolling resistance comes in, rad/s: it must not push a wheel at rest
static const double roll_soft = 0.2;

static dual normal_force(const tyre_spring *s, dual depth, dual rate)
{
    dual force = dual_add_scaled(dual_scale(s->stiffness, depth), s->damping, rate);
    if (s->damping_2 > 0.0) {
        force = dual_add_scaled(force, s->damping_2, dual_mul(depth, rate));
    }
    if (s->stiffness_2 > 0.0) {
        force = dual_add_scaled(force, s->stiffness_2, dual_mul(depth, depth));
    }
    return force.v > 0.0 ? force : dual_of(0.0);
}

// The rolling radius as the tyre feels it.
static dual rolling_radius(const tyre_shape *shape, const dual *patch_state)
{
    if (shape->rolling > 0.0) {
        return dual_of(shape->rolling);
    }
    if (!shape->at_rim) {
        return dual_shift(dual_scale(-patch_sinking, patch_state[PATCH_DEPTH]), tyre_radius(shape));
    }
    double a2 = shape->radial * shape->radial, b2 = shape->axial * shape->axial;
    dual c2 = dual_mul(patch_state[PATCH_CAMBER], patch_state[PATCH_CAMBER]),
         s2 = dual_shift(dual_neg(c2), 1.0);
    dual q2 = dual_add(dual_scale(a2, s2), dual_scale(b2, c2));
    return q2.v > 0.0 ? dual_shift(dual_scale(a2, dual_sqrt(dual_div(s2, q2))), shape->ring)
                      : dual_of(shape->ring);
}

// load times rolling radius times a factor of the speed, against the spin (tyre.13)
static dual resistance_moment(const wheel *w, const dual *patch_state, dual load)
{
    dual speed = dual_add(patch_state[PATCH_ROLL], patch_state[PATCH_SLIP_X]),
         radius = rolling_radius(&w->shape, patch_state);
    dual factor = dual_shift(dual_scale(w->resistance[1], dual_mul(speed, speed)), w->resistance[0]);
    dual share = dual_tanh(dual_scale(1.0 / roll_soft, dual_div(patch_state[PATCH_ROLL], radius)));
    return dual_neg(dual_mul(dual_mul(factor, share), dual_mul(load, radius)));
}

static tyre_answer answer_at(const wheel *w, const tyre_patch *patch, double friction)
{
    tyre_answer out = { 0 };
    dual patch_state[N_PATCH];
    for (int k = 0; k < N_PATCH; k++) {
        patch_state[k] = dual_variable(patch->patch_state[k], k);
    }
    out.load = normal_force(&w->spring, patch_state[PATCH_DEPTH], patch_state[PATCH_DEPTH_RATE]);
#ifdef TYRE_VALUES
    w->laws->values(w->data, patch_state, friction, &out);
#else
    w->laws->slopes(w->data, patch_state, friction, &out);
#endif
    if (w->resistance[0] > 0.0 || w->resistance[1] > 0.0) {
        dual moment = resistance_moment(w, patch_state, out.load);
        out.roll = dual_add(out.roll, moment);
    }
    return out;
}

// Forces of the tread, through the carcass if there is one.
static carcass_force tread_force(const wheel *w, const tread *t, const double from[2], double h)
{
    if (w->state >= 0) {
        return carcass_eval(&w->carcass, t, from, h);
    }
    return (carcass_force){ .force = { dual_div(t->drive[0], t->give), dual_div(t->drive[1], t->give) } };
}

static wheel_values values_of(const tyre_answer *a, const carcass_force *f)
{
    return (wheel_values){ .fx = f->force[0].v,
                           .fy = f->force[1].v,
                           .load = a->load.v,
                           .roll = a->roll.v,
                           .turn = a->turn.v,
                           .slip = { a->slip[0], a->slip[1] },
                           .limit = { a->tread.limit[0].v, a->tread.limit[1].v },
                           .rate = { f->rate[0], f->rate[1] } };
}

#ifdef TYRE_VALUES
wheel_values wheel_values_at(const wheel *w, const tyre_patch *patch, double friction, const double from[2],
                             double h)
{
    tyre_answer a = answer_at(w, patch, friction);
    carcass_force f = tread_force(w, &a.tread, from, h);
    return values_of(&a, &f);
}

void wheel_rest_at(const wheel *w, const tyre_patch *patch, double friction, double deflection[2])
{
    tyre_answer a = answer_at(w, patch, friction);
    carcass_rest(&w->carcass, &a.tread, deflection);
}
#else
void wheel_load_at(const wheel *w, const tyre_patch *patch, double friction, const double from[2], double h,
                   wheel_load *out)
{
    tyre_answer a = answer_at(w, patch, friction);
    carcass_force f = tread_force(w, &a.tread, from, h);
    *out = (wheel_load){ values_of(&a, &f), f.force[0], f.force[1], a.load, a.roll, a.turn };
}
#endif
