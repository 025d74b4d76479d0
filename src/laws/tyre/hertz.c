// SPDX-License-Identifier: MIT
#include "laws/tyre/hertz.h"
#include "math/elementary.h"
#include <math.h>

static const double pi = 3.14159265358979323846;

// Arithmetic-geometric mean: each pass doubles the digits.
void hertz_integrals(double m, double *K, double *E)
{
    enum { PASSES = 8 };
    double a = 1.0, b = sqrt(1.0 - m), sum = 0.5 * m, weight = 0.5;
    for (int k = 0; k < PASSES; k++) {
        double half = 0.5 * (a - b), mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        weight *= 2.0;
        sum += weight * half * half;
    }
    *K = 0.5 * pi / a;
    *E = *K * (1.0 - sum);
}

// Ratio of the curvatures that an ellipse with 1 - (short/long)^2 = m belongs to, eq. (tyre.39); grows with m.
static double curvature_ratio(double m)
{
    double K, E;
    hertz_integrals(m, &K, &E);
    return (E / (1.0 - m) - K) / (K - E);
}

hertz_ellipse hertz_touch(double load, double curvature_1, double curvature_2, double modulus)
{
    hertz_ellipse out = { { 0.0, 0.0 }, 0.0, 0.0 };
    if (!(load > 0.0 && curvature_1 > 0.0 && curvature_2 > 0.0 && modulus > 0.0)) {
        return out;
    }
    double small = fmin(curvature_1, curvature_2), large = fmax(curvature_1, curvature_2),
           ratio = large / small;
    // halving; between a circle and a ratio of some 1e9
    double low = 1e-9, high = 1.0 - 1e-9;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        *(curvature_ratio(middle) < ratio ? &low : &high) = middle;
    }
    double m = 0.5 * (low + high), K, E;
    hertz_integrals(m, &K, &E);
    // K - E over m; for a circle its limit pi/4
    double gap = (K - E) / m, half = 0.5 * small;
    double a = math_cbrt(1.5 * load * gap / (pi * modulus * half)), b = a * sqrt(1.0 - m);
    out.semi[0] = curvature_1 <= curvature_2 ? a : b;
    out.semi[1] = curvature_1 <= curvature_2 ? b : a;
    out.approach = 1.5 * load * K / (pi * a * modulus);
    out.pressure = 1.5 * load / (pi * a * b);
    return out;
}
