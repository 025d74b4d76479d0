// SPDX-License-Identifier: MIT
#include "flex/body/nodal.h"
#include "base/lanes.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// below this the products with X cost more than sparse gradients save
enum { FEWEST_MODES = 16 };
// a row that others make up to this part of its length is no displacement of its own
static const double DEPENDENT = 1e-4;

static int round_up(int n) { return (n + 3) / 4 * 4; }

// ---- choice of the variables (flex.11) ------------------------------------------------------------------------------

// Rows of displacement over sqrt(stiffness) eta, made orthonormal one after the other: w_i = sum_j L_ij u_j.
typedef struct {
    int n, count;
    double *u;    // (n x n)
    double *L;    // (n x n)
    double *root; // 1 / sqrt(stiffness)
} frame;

// The part of x across the rows so far, twice for rounding; what it takes of them added to `along`.
static double cross_part(const frame *f, double *x, double *along)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < f->count; j++) {
            double part = dense_dot(f->n, x, &f->u[j * f->n]);
            along[j] += part;
            for (int m = 0; m < f->n; m++) {
                x[m] -= part * f->u[j * f->n + m];
            }
        }
    }
    return sqrt(dense_dot(f->n, x, x));
}

static bool add_row(frame *f, double *x)
{
    double *along = &f->L[f->count * f->n], *to = &f->u[f->count * f->n];
    double whole = sqrt(dense_dot(f->n, x, x));
    memset(along, 0, (size_t)f->n * sizeof *along);
    double left = cross_part(f, x, along);
    if (!(left > DEPENDENT * whole)) {
        return false;
    }
    along[f->count] = left;
    for (int m = 0; m < f->n; m++) {
        to[m] = x[m] / left;
    }
    f->count++;
    return true;
}

static double component(vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static void choose(flex_nodal *b, const bi_modes *modes, const int *node, int n_node, frame *f, double *x)
{
    for (int k = 0; k < 3 * n_node && f->count < f->n; k++) {
        for (int m = 0; m < f->n; m++) {
            x[m] = f->root[m] * component(modes->shape[m * modes->n_node + node[k / 3]], k % 3);
        }
        if (add_row(f, x)) {
            b->unit[b->n_unit++] = 3 * node[k / 3] + k % 3;
        }
    }
}

// Unit vectors that complete the frame, the one farthest from it first.
static void complete(frame *f, double *left, double *x)
{
    int n = f->n;
    for (int m = 0; m < n; m++) {
        left[m] = 1.0;
        for (int j = 0; j < f->count; j++) {
            left[m] -= f->u[j * n + m] * f->u[j * n + m];
        }
    }
    while (f->count < n) {
        int best = 0;
        for (int m = 1; m < n; m++) {
            best = left[m] > left[best] ? m : best;
        }
        memset(x, 0, (size_t)n * sizeof *x);
        x[best] = 1.0;
        if (!add_row(f, x)) {
            return; // rounding only: what is left of a unit vector is at least 1 / sqrt(n)
        }
        for (int m = 0; m < n; m++) {
            double u = f->u[(f->count - 1) * n + m];
            left[m] -= u * u;
        }
    }
}

// Columns of X: those of u^T L^-1 for the displacements, the other u as they are, of length one in eta (flex.11).
static void solve(flex_nodal *b, const frame *f)
{
    int n = f->n;
    for (int k = n - 1; k >= 0; k--) {
        double *column = &b->Y[k * b->stride];
        memcpy(column, &f->u[k * n], (size_t)n * sizeof *column);
        if (k < b->n_unit) {
            // column_k = (u_k - sum_i>k L_ik column_i) / L_kk
            for (int i = k + 1; i < b->n_unit; i++) {
                for (int m = 0; m < n; m++) {
                    column[m] -= f->L[i * n + k] * b->Y[i * b->stride + m];
                }
            }
            for (int m = 0; m < n; m++) {
                column[m] /= f->L[k * n + k];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        double *column = &b->Y[k * b->stride];
        for (int m = 0; m < n; m++) {
            column[m] *= f->root[m];
        }
        double length = k < b->n_unit ? 1.0 : sqrt(dense_dot(n, column, column));
        for (int m = 0; m < n; m++) {
            column[m] /= length;
            b->X[m * b->stride + k] = column[m];
        }
    }
}

static bool pays(const bi_modes *modes, int n_node)
{
    bool is_stiff = modes->n_mode >= FEWEST_MODES && modes->n_mode <= FLEX_MODES && !modes->bend;
    for (int m = 0; is_stiff && m < modes->n_mode; m++) {
        is_stiff = modes->stiffness[m] > 0.0;
    }
    return is_stiff && 12 * n_node >= modes->n_mode;
}

bool flex_nodal_create(flex_nodal *b, const bi_modes *modes, const int *node, int n_node)
{
    *b = (flex_nodal){ 0 };
    if (!pays(modes, n_node)) {
        return true;
    }
    size_t n = (size_t)modes->n_mode, stride = (size_t)round_up(modes->n_mode);
    frame f = { .n = modes->n_mode };
    f.u = calloc(n * n, sizeof *f.u);
    f.L = calloc(n * n, sizeof *f.L);
    f.root = calloc(3 * n, sizeof *f.root);
    b->unit = calloc(n, sizeof *b->unit);
    b->X = calloc(n * stride, sizeof *b->X);
    b->Y = calloc(n * stride, sizeof *b->Y);
    bool ok = f.u && f.L && f.root && b->unit && b->X && b->Y;
    if (ok) {
        b->stride = (int)stride;
        for (size_t m = 0; m < n; m++) {
            f.root[m] = 1.0 / sqrt(modes->stiffness[m]);
        }
        choose(b, modes, node, n_node, &f, f.root + n);
        complete(&f, f.root + 2 * n, f.root + n);
        if (f.count == f.n && 4 * b->n_unit >= f.n) {
            solve(b, &f);
            b->n = f.n;
        }
    }
    free(f.u);
    free(f.L);
    free(f.root);
    return ok;
}

static bool is_listed(const int *node, int n, int wanted)
{
    for (int k = 0; k < n; k++) {
        if (node[k] == wanted) {
            return true;
        }
    }
    return false;
}

bool flex_nodal_for(flex_nodal *b, const plan *p, int body)
{
    int n = 0, *node = malloc(((size_t)p->n_list + 1) * sizeof *node);
    bool ok = node != NULL;
    *b = (flex_nodal){ 0 };
    for (int k = 0; ok && k < p->n_list; k++) {
        const marker *m = &p->marker[p->list[k]];
        bool is_point = m->kind == MARKER_POINT || m->kind == MARKER_FRAME;
        if (is_point && m->body == body && m->node > 0 && !is_listed(node, n, m->node - 1)) {
            node[n++] = m->node - 1;
        }
    }
    ok = ok && flex_nodal_create(b, p->model->body[body].def.flex, node, n);
    free(node);
    return ok;
}

void flex_nodal_clear(flex_nodal *b)
{
    free(b->unit);
    free(b->X);
    free(b->Y);
    *b = (flex_nodal){ 0 };
}

// ---- places -----------------------------------------------------------------------------------------------------------

static void set_component(vec3 *v, int axis, double value)
{
    double *x = axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
    *x = value;
}

// What is chosen is exact: a unit, or nothing.
static void round_units(const flex_nodal *b, int node, vec3 *shape)
{
    for (int k = 0; k < b->n_unit; k++) {
        for (int j = 0; b->unit[k] / 3 == node && j < b->n; j++) {
            set_component(&shape[j], b->unit[k] % 3, j == k ? 1.0 : 0.0);
        }
    }
}

bool flex_nodal_place(const flex_nodal *b, int node, flex_place *p)
{
    if (b->n == 0) {
        return true;
    }
    vec3 *shape = calloc((size_t)b->n, sizeof *shape);
    p->used = calloc((size_t)b->n, sizeof *p->used);
    if (!shape || !p->used) {
        free(shape);
        return false;
    }
    for (int k = 0; k < b->n; k++) {
        for (int m = 0; m < b->n; m++) {
            shape[k] = vec3_add_scaled(shape[k], b->Y[k * b->stride + m], p->shape[m]);
        }
    }
    if (!p->is_turned) {
        round_units(b, node, shape);
    }
    p->n_used = 0;
    for (int k = 0; k < b->n; k++) {
        if (shape[k].x != 0.0 || shape[k].y != 0.0 || shape[k].z != 0.0) {
            p->shape[p->n_used] = shape[k];
            p->used[p->n_used++] = k;
        }
    }
    free(shape);
    return true;
}

// ---- products ---------------------------------------------------------------------------------------------------------

typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

LANES_PART void add_scaled(int n, double weight, const double *row, double *sum)
{
    for (int k = 0; k < n; k += 4) {
        *(lane *)(sum + k) += *(const lane *)(row + k) * weight;
    }
}

LANES void flex_nodal_amplitudes(const flex_nodal *b, const double *y, double *eta)
{
    double sum[FLEX_MODES];
    memset(sum, 0, (size_t)b->stride * sizeof *sum);
    for (int k = 0; k < b->n; k++) {
        add_scaled(b->stride, y[k], &b->Y[k * b->stride], sum);
    }
    memcpy(eta, sum, (size_t)b->n * sizeof *eta);
}

LANES void flex_nodal_add_force(const flex_nodal *b, const double *force, double *Q)
{
    double sum[FLEX_MODES];
    memset(sum, 0, (size_t)b->stride * sizeof *sum);
    for (int m = 0; m < b->n; m++) {
        add_scaled(b->stride, force[m], &b->X[m * b->stride], sum);
    }
    for (int k = 0; k < b->n; k++) {
        Q[k] += sum[k];
    }
}

LANES void flex_nodal_square(const flex_nodal *b, const double *d, double *out)
{
    double line[FLEX_MODES];
    for (int j = 0; j < b->n; j++) {
        memset(line, 0, (size_t)b->stride * sizeof *line);
        for (int m = 0; m < b->n; m++) {
            const double *row = &b->X[m * b->stride];
            add_scaled(j + 1, d[m] * row[j], row, line);
        }
        memcpy(out, line, (size_t)(j + 1) * sizeof *out);
        out += j + 1;
    }
}
