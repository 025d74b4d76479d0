// SPDX-License-Identifier: MIT
#include "export/xml_unit.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void xml_text(FILE *file, const char *text)
{
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '&': fputs("&amp;", file); break;
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '"': fputs("&quot;", file); break;
        case '\n':
        case '\t': fputc(' ', file); break;
        default: fputc((unsigned char)*c < 32 ? '?' : *c, file);
        }
    }
}

enum { KG, METRE, SECOND, AMPERE, KELVIN, MOLE, RADIAN, N_BASE };
static const char *const base_name[N_BASE] = { "kg", "m", "s", "A", "K", "mol", "rad" };

typedef struct {
    const char *symbol;
    int power[N_BASE];
} symbol;
static const symbol symbols[] = {
    { "kg", { [KG] = 1 } },
    { "g", { [KG] = 1 } },
    { "t", { [KG] = 1 } },
    { "m", { [METRE] = 1 } },
    { "mm", { [METRE] = 1 } },
    { "cm", { [METRE] = 1 } },
    { "km", { [METRE] = 1 } },
    { "s", { [SECOND] = 1 } },
    { "ms", { [SECOND] = 1 } },
    { "min", { [SECOND] = 1 } },
    { "h", { [SECOND] = 1 } },
    { "A", { [AMPERE] = 1 } },
    { "K", { [KELVIN] = 1 } },
    { "rad", { [RADIAN] = 1 } },
    { "deg", { [RADIAN] = 1 } },
    { "Hz", { [SECOND] = -1 } },
    { "rpm", { [SECOND] = -1, [RADIAN] = 1 } },
    { "N", { [KG] = 1, [METRE] = 1, [SECOND] = -2 } },
    { "kN", { [KG] = 1, [METRE] = 1, [SECOND] = -2 } },
    { "J", { [KG] = 1, [METRE] = 2, [SECOND] = -2 } },
    { "kJ", { [KG] = 1, [METRE] = 2, [SECOND] = -2 } },
    { "W", { [KG] = 1, [METRE] = 2, [SECOND] = -3 } },
    { "kW", { [KG] = 1, [METRE] = 2, [SECOND] = -3 } },
    { "Pa", { [KG] = 1, [METRE] = -1, [SECOND] = -2 } },
    { "kPa", { [KG] = 1, [METRE] = -1, [SECOND] = -2 } },
    { "MPa", { [KG] = 1, [METRE] = -1, [SECOND] = -2 } },
    { "GPa", { [KG] = 1, [METRE] = -1, [SECOND] = -2 } },
    { "bar", { [KG] = 1, [METRE] = -1, [SECOND] = -2 } },
    { "V", { [KG] = 1, [METRE] = 2, [SECOND] = -3, [AMPERE] = -1 } },
    { "C", { [SECOND] = 1, [AMPERE] = 1 } },
};

// "kg m/s^2", "N/m", "rad/s2": products, one stroke or more, powers with or without ^. False: a symbol is not known.
static bool exponents(const char *unit, int *power)
{
    int sign = 1;
    for (const char *c = unit; *c;) {
        size_t n = 0;
        while (isalpha((unsigned char)c[n])) {
            n++;
        }
        if (n == 0) {
            sign = *c == '/' ? -1 : sign;
            if (!strchr(" */1", *c)) {
                return false;
            }
            c++;
            continue;
        }
        const symbol *found = NULL;
        for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
            if (strlen(symbols[k].symbol) == n && strncmp(symbols[k].symbol, c, n) == 0) {
                found = &symbols[k];
            }
        }
        char *end = (char *)c + n;
        const char *number = *end == '^' ? end + 1 : end;
        long times = isdigit((unsigned char)*number) || *number == '-' ? strtol(number, &end, 10) : 1;
        if (!found || times < -9 || times > 9) {
            return false;
        }
        for (int k = 0; k < N_BASE; k++) {
            power[k] += sign * (int)times * found->power[k];
        }
        c = end;
    }
    return true;
}

void xml_unit(FILE *file, const char *unit, double scale)
{
    int power[N_BASE] = { 0 };
    fputs("    <Unit name=\"", file);
    xml_text(file, unit);
    if (!exponents(unit, power)) {
        fputs("\"/>\n", file);
        return;
    }
    fputs("\"><BaseUnit", file);
    for (int k = 0; k < N_BASE; k++) {
        if (power[k] != 0) {
            fprintf(file, " %s=\"%d\"", base_name[k], power[k]);
        }
    }
    if (scale != 1.0) {
        fprintf(file, " factor=\"%.17g\"", scale);
    }
    fputs("/></Unit>\n", file);
}
