// SPDX-License-Identifier: MIT
// The assignments of each element of a bond graph, by its causality.
#include "laws/bond/tape_builder.h"
#include "sparse/dense.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double into(const net *g, int node, int bond) { return net_points_in(g, node, bond) ? 1.0 : -1.0; }

static void build_junction(builder *b, int node)
{
    const net_node *n = &b->g->node[node];
    bool is_zero = n->kind == NET_ZERO;
    const int *common = is_zero ? b->t->effort : b->t->flow, *summed = is_zero ? b->t->flow : b->t->effort;
    int decided = n->port[0];
    for (int k = 0; k < n->n_port; k++) {
        if (net_receives_effort(b->g, node, n->port[k]) == is_zero) {
            decided = n->port[k];
        }
    }
    tape_add_op(b->t, OP_LINEAR, summed[decided], NULL);
    for (int k = 0; k < n->n_port; k++) {
        if (n->port[k] != decided) {
            tape_add_argument(b->t, summed[n->port[k]],
                              -into(b->g, node, decided) * into(b->g, node, n->port[k]));
        }
    }
    for (int k = 0; k < n->n_port; k++) {
        if (n->port[k] != decided) {
            tape_scale(b->t, common[n->port[k]], common[decided], 1.0);
        }
    }
}

static void put_value(builder *b, int node, const net_value *value, int target)
{
    if (value->code) {
        tape_add_expression(b, node, value->code, target, NULL, -1);
    } else {
        tape_scale(b->t, target, TAPE_ONE, value->constant);
    }
}

static void build_source(builder *b, int node)
{
    const net_node *n = &b->g->node[node];
    tape *t = b->t;
    int bond = n->port[0];
    bool turned = n->kind == NET_SF && net_points_in(b->g, node, bond);
    int target = n->kind == NET_SE ? t->effort[bond] : t->flow[bond],
        plain = turned ? tape_new_variable(t) : target;
    put_value(b, node, &n->value[0], plain);
    if (turned) {
        tape_scale(t, target, plain, -1.0);
    }
    t->source_node[t->n_source] = node;
    t->source_variable[t->n_source++] = plain;
}

// The flow of a port is the next quantity from outside, whichever way its bond points.
static void build_port(builder *b, int node, int outside)
{
    tape_scale(b->t, b->t->flow[b->g->node[node].port[0]], TAPE_OUTSIDE + outside, 1.0);
}

// Dry friction: its effort is an unknown, its flow and what it can carry say which (bond.13).
static void build_hold(builder *b, int node, int *count)
{
    const net_node *n = &b->g->node[node];
    tape *t = b->t;
    int bond = n->port[0], inward = t->flow[bond], capacity = tape_new_variable(t);
    if (into(b->g, node, bond) < 0.0) {
        inward = tape_new_variable(t);
        tape_scale(t, inward, t->flow[bond], -1.0);
    }
    put_value(b, node, &n->value[0], capacity);
    tape_scale(t, t->effort[bond], tape_derivative(t, *count), 1.0);
    t->stored[*count] = inward;
    t->derivative_node[*count] = node;
    t->hold[(*count)++] = (tape_hold){ capacity, n->breakaway, n->settle, n->inertia };
}

static void build_resistor(builder *b, int node)
{
    const net_node *n = &b->g->node[node];
    tape *t = b->t;
    bool gives_flow = net_receives_effort(b->g, node, n->port[0]);
    if (n->n_port == 1) {
        int bond = n->port[0], inward = t->flow[bond];
        bool turned = into(b->g, node, bond) < 0.0;
        if (turned) {
            inward = tape_new_variable(t);
            tape_scale(t, gives_flow ? t->flow[bond] : inward, gives_flow ? inward : t->flow[bond], -1.0);
        }
        int from = gives_flow ? t->effort[bond] : inward, to = gives_flow ? inward : t->effort[bond];
        if (n->law == NET_LINEAR) {
            tape_apply(b, node, &n->value[0], to, from, gives_flow ? OP_DIVIDE : OP_MULTIPLY);
        } else {
            tape_add_law(b, node, to, gives_flow ? "e" : "f", from);
        }
        return;
    }
    double R[36];
    if (!(gives_flow ? tape_inverse(b, node, R) : tape_matrix(b, node, R))) {
        return;
    }
    for (int i = 0; i < n->n_port; i++) {
        int bond = n->port[i];
        tape_add_op(t, OP_LINEAR, gives_flow ? t->flow[bond] : t->effort[bond], NULL);
        for (int k = 0; k < n->n_port; k++) {
            int other = n->port[k];
            double sign = gives_flow ? into(b->g, node, bond) : into(b->g, node, other);
            tape_add_argument(t, gives_flow ? t->effort[other] : t->flow[other],
                              sign * R[i * n->columns + k]);
        }
    }
}

// The answer of a storage in integral form, and the rate of its states.
static void build_integral(builder *b, int node)
{
    const net_node *n = &b->g->node[node];
    tape *t = b->t;
    double inverse[36];
    bool is_field = n->n_port > 1;
    if (is_field && !tape_inverse(b, node, inverse)) {
        return;
    }
    for (int i = 0; i < n->n_port; i++) {
        int bond = n->port[i], state = tape_state_of(t, node, i);
        double sign = into(b->g, node, bond);
        int answer = n->kind == NET_I ? t->flow[bond] : t->effort[bond];
        int plain = n->kind == NET_I && sign < 0.0 ? tape_new_variable(t) : answer;
        if (is_field) {
            tape_add_op(t, OP_LINEAR, plain, NULL);
            for (int k = 0; k < n->n_port; k++) {
                tape_add_argument(t, tape_state_of(t, node, k), inverse[i * n->columns + k]);
            }
        } else if (n->law == NET_LINEAR) {
            tape_apply(b, node, &n->value[0], plain, state, OP_DIVIDE);
        } else {
            tape_add_law(b, node, plain, n->kind == NET_I ? "p" : "q", state);
        }
        if (plain != answer) {
            tape_scale(t, answer, plain, -1.0);
        }
        int rate = n->kind == NET_I ? t->effort[bond] : t->flow[bond];
        if (n->kind == NET_C && sign < 0.0) {
            rate = tape_new_variable(t);
            tape_scale(t, rate, t->flow[bond], -1.0);
        }
        t->state[state - tape_state_at(t, 0)].rate = rate;
    }
}

// What a storage in derivative form holds; its answer is the unknown rate of that.
static void build_derivative(builder *b, int node, int *count)
{
    const net_node *n = &b->g->node[node];
    tape *t = b->t;
    if (n->law != NET_LINEAR) {
        tape_complain(b, node,
                      "%s has a law of its state but is driven in derivative causality: it must be linear",
                      n->name);
        return;
    }
    double M[36];
    bool is_field = n->n_port > 1;
    if (is_field && !tape_matrix(b, node, M)) {
        return;
    }
    for (int i = 0; i < n->n_port; i++, (*count)++) {
        int bond = n->port[i], held = tape_new_variable(t);
        const int *given = n->kind == NET_I ? t->flow : t->effort;
        double sign = into(b->g, node, bond);
        if (is_field) {
            tape_add_op(t, OP_LINEAR, held, NULL);
            for (int k = 0; k < n->n_port; k++) {
                double turn = n->kind == NET_I ? into(b->g, node, n->port[k]) : 1.0;
                tape_add_argument(t, given[n->port[k]], turn * M[i * n->columns + k]);
            }
        } else {
            int inward = given[bond];
            if (n->kind == NET_I && sign < 0.0) {
                inward = tape_new_variable(t);
                tape_scale(t, inward, given[bond], -1.0);
            }
            tape_apply(b, node, &n->value[0], held, inward, OP_MULTIPLY);
        }
        int unknown = tape_derivative(t, *count);
        t->hold[*count].capacity = -1;
        t->stored[*count] = held;
        t->derivative_node[*count] = node;
        if (n->kind == NET_I) {
            tape_scale(t, t->effort[bond], unknown, 1.0);
        } else {
            tape_scale(t, t->flow[bond], unknown, sign);
        }
    }
}

static void build_gyrator(builder *b, int node, int in, int out)
{
    const net_value *r = &b->g->node[node].value[0];
    tape *t = b->t;
    if (net_receives_effort(b->g, node, in)) {
        tape_apply(b, node, r, t->flow[out], t->effort[in], OP_DIVIDE);
        tape_apply(b, node, r, t->flow[in], t->effort[out], OP_DIVIDE);
    } else {
        tape_apply(b, node, r, t->effort[in], t->flow[out], OP_MULTIPLY);
        tape_apply(b, node, r, t->effort[out], t->flow[in], OP_MULTIPLY);
    }
}

static void build_transformer(builder *b, int node, int in, int out)
{
    const net_value *n = &b->g->node[node].value[0];
    tape *t = b->t;
    bool inverse = net_receives_effort(b->g, node, in);
    tape_op_kind how = inverse ? OP_DIVIDE : OP_MULTIPLY;
    tape_apply(b, node, n, inverse ? t->effort[out] : t->effort[in], inverse ? t->effort[in] : t->effort[out],
               how);
    tape_apply(b, node, n, inverse ? t->flow[in] : t->flow[out], inverse ? t->flow[out] : t->flow[in], how);
}

// sum over k of value[k] * variable[k], one row or column of N.
static void combine(builder *b, int target, const double *factor, const int *modulus, const int *variable,
                    int count)
{
    int product[6];
    for (int k = 0; modulus && k < count; k++) {
        product[k] = tape_new_variable(b->t);
        tape_two(b->t, OP_MULTIPLY, product[k], variable[k], modulus[k]);
    }
    tape_add_op(b->t, OP_LINEAR, target, NULL);
    for (int k = 0; k < count; k++) {
        tape_add_argument(b->t, modulus ? product[k] : variable[k], modulus ? 1.0 : factor[k]);
    }
}

typedef enum { BY_MATRIX, BY_TRANSPOSE } matrix_use;

// row by row: to[i] = sum over k of N(i, k) from[k], or of N(k, i) with BY_TRANSPOSE
static void multiply(builder *b, const double *N, const int *modulus, int columns, matrix_use use,
                     const int *from, int n_from, const int *to, int n_to)
{
    for (int i = 0; i < n_to; i++) {
        double factor[6];
        int m[6];
        for (int k = 0; k < n_from; k++) {
            int entry = use == BY_TRANSPOSE ? k * columns + i : i * columns + k;
            factor[k] = N[entry];
            m[k] = modulus[entry];
        }
        combine(b, to[i], factor, modulus[0] >= 0 ? m : NULL, from, n_from);
    }
}

static void build_wide_transformer(builder *b, int node)
{
    const net_node *n = &b->g->node[node];
    tape *t = b->t;
    int in_e[6], in_f[6], out_e[6], out_f[6], n_in = 0, n_out = 0, modulus[36] = { -1 },
                                              first_in = n->port[0];
    for (int k = 0; k < n->n_port; k++) {
        int bond = n->port[k];
        if (net_points_in(b->g, node, bond)) {
            first_in = bond;
            in_e[n_in] = t->effort[bond];
            in_f[n_in++] = t->flow[bond];
        } else {
            out_e[n_out] = t->effort[bond];
            out_f[n_out++] = t->flow[bond];
        }
    }
    double N[36];
    for (int k = 0; k < n->n_value; k++) {
        N[k] = n->value[k].constant;
        if (!tape_is_constant(n)) {
            modulus[k] = tape_new_variable(t);
            put_value(b, node, &n->value[k], modulus[k]);
        }
    }
    if (!net_receives_effort(b->g, node, first_in)) {
        multiply(b, N, modulus, n_in, BY_MATRIX, in_f, n_in, out_f, n_out);    // f2 = N f1
        multiply(b, N, modulus, n_in, BY_TRANSPOSE, out_e, n_out, in_e, n_in); // e1 = N^T e2
    } else if (n->is_orthogonal) {
        multiply(b, N, modulus, n_in, BY_MATRIX, in_e, n_in, out_e, n_out);    // e2 = N e1
        multiply(b, N, modulus, n_in, BY_TRANSPOSE, out_f, n_out, in_f, n_in); // f1 = N^T f2
    } else if (tape_inverse(b, node, N)) {
        multiply(b, N, modulus, n_in, BY_MATRIX, out_f, n_out, in_f, n_in);    // f1 = N^-1 f2
        multiply(b, N, modulus, n_in, BY_TRANSPOSE, in_e, n_in, out_e, n_out); // e2 = N^-T e1
    }
}

static void build_two_port(builder *b, int node)
{
    const net_node *n = &b->g->node[node];
    bool first_in = net_points_in(b->g, node, n->port[0]);
    int in = n->port[first_in ? 0 : 1], out = n->port[first_in ? 1 : 0];
    if (n->kind == NET_GY) {
        build_gyrator(b, node, in, out);
    } else if (n->rows == 1 && n->columns == 1) {
        build_transformer(b, node, in, out);
    } else {
        build_wide_transformer(b, node);
    }
}

void tape_build_node(builder *b, int node, int *derivative, int *port)
{
    const net_node *n = &b->g->node[node];
    switch (n->kind) {
    case NET_ZERO:
    case NET_ONE: build_junction(b, node); break;
    case NET_SE:
    case NET_SF: build_source(b, node); break;
    case NET_R:
        if (n->law == NET_HOLDS) {
            build_hold(b, node, derivative);
        } else {
            build_resistor(b, node);
        }
        break;
    case NET_C:
    case NET_I:
        if (b->g->causality[node] == CAUSALITY_DERIVATIVE) {
            build_derivative(b, node, derivative);
        } else {
            build_integral(b, node);
        }
        break;
    case NET_TF:
    case NET_GY: build_two_port(b, node); break;
    case NET_PORT: build_port(b, node, (*port)++); break;
    case NET_VALUE: put_value(b, node, &n->value[0], tape_named(b->t, node)); break;
    case NET_STATE: {
        int rate = tape_new_variable(b->t), k = tape_state_of(b->t, node, -1) - tape_state_at(b->t, 0);
        put_value(b, node, &n->value[0], rate);
        b->t->state[k].rate = rate;
        break;
    }
    }
}
