// SPDX-License-Identifier: MIT
// Stiffness, damping and friction of contacts at the start: numbers that are none, or below zero, act as zero.
#include "sim/system.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// Expressions of a contact that may not be negative.
static bool is_of_surface(const bi_field *f)
{
    static const char *const name[] = { "stiffness", "damping", "friction" };
    for (int k = 0; k < 3 && f->type == BI_FIELD_EXPR; k++) {
        if (strcmp(f->key, name[k]) == 0) {
            return true;
        }
    }
    return false;
}

static void look_at(const bi_sim *sim, const model_element *e, const bi_field *f, bi_report *report)
{
    bi_expr value;
    memcpy(&value, model_field(e, f), sizeof value);
    double now = value.i > 0 ? sim->stepper.trays.signals.signal[value.i - 1].v : 0.0;
    if (now >= 0.0 && isfinite(now)) {
        return;
    }
    char where[256];
    snprintf(where, sizeof where, "forces.%.100s.%.40s", e->name, f->key);
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, e->place, where,
                  "is %g at the start: a number that is finite and not negative is needed", now);
}

void surfaces_look(const bi_sim *sim, bi_report *report)
{
    const bi_model *m = sim->system->model;
    for (int i = 0; i < m->n_element; i++) {
        const model_element *e = &m->element[i];
        bool is_contact =
            e->kind && strcmp(e->kind->section, "forces") == 0 && strcmp(e->kind->type, "contact") == 0;
        for (int k = 0; is_contact && k < e->kind->n_field; k++) {
            if (is_of_surface(&e->kind->field[k])) {
                look_at(sim, e, &e->kind->field[k], report);
            }
        }
    }
}
