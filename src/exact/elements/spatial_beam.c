// SPDX-License-Identifier: MIT
// Spatial geometrically exact beams: two frames, constant strains along the screw between them, half of the mass at
// each end (yardstick.5 to yardstick.7).
#include "exact/elements/inside.h"
#include "math/se3.h"
#include <string.h>

// The section axes at both ends and the screw between them.
typedef struct {
    mat3 axes[2];
    screw d;
} beam_state;

static beam_state beam_at(const yard *y, const spatial_beam *e)
{
    beam_state s;
    quat end[2];
    for (int i = 0; i < 2; i++) {
        end[i] = quat_multiply(y->rot[e->node[i].turn], e->fit[i]);
        s.axes[i] = quat_to_mat3(end[i]);
    }
    vec3 gap = vec3_sub(place_get(y->x, e->node[1].place), place_get(y->x, e->node[0].place));
    s.d = screw_log(quat_multiply(quat_conjugate(end[0]), end[1]), mat3_apply_transposed(s.axes[0], gap));
    return s;
}

void spatial_beam_rest(yard *y, spatial_beam *e)
{
    quat end[2];
    for (int i = 0; i < 2; i++) {
        end[i] = quat_multiply(y->turn0[e->node[i].turn].rot0, e->fit[i]);
    }
    vec3 gap = vec3_sub(y->place0[e->node[1].place], y->place0[e->node[0].place]);
    screw d =
        screw_log(quat_multiply(quat_conjugate(end[0]), end[1]), quat_rotate(quat_conjugate(end[0]), gap));
    memcpy(e->d0, &d.u, sizeof d.u);
    memcpy(e->d0 + 3, &d.w, sizeof d.w);
}

// Stiffness of the screw: of the section, by the length.
static void stiffness_of(const spatial_beam *e, double k[6])
{
    const yard_section *s = &e->section;
    const double all[6] = { s->EA, s->GAy, s->GAz, s->GJ, s->EIy, s->EIz };
    for (int i = 0; i < 6; i++) {
        k[i] = all[i] / e->length;
    }
}

static void effort_of(const spatial_beam *e, const screw *d, vec3 *n, vec3 *m)
{
    double k[6];
    stiffness_of(e, k);
    *n = (vec3){ k[0] * (d->u.x - e->d0[0]), k[1] * (d->u.y - e->d0[1]), k[2] * (d->u.z - e->d0[2]) };
    *m = (vec3){ k[3] * (d->w.x - e->d0[3]), k[4] * (d->w.y - e->d0[4]), k[5] * (d->w.z - e->d0[5]) };
}

static const double side_of[2] = { -1.0, 1.0 }; // near end, far end

// Rate of the screw from the velocities of the ends.
static void rate_of(const yard *y, const spatial_beam *e, const beam_state *s, vec3 *du, vec3 *dw)
{
    *du = *dw = (vec3){ 0 };
    for (int i = 0; i < 2; i++) {
        vec3 v = mat3_apply_transposed(s->axes[i], place_get(y->v, e->node[i].place));
        vec3 w = quat_rotate(quat_conjugate(e->fit[i]), turn_get(y, y->v, e->node[i].turn));
        vec3 u_i, w_i;
        screw_change(&s->d, side_of[i], v, w, &u_i, &w_i);
        *du = vec3_add_scaled(*du, side_of[i], u_i);
        *dw = vec3_add_scaled(*dw, side_of[i], w_i);
    }
}

// Change of the screw with each of the 12 components.
static void change_of(const spatial_beam *e, const beam_state *s, double B[12][6])
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 6; k++) {
            vec3 unit = { k % 3 == 0, k % 3 == 1, k % 3 == 2 }, zero = { 0 }, du, dw;
            vec3 shift = k < 3 ? mat3_apply_transposed(s->axes[i], unit) : zero;
            vec3 spin = k < 3 ? zero : quat_rotate(quat_conjugate(e->fit[i]), unit);
            screw_change(&s->d, side_of[i], shift, spin, &du, &dw);
            du = vec3_scale(side_of[i], du);
            dw = vec3_scale(side_of[i], dw);
            memcpy(B[6 * i + k], &du, sizeof du);
            memcpy(B[6 * i + k] + 3, &dw, sizeof dw);
        }
    }
}

// Derivative of the forces on end i along column j: what the change of the screw does to them (yardstick.7).
static void geometric(const spatial_beam *e, const beam_state *s, vec3 n, vec3 m, const double B[12][6],
                      double K[144])
{
    for (int j = 0; j < 12; j++) {
        vec3 du = { B[j][0], B[j][1], B[j][2] }, dw = { B[j][3], B[j][4], B[j][5] };
        for (int i = 0; i < 2; i++) {
            vec3 force, torque, own_force, own_torque;
            screw_bend(&s->d, side_of[i], n, m, du, dw, &force, &torque);
            if (j / 6 == i && j % 6 >= 3) {
                // the force is given in the axes of the end, which turn
                vec3 unit = { j % 6 == 3, j % 6 == 4, j % 6 == 5 };
                screw_forces(&s->d, side_of[i], n, m, &own_force, &own_torque);
                force = vec3_add(force, vec3_cross(quat_rotate(quat_conjugate(e->fit[i]), unit), own_force));
            }
            force = vec3_scale(side_of[i], mat3_apply(s->axes[i], force));
            torque = vec3_scale(side_of[i], quat_rotate(e->fit[i], torque));
            for (int k = 0; k < 3; k++) {
                K[12 * (6 * i + k) + j] += (&force.x)[k];
                K[12 * (6 * i + 3 + k) + j] += (&torque.x)[k];
            }
        }
    }
    // away from equilibrium it is not symmetric: the mean of both triangles is what the factor takes
    for (int i = 0; i < 12; i++) {
        for (int j = i + 1; j < 12; j++) {
            K[12 * i + j] = K[12 * j + i] = 0.5 * (K[12 * i + j] + K[12 * j + i]);
        }
    }
}

static void add_tangent(yard *y, const spatial_beam *e, const beam_state *s, vec3 n, vec3 m)
{
    double B[12][6], K[144] = { 0.0 }, k[6], grow = 1.0 + e->section.viscous * y->f_rate;
    change_of(e, s, B);
    stiffness_of(e, k);
    geometric(e, s, n, m, (const double(*)[6])B, K);
    for (int i = 0; i < 12; i++) {
        for (int j = i; j < 12; j++) {
            double sum = 0.0;
            for (int c = 0; c < 6; c++) {
                sum += B[i][c] * k[c] * B[j][c];
            }
            K[12 * i + j] += grow * sum;
        }
    }
    // half of the mass at each end; the turns see it in section axes
    double mass = 0.5 * e->section.rhoA * e->length * y->f_mass, half = 0.5 * e->length * y->f_mass;
    double Iy = e->section.rhoIy * half, Iz = e->section.rhoIz * half;
    for (int i = 0; i < 2 && y->f_mass > 0.0; i++) {
        mat3 F = quat_to_mat3(e->fit[i]);
        mat3 J = mat3_multiply(
            mat3_multiply(F, (mat3){ { { Iy + Iz, 0.0, 0.0 }, { 0.0, Iy, 0.0 }, { 0.0, 0.0, Iz } } }),
            mat3_transposed(F));
        for (int c = 0; c < 3; c++) {
            K[13 * (6 * i + c)] += mass;
            for (int r = 0; r <= c; r++) {
                K[12 * (6 * i + 3 + r) + 6 * i + 3 + c] += (&J.col[c].x)[r];
            }
        }
    }
    map_add(&e->map, 12, K, y->value);
}

static void add_inertia(yard *y, const spatial_beam *e, int i)
{
    const yard_node *node = &e->node[i];
    double mass = 0.5 * e->section.rhoA * e->length, half = 0.5 * e->length;
    vec3 force = vec3_scale(-y->scale * mass, y->gravity);
    if (y->f_mass > 0.0) {
        double Iy = e->section.rhoIy * half, Iz = e->section.rhoIz * half;
        quat back = quat_conjugate(e->fit[i]);
        vec3 w = quat_rotate(back, turn_get(y, y->v, node->turn)),
             dw = quat_rotate(back, turn_get(y, y->a, node->turn));
        vec3 L = { (Iy + Iz) * w.x, Iy * w.y, Iz * w.z }, dL = { (Iy + Iz) * dw.x, Iy * dw.y, Iz * dw.z };
        force = vec3_add_scaled(force, mass, place_get(y->a, node->place));
        turn_add(y, y->force, node->turn, quat_rotate(e->fit[i], vec3_add(dL, vec3_cross(w, L))));
    }
    place_add(y->force, node->place, force);
}

void spatial_beams_add(yard *y, yard_want want)
{
    for (int b = 0; b < y->n_spatial; b++) {
        const spatial_beam *e = &y->spatial[b];
        beam_state s = beam_at(y, e);
        vec3 n, m;
        effort_of(e, &s.d, &n, &m);
        if (e->section.viscous > 0.0 && y->f_rate > 0.0) {
            double k[6];
            vec3 du, dw;
            stiffness_of(e, k);
            rate_of(y, e, &s, &du, &dw);
            double mu = e->section.viscous;
            n = vec3_add(n, (vec3){ mu * k[0] * du.x, mu * k[1] * du.y, mu * k[2] * du.z });
            m = vec3_add(m, (vec3){ mu * k[3] * dw.x, mu * k[4] * dw.y, mu * k[5] * dw.z });
        }
        for (int i = 0; i < 2; i++) {
            vec3 force, torque;
            screw_forces(&s.d, side_of[i], n, m, &force, &torque);
            place_add(y->force, e->node[i].place, vec3_scale(side_of[i], mat3_apply(s.axes[i], force)));
            turn_add(y, y->force, e->node[i].turn, vec3_scale(side_of[i], quat_rotate(e->fit[i], torque)));
            add_inertia(y, e, i);
        }
        if (want == FORCES_AND_TANGENT) {
            add_tangent(y, e, &s, n, m);
        }
    }
}

yard_forces spatial_beam_forces(const yard *y, const spatial_beam *e)
{
    beam_state s = beam_at(y, e);
    vec3 n, m;
    effort_of(e, &s.d, &n, &m);
    return (yard_forces){ n.x, n.y, n.z, m.x, m.y, m.z };
}

void spatial_beam_point(const yard *y, const spatial_beam *e, double share, vec3 *at, mat3 *axes)
{
    beam_state s = beam_at(y, e);
    mat3 turned;
    vec3 place;
    screw_exp(s.d, share, &turned, &place);
    *axes = mat3_multiply(s.axes[0], turned);
    *at = vec3_add(place_get(y->x, e->node[0].place), mat3_apply(s.axes[0], place));
}

double spatial_beams_energy(const yard *y)
{
    double energy = 0.0;
    for (int b = 0; b < y->n_spatial; b++) {
        const spatial_beam *e = &y->spatial[b];
        beam_state s = beam_at(y, e);
        double k[6], d[6];
        memcpy(d, &s.d.u, sizeof s.d.u);
        memcpy(d + 3, &s.d.w, sizeof s.d.w);
        stiffness_of(e, k);
        for (int i = 0; i < 6; i++) {
            energy += 0.5 * k[i] * (d[i] - e->d0[i]) * (d[i] - e->d0[i]);
        }
        double mass = 0.5 * e->section.rhoA * e->length, Iy = 0.5 * e->length * e->section.rhoIy,
               Iz = 0.5 * e->length * e->section.rhoIz;
        for (int i = 0; i < 2; i++) {
            vec3 v = place_get(y->v, e->node[i].place), x = place_get(y->x, e->node[i].place);
            vec3 w = quat_rotate(quat_conjugate(e->fit[i]), turn_get(y, y->v, e->node[i].turn));
            energy += 0.5 * mass * vec3_dot(v, v) - mass * vec3_dot(y->gravity, x);
            energy += 0.5 * ((Iy + Iz) * w.x * w.x + Iy * w.y * w.y + Iz * w.z * w.z);
        }
    }
    return energy;
}
