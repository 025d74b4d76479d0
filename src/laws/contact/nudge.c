// SPDX-License-Identifier: MIT
#include "laws/contact/nudge.h"

spot spot_of(const pair_motion *m, const pair_place *place, const hold *h)
{
    double offset = place->radius - 0.5 * place->depth, apart = place->radius + place->other - place->depth;
    spot s = { .m = m, .place = place, .h = h };
    s.centre[0] = vec3_add_scaled(place->point, offset, place->normal);
    // of a flat b the place that a's middle lies over turns with it
    s.centre[1] = place->is_round ? vec3_add_scaled(s.centre[0], -apart, place->normal) : s.centre[0];
    return s;
}

// A belt turns with its body, and stays along the surface as that turns.
static void add_belt(const spot *s, int side, vec3 turn, nudge *d)
{
    vec3 n = s->place->normal, belt = s->h->belt;
    if (side == s->h->belt_side) {
        vec3 turned = vec3_cross(turn, belt);
        d->velocity = vec3_add(d->velocity, vec3_add_scaled(turned, -vec3_dot(n, turned), n));
        d->stretch = vec3_add(d->stretch, vec3_cross(turn, s->h->travel));
    }
    d->velocity = vec3_add_scaled(d->velocity, -vec3_dot(n, belt), d->normal);
    d->velocity = vec3_add_scaled(d->velocity, -vec3_dot(belt, d->normal), n);
}

static const double parallel = 1e-6; // sine of the angle below which an axis has no direction on the surface

vec3 grain_side(vec3 axis, vec3 normal)
{
    vec3 side = vec3_cross(normal, axis);
    double size = vec3_norm(side);
    return size > parallel ? vec3_scale(1.0 / size, side) : (vec3){ 0.0, 0.0, 0.0 };
}

// The axis turns with its body, the surface with its own.
vec3 nudge_side(const spot *s, const nudge *d, int side, vec3 turn)
{
    vec3 n = s->place->normal, axis = s->grain->axis, across = vec3_cross(n, axis),
         by = vec3_cross(d->normal, axis);
    double size = vec3_norm(across);
    if (!(size > parallel)) {
        return (vec3){ 0.0, 0.0, 0.0 };
    }
    if (side == s->grain->carrier) {
        by = vec3_add(by, vec3_cross(n, vec3_cross(turn, axis)));
    }
    return vec3_scale(1.0 / size, vec3_add_scaled(by, -vec3_dot(across, by) / (size * size), across));
}

// The change of hold_wander, when the place moves by `moved`.
static vec3 wandered(const hold *h, int side, vec3 shift, vec3 turn, vec3 moved)
{
    vec3 there = mat3_apply(h->back, h->gone), by;
    if (side == 0) {
        moved = vec3_sub(moved, vec3_add(shift, vec3_cross(turn, h->hold_a)));
        by = mat3_apply(h->back, vec3_sub(vec3_cross(turn, h->gone), moved));
    } else {
        by = vec3_neg(vec3_add(vec3_cross(turn, there), mat3_apply(h->back, moved)));
    }
    return vec3_scale(0.5, vec3_add(moved, by));
}

nudge nudge_of(const spot *s, int side, vec3 shift, vec3 turn)
{
    const pair_place *at = s->place;
    vec3 n = at->normal,
         moved = vec3_add(shift, vec3_cross(turn, vec3_sub(s->centre[side], s->m->pos[side])));
    double sign = side == 0 ? 1.0 : -1.0, offset = at->radius - 0.5 * at->depth;
    nudge d = { .depth = -sign * vec3_dot(n, moved) };
    if (at->is_round) {
        double apart = at->radius + at->other - at->depth;
        d.normal = vec3_scale(sign / apart, vec3_add_scaled(moved, -vec3_dot(n, moved), n));
    } else if (side == 1) {
        d.normal = vec3_cross(turn, n);
    }
    d.point = vec3_add_scaled(vec3_scale(-offset, d.normal), 0.5 * d.depth, n);
    d.point = side == 0 ? vec3_add(d.point, moved) : d.point;
    if (s->bend) {
        d.point = vec3_add_scaled(d.point, sign, mat3_apply(*s->bend, vec3_cross(turn, n)));
    }
    // what was remembered is fixed in its body, the stretch in b
    d.stretch = side == 0 ? vec3_add(shift, vec3_cross(turn, s->h->hold_a))
                          : vec3_sub(vec3_cross(turn, vec3_sub(s->h->kept, s->h->hold_b)), shift);
    if (s->bend) {
        d.stretch = vec3_add(d.stretch, wandered(s->h, side, shift, turn, d.point));
    }
    // rates are held: only the arms change
    d.velocity = vec3_cross(vec3_sub(s->m->spin[0], s->m->spin[1]), d.point);
    d.velocity = vec3_add_scaled(d.velocity, -sign, vec3_cross(s->m->spin[side], shift));
    if (s->h->belt.x != 0.0 || s->h->belt.y != 0.0 || s->h->belt.z != 0.0) {
        add_belt(s, side, turn, &d);
    }
    return d;
}

// Force and moment on one body as part of a column of K or C: minus their change.
static inline void put_part(double sign, vec3 df, vec3 moment, int width, double *to)
{
    to[0] += sign * df.x;
    to[width] += sign * df.y;
    to[2 * width] += sign * df.z;
    to[3 * width] += sign * moment.x;
    to[4 * width] += sign * moment.y;
    to[5 * width] += sign * moment.z;
}

// A moment on both bodies, as part of a column.
static void put_moment(const contact_pair *p, vec3 dm, double *to)
{
    static const vec3 zero = { 0.0, 0.0, 0.0 };
    for (int on = 0, row = 0; on < 2; on++) {
        if (p->side[on].dof >= 0) {
            put_part(on == 0 ? -1.0 : 1.0, zero, dm, p->width, to + row * p->width);
            row += 6;
        }
    }
}

// What rolling adds to a column: df and dv are the changes of the force.
static void add_roll_column(const contact_pair *p, const spot *s, const nudge *d, const touch_force *f,
                            int side, vec3 turn, vec3 df, vec3 dv, double *K, double *C)
{
    vec3 n = s->place->normal;
    double push = vec3_dot(n, df) + vec3_dot(d->normal, f->force);
    vec3 dm = vec3_scale(push, s->roll->by_push);
    dm = vec3_add(dm, mat3_apply(s->roll->by_normal, d->normal));
    put_moment(p, vec3_add(dm, mat3_apply(s->roll->by_stretch, roll_stretched(s->turned, side, turn))), K);
    vec3 faster = vec3_scale(side == 0 ? 1.0 : -1.0, turn);
    put_moment(p, vec3_add_scaled(mat3_apply(s->roll->by_spin, faster), vec3_dot(n, dv), s->roll->by_push),
               C);
}

// One column of K and of C: body `side` shifts or turns by a unit, or moves so.
static void add_column(const contact_pair *p, const spot *s, const touch_force *f, int side, vec3 shift,
                       vec3 turn, double *K, double *C)
{
    nudge d = nudge_of(s, side, shift, turn);
    vec3 df = vec3_scale(d.depth, f->by_depth), arm = vec3_sub(s->place->point, s->m->pos[side]);
    if (side == 1 || s->place->is_round) {
        df = vec3_add(mat3_apply(f->by_normal, d.normal), df);
    }
    df = vec3_add(df, mat3_apply(f->by_velocity, d.velocity));
    df = vec3_add(df, mat3_apply(f->by_stretch, d.stretch));
    if (s->grain) {
        df = vec3_add(df, mat3_apply(s->grain->by_side, nudge_side(s, &d, side, turn)));
    }
    vec3 faster = vec3_scale(side == 0 ? 1.0 : -1.0, vec3_add(shift, vec3_cross(turn, arm)));
    vec3 dv = mat3_apply(f->by_velocity, faster);
    for (int on = 0, row = 0; on < 2; on++) {
        if (p->side[on].dof < 0) {
            continue;
        }
        double sign = on == 0 ? -1.0 : 1.0;
        vec3 r = on == side ? arm : vec3_sub(s->place->point, s->m->pos[on]),
             dr = on == side ? vec3_sub(d.point, shift) : d.point;
        put_part(sign, df, vec3_add(vec3_cross(dr, f->force), vec3_cross(r, df)), p->width,
                 K + row * p->width);
        put_part(sign, dv, vec3_cross(r, dv), p->width, C + row * p->width);
        row += 6;
    }
    if (s->roll) {
        add_roll_column(p, s, &d, f, side, turn, df, dv, K, C);
    }
}

void nudge_add_tangent(const contact_pair *p, const spot *s, const touch_force *f, double *K, double *C)
{
    static const vec3 zero = { 0.0, 0.0, 0.0 },
                      unit[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 6 && p->side[side].dof >= 0; k++, K++, C++) {
            add_column(p, s, f, side, k < 3 ? unit[k] : zero, k < 3 ? zero : unit[k - 3], K, C);
        }
    }
}
