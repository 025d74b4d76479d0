// SPDX-License-Identifier: MIT
#include "laws/bond/symbols.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A product of names over a product of names, with a sign. Longer ones than fit stay as the name of their variable.
enum { TEXT = 160, MOST_TERMS = 24, MOST_TEXTS = 4096 };
typedef struct {
    double sign; // or a number
    char over[TEXT], under[TEXT];
} term;
typedef struct {
    int n;
    term term[MOST_TERMS];
    bool is_full; // more terms than fit
} sum;

typedef enum { VARIABLE_EFFORT, VARIABLE_FLOW } variable_kind;
struct symbols {
    const net *g;
    bool *is_open; // (2 n_bond) being substituted
    bool *is_loop; // (2 n_bond) stays as a name
    int loop[64], n_loop;
    char *text[MOST_TEXTS];
    int n_text;
};

// How a variable that stands in a circle, or has too many terms, is written.
typedef enum { PUT_TERMS, PUT_NAME } put_as;

static void put(symbols *s, variable_kind kind, int bond, put_as as, sum *out);

symbols *symbols_create(const net *g)
{
    symbols *s = calloc(1, sizeof *s);
    bool *marks = calloc(4 * (size_t)g->n_bond + 1, sizeof *marks);
    if (!s || !marks) {
        free(s);
        free(marks);
        return NULL;
    }
    s->g = g;
    s->is_open = marks;
    s->is_loop = marks + 2 * g->n_bond;
    return s;
}

void symbols_destroy(symbols *s)
{
    for (int k = 0; s && k < s->n_text; k++) {
        free(s->text[k]);
    }
    if (s) {
        free(s->is_open);
    }
    free(s);
}

// ---- sums ---------------------------------------------------------------------------------------------------------

static bool append(char *to, const char *name)
{
    size_t used = strlen(to), more = strlen(name);
    if (used + more + 2 > TEXT) {
        return false;
    }
    snprintf(to + used, TEXT - used, "%s%s", used > 0 ? "*" : "", name);
    return true;
}

static void add_term(sum *to, const term *t)
{
    for (int k = 0; k < to->n; k++) {
        term *old = &to->term[k];
        if (strcmp(old->over, t->over) == 0 && strcmp(old->under, t->under) == 0) {
            old->sign += t->sign;
            if (old->sign == 0.0) {
                *old = to->term[--to->n];
            }
            return;
        }
    }
    if (to->n == MOST_TERMS) {
        to->is_full = true;
        return;
    }
    to->term[to->n++] = *t;
}

static void add_sum(sum *to, double factor, const sum *from)
{
    to->is_full |= from->is_full;
    for (int k = 0; k < from->n; k++) {
        term t = from->term[k];
        t.sign *= factor;
        add_term(to, &t);
    }
}

static void add_name(sum *to, double factor, const char *name)
{
    term t = { .sign = factor };
    to->is_full |= !append(t.over, name);
    add_term(to, &t);
}

// Takes one factor out of a product "a*b*c"; false: it is not there.
static bool cancel(char *product, const char *name)
{
    size_t length = strlen(name);
    for (char *p = product; (p = strstr(p, name)); p += length) {
        bool starts = p == product || p[-1] == '*', ends = p[length] == '\0' || p[length] == '*';
        if (starts && ends) {
            char *rest = p + length + (p[length] == '*');
            char *from = *rest == '\0' && p > product ? p - 1 : p;
            memmove(from, rest, strlen(rest) + 1);
            return true;
        }
    }
    return false;
}

static void multiply(sum *x, const char *name)
{
    for (int k = 0; k < x->n; k++) {
        term *t = &x->term[k];
        x->is_full |= !cancel(t->under, name) && !append(t->over, name);
    }
}

static void divide(sum *x, const char *name)
{
    for (int k = 0; k < x->n; k++) {
        term *t = &x->term[k];
        x->is_full |= !cancel(t->over, name) && !append(t->under, name);
    }
}

// ---- elements -----------------------------------------------------------------------------------------------------

static void name_of_bond(const symbols *s, variable_kind kind, int bond, char *out, size_t size)
{
    const net *g = s->g;
    const net_bond *b = &g->bond[bond];
    const char letter = kind == VARIABLE_EFFORT ? 'e' : 'f';
    bool of_to = g->node[b->to].n_port == 1, of_from = g->node[b->from].n_port == 1;
    if (of_to || of_from) {
        snprintf(out, size, "%.60s.%c", g->node[of_to ? b->to : b->from].name, letter);
    } else {
        char name[180];
        net_bond_name(g, bond, name, sizeof name);
        snprintf(out, size, "%c(%.110s)", letter, name);
    }
}

static double into(const net *g, int node, int bond) { return net_points_in(g, node, bond) ? 1.0 : -1.0; }

static int port_number(const net_node *n, int bond)
{
    int k = 0;
    while (k < n->n_port && n->port[k] != bond) {
        k++;
    }
    return k;
}

static void state_name(const net_node *n, int port, char *out, size_t size)
{
    const char letter = n->kind == NET_I ? 'p' : 'q';
    if (n->n_port > 1) {
        snprintf(out, size, "%.60s.%c%d", n->name, letter, port + 1);
    } else {
        snprintf(out, size, "%.60s.%c", n->name, letter);
    }
}

static void entry_name(const net_node *n, const char *suffix, int row, int column, char *out, size_t size)
{
    snprintf(out, size, "%.60s%s[%d,%d]", n->name, suffix, row + 1, column + 1);
}

// A law as "name(argument)", where the argument is short; else of the variable's name.
static void apply_law(const net_node *n, const sum *argument, const char *plain, sum *out)
{
    char text[TEXT];
    const term *only = argument->n == 1 ? &argument->term[0] : NULL;
    bool is_short =
        only && !argument->is_full && only->sign == 1.0 && only->under[0] == '\0' && strlen(only->over) < 60;
    snprintf(text, sizeof text, "%.60s(%.60s)", n->name, is_short ? only->over : plain);
    add_name(out, 1.0, text);
}

static void put_resistor(symbols *s, variable_kind kind, int node, int bond, sum *out)
{
    const net *g = s->g;
    const net_node *n = &g->node[node];
    variable_kind other = kind == VARIABLE_EFFORT ? VARIABLE_FLOW : VARIABLE_EFFORT;
    for (int k = 0; k < n->n_port; k++) {
        sum x = { 0 };
        char name[TEXT];
        // flows count inwards
        double sign = kind == VARIABLE_EFFORT ? into(g, node, n->port[k]) : into(g, node, bond);
        put(s, other, n->port[k], PUT_NAME, &x);
        if (n->law != NET_LINEAR) {
            sum law = { 0 };
            name_of_bond(s, other, n->port[k], name, sizeof name);
            apply_law(n, &x, name, &law);
            add_sum(out, sign, &law);
            return;
        }
        if (n->n_port == 1) {
            (kind == VARIABLE_FLOW ? divide : multiply)(&x, n->name);
        } else {
            entry_name(n, kind == VARIABLE_FLOW ? "^-1" : "", port_number(n, bond), k, name, sizeof name);
            multiply(&x, name);
        }
        add_sum(out, sign, &x);
    }
}

static void put_integral(const symbols *s, int node, int bond, sum *out)
{
    const net_node *n = &s->g->node[node];
    double sign = n->kind == NET_I ? into(s->g, node, bond) : 1.0;
    for (int k = 0; k < n->n_port; k++) {
        sum x = { 0 };
        char name[TEXT];
        state_name(n, n->n_port > 1 ? k : 0, name, sizeof name);
        add_name(&x, 1.0, name);
        if (n->law != NET_LINEAR) {
            sum law = { 0 };
            apply_law(n, &x, name, &law);
            add_sum(out, sign, &law);
            return;
        }
        if (n->n_port == 1) {
            divide(&x, n->name);
        } else {
            entry_name(n, "^-1", port_number(n, bond), k, name, sizeof name);
            multiply(&x, name);
        }
        add_sum(out, sign, &x);
    }
}

// The rate of what a storage in derivative form holds stays as a name: its equation is told beside.
static void put_derivative(const symbols *s, int node, int bond, sum *out)
{
    const net_node *n = &s->g->node[node];
    char name[TEXT], text[TEXT];
    state_name(n, port_number(n, bond), name, sizeof name);
    snprintf(text, sizeof text, "d(%.80s)/dt", name);
    add_name(out, n->kind == NET_I ? 1.0 : into(s->g, node, bond), text);
}

static void put_junction(symbols *s, variable_kind kind, int node, int bond, sum *out)
{
    const net *g = s->g;
    const net_node *n = &g->node[node];
    bool is_zero = n->kind == NET_ZERO, is_common = is_zero == (kind == VARIABLE_EFFORT);
    for (int k = 0; k < n->n_port; k++) {
        int b = n->port[k];
        if (b == bond || (is_common && net_receives_effort(g, node, b) != is_zero)) {
            continue;
        }
        sum x = { 0 };
        put(s, kind, b, PUT_NAME, &x);
        add_sum(out, is_common ? 1.0 : -into(g, node, bond) * into(g, node, b), &x);
        if (is_common) {
            return;
        }
    }
}

static void put_two_port(symbols *s, variable_kind kind, int node, int bond, sum *out)
{
    const net *g = s->g;
    const net_node *n = &g->node[node];
    bool in = net_points_in(g, node, bond);
    variable_kind other = kind == VARIABLE_EFFORT ? VARIABLE_FLOW : VARIABLE_EFFORT;
    int own = 0, across = 0;
    for (int k = 0; k < n->n_port; k++) {
        own += net_points_in(g, node, n->port[k]) == in && n->port[k] < bond;
    }
    for (int k = 0; k < n->n_port; k++) {
        if (net_points_in(g, node, n->port[k]) == in) {
            continue;
        }
        sum x = { 0 };
        put(s, n->kind == NET_GY ? other : kind, n->port[k], PUT_NAME, &x);
        if (n->n_port == 2) {
            // e1 = n e2, f2 = n f1; e1 = r f2, e2 = r f1
            bool is_inverse = n->kind == NET_GY ? kind == VARIABLE_FLOW : (kind == VARIABLE_EFFORT) != in;
            (is_inverse ? divide : multiply)(&x, n->name);
        } else {
            char name[TEXT];
            bool plain = (kind == VARIABLE_EFFORT) == in; // by N^T or N, else by the inverse
            int row = in ? across : own, column = in ? own : across;
            entry_name(n, plain ? "" : "^-1", plain ? row : column, plain ? column : row, name, sizeof name);
            multiply(&x, name);
        }
        across++;
        add_sum(out, 1.0, &x);
    }
}

static void put_given(symbols *s, variable_kind kind, int node, int bond, sum *out)
{
    const net_node *n = &s->g->node[node];
    char name[TEXT];
    switch (n->kind) {
    case NET_SE: add_name(out, 1.0, n->name); break;
    case NET_SF: add_name(out, net_points_in(s->g, node, bond) ? -1.0 : 1.0, n->name); break;
    case NET_PORT:
        snprintf(name, sizeof name, "%.60s.f", n->name);
        add_name(out, 1.0, name);
        break;
    case NET_R: put_resistor(s, kind, node, bond, out); break;
    case NET_C:
    case NET_I:
        if (s->g->causality[node] == CAUSALITY_DERIVATIVE) {
            put_derivative(s, node, bond, out);
        } else {
            put_integral(s, node, bond, out);
        }
        break;
    case NET_ZERO:
    case NET_ONE: put_junction(s, kind, node, bond, out); break;
    case NET_TF:
    case NET_GY: put_two_port(s, kind, node, bond, out); break;
    case NET_STATE:
    case NET_VALUE: break;
    }
}

static void put(symbols *s, variable_kind kind, int bond, put_as as, sum *out)
{
    const net_bond *b = &s->g->bond[bond];
    int id = 2 * bond + (int)kind;
    char name[TEXT];
    name_of_bond(s, kind, bond, name, sizeof name);
    if (s->is_open[id] && !s->is_loop[id] && s->n_loop < 64) {
        s->is_loop[id] = true;
        s->loop[s->n_loop++] = id;
    }
    if (s->is_open[id] || (as == PUT_NAME && s->is_loop[id])) {
        add_name(out, 1.0, name);
        return;
    }
    s->is_open[id] = true;
    sum x = { 0 };
    int receiver = b->stroke == STROKE_TO ? b->to : b->from, giver = b->stroke == STROKE_TO ? b->from : b->to;
    put_given(s, kind, kind == VARIABLE_EFFORT ? giver : receiver, bond, &x);
    s->is_open[id] = false;
    if (x.is_full && as == PUT_NAME) {
        x = (sum){ 0 };
        add_name(&x, 1.0, name);
    }
    add_sum(out, 1.0, &x);
}

// ---- texts --------------------------------------------------------------------------------------------------------

static const char *keep(symbols *s, const sum *x, const char *left)
{
    size_t size = strlen(left) + 8 + (size_t)(x->n + 1) * (2 * TEXT + 40), used;
    char *text = s->n_text < MOST_TEXTS ? malloc(size) : NULL;
    if (!text) {
        return "";
    }
    used = (size_t)snprintf(text, size, "%s", left);
    for (int k = 0; k < x->n; k++) {
        const term *t = &x->term[k];
        double number = fabs(t->sign);
        used += (size_t)snprintf(text + used, size - used, "%s",
                                 t->sign < 0.0 ? (k > 0 ? " - " : "-")
                                 : k > 0       ? " + "
                                               : "");
        if (number != 1.0) {
            used += (size_t)snprintf(text + used, size - used, "%g*", number);
        }
        used += (size_t)snprintf(text + used, size - used, "%s", t->over[0] ? t->over : "1");
        bool is_product = strchr(t->under, '*') != NULL;
        if (t->under[0]) {
            used += (size_t)snprintf(text + used, size - used, is_product ? "/(%s)" : "/%s", t->under);
        }
    }
    snprintf(text + used, size - used, "%s%s", x->n == 0 ? "0" : "", x->is_full ? " + ..." : "");
    return s->text[s->n_text++] = text;
}

// A variable found to stand in a circle may have been substituted before that was known: once more.
static const char *settle(symbols *s, variable_kind kind, int bond, double sign, const char *left)
{
    sum x, all;
    int before;
    do {
        before = s->n_loop;
        x = (sum){ 0 };
        put(s, kind, bond, PUT_TERMS, &x);
    } while (s->n_loop > before);
    all = (sum){ 0 };
    add_sum(&all, sign, &x);
    return keep(s, &all, left);
}

const char *symbols_effort(symbols *s, int bond) { return settle(s, VARIABLE_EFFORT, bond, 1.0, ""); }
const char *symbols_flow(symbols *s, int bond) { return settle(s, VARIABLE_FLOW, bond, 1.0, ""); }

const char *symbols_rate(symbols *s, int node, int port)
{
    const net_node *n = &s->g->node[node];
    int bond = n->port[port];
    return n->kind == NET_I ? symbols_effort(s, bond)
                            : settle(s, VARIABLE_FLOW, bond, into(s->g, node, bond), "");
}

int symbols_loop_count(const symbols *s) { return s->n_loop; }

const char *symbols_loop(symbols *s, int k)
{
    int id = s->loop[k];
    char name[TEXT], left[TEXT + 4];
    name_of_bond(s, (variable_kind)(id % 2), id / 2, name, sizeof name);
    snprintf(left, sizeof left, "%s = ", name);
    return settle(s, (variable_kind)(id % 2), id / 2, 1.0, left);
}
