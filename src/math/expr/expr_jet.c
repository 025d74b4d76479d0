// SPDX-License-Identifier: MIT
// Expressions with their first and second derivatives: the chain rule on jets.
#include <math.h>

#include "math/chart.h"
#include "math/elementary.h"
#include "math/expr/expr_code.h"

static jet constant(double v) { return (jet){ .v = v }; }

// f(x) from f and its first two derivatives at x. A derivative that is not asked for may be infinite.
static jet chain(jet x, double f, double f_x, double f_xx)
{
    jet y = { .v = f };
    if (x.d != 0.0) {
        y.d = f_x * x.d;
        y.dd = f_xx * x.d * x.d;
    }
    if (x.dd != 0.0) {
        y.dd += f_x * x.dd;
    }
    return y;
}

static jet jet_add(jet a, jet b) { return (jet){ a.v + b.v, a.d + b.d, a.dd + b.dd }; }

static jet jet_subtract(jet a, jet b) { return (jet){ a.v - b.v, a.d - b.d, a.dd - b.dd }; }

static jet jet_multiply(jet a, jet b)
{
    return (jet){ a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2.0 * a.d * b.d + a.v * b.dd };
}

static jet jet_divide(jet a, jet b)
{
    double v = a.v / b.v;
    double d = (a.d - v * b.d) / b.v;
    double dd = (a.dd - 2.0 * d * b.d - v * b.dd) / b.v;
    return (jet){ v, d, dd };
}

static jet jet_power(jet x, jet y)
{
    // fixed exponent: the rule of powers, which also holds for negative x when the exponent is whole
    double v = expr_power(x.v, y.v);
    double n = y.v;
    if (y.d == 0.0 && y.dd == 0.0) {
        double first = n == 0.0 ? 0.0 : n * expr_power(x.v, n - 1.0);
        double second = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * expr_power(x.v, n - 2.0);
        return chain(x, v, first, second);
    }

    // flat at zero, where the logarithm below does not exist
    bool is_fixed_base = x.d == 0.0 && x.dd == 0.0;
    if (x.v == 0.0 && (n > 2.0 || (is_fixed_base && n > 0.0))) {
        return constant(v);
    }

    // moving exponent: exp(y log x)
    jet log_x = chain(x, math_log(x.v), 1.0 / x.v, -1.0 / (x.v * x.v));
    return chain(jet_multiply(y, log_x), v, v, v);
}

static jet jet_tan(jet x)
{
    double t = math_tan(x.v);
    double first = 1.0 + t * t;
    return chain(x, t, first, 2.0 * t * first);
}

static jet jet_asin(jet x)
{
    double first = 1.0 / sqrt((1.0 - x.v) * (1.0 + x.v));
    return chain(x, math_asin(x.v), first, x.v * first * first * first);
}

static jet jet_acos(jet x)
{
    double first = -1.0 / sqrt((1.0 - x.v) * (1.0 + x.v));
    return chain(x, math_acos(x.v), first, x.v * first * first * first);
}

static jet jet_atan(jet x)
{
    double first = 1.0 / (1.0 + x.v * x.v);
    return chain(x, math_atan(x.v), first, -2.0 * x.v * first * first);
}

static jet jet_log10(jet x)
{
    double first = 1.0 / (x.v * 2.30258509299404568402);
    return chain(x, math_log10(x.v), first, -first / x.v);
}

static jet jet_sqrt(jet x)
{
    double root = sqrt(x.v);
    double first = 0.5 / root;
    return chain(x, root, first, -0.5 * first / x.v);
}

// 1 - tanh^2 would lose all digits for large x: take it from cosh
static jet jet_tanh(jet x)
{
    double t = math_tanh(x.v);
    double c = math_cosh(x.v);
    double first = 1.0 / (c * c);
    return chain(x, t, first, -2.0 * t * first);
}

static jet jet_atan2(jet y, jet x)
{
    double angle = math_atan2(y.v, x.v);
    double turn = x.v * y.d - y.v * x.d;
    double turn_rate = x.v * y.dd - y.v * x.dd;
    if (turn == 0.0 && turn_rate == 0.0) {
        return constant(angle);
    }
    double r2 = x.v * x.v + y.v * y.v;
    double d = turn / r2;
    return (jet){ angle, d, (turn_rate - 2.0 * (x.v * x.d + y.v * y.d) * d) / r2 };
}

static jet jet_hypot(jet a, jet b)
{
    // at the origin the length grows with the speed, or from rest with the acceleration
    double h = math_hypot(a.v, b.v);
    if (h == 0.0) {
        double d = math_hypot(a.d, b.d);
        double dd = d == 0.0 ? math_hypot(a.dd, b.dd) : (a.d * a.dd + b.d * b.dd) / d;
        return (jet){ h, d, dd };
    }
    double ca = a.v / h;
    double cb = b.v / h;
    double d = ca * a.d + cb * b.d;

    // only the speed across bends the length; so written, nothing cancels
    double across = ca * b.d - cb * a.d;
    return (jet){ h, d, ca * a.dd + cb * b.dd + across * across / h };
}

static jet jet_modulo(jet x, jet y)
{
    double r = expr_modulo(x.v, y.v);
    double turns = floor((x.v - r) / y.v + 0.5);
    return (jet){ r, x.d - turns * y.d, x.dd - turns * y.dd };
}

static jet jet_smooth(jet x, jet x0, jet x1)
{
    const double end[3] = { x.v, x0.v, x1.v };
    double v = expr_apply(NULL, EXPR_OP_SMOOTH, end);
    jet u = jet_divide(jet_subtract(x, x0), jet_subtract(x1, x0));
    if (x0.v == x1.v || u.v <= 0.0 || u.v >= 1.0) {
        return constant(v);
    }
    double w = 1.0 - u.v;
    return chain(u, v, 30.0 * u.v * u.v * w * w, 60.0 * u.v * w * (w - u.v));
}

static jet jet_min(jet a, jet b) { return a.v <= b.v || a.v != a.v ? a : b; }

static jet jet_max(jet a, jet b) { return a.v >= b.v || a.v != a.v ? a : b; }

// The operations that are flat between their jumps.
static jet jet_flat(expr_op op, const jet *a)
{
    double v[2] = { a[0].v, 0.0 };
    if (expr_op_arity(op) == 2) {
        v[1] = a[1].v;
    }
    return constant(expr_apply(NULL, op, v));
}

static jet jet_sin_or_cos(expr_op op, jet x)
{
    double s, c;
    math_sincos(x.v, &s, &c);
    return op == EXPR_OP_SIN ? chain(x, s, c, -s) : chain(x, c, -s, -c);
}

static jet jet_sinh_or_cosh(expr_op op, jet x)
{
    double s = math_sinh(x.v);
    double c = math_cosh(x.v);
    return op == EXPR_OP_SINH ? chain(x, s, c, s) : chain(x, c, s, c);
}

static jet jet_exp(jet x)
{
    double e = math_exp(x.v);
    return chain(x, e, e, e);
}

static jet jet_apply(const expr *e, expr_op op, const jet *a)
{
    switch (op) {
    case EXPR_OP_NEGATE: return (jet){ -a->v, -a->d, -a->dd };
    case EXPR_OP_ABS: return a->v < 0.0 ? (jet){ -a->v, -a->d, -a->dd } : (jet){ fabs(a->v), a->d, a->dd };
    case EXPR_OP_SIN:
    case EXPR_OP_COS: return jet_sin_or_cos(op, *a);
    case EXPR_OP_TAN: return jet_tan(*a);
    case EXPR_OP_ASIN: return jet_asin(*a);
    case EXPR_OP_ACOS: return jet_acos(*a);
    case EXPR_OP_ATAN: return jet_atan(*a);
    case EXPR_OP_EXP: return jet_exp(*a);
    case EXPR_OP_LOG: return chain(*a, math_log(a->v), 1.0 / a->v, -1.0 / (a->v * a->v));
    case EXPR_OP_LOG10: return jet_log10(*a);
    case EXPR_OP_SQRT: return jet_sqrt(*a);
    case EXPR_OP_SINH:
    case EXPR_OP_COSH: return jet_sinh_or_cosh(op, *a);
    case EXPR_OP_TANH: return jet_tanh(*a);
    case EXPR_OP_ADD: return jet_add(a[0], a[1]);
    case EXPR_OP_SUBTRACT: return jet_subtract(a[0], a[1]);
    case EXPR_OP_MULTIPLY: return jet_multiply(a[0], a[1]);
    case EXPR_OP_DIVIDE: return jet_divide(a[0], a[1]);
    case EXPR_OP_POWER: return jet_power(a[0], a[1]);
    case EXPR_OP_ATAN2: return jet_atan2(a[0], a[1]);
    case EXPR_OP_MIN: return jet_min(a[0], a[1]);
    case EXPR_OP_MAX: return jet_max(a[0], a[1]);
    case EXPR_OP_MOD: return jet_modulo(a[0], a[1]);
    case EXPR_OP_HYPOT: return jet_hypot(a[0], a[1]);
    case EXPR_OP_SELECT: return a[0].v != 0.0 ? a[1] : a[2];
    case EXPR_OP_CLAMP: return jet_min(jet_max(a[0], a[1]), a[2]);
    case EXPR_OP_SMOOTH: return jet_smooth(a[0], a[1], a[2]);
    case EXPR_OP_TABLE: return table_of(e->callee[(int)a[0].v].table, a[1]);
    case EXPR_OP_MAP: return chart_of(e->callee[(int)a[0].v].map, a[1], a[2]);
    default: return jet_flat(op, a);
    }
}

jet expr_jet_in(const expr *e, const jet *x, jet *r)
{
    for (int k = 0; k < e->n_variable; k++) {
        r[k] = x[k];
    }
    jet *out = r + e->n_variable;
    for (int k = 0; k < e->n_constant; k++) {
        *out++ = constant(e->constant[k]);
    }
    // the commonest operations in place: the rest is behind a call
    for (const expr_instruction *in = e->code, *end = in + e->n_code; in < end; in++) {
        const jet *a = &r[in->a[0]], *b = &r[in->a[1]];
        switch (in->op) {
        case EXPR_OP_ADD: *out++ = jet_add(*a, *b); break;
        case EXPR_OP_SUBTRACT: *out++ = jet_subtract(*a, *b); break;
        case EXPR_OP_MULTIPLY: *out++ = jet_multiply(*a, *b); break;
        default: {
            const jet operand[3] = { *a, *b, r[in->a[2]] };
            *out++ = jet_apply(e, (expr_op)in->op, operand);
        }
        }
    }
    return r[e->result];
}

// ---- gradients ----------------------------------------------------------------------------------------------

// Derivative of an operation with one of its operands.
static double slope_of(const expr *e, expr_op op, const jet *operand, int i)
{
    jet a[3] = { operand[0], operand[1], operand[2] };
    a[i].d = 1.0;
    return jet_apply(e, op, a).d;
}

// A slope may be infinite where nothing moves along it, as that of a root of a square at zero.
static double times(double due, double slope) { return slope != 0.0 ? due * slope : 0.0; }

// What the result of one operation owes to its operands.
static void owe(const expr *e, const expr_instruction *in, const double *r, double due, double *s)
{
    const int16_t *a = in->a;
    switch (in->op) {
    case EXPR_OP_NEGATE: s[a[0]] -= due; break;
    case EXPR_OP_ADD:
        s[a[0]] += due;
        s[a[1]] += due;
        break;
    case EXPR_OP_SUBTRACT:
        s[a[0]] += due;
        s[a[1]] -= due;
        break;
    case EXPR_OP_MULTIPLY:
        s[a[0]] += times(due, r[a[1]]);
        s[a[1]] += times(due, r[a[0]]);
        break;
    case EXPR_OP_DIVIDE:
        s[a[0]] += due / r[a[1]];
        s[a[1]] -= times(due, r[a[0]] / (r[a[1]] * r[a[1]]));
        break;
    case EXPR_OP_SELECT: s[r[a[0]] != 0.0 ? a[1] : a[2]] += due; break;
    case EXPR_OP_TABLE: s[a[1]] += times(due, table_at(e->callee[(int)r[a[0]]].table, r[a[1]]).d); break;
    case EXPR_OP_MAP: {
        chart_value f = chart_at(e->callee[(int)r[a[0]]].map, r[a[1]], r[a[2]]);
        s[a[1]] += times(due, f.x);
        s[a[2]] += times(due, f.y);
        break;
    }
    case EXPR_OP_LESS:
    case EXPR_OP_LESS_EQUAL:
    case EXPR_OP_GREATER:
    case EXPR_OP_GREATER_EQUAL: break;
    default: {
        const jet operand[3] = { constant(r[a[0]]), constant(r[a[1]]), constant(r[a[2]]) };
        for (int i = 0; i < expr_op_arity((expr_op)in->op); i++) {
            s[a[i]] += times(due, slope_of(e, (expr_op)in->op, operand, i));
        }
    }
    }
}

double expr_gradient_in(const expr *e, const double *x, double *gradient, jet *room)
{
    int first = e->n_variable + e->n_constant, count = first + e->n_code;
    double *r = (double *)room, *s = r + count;
    expr_run(e, x, r);
    for (int k = 0; k < count; k++) {
        s[k] = 0.0;
    }
    // backwards: each operation after all that read it
    s[e->result] = 1.0;
    for (int k = e->n_code - 1; k >= 0; k--) {
        if (s[first + k] != 0.0) {
            owe(e, &e->code[k], r, s[first + k], s);
        }
    }
    for (int k = 0; k < e->n_variable; k++) {
        gradient[k] = s[k];
    }
    return r[e->result];
}

// ---- with room of their own -----------------------------------------------------------------------------------

jet expr_jet(const expr *e, const jet *x)
{
    jet room[EXPR_MAX_REGISTERS];
    return expr_jet_in(e, x, room);
}

double expr_gradient(const expr *e, const double *x, double *gradient)
{
    jet room[EXPR_MAX_REGISTERS];
    return expr_gradient_in(e, x, gradient, room);
}
