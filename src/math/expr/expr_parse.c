// SPDX-License-Identifier: MIT
// From text to code: one function per level of the grammar, each writing the code of its part.
#include <stdlib.h>
#include <string.h>

#include "math/expr/expr_scan.h"

// A part of the expression that has been read.
typedef struct {
    expr_dim dim;
    int column; // where it starts
} operand;

static const operand nothing = { .dim = { .kind = EXPR_DIM_UNKNOWN } };
static const expr_dim bare = { .kind = EXPR_DIM_BARE };

// What a function asks of the dimensions of its arguments, and gives.
typedef enum {
    RULE_PURE,   // pure numbers or angles, gives a pure number
    RULE_ANY,    // anything, gives a pure number
    RULE_RATIO,  // all the same, gives a pure number
    RULE_SAME,   // all the same, gives that
    RULE_ROOT,   // anything, gives its root
    RULE_POWER,  // anything and a pure number
    RULE_CHOOSE, // anything, then two the same, gives that
} dimension_rule;

enum { MANY = 1 << 16 };

typedef struct {
    const char *name;
    expr_op op;
    int min_arguments, max_arguments; // MANY: the operation is repeated from left to right
    dimension_rule rule;
} function;

static const function functions[] = {
    { "sin", EXPR_OP_SIN, 1, 1, RULE_PURE },        { "cos", EXPR_OP_COS, 1, 1, RULE_PURE },
    { "tan", EXPR_OP_TAN, 1, 1, RULE_PURE },        { "asin", EXPR_OP_ASIN, 1, 1, RULE_PURE },
    { "acos", EXPR_OP_ACOS, 1, 1, RULE_PURE },      { "atan", EXPR_OP_ATAN, 1, 1, RULE_PURE },
    { "atan2", EXPR_OP_ATAN2, 2, 2, RULE_RATIO },   { "exp", EXPR_OP_EXP, 1, 1, RULE_PURE },
    { "log", EXPR_OP_LOG, 1, 1, RULE_PURE },        { "log10", EXPR_OP_LOG10, 1, 1, RULE_PURE },
    { "sqrt", EXPR_OP_SQRT, 1, 1, RULE_ROOT },      { "abs", EXPR_OP_ABS, 1, 1, RULE_SAME },
    { "min", EXPR_OP_MIN, 2, MANY, RULE_SAME },     { "max", EXPR_OP_MAX, 2, MANY, RULE_SAME },
    { "pow", EXPR_OP_POWER, 2, 2, RULE_POWER },     { "sign", EXPR_OP_SIGN, 1, 1, RULE_ANY },
    { "floor", EXPR_OP_FLOOR, 1, 1, RULE_SAME },    { "ceil", EXPR_OP_CEIL, 1, 1, RULE_SAME },
    { "mod", EXPR_OP_MOD, 2, 2, RULE_SAME },        { "hypot", EXPR_OP_HYPOT, 2, 2, RULE_SAME },
    { "sinh", EXPR_OP_SINH, 1, 1, RULE_PURE },      { "cosh", EXPR_OP_COSH, 1, 1, RULE_PURE },
    { "tanh", EXPR_OP_TANH, 1, 1, RULE_PURE },      { "step", EXPR_OP_STEP, 1, 1, RULE_ANY },
    { "clamp", EXPR_OP_CLAMP, 3, 3, RULE_SAME },    { "if", EXPR_OP_SELECT, 3, 3, RULE_CHOOSE },
    { "smooth", EXPR_OP_SMOOTH, 3, 3, RULE_RATIO },
};
enum { N_FUNCTION = sizeof functions / sizeof functions[0] };

// Binary operators but `^`, loosest first; within a level the longer text first.
typedef struct {
    const char *text;
    int level;
    expr_op op;
} binary_operator;

enum { LEVEL_COMPARE = 3, N_LEVEL = 6 };

static const binary_operator operators[] = {
    { "||", 0, EXPR_OP_OR },
    { "&&", 1, EXPR_OP_AND },
    { "==", 2, EXPR_OP_EQUAL },
    { "!=", 2, EXPR_OP_NOT_EQUAL },
    { "<=", LEVEL_COMPARE, EXPR_OP_LESS_EQUAL },
    { ">=", LEVEL_COMPARE, EXPR_OP_GREATER_EQUAL },
    { "<", LEVEL_COMPARE, EXPR_OP_LESS },
    { ">", LEVEL_COMPARE, EXPR_OP_GREATER },
    { "+", 4, EXPR_OP_ADD },
    { "-", 4, EXPR_OP_SUBTRACT },
    { "*", 5, EXPR_OP_MULTIPLY },
    { "/", 5, EXPR_OP_DIVIDE },
};
enum { N_OPERATOR = sizeof operators / sizeof operators[0] };

static operand parse_alternative(expr_parser *p);
static operand parse_unary(expr_parser *p);

// ---- writing code ----

// Every instruction has at least one character of its own in the text, so there is room for it.
static void push(expr_parser *p, expr_word in)
{
    if (p->has_failed) {
        return;
    }
    if (p->stack >= EXPR_MAX_STACK) {
        expr_scan_fail(p, p->at, "more than %d intermediate values are waiting here; nest less deeply",
                       EXPR_MAX_STACK);
        return;
    }
    p->stack++;
    p->word[p->n_word++] = in;
}

static void push_constant(expr_parser *p, double value)
{
    push(p, (expr_word){ .op = EXPR_OP_CONSTANT, .value = value });
}

// The value of the part just written, when it is a constant.
static const double *last_constant(const expr_parser *p)
{
    if (p->has_failed || p->word[p->n_word - 1].op != EXPR_OP_CONSTANT) {
        return NULL;
    }
    return &p->word[p->n_word - 1].value;
}

// Writes an operation, or its result when all operands are constants.
static void emit(expr_parser *p, expr_op op)
{
    if (p->has_failed) {
        return;
    }
    int arity = expr_op_arity(op);
    p->stack -= arity;

    // constants at the end of the code are the operands themselves
    double value[3];
    int n_constant = 0;
    while (n_constant < arity && p->word[p->n_word - 1 - n_constant].op == EXPR_OP_CONSTANT) {
        value[arity - 1 - n_constant] = p->word[p->n_word - 1 - n_constant].value;
        n_constant++;
    }
    if (n_constant == arity) {
        p->n_word -= arity;
        push_constant(p, expr_apply(p->out, op, value));
    } else {
        push(p, (expr_word){ .op = (uint8_t)op, .arity = (uint8_t)arity });
    }
}

static bool open_level(expr_parser *p)
{
    if (p->nesting > EXPR_MAX_NESTING) {
        expr_scan_fail(p, p->at, "nested deeper than %d levels", EXPR_MAX_NESTING);
        return false;
    }
    p->nesting++;
    return true;
}

// ---- dimensions ----

// "cannot add m and kg": verb, the two dimensions, and an end such as " in min".
static expr_dim merge(expr_parser *p, int column, const char *verb, const char *end, expr_dim a, expr_dim b)
{
    expr_dim result = bare;
    if (!p->has_failed && !expr_dim_merge(a, b, &result)) {
        char text_a[DIMENSION_TEXT_SIZE], text_b[DIMENSION_TEXT_SIZE];
        dimension_text(a.dim, text_a, sizeof text_a);
        dimension_text(b.dim, text_b, sizeof text_b);
        expr_scan_fail(p, column, "cannot %s %s and %s%s%s", verb, text_a, text_b,
                       end[0] != '\0' ? " in " : "", end);
    }
    return result;
}

static void need_pure(expr_parser *p, const char *who, operand a)
{
    if (!p->has_failed && expr_dim_is_physical(a.dim)) {
        char text[DIMENSION_TEXT_SIZE];
        expr_scan_fail(p, a.column, "%s needs a pure number or an angle, not %s", who,
                       dimension_text(a.dim.dim, text, sizeof text));
    }
}

static expr_dim binary_dimension(expr_parser *p, expr_op op, int column, expr_dim a, expr_dim b)
{
    switch (op) {
    case EXPR_OP_ADD: return merge(p, column, "add", "", a, b);
    case EXPR_OP_SUBTRACT: return merge(p, column, "subtract", "", a, b);
    case EXPR_OP_MULTIPLY: return expr_dim_product(a, b, 1);
    case EXPR_OP_DIVIDE: return expr_dim_product(a, b, -1);
    case EXPR_OP_AND:
    case EXPR_OP_OR: return bare;
    default: merge(p, column, "compare", "", a, b); return bare;
    }
}

// ---- calls ----

static void fail_function(expr_parser *p, int column, int length)
{
    const char *word = p->text + column;
    const char *nearest = NULL;
    int best = 0;
    for (int f = 0; f < N_FUNCTION; f++) {
        size_t n = strlen(functions[f].name);
        int distance = word_distance(word, (size_t)length, functions[f].name, n);
        if (distance < word_distance_unrelated((size_t)length, n) && (nearest == NULL || distance < best)) {
            best = distance;
            nearest = functions[f].name;
        }
    }
    int shown = length < 40 ? length : 40;
    if (nearest != NULL) {
        expr_scan_fail(p, column, "unknown function '%.*s', did you mean '%s'?", shown, word, nearest);
    } else {
        expr_scan_fail(p, column, "unknown function '%.*s'", shown, word);
    }
}

static const function *find_function(const char *name, int length)
{
    for (int f = 0; f < N_FUNCTION; f++) {
        if (strlen(functions[f].name) == (size_t)length &&
            memcmp(functions[f].name, name, (size_t)length) == 0) {
            return &functions[f];
        }
    }
    return NULL;
}

static void fail_arity(expr_parser *p, const function *f, int column)
{
    const char *more = f->max_arguments == MANY ? " or more" : "";
    const char *plural = f->min_arguments == 1 ? "" : "s";
    expr_scan_fail(p, column, "%s takes %d%s argument%s", f->name, f->min_arguments, more, plural);
}

// The dimension so far after argument n (from 1).
static expr_dim argument_dimension(expr_parser *p, const function *f, int n, expr_dim so_far, operand a)
{
    bool is_first = n == 1 || (f->rule == RULE_CHOOSE && n == 2);
    switch (f->rule) {
    case RULE_PURE: need_pure(p, f->name, a); return bare;
    case RULE_ANY: return bare;
    case RULE_ROOT: {
        const double half = 0.5;
        return expr_dim_power(a.dim, &half);
    }
    case RULE_POWER:
        if (is_first) {
            return a.dim;
        }
        need_pure(p, "an exponent", a);
        return expr_dim_power(so_far, last_constant(p));
    default: return is_first ? a.dim : merge(p, a.column, "mix", f->name, so_far, a.dim);
    }
}

// A call, with p->at behind the opening parenthesis.
static operand parse_call(expr_parser *p, const function *f, int column)
{
    operand result = { .dim = bare, .column = column };
    int n = 0;
    expr_scan_blanks(p);
    if (p->text[p->at] != ')') {
        do {
            operand a = parse_alternative(p);
            n++;
            if (n > f->max_arguments) {
                fail_arity(p, f, column);
            }
            result.dim = argument_dimension(p, f, n, result.dim, a);
            if (f->max_arguments == MANY && n > 1) {
                emit(p, f->op);
            }
        } while (expr_scan_accept(p, ','));
    }
    if (!expr_scan_accept(p, ')')) {
        expr_scan_fail_here(p, "expected ',' or ')'");
    }
    if (n < f->min_arguments) {
        fail_arity(p, f, column);
    }
    if (f->max_arguments != MANY) {
        emit(p, f->op);
    }
    if (f->rule == RULE_RATIO) {
        result.dim = bare;
    }
    return result;
}

// The number of a callee in the list of the expression; -1: no memory.
static int callee_index(expr_parser *p, expr_callee c)
{
    expr *e = p->out;
    for (int k = 0; k < e->n_callee; k++) {
        if (e->callee[k].table == c.table && e->callee[k].map == c.map) {
            return k;
        }
    }
    expr_callee *list = realloc(e->callee, ((size_t)e->n_callee + 1) * sizeof *list);
    if (list == NULL) {
        expr_scan_fail(p, p->at, "out of memory");
        return -1;
    }
    e->callee = list;
    e->callee[e->n_callee] = c;
    return e->n_callee++;
}

// A table or map of the owner's, with p->at before the parenthesis; what it gives has a dimension that nobody knows.
static operand parse_callee(expr_parser *p, const char *word, int length, int column)
{
    char name[EXPR_MAX_NAME];
    operand result = { .dim = { .kind = EXPR_DIM_UNKNOWN }, .column = column };
    expr_callee c = { 0 };
    if (p->callees != NULL && length < EXPR_MAX_NAME) {
        memcpy(name, word, (size_t)length);
        name[length] = '\0';
        c = p->callees(p->ctx, name);
    }
    if (c.table == NULL && c.map == NULL) {
        if (c.is_there) {
            expr_scan_fail(p, column, "the table '%s' has mistakes of its own", name);
        } else {
            fail_function(p, column, length);
        }
        return nothing;
    }
    int wanted = c.map != NULL ? 2 : 1, n = 0;
    push_constant(p, (double)callee_index(p, c));
    expr_scan_accept(p, '(');
    do {
        parse_alternative(p);
        n++;
    } while (expr_scan_accept(p, ','));
    if (!expr_scan_accept(p, ')')) {
        expr_scan_fail_here(p, "expected ',' or ')'");
    }
    if (n != wanted) {
        expr_scan_fail(p, column, "the table '%s' takes %d argument%s", name, wanted, wanted == 1 ? "" : "s");
    }
    emit(p, c.map != NULL ? EXPR_OP_MAP : EXPR_OP_TABLE);
    return result;
}

// ---- names ----

static int variable_index(expr_parser *p, const char *name, int length, int column)
{
    expr *e = p->out;
    for (int k = 0; k < e->n_variable; k++) {
        if (strcmp(e->names + e->variable[k].name, name) == 0) {
            return k;
        }
    }

    // the name already stands at the end of the names: keep it there
    e->variable[e->n_variable] = (expr_variable){ .name = p->names_used, .column = column };
    p->names_used += length + 1;
    return e->n_variable++;
}

static operand parse_name(expr_parser *p, int length)
{
    int column = p->at;
    operand result = { .dim = bare, .column = column };
    const char *word = p->text + column;
    p->at += length;

    if (expr_scan_is_call(p, p->at)) {
        const function *f = find_function(word, length);
        if (f == NULL) {
            return parse_callee(p, word, length, column);
        }
        expr_scan_accept(p, '(');
        return parse_call(p, f, column);
    }
    if (length == 2 && memcmp(word, "pi", 2) == 0) {
        push_constant(p, 3.14159265358979323846);
        return result;
    }

    // names are apart by at least one character in the text, so the next one always has room
    char *name = p->out->names + p->names_used;
    memcpy(name, word, (size_t)length);
    name[length] = '\0';
    expr_name found = p->lookup != NULL ? p->lookup(p->ctx, name) : (expr_name){ .kind = EXPR_NAME_UNKNOWN };
    if (found.kind == EXPR_NAME_CONSTANT) {
        push_constant(p, found.value);
    } else if (found.kind == EXPR_NAME_VARIABLE) {
        int k = variable_index(p, name, length, column);
        push(p, (expr_word){ .op = EXPR_OP_VARIABLE, .index = (int16_t)k });
    } else if (find_function(word, length) != NULL) {
        expr_scan_fail(p, column, "'%s' is a function: write %s(...)", name, name);
    } else {
        expr_scan_fail(p, column, "unknown name '%.*s'", length < 100 ? length : 100, name);
    }
    result.dim.kind = found.has_dimension ? EXPR_DIM_KNOWN : EXPR_DIM_UNKNOWN;
    result.dim.dim = found.has_dimension ? found.dim : (dimension){ 0 };
    return result;
}

// ---- grammar, tightest first ----

static operand parse_primary(expr_parser *p)
{
    expr_scan_blanks(p);
    operand result = { .dim = bare, .column = p->at };
    char c = p->text[p->at];
    if (expr_scan_is_digit(c) || (c == '.' && expr_scan_is_digit(p->text[p->at + 1]))) {
        double value;
        result.dim = expr_scan_number(p, &value);
        push_constant(p, value);
        return result;
    }
    int length = expr_scan_name(p, p->at);
    if (length > 0) {
        return parse_name(p, length);
    }
    if (!expr_scan_accept(p, '(')) {
        expr_scan_fail_here(p, "expected a value");
        return nothing;
    }
    result.dim = parse_alternative(p).dim;
    if (!expr_scan_accept(p, ')')) {
        expr_scan_fail_here(p, "expected ')'");
    }
    return result;
}

static operand parse_power(expr_parser *p)
{
    operand base = parse_primary(p);
    if (!expr_scan_accept(p, '^') || !open_level(p)) {
        return base;
    }

    // a sign may follow, and another power, which is read first
    operand exponent = parse_unary(p);
    p->nesting--;
    need_pure(p, "an exponent", exponent);
    base.dim = expr_dim_power(base.dim, last_constant(p));
    emit(p, EXPR_OP_POWER);
    return base;
}

static operand parse_unary(expr_parser *p)
{
    expr_scan_blanks(p);
    int column = p->at;
    char sign = p->text[column];
    if (sign != '-' && sign != '+' && sign != '!') {
        return parse_power(p);
    }
    if (!open_level(p)) {
        return nothing;
    }
    p->at++;
    operand a = parse_unary(p);
    p->nesting--;
    a.column = column;
    if (sign == '-') {
        emit(p, EXPR_OP_NEGATE);
    } else if (sign == '!') {
        emit(p, EXPR_OP_NOT);
        a.dim = bare;
    }
    return a;
}

// The operator of the level at p->at; moves behind it.
static const binary_operator *accept_operator(expr_parser *p, int level)
{
    expr_scan_blanks(p);
    const char *here = p->text + p->at;
    // most texts end, or go on with a bracket, on all levels
    if (*here == '\0' || *here == ')' || *here == ',') {
        return NULL;
    }
    for (int i = 0; i < N_OPERATOR; i++) {
        const binary_operator *o = &operators[i];
        bool is_long = o->text[1] != '\0';
        if (o->level == level && here[0] == o->text[0] && (!is_long || here[1] == o->text[1])) {
            p->at += is_long ? 2 : 1;
            return o;
        }
    }
    return NULL;
}

static operand parse_binary(expr_parser *p, int level)
{
    if (level == N_LEVEL) {
        return parse_unary(p);
    }
    operand left = parse_binary(p, level + 1);
    for (int n = 0;; n++) {
        const binary_operator *o = accept_operator(p, level);
        if (o == NULL) {
            return left;
        }
        int column = p->at - (int)strlen(o->text);

        // 0 < x < 1 would compare 0 or 1 with 1
        if (level == LEVEL_COMPARE && n > 0) {
            expr_scan_fail(p, column, "comparisons cannot be chained: write a < b && b < c");
        }
        operand right = parse_binary(p, level + 1);
        left.dim = binary_dimension(p, o->op, column, left.dim, right.dim);
        emit(p, o->op);
    }
}

static operand parse_alternative(expr_parser *p)
{
    if (!open_level(p)) {
        return nothing;
    }
    operand result = parse_binary(p, 0);
    if (expr_scan_accept(p, '?')) {
        operand a = parse_alternative(p);
        if (!expr_scan_accept(p, ':')) {
            expr_scan_fail_here(p, "expected ':' of '? :'");
        }
        int column = p->at - 1;
        operand b = parse_alternative(p);
        result.dim = merge(p, column, "choose between", "", a.dim, b.dim);
        emit(p, EXPR_OP_SELECT);
    }
    p->nesting--;
    return result;
}

// ---- the whole ----

void expr_parse_text(expr_parser *p)
{
    expr_scan_blanks(p);
    if (p->at == p->length) {
        expr_scan_fail(p, 0, "the expression is empty");
        return;
    }
    // number by number: nothing of the gap behind them
    expr_dim dim = parse_alternative(p).dim;
    p->out->dim.kind = dim.kind;
    p->out->dim.dim = dim.dim;
    expr_scan_blanks(p);
    if (p->at == p->length) {
        return;
    }
    if (p->text[p->at] == '=') {
        expr_scan_fail(p, p->at, "'=' is no operator: compare with '=='");
    } else {
        expr_scan_fail_here(p, "expected an operator or the end");
    }
}

static expr *expr_create(const char *text, size_t length)
{
    expr *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return NULL;
    }
    e->text = calloc(length + 1, 1);
    e->names = calloc(length + 2, 1);
    e->variable = calloc(length / 2 + 1, sizeof *e->variable);
    if (e->text == NULL || e->names == NULL || e->variable == NULL) {
        expr_destroy(e);
        return NULL;
    }
    memcpy(e->text, text, length);
    return e;
}

expr *expr_parse(const char *text, expr_lookup *lookup, void *ctx, expr_error *error)
{
    return expr_parse_calls(text, lookup, NULL, ctx, error);
}

expr *expr_parse_calls(const char *text, expr_lookup *lookup, expr_callees *callees, void *ctx,
                       expr_error *error)
{
    expr_parser p = { .text = text, .lookup = lookup, .callees = callees, .ctx = ctx, .error = error };
    while (p.length <= EXPR_MAX_TEXT && text[p.length] != '\0') {
        p.length++;
    }
    if (p.length > EXPR_MAX_TEXT) {
        expr_scan_fail(&p, EXPR_MAX_TEXT, "the text is longer than %d characters", EXPR_MAX_TEXT);
        return NULL;
    }
    p.out = expr_create(text, (size_t)p.length);
    p.word = calloc((size_t)p.length + 1, sizeof *p.word);
    if (p.out == NULL || p.word == NULL) {
        expr_scan_fail(&p, 0, "out of memory");
    } else {
        expr_parse_text(&p);
    }
    if (!p.has_failed && !expr_flatten(p.out, p.word, p.n_word)) {
        expr_scan_fail(&p, 0, "out of memory");
    }
    free(p.word);
    if (p.has_failed) {
        expr_destroy(p.out);
        return NULL;
    }
    p.out->late_units = p.late_units;
    return p.out;
}
