// SPDX-License-Identifier: MIT
// From causal elements to assignments.
#include "laws/bond/tape.h"
#include "sparse/dense.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const net *g;
    const char *graph;
    tape *t;
    tape_lookup *lookup;
    void *ctx;
    bi_report *report;
    const net_value *last_value; // of a two-port: both of its equations read one modulus
    int last_modulus;
} builder;

// ---- growing ----------------------------------------------------------------------------------------------

static bool grow(tape *t, void **list, int needed, int *capacity, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    int larger = needed > 2 * *capacity ? needed + 16 : 2 * *capacity;
    void *moved = realloc(*list, (size_t)larger * size);
    if (!moved) {
        t->no_memory = true;
        return false;
    }
    *list = moved;
    *capacity = larger;
    return true;
}

int tape_new_variable(tape *t)
{
    if (!grow(t, (void **)&t->writer, t->n_variable + 1, &t->cap_variable, sizeof *t->writer)) {
        return 0;
    }
    t->writer[t->n_variable] = -1;
    return t->n_variable++;
}

static void add_op(tape *t, tape_op_kind kind, int target, const expr *code)
{
    if (!grow(t, (void **)&t->op, t->n_op + 1, &t->cap_op, sizeof *t->op)) {
        return;
    }
    t->op[t->n_op] = (tape_op){ kind, target, t->n_argument, 0, code };
    t->writer[target] = t->n_op++;
}

static void add_argument(tape *t, int variable, double factor)
{
    int capacity = t->cap_argument;
    if (!grow(t, (void **)&t->argument, t->n_argument + 1, &capacity, sizeof *t->argument) ||
        !grow(t, (void **)&t->factor, t->n_argument + 1, &t->cap_argument, sizeof *t->factor) ||
        t->no_memory) {
        return;
    }
    t->argument[t->n_argument] = variable;
    t->factor[t->n_argument++] = factor;
    t->op[t->n_op - 1].count++;
}

static void scale(tape *t, int target, int variable, double factor)
{
    add_op(t, OP_LINEAR, target, NULL);
    add_argument(t, variable, factor);
}

static void two(tape *t, tape_op_kind kind, int target, int a, int b)
{
    add_op(t, kind, target, NULL);
    add_argument(t, a, 1.0);
    add_argument(t, b, 1.0);
}

static void complain(builder *b, int node, const char *what, const char *name)
{
    char where[160];
    snprintf(where, sizeof where, "graphs.%s.%s", b->graph, b->g->node[node].name);
    bi_report_add(b->report, BI_ERROR, BI_BAD_MODEL, b->g->node[node].place, where, what, name);
}

// Once per node and name: a matrix reads it in every one of its expressions. `full`: what a `bind` makes of the name.
static void complain_of_name(builder *b, int node, const char *plain, const char *full)
{
    char said[2 * NET_NAME], where[160];
    bool is_bound = strcmp(plain, full) != 0;
    snprintf(said, sizeof said, is_bound ? "%s', which 'bind' makes '%s" : "%s", plain, full);
    snprintf(where, sizeof where, "graphs.%s.%s", b->graph, b->g->node[node].name);
    for (int k = 0; b->report && k < b->report->count; k++) {
        const bi_issue *i = &b->report->issue[k];
        if (strcmp(i->where, where) == 0 && i->what[0] == '\'' &&
            strncmp(i->what + 1, said, strlen(said)) == 0) {
            return;
        }
    }
    complain(b, node, "'%s' is neither of the graph nor of the model", said);
}

// ---- names ------------------------------------------------------------------------------------------------

static int state_of(const tape *t, int node, int port)
{
    for (int k = 0; k < t->n_state; k++) {
        if (t->state[k].node == node && (port < 0 || t->state[k].port == port)) {
            return tape_state_at(t, k);
        }
    }
    return -1;
}

// Effort of an element or junction is that of its first bond; flow counts into an element with one bond.
static int find(const tape *t, const net *g, const char *name, double *sign)
{
    int port;
    char letter;
    int n = net_variable(g, name, &port, &letter);
    *sign = 1.0;
    if (n < 0 || letter == '\0') {
        return n < 0 ? -1 : state_of(t, n, -1);
    }
    const net_node *node = &g->node[n];
    if (letter == (node->kind == NET_I ? 'p' : 'q') && (node->kind == NET_I || node->kind == NET_C)) {
        return state_of(t, n, port);
    }
    if (letter == 'e' && port < node->n_port && node->kind != NET_ONE) {
        return t->effort[node->port[port]];
    }
    if (letter == 'f' && port < node->n_port && node->kind != NET_ZERO) {
        bool in = net_points_in(g, n, node->port[port]) || node->kind == NET_ONE;
        bool gives = node->kind == NET_SE || node->kind == NET_SF || node->kind == NET_PORT;
        *sign = in != gives ? 1.0 : -1.0;
        return t->flow[node->port[port]];
    }
    return -1;
}

int tape_find(const tape *t, const net *g, const char *name)
{
    double sign;
    return find(t, g, name, &sign);
}

// ---- values -----------------------------------------------------------------------------------------------

// own: the variable that plain "e", "f", "p" or "q" stands for in a law; -1: none.
static void add_expression(builder *b, int node, const expr *code, int target, const char *own,
                           int own_variable)
{
    tape *t = b->t;
    int count = expr_variable_count(code);
    int variable[TAPE_MOST_ARGUMENTS];
    if (count > TAPE_MOST_ARGUMENTS) {
        complain(b, node, "the value of %s reads too many names: write part of it as a signal",
                 b->g->node[node].name);
        count = 0;
    }
    for (int k = 0; k < count; k++) {
        const char *name = expr_variable_name(code, k);
        double sign = 1.0;
        bool is_own = own && strcmp(net_plain(b->g, name), own) == 0;
        char full[NET_NAME];
        bool is_of_graph = net_resolve(b->g, node, name, full);
        variable[k] = is_own ? own_variable : is_of_graph ? find(t, b->g, full, &sign) : -1;
        if (variable[k] < 0) {
            int outside = b->lookup ? b->lookup(b->ctx, full) : -1;
            variable[k] = strcmp(full, "t") == 0 ? TAPE_T : outside < 0 ? -1 : TAPE_OUTSIDE + outside;
        }
        if (variable[k] < 0) {
            complain_of_name(b, node, net_plain(b->g, name), net_plain(b->g, full));
            variable[k] = TAPE_T;
        }
        if (sign < 0.0) {
            int turned = tape_new_variable(t);
            scale(t, turned, variable[k], -1.0);
            variable[k] = turned;
        }
    }
    add_op(t, OP_EXPRESSION, target, code);
    for (int k = 0; k < count; k++) {
        add_argument(t, variable[k], 1.0);
    }
}

// target = value * variable, or variable / value.
static void apply(builder *b, int node, const net_value *value, int target, int variable, bool divide)
{
    if (!value->code) {
        scale(b->t, target, variable, divide ? 1.0 / value->constant : value->constant);
        return;
    }
    if (b->last_value != value) {
        b->last_value = value;
        b->last_modulus = tape_new_variable(b->t);
        add_expression(b, node, value->code, b->last_modulus, NULL, -1);
    }
    int modulus = b->last_modulus;
    two(b->t, divide ? OP_DIVIDE : OP_MULTIPLY, target, variable, modulus);
}

// The law of an R, C or I of its own variable; a constant one needs none.
static void add_law(builder *b, int node, int target, const char *own, int own_variable)
{
    const net_value *value = &b->g->node[node].value[0];
    if (value->code) {
        add_expression(b, node, value->code, target, own, own_variable);
    } else {
        scale(b->t, target, TAPE_ONE, value->constant);
    }
}

static bool is_constant(const net_node *n)
{
    for (int k = 0; k < n->n_value; k++) {
        if (n->value[k].code) {
            return false;
        }
    }
    return true;
}

// The matrix of a field or transformer, or its inverse; false: it has none.
static bool matrix(builder *b, int node, bool inverse, double *out)
{
    const net_node *n = &b->g->node[node];
    int size = n->rows;
    if (!is_constant(n) || n->rows != n->columns) {
        complain(b, node, "%s would have to be inverted: give it the other causality, or constant numbers",
                 n->name);
        return false;
    }
    for (int k = 0; k < n->n_value; k++) {
        out[k] = n->value[k].constant;
    }
    if (!inverse) {
        return true;
    }
    double copy[36], column[6], result[36];
    for (int c = 0; c < size; c++) {
        memcpy(copy, out, (size_t)(size * size) * sizeof *copy);
        memset(column, 0, sizeof column);
        column[c] = 1.0;
        if (!dense_solve(size, copy, column)) {
            complain(b, node, "the matrix of %s is singular", n->name);
            return false;
        }
        for (int r = 0; r < size; r++) {
            result[r * size + c] = column[r];
        }
    }
    memcpy(out, result, (size_t)(size * size) * sizeof *out);
    return true;
}

// ---- elements ---------------------------------------------------------------------------------------------

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
    add_op(b->t, OP_LINEAR, summed[decided], NULL);
    for (int k = 0; k < n->n_port; k++) {
        if (n->port[k] != decided) {
            add_argument(b->t, summed[n->port[k]], -into(b->g, node, decided) * into(b->g, node, n->port[k]));
        }
    }
    for (int k = 0; k < n->n_port; k++) {
        if (n->port[k] != decided) {
            scale(b->t, common[n->port[k]], common[decided], 1.0);
        }
    }
}

static void put_value(builder *b, int node, const net_value *value, int target)
{
    if (value->code) {
        add_expression(b, node, value->code, target, NULL, -1);
    } else {
        scale(b->t, target, TAPE_ONE, value->constant);
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
        scale(t, target, plain, -1.0);
    }
    t->source_node[t->n_source] = node;
    t->source_variable[t->n_source++] = plain;
}

// The flow of a port is the next quantity from outside, whichever way its bond points.
static void build_port(builder *b, int node, int outside)
{
    scale(b->t, b->t->flow[b->g->node[node].port[0]], TAPE_OUTSIDE + outside, 1.0);
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
            scale(t, gives_flow ? t->flow[bond] : inward, gives_flow ? inward : t->flow[bond], -1.0);
        }
        int from = gives_flow ? t->effort[bond] : inward, to = gives_flow ? inward : t->effort[bond];
        if (n->law == NET_LINEAR) {
            apply(b, node, &n->value[0], to, from, gives_flow);
        } else {
            add_law(b, node, to, gives_flow ? "e" : "f", from);
        }
        return;
    }
    double R[36];
    if (!matrix(b, node, gives_flow, R)) {
        return;
    }
    for (int i = 0; i < n->n_port; i++) {
        int bond = n->port[i];
        add_op(t, OP_LINEAR, gives_flow ? t->flow[bond] : t->effort[bond], NULL);
        for (int k = 0; k < n->n_port; k++) {
            int other = n->port[k];
            double sign = gives_flow ? into(b->g, node, bond) : into(b->g, node, other);
            add_argument(t, gives_flow ? t->effort[other] : t->flow[other], sign * R[i * n->columns + k]);
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
    if (is_field && !matrix(b, node, true, inverse)) {
        return;
    }
    for (int i = 0; i < n->n_port; i++) {
        int bond = n->port[i], state = state_of(t, node, i);
        double sign = into(b->g, node, bond);
        int answer = n->kind == NET_I ? t->flow[bond] : t->effort[bond];
        int plain = n->kind == NET_I && sign < 0.0 ? tape_new_variable(t) : answer;
        if (is_field) {
            add_op(t, OP_LINEAR, plain, NULL);
            for (int k = 0; k < n->n_port; k++) {
                add_argument(t, state_of(t, node, k), inverse[i * n->columns + k]);
            }
        } else if (n->law == NET_LINEAR) {
            apply(b, node, &n->value[0], plain, state, true);
        } else {
            add_law(b, node, plain, n->kind == NET_I ? "p" : "q", state);
        }
        if (plain != answer) {
            scale(t, answer, plain, -1.0);
        }
        int rate = n->kind == NET_I ? t->effort[bond] : t->flow[bond];
        if (n->kind == NET_C && sign < 0.0) {
            rate = tape_new_variable(t);
            scale(t, rate, t->flow[bond], -1.0);
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
        complain(b, node,
                 "%s has a law of its state but is driven in derivative causality: it must be linear",
                 n->name);
        return;
    }
    double M[36];
    bool is_field = n->n_port > 1;
    if (is_field && !matrix(b, node, false, M)) {
        return;
    }
    for (int i = 0; i < n->n_port; i++, (*count)++) {
        int bond = n->port[i], held = tape_new_variable(t);
        const int *given = n->kind == NET_I ? t->flow : t->effort;
        double sign = into(b->g, node, bond);
        if (is_field) {
            add_op(t, OP_LINEAR, held, NULL);
            for (int k = 0; k < n->n_port; k++) {
                double turn = n->kind == NET_I ? into(b->g, node, n->port[k]) : 1.0;
                add_argument(t, given[n->port[k]], turn * M[i * n->columns + k]);
            }
        } else {
            int inward = given[bond];
            if (n->kind == NET_I && sign < 0.0) {
                inward = tape_new_variable(t);
                scale(t, inward, given[bond], -1.0);
            }
            apply(b, node, &n->value[0], held, inward, false);
        }
        int unknown = tape_derivative(t, *count);
        t->stored[*count] = held;
        t->derivative_node[*count] = node;
        if (n->kind == NET_I) {
            scale(t, t->effort[bond], unknown, 1.0);
        } else {
            scale(t, t->flow[bond], unknown, sign);
        }
    }
}

static void build_gyrator(builder *b, int node, int in, int out)
{
    const net_value *r = &b->g->node[node].value[0];
    tape *t = b->t;
    if (net_receives_effort(b->g, node, in)) {
        apply(b, node, r, t->flow[out], t->effort[in], true);
        apply(b, node, r, t->flow[in], t->effort[out], true);
    } else {
        apply(b, node, r, t->effort[in], t->flow[out], false);
        apply(b, node, r, t->effort[out], t->flow[in], false);
    }
}

static void build_transformer(builder *b, int node, int in, int out)
{
    const net_value *n = &b->g->node[node].value[0];
    tape *t = b->t;
    bool inverse = net_receives_effort(b->g, node, in);
    apply(b, node, n, inverse ? t->effort[out] : t->effort[in], inverse ? t->effort[in] : t->effort[out],
          inverse);
    apply(b, node, n, inverse ? t->flow[in] : t->flow[out], inverse ? t->flow[out] : t->flow[in], inverse);
}

// sum over k of value[k] * variable[k], one row or column of N.
static void combine(builder *b, int target, const double *factor, const int *modulus, const int *variable,
                    int count)
{
    int product[6];
    for (int k = 0; modulus && k < count; k++) {
        product[k] = tape_new_variable(b->t);
        two(b->t, OP_MULTIPLY, product[k], variable[k], modulus[k]);
    }
    add_op(b->t, OP_LINEAR, target, NULL);
    for (int k = 0; k < count; k++) {
        add_argument(b->t, modulus ? product[k] : variable[k], modulus ? 1.0 : factor[k]);
    }
}

// row by row: to[i] = sum over k of N(i, k) from[k], or of N(k, i) with `transposed`
static void multiply(builder *b, const double *N, const int *modulus, int columns, bool transposed,
                     const int *from, int n_from, const int *to, int n_to)
{
    for (int i = 0; i < n_to; i++) {
        double factor[6];
        int m[6];
        for (int k = 0; k < n_from; k++) {
            int entry = transposed ? k * columns + i : i * columns + k;
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
        if (!is_constant(n)) {
            modulus[k] = tape_new_variable(t);
            put_value(b, node, &n->value[k], modulus[k]);
        }
    }
    if (!net_receives_effort(b->g, node, first_in)) {
        multiply(b, N, modulus, n_in, false, in_f, n_in, out_f, n_out); // f2 = N f1
        multiply(b, N, modulus, n_in, true, out_e, n_out, in_e, n_in);  // e1 = N^T e2
    } else if (n->is_orthogonal) {
        multiply(b, N, modulus, n_in, false, in_e, n_in, out_e, n_out); // e2 = N e1
        multiply(b, N, modulus, n_in, true, out_f, n_out, in_f, n_in);  // f1 = N^T f2
    } else if (matrix(b, node, true, N)) {
        multiply(b, N, modulus, n_in, false, out_f, n_out, in_f, n_in); // f1 = N^-1 f2
        multiply(b, N, modulus, n_in, true, in_e, n_in, out_e, n_out);  // e2 = N^-T e1
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

// ---- the whole --------------------------------------------------------------------------------------------

static void name_state(tape_state *s, const net_node *n, int port)
{
    const char *letter = n->kind == NET_I ? ".p" : n->kind == NET_C ? ".q" : "";
    if (n->n_port > 1) {
        snprintf(s->name, sizeof s->name, "%.60s%s%d", n->name, letter, port + 1);
    } else {
        snprintf(s->name, sizeof s->name, "%.60s%s", n->name, letter);
    }
}

// M#1 and M#2 are components of one node, as are the ports of a field.
static bool is_same_vector(const net *g, const tape_state *a, const tape_state *b)
{
    const char *one = g->node[a->node].name, *two = g->node[b->node].name;
    const char *end = strrchr(one, '#');
    return a->node == b->node || (end && strncmp(one, two, (size_t)(end - one) + 1) == 0 &&
                                  g->node[a->node].kind == g->node[b->node].kind);
}

// How many states and derivative storages there are, and their lists.
static bool count_states(builder *b)
{
    const net *g = b->g;
    tape *t = b->t;
    int most = 1;
    for (int n = 0; n < g->n_node; n++) {
        most += g->node[n].n_port + 1;
    }
    t->state = calloc((size_t)most, sizeof *t->state);
    t->stored = calloc((size_t)most, sizeof *t->stored);
    t->derivative_node = calloc((size_t)most, sizeof *t->derivative_node);
    t->source_node = calloc((size_t)most, sizeof *t->source_node);
    t->source_variable = calloc((size_t)most, sizeof *t->source_variable);
    t->effort = calloc((size_t)g->n_bond + 1, sizeof *t->effort);
    t->flow = calloc((size_t)g->n_bond + 1, sizeof *t->flow);
    if (!t->state || !t->stored || !t->derivative_node || !t->source_node || !t->source_variable ||
        !t->effort || !t->flow) {
        return false;
    }
    for (int n = 0; n < g->n_node; n++) {
        const net_node *node = &g->node[n];
        bool is_storage = node->kind == NET_I || node->kind == NET_C;
        if (is_storage && g->causality[n] == CAUSALITY_DERIVATIVE) {
            t->n_derivative += node->n_port;
            continue;
        }
        int count = node->kind == NET_STATE ? 1 : is_storage ? node->n_port : 0;
        for (int k = 0; k < count; k++) {
            tape_state *s = &t->state[t->n_state++];
            *s =
                (tape_state){ .node = n, .port = node->kind == NET_STATE ? -1 : k, .initial = node->initial };
            name_state(s, node, k);
            s->is_next = t->n_state > 1 && is_same_vector(g, s, s - 1);
        }
    }
    return true;
}

static void build_node(builder *b, int node, int *derivative, int *port)
{
    const net_node *n = &b->g->node[node];
    switch (n->kind) {
    case NET_ZERO:
    case NET_ONE: build_junction(b, node); break;
    case NET_SE:
    case NET_SF: build_source(b, node); break;
    case NET_R: build_resistor(b, node); break;
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
    case NET_STATE: {
        int rate = tape_new_variable(b->t), k = state_of(b->t, node, -1) - tape_state_at(b->t, 0);
        put_value(b, node, &n->value[0], rate);
        b->t->state[k].rate = rate;
        break;
    }
    }
}

static void build_all(builder *b)
{
    tape *t = b->t;
    int first = tape_derivative(t, t->n_derivative);
    for (int k = 0; k < first; k++) {
        tape_new_variable(t);
    }
    for (int k = 0; k < b->g->n_bond; k++) {
        t->effort[k] = tape_new_variable(t);
        t->flow[k] = tape_new_variable(t);
    }
    int derivative = 0, port = 0;
    for (int n = 0; n < b->g->n_node && !t->no_memory; n++) {
        build_node(b, n, &derivative, &port);
    }
    t->is_linear = true;
    for (int k = 0; k < t->n_op; k++) {
        t->is_linear &= t->op[k].kind == OP_LINEAR;
    }
}

bool tape_create(const net *g, const char *graph, int n_outside, tape_lookup *lookup, void *ctx, tape *out,
                 bi_report *report)
{
    *out = (tape){ .n_outside = n_outside };
    builder b = { g, graph, out, lookup, ctx, report, NULL, -1 };
    int errors = report->errors;
    bool ok = count_states(&b);
    if (ok) {
        build_all(&b);
        ok = !out->no_memory && report->errors == errors && tape_order(out, g->n_bond);
    }
    if (!ok && report->errors == errors) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    }
    if (!ok) {
        tape_clear(out);
    }
    return ok;
}

void tape_clear(tape *t)
{
    free(t->op);
    free(t->argument);
    free(t->factor);
    free(t->state);
    free(t->torn);
    free(t->torn_source);
    free(t->stored);
    free(t->derivative_node);
    free(t->effort);
    free(t->flow);
    free(t->source_variable);
    free(t->source_node);
    free(t->writer);
    *t = (tape){ 0 };
}
