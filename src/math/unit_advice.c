// SPDX-License-Identifier: MIT
// What to write instead of a unit that is not known.
#include "math/unit.h"

#include <stdio.h>
#include <string.h>

// What people write, and what it is called here.
static const char *const other_names[][2] = {
    { "Mg", "t" },      { "ton", "t" },     { "tons", "t" },    { "tonne", "t" },     { "tonnes", "t" },
    { "lbs", "lb" },    { "lbm", "lb" },    { "pound", "lb" },  { "pounds", "lb" },   { "ounce", "oz" },
    { "inch", "in" },   { "inches", "in" }, { "foot", "ft" },   { "feet", "ft" },     { "yard", "yd" },
    { "mile", "mi" },   { "miles", "mi" },  { "sec", "s" },     { "secs", "s" },      { "seconds", "s" },
    { "hr", "h" },      { "hrs", "h" },     { "hours", "h" },   { "mins", "min" },    { "kph", "km/h" },
    { "kmh", "km/h" },  { "kmph", "km/h" }, { "mps", "m/s" },   { "degree", "deg" },  { "degrees", "deg" },
    { "rps", "rev/s" }, { "cc", "cm^3" },   { "ccm", "cm^3" },  { "l", "L" },         { "liter", "L" },
    { "litre", "L" },   { "litres", "L" },  { "lpm", "L/min" }, { "gpm", "gal/min" }, { "kp", "kgf" },
    { "meter", "m" },   { "metre", "m" },   { "metres", "m" },  { "micron", "um" },   { "Newton", "N" },
    { "grams", "g" },   { "kilo", "kg" },   { "kgs", "kg" },    { "volt", "V" },      { "amp", "A" },
    { "Ohm", "ohm" },   { "percent", "%" }, { "PSI", "psi" },   { "HP", "hp" },       { "turns", "rev" },
};

static bool fits(const char *unit, const dimension *wanted, double *factor, dimension *dim)
{
    return unit_parse(unit, strlen(unit), factor, dim) && (!wanted || dimension_equal(*dim, *wanted));
}

static bool find_other_name(const char *word, size_t length, const dimension *wanted, char *best, size_t size)
{
    double factor;
    dimension dim;
    for (size_t k = 0; k < sizeof other_names / sizeof *other_names; k++) {
        const char *name = other_names[k][0];
        if (strlen(name) == length && memcmp(name, word, length) == 0 &&
            fits(other_names[k][1], wanted, &factor, &dim)) {
            snprintf(best, size, "%s", other_names[k][1]);
            return true;
        }
    }
    return false;
}

// The word most like it, among those with the dimension. Half the letters must agree: less is a guess.
static bool find_nearest(const char *word, size_t length, const dimension *wanted, char *best, size_t size)
{
    int least = -1;
    char name[16];
    double factor;
    dimension dim;
    for (int k = 0; unit_list(k, name, sizeof name); k++) {
        size_t n = strlen(name);
        int distance = word_distance(word, length, name, n);
        if (2 * distance > word_distance_unrelated(length, n) || !fits(name, wanted, &factor, &dim)) {
            continue;
        }
        // among equals the one of the same length, as of two letters exchanged
        int rank = 2 * distance + (n == length ? 0 : 1);
        if (least < 0 || rank < least) {
            least = rank;
            snprintf(best, size, "%s", name);
        }
    }
    return least >= 0;
}

// All of one dimension, without rare prefixes; "": none.
static void list_known(const dimension *wanted, char *buffer, size_t size)
{
    char name[16];
    double factor;
    dimension dim;
    int count = 0;
    buffer[0] = '\0';
    for (int k = 0; unit_list(k, name, sizeof name) && count < 8; k++) {
        size_t used = strlen(buffer);
        if (fits(name, wanted, &factor, &dim) && used + 24 < size) {
            snprintf(buffer + used, size - used, "%s%s", count > 0 ? " " : "; known here are ", name);
            count++;
        }
    }
}

void unit_advise(const char *word, size_t length, const dimension *wanted, char *buffer, size_t size)
{
    char best[16], text[DIMENSION_TEXT_SIZE];
    double factor;
    dimension dim;
    buffer[0] = '\0';
    if (find_other_name(word, length, wanted, best, sizeof best) ||
        find_nearest(word, length, wanted, best, sizeof best)) {
        fits(best, NULL, &factor, &dim);
        snprintf(buffer, size, ", did you mean '%s' (%.6g %s)?", best, factor,
                 dimension_text(dim, text, sizeof text));
    } else if (wanted && !dimension_is_none(*wanted)) {
        list_known(wanted, buffer, size);
    }
}
