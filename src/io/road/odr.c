// SPDX-License-Identifier: MIT
// From the lists of an OpenDRIVE road to one over nodes: all places where something begins, and between them as many as the
// bends of the line need.
#include "io/road/odr.h"
#include "io/road/odr_parse.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1000 * 1000, MOST_ACROSS = 400 };
static const double across = 0.25, along = 1.0; // m, nodes of the relief
static const double joint = 1e-4;               // m, within which the bend goes from one geometry to the next

// ---- cubics -----------------------------------------------------------------------------------------------------

static const odr_cubic *piece_at(const odr_curve *curve, double s)
{
    const odr_cubic *at = NULL;
    for (int low = 0, high = curve->n; low < high;) {
        int middle = (low + high) / 2;
        if (curve->item[middle].from <= s) {
            at = &curve->item[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return at;
}

void odr_cubic_at(const odr_curve *curve, double s, double at, double out[4])
{
    const odr_cubic *p = piece_at(curve, s);
    double d = p ? at - p->from : 0.0;
    const double zero[4] = { 0.0 }, *c = p ? p->c : zero;
    out[0] = c[0] + d * (c[1] + d * (c[2] + d * c[3]));
    out[1] = c[1] + d * (2.0 * c[2] + 3.0 * d * c[3]);
    out[2] = c[2] + 3.0 * d * c[3];
    out[3] = c[3];
}

double odr_value_at(const odr_curve *curve, double s)
{
    double c[4];
    odr_cubic_at(curve, s, s, c);
    return c[0];
}

// ---- nodes ------------------------------------------------------------------------------------------------------

typedef struct {
    int n, capacity;
    double *u, (*line)[6];
} nodes;

static void add_node(odr *o, nodes *to, double s, const double line[6])
{
    if (to->n >= to->capacity) {
        int wider = to->capacity ? 2 * to->capacity : 256;
        double *u = realloc(to->u, (size_t)wider * sizeof *u);
        to->u = u ? u : to->u;
        double(*more)[6] = realloc(to->line, (size_t)wider * sizeof *more);
        to->line = more ? more : to->line;
        if (!u || !more || wider > 2 * MOST_NODES) {
            odr_complain(o, 1, "road", "needs more than %d nodes", MOST_NODES);
            return;
        }
        to->capacity = wider;
    }
    to->u[to->n] = s;
    memcpy(to->line[to->n++], line, sizeof *to->line);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// All stations where a cubic begins.
static double *breaks_of(odr *o, int *n)
{
    int most =
        o->height.n + o->tilt.n + o->offset.n + o->fall[0].n + o->fall[1].n + o->shape.n + o->n_section + 2;
    for (int k = 0; k < o->n_section; k++) {
        for (int i = 0; i < 64; i++) {
            most += o->section[k].width[i / 32][i % 32].n + o->section[k].inner[i / 32][i % 32].n;
        }
    }
    double *at = odr_room(o, most, sizeof *at);
    *n = 0;
    const odr_curve *const curves[] = { &o->height, &o->tilt, &o->offset, &o->fall[0], &o->fall[1] };
    for (int k = 0; at && k < 5; k++) {
        for (int i = 0; i < curves[k]->n; i++) {
            at[(*n)++] = curves[k]->item[i].from;
        }
    }
    for (int i = 0; at && i < o->shape.n; i++) {
        at[(*n)++] = o->shape_s[i];
    }
    for (int k = 0; at && k < o->n_section; k++) {
        at[(*n)++] = o->section[k].from;
        for (int i = 0; i < 64; i++) {
            const odr_curve *both[2] = { &o->section[k].width[i / 32][i % 32],
                                         &o->section[k].inner[i / 32][i % 32] };
            for (int c = 0; c < 2; c++) {
                for (int j = 0; j < both[c]->n; j++) {
                    at[(*n)++] = both[c]->item[j].from;
                }
            }
        }
    }
    if (at) {
        qsort(at, (size_t)*n, sizeof *at, compare);
    }
    return at;
}

static double length_of(const double *a) { return sqrt(a[0] * a[0] + a[1] * a[1]); }

// The end of a geometry against the beginning of the next: gaps are mistakes, what rounding left of places is spread over
// the geometry before. How long the way from one heading to the other takes, m.
static double meet(odr *o, const odr_geometry *next, nodes *to, int first)
{
    double *end = to->line[to->n - 1];
    odr_node begin;
    odr_begin(next, &begin);
    const double gap[2] = { begin.line[0] - end[0], begin.line[1] - end[1] };
    double sine =
        (end[2] * begin.line[3] - end[3] * begin.line[2]) / (length_of(end + 2) * length_of(begin.line + 2));
    if (!(length_of(gap) < 0.01)) {
        odr_complain(o, next->line, "geometry",
                     "begins %.3g m beside the end of the one before: the road has a gap", length_of(gap));
    }
    if (!(fabs(sine) < 0.05) || end[2] * begin.line[2] + end[3] * begin.line[3] < 0.0) {
        odr_complain(o, next->line, "geometry", "turns by %.3g where it begins (sine): the road has a corner",
                     sine);
    }
    double from = to->u[first], length = to->u[to->n - 1] - from;
    for (int i = first; i < to->n && length > 0.0; i++) {
        for (int c = 0; c < 2; c++) {
            to->line[i][c] += gap[c] * (to->u[i] - from) / length;
            to->line[i][2 + c] += gap[c] / length;
        }
    }
    return fmin(fmax(joint, 40.0 * fabs(sine)), 0.2 * next->length);
}

// The nodes of a geometry from `s` on, which may lie behind its beginning.
static void walk(odr *o, const odr_geometry *g, double skip, double longest, const double *breaks,
                 int n_break, nodes *to)
{
    odr_node at;
    double end = g->s + g->length, step = fmin(odr_step(g), longest);
    odr_begin(g, &at);
    int k = 0;
    while (k < n_break && breaks[k] <= g->s + skip + joint) {
        k++;
    }
    if (skip > 0.0) {
        odr_go_on(g, skip, &at);
    }
    add_node(o, to, at.s, at.line);
    while (at.s < end && o->n_complaint == 0) {
        double stop = k < n_break && breaks[k] < end - joint ? breaks[k] : end;
        int count = (int)ceil((stop - at.s) / step - 1e-9);
        double from = at.s, h = (stop - from) / (count > 0 ? count : 1);
        for (int i = 1; i <= count && o->n_complaint == 0; i++) {
            odr_go_on(g, i == count ? stop - at.s : h, &at);
            at.s = i == count ? stop : at.s;
            add_node(o, to, at.s, at.line);
        }
        if (count <= 0) {
            break;
        }
        while (k < n_break && breaks[k] <= stop + joint) {
            k++;
        }
    }
}

// ---- across -----------------------------------------------------------------------------------------------------

static const odr_section *section_at(const odr *o, double s)
{
    const odr_section *at = &o->section[0];
    for (int k = 1; k < o->n_section && o->section[k].from <= s; k++) {
        at = &o->section[k];
    }
    return at;
}

// t of a border: 0 of the middle, k of the outer side of lane k; as a cubic in s - at.
static void border_at(const odr *o, double s, double at, int side, int lane, double out[4])
{
    const odr_section *section = section_at(o, s);
    odr_cubic_at(&o->offset, s, at, out);
    for (int k = 0; k < lane && k < section->n_lane[side]; k++) {
        double c[4];
        odr_cubic_at(&section->width[side][k], s, at, c);
        for (int i = 0; i < 4; i++) {
            out[i] += side == 0 ? c[i] : -c[i];
        }
    }
}

static double lane_height(const odr *o, double s, double t)
{
    const odr_section *section = section_at(o, s);
    double middle = odr_value_at(&o->offset, s), c[4], near = middle;
    int side = t < middle;
    for (int k = 0; k < section->n_lane[side]; k++) {
        border_at(o, s, s, side, k + 1, c);
        double far = c[0], share = far != near ? (t - near) / (far - near) : 0.0;
        if (share <= 1.0 || k == section->n_lane[side] - 1) {
            double inner = odr_value_at(&section->inner[side][k], s),
                   outer = odr_value_at(&section->outer[side][k], s);
            return inner + fmin(fmax(share, 0.0), 1.0) * (outer - inner);
        }
        near = far;
    }
    return 0.0;
}

// The shape at the k-th station of shapes, whose pieces begin at `first`.
static double shape_over(const odr *o, int first, double t)
{
    int k = first;
    while (k + 1 < o->shape.n && o->shape_s[k + 1] == o->shape_s[first] && o->shape.item[k + 1].from <= t) {
        k++;
    }
    const odr_cubic *c = &o->shape.item[k];
    double d = t - c->from;
    return c->c[0] + d * (c->c[1] + d * (c->c[2] + d * c->c[3]));
}

static double shape_height(const odr *o, double s, double t)
{
    int before = 0, after;
    for (int k = 1; k < o->shape.n && o->shape_s[k] <= s; k++) {
        before = o->shape_s[k] > o->shape_s[before] ? k : before;
    }
    for (after = before; after < o->shape.n && o->shape_s[after] == o->shape_s[before]; after++) {
    }
    if (o->shape.n == 0 || s < o->shape_s[before]) {
        return o->shape.n == 0 ? 0.0 : shape_over(o, before, t);
    }
    double h = shape_over(o, before, t);
    if (after < o->shape.n) {
        double share = (s - o->shape_s[before]) / (o->shape_s[after] - o->shape_s[before]);
        h += share * (shape_over(o, after, t) - h);
    }
    return h;
}

static double relief_at(const odr *o, double s, double t)
{
    double fall = odr_value_at(&o->fall[t < 0.0], s), sine, cosine;
    bi_sincos(fall, &sine, &cosine);
    return lane_height(o, s, t) + shape_height(o, s, t) - fabs(t) * sine / cosine;
}

static bool has_relief(const odr *o)
{
    bool has = o->fall[0].n > 0 || o->fall[1].n > 0 || o->shape.n > 0;
    for (int k = 0; k < o->n_section; k++) {
        for (int i = 0; i < 64; i++) {
            has = has || o->section[k].inner[i / 32][i % 32].n > 0;
        }
    }
    return has;
}

// ---- the road ---------------------------------------------------------------------------------------------------

typedef double quad[4];

// Cubics from node to node; v: least and largest v of the sides.
static void fill_pieces(const odr *o, const nodes *at, quad *z, quad *tilt, quad *right, quad *left,
                        double v[2])
{
    v[0] = INFINITY;
    v[1] = -INFINITY;
    for (int i = 0; i < at->n - 1; i++) {
        double s = at->u[i], middle = 0.5 * (s + at->u[i + 1]), h = at->u[i + 1] - s;
        odr_cubic_at(&o->height, middle, s, z[i]);
        odr_cubic_at(&o->tilt, middle, s, tilt[i]);
        border_at(o, middle, s, 1, 32, right[i]);
        border_at(o, middle, s, 0, 32, left[i]);
        for (int k = 0; k <= 4; k++) {
            double d = 0.25 * k * h;
            v[0] = fmin(v[0], right[i][0] + d * (right[i][1] + d * (right[i][2] + d * right[i][3])));
            v[1] = fmax(v[1], left[i][0] + d * (left[i][1] + d * (left[i][2] + d * left[i][3])));
        }
    }
}

static bi_road *make_road(odr *o, const nodes *at)
{
    size_t n = (size_t)at->n;
    quad *piece = malloc(4 * n * sizeof *piece);
    const char *why = piece ? NULL : "no memory for it";
    double side[2], v[MOST_ACROSS], *relief = NULL;
    bi_road *road = NULL;
    int n_v = 2;
    if (piece) {
        fill_pieces(o, at, piece, piece + n, piece + 2 * n, piece + 3 * n, side);
        if (!(side[1] > side[0] && side[1] - side[0] < 1e4)) {
            why = "has no width, or one above 10 km";
        } else if (has_relief(o)) {
            n_v = (int)fmin(ceil((side[1] - side[0]) / across) + 1.0, MOST_ACROSS);
            relief = malloc(n * (size_t)n_v * sizeof *relief);
            why = relief ? NULL : "no memory for it";
        }
    }
    for (int j = 0; !why && j < n_v; j++) {
        v[j] = side[0] + (side[1] - side[0]) * j / (n_v - 1);
        for (int i = 0; relief && i < at->n; i++) {
            relief[(size_t)i * (size_t)n_v + (size_t)j] = relief_at(o, fmin(at->u[i], o->length), v[j]);
        }
    }
    if (!why) {
        road = bi_road_create(&(bi_road_def){ .n_u = at->n,
                                              .n_v = n_v,
                                              .u = at->u,
                                              .line = (const double(*)[6])at->line,
                                              .has_derivatives = true,
                                              .z_pieces = (const double(*)[4])piece,
                                              .bank_pieces = (const double(*)[4])(piece + n),
                                              .bank_is_angle = true,
                                              .right = (const double(*)[4])(piece + 2 * n),
                                              .left = (const double(*)[4])(piece + 3 * n),
                                              .v = v,
                                              .relief = relief,
                                              .is_smooth = true },
                              &why);
    }
    if (why) {
        odr_complain(o, o->geometry[0].line, "road", "%s", why);
    }
    free(piece);
    free(relief);
    return road;
}

static bi_road *lay_road(odr *o)
{
    int n_break = 0;
    double *breaks = breaks_of(o, &n_break), longest = has_relief(o) ? along : 1e9;
    nodes at = { 0 };
    double skip = 0.0;
    for (int k = 0; breaks && k < o->n_geometry && o->n_complaint == 0; k++) {
        int first = at.n;
        walk(o, &o->geometry[k], skip, longest, breaks, n_break, &at);
        if (k + 1 < o->n_geometry && o->n_complaint == 0) {
            skip = meet(o, &o->geometry[k + 1], &at, first);
        }
    }
    bi_road *road = o->n_complaint == 0 ? make_road(o, &at) : NULL;
    free(at.u);
    free(at.line);
    return road;
}

// The road with that id, or the only one.
static const xml_element *find_road(odr *o, const xml_element *root, const char *name)
{
    const xml_element *found = NULL;
    int count = 0;
    char ids[160] = "";
    for (const xml_element *e = root->first; e; e = e->next) {
        if (strcmp(e->name, "road") != 0) {
            continue;
        }
        const char *id = xml_get(e, "id");
        bool is_this = !name || (id && strcmp(id, name) == 0);
        if (is_this && found && name) {
            odr_complain(o, e->line, "road", "%.40s stands here for the second time", name);
        }
        found = is_this && !found ? e : found;
        if (count++ < 8) {
            size_t used = strlen(ids);
            snprintf(ids + used, sizeof ids - used, "%s%.16s", used ? ", " : "", id ? id : "?");
        }
    }
    if (count == 0) {
        odr_complain(o, root->line, root->name, "has no road");
    } else if (name && !found) {
        odr_complain(o, root->line, root->name, "no road '%.40s'; there are %s%s", name, ids,
                     count > 8 ? " .." : "");
    } else if (!name && count > 1) {
        odr_complain(o, root->line, root->name, "has %d roads (%s%s): say which by 'road'", count, ids,
                     count > 8 ? " .." : "");
    }
    return found;
}

bi_road *odr_read(const char *text, size_t length, const char *path, const char *name, bi_report *report)
{
    odr o = { .path = path, .report = report };
    bi_road *road = NULL;
    const xml_element *root = xml_parse(text, length, path, &o.memory, report);
    if (root && strcmp(root->name, "OpenDRIVE") != 0) {
        odr_complain(&o, root->line, root->name, "this is no OpenDRIVE file: its root is '%.40s'",
                     root->name);
        root = NULL;
    }
    const xml_element *element = root ? find_road(&o, root, name) : NULL;
    if (element && o.n_complaint == 0) {
        odr_parse_road(&o, element);
    }
    if (element && o.n_complaint == 0) {
        road = lay_road(&o);
    }
    blocks_free(&o.memory);
    return road;
}
