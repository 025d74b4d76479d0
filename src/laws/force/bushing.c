// SPDX-License-Identifier: MIT
// Bushing between two frames (laws.9 .. laws.12): six springs and dampers, coupled, on the displacement along the axes
// of a and on the rotation vector from a to b. Forces by virtual work, so that the energy is exact at any deformation;
// exact tangent.
#include "laws/force/force.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    int a, b, frame_a, frame_b; // dofs, indices of axes
    int block, element;
    mat3 rot_a, rot_b; // axes of the bushing in the bodies
    double K[6][6], C[6][6], preload[6];
} bushing;

// 6 numbers: diagonal; 21: upper triangle by rows; 36: all.
static void matrix_from(const bi_numbers *n, double M[6][6])
{
    int at = 0;
    memset(M, 0, 36 * sizeof(double));
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            if (n->count == 36) {
                M[i][j] = n->value[at++];
            } else if (n->count == 21 && j >= i) {
                M[i][j] = M[j][i] = n->value[at++];
            } else if (n->count == 6 && i == j) {
                M[i][j] = n->value[at++];
            }
        }
    }
}

static void bushing_compile(plan *p, int element, const void *def, void *item)
{
    const bi_bushing_def *d = def;
    int m[2] = { plan_frame(p, d->a.body.i - 1, d->a.at), plan_frame(p, d->b.body.i - 1, d->b.at) };
    bushing *out = item;
    *out = (bushing){ .a = plan_dof(p, m[0]),
                      .b = plan_dof(p, m[1]),
                      .frame_a = p->marker[m[0]].frame,
                      .frame_b = p->marker[m[1]].frame,
                      .block = plan_block(p, m, 2),
                      .element = element,
                      .rot_a = quat_to_mat3(quat_normalized(quat_or_identity(d->a.rot))),
                      .rot_b = quat_to_mat3(quat_normalized(quat_or_identity(d->b.rot))) };
    matrix_from(&d->stiffness, out->K);
    matrix_from(&d->damping, out->C);
    memcpy(out->preload, d->preload.value, sizeof out->preload);
}

// ---- the rotation vector and its rate ------------------------------------------------------------------------

// c of 1 - theta~/2 + c theta~^2, and its derivative over the angle, divided by the angle (laws.11)
static void rotation_series(double angle, double *c, double *c_slope)
{
    if (angle < 0.1) {
        // the next terms are below 1e-13
        double s = angle * angle;
        *c = 1.0 / 12.0 + s * (1.0 / 720.0 + s * (1.0 / 30240.0 + s / 1209600.0));
        *c_slope = 1.0 / 360.0 + s * (1.0 / 7560.0 + s * (1.0 / 201600.0 + s / 5987520.0));
        return;
    }
    double sine, cosine;
    math_sincos(0.5 * angle, &sine, &cosine);
    double half_cot = 0.5 * cosine / sine, half_cot_slope = -0.25 / (sine * sine);
    *c = (1.0 / angle - half_cot) / angle;
    *c_slope = (-2.0 / (angle * angle) + half_cot / angle - half_cot_slope) / (angle * angle);
}

typedef struct {
    mat3 R;          // axes of a
    vec3 apart;      // from a to b, ground axes
    vec3 slide;      // its rate seen from a, ground axes
    vec3 turn, spin; // rotation vector; relative angular velocity, axes of a
    double c, c_slope;
    double x[6], rate[6]; // deformation and its rate
    double g[6];          // force and moment dual to them
} deformation;

// (1 - turn~/2 + c turn~^2) v: rate of the rotation vector for the angular velocity v
static vec3 turn_rate(const deformation *d, vec3 v)
{
    vec3 once = vec3_cross(d->turn, v);
    return vec3_add_scaled(vec3_add_scaled(v, -0.5, once), d->c, vec3_cross(d->turn, once));
}

// The transposed: moment along the axes for the effort on the rotation vector
static vec3 turn_moment(const deformation *d, vec3 g)
{
    vec3 once = vec3_cross(d->turn, g);
    return vec3_add_scaled(vec3_add_scaled(g, 0.5, once), d->c, vec3_cross(d->turn, once));
}

// d (v + s turn x v + c turn x (turn x v)) / d turn, v constant: s = -1/2 for the rate, 1/2 for the moment
static mat3 turn_slope(const deformation *d, vec3 v, double s)
{
    vec3 once = vec3_cross(d->turn, v), twice = vec3_cross(d->turn, once);
    mat3 A = mat3_scale(-s, mat3_cross(v));
    mat3 B = mat3_add(mat3_cross(once), mat3_multiply(mat3_cross(d->turn), mat3_cross(v)));
    A = mat3_add(A, mat3_scale(-d->c, B));
    return mat3_add(A, mat3_scale(d->c_slope, mat3_outer(twice, d->turn)));
}

static deformation bushing_state(const bushing *b, const motion *at)
{
    deformation d;
    d.R = mat3_multiply(at->axes[b->frame_a], b->rot_a);
    mat3 other = mat3_multiply(at->axes[b->frame_b], b->rot_b);
    vec3 omega_a = tray_vec3(&at->rate[b->a + 3]);
    d.apart = vec3_sub(tray_vec3(&at->value[b->b]), tray_vec3(&at->value[b->a]));
    d.slide = vec3_sub(vec3_sub(tray_vec3(&at->rate[b->b]), tray_vec3(&at->rate[b->a])),
                       vec3_cross(omega_a, d.apart));
    d.turn = quat_log(quat_from_mat3(mat3_multiply(mat3_transposed(d.R), other)));
    d.spin = mat3_apply_transposed(d.R, vec3_sub(tray_vec3(&at->rate[b->b + 3]), omega_a));
    rotation_series(vec3_norm(d.turn), &d.c, &d.c_slope);
    tray_put(&d.x[0], mat3_apply_transposed(d.R, d.apart));
    tray_put(&d.x[3], d.turn);
    tray_put(&d.rate[0], mat3_apply_transposed(d.R, d.slide));
    tray_put(&d.rate[3], turn_rate(&d, d.spin));
    for (int i = 0; i < 6; i++) {
        d.g[i] = b->preload[i];
        for (int j = 0; j < 6; j++) {
            d.g[i] += b->K[i][j] * d.x[j] + b->C[i][j] * d.rate[j];
        }
    }
    return d;
}

// ---- tangent ---------------------------------------------------------------------------------------------------

// A 3 x 12 piece: how a vector changes with the markers (pa, phi_a, pb, phi_b).
typedef struct {
    mat3 by[4];
} change;

// to + s b
static void change_add(change *to, double s, const change *b)
{
    for (int k = 0; k < 4; k++) {
        to->by[k] = mat3_add(to->by[k], mat3_scale(s, b->by[k]));
    }
}

static void change_apply(const mat3 *A, const change *b, change *to)
{
    for (int k = 0; k < 4; k++) {
        to->by[k] = mat3_multiply(*A, b->by[k]);
    }
}

typedef enum { AS_IT_IS, NEGATIVE } put_sign;

static void change_put(const change *c, put_sign sign, int row, double *to)
{
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < 3; j++) {
            const double column[3] = { c->by[k].col[j].x, c->by[k].col[j].y, c->by[k].col[j].z };
            for (int i = 0; i < 3; i++) {
                to[(row + i) * 12 + 3 * k + j] = sign == NEGATIVE ? 0.0 - column[i] : column[i];
            }
        }
    }
}

// g = M (translation, rotation) for two changes
static void weigh(const double M[6][6], const change *move, const change *turn, change out[2])
{
    for (int i = 0; i < 2; i++) {
        mat3 block[2];
        change part;
        for (int j = 0; j < 2; j++) {
            for (int c = 0; c < 3; c++) {
                block[j].col[c] =
                    (vec3){ M[3 * i][3 * j + c], M[3 * i + 1][3 * j + c], M[3 * i + 2][3 * j + c] };
            }
        }
        change_apply(&block[0], move, &out[i]);
        change_apply(&block[1], turn, &part);
        change_add(&out[i], 1.0, &part);
    }
}

// -d(efforts): forces f on b, moments n on b, in ground axes, from the change of g (dual efforts, axes of a) and, for
// positions, of the axes and of the rotation vector they act through (laws.12).
static void efforts_change(const deformation *d, const change g[2], const change *turn, double *to)
{
    change df, dn, part;
    mat3 spread =
        mat3_multiply(d->R, (mat3){ { turn_moment(d, (vec3){ 1, 0, 0 }), turn_moment(d, (vec3){ 0, 1, 0 }),
                                      turn_moment(d, (vec3){ 0, 0, 1 }) } });
    change_apply(&d->R, &g[0], &df);
    change_apply(&spread, &g[1], &dn);
    vec3 f = mat3_apply(d->R, tray_vec3(&d->g[0])), n = mat3_apply(d->R, turn_moment(d, tray_vec3(&d->g[3])));
    if (turn) {
        mat3 slope = mat3_multiply(d->R, turn_slope(d, tray_vec3(&d->g[3]), 0.5));
        change_apply(&slope, turn, &part);
        change_add(&dn, 1.0, &part);
        // axes of a turn with phi_a
        df.by[1] = mat3_add(df.by[1], mat3_scale(-1.0, mat3_cross(f)));
        dn.by[1] = mat3_add(dn.by[1], mat3_scale(-1.0, mat3_cross(n)));
    }
    change_put(&df, NEGATIVE, 0, to);
    change_put(&df, AS_IT_IS, 6, to);
    change_put(&dn, AS_IT_IS, 9, to);
    // a receives f and n + apart x f, b minus f and minus n; K = -d effort
    mat3 arm = mat3_cross(d->apart);
    change_apply(&arm, &df, &part);
    change_add(&dn, 1.0, &part);
    if (turn) {
        dn.by[0] = mat3_add(dn.by[0], mat3_cross(f));
        dn.by[2] = mat3_add(dn.by[2], mat3_scale(-1.0, mat3_cross(f)));
    }
    change_put(&dn, NEGATIVE, 3, to);
}

// Rates of deformation with rates of markers; deformation with markers has the same gradient (laws.10).
static void deformation_change(const deformation *d, const mat3 *to_turn, change *move, change *turn)
{
    const mat3 none = { { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } } };
    mat3 R_t = mat3_transposed(d->R), minus = mat3_scale(-1.0, R_t);
    *move = (change){ { minus, mat3_multiply(R_t, mat3_cross(d->apart)), R_t, none } };
    change apart = { { none, minus, none, R_t } };
    change_apply(to_turn, &apart, turn);
}

// Rates of deformation with markers, their rates held (laws.10).
static void rate_change(const deformation *d, const mat3 *to_turn, vec3 omega_a, const change *turn,
                        change *slide, change *swing)
{
    const mat3 none = { { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } } };
    mat3 R_t = mat3_transposed(d->R), carry = mat3_multiply(R_t, mat3_cross(omega_a));
    *slide = (change){ { carry, mat3_multiply(R_t, mat3_cross(d->slide)), mat3_scale(-1.0, carry), none } };
    change spin_a = { { none, mat3_multiply(R_t, mat3_cross(mat3_apply(d->R, d->spin))), none, none } }, part;
    mat3 slope = turn_slope(d, d->spin, -0.5);
    change_apply(to_turn, &spin_a, swing);
    change_apply(&slope, turn, &part);
    change_add(swing, 1.0, &part);
}

static void bushing_tangent(const bushing *b, const deformation *d, const motion *at, double *K, double *C)
{
    mat3 to_turn = { { turn_rate(d, (vec3){ 1, 0, 0 }), turn_rate(d, (vec3){ 0, 1, 0 }),
                       turn_rate(d, (vec3){ 0, 0, 1 }) } };
    change move, turn, slide, swing, g[2], g_rate[2];
    deformation_change(d, &to_turn, &move, &turn);
    rate_change(d, &to_turn, tray_vec3(&at->rate[b->a + 3]), &turn, &slide, &swing);
    weigh(b->K, &move, &turn, g);
    weigh(b->C, &slide, &swing, g_rate);
    change_add(&g[0], 1.0, &g_rate[0]);
    change_add(&g[1], 1.0, &g_rate[1]);
    efforts_change(d, g, &turn, K);
    weigh(b->C, &move, &turn, g);
    efforts_change(d, g, NULL, C);
}

static void bushing_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const bushing *item = items;
    for (int k = 0; k < count; k++) {
        const bushing *b = &item[k];
        deformation d = bushing_state(b, in->at);
        vec3 f = mat3_apply(d.R, tray_vec3(&d.g[0])),
             n = mat3_apply(d.R, turn_moment(&d, tray_vec3(&d.g[3])));
        double *effort = out->load->effort;
        tray_add(&effort[b->a], f);
        tray_add(&effort[b->a + 3], vec3_add(n, vec3_cross(d.apart, f)));
        tray_add(&effort[b->b], vec3_neg(f));
        tray_add(&effort[b->b + 3], vec3_neg(n));
        out->load->scalar[b->element] = vec3_norm(f);
        if (in->want & LAW_TANGENT) {
            bushing_tangent(b, &d, in->at, &out->load->K[b->block], &out->load->C[b->block]);
        }
    }
}

static void bushing_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const bushing *item = items;
    for (int k = 0; k < count; k++) {
        const bushing *b = &item[k];
        deformation d = bushing_state(b, in->at);
        for (int i = 0; i < 6; i++) {
            out->potential += b->preload[i] * d.x[i];
            for (int j = 0; j < 6; j++) {
                // of a stiffness that is not symmetric only the symmetric part stores
                double even = 0.5 * (b->K[i][j] + b->K[j][i]), odd = 0.5 * (b->K[i][j] - b->K[j][i]);
                out->potential += 0.5 * even * d.x[i] * d.x[j];
                out->power -= d.rate[i] * (b->C[i][j] * d.rate[j] + odd * d.x[j]);
            }
        }
    }
}

static const bi_field fields[] = {
    { "a", BI_FIELD_FRAME, offsetof(bi_bushing_def, a), "m", BI_REQUIRED, "frame whose axes it has" },
    { "b", BI_FIELD_FRAME, offsetof(bi_bushing_def, b), "m", BI_REQUIRED,
      "frame on the other body; without force where the two coincide" },
    { "stiffness", BI_FIELD_NUMBERS, offsetof(bi_bushing_def, stiffness), "6|21|36", BI_REQUIRED,
      "N/m, N/rad, N m/rad: 6 diagonal, 21 upper triangle by rows, or 36 numbers" },
    { "damping", BI_FIELD_NUMBERS, offsetof(bi_bushing_def, damping), "6|21|36", 0,
      "N s/m, N s/rad, N m s/rad: as stiffness (default none)" },
    { "preload", BI_FIELD_NUMBERS, offsetof(bi_bushing_def, preload), "6", 0,
      "force and moment on a where the frames coincide, axes of a (default none)" },
};
static const bi_kind schema = { "forces", "bushing", sizeof(bi_bushing_def),
                                fields,   5,         "elastic bearing between two frames" };
const law_kind bushing_kind = { &schema, sizeof(bushing), bushing_compile, bushing_eval, NULL, bushing_energy,
                                NULL };
