// SPDX-License-Identifier: MIT
// A bench for laws and constraints: compiles the elements of a model without any coordinates, puts hand-made motions on
// the tray and reads loads and rows. Differences are central; every test states why its tolerance is what it is.
#ifndef BIELA_TESTS_LAWS_LAW_BENCH_H
#define BIELA_TESTS_LAWS_LAW_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics/dynamics.h"
#include "dynamics/laws.h"
#include "math/rotation.h"
#include "state/law.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where the world of a sample stands: everything given in ground axes goes through it.
typedef struct {
    mat3 turn;
    vec3 shift;
} placement;

static const placement bench_home = { { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } }, { 0, 0, 0 } };

static inline vec3 place_point(const placement *w, vec3 p)
{
    return vec3_add(w->shift, mat3_apply(w->turn, p));
}

static inline vec3 place_vector(const placement *w, vec3 v) { return mat3_apply(w->turn, v); }

typedef struct {
    bi_model *model;
    plan plan;
    laws laws;
    signal_table signal;
    motion at;
    load load;
    rows rows;
    signals u;
    double *z, *dz, *z_old, *dz_old, *memory;
    void *scratch;
    spare spare;
} bench;

static inline void *bench_new(int count, size_t size)
{
    void *out = calloc((size_t)count + 1, size);
    assert_non_null(out);
    return out;
}

static inline double *bench_numbers(int count) { return bench_new(count, sizeof(double)); }

// Takes the model over. `request`: rows that joints would ask for (n_request).
static inline bench bench_open(bi_model *model, const joint_request *request, int n_request)
{
    bench b = { .model = model, .plan = { .model = model } };
    assert_true(laws_compile(&b.plan, &b.laws));
    for (int k = 0; k < n_request; k++) {
        plan_request(&b.plan, request[k].kind, request[k].joint, request[k].coordinate);
    }
    assert_true(laws_compile_requests(&b.plan, &b.laws));
    assert_true(signal_create(&b.plan, &b.signal));
    const plan *p = &b.plan;
    b.at = (motion){ .value = bench_numbers(p->n_dof),
                     .rate = bench_numbers(p->n_dof),
                     .bias = bench_numbers(p->n_dof),
                     .axes = bench_new(p->n_frame, sizeof(mat3)) };
    b.load = (load){ .effort = bench_numbers(p->n_dof),
                     .K = bench_numbers(p->n_block_value),
                     .C = bench_numbers(p->n_block_value),
                     .scalar = bench_numbers(model->n_element + p->n_scalar) };
    b.rows = (rows){ bench_numbers(p->n_row), bench_numbers(p->n_row), bench_numbers(p->n_row),
                     bench_numbers(p->n_gradient) };
    b.u.signal = bench_new(p->n_signal, sizeof(jet));
    b.u.room = bench_new(p->n_register, sizeof(jet));
    b.u.partial = bench_numbers(p->n_partial);
    b.u.input = bench_numbers(model->n_input);
    b.z = bench_numbers(p->n_z);
    b.dz = bench_numbers(p->n_z);
    b.z_old = bench_numbers(p->n_z);
    b.dz_old = bench_numbers(p->n_z);
    b.memory = bench_numbers(p->n_memory);
    b.scratch = bench_new((int)p->n_scratch + 64, 1);
    b.spare = (spare){ aligned_alloc(SPARE_LINE, spare_size(p->n_spare + 1, 1)), 0, p->n_spare };
    return b;
}

static inline void bench_close(bench *b)
{
    double *const list[] = { b->at.value,      b->at.rate,     b->at.bias,  b->load.effort, b->load.K,
                             b->load.C,        b->load.scalar, b->rows.phi, b->rows.phi_t,  b->rows.gamma,
                             b->rows.gradient, b->u.partial,   b->z,        b->dz,          b->z_old,
                             b->dz_old,        b->memory };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        free(list[k]);
    }
    free(b->scratch);
    free(b->spare.memory);
    free(b->at.axes);
    free(b->u.signal);
    free(b->u.room);
    free((double *)b->u.input);
    signal_clear(&b->signal);
    laws_clear(&b->laws);
    plan_clear(&b->plan);
    bi_model_destroy(b->model);
}

// ---- evaluation -------------------------------------------------------------------------------------------------

// Signals, then everything the tables offer: loads (forces) and rows (constraints).
static inline void bench_eval(bench *b, unsigned want)
{
    law_in in = { &b->u, &b->at,     b->z_old, b->dz_old, b->memory, NULL,
                  want,  b->scratch, NULL,     NULL,      NULL,      &b->spare };
    law_out out = { &b->load, b->z, b->dz };
    signal_states states = { b->z_old, b->dz_old, b->memory, b->z, b->dz, want, true, NULL };
    b->u.number += 1.0;
    signal_eval(&b->signal, &b->at, &states, &b->u);
    memset(b->load.effort, 0, (size_t)b->plan.n_dof * sizeof *b->load.effort);
    for (int k = 0; k < b->laws.n_table; k++) {
        const law_table *t = &b->laws.table[k];
        if (t->count > 0 && t->kind->rows) {
            t->kind->rows(t->item, t->count, &in, &b->rows);
        }
        if (t->count > 0 && t->kind->eval) {
            t->kind->eval(t->item, t->count, &in, &out);
        }
    }
}

static inline law_energy bench_energy(bench *b)
{
    law_in in = { &b->u, &b->at, b->z, b->dz, b->memory, NULL, 0, b->scratch, NULL, NULL, NULL, &b->spare };
    law_energy e = { 0 };
    for (int k = 0; k < b->laws.n_table; k++) {
        const law_table *t = &b->laws.table[k];
        if (t->count > 0 && t->kind->energy) {
            t->kind->energy(t->item, t->count, &in, b->z, &e);
        }
    }
    return e;
}

static inline void bench_commit(bench *b)
{
    law_in in = { &b->u, &b->at, b->z, b->dz, b->memory, NULL, 0, b->scratch, NULL, NULL, NULL, &b->spare };
    for (int k = 0; k < b->laws.n_table; k++) {
        const law_table *t = &b->laws.table[k];
        if (t->count > 0 && t->kind->commit) {
            t->kind->commit(t->item, t->count, &in, b->memory);
        }
    }
}

// ---- motions ----------------------------------------------------------------------------------------------------

// Numbers in [-1, 1), the same on every machine.
static inline double bench_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static inline vec3 bench_random_vector(uint64_t *seed, double size)
{
    double x = bench_random(seed), y = bench_random(seed), z = bench_random(seed);
    return (vec3){ size * x, size * y, size * z };
}

static inline mat3 bench_random_turn(uint64_t *seed)
{
    return quat_to_mat3(quat_exp(bench_random_vector(seed, 1.5)));
}

// Any motion of all markers: lengths of a metre, a few metres or radians per second.
static inline void bench_scatter(bench *b, uint64_t *seed)
{
    for (int i = 0; i < b->plan.n_dof; i++) {
        b->at.value[i] = bench_random(seed);
        b->at.rate[i] = 2.0 * bench_random(seed);
    }
    for (int f = 0; f < b->plan.n_frame; f++) {
        b->at.axes[f] = bench_random_turn(seed);
    }
    for (int i = 0; i < b->plan.n_z; i++) {
        b->z_old[i] = b->z[i] = 3.0 * bench_random(seed);
        b->dz_old[i] = 50.0 * bench_random(seed);
    }
    b->u.t = 0.7 + 0.2 * bench_random(seed);
}

// Moves one number of a marker; the last three of a frame turn it about the ground axes.
static inline void bench_nudge(bench *b, int dof, double by)
{
    for (int m = 0; m < b->plan.n_marker; m++) {
        const marker *k = &b->plan.marker[m];
        if (k->kind == MARKER_FRAME && dof >= k->dof + 3 && dof < k->dof + 6) {
            const double part[3] = { by * (dof == k->dof + 3), by * (dof == k->dof + 4),
                                     by * (dof == k->dof + 5) };
            mat3 turn = quat_to_mat3(quat_exp(tray_vec3(part)));
            b->at.axes[k->frame] = mat3_multiply(turn, b->at.axes[k->frame]);
            return;
        }
    }
    b->at.value[dof] += by;
}

// All markers go on for a time with the rates they have; frames turn about their constant angular velocity.
static inline void bench_drift(bench *b, double time)
{
    for (int m = 0; m < b->plan.n_marker; m++) {
        const marker *k = &b->plan.marker[m];
        int width = k->kind == MARKER_FRAME ? 3 : marker_width(k->kind);
        for (int i = k->dof; i < k->dof + width; i++) {
            b->at.value[i] += time * b->at.rate[i];
        }
        if (k->kind == MARKER_FRAME) {
            mat3 turn = quat_to_mat3(quat_exp(vec3_scale(time, tray_vec3(&b->at.rate[k->dof + 3]))));
            b->at.axes[k->frame] = mat3_multiply(turn, b->at.axes[k->frame]);
        }
    }
}

// Carries all markers into the placed world: points, vectors and frames turn, coordinates stay.
static inline void bench_carry(bench *b, const placement *w)
{
    for (int m = 0; m < b->plan.n_marker; m++) {
        const marker *k = &b->plan.marker[m];
        double *value = &b->at.value[k->dof], *rate = &b->at.rate[k->dof];
        if (k->kind == MARKER_JOINT || k->kind == MARKER_MODE) {
            continue;
        }
        vec3 x = tray_vec3(value);
        tray_put(value, k->kind == MARKER_VECTOR ? place_vector(w, x) : place_point(w, x));
        tray_put(rate, place_vector(w, tray_vec3(rate)));
        if (k->kind == MARKER_FRAME) {
            tray_put(rate + 3, place_vector(w, tray_vec3(rate + 3)));
            b->at.axes[k->frame] = mat3_multiply(w->turn, b->at.axes[k->frame]);
        }
    }
}

// Saved motion, so that nudges can be taken back without rounding.
typedef struct {
    double *value, *rate, t;
    mat3 *axes;
} bench_state;

static inline bench_state bench_keep(const bench *b)
{
    bench_state s = { bench_numbers(b->plan.n_dof), bench_numbers(b->plan.n_dof), b->u.t,
                      bench_new(b->plan.n_frame, sizeof(mat3)) };
    memcpy(s.value, b->at.value, (size_t)b->plan.n_dof * sizeof *s.value);
    memcpy(s.rate, b->at.rate, (size_t)b->plan.n_dof * sizeof *s.rate);
    memcpy(s.axes, b->at.axes, (size_t)b->plan.n_frame * sizeof *s.axes);
    return s;
}

static inline void bench_restore(const bench_state *s, bench *b)
{
    memcpy(b->at.value, s->value, (size_t)b->plan.n_dof * sizeof *s->value);
    memcpy(b->at.rate, s->rate, (size_t)b->plan.n_dof * sizeof *s->rate);
    memcpy(b->at.axes, s->axes, (size_t)b->plan.n_frame * sizeof *s->axes);
    b->u.t = s->t;
}

static inline void bench_forget(bench_state *s)
{
    free(s->value);
    free(s->rate);
    free(s->axes);
}

static inline double bench_largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        // written so that a NaN wins
        most = fabs(x[i]) <= most ? most : fabs(x[i]);
    }
    return most;
}

#endif
