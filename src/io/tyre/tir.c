// SPDX-License-Identifier: MIT
#include "io/tyre/tir.h"
#include "io/tyre/tir_lines.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void carry_wheel(tir *t)
{
    tir_carry(t, "UNLOADED_RADIUS", t->length, "radius");
    tir_carry(t, "VERTICAL_STIFFNESS", t->force / t->length, "stiffness");
    tir_carry(t, "VERTICAL_DAMPING", t->force * t->time / t->length, "damping");
    if (!tir_carry(t, "ROLLING_RESISTANCE", 1.0, "rolling_resistance")) {
        tir_carry(t, "QSY1", 1.0, "rolling_resistance");
    }
}

// ---- 1989 ----------------------------------------------------------------------------------------------------------

// Coefficients letter0, letter1 ... into `value`; how many there are in a row from 0.
static int coefficients(tir *t, char letter, int most, double *value, int *line)
{
    int count = 0;
    for (int k = 0; k < most; k++) {
        char key[16];
        snprintf(key, sizeof key, "%c%d", letter, k);
        value[k] = 0.0;
        if (tir_number(t, key, &value[k]) && count == k) {
            count++;
            *line = k == 0 ? tir_find(t, key)->line : *line;
        }
    }
    return count;
}

static void make_1989(tir *t)
{
    double a[14], b[11], c[18];
    int line[3] = { 1, 1, 1 };
    tir_put(t, "type", tir_text(t, "tyre-pacejka", 1));
    int n_a = coefficients(t, 'A', 14, a, &line[0]), n_b = coefficients(t, 'B', 11, b, &line[1]);
    int n_c = coefficients(t, 'C', 18, c, &line[2]);
    if (n_a < 8) {
        tir_complain(t, line[0], 1, "LATERAL_COEFFICIENTS", "needs a0 to a7, or to a13");
    }
    tir_put_numbers(t, "lateral", a, n_a < 14 ? 8 : 14, line[0]);
    if (n_b < 11) {
        tir_complain(t, line[1], 1, "LONGITUDINAL_COEFFICIENTS", "needs b0 to b10");
    }
    tir_put_numbers(t, "longitudinal", b, 11, line[1]);
    if (n_c == 18) {
        tir_put_numbers(t, "aligning", c, 18, line[2]);
    } else if (n_c > 0) {
        tir_complain(t, line[2], 1, "ALIGNING_COEFFICIENTS", "needs c0 to c17, or none");
    }
}

// ---- Magic Formula 5 and 6: TMeasy with the same slope, peak and sliding value at two loads --------------------------

typedef struct {
    double B, C, D, E;
} pure;

static double pure_at(const pure *p, double x)
{
    double bx = p->B * x;
    return p->D * sin(p->C * atan(bx - p->E * (bx - atan(bx))));
}

static pure pure_x(tir *t, double load, double nominal)
{
    double d = (load - nominal) / nominal;
    double stiffness = load * (tir_number_or(t, "PKX1", 0.0) + tir_number_or(t, "PKX2", 0.0) * d) *
                       exp(tir_number_or(t, "PKX3", 0.0) * d) * tir_number_or(t, "LKX", 1.0);
    pure p = { .C = tir_number_or(t, "PCX1", 1.6),
               .D = load * (tir_number_or(t, "PDX1", 0.0) + tir_number_or(t, "PDX2", 0.0) * d) *
                    tir_number_or(t, "LMUX", 1.0),
               .E = tir_number_or(t, "PEX1", 0.0) + tir_number_or(t, "PEX2", 0.0) * d +
                    tir_number_or(t, "PEX3", 0.0) * d * d };
    p.B = stiffness / (p.C * p.D);
    return p;
}

static pure pure_y(tir *t, double load, double nominal)
{
    double d = (load - nominal) / nominal;
    double stiffness = tir_number_or(t, "PKY1", 0.0) * nominal *
                       sin(2.0 * atan(load / (tir_number_or(t, "PKY2", 1.0) * nominal))) *
                       tir_number_or(t, "LKY", 1.0);
    pure p = { .C = tir_number_or(t, "PCY1", 1.3),
               .D = load * fabs(tir_number_or(t, "PDY1", 0.0) + tir_number_or(t, "PDY2", 0.0) * d) *
                    tir_number_or(t, "LMUY", 1.0),
               .E = tir_number_or(t, "PEY1", 0.0) + tir_number_or(t, "PEY2", 0.0) * d };
    p.B = fabs(stiffness) / (p.C * p.D);
    return p;
}

// slope, peak, its slip, force at slip 1, 1
static void landmarks(const pure *p, double out[5])
{
    double best = 0.0, at = 0.9;
    for (int k = 1; k <= 900; k++) {
        double f = pure_at(p, 1e-3 * k);
        if (f > best) {
            best = f;
            at = 1e-3 * k;
        }
    }
    const double found[5] = { p->B * p->C * p->D, best, at, fmin(pure_at(p, 1.0), best), 1.0 };
    memcpy(out, found, sizeof found);
}

static void make_tmeasy(tir *t)
{
    double nominal, x[10], y[10];
    tir_put(t, "type", tir_text(t, "tyre-tmeasy", 1));
    if (!tir_number(t, "FNOMIN", &nominal) || !(nominal > 0.0)) {
        tir_complain(t, 1, 1, "VERTICAL", "FNOMIN, the nominal load, is missing or not positive");
        return;
    }
    tir_carry(t, "FNOMIN", t->force, "nominal_load");
    for (int k = 0; k < 2; k++) {
        pure px = pure_x(t, (1 + k) * nominal, nominal), py = pure_y(t, (1 + k) * nominal, nominal);
        landmarks(&px, &x[5 * k]);
        landmarks(&py, &y[5 * k]);
        // forces and slopes in the units of the file
        for (int i = 0; i < 5; i++) {
            double si = i == 2 || i == 4 ? 1.0 : t->force;
            x[5 * k + i] *= si;
            y[5 * k + i] *= si;
        }
    }
    for (int k = 0; k < 10; k++) {
        if (!isfinite(x[k]) || !isfinite(y[k])) {
            tir_complain(t, tir_find(t, "PCX1") ? tir_find(t, "PCX1")->line : 1, 1,
                         "LONGITUDINAL_COEFFICIENTS",
                         "the coefficients give no finite curve: PCX1, PDX1, PKX1, PCY1, PDY1, PKY1 and PKY2 "
                         "must not vanish");
            return;
        }
    }
    tir_put_numbers(t, "longitudinal", x, 10, tir_find(t, "PCX1") ? tir_find(t, "PCX1")->line : 1);
    tir_put_numbers(t, "lateral", y, 10, tir_find(t, "PCY1") ? tir_find(t, "PCY1")->line : 1);

    // without stiffnesses of the carcass: a relaxation length of one radius; damped in 5 ms
    static const double damping_time = 5e-3;
    double radius = tir_number_or(t, "UNLOADED_RADIUS", 0.3 / t->length) * t->length;
    double si = t->force / t->length;
    double c[2] = { tir_number_or(t, "LONGITUDINAL_STIFFNESS", x[0] / radius / si) * si,
                    tir_number_or(t, "LATERAL_STIFFNESS", y[0] / radius / si) * si };
    tir_put_number(t, "stiffness_x", c[0], 1);
    tir_put_number(t, "damping_x", damping_time * c[0], 1);
    tir_put_number(t, "stiffness_y", c[1], 1);
    tir_put_number(t, "damping_y", damping_time * c[1], 1);
}

// ---- the file ------------------------------------------------------------------------------------------------------

static bool is_head(const char *section)
{
    static const char *const known[] = { "MDI_HEADER", "UNITS" };
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        is_known |= strcmp(section, known[i]) == 0;
    }
    return is_known;
}

static bool has_use(const tir *t, const char *section)
{
    for (int k = 0; k < t->n_item; k++) {
        if (t->item[k].is_used && strcmp(t->item[k].section, section) == 0) {
            return true;
        }
    }
    return false;
}

// Sections of which nothing is used as a whole, single keys of the others.
static void note_unused(tir *t)
{
    int told = 0;
    for (int k = 0; k < t->n_section; k++) {
        const tir_section *s = &t->section[k];
        if (!is_head(s->name) && !has_use(t, s->name)) {
            bi_report_add(t->report, BI_NOTE, BI_OK, (bi_place){ t->path, s->line, 1 }, s->name,
                          "nothing of this section is used");
        }
    }
    for (int k = 0; k < t->n_item; k++) {
        const tir_item *item = &t->item[k];
        if (!item->is_used && !is_head(item->section) && has_use(t, item->section) && told++ < TIR_NOTES) {
            bi_report_add(t->report, BI_NOTE, BI_OK, (bi_place){ t->path, item->line, item->column },
                          item->section, "%s is not used%s", item->key, tir_why_unused(item->key));
        }
    }
}

// Whether another wheel has told what of this file is not used.
static bool was_told(const bi_report *report, const char *path)
{
    for (int k = 0; k < report->count; k++) {
        const bi_issue *i = &report->issue[k];
        if (i->severity == BI_NOTE && i->place.file && strcmp(i->place.file, path) == 0) {
            return true;
        }
    }
    return false;
}

yaml_node *tir_read(const char *text, size_t length, const char *path, const char *as, blocks *memory,
                    bi_report *report)
{
    int errors = report->errors;
    bool is_told = was_told(report, path);
    tir t = { .path = path, .report = report, .memory = memory };
    t.item = calloc(TIR_ITEMS, sizeof *t.item);
    t.map = blocks_new(memory, sizeof *t.map);
    if (!t.item || !t.map) {
        free(t.item);
        return NULL;
    }
    *t.map = (yaml_node){ .kind = YAML_MAP,
                          .line = 1,
                          .column = 1,
                          .key = blocks_new(memory, TIR_PAIRS * sizeof(yaml_node *)),
                          .item = blocks_new(memory, TIR_PAIRS * sizeof(yaml_node *)) };
    bool is_ready = t.map->key && t.map->item;
    if (is_ready) {
        tir_lines(&t, text, length);
        tir_units(&t);
        bool is_magic = tir_find(&t, "PCX1") || tir_find(&t, "PCY1");
        if (is_magic && as && strcmp(as, "tyre-tmeasy") == 0) {
            make_tmeasy(&t);
            carry_wheel(&t);
        } else if (is_magic) {
            tir_magic(&t);
        } else if (tir_find(&t, "A0")) {
            make_1989(&t);
            carry_wheel(&t);
        } else {
            tir_complain(&t, 1, 1, "",
                         "no coefficients that are understood: a0 .. b0 .. (1989), or PCX1 .. PCY1 .. (Magic "
                         "Formula 5 and 6)");
        }
        if (!is_told) {
            note_unused(&t);
        }
    }
    free(t.item);
    return is_ready && report->errors == errors ? t.map : NULL;
}
