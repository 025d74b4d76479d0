// SPDX-License-Identifier: MIT
// What others ask of an expression that was read, and its end.
#include <stdlib.h>
#include <string.h>

#include "math/expr/expr_code.h"

void expr_destroy(expr *e)
{
    if (e == NULL) {
        return;
    }
    free(e->text);
    free(e->names);
    free(e->variable);
    free(e->constant);
    free(e->code);
    free(e->callee);
    free(e);
}

const char *expr_text(const expr *e) { return e->text; }

unsigned expr_late_units(const expr *e) { return e->late_units; }

int expr_variable_count(const expr *e) { return e->n_variable; }

const char *expr_variable_name(const expr *e, int k) { return e->names + e->variable[k].name; }

int expr_variable_column(const expr *e, int k) { return e->variable[k].column; }

bool expr_prefix_variables(expr *e, const char *prefix)
{
    size_t size = 1, length = strlen(prefix);
    for (int k = 0; k < e->n_variable; k++) {
        size += length + strlen(expr_variable_name(e, k)) + 1;
    }
    char *names = calloc(size, 1);
    if (names == NULL) {
        return false;
    }
    size_t used = 0;
    for (int k = 0; k < e->n_variable; k++) {
        const char *name = expr_variable_name(e, k);
        bool is_time = strcmp(name, "t") == 0;
        size_t first = used;
        memcpy(names + used, prefix, is_time ? 0 : length);
        used += is_time ? 0 : length;
        memcpy(names + used, name, strlen(name) + 1);
        used += strlen(name) + 1;
        e->variable[k].name = (int)first;
    }
    free(e->names);
    e->names = names;
    return true;
}

int expr_callee_count(const expr *e) { return e->n_callee; }

expr_callee expr_callee_at(const expr *e, int k) { return e->callee[k]; }

bool expr_is_constant(const expr *e) { return e->n_variable == 0; }

bool expr_dimension(const expr *e, dimension *dim)
{
    if (e->dim.kind != EXPR_DIM_KNOWN) {
        return false;
    }
    *dim = e->dim.dim;
    return true;
}
