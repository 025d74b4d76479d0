// SPDX-License-Identifier: MIT
// A road with its arrays in one block, counted by its users.
#include "model/shared_road.h"
#include "base/arena.h"
#include "base/hash.h"
#include "geom/road/waves.h"
#include "math/elementary.h"
#include "model/shared_surface.h"
#include <biela/geom.h>
#include <stdatomic.h>

struct bi_road {
    atomic_int users;
    geom_road form;
    char *memory; // of all arrays
    size_t size;
};

// ---- what is wrong ----------------------------------------------------------------------------------------------

static bool is_increasing(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || (i > 0 && !(x[i] > x[i - 1]))) {
            return false;
        }
    }
    return true;
}

static bool are_finite(const double *x, size_t n)
{
    for (size_t i = 0; x && i < n; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

static const char *line_fault(const bi_road_def *d)
{
    for (int i = 0; i < d->n_u; i++) {
        const double *a = d->line[i], *b = d->line[i > 0 ? i - 1 : 1];
        if (!are_finite(a, d->has_derivatives || !d->is_smooth ? 6 : 2)) {
            return "a place of the reference line is no number";
        }
        if (a[0] == b[0] && a[1] == b[1]) {
            return "two nodes of the reference line are at one place";
        }
        if (d->is_smooth && d->has_derivatives && !(a[2] * a[2] + a[3] * a[3] > 0.0)) {
            return "the reference line has no direction at a node";
        }
    }
    return NULL;
}

static const char *road_fault(const bi_road_def *d)
{
    enum { MOST = 1 << 28 };
    if (d->n_u < 2 || d->n_v < 2 || !d->u || !d->v || !d->line) {
        return "needs two nodes along and two across at least";
    }
    if ((int64_t)d->n_u * d->n_v > MOST) {
        return "has too many nodes";
    }
    if (!is_increasing(d->u, d->n_u) || !is_increasing(d->v, d->n_v)) {
        return "its stations, and its nodes across, must be increasing numbers";
    }
    size_t pieces = 4 * (size_t)(d->n_u - 1), nodes = (size_t)d->n_u;
    if (!are_finite(d->z, nodes) || !are_finite(d->bank, nodes) ||
        !are_finite((const double *)d->z_pieces, pieces) ||
        !are_finite((const double *)d->bank_pieces, pieces) ||
        !are_finite((const double *)d->right, pieces) || !are_finite((const double *)d->left, pieces) ||
        !are_finite(d->offset, 2)) {
        return "a height, a banking or a side is no number";
    }
    for (int k = 0; k < 2; k++) {
        if ((int)d->border[k] < BI_ROAD_NONE || (int)d->border[k] > BI_ROAD_REFLECT) {
            return "a border is none of the five kinds";
        }
    }
    return line_fault(d);
}

// ---- making -----------------------------------------------------------------------------------------------------

static void *copy_of(arena *a, const void *from, size_t count, size_t item)
{
    void *to = from ? arena_take(a, count, item) : NULL;
    return to ? memcpy(to, from, count * item) : NULL;
}

// Cubics as given, or between the values of the nodes.
static const double (*pieces_of(arena *a, const bi_road_def *d, const double *value,
                                const double (*given)[4]))[4]
{
    size_t n = (size_t)d->n_u - 1;
    if (given || !value) {
        return copy_of(a, given, n, sizeof *given);
    }
    double(*made)[4] = arena_take(a, n, sizeof *made);
    if (made) {
        geom_road_pieces(d->n_u, d->u, value, d->is_smooth, made);
    }
    return (const double(*)[4])made;
}

// Cuts the arrays from the block; measures when it has no memory.
static geom_road lay_out(const bi_road_def *d, arena *a)
{
    size_t n_u = (size_t)d->n_u, n_v = (size_t)d->n_v;
    geom_road r = { .n_u = d->n_u, .n_v = d->n_v, .is_smooth = d->is_smooth, .is_angle = d->bank_is_angle };
    r.u = copy_of(a, d->u, n_u, sizeof *r.u);
    r.v = copy_of(a, d->v, n_v, sizeof *r.v);
    double(*line)[6] = copy_of(a, d->line, n_u, sizeof *line), *work = arena_take(a, 2 * n_u, sizeof *work);
    r.line = (const double(*)[6])line;
    r.z = pieces_of(a, d, d->z, d->z_pieces);
    r.bank = pieces_of(a, d, d->bank, d->bank_pieces);
    r.right = copy_of(a, d->right, n_u - 1, sizeof *d->right);
    r.left = copy_of(a, d->left, n_u - 1, sizeof *d->left);
    r.relief = copy_of(a, d->relief, n_u * n_v, sizeof *r.relief);
    r.n_box = geom_road_box_count(d->n_u, &r.n_leaf);
    road_box *box = arena_take(a, (size_t)r.n_box, sizeof *box);
    for (int k = 0; k < 2; k++) {
        r.border[k] = (road_border)d->border[k];
        r.offset[k] = d->offset[k];
    }
    if (box && line && work) {
        if (d->is_smooth && !d->has_derivatives) {
            geom_road_spline(d->n_u, r.u, line, work);
        }
        geom_road_boxes(&r, box);
    }
    return r;
}

bi_road *bi_road_create(const bi_road_def *d, const char **why)
{
    const char *unused;
    why = why ? why : &unused;
    *why = d ? road_fault(d) : "needs a definition";
    if (*why) {
        return NULL;
    }
    *why = "no memory for it";
    arena measure = { 0 };
    lay_out(d, &measure);
    bi_road *road = calloc(1, sizeof *road);
    char *memory = calloc(1, measure.used + 64);
    if (!road || !memory) {
        free(road);
        free(memory);
        return NULL;
    }
    arena block = { .memory = memory, .size = measure.used + 64, .is_zero = true };
    atomic_init(&road->users, 1);
    road->memory = memory;
    road->size = measure.used;
    road->form = lay_out(d, &block);
    *why = NULL;
    return road;
}

bi_road *bi_road_keep(bi_road *road)
{
    if (road) {
        atomic_fetch_add(&road->users, 1);
    }
    return road;
}

void bi_road_release(bi_road *road)
{
    if (road && atomic_fetch_sub(&road->users, 1) == 1) {
        free(road->memory);
        free(road);
    }
}

const geom_road *road_form(const bi_road *road) { return &road->form; }

uint64_t road_hash(uint64_t h, const bi_road *road)
{
    const geom_road *r = &road->form;
    size_t n = (size_t)r->n_u, m = (size_t)r->n_v;
    const int64_t whole[] = { r->n_u, r->n_v, r->is_smooth, r->is_angle, r->border[0], r->border[1] };
    h = hash_bytes(hash_bytes(h, whole, sizeof whole), r->offset, sizeof r->offset);
    h = hash_bytes(hash_bytes(h, r->u, n * sizeof *r->u), r->v, m * sizeof *r->v);
    h = hash_bytes(h, r->line, n * sizeof *r->line);
    const double(*const pieces[])[4] = { r->z, r->bank, r->right, r->left };
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        h = pieces[k] ? hash_bytes(h, pieces[k], (n - 1) * sizeof *pieces[k]) : h;
    }
    return r->relief ? hash_bytes(h, r->relief, n * m * sizeof *r->relief) : h;
}

void bi_sincos(double angle, double *sine, double *cosine)
{
    double s, c;
    math_sincos(angle, &s, &c);
    if (sine) {
        *sine = s;
    }
    if (cosine) {
        *cosine = c;
    }
}

// ---- questions --------------------------------------------------------------------------------------------------

bool bi_road_at(const bi_road *road, double x, double y, bi_road_point *out)
{
    road_place p;
    geom_height h, curve;
    if (!road || !out || !isfinite(x) || !isfinite(y) || !geom_road_place(&road->form, x, y, &p) ||
        !geom_road_height(&road->form, p.u, p.v, &h) || !geom_road_curve(&road->form, x, y, &curve)) {
        return false;
    }
    vec3 normal = { -curve.x, -curve.y, 1.0 };
    *out = (bi_road_point){ p.u, p.v, h.h, vec3_normalized(normal) };
    return true;
}

bi_vec3 bi_road_place(const bi_road *road, double u, double v)
{
    double xy[2] = { NAN, NAN };
    geom_height h = { .h = NAN };
    if (road && isfinite(u) && isfinite(v)) {
        geom_road_point(&road->form, u, v, xy);
        h.h = geom_road_height(&road->form, u, v, &h) ? h.h : NAN;
    }
    return (bi_vec3){ xy[0], xy[1], h.h };
}

void bi_road_ends(const bi_road *road, double end[2])
{
    if (end) {
        end[0] = road ? road->form.u[0] : NAN;
        end[1] = road ? road->form.u[road->form.n_u - 1] : NAN;
    }
}

void bi_road_sides(const bi_road *road, double u, double side[2])
{
    if (side) {
        side[0] = side[1] = NAN;
        if (road && isfinite(u)) {
            geom_road_sides(&road->form, u, side);
        }
    }
}

// ---- random roads: the classes of ISO 8608 -------------------------------------------------------------------------

double bi_road_roughness(char iso_class)
{
    // four times from class to class
    double roughness = 16e-6;
    for (char c = 'A'; c < iso_class; c++) {
        roughness *= 4.0;
    }
    return iso_class >= 'A' && iso_class <= 'H' ? roughness : 0.0;
}

static const char *fault_of(const bi_road_random_def *d, double along, double across)
{
    if (!(d->roughness >= 0.0) || !isfinite(d->roughness)) {
        return "roughness must not be negative";
    }
    if (!(d->length > 0.0 && d->width > 0.0 && isfinite(d->length) && isfinite(d->width))) {
        return "length and width must be positive";
    }
    if (!(along > 0.0 && across > 0.0 && d->incoherence >= 0.0 && d->flat >= 0.0) ||
        !isfinite(d->incoherence) || !isfinite(d->flat)) {
        return "spacing must be positive, incoherence and flat must not be negative";
    }
    if (along > 0.17) {
        return "spacing must not be above 0.17 m: half of the shortest wave";
    }
    if (d->length / along * (d->width / across + 1.0) > 4e6) {
        return "has more than four million nodes: a shorter road, or a wider spacing";
    }
    return d->length < along || d->width < 1e-3 ? "is shorter than its spacing" : NULL;
}

// Level at the beginning, and then the roughness comes in.
static double share_at(double u, double flat)
{
    double t = flat > 0.0 ? fmin(fmax(u / flat - 1.0, 0.0), 1.0) : 1.0;
    return t * t * t * (10.0 + t * (6.0 * t - 15.0));
}

bi_road *bi_road_random(const bi_road_random_def *d, const char **why)
{
    const char *unused;
    why = why ? why : &unused;
    if (!d) {
        *why = "needs a definition";
        return NULL;
    }
    double along = d->spacing != 0.0 ? d->spacing : 0.1,
           across = d->spacing_across != 0.0 ? d->spacing_across : 0.25;
    *why = fault_of(d, along, across);
    if (*why) {
        return NULL;
    }
    int n_u = (int)(d->length / along + 0.5) + 1, n_v = (int)(d->width / across + 0.5) + 1;
    n_v = n_v < 2 ? 2 : n_v;
    n_u = n_u < 2 ? 2 : n_u;
    double step[2] = { d->length / (n_u - 1), d->width / (n_v - 1) };
    size_t n = (size_t)n_u;
    double *u = malloc(n * sizeof *u), *v = malloc((size_t)n_v * sizeof *v);
    double(*line)[6] = malloc(n * sizeof *line), *work = malloc(4 * (size_t)n_v * sizeof *work);
    double *relief = malloc(n * (size_t)n_v * sizeof *relief);
    bi_road *road = NULL;
    *why = "no memory for it";
    if (u && v && line && work && relief) {
        geom_road_waves(&(road_waves){ d->roughness, d->length, step[0], step[1], d->incoherence, d->seed },
                        n_u, n_v, relief, work);
        for (int i = 0; i < n_u; i++) {
            u[i] = step[0] * i;
            memcpy(line[i], (double[6]){ u[i], 0.0, 1.0, 0.0, 0.0, 0.0 }, sizeof *line);
            for (int j = 0; j < n_v; j++) {
                relief[(ptrdiff_t)i * n_v + j] *= share_at(u[i], d->flat);
            }
        }
        for (int j = 0; j < n_v; j++) {
            v[j] = step[1] * j - 0.5 * d->width;
        }
        road = bi_road_create(&(bi_road_def){ .n_u = n_u,
                                              .n_v = n_v,
                                              .u = u,
                                              .line = (const double(*)[6])line,
                                              .has_derivatives = true,
                                              .v = v,
                                              .relief = relief,
                                              .is_smooth = true,
                                              .border = { BI_ROAD_REFLECT, BI_ROAD_KEEP } },
                              why);
    }
    free(u);
    free(v);
    free(line);
    free(work);
    free(relief);
    return road;
}

// ---- triangles --------------------------------------------------------------------------------------------------

// Nodes of the picture: those of the road, or every k-th of them.
typedef struct {
    int along, across, each_u, each_v;
} sampling;

static sampling choose_sampling(const geom_road *r)
{
    enum { MOST = 60000 };
    int n_v = r->relief ? r->n_v : 2;
    sampling s = { .each_u = 1, .each_v = 1 };
    while ((double)(r->n_u / s.each_u + 2) * (n_v / s.each_v + 2) > MOST) {
        *(n_v / s.each_v > 16 ? &s.each_v : &s.each_u) *= 2;
    }
    s.along = (r->n_u - 2) / s.each_u + 2;
    s.across = (n_v - 2) / s.each_v + 2;
    return s;
}

static bi_vec3 vertex_at(const geom_road *r, const sampling *s, int k)
{
    int i = k / s->across * s->each_u, j = k % s->across * s->each_v;
    int last = r->relief ? r->n_v - 1 : 1;
    double u = r->u[i < r->n_u ? i : r->n_u - 1], side[2], xy[2], share;
    geom_road_sides(r, u, side);
    j = j < last ? j : last;
    share = r->relief ? (r->v[j] - r->v[0]) / (r->v[last] - r->v[0]) : j;
    double v = j == last ? side[1] : side[0] + share * (side[1] - side[0]);
    geom_height h;
    geom_road_point(r, u, v, xy);
    return (bi_vec3){ xy[0], xy[1], geom_road_height(r, u, v, &h) ? h.h : NAN };
}

bi_surface *road_surface(bi_road *road)
{
    const geom_road *r = &road->form;
    sampling s = choose_sampling(r);
    size_t n = (size_t)s.along * (size_t)s.across;
    bi_mesh m = { .vertex = malloc(n * sizeof *m.vertex), .triangle = malloc(2 * n * sizeof *m.triangle) };
    int32_t *number = malloc(n * sizeof *number);
    const char *key, *why;
    bi_surface *surface = NULL;
    for (int k = 0; m.vertex && m.triangle && number && k < (int)n; k++) {
        bi_vec3 at = vertex_at(r, &s, k);
        number[k] = isfinite(at.z) ? m.n_vertex : -1;
        if (isfinite(at.z)) {
            m.vertex[m.n_vertex++] = at;
        }
    }
    for (int k = 0; m.vertex && m.triangle && number && k < (int)n - s.across; k++) {
        int a = number[k], b = number[k + s.across];
        if (k % s.across == s.across - 1) {
            continue;
        }
        int c = number[k + s.across + 1], d = number[k + 1];
        if (a >= 0 && b >= 0 && c >= 0) {
            memcpy(m.triangle[m.n_triangle++], (int32_t[]){ a, b, c }, sizeof *m.triangle);
        }
        if (a >= 0 && c >= 0 && d >= 0) {
            memcpy(m.triangle[m.n_triangle++], (int32_t[]){ a, c, d }, sizeof *m.triangle);
        }
    }
    if (m.n_triangle > 0) {
        surface = surface_make(&m, 0, &key, &why);
    }
    free(number);
    free(m.vertex);
    free(m.triangle);
    return surface;
}
