// SPDX-License-Identifier: MIT
// Reference lines of OpenDRIVE: lines, arcs, clothoids and polynomials, from node to node.
#include "io/road/odr.h"
#include <math.h>

// Gauss's rule of ten points.
static const double gauss_at[5] = { 0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                    0.8650633666889845, 0.9739065285171717 },
                    gauss_weight[5] = { 0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                        0.1494513491505806, 0.0666713443086881 };

static double bend_rate(const odr_geometry *g) { return (g->bend[1] - g->bend[0]) / g->length; }

// Heading of a clothoid at d from its beginning.
static double heading_at(const odr_geometry *g, double d)
{
    return g->heading + d * (g->bend[0] + 0.5 * d * bend_rate(g));
}

// Value and two derivatives of a cubic.
static void poly(const double c[4], double p, double out[3])
{
    out[0] = c[0] + p * (c[1] + p * (c[2] + p * c[3]));
    out[1] = c[1] + p * (2.0 * c[2] + 3.0 * p * c[3]);
    out[2] = 2.0 * c[2] + 6.0 * p * c[3];
}

// From the axes of the geometry to those of the file.
static void turn_into(const odr_geometry *g, const double u[3], const double v[3], double line[6])
{
    double s, c;
    bi_sincos(g->heading, &s, &c);
    for (int k = 0; k < 3; k++) {
        line[2 * k] = c * u[k] - s * v[k];
        line[2 * k + 1] = s * u[k] + c * v[k];
    }
    line[0] += g->x;
    line[1] += g->y;
}

// By the distance from the beginning: all but places of clothoids, which are integrated.
static void bend_of(const odr_geometry *g, double d, double line[6])
{
    double s, c, bend = g->bend[0] + d * bend_rate(g);
    bi_sincos(heading_at(g, d), &s, &c);
    line[2] = c;
    line[3] = s;
    line[4] = -bend * s;
    line[5] = bend * c;
}

static void poly_of(const odr_geometry *g, odr_node *n)
{
    double v[3], u[3];
    if (g->kind == ODR_PARAM) {
        double per_s = g->is_normalized ? 1.0 / g->length : 1.0, p = per_s * (n->s - g->s);
        poly(g->u, p, u);
        poly(g->v, p, v);
        for (int k = 1; k < 3; k++) {
            u[k] *= k == 1 ? per_s : per_s * per_s;
            v[k] *= k == 1 ? per_s : per_s * per_s;
        }
    } else {
        poly(g->v, n->parameter, v);
        // by the length of the curve: du/ds = 1/sqrt(1 + v'^2)
        double size2 = 1.0 + v[1] * v[1], by_s = 1.0 / sqrt(size2), by_s2 = -v[1] * v[2] / (size2 * size2);
        u[0] = n->parameter;
        u[1] = by_s;
        u[2] = by_s2;
        v[2] = v[2] * by_s * by_s + v[1] * by_s2;
        v[1] *= by_s;
    }
    turn_into(g, u, v, n->line);
}

void odr_begin(const odr_geometry *g, odr_node *out)
{
    *out = (odr_node){ .s = g->s };
    if (g->kind == ODR_POLY || g->kind == ODR_PARAM) {
        poly_of(g, out);
    } else {
        out->line[0] = g->x;
        out->line[1] = g->y;
        bend_of(g, 0.0, out->line);
    }
}

// u of a poly3 at a length h further: Newton's method on the length.
static double further(const odr_geometry *g, double from, double h)
{
    double to = from + h;
    for (int pass = 0; pass < 8; pass++) {
        double middle = 0.5 * (from + to), half = 0.5 * (to - from), length = 0.0, v[3];
        for (int k = 0; k < 10; k++) {
            poly(g->v, middle + (k % 2 ? half : -half) * gauss_at[k / 2], v);
            length += gauss_weight[k / 2] * sqrt(1.0 + v[1] * v[1]);
        }
        poly(g->v, to, v);
        to -= (half * length - h) / sqrt(1.0 + v[1] * v[1]);
    }
    return to;
}

void odr_go_on(const odr_geometry *g, double h, odr_node *n)
{
    double d = n->s - g->s;
    n->s += h;
    if (g->kind == ODR_PARAM || g->kind == ODR_POLY) {
        n->parameter = g->kind == ODR_POLY ? further(g, n->parameter, h) : 0.0;
        poly_of(g, n);
        return;
    }
    double sum[2] = { 0.0, 0.0 };
    for (int k = 0; k < 10; k++) {
        double s, c, at = d + 0.5 * h * (1.0 + (k % 2 ? gauss_at[k / 2] : -gauss_at[k / 2]));
        bi_sincos(heading_at(g, at), &s, &c);
        sum[0] += gauss_weight[k / 2] * c;
        sum[1] += gauss_weight[k / 2] * s;
    }
    n->line[0] += 0.5 * h * sum[0];
    n->line[1] += 0.5 * h * sum[1];
    bend_of(g, d + h, n->line);
}

double odr_step(const odr_geometry *g)
{
    static const double longest = 4.0, shortest = 0.01; // m
    double bend = fmax(fabs(g->bend[0]), fabs(g->bend[1])) + sqrt(fabs(bend_rate(g)));
    if (g->kind == ODR_POLY || g->kind == ODR_PARAM) {
        return fmin(0.5, fmax(g->length / 40.0, shortest));
    }
    // what is left out is h^6/46080 times a sixth derivative of about bend^5
    double step = bend > 0.0 ? 0.12 / (sqrt(bend) * cbrt(bend)) : longest;
    return fmin(fmax(step, shortest), longest);
}
