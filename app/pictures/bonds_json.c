// SPDX-License-Identifier: MIT
// A bond graph for programs: its structure, equations and matrices as JSON.
#include "pictures/bonds.h"
#include <biela/bond.h>

static const char *const causality_word[] = { "", "integral", "derivative", "arbitrary" };

void bonds_json_matrix(json *j, const char *key, const double *x, int rows, int columns)
{
    json_array(j, key);
    for (int i = 0; i < rows; i++) {
        json_array(j, NULL);
        for (int k = 0; k < columns; k++) {
            json_number(j, NULL, x[i * columns + k]);
        }
        json_end(j);
    }
    json_end(j);
}

static void json_list(json *j, const bi_bonds *b, bi_causality which)
{
    json_array(j, causality_word[which]);
    for (int n = 0; n < b->n_node; n++) {
        if (b->node[n].causality == which) {
            json_text(j, NULL, b->node[n].name);
        }
    }
    json_end(j);
}

void bonds_json_structure(json *j, const bi_bonds *b)
{
    json_array(j, "nodes");
    for (int n = 0; n < b->n_node; n++) {
        json_object(j, NULL);
        json_text(j, "name", b->node[n].name);
        json_text(j, "type", b->node[n].kind);
        json_text(j, "value", b->node[n].value);
        json_end(j);
    }
    json_end(j);
    json_array(j, "bonds");
    for (int k = 0; k < b->n_bond; k++) {
        const bi_bonds_bond *x = &b->bond[k];
        json_object(j, NULL);
        json_text(j, "from", b->node[x->from].name);
        json_text(j, "to", b->node[x->to].name);
        json_text(j, "stroke", b->node[x->stroke_at_to ? x->to : x->from].name);
        json_text(j, "effort", x->effort);
        json_text(j, "flow", x->flow);
        json_end(j);
    }
    json_end(j);
    json_list(j, b, BI_CAUSALITY_INTEGRAL);
    json_list(j, b, BI_CAUSALITY_DERIVATIVE);
    json_list(j, b, BI_CAUSALITY_ARBITRARY);
    json_object(j, "rates");
    for (int k = 0; k < b->n_state; k++) {
        json_text(j, b->state[k].name, b->state[k].rate);
    }
    json_end(j);
    json_array(j, "loops");
    for (int k = 0; k < b->n_loop; k++) {
        json_text(j, NULL, b->loop[k]);
    }
    json_end(j);
    json_array(j, "sources");
    for (int k = 0; k < b->n_source; k++) {
        json_text(j, NULL, b->source[k]);
    }
    json_end(j);
}

void bonds_json_numbers(json *j, const bi_bonds *b)
{
    int n = b->n_state, m = b->n_source;
    bonds_json_matrix(j, "A", b->A, n, n);
    bonds_json_matrix(j, "B", b->B, n, m);
    bonds_json_matrix(j, "B_rate", b->B_rate, n, m);
    bonds_json_matrix(j, "C", b->C, 2 * b->n_bond, n);
    bonds_json_matrix(j, "D", b->D, 2 * b->n_bond, m);
    if (b->is_closed) {
        json_object(j, "closed");
        for (int k = 0; k < n; k++) {
            json_text(j, b->state[k].name, b->closed[k]);
        }
        json_end(j);
        bonds_json_matrix(j, "closed_A", b->closed_A, n, n);
        bonds_json_matrix(j, "closed_B", b->closed_B, n, m);
        bonds_json_matrix(j, "closed_B_rate", b->closed_B_rate, n, m);
    } else {
        json_text(j, "not_closed", b->why_not_closed);
    }
    json_array(j, "eigenvalues");
    for (int k = 0; k < n; k++) {
        json_array(j, NULL);
        json_number(j, NULL, b->re[k]);
        json_number(j, NULL, b->im[k]);
        json_end(j);
    }
    json_end(j);
    if (b->has_steady) {
        json_object(j, "steady");
        for (int k = 0; k < n; k++) {
            json_number(j, b->state[k].name, b->steady[k]);
        }
        json_end(j);
        json_array(j, "steady_bonds");
        for (int k = 0; k < b->n_bond; k++) {
            json_array(j, NULL);
            json_number(j, NULL, b->steady_effort[k]);
            json_number(j, NULL, b->steady_flow[k]);
            json_end(j);
        }
        json_end(j);
    }
}
