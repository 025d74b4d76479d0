// SPDX-License-Identifier: MIT
#include "flex/moments.h"
#include "base/lanes.h"
#include <stdlib.h>
#include <string.h>

// ---- sums ------------------------------------------------------------------------------------------------------

// Pairs m <= n behind the modes, row by row of the upper triangle.
static int pair_shape(int n, int i, int j)
{
    int m = i < j ? i : j, k = i < j ? j : i;
    return 1 + n + m * n - m * (m - 1) / 2 + (k - m);
}

static void node_shapes(const flex_sums *s, const bi_modes *f, int node, vec3 origin, vec3 *shape)
{
    int n = s->n_mode;
    shape[0] = vec3_add(f->at[node], origin);
    for (int m = 0; m < n; m++) {
        shape[1 + m] = f->shape[m * f->n_node + node];
    }
    for (int m = 0; s->is_bent && m < n; m++) {
        for (int k = m; k < n; k++) {
            shape[pair_shape(n, m, k)] = f->bend[(m * n + k) * f->n_node + node];
        }
    }
}

static int round_up(int n) { return (n + 3) / 4 * 4; }

static void add_products(int n_shape, double dm, const vec3 *shape, double *T)
{
    for (int a = 0; a < n_shape; a++) {
        const double x[3] = { dm * shape[a].x, dm * shape[a].y, dm * shape[a].z };
        for (int b = 0; b < n_shape; b++, T += 9) {
            const double y[3] = { shape[b].x, shape[b].y, shape[b].z };
            for (int i = 0; i < 9; i++) {
                T[i] += x[i / 3] * y[i % 3];
            }
        }
    }
}

// Which components there are, those whose square has no integral left out.
static void list_parts(flex_sums *s, const double *T)
{
    for (int i = 0; i < 3; i++) {
        s->start[i] = s->n_part;
        for (int a = 0; a < s->n_shape; a++) {
            bool is_kept = T[9 * (a * s->n_shape + a) + 4 * i] > 0.0;
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

static void keep_parts(flex_sums *s, const double *T, const vec3 *mean)
{
    for (int f = 0; f < s->n_part; f++) {
        int a = s->shape[f], i = component_of(s, f);
        s->mean[f] = i == 0 ? mean[a].x : i == 1 ? mean[a].y : mean[a].z;
        for (int g = 0; g < s->n_part; g++) {
            s->G[f * s->stride + g] = T[9 * (a * s->n_shape + s->shape[g]) + 3 * i + component_of(s, g)];
        }
    }
    for (int k = 0; k < s->n_shape * s->n_shape; k++) {
        s->trace[k / s->n_shape * s->shape_stride + k % s->n_shape] = T[9 * k] + T[9 * k + 4] + T[9 * k + 8];
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

bool flex_sums_create(flex_sums *s, const bi_modes *modes, vec3 origin)
{
    bool is_bent = modes->bend && !modes->bend_is_load;
    size_t n = (size_t)modes->n_mode, shapes = 1 + n + (is_bent ? n * (n + 1) / 2 : 0);
    *s = (flex_sums){ .n_mode = modes->n_mode, .n_shape = (int)shapes, .is_bent = is_bent };
    s->shape_stride = round_up(s->n_shape);
    s->shape = calloc(3 * shapes, sizeof *s->shape);
    s->part = calloc(3 * shapes, sizeof *s->part);
    s->trace = calloc(shapes * (size_t)s->shape_stride, sizeof *s->trace);
    s->P = calloc(n * n, sizeof *s->P);
    double *T = calloc(9 * shapes * shapes, sizeof *T);
    vec3 *shape = calloc(shapes, sizeof *shape), *mean = calloc(shapes, sizeof *mean);
    bool ok = s->shape && s->part && s->trace && s->P && T && shape && mean && sum_load(s, modes, origin);
    for (int i = 0; ok && i < modes->n_node; i++) {
        if (modes->mass[i] > 0.0) {
            node_shapes(s, modes, i, origin, shape);
            add_products(s->n_shape, modes->mass[i], shape, T);
            s->mass += modes->mass[i];
            for (size_t a = 0; a < shapes; a++) {
                mean[a] = vec3_add_scaled(mean[a], modes->mass[i], shape[a]);
            }
        }
    }
    if (ok) {
        list_parts(s, T);
        s->mean = calloc((size_t)s->n_part + 1, sizeof *s->mean);
        s->stride = round_up(s->n_part);
        s->G = calloc((size_t)(s->n_part * s->stride) + 1, sizeof *s->G);
        ok = s->mean && s->G;
    }
    if (ok) {
        keep_parts(s, T, mean);
    }
    free(T);
    free(shape);
    free(mean);
    return ok;
}

void flex_sums_clear(flex_sums *s)
{
    free(s->shape);
    free(s->part);
    free(s->mean);
    free(s->G);
    free(s->trace);
    free(s->P);
    free(s->load);
    *s = (flex_sums){ 0 };
}

// ---- moments ----------------------------------------------------------------------------------------------------

enum {
    MOST_SHAPES = FLEX_MODES + 1 > FLEX_SHAPES ? FLEX_MODES + 1 : FLEX_SHAPES,
    MOST_PARTS = 3 * MOST_SHAPES
};

// Weights of the shapes: of the place, of its rate, of its second rate (flex.3).
typedef struct {
    double place[MOST_SHAPES], rate[MOST_SHAPES], second[MOST_SHAPES];
} weights;

// Integrals over dm of each kept component times a component j of the place, its rate, its second rate.
typedef struct {
    double place[3][MOST_PARTS], rate[3][MOST_PARTS], second[3][MOST_PARTS];
} products;

static void weigh(const flex_sums *s, const double *eta, const double *rate, weights *w)
{
    int n = s->n_mode;
    w->place[0] = 1.0;
    w->rate[0] = 0.0;
    for (int m = 0; m < n; m++) {
        w->place[1 + m] = eta[m];
        w->rate[1 + m] = rate[m];
    }
    for (int m = 0, pair = 1 + n; s->is_bent && m < n; m++) {
        for (int k = m; k < n; k++, pair++) {
            double times = m == k ? 0.5 : 1.0;
            w->place[pair] = times * eta[m] * eta[k];
            w->rate[pair] = times * (eta[m] * rate[k] + rate[m] * eta[k]);
            w->second[pair] = 2.0 * times * rate[m] * rate[k];
        }
    }
}

// Four numbers at once; rows end with zeros to a multiple of four.
typedef double lane __attribute__((vector_size(32), aligned(8)));

LANES_PART void add_row(int n, double weight, const double *row, double *sum)
{
    for (int f = 0; f < n; f += 4) {
        *(lane *)(sum + f) += *(const lane *)(row + f) * weight;
    }
}

LANES static void multiply(const flex_sums *s, const weights *w, products *out)
{
    int n = s->stride;
    for (int j = 0; j < 3; j++) {
        memset(out->place[j], 0, (size_t)n * sizeof **out->place);
        memset(out->rate[j], 0, (size_t)n * sizeof **out->rate);
        memset(out->second[j], 0, (size_t)n * sizeof **out->second);
        for (int g = s->start[j]; g < s->start[j + 1]; g++) {
            const double *row = &s->G[g * n];
            int b = s->shape[g];
            add_row(n, w->place[b], row, out->place[j]);
            if (b > 0) {
                add_row(n, w->rate[b], row, out->rate[j]);
            }
            if (b > s->n_mode) {
                add_row(n, w->second[b], row, out->second[j]);
            }
        }
    }
}

// int [1 p] x^T dm from the weights of x and its products (4 x 3).
static void four_by_three(const flex_sums *s, const double *place, const double *x,
                          double (*product)[MOST_PARTS], double out[12])
{
    memset(out, 0, 12 * sizeof *out);
    for (int i = 0; i < 3; i++) {
        for (int f = s->start[i]; f < s->start[i + 1]; f++) {
            double weight = place[s->shape[f]];
            out[i] += x[s->shape[f]] * s->mean[f];
            for (int j = 0; j < 3; j++) {
                out[3 + 3 * i + j] += weight * product[j][f];
            }
        }
    }
}

// The body as it stands: J (flex.4).
static void moments_of_place(const flex_sums *s, const weights *w, products *u, double J[16])
{
    double square[12];
    four_by_three(s, w->place, w->place, u->place, square);
    J[0] = s->mass;
    for (int i = 0; i < 3; i++) {
        J[1 + i] = J[4 * (1 + i)] = square[i];
        for (int j = 0; j < 3; j++) {
            J[4 * (1 + i) + 1 + j] = square[3 + 3 * i + j];
        }
    }
}

// P_mn of a body that bends.
LANES static void bent_mass(const flex_sums *s, const double *eta, double *P)
{
    int n = s->n_mode;
    for (int m = 0; m < n; m++) {
        double row[FLEX_SHAPES + 3];
        memcpy(row, &s->trace[(1 + m) * s->shape_stride], (size_t)s->shape_stride * sizeof *row);
        for (int k = 0; k < n; k++) {
            add_row(s->shape_stride, eta[k], &s->trace[pair_shape(n, m, k) * s->shape_stride], row);
        }
        for (int k = 0; k <= m; k++) {
            double sum = row[1 + k];
            for (int i = 0; i < n; i++) {
                sum += eta[i] * row[pair_shape(n, k, i)];
            }
            P[n * m + k] = P[n * k + m] = sum;
        }
    }
}

// One shape of p_m with its weight, added to the moments of the mode (flex.4, flex.6).
static void add_mode_shape(const flex_sums *s, const products *u, int shape, double weight, int m,
                           flex_moments *out)
{
    double *H = out->H[m], *N = out->N[m];
    for (int i = 0; i < 3; i++) {
        int f = s->part[3 * shape + i];
        if (f < 0) {
            continue;
        }
        H[i] += weight * s->mean[f];
        for (int j = 0; j < 3; j++) {
            H[3 + 3 * j + i] += weight * u->place[j][f];
            N[3 * i + j] += weight * u->rate[j][f];
        }
        out->S[m] += weight * u->second[i][f];
    }
}

void flex_moments_at(const flex_sums *s, const double *eta, const double *rate, flex_moments *out)
{
    weights w;
    products u;
    int n = s->n_mode;
    weigh(s, eta, rate, &w);
    multiply(s, &w, &u);
    moments_of_place(s, &w, &u, out->J);
    four_by_three(s, w.place, w.rate, u.rate, out->D);
    memset(out->W, 0, sizeof out->W);
    if (s->is_bent) {
        memset(w.second, 0, (1 + (size_t)n) * sizeof *w.second);
        four_by_three(s, w.place, w.second, u.second, out->W);
        bent_mass(s, eta, out->bent);
    }
    out->P = s->is_bent ? out->bent : s->P;
    for (int m = 0; m < n; m++) {
        memset(out->H[m], 0, sizeof out->H[m]);
        memset(out->N[m], 0, sizeof out->N[m]);
        out->S[m] = 0.0;
        add_mode_shape(s, &u, 1 + m, 1.0, m, out);
        for (int k = 0; s->is_bent && k < n; k++) {
            add_mode_shape(s, &u, pair_shape(n, m, k), eta[k], m, out);
        }
    }
}

void flex_load_force(const flex_sums *s, vec3 omega, const double *eta, double *force)
{
    const double o[3] = { omega.x, omega.y, omega.z };
    for (int k = 0; s->load && k < s->n_mode * s->n_mode; k++) {
        // bend_mn . (omega x (omega x r))
        const double *R = &s->load[9 * k];
        double stiffness = -vec3_dot(omega, omega) * (R[0] + R[4] + R[8]);
        for (int i = 0; i < 9; i++) {
            stiffness += o[i / 3] * R[i] * o[i % 3];
        }
        force[k / s->n_mode] -= stiffness * eta[k % s->n_mode];
    }
}

// ---- points and vectors ----------------------------------------------------------------------------------------------

static bool place_create(flex_place *p, const bi_modes *f, vec3 at, bool is_bent)
{
    size_t n = (size_t)f->n_mode;
    *p = (flex_place){ .n_mode = f->n_mode, .at = at, .shape = calloc(n, sizeof *p->shape) };
    p->bend = is_bent ? calloc(n * n, sizeof *p->bend) : NULL;
    return p->shape && (p->bend || !is_bent);
}

bool flex_point_create(flex_place *p, const bi_modes *f, int node, vec3 at)
{
    bool is_bent = f->bend && !f->bend_is_load;
    if (!place_create(p, f, at, is_bent)) {
        return false;
    }
    // the centre of mass: every node by its share
    double mass = 0.0;
    for (int i = 0; i < f->n_node; i++) {
        mass += f->mass[i];
    }
    p->at = node < 0 ? (vec3){ 0.0, 0.0, 0.0 } : at;
    for (int i = node < 0 ? 0 : node; i < (node < 0 ? f->n_node : node + 1); i++) {
        double share = node < 0 ? f->mass[i] / mass : 1.0;
        p->at = node < 0 ? vec3_add_scaled(p->at, share, f->at[i]) : p->at;
        for (int m = 0; m < f->n_mode; m++) {
            p->shape[m] = vec3_add_scaled(p->shape[m], share, f->shape[m * f->n_node + i]);
        }
        for (int m = 0; is_bent && m < f->n_mode * f->n_mode; m++) {
            p->bend[m] = vec3_add_scaled(p->bend[m], share, f->bend[m * f->n_node + i]);
        }
    }
    return true;
}

bool flex_vector_create(flex_place *p, const bi_modes *f, int node, vec3 direction)
{
    if (!place_create(p, f, direction, false)) {
        return false;
    }
    p->is_turned = true;
    for (int m = 0; f->turn && m < f->n_mode; m++) {
        p->shape[m] = f->turn[m * f->n_node + node];
    }
    return true;
}

void flex_place_clear(flex_place *p)
{
    free(p->shape);
    free(p->bend);
    *p = (flex_place){ 0 };
}

static void sum_shapes(const flex_place *p, const double *eta, const double *rate, vec3 *value, vec3 *speed)
{
    *value = *speed = (vec3){ 0.0, 0.0, 0.0 };
    for (int m = 0; m < p->n_mode; m++) {
        *value = vec3_add_scaled(*value, eta[m], p->shape[m]);
        *speed = vec3_add_scaled(*speed, rate[m], p->shape[m]);
    }
}

void flex_place_at(const flex_place *p, const double *eta, const double *rate, vec3 out[3])
{
    vec3 value, speed;
    sum_shapes(p, eta, rate, &value, &speed);
    if (p->is_turned) {
        vec3 once = vec3_cross(value, p->at), moving = vec3_cross(speed, p->at);
        out[0] = vec3_add(p->at, vec3_add_scaled(once, 0.5, vec3_cross(value, once)));
        out[1] = vec3_add_scaled(moving, 0.5, vec3_add(vec3_cross(speed, once), vec3_cross(value, moving)));
        out[2] = vec3_cross(speed, moving);
        return;
    }
    out[0] = vec3_add(p->at, value);
    out[1] = speed;
    out[2] = (vec3){ 0.0, 0.0, 0.0 };
    for (int i = 0; p->bend && i < p->n_mode * p->n_mode; i++) {
        int m = i / p->n_mode, k = i % p->n_mode;
        out[0] = vec3_add_scaled(out[0], 0.5 * eta[m] * eta[k], p->bend[i]);
        out[1] = vec3_add_scaled(out[1], rate[m] * eta[k], p->bend[i]);
        out[2] = vec3_add_scaled(out[2], rate[m] * rate[k], p->bend[i]);
    }
}

void flex_place_gradients(const flex_place *p, const double *eta, vec3 *out)
{
    vec3 turn = { 0.0, 0.0, 0.0 }, once;
    for (int m = 0; p->is_turned && m < p->n_mode; m++) {
        turn = vec3_add_scaled(turn, eta[m], p->shape[m]);
    }
    once = vec3_cross(turn, p->at);
    for (int m = 0; m < p->n_mode; m++) {
        out[m] = p->shape[m];
        for (int k = 0; p->bend && k < p->n_mode; k++) {
            out[m] = vec3_add_scaled(out[m], eta[k], p->bend[m * p->n_mode + k]);
        }
        if (p->is_turned) {
            vec3 own = vec3_cross(p->shape[m], p->at);
            vec3 both = vec3_add(vec3_cross(p->shape[m], once), vec3_cross(turn, own));
            out[m] = vec3_add_scaled(own, 0.5, both);
        }
    }
}
