// SPDX-License-Identifier: MIT
// Bodies with modes: the frame columns carry them, inertia integrals replace the nodes (flex.7 .. flex.10).
#include "coordinates/natural/natural.h"
#include <stdlib.h>
#include <string.h>

// ---- create ----------------------------------------------------------------------------------------------

static int find_column(int *col, int *n_col, int q)
{
    for (int k = 0; k < *n_col; k++) {
        if (col[k] == q) {
            return k;
        }
    }
    col[*n_col] = q;
    return (*n_col)++;
}

// The four columns as a constant matrix over the body's variables.
static void frame_matrix(const natural *tab, flex_body *f)
{
    int col[3 * BODY_ENTITIES], n_col = 0;
    for (int k = 0; k < 4; k++) {
        for (int t = f->column[k].first; t < f->column[k].first + f->column[k].n_variable; t++) {
            for (int i = 0; i < 3; i++) {
                find_column(col, &n_col, tab->term[t].q + i);
            }
        }
    }
    f->n_col = n_col + f->n_mode;
    memcpy(f->col, col, (size_t)n_col * sizeof *col);
    for (int m = 0; m < f->n_mode; m++) {
        f->col[n_col + m] = f->q + m;
    }
    for (int k = 0; k < 4; k++) {
        for (int t = f->column[k].first; t < f->column[k].first + f->column[k].n_variable; t++) {
            const map_term *term = &tab->term[t];
            mat3 block = mat3_add(mat3_scale(term->s, mat3_identity()),
                                  mat3_scale(term->t, mat3_cross(tab->body[f->body].n)));
            int at = find_column(col, &n_col, term->q);
            for (int i = 0; i < 3; i++) {
                f->B[(3 * k + 0) * f->n_col + at + i] += block.col[i].x;
                f->B[(3 * k + 1) * f->n_col + at + i] += block.col[i].y;
                f->B[(3 * k + 2) * f->n_col + at + i] += block.col[i].z;
            }
        }
    }
}

// What J_kl is multiplied with in the entry of two frame variables (flex.9).
static bool frame_products(flex_body *f)
{
    int n = f->n_col, n_frame = n - f->n_mode;
    double *to = f->frame = calloc((size_t)(5 * n_frame * (n_frame + 1)) + 1, sizeof *f->frame);
    for (int i = 0; to && i < n_frame; i++) {
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < 4; k++) {
                for (int l = k; l < 4; l++, to++) {
                    for (int x = 0; x < 3; x++) {
                        const double *left = &f->B[(3 * k + x) * n], *right = &f->B[(3 * l + x) * n];
                        *to += left[i] * right[j] + (k == l ? 0.0 : left[j] * right[i]);
                    }
                }
            }
        }
    }
    return f->frame != NULL;
}

static bool create_body(natural *tab, const plan *plan, int body, int q)
{
    const bi_modes *m = plan->model->body[body].def.flex;
    flex_body *f = &tab->flex[tab->n_flex++];
    size_t n_col = 3 * BODY_ENTITIES + (size_t)m->n_mode;
    *f = (flex_body){ .body = body, .n_mode = m->n_mode, .q = q };
    f->col = calloc(n_col, sizeof *f->col);
    f->B = calloc(12 * n_col, sizeof *f->B);
    f->entry = calloc(n_col * (n_col + 1) / 2, sizeof *f->entry);
    if (!modal_create(&f->modal, plan, body, q) ||
        !flex_sums_create(&f->sums, m, (vec3){ 0.0, 0.0, 0.0 }, modal_variables(&f->modal),
                          f->modal.nodal.stride) ||
        !f->col || !f->B || !f->entry) {
        return false;
    }
    for (int k = 0; k < 4; k++) {
        double weight[4] = { 0.0 };
        weight[k] = 1.0;
        if (!map_create(tab, body, weight, &f->column[k])) {
            return false;
        }
    }
    frame_matrix(tab, f);
    return frame_products(f);
}

bool flexible_create(natural *tab, const plan *p, const int *mode_q)
{
    int count = 0;
    for (int b = 0; b < p->model->n_body; b++) {
        count += mode_q[b] >= 0;
    }
    tab->flex = calloc((size_t)count + 1, sizeof *tab->flex);
    bool ok = tab->flex != NULL;
    for (int b = 0; b < p->model->n_body && ok; b++) {
        if (mode_q[b] >= 0) {
            ok = create_body(tab, p, b, mode_q[b]);
        }
    }
    return ok;
}

void flexible_pattern(const natural *tab, pattern_builder *builder)
{
    for (int k = 0; k < tab->n_flex; k++) {
        pattern_add_clique(builder, tab->flex[k].n_col, tab->flex[k].col);
    }
}

bool flexible_entries(natural *tab, const structure *s)
{
    for (int k = 0; k < tab->n_flex; k++) {
        flex_body *f = &tab->flex[k];
        int *entry = f->entry;
        for (int i = 0; i < f->n_col; i++) {
            for (int j = 0; j <= i; j++) {
                *entry++ = pattern_find(&s->tangent, f->col[i], f->col[j]);
            }
        }
        modal_entries(&f->modal, &s->tangent);
    }
    return true;
}

void flexible_destroy(natural *tab)
{
    for (int k = 0; k < tab->n_flex; k++) {
        flex_body *f = &tab->flex[k];
        flex_sums_clear(&f->sums);
        modal_clear(&f->modal);
        free(f->col);
        free(f->B);
        free(f->entry);
        free(f->frame);
    }
    for (int k = 0; k < tab->n_flex_marker; k++) {
        for (int i = 0; i < 4; i++) {
            flex_place_clear(&tab->flex_marker[k].place[i]);
        }
    }
    free(tab->flex);
    free(tab->flex_marker);
}

// ---- markers -----------------------------------------------------------------------------------------------

static vec3 combine(const vec3 column[4], double first, vec3 weight)
{
    vec3 sum = vec3_scale(first, column[0]);
    sum = vec3_add_scaled(sum, weight.x, column[1]);
    sum = vec3_add_scaled(sum, weight.y, column[2]);
    return vec3_add_scaled(sum, weight.z, column[3]);
}

static void columns_at(const natural *tab, const flex_body *f, const double *x, vec3 column[4])
{
    for (int k = 0; k < 4; k++) {
        column[k] = map_value(tab, &f->column[k], x);
    }
}

// Rotations of its nodes, left by lift.
static vec3 *turns_of(const flex_body *f, const motion *m) { return (vec3 *)(m->own + f->turn); }

// Value, rate, and what is left of the acceleration when all second rates are zero: 2 dA/dt dp/dt + A w (flex.7).
static void lift_place(const natural *tab, const flex_body *f, const flex_place *p, const coords *in,
                       const motion *m, vec3 out[3])
{
    vec3 local[3], column[4], column_rate[4];
    double first = p->is_turned ? 0.0 : 1.0;
    modal_place_at(p, &in->q[f->q], &in->v[f->q], turns_of(f, m), local);
    columns_at(tab, f, in->q, column);
    columns_at(tab, f, in->v, column_rate);
    out[0] = combine(column, first, local[0]);
    out[1] = vec3_add(combine(column_rate, first, local[0]), combine(column, 0.0, local[1]));
    out[2] = vec3_add(vec3_scale(2.0, combine(column_rate, 0.0, local[1])), combine(column, 0.0, local[2]));
}

void flexible_lift(const natural *tab, const coords *in, unsigned want, motion *out)
{
    for (int k = 0; k < tab->n_flex; k++) {
        modal_lift(&tab->flex[k].modal, in, out);
        modal_lift_turns(&tab->flex[k].modal, in, want, turns_of(&tab->flex[k], out));
    }
    for (int k = 0; k < tab->n_flex_marker; k++) {
        const flex_marker *p = &tab->flex_marker[k];
        if (!p->is_read && !(want & LIFT_ALL)) {
            continue;
        }
        const flex_body *f = &tab->flex[p->flex];
        vec3 moved[3];
        lift_place(tab, f, &p->place[0], in, out, moved);
        tray_put(&out->value[p->dof], moved[0]);
        tray_put(&out->rate[p->dof], moved[1]);
        tray_put(&out->bias[p->dof], moved[2]);
        if (p->kind != MARKER_FRAME) {
            continue;
        }
        // omega = 1/2 sum a_k x da_k/dt (natural.10)
        vec3 omega = { 0.0, 0.0, 0.0 }, bias = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < 3; i++) {
            lift_place(tab, f, &p->place[1 + i], in, out, moved);
            out->axes[p->frame].col[i] = moved[0];
            omega = vec3_add_scaled(omega, 0.5, vec3_cross(moved[0], moved[1]));
            bias = vec3_add_scaled(bias, 0.5, vec3_cross(moved[0], moved[2]));
        }
        tray_put(&out->rate[p->dof + 3], omega);
        tray_put(&out->bias[p->dof + 3], bias);
    }
}

// A force on a point or vector of the body, added to its columns and amplitudes (flex.8).
static void expand_place(const flex_body *f, const flex_place *p, const double *eta, const vec3 *turn,
                         const vec3 column[4], vec3 force, double *out)
{
    vec3 local[3];
    modal_place_at(p, eta, eta, turn, local);
    if (!p->is_turned) {
        tray_add(&out[0], force);
    }
    tray_add(&out[3], vec3_scale(local[0].x, force));
    tray_add(&out[6], vec3_scale(local[0].y, force));
    tray_add(&out[9], vec3_scale(local[0].z, force));
    vec3 seen = { vec3_dot(force, column[1]), vec3_dot(force, column[2]), vec3_dot(force, column[3]) };
    modal_place_push(&f->modal, p, eta, turn, seen, &out[12]);
}

void flexible_expand(const natural *tab, const flex_marker *k, const coords *at, const motion *m,
                     const double *effort, double *out)
{
    const flex_body *f = &tab->flex[k->flex];
    vec3 column[4];
    columns_at(tab, f, at->q, column);
    memset(out, 0, (12 + (size_t)f->n_mode) * sizeof *out);
    expand_place(f, &k->place[0], &at->q[f->q], turns_of(f, m), column, tray_vec3(effort), out);
    for (int i = 0; i < 3 && k->kind == MARKER_FRAME; i++) {
        vec3 turn = vec3_scale(0.5, vec3_cross(tray_vec3(&effort[3]), m->axes[k->frame].col[i]));
        expand_place(f, &k->place[1 + i], &at->q[f->q], turns_of(f, m), column, turn, out);
    }
}

// ---- mass and inertia forces -----------------------------------------------------------------------------------

// One of the four rows of a moment (4 x 3), in the directions of the columns.
static vec3 row_of(const double moment[12], int k, const vec3 column[4])
{
    return combine(column, 0.0, (vec3){ moment[3 * k], moment[3 * k + 1], moment[3 * k + 2] });
}

// Mass matrix of the body over its variables: frame columns through B, amplitudes as they are (flex.9).
static void add_mass(const flex_body *f, const flex_moments *now, const vec3 column[4], double *M)
{
    int n_frame = f->n_col - f->n_mode, n = f->n_col;
    const double *J = now->J, *pair = f->frame;
    const double upper[10] = { J[0], J[1], J[2], J[3], J[5], J[6], J[7], J[10], J[11], J[15] };
    const int *entry = f->entry;
    for (int k = 0; k < n_frame * (n_frame + 1) / 2; k++, pair += 10) {
        double sum = 0.0;
        for (int i = 0; i < 10; i++) {
            sum += upper[i] * pair[i];
        }
        M[*entry++] += sum;
    }
    for (int m = 0; m < f->n_mode; m++) {
        for (int k = 0; k < 4; k++) {
            vec3 c = row_of(now->H[m], k, column);
            const double *B = &f->B[3 * k * n];
            for (int j = 0; j < n_frame; j++) {
                M[entry[j]] += c.x * B[j] + c.y * B[n + j] + c.z * B[2 * n + j];
            }
        }
        entry += n_frame + m + 1;
        memcpy(&M[f->modal.entry[m]], &now->P[f->n_mode * m], (size_t)(m + 1) * sizeof *M);
    }
}

// What the body needs on column k with all second rates zero: int [1 p]_k (2 dA/dt dp/dt + A w) dm (flex.10).
static vec3 bias_column(const flex_moments *now, int k, const vec3 column[4], const vec3 column_rate[4])
{
    return vec3_add(vec3_scale(2.0, row_of(now->D, k, column_rate)), row_of(now->W, k, column));
}

// Q_v = -B^T M_FE dB/dt dq/dt: forces of the vibration in the turning frame (flex.10).
static void add_inertia_force(const flex_body *f, const coords *at, const flex_moments *now,
                              const vec3 column[4], const vec3 column_rate[4], const double turn[9],
                              double *Q)
{
    for (int k = 0; k < 4; k++) {
        vec3 force = bias_column(now, k, column, column_rate);
        const double part[3] = { force.x, force.y, force.z };
        for (int x = 0; x < 3; x++) {
            for (int i = 0; i < f->n_col - f->n_mode; i++) {
                Q[f->col[i]] -= f->B[(3 * k + x) * f->n_col + i] * part[x];
            }
        }
    }
    // on the amplitudes: p_m . A^T (2 dA/dt dp/dt + A w)
    for (int m = 0; m < f->n_mode; m++) {
        Q[f->q + m] -= now->S[m] + now->T[m];
    }
    // omega in body axes: half the skew part of 2 A^T dA/dt
    vec3 omega = { 0.25 * (turn[7] - turn[5]), 0.25 * (turn[2] - turn[6]), 0.25 * (turn[3] - turn[1]) };
    flex_load_force(&f->sums, omega, &at->q[f->q], &Q[f->q]);
}

void flexible_drop(const natural *tab, const coords *at, const motion *m, equations *out)
{
    for (int k = 0; k < tab->n_flex; k++) {
        const flex_body *f = &tab->flex[k];
        flex_moments now = flex_moments_cut(&f->sums, m->room);
        vec3 column[4], column_rate[4];
        double turn[9]; // 2 A^T dA/dt
        columns_at(tab, f, at->q, column);
        columns_at(tab, f, at->v, column_rate);
        for (int i = 0; i < 9; i++) {
            turn[i] = 2.0 * vec3_dot(column[1 + i / 3], column_rate[1 + i % 3]);
        }
        flex_moments_at(&f->sums, &at->q[f->q], &at->v[f->q], turn, &now);
        add_mass(f, &now, column, out->M);
        add_inertia_force(f, at, &now, column, column_rate, turn, out->Q);
    }
}

bool flexible_has_block(const natural *tab, const plan *p, const block_group *b)
{
    for (int k = 0; k < tab->n_flex; k++) {
        if (modal_has_block(&tab->flex[k].modal, p, b)) {
            return true;
        }
    }
    return false;
}

void flexible_drop_tangent(const natural *tab, const motion *m, const load *in, double wK, double wC,
                           double *T)
{
    for (int k = 0; k < tab->n_flex; k++) {
        modal_drop_tangent(&tab->flex[k].modal, in, wK, wC, m->own + tab->flex[k].kept, T);
    }
}

void flexible_inertia_columns(const natural *tab, int flex, const coords *at, const motion *m, vec3 out[4])
{
    const flex_body *f = &tab->flex[flex];
    flex_moments now = flex_moments_cut(&f->sums, m->room);
    vec3 column[4], column_rate[4], second[4];
    static const double none[9] = { 0.0 };
    flex_moments_at(&f->sums, &at->q[f->q], &at->v[f->q], none, &now);
    columns_at(tab, f, at->q, column);
    columns_at(tab, f, at->v, column_rate);
    columns_at(tab, f, at->a, second);
    for (int k = 0; k < 4; k++) {
        out[k] = bias_column(&now, k, column, column_rate);
        for (int l = 0; l < 4; l++) {
            out[k] = vec3_add_scaled(out[k], now.J[4 * k + l], second[l]);
        }
        for (int i = 0; i < f->n_mode; i++) {
            out[k] = vec3_add_scaled(out[k], at->a[f->q + i], row_of(now.H[i], k, column));
        }
    }
}
