// SPDX-License-Identifier: MIT
// The Magic Formula of a property file, key by key: the fields of the kind tyre-magic have the names of the file.
#include "io/tyre/tir_lines.h"
#include <biela/biela.h>
#include <math.h>
#include <string.h>

// What a unit of the kind is in the units of the file.
static double si_of(const tir *t, const char *unit)
{
    const struct {
        const char *unit;
        double si;
    } of[] = { { "m", t->length },
               { "N", t->force },
               { "m/s", t->length / t->time },
               { "Pa", t->force / (t->length * t->length) },
               { "N/m", t->force / t->length },
               { "rad", t->angle } };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        if (strcmp(unit, of[k].unit) == 0) {
            return of[k].si;
        }
    }
    return 1.0;
}

static int line_of(tir *t, const char *key)
{
    tir_item *item = tir_find(t, key);
    return item ? item->line : 1;
}

// Keys that a file must have.
static void ask_for(tir *t)
{
    static const char *const needed[] = {
        "UNLOADED_RADIUS", "FNOMIN", "PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY1", "PKY2"
    };
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        if (!tir_find(t, needed[k])) {
            tir_complain(t, 1, 1, "", "%s is missing: the Magic Formula has no curve without it", needed[k]);
        }
    }
}

static void check_range(tir *t, const char *low, const char *high)
{
    double from, to;
    if (tir_find(t, low) && tir_find(t, high) && tir_number(t, low, &from) && tir_number(t, high, &to) &&
        !(from < to)) {
        tir_complain(t, line_of(t, high), 1, tir_find(t, high)->section, "%s must be above %s (%g, line %d)",
                     high, low, from, line_of(t, low));
    }
}

static void check_ranges(tir *t)
{
    check_range(t, "PRESMIN", "PRESMAX");
    check_range(t, "FZMIN", "FZMAX");
    check_range(t, "KPUMIN", "KPUMAX");
    check_range(t, "ALPMIN", "ALPMAX");
    check_range(t, "CAMMIN", "CAMMAX");
    double low, high, pressure;
    if (tir_find(t, "PRESMIN") && tir_find(t, "PRESMAX") && tir_find(t, "INFLPRES") &&
        tir_number(t, "PRESMIN", &low) && tir_number(t, "PRESMAX", &high) &&
        tir_number(t, "INFLPRES", &pressure) && (pressure < low || pressure > high)) {
        bi_report_add(t->report, BI_WARNING, BI_OK, (bi_place){ t->path, line_of(t, "INFLPRES"), 1 },
                      "OPERATING_CONDITIONS",
                      "INFLPRES lies outside of PRESMIN to PRESMAX: forces are those at the "
                      "end of that range");
    }
}

// Version 5.2 or 6.1, where the file does not say it: only 6.x has PKY4.
static void carry_version(tir *t)
{
    double fit;
    tir_item *item = tir_find(t, "FITTYP");
    if (!item) {
        tir_put_number(t, "FITTYP", tir_find(t, "PKY4") ? 61.0 : 52.0, 1);
        return;
    }
    bool is_known = tir_number(t, "FITTYP", &fit) &&
                    (fit == 5.0 || fit == 6.0 || fit == 21.0 || fit == 52.0 || (fit >= 60.0 && fit <= 62.0));
    if (!is_known) {
        tir_complain(t, item->line, 1, item->section,
                     "FITTYP must be 5, 6, 21 or 52 (version 5.2), or 60, 61 or 62 (6.x)");
    }
    tir_put_number(t, "FITTYP", is_known ? fit : 61.0, item->line);
}

static void carry_side(tir *t)
{
    static const char *const word[][2] = { { "LEFT", "left" },
                                           { "RIGHT", "right" },
                                           { "SYMMETRIC", "symmetric" } };
    tir_item *item = tir_find(t, "TYRESIDE");
    if (!item) {
        return;
    }
    char side[TIR_WORD];
    memcpy(side, item->value, sizeof side);
    for (char *c = side; *c; c++) {
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    }
    for (size_t k = 0; k < sizeof word / sizeof *word; k++) {
        if (strcmp(side, word[k][0]) == 0) {
            tir_put(t, "tyre_side", tir_text(t, word[k][1], item->line));
            return;
        }
    }
    tir_complain(t, item->line, 1, item->section, "TYRESIDE must be 'LEFT', 'RIGHT' or 'SYMMETRIC', not '%s'",
                 item->value);
}

// Wheel, spring and what the kind calls by its own name.
static void carry_wheel(tir *t)
{
    double radius, nominal, q1, q2 = tir_number_or(t, "Q_FZ2", 0.0), a, b, width;
    tir_carry(t, "UNLOADED_RADIUS", t->length, "radius");
    tir_item *old = tir_find(t, "Q_FZ1");
    bool has_stiffness = tir_carry(t, "VERTICAL_STIFFNESS", t->force / t->length, "stiffness");
    if (!has_stiffness && old && tir_number(t, "Q_FZ1", &q1) && tir_number(t, "UNLOADED_RADIUS", &radius) &&
        tir_number(t, "FNOMIN", &nominal) && radius > 0.0 && q1 * q1 + 4.0 * q2 > 0.0) {
        tir_put_number(t, "stiffness", sqrt(q1 * q1 + 4.0 * q2) * nominal / radius * t->force / t->length,
                       old->line);
    } else if (!has_stiffness) {
        tir_complain(t, 1, 1, "VERTICAL", "VERTICAL_STIFFNESS is missing");
    } else if (old) {
        old->is_used = false;
    }
    tir_carry(t, "VERTICAL_DAMPING", t->force * t->time / t->length, "damping");
    if (tir_number_or(t, "VXLOW", 0.0) > 0.0) {
        tir_carry(t, "VXLOW", t->length / t->time, "slow_speed");
    }
    if (tir_number_or(t, "MC_CONTOUR_A", 0.0) > 0.0 && tir_number_or(t, "MC_CONTOUR_B", 0.0) > 0.0 &&
        tir_number(t, "WIDTH", &width)) {
        tir_number(t, "MC_CONTOUR_A", &a);
        tir_number(t, "MC_CONTOUR_B", &b);
        tir_put_number(t, "section", b * width * t->length, line_of(t, "MC_CONTOUR_B"));
        tir_put_number(t, "section_width", a * width * t->length, line_of(t, "MC_CONTOUR_A"));
    }
}

// Nonlinear relaxation and belts count as linear relaxation.
static void note_mode(tir *t)
{
    double mode;
    tir_item *item = tir_find(t, "USE_MODE");
    int tens = item && tir_number(t, "USE_MODE", &mode) ? (int)(fmod(fabs(mode), 100.0) / 10.0) : 0;
    if (tens > 1) {
        bi_report_add(t->report, BI_NOTE, BI_OK, (bi_place){ t->path, item->line, 1 }, item->section,
                      "USE_MODE asks for %s: slips relax over a constant length instead",
                      tens == 2 ? "nonlinear relaxation" : "a belt as a body");
    }
}

static bool is_own_name(const char *key) { return key[0] >= 'A' && key[0] <= 'Z'; }

void tir_magic(tir *t)
{
    const bi_kind *kind = bi_kind_find("forces", "tyre-magic");
    tir_put(t, "type", tir_text(t, "tyre-magic", 1));
    ask_for(t);
    check_ranges(t);
    carry_version(t);
    carry_side(t);
    for (int f = 0; kind && f < kind->n_field; f++) {
        const bi_field *field = &kind->field[f];
        if (is_own_name(field->key) && strcmp(field->key, "FITTYP") != 0) {
            tir_carry(t, field->key, si_of(t, field->unit), field->key);
        }
    }
    // combined slip, speeds of the usual test, pressure as measured: where the file says nothing
    if (!tir_find(t, "USE_MODE")) {
        tir_put_number(t, "USE_MODE", 14.0, 1);
    }
    if (!tir_find(t, "LONGVL")) {
        tir_put_number(t, "LONGVL", 16.7, 1);
    }
    if (!tir_find(t, "NOMPRES")) {
        tir_carry(t, "INFLPRES", t->force / (t->length * t->length), "NOMPRES");
    } else if (!tir_find(t, "INFLPRES")) {
        tir_carry(t, "NOMPRES", t->force / (t->length * t->length), "INFLPRES");
    }
    carry_wheel(t);
    note_mode(t);
}

const char *tir_why_unused(const char *key)
{
    static const struct {
        const char *start, *why;
    } known[] = {
        { "BELT_", ": it is of the belt as a body (MF-Swift)" },
        { "FREQ_", ": it is of the belt as a body (MF-Swift)" },
        { "DAMP_", ": it is of the belt as a body (MF-Swift); see tread_damping" },
        { "Q_BV", ": it is of the belt as a body (MF-Swift)" },
        { "ELLIPS_", ": it is of enveloping (MF-Swift)" },
        { "ENV_C", ": it is of enveloping (MF-Swift)" },
        { "ROAD_", ": it is of enveloping (MF-Swift)" },
        { "YAW_STIFFNESS", ": it is of the belt as a body (MF-Swift)" },
        { "PCMZ1", ": it is of the belt as a body (MF-Swift)" },
        { "Q_RA", ": the size of the patch has no effect on these forces" },
        { "Q_RB", ": the size of the patch has no effect on these forces" },
        { "Q_A", ": the size of the patch has no effect on these forces" },
        { "Q_CAM", ": camber has no effect on the load but by the section of the wheel" },
        { "Q_FYS", ": camber has no effect on the load but by the section of the wheel" },
        { "Q_FZ1", ": it follows from VERTICAL_STIFFNESS and Q_FZ2" },
        { "Q_FZ3", ": it is of an older version" },
        { "GRAVITY", ": the model has its own" },
        { "MASS", ": the body of the wheel has its own" },
        { "IXX", ": the body of the wheel has its own" },
        { "IYY", ": the body of the wheel has its own" },
        { "QTZ1", ": the belt has no gyroscopic moment here" },
        { "MBELT", ": the belt has no gyroscopic moment here" },
        { "LGYR", ": the belt has no gyroscopic moment here" },
        { "WIDTH", ": it counts with MC_CONTOUR_A and MC_CONTOUR_B only" },
        { "RIM_WIDTH", ": it has no effect on these forces" },
        { "ASPECT_RATIO", ": it has no effect on these forces" },
        { "HMAX_LOCAL", ": the solver is our own" },
        { "TIME_SWITCH_INTEG", ": the solver is our own" },
        { "N_TIRE_STATES", ": the solver is our own" },
        { "USER_SUB_ID", ": the solver is our own" },
        { "PROPERTY_FILE_FORMAT", ": FITTYP says which formula counts" },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strncmp(key, known[k].start, strlen(known[k].start)) == 0) {
            return known[k].why;
        }
    }
    return ": no key of that name is known";
}
