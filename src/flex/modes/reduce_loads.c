// SPDX-License-Identifier: MIT
// What the lowest normal modes leave of a body's own weight: static shapes under its unit accelerations, eqs. (fe.22),
// (fe.23).
#include "flex/modes/reduce.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Motions of the body as a whole: along x, y, z, about them.
enum { RIGID = 6 };
// what others make up to this part (root of the energy) is left out
static const double DEPENDENT = 1e-3;

// Displacement and turn of each node that leads.
void reduction_rigid_motion(const reduction *r, int which, double *u)
{
    const fe_freedoms *f = &r->f;
    memset(u, 0, (size_t)f->n * sizeof *u);
    for (int i = 0; i < f->n_node; i++) {
        vec3 axis = { which % 3 == 0, which % 3 == 1, which % 3 == 2 }, zero = { 0.0, 0.0, 0.0 };
        vec3 move = which < 3 ? axis : vec3_cross(axis, r->def->mesh.node[i].at),
             turn = which < 3 ? zero : axis;
        const double *Q = f->turn + (ptrdiff_t)9 * i;
        double part[6] = { move.x, move.y, move.z };
        for (int j = 0; j < 3; j++) {
            part[3 + j] = Q[3 * j] * turn.x + Q[3 * j + 1] * turn.y + Q[3 * j + 2] * turn.z;
        }
        for (int k = 0, at = f->first[i]; at >= 0 && k < 6; k++) {
            if (f->mask[i] >> k & 1u) {
                u[at++] = part[k];
            }
        }
    }
}

// K_ii x
static void stiff(const reduction *r, const double *x, double *out)
{
    memset(out, 0, (size_t)r->n_free * sizeof *out);
    pattern_multiply(&r->ii, r->Kii, x, out);
}

// Takes from x what the vectors before it say, in the energy, twice for rounding. Gives what is left of its root.
static double less_others(const reduction *r, const double *vector, int count, double *x, double *work)
{
    size_t n = (size_t)r->n_free;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < count; k++) {
            const double *other = vector + (size_t)k * n;
            stiff(r, other, work);
            double part = dense_dot(r->n_free, x, work) / dense_dot(r->n_free, other, work);
            for (size_t i = 0; i < n; i++) {
                x[i] -= part * other[i];
            }
        }
    }
    stiff(r, x, work);
    return sqrt(fmax(0.0, dense_dot(r->n_free, x, work)));
}

int reduction_load_modes(const reduction *r, const double *normal, double **out)
{
    size_t n = (size_t)r->n_free, all = (size_t)r->f.n, n_normal = (size_t)r->n_normal;
    double *x = malloc((n_normal + RIGID) * n * sizeof *x), *work = malloc((2 * all + n + 1) * sizeof *work);
    int count = 0;
    *out = x;
    if (!x || !work) {
        free(work);
        return -1;
    }
    if (n_normal > 0) {
        memcpy(x, normal, n_normal * n * sizeof *x);
    }
    for (int which = 0; which < RIGID; which++) {
        double *here = x + (n_normal + (size_t)count) * n, *motion = work + n, *force = motion + all;
        reduction_rigid_motion(r, which, motion);
        memset(force, 0, all * sizeof *force);
        pattern_multiply(&r->m.pat, r->m.M, motion, force);
        for (int u = 0; u < r->f.n; u++) {
            if (r->role[u] >= 0) {
                here[r->role[u]] = force[u];
            }
        }
        front_solve(r->factor, 1, here);
        stiff(r, here, work);
        double whole = sqrt(fmax(0.0, dense_dot(r->n_free, here, work)));
        double left = less_others(r, x, r->n_normal + count, here, work);
        if (whole > 0.0 && left > DEPENDENT * whole) {
            for (size_t i = 0; i < n; i++) {
                here[i] /= left;
            }
            count++;
        }
    }
    free(work);
    memmove(x, x + n_normal * n, (size_t)count * n * sizeof *x);
    return count;
}
