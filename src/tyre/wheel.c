// SPDX-License-Identifier: MIT
#include "tyre/wheel.h"
#include "math/rotation.h"
#include "tyre/hertz.h"
#include <string.h>

// spin over which rolling resistance comes in, rad/s: it must not push a wheel at rest
static const double roll_soft = 0.2;

static const char *const told_name[] = { "fx",           "fy",           "fz",       "mx",     "my",
                                         "mz",           "slip_x",       "slip_y",   "camber", "depth",
                                         "deflection_x", "deflection_y", "x",        "y",      "z",
                                         "semi_x",       "semi_y",       "pressure", "used",   "wear" };
static const char *const told_unit[] = { "N", "N", "N", "N*m", "N*m", "N*m", "1", "1",  "rad", "m",
                                         "m", "m", "m", "m",   "m",   "m",   "m", "Pa", "1",   "m" };
enum { N_TOLD = sizeof told_name / sizeof *told_name };

void wheel_compile(plan *p, int element, const bi_wheel *def, wheel *out)
{
    double width = def->section_width > 0.0 ? def->section_width : def->section;
    int m = plan_frame(p, def->body.i - 1, def->centre);
    *out = (wheel){ .frame = plan_dof(p, m),
                    .axes = p->marker[m].frame,
                    .block = plan_block(p, &m, 1),
                    .element = element,
                    .state = -1,
                    .worn = def->wear > 0.0 ? plan_states(p, 1) : -1,
                    .wear = def->wear,
                    .scalar = plan_tell(p, element, N_TOLD, told_name, told_unit),
                    .axis = vec3_norm(def->axis) > 0.0 ? vec3_normalized(def->axis) : (vec3){ 0, 1, 0 },
                    .shape = { def->radius - def->section, def->section, width, def->rolling_radius },
                    .spring = { def->stiffness, def->stiffness_2, def->damping, def->damping_2 },
                    .road = road_compile(p, element, def),
                    .resistance = { def->rolling_resistance, def->rolling_resistance_2 } };
    if (def->section > def->radius) {
        plan_complain(p, element, "section", "is larger than the radius: a wheel is at most a ball");
    }
}

bool wheel_has_carcass(plan *p, int element, const bi_carcass *def)
{
    int given =
        (def->stiffness_x > 0.0) + (def->damping_x > 0.0) + (def->stiffness_y > 0.0) + (def->damping_y > 0.0);
    if (given != 0 && given != 4) {
        plan_complain(p, element, "stiffness_x",
                      "a tread that deflects needs all of stiffness_x, damping_x, stiffness_y and damping_y");
    }
    return given == 4;
}

void wheel_deflects(plan *p, const bi_carcass *def, wheel *out)
{
    out->carcass = (carcass){ { def->stiffness_x, def->stiffness_y }, { def->damping_x, def->damping_y } };
    out->state = plan_states(p, 2);
    out->memory = plan_memory(p, 7);
}

// ---- one wheel -----------------------------------------------------------------------------------------------------

// No step is that long: the search for an equilibrium is meant, s.
static const double for_ever = 1e6;

static bool is_static(const wheel *w, const law_in *in)
{
    return w->state >= 0 && !(in->want & LAW_EXPLICIT) && in->u->h > for_ever;
}

// In the search for an equilibrium nothing moves, but the wheel is displaced: the tread follows as if it had gone there
// in the step, with the rate 2/h of the rule of the step (tyre.38).
static void go_there(const wheel *w, const law_in *in, tyre_pose *pose)
{
    const double *was = &in->memory[w->memory];
    double per_step = 2.0 / in->u->h;
    quat from = { was[3], was[4], was[5], was[6] };
    quat turn = quat_multiply(quat_from_mat3(in->at->axes[w->axes]), quat_conjugate(from));
    pose->velocity = vec3_add_scaled(pose->velocity, per_step, vec3_sub(pose->centre, tray_vec3(was)));
    pose->omega = vec3_add_scaled(pose->omega, per_step, quat_log(turn));
}

// The wheel as it is worn: smaller by its state (tyre.39).
static wheel as_worn(const wheel *w, const double *z)
{
    wheel out = *w;
    if (w->worn >= 0) {
        out.shape.ring = fmax(w->shape.ring - z[w->worn], 0.0);
    }
    return out;
}

// The patch and the ground under it; in the air nothing is felt.
static tyre_patch wheel_patch(const wheel *w, const law_in *in, tyre_ground *ground)
{
    const motion *at = in->at;
    tyre_pose pose = { .centre = tray_vec3(&at->value[w->frame]),
                       .velocity = tray_vec3(&at->rate[w->frame]),
                       .omega = tray_vec3(&at->rate[w->frame + 3]),
                       .axis = mat3_apply(at->axes[w->axes], w->axis) };
    if (is_static(w, in)) {
        go_there(w, in, &pose);
    }
    bool is_there = road_under(&w->road, &w->shape, &pose, ground);
    tyre_patch p = patch_find(&w->shape, ground, &pose);
    ground->friction = road_friction(&w->road, vec3_add(pose.centre, p.arm));
    if (!is_there || p.depth <= 0.0) {
        p.depth = is_there ? p.depth : 0.0;
        p.feel[FEEL_DEPTH] = p.feel[FEEL_DEPTH_RATE] = 0.0;
    }
    return p;
}

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

typedef struct {
    tyre_patch patch;
    tyre_answer tyre;
    dual fx, fy;
    double rate[2]; // of the deflection
} wheel_load;

// The rolling radius as the tyre feels it.
static dual rolling_radius(const tyre_shape *shape, const dual *feel)
{
    if (shape->rolling > 0.0) {
        return dual_of(shape->rolling);
    }
    if (!shape->at_rim) {
        return dual_shift(dual_scale(-patch_sinking, feel[FEEL_DEPTH]), tyre_radius(shape));
    }
    double a2 = shape->radial * shape->radial, b2 = shape->axial * shape->axial;
    dual c2 = dual_mul(feel[FEEL_CAMBER], feel[FEEL_CAMBER]), s2 = dual_shift(dual_neg(c2), 1.0);
    dual q2 = dual_add(dual_scale(a2, s2), dual_scale(b2, c2));
    return q2.v > 0.0 ? dual_shift(dual_scale(a2, dual_sqrt(dual_div(s2, q2))), shape->ring)
                      : dual_of(shape->ring);
}

// load times rolling radius times a factor of the speed, against the spin (tyre.12)
static dual resistance_moment(const wheel *w, const dual *feel, dual load)
{
    dual speed = dual_add(feel[FEEL_ROLL], feel[FEEL_SLIP_X]), radius = rolling_radius(&w->shape, feel);
    dual factor = dual_shift(dual_scale(w->resistance[1], dual_mul(speed, speed)), w->resistance[0]);
    dual share = dual_tanh(dual_scale(1.0 / roll_soft, dual_div(feel[FEEL_ROLL], radius)));
    return dual_neg(dual_mul(dual_mul(factor, share), dual_mul(load, radius)));
}

// from: deflection, or what the rule of the step makes of the old one
static wheel_load wheel_load_at(const wheel *w, const tyre_patch *patch, double friction,
                                const double from[2], double h)
{
    wheel_load out = { .patch = *patch };
    dual feel[N_FEEL];
    for (int k = 0; k < N_FEEL; k++) {
        feel[k] = dual_feel(patch->feel[k], k);
    }
    out.tyre.load = normal_force(&w->spring, feel[FEEL_DEPTH], feel[FEEL_DEPTH_RATE]);
    w->law(w->data, feel, friction, &out.tyre);
    if (w->resistance[0] > 0.0 || w->resistance[1] > 0.0) {
        dual moment = resistance_moment(w, feel, out.tyre.load);
        out.tyre.roll = dual_add(out.tyre.roll, moment);
    }
    if (w->state >= 0) {
        carcass_force f = carcass_eval(&w->carcass, &out.tyre.tread, from, h);
        out.fx = f.force[0];
        out.fy = f.force[1];
        out.rate[0] = f.rate[0];
        out.rate[1] = f.rate[1];
    } else {
        out.fx = dual_div(out.tyre.tread.drive[0], out.tyre.tread.give);
        out.fy = dual_div(out.tyre.tread.drive[1], out.tyre.tread.give);
    }
    return out;
}

// ---- efforts and tangent -------------------------------------------------------------------------------------------

typedef struct {
    vec3 force, moment; // about the centre
} wrench;

// Force at the patch; about the axis the lever is the rolling radius, so that slip and force make the power (tyre.10).
static wrench wheel_wrench(const wheel_load *l)
{
    const tyre_patch *p = &l->patch;
    vec3 f = vec3_add_scaled(vec3_add(vec3_scale(l->fx.v, p->along), vec3_scale(l->fy.v, p->side)),
                             l->tyre.load.v, p->n);
    vec3 m = vec3_cross(p->arm, f);
    m = vec3_add_scaled(m, l->fx.v * (p->radius_loaded - p->radius_rolling) + l->tyre.roll.v, p->e);
    return (wrench){ f, vec3_add_scaled(m, l->tyre.turn.v, p->n) };
}

static double changed(dual x, const patch_change *d)
{
    double sum = 0.0;
    for (int k = 0; k < N_FEEL; k++) {
        sum += x.d[k] * d->feel[k];
    }
    return sum;
}

static wrench wrench_change(const wheel_load *l, const patch_change *d)
{
    const tyre_patch *p = &l->patch;
    double dx = changed(l->fx, d), dy = changed(l->fy, d), dz = changed(l->tyre.load, d);
    vec3 f = wheel_wrench(l).force;
    vec3 df = vec3_add(vec3_scale(dx, p->along), vec3_scale(l->fx.v, d->along));
    df = vec3_add(df, vec3_add(vec3_scale(dy, p->side), vec3_scale(l->fy.v, d->side)));
    df = vec3_add(df, vec3_add(vec3_scale(dz, p->n), vec3_scale(l->tyre.load.v, d->n)));
    vec3 dm = vec3_add(vec3_cross(d->arm, f), vec3_cross(p->arm, df));
    double lever = p->radius_loaded - p->radius_rolling;
    dm = vec3_add_scaled(dm, dx * lever + l->fx.v * d->lever + changed(l->tyre.roll, d), p->e);
    dm = vec3_add_scaled(dm, l->fx.v * lever + l->tyre.roll.v, d->e);
    dm = vec3_add_scaled(dm, changed(l->tyre.turn, d), p->n);
    dm = vec3_add_scaled(dm, l->tyre.turn.v, d->n);
    return (wrench){ df, dm };
}

static void put_column(wrench d, int j, double *to)
{
    const double part[6] = { d.force.x, d.force.y, d.force.z, d.moment.x, d.moment.y, d.moment.z };
    for (int i = 0; i < 6; i++) {
        to[6 * i + j] = -part[i];
    }
}

// -d effort over place and turn, velocity and angular velocity, column by column (tyre.11)
static void wheel_tangent(const wheel *w, const tyre_ground *ground, const wheel_load *l, double *K,
                          double *C)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int j = 0; j < 6; j++) {
        patch_nudge by = { 0 }, rate = { 0 };
        *(j < 3 ? &by.place : &by.turn) = unit[j % 3];
        *(j < 3 ? &rate.velocity : &rate.omega) = unit[j % 3];
        patch_change d = patch_vary(&w->shape, ground, &l->patch, &by);
        put_column(wrench_change(l, &d), j, K);
        d = patch_vary(&w->shape, ground, &l->patch, &rate);
        put_column(wrench_change(l, &d), j, C);
    }
}

// ---- the kind's functions ------------------------------------------------------------------------------------------

// Around the wheel the normal leans against the axis, along the section the ellipse has its own curvature (tyre.31).
static hertz_ellipse contact_ellipse(const wheel *w, const wheel_load *l)
{
    double a2 = w->shape.radial * w->shape.radial, b2 = w->shape.axial * w->shape.axial, q = l->patch.q;
    if (!(w->modulus > 0.0 && a2 > 0.0 && b2 > 0.0)) {
        return (hertz_ellipse){ { 0.0, 0.0 }, 0.0, 0.0 };
    }
    double around = l->patch.s / (w->shape.ring + a2 * l->patch.s / q), along = q * q * q / (a2 * b2);
    return hertz_touch(l->tyre.load.v, around, along, w->modulus);
}

// How much of the friction is used: 1 on the ellipse.
static double friction_used(const wheel_load *l)
{
    double most[2] = { l->tyre.tread.limit[0].v, l->tyre.tread.limit[1].v };
    return most[0] > 0.0 && most[1] > 0.0 ? math_hypot(l->fx.v / most[0], l->fy.v / most[1]) : 0.0;
}

static void tell(const wheel *w, const wheel_load *l, const double deflection[2], double worn, double *scalar)
{
    const tyre_patch *p = &l->patch;
    wrench own = wheel_wrench(l);
    vec3 point = vec3_add(p->at.centre, p->arm);
    vec3 moment = vec3_sub(own.moment, vec3_cross(p->arm, own.force));
    hertz_ellipse touch = contact_ellipse(w, l);
    const double value[N_TOLD] = { l->fx.v,
                                   l->fy.v,
                                   l->tyre.load.v,
                                   vec3_dot(moment, p->along),
                                   vec3_dot(moment, p->side),
                                   vec3_dot(moment, p->n),
                                   l->tyre.slip[0],
                                   l->tyre.slip[1],
                                   math_asin(fmin(fmax(p->c, -1.0), 1.0)),
                                   p->depth,
                                   deflection[0],
                                   deflection[1],
                                   point.x,
                                   point.y,
                                   point.z,
                                   touch.semi[0],
                                   touch.semi[1],
                                   touch.pressure,
                                   friction_used(l),
                                   worn };
    memcpy(&scalar[w->scalar], value, sizeof value);
    scalar[w->element] = l->tyre.load.v;
}

// Solves the deflection for the end of the step, or takes it as it is; writes it and its rate.
static wheel_load wheel_step(const wheel *w, const law_in *in, const tyre_patch *patch, double friction,
                             law_out *out)
{
    double from[2] = { 0.0, 0.0 }, h = in->want & LAW_EXPLICIT ? 0.0 : in->u->h;
    if (w->state < 0) {
        return wheel_load_at(w, patch, friction, from, h);
    }
    for (int i = 0; i < 2; i++) {
        from[i] = in->z_old[w->state + i] + 0.5 * h * in->dz_old[w->state + i];
    }
    wheel_load l = wheel_load_at(w, patch, friction, from, h);
    if (in->want & LAW_START) {
        carcass_rest(&w->carcass, &l.tyre.tread, from);
        l = wheel_load_at(w, patch, friction, from, 0.0);
    }
    for (int i = 0; i < 2; i++) {
        out->z[w->state + i] = from[i] + 0.5 * h * l.rate[i];
        out->dz[w->state + i] = l.rate[i];
    }
    return l;
}

// What the tread loses by sliding: state and rate.
static double wheel_wear(const wheel *w, const law_in *in, const wheel_load *l, law_out *out)
{
    if (w->worn < 0) {
        return 0.0;
    }
    double h = in->want & LAW_EXPLICIT ? 0.0 : in->u->h;
    double power = -l->fx.v * (l->patch.feel[FEEL_SLIP_X] + l->rate[0]) -
                   l->fy.v * (l->patch.feel[FEEL_SLIP_Y] + l->rate[1]);
    double was = in->want & LAW_START ? 0.0 : in->z_old[w->worn];
    out->dz[w->worn] = w->wear * fmax(power, 0.0);
    out->z[w->worn] = was + 0.5 * h * (in->dz_old[w->worn] + out->dz[w->worn]);
    return out->z[w->worn];
}

void wheel_steady(const wheel *w, const tyre_patch *patch, double deflection[2], bi_tyre_force *out)
{
    wheel_load l = wheel_load_at(w, patch, 1.0, deflection, 0.0);
    if (w->state >= 0) {
        carcass_rest(&w->carcass, &l.tyre.tread, deflection);
        l = wheel_load_at(w, patch, 1.0, deflection, 0.0);
    }
    wrench own = wheel_wrench(&l);
    vec3 moment = vec3_sub(own.moment, vec3_cross(patch->arm, own.force));
    *out = (bi_tyre_force){ .fx = l.fx.v,
                            .fy = l.fy.v,
                            .fz = l.tyre.load.v,
                            .mx = vec3_dot(moment, patch->along),
                            .my = vec3_dot(moment, patch->side),
                            .mz = vec3_dot(moment, patch->n),
                            .depth = patch->depth,
                            .power = vec3_dot(own.force, patch->at.velocity) +
                                     vec3_dot(own.moment, patch->at.omega) };
}

bool tyre_test(const law_kind *kind, const void *item, const bi_tyre_state *state, bi_tyre_force *out)
{
    if (kind->eval != wheel_eval) {
        return false;
    }
    wheel_test(item, state, out);
    return true;
}

void wheel_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const wheel *item = items;
    for (int k = 0; k < count; k++) {
        const wheel own_wheel = as_worn(&item[k], in->z_old), *w = &own_wheel;
        double *K = &out->load->K[w->block], *C = &out->load->C[w->block];
        tyre_ground ground;
        tyre_patch patch = wheel_patch(w, in, &ground);
        wheel_load l = wheel_step(w, in, &patch, ground.friction, out);
        wrench own = wheel_wrench(&l);
        tray_add(&out->load->effort[w->frame], own.force);
        tray_add(&out->load->effort[w->frame + 3], own.moment);
        static const double none[2] = { 0.0, 0.0 };
        double worn = wheel_wear(w, in, &l, out);
        tell(w, &l, w->state >= 0 ? &out->z[w->state] : none, worn, out->load->scalar);
        if (in->want & LAW_TANGENT) {
            road_tilt(&w->road, &w->shape, &patch.at, &ground);
            wheel_tangent(w, &ground, &l, K, C);
            for (int i = 0; i < 36 && is_static(w, in); i++) {
                // displacements are rates there
                K[i] += 2.0 / in->u->h * C[i];
            }
        }
    }
}

void wheel_commit(const void *items, int count, const law_in *in, double *memory)
{
    const wheel *item = items;
    for (int k = 0; k < count; k++) {
        if (item[k].state >= 0) {
            double *own = &memory[item[k].memory];
            quat q = quat_from_mat3(in->at->axes[item[k].axes]);
            tray_put(own, tray_vec3(&in->at->value[item[k].frame]));
            memcpy(&own[3], (double[4]){ q.w, q.x, q.y, q.z }, 4 * sizeof *own);
        }
    }
}

void wheel_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    const wheel *item = items;
    for (int k = 0; k < count; k++) {
        const wheel own_wheel = as_worn(&item[k], z), *w = &own_wheel;
        tyre_ground ground;
        tyre_patch p = wheel_patch(w, in, &ground);
        double depth = p.feel[FEEL_DEPTH], rate = p.feel[FEEL_DEPTH_RATE];
        static const double none[2] = { 0.0, 0.0 };
        const double *deflection = w->state >= 0 ? &z[w->state] : none;
        wheel_load l = wheel_load_at(w, &p, ground.friction, deflection, 0.0);
        wrench own = wheel_wrench(&l);
        double power = vec3_dot(own.force, p.at.velocity) + vec3_dot(own.moment, p.at.omega);
        double spring = w->spring.stiffness, spring_2 = w->spring.stiffness_2;
        out->potential += depth * depth * (0.5 * spring + spring_2 * depth / 3.0);
        power += (spring + spring_2 * depth) * depth * rate;
        for (int i = 0; i < 2 && w->state >= 0; i++) {
            out->potential += 0.5 * w->carcass.stiffness[i] * deflection[i] * deflection[i];
            power += w->carcass.stiffness[i] * deflection[i] * l.rate[i];
        }
        out->power += power;
    }
}
