// SPDX-License-Identifier: MIT
// From the rows of an OpenCRG file to a road: heading, slope and banking are integrated as ASAM's library does it.
#include "io/road/crg.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double or_else(double x, double other) { return isnan(x) ? other : x; }

// The columns, by what they are; sections in the order of v.
typedef struct {
    int of[CRG_SECTION]; // -1: none
    int *section;        // (n_v) columns
    double *v;           // (n_v) m
    int n_v;
} columns;

// ---- columns ----------------------------------------------------------------------------------------------------

static int compare_sections(const void *a, const void *b)
{
    double x = ((const double *)a)[0], y = ((const double *)b)[0];
    return (x > y) - (x < y);
}

// v of sections that have numbers: from the right border by the increment, or between both borders.
static bool place_numbered(crg *c, const double *pair, columns *to)
{
    double right = c->number[CRG_RIGHT], left = c->number[CRG_LEFT], step = c->number[CRG_ACROSS];
    int line = c->channel[(int)pair[1]].line;
    for (int k = 0; k < to->n_v; k++) {
        if (pair[2 * k] != k + 1.0) {
            crg_complain(c, c->channel[(int)pair[2 * k + 1]].line, "KD_DEFINITION",
                         "long sections are numbered from 1 without a gap, and this is %g in place of %d",
                         pair[2 * k], k + 1);
            return false;
        }
    }
    if (isnan(step) && (isnan(right) || isnan(left))) {
        crg_complain(c, line, "KD_DEFINITION",
                     "numbered long sections need LONG_SECTION_V_INCREMENT, or both borders");
        return false;
    }
    if (isnan(step)) {
        step = (left - right) / (to->n_v - 1);
    }
    right = or_else(right, isnan(left) ? -0.5 * step * (to->n_v - 1) : left - step * (to->n_v - 1));
    if (!(step > 0.0)) {
        crg_complain(c, line, "ROAD_CRG", "long sections must be apart: LONG_SECTION_V_INCREMENT above 0");
        return false;
    }
    if (!isnan(left) && fabs(right + step * (to->n_v - 1) - left) > 1e-3 * step) {
        crg_complain(c, c->number_line[CRG_LEFT], "ROAD_CRG",
                     "%d long sections by %g m from %g m end at %g m, not at LONG_SECTION_V_LEFT", to->n_v,
                     step, right, right + step * (to->n_v - 1));
        return false;
    }
    for (int k = 0; k < to->n_v; k++) {
        to->v[k] = right + step * k;
    }
    return true;
}

static bool place_sections(crg *c, double *pair, columns *to)
{
    bool has_place = false, has_number = false;
    for (int k = 0; k < c->n_channel; k++) {
        const crg_channel *channel = &c->channel[k];
        if (channel->kind != CRG_SECTION) {
            if (to->of[channel->kind] >= 0) {
                crg_complain(c, channel->line, "KD_DEFINITION",
                             "this column stands here for the second time");
            }
            to->of[channel->kind] = k;
            continue;
        }
        *(channel->has_place ? &has_place : &has_number) = true;
        pair[2 * to->n_v] = channel->at;
        pair[2 * to->n_v++ + 1] = k;
    }
    if (to->n_v < 2 || (has_place && has_number)) {
        crg_complain(c, c->line, "KD_DEFINITION",
                     to->n_v < 2
                         ? "a road needs two long sections at least"
                         : "some long sections have a place and some a number: all must have the same");
        return false;
    }
    qsort(pair, (size_t)to->n_v, 2 * sizeof *pair, compare_sections);
    for (int k = 0; k < to->n_v; k++) {
        to->section[k] = (int)pair[2 * k + 1];
        to->v[k] = pair[2 * k];
        if (has_place && k > 0 && !(to->v[k] - to->v[k - 1] >= 1e-6)) {
            crg_complain(c, c->channel[to->section[k]].line, "KD_DEFINITION",
                         "two long sections at v = %g: they must be apart", to->v[k]);
            return false;
        }
    }
    return has_place || place_numbered(c, pair, to);
}

static bool sort_columns(crg *c, columns *to)
{
    size_t n = (size_t)c->n_channel + 1;
    double *pair = malloc(2 * n * sizeof *pair);
    *to = (columns){ { -1, -1, -1 }, malloc(n * sizeof *to->section), malloc(n * sizeof *to->v), 0 };
    bool is_good = pair && to->section && to->v && place_sections(c, pair, to);
    free(pair);
    return is_good && c->n_complaint == 0;
}

// ---- along the road ---------------------------------------------------------------------------------------------

typedef struct {
    int n;
    double step;
    double *u, *heading, *z, *bank; // (n)
    double (*line)[6];              // (n)
} profile;

static double step_of(const profile *p, int i, int axis)
{
    double part[2];
    bi_sincos(p->heading[i], &part[1], &part[0]);
    return p->step * part[axis];
}

// The heading of a row is that of the way to it. With both ends known, the way there and the way back, each the more as its
// own end is near.
static void integrate_line(const crg *c, profile *p)
{
    bool has_end = !isnan(c->number[CRG_END_X]) && !isnan(c->number[CRG_END_Y]) && p->heading;
    const double first[2] = { or_else(c->number[CRG_START_X], 0.0), or_else(c->number[CRG_START_Y], 0.0) },
                 last[2] = { c->number[CRG_END_X], c->number[CRG_END_Y] };
    double straight[2];
    bi_sincos(or_else(c->number[CRG_START_PHI], 0.0), &straight[1], &straight[0]);
    for (int axis = 0; axis < 2; axis++) {
        p->line[0][axis] = first[axis];
        if (!p->heading) {
            for (int i = 1; i < p->n; i++) {
                p->line[i][axis] = first[axis] + i * p->step * straight[axis];
            }
            continue;
        }
        if (has_end) {
            p->line[p->n - 1][axis] = last[axis];
            for (int i = p->n - 1; i > 1; i--) {
                p->line[i - 1][axis] = p->line[i][axis] - step_of(p, i, axis);
            }
        }
        for (int i = 0; i < p->n - 1; i++) {
            double share = has_end ? (i + 1.0) / (p->n - 1.0) : 0.0,
                   there = p->line[i][axis] + step_of(p, i + 1, axis);
            p->line[i + 1][axis] = has_end ? (1.0 - share) * there + share * p->line[i + 1][axis] : there;
        }
    }
}

// The same with the slope; a road without one is level.
static void integrate_height(const crg *c, const double *slope, profile *p)
{
    double constant = or_else(c->number[CRG_START_S], 0.0), first = or_else(c->number[CRG_START_Z], 0.0);
    bool has_slope = slope || constant != 0.0, has_end = !isnan(c->number[CRG_END_Z]) && has_slope;
    p->z[0] = first;
    if (has_end) {
        p->z[p->n - 1] = c->number[CRG_END_Z];
        for (int i = p->n - 1; i > 1; i--) {
            p->z[i - 1] = p->z[i] - p->step * (slope ? slope[i] : constant);
        }
    }
    for (int i = 0; i < p->n - (has_end ? 2 : 1); i++) {
        double share = has_end ? i / (p->n - 1.0) : 0.0;
        double there = p->z[i] + p->step * (slope ? slope[i + 1] : constant);
        p->z[i + 1] = has_slope ? (has_end ? (1.0 - share) * there + share * p->z[i + 1] : there) : first;
    }
}

// The heading at both ends, which the road keeps beyond them.
static void end_directions(const crg *c, profile *p)
{
    double first = or_else(c->number[CRG_START_PHI], p->heading ? p->heading[0] : 0.0),
           last = or_else(c->number[CRG_END_PHI], p->heading ? p->heading[p->n - 1] : first);
    bi_sincos(first, &p->line[0][3], &p->line[0][2]);
    bi_sincos(last, &p->line[p->n - 1][3], &p->line[p->n - 1][2]);
}

// A column; a gap is a mistake, but in the first row, where nothing leads to it.
static bool take_column(crg *c, const double *value, int column, int n, double first, double *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = value[(size_t)i * (size_t)c->n_channel + (size_t)column];
        if (i == 0 && isnan(out[0])) {
            out[0] = or_else(first, value[c->n_channel + column]);
        }
        if (isnan(out[i])) {
            crg_complain(c, c->channel[column].line, "KD_DEFINITION",
                         "row %d of this column is missing: the reference line has a gap there", i + 1);
            return false;
        }
    }
    return true;
}

// Ends that the file tells in two ways must be about the same.
static void compare_ends(crg *c, const profile *p)
{
    double last = p->u[p->n - 1];
    if (!isnan(c->number[CRG_END_U]) && fabs(last - c->number[CRG_END_U]) > 1e-3 * p->step) {
        crg_note(c, c->number_line[CRG_END_U], "ROAD_CRG", "the rows end at u = %.9g m", last);
    }
    for (int i = 1; i < p->n; i++) {
        double x = p->line[i][0] - p->line[i - 1][0], y = p->line[i][1] - p->line[i - 1][1];
        double ratio = sqrt(x * x + y * y) / p->step;
        if (!(ratio > 0.9 && ratio < 1.1)) {
            crg_complain(
                c, c->number_line[CRG_END_X] ? c->number_line[CRG_END_X] : 1, "ROAD_CRG",
                "between rows %d and %d the reference line goes %.4g m, and REFERENCE_LINE_INCREMENT "
                "is %.4g m: the heading, its unit or the end do not fit",
                i, i + 1, ratio * p->step, p->step);
            return;
        }
    }
}

static bool make_profile(crg *c, const double *value, const columns *at, double *slope, profile *p)
{
    double from = or_else(c->number[CRG_START_U], 0.0);
    for (int i = 0; i < p->n; i++) {
        p->u[i] = from + p->step * i;
        p->bank[i] = or_else(c->number[CRG_START_B], 0.0);
    }
    if (at->of[CRG_PHI] < 0) {
        p->heading = NULL;
    } else if (!take_column(c, value, at->of[CRG_PHI], p->n, c->number[CRG_START_PHI], p->heading)) {
        return false;
    }
    if (at->of[CRG_SLOPE] >= 0 &&
        !take_column(c, value, at->of[CRG_SLOPE], p->n, c->number[CRG_START_S], slope)) {
        return false;
    }
    if (at->of[CRG_BANK] >= 0 &&
        !take_column(c, value, at->of[CRG_BANK], p->n, c->number[CRG_START_B], p->bank)) {
        return false;
    }
    integrate_line(c, p);
    integrate_height(c, at->of[CRG_SLOPE] >= 0 ? slope : NULL, p);
    end_directions(c, p);
    compare_ends(c, p);
    return c->n_complaint == 0;
}

// ---- heights ----------------------------------------------------------------------------------------------------

typedef enum { NAN_KEEP, NAN_ZERO, NAN_LAST } nan_mode;

// Fills what is missing in a row from its good neighbour towards `step`.
static void fill_row(double *row, int n, nan_mode mode, double offset, int step)
{
    double more = offset;
    for (int k = step > 0 ? 1 : n - 2; k >= 0 && k < n; k += step) {
        if (isnan(row[k]) && !isnan(row[k - step])) {
            row[k] = mode == NAN_ZERO ? offset : row[k - step] + more;
            more = 0.0;
        }
    }
}

static bool take_relief(crg *c, const double *value, const columns *at, int n, double *relief)
{
    double mode = or_else(c->number[CRG_NAN_MODE], NAN_LAST),
           offset = or_else(c->number[CRG_NAN_OFFSET], 0.0);
    if (mode != NAN_KEEP && mode != NAN_ZERO && mode != NAN_LAST) {
        crg_complain(c, c->number_line[CRG_NAN_MODE], "ROAD_CRG_MODS", "GRID_NAN_MODE is 0, 1 or 2");
        return false;
    }
    int holes = 0;
    for (int i = 0; i < n; i++) {
        double *row = &relief[(size_t)i * (size_t)at->n_v];
        for (int k = 0; k < at->n_v; k++) {
            row[k] = value[(size_t)i * (size_t)c->n_channel + (size_t)at->section[k]];
            holes += isnan(row[k]);
        }
        if (mode != NAN_KEEP) {
            fill_row(row, at->n_v, (nan_mode)mode, offset, 1);
            fill_row(row, at->n_v, (nan_mode)mode, offset, -1);
        }
        if (mode != NAN_KEEP && isnan(row[0])) {
            crg_complain(c, c->line, "", "row %d has no height at all: the road has a gap there", i + 1);
            return false;
        }
    }
    if (holes > 0) {
        crg_note(c, c->line, "", "%d heights are missing: %s", holes,
                 mode == NAN_KEEP   ? "there is no road (GRID_NAN_MODE = 0)"
                 : mode == NAN_ZERO ? "zero in their place (GRID_NAN_MODE = 1)"
                                    : "the nearest across the road in their place");
    }
    return true;
}

static bool take_border(crg *c, crg_number key, bi_road_border *out)
{
    double mode = or_else(c->number[key], BI_ROAD_KEEP);
    if (mode != floor(mode) || !(mode >= 0.0 && mode <= 4.0)) {
        crg_complain(c, c->number_line[key], "ROAD_CRG_OPTS", "a border mode is 0, 1, 2, 3 or 4");
        return false;
    }
    *out = (bi_road_border)mode;
    return true;
}

static bi_road *make_road(crg *c, const double *value, int n, const columns *at)
{
    bi_road_border border[2];
    static const crg_number offsets[] = { CRG_OFFSET_X, CRG_OFFSET_Y, CRG_OFFSET_PHI, CRG_OFFSET_Z };
    for (int k = 0; k < 4; k++) {
        if (or_else(c->number[offsets[k]], 0.0) != 0.0) {
            crg_complain(c, c->number_line[offsets[k]], "ROAD_CRG",
                         "global offsets are not used: place the road with 'at' and 'turn'");
        }
    }
    if (!take_border(c, CRG_MODE_U, &border[0]) || !take_border(c, CRG_MODE_V, &border[1])) {
        return NULL;
    }
    size_t rows = (size_t)n;
    double *room = malloc(11 * rows * sizeof *room),
           *relief = malloc(rows * (size_t)at->n_v * sizeof *relief), *slope = room + 4 * rows;
    bi_road *road = NULL;
    const char *why = "no memory for it";
    if (room && relief) {
        profile p = { .n = n,
                      .step = c->number[CRG_INCREMENT],
                      .u = room,
                      .heading = room + rows,
                      .z = room + 2 * rows,
                      .bank = room + 3 * rows,
                      .line = (double(*)[6])(room + 5 * rows) };
        memset(room, 0, 11 * rows * sizeof *room);
        bool is_good = make_profile(c, value, at, slope, &p) && take_relief(c, value, at, n, relief);
        why = NULL;
        if (is_good) {
            road = bi_road_create(&(bi_road_def){ .n_u = n,
                                                  .n_v = at->n_v,
                                                  .u = p.u,
                                                  .line = (const double(*)[6])p.line,
                                                  .z = p.z,
                                                  .bank = p.bank,
                                                  .v = at->v,
                                                  .relief = relief,
                                                  .is_smooth = c->is_smooth,
                                                  .border = { border[0], border[1] },
                                                  .offset = { or_else(c->number[CRG_BORDER_U], 0.0),
                                                              or_else(c->number[CRG_BORDER_V], 0.0) } },
                                  &why);
        }
    }
    if (why) {
        crg_complain(c, c->line, "", "%s", why);
    }
    free(room);
    free(relief);
    return road;
}

bi_road *crg_read(const char *text, size_t length, const char *path, bool is_smooth, bi_report *report)
{
    crg c = { .path = path, .report = report, .is_smooth = is_smooth, .text = text, .end = text + length };
    columns at = { { 0 }, NULL, NULL, 0 };
    bi_road *road = NULL;
    bool is_good = crg_header(&c);
    if (is_good && !(c.number[CRG_INCREMENT] >= 1e-6)) {
        crg_complain(&c, c.number_line[CRG_INCREMENT] ? c.number_line[CRG_INCREMENT] : 1, "ROAD_CRG",
                     isnan(c.number[CRG_INCREMENT]) ? "REFERENCE_LINE_INCREMENT is missing"
                                                    : "REFERENCE_LINE_INCREMENT must be 1e-6 m or more");
    }
    if (is_good && sort_columns(&c, &at) && c.n_complaint == 0) {
        int n = 0;
        double *value = crg_rows(&c, &n);
        road = value ? make_road(&c, value, n, &at) : NULL;
        free(value);
    }
    free(at.section);
    free(at.v);
    free(c.channel);
    return road;
}
