// SPDX-License-Identifier: MIT
// The elements of a road of OpenDRIVE as lists of cubics by station.
#include "io/road/odr_parse.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPLAINTS = 20, MOST_LANES = 32 };

void odr_complain(odr *o, int line, const char *where, const char *format, ...)
{
    char what[300];
    va_list args;
    if (++o->n_complaint > MOST_COMPLAINTS) {
        return;
    }
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bi_report_add(o->report, BI_ERROR, BI_BAD_FILE, (bi_place){ o->path, line, 1 }, where, "%s", what);
}

void odr_note(odr *o, int line, const char *where, const char *format, ...)
{
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bi_report_add(o->report, BI_NOTE, BI_OK, (bi_place){ o->path, line, 1 }, where, "%s", what);
}

double odr_number(odr *o, const xml_element *e, const char *key, double otherwise)
{
    const char *text = xml_get(e, key);
    char *rest;
    if (!text) {
        if (isnan(otherwise)) {
            odr_complain(o, e->line, e->name, "needs '%s'", key);
        }
        return isnan(otherwise) ? 0.0 : otherwise;
    }
    double x = strtod(text, &rest);
    if (rest == text || rest[strspn(rest, " \t\r\n")] != '\0' || !(fabs(x) < 1e12)) {
        odr_complain(o, e->line, e->name, "%s: '%.40s' is no number that can be used", key, text);
        return 0.0;
    }
    return x;
}

static const xml_element *child_of(const xml_element *from, const char *name)
{
    return from ? xml_child(from->first, name) : NULL;
}

static int count_of(const xml_element *from, const char *name)
{
    int n = 0;
    for (const xml_element *e = from ? from->first : NULL; e; e = e->next) {
        n += strcmp(e->name, name) == 0;
    }
    return n;
}

void *odr_room(odr *o, int n, size_t item)
{
    void *room = blocks_new(&o->memory, ((size_t)n + 1) * item);
    if (!room) {
        odr_complain(o, 1, "", "no memory for it");
    } else {
        memset(room, 0, ((size_t)n + 1) * item);
    }
    return room;
}

odr_curve odr_cubics(odr *o, const xml_element *from, const char *name, const char *station, double shift,
                     const char *const keys[4], bool (*takes)(const xml_element *, const void *),
                     const void *data)
{
    odr_curve curve = { odr_room(o, count_of(from, name), sizeof *curve.item), 0 };
    for (const xml_element *e = from ? from->first : NULL; e && curve.item; e = e->next) {
        if (strcmp(e->name, name) != 0 || (takes && !takes(e, data))) {
            continue;
        }
        odr_cubic *c = &curve.item[curve.n];
        *c = (odr_cubic){ .from = shift + odr_number(o, e, station, NAN), .line = e->line };
        for (int k = 0; k < 4; k++) {
            c->c[k] = keys[k] ? odr_number(o, e, keys[k], NAN) : 0.0;
        }
        if (curve.n > 0 && !(c->from >= c[-1].from)) {
            odr_complain(o, e->line, name, "begins at %g m, before the one above it: they must be in order",
                         c->from);
        }
        // of two that begin at one place the last counts
        curve.n += curve.n == 0 || c->from > c[-1].from;
        if (c != &curve.item[curve.n - 1]) {
            curve.item[curve.n - 1] = *c;
        }
    }
    return curve;
}

static const char *const abcd[4] = { "a", "b", "c", "d" };

// ---- plan view --------------------------------------------------------------------------------------------------

static void read_kind(odr *o, const xml_element *e, odr_geometry *g)
{
    static const char *const names[] = { "line", "arc", "spiral", "poly3", "paramPoly3" };
    const xml_element *kind = NULL;
    for (int k = 0; k < 5 && !kind; k++) {
        kind = child_of(e, names[k]);
        g->kind = (odr_kind)k;
    }
    if (!kind) {
        odr_complain(o, e->line, "geometry", "needs one of line, arc, spiral, poly3, paramPoly3");
        return;
    }
    static const char *const of_u[4] = { "aU", "bU", "cU", "dU" }, *const of_v[4] = { "aV", "bV", "cV",
                                                                                      "dV" };
    const char *range = xml_get(kind, "pRange");
    switch (g->kind) {
    case ODR_LINE: break;
    case ODR_ARC: g->bend[0] = g->bend[1] = odr_number(o, kind, "curvature", NAN); break;
    case ODR_SPIRAL:
        g->bend[0] = odr_number(o, kind, "curvStart", NAN);
        g->bend[1] = odr_number(o, kind, "curvEnd", NAN);
        break;
    case ODR_POLY:
    case ODR_PARAM:
        for (int k = 0; k < 4; k++) {
            g->u[k] = g->kind == ODR_PARAM ? odr_number(o, kind, of_u[k], NAN) : 0.0;
            g->v[k] = odr_number(o, kind, g->kind == ODR_PARAM ? of_v[k] : abcd[k], NAN);
        }
        g->is_normalized = !range || strcmp(range, "normalized") == 0;
        if (g->kind == ODR_PARAM && range && !g->is_normalized && strcmp(range, "arcLength") != 0) {
            odr_complain(o, kind->line, "paramPoly3", "pRange '%.40s' is neither arcLength nor normalized",
                         range);
        }
        break;
    }
}

static void read_plan(odr *o, const xml_element *road)
{
    const xml_element *plan = child_of(road, "planView");
    double at = 0.0;
    o->geometry = odr_room(o, count_of(plan, "geometry"), sizeof *o->geometry);
    for (const xml_element *e = plan ? plan->first : NULL; e && o->geometry; e = e->next) {
        if (strcmp(e->name, "geometry") != 0) {
            continue;
        }
        odr_geometry *g = &o->geometry[o->n_geometry++];
        *g = (odr_geometry){ .s = odr_number(o, e, "s", NAN),
                             .x = odr_number(o, e, "x", NAN),
                             .y = odr_number(o, e, "y", NAN),
                             .heading = odr_number(o, e, "hdg", NAN),
                             .length = odr_number(o, e, "length", NAN),
                             .line = e->line };
        if (!(g->length > 0.0)) {
            odr_complain(o, e->line, "geometry", "its length must be above 0");
        }
        if (fabs(g->s - at) > 1e-3) {
            odr_complain(o, e->line, "geometry",
                         "begins at s = %.9g m, and %s ends at %.9g m: the road has a gap", g->s,
                         o->n_geometry > 1 ? "the one before it" : "nothing", at);
        }
        g->s = at; // what is left of a millimetre
        at += g->length;
        read_kind(o, e, g);
    }
    if (o->n_geometry == 0) {
        odr_complain(o, road->line, "road", "has no planView with a geometry");
    }
    o->length = at;
}

// ---- lanes ------------------------------------------------------------------------------------------------------

static void read_lane(odr *o, const xml_element *e, odr_section *section, int side)
{
    static const char *const inner[4] = { "inner", NULL, NULL, NULL }, *const outer[4] = { "outer", NULL,
                                                                                           NULL, NULL };
    int number = abs((int)odr_number(o, e, "id", NAN));
    if (number < 1 || number > MOST_LANES) {
        odr_complain(o, e->line, "lane", "its id must be from 1 to %d, negative on the right", MOST_LANES);
        return;
    }
    odr_curve *width = &section->width[side][number - 1];
    if (width->n > 0) {
        odr_complain(o, e->line, "lane", "%d stands here for the second time in its section", number);
    }
    *width = odr_cubics(o, e, "width", "sOffset", section->from, abcd, NULL, NULL);
    if (width->n == 0) {
        odr_complain(o, e->line, "lane",
                     child_of(e, "border") ? "'border' is not read here: give 'width'" : "needs a width");
    }
    section->inner[side][number - 1] =
        odr_cubics(o, e, "height", "sOffset", section->from, inner, NULL, NULL);
    section->outer[side][number - 1] =
        odr_cubics(o, e, "height", "sOffset", section->from, outer, NULL, NULL);
    section->n_lane[side] = number > section->n_lane[side] ? number : section->n_lane[side];
}

static void read_lanes(odr *o, const xml_element *road)
{
    static const char *const sides[2] = { "left", "right" };
    const xml_element *lanes = child_of(road, "lanes");
    o->offset = odr_cubics(o, lanes, "laneOffset", "s", 0.0, abcd, NULL, NULL);
    o->section = odr_room(o, count_of(lanes, "laneSection"), sizeof *o->section);
    for (const xml_element *e = lanes ? lanes->first : NULL; e && o->section; e = e->next) {
        if (strcmp(e->name, "laneSection") != 0) {
            continue;
        }
        odr_section *section = &o->section[o->n_section++];
        section->from = odr_number(o, e, "s", NAN);
        section->line = e->line;
        if (o->n_section > 1 && !(section->from > section[-1].from)) {
            odr_complain(o, e->line, "laneSection", "begins before the one above it ends");
        }
        for (int side = 0; side < 2; side++) {
            const xml_element *list = child_of(e, sides[side]);
            for (const xml_element *lane = list ? list->first : NULL; lane; lane = lane->next) {
                if (strcmp(lane->name, "lane") == 0) {
                    read_lane(o, lane, section, side);
                }
            }
            for (int k = 0; k < section->n_lane[side]; k++) {
                if (section->width[side][k].n == 0 && o->n_complaint == 0) {
                    odr_complain(o, e->line, "laneSection",
                                 "lane %d is missing: lanes are numbered without a gap",
                                 side == 0 ? k + 1 : -k - 1);
                }
            }
        }
    }
    if (o->n_section == 0) {
        odr_complain(o, road->line, "road", "has no lanes: how wide it is is not known");
    }
}

// ---- one road ---------------------------------------------------------------------------------------------------

static bool is_on_side(const xml_element *e, const void *side)
{
    const char *given = xml_get(e, "side");
    return !given || strcmp(given, "both") == 0 || strcmp(given, side) == 0;
}

// Heights must not jump where one cubic follows another.
static void check_jumps(odr *o, const odr_curve *curve, const char *name, double most)
{
    for (int k = 1; k < curve->n; k++) {
        const odr_cubic *a = &curve->item[k - 1], *b = &curve->item[k];
        double d = b->from - a->from, before = a->c[0] + d * (a->c[1] + d * (a->c[2] + d * a->c[3]));
        if (!(fabs(b->c[0] - before) <= most)) {
            odr_complain(o, b->line, name, "jumps by %.3g at s = %.6g m", b->c[0] - before, b->from);
        }
    }
}

// Pieces of shapes lie at one station after the other, and there at one t after the other.
static void read_shapes(odr *o, const xml_element *lateral)
{
    int n = count_of(lateral, "shape");
    o->shape.item = odr_room(o, n, sizeof *o->shape.item);
    o->shape_s = odr_room(o, n, sizeof *o->shape_s);
    for (const xml_element *e = lateral ? lateral->first : NULL; e && o->shape.item && o->shape_s;
         e = e->next) {
        if (strcmp(e->name, "shape") != 0) {
            continue;
        }
        int k = o->shape.n++;
        o->shape_s[k] = odr_number(o, e, "s", NAN);
        o->shape.item[k] = (odr_cubic){ .from = odr_number(o, e, "t", NAN), .line = e->line };
        for (int i = 0; i < 4; i++) {
            o->shape.item[k].c[i] = odr_number(o, e, abcd[i], NAN);
        }
        bool is_after =
            k == 0 || o->shape_s[k] > o->shape_s[k - 1] ||
            (o->shape_s[k] == o->shape_s[k - 1] && o->shape.item[k].from > o->shape.item[k - 1].from);
        if (!is_after) {
            odr_complain(o, e->line, "shape", "must come behind the one above it, in s or in t");
        }
    }
}

void odr_parse_road(odr *o, const xml_element *road)
{
    const xml_element *lateral = child_of(road, "lateralProfile");
    read_plan(o, road);
    o->height = odr_cubics(o, child_of(road, "elevationProfile"), "elevation", "s", 0.0, abcd, NULL, NULL);
    o->tilt = odr_cubics(o, lateral, "superelevation", "s", 0.0, abcd, NULL, NULL);
    o->fall[0] = odr_cubics(o, lateral, "crossfall", "s", 0.0, abcd, is_on_side, "left");
    o->fall[1] = odr_cubics(o, lateral, "crossfall", "s", 0.0, abcd, is_on_side, "right");
    read_shapes(o, lateral);
    read_lanes(o, road);
    check_jumps(o, &o->height, "elevation", 1e-3);
    check_jumps(o, &o->tilt, "superelevation", 1e-3);
    check_jumps(o, &o->offset, "laneOffset", 1e-2);
}
