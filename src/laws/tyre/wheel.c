// SPDX-License-Identifier: MIT
#include "laws/tyre/wheel.h"
#include "laws/tyre/hertz.h"
#include "math/rotation.h"
#include <string.h>

static const char *const reading_name[] = { "fx",           "fy",           "fz",       "mx",     "my",
                                            "mz",           "slip_x",       "slip_y",   "camber", "depth",
                                            "deflection_x", "deflection_y", "x",        "y",      "z",
                                            "semi_x",       "semi_y",       "pressure", "used",   "wear",
                                            "stick",        "air",          "warm" };
static const char *const reading_unit[] = { "N",   "N",  "N", "N*m", "N*m", "N*m", "1", "1",
                                            "rad", "m",  "m", "m",   "m",   "m",   "m", "m",
                                            "m",   "Pa", "1", "m",   "1",   "1",   "K" };
enum {
    N_READINGS = sizeof reading_name / sizeof *reading_name,
    N_OPTIONS = 2
}; // the last two of tyres that have them

// Air, rim and temperature (tyre.66 .. tyre.69).
static void compile_options(plan *p, int element, const bi_wheel *def, wheel *out)
{
    static const double left[3] = { 0.1, 0.5, 10.0 }, stays = 0.5, rim_over_tyre = 10.0;
    const double given[3] = { def->flat_stiffness, def->flat_grip, def->flat_resistance };
    out->over = def->overturning;
    out->soft = out->grip = out->drag = out->rub = 1.0;
    out->leak = def->leak.i - 1;
    out->leaking = out->leak >= 0 ? plan_states(p, 1, 1e-6) : -1;
    plan_certain_signal(p, element, def->leak, NULL);
    for (int k = 0; k < 3; k++) {
        out->flat[k] = given[k] > 0.0 ? given[k] : left[k];
        if (given[k] > 0.0 && out->leak < 0) {
            plan_complain(p, element, "leak",
                          "is missing: without it the tyre keeps its air, and what is left of a flat one "
                          "does not count");
        }
    }
    if (def->rim_radius > 0.0) {
        out->spring.bottom_depth = def->radius - def->rim_radius;
        out->spring.bottom_stiffness =
            def->rim_stiffness > 0.0 ? def->rim_stiffness : rim_over_tyre * def->stiffness;
    } else if (def->rim_stiffness > 0.0) {
        plan_complain(p, element, "rim_radius", "is missing: nobody knows where the rim begins");
    }
    if (def->rim_radius >= def->radius) {
        plan_complain(p, element, "rim_radius", "must be smaller than the radius of the tyre");
    }
    out->warm = def->heat_capacity > 0.0 ? plan_states(p, 1, 1e-3) : -1;
    bool is_heated = def->heat_share > 0.0 || def->cooling > 0.0 || def->cooling_speed > 0.0 ||
                     def->best_warm > 0.0 || def->warm_width > 0.0;
    if (out->warm < 0 && is_heated) {
        plan_complain(p, element, "heat_capacity", "is missing: without it the tyre has no temperature");
    }
    if (def->best_warm > 0.0 && !(def->warm_width > 0.0)) {
        plan_complain(p, element, "warm_width",
                      "is missing: it says how fast friction falls beside best_warm");
    }
    out->heat[0] = def->heat_capacity;
    out->heat[1] = def->heat_share > 0.0 ? def->heat_share : stays;
    out->heat[2] = def->cooling;
    out->heat[3] = def->cooling_speed;
    out->best[0] = def->best_warm;
    out->best[1] = def->warm_width;
    out->told = N_READINGS - (out->leaking < 0 && out->warm < 0 ? N_OPTIONS : 0);
}

void wheel_compile(plan *p, int element, const bi_wheel *def, wheel *out)
{
    double width = def->section_width > 0.0 ? def->section_width : def->section;
    int m = plan_frame(p, def->body.i - 1, def->centre);
    *out = (wheel){ .frame = plan_dof(p, m),
                    .axes = p->marker[m].frame,
                    .block = plan_block(p, &m, 1),
                    .element = element,
                    .state = -1,
                    .worn = def->wear > 0.0 ? plan_states(p, 1, 1e-9) : -1,
                    .wear = def->wear,
                    .energy = plan_scratch(p, 3 * sizeof(double)),
                    .axis = vec3_norm(def->axis) > 0.0 ? vec3_normalized(def->axis) : (vec3){ 0, 1, 0 },
                    .shape = { .ring = def->radius - def->section,
                               .radial = def->section,
                               .axial = width,
                               .rolling = def->rolling_radius },
                    .spring = { .stiffness = def->stiffness,
                                .stiffness_2 = def->stiffness_2,
                                .damping = def->damping,
                                .damping_2 = def->damping_2 },
                    .road = road_compile(p, element, def),
                    .resistance = { def->rolling_resistance, def->rolling_resistance_2 } };
    compile_options(p, element, def, out);
    out->scalar = plan_add_readings(p, element, out->told, reading_name, reading_unit);
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
    if (given == 0 && def->standstill_speed > 0.0) {
        plan_complain(
            p, element, "standstill_speed",
            "is of a tread that deflects: it needs stiffness_x, damping_x, stiffness_y and damping_y");
    }
    return given == 4;
}

void wheel_deflects(plan *p, const bi_carcass *def, wheel *out)
{
    out->carcass = (carcass){ { def->stiffness_x, def->stiffness_y }, { def->damping_x, def->damping_y } };
    out->state = plan_states(p, 2, 1e-6);
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
// in the step, with the rate 2/h of the rule of the step (tyre.22).
static void go_there(const wheel *w, const law_in *in, tyre_pose *pose)
{
    const double *was = &in->memory[w->memory];
    double per_step = 2.0 / in->u->h;
    quat from = { was[3], was[4], was[5], was[6] };
    quat turn = quat_multiply(quat_from_mat3(in->at->axes[w->axes]), quat_conjugate(from));
    pose->velocity = vec3_add_scaled(pose->velocity, per_step, vec3_sub(pose->centre, tray_vec3(was)));
    pose->omega = vec3_add_scaled(pose->omega, per_step, quat_log(turn));
}

// The wheel as it is by now: smaller where it is worn (tyre.37), softer without air (tyre.66), warm (tyre.69). room: where a
// changed one may stand; z_air: where its air is looked up.
static const wheel *as_worn(const wheel *w, const law_in *in, const double *z, const double *z_air,
                            wheel *room)
{
    if (w->worn < 0 && w->leaking < 0 && w->warm < 0) {
        return w;
    }
    *room = *w;
    if (w->worn >= 0) {
        room->shape.ring = fmax(w->shape.ring - z[w->worn], 0.0);
    }
    if (w->leaking >= 0) {
        double lost = z_air[w->leaking];
        room->soft = 1.0 - (1.0 - w->flat[0]) * lost;
        room->grip = 1.0 - (1.0 - w->flat[1]) * lost;
        room->drag = 1.0 - (1.0 - w->flat[2]) * lost;
        room->fades = -(1.0 - w->flat[0]) * fmax(in->u->signal[w->leak].v, 0.0) * (1.0 - lost) / room->soft;
        room->spring.stiffness *= room->soft;
        room->spring.stiffness_2 *= room->soft;
    }
    if (w->warm >= 0 && w->best[1] > 0.0) {
        double off = (z[w->warm] - w->best[0]) / w->best[1];
        room->rub = 1.0 / (1.0 + off * off);
    }
    return room;
}

// The patch and the ground under it; in the air nothing is felt.
static tyre_patch wheel_patch(const wheel *w, const law_in *in, tyre_ground *ground)
{
    const motion *at = in->at;
    tyre_pose pose = { .centre = tray_vec3(&at->value[w->frame]),
                       .velocity = tray_vec3(&at->rate[w->frame]),
                       .omega = tray_vec3(&at->rate[w->frame + 3]),
                       .axis = mat3_apply(at->axes[w->axes], w->axis),
                       .room = in->u->room };
    if (is_static(w, in)) {
        go_there(w, in, &pose);
    }
    bool is_there = road_under(&w->road, &w->shape, &pose, ground);
    tyre_patch p = patch_find(&w->shape, ground, &pose);
    ground->friction = law_grip(in) * road_friction(&w->road, in->u, vec3_add(pose.centre, p.arm)) * w->rub;
    if (!is_there || p.depth <= 0.0) {
        p.depth = is_there ? p.depth : 0.0;
        p.patch_state[PATCH_DEPTH] = p.patch_state[PATCH_DEPTH_RATE] = 0.0;
    }
    return p;
}

// ---- efforts and tangent -------------------------------------------------------------------------------------------

typedef struct {
    vec3 force, moment; // about the centre
} wrench;

// Force at the patch; about the axis the lever is the rolling radius, so that slip and force make the power (tyre.12).
static wrench wheel_wrench(const tyre_patch *p, const wheel_values *l)
{
    vec3 f = vec3_add_scaled(vec3_add(vec3_scale(l->fx, p->along), vec3_scale(l->fy, p->side)),
                             p->gain * l->load, p->n);
    vec3 m = vec3_cross(p->arm, f);
    m = vec3_add_scaled(m, l->fx * (p->radius_loaded - p->radius_rolling) + l->roll, p->e);
    m = vec3_add_scaled(m, l->tip, p->along);
    return (wrench){ f, vec3_add_scaled(m, l->turn, p->n) };
}

// The moment at the patch, as shown.
static vec3 patch_moment(const wheel *w, const tyre_patch *p, const wheel_values *l, const wrench *own)
{
    vec3 m = vec3_sub(own->moment, vec3_cross(p->arm, own->force));
    double lever = w->tells_law ? p->radius_loaded - p->radius_rolling : 0.0;
    return vec3_add_scaled(m, -l->fx * lever, p->e);
}

static double changed(const dual *x, const double *patch_state)
{
    double sum = 0.0;
    for (int k = 0; k < N_PATCH; k++) {
        sum += x->d[k] * patch_state[k];
    }
    return sum;
}

// What a change of the place does to the wrench; `force` is the one before it.
static wrench wrench_change(const tyre_patch *p, const wheel_load *l, vec3 force, const patch_change *d)
{
    double dx = changed(&l->fx, d->patch_state), dy = changed(&l->fy, d->patch_state),
           dz = changed(&l->load, d->patch_state);
    vec3 df = vec3_add(vec3_scale(dx, p->along), vec3_scale(l->at.fx, d->along));
    df = vec3_add(df, vec3_add(vec3_scale(dy, p->side), vec3_scale(l->at.fy, d->side)));
    df = vec3_add(df, vec3_add(vec3_scale(p->gain * dz, p->n), vec3_scale(p->gain * l->at.load, d->n)));
    df = vec3_add_scaled(df, d->gain * l->at.load, p->n);
    vec3 dm = vec3_add(vec3_cross(d->arm, force), vec3_cross(p->arm, df));
    double lever = p->radius_loaded - p->radius_rolling;
    dm = vec3_add_scaled(dm, dx * lever + l->at.fx * d->lever + changed(&l->roll, d->patch_state), p->e);
    dm = vec3_add_scaled(dm, l->at.fx * lever + l->at.roll, d->e);
    dm = vec3_add_scaled(dm, changed(&l->tip, d->patch_state), p->along);
    dm = vec3_add_scaled(dm, l->at.tip, d->along);
    dm = vec3_add_scaled(dm, changed(&l->turn, d->patch_state), p->n);
    dm = vec3_add_scaled(dm, l->at.turn, d->n);
    return (wrench){ df, dm };
}

// The same when only velocities change: directions and arms stay.
static wrench wrench_change_by_rate(const tyre_patch *p, const wheel_load *l, const double *patch_state,
                                    double d_rolling)
{
    double dx = changed(&l->fx, patch_state), dy = changed(&l->fy, patch_state),
           dz = changed(&l->load, patch_state);
    vec3 df = vec3_add(vec3_scale(dx, p->along), vec3_scale(dy, p->side));
    df = vec3_add(df, vec3_scale(p->gain * dz, p->n));
    vec3 dm = vec3_cross(p->arm, df);
    double lever = p->radius_loaded - p->radius_rolling;
    dm = vec3_add_scaled(dm, dx * lever + changed(&l->roll, patch_state) - l->at.fx * d_rolling, p->e);
    dm = vec3_add_scaled(dm, changed(&l->tip, patch_state), p->along);
    return (wrench){ df, vec3_add_scaled(dm, changed(&l->turn, patch_state), p->n) };
}

static void put_column(wrench d, int j, double *to)
{
    const double part[6] = { d.force.x, d.force.y, d.force.z, d.moment.x, d.moment.y, d.moment.z };
    for (int i = 0; i < 6; i++) {
        to[6 * i + j] = -part[i];
    }
}

// -d effort over place and turn, velocity and angular velocity, column by column (tyre.15)
static void wheel_tangent(const wheel *w, const tyre_ground *ground, const tyre_patch *p, const wheel_load *l,
                          double *K, double *C)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    vec3 force = wheel_wrench(p, &l->at).force;
    for (int j = 0; j < 6; j++) {
        patch_nudge by = { 0 };
        *(j < 3 ? &by.place : &by.turn) = unit[j % 3];
        patch_change d = patch_vary(&w->shape, ground, p, &by);
        put_column(wrench_change(p, l, force, &d), j, K);
    }
    for (int j = 0; j < 6; j++) {
        patch_nudge by = { 0 };
        double patch_state[N_PATCH];
        *(j < 3 ? &by.velocity : &by.omega) = unit[j % 3];
        double d_rolling = patch_vary_rate(p, &by, patch_state);
        put_column(wrench_change_by_rate(p, l, patch_state, d_rolling), j, C);
    }
}

// ---- the kind's functions ------------------------------------------------------------------------------------------

// Around the wheel the normal leans against the axis, along the section the ellipse has its own curvature (tyre.38).
static hertz_ellipse contact_ellipse(const wheel *w, const tyre_patch *p, double load)
{
    double a2 = w->shape.radial * w->shape.radial, b2 = w->shape.axial * w->shape.axial, q = p->q;
    if (!(w->modulus > 0.0 && a2 > 0.0 && b2 > 0.0)) {
        return (hertz_ellipse){ { 0.0, 0.0 }, 0.0, 0.0 };
    }
    double around = p->s / (w->shape.ring + a2 * p->s / q), along = q * q * q / (a2 * b2);
    return hertz_touch(load, around, along, w->modulus);
}

// How much of the friction is used: 1 on the ellipse.
static double friction_used(const wheel_values *l)
{
    double x = l->fx / l->limit[0], y = l->fy / l->limit[1];
    return l->limit[0] > 0.0 && l->limit[1] > 0.0 ? sqrt(x * x + y * y) : 0.0;
}

// Half axes of the zone of the print that sticks, of those of the print: it touches the front edge (tyre.44).
static double sticking(double used) { return math_cbrt(fmax(0.0, 1.0 - used)); }

static void write_readings(const wheel *w, const tyre_patch *p, const wheel_values *l,
                           const double deflection[2], const double *z, double *scalar)
{
    wrench own = wheel_wrench(p, l);
    vec3 point = vec3_add(p->at.centre, p->arm);
    vec3 moment = patch_moment(w, p, l, &own);
    hertz_ellipse touch = contact_ellipse(w, p, l->load);
    const double value[N_READINGS] = { l->fx,
                                       l->fy,
                                       p->gain * l->load,
                                       vec3_dot(moment, p->along),
                                       vec3_dot(moment, p->side),
                                       vec3_dot(moment, p->n),
                                       l->slip[0],
                                       l->slip[1],
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
                                       w->worn >= 0 ? z[w->worn] : 0.0,
                                       sticking(friction_used(l)),
                                       w->leaking >= 0 ? 1.0 - z[w->leaking] : 1.0,
                                       w->warm >= 0 ? z[w->warm] : 0.0 };
    memcpy(&scalar[w->scalar], value, (size_t)w->told * sizeof *value);
    scalar[w->element] = l->load;
}

// What the wheel feels, `slopes` with derivatives when they are wanted.
static wheel_values load_at(const wheel *w, const law_in *in, const tyre_patch *patch, double friction,
                            const double from[2], double h, wheel_load *slopes)
{
    if (!(in->want & LAW_TANGENT)) {
        return wheel_values_at(w, patch, friction, from, h);
    }
    wheel_load_at(w, patch, friction, from, h, slopes);
    return slopes->at;
}

// Solves the deflection for the end of the step, or takes it as it is; writes it and its rate.
static wheel_values wheel_step(const wheel *w, const law_in *in, const tyre_patch *patch, double friction,
                               law_out *out, wheel_load *slopes)
{
    double from[2] = { 0.0, 0.0 }, h = in->want & LAW_EXPLICIT ? 0.0 : in->u->h;
    if (w->state < 0) {
        return load_at(w, in, patch, friction, from, h, slopes);
    }
    for (int i = 0; i < 2; i++) {
        from[i] = in->z_old[w->state + i] + 0.5 * h * in->dz_old[w->state + i];
    }
    if (in->want & LAW_START) {
        wheel_rest_at(w, patch, friction, from);
    }
    wheel_values l = load_at(w, in, patch, friction, from, in->want & LAW_START ? 0.0 : h, slopes);
    for (int i = 0; i < 2; i++) {
        out->z[w->state + i] = w->lags && h > 0.0 ? l.deflection[i] : from[i] + 0.5 * h * l.rate[i];
        out->dz[w->state + i] = l.rate[i];
    }
    return l;
}

// One of its own states, z' = source - decay z, at the end of the step.
static void wheel_grow(const law_in *in, int state, double source, double decay, law_out *out)
{
    double h = in->want & LAW_EXPLICIT ? 0.0 : in->u->h;
    double from = (in->want & LAW_START ? 0.0 : in->z_old[state]) + 0.5 * h * in->dz_old[state];
    out->dz[state] = (source - decay * from) / (1.0 + 0.5 * h * decay);
    out->z[state] = from + 0.5 * h * out->dz[state];
}

// The air that leaves (tyre.66): known before the forces.
static void wheel_leaks(const wheel *w, const law_in *in, law_out *out)
{
    if (w->leaking >= 0) {
        double leak = fmax(in->u->signal[w->leak].v, 0.0);
        wheel_grow(in, w->leaking, leak, leak, out);
    }
}

// What the tread loses by sliding (tyre.37), the heat that stays (tyre.68).
static void wheel_ages(const wheel *w, const law_in *in, const tyre_patch *patch, const wheel_values *l,
                       law_out *out)
{
    double power = -l->fx * (patch->patch_state[PATCH_SLIP_X] + l->rate[0]) -
                   l->fy * (patch->patch_state[PATCH_SLIP_Y] + l->rate[1]);
    if (w->worn >= 0) {
        wheel_grow(in, w->worn, w->wear * fmax(power, 0.0), 0.0, out);
    }
    if (w->warm >= 0) {
        double rolls = -l->roll * vec3_dot(patch->at.omega, patch->at.axis);
        double gains = w->heat[1] * fmax(power, 0.0) + fmax(rolls, 0.0);
        double loses = w->heat[2] + w->heat[3] * vec3_norm(patch->at.velocity);
        wheel_grow(in, w->warm, gains / w->heat[0], loses / w->heat[0], out);
    }
}

void wheel_steady(const wheel *w, const tyre_patch *patch, double deflection[2], bi_tyre_force *out)
{
    if (w->state >= 0) {
        wheel_rest_at(w, patch, 1.0, deflection);
    }
    wheel_values l = wheel_values_at(w, patch, 1.0, deflection, 0.0);
    wrench own = wheel_wrench(patch, &l);
    vec3 moment = patch_moment(w, patch, &l, &own);
    *out = (bi_tyre_force){ .fx = l.fx,
                            .fy = l.fy,
                            .fz = l.load,
                            .mx = vec3_dot(moment, patch->along),
                            .my = vec3_dot(moment, patch->side),
                            .mz = vec3_dot(moment, patch->n),
                            .depth = patch->depth,
                            .rolling_radius = patch->radius_rolling,
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

// Where the energies of the last evaluation stand.
static double *evaluated_energies(const wheel *w, const law_in *in)
{
    return (double *)(void *)((char *)in->scratch + w->energy);
}

static law_energy energies_of(const wheel *w, const tyre_patch *p, const wheel_values *l, const double *z)
{
    double depth = p->patch_state[PATCH_DEPTH], rate = p->patch_state[PATCH_DEPTH_RATE];
    wrench own = wheel_wrench(p, l);
    double power = vec3_dot(own.force, p->at.velocity) + vec3_dot(own.moment, p->at.omega);
    double spring = w->spring.stiffness, spring_2 = w->spring.stiffness_2;
    double through = fmax(depth - w->spring.bottom_depth, 0.0), bottom = w->spring.bottom_stiffness;
    double potential =
        depth * depth * (0.5 * spring + spring_2 * depth / 3.0) + 0.5 * bottom * through * through;
    power += ((spring + spring_2 * depth) * depth + bottom * through) * rate;
    // what air takes along (tyre.67)
    power += w->fades * depth * depth * (0.5 * spring + spring_2 * depth / 3.0);
    for (int i = 0; i < 2 && w->state >= 0; i++) {
        double deflection = z[w->state + i], rate = l->rate[i];
        if (w->lags && fabs(deflection) > w->holds[i]) {
            // a slip that lags goes on where the tread slides: what the spring holds does not
            deflection = w->holds[i];
            rate = 0.0;
        }
        potential += 0.5 * w->carcass.stiffness[i] * deflection * deflection;
        power += w->carcass.stiffness[i] * deflection * rate;
    }
    return (law_energy){ .potential = potential, .power = power };
}

// How far the tyre is outside of the ranges of its data, of their widths; slow wheels have no slip worth a word.
static double beyond_ranges(const wheel *w, const tyre_patch *p, const wheel_values *l)
{
    static const double slow = 1.0; // m/s
    double worst = 0.0, value[4] = { l->slip[0], l->slip[1], p->c, l->load };
    bool is_slow = fabs(p->patch_state[PATCH_TRAVEL]) < slow;
    for (int k = 0; k < 4 && w->range && l->load > 0.0; k++) {
        double low = w->range[k][0], high = w->range[k][1];
        // below the least load forces go with the load
        double off = k == 3 ? value[k] - high : fmax(low - value[k], value[k] - high);
        worst = low < high && (k > 1 || !is_slow) ? fmax(worst, off / (high - low)) : worst;
    }
    return worst;
}

void wheel_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const wheel *item = items;
    for (int k = 0; k < count; k++) {
        wheel room;
        wheel_leaks(&item[k], in, out);
        const wheel *w = as_worn(&item[k], in, in->z_old, out->z, &room);
        double *K = &out->load->K[w->block], *C = &out->load->C[w->block];
        tyre_ground ground;
        tyre_patch patch = wheel_patch(w, in, &ground);
        wheel_load slopes;
        wheel_values l = wheel_step(w, in, &patch, ground.friction, out, &slopes);
        wrench own = wheel_wrench(&patch, &l);
        tray_add(&out->load->effort[w->frame], own.force);
        tray_add(&out->load->effort[w->frame + 3], own.moment);
        static const double none[2] = { 0.0, 0.0 };
        wheel_ages(w, in, &patch, &l, out);
        if (in->want & LAW_STAGE) {
            out->load->scalar[w->element] = l.load;
            continue;
        }
        write_readings(w, &patch, &l, w->state >= 0 ? &out->z[w->state] : none, out->z, out->load->scalar);
        law_energy e = energies_of(w, &patch, &l, in->want & LAW_EXPLICIT ? in->z_old : out->z);
        evaluated_energies(w, in)[0] = e.potential;
        evaluated_energies(w, in)[1] = e.power;
        evaluated_energies(w, in)[2] = beyond_ranges(w, &patch, &l);
        if (in->want & LAW_TANGENT) {
            road_tilt(&w->road, &w->shape, &patch.at, &ground);
            wheel_tangent(w, &ground, &patch, &slopes, K, C);
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
        if (item[k].range && in->doubts) {
            law_doubts_note(in->doubts, DOUBT_RANGE, evaluated_energies(&item[k], in)[2], item[k].element);
        }
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
        wheel room;
        const wheel *w = as_worn(&item[k], in, z, z, &room);
        if (in->want & LAW_EVALUATED) {
            out->potential += evaluated_energies(w, in)[0];
            out->power += evaluated_energies(w, in)[1];
            continue;
        }
        tyre_ground ground;
        tyre_patch p = wheel_patch(w, in, &ground);
        static const double none[2] = { 0.0, 0.0 };
        const double *deflection = w->state >= 0 ? &z[w->state] : none;
        wheel_values l = wheel_values_at(w, &p, ground.friction, deflection, 0.0);
        law_energy e = energies_of(w, &p, &l, z);
        out->potential += e.potential;
        out->power += e.power;
    }
}
