// SPDX-License-Identifier: MIT
// A constraint written in the file: an expression of points, vectors, joint coordinates, time, inputs and their signals
// that must be zero. Gradient and gamma are exact: the jets of the expression along each variable, and along the motion
// (constraints.18).
#include "laws/constraint/constraint.h"
#include <stddef.h>

enum { MOST = 32 }; // variables of an expression, as the model's check says

typedef enum { READS_TIME, READS_INPUT, READS_SIGNAL, READS_MARKER } source;
typedef struct {
    source source;
    int index;    // input, slot of a signal, or number in the trays
    int gradient; // place in the gradient of the row
} variable;

typedef struct {
    const expr *code;
    int n_variable, width;
    variable variable[MOST];
    row_handle at;
} expression;

// The marker of one variable; -1: it is no marker.
static int marker_of(plan *p, int element, const char *name, variable *v, int *component)
{
    model_place place;
    if (model_resolve_place(p->model, element, name, &place)) {
        *component = place.component;
        int body = place.body.i - 1;
        return place.is_vector ? plan_vector(p, body, place.at) : plan_point(p, body, place.at);
    }
    model_name found = model_resolve(p->model, name);
    *component = 0;
    *v = (variable){ found.kind == MODEL_NAME_INPUT ? READS_INPUT : READS_TIME, found.index, 0 };
    if (found.kind == MODEL_NAME_SIGNAL) {
        *v = (variable){ READS_SIGNAL, plan_signal_slot(p, found.index), 0 };
        if (plan_named_signal(p, found.index).count > 0) {
            plan_complain(p, element, "zero",
                          "reads the signal '%s', which reads a joint: only signals of t and inputs", name);
        }
    }
    if (found.kind == MODEL_NAME_RATE) {
        plan_complain(p, element, "zero", "reads the rate '%s': it may read positions only", name);
    }
    bool is_joint = found.kind == MODEL_NAME_VALUE || found.kind == MODEL_NAME_RATE;
    return is_joint ? plan_joint(p, found.index, found.coordinate) : -1;
}

static void expression_compile(plan *p, int element, const void *def, void *item)
{
    const bi_expression_def *d = def;
    const model_element *e = &p->model->element[element];
    expression *out = item;
    *out = (expression){ .code = p->model->expr[d->zero.i - 1].code };
    out->n_variable = expr_variable_count(out->code);
    int list[MOST], start[MOST], n_list = 0;
    for (int k = 0; k < out->n_variable; k++) {
        int component, i = 0;
        int m = marker_of(p, element, expr_variable_name(out->code, k), &out->variable[k], &component);
        if (m < 0) {
            continue;
        }
        while (i < n_list && list[i] != m) {
            i++;
        }
        if (i == n_list) {
            list[n_list] = m;
            start[n_list++] = out->width;
            out->width += marker_width(p->marker[m].kind);
        }
        out->variable[k] = (variable){ READS_MARKER, plan_dof(p, m) + component, start[i] + component };
    }
    if (n_list == 0) {
        plan_complain(p, element, "zero", "reads no point, vector or joint: it holds nothing");
    }
    out->at = plan_rows(p, &(row_owner){ e->name, e->place, false, -1, element }, 1, list, n_list);
}

// Value and derivatives with time of what moves by itself.
static jet of_time(const variable *v, const signals *u)
{
    return v->source == READS_TIME     ? (jet){ u->t, 1.0, 0.0 }
           : v->source == READS_SIGNAL ? u->signal[v->index]
                                       : (jet){ u->input[v->index], u->input_rate[v->index], 0.0 };
}

static void expression_row(const expression *e, const law_in *in, rows *out)
{
    jet x[MOST];
    for (int k = 0; k < e->n_variable; k++) {
        const variable *v = &e->variable[k];
        x[k] = (jet){ .v = v->source == READS_MARKER ? in->at->value[v->index] : of_time(v, in->u).v };
    }
    if (in->want & LAW_POSITION) {
        double *g = &out->gradient[e->at.gradient];
        out->phi_t[e->at.row] = 0.0;
        for (int i = 0; i < e->width; i++) {
            g[i] = 0.0;
        }
        for (int k = 0; k < e->n_variable; k++) {
            // an input that a manoeuvre drives is a function of time
            const variable *v = &e->variable[k];
            x[k].d = v->source == READS_MARKER ? 1.0 : of_time(v, in->u).d;
            double slope = x[k].d != 0.0 ? expr_jet_in(e->code, x, in->u->room).d : 0.0;
            x[k].d = 0.0;
            *(v->source == READS_MARKER ? &g[v->gradient] : &out->phi_t[e->at.row]) += slope;
        }
        out->phi[e->at.row] = expr_jet_in(e->code, x, in->u->room).v;
    }
    if (in->want & LAW_SECOND) {
        for (int k = 0; k < e->n_variable; k++) {
            const variable *v = &e->variable[k];
            jet f = v->source == READS_MARKER ? (jet){ .d = in->at->rate[v->index] } : of_time(v, in->u);
            x[k].d = f.d;
            x[k].dd = f.dd;
        }
        out->gamma[e->at.row] = expr_jet_in(e->code, x, in->u->room).dd;
    }
}

static void expression_rows(const void *items, int count, const law_in *in, rows *out)
{
    const expression *item = items;
    for (int k = 0; k < count; k++) {
        expression_row(&item[k], in, out);
    }
}

static const bi_field fields[] = {
    { "points", BI_FIELD_POINTS, offsetof(bi_expression_def, points), NULL, 0,
      "names of points, such as {P: {body: rod, at: [0, 0, 1]}}: the expression reads P.x, P.y, P.z" },
    { "vectors", BI_FIELD_VECTORS, offsetof(bi_expression_def, vectors), NULL, 0,
      "names of unit directions, such as {u: {body: rod, along: [0, 0, 1]}}" },
    { "zero", BI_FIELD_EXPR, offsetof(bi_expression_def, zero), NULL, BI_REQUIRED | BI_OF_POINTS,
      "what must be zero: an expression of points, vectors, joint coordinates, t, inputs and their signals" },
};
static const bi_kind schema = { "constraints",
                                "expression",
                                sizeof(bi_expression_def),
                                fields,
                                3,
                                "an expression of points, vectors and joint coordinates is zero" };
const law_kind expression_kind = {
    .schema = &schema, .item = sizeof(expression), .compile = expression_compile, .rows = expression_rows
};
