// SPDX-License-Identifier: MIT
// Static modes, normal modes, and the same space in its principal directions, eqs. (fe.11) to (fe.14).
#include "flex/modes/reduce.h"
#include "sparse/dense.h"
#include "sparse/dense_eigen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 120 }; // free unknowns up to which a full matrix is as fast as a sparse one

#define PI 3.14159265358979323846

// Unit displacement of one boundary unknown, the others held: K_ii x = -K_ib, (fe.11).
void reduction_static_modes(const reduction *r, double *V, double *work)
{
    const pattern *all = &r->m.pat;
    size_t n = (size_t)r->f.n;
    for (int b = 0; b < r->n_b; b++) {
        double *x = V + (size_t)b * n, *y = work + (size_t)b * (size_t)r->n_free;
        memset(x, 0, n * sizeof *x);
        x[r->held_by[b]] = 1.0;
        double *force = work + (size_t)r->n_b * (size_t)r->n_free;
        memset(force, 0, n * sizeof *force);
        pattern_multiply(all, r->m.K, x, force);
        for (int u = 0; u < r->f.n; u++) {
            if (r->role[u] >= 0) {
                y[r->role[u]] = -force[u];
            }
        }
    }
    if (r->n_free > 0 && r->n_b > 0) {
        front_solve(r->factor, r->n_b, work);
    }
    for (int b = 0; b < r->n_b; b++) {
        for (int u = 0; u < r->f.n; u++) {
            if (r->role[u] >= 0) {
                V[(size_t)b * n + (size_t)u] = work[(size_t)b * (size_t)r->n_free + (size_t)r->role[u]];
            }
        }
    }
}

// Lowest eigenvalues of a small pair (n x n, both destroyed) with K definite: 1 / lambda of L^-1 M L^-T, largest first.
// Vectors (count x n) have x^T K x = 1. Gives how many are finite.
static int dense_modes(int n, double *K, double *M, int count, double *lambda, double *x)
{
    double *value = malloc((size_t)n * sizeof *value);
    double *W = malloc((size_t)n * (size_t)n * sizeof *W);
    int found = 0;
    if (!value || !W || !dense_cholesky(n, K, NULL)) {
        free(value);
        free(W);
        return -1;
    }
    // M := L^-1 M L^-T, columns then rows
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < n; c++) {
            for (int i = 0; i < n; i++) {
                double *entry = pass == 0 ? &M[i * n + c] : &M[c * n + i];
                double sum = *entry;
                for (int j = 0; j < i; j++) {
                    sum -= K[i * n + j] * (pass == 0 ? M[j * n + c] : M[c * n + j]);
                }
                *entry = sum / K[i * n + i];
            }
        }
    }
    dense_symmetric_eigen(n, M, value, W);
    for (int k = n - 1; k >= 0 && found < count && value[k] > 1e-14 * value[n - 1]; k--, found++) {
        double *v = x + (ptrdiff_t)found * n;
        lambda[found] = 1.0 / value[k];
        for (int i = n - 1; i >= 0; i--) {
            double sum = W[i * n + k];
            for (int j = i + 1; j < n; j++) {
                sum -= K[j * n + i] * v[j];
            }
            v[i] = sum / K[i * n + i];
        }
    }
    free(value);
    free(W);
    return found;
}

static void fill_dense(const pattern *pat, const double *val, double *A)
{
    memset(A, 0, (size_t)pat->n * (size_t)pat->n * sizeof *A);
    for (int j = 0; j < pat->n; j++) {
        for (int e = pat->start[j]; e < pat->start[j + 1]; e++) {
            A[j * pat->n + pat->row[e]] = A[pat->row[e] * pat->n + j] = val[e];
        }
    }
}

static bool small_normal_modes(reduction *r, eigen_result *out)
{
    int n = r->n_free, count = r->def->n_normal > 0 ? r->def->n_normal : n;
    double *K = malloc((size_t)n * (size_t)n * sizeof *K), *M = malloc((size_t)n * (size_t)n * sizeof *M);
    out->value = malloc((size_t)n * sizeof *out->value);
    out->vector = malloc((size_t)count * (size_t)n * sizeof *out->vector);
    int found = -1;
    if (K && M && out->value && out->vector) {
        fill_dense(&r->ii, r->Kii, K);
        fill_dense(&r->ii, r->Mii, M);
        found = dense_modes(n, K, M, count, out->value, out->vector);
    }
    free(K);
    free(M);
    out->count = found < 0 ? 0 : found;
    return found >= 0;
}

static bool stays_running(void *context, double share)
{
    reduction *r = context;
    r->share = fmax(r->share, share);
    reduction_say(r, "normal modes", r->share);
    return true;
}

static bool large_normal_modes(reduction *r, eigen_result *out)
{
    double omega = 2.0 * PI * r->def->up_to;
    eigen_problem problem = {
        .pat = &r->ii, .K = r->Kii, .M = r->Mii, .factor = r->factor, .place = r->place
    };
    problem.count = r->def->up_to > 0.0 ? 0 : r->def->n_normal;
    problem.up_to = omega * omega;
    problem.progress = stays_running;
    problem.data = r;
    eigen_status status = eigen_solve(&problem, out);
    if (status != EIGEN_GOOD) {
        reduction_refuse(r, r->def->normal_place, status == EIGEN_MEMORY ? BI_NO_MEMORY : BI_NOT_CONVERGED,
                         status == EIGEN_MEMORY ? "out of memory"
                                                : "the normal modes cannot be found: ask for fewer of them");
    }
    return status == EIGEN_GOOD;
}

bool reduction_solve_modes(reduction *r, int count, eigen_result *out)
{
    const bi_flex_def *def = r->def;
    bi_flex_def asked = *def;
    asked.n_normal = count;
    asked.up_to = 0.0;
    r->def = &asked;
    bool is_good = r->n_free <= SMALL ? small_normal_modes(r, out) : large_normal_modes(r, out);
    r->def = def;
    return is_good;
}

// Fixed-interface modes, by number or up to a frequency, (fe.12).
static bool normal_modes(reduction *r, eigen_result *out)
{
    const bi_flex_def *def = r->def;
    if (r->n_free == 0 || (def->n_normal == 0 && !(def->up_to > 0.0))) {
        return true;
    }
    if (def->tolerance > 0.0) {
        return reduction_choose_modes(r, out);
    }
    if (!(r->n_free <= SMALL ? small_normal_modes(r, out) : large_normal_modes(r, out))) {
        return false;
    }
    double omega = 2.0 * PI * def->up_to;
    r->n_normal = out->count;
    while (r->n_normal > 0 && def->up_to > 0.0 && out->value[r->n_normal - 1] > omega * omega) {
        r->n_normal--;
    }
    if (def->n_normal > 0 && r->n_normal > def->n_normal) {
        r->n_normal = def->n_normal;
    }
    if (def->n_normal > out->count && !(def->up_to > 0.0)) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, def->normal_place, def->name,
                      "%d normal modes are asked for, and only %d have mass", def->n_normal, out->count);
        return false;
    }
    return true;
}

// The space of all modes in its principal directions, (fe.14): both matrices become diagonal.
static bool orthogonalise(reduction *r, double mass)
{
    size_t n = (size_t)r->f.n, n_r = (size_t)r->n_r;
    double *KV = calloc(n_r * n + 1, sizeof *KV), *MV = calloc(n_r * n + 1, sizeof *MV);
    double *K = malloc((n_r * n_r + 1) * sizeof *K), *M = malloc((n_r * n_r + 1) * sizeof *M);
    double *x = malloc((n_r * n_r + 1) * sizeof *x), *V = calloc(n_r * n + 1, sizeof *V);
    bool is_good = KV && MV && K && M && x && V;
    for (size_t k = 0; is_good && k < n_r; k++) {
        pattern_multiply(&r->m.pat, r->m.K, r->V + k * n, KV + k * n);
        pattern_multiply(&r->m.pat, r->m.M, r->V + k * n, MV + k * n);
    }
    for (size_t i = 0; is_good && i < n_r; i++) {
        for (size_t j = 0; j <= i; j++) {
            double k = 0.0, m = 0.0;
            for (size_t u = 0; u < n; u++) {
                k += r->V[i * n + u] * KV[j * n + u];
                m += r->V[i * n + u] * MV[j * n + u];
            }
            K[i * n_r + j] = K[j * n_r + i] = k;
            M[i * n_r + j] = M[j * n_r + i] = m;
        }
    }
    is_good = is_good && dense_modes(r->n_r, K, M, r->n_r, r->lambda, x) == r->n_r;
    for (size_t k = 0; is_good && k < n_r; k++) {
        // x^T K x = 1 and x^T M x = 1 / lambda; the amplitude becomes a root mean square displacement
        double scale = sqrt(mass * r->lambda[k]), largest = 0.0;
        double *out = V + k * n;
        for (size_t j = 0; j < n_r; j++) {
            for (size_t u = 0; u < n; u++) {
                out[u] += scale * x[k * n_r + j] * r->V[j * n + u];
            }
        }
        for (size_t u = 0; u < n; u++) {
            largest = fabs(out[u]) > fabs(largest) * (1.0 + 1e-6) ? out[u] : largest;
        }
        for (size_t u = 0; largest < 0.0 && u < n; u++) {
            out[u] = -out[u];
        }
    }
    free(KV);
    free(MV);
    free(K);
    free(M);
    free(x);
    free(r->V);
    r->V = V;
    if (!is_good) {
        reduction_refuse(
            r, r->def->place, BI_SINGULAR,
            "the modes are not independent: a boundary moves nothing that has mass, or memory is short");
    }
    return is_good;
}

// Free unknowns of modes of the interior into V, from column `first` on.
static void put_interior(reduction *r, int first, int count, const double *vector)
{
    size_t n = (size_t)r->f.n;
    for (int k = 0; k < count; k++) {
        for (int u = 0; u < r->f.n; u++) {
            if (r->role[u] >= 0) {
                r->V[(size_t)(first + k) * n + (size_t)u] =
                    vector[(size_t)k * (size_t)r->n_free + (size_t)r->role[u]];
            }
        }
    }
}

bool reduction_find_modes(reduction *r, double mass)
{
    eigen_result normal = { 0 };
    double *load = NULL;
    reduction_say(r, "static modes", 0.0);
    bool is_good = normal_modes(r, &normal);
    if (is_good && r->def->has_weight_modes && r->n_free > 0) {
        r->n_load = reduction_load_modes(r, normal.vector, &load);
        if (r->n_load < 0) {
            reduction_refuse(r, r->def->place, BI_NO_MEMORY, "out of memory");
            r->n_load = 0;
            is_good = false;
        }
    }
    r->n_r = r->n_b + r->n_normal + r->n_load;
    size_t n = (size_t)r->f.n, n_r = (size_t)r->n_r;
    double *work = malloc(((size_t)r->n_b * (size_t)r->n_free + n + 1) * sizeof *work);
    r->V = calloc(n_r * n + 1, sizeof *r->V);
    r->lambda = calloc(n_r + 1, sizeof *r->lambda);
    r->normal_hz = calloc((size_t)r->n_normal + 1, sizeof *r->normal_hz);
    if (is_good && !(work && r->V && r->lambda && r->normal_hz)) {
        reduction_refuse(r, r->def->place, BI_NO_MEMORY, "out of memory");
        is_good = false;
    }
    if (is_good) {
        reduction_static_modes(r, r->V, work);
        for (int k = 0; k < r->n_normal; k++) {
            r->normal_hz[k] = sqrt(normal.value[k]) / (2.0 * PI);
        }
        put_interior(r, r->n_b, r->n_normal, normal.vector);
        put_interior(r, r->n_b + r->n_normal, r->n_load, load);
    }
    free(work);
    free(load);
    eigen_clear(&normal);
    if (is_good && r->n_r == 0) {
        reduction_refuse(r, r->def->place, BI_BAD_MODEL,
                         "has no modes: give 'boundary' nodes, or normal modes by 'modes' or 'up_to'");
        return false;
    }
    reduction_say(r, "orthogonal modes", 0.9);
    return is_good && orthogonalise(r, mass);
}
