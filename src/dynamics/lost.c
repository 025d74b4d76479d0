// SPDX-License-Identifier: MIT
// Who has lost its numbers: the input, signal, law or callback whose value is not finite.
#include "dynamics/dynamics.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// Appends ", input push" to the list in the buffer.
static void list_name(char *buffer, size_t size, const char *what, const char *name)
{
    size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s%s %.60s", used > 0 ? ", " : "", what, name);
}

static bool motion_is_finite(const dynamics *d, const trays *t)
{
    for (int i = 0; i < d->plan.n_dof; i++) {
        if (!isfinite(t->motion.value[i]) || !isfinite(t->motion.rate[i])) {
            return false;
        }
    }
    return true;
}

// A root at zero has a value, and no derivative.
static const block_group *lost_block(const plan *p, const trays *t)
{
    for (int k = 0; k < p->n_block; k++) {
        const block_group *g = &p->block[k];
        for (int i = 0; g->element >= 0 && i < g->width * g->width; i++) {
            if (!isfinite(t->load.K[g->value + i]) || !isfinite(t->load.C[g->value + i])) {
                return g;
            }
        }
    }
    return NULL;
}

void dynamics_not_finite(const dynamics *d, const trays *t, char *buffer, size_t size)
{
    const bi_model *m = d->plan.model;
    const plan *p = &d->plan;
    // where the motion itself is lost, what reads it is not the cause
    bool has_motion = motion_is_finite(d, t);
    snprintf(buffer, size, "%s", "");
    for (int k = 0; k < m->n_input; k++) {
        if (!isfinite(t->signals.input[k])) {
            list_name(buffer, size, "input", m->input[k].name);
            break;
        }
    }
    for (int k = 0; k < p->n_order; k++) {
        int slot = p->order[k];
        if (slot >= m->n_expr && !isfinite(t->signals.signal[slot].v) &&
            (has_motion || p->signal[slot].count == 0)) {
            list_name(buffer, size, "signal", m->element[slot - m->n_expr].name);
            break;
        }
    }
    for (int k = 0; k < m->n_element && (has_motion || buffer[0] != '\0'); k++) {
        if (!isfinite(t->load.scalar[k])) {
            bool is_graph = strcmp(m->element[k].kind->section, "graphs") == 0;
            list_name(buffer, size, is_graph ? "graph" : "force", m->element[k].name);
            break;
        }
    }
    for (int k = 0; k < p->n_certain && has_motion && buffer[0] == '\0'; k++) {
        if (isnan(t->signals.signal[p->certain[k].slot].v)) {
            list_name(buffer, size, "contact", m->element[p->certain[k].element].name);
        }
    }
    const block_group *block = has_motion && buffer[0] == '\0' ? lost_block(p, t) : NULL;
    if (block) {
        list_name(buffer, size, "the derivative of force", m->element[block->element].name);
    }
}

bool dynamics_negative(const dynamics *d, const trays *t, char *buffer, size_t size)
{
    for (int k = 0; k < d->plan.n_certain; k++) {
        const plan_certain *c = &d->plan.certain[k];
        double value = t->signals.signal[c->slot].v;
        if (plan_is_negative(c, value)) {
            snprintf(buffer, size, "contact %.60s: its %s has become %.3g",
                     d->plan.model->element[c->element].name, c->key, value);
            return true;
        }
    }
    return false;
}

bool dynamics_lost_by_user(const dynamics *d, const coords *at, const trays *t, char *buffer, size_t size)
{
    char what[420];
    law_in in = { &t->signals, &t->motion, at->z, at->dz,  at->memory, at->pool,
                  0,           t->scratch, NULL,  t->crew, at->room,   t->spare };
    int element = motion_is_finite(d, t) ? laws_lost_by_user(&d->laws, &in, what, sizeof what) : -1;
    if (element >= 0) {
        snprintf(buffer, size, "force %.60s: %s", d->plan.model->element[element].name, what);
    }
    return element >= 0;
}
