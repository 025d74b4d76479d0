// SPDX-License-Identifier: MIT
// How dimensions pass through the operations.
#include <math.h>

#include "math/expr/expr_code.h"

static const expr_dim unknown = { .kind = EXPR_DIM_UNKNOWN };

bool expr_dim_merge(expr_dim a, expr_dim b, expr_dim *out)
{
    if (a.kind == EXPR_DIM_KNOWN && b.kind == EXPR_DIM_KNOWN && !dimension_equal(a.dim, b.dim)) {
        return false;
    }

    // a known part tells the other; a name without unit tells nothing, and less than a bare number
    if (a.kind == EXPR_DIM_KNOWN || b.kind == EXPR_DIM_BARE) {
        *out = a;
    } else {
        *out = b;
    }
    return true;
}

expr_dim expr_dim_product(expr_dim a, expr_dim b, int exponent)
{
    if (a.kind == EXPR_DIM_UNKNOWN || b.kind == EXPR_DIM_UNKNOWN) {
        return unknown;
    }
    if (b.kind == EXPR_DIM_BARE) {
        return a;
    }

    // the dimension of a bare number is all zeros, so it is a mere factor here
    expr_dim result = { .kind = EXPR_DIM_KNOWN };
    return dimension_multiply(a.dim, b.dim, exponent, &result.dim) ? result : unknown;
}

expr_dim expr_dim_power(expr_dim a, const double *y)
{
    if (a.kind != EXPR_DIM_KNOWN || dimension_is_none(a.dim)) {
        return a;
    }

    // whole powers, and odd halves through the root; of other powers nothing is known
    double halves = y != NULL ? 2.0 * *y : 0.5;
    if (halves != floor(halves) || fabs(halves) > INT8_MAX) {
        return unknown;
    }
    int n = (int)halves;
    if (n % 2 == 0) {
        return expr_dim_product((expr_dim){ .kind = EXPR_DIM_KNOWN }, a, n / 2);
    }
    expr_dim root = { .kind = EXPR_DIM_KNOWN };
    if (!dimension_root(a.dim, &root.dim)) {
        return unknown;
    }
    return expr_dim_product((expr_dim){ .kind = EXPR_DIM_KNOWN }, root, n);
}

bool expr_dim_is_physical(expr_dim a) { return a.kind == EXPR_DIM_KNOWN && !dimension_is_none(a.dim); }
