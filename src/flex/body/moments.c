// SPDX-License-Identifier: MIT
#include "flex/body/moments.h"
#include "base/lanes.h"
#include "flex/body/bent.h"
#include <stdlib.h>
#include <string.h>

// ---- moments ----------------------------------------------------------------------------------------------------

// Weights of the shapes: of the place, of its rate, of its second rate (flex.3).
typedef struct {
    double *place, *rate, *second; // (n_shape)
} weights;

// Integrals over dm of each kept component times a component j of the place, its rate, its second rate.
typedef struct {
    double *place[3], *rate[3], *second[3]; // (stride)
} products;

static int rounded(int n) { return (n + 3) / 4 * 4; }

static int work_size(const flex_sums *s)
{
    return s->flat ? 0 : s->bent ? flex_bent_work(s->bent) : 3 * s->n_shape + 9 * s->stride;
}

int flex_moments_room(const flex_sums *s)
{
    int square = s->is_bent ? s->n_mode * s->n_mode : 0;
    return (12 + 9 + 1 + 1) * rounded(s->n_mode) + square + work_size(s);
}

flex_moments flex_moments_cut(const flex_sums *s, double *room)
{
    int n = rounded(s->n_mode);
    flex_moments out = { .H = (double(*)[12])room, .N = (double(*)[9])(room + 12 * n) };
    out.T = room + 21 * n;
    out.S = out.T + n;
    out.bent = out.S + n;
    out.work = out.bent + (s->is_bent ? s->n_mode * s->n_mode : 0);
    return out;
}

static weights weights_cut(const flex_sums *s, double *work)
{
    return (weights){ work, work + s->n_shape, work + 2 * s->n_shape };
}

static products products_cut(const flex_sums *s, double *work)
{
    products u;
    double *at = work + 3 * s->n_shape;
    for (int j = 0; j < 3; j++, at += 3 * s->stride) {
        u.place[j] = at;
        u.rate[j] = at + s->stride;
        u.second[j] = at + 2 * s->stride;
    }
    return u;
}

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
        memset(out->place[j], 0, (size_t)n * sizeof(double));
        memset(out->rate[j], 0, (size_t)n * sizeof(double));
        memset(out->second[j], 0, (size_t)n * sizeof(double));
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
static void four_by_three(const flex_sums *s, const double *place, const double *x, double *const product[3],
                          double out[12])
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
            add_row(s->shape_stride, eta[k], &s->trace[flex_pair_shape(n, m, k) * s->shape_stride], row);
        }
        for (int k = 0; k <= m; k++) {
            double sum = row[1 + k];
            for (int i = 0; i < n; i++) {
                sum += eta[i] * row[flex_pair_shape(n, k, i)];
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

static void turn_modes(int n, const double turn[9], flex_moments *out)
{
    for (int m = 0; m < n; m++) {
        out->T[m] = 0.0;
        for (int i = 0; i < 9; i++) {
            out->T[m] += turn[i] * out->N[m][i];
        }
    }
}

void flex_moments_at(const flex_sums *s, const double *eta, const double *rate, const double turn[9],
                     flex_moments *out)
{
    if (s->flat) {
        flex_flat_moments(s, eta, rate, turn, out);
        return;
    }
    if (s->bent) {
        flex_bent_moments(s->bent, s->mass, eta, rate, out);
        turn_modes(s->n_mode, turn, out);
        return;
    }
    weights w = weights_cut(s, out->work);
    products u = products_cut(s, out->work);
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
            add_mode_shape(s, &u, flex_pair_shape(n, m, k), eta[k], m, out);
        }
    }
    turn_modes(n, turn, out);
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

static bool place_create(flex_place *p, const bi_modes *f, vec3 at)
{
    size_t n = (size_t)f->n_mode;
    *p = (flex_place){
        .n_mode = f->n_mode, .n_used = f->n_mode, .at = at, .shape = calloc(n, sizeof *p->shape)
    };
    return p->shape != NULL;
}

bool flex_point_create(flex_place *p, const bi_modes *f, int node, vec3 at)
{
    bool is_bent = f->bend && !f->bend_is_load;
    size_t n = (size_t)f->n_mode;
    bool is_good = place_create(p, f, at);
    p->bend = is_bent ? calloc(n * n, sizeof *p->bend) : NULL;
    if (!is_good || (is_bent && !p->bend)) {
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
    if (!place_create(p, f, direction)) {
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
    free(p->used);
    free(p->bend);
    *p = (flex_place){ 0 };
}

bool flex_place_moves(const flex_place *p, int mode)
{
    bool is_used = !p->used;
    for (int k = 0; p->used && k < p->n_used; k++) {
        is_used |= p->used[k] == mode;
    }
    return is_used;
}

void flex_place_sum(const flex_place *p, const double *eta, const double *rate, vec3 out[2])
{
    vec3 value = { 0.0, 0.0, 0.0 }, speed = value;
    for (int k = 0; k < p->n_used; k++) {
        int m = p->used ? p->used[k] : k;
        value = vec3_add_scaled(value, eta[m], p->shape[k]);
        speed = vec3_add_scaled(speed, rate[m], p->shape[k]);
    }
    out[0] = value;
    out[1] = speed;
}

void flex_vector_at(vec3 n, const vec3 sum[2], vec3 out[3])
{
    vec3 once = vec3_cross(sum[0], n), moving = vec3_cross(sum[1], n);
    out[0] = vec3_add(n, vec3_add_scaled(once, 0.5, vec3_cross(sum[0], once)));
    out[1] = vec3_add_scaled(moving, 0.5, vec3_add(vec3_cross(sum[1], once), vec3_cross(sum[0], moving)));
    out[2] = vec3_cross(sum[1], moving);
}

// force . (t x n + 1/2 (t x (theta x n) + theta x (t x n))) = t . u, the triple products turned round (flex.8)
vec3 flex_vector_force(vec3 n, vec3 turn, vec3 force)
{
    vec3 once = vec3_cross(turn, n);
    vec3 second = vec3_add(vec3_cross(once, force), vec3_cross(n, vec3_cross(force, turn)));
    return vec3_add_scaled(vec3_cross(n, force), 0.5, second);
}

void flex_place_at(const flex_place *p, const double *eta, const double *rate, vec3 out[3])
{
    vec3 sum[2];
    flex_place_sum(p, eta, rate, sum);
    if (p->is_turned) {
        flex_vector_at(p->at, sum, out);
        return;
    }
    out[0] = vec3_add(p->at, sum[0]);
    out[1] = sum[1];
    out[2] = (vec3){ 0.0, 0.0, 0.0 };
    for (int m = 0; p->bend && m < p->n_mode; m++) {
        const vec3 *row = &p->bend[m * p->n_mode];
        vec3 bend = { 0.0, 0.0, 0.0 }, fast = bend;
        for (int k = 0; k < p->n_mode; k++) {
            bend = vec3_add_scaled(bend, eta[k], row[k]);
            fast = vec3_add_scaled(fast, rate[k], row[k]);
        }
        out[0] = vec3_add_scaled(out[0], 0.5 * eta[m], bend);
        out[1] = vec3_add_scaled(out[1], rate[m], bend);
        out[2] = vec3_add_scaled(out[2], rate[m], fast);
    }
}

void flex_place_add(const flex_place *p, vec3 u, double *modal)
{
    for (int k = 0; k < p->n_used; k++) {
        modal[p->used ? p->used[k] : k] += vec3_dot(u, p->shape[k]);
    }
}

void flex_place_push(const flex_place *p, const double *eta, vec3 force, double *modal)
{
    if (p->is_turned) {
        vec3 sum[2];
        flex_place_sum(p, eta, eta, sum);
        force = flex_vector_force(p->at, sum[0], force);
    }
    if (!p->bend) {
        flex_place_add(p, force, modal);
        return;
    }
    for (int m = 0; m < p->n_mode; m++) {
        vec3 shape = p->shape[m];
        for (int n = 0; n < p->n_mode; n++) {
            shape = vec3_add_scaled(shape, eta[n], p->bend[m * p->n_mode + n]);
        }
        modal[m] += vec3_dot(force, shape);
    }
}
