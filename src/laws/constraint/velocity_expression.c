// SPDX-License-Identifier: MIT
// A velocity constraint written by the user: an expression of positions and rates that is linear in the rates
// (rolling.11). Its gradient and gamma are exact, by the derivatives of the expression.
#include "laws/constraint/constraint.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 4, VARIABLES = 32, MARKERS = POINTS + VARIABLES };

typedef enum { SOURCE_TIME, SOURCE_INPUT, SOURCE_VALUE, SOURCE_RATE } source_kind;

typedef struct {
    const expr *code;
    int n_variable;
    struct velocity_source {
        source_kind kind;
        int index;    // input, or number in the trays
        int gradient; // rates: place in the gradient of the row
    } source[VARIABLES];
    int width;
    row_handle at;
} velocity;

// ---- compile -------------------------------------------------------------------------------------------------------

typedef struct {
    int marker[MARKERS], place[MARKERS], count, width;
} marker_list;

// The place of a marker's rates in the gradient.
static int list_marker(const plan *p, marker_list *l, int marker)
{
    for (int k = 0; k < l->count; k++) {
        if (l->marker[k] == marker) {
            return l->place[k];
        }
    }
    l->marker[l->count] = marker;
    l->place[l->count++] = l->width;
    l->width += marker_width(p->marker[marker].kind);
    return l->place[l->count - 1];
}

// "b.vy": point b, first number 1 of the rates; false: not a name of a point.
static bool point_name(const char *name, int *point, bool *is_rate, int *component)
{
    static const char *const words[9] = { "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz" };
    if (name[0] < 'a' || name[0] >= 'a' + POINTS || name[1] != '.') {
        return false;
    }
    for (int k = 0; k < 9; k++) {
        if (strcmp(name + 2, words[k]) == 0) {
            *point = name[0] - 'a';
            *is_rate = k >= 3;
            *component = k < 3 ? k : k - 3;
            return true;
        }
    }
    return false;
}

static void resolve(plan *p, int element, const bi_velocity_def *d, const char *name, marker_list *l,
                    struct velocity_source *out)
{
    const bi_point *points[POINTS] = { &d->a, &d->b, &d->c, &d->d };
    int point, component;
    bool is_rate;
    if (point_name(name, &point, &is_rate, &component) && points[point]->body.i > 0) {
        int m = plan_frame(p, points[point]->body.i - 1, points[point]->at);
        int place = list_marker(p, l, m);
        *out = (struct velocity_source){ is_rate ? SOURCE_RATE : SOURCE_VALUE, plan_dof(p, m) + component,
                                         place + component };
        return;
    }
    model_name found = model_resolve(p->model, name);
    if (found.kind == MODEL_NAME_TIME) {
        *out = (struct velocity_source){ SOURCE_TIME, 0, 0 };
    } else if (found.kind == MODEL_NAME_INPUT) {
        *out = (struct velocity_source){ SOURCE_INPUT, found.index, 0 };
    } else if (found.kind == MODEL_NAME_VALUE || found.kind == MODEL_NAME_RATE) {
        int m = plan_joint(p, found.index, found.coordinate), place = list_marker(p, l, m);
        bool rate = found.kind == MODEL_NAME_RATE;
        *out = (struct velocity_source){ rate ? SOURCE_RATE : SOURCE_VALUE, plan_dof(p, m), place };
    } else {
        plan_complain(p, element, "velocity",
                      "unknown name '%s'; known are t, parameters, inputs, JOINT.angle, JOINT.rate and, of "
                      "the points a, b, "
                      "c, d that are given, a.x a.y a.z a.vx a.vy a.vz a.wx a.wy a.wz",
                      name);
    }
}

// Rates enter linearly: the second derivative along any of them is zero, here at some places off the axes.
static bool is_linear(const velocity *v)
{
    for (int tries = 0; tries < 4; tries++) {
        jet x[VARIABLES];
        for (int k = 0; k < v->n_variable; k++) {
            double size = 0.3 + 0.17 * k + 0.41 * tries;
            x[k] = (jet){ size, v->source[k].kind == SOURCE_RATE ? 1.0 + 0.31 * k - 0.2 * tries : 0.0, 0.0 };
        }
        jet y = expr_jet(v->code, x);
        if (isfinite(y.dd) && fabs(y.dd) > 1e-9 * (1.0 + fabs(y.d))) {
            return false;
        }
    }
    return true;
}

static void velocity_compile(plan *p, int element, const void *def, void *item)
{
    const bi_velocity_def *d = def;
    const model_element *e = &p->model->element[element];
    velocity *out = item;
    marker_list list = { .count = 0 };
    bool reads_rates = false;
    *out = (velocity){ .code = p->model->expr[d->velocity.i - 1].code };
    out->n_variable = expr_variable_count(out->code);
    for (int k = 0; k < out->n_variable && k < VARIABLES; k++) {
        resolve(p, element, d, expr_variable_name(out->code, k), &list, &out->source[k]);
        reads_rates |= out->source[k].kind == SOURCE_RATE;
    }
    if (out->n_variable > VARIABLES) {
        plan_complain(p, element, "velocity", "reads %d names: at most %d are possible", out->n_variable,
                      VARIABLES);
        out->n_variable = 0;
    } else if (!reads_rates) {
        plan_complain(p, element, "velocity", "reads no velocity: it cannot constrain one");
    } else if (!is_linear(out)) {
        plan_complain(p, element, "velocity", "must be linear in the velocities and rates");
    }
    out->width = list.width;
    out->at = plan_rows(p, &(row_owner){ e->name, e->place, true, -1, element }, 1, list.marker, list.count);
}

// ---- rows ------------------------------------------------------------------------------------------------------------

// Every variable where it is, not moving; what it would move at in `rate`.
static void read_variables(const velocity *v, const law_in *in, jet *x, double *rate)
{
    for (int k = 0; k < v->n_variable; k++) {
        int i = v->source[k].index;
        double value = 0.0;
        rate[k] = 0.0;
        switch (v->source[k].kind) {
        case SOURCE_TIME:
            value = in->u->t;
            rate[k] = 1.0;
            break;
        case SOURCE_INPUT:
            value = in->u->input[i];
            rate[k] = in->u->input_rate[i];
            break;
        case SOURCE_VALUE:
            value = in->at->value[i];
            rate[k] = in->at->rate[i];
            break;
        case SOURCE_RATE: value = in->at->rate[i]; break;
        }
        x[k] = (jet){ value, 0.0, 0.0 };
    }
}

static void velocity_row(const velocity *v, const law_in *in, rows *out)
{
    jet x[VARIABLES];
    double rate[VARIABLES];
    read_variables(v, in, x, rate);
    if (in->want & LAW_POSITION) {
        double *g = &out->gradient[v->at.gradient];
        memset(g, 0, (size_t)v->width * sizeof *g);
        out->phi[v->at.row] = expr_jet_in(v->code, x, in->u->room).v;
        for (int k = 0; k < v->n_variable; k++) {
            if (v->source[k].kind == SOURCE_RATE) {
                x[k].d = 1.0;
                g[v->source[k].gradient] = expr_jet_in(v->code, x, in->u->room).d;
                x[k].d = 0.0;
            }
        }
    }
    if (in->want & LAW_SECOND) {
        // positions move on, velocities stay
        for (int k = 0; k < v->n_variable; k++) {
            x[k].d = rate[k];
        }
        out->gamma[v->at.row] = expr_jet_in(v->code, x, in->u->room).d;
    }
}

static void velocity_rows(const void *items, int count, const law_in *in, rows *out)
{
    const velocity *item = items;
    for (int k = 0; k < count; k++) {
        velocity_row(&item[k], in, out);
    }
}

static const bi_field fields[] = {
    { "a", BI_FIELD_POINT, offsetof(bi_velocity_def, a), NULL, 0, "point called a in the expression" },
    { "b", BI_FIELD_POINT, offsetof(bi_velocity_def, b), NULL, 0, "point called b" },
    { "c", BI_FIELD_POINT, offsetof(bi_velocity_def, c), NULL, 0, "point called c" },
    { "d", BI_FIELD_POINT, offsetof(bi_velocity_def, d), NULL, 0, "point called d" },
    { "velocity", BI_FIELD_EXPR, offsetof(bi_velocity_def, velocity), NULL, BI_REQUIRED | BI_OWN_NAMES,
      "what must be zero, linear in the rates: a.vx, a.wz, JOINT.rate" },
};
static const bi_kind schema = { "constraints",
                                "velocity-expression",
                                sizeof(bi_velocity_def),
                                fields,
                                5,
                                "an expression of velocities is zero" };
const law_kind velocity_kind = {
    .schema = &schema, .item = sizeof(velocity), .compile = velocity_compile, .rows = velocity_rows
};
