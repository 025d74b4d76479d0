// SPDX-License-Identifier: MIT
// OpenDRIVE files (ASAM OpenDRIVE 1.4 to 1.8): the surface of one road.
#pragma once
#include "io/robot/xml.h"
#include <biela/io.h>

// The road with that id, or the only one (NULL). All mistakes go to the report with file and line. NULL: there were some.
bi_road *odr_read(const char *text, size_t length, const char *path, const char *name, bi_report *report);

// ---- inside -----------------------------------------------------------------------------------------------------

// A cubic from a station on: a + b d + c d^2 + e d^3, d = s - from.
typedef struct {
    double from, c[4];
    int line; // of the file
} odr_cubic;
typedef struct {
    odr_cubic *item; // (n), in the order of their stations
    int n;
} odr_curve;

typedef enum { ODR_LINE, ODR_ARC, ODR_SPIRAL, ODR_POLY, ODR_PARAM } odr_kind;
typedef struct {
    odr_kind kind;
    double s, x, y, heading, length;
    double bend[2];     // 1/m, at its beginning and its end
    double u[4], v[4];  // of poly3 (v over u), of paramPoly3 (both over p)
    bool is_normalized; // p from 0 to 1
    int line;
} odr_geometry;

typedef struct {
    double from;            // s of its lane section
    odr_curve width[2][32]; // by side (left, right) and number: s from the beginning of the road
    odr_curve inner[2][32], outer[2][32]; // heights of its borders
    int n_lane[2];
    int line;
} odr_section;

typedef struct {
    const char *path;
    bi_report *report;
    blocks memory;
    int n_complaint;
    double length;
    odr_geometry *geometry; // (n_geometry)
    int n_geometry;
    odr_curve height, tilt, offset, fall[2]; // fall: crossfall, left and right
    odr_curve shape;                         // lateral shape: pieces over t
    double *shape_s;                         // (shape.n) their stations
    odr_section *section;                    // (n_section)
    int n_section;
} odr;

void odr_complain(odr *o, int line, const char *where, const char *format, ...);
void odr_note(odr *o, int line, const char *where, const char *format, ...);
// A number of an attribute; a missing one is `otherwise`, or a mistake when that is NAN.
double odr_number(odr *o, const xml_element *e, const char *key, double otherwise);

// The polynomial that holds at s, as one in s - at: `at` in the same piece. None: zero.
void odr_cubic_at(const odr_curve *curve, double s, double at, double out[4]);
double odr_value_at(const odr_curve *curve, double s);

// Place and two derivatives with s of a geometry; `from` NULL, or an earlier station of it with its numbers, so that arcs
// are not integrated anew.
typedef struct {
    double s, parameter; // of poly3: u there
    double line[6];
} odr_node;
void odr_begin(const odr_geometry *g, odr_node *out);
// On by h, which is short (odr_step).
void odr_go_on(const odr_geometry *g, double h, odr_node *node);
// A step within which a polynomial of fifth order is 1e-10 m near.
double odr_step(const odr_geometry *g);
