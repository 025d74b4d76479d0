// SPDX-License-Identifier: MIT
// Springs and dampers between two points (yardstick.10).
#include "exact/elements/inside.h"
#include <math.h>
#include <string.h>

// The points, their velocities, and what the spring is worth there.
typedef struct {
    vec3 arm[2];    // from the nodes to the points, ground axes
    vec3 e;         // unit, from a to b
    double length;  // m
    double tension; // N
    double slope;   // N/m, of the tension with the length; the rate of the scheme included
} pull;

static double one_way(const spring *s, double tension)
{
    return s->only == 2 ? fmax(tension, 0.0) : s->only == 3 ? fmin(tension, 0.0) : tension;
}

static vec3 arm_of(const yard *y, yard_node node, vec3 offset)
{
    return node.turn >= 0 ? mat3_apply(y->axes[node.turn], offset) : offset;
}

static vec3 velocity_of(const yard *y, yard_node node, vec3 offset)
{
    vec3 v = place_get(y->v, node.place);
    if (node.turn >= 0) {
        vec3 spin = turn_get(y, y->v, node.turn);
        v = vec3_add(v, mat3_apply(y->axes[node.turn], vec3_cross(spin, offset)));
    }
    return v;
}

static pull pull_of(const yard *y, const spring *s)
{
    pull p;
    vec3 at[2], v[2];
    for (int i = 0; i < 2; i++) {
        p.arm[i] = arm_of(y, s->node[i], s->offset[i]);
        at[i] = vec3_add(place_get(y->x, s->node[i].place), p.arm[i]);
        v[i] = velocity_of(y, s->node[i], s->offset[i]);
    }
    vec3 d = vec3_sub(at[1], at[0]);
    p.length = vec3_norm(d);
    p.e = p.length > 0.0 ? vec3_scale(1.0 / p.length, d) : (vec3){ 0.0, 0.0, 0.0 };
    bool is_moving = y->f_rate > 0.0;
    double rate = is_moving ? vec3_dot(p.e, vec3_sub(v[1], v[0])) : 0.0;
    double whole = s->preload + s->stiffness * (p.length - s->rest) + s->damping * rate;
    p.tension = one_way(s, whole);
    p.slope = p.tension == whole ? s->stiffness + (is_moving ? s->damping * y->f_rate : 0.0) : 0.0;
    return p;
}

// d(point)/d(component of its node): identity for the place, -A s~ for the spin.
static int point_rows(const yard *y, const spring *s, int i, double sign, vec3 *row)
{
    static const vec3 axis[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    int n = 0;
    for (int k = 0; k < 3; k++) {
        row[n++] = vec3_scale(sign, axis[k]);
    }
    for (int k = 0; s->node[i].turn >= 0 && k < 3; k++) {
        vec3 moved = mat3_apply(y->axes[s->node[i].turn], vec3_cross(axis[k], s->offset[i]));
        row[n++] = vec3_scale(sign, moved);
    }
    return n;
}

static void add_tangent(yard *y, const spring *s, const pull *p, const vec3 *row, int n)
{
    double K[MOST_LOCAL * MOST_LOCAL], across = p->length > 0.0 ? p->tension / p->length : 0.0;
    memset(K, 0, sizeof K);
    for (int i = 0; i < n; i++) {
        double along = vec3_dot(p->e, row[i]);
        for (int j = i; j < n; j++) {
            double both = along * vec3_dot(p->e, row[j]);
            K[i * n + j] = p->slope * both + across * (vec3_dot(row[i], row[j]) - both);
        }
    }
    map_add(&s->map, n, K, y->value);
}

void springs_add(yard *y, yard_want want)
{
    for (int k = 0; k < y->n_spring; k++) {
        const spring *s = &y->spring[k];
        pull p = pull_of(y, s);
        vec3 row[MOST_LOCAL];
        int n = point_rows(y, s, 0, -1.0, row);
        n += point_rows(y, s, 1, 1.0, row + n);
        for (int i = 0; i < n; i++) {
            bool is_flat = y->is_planar && s->map.a[i] >= 3 * y->n_place && s->map.a[i] % 3 != 2;
            y->force[s->map.a[i]] += is_flat ? 0.0 : p.tension * vec3_dot(p.e, row[i]);
        }
        if (want == FORCES_AND_TANGENT) {
            add_tangent(y, s, &p, row, n);
        }
    }
}

double springs_energy(const yard *y)
{
    double energy = 0.0;
    for (int k = 0; k < y->n_spring; k++) {
        const spring *s = &y->spring[k];
        pull p = pull_of(y, s);
        double x = p.length - s->rest, tension = s->preload + s->stiffness * x;
        bool is_pulling = one_way(s, tension) == tension;
        energy += is_pulling && s->stiffness > 0.0 ? 0.5 * tension * tension / s->stiffness : 0.0;
    }
    return energy;
}
