// SPDX-License-Identifier: MIT
// Rigid bodies, point masses and loads (yardstick.8).
#include "exact/elements/inside.h"
#include <string.h>

static vec3 about_z(vec3 v) { return (vec3){ 0.0, 0.0, v.z }; }

static void add_tangent(yard *y, const rigid *e)
{
    double K[36] = { 0.0 };
    mat3 coupling = mat3_multiply(y->axes[e->node.turn], mat3_cross(e->com)); // of place and turn: -m A c~
    for (int i = 0; i < 3; i++) {
        K[7 * i] = e->mass * y->f_mass;
        const double *column = &coupling.col[i].x, *J = &e->inertia.col[i].x;
        for (int k = 0; k < 3; k++) {
            K[6 * k + 3 + i] = -e->mass * column[k] * y->f_mass;
            K[6 * (3 + k) + 3 + i] = J[k] * y->f_mass;
        }
    }
    map_add(&e->map, 6, K, y->value);
}

// A body with a turn: forces of its inertia and weight, about the node.
static void body_add(yard *y, const rigid *e, yard_want want)
{
    int place = e->node.place, turn = e->node.turn;
    mat3 A = y->axes[turn];
    vec3 a = place_get(y->a, place), w = turn_get(y, y->v, turn), dw = turn_get(y, y->a, turn);
    vec3 swing = vec3_add(vec3_cross(dw, e->com), vec3_cross(w, vec3_cross(w, e->com)));
    vec3 weight = vec3_scale(y->scale * e->mass, y->gravity);
    vec3 force = vec3_neg(weight), torque = vec3_neg(vec3_cross(e->com, mat3_apply_transposed(A, weight)));
    if (y->f_mass > 0.0) {
        force = vec3_add_scaled(force, e->mass, vec3_add(a, mat3_apply(A, swing)));
        torque = vec3_add(torque, mat3_apply(e->inertia, dw));
        torque = vec3_add(torque, vec3_cross(w, mat3_apply(e->inertia, w)));
        torque = vec3_add_scaled(torque, e->mass, vec3_cross(e->com, mat3_apply_transposed(A, a)));
    }
    place_add(y->force, place, force);
    turn_add(y, y->force, turn, y->is_planar ? about_z(torque) : torque);
    if (want == FORCES_AND_TANGENT && y->f_mass > 0.0) {
        add_tangent(y, e);
    }
}

static void mass_add(yard *y, const rigid *e, yard_want want)
{
    vec3 force = vec3_scale(-y->scale * e->mass, y->gravity);
    if (y->f_mass > 0.0) {
        force = vec3_add_scaled(force, e->mass, place_get(y->a, e->node.place));
    }
    place_add(y->force, e->node.place, force);
    if (want == FORCES_AND_TANGENT && y->f_mass > 0.0) {
        double m = e->mass * y->f_mass, K[9] = { m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, m };
        map_add(&e->map, 3, K, y->value);
    }
}

void rigids_add(yard *y, yard_want want)
{
    for (int k = 0; k < y->n_rigid; k++) {
        const rigid *e = &y->rigid[k];
        if (e->node.turn >= 0) {
            body_add(y, e, want);
        } else {
            mass_add(y, e, want);
        }
    }
}

double rigids_energy(const yard *y)
{
    double energy = 0.0;
    for (int k = 0; k < y->n_rigid; k++) {
        const rigid *e = &y->rigid[k];
        vec3 v = place_get(y->v, e->node.place), x = yard_point(y, e->node, e->com);
        energy += 0.5 * e->mass * vec3_dot(v, v) - e->mass * vec3_dot(y->gravity, x);
        if (e->node.turn >= 0) {
            vec3 w = turn_get(y, y->v, e->node.turn);
            vec3 swing = mat3_apply(y->axes[e->node.turn], vec3_cross(w, e->com));
            energy += e->mass * vec3_dot(v, swing) + 0.5 * vec3_dot(w, mat3_apply(e->inertia, w));
        }
    }
    return energy;
}

// Given forces and torques; what they do is moved to the other side of the equations.
void loads_add(yard *y)
{
    for (int k = 0; k < y->n_load; k++) {
        const load *l = &y->load[k];
        vec3 f = vec3_scale(-y->scale * l->value.at(l->value.ctx, y->t).v, l->direction);
        if (l->node.place < 0) {
            turn_add(y, y->force, l->node.turn, mat3_apply_transposed(y->axes[l->node.turn], f));
            continue;
        }
        place_add(y->force, l->node.place, f);
        if (l->node.turn >= 0) {
            vec3 torque = vec3_cross(l->offset, mat3_apply_transposed(y->axes[l->node.turn], f));
            turn_add(y, y->force, l->node.turn, torque);
        }
    }
}
