// SPDX-License-Identifier: MIT
// Vibrations of flexible bodies of order four in their phase (docs/theory/phase.md).
#pragma once

// Amplitudes of one body and what its free vibrations are. Made once, constant.
typedef struct {
    int n;          // amplitudes
    int *variable;  // of each                                                          (n)
    int *place;     // in the tangent, pairs (0,0) (1,0) (1,1) (2,0) ...                (n (n + 1) / 2)
    double *shape;  // K^1/2 U: the columns of U diagonalise K^-1/2 M K^-1/2            (n x n)
    double *square; // 1 / omega^2 of the body when it flies freely, s2                 (n)
} vibration;

typedef struct {
    int count;
    vibration *body;
    int n_value; // numbers of all pairs
} vibrations;

// The inertia D of all pairs that a step of length h takes away, with the spectral radius rho of its rule.
void phase_inertia(const vibrations *all, double h, double rho, double *D);
// T -= D.
void phase_tangent(const vibrations *all, const double *D, double *T);
// y -= D x.
void phase_multiply(const vibrations *all, const double *D, const double *x, double *y);
