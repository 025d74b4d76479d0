// SPDX-License-Identifier: MIT
// A mass with inertia at a node: six particles on its principal axes.
#include "flex/mesh/fe.h"
#include "sparse/dense_eigen.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// Second moments along the principal axes, over the mass, and the axes as columns of V. From the inertia tensor
// I = tr(S) 1 - S.
static void moments(const fe_element *e, double *moment, double *V)
{
    const double *I = e->def->inertia;
    double half = 0.5 * (I[0] + I[1] + I[2]);
    double S[9] = { half - I[0], -I[3], -I[5], -I[3], half - I[1], -I[4], -I[5], -I[4], half - I[2] };
    dense_symmetric_eigen(3, S, moment, V);
}

static bool check(const fe_element *e, char *why, size_t size)
{
    double moment[3], V[9];
    if (!(e->def->mass > 0.0) || !isfinite(e->def->mass)) {
        snprintf(why, size, "has the mass %g, which must be positive", e->def->mass);
        return false;
    }
    moments(e, moment, V);
    if (moment[0] < -1e-9 * fabs(moment[2])) {
        snprintf(
            why, size,
            "has an inertia that no mass distribution has: one moment is larger than the other two together");
        return false;
    }
    return true;
}

static void stiffness(const fe_element *e, double *K)
{
    (void)e;
    memset(K, 0, 36 * sizeof *K);
}

static void put(const fe_element *e, double mass, vec3 arm, fe_particle *p)
{
    memset(p, 0, sizeof *p);
    p->mass = mass;
    p->at = vec3_add(e->at[0], arm);
    // u + theta x arm
    for (int c = 0; c < 3; c++) {
        p->shape[c][c] = 1.0;
    }
    p->shape[0][4] = arm.z, p->shape[0][5] = -arm.y;
    p->shape[1][5] = arm.x, p->shape[1][3] = -arm.z;
    p->shape[2][3] = arm.y, p->shape[2][4] = -arm.x;
}

static int particles(const fe_element *e, fe_particle *out)
{
    double moment[3], V[9];
    int n = 0;
    moments(e, moment, V);
    if (!(moment[2] > 0.0)) {
        put(e, e->def->mass, (vec3){ 0.0, 0.0, 0.0 }, &out[0]);
        return 1;
    }
    for (int k = 0; k < 3; k++) {
        double reach = sqrt(3.0 * fmax(moment[k], 0.0) / e->def->mass);
        vec3 arm = { reach * V[k], reach * V[3 + k], reach * V[6 + k] };
        put(e, e->def->mass / 6.0, arm, &out[n++]);
        put(e, e->def->mass / 6.0, vec3_neg(arm), &out[n++]);
    }
    return n;
}

const fe_kind fe_mass = { .name = "mass",
                          .n_node = 1,
                          .freedoms = FE_ALL,
                          .check = check,
                          .stiffness = stiffness,
                          .particles = particles };
