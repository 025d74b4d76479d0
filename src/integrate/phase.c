// SPDX-License-Identifier: MIT
// Implicit rules swing too slowly, the trapezoidal one by (omega h)^2/12. Inertia less makes up for it (phase.1).
#include "integrate/phase.h"
#include <math.h>

void phase_inertia(const vibrations *all, double h, double rho, double *D)
{
    double whole = h * h * ((11.0 * rho - 14.0) * rho + 11.0) / (12.0 * (1.0 + rho) * (1.0 + rho)); // phase.2
    // no more than this part of the inertia of any vibration: faster ones are not resolved by the step (phase.4)
    static const double most = 0.5;
    for (int b = 0; b < all->count; b++) {
        const vibration *v = &all->body[b];
        int n = v->n;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++, D++) {
                double sum = 0.0;
                for (int k = 0; k < n; k++) {
                    sum += v->shape[i * n + k] * v->shape[j * n + k] * fmin(whole, most * v->square[k]);
                }
                *D = sum;
            }
        }
    }
}

void phase_tangent(const vibrations *all, const double *D, double *T)
{
    for (int b = 0; b < all->count; b++) {
        const vibration *v = &all->body[b];
        for (int k = 0; k < v->n * (v->n + 1) / 2; k++) {
            T[v->place[k]] -= *D++;
        }
    }
}

void phase_multiply(const vibrations *all, const double *D, const double *x, double *y)
{
    for (int b = 0; b < all->count; b++) {
        const vibration *v = &all->body[b];
        for (int i = 0; i < v->n; i++) {
            double sum = 0.0, own = x[v->variable[i]];
            for (int j = 0; j < i; j++, D++) {
                sum += *D * x[v->variable[j]];
                y[v->variable[j]] -= *D * own;
            }
            y[v->variable[i]] -= sum + *D++ * own;
        }
    }
}
