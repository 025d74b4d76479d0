// SPDX-License-Identifier: MIT
// The ellipse in which a body with two curvatures touches a plane (tyre.38 .. tyre.41), by complete elliptic integrals.
#pragma once

typedef struct {
    double semi[2];  // m, along the direction of the first and of the second curvature
    double approach; // m
    double pressure; // Pa, largest
} hertz_ellipse;

// load N; curvatures 1/m, both positive; modulus Pa: of both bodies together. No load: all zero.
hertz_ellipse hertz_touch(double load, double curvature_1, double curvature_2, double modulus);
// K and E of the parameter m = k^2 < 1.
void hertz_integrals(double m, double *K, double *E);
