// SPDX-License-Identifier: MIT
// Why a run cannot start or go on: the table, graph or signal whose numbers are not finite, the constraint that stays
// open.
#include "sim/blame.h"
#include "base/check.h"
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

// Tables that expressions call and that have no value outside, with their ranges: "; a table that refuses what lies
// outside: full, from 100 to 600". Empty: there are none.
static void list_refusing(const bi_model *m, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int k = 0; k < m->n_curve && used < size; k++) {
        const model_curve *c = &m->curve[k];
        bool is_called = false;
        for (int e = 0; e < m->n_expr; e++) {
            const expr *code = m->expr[e].code;
            for (int i = 0; code && i < expr_callee_count(code); i++) {
                expr_callee of = expr_callee_at(code, i);
                is_called |= of.table == c->code && of.map == c->surface;
            }
        }
        bool refuses = c->surface ? chart_refuses(c->surface) : c->code && table_refuses(c->code);
        if (!is_called || !refuses) {
            continue;
        }
        double x[2], y[2];
        const char *head = used == 0 ? ". Tables without values outside: " : "; ";
        if (c->surface) {
            chart_ends(c->surface, x, y);
            used += (size_t)snprintf(buffer + used, size - used, "%s%.60s from %g to %g and from %g to %g",
                                     head, c->name, x[0], x[1], y[0], y[1]);
        } else {
            table_ends(c->code, &x[0], &x[1]);
            used += (size_t)snprintf(buffer + used, size - used, "%s%.60s from %g to %g", head, c->name, x[0],
                                     x[1]);
        }
    }
}

// The graph whose equations were not solved. Newton may have found a solution when it tried again: then its states, not
// its number, tell that it failed, and the only graph of a model is the one.
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

// Clutches one behind the other carry the same and share their slip as they like, until something has inertia between them.
static void list_holding(const model_element *graph, char *text, size_t size)
{
    const bi_graph *g = &((const bi_graph_def *)graph->def)->graph;
    char names[160] = "";
    size_t used = 0;
    int count = 0;
    for (int k = 0; k < g->n_node; k++) {
        if (g->node[k].law == BI_BOND_HOLDS && used < sizeof names - 50) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.40s", count ? ", " : "",
                                     g->node[k].name);
            count++;
        }
    }
    *text = '\0';
    if (count > 1) {
        snprintf(
            text, size,
            ". Of those that hold (%s), two one behind the other carry the same, and how they share their "
            "slip is not determined: put an I (what turns between them) in between",
            names);
    }
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
    char name[128], refusing[300];
    list_refusing(m, refusing, sizeof refusing);
    if (graph) {
        char holding[400];
        list_holding(graph, holding, sizeof holding);
        snprintf(name, sizeof name, "graphs.%.60s", graph->name);
        bi_report_add(
            report, BI_ERROR, status, graph->place, name,
            "its equations have no solution at the start: an algebraic loop does not converge, or a "
            "law is not defined there; 'biela bonds' tells its loops%s%s",
            holding, refusing);
        return;
    }
    if (dynamics_lost_by_user(s->d, &s->now, &s->trays, name, sizeof name)) {
        bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, name, "correct the callback");
        return;
    }
    dynamics_not_finite(s->d, &s->trays, name, sizeof name);
    bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, name, "%s%s", what, refusing);
}

// ---- a step that failed ----------------------------------------------------------------------------------------

// A distance joint whose length came to zero, where its row has no value; NULL: none.
static const char *vanished_distance(const bi_sim *sim)
{
    const stepper *s = &sim->stepper;
    const plan *p = &s->d->plan;
    for (int g = 0; g < p->n_row_group; g++) {
        int joint = p->row[g].joint;
        if (joint >= 0 && joint_is_distance(p->model->joint[joint].def.kind) &&
            isnan(s->trays.rows.phi[p->row[g].first])) {
            return p->model->joint[joint].def.name;
        }
    }
    return NULL;
}

// The input, signal, law or callback whose numbers were lost; false: none was.
static bool blame_lost(bi_sim *sim, const char *refusing)
{
    const stepper *s = &sim->stepper;
    const char *why = bi_status_text(BI_NOT_FINITE);
    char name[500] = "";
    if (dynamics_lost_by_user(s->d, &s->now, &s->trays, name, sizeof name)) {
        snprintf(sim->failure, sizeof sim->failure, "at t = %.9g s: %s: %s. Correct the callback.", s->old.t,
                 name, why);
        return true;
    }
    if (dynamics_negative(s->d, &s->trays, name, sizeof name)) {
        snprintf(sim->failure, sizeof sim->failure,
                 "at t = %.9g s: %s, and must not be negative. Bound its expression from below: max(0, ...).",
                 s->old.t, name);
        return true;
    }
    dynamics_not_finite(s->d, &s->trays, name, sizeof name);
    if (strncmp(name, "graph ", 6) == 0) {
        snprintf(sim->failure, sizeof sim->failure,
                 "at t = %.9g s: %s: its equations have no solution: an algebraic loop or the step of its "
                 "states does not converge. Look at its laws (biela bonds), or try a smaller step (--dt)%s.",
                 s->old.t, name, refusing);
    } else if (name[0] != '\0') {
        snprintf(sim->failure, sizeof sim->failure,
                 "at t = %.9g s: %s: %s. Is a table read outside its range, or a root of a negative number "
                 "taken?%s",
                 s->old.t, name, why, refusing[0] ? refusing + 1 : "");
    }
    return name[0] != '\0';
}

bi_status blame_step(bi_sim *sim, bi_status status)
{
    stepper *s = &sim->stepper;
    const structure *st = &s->d->structure;
    char name[128] = "", refusing[300];
    list_refusing(s->d->plan.model, refusing, sizeof refusing);
    const char *distance = vanished_distance(sim);
    if (distance) {
        snprintf(sim->failure, sizeof sim->failure,
                 "at t = %.9g s: joint %s: its distance is driven to zero, and none is below zero. End the "
                 "drive at a length above it.",
                 s->old.t, distance);
        return status;
    }
    // a tangent of what is no number is taken for a singular one
    if ((status == BI_NOT_FINITE || status == BI_SINGULAR) && blame_lost(sim, refusing)) {
        return BI_NOT_FINITE;
    }
    int variable = stepper_worst(s).variable;
    if (status == BI_SINGULAR && variable >= 0) {
        const owner_name *o = &st->variable_owner[variable];
        snprintf(name, sizeof name, "body %s (%s)", sim->system->model->body[o->body].def.name, o->what);
    } else {
        double most = -1.0;
        for (int r = 0; r < st->n_row; r++) {
            if (!(fabs(s->trays.rows.phi[r]) <= most)) {
                most = fabs(s->trays.rows.phi[r]);
                dynamics_row_name(s->d, r, name, sizeof name);
            }
        }
    }
    snprintf(
        sim->failure, sizeof sim->failure,
        "at t = %.9g s: %s; worst at %s. Try a smaller step (--dt), or check the stiffness and masses there.",
        s->old.t, bi_status_text(status), name[0] ? name : "no constraint");
    return status;
}

const char *bi_sim_lost(bi_sim *sim)
{
    if (!sim || !sim->started) {
        return "";
    }
    stepper *s = &sim->stepper;
    char name[180] = "", refusing[300];
    sim->have = 0;
    s->trays.is_evaluated = false;
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_SECOND | LAW_EXPLICIT | EVAL_ALL);
    list_refusing(s->d->plan.model, refusing, sizeof refusing);
    if (!dynamics_lost_by_user(s->d, &s->now, &s->trays, name, sizeof name)) {
        dynamics_not_finite(s->d, &s->trays, name, sizeof name);
    }
    for (int r = 0; name[0] == '\0' && r < s->d->structure.n_row; r++) {
        const rows *of = &s->trays.rows;
        if (!isfinite(of->phi[r] + of->phi_t[r] + of->gamma[r])) {
            dynamics_row_name(s->d, r, name, sizeof name);
        }
    }
    const char *second = refusing[0] != '\0' && name[0] == '\0' ? refusing + 2 : refusing;
    snprintf(sim->failure, sizeof sim->failure, "%s%s", name, second);
    return sim->failure;
}

bi_status blame_full(bi_sim *sim, int element)
{
    const model_element *e = &sim->system->model->element[element];
    snprintf(
        sim->failure, sizeof sim->failure,
        "at t = %.9g s: %s.%s: no memory to remember all of its shapes that are near each other; give the "
        "program more, or the contact fewer shapes",
        sim->stepper.now.t, e->kind->section, e->name);
    return BI_FULL;
}

bi_status blame_places(bi_sim *sim)
{
    snprintf(sim->failure, sizeof sim->failure,
             "at t = %.9g s: no memory for all places where shapes touch; give the program more, or the "
             "model fewer shapes",
             sim->stepper.now.t);
    return BI_FULL;
}

// ---- what steps reach of this ---------------------------------------------------------------------------------

// Says why, and leaves no trace of the step.
static bi_status give_up(bi_sim *sim, bi_status status)
{
    status = blame_step(sim, status);
    divergence_describe(sim, status);
    char failure[sizeof sim->failure];
    memcpy(failure, sim->failure, sizeof failure);
    bi_status loaded = bi_sim_load(sim, sim->whole, sim->whole_used);
    BI_ASSERT(loaded == BI_OK);
    (void)loaded;
    memcpy(sim->failure, failure, sizeof failure);
    events_note(sim, EVENT_FAILED);
    return status;
}

static bi_status tell_full(bi_sim *sim, int element)
{
    return element >= 0 ? blame_full(sim, element) : blame_places(sim);
}

static void tell_open(bi_sim *sim, int row, double open)
{
    char name[128] = "a constraint";
    if (row >= 0) {
        dynamics_row_name(&sim->system->dynamics, row, name, sizeof name);
    }
    snprintf(sim->failure, sizeof sim->failure,
             "at t = %.9g s: %s becomes active while it is open by %.3g. Let 'active' become true only where "
             "the constraint is closed, or use a smaller step (--dt).",
             sim->stepper.now.t, name, row >= 0 ? open : NAN);
}

const sim_outside sim_outside_here = { give_up, tell_full, tell_open, sim_block, sim_keep_whole };
