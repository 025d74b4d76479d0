// SPDX-License-Identifier: MIT
#include "signal/signal.h"
#include <stdlib.h>

enum { MAX_VARIABLES = 32 };

static signal_variable variable_of(const plan *p, const expr *code, int v)
{
    model_name name = model_resolve(p->model, expr_variable_name(code, v));
    switch (name.kind) {
    case MODEL_NAME_INPUT: return (signal_variable){ SIGNAL_INPUT, name.index };
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

bool signal_create(const plan *p, signal_table *out)
{
    *out = (signal_table){ 0 };
    int n_variable = 0;
    for (int k = 0; k < p->n_signal; k++) {
        if (p->signal[k].first >= 0) {
            out->count++;
            n_variable += expr_variable_count(p->model->expr[k].code);
        }
    }
    out->item = malloc(((size_t)out->count + 1) * sizeof *out->item);
    out->variable = malloc(((size_t)n_variable + 1) * sizeof *out->variable);
    if (!out->item || !out->variable) {
        signal_clear(out);
        return false;
    }
    int item = 0, at = 0;
    for (int k = 0; k < p->n_signal; k++) {
        if (p->signal[k].first < 0) {
            continue;
        }
        const expr *code = p->model->expr[k].code;
        int count = expr_variable_count(code);
        out->item[item++] =
            (signal_item){ code, k, at, count < MAX_VARIABLES ? count : MAX_VARIABLES, p->signal[k].first };
        for (int v = 0; v < count; v++) {
            out->variable[at++] = variable_of(p, code, v);
        }
    }
    return true;
}

void signal_clear(signal_table *tab)
{
    free(tab->item);
    free(tab->variable);
    *tab = (signal_table){ 0 };
}

void signal_eval(const signal_table *tab, const motion *at, signals *out)
{
    for (int k = 0; k < tab->count; k++) {
        const signal_item *s = &tab->item[k];
        const signal_variable *variable = &tab->variable[s->first];
        jet x[MAX_VARIABLES];

        // value and derivatives with time, everything else held
        for (int v = 0; v < s->count; v++) {
            int i = variable[v].index;
            x[v] = (jet){ 0.0, 0.0, 0.0 };
            switch (variable[v].source) {
            case SIGNAL_TIME: x[v] = (jet){ out->t, 1.0, 0.0 }; break;
            case SIGNAL_INPUT: x[v].v = out->input[i]; break;
            case SIGNAL_VALUE: x[v].v = at->value[i]; break;
            case SIGNAL_RATE: x[v].v = at->rate[i]; break;
            }
        }
        out->signal[s->slot] = expr_jet(s->code, x);

        // partial derivatives with joint coordinates and rates, in order of appearance
        double *partial = &out->partial[s->partial];
        for (int v = 0; v < s->count; v++) {
            x[v].d = 0.0;
        }
        for (int v = 0; v < s->count; v++) {
            if (variable[v].source == SIGNAL_VALUE || variable[v].source == SIGNAL_RATE) {
                x[v].d = 1.0;
                *partial++ = expr_jet(s->code, x).d;
                x[v].d = 0.0;
            }
        }
    }
}
