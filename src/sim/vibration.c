// SPDX-License-Identifier: MIT
// Free vibrations of the flexible bodies, for the scheme that corrects their phase (phase.3).
#include "flex/body/moments.h"
#include "sim/system.h"
#include "sparse/dense_eigen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RIGID = 6 };

// Mass matrix of the undeformed body over three displacements, three turns and the amplitudes, body frame.
static void whole_mass(const flex_moments *now, int n, double *A)
{
    int size = RIGID + n;
    const double *J = now->J, first[3] = { J[1], J[2], J[3] };
    memset(A, 0, (size_t)(size * size) * sizeof *A);
    double trace = J[5] + J[10] + J[15];
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        A[i * size + i] = J[0];
        // a turn about `next` or `last` displaces along i
        A[i * size + 3 + next] = A[(3 + next) * size + i] = first[last];
        A[i * size + 3 + last] = A[(3 + last) * size + i] = -first[next];
        for (int j = 0; j < 3; j++) {
            A[(3 + i) * size + 3 + j] = (i == j ? trace : 0.0) - J[4 * (1 + i) + 1 + j];
        }
        for (int m = 0; m < n; m++) {
            const double *H = now->H[m];
            double turn = H[3 + 3 * next + last] - H[3 + 3 * last + next];
            A[(RIGID + m) * size + i] = A[i * size + RIGID + m] = H[i];
            A[(RIGID + m) * size + 3 + i] = A[(3 + i) * size + RIGID + m] = turn;
        }
    }
    for (int k = 0; k < n * n; k++) {
        A[(RIGID + k / n) * size + RIGID + k % n] = now->P[k];
    }
}

// What the rigid motions leave of the mass of the amplitudes, in its lower right corner; directions without inertia
// stay out.
static void release_rigid(int size, double *A)
{
    double scale = 0.0;
    for (int i = 0; i < RIGID; i++) {
        scale = fmax(scale, A[i * size + i]);
    }
    for (int k = 0; k < RIGID; k++) {
        double pivot = A[k * size + k];
        if (!(pivot > 1e-12 * scale)) {
            continue;
        }
        for (int i = k + 1; i < size; i++) {
            double f = A[i * size + k] / pivot;
            for (int j = k + 1; j < size; j++) {
                A[i * size + j] -= f * A[k * size + j];
            }
        }
    }
}

// shape and square of one body; false: no memory.
static bool find_vibrations(const bi_modes *modes, vibration *out)
{
    static const double turn[9] = { 0.0 };
    int n = modes->n_mode, size = RIGID + n;
    flex_sums sums;
    bool ok = flex_sums_create(&sums, modes, (vec3){ 0.0, 0.0, 0.0 }, NULL, 0);
    double *room = ok ? malloc((size_t)flex_moments_room(&sums) * sizeof *room) : NULL;
    double *zero = calloc((size_t)n, sizeof *zero), *A = malloc((size_t)(size * size) * sizeof *A),
           *S = malloc((size_t)(n * n) * sizeof *S), *root = malloc((size_t)n * sizeof *root);
    ok = ok && room && zero && A && S && root;
    if (ok) {
        flex_moments now = flex_moments_cut(&sums, room);
        flex_moments_at(&sums, zero, zero, turn, &now);
        whole_mass(&now, n, A);
        release_rigid(size, A);
        for (int i = 0; i < n; i++) {
            root[i] = modes->stiffness[i] > 0.0 ? sqrt(modes->stiffness[i]) : 0.0;
        }
        // amplitudes without stiffness do not vibrate
        for (int k = 0; k < n * n; k++) {
            int i = k / n, j = k % n;
            bool is_stiff = root[i] > 0.0 && root[j] > 0.0;
            S[k] = is_stiff ? A[(RIGID + i) * size + RIGID + j] / (root[i] * root[j]) : 0.0;
        }
        dense_symmetric_eigen(n, S, out->square, out->shape);
        for (int k = 0; k < n * n; k++) {
            out->square[k % n] = fmax(out->square[k % n], 0.0);
            out->shape[k] *= root[k / n];
        }
    }
    flex_sums_clear(&sums);
    free(room);
    free(zero);
    free(A);
    free(S);
    free(root);
    return ok;
}

// Entry of the pair in the upper triangle; the pattern holds all pairs of a body's amplitudes.
static int place_of(const pattern *p, int i, int j)
{
    int column = i > j ? i : j, row = i > j ? j : i, k = p->start[column];
    while (p->row[k] != row) {
        k++;
    }
    return k;
}

// Amplitudes of bodies with many modes are no variables: such a body is left as it is.
static bool has_amplitudes(const bi_system *s, int body)
{
    const plan *p = &s->dynamics.plan;
    const bi_modes *modes = s->model->body[body].def.flex;
    bool is_there = modes && modes->n_mode > 0;
    for (int k = 0; k < p->n_marker && is_there; k++) {
        is_there = p->marker[k].kind != MARKER_MODE || p->marker[k].body != body ||
                   s->dynamics.structure.marker_q[k] >= 0;
    }
    return is_there;
}

static bool vibration_create(const bi_system *s, int body, vibration *out)
{
    const plan *p = &s->dynamics.plan;
    const structure *st = &s->dynamics.structure;
    const bi_modes *modes = s->model->body[body].def.flex;
    size_t n = (size_t)modes->n_mode;
    *out = (vibration){ .n = modes->n_mode,
                        .variable = calloc(n, sizeof *out->variable),
                        .place = calloc(n * (n + 1) / 2, sizeof *out->place),
                        .shape = calloc(n * n, sizeof *out->shape),
                        .square = calloc(n, sizeof *out->square) };
    if (!out->variable || !out->place || !out->shape || !out->square || !find_vibrations(modes, out)) {
        return false;
    }
    for (int k = 0; k < p->n_marker; k++) {
        const marker *m = &p->marker[k];
        if (m->kind == MARKER_MODE && m->body == body) {
            out->variable[m->coordinate] = st->marker_q[k];
        }
    }
    for (int i = 0, k = 0; i < out->n; i++) {
        for (int j = 0; j <= i; j++, k++) {
            out->place[k] = place_of(&st->tangent, out->variable[i], out->variable[j]);
        }
    }
    return true;
}

bool system_find_vibrations(bi_system *s)
{
    const bi_model *m = s->model;
    vibrations *all = &s->vibrations;
    all->body = calloc((size_t)m->n_body, sizeof *all->body);
    bool ok = all->body != NULL;
    for (int b = 1; b < m->n_body && ok; b++) {
        if (has_amplitudes(s, b)) {
            ok = vibration_create(s, b, &all->body[all->count++]);
            int n = all->body[all->count - 1].n;
            all->n_value += n * (n + 1) / 2;
        }
    }
    return ok;
}

void system_clear_vibrations(bi_system *s)
{
    for (int b = 0; b < s->vibrations.count; b++) {
        vibration *v = &s->vibrations.body[b];
        free(v->variable);
        free(v->place);
        free(v->shape);
        free(v->square);
    }
    free(s->vibrations.body);
    s->vibrations = (vibrations){ 0 };
}
