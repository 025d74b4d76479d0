// SPDX-License-Identifier: MIT
#include "laws/tyre/tyre_patch.h"

// a wheel that lies flat has no lowest point of its ring: the sine is kept from zero
static const double least_sine = 1e-6;

rolling_radius patch_rolling(const tyre_shape *shape, double depth, double spin)
{
    const tyre_rolling *l = &shape->law;
    double radius = tyre_radius(shape) + l->growth * spin * spin;
    if (!(l->by_depth[0] > 0.0)) {
        return (rolling_radius){ radius - patch_sinking * depth, -patch_sinking, 2.0 * l->growth * spin };
    }
    double faster = 1.0 + l->by_spin * fabs(spin), still = depth * (l->by_depth[0] + depth * l->by_depth[1]);
    double load = faster * still, bent = l->bend * load;
    double by_load = -l->deep * l->bend / (1.0 + bent * bent) - l->sink;
    double by_spin = spin < 0.0 ? -l->by_spin : l->by_spin;
    return (rolling_radius){ radius - l->deep * math_atan(bent) - l->sink * load,
                             by_load * faster * (l->by_depth[0] + 2.0 * depth * l->by_depth[1]),
                             by_load * by_spin * still + 2.0 * l->growth * spin };
}

tyre_patch patch_find(const tyre_shape *shape, const tyre_ground *ground, const tyre_pose *at)
{
    tyre_patch p = { .at = *at, .n = ground->normal, .e = at->axis };
    double a2 = shape->radial * shape->radial, b2 = shape->axial * shape->axial;
    p.c = vec3_dot(p.n, p.e);
    p.s = fmax(vec3_norm(vec3_cross(p.e, p.n)), least_sine);
    p.u = vec3_scale(1.0 / p.s, vec3_add_scaled(p.n, -p.c, p.e));

    // the point of the rim farthest down the normal (tyre.2) and its depth (tyre.3)
    p.q = sqrt(a2 * p.s * p.s + b2 * p.c * p.c);
    p.rim = vec3_scale(-shape->ring, p.u);
    if (p.q > 0.0) {
        p.rim = vec3_add_scaled(p.rim, -a2 * p.s / p.q, p.u);
        p.rim = vec3_add_scaled(p.rim, -b2 * p.c / p.q, p.e);
    }
    double height = vec3_dot(p.n, vec3_sub(at->centre, ground->point));
    p.depth = shape->ring * p.s + p.q - height;
    p.gain = ground->gain > 0.0 ? ground->gain : 1.0;
    p.arm = shape->at_rim ? p.rim : vec3_add_scaled(p.rim, p.depth, p.n);
    p.spin = vec3_dot(at->omega, p.e);
    p.depth += shape->law.growth * p.spin * p.spin;

    // axes of the tyre in the ground (tyre.1)
    p.along = vec3_scale(1.0 / p.s, vec3_cross(p.e, p.n));
    p.side = vec3_cross(p.n, p.along);

    // velocities (tyre.4), (tyre.5)
    p.radius_loaded = -vec3_dot(vec3_cross(p.e, p.arm), p.along);
    p.radius_rolling = shape->rolling > 0.0 ? shape->rolling : shape->at_rim ? p.radius_loaded : 0.0;
    if (!(p.radius_rolling > 0.0)) {
        p.rolling = patch_rolling(shape, p.depth, p.spin);
        p.radius_rolling = p.rolling.r;
    }
    p.by_growth = 2.0 * shape->law.growth * p.spin;
    p.rim_velocity = vec3_add(at->velocity, vec3_cross(at->omega, p.rim));
    p.velocity = vec3_add(at->velocity, vec3_cross(at->omega, p.arm));
    p.patch_state[PATCH_DEPTH] = p.depth;
    p.patch_state[PATCH_DEPTH_RATE] = -p.gain * vec3_dot(p.n, p.rim_velocity);
    p.patch_state[PATCH_SLIP_X] =
        vec3_dot(p.along, p.velocity) + (p.radius_loaded - p.radius_rolling) * p.spin;
    p.patch_state[PATCH_SLIP_Y] = vec3_dot(p.side, p.velocity);
    p.patch_state[PATCH_ROLL] = p.radius_rolling * p.spin;
    p.patch_state[PATCH_CAMBER] = p.c;
    p.patch_state[PATCH_TURN] = vec3_dot(at->omega, p.n);
    p.patch_state[PATCH_TRAVEL] = vec3_dot(p.along, at->velocity);
    p.patch_state[PATCH_DRIFT] = vec3_dot(p.side, at->velocity);
    return p;
}

patch_change patch_vary(const tyre_shape *shape, const tyre_ground *ground, const tyre_patch *p,
                        const patch_nudge *by)
{
    patch_change d;
    double a2 = shape->radial * shape->radial, b2 = shape->axial * shape->axial;
    vec3 omega = p->at.omega;
    d.e = vec3_cross(by->turn, p->e);
    d.n = vec3_add(mat3_apply(ground->d_normal, by->place), mat3_apply(ground->d_normal_by_turn, by->turn));
    double dc = vec3_dot(d.n, p->e) + vec3_dot(p->n, d.e), ds = -p->c * dc / p->s;
    vec3 du = vec3_sub(vec3_add_scaled(d.n, -dc, p->e), vec3_scale(p->c, d.e));
    du = vec3_scale(1.0 / p->s, vec3_add_scaled(du, -ds, p->u));

    double dq = 0.0;
    vec3 d_rim = vec3_scale(-shape->ring, du);
    if (p->q > 0.0) {
        dq = (a2 * p->s * ds + b2 * p->c * dc) / p->q;
        double radial = a2 * p->s / p->q, axial = b2 * p->c / p->q;
        d_rim = vec3_add_scaled(d_rim, -(a2 * ds - radial * dq) / p->q, p->u);
        d_rim = vec3_add_scaled(d_rim, -radial, du);
        d_rim = vec3_add_scaled(d_rim, -(b2 * dc - axial * dq) / p->q, p->e);
        d_rim = vec3_add_scaled(d_rim, -axial, d.e);
    }
    // the plane rolls along the surface it touches: its point moves in the plane only
    d.gain = vec3_dot(ground->d_gain, by->place) + vec3_dot(ground->d_gain_by_turn, by->turn);
    double d_height = vec3_dot(p->n, by->place) + vec3_dot(d.n, vec3_sub(p->at.centre, ground->point));
    double d_depth = p->gain * (shape->ring * ds + dq - d_height);
    double lifted = p->depth - 0.5 * p->by_growth * p->spin;
    d.arm = shape->at_rim ? d_rim : vec3_add_scaled(vec3_add_scaled(d_rim, d_depth, p->n), lifted, d.n);

    vec3 d_cross = vec3_add(vec3_cross(d.e, p->n), vec3_cross(p->e, d.n));
    d.along = vec3_scale(1.0 / p->s, vec3_add_scaled(d_cross, -ds, p->along));
    d.side = vec3_add(vec3_cross(d.n, p->along), vec3_cross(p->n, d.along));

    double d_spin = vec3_dot(by->omega, p->e) + vec3_dot(omega, d.e);
    d_depth += p->by_growth * d_spin;
    vec3 around = vec3_cross(p->e, p->arm),
         d_around = vec3_add(vec3_cross(d.e, p->arm), vec3_cross(p->e, d.arm));
    double d_loaded = -vec3_dot(d_around, p->along) - vec3_dot(around, d.along);
    double d_rolling = shape->rolling > 0.0 ? 0.0
                       : shape->at_rim      ? d_loaded
                                            : p->rolling.by_depth * d_depth + p->rolling.by_spin * d_spin;
    d.lever = d_loaded - d_rolling;
    vec3 d_rim_velocity =
        vec3_add(by->velocity, vec3_add(vec3_cross(by->omega, p->rim), vec3_cross(omega, d_rim)));
    vec3 d_velocity =
        vec3_add(by->velocity, vec3_add(vec3_cross(by->omega, p->arm), vec3_cross(omega, d.arm)));
    d.patch_state[PATCH_DEPTH] = d_depth;
    d.patch_state[PATCH_DEPTH_RATE] =
        -p->gain * (vec3_dot(d.n, p->rim_velocity) + vec3_dot(p->n, d_rim_velocity)) -
        d.gain * vec3_dot(p->n, p->rim_velocity);
    d.patch_state[PATCH_SLIP_X] = vec3_dot(d.along, p->velocity) + vec3_dot(p->along, d_velocity) +
                                  d.lever * p->spin + (p->radius_loaded - p->radius_rolling) * d_spin;
    d.patch_state[PATCH_SLIP_Y] = vec3_dot(d.side, p->velocity) + vec3_dot(p->side, d_velocity);
    d.patch_state[PATCH_ROLL] = d_rolling * p->spin + p->radius_rolling * d_spin;
    d.patch_state[PATCH_CAMBER] = dc;
    d.patch_state[PATCH_TURN] = vec3_dot(by->omega, p->n) + vec3_dot(omega, d.n);
    d.patch_state[PATCH_TRAVEL] = vec3_dot(d.along, p->at.velocity) + vec3_dot(p->along, by->velocity);
    d.patch_state[PATCH_DRIFT] = vec3_dot(d.side, p->at.velocity) + vec3_dot(p->side, by->velocity);
    return d;
}

double patch_vary_rate(const tyre_patch *p, const patch_nudge *by, double patch_state[N_PATCH])
{
    double d_spin = vec3_dot(by->omega, p->e), d_depth = p->by_growth * d_spin;
    double d_rolling = p->rolling.by_depth * d_depth + p->rolling.by_spin * d_spin;
    vec3 d_rim_velocity = vec3_add(by->velocity, vec3_cross(by->omega, p->rim));
    vec3 d_velocity = vec3_add(by->velocity, vec3_cross(by->omega, p->arm));
    patch_state[PATCH_DEPTH] = d_depth;
    patch_state[PATCH_CAMBER] = 0.0;
    patch_state[PATCH_DEPTH_RATE] = -p->gain * vec3_dot(p->n, d_rim_velocity);
    patch_state[PATCH_SLIP_X] = vec3_dot(p->along, d_velocity) +
                                (p->radius_loaded - p->radius_rolling) * d_spin - d_rolling * p->spin;
    patch_state[PATCH_SLIP_Y] = vec3_dot(p->side, d_velocity);
    patch_state[PATCH_ROLL] = p->radius_rolling * d_spin + d_rolling * p->spin;
    patch_state[PATCH_TURN] = vec3_dot(by->omega, p->n);
    patch_state[PATCH_TRAVEL] = vec3_dot(p->along, by->velocity);
    patch_state[PATCH_DRIFT] = vec3_dot(p->side, by->velocity);
    return d_rolling;
}
