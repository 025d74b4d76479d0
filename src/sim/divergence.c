// SPDX-License-Identifier: MIT
// What a failed step leaves for its reader: the worst residuals by name, what grew over the last steps, what to try.
#include "sim/system.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// share of the newest value in the running averages: a memory of some ten steps
static const double share = 0.1;

void divergence_watch(bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    for (int r = 0; r < s->d->structure.n_row; r++) {
        sim->usual_lambda[r] += share * (fabs(s->now.lambda[r]) - sim->usual_lambda[r]);
    }
    for (int e = 0; e < s->d->n_element; e++) {
        sim->usual_scalar[e] += share * (fabs(s->trays.load.scalar[e]) - sim->usual_scalar[e]);
    }
}

// ---- the five worst -----------------------------------------------------------------------------------------

// Larger, where what is not a number is the largest of all.
static bool is_worse(double a, double b) { return isnan(b) ? false : isnan(a) || a > b; }

// Enters a residual in its order; a name already there keeps its worst.
static void enter(bi_divergence *d, const char *name, const char *what, double value)
{
    for (int k = 0; k < d->n_worst; k++) {
        if (strcmp(d->worst[k].name, name) == 0) {
            if (!is_worse(value, d->worst[k].value)) {
                return;
            }
            memmove(&d->worst[k], &d->worst[k + 1], (size_t)(d->n_worst - k - 1) * sizeof *d->worst);
            d->n_worst--;
            break;
        }
    }
    int at = d->n_worst;
    while (at > 0 && is_worse(value, d->worst[at - 1].value)) {
        at--;
    }
    if (at >= 5) {
        return;
    }
    d->n_worst = d->n_worst < 5 ? d->n_worst + 1 : 5;
    memmove(&d->worst[at + 1], &d->worst[at], (size_t)(d->n_worst - at - 1) * sizeof *d->worst);
    snprintf(d->worst[at].name, sizeof d->worst[at].name, "%s", name);
    d->worst[at].what = what;
    d->worst[at].value = value;
}

static void find_worst(const bi_sim *sim, bi_divergence *d)
{
    const stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    char name[96];
    for (int r = 0; r < st->n_row; r++) {
        dynamics_row_name(s->d, r, name, sizeof name);
        enter(d, name, st->is_velocity[r] ? "constraint left open, m/s" : "constraint left open, m or rad",
              fabs(s->trays.rows.phi[r]));
    }
    // where constraints do not tell: the variables that the last iteration moved most
    for (int i = 0; i < st->n && d->n_worst < 5; i++) {
        double most = fabs(s->right[i]);
        const owner_name *o = &st->variable_owner[i];
        snprintf(name, sizeof name, "body %.60s", sim->system->model->body[o->body].def.name);
        if (most > 0.0 || isnan(most)) {
            enter(d, name, "last correction, m or rad", most);
        }
    }
}

// ---- what grew --------------------------------------------------------------------------------------------------

typedef struct {
    double ratio, from, to;
    int index;
} growth;

// Gives whether one of them grew more than the most so far, which it is then.
static bool compare(growth *most, const double *usual, const double *now, int count)
{
    bool has_grown = false;
    double floor = 1e-6 * largest(usual, count);
    for (int k = 0; k < count; k++) {
        double from = fmax(usual[k], floor), to = fabs(now[k]);
        double ratio = from > 0.0 ? to / from : 0.0;
        if (isnan(to) || ratio > most->ratio) {
            *most = (growth){ isnan(to) ? INFINITY : ratio, from, to, k };
            has_grown = true;
        }
    }
    return has_grown;
}

static bool is_explicit(const bi_sim *sim) { return sim_scheme(sim)->is_explicit; }

static void find_growth(const bi_sim *sim, bi_divergence *d)
{
    const stepper *s = &sim->stepper;
    growth most = { .ratio = 3.0, .index = -1 }; // less is what any motion does
    bool is_law = compare(&most, sim->usual_scalar, s->trays.load.scalar, s->d->n_element);
    // an explicit step breaks on a law; the constraints around it only follow
    if (most.index < 0 || !is_explicit(sim)) {
        is_law &= !compare(&most, sim->usual_lambda, s->now.lambda, s->d->structure.n_row);
    }
    if (most.index < 0) {
        return;
    }
    d->grew_from = most.from;
    d->grew_to = most.to;
    d->grew_is_law = is_law;
    if (is_law) {
        snprintf(d->grew, sizeof d->grew, "%.90s", sim->system->model->element[most.index].name);
    } else {
        dynamics_row_name(s->d, most.index, d->grew, sizeof d->grew);
    }
}

// ---- what to try --------------------------------------------------------------------------------------------------

static void advise(const bi_sim *sim, bi_divergence *d)
{
    size_t size = sizeof d->advice;
    // a body without inertia shows at the start; later it is a force that falls faster than inertia holds
    if (d->status == BI_SINGULAR && !d->grew[0]) {
        snprintf(d->advice, size,
                 "steps of %.2g s, or --dt auto; look for laws on the named body whose force falls as it "
                 "gives way, "
                 "or give it inertia",
                 d->h / 4.0);
    } else if (d->grew[0] && d->grew_is_law && is_explicit(sim)) {
        snprintf(d->advice, size, "'%s' is stiff for explicit steps: --scheme ali3p, or steps of %.2g s",
                 d->grew, d->h / 10.0);
    } else if (d->grew[0] && d->grew_is_law) {
        snprintf(d->advice, size, "look at the stiffness and damping of '%s'; steps of %.2g s, or --dt auto",
                 d->grew, d->h / 4.0);
    } else if (d->grew[0]) {
        snprintf(d->advice, size,
                 "'%s' carries too much: is it near a dead point, or do guides pull it apart? Steps of %.2g "
                 "s, or --dt auto",
                 d->grew, d->h / 4.0);
    } else {
        snprintf(d->advice, size,
                 "steps of %.2g s, or --dt auto; with stiff laws --scheme ali3p-alpha --rho 0.8", d->h / 4.0);
    }
}

void divergence_describe(bi_sim *sim, bi_status status)
{
    const stepper *s = &sim->stepper;
    bi_divergence *d = &sim->divergence;
    *d = (bi_divergence){ .status = status, .t = s->old.t, .h = s->now.t - s->old.t };
    find_worst(sim, d);
    find_growth(sim, d);
    advise(sim, d);
}

bool bi_sim_divergence(const bi_sim *sim, bi_divergence *out)
{
    if (!sim || !out) {
        return false;
    }
    *out = sim->divergence;
    return sim->divergence.status != BI_OK;
}
