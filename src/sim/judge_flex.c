// SPDX-License-Identifier: MIT
// Flexible bodies are linear about their frames: how far they leave that range (verdict.7).
#include "sim/system.h"
#include <math.h>
#include <stdlib.h>

// nodes of a body that are looked at: the ends of a bar bend most, and many nodes are much work
enum { NODES_MOST = 32 };

static double modal_mass(const bi_modes *f, int mode)
{
    double mass = 0.0;
    for (int i = 0; i < f->n_node; i++) {
        vec3 v = f->shape[mode * f->n_node + i];
        mass += f->mass[i] * vec3_dot(v, v);
    }
    return mass;
}

// Square of the lowest frequency of single modes: good enough to compare with a spin.
static double lowest_of(const bi_modes *f)
{
    double least = INFINITY;
    for (int m = 0; m < f->n_mode; m++) {
        double mass = modal_mass(f, m);
        least = mass > 0.0 ? fmin(least, f->stiffness[m] / mass) : least;
    }
    return least;
}

static bool watch_body(const bi_system *s, int body, flex_watch *out)
{
    const bi_modes *f = s->model->body[body].def.flex;
    const plan *p = &s->dynamics.plan;
    *out = (flex_watch){ .body = body,
                         .dof = malloc((size_t)f->n_mode * sizeof *out->dof),
                         .mass = malloc((size_t)f->n_mode * sizeof *out->mass) };
    for (int m = 0; out->mass && m < f->n_mode; m++) {
        out->mass[m] = modal_mass(f, m);
    }
    for (int m = 0; out->dof && m < f->n_mode; m++) {
        out->dof[m] = -1;
    }
    for (int k = 0; out->dof && k < p->n_marker; k++) {
        if (p->marker[k].kind == MARKER_MODE && p->marker[k].body == body) {
            out->dof[p->marker[k].coordinate] = p->marker[k].dof;
        }
    }
    vec3 low = f->at[0], high = f->at[0];
    for (int i = 1; i < f->n_node; i++) {
        low = (vec3){ fmin(low.x, f->at[i].x), fmin(low.y, f->at[i].y), fmin(low.z, f->at[i].z) };
        high = (vec3){ fmax(high.x, f->at[i].x), fmax(high.y, f->at[i].y), fmax(high.z, f->at[i].z) };
    }
    out->length = fmax(vec3_norm(vec3_sub(high, low)), 1e-9);
    out->lowest = lowest_of(f);
    out->has_stiffening = f->bend != NULL;
    out->stride = f->n_node > NODES_MOST ? (f->n_node + NODES_MOST - 1) / NODES_MOST : 1;
    return out->dof != NULL;
}

bool flex_watch_create(bi_system *s)
{
    int count = 0;
    for (int b = 1; b < s->model->n_body; b++) {
        count += s->model->body[b].def.flex != NULL;
    }
    s->watch = calloc((size_t)count + 1, sizeof *s->watch);
    bool ok = s->watch != NULL;
    for (int b = 1; ok && b < s->model->n_body; b++) {
        if (s->model->body[b].def.flex) {
            ok = watch_body(s, b, &s->watch[s->n_watch++]);
        }
    }
    return ok;
}

void flex_watch_clear(bi_system *s)
{
    for (int k = 0; k < s->n_watch; k++) {
        free(s->watch[k].dof);
        free(s->watch[k].mass);
    }
    free(s->watch);
}

// Sum of a shape over the amplitudes at one node.
static vec3 moved(const bi_modes *f, const bi_vec3 *shape, const flex_watch *w, const double *value, int node)
{
    vec3 sum = { 0.0, 0.0, 0.0 };
    for (int m = 0; m < f->n_mode; m++) {
        if (w->dof[m] >= 0) {
            sum = vec3_add_scaled(sum, value[w->dof[m]], shape[m * f->n_node + node]);
        }
    }
    return sum;
}

// Second-order shortening triples the range of deflections (flex-accuracy.md).
static flex_range range_of(const bi_sim *sim, const flex_watch *w)
{
    const bi_modes *f = sim->system->model->body[w->body].def.flex;
    const double *value = sim->stepper.trays.motion.value, share = w->has_stiffening ? 1.0 / 3.0 : 1.0;
    vec3 spin = sim->twist[w->body].ang;
    flex_range out = { .stiffening = w->has_stiffening ? 0.0 : vec3_dot(spin, spin) / w->lowest };
    for (int i = 0; i < f->n_node; i += w->stride) {
        // the last node is the far end of a bar
        int node = i + w->stride >= f->n_node ? f->n_node - 1 : i;
        out.bent = fmax(out.bent, share * vec3_norm(moved(f, f->shape, w, value, node)) / w->length);
        if (f->turn) {
            out.tilted = fmax(out.tilted, share * vec3_norm(moved(f, f->turn, w, value, node)));
        }
    }
    return out;
}

static void take_worse(double *worst, double now, int *of, int body)
{
    if (now > *worst) {
        *worst = now;
        *of = body;
    }
}

// Energy that amplitudes have by their rates: of all modes, and of the highest third of them.
static void add_vibration(const bi_sim *sim, const flex_watch *w, flex_range *out)
{
    const double *rate = sim->stepper.trays.motion.rate;
    int n = sim->system->model->body[w->body].def.flex->n_mode, first_high = n - n / 3;
    for (int m = 0; m < n; m++) {
        double v = w->dof[m] >= 0 ? rate[w->dof[m]] : 0.0, energy = 0.5 * w->mass[m] * v * v;
        out->vibration += energy;
        out->high += m >= first_high ? energy : 0.0;
    }
}

flex_shaking judge_shaking(const bi_sim *sim)
{
    flex_shaking sum = { 0.0, 0.0 };
    for (int k = 0; k < sim->system->n_watch; k++) {
        const flex_watch *w = &sim->system->watch[k];
        for (int m = 0; m < sim->system->model->body[w->body].def.flex->n_mode; m++) {
            double v = w->dof[m] >= 0 ? sim->stepper.trays.motion.rate[w->dof[m]] : 0.0;
            double a = w->dof[m] >= 0 ? sim->step_acceleration[w->dof[m]] : 0.0;
            sum.by_rates += 0.5 * w->mass[m] * v * v;
            sum.by_accelerations += 0.5 * w->mass[m] * a * a;
        }
    }
    return sum;
}

flex_range judge_flex(const bi_sim *sim, int of[3])
{
    flex_range worst = { 0 };
    of[0] = of[1] = of[2] = -1;
    for (int k = 0; k < sim->system->n_watch; k++) {
        const flex_watch *w = &sim->system->watch[k];
        flex_range now = range_of(sim, w);
        add_vibration(sim, w, &worst);
        take_worse(&worst.bent, now.bent, &of[0], w->body);
        take_worse(&worst.tilted, now.tilted, &of[1], w->body);
        take_worse(&worst.stiffening, now.stiffening, &of[2], w->body);
    }
    return worst;
}
