// SPDX-License-Identifier: MIT
// Height over a place of a road: reference line, banking and relief, eq. (geometry.30).
#include "geom/road/road.h"
#include "math/elementary.h"

// A cubic and its derivatives.
typedef struct {
    double f, d, dd;
} value;

static value cubic_at(const double c[4], double t)
{
    return (value){ c[0] + t * (c[1] + t * (c[2] + t * c[3])), c[1] + t * (2.0 * c[2] + t * 3.0 * c[3]),
                    2.0 * c[2] + 6.0 * c[3] * t };
}

static value piece_at(const double (*piece)[4], int i, double t)
{
    return piece ? cubic_at(piece[i], t) : (value){ 0.0, 0.0, 0.0 };
}

// The interval of increasing places in which x lies; the first or the last for what is outside.
static int interval_of(const double *at, int n, double x)
{
    int low = 0, high = n - 1;
    double step = (at[n - 1] - at[0]) / (n - 1), guess = (x - at[0]) / step;
    // nodes are mostly equally far
    if (guess > 0.0 && guess < n - 1) {
        int k = (int)guess;
        if (at[k] <= x && x < at[k + 1]) {
            return k;
        }
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x < at[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

// Weights of the nodes i - 1 .. i + 2 at a place of interval i, with two derivatives.
typedef struct {
    int first; // the node of the first weight
    double f[4], d[4], dd[4];
} weights;

static weights straight_weights(const double *at, int i, double x)
{
    double length = at[i + 1] - at[i], t = (x - at[i]) / length;
    return (weights){ .first = i - 1,
                      .f = { 0.0, 1.0 - t, t, 0.0 },
                      .d = { 0.0, -1.0 / length, 1.0 / length, 0.0 } };
}

// Hermite cubics with the slope between both neighbours at a node, as (geometry.9) for any distances.
static weights smooth_weights(const double *at, int n, int i, double x)
{
    double length = at[i + 1] - at[i], t = (x - at[i]) / length;
    const double value0[3] = { 1.0 + t * t * (2.0 * t - 3.0), 6.0 * t * (t - 1.0), 12.0 * t - 6.0 },
                 value1[3] = { t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t), 6.0 - 12.0 * t },
                 slope0[3] = { t * (1.0 + t * (t - 2.0)), 1.0 + t * (3.0 * t - 4.0), 6.0 * t - 4.0 },
                 slope1[3] = { t * t * (t - 1.0), t * (3.0 * t - 2.0), 6.0 * t - 2.0 };
    weights w = { .first = i - 1 };
    double *const to[3] = { w.f, w.d, w.dd };
    int before = i > 0 ? i - 1 : i, after = i + 2 < n ? i + 2 : i + 1;
    double by0 = length / (at[i + 1] - at[before]), by1 = length / (at[after] - at[i]), scale = 1.0;
    for (int k = 0; k < 3; k++, scale /= length) {
        to[k][before - i + 1] -= scale * by0 * slope0[k];
        to[k][2] += scale * by0 * slope0[k];
        to[k][1] -= scale * by1 * slope1[k];
        to[k][after - i + 1] += scale * by1 * slope1[k];
        to[k][1] += scale * value0[k];
        to[k][2] += scale * value1[k];
    }
    return w;
}

// False: a node that counts is missing.
static bool relief_at(const geom_road *r, int i, double u, double v, geom_height *out)
{
    int j = interval_of(r->v, r->n_v, v);
    weights a = r->is_smooth ? smooth_weights(r->u, r->n_u, i, u) : straight_weights(r->u, i, u),
            b = r->is_smooth ? smooth_weights(r->v, r->n_v, j, v) : straight_weights(r->v, j, v);
    double edge = 0.0;
    for (int k = 0; k < 4; k++) {
        edge += r->relief[(i + k / 2) * (ptrdiff_t)r->n_v + j + k % 2];
    }
    if (!isfinite(edge)) {
        return false;
    }
    for (int p = 0; p < 4; p++) {
        int row = a.first + p;
        if (row < 0 || row >= r->n_u) {
            continue;
        }
        for (int q = 0; q < 4; q++) {
            int column = b.first + q;
            if (column < 0 || column >= r->n_v) {
                continue;
            }
            double h = r->relief[row * (ptrdiff_t)r->n_v + column];
            // beside a hole the nearest height stands for the missing one
            h = isfinite(h) ? h : r->relief[(i + (p > 1)) * (ptrdiff_t)r->n_v + j + (q > 1)];
            out->h += h * a.f[p] * b.f[q];
            out->x += h * a.d[p] * b.f[q];
            out->y += h * a.f[p] * b.d[q];
            out->xx += h * a.dd[p] * b.f[q];
            out->xy += h * a.d[p] * b.d[q];
            out->yy += h * a.f[p] * b.dd[q];
        }
    }
    return true;
}

// ---- borders ----------------------------------------------------------------------------------------------------

typedef struct {
    double at;      // the place among the data
    double sign;    // of a change of it: -1 mirrored, 0 it does not follow
    bool is_beyond; // and not among data again
} folded;

// False: nothing there.
static bool fold(double x, double low, double high, road_border border, folded *out)
{
    double size = high - low, turns = floor((x - low) / size);
    *out = (folded){ .at = x, .sign = 1.0 };
    if (x >= low && x <= high) {
        return true;
    }
    switch (border) {
    case ROAD_NONE: return false;
    case ROAD_ZERO:
    case ROAD_KEEP: *out = (folded){ fmin(fmax(x, low), high), 0.0, true }; break;
    case ROAD_REPEAT: out->at = fmin(fmax(x - turns * size, low), high); break;
    case ROAD_REFLECT:
        if (turns != 2.0 * floor(0.5 * turns)) {
            out->sign = -1.0;
            out->at = high - (x - turns * size - low);
        } else {
            out->at = x - turns * size;
        }
        out->at = fmin(fmax(out->at, low), high);
        break;
    }
    return true;
}

// Slope of the banking at a station.
static value bank_at(const geom_road *r, int i, double t)
{
    value b = piece_at(r->bank, i, t);
    if (r->is_angle && r->bank) {
        double slope = math_tan(b.f), grows = 1.0 + slope * slope;
        b = (value){ slope, grows * b.d, grows * (b.dd + 2.0 * slope * b.d * b.d) };
    }
    return b;
}

void geom_road_sides(const geom_road *r, double u, double side[2])
{
    double at = fmin(fmax(u, r->u[0]), r->u[r->n_u - 1]);
    int i = interval_of(r->u, r->n_u, at);
    double t = at - r->u[i];
    // borders are measured along the banked road
    double flat = r->is_angle && r->bank ? math_cos(cubic_at(r->bank[i], t).f) : 1.0;
    side[0] = r->right ? flat * cubic_at(r->right[i], t).f : r->v[0];
    side[1] = r->left ? flat * cubic_at(r->left[i], t).f : r->v[r->n_v - 1];
}

bool geom_road_height(const geom_road *r, double u, double v, geom_height *out)
{
    folded along, across;
    double side[2];
    *out = (geom_height){ 0 };
    if (!fold(u, r->u[0], r->u[r->n_u - 1], r->border[0], &along)) {
        return false;
    }
    geom_road_sides(r, along.at, side);
    if (!(side[1] > side[0]) || !fold(v, side[0], side[1], r->border[1], &across)) {
        return false;
    }
    int i = interval_of(r->u, r->n_u, along.at);
    double t = along.at - r->u[i];
    value z = piece_at(r->z, i, t), b = bank_at(r, i, t);
    if (r->relief && !relief_at(r, i, along.at, across.at, out)) {
        return false;
    }
    out->h += z.f + b.f * across.at;
    out->x += z.d + b.d * across.at;
    out->xx += z.dd + b.dd * across.at;
    out->y += b.f;
    out->xy += b.d;
    double su = along.sign, sv = across.sign;
    *out = (geom_height){ out->h,           su * out->x, sv * out->y, su * su * out->xx, su * sv * out->xy,
                          sv * sv * out->yy };
    double more = (along.is_beyond ? r->offset[0] : 0.0) + (across.is_beyond ? r->offset[1] : 0.0);
    bool is_zero =
        along.is_beyond ? r->border[0] == ROAD_ZERO : across.is_beyond && r->border[1] == ROAD_ZERO;
    if (is_zero) {
        *out = (geom_height){ .h = more };
    } else {
        out->h += more;
    }
    return true;
}

bool geom_road_curve(const geom_road *r, double x, double y, geom_height *out)
{
    road_place p;
    geom_height h;
    if (!geom_road_place(r, x, y, &p) || !geom_road_height(r, p.u, p.v, &h)) {
        return false;
    }
    static const int first[3] = { 0, 0, 1 }, second[3] = { 0, 1, 1 };
    double by[2], twice[3];
    for (int k = 0; k < 2; k++) {
        by[k] = h.x * p.du[k] + h.y * p.dv[k];
    }
    for (int k = 0; k < 3; k++) {
        int a = first[k], b = second[k];
        twice[k] = h.xx * p.du[a] * p.du[b] + h.xy * (p.du[a] * p.dv[b] + p.dv[a] * p.du[b]) +
                   h.yy * p.dv[a] * p.dv[b] + h.x * p.ddu[k] + h.y * p.ddv[k];
    }
    *out = (geom_height){ h.h, by[0], by[1], twice[0], twice[1], twice[2] };
    return true;
}
