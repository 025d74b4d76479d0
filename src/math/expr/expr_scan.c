// SPDX-License-Identifier: MIT
#include "math/expr/expr_scan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void expr_scan_fail(expr_parser *p, int column, const char *format, ...)
{
    if (!p->has_failed && p->error != NULL) {
        p->error->column = column;
        p->error->unit_length = 0;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(p->error->what, sizeof p->error->what, format, arguments);
        va_end(arguments);
    }
    p->has_failed = true;
    p->at = p->length;
}

void expr_scan_fail_here(expr_parser *p, const char *what)
{
    char c = p->text[p->at];
    if (p->at >= p->length) {
        expr_scan_fail(p, p->at, "%s, but the text ends", what);
    } else if (c > ' ' && c <= '~') {
        expr_scan_fail(p, p->at, "%s, not '%c'", what, c);
    } else {
        expr_scan_fail(p, p->at, "%s, not the character 0x%02x", what, (unsigned)(unsigned char)c);
    }
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Not those of ctype.h: they depend on the locale.
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool expr_scan_is_digit(char c) { return c >= '0' && c <= '9'; }

static int after_blanks(const expr_parser *p, int at)
{
    while (is_blank(p->text[at])) {
        at++;
    }
    return at;
}

void expr_scan_blanks(expr_parser *p) { p->at = after_blanks(p, p->at); }

bool expr_scan_accept(expr_parser *p, char c)
{
    expr_scan_blanks(p);
    if (p->text[p->at] != c) {
        return false;
    }
    p->at++;
    return true;
}

int expr_scan_name(const expr_parser *p, int at)
{
    int i = at;
    while (is_letter(p->text[i])) {
        while (is_letter(p->text[i]) || expr_scan_is_digit(p->text[i])) {
            i++;
        }

        // a dot goes on only with another word
        if (p->text[i] != '.' || !is_letter(p->text[i + 1])) {
            break;
        }
        i++;
    }
    return i - at;
}

bool expr_scan_is_call(const expr_parser *p, int at) { return p->text[after_blanks(p, at)] == '('; }

// Copies digits to the scratch and moves behind them. Returns how many.
static int take_digits(expr_parser *p, int *used)
{
    int start = p->at;
    while (expr_scan_is_digit(p->text[p->at])) {
        p->digits[(*used)++] = p->text[p->at++];
    }
    return p->at - start;
}

// Reads an exponent such as `e-3`; the `e` belongs to the number only when digits follow.
static int take_exponent(expr_parser *p)
{
    int i = p->at;
    if (p->text[i] != 'e' && p->text[i] != 'E') {
        return 0;
    }
    i++;
    bool is_negative = p->text[i] == '-';
    if (p->text[i] == '-' || p->text[i] == '+') {
        i++;
    }
    if (!expr_scan_is_digit(p->text[i])) {
        return 0;
    }

    // larger ones are all the same: zero or infinite, whatever the digits
    const int limit = 100000;
    int n = 0;
    for (; expr_scan_is_digit(p->text[i]); i++) {
        n = n < limit ? 10 * n + (p->text[i] - '0') : limit;
    }
    p->at = i;
    return is_negative ? -n : n;
}

// Few digits and a small power of ten: both are exact, and one operation rounds once, as strtod does.
static bool is_exact(const char *digits, int used, int exponent, double *value)
{
    static const double ten[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    if (used > 15 || exponent < -22 || exponent > 22) {
        return false;
    }
    int64_t whole = 0;
    for (int k = 0; k < used; k++) {
        whole = 10 * whole + (digits[k] - '0');
    }
    *value = exponent < 0 ? (double)whole / ten[-exponent] : (double)whole * ten[exponent];
    return true;
}

// The digits without their point, and the power of ten apart: so strtod rounds right in every locale.
static double take_number(expr_parser *p)
{
    int used = 0;
    take_digits(p, &used);
    int n_fraction = 0;
    if (p->text[p->at] == '.') {
        p->at++;
        n_fraction = take_digits(p, &used);
    }
    int exponent = take_exponent(p) - n_fraction;
    double value;
    if (is_exact(p->digits, used, exponent, &value)) {
        return value;
    }
    snprintf(p->digits + used, sizeof p->digits - (size_t)used, "e%d", exponent);
    return strtod(p->digits, NULL);
}

static bool is_unit(const expr_parser *p, int at, int length)
{
    double factor;
    dimension dim;
    return length > 0 && unit_parse(p->text + at, (size_t)length, &factor, &dim);
}

typedef enum { UNIT_FIRST, UNIT_NEXT } unit_place; // in a product of units

// What is also a good name is a unit only where nothing else has that name; which are read so is kept for the owner,
// who may learn of names later. The time is known everywhere but in constants, and `2 m/s*t` is no tonne.
static bool is_unit_here(expr_parser *p, int at, int length, unit_place place)
{
    int late = unit_late(p->text + at, (size_t)length);
    if (late < 0 || !is_unit(p, at, length)) {
        return is_unit(p, at, length);
    }
    char name[8];
    snprintf(name, sizeof name, "%.*s", length, p->text + at);
    expr_name found = p->lookup != NULL ? p->lookup(p->ctx, name) : (expr_name){ .kind = EXPR_NAME_UNKNOWN };
    bool is_time = strcmp(name, "t") == 0;
    bool is_name = found.kind == EXPR_NAME_CONSTANT || found.is_known;
    if (is_name || (is_time && (place == UNIT_NEXT || found.kind != EXPR_NAME_UNKNOWN))) {
        return false;
    }
    p->late_units |= 1u << late;
    return true;
}

// Behind an exponent `^2` or `^-1` at the place, or the place itself when there is none.
static int after_exponent(expr_parser *p, int at)
{
    if (p->text[at] != '^') {
        return at;
    }
    int i = at + 1;
    i += p->text[i] == '-' ? 1 : 0;
    int first = i;
    while (expr_scan_is_digit(p->text[i])) {
        i++;
    }

    // `2 mm^x` and `2 m^0.5` could be read in two ways
    if (i == first || p->text[i] == '.' || p->text[i] == '^' || is_letter(p->text[i])) {
        expr_scan_fail(p, at, "a unit takes a whole exponent; put the number and its unit in parentheses");
        return p->length;
    }
    return i;
}

static void fail_unit(expr_parser *p, int at, int length)
{
    const int shown = length < 40 ? length : 40;
    const char *word = p->text + at;
    char advice[80];
    if (unit_late(word, (size_t)length) >= 0) {
        bool is_time = length == 1 && word[0] == 't';
        expr_scan_fail(p, at, "'%.*s' is %s here: for a product write '*'%s", shown, word,
                       is_time ? "the time" : "a name of the model", is_time ? ", for tonnes 1e3 kg" : "");
        return;
    }
    unit_advise(word, (size_t)length, NULL, advice, sizeof advice);
    expr_scan_fail(p, at, "unknown unit '%.*s'%s (for a product write '*')", shown, word, advice);
    if (p->error != NULL) {
        p->error->unit_length = length;
    }
}

// End of the unit that starts at the place, after its first word: it goes on as long as the words are units.
static int unit_end(expr_parser *p, int at)
{
    int end = after_exponent(p, at);
    while (p->text[end] == '*' || p->text[end] == '/') {
        int length = expr_scan_name(p, end + 1);
        int after = end + 1 + length;
        if (expr_scan_is_call(p, after) || !is_unit_here(p, end + 1, length, UNIT_NEXT)) {
            break;
        }
        end = after_exponent(p, after);
    }
    return end;
}

// Reads the unit behind a number, if there is one, and moves behind it.
static bool take_unit(expr_parser *p, double *factor, dimension *dim)
{
    int start = after_blanks(p, p->at);
    int length = p->text[start] == '%' ? 1 : expr_scan_name(p, start);
    int first = start;

    // `1/s`, which only makes sense after a blank
    if (start > p->at && p->text[start] == '1' && p->text[start + 1] == '/') {
        first = start + 2;
        length = expr_scan_name(p, first);
    }
    if (length == 0) {
        return false;
    }
    if (!is_unit_here(p, first, length, UNIT_FIRST)) {
        fail_unit(p, first, length);
        return false;
    }
    int end = unit_end(p, first + length);
    if (p->has_failed) {
        return false;
    }
    if (!unit_parse(p->text + start, (size_t)(end - start), factor, dim)) {
        expr_scan_fail(p, start, "the exponents of this unit are too large");
        return false;
    }
    p->at = end;
    return true;
}

expr_dim expr_scan_number(expr_parser *p, double *value)
{
    int column = p->at;
    expr_dim dim = { .kind = EXPR_DIM_BARE };
    double factor = 1.0;
    *value = take_number(p);
    if (take_unit(p, &factor, &dim.dim)) {
        *value *= factor;
        dim.kind = EXPR_DIM_KNOWN;
    }
    if (isinf(*value)) {
        expr_scan_fail(p, column, "this number is too large");
    }
    return dim;
}
