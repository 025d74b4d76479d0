// SPDX-License-Identifier: MIT
#include "laws/bond/fraction.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fractions_clear(fractions *f)
{
    for (int k = 0; k < f->n_block; k++) {
        free(f->block[k]);
    }
    free((void *)f->block);
    *f = (fractions){ 0 };
}

static const monomial one = { .factor = 1.0 };

// A polynomial with room for n terms; after a failure all of them are 1, so that nothing divides by nothing.
static polynomial room(fractions *f, int n)
{
    if (f->n_block == f->cap_block) {
        int larger = 2 * f->cap_block + 256;
        void **moved = realloc((void *)f->block, (size_t)larger * sizeof *moved);
        f->has_failed |= !moved;
        f->block = moved ? moved : f->block;
        f->cap_block = moved ? larger : f->cap_block;
    }
    f->has_failed |= n > FRACTION_MOST_TERMS;
    monomial *term = f->has_failed ? NULL : calloc((size_t)n + 1, sizeof *term);
    f->has_failed |= !term;
    if (f->has_failed) {
        free(term);
        f->spare = one;
        return (polynomial){ 1, &f->spare };
    }
    f->block[f->n_block++] = term;
    return (polynomial){ 0, term };
}

// ---- polynomials ---------------------------------------------------------------------------------------------------

static int compare(const monomial *a, const monomial *b)
{
    return memcmp(a->power, b->power, sizeof a->power);
}

static polynomial constant(fractions *f, double number)
{
    polynomial p = room(f, 1);
    if (!f->has_failed && number != 0.0) {
        p.term[p.n++] = (monomial){ .factor = number };
    }
    return p;
}

static bool is_one(polynomial p)
{
    return p.n == 1 && p.term[0].factor == 1.0 && compare(&p.term[0], &one) == 0;
}

static polynomial add(fractions *f, polynomial a, polynomial b)
{
    static const double rounding = 1e-13; // of a sum that vanishes
    polynomial sum = room(f, a.n + b.n);
    for (int i = 0, k = 0; !f->has_failed && (i < a.n || k < b.n);) {
        int which = i == a.n ? -1 : k == b.n ? 1 : compare(&a.term[i], &b.term[k]);
        monomial *to = &sum.term[sum.n];
        *to = which >= 0 ? a.term[i] : b.term[k];
        if (which == 0) {
            to->factor += b.term[k].factor;
            double size = fabs(a.term[i].factor) + fabs(b.term[k].factor);
            sum.n -= fabs(to->factor) <= rounding * size ? 1 : 0;
        }
        sum.n++;
        i += which >= 0;
        k += which <= 0;
    }
    return sum;
}

static monomial times(const monomial *a, const monomial *b)
{
    monomial product = { .factor = a->factor * b->factor };
    for (int k = 0; k < FRACTION_MOST_NAMES; k++) {
        product.power[k] = (unsigned char)(a->power[k] + b->power[k]);
    }
    return product;
}

static polynomial scaled(fractions *f, polynomial a, const monomial *by)
{
    polynomial product = room(f, a.n);
    for (int k = 0; !f->has_failed && k < a.n; k++) {
        product.term[product.n++] = times(&a.term[k], by);
    }
    return product;
}

static polynomial multiply(fractions *f, polynomial a, polynomial b)
{
    polynomial sum = constant(f, 0.0);
    for (int k = 0; !f->has_failed && k < b.n; k++) {
        sum = add(f, sum, scaled(f, a, &b.term[k]));
    }
    return sum;
}

// a = b c; false: there is no such c.
static bool divide(fractions *f, polynomial a, polynomial b, polynomial *c)
{
    *c = constant(f, 0.0);
    while (!f->has_failed && a.n > 0) {
        monomial part = { .factor = -a.term[0].factor / b.term[0].factor };
        for (int k = 0; k < FRACTION_MOST_NAMES; k++) {
            if (a.term[0].power[k] < b.term[0].power[k]) {
                return false;
            }
            part.power[k] = (unsigned char)(a.term[0].power[k] - b.term[0].power[k]);
        }
        int before = a.n;
        a = add(f, a, scaled(f, b, &part));
        part.factor = -part.factor;
        polynomial more = room(f, 1);
        if (f->has_failed || a.n >= before + b.n) {
            return false;
        }
        more.term[more.n++] = part;
        *c = add(f, *c, more);
    }
    return !f->has_failed;
}

// ---- fractions -----------------------------------------------------------------------------------------------------

// Largest monomial that divides every term.
static monomial common(polynomial a, monomial with)
{
    for (int k = 0; k < a.n; k++) {
        for (int i = 0; i < FRACTION_MOST_NAMES; i++) {
            with.power[i] = a.term[k].power[i] < with.power[i] ? a.term[k].power[i] : with.power[i];
        }
    }
    return with;
}

static void take_out(polynomial *a, const monomial *part)
{
    for (int k = 0; k < a->n; k++) {
        a->term[k].factor /= part->factor;
        for (int i = 0; i < FRACTION_MOST_NAMES; i++) {
            a->term[k].power[i] = (unsigned char)(a->term[k].power[i] - part->power[i]);
        }
    }
}

static fraction simple(fractions *f, polynomial over, polynomial under)
{
    if (f->has_failed || over.n == 0) {
        return (fraction){ over, constant(f, 1.0) };
    }
    monomial part;
    memset(part.power, 255, sizeof part.power);
    part = common(under, common(over, part));
    // the first term below has the factor 1
    part.factor = under.term[0].factor;
    over = add(f, over, constant(f, 0.0));
    under = add(f, under, constant(f, 0.0));
    if (!f->has_failed) {
        take_out(&over, &part);
        take_out(&under, &part);
    }
    polynomial whole;
    if (!f->has_failed && under.n > 1 && divide(f, over, under, &whole)) {
        return (fraction){ whole, constant(f, 1.0) };
    }
    if (!f->has_failed && over.n > 1 && under.n > 1 && divide(f, under, over, &whole)) {
        double first = whole.term[0].factor;
        polynomial number = constant(f, 1.0 / first);
        monomial by = { .factor = 1.0 / first };
        return (fraction){ number, scaled(f, whole, &by) };
    }
    return (fraction){ over, under };
}

fraction fraction_number(fractions *f, double number)
{
    return (fraction){ constant(f, number), constant(f, 1.0) };
}

fraction fraction_name(fractions *f, int name, int power)
{
    polynomial p = constant(f, 1.0);
    if (!f->has_failed) {
        p.term[0].power[name] = 1;
    }
    return power > 0 ? (fraction){ p, constant(f, 1.0) } : (fraction){ constant(f, 1.0), p };
}

bool fraction_is_zero(fraction a) { return a.over.n == 0; }

fraction fraction_add(fractions *f, fraction a, fraction b)
{
    polynomial by;
    if (fraction_is_zero(a) || fraction_is_zero(b)) {
        return fraction_is_zero(a) ? b : a;
    }
    // over the larger of two denominators, where one divides the other
    if (divide(f, b.under, a.under, &by)) {
        return simple(f, add(f, multiply(f, a.over, by), b.over), b.under);
    }
    if (divide(f, a.under, b.under, &by)) {
        return simple(f, add(f, a.over, multiply(f, b.over, by)), a.under);
    }
    return simple(f, add(f, multiply(f, a.over, b.under), multiply(f, b.over, a.under)),
                  multiply(f, a.under, b.under));
}

fraction fraction_multiply(fractions *f, fraction a, fraction b)
{
    if (fraction_is_zero(a) || fraction_is_zero(b)) {
        return fraction_number(f, 0.0);
    }
    fraction left = simple(f, a.over, b.under), right = simple(f, b.over, a.under);
    return simple(f, multiply(f, left.over, right.over), multiply(f, left.under, right.under));
}

fraction fraction_divide(fractions *f, fraction a, fraction b)
{
    if (fraction_is_zero(b)) {
        f->has_failed = true;
        return a;
    }
    return fraction_multiply(f, a, (fraction){ b.under, b.over });
}

fraction fraction_negative(fractions *f, fraction a)
{
    static const monomial minus = { .factor = -1.0 };
    return (fraction){ scaled(f, a.over, &minus), a.under };
}

static double value_of(polynomial a, const double *value)
{
    double sum = 0.0;
    for (int k = 0; k < a.n; k++) {
        double product = a.term[k].factor;
        for (int i = 0; i < FRACTION_MOST_NAMES; i++) {
            for (int p = 0; p < a.term[k].power[i]; p++) {
                product *= value[i];
            }
        }
        sum += product;
    }
    return sum;
}

double fraction_value(fraction a, const double *value)
{
    return value_of(a.over, value) / value_of(a.under, value);
}

// ---- texts ---------------------------------------------------------------------------------------------------------

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    if (used + 1 < size) {
        snprintf(text + used, size - used, "%s", more);
    }
}

// "2*R^2*L"; nothing for the number one, unless it stands alone.
static void put_product(const monomial *m, double factor, const char *const *name, char *text, size_t size)
{
    char part[120] = "";
    bool is_first = true;
    if (factor != 1.0) {
        snprintf(part, sizeof part, "%.15g", factor);
        append(text, size, part);
        is_first = false;
    }
    for (int k = 0; k < FRACTION_MOST_NAMES; k++) {
        if (m->power[k] > 0) {
            snprintf(part, sizeof part, m->power[k] > 1 ? "%s%.80s^%d" : "%s%.80s", is_first ? "" : "*",
                     name[k], m->power[k]);
            append(text, size, part);
            is_first = false;
        }
    }
    append(text, size, is_first ? "1" : "");
}

static void put_sum(polynomial a, double sign, const char *const *name, char *text, size_t size)
{
    for (int k = 0; k < a.n; k++) {
        double factor = sign * a.term[k].factor;
        append(text, size, k == 0 ? (factor < 0.0 ? "-" : "") : factor < 0.0 ? " - " : " + ");
        put_product(&a.term[k], fabs(factor), name, text, size);
    }
}

double fraction_sign(fraction a) { return a.over.n > 0 && a.over.term[0].factor < 0.0 ? -1.0 : 1.0; }

void fraction_text(fraction a, const char *const *name, const char *of, char *text, size_t size)
{
    double sign = fraction_sign(a);
    bool is_number_one =
        a.over.n == 1 && sign * a.over.term[0].factor == 1.0 && compare(&a.over.term[0], &one) == 0;
    if (!(of && is_number_one)) {
        append(text, size, a.over.n > 1 ? "(" : "");
        put_sum(a.over, sign, name, text, size);
        append(text, size, a.over.n > 1 ? ")" : "");
        append(text, size, of ? "*" : "");
    }
    append(text, size, of ? of : "");
    if (is_one(a.under)) {
        return;
    }
    // one name below needs no brackets
    int factors = a.under.n == 1 && a.under.term[0].factor == 1.0 ? 0 : 2;
    for (int k = 0; k < FRACTION_MOST_NAMES && a.under.n == 1; k++) {
        factors += a.under.term[0].power[k] > 0;
    }
    append(text, size, factors > 1 ? "/(" : "/");
    put_sum(a.under, 1.0, name, text, size);
    append(text, size, factors > 1 ? ")" : "");
}
