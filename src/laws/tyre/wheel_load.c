// SPDX-License-Identifier: MIT
// What the ground does to a wheel whose patch is known. Compiled twice, as the laws of kinds/ are: with derivatives,
// and with TYRE_VALUES without.
#include "laws/tyre/wheel.h"

// spin over which rolling resistance comes in, rad/s: it must not push a wheel at rest
static const double roll_soft = 0.2;

// The rim, where it comes to bear; a tyre never pulls.
static dual pressed_through(const tyre_spring *s, dual depth, dual force)
{
    if (s->bottom_stiffness > 0.0 && depth.v > s->bottom_depth) {
        force = dual_add_scaled(force, s->bottom_stiffness, dual_shift(depth, -s->bottom_depth));
    }
    return force.v > 0.0 ? force : dual_of(0.0);
}

static dual normal_force(const tyre_spring *s, dual depth, dual rate, dual spin)
{
    if (s->by_spin > 0.0) {
        dual faster = dual_shift(dual_scale(s->by_spin, dual_abs(spin)), 1.0);
        dual spring = dual_mul(depth, dual_shift(dual_scale(s->stiffness_2, depth), s->stiffness));
        dual force = dual_add_scaled(dual_mul(faster, spring), s->damping, rate);
        return pressed_through(s, depth, force);
    }
    dual force = dual_add_scaled(dual_scale(s->stiffness, depth), s->damping, rate);
    if (s->damping_2 > 0.0) {
        force = dual_add_scaled(force, s->damping_2, dual_mul(depth, rate));
    }
    if (s->stiffness_2 > 0.0) {
        force = dual_add_scaled(force, s->stiffness_2, dual_mul(depth, depth));
    }
    return pressed_through(s, depth, force);
}

static bool has_law(const tyre_shape *shape)
{
    return shape->law.by_depth[0] > 0.0 && !(shape->rolling > 0.0);
}

// The spin whose product with its own rolling radius is the rolling speed: Newton's method, which the last two lines of
// slopes follow. The radius hardly depends on the spin: three steps meet it to rounding.
static dual spin_felt(const tyre_shape *shape, const dual *patch_state)
{
    if (!has_law(shape)) {
        return shape->rolling > 0.0 ? dual_scale(1.0 / shape->rolling, patch_state[PATCH_ROLL])
                                    : dual_of(0.0);
    }
    double roll = patch_state[PATCH_ROLL].v, depth = patch_state[PATCH_DEPTH].v, spin = 0.0;
    rolling_radius at = patch_rolling(shape, depth, spin);
    for (int k = 0; k < 4; k++) {
        spin -= (at.r * spin - roll) / (at.r + at.by_spin * spin);
        at = patch_rolling(shape, depth, spin);
    }
    double slope = 1.0 / (at.r + at.by_spin * spin);
    return dual_chain2(spin, slope, patch_state[PATCH_ROLL], -slope * spin * at.by_depth,
                       patch_state[PATCH_DEPTH]);
}

// The rolling radius as the tyre feels it.
static dual radius_felt(const tyre_shape *shape, const dual *patch_state)
{
    if (shape->rolling > 0.0) {
        return dual_of(shape->rolling);
    }
    if (has_law(shape)) {
        double spin = spin_felt(shape, patch_state).v;
        rolling_radius at = patch_rolling(shape, patch_state[PATCH_DEPTH].v, spin);
        return dual_chain2(at.r, at.by_depth, patch_state[PATCH_DEPTH], at.by_spin,
                           spin_felt(shape, patch_state));
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
         radius = radius_felt(&w->shape, patch_state);
    dual factor = dual_shift(dual_scale(w->resistance[1], dual_mul(speed, speed)), w->resistance[0]);
    dual share = dual_tanh(dual_scale(1.0 / roll_soft, dual_div(patch_state[PATCH_ROLL], radius)));
    return dual_neg(dual_mul(dual_mul(factor, share), dual_mul(load, radius)));
}

// Without air all that the tread does along the ground is less, and it rolls harder (tyre.66).
static void weaken(const wheel *w, tyre_answer *out)
{
    for (int i = 0; i < 2; i++) {
        out->tread.hold[i] = dual_scale(w->grip, out->tread.hold[i]);
        out->tread.drive[i] = dual_scale(w->grip, out->tread.drive[i]);
        out->tread.limit[i] = dual_scale(w->grip, out->tread.limit[i]);
    }
    out->turn = dual_scale(w->grip, out->turn);
    out->tip = dual_scale(w->grip, out->tip);
    out->roll = dual_scale(w->drag, out->roll);
}

// The load acts aside by the side force over a stiffness (tyre.70).
static dual tips(const wheel *w, const tyre_answer *a, const carcass_force *f)
{
    return w->over > 0.0 ? dual_add(a->tip, dual_scale(1.0 / w->over, dual_mul(a->load, f->force[1])))
                         : a->tip;
}

static tyre_answer answer_at(const wheel *w, const tyre_patch *patch, double friction, const double from[2],
                             double h)
{
    tyre_answer out = { .soft = w->soft, .from = { from[0], from[1] }, .h = h };
    dual patch_state[N_PATCH];
    for (int k = 0; k < N_PATCH; k++) {
        patch_state[k] = dual_variable(patch->patch_state[k], k);
    }
    out.spin = spin_felt(&w->shape, patch_state);
    out.load = normal_force(&w->spring, patch_state[PATCH_DEPTH], patch_state[PATCH_DEPTH_RATE], out.spin);
#ifdef TYRE_VALUES
    w->laws->values(w->data, patch_state, friction, &out);
#else
    w->laws->slopes(w->data, patch_state, friction, &out);
#endif
    if (w->resistance[0] > 0.0 || w->resistance[1] > 0.0) {
        dual moment = resistance_moment(w, patch_state, out.load);
        out.roll = dual_add(out.roll, moment);
    }
    if (w->leaking >= 0) {
        weaken(w, &out);
    }
    return out;
}

// Forces of the tread, through the carcass if there is one.
static carcass_force tread_force(const wheel *w, const tyre_answer *a, const double from[2], double h)
{
    const tread *t = &a->tread;
    if (w->state >= 0 && !w->lags) {
        return carcass_eval(&w->carcass, t, from, h);
    }
    return (carcass_force){ .force = { dual_div(t->drive[0], t->give), dual_div(t->drive[1], t->give) },
                            .rate = { a->rate[0], a->rate[1] } };
}

static wheel_values values_of(const wheel *w, const tyre_answer *a, const carcass_force *f)
{
    return (wheel_values){ .fx = f->force[0].v,
                           .fy = f->force[1].v,
                           .load = a->load.v,
                           .roll = a->roll.v,
                           .turn = a->turn.v,
                           .tip = tips(w, a, f).v,
                           .slip = { a->slip[0], a->slip[1] },
                           .limit = { a->tread.limit[0].v, a->tread.limit[1].v },
                           .rate = { f->rate[0], f->rate[1] },
                           .deflection = { a->deflection[0], a->deflection[1] } };
}

#ifdef TYRE_VALUES
wheel_values wheel_values_at(const wheel *w, const tyre_patch *patch, double friction, const double from[2],
                             double h)
{
    tyre_answer a = answer_at(w, patch, friction, from, h);
    carcass_force f = tread_force(w, &a, from, h);
    return values_of(w, &a, &f);
}

void wheel_rest_at(const wheel *w, const tyre_patch *patch, double friction, double deflection[2])
{
    // a step of any length ends where slips that lag rest
    static const double none[2] = { 0.0, 0.0 }, for_ever = HUGE_VAL;
    tyre_answer a = answer_at(w, patch, friction, none, w->lags ? for_ever : 0.0);
    if (w->lags) {
        deflection[0] = a.deflection[0];
        deflection[1] = a.deflection[1];
        return;
    }
    carcass_rest(&w->carcass, &a.tread, deflection);
}
#else
void wheel_load_at(const wheel *w, const tyre_patch *patch, double friction, const double from[2], double h,
                   wheel_load *out)
{
    tyre_answer a = answer_at(w, patch, friction, from, h);
    carcass_force f = tread_force(w, &a, from, h);
    *out =
        (wheel_load){ values_of(w, &a, &f), f.force[0], f.force[1], a.load, a.roll, a.turn, tips(w, &a, &f) };
}
#endif
