// SPDX-License-Identifier: MIT
#include "math/unit.h"

#include <stdio.h>
#include <string.h>

// One unit word: numerator / denominator * 10^exponent in SI, so that products of units round only once.
typedef struct {
    const char *name;
    const char *prefixes; // letters that may stand before the name
    double numerator, denominator;
    int exponent;
    dimension dim; // kg m s A K
} unit_word;

#define UNIT_PI 3.14159265358979323846

static const unit_word unit_table[] = {
    { "m", "numcdk", 1, 1, 0, { 0, 1, 0, 0, 0 } },     { "g", "umk", 1, 1, -3, { 1, 0, 0, 0, 0 } },
    { "s", "num", 1, 1, 0, { 0, 0, 1, 0, 0 } },        { "min", "", 60, 1, 0, { 0, 0, 1, 0, 0 } },
    { "h", "", 3600, 1, 0, { 0, 0, 1, 0, 0 } },        { "A", "numk", 1, 1, 0, { 0, 0, 0, 1, 0 } },
    { "K", "m", 1, 1, 0, { 0, 0, 0, 0, 1 } },          { "N", "umkM", 1, 1, 0, { 1, 1, -2, 0, 0 } },
    { "Nm", "umkM", 1, 1, 0, { 1, 2, -2, 0, 0 } },     { "Nmm", "", 1, 1, -3, { 1, 2, -2, 0, 0 } },
    { "Pa", "hkMG", 1, 1, 0, { 1, -1, -2, 0, 0 } },    { "bar", "m", 1, 1, 5, { 1, -1, -2, 0, 0 } },
    { "J", "mkM", 1, 1, 0, { 1, 2, -2, 0, 0 } },       { "W", "mkM", 1, 1, 0, { 1, 2, -3, 0, 0 } },
    { "Hz", "mkMG", 1, 1, 0, { 0, 0, -1, 0, 0 } },     { "rad", "um", 1, 1, 0, { 0, 0, 0, 0, 0 } },
    { "deg", "", UNIT_PI, 180, 0, { 0, 0, 0, 0, 0 } }, { "rev", "", 2 * UNIT_PI, 1, 0, { 0, 0, 0, 0, 0 } },
    { "rpm", "", UNIT_PI, 30, 0, { 0, 0, -1, 0, 0 } }, { "V", "umk", 1, 1, 0, { 1, 2, -3, -1, 0 } },
    { "ohm", "mkM", 1, 1, 0, { 1, 2, -3, -2, 0 } },    { "H", "num", 1, 1, 0, { 1, 2, -2, -2, 0 } },
    { "F", "pnum", 1, 1, 0, { -1, -2, 4, 2, 0 } },     { "%", "", 1, 1, -2, { 0, 0, 0, 0, 0 } },
};

// Words that models may use as names; all factors are exact by definition.
static const unit_word late_table[] = {
    { "t", "", 1, 1, 3, { 1, 0, 0, 0, 0 } },
    { "lb", "", 45359237, 1, -8, { 1, 0, 0, 0, 0 } },
    { "oz", "", 28349523125, 1, -12, { 1, 0, 0, 0, 0 } },
    { "in", "", 254, 1, -4, { 0, 1, 0, 0, 0 } },
    { "ft", "", 3048, 1, -4, { 0, 1, 0, 0, 0 } },
    { "yd", "", 9144, 1, -4, { 0, 1, 0, 0, 0 } },
    { "mi", "", 1609344, 1, -3, { 0, 1, 0, 0, 0 } },
    { "lbf", "", 44482216152605, 1, -13, { 1, 1, -2, 0, 0 } },
    { "kgf", "", 980665, 1, -5, { 1, 1, -2, 0, 0 } },
    { "psi", "", 44482216152605, 64516, -5, { 1, -1, -2, 0, 0 } },
    { "ksi", "", 44482216152605, 64516, -2, { 1, -1, -2, 0, 0 } },
    { "mph", "", 1609344, 3600, -3, { 0, 1, -1, 0, 0 } },
    { "hp", "", 745699871582270.22, 1, -12, { 1, 2, -3, 0, 0 } },
    { "L", "m", 1, 1, -3, { 0, 3, 0, 0, 0 } },
    { "gal", "", 3785411784, 1, -12, { 0, 3, 0, 0, 0 } },
};
enum {
    N_EARLY = sizeof unit_table / sizeof unit_table[0],
    N_LATE = sizeof late_table / sizeof late_table[0],
    N_UNIT = N_EARLY + N_LATE
};
_Static_assert(N_LATE <= 32, "a mask holds them");

static const unit_word *word_at(int u) { return u < N_EARLY ? &unit_table[u] : &late_table[u - N_EARLY]; }

// Largest exponent of a unit in the text, and of ten in the total; both far beyond any physical use.
enum { MAX_EXPONENT = 12, MAX_TEN = 300 };

static int prefix_exponent(char prefix)
{
    switch (prefix) {
    case 'p': return -12;
    case 'n': return -9;
    case 'u': return -6;
    case 'm': return -3;
    case 'c': return -2;
    case 'd': return -1;
    case 'h': return 2;
    case 'k': return 3;
    case 'M': return 6;
    default: return 9; // G
    }
}

static bool word_is(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

// The plain words come first, so that `min` is a minute.
static bool find_word(const char *word, size_t length, unit_word *found)
{
    for (int u = 0; u < N_UNIT; u++) {
        if (word_is(word, length, word_at(u)->name)) {
            *found = *word_at(u);
            return true;
        }
    }
    for (int u = 0; u < N_UNIT; u++) {
        bool has_prefix = length > 1 && word[0] != '\0' && strchr(word_at(u)->prefixes, word[0]) != NULL;
        if (has_prefix && word_is(word + 1, length - 1, word_at(u)->name)) {
            *found = *word_at(u);
            found->exponent += prefix_exponent(word[0]);
            return true;
        }
    }
    return false;
}

int unit_late(const char *word, size_t length)
{
    for (int k = 0; k < N_LATE; k++) {
        bool has_prefix = length > 1 && word[0] != '\0' && strchr(late_table[k].prefixes, word[0]) != NULL;
        if (word_is(word, length, late_table[k].name) ||
            (has_prefix && word_is(word + 1, length - 1, late_table[k].name))) {
            return k;
        }
    }
    return -1;
}

const char *unit_late_name(int k) { return k >= 0 && k < N_LATE ? late_table[k].name : NULL; }

static double power_of_ten(int n)
{
    double p = 1.0;
    for (int i = 0; i < n; i++) {
        p *= 10.0;
    }
    return p;
}

// total *= word^exponent. False when a dimension or the power of ten leaves its range.
static bool multiply_word(unit_word *total, const unit_word *word, int exponent)
{
    if (!dimension_multiply(total->dim, word->dim, exponent, &total->dim)) {
        return false;
    }
    int times = exponent < 0 ? -exponent : exponent;
    for (int i = 0; i < times; i++) {
        total->numerator *= exponent > 0 ? word->numerator : word->denominator;
        total->denominator *= exponent > 0 ? word->denominator : word->numerator;
    }
    total->exponent += exponent * word->exponent;
    return total->exponent >= -MAX_TEN && total->exponent <= MAX_TEN;
}

// Reads an optional `^n` or `^-n` at *at and moves behind it. False when there is a `^` without a small integer.
static bool read_exponent(const char *text, size_t length, size_t *at, int *exponent)
{
    *exponent = 1;
    if (*at >= length || text[*at] != '^') {
        return true;
    }
    size_t i = *at + 1;
    bool is_negative = i < length && text[i] == '-';
    i += is_negative ? 1 : 0;

    // at most two digits, so that the number cannot overflow
    size_t first = i;
    int n = 0;
    while (i < length && i < first + 2 && text[i] >= '0' && text[i] <= '9') {
        n = 10 * n + (text[i] - '0');
        i++;
    }
    *exponent = is_negative ? -n : n;
    *at = i;
    return i > first && n <= MAX_EXPONENT;
}

static bool is_word_end(char c) { return c == '*' || c == '/' || c == '^'; }

bool unit_parse(const char *text, size_t length, double *factor, dimension *dim)
{
    unit_word total = { .name = "", .prefixes = "", .numerator = 1.0, .denominator = 1.0 };
    size_t at = 0;
    int sign = 1;

    // a leading `1/` stands for no unit
    if (length > 2 && text[0] == '1' && text[1] == '/') {
        at = 2;
        sign = -1;
    }
    for (;;) {
        // one word with its exponent
        size_t start = at;
        while (at < length && !is_word_end(text[at])) {
            at++;
        }
        unit_word word;
        int exponent;
        if (!find_word(text + start, at - start, &word) || !read_exponent(text, length, &at, &exponent) ||
            !multiply_word(&total, &word, sign * exponent)) {
            return false;
        }
        if (at == length) {
            break;
        }
        if (text[at] != '*' && text[at] != '/') {
            return false;
        }
        sign = text[at] == '/' ? -1 : 1;
        at++;
    }

    // powers of ten up to 22 are exact, so this rounds once for every usual unit
    if (total.exponent >= 0) {
        *factor = total.numerator * power_of_ten(total.exponent) / total.denominator;
    } else {
        *factor = total.numerator / (total.denominator * power_of_ten(-total.exponent));
    }
    *dim = total.dim;
    return true;
}

static int letter_distance(char a, char b)
{
    if (a == b) {
        return 0;
    }
    bool is_letter = (a >= 'a' && a <= 'z') || (a >= 'A' && a <= 'Z');
    return is_letter && (a ^ b) == ('a' ^ 'A') ? 1 : 4;
}

enum { WORD_LENGTH = 31 };

static int smaller(int a, int b) { return a < b ? a : b; }

int word_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int n_a = a_length < WORD_LENGTH ? (int)a_length : WORD_LENGTH;
    int n_b = b_length < WORD_LENGTH ? (int)b_length : WORD_LENGTH;

    // row[j]: distance of the first i letters of a to the first j of b
    int row[WORD_LENGTH + 1];
    for (int j = 0; j <= n_b; j++) {
        row[j] = 3 * j;
    }
    for (int i = 1; i <= n_a; i++) {
        int diagonal = row[0];
        row[0] = 3 * i;
        for (int j = 1; j <= n_b; j++) {
            int changed = diagonal + letter_distance(a[i - 1], b[j - 1]);
            diagonal = row[j];
            row[j] = smaller(changed, smaller(row[j], row[j - 1]) + 3);
        }
    }
    return row[n_b];
}

int word_distance_unrelated(size_t a_length, size_t b_length)
{
    int n_a = a_length < WORD_LENGTH ? (int)a_length : WORD_LENGTH;
    int n_b = b_length < WORD_LENGTH ? (int)b_length : WORD_LENGTH;
    return n_a < n_b ? 4 * n_a + 3 * (n_b - n_a) : 4 * n_b + 3 * (n_a - n_b);
}

bool unit_list(int k, char *name, size_t size)
{
    for (int u = 0; u < N_UNIT; u++) {
        int count = 1 + (int)strlen(word_at(u)->prefixes);
        if (k < count) {
            snprintf(name, size, "%.1s%s", k > 0 ? word_at(u)->prefixes + k - 1 : "", word_at(u)->name);
            return true;
        }
        k -= count;
    }
    return false;
}

bool dimension_equal(dimension a, dimension b)
{
    return a.kg == b.kg && a.m == b.m && a.s == b.s && a.A == b.A && a.K == b.K;
}

bool dimension_is_none(dimension a) { return dimension_equal(a, (dimension){ 0 }); }

bool dimension_multiply(dimension a, dimension b, int exponent, dimension *out)
{
    // a larger power of anything is out of range, and these cannot overflow an int
    if (exponent < -INT8_MAX || exponent > INT8_MAX) {
        return false;
    }
    const int sum[5] = { a.kg + exponent * b.kg, a.m + exponent * b.m, a.s + exponent * b.s,
                         a.A + exponent * b.A, a.K + exponent * b.K };
    for (int i = 0; i < 5; i++) {
        if (sum[i] < -INT8_MAX || sum[i] > INT8_MAX) {
            return false;
        }
    }
    *out = (dimension){ (int8_t)sum[0], (int8_t)sum[1], (int8_t)sum[2], (int8_t)sum[3], (int8_t)sum[4] };
    return true;
}

bool dimension_root(dimension a, dimension *out)
{
    if (a.kg % 2 != 0 || a.m % 2 != 0 || a.s % 2 != 0 || a.A % 2 != 0 || a.K % 2 != 0) {
        return false;
    }
    *out = (dimension){ (int8_t)(a.kg / 2), (int8_t)(a.m / 2), (int8_t)(a.s / 2), (int8_t)(a.A / 2),
                        (int8_t)(a.K / 2) };
    return true;
}

// Appends one factor such as `*m^2`; cuts silently at the end of the buffer.
static void append_factor(char *buffer, size_t size, char joint, const char *name, int exponent)
{
    size_t used = strlen(buffer);
    const char joint_text[2] = { used == 0 && joint == '*' ? '\0' : joint, '\0' };
    if (exponent == 1) {
        snprintf(buffer + used, size - used, "%s%s", joint_text, name);
    } else {
        snprintf(buffer + used, size - used, "%s%s^%d", joint_text, name, exponent);
    }
}

const char *dimension_text(dimension dim, char *buffer, size_t size)
{
    static const char *const name[5] = { "kg", "m", "s", "A", "K" };
    const int exponent[5] = { dim.kg, dim.m, dim.s, dim.A, dim.K };
    if (size == 0) {
        return buffer;
    }

    // numerator, or 1, then each denominator behind its own slash
    buffer[0] = '\0';
    for (int i = 0; i < 5; i++) {
        if (exponent[i] > 0) {
            append_factor(buffer, size, '*', name[i], exponent[i]);
        }
    }
    if (buffer[0] == '\0') {
        snprintf(buffer, size, "1");
    }
    for (int i = 0; i < 5; i++) {
        if (exponent[i] < 0) {
            append_factor(buffer, size, '/', name[i], -exponent[i]);
        }
    }
    return buffer;
}
