// SPDX-License-Identifier: MIT
// Values of expressions.
#include <math.h>

#include "math/chart.h"
#include "math/elementary.h"
#include "math/expr/expr_code.h"

int expr_op_arity(expr_op op)
{
    if (op < EXPR_OP_NEGATE) {
        return 0;
    }
    if (op < EXPR_OP_ADD) {
        return 1;
    }
    return op < EXPR_OP_SELECT ? 2 : 3;
}

// x^n by repeated squaring; up to this power it is as exact as the general one, and faster
static const double max_squared_power = 16.0;

static double whole_power(double x, int n)
{
    double result = 1.0;
    for (; n > 0; n /= 2) {
        if (n % 2 != 0) {
            result *= x;
        }
        x *= x;
    }
    return result;
}

double expr_power(double x, double y)
{
    if (y != floor(y)) {
        return math_pow(x, y);
    }
    if (fabs(y) <= max_squared_power) {
        double p = whole_power(x, (int)fabs(y));
        return y < 0.0 ? 1.0 / p : p;
    }
    if (x < 0.0) {
        double p = math_pow(-x, y);
        return math_remainder(y, 2.0) != 0.0 ? -p : p;
    }
    return math_pow(x, y);
}

double expr_modulo(double x, double y)
{
    double r = math_remainder(x, y);
    return r != 0.0 && (r < 0.0) != (y < 0.0) ? r + y : r;
}

// Quintic blend of its place u between two ends.
static double smooth(double x, double x0, double x1)
{
    if (x0 == x1) {
        return x >= x0;
    }
    double u = (x - x0) / (x1 - x0);
    if (u <= 0.0 || u >= 1.0) {
        return u >= 1.0;
    }
    return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

// The conditions of these are turned so that a NaN stays one.
static double smaller(double a, double b) { return a <= b || a != a ? a : b; }

static double larger(double a, double b) { return a >= b || a != a ? a : b; }

static double sign(double a) { return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a; }

double expr_apply(const expr *e, expr_op op, const double *a)
{
    switch (op) {
    case EXPR_OP_NEGATE: return -a[0];
    case EXPR_OP_NOT: return a[0] == 0.0;
    case EXPR_OP_SIN: return math_sin(a[0]);
    case EXPR_OP_COS: return math_cos(a[0]);
    case EXPR_OP_TAN: return math_tan(a[0]);
    case EXPR_OP_ASIN: return math_asin(a[0]);
    case EXPR_OP_ACOS: return math_acos(a[0]);
    case EXPR_OP_ATAN: return math_atan(a[0]);
    case EXPR_OP_EXP: return math_exp(a[0]);
    case EXPR_OP_LOG: return math_log(a[0]);
    case EXPR_OP_LOG10: return math_log10(a[0]);
    case EXPR_OP_SQRT: return sqrt(a[0]);
    case EXPR_OP_ABS: return fabs(a[0]);
    case EXPR_OP_SIGN: return sign(a[0]);
    case EXPR_OP_FLOOR: return floor(a[0]);
    case EXPR_OP_CEIL: return -floor(-a[0]);
    case EXPR_OP_SINH: return math_sinh(a[0]);
    case EXPR_OP_COSH: return math_cosh(a[0]);
    case EXPR_OP_TANH: return math_tanh(a[0]);
    case EXPR_OP_STEP: return !(a[0] < 0.0);
    case EXPR_OP_ADD: return a[0] + a[1];
    case EXPR_OP_SUBTRACT: return a[0] - a[1];
    case EXPR_OP_MULTIPLY: return a[0] * a[1];
    case EXPR_OP_DIVIDE: return a[0] / a[1];
    case EXPR_OP_POWER: return expr_power(a[0], a[1]);
    case EXPR_OP_LESS: return a[0] < a[1];
    case EXPR_OP_LESS_EQUAL: return a[0] <= a[1];
    case EXPR_OP_GREATER: return a[0] > a[1];
    case EXPR_OP_GREATER_EQUAL: return a[0] >= a[1];
    case EXPR_OP_EQUAL: return a[0] == a[1];
    case EXPR_OP_NOT_EQUAL: return a[0] != a[1];
    case EXPR_OP_AND: return a[0] != 0.0 && a[1] != 0.0;
    case EXPR_OP_OR: return a[0] != 0.0 || a[1] != 0.0;
    case EXPR_OP_ATAN2: return math_atan2(a[0], a[1]);
    case EXPR_OP_MIN: return smaller(a[0], a[1]);
    case EXPR_OP_MAX: return larger(a[0], a[1]);
    case EXPR_OP_MOD: return expr_modulo(a[0], a[1]);
    case EXPR_OP_HYPOT: return math_hypot(a[0], a[1]);
    case EXPR_OP_SELECT: return a[0] != 0.0 ? a[1] : a[2];
    case EXPR_OP_CLAMP: return smaller(larger(a[0], a[1]), a[2]);
    case EXPR_OP_SMOOTH: return smooth(a[0], a[1], a[2]);
    case EXPR_OP_TABLE: return table_at(e->callee[(int)a[0]].table, a[1]).v;
    case EXPR_OP_MAP: return chart_at(e->callee[(int)a[0]].map, a[1], a[2]).v;
    case EXPR_OP_CONSTANT:
    case EXPR_OP_VARIABLE: break;
    }
    return 0.0;
}

void expr_run(const expr *e, const double *x, double *r)
{
    for (int k = 0; k < e->n_variable; k++) {
        r[k] = x[k];
    }
    double *out = r + e->n_variable;
    for (int k = 0; k < e->n_constant; k++) {
        *out++ = e->constant[k];
    }
    for (const expr_instruction *in = e->code, *end = in + e->n_code; in < end; in++) {
        double a = r[in->a[0]], b = r[in->a[1]];
        switch (in->op) {
        case EXPR_OP_NEGATE: *out++ = -a; break;
        case EXPR_OP_ADD: *out++ = a + b; break;
        case EXPR_OP_SUBTRACT: *out++ = a - b; break;
        case EXPR_OP_MULTIPLY: *out++ = a * b; break;
        case EXPR_OP_DIVIDE: *out++ = a / b; break;
        case EXPR_OP_LESS: *out++ = a < b; break;
        case EXPR_OP_GREATER: *out++ = a > b; break;
        case EXPR_OP_MIN: *out++ = smaller(a, b); break;
        case EXPR_OP_MAX: *out++ = larger(a, b); break;
        case EXPR_OP_SELECT: *out++ = a != 0.0 ? b : r[in->a[2]]; break;
        case EXPR_OP_CLAMP: *out++ = smaller(larger(a, b), r[in->a[2]]); break;
        default: {
            const double operand[3] = { a, b, r[in->a[2]] };
            *out++ = expr_apply(e, (expr_op)in->op, operand);
        }
        }
    }
}

int expr_registers(const expr *e) { return e->n_variable + e->n_constant + e->n_code; }

double expr_value_in(const expr *e, const double *x, jet *room)
{
    double *r = (double *)room;
    expr_run(e, x, r);
    return r[e->result];
}

double expr_value(const expr *e, const double *x)
{
    double r[EXPR_MAX_REGISTERS];
    expr_run(e, x, r);
    return r[e->result];
}
