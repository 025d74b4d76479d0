// SPDX-License-Identifier: MIT
// How many normal modes it takes: what the full mesh answers at the highest frequency, less what the modes have of it,
// (fe.26) to (fe.28).
#include "flex/modes/reduce.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { RIGID = 6, MOST_MODES = 500 };

// Loads of the interior: inertia under accelerations of the whole body, and of each boundary unknown.
typedef struct {
    int count, n_rigid, n_move; // all; of the whole body; of those, along x, y, z
    double *force;              // (count * n_free)
    double *answer;             // (count * n_free) of the full mesh
    double *still; // (n_rigid * n_free) of statics, which weight modes have; zero: there are none
    double *whole; // (count) energy of the answer, that of the boundary's own displacement included
    double *rest;  // (count) energy that the modes so far lack
} loads;

static void loads_free(loads *l)
{
    free(l->force);
    free(l->answer);
    free(l->still);
    free(l->whole);
    free(l->rest);
}

// Inertia of a motion of all unknowns, at the free ones. False: there is none.
static bool inertia_of(const reduction *r, const double *motion, double *all, double *out)
{
    bool has_any = false;
    memset(all, 0, (size_t)r->f.n * sizeof *all);
    pattern_multiply(&r->m.pat, r->m.M, motion, all);
    for (int u = 0; u < r->f.n; u++) {
        if (r->role[u] >= 0) {
            out[r->role[u]] = all[u];
            has_any = has_any || all[u] != 0.0;
        }
    }
    return has_any;
}

static double energy(const reduction *r, const double *x, double *work)
{
    memset(work, 0, (size_t)r->n_free * sizeof *work);
    pattern_multiply(&r->ii, r->Kii, x, work);
    return dense_dot(r->n_free, x, work);
}

// `V`: static modes, on all unknowns.
static bool make_loads(const reduction *r, const double *V, double omega, loads *l)
{
    size_t n = (size_t)r->n_free, all = (size_t)r->f.n, most = (size_t)r->n_b + RIGID;
    double *motion = calloc(2 * all + 1, sizeof *motion);
    l->force = calloc(most * n + 1, sizeof *l->force);
    l->whole = calloc(most, sizeof *l->whole);
    l->rest = calloc(most, sizeof *l->rest);
    bool is_good = motion && l->force && l->whole && l->rest;
    for (int k = 0; is_good && k < RIGID; k++) {
        reduction_rigid_motion(r, k, motion);
        l->count += inertia_of(r, motion, motion + all, l->force + (size_t)l->count * n);
        l->n_move = k < 3 ? l->count : l->n_move;
    }
    l->n_rigid = l->count;
    for (int b = 0; is_good && b < r->n_b; b++) {
        const double *shape = V + (size_t)b * all;
        double *force = l->force + (size_t)l->count * n;
        if (!inertia_of(r, shape, motion + all, force)) {
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            force[i] *= omega * omega; // of a displacement of 1
        }
        memset(motion + all, 0, all * sizeof *motion);
        pattern_multiply(&r->m.pat, r->m.K, shape, motion + all);
        l->whole[l->count++] = dense_dot(r->f.n, shape, motion + all);
    }
    free(motion);
    return is_good;
}

// K - omega^2 M of the interior, factored; a frequency that is met exactly is moved by a little. NULL: no memory.
static front *shifted(const reduction *r, double omega)
{
    double *val = malloc(((size_t)r->ii.nnz + 1) * sizeof *val);
    front *fac = val ? front_create_placed(&r->ii, r->place) : NULL;
    front_status status = FRONT_SINGULAR;
    for (int pass = 0; fac && pass < 4 && status == FRONT_SINGULAR; pass++) {
        double w = omega * (1.0 + 1e-4 * pass);
        for (int e = 0; e < r->ii.nnz; e++) {
            val[e] = r->Kii[e] - w * w * r->Mii[e];
        }
        status = front_factor(fac, val, NULL, NULL);
    }
    free(val);
    if (status != FRONT_GOOD) {
        front_destroy(fac);
        fac = NULL;
    }
    return fac;
}

// Accelerations of the same size, whatever their direction, are measured by the one that strains most.
static void share_size(double *whole, int from, int to)
{
    double largest = 0.0;
    for (int k = from; k < to; k++) {
        largest = fmax(largest, whole[k]);
    }
    for (int k = from; k < to; k++) {
        whole[k] = largest;
    }
}

static bool answer_loads(const reduction *r, double omega, loads *l)
{
    size_t n = (size_t)r->n_free, count = (size_t)l->count;
    front *fac = shifted(r, omega);
    double *work = malloc((n + 1) * sizeof *work);
    l->answer = malloc((count * n + 1) * sizeof *l->answer);
    l->still = calloc((size_t)l->n_rigid * n + 1, sizeof *l->still);
    bool is_good = fac && work && l->answer && l->still;
    if (is_good) {
        memcpy(l->answer, l->force, count * n * sizeof *l->answer);
        front_solve(fac, l->count, l->answer);
        if (r->def->has_weight_modes && l->n_rigid > 0) {
            memcpy(l->still, l->force, (size_t)l->n_rigid * n * sizeof *l->still);
            front_solve(r->factor, l->n_rigid, l->still);
        }
    }
    for (int k = 0; is_good && k < l->count; k++) {
        double *x = l->answer + (size_t)k * n;
        l->whole[k] += energy(r, x, work);
        for (size_t i = 0; k < l->n_rigid && i < n; i++) {
            x[i] -= l->still[(size_t)k * n + i];
        }
        l->rest[k] = energy(r, x, work);
    }
    share_size(l->whole, 0, l->n_move);
    share_size(l->whole, l->n_move, l->n_rigid);
    front_destroy(fac);
    free(work);
    return is_good;
}

// Takes from the rests what one mode has. `stiff`, `lambda`: its generalised stiffness and eigenvalue.
static void take_mode(const reduction *r, const double *x, double stiff, double lambda, double omega,
                      loads *l)
{
    double slow = 1.0 - omega * omega / lambda;
    for (int k = 0; k < l->count; k++) {
        double push = dense_dot(r->n_free, x, l->force + (size_t)k * (size_t)r->n_free) / stiff;
        bool is_still = r->def->has_weight_modes && k < l->n_rigid;
        double amplitude = push / slow - (is_still ? push : 0.0);
        l->rest[k] -= stiff * amplitude * amplitude;
    }
}

// The largest part of the stress (root of the energy) that is missing.
static double worst_of(const loads *l)
{
    double worst = 0.0;
    for (int k = 0; k < l->count; k++) {
        worst = fmax(worst, l->whole[k] > 0.0 ? sqrt(fmax(0.0, l->rest[k]) / l->whole[k]) : 0.0);
    }
    return worst;
}

// The least number of the modes that is enough; -1: all are not.
static int least_number(reduction *r, const eigen_result *modes, int asked, double omega, const loads *begun,
                        double *work)
{
    loads l = *begun;
    l.rest = work + r->n_free;
    memcpy(l.rest, begun->rest, (size_t)l.count * sizeof *l.rest);
    for (int k = 0;; k++) {
        r->truncation = worst_of(&l);
        // those within the range ring by themselves
        bool is_above = k == modes->count || modes->value[k] > omega * omega;
        if (r->truncation <= r->def->tolerance && is_above &&
            (k < modes->count || k < asked || k == r->n_free)) {
            return k;
        }
        if (k == modes->count) {
            return -1;
        }
        const double *x = modes->vector + (size_t)k * (size_t)r->n_free;
        take_mode(r, x, energy(r, x, work), modes->value[k], omega, &l);
    }
}

static bool try_numbers(reduction *r, double omega, const loads *l, eigen_result *out)
{
    int most = r->n_free < MOST_MODES ? r->n_free : MOST_MODES, count = most < 10 ? most : 10, enough = -1;
    double *work = malloc(((size_t)r->n_free + (size_t)l->count + 1) * sizeof *work);
    bool is_good = work != NULL;
    while (is_good && enough < 0) {
        eigen_clear(out);
        *out = (eigen_result){ 0 };
        is_good = reduction_solve_modes(r, count, out);
        enough = is_good ? least_number(r, out, count, omega, l, work) : -1;
        if (is_good && enough < 0 && (count == most || out->count < count)) {
            bi_report_add(
                r->report, BI_ERROR, BI_BAD_MODEL, r->def->normal_place, r->def->name,
                "auto: %g %% of the stress up to %g Hz takes more than %d normal modes, which leave %.2g "
                "%%; ask for less, or add 'weight_modes: true'",
                100.0 * r->def->tolerance, r->def->up_to, out->count, 100.0 * r->truncation);
            is_good = false;
        }
        count = 5 * count / 2 < most ? 5 * count / 2 : most;
    }
    r->n_normal = enough > 0 ? enough : 0;
    free(work);
    return is_good;
}

bool reduction_choose_modes(reduction *r, eigen_result *out)
{
    double omega = 2.0 * PI * r->def->up_to;
    size_t all = (size_t)r->f.n, n_b = (size_t)r->n_b;
    loads l = { 0 };
    double *V = calloc(n_b * all + 1, sizeof *V);
    double *work = malloc((n_b * (size_t)r->n_free + all + 1) * sizeof *work);
    int errors = r->report->errors;
    reduction_say(r, "choice of modes", 0.0);
    bool is_good = V && work;
    if (is_good) {
        reduction_static_modes(r, V, work);
    }
    is_good = is_good && make_loads(r, V, omega, &l) && answer_loads(r, omega, &l) &&
              try_numbers(r, omega, &l, out);
    if (!is_good && r->report->errors == errors) {
        reduction_refuse(r, r->def->place, BI_NO_MEMORY, "out of memory");
    }
    free(V);
    free(work);
    loads_free(&l);
    return is_good;
}
