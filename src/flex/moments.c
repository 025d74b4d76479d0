// SPDX-License-Identifier: MIT
#include "flex/moments.h"
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

static void add_node(flex_sums *s, double dm, const vec3 *shape)
{
    s->mass += dm;
    for (int a = 0; a < s->n_shape; a++) {
        const double x[3] = { dm * shape[a].x, dm * shape[a].y, dm * shape[a].z };
        for (int i = 0; i < 3; i++) {
            s->mean[3 * a + i] += x[i];
        }
        for (int b = 0; b < s->n_shape; b++) {
            double *T = &s->T[9 * (a * s->n_shape + b)];
            const double y[3] = { shape[b].x, shape[b].y, shape[b].z };
            for (int i = 0; i < 9; i++) {
                T[i] += x[i / 3] * y[i % 3];
            }
        }
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
    s->mean = calloc(3 * shapes, sizeof *s->mean);
    s->T = calloc(9 * shapes * shapes, sizeof *s->T);
    s->trace = calloc(shapes * shapes, sizeof *s->trace);
    s->P = calloc(n * n, sizeof *s->P);
    vec3 *shape = calloc(shapes, sizeof *shape);
    bool ok = s->mean && s->T && s->trace && s->P && shape && sum_load(s, modes, origin);
    for (int i = 0; ok && i < modes->n_node; i++) {
        if (modes->mass[i] > 0.0) {
            node_shapes(s, modes, i, origin, shape);
            add_node(s, modes->mass[i], shape);
        }
    }
    for (size_t k = 0; ok && k < shapes * shapes; k++) {
        s->trace[k] = s->T[9 * k] + s->T[9 * k + 4] + s->T[9 * k + 8];
    }
    for (size_t k = 0; ok && k < n * n; k++) {
        s->P[k] = s->trace[(1 + k / n) * shapes + 1 + k % n];
    }
    free(shape);
    return ok;
}

void flex_sums_clear(flex_sums *s)
{
    free(s->mean);
    free(s->T);
    free(s->trace);
    free(s->P);
    free(s->load);
    *s = (flex_sums){ 0 };
}

// ---- moments ----------------------------------------------------------------------------------------------------

// Weights of the shapes: of the place, of its rate, of its second rate (flex.3).
typedef struct {
    double place[FLEX_MODES + FLEX_SHAPES], rate[FLEX_MODES + FLEX_SHAPES], second[FLEX_SHAPES];
} weights;

static void weigh(const flex_sums *s, const double *eta, const double *rate, weights *w)
{
    int n = s->n_mode;
    w->place[0] = 1.0;
    w->rate[0] = 0.0;
    memset(w->second, 0, sizeof w->second);
    for (int m = 0; m < n; m++) {
        w->place[1 + m] = eta[m];
        w->rate[1 + m] = rate[m];
        for (int k = m; s->is_bent && k < n; k++) {
            int pair = pair_shape(n, m, k);
            double times = m == k ? 0.5 : 1.0;
            w->place[pair] = times * eta[m] * eta[k];
            w->rate[pair] = times * (eta[m] * rate[k] + rate[m] * eta[k]);
            w->second[pair] = 2.0 * times * rate[m] * rate[k];
        }
    }
}

// U_a = sum_b w_b T_ab for all shapes a.
static void contract(const flex_sums *s, const double *w, int first, double (*U)[9])
{
    for (int a = 0; a < s->n_shape; a++) {
        double sum[9] = { 0.0 };
        const double *T = &s->T[9 * a * s->n_shape];
        for (int b = first; b < s->n_shape; b++) {
            for (int i = 0; i < 9; i++) {
                sum[i] += w[b] * T[9 * b + i];
            }
        }
        memcpy(U[a], sum, sizeof sum);
    }
}

// Derivative of the place with amplitude m: its own shape, and those of its pairs weighed by the others' amplitudes.
typedef struct {
    int count, shape[1 + FLEX_BEND_MODES];
    double weight[1 + FLEX_BEND_MODES];
} mode_weights;

static mode_weights weigh_mode(const flex_sums *s, const double *eta, int m)
{
    mode_weights w = { .count = 1, .shape = { 1 + m }, .weight = { 1.0 } };
    for (int k = 0; s->is_bent && k < s->n_mode; k++) {
        w.shape[w.count] = pair_shape(s->n_mode, m, k);
        w.weight[w.count++] = eta[k];
    }
    return w;
}

// int [1 p] x^T dm from the mean of x and U_a = int s_a x^T dm.
static void four_by_three(const flex_sums *s, const double *place, const double mean[3], double (*U)[9],
                          double out[12])
{
    memset(out, 0, 12 * sizeof *out);
    memcpy(out, mean, 3 * sizeof *out);
    for (int a = 0; a < s->n_shape; a++) {
        for (int i = 0; i < 9; i++) {
            out[3 + i] += place[a] * U[a][i];
        }
    }
}

static void mean_of(const flex_sums *s, const double *w, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int a = 0; a < s->n_shape; a++) {
        for (int i = 0; i < 3; i++) {
            out[i] += w[a] * s->mean[3 * a + i];
        }
    }
}

// The body as it stands: J (flex.4).
static void moments_of_place(const flex_sums *s, const weights *w, double (*U)[9], double J[16])
{
    double mean[3], square[12];
    mean_of(s, w->place, mean);
    four_by_three(s, w->place, mean, U, square);
    J[0] = s->mass;
    for (int i = 0; i < 3; i++) {
        J[1 + i] = J[4 * (1 + i)] = mean[i];
        for (int j = 0; j < 3; j++) {
            J[4 * (1 + i) + 1 + j] = square[3 + 3 * i + j];
        }
    }
}

// P_mn of a body that bends.
static void bent_mass(const flex_sums *s, const double *eta, double *P)
{
    int n = s->n_mode;
    for (int m = 0; m < n; m++) {
        double row[FLEX_SHAPES] = { 0.0 };
        mode_weights left = weigh_mode(s, eta, m);
        for (int i = 0; i < left.count; i++) {
            for (int b = 1; b < s->n_shape; b++) {
                row[b] += left.weight[i] * s->trace[left.shape[i] * s->n_shape + b];
            }
        }
        for (int k = 0; k < n; k++) {
            mode_weights right = weigh_mode(s, eta, k);
            P[n * m + k] = 0.0;
            for (int i = 0; i < right.count; i++) {
                P[n * m + k] += right.weight[i] * row[right.shape[i]];
            }
        }
    }
}

static void moments_of_mode(const flex_sums *s, mode_weights own, double (*at)[9], double (*moving)[9], int m,
                            flex_moments *out)
{
    double *H = out->H[m], *N = out->N[m];
    memset(H, 0, sizeof out->H[m]);
    memset(N, 0, sizeof out->N[m]);
    for (int k = 0; k < own.count; k++) {
        int a = own.shape[k];
        for (int i = 0; i < 3; i++) {
            H[i] += own.weight[k] * s->mean[3 * a + i];
            for (int j = 0; j < 3; j++) {
                H[3 + 3 * i + j] +=
                    own.weight[k] * at[a][3 * j + i]; // int p s_a^T dm is int s_a p^T dm transposed
                N[3 * i + j] += own.weight[k] * moving[a][3 * i + j];
            }
        }
    }
}

void flex_moments_at(const flex_sums *s, const double *eta, const double *rate, flex_moments *out)
{
    double at[FLEX_MODES + FLEX_SHAPES][9], moving[FLEX_MODES + FLEX_SHAPES][9], second[FLEX_SHAPES][9],
        mean[3];
    weights w;
    int n = s->n_mode;
    weigh(s, eta, rate, &w);
    contract(s, w.place, 0, at);
    contract(s, w.rate, 1, moving);
    moments_of_place(s, &w, at, out->J);
    mean_of(s, w.rate, mean);
    four_by_three(s, w.place, mean, moving, out->D);
    memset(out->W, 0, sizeof out->W);
    if (s->is_bent) {
        contract(s, w.second, 1 + n, second);
        mean_of(s, w.second, mean);
        four_by_three(s, w.place, mean, second, out->W);
        bent_mass(s, eta, out->bent);
    }
    out->P = s->is_bent ? out->bent : s->P;
    for (int m = 0; m < n; m++) {
        moments_of_mode(s, weigh_mode(s, eta, m), at, moving, m, out);
        out->S[m] = 0.0;
        mode_weights own = weigh_mode(s, eta, m);
        for (int i = 0; s->is_bent && i < own.count; i++) {
            const double *U = second[own.shape[i]];
            out->S[m] += own.weight[i] * (U[0] + U[4] + U[8]);
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
