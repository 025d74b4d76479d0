// SPDX-License-Identifier: MIT
// Sums over the nodes of a body with modes, made once (flex.2, flex.3).
#include "base/lanes.h"
#include "flex/body/bent.h"
#include <stdlib.h>
#include <string.h>

// ---- sums ------------------------------------------------------------------------------------------------------

static void node_shapes(const flex_sums *s, const bi_modes *f, int node, vec3 origin, vec3 *shape)
{
    int n = s->n_mode;
    shape[0] = vec3_add(f->at[node], origin);
    for (int m = 0; m < n; m++) {
        shape[1 + m] = f->shape[m * f->n_node + node];
    }
    for (int m = 0; s->is_bent && m < n; m++) {
        for (int k = m; k < n; k++) {
            shape[flex_pair_shape(n, m, k)] = f->bend[(m * n + k) * f->n_node + node];
        }
    }
}

static int round_up(int n) { return (n + 3) / 4 * 4; }

// ---- the table T_ab of all components, 3 a + i ----------------------------------------------------------------------

typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

// from here on products side by side cost less than looking for components that are zero everywhere
enum { MANY = 4 };

enum { BATCH = 4 }; // nodes at once: each number of the table is fetched that much less often

typedef struct {
    int n, stride; // components, and these rounded up to four
    double *T;     // (n x stride): the upper triangle, some of the lower one beside it
    double *shape; // of the nodes at hand                          (BATCH x stride)
    double mass[BATCH];
} sum_table;

// T += sum dm s s^T, node after node.
LANES static void add_products(sum_table *t)
{
    for (int r = 0; r < t->n; r++) {
        double weight[BATCH], *row = &t->T[(size_t)r * (size_t)t->stride];
        for (int k = 0; k < BATCH; k++) {
            weight[k] = t->mass[k] * t->shape[k * t->stride + r];
        }
        for (int c = r / 4 * 4; c < t->stride; c += 4) {
            lane sum = *(lane *)(row + c);
            for (int k = 0; k < BATCH; k++) {
                sum += *(const lane *)(t->shape + k * t->stride + c) * weight[k];
            }
            *(lane *)(row + c) = sum;
        }
    }
}

static void mirror(const sum_table *t)
{
    for (int r = 0; r < t->n; r++) {
        for (int c = 0; c < r; c++) {
            t->T[r * t->stride + c] = t->T[c * t->stride + r];
        }
    }
}

// Rows of the modes become those of y: row_k = sum_m Y_km row_m; `work` holds the rows of all modes.
LANES static void mix_rows(const sum_table *t, int n_mode, const double *Y, int stride, double *work)
{
    size_t modes = (size_t)(3 * n_mode) * (size_t)t->stride;
    double *first = t->T + 3 * t->stride;
    memcpy(work, first, modes * sizeof *work);
    memset(first, 0, modes * sizeof *first);
    for (int k = 0; k < 3 * n_mode; k++) {
        double *row = first + k * t->stride;
        for (int m = 0; m < n_mode; m++) {
            const double *from = work + (3 * m + k % 3) * t->stride;
            double weight = Y[k / 3 * stride + m];
            for (int c = 0; c < t->stride; c += 4) {
                *(lane *)(row + c) += *(const lane *)(from + c) * weight;
            }
        }
    }
}

static void transpose(const sum_table *t)
{
    for (int r = 0; r < t->n; r++) {
        for (int c = 0; c < r; c++) {
            double swap = t->T[r * t->stride + c];
            t->T[r * t->stride + c] = t->T[c * t->stride + r];
            t->T[c * t->stride + r] = swap;
        }
    }
}

// The same sums in other variables, eta = Y^T y (flex.13); second-order shapes have none.
static bool change_variables(const sum_table *t, int n_mode, const double *Y, int stride, vec3 *mean)
{
    double *work = malloc((size_t)(3 * n_mode) * (size_t)t->stride * sizeof *work);
    vec3 *old = malloc(((size_t)n_mode + 1) * sizeof *old);
    bool ok = work && old;
    if (ok) {
        mix_rows(t, n_mode, Y, stride, work);
        transpose(t);
        mix_rows(t, n_mode, Y, stride, work);
        mirror(t);
        memcpy(old, mean, ((size_t)n_mode + 1) * sizeof *old);
        for (int k = 0; k < n_mode; k++) {
            mean[1 + k] = (vec3){ 0.0, 0.0, 0.0 };
            for (int m = 0; m < n_mode; m++) {
                mean[1 + k] = vec3_add_scaled(mean[1 + k], Y[k * stride + m], old[1 + m]);
            }
        }
    }
    free(work);
    free(old);
    return ok;
}

// ---- what is kept of it ------------------------------------------------------------------------------------------------

// Which components there are, those whose square has no integral left out.
static void list_parts(flex_sums *s, const sum_table *t)
{
    for (int i = 0; i < 3; i++) {
        s->start[i] = s->n_part;
        for (int a = 0; a < s->n_shape; a++) {
            bool is_kept = t->T[(3 * a + i) * (t->stride + 1)] > 0.0;
            s->part[3 * a + i] = is_kept ? s->n_part : -1;
            if (is_kept) {
                s->shape[s->n_part++] = a;
            }
        }
    }
    s->start[3] = s->n_part;
}

static int component_of(const flex_sums *s, int part)
{
    return part < s->start[1] ? 0 : part < s->start[2] ? 1 : 2;
}

static void keep_parts(flex_sums *s, const sum_table *t, const vec3 *mean)
{
    for (int f = 0; f < s->n_part; f++) {
        int a = s->shape[f], i = component_of(s, f);
        s->mean[f] = i == 0 ? mean[a].x : i == 1 ? mean[a].y : mean[a].z;
        for (int g = 0; g < s->n_part; g++) {
            s->G[f * s->stride + g] = t->T[(3 * a + i) * t->stride + 3 * s->shape[g] + component_of(s, g)];
        }
    }
}

static void keep_mass(flex_sums *s, const sum_table *t)
{
    for (int k = 0; k < s->n_shape * s->n_shape; k++) {
        const double *T = &t->T[3 * (k / s->n_shape) * t->stride + 3 * (k % s->n_shape)];
        s->trace[k / s->n_shape * s->shape_stride + k % s->n_shape] =
            T[0] + T[t->stride + 1] + T[2 * t->stride + 2];
    }
    for (int k = 0; k < s->n_mode * s->n_mode; k++) {
        s->P[k] = s->trace[(1 + k / s->n_mode) * s->shape_stride + 1 + k % s->n_mode];
    }
}

static bool sum_load(flex_sums *s, const bi_modes *f, vec3 origin)
{
    if (!f->bend || !f->bend_is_load) {
        return true;
    }
    int pairs = f->n_mode * f->n_mode;
    s->load = calloc(9 * (size_t)pairs, sizeof *s->load);
    for (int k = 0; s->load && k < pairs * f->n_node; k++) {
        int node = k % f->n_node;
        vec3 r = vec3_add(f->at[node], origin), b = f->bend[k];
        const double x[3] = { r.x, r.y, r.z }, y[3] = { b.x, b.y, b.z };
        for (int i = 0; i < 9; i++) {
            s->load[9 * (k / f->n_node) + i] += f->mass[node] * x[i / 3] * y[i % 3];
        }
    }
    return s->load != NULL;
}

// All nodes with mass; the last batch is filled up with nothing.
static void sum_nodes(flex_sums *s, const bi_modes *modes, vec3 origin, sum_table *t, vec3 *mean)
{
    int n_batch = 0;
    for (int i = 0; i < modes->n_node; i++) {
        if (!(modes->mass[i] > 0.0)) {
            continue;
        }
        vec3 *shape = (vec3 *)(t->shape + n_batch * t->stride);
        node_shapes(s, modes, i, origin, shape);
        t->mass[n_batch] = modes->mass[i];
        s->mass += modes->mass[i];
        for (int a = 0; a < s->n_shape; a++) {
            mean[a] = vec3_add_scaled(mean[a], modes->mass[i], shape[a]);
        }
        if (++n_batch == BATCH) {
            add_products(t);
            n_batch = 0;
        }
    }
    if (n_batch > 0) {
        memset(t->mass + n_batch, 0, (size_t)(BATCH - n_batch) * sizeof *t->mass);
        add_products(t);
    }
    mirror(t);
}

static bool sum_products(flex_sums *s, const bi_modes *modes, vec3 origin, const double *Y, int stride)
{
    size_t shapes = (size_t)s->n_shape;
    sum_table t = { .n = 3 * s->n_shape, .stride = round_up(3 * s->n_shape) };
    t.T = calloc((size_t)t.n * (size_t)t.stride, sizeof *t.T);
    t.shape = calloc(BATCH * (size_t)t.stride, sizeof *t.shape);
    vec3 *mean = calloc(shapes, sizeof *mean);
    bool ok = t.T && t.shape && mean;
    if (ok) {
        sum_nodes(s, modes, origin, &t, mean);
        ok = !Y || change_variables(&t, s->n_mode, Y, stride, mean);
    }
    if (ok && !s->is_bent && s->n_mode >= MANY) {
        s->mean = calloc(3, sizeof *s->mean);
        ok = s->mean && flex_flat_create(s, t.T, t.stride, mean);
        if (ok) {
            memcpy(s->mean, mean, 3 * sizeof *s->mean);
            keep_mass(s, &t);
        }
    } else if (ok) {
        list_parts(s, &t);
        s->mean = calloc((size_t)s->n_part + 1, sizeof *s->mean);
        s->stride = round_up(s->n_part);
        s->G = calloc((size_t)(s->n_part * s->stride) + 1, sizeof *s->G);
        ok = s->mean && s->G;
        if (ok) {
            keep_parts(s, &t, mean);
            keep_mass(s, &t);
        }
        if (ok && s->is_bent && s->n_mode <= BENT_MODES) {
            s->bent = flex_bent_create(s);
            ok = s->bent != NULL;
        }
    }
    free(t.T);
    free(t.shape);
    free(mean);
    return ok;
}

bool flex_sums_create(flex_sums *s, const bi_modes *modes, vec3 origin, const double *Y, int stride)
{
    bool is_bent = modes->bend && !modes->bend_is_load;
    size_t n = (size_t)modes->n_mode, shapes = 1 + n + (is_bent ? n * (n + 1) / 2 : 0);
    *s = (flex_sums){ .n_mode = modes->n_mode, .n_shape = (int)shapes, .is_bent = is_bent };
    s->shape_stride = round_up(s->n_shape);
    s->shape = calloc(3 * shapes, sizeof *s->shape);
    s->part = calloc(3 * shapes, sizeof *s->part);
    s->trace = calloc(shapes * (size_t)s->shape_stride, sizeof *s->trace);
    s->P = calloc(n * n, sizeof *s->P);
    return s->shape && s->part && s->trace && s->P && sum_load(s, modes, origin) &&
           sum_products(s, modes, origin, Y, stride);
}

void flex_sums_clear(flex_sums *s)
{
    free(s->shape);
    free(s->part);
    free(s->mean);
    free(s->G);
    free(s->trace);
    free(s->P);
    free(s->flat);
    flex_bent_destroy(s->bent);
    free(s->load);
    *s = (flex_sums){ 0 };
}
