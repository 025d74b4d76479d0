// SPDX-License-Identifier: MIT
// Rotation vectors as coordinates (joint.4, joint.5).
#pragma once
#include "math/elementary.h"
#include "math/rotation.h"
#include <math.h>

// Coefficients of the right Jacobian of the rotation vector and of its rate (joint.4): series where the closed forms
// cancel.
typedef struct {
    double A, B, dA, dB; // (1 - cos x)/x^2, (x - sin x)/x^3, and (dA/dx)/x, (dB/dx)/x
} rotation_series;

static inline rotation_series series_at(double x2)
{
    // below 0.2 rad the fifth term of each series is beyond the last bit
    if (x2 < 0.04) {
        return (rotation_series){
            0.5 - x2 * (1.0 / 24 - x2 * (1.0 / 720 - x2 * (1.0 / 40320 - x2 / 3628800))),
            1.0 / 6 - x2 * (1.0 / 120 - x2 * (1.0 / 5040 - x2 * (1.0 / 362880 - x2 / 39916800))),
            -1.0 / 12 + x2 * (1.0 / 180 - x2 * (1.0 / 6720 - x2 * (1.0 / 453600 - x2 / 47900160))),
            -1.0 / 60 + x2 * (1.0 / 1260 - x2 * (1.0 / 60480 - x2 * (1.0 / 4989600 - x2 / 622702080))),
        };
    }
    double x = sqrt(x2), s, c;
    math_sincos(x, &s, &c);
    return (rotation_series){ (1.0 - c) / x2, (x - s) / (x2 * x), (s * x - 2.0 * (1.0 - c)) / (x2 * x2),
                              ((1.0 - c) * x - 3.0 * (x - s)) / (x2 * x2 * x) };
}

// T x = x - A theta x x + B theta x (theta x x)
static inline vec3 right_jacobian(const rotation_series *c, vec3 theta, vec3 x)
{
    vec3 once = vec3_cross(theta, x), twice = vec3_cross(theta, once);
    return vec3_add_scaled(vec3_add_scaled(x, -c->A, once), c->B, twice);
}
