// SPDX-License-Identifier: MIT
#include "math/se3.h"
#include "math/elementary.h"

// c(s) = (1 - (theta/2) cot(theta/2)) / s, s = theta^2: 2 zeta(2k) / (2 pi)^(2k) of s^(k-1). With 24 terms exact to
// rounding up to theta = 2, to 1e-12 at pi.
static const double series[24] = { 0.083333333333333329,   0.0013888888888888889,  3.3068783068783071e-05,
                                   8.2671957671957675e-07, 2.08767569878681e-08,   5.2841901386874932e-10,
                                   1.3382536530684679e-11, 3.3896802963225827e-13, 8.5860620562778452e-15,
                                   2.1748686985580619e-16, 5.5090028283602295e-18, 1.3954464685812522e-19,
                                   3.5347070396294673e-21, 8.9535174270375463e-23, 2.2679524523376829e-24,
                                   5.7447906688722025e-26, 1.455172475614865e-27,  3.6859949406653103e-29,
                                   9.3367342570950451e-31, 2.36502241570063e-32,   5.9906717624821341e-34,
                                   1.5174548844682903e-35, 3.8437581254541886e-37, 9.7363530726466913e-39 };

static void coefficients(double s, double *c, double *dc, double *ddc)
{
    *c = *dc = *ddc = 0.0;
    for (int k = s < 0.1 ? 8 : 23; k >= 0; k--) {
        *ddc = *ddc * s + 2.0 * *dc;
        *dc = *dc * s + *c;
        *c = *c * s + series[k];
    }
}

static vec3 twice_cross(vec3 a, vec3 b, vec3 x) { return vec3_cross(a, vec3_cross(b, x)); }

static vec3 sum3(vec3 a, vec3 b, vec3 c) { return vec3_add(a, vec3_add(b, c)); }

screw screw_log(quat rotation, vec3 place)
{
    screw d = { .w = quat_log(rotation) };
    coefficients(vec3_dot(d.w, d.w), &d.c, &d.dc, &d.ddc);
    d.u = vec3_add_scaled(vec3_add_scaled(place, -0.5, vec3_cross(d.w, place)), d.c,
                          twice_cross(d.w, d.w, place));
    return d;
}

void screw_exp(screw d, double share, mat3 *rotation, vec3 *place)
{
    vec3 w = vec3_scale(share, d.w), u = vec3_scale(share, d.u);
    double s = vec3_dot(w, w), theta = sqrt(s), half = math_sin(0.5 * theta);
    // (1 - cos)/s and (theta - sin)/(s theta); series where they cancel
    double one = s < 1e-4 ? 0.5 - s / 24.0 : 2.0 * half * half / s;
    double two = s < 1e-4 ? 1.0 / 6.0 - s / 120.0 : (theta - math_sin(theta)) / (s * theta);
    *place = sum3(u, vec3_scale(one, vec3_cross(w, u)), vec3_scale(two, twice_cross(w, w, u)));
    *rotation = quat_to_mat3(quat_exp(w));
}

void screw_forces(const screw *d, double side, vec3 n, vec3 m, vec3 *force, vec3 *torque)
{
    vec3 w = d->w, u = d->u, wn = vec3_cross(w, n), wwn = vec3_cross(w, wn);
    *force = sum3(n, vec3_scale(-0.5 * side, wn), vec3_scale(d->c, wwn));
    *torque = sum3(m, vec3_scale(-0.5 * side, vec3_cross(w, m)), vec3_scale(d->c, twice_cross(w, w, m)));
    vec3 mixed = vec3_add(vec3_cross(u, wn), twice_cross(w, u, n));
    *torque = sum3(*torque, vec3_scale(-0.5 * side, vec3_cross(u, n)), vec3_scale(d->c, mixed));
    *torque = vec3_add_scaled(*torque, 2.0 * d->dc * vec3_dot(w, u), wwn);
}

void screw_change(const screw *d, double side, vec3 shift, vec3 spin, vec3 *du, vec3 *dw)
{
    vec3 w = d->w, u = d->u, ws = vec3_cross(w, spin), wws = vec3_cross(w, ws);
    *dw = sum3(spin, vec3_scale(0.5 * side, ws), vec3_scale(d->c, wws));
    *du =
        sum3(shift, vec3_scale(0.5 * side, vec3_cross(w, shift)), vec3_scale(d->c, twice_cross(w, w, shift)));
    vec3 mixed = vec3_add(vec3_cross(u, ws), twice_cross(w, u, spin));
    *du = sum3(*du, vec3_scale(0.5 * side, vec3_cross(u, spin)), vec3_scale(d->c, mixed));
    *du = vec3_add_scaled(*du, 2.0 * d->dc * vec3_dot(w, u), wws);
}

// Derivative of (1 - side w~/2 + c w~^2) x along dw.
static vec3 bend_one(const screw *d, double side, vec3 x, vec3 dw)
{
    vec3 w = d->w;
    vec3 mixed = vec3_add(twice_cross(dw, w, x), twice_cross(w, dw, x));
    return sum3(vec3_scale(-0.5 * side, vec3_cross(dw, x)), vec3_scale(d->c, mixed),
                vec3_scale(2.0 * d->dc * vec3_dot(w, dw), twice_cross(w, w, x)));
}

void screw_bend(const screw *d, double side, vec3 n, vec3 m, vec3 du, vec3 dw, vec3 *force, vec3 *torque)
{
    vec3 w = d->w, u = d->u, wwn = twice_cross(w, w, n);
    double along = vec3_dot(w, dw), pitch = vec3_dot(w, u);
    *force = bend_one(d, side, n, dw);
    *torque = vec3_add(bend_one(d, side, m, dw), bend_one(d, side, n, du));
    vec3 outer = vec3_add(twice_cross(u, dw, n), twice_cross(dw, u, n));
    vec3 middle = vec3_add(twice_cross(u, w, n), twice_cross(w, u, n));
    vec3 inner = vec3_add(twice_cross(dw, w, n), twice_cross(w, dw, n));
    *torque = sum3(*torque, vec3_scale(d->c, outer), vec3_scale(2.0 * d->dc * along, middle));
    *torque = sum3(*torque, vec3_scale(2.0 * d->dc * pitch, inner),
                   vec3_scale(2.0 * d->dc * vec3_dot(dw, u) + 4.0 * d->ddc * along * pitch, wwn));
}
