// SPDX-License-Identifier: MIT
// Why a run cannot start: the table, graph or signal whose numbers are not finite, with its place in the file.
#include "sim/blame.h"
#include "math/table.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// A table that is read beyond its ends, when it says that this is a mistake.
static bool blame_table(const bi_model *m, const trays *t, int k, bi_status status, bi_report *report)
{
    const model_element *e = &m->element[k];
    if (!model_is_signal(e) || strcmp(e->kind->type, "table") != 0 ||
        isfinite(t->signals.signal[m->n_expr + k].v)) {
        return false;
    }
    const bi_table_signal_def *def = e->def;
    double at = def->input.i > 0 ? t->signals.signal[def->input.i - 1].v : t->signals.t, first, last;
    const table *code = model_table(m, def->table);
    if (!code || !isfinite(at)) {
        return false;
    }
    table_ends(code, &first, &last);
    char where[160];
    snprintf(where, sizeof where, "signals.%s", e->name);
    bi_report_add(report, BI_ERROR, status, e->place, where,
                  "is read at %g, and its table has nothing there: it goes from %g to %g (outside: error)",
                  at, first, last);
    return true;
}

// The graph whose equations were not solved. Newton may have found a solution when it tried again: then its states, not its number,
// tell that it failed, and the only graph of a model is the one.
static const model_element *failed_graph(const stepper *s)
{
    const bi_model *m = s->d->plan.model;
    const model_element *only = NULL;
    bool has_lost = false;
    int n_graph = 0;
    for (int k = 0; k < m->n_element; k++) {
        if (strcmp(m->element[k].kind->section, "graphs") != 0) {
            continue;
        }
        if (!isfinite(s->trays.load.scalar[k])) {
            return &m->element[k];
        }
        only = &m->element[k];
        n_graph++;
    }
    for (int k = 0; k < s->d->plan.n_z; k++) {
        has_lost |= !isfinite(s->now.z[k]);
    }
    return has_lost && n_graph == 1 ? only : NULL;
}

void blame_start(const stepper *s, bi_status status, const char *what, bi_report *report)
{
    const bi_model *m = s->d->plan.model;
    for (int k = 0; k < m->n_element; k++) {
        if (blame_table(m, &s->trays, k, status, report)) {
            return;
        }
    }
    const model_element *graph = failed_graph(s);
    char name[128];
    if (graph) {
        snprintf(name, sizeof name, "graphs.%.60s", graph->name);
        bi_report_add(
            report, BI_ERROR, status, graph->place, name,
            "its equations have no solution at the start: an algebraic loop does not converge, or a "
            "law is not defined there; 'biela bonds' tells its loops");
        return;
    }
    dynamics_not_finite(s->d, &s->trays, name, sizeof name);
    bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, name, "%s", what);
}
