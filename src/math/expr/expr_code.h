// SPDX-License-Identifier: MIT
// Inside of expr: the code that the parser writes and the evaluators run.
#pragma once

#include "math/expr.h"

// In groups by number of operands, see expr_op_arity.
typedef enum {
    EXPR_OP_CONSTANT,
    EXPR_OP_VARIABLE,

    EXPR_OP_NEGATE,
    EXPR_OP_NOT,
    EXPR_OP_SIN,
    EXPR_OP_COS,
    EXPR_OP_TAN,
    EXPR_OP_ASIN,
    EXPR_OP_ACOS,
    EXPR_OP_ATAN,
    EXPR_OP_EXP,
    EXPR_OP_LOG,
    EXPR_OP_LOG10,
    EXPR_OP_SQRT,
    EXPR_OP_ABS,
    EXPR_OP_SIGN,
    EXPR_OP_FLOOR,
    EXPR_OP_CEIL,
    EXPR_OP_SINH,
    EXPR_OP_COSH,
    EXPR_OP_TANH,
    EXPR_OP_STEP,

    EXPR_OP_ADD,
    EXPR_OP_SUBTRACT,
    EXPR_OP_MULTIPLY,
    EXPR_OP_DIVIDE,
    EXPR_OP_POWER,
    EXPR_OP_LESS,
    EXPR_OP_LESS_EQUAL,
    EXPR_OP_GREATER,
    EXPR_OP_GREATER_EQUAL,
    EXPR_OP_EQUAL,
    EXPR_OP_NOT_EQUAL,
    EXPR_OP_AND,
    EXPR_OP_OR,
    EXPR_OP_ATAN2,
    EXPR_OP_MIN,
    EXPR_OP_MAX,
    EXPR_OP_MOD,
    EXPR_OP_HYPOT,
    EXPR_OP_TABLE, // number of the callee, argument

    EXPR_OP_SELECT,
    EXPR_OP_CLAMP,
    EXPR_OP_SMOOTH,
    EXPR_OP_MAP, // number of the callee, two arguments
} expr_op;

// A word of the text, in the order in which a stack would compute: takes its operands from the top and leaves one
// result.
typedef struct {
    uint8_t op;    // expr_op
    uint8_t arity; // operands taken
    int16_t index; // of the variable
    double value;  // of the constant
} expr_word;

// One operation on registers; its result goes to the register of its own number behind variables and constants.
typedef struct {
    uint16_t op;  // expr_op
    int16_t a[3]; // registers of the operands
} expr_instruction;

// What is known about the dimension of a part. Bare: a pure number, which goes with any dimension.
typedef enum { EXPR_DIM_BARE, EXPR_DIM_KNOWN, EXPR_DIM_UNKNOWN } expr_dim_kind;

typedef struct {
    expr_dim_kind kind;
    dimension dim;
} expr_dim;

typedef struct {
    int name;   // offset in names
    int column; // of the first appearance
} expr_variable;

struct expr {
    char *text;              // copy of the source
    char *names;             // names of the variables, each with its zero
    expr_variable *variable; // (n_variable)
    double *constant;        // (n_constant)
    expr_instruction *code;  // (n_code)
    int n_variable, n_constant, n_code;
    expr_callee *callee; // (n_callee)
    int n_callee;
    int result;          // register
    expr_dim dim;        // of the result
    unsigned late_units; // read as units, by bits
};

// Every register stands for at least one character of the text.
enum { EXPR_MAX_REGISTERS = EXPR_MAX_TEXT + 1 };

int expr_op_arity(expr_op op);

// Writes the code of e from its words; variables that are not needed are forgotten. False: no memory.
bool expr_flatten(expr *e, const expr_word *word, int n_word);

// All registers from the values of the variables; r: room for EXPR_MAX_REGISTERS, or as many as e has.
void expr_run(const expr *e, const double *x, double *r);

// Result of one operation; a: its operands, in the order of the text. e: whose callees they are.
double expr_apply(const expr *e, expr_op op, const double *a);

// x^y; whole powers also of negative x.
double expr_power(double x, double y);

// Remainder of x / y with the sign of y.
double expr_modulo(double x, double y);

// Dimension of two parts of which one stands for the other (sum, minimum, comparison). False when they differ.
bool expr_dim_merge(expr_dim a, expr_dim b, expr_dim *out);

// Dimension of a * b^exponent.
expr_dim expr_dim_product(expr_dim a, expr_dim b, int exponent);

// Dimension of a^y, with y NULL when it is not a constant.
expr_dim expr_dim_power(expr_dim a, const double *y);

// True when the part is known to be more than a pure number or an angle.
bool expr_dim_is_physical(expr_dim a);
