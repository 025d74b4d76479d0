// SPDX-License-Identifier: MIT
// The state after a step by the state before it and the inputs: differences of whole steps.
#include "sim/system.h"
#include <biela/state.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bi_state_count(const bi_system *s) { return s ? 2 * s->dynamics.structure.n + s->dynamics.plan.n_z : 0; }

static void take_state(const bi_sim *sim, const coords *from, double *x)
{
    size_t n = (size_t)sim->system->dynamics.structure.n, n_z = (size_t)sim->system->dynamics.plan.n_z;
    memcpy(x, from->q, n * sizeof *x);
    memcpy(x + n, from->v, n * sizeof *x);
    memcpy(x + 2 * n, from->z, n_z * sizeof *x);
}

bi_status bi_sim_state(bi_sim *sim, double *x)
{
    bi_status refused = x ? sim_refuse(sim) : BI_BAD_ARGUMENT;
    if (refused == BI_OK) {
        sim_show(sim, SHOWN_MOTION);
        take_state(sim, &sim->shown, x);
    }
    return refused;
}

typedef struct {
    bi_sim *sim;
    void *before; // snapshot of where it stands
    size_t size;
    int n; // numbers of the state
    double *low, *high;
} gradient;

// The state after the step with one number, or one input, changed.
static bi_status sample(const gradient *g, int number, double change, double *x)
{
    bi_sim *sim = g->sim;
    bi_status status = bi_sim_load(sim, g->before, g->size);
    if (number >= g->n) {
        sim->input[number - g->n] += change;
    }
    status = status == BI_OK ? sim_nudge(sim, number < g->n ? number : -1, change) : status;
    status = status == BI_OK ? bi_sim_step(sim) : status;
    if (status == BI_OK) {
        sim_show(sim, SHOWN_MOTION);
        take_state(sim, &sim->shown, x);
    }
    return status;
}

static bi_status column(const gradient *g, int number, double change, double *to, int width)
{
    double *input = number >= g->n ? &g->sim->input[number - g->n] : NULL, was = input ? *input : 0.0;
    bi_status status = sample(g, number, change, g->high);
    if (input) {
        *input = was;
    }
    status = status == BI_OK ? sample(g, number, -change, g->low) : status;
    if (input) {
        *input = was;
    }
    for (int i = 0; status == BI_OK && i < g->n; i++) {
        to[(size_t)i * (size_t)width] = (g->high[i] - g->low[i]) / (2.0 * change);
    }
    return status;
}

static bi_status columns(const gradient *g, double change, double *A, double *B)
{
    int n_input = g->sim->system->dynamics.n_input;
    bi_status status = BI_OK;
    for (int k = 0; A && status == BI_OK && k < g->n; k++) {
        status = column(g, k, change, &A[k], g->n);
    }
    for (int k = 0; B && status == BI_OK && k < n_input; k++) {
        status = column(g, g->n + k, change, &B[k], n_input);
    }
    return status;
}

bi_status bi_step_gradient(bi_sim *sim, double change, double *A, double *B)
{
    bi_status refused = sim_refuse(sim);
    if (refused != BI_OK) {
        return refused;
    }
    if (!(change >= 0.0) || !isfinite(change) || sim->system->options.accuracy > 0.0) {
        snprintf(sim->failure, sizeof sim->failure,
                 "the step has no gradient: it needs steps of dt, and a change above zero");
        return BI_BAD_ARGUMENT;
    }
    gradient g = { .sim = sim, .size = bi_sim_save(sim, NULL, 0), .n = bi_state_count(sim->system) };
    g.before = malloc(g.size + 1);
    g.low = calloc(2 * (size_t)g.n + 1, sizeof *g.low);
    g.high = g.low ? g.low + g.n : NULL;
    bi_status status = g.before && g.low ? BI_OK : BI_NO_MEMORY;
    if (status == BI_OK) {
        char why[sizeof sim->failure];
        // what is left of a step must be less than what a change moves: to the last digits
        static const stepper_goal tight = { 1e-12, 20 };
        bi_sim_save(sim, g.before, g.size);
        stepper_goal usual = stepper_tighten(&sim->stepper, tight);
        status = columns(&g, change > 0.0 ? change : 1e-6, A, B);
        memcpy(why, sim->failure, sizeof why);
        stepper_tighten(&sim->stepper, usual);
        bi_status back = bi_sim_load(sim, g.before, g.size);
        memcpy(sim->failure, why, sizeof why);
        sim->started = sim->started && back == BI_OK;
    }
    free(g.before);
    free(g.low);
    return status;
}
