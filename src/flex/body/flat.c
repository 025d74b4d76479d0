// SPDX-License-Identifier: MIT
// Moments of a body with many modes, none of which bends: nine products of each pair of shapes side by side (flex.14).
#include "base/lanes.h"
#include "flex/body/moments.h"
#include <stdlib.h>
#include <string.h>

// Of a pair: xx yy zz xy yz zx of the symmetric part of int s_a s_m^T dm, x y z of int s_a x s_m dm.
enum { PARTS = 9, LANE = 4 };
static const bool in_plane[PARTS] = { true, true, false, true, false, false, false, false, true };

typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

static int n_block(const flex_sums *s) { return (s->n_mode + LANE - 1) / LANE; }

// Behind the products: r r^T, then of each mode its mean and int r psi_m^T dm.
static double *constants(const flex_sums *s)
{
    return s->flat + (size_t)(n_block(s) * (s->n_mode + 1)) * PARTS * LANE;
}

// T: int s_a s_b^T dm of all components, 3 a + i.
bool flex_flat_create(flex_sums *s, const double *T, int stride, const vec3 *mean)
{
    static const int first[6] = { 0, 1, 2, 0, 1, 2 }, second[6] = { 0, 1, 2, 1, 2, 0 };
    size_t n = (size_t)s->n_mode;
    s->flat = calloc((size_t)n_block(s) * (n + 1) * PARTS * LANE + 9 + 12 * n, sizeof *s->flat);
    if (!s->flat) {
        return false;
    }
    for (int m = 0; m < s->n_mode; m++) {
        for (int a = 0; a <= s->n_mode; a++) {
            const double *t = &T[3 * a * stride + 3 * (1 + m)];
            double *to = &s->flat[(m / LANE * (s->n_mode + 1) + a) * PARTS * LANE + m % LANE];
            for (int c = 0; c < 6; c++) {
                to[c * LANE] = 0.5 * (t[first[c] * stride + second[c]] + t[second[c] * stride + first[c]]);
            }
            for (int c = 0; c < 3; c++) {
                int i = (c + 1) % 3, j = (c + 2) % 3;
                to[(6 + c) * LANE] = t[i * stride + j] - t[j * stride + i];
            }
        }
    }
    s->is_flat_plane = true;
    for (size_t k = 0; k < (size_t)n_block(s) * (n + 1) * PARTS * LANE; k++) {
        bool is_across = !in_plane[k / LANE % PARTS];
        s->is_flat_plane &= !(is_across && s->flat[k] != 0.0);
    }
    double *to = constants(s);
    for (int i = 0; i < 9; i++) {
        to[i] = T[i / 3 * stride + i % 3];
    }
    for (int m = 0; m < s->n_mode; m++) {
        double *own = to + 9 + 12 * m;
        own[0] = mean[1 + m].x;
        own[1] = mean[1 + m].y;
        own[2] = mean[1 + m].z;
        for (int i = 0; i < 9; i++) {
            own[3 + i] = T[i / 3 * stride + 3 * (1 + m) + i % 3];
        }
    }
    return true;
}

typedef struct {
    double part[PARTS][LANE], turned[LANE];
} sums_of_four;

// Sums over the shapes for four modes: nine products with the place, and one mixture of them with the rate. Five of the
// nine are zero where all shapes lie in a plane.
LANES_PART void add_shapes(int n, const double *from, const double *eta, const double *rate,
                           const double mix[PARTS], bool is_skew, bool is_plane, sums_of_four *out)
{
    const lane *t = (const lane *)from;
    lane turned = { 0.0 };
    // named, so that they stay in registers; the undeformed place has weight one and no rate
    lane xx = t[0], yy = t[1], zz = t[2], xy = t[3], yz = t[4], zx = t[5], x = t[6], y = t[7], z = t[8];
    for (int a = 0; a < n; a++) {
        double weight = eta[a], speed = rate[a];
        t += PARTS;
        xx += t[0] * weight;
        yy += t[1] * weight;
        xy += t[3] * weight;
        z += t[8] * weight;
        if (is_plane) {
            turned += t[8] * mix[8] * speed;
        } else {
            zz += t[2] * weight;
            yz += t[4] * weight;
            zx += t[5] * weight;
            x += t[6] * weight;
            y += t[7] * weight;
            turned += (t[6] * mix[6] + t[7] * mix[7] + t[8] * mix[8]) * speed;
        }
        if (!is_skew) {
            lane rest = t[0] * mix[0] + t[1] * mix[1] + t[2] * mix[2];
            turned += (rest + t[3] * mix[3] + t[4] * mix[4] + t[5] * mix[5]) * speed;
        }
    }
    const lane all[PARTS] = { xx, yy, zz, xy, yz, zx, x, y, z };
    memcpy(out->part, all, sizeof all);
    memcpy(out->turned, &turned, sizeof turned);
}

// turn as a mixture of the nine: <turn, int p_m dp^T> with dp along the first shape.
LANES_PART bool mixture(const double turn[9], double mix[PARTS])
{
    const double all[PARTS] = { turn[0],
                                turn[4],
                                turn[8],
                                turn[1] + turn[3],
                                turn[5] + turn[7],
                                turn[2] + turn[6],
                                0.5 * (turn[7] - turn[5]),
                                0.5 * (turn[2] - turn[6]),
                                0.5 * (turn[3] - turn[1]) };
    memcpy(mix, all, sizeof all);
    bool is_skew = true;
    for (int c = 0; c < 6; c++) {
        is_skew &= all[c] == 0.0;
    }
    return is_skew;
}

LANES_PART void all_modes(const flex_sums *s, const double *eta, const double *rate, const double turn[9],
                          flex_moments *out)
{
    double mix[PARTS];
    bool is_skew = mixture(turn, mix);
    const double *own = constants(s) + 9;
    for (int m = 0; m < s->n_mode; m += LANE) {
        const double *from = &s->flat[m / LANE * (s->n_mode + 1) * PARTS * LANE];
        sums_of_four of;
        if (is_skew && s->is_flat_plane) {
            add_shapes(s->n_mode, from, eta, rate, mix, true, true, &of);
        } else if (is_skew) {
            add_shapes(s->n_mode, from, eta, rate, mix, true, false, &of);
        } else {
            add_shapes(s->n_mode, from, eta, rate, mix, false, false, &of);
        }
        for (int k = 0; k < LANE && m + k < s->n_mode; k++, own += 12) {
            double *H = out->H[m + k];
            double x = 0.5 * of.part[6][k], y = 0.5 * of.part[7][k], z = 0.5 * of.part[8][k];
            memcpy(H, own, 3 * sizeof *H);
            H[3] = of.part[0][k];
            H[4] = of.part[3][k] + z;
            H[5] = of.part[5][k] - y;
            H[6] = of.part[3][k] - z;
            H[7] = of.part[1][k];
            H[8] = of.part[4][k] + x;
            H[9] = of.part[5][k] + y;
            H[10] = of.part[4][k] - x;
            H[11] = of.part[2][k];
            out->T[m + k] = of.turned[k];
            out->S[m + k] = 0.0;
        }
    }
}

// Twelve numbers more by a multiple of others.
LANES_PART void add_twelve(double weight, const double *from, lane to[3])
{
    for (int i = 0; i < 3; i++) {
        to[i] += *(const lane *)(from + LANE * i) * weight;
    }
}

LANES void flex_flat_moments(const flex_sums *s, const double *eta, const double *rate, const double turn[9],
                             flex_moments *out)
{
    const double *rr = constants(s), *own = rr + 9;
    // sums over the modes: of p psi^T with the amplitudes and with their rates, of r psi^T
    lane moved[3] = { 0 }, moving[3] = { 0 }, still[3] = { 0 };
    all_modes(s, eta, rate, turn, out);
    for (int m = 0; m < s->n_mode; m++, own += 12) {
        add_twelve(eta[m], out->H[m], moved);
        add_twelve(rate[m], out->H[m], moving);
        add_twelve(eta[m], own, still);
    }
    double E[12], O[12], square[9];
    memcpy(E, moved, sizeof E);
    memcpy(O, still, sizeof O);
    memcpy(out->D, moving, sizeof moving);
    memset(out->W, 0, sizeof out->W);
    for (int i = 0; i < 9; i++) {
        // int p p^T = int r r^T + eta (int r psi^T + int psi p^T)
        square[i] = rr[i] + (O[3 + i] + E[3 + 3 * (i % 3) + i / 3]);
    }
    out->J[0] = s->mass;
    for (int i = 0; i < 3; i++) {
        out->J[1 + i] = out->J[4 * (1 + i)] = s->mean[i] + E[i];
        for (int j = 0; j < 3; j++) {
            out->J[4 * (1 + i) + 1 + j] = 0.5 * (square[3 * i + j] + square[3 * j + i]);
        }
    }
    out->P = s->P;
}
