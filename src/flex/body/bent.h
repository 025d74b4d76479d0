// SPDX-License-Identifier: MIT
// Moments of bodies with few modes and second-order shapes: every component of a shape is a vector in an orthonormal
// basis of functions on the body, and integrals are scalar products (flex.15).
#pragma once
#include "flex/body/moments.h"

// the most modes: vectors and pairs of larger bodies would be long
enum { BENT_MODES = 12 };

// One component of bend_mk: the other mode and a vector in flex_bent.value.
typedef struct {
    int k, vector;
} bent_pair;

struct flex_bent {
    int n_mode, length; // of vectors, a multiple of four
    int n_axis;         // components that are not zero everywhere: 2, or 3
    int axis[3];        // which
    double root_mass;   // sqrt(kg); the first function of the basis is 1 / root_mass
    int base[3];        // vector of each component of the undeformed place
    int *mode;          // of each component of each mode                               (n_mode x 3)
    int *first;         // pairs of each mode in each component                         (3 n_mode + 1)
    bent_pair *pair;
    double *value; // the vectors; the first is zero
};

// From the sums over the nodes; NULL: no memory.
struct flex_bent *flex_bent_create(const flex_sums *s);
void flex_bent_destroy(struct flex_bent *b);
int flex_bent_work(const struct flex_bent *b); // numbers of flex_moments.work
void flex_bent_moments(const struct flex_bent *b, double mass, const double *eta, const double *rate,
                       flex_moments *out);
