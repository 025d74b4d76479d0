// SPDX-License-Identifier: MIT
// Expressions in text, such as `0.3*sin(2*pi*t)` or `30 deg + crank.angle/2`, compiled once and evaluated without
// allocation, with exact first and second derivatives along a direction.
//
// Operators, loosest first: `c ? a : b`, `||`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* /`, unary `- + !`,
// `^` (from the right, so `-2^2` is -4). Comparisons give 0 or 1; anything but 0 is true. Constant: pi.
// Functions: sin cos tan asin acos atan atan2(y,x) exp log log10 sqrt abs sign floor ceil sinh cosh tanh
// hypot pow min max (two or more) mod(x,y) (sign of y) step(x) (0 below 0, else 1) clamp(x,lo,hi) if(c,a,b)
// smooth(x,x0,x1) (0 before x0, 1 after x1, quintic with two continuous derivatives between).
//
// A number may carry a unit, directly behind it or after a blank: `30 deg/s`, `2.5 kN/m`, `5 1/s`. The unit itself has
// no blanks and goes on as long as its words are units: `30 deg / s` divides by the name s, `2 m*x` multiplies by x.
#pragma once

#include "math/unit.h"

typedef struct expr expr;

// Limits, so that hostile text cannot exhaust the stack of the machine.
enum {
    EXPR_MAX_TEXT = 4096,  // characters
    EXPR_MAX_NESTING = 64, // parentheses, calls, unary signs, powers, alternatives inside each other
    EXPR_MAX_STACK = 64,   // intermediate values
    EXPR_MAX_NAME = 160,   // characters of the name of a table that is called
};

// Value, first and second derivative along one direction.
typedef struct {
    double v, d, dd;
} jet;

typedef enum { EXPR_NAME_UNKNOWN, EXPR_NAME_CONSTANT, EXPR_NAME_VARIABLE } expr_name_kind;

// What the owner says about a name. value: of a constant, in SI. is_known: a variable that is there already; others may
// come later.
typedef struct {
    expr_name_kind kind;
    double value;
    bool has_dimension;
    dimension dim;
    bool is_known;
} expr_name;

typedef expr_name expr_lookup(void *ctx, const char *name);

// A table or map that expressions call by its name, `torque(speed)`: one of the two, borrowed, with a life as long as
// that of the expression. Neither: there is none of the name, or, is_there, one that has mistakes.
typedef struct {
    const struct table *table;
    const struct chart *map;
    bool is_there;
} expr_callee;

typedef expr_callee expr_callees(void *ctx, const char *name);

// column: 0-based offset in the text.
// unit_length: letters of an unknown unit at the column; 0: the mistake is another one.
typedef struct {
    int column;
    char what[160];
    int unit_length;
} expr_error;

// Compiles the text; NULL when it has a mistake, described in error. Names are asked from lookup, dotted as a whole.
expr *expr_parse(const char *text, expr_lookup *lookup, void *ctx, expr_error *error);
// The same, with tables that may be called.
expr *expr_parse_calls(const char *text, expr_lookup *lookup, expr_callees *callees, void *ctx,
                       expr_error *error);
void expr_destroy(expr *e);

// A text that has no variables, read at once: its value in SI, and its dimension where that is known.
typedef struct {
    double value;
    bool has_dimension;
    dimension dim;
} expr_number;

// False: it has a mistake, described in error. The lookup must know constants only.
bool expr_parse_number(const char *text, expr_lookup *lookup, expr_callees *callees, void *ctx,
                       expr_number *number, expr_error *error);

const char *expr_text(const expr *e);

// The words of unit_late that were read as units, by bits: their owner may have names like them.
unsigned expr_late_units(const expr *e);

// The names that lookup called variables, each once, in order of first appearance, and where that was.
int expr_variable_count(const expr *e);
const char *expr_variable_name(const expr *e, int k);
int expr_variable_column(const expr *e, int k);
// Puts the prefix before the name of every variable but t. False: no memory, and nothing is changed.
bool expr_prefix_variables(expr *e, const char *prefix);

bool expr_is_constant(const expr *e);

// The tables it calls.
int expr_callee_count(const expr *e);
expr_callee expr_callee_at(const expr *e, int k);

// Dimension of the result; false when not known, as of bare numbers and of names without unit.
bool expr_dimension(const expr *e, dimension *dim);

// Numbers that stand between text and result: room of that many jets serves each of the three functions `..._in`.
int expr_registers(const expr *e);

// Value at x, one per variable in the order above (may be NULL without variables).
double expr_value_in(const expr *e, const double *x, jet *room);

// The same, and its derivative with each variable.
double expr_gradient_in(const expr *e, const double *x, double *gradient, jet *room);

// A copy in which the variables that are known are constants, with those variables only that it still needs; read:
// which they were of e, in order (room for all). It has neither text nor names. NULL: no memory.
expr *expr_with_constants(const expr *e, const bool *is_known, const double *value, int *read);

// The value, with the derivatives along the direction that x carries. At a kink, those of one side.
jet expr_jet_in(const expr *e, const jet *x, jet *room);

// The same with room of their own for the longest text: not for steps.
double expr_value(const expr *e, const double *x);
double expr_gradient(const expr *e, const double *x, double *gradient);
jet expr_jet(const expr *e, const jet *x);
