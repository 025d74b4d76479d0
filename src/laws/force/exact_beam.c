// SPDX-License-Identifier: MIT
// Beam between two section frames (beam.1 .. beam.7, beam.11 .. beam.13): geometrically exact, its strains those of the screw
// from the one to the other, softer by what they change on the way; damping by the rate of strain; exact tangent.
#include "laws/force/force.h"
#include "math/rotation.h"
#include "math/se3.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    BEAM_TOLD_ENDS = 6, // behind those in the middle: at a and at b
    BEAM_TOLD = 18
};
static const char *const told_name[BEAM_TOLD] = { "N",   "Vy",   "Vz",   "Mt",   "My",   "Mz",
                                                  "N_a", "Vy_a", "Vz_a", "Mt_a", "My_a", "Mz_a",
                                                  "N_b", "Vy_b", "Vz_b", "Mt_b", "My_b", "Mz_b" };
static const char *const told_unit[BEAM_TOLD] = { "N", "N", "N", "N*m", "N*m", "N*m",
                                                  "N", "N", "N", "N*m", "N*m", "N*m",
                                                  "N", "N", "N", "N*m", "N*m", "N*m" };

typedef struct {
    int end[2], frame[2]; // dofs of the markers, indices of axes
    int block, element, told;
    mat3 rot[2];     // axes of the sections in the bodies
    double d0[6];    // the screw without load
    double gives[6]; // flexibility of the screw by stresses that are constant, m/N, rad/(N m)
    double soft[6];  // L^3/12 over the stiffness of the section: by slopes of stresses
    double ratio[2]; // EA over GA_y, GA_z
    double length;   // m
    double viscous;  // s: stress = stiffness * (strain + viscous * its rate)
} beam;

static void beam_compile(plan *p, int element, const void *def, void *item)
{
    const bi_beam_def *d = def;
    const bi_frame *frame[2] = { &d->a, &d->b };
    int m[2];
    beam *out = item;
    *out = (beam){ .element = element, .viscous = d->damping };
    for (int i = 0; i < 2; i++) {
        m[i] = plan_frame(p, frame[i]->body.i - 1, frame[i]->at);
        out->end[i] = plan_dof(p, m[i]);
        out->frame[i] = p->marker[m[i]].frame;
        out->rot[i] = quat_to_mat3(quat_normalized(quat_or_identity(frame[i]->rot)));
    }
    out->block = plan_block(p, m, 2);
    out->told = plan_add_readings(p, element, BEAM_TOLD, told_name, told_unit);
    double L = out->length = d->length;
    for (int i = 0; i < 6; i++) {
        out->gives[i] = L / d->stiffness.value[i];
        out->soft[i] = L * L * L / (12.0 * d->stiffness.value[i]);
    }
    // drawn tight it is stiffer across, by its pull over its length: else a string would give way between its sections
    double pull =
        d->rest.count == 6 && d->rest.value[0] < 0.0 ? 0.0 - d->rest.value[0] * d->stiffness.value[0] : 0.0;
    for (int i = 4; i < 6 && pull > 0.0; i++) {
        out->soft[i] = 1.0 / (1.0 / out->soft[i] + pull / L);
    }
    out->ratio[0] = d->stiffness.value[0] / d->stiffness.value[1];
    out->ratio[1] = d->stiffness.value[0] / d->stiffness.value[2];
    for (int i = 0; i < 6; i++) {
        out->d0[i] = d->length * ((i == 0) + (d->rest.count == 6 ? d->rest.value[i] : 0.0));
    }
}

// ---- the screw and its rate ------------------------------------------------------------------------------------

static const double side_of[2] = { -1.0, 1.0 }; // a, b

typedef struct {
    mat3 axes[2];    // of the sections, ground axes
    vec3 v[2], w[2]; // rates of the ends, section axes
    screw d;
    double rate[6]; // of the screw
    vec3 n, m;      // force and moment dual to it
} beam_state;

static void put(double to[6], vec3 u, vec3 w)
{
    tray_put(to, u);
    tray_put(to + 3, w);
}

// The screw alone, as energy and forces without damping need it.
static void find_screw(const beam *b, const motion *at, beam_state *s)
{
    for (int i = 0; i < 2; i++) {
        s->axes[i] = mat3_multiply(at->axes[b->frame[i]], b->rot[i]);
    }
    vec3 gap = vec3_sub(tray_vec3(&at->value[b->end[1]]), tray_vec3(&at->value[b->end[0]]));
    s->d = screw_log(quat_from_mat3(mat3_multiply(mat3_transposed(s->axes[0]), s->axes[1])),
                     mat3_apply_transposed(s->axes[0], gap));
}

// Its rate, from those of the ends (beam.4).
static void find_rate(const beam *b, const motion *at, beam_state *s)
{
    vec3 du = { 0.0, 0.0, 0.0 }, dw = du;
    for (int i = 0; i < 2; i++) {
        vec3 u_i, w_i;
        s->v[i] = mat3_apply_transposed(s->axes[i], tray_vec3(&at->rate[b->end[i]]));
        s->w[i] = mat3_apply_transposed(s->axes[i], tray_vec3(&at->rate[b->end[i] + 3]));
        screw_change(&s->d, side_of[i], s->v[i], s->w[i], &u_i, &w_i);
        du = vec3_add_scaled(du, side_of[i], u_i);
        dw = vec3_add_scaled(dw, side_of[i], w_i);
    }
    put(s->rate, du, dw);
}

// ---- stiffness of the screw ---------------------------------------------------------------------------------------

// What the slopes of stresses follow from, and its change with a number of the screw.
typedef struct {
    vec3 kappa;
    double along[2]; // of the slope of moments by shear: of M_z' by N_y, of M_y' by N_z
} shape;

// Its flexibility by forces that change along the beam (beam.12), made stiffness.
typedef struct {
    shape at;
    double K[6][6];
    double h[6];     // K (d - d_0)
    double slope[6]; // of forces and moments h along the beam, times the flexibility
} stiffness;

static void shape_of(const beam *b, const double d[6], shape *out)
{
    out->kappa = vec3_scale(1.0 / b->length, tray_vec3(d + 3));
    for (int i = 0; i < 2; i++) {
        out->along[i] = (d[0] - b->ratio[i] * (d[0] - b->d0[0])) / b->length;
    }
}

// The change of that with number i of the screw.
static void shape_change(const beam *b, int i, shape *out)
{
    *out = (shape){ .kappa = { i == 3, i == 4, i == 5 } };
    out->kappa = vec3_scale(1.0 / b->length, out->kappa);
    for (int k = 0; k < 2 && i == 0; k++) {
        out->along[k] = (1.0 - b->ratio[k]) / b->length;
    }
}

// Slopes of forces f: N' = -kappa x N, M' = -kappa x M - Gamma x N (beam.11).
static void slopes(const shape *s, const double f[6], double out[6])
{
    put(out, vec3_cross(tray_vec3(f), s->kappa), vec3_cross(tray_vec3(f + 3), s->kappa));
    out[4] += s->along[1] * f[2];
    out[5] -= s->along[0] * f[1];
}

// The transposed: what slopes p say of forces.
static void slopes_back(const shape *s, const double p[6], double out[6])
{
    put(out, vec3_cross(s->kappa, tray_vec3(p)), vec3_cross(s->kappa, tray_vec3(p + 3)));
    out[1] -= s->along[0] * p[5];
    out[2] += s->along[1] * p[4];
}

// The inverse of the symmetric, positive A by its Cholesky factor, in place.
static void invert(double A[6][6])
{
    double R[6][6] = { { 0.0 } }; // inverse of the factor
    for (int j = 0; j < 6; j++) {
        for (int i = j; i < 6; i++) {
            double sum = A[i][j];
            for (int k = 0; k < j; k++) {
                sum -= A[i][k] * A[j][k];
            }
            A[i][j] = i == j ? sqrt(sum) : sum / A[j][j];
        }
    }
    for (int j = 0; j < 6; j++) {
        R[j][j] = 1.0 / A[j][j];
        for (int i = j + 1; i < 6; i++) {
            double sum = 0.0;
            for (int k = j; k < i; k++) {
                sum -= A[i][k] * R[k][j];
            }
            R[i][j] = sum / A[i][i];
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            double sum = 0.0;
            for (int k = j; k < 6; k++) {
                sum += R[k][i] * R[k][j];
            }
            A[i][j] = A[j][i] = sum;
        }
    }
}

static void multiply(double A[6][6], const double x[6], double out[6])
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            out[i] += A[i][j] * x[j];
        }
    }
}

static double product(const double a[6], const double b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// Of forces f: their slopes times the flexibility.
static void bend_by(const beam *b, const shape *s, const double f[6], double out[6])
{
    slopes(s, f, out);
    for (int k = 0; k < 6; k++) {
        out[k] *= b->soft[k];
    }
}

static void find_stiffness(const beam *b, const double d[6], stiffness *out)
{
    double e[6], column[6], bent[6];
    shape_of(b, d, &out->at);
    for (int j = 0; j < 6; j++) {
        double unit[6] = { 0.0 };
        unit[j] = 1.0;
        bend_by(b, &out->at, unit, bent);
        slopes_back(&out->at, bent, column);
        for (int i = 0; i < 6; i++) {
            out->K[i][j] = column[i] + (i == j ? b->gives[i] : 0.0);
        }
        e[j] = d[j] - b->d0[j];
    }
    invert(out->K);
    multiply(out->K, e, out->h);
    bend_by(b, &out->at, out->h, out->slope);
}

// -K dC f: how K times a screw changes with the shape `by`, f being that product.
static void change_of(const beam *b, stiffness *s, const shape *by, const double f[6], double out[6])
{
    double bent[6], one[6], two[6];
    bend_by(b, &s->at, f, bent);
    slopes_back(by, bent, one);
    bend_by(b, by, f, bent);
    slopes_back(&s->at, bent, two);
    for (int k = 0; k < 6; k++) {
        one[k] = 0.0 - one[k] - two[k];
    }
    multiply(s->K, one, out);
}

// (beam.4): K (d - d_0 + beta d'), and what the change of K with the screw does.
static void find_forces(const beam *b, beam_state *s)
{
    double d[6], g[6], with[6];
    stiffness now;
    shape by;
    put(d, s->d.u, s->d.w);
    find_stiffness(b, d, &now);
    multiply(now.K, s->rate, with);
    for (int i = 0; i < 6; i++) {
        double part[6];
        shape_change(b, i, &by);
        slopes(&by, now.h, part);
        g[i] = now.h[i] + b->viscous * with[i] - product(part, now.slope);
    }
    s->n = tray_vec3(g);
    s->m = tray_vec3(g + 3);
}

// Its derivative with the screw.
static void find_tangent(const beam *b, const beam_state *s, stiffness *now, double T[6][6])
{
    double d[6], with[6], part[6][6];
    shape by[6];
    put(d, s->d.u, s->d.w);
    find_stiffness(b, d, now);
    multiply(now->K, s->rate, with);
    for (int i = 0; i < 6; i++) {
        shape_change(b, i, &by[i]);
        slopes(&by[i], now->h, part[i]);
    }
    for (int j = 0; j < 6; j++) {
        double h_j[6], with_j[6] = { 0.0 }, slope_j[6], more[6];
        change_of(b, now, &by[j], now->h, h_j);
        if (b->viscous > 0.0) {
            change_of(b, now, &by[j], with, with_j);
        }
        for (int i = 0; i < 6; i++) {
            h_j[i] += now->K[i][j];
        }
        slopes(&now->at, h_j, slope_j);
        slopes(&by[j], now->h, more);
        for (int k = 0; k < 6; k++) {
            slope_j[k] = b->soft[k] * (slope_j[k] + more[k]);
        }
        for (int i = 0; i < 6; i++) {
            double moved[6];
            slopes(&by[i], h_j, moved);
            T[i][j] =
                h_j[i] + b->viscous * with_j[i] - product(moved, now->slope) - product(part[i], slope_j);
        }
    }
}

static beam_state beam_at(const beam *b, const motion *at)
{
    beam_state s = { 0 };
    find_screw(b, at, &s);
    if (b->viscous > 0.0) {
        find_rate(b, at, &s);
    }
    find_forces(b, &s);
    return s;
}

// ---- tangent ---------------------------------------------------------------------------------------------------

// An increment along one of the 12 numbers of the ends, in section axes of its end.
static void unit_of(const beam_state *s, int j, vec3 *shift, vec3 *spin)
{
    vec3 unit = { j % 3 == 0, j % 3 == 1, j % 3 == 2 }, along = mat3_apply_transposed(s->axes[j / 6], unit);
    vec3 zero = { 0.0, 0.0, 0.0 };
    *shift = j % 6 < 3 ? along : zero;
    *spin = j % 6 < 3 ? zero : along;
}

// Change of the screw with each of the six numbers of end b.
static void screw_columns(const beam_state *s, double B[12][6])
{
    for (int j = 6; j < 12; j++) {
        vec3 shift, spin, du, dw;
        unit_of(s, j, &shift, &spin);
        screw_change(&s->d, side_of[j / 6], shift, spin, &du, &dw);
        put(B[j], vec3_scale(side_of[j / 6], du), vec3_scale(side_of[j / 6], dw));
    }
}

// Change of its rate with number j, the rates of the ends held: through the screw, and because the axes turn in which
// the rates are told (beam.6).
static void rate_column(const beam_state *s, int j, const double dd[6], double out[6])
{
    vec3 du = { 0.0, 0.0, 0.0 }, dw = du, shift, spin, u_i, w_i;
    for (int i = 0; i < 2; i++) {
        // the derivative of the forces is that of the change, with the other side and the two parts exchanged
        screw_bend(&s->d, -side_of[i], s->w[i], s->v[i], tray_vec3(dd), tray_vec3(dd + 3), &w_i, &u_i);
        du = vec3_add_scaled(du, side_of[i], u_i);
        dw = vec3_add_scaled(dw, side_of[i], w_i);
    }
    unit_of(s, j, &shift, &spin);
    if (j % 6 >= 3) {
        int i = j / 6;
        screw_change(&s->d, side_of[i], vec3_cross(s->v[i], spin), vec3_cross(s->w[i], spin), &u_i, &w_i);
        du = vec3_add_scaled(du, side_of[i], u_i);
        dw = vec3_add_scaled(dw, side_of[i], w_i);
    }
    put(out, du, dw);
}

// Column j of -d effort: forces on the ends by a change dg of those of the screw; in K also by its change dd, and by
// the turn of the axes (beam.5).
static void effort_column(const beam_state *s, int j, const double dg[6], const double *dd, double *to)
{
    vec3 shift, spin;
    unit_of(s, j, &shift, &spin);
    for (int i = 0; i < 2; i++) {
        vec3 force, torque, more_force, more_torque;
        screw_forces(&s->d, side_of[i], tray_vec3(dg), tray_vec3(dg + 3), &force, &torque);
        if (dd) {
            screw_bend(&s->d, side_of[i], s->n, s->m, tray_vec3(dd), tray_vec3(dd + 3), &more_force,
                       &more_torque);
            force = vec3_add(force, more_force);
            torque = vec3_add(torque, more_torque);
        }
        if (dd && i == j / 6) {
            screw_forces(&s->d, side_of[i], s->n, s->m, &more_force, &more_torque);
            force = vec3_add(force, vec3_cross(spin, more_force));
            torque = vec3_add(torque, vec3_cross(spin, more_torque));
        }
        force = vec3_scale(side_of[i], mat3_apply(s->axes[i], force));
        torque = vec3_scale(side_of[i], mat3_apply(s->axes[i], torque));
        for (int k = 0; k < 3; k++) {
            to[12 * (6 * i + k) + j] = (&force.x)[k];
            to[12 * (6 * i + 3 + k) + j] = (&torque.x)[k];
        }
    }
}

// Column 6 + k or 9 + k, k from 0 to 2: of end b, by way of the screw.
static void columns_of_b(const beam *b, const beam_state *s, double *K, double *C)
{
    double B[12][6], T[6][6]; // those of b
    stiffness now;
    find_tangent(b, s, &now, T);
    screw_columns(s, B);
    for (int j = 6; j < 12; j++) {
        double dg[6], swing[6] = { 0.0 }, by_rate[6];
        if (b->viscous > 0.0) {
            rate_column(s, j, B[j], swing);
        }
        multiply(T, B[j], dg);
        multiply(now.K, swing, by_rate);
        for (int i = 0; i < 6; i++) {
            dg[i] += b->viscous * by_rate[i];
        }
        effort_column(s, j, dg, B[j], K);
        multiply(now.K, B[j], by_rate);
        for (int i = 0; i < 6; i++) {
            dg[i] = b->viscous * by_rate[i];
        }
        if (b->viscous > 0.0) {
            effort_column(s, j, dg, NULL, C);
        }
    }
}

// What a motion of both ends as one rigid body leaves of columns 3 + k of end a: a spin costs nothing, and a turn turns
// the efforts, with the rates turned, too (beam.7).
static void columns_of_a(const beam *b, const motion *at, const double effort[12], double *K, double *C)
{
    vec3 gap = vec3_sub(tray_vec3(&at->value[b->end[1]]), tray_vec3(&at->value[b->end[0]]));
    for (int k = 0; k < 3; k++) {
        vec3 e = { k == 0, k == 1, k == 2 }, lever = vec3_cross(e, gap);
        double turned[12], rates[12];
        for (int i = 0; i < 4; i++) {
            tray_put(&turned[3 * i], vec3_cross(e, tray_vec3(&effort[3 * i])));
            tray_put(&rates[3 * i], vec3_cross(e, tray_vec3(&at->rate[b->end[i / 2] + 3 * (i % 2)])));
        }
        for (int r = 0; r < 12; r++) {
            double *row = &K[12 * r], *damp = &C[12 * r];
            row[k] = 0.0 - row[6 + k];
            damp[k] = 0.0 - damp[6 + k];
            row[3 + k] =
                0.0 - turned[r] - row[9 + k] - (row[6] * lever.x + row[7] * lever.y + row[8] * lever.z);
            damp[3 + k] = 0.0 - damp[9 + k] - (damp[6] * lever.x + damp[7] * lever.y + damp[8] * lever.z);
        }
        // damping sees rates only, of which those of b and the spin of a stand for all
        for (int r = 0; b->viscous > 0.0 && r < 12; r++) {
            const double *damp = &C[12 * r];
            for (int j = 6; j < 12; j++) {
                K[12 * r + 3 + k] -= damp[j] * rates[j];
            }
            for (int j = 0; j < 3; j++) {
                K[12 * r + 3 + k] += damp[6 + j] * rates[j];
            }
        }
    }
    for (int r = 0; b->viscous > 0.0 && r < 12; r++) {
        for (int k = 0; k < 3; k++) {
            vec3 e = { k == 0, k == 1, k == 2 }, w = vec3_cross(e, tray_vec3(&at->rate[b->end[0] + 3]));
            const double *damp = &C[12 * r + 3];
            K[12 * r + 3 + k] -= damp[0] * w.x + damp[1] * w.y + damp[2] * w.z;
        }
    }
}

static void beam_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const beam *item = items;
    for (int e = 0; e < count; e++) {
        beam own = item[e];
        const beam *b = &own;
        for (int i = 0; i < 6 && in->u->stiffer > 0.0; i++) {
            own.gives[i] /= 1.0 + in->u->stiffer;
            own.soft[i] /= 1.0 + in->u->stiffer;
        }
        beam_state s = beam_at(b, in->at);
        double *effort = out->load->effort, *told = &out->load->scalar[b->told], both[12];
        put(told, s.n, s.m);
        for (int i = 0; i < 2; i++) {
            vec3 force, torque;
            screw_forces(&s.d, side_of[i], s.n, s.m, &force, &torque);
            put(told + BEAM_TOLD_ENDS + 6 * i, force, torque);
            put(both + 6 * i, vec3_scale(-side_of[i], mat3_apply(s.axes[i], force)),
                vec3_scale(-side_of[i], mat3_apply(s.axes[i], torque)));
            for (int k = 0; k < 6; k++) {
                effort[b->end[i] + k] += both[6 * i + k];
            }
        }
        out->load->scalar[b->element] = s.n.x;
        if (in->want & LAW_TANGENT) {
            double *K = &out->load->K[b->block], *C = &out->load->C[b->block];
            memset(C, 0, 144 * sizeof *C);
            columns_of_b(b, &s, K, C);
            columns_of_a(b, in->at, both, K, C);
        }
    }
}

static void beam_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const beam *item = items;
    for (int e = 0; e < count; e++) {
        const beam *b = &item[e];
        beam_state s = beam_at(b, in->at);
        double d[6], with[6];
        stiffness now;
        put(d, s.d.u, s.d.w);
        find_stiffness(b, d, &now);
        multiply(now.K, s.rate, with);
        for (int i = 0; i < 6; i++) {
            out->potential += 0.5 * now.h[i] * (d[i] - b->d0[i]);
        }
        out->power -= b->viscous * product(with, s.rate);
    }
}

static const bi_field fields[] = {
    { "a", BI_FIELD_FRAME, offsetof(bi_beam_def, a), "m", BI_REQUIRED,
      "section where it begins: x along the beam, y and z the principal axes of the section" },
    { "b", BI_FIELD_FRAME, offsetof(bi_beam_def, b), "m", BI_REQUIRED, "section where it ends" },
    { "length", BI_FIELD_NUMBER, offsetof(bi_beam_def, length), "m", BI_REQUIRED | BI_POSITIVE,
      "along the beam without load" },
    { "stiffness", BI_FIELD_NUMBERS, offsetof(bi_beam_def, stiffness), "6", BI_REQUIRED,
      "of the section, all positive: EA GAy GAz, N; GJ EIy EIz, N m2" },
    { "damping", BI_FIELD_NUMBER, offsetof(bi_beam_def, damping), "s", BI_NOT_NEGATIVE,
      "stress is stiffness * (strain + damping * its rate) (default 0)" },
    { "rest", BI_FIELD_NUMBERS, offsetof(bi_beam_def, rest), "6", 0,
      "without load: elongation, two shears; twist and two curvatures, 1/m (default none: straight)" },
};
static const bi_kind schema = { "forces", "beam", sizeof(bi_beam_def),
                                fields,   6,      "geometrically exact beam between two sections" };
const law_kind beam_kind = { &schema, sizeof(beam), beam_compile, beam_eval, NULL, beam_energy, NULL };
