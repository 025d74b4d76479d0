// SPDX-License-Identifier: MIT
#include "laws/signal/signal.h"
#include <stdlib.h>
#include <string.h>

// ---- compile --------------------------------------------------------------------------------------------------

static signal_variable variable_of(const plan *p, const expr *code, int v)
{
    model_name name = model_resolve(p->model, expr_variable_name(code, v));
    switch (name.kind) {
    case MODEL_NAME_INPUT: return (signal_variable){ SIGNAL_INPUT, name.index };
    case MODEL_NAME_SIGNAL: return (signal_variable){ SIGNAL_OTHER, plan_signal_slot(p, name.index) };
    case MODEL_NAME_VALUE:
    case MODEL_NAME_RATE:
        for (int m = 0; m < p->n_marker; m++) {
            const marker *k = &p->marker[m];
            if (k->kind == MARKER_JOINT && k->joint == name.index && k->coordinate == name.coordinate) {
                return (signal_variable){ name.kind == MODEL_NAME_RATE ? SIGNAL_RATE : SIGNAL_VALUE, k->dof };
            }
        }
        return (signal_variable){ SIGNAL_TIME, 0 };
    default: return (signal_variable){ SIGNAL_TIME, 0 };
    }
}

static const signal_kind *kind_of(const bi_kind *schema)
{
    for (int k = 0; k < signal_kind_count(); k++) {
        if (signal_kind_at(k)->schema == schema) {
            return signal_kind_at(k);
        }
    }
    return NULL;
}

// The expressions of a signal as its variables; t where one is not given.
static int list_expressions(const model_element *e, signal_variable *out)
{
    int count = 0;
    for (int f = 0; f < e->kind->n_field && count < SIGNAL_INPUTS; f++) {
        if (e->kind->field[f].type == BI_FIELD_EXPR) {
            bi_expr id;
            memcpy(&id, model_field(e, &e->kind->field[f]), sizeof id);
            out[count++] =
                id.i > 0 ? (signal_variable){ SIGNAL_OTHER, id.i - 1 } : (signal_variable){ SIGNAL_TIME, 0 };
        }
    }
    return count;
}

// What a variable contributes to the derivative of its reader with one joint coordinate or rate.
static int link_of(const plan *p, signal_variable v, signal_partial with)
{
    if (v.source == SIGNAL_OTHER) {
        signal_use use = p->signal[v.index];
        for (int k = use.first; k < use.first + use.count; k++) {
            if (p->partial[k].marker == with.marker && p->partial[k].is_rate == with.is_rate) {
                return k;
            }
        }
        return LINK_NONE;
    }
    bool is_it =
        v.source == (with.is_rate ? SIGNAL_RATE : SIGNAL_VALUE) && v.index == plan_dof(p, with.marker);
    return is_it ? LINK_SELF : LINK_NONE;
}

static int variable_count(const plan *p, int slot)
{
    int element = slot - p->model->n_expr, count = 0;
    if (element < 0) {
        return expr_variable_count(p->model->expr[slot].code);
    }
    for (int k = 0; k < p->n_outside; k++) {
        count += p->outside[k].element == element;
    }
    return model_is_signal(&p->model->element[element]) ? SIGNAL_INPUTS : count;
}

// What a graph reads, as far as it moves or is a signal.
static int list_outside(const plan *p, int element, signal_variable *out)
{
    int count = 0;
    for (int k = 0; k < p->n_outside; k++) {
        model_name name = p->outside[k].name;
        if (p->outside[k].element != element) {
            continue;
        }
        out[count++] =
            name.kind == MODEL_NAME_SIGNAL
                ? (signal_variable){ SIGNAL_OTHER, plan_signal_slot(p, name.index) }
                : (signal_variable){ name.kind == MODEL_NAME_RATE ? SIGNAL_RATE : SIGNAL_VALUE, 0 };
    }
    return count;
}

// Its number among the graphs, which is that in their table.
static int number_of(const bi_model *m, int graph)
{
    int number = 0;
    for (int k = 0; k < graph; k++) {
        number += m->element[k].kind == m->element[graph].kind;
    }
    return number;
}

static bool add_item(plan *p, signal_table *tab, int slot, int *n_variable, int *n_link)
{
    signal_use use = p->signal[slot];
    signal_item *s = &tab->item[tab->count++];
    *s = (signal_item){ .slot = slot,
                        .first = *n_variable,
                        .partial = use.first,
                        .n_partial = use.count,
                        .link = *n_link,
                        .graph = -1 };
    signal_variable *variable = &tab->variable[s->first];
    if (slot < p->model->n_expr) {
        s->code = p->model->expr[slot].code;
        s->count = expr_variable_count(s->code);
        for (int v = 0; v < s->count; v++) {
            variable[v] = variable_of(p, s->code, v);
        }
        s->is_constant = s->count == 0;
        s->constant = s->is_constant ? expr_jet(s->code, NULL) : (jet){ 0.0, 0.0, 0.0 };
    } else if (!model_is_signal(&p->model->element[slot - p->model->n_expr])) {
        s->graph = number_of(p->model, slot - p->model->n_expr);
        s->count = list_outside(p, slot - p->model->n_expr, variable);
    } else {
        const model_element *e = &p->model->element[slot - p->model->n_expr];
        int graph = model_graph_read(p->model, slot - p->model->n_expr);
        s->kind = kind_of(e->kind);
        s->item = calloc(1, s->kind->item);
        s->count = list_expressions(e, variable);
        if (!s->item) {
            return false;
        }
        p->compiling = slot - p->model->n_expr + 1;
        s->kind->compile(p, e->def, s->item);
        p->compiling = 0;
        if (graph >= 0) {
            s->graph = number_of(p->model, graph);
            variable[s->count++] = (signal_variable){ SIGNAL_OTHER, plan_signal_slot(p, graph) };
        }
    }
    for (int k = 0; k < use.count && s->graph < 0; k++) {
        for (int v = 0; v < s->count; v++) {
            tab->link[(*n_link)++] = link_of(p, variable[v], p->partial[use.first + k]);
        }
    }
    *n_variable += s->count;
    return true;
}

// Of what outputs read, a step needs only signals with a state or a memory, and what these read.
static void find_shown(const plan *p, signal_table *tab)
{
    for (int k = tab->count - 1; k >= p->n_order_of_laws; k--) {
        signal_item *s = &tab->item[k];
        bool is_plain = s->code || s->graph >= 0 || s->kind == &expr_signal || s->kind == &table_signal;
        s->is_shown = is_plain;
        // what is read after steps only may come behind its reader
        for (int i = 0; i < tab->count && s->is_shown; i++) {
            const signal_item *reader = &tab->item[i];
            for (int v = 0; v < reader->count && !reader->is_shown; v++) {
                const signal_variable *read = &tab->variable[reader->first + v];
                s->is_shown &= !(read->source == SIGNAL_OTHER && read->index == s->slot);
            }
        }
    }
}

static bool is_picked(const signal_item *s, signal_pick which)
{
    switch (which) {
    case PICK_STEP: return !s->is_shown;
    case PICK_AGAIN: return !s->is_shown && !s->is_steady;
    case PICK_WATCHED: return s->is_watched;
    case PICK_TIMED: return s->is_timed && !s->is_shown;
    case PICK_COMMIT: return s->kind && s->kind->commit;
    case PICK_ALL:
    case N_PICK: return true;
    }
    return true;
}

static void list_picks(signal_table *tab)
{
    for (int which = 0; which < N_PICK; which++) {
        tab->pick[which] = tab->pick[0] + which * tab->count;
        tab->n_pick[which] = 0;
        for (int k = 0; k < tab->count; k++) {
            if (is_picked(&tab->item[k], (signal_pick)which)) {
                tab->pick[which][tab->n_pick[which]++] = k;
            }
        }
    }
}

static void count_registers(plan *p, const expr *code)
{
    int count = code ? expr_registers(code) : 0;
    p->n_register = count > p->n_register ? count : p->n_register;
}

// Laws evaluate expressions of the model, signals those that are left of them.
static void measure_room(plan *p, const signal_table *tab)
{
    for (int k = 0; k < p->model->n_expr; k++) {
        count_registers(p, p->model->expr[k].code);
    }
    for (int k = 0; k < tab->count; k++) {
        count_registers(p, tab->item[k].code);
    }
}

bool signal_create(plan *p, signal_table *out)
{
    *out = (signal_table){ 0 };
    size_t n_variable = 1, n_link = 1;
    for (int k = 0; k < p->n_order; k++) {
        size_t count = (size_t)variable_count(p, p->order[k]);
        n_variable += count;
        n_link += count * (size_t)p->signal[p->order[k]].count;
    }
    out->item = calloc((size_t)p->n_order + 1, sizeof *out->item);
    out->variable = malloc(n_variable * sizeof *out->variable);
    out->link = malloc(n_link * sizeof *out->link);
    out->pick[0] = malloc(((size_t)p->n_order + 1) * N_PICK * sizeof *out->pick[0]);
    bool ok = out->item && out->variable && out->link && out->pick[0];
    for (int k = 0, variable = 0, link = 0; ok && k < p->n_order; k++) {
        ok = add_item(p, out, p->order[k], &variable, &link);
    }
    if (!ok) {
        signal_clear(out);
        return false;
    }
    ok = signal_reduce(p, out);
    if (!ok) {
        signal_clear(out);
        return false;
    }
    measure_room(p, out);
    find_shown(p, out);
    list_picks(out);
    return true;
}

void signal_watch(signal_table *tab, int slot)
{
    // readers come after what they read
    for (int k = tab->count - 1; k >= 0; k--) {
        signal_item *s = &tab->item[k];
        s->is_watched |= s->slot == slot;
        for (int v = 0; v < s->count && s->is_watched; v++) {
            const signal_variable *read = &tab->variable[s->first + v];
            for (int i = 0; i < k && read->source == SIGNAL_OTHER; i++) {
                tab->item[i].is_watched |= tab->item[i].slot == read->index;
            }
        }
    }
    list_picks(tab);
}

void signal_clear(signal_table *tab)
{
    for (int k = 0; tab->item && k < tab->count; k++) {
        free(tab->item[k].item);
        expr_destroy(tab->item[k].own);
    }
    free(tab->item);
    free(tab->variable);
    free(tab->link);
    free(tab->pick[0]);
    *tab = (signal_table){ 0 };
}

// ---- evaluate -------------------------------------------------------------------------------------------------

// Value and derivatives with time, joint coordinates held.
static jet variable_value(signal_variable v, const motion *at, const signals *u)
{
    switch (v.source) {
    case SIGNAL_TIME: return (jet){ u->t, 1.0, 0.0 };
    case SIGNAL_INPUT: return (jet){ u->input[v.index], u->input_rate[v.index], 0.0 };
    case SIGNAL_VALUE: return (jet){ .v = at->value[v.index] };
    case SIGNAL_RATE: return (jet){ .v = at->rate[v.index] };
    case SIGNAL_OTHER: break;
    }
    return u->signal[v.index];
}

static double slope_of(int link, const signals *u)
{
    return link == LINK_SELF ? 1.0 : link == LINK_NONE ? 0.0 : u->partial[link];
}

static double variable_number(signal_variable v, const motion *at, const signals *u)
{
    switch (v.source) {
    case SIGNAL_TIME: return u->t;
    case SIGNAL_INPUT: return u->input[v.index];
    case SIGNAL_VALUE: return at->value[v.index];
    case SIGNAL_RATE: return at->rate[v.index];
    case SIGNAL_OTHER: break;
    }
    return u->signal[v.index].v;
}

// Along each joint coordinate and rate, by what each variable changes with it (signals.2).
static void write_partials(const signal_table *tab, const signal_item *s, const double *gain, signals *out)
{
    for (int k = 0; k < s->n_partial; k++) {
        const int *link = &tab->link[s->link + k * s->count];
        double sum = 0.0;
        for (int v = 0; v < s->count; v++) {
            double slope = slope_of(link[v], out);
            // a slope may be infinite where nothing moves along it
            sum += slope != 0.0 ? gain[v] * slope : 0.0;
        }
        out->partial[s->partial + k] = sum;
    }
}

static void eval_expression(const signal_table *tab, const signal_item *s, const motion *at, unsigned want,
                            signals *out)
{
    const signal_variable *variable = &tab->variable[s->first];
    bool wants_partials = s->n_partial > 0 && (want & LAW_TANGENT);
    double x[MODEL_MAX_VARIABLES], gain[MODEL_MAX_VARIABLES];
    for (int v = 0; v < s->count && (s->is_still || wants_partials); v++) {
        x[v] = variable_number(variable[v], at, out);
    }
    if (wants_partials) {
        out->signal[s->slot] = (jet){ expr_gradient_in(s->code, x, gain, out->room), 0.0, 0.0 };
        write_partials(tab, s, gain, out);
    } else if (s->is_still) {
        out->signal[s->slot] = (jet){ expr_value_in(s->code, x, out->room), 0.0, 0.0 };
    }
    if (!s->is_still) {
        jet moving[MODEL_MAX_VARIABLES];
        for (int v = 0; v < s->count; v++) {
            moving[v] = variable_value(variable[v], at, out);
        }
        out->signal[s->slot] = expr_jet_in(s->code, moving, out->room);
    }
}

static signal_in inputs_of(const signal_table *tab, const signal_item *s, const signals *u)
{
    signal_in in = { .t = u->t, .h = u->h };
    for (int v = 0; v < s->count; v++) {
        in.input[v] = variable_value(tab->variable[s->first + v], NULL, u);
    }
    return in;
}

static void eval_signal(const signal_table *tab, const signal_item *s, const signal_states *states,
                        signals *out)
{
    signal_in in = inputs_of(tab, s, out);
    in.want = states->want;
    in.z_old = states->z_old;
    in.dz_old = states->dz_old;
    in.memory = states->memory;
    signal_out result = { .z = states->z, .dz = states->dz };
    in.scalar = s->graph >= 0 ? states->graphs->scalar : NULL;
    s->kind->eval(s->item, &in, &result);
    out->signal[s->slot] = result.value;
    if (s->graph >= 0 && s->n_partial > 0 && (states->want & LAW_TANGENT)) {
        states->graphs->slopes(states->graphs->of, s->graph, effort_signal_scalar(s->item),
                               &out->partial[s->partial]);
    } else if (states->want & LAW_TANGENT) {
        write_partials(tab, s, result.gain, out);
    }
}

// A name for an expression hands on what that has.
static void eval_name(const signal_table *tab, const signal_item *s, unsigned want, signals *out)
{
    static const double one = 1.0;
    out->signal[s->slot] = variable_value(tab->variable[s->first], NULL, out);
    if (want & LAW_TANGENT) {
        write_partials(tab, s, &one, out);
    }
}

void signal_inputs(const bi_model *m, signals *u)
{
    for (int k = 0; u->outside && k < m->n_input; k++) {
        const model_line *line = &m->input[k].line;
        u->input[k] = u->outside[k];
        if (line->count > 0) {
            u->input[k] = model_line_at(line, u->t, &u->input_rate[k]);
        }
    }
}

static void eval_picked(const signal_table *tab, signal_pick which, const motion *at,
                        const signal_states *states, signals *out)
{
    for (int i = 0; i < tab->n_pick[which]; i++) {
        const signal_item *s = &tab->item[tab->pick[which][i]];
        if (s->is_constant) {
            out->signal[s->slot] = s->constant;
        } else if (s->code) {
            eval_expression(tab, s, at, states->want, out);
        } else if (!s->kind) {
            states->graphs->solve(states->graphs->of, s->graph);
        } else if (s->kind == &expr_signal) {
            eval_name(tab, s, states->want, out);
        } else {
            eval_signal(tab, s, states, out);
        }
    }
}

void signal_eval(const signal_table *tab, const motion *at, const signal_states *states, signals *out)
{
    signal_pick which = states->want & LAW_WATCHED ? PICK_WATCHED
                        : states->is_shown         ? PICK_ALL
                        : states->want & LAW_AGAIN ? PICK_AGAIN
                                                   : PICK_STEP;
    eval_picked(tab, which, at, states, out);
}

void signal_eval_timed(const signal_table *tab, const bi_model *m, signals *u)
{
    signal_inputs(m, u);
    eval_picked(tab, PICK_TIMED, NULL, &(signal_states){ .want = 0 }, u);
}

bool signal_stands(const signal_table *tab)
{
    for (int i = 0; i < tab->n_pick[PICK_STEP]; i++) {
        const signal_item *s = &tab->item[tab->pick[PICK_STEP][i]];
        if (!s->is_constant && !(s->is_still && s->code)) {
            return false;
        }
    }
    return true;
}

double signal_corner(const signal_table *tab, const bi_model *m, double t, double limit)
{
    for (int k = 0; k < m->n_input; k++) {
        limit = m->input[k].line.count > 0 ? model_line_corner(&m->input[k].line, t, limit) : limit;
    }
    for (int i = 0; i < tab->n_pick[PICK_TIMED]; i++) {
        const signal_item *s = &tab->item[tab->pick[PICK_TIMED][i]];
        if (s->kind == &table_signal && tab->variable[s->first].source == SIGNAL_TIME) {
            limit = table_signal_corner(s->item, t, limit);
        }
    }
    return limit;
}

void signal_commit(const signal_table *tab, const signals *u, const double *scalar, const double *lambda,
                   double *memory, law_doubts *doubts)
{
    for (int i = 0; i < tab->n_pick[PICK_COMMIT]; i++) {
        const signal_item *s = &tab->item[tab->pick[PICK_COMMIT][i]];
        signal_in in = inputs_of(tab, s, u);
        in.memory = memory;
        in.scalar = scalar;
        in.lambda = lambda;
        in.doubts = doubts;
        s->kind->commit(s->item, &in, u->signal[s->slot].v, memory);
    }
}
