// SPDX-License-Identifier: MIT
// From the order of the text to straight code: what is equal is computed once, what has no effect is left out.
#include <stdlib.h>
#include <string.h>

#include "math/expr/expr_code.h"

typedef struct {
    expr_op op;
    int a[3];     // operands, earlier nodes
    double value; // of a constant; number of a variable
    int index;    // register, once it has one
    bool is_tame; // a number whenever its variables are
    bool is_read;
} node;

typedef struct {
    node *item;
    int count;
    const expr *of; // whose callees are called
} graph;

// ---- nodes ------------------------------------------------------------------------------------------------

static bool is_same(const node *x, const node *y)
{
    return x->op == y->op && x->index == y->index && memcmp(x->a, y->a, sizeof x->a) == 0 &&
           memcmp(&x->value, &y->value, sizeof x->value) == 0;
}

static int put(graph *g, node n)
{
    for (int k = 0; k < g->count; k++) {
        if (is_same(&g->item[k], &n)) {
            return k;
        }
    }
    g->item[g->count] = n;
    return g->count++;
}

static int put_constant(graph *g, double value)
{
    return put(g, (node){ .op = EXPR_OP_CONSTANT, .value = value, .is_tame = value - value == 0.0 });
}

static bool is_constant(const graph *g, int k, double *value)
{
    *value = g->item[k].value;
    return g->item[k].op == EXPR_OP_CONSTANT;
}

static bool is_number(const graph *g, int k, double value)
{
    return g->item[k].op == EXPR_OP_CONSTANT && g->item[k].value == value;
}

// Whether the operation gives a number for any numbers.
static bool op_is_tame(const graph *g, expr_op op, const int *a)
{
    double v;
    switch (op) {
    case EXPR_OP_TAN:
    case EXPR_OP_ASIN:
    case EXPR_OP_ACOS:
    case EXPR_OP_EXP:
    case EXPR_OP_LOG:
    case EXPR_OP_LOG10:
    case EXPR_OP_SQRT:
    case EXPR_OP_SINH:
    case EXPR_OP_COSH:
    case EXPR_OP_TABLE:
    case EXPR_OP_MAP:
    case EXPR_OP_SMOOTH: return false;
    case EXPR_OP_DIVIDE:
    case EXPR_OP_MOD: return is_constant(g, a[1], &v) && v != 0.0;
    case EXPR_OP_POWER: return is_constant(g, a[1], &v) && v >= 0.0 && v <= 4.0 && v == (double)(int)v;
    default: return true;
    }
}

static int put_op(graph *g, expr_op op, const int *a)
{
    node n = { .op = op, .is_tame = op_is_tame(g, op, a) };
    for (int k = 0; k < expr_op_arity(op); k++) {
        n.a[k] = a[k];
        n.is_tame &= g->item[a[k]].is_tame;
    }
    return put(g, n);
}

// ---- what need not be computed ------------------------------------------------------------------------------

// x^2, x^3 and x^4 as products, in the order of expr_power.
static int power(graph *g, const int *a)
{
    double n;
    if (!is_constant(g, a[1], &n) || !(n == 1.0 || n == 2.0 || n == 3.0 || n == 4.0)) {
        return put_op(g, EXPR_OP_POWER, a);
    }
    if (n == 1.0) {
        return a[0];
    }
    int square = put_op(g, EXPR_OP_MULTIPLY, (int[2]){ a[0], a[0] });
    return n == 2.0   ? square
           : n == 3.0 ? put_op(g, EXPR_OP_MULTIPLY, (int[2]){ a[0], square })
                      : put_op(g, EXPR_OP_MULTIPLY, (int[2]){ square, square });
}

static int multiply(graph *g, const int *a)
{
    for (int k = 0; k < 2; k++) {
        if (is_number(g, a[k], 1.0)) {
            return a[1 - k];
        }
        // no part that can be infinite or no number is left out: it still has to be told
        if (is_number(g, a[k], 0.0) && g->item[a[1 - k]].is_tame) {
            return put_constant(g, 0.0);
        }
    }
    return put_op(g, EXPR_OP_MULTIPLY, a);
}

static int simplify(graph *g, expr_op op, const int *a)
{
    double v[3];
    int arity = expr_op_arity(op), n_constant = 0;
    for (int k = 0; k < arity; k++) {
        n_constant += is_constant(g, a[k], &v[k]);
    }
    if (n_constant == arity) {
        return put_constant(g, expr_apply(g->of, op, v));
    }
    switch (op) {
    case EXPR_OP_ADD:
        return is_number(g, a[0], 0.0) ? a[1] : is_number(g, a[1], 0.0) ? a[0] : put_op(g, op, a);
    case EXPR_OP_SUBTRACT:
        return is_number(g, a[1], 0.0)   ? a[0]
               : is_number(g, a[0], 0.0) ? put_op(g, EXPR_OP_NEGATE, &a[1])
                                         : put_op(g, op, a);
    case EXPR_OP_MULTIPLY: return multiply(g, a);
    case EXPR_OP_DIVIDE: return is_number(g, a[1], 1.0) ? a[0] : put_op(g, op, a);
    case EXPR_OP_POWER: return power(g, a);
    case EXPR_OP_SELECT:
        if (a[1] == a[2]) {
            return a[1];
        }
        return !is_constant(g, a[0], &v[0]) ? put_op(g, op, a) : v[0] != 0.0 ? a[1] : a[2];
    default: return put_op(g, op, a);
    }
}

// ---- writing ------------------------------------------------------------------------------------------------

static void mark_read(graph *g, int result)
{
    g->item[result].is_read = true;
    for (int k = result; k >= 0; k--) {
        for (int i = 0; g->item[k].is_read && i < expr_op_arity(g->item[k].op); i++) {
            g->item[g->item[k].a[i]].is_read = true;
        }
    }
}

// Registers: variables, constants, results.
static bool write(graph *g, int result, expr *e)
{
    int n_op = 0, n_constant = 0;
    mark_read(g, result);
    for (int k = 0; k < g->count; k++) {
        n_constant += g->item[k].is_read && g->item[k].op == EXPR_OP_CONSTANT;
        n_op += g->item[k].is_read && expr_op_arity(g->item[k].op) > 0;
    }
    e->constant = calloc((size_t)n_constant + 1, sizeof *e->constant);
    e->code = calloc((size_t)n_op + 1, sizeof *e->code);
    if (e->constant == NULL || e->code == NULL) {
        return false;
    }
    e->n_constant = e->n_code = 0;
    for (int k = 0; k < g->count; k++) {
        node *n = &g->item[k];
        if (!n->is_read) {
            continue;
        }
        if (n->op == EXPR_OP_CONSTANT) {
            n->index = e->n_variable + e->n_constant;
            e->constant[e->n_constant++] = n->value;
        } else if (n->op != EXPR_OP_VARIABLE) {
            n->index = e->n_variable + n_constant + e->n_code;
            expr_instruction *in = &e->code[e->n_code++];
            *in = (expr_instruction){ .op = (uint16_t)n->op };
            for (int i = 0; i < expr_op_arity(n->op); i++) {
                in->a[i] = (int16_t)g->item[n->a[i]].index;
            }
        }
    }
    e->result = g->item[result].index;
    return true;
}

// ---- the whole ----------------------------------------------------------------------------------------------

// Numbers the variables that the result needs anew; read: which they were. Gives their number.
static int keep_read(graph *g, int result, int n_variable, int *read)
{
    int kept = 0;
    mark_read(g, result);
    for (int v = 0; v < n_variable; v++) {
        for (int k = 0; k < g->count; k++) {
            node *n = &g->item[k];
            if (n->op == EXPR_OP_VARIABLE && n->value == (double)v && n->is_read) {
                read[kept] = v;
                n->index = kept++;
            }
        }
    }
    return kept;
}

static int put_variable(graph *g, int v)
{
    return put(g, (node){ .op = EXPR_OP_VARIABLE, .value = (double)v, .is_tame = true });
}

bool expr_flatten(expr *e, const expr_word *word, int n_word)
{
    // a word makes at most two nodes
    graph g = { calloc(2 * (size_t)n_word + 1, sizeof *g.item), 0, e };
    int *stack = calloc((size_t)n_word + 1, sizeof *stack), top = 0;
    bool ok = g.item != NULL && stack != NULL;
    for (int k = 0; ok && k < n_word; k++) {
        top -= word[k].arity;
        stack[top] = word[k].op == EXPR_OP_CONSTANT   ? put_constant(&g, word[k].value)
                     : word[k].op == EXPR_OP_VARIABLE ? put_variable(&g, word[k].index)
                                                      : simplify(&g, (expr_op)word[k].op, &stack[top]);
        top++;
    }
    if (ok) {
        int read[EXPR_MAX_REGISTERS];
        int kept = keep_read(&g, stack[0], e->n_variable, read);
        for (int v = 0; v < kept; v++) {
            e->variable[v] = e->variable[read[v]];
        }
        e->n_variable = kept;
        ok = write(&g, stack[0], e);
    }
    free(g.item);
    free(stack);
    return ok;
}

// Code as it was, with other variables.
static int copy_node(graph *g, const expr *e, int reg, const int *at)
{
    int k = reg - e->n_variable;
    return k < 0 ? at[reg] : k < e->n_constant ? put_constant(g, e->constant[k]) : at[reg];
}

static bool copy_callees(const expr *e, expr *out)
{
    size_t size = (size_t)e->n_callee * sizeof *e->callee;
    out->callee = size > 0 ? malloc(size) : NULL;
    if (out->callee != NULL) {
        memcpy(out->callee, e->callee, size);
    }
    out->n_callee = out->callee != NULL ? e->n_callee : 0;
    return out->n_callee == e->n_callee;
}

expr *expr_with_constants(const expr *e, const bool *is_known, const double *value, int *read)
{
    int n = e->n_variable + e->n_constant + e->n_code;
    expr *out = calloc(1, sizeof *out);
    graph g = { calloc(2 * (size_t)n + 1, sizeof *g.item), 0, e };
    int *at = calloc((size_t)n + 1, sizeof *at);
    bool ok = out != NULL && g.item != NULL && at != NULL && copy_callees(e, out);
    for (int v = 0; ok && v < e->n_variable; v++) {
        at[v] = is_known[v] ? put_constant(&g, value[v]) : put_variable(&g, v);
    }
    for (int k = 0; ok && k < e->n_code; k++) {
        const expr_instruction *in = &e->code[k];
        int a[3] = { 0, 0, 0 };
        for (int i = 0; i < expr_op_arity((expr_op)in->op); i++) {
            a[i] = copy_node(&g, e, in->a[i], at);
        }
        at[e->n_variable + e->n_constant + k] = simplify(&g, (expr_op)in->op, a);
    }
    if (ok) {
        int result = copy_node(&g, e, e->result, at);
        out->n_variable = keep_read(&g, result, e->n_variable, read);
        ok = write(&g, result, out);
    }
    free(g.item);
    free(at);
    if (!ok) {
        expr_destroy(out);
        return NULL;
    }
    return out;
}
