// SPDX-License-Identifier: MIT
// The order in which the equations of a bond graph are computed, and circles among them.
#include "laws/bond/tape.h"
#include <stdlib.h>
#include <string.h>

typedef enum { OP_WAITS, OP_IDLE, OP_DONE } op_mark; // idle: waits, but nothing in a circle waits for it
typedef struct {
    tape *t;
    op_mark *mark;     // (n_op)
    bool *is_known;    // (n_variable)
    int *reader_start; // ops that read each variable
    int *reader;
    int *order, n_done;
} ordering;

static bool can_run(const ordering *o, int op)
{
    const tape_op *p = &o->t->op[op];
    for (int k = 0; k < p->count; k++) {
        if (!o->is_known[o->t->argument[p->first + k]]) {
            return false;
        }
    }
    return true;
}

static void run_all(ordering *o)
{
    bool again = true;
    while (again) {
        again = false;
        for (int k = 0; k < o->t->n_op; k++) {
            if (o->mark[k] != OP_DONE && can_run(o, k)) {
                o->mark[k] = OP_DONE;
                o->is_known[o->t->op[k].target] = true;
                o->order[o->n_done++] = k;
                again = true;
            }
        }
    }
}

static int waiting_readers(const ordering *o, int op)
{
    int count = 0, target = o->t->op[op].target;
    for (int k = o->reader_start[target]; k < o->reader_start[target + 1]; k++) {
        count += o->mark[o->reader[k]] == OP_WAITS;
    }
    return count;
}

// Of what goes in circles, the assignment that most others wait for.
static int choose_torn(ordering *o)
{
    for (int k = 0; k < o->t->n_op; k++) {
        o->mark[k] = o->mark[k] == OP_DONE ? OP_DONE : OP_WAITS;
    }
    for (bool again = true; again;) {
        again = false;
        for (int k = 0; k < o->t->n_op; k++) {
            if (o->mark[k] == OP_WAITS && waiting_readers(o, k) == 0) {
                o->mark[k] = OP_IDLE;
                again = true;
            }
        }
    }
    int best = -1, most = 0;
    for (int k = 0; k < o->t->n_op; k++) {
        int count = o->mark[k] == OP_WAITS ? waiting_readers(o, k) : 0;
        if (count > most) {
            best = k;
            most = count;
        }
    }
    return best;
}

static bool tear(ordering *o, int op)
{
    tape *t = o->t;
    int *torn = realloc(t->torn, (size_t)(t->n_torn + 1) * sizeof *torn);
    t->torn = torn ? torn : t->torn;
    int *source = realloc(t->torn_source, (size_t)(t->n_torn + 1) * sizeof *source);
    t->torn_source = source ? source : t->torn_source;
    if (!torn || !source) {
        return false;
    }
    t->torn[t->n_torn] = t->op[op].target;
    o->is_known[t->op[op].target] = true;
    t->n_torn++;
    return true;
}

// The op of a torn variable writes a variable of its own.
static void redirect(tape *t)
{
    for (int k = 0; k < t->n_torn; k++) {
        int op = t->writer[t->torn[k]], own = tape_new_variable(t);
        t->op[op].target = t->torn_source[k] = own;
        t->writer[own] = op;
        t->writer[t->torn[k]] = -1;
    }
}

static bool list_readers(ordering *o)
{
    const tape *t = o->t;
    o->reader_start = calloc((size_t)t->n_variable + 2, sizeof *o->reader_start);
    o->reader = calloc((size_t)t->n_argument + 1, sizeof *o->reader);
    if (!o->reader_start || !o->reader) {
        return false;
    }
    for (int k = 0; k < t->n_argument; k++) {
        o->reader_start[t->argument[k] + 2]++;
    }
    for (int v = 0; v < t->n_variable; v++) {
        o->reader_start[v + 1] += o->reader_start[v];
    }
    for (int op = 0; op < t->n_op; op++) {
        for (int k = 0; k < t->op[op].count; k++) {
            o->reader[o->reader_start[t->argument[t->op[op].first + k] + 1]++] = op;
        }
    }
    return true;
}

static bool find_order(ordering *o)
{
    tape *t = o->t;
    for (int v = 0; v < t->n_variable; v++) {
        o->is_known[v] = t->writer[v] < 0;
    }
    run_all(o);
    while (o->n_done < t->n_op) {
        int op = choose_torn(o);
        if (op < 0 || !tear(o, op)) {
            return false;
        }
        run_all(o);
    }
    return true;
}

// ---- names of the same thing --------------------------------------------------------------------------------

static bool is_fixed(const tape *t, int variable)
{
    for (int k = 0; k < t->n_source; k++) {
        if (t->source_variable[k] == variable) {
            return true;
        }
    }
    for (int k = 0; k < t->n_torn; k++) {
        if (t->torn_source[k] == variable) {
            return true;
        }
    }
    return false;
}

static void rename(int *variable, int count, const int *same)
{
    for (int k = 0; k < count; k++) {
        variable[k] = same[variable[k]];
    }
}

// Junctions hand on efforts and flows as they are: who reads a copy reads the original.
static bool drop_copies(tape *t, int n_bond)
{
    int *same = malloc(((size_t)t->n_variable + 1) * sizeof *same), kept = 0;
    if (!same) {
        return false;
    }
    for (int v = 0; v < t->n_variable; v++) {
        same[v] = v;
    }
    for (int k = 0; k < t->n_op; k++) {
        tape_op op = t->op[k];
        rename(&t->argument[op.first], op.count, same);
        if (op.kind == OP_LINEAR && op.count == 1 && t->factor[op.first] == 1.0 && t->symbol[op.first] == 0 &&
            !is_fixed(t, op.target)) {
            same[op.target] = t->argument[op.first];
        } else {
            t->op[kept++] = op;
        }
    }
    t->n_op = kept;
    rename(t->effort, n_bond, same);
    rename(t->flow, n_bond, same);
    rename(t->stored, t->n_derivative, same);
    rename(t->named, t->n_named, same);
    for (int k = 0; k < t->n_state; k++) {
        t->state[k].rate = same[t->state[k].rate];
    }
    free(same);
    return true;
}

bool tape_order(tape *t, int n_bond)
{
    ordering o = { .t = t };
    o.mark = calloc((size_t)t->n_op + 1, sizeof *o.mark);
    o.is_known = calloc((size_t)t->n_variable + 1, sizeof *o.is_known);
    o.order = calloc((size_t)t->n_op + 1, sizeof *o.order);
    tape_op *sorted = calloc((size_t)t->n_op + 1, sizeof *sorted);
    bool ok = o.mark && o.is_known && o.order && sorted && list_readers(&o) && find_order(&o);
    if (ok) {
        redirect(t);
        ok = !t->no_memory;
    }
    if (ok) {
        for (int k = 0; k < t->n_op; k++) {
            sorted[k] = t->op[o.order[k]];
        }
        memcpy(t->op, sorted, (size_t)t->n_op * sizeof *sorted);
    }
    ok = ok && drop_copies(t, n_bond);
    if (ok) {
        for (int v = 0; v < t->n_variable; v++) {
            t->writer[v] = -1;
        }
        for (int k = 0; k < t->n_op; k++) {
            t->writer[t->op[k].target] = k;
        }
    }
    free(o.mark);
    free(o.is_known);
    free(o.order);
    free(o.reader_start);
    free(o.reader);
    free(sorted);
    return ok;
}
