// SPDX-License-Identifier: MIT
// Height fields: interpolation, nearest places, rays.
#include "geom/field.h"

static double node_height(const geom_field *f, int i, int j)
{
    return f->height[(size_t)j * (size_t)f->n_x + (size_t)i];
}

const char *geom_field_measure(geom_field *f)
{
    if (f->n_x < 2 || f->n_y < 2 || !f->height) {
        return "a height field needs at least two nodes along x and along y";
    }
    if (!(f->d_x > 0.0 && f->d_y > 0.0 && isfinite(f->d_x) && isfinite(f->d_y) && isfinite(f->x_0) &&
          isfinite(f->y_0))) {
        return "the distances of the nodes must be positive";
    }
    f->low = INFINITY;
    f->high = -INFINITY;
    for (int j = 0; j < f->n_y; j++) {
        for (int i = 0; i < f->n_x; i++) {
            if (!isfinite(node_height(f, i, j))) {
                return "a height is not a finite number";
            }
            f->low = fmin(f->low, node_height(f, i, j));
            f->high = fmax(f->high, node_height(f, i, j));
        }
    }
    // negative weights of two Catmull-Rom splines sum up to 9/32
    double more = f->smoothness == GEOM_BICUBIC ? 9.0 / 32.0 * (f->high - f->low) : 0.0;
    f->low -= more;
    f->high += more;
    return NULL;
}

// Value and two derivatives of a surface over a cell, u and v in [0, 1].
typedef struct {
    double h, u, v, uu, uv, vv;
} patch_value;

// Weights of four nodes and their derivatives, Catmull-Rom, eq. (geometry.9).
static void cubic_weights(double t, double w[4], double dw[4], double ddw[4])
{
    w[0] = 0.5 * t * (-1.0 + t * (2.0 - t));
    w[1] = 0.5 * (2.0 + t * t * (-5.0 + 3.0 * t));
    w[2] = 0.5 * t * (1.0 + t * (4.0 - 3.0 * t));
    w[3] = 0.5 * t * t * (t - 1.0);
    dw[0] = 0.5 * (-1.0 + t * (4.0 - 3.0 * t));
    dw[1] = 0.5 * t * (-10.0 + 9.0 * t);
    dw[2] = 0.5 * (1.0 + t * (8.0 - 9.0 * t));
    dw[3] = 0.5 * t * (3.0 * t - 2.0);
    ddw[0] = 2.0 - 3.0 * t;
    ddw[1] = 9.0 * t - 5.0;
    ddw[2] = 4.0 - 9.0 * t;
    ddw[3] = 3.0 * t - 1.0;
}

// A node that may lie one beyond the rim: continued in a straight line.
static double node_beyond(const geom_field *f, int i, int j)
{
    if (i < 0 || i >= f->n_x) {
        int rim = i < 0 ? 0 : f->n_x - 1, next = i < 0 ? 1 : f->n_x - 2;
        return 2.0 * node_beyond(f, rim, j) - node_beyond(f, next, j);
    }
    if (j < 0 || j >= f->n_y) {
        int rim = j < 0 ? 0 : f->n_y - 1, next = j < 0 ? 1 : f->n_y - 2;
        return 2.0 * node_height(f, i, rim) - node_height(f, i, next);
    }
    return node_height(f, i, j);
}

static patch_value patch_at(const geom_field *f, int i, int j, double u, double v)
{
    if (f->smoothness == GEOM_BILINEAR) {
        double a = node_height(f, i, j), b = node_height(f, i + 1, j) - a, c = node_height(f, i, j + 1) - a;
        double d = node_height(f, i + 1, j + 1) - a - b - c;
        return (patch_value){ a + b * u + c * v + d * u * v, b + d * v, c + d * u, 0.0, d, 0.0 };
    }
    double wu[4], du[4], ddu[4], wv[4], dv[4], ddv[4];
    cubic_weights(u, wu, du, ddu);
    cubic_weights(v, wv, dv, ddv);
    patch_value s = { 0 };
    for (int n = 0; n < 4; n++) {
        double r = 0.0, ru = 0.0, ruu = 0.0;
        for (int m = 0; m < 4; m++) {
            double z = node_beyond(f, i - 1 + m, j - 1 + n);
            r += wu[m] * z;
            ru += du[m] * z;
            ruu += ddu[m] * z;
        }
        s.h += wv[n] * r;
        s.u += wv[n] * ru;
        s.uu += wv[n] * ruu;
        s.v += dv[n] * r;
        s.uv += dv[n] * ru;
        s.vv += ddv[n] * r;
    }
    return s;
}

// The cell of a coordinate counted in nodes, and the place in it.
static int cell_of(double x, int n, double *u)
{
    double clamped = fmin(fmax(x, 0.0), (double)(n - 1));
    int i = (int)clamped;
    i = i > n - 2 ? n - 2 : i;
    *u = clamped - i;
    return i;
}

bool geom_field_curve(const geom_field *f, double x, double y, geom_height *out)
{
    double u, v, s = (x - f->x_0) / f->d_x, t = (y - f->y_0) / f->d_y;
    int i = cell_of(s, f->n_x, &u), j = cell_of(t, f->n_y, &v);
    patch_value p = patch_at(f, i, j, u, v);
    *out = (geom_height){
        p.h,
        p.u / f->d_x,
        p.v / f->d_y,
        p.uu / (f->d_x * f->d_x),
        p.uv / (f->d_x * f->d_y),
        p.vv / (f->d_y * f->d_y),
    };
    return s >= 0.0 && t >= 0.0 && s <= f->n_x - 1 && t <= f->n_y - 1;
}

bool geom_field_height(const geom_field *f, double x, double y, double *height, double slope[2])
{
    geom_height h;
    bool is_inside = geom_field_curve(f, x, y, &h);
    *height = h.h;
    slope[0] = h.x;
    slope[1] = h.y;
    return is_inside;
}

vec3 geom_field_normal(const geom_field *f, double x, double y)
{
    double h, slope[2];
    geom_field_height(f, x, y, &h, slope);
    return vec3_normalized((vec3){ -slope[0], -slope[1], 1.0 });
}

// ---- nearest ---------------------------------------------------------------------------------------------------

typedef struct {
    double u, v, d2; // place in the cell, squared distance
} cell_spot;

static double cell_distance(const geom_field *f, int i, int j, double u, double v, vec3 p)
{
    double x = f->x_0 + (i + u) * f->d_x - p.x, y = f->y_0 + (j + v) * f->d_y - p.y;
    double z = patch_at(f, i, j, u, v).h - p.z;
    return x * x + y * y + z * z;
}

static double clamp_unit(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }

// One step of Newton on the squared distance, kept from leaving the cell where it stands on a side with the slope
// pointing out. True: the whole second derivative is positive there.
static bool newton_step(const geom_field *f, int i, int j, vec3 p, const cell_spot *at, double *du,
                        double *dv)
{
    patch_value s = patch_at(f, i, j, at->u, at->v);
    double x = f->x_0 + (i + at->u) * f->d_x - p.x, y = f->y_0 + (j + at->v) * f->d_y - p.y, z = s.h - p.z;
    double gu = x * f->d_x + z * s.u, gv = y * f->d_y + z * s.v;
    bool is_u_free = !((at->u <= 0.0 && gu > 0.0) || (at->u >= 1.0 && gu < 0.0));
    bool is_v_free = !((at->v <= 0.0 && gv > 0.0) || (at->v >= 1.0 && gv < 0.0));
    double huu = f->d_x * f->d_x + s.u * s.u, hvv = f->d_y * f->d_y + s.v * s.v, huv = s.u * s.v;
    double fuu = huu + z * s.uu, fvv = hvv + z * s.vv, fuv = huv + z * s.uv;
    // the whole second derivative where it is positive, else the part that always is
    bool is_convex = fuu > 0.0 && fvv > 0.0 && fuu * fvv > fuv * fuv;
    if (is_convex) {
        huu = fuu;
        hvv = fvv;
        huv = fuv;
    }
    *du = *dv = 0.0;
    if (is_u_free && is_v_free) {
        double det = huu * hvv - huv * huv;
        *du = -(gu * hvv - gv * huv) / det;
        *dv = -(gv * huu - gu * huv) / det;
    } else if (is_u_free) {
        *du = -gu / huu;
    } else if (is_v_free) {
        *dv = -gv / hvv;
    }
    return is_convex;
}

// Distances tell a place only to the root of their rounding; the slope tells it to the rounding itself.
static cell_spot polish(const geom_field *f, int i, int j, vec3 p, cell_spot at)
{
    for (int k = 0; k < 3; k++) {
        double du, dv;
        if (!newton_step(f, i, j, p, &at, &du, &dv) || !(fabs(du) + fabs(dv) < 1e-4)) {
            break;
        }
        at.u = clamp_unit(at.u + du);
        at.v = clamp_unit(at.v + dv);
    }
    at.d2 = cell_distance(f, i, j, at.u, at.v, p);
    return at;
}

// Newton on the squared distance, kept in the cell, from one start; never uphill.
static cell_spot descend(const geom_field *f, int i, int j, vec3 p, double u, double v)
{
    cell_spot best = { u, v, cell_distance(f, i, j, u, v, p) };
    for (int k = 0; k < 40; k++) {
        double du, dv;
        newton_step(f, i, j, p, &best, &du, &dv);
        if (fabs(du) + fabs(dv) < 1e-7) {
            break;
        }
        bool is_better = false;
        for (double part = 1.0; part > 1e-9 && !is_better; part *= 0.5) {
            double un = clamp_unit(best.u + part * du), vn = clamp_unit(best.v + part * dv);
            double d2 = cell_distance(f, i, j, un, vn, p);
            is_better = d2 < best.d2;
            best = is_better ? (cell_spot){ un, vn, d2 } : best;
        }
        if (!is_better) {
            break;
        }
    }
    return polish(f, i, j, p, best);
}

static cell_spot nearest_in_cell(const geom_field *f, int i, int j, vec3 p)
{
    // under the point, and the corners: a patch may have several valleys
    double u = clamp_unit((p.x - f->x_0) / f->d_x - i), v = clamp_unit((p.y - f->y_0) / f->d_y - j);
    cell_spot best = descend(f, i, j, p, u, v);
    const double start[5][2] = { { 0.0, 0.0 }, { 1.0, 0.0 }, { 0.0, 1.0 }, { 1.0, 1.0 }, { 0.5, 0.5 } };
    for (int k = 0; k < 5; k++) {
        cell_spot spot = descend(f, i, j, p, start[k][0], start[k][1]);
        best = spot.d2 < best.d2 ? spot : best;
    }
    return best;
}

// Squared distance from p to the column of a cell, heights of its corners widened for the cubic: a lower bound.
static double cell_bound(const geom_field *f, int i, int j, vec3 p)
{
    double x0 = f->x_0 + i * f->d_x, y0 = f->y_0 + j * f->d_y;
    // a cubic reads one node more on each side and passes the heights it reads by at most (1.148^2 - 1)/2 + ... < 0.35
    // of their range: the negative weights of Catmull-Rom sum to 0.148 at most, in either direction
    int around = f->smoothness == GEOM_BILINEAR ? 0 : 1;
    double low = INFINITY, high = -INFINITY;
    if (i < around || j < around || i + 1 + around >= f->n_x || j + 1 + around >= f->n_y) {
        // at the rim nodes are made up
        low = f->low;
        high = f->high;
    } else {
        for (int b = j - around; b <= j + 1 + around; b++) {
            for (int a = i - around; a <= i + 1 + around; a++) {
                low = fmin(low, node_height(f, a, b));
                high = fmax(high, node_height(f, a, b));
            }
        }
        double margin = around * 0.35 * (high - low);
        low = fmax(low - margin, f->low);
        high = fmin(high + margin, f->high);
    }
    double x = fmax(0.0, fmax(x0 - p.x, p.x - x0 - f->d_x)), y = fmax(0.0, fmax(y0 - p.y, p.y - y0 - f->d_y));
    double z = fmax(0.0, fmax(low - p.z, p.z - high));
    return x * x + y * y + z * z;
}

static geom_near near_of(const geom_field *f, int i, int j, cell_spot spot, vec3 p)
{
    patch_value s = patch_at(f, i, j, spot.u, spot.v);
    vec3 at = { f->x_0 + (i + spot.u) * f->d_x, f->y_0 + (j + spot.v) * f->d_y, s.h };
    vec3 n = vec3_normalized((vec3){ -s.u / f->d_x, -s.v / f->d_y, 1.0 });
    double distance = sqrt(spot.d2);
    vec3 d = vec3_sub(p, at);
    // inside is below the surface; beside the grid it is behind the tangent plane
    double height, slope[2];
    bool is_over = geom_field_height(f, p.x, p.y, &height, slope);
    bool is_below = is_over ? p.z < height : vec3_dot(n, d) < 0.0 && p.z < s.h;
    double sign = is_below ? -1.0 : 1.0;
    // edges and ridges push along the difference; too near, it has no direction
    if (distance > 1e-9 * (f->d_x + f->d_y)) {
        n = vec3_scale(sign / distance, d);
    }
    return (geom_near){ sign * distance, at, n };
}

// Cells in square rings around the cell under p, as long as a ring may hold something nearer.
geom_near geom_field_near(const geom_field *f, vec3 p, double reach)
{
    double u, v, best = reach * reach;
    int ci = cell_of((p.x - f->x_0) / f->d_x, f->n_x, &u), cj = cell_of((p.y - f->y_0) / f->d_y, f->n_y, &v);
    int at_i = -1, at_j = -1, last = f->n_x > f->n_y ? f->n_x : f->n_y;
    cell_spot spot = { 0.0, 0.0, INFINITY };
    for (int ring = 0; ring <= last; ring++) {
        double gap = (ring - 1) * fmin(f->d_x, f->d_y);
        if (ring > 1 && gap * gap > best) {
            break;
        }
        for (int j = cj - ring; j <= cj + ring; j++) {
            // inner rows of a ring have two cells only
            int step = j == cj - ring || j == cj + ring || ring == 0 ? 1 : 2 * ring;
            for (int i = ci - ring; i <= ci + ring; i += step) {
                if (i < 0 || j < 0 || i > f->n_x - 2 || j > f->n_y - 2 || cell_bound(f, i, j, p) > best) {
                    continue;
                }
                cell_spot here = nearest_in_cell(f, i, j, p);
                if (here.d2 < best) {
                    best = here.d2;
                    spot = here;
                    at_i = i;
                    at_j = j;
                }
            }
        }
    }
    return at_i < 0 ? (geom_near){ INFINITY, p, { 0.0, 0.0, 1.0 } } : near_of(f, at_i, at_j, spot, p);
}

// ---- places that are nearer than all around them ---------------------------------------------------------------

// A spot on the side of a cell is a valley only if the cell beyond ends there, too.
static bool is_minimum(const geom_field *f, int i, int j, cell_spot spot, vec3 p)
{
    const double rim = 1e-6;
    int di = spot.u <= rim         ? -1
             : spot.u >= 1.0 - rim ? 1
                                   : 0,
        dj = spot.v <= rim         ? -1
             : spot.v >= 1.0 - rim ? 1
                                   : 0;
    for (int b = dj < 0 ? -1 : 0; b <= (dj > 0 ? 1 : 0); b++) {
        for (int a = di < 0 ? -1 : 0; a <= (di > 0 ? 1 : 0); a++) {
            int in = i + a, jn = j + b;
            if ((a == 0 && b == 0) || in < 0 || jn < 0 || in > f->n_x - 2 || jn > f->n_y - 2) {
                continue;
            }
            // from the same place, seen from the other cell
            cell_spot there = descend(f, in, jn, p, clamp_unit(spot.u - a), clamp_unit(spot.v - b));
            double moved_u = there.u + a - spot.u, moved_v = there.v + b - spot.v;
            // found by both cells it is told twice: find_same joins them
            if (fabs(moved_u) > 1e-4 || fabs(moved_v) > 1e-4) {
                return false;
            }
        }
    }
    return true;
}

// A valley on the side of two cells, found by both with different roundings; -1: none.
static int find_same(const geom_field *f, const geom_near *found, int count, vec3 at)
{
    for (int k = 0; k < count; k++) {
        if (vec3_norm(vec3_sub(found[k].point, at)) < 1e-3 * (f->d_x + f->d_y)) {
            return k;
        }
    }
    return -1;
}

int geom_field_minima(const geom_field *f, vec3 p, double reach, int capacity, geom_near *out)
{
    double u, v;
    int i0 = cell_of((p.x - reach - f->x_0) / f->d_x, f->n_x, &u),
        i1 = cell_of((p.x + reach - f->x_0) / f->d_x, f->n_x, &u);
    int j0 = cell_of((p.y - reach - f->y_0) / f->d_y, f->n_y, &v),
        j1 = cell_of((p.y + reach - f->y_0) / f->d_y, f->n_y, &v);
    int count = 0;
    for (int j = j0; j <= j1; j++) {
        for (int i = i0; i <= i1; i++) {
            if (cell_bound(f, i, j, p) > reach * reach) {
                continue;
            }
            cell_spot spot = nearest_in_cell(f, i, j, p);
            if (spot.d2 <= reach * reach && is_minimum(f, i, j, spot, p)) {
                geom_near here = near_of(f, i, j, spot, p);
                int same = find_same(f, out, count < capacity ? count : capacity, here.point);
                if (same >= 0) {
                    out[same] = fabs(here.distance) < fabs(out[same].distance) ? here : out[same];
                    continue;
                }
                if (count < capacity) {
                    out[count] = here;
                }
                count++;
            }
        }
    }
    return count;
}

// ---- rays ------------------------------------------------------------------------------------------------------

// A ray over one cell: the sixteen heights around it (four where it is bilinear) are fetched once.
typedef struct {
    vec3 o, d;
    double x, y, by_x, by_y; // corner of the cell, 1 / sides
    bool is_cubic;
    double z[4][4];
} cell_ray;

static cell_ray cell_ray_make(const geom_field *f, int i, int j, vec3 o, vec3 d)
{
    cell_ray r = { .o = o,
                   .d = d,
                   .x = f->x_0 + i * f->d_x,
                   .y = f->y_0 + j * f->d_y,
                   .by_x = 1.0 / f->d_x,
                   .by_y = 1.0 / f->d_y,
                   .is_cubic = f->smoothness != GEOM_BILINEAR };
    for (int n = 0; n < 4; n++) {
        for (int m = 0; m < 4; m++) {
            bool is_wanted = r.is_cubic || (n >= 1 && n <= 2 && m >= 1 && m <= 2);
            r.z[n][m] = is_wanted ? node_beyond(f, i - 1 + m, j - 1 + n) : 0.0;
        }
    }
    return r;
}

static void height_weights(double t, double w[4])
{
    w[0] = 0.5 * t * (-1.0 + t * (2.0 - t));
    w[1] = 0.5 * (2.0 + t * t * (-5.0 + 3.0 * t));
    w[2] = 0.5 * t * (1.0 + t * (4.0 - 3.0 * t));
    w[3] = 0.5 * t * t * (t - 1.0);
}

// Height of the ray over the surface at t.
static double over_cell(const cell_ray *r, double t)
{
    double u = clamp_unit((r->o.x + t * r->d.x - r->x) * r->by_x),
           v = clamp_unit((r->o.y + t * r->d.y - r->y) * r->by_y), h = 0.0, wu[4], wv[4];
    if (!r->is_cubic) {
        double a = r->z[1][1], b = r->z[1][2] - a, c = r->z[2][1] - a, d = r->z[2][2] - a - b - c;
        return r->o.z + t * r->d.z - (a + b * u + c * v + d * u * v);
    }
    height_weights(u, wu);
    height_weights(v, wv);
    for (int n = 0; n < 4; n++) {
        h += wv[n] * (wu[0] * r->z[n][0] + wu[1] * r->z[n][1] + wu[2] * r->z[n][2] + wu[3] * r->z[n][3]);
    }
    return r->o.z + t * r->d.z - h;
}

// The zero between two places of different sign: along the chord, with less and less of an end that stays (Illinois);
// to the last bit that the height tells.
static double zero_between(const cell_ray *r, double left, double at_left, double right, double at_right)
{
    double guess = left, before = right;
    for (int n = 0; n < 100 && fabs(guess - before) > 1e-16 * fabs(right); n++) {
        before = guess;
        guess = left + (right - left) * (at_left / (at_left - at_right));
        if (!(guess > left && guess < right)) {
            guess = 0.5 * (left + right);
        }
        double at = over_cell(r, guess);
        if (at == 0.0) {
            return guess;
        }
        if ((at > 0.0) == (at_left > 0.0)) {
            left = guess;
            at_left = at;
            at_right *= 0.5;
        } else {
            right = guess;
            at_right = at;
            at_left *= 0.5;
        }
    }
    return guess;
}

// First change of sign in [from, to]: looked for in pieces.
static bool crossing_in_cell(const cell_ray *r, double from, double to, double *t)
{
    const int pieces = r->is_cubic ? 16 : 4;
    double left = from, at_left = over_cell(r, left);
    for (int k = 1; k <= pieces; k++) {
        double right = from + (to - from) * k / pieces, at_right = over_cell(r, right);
        if (at_left == 0.0) {
            *t = left;
            return true;
        }
        if ((at_left > 0.0) != (at_right > 0.0)) {
            *t = zero_between(r, left, at_left, right, at_right);
            return true;
        }
        left = right;
        at_left = at_right;
    }
    return false;
}

// Where o + t d is between two values, as an interval of t.
static void narrow(double o, double d, double low, double high, double *from, double *to)
{
    if (d == 0.0) {
        *to = o >= low && o <= high ? *to : -INFINITY;
        return;
    }
    double t0 = (low - o) / d, t1 = (high - o) / d;
    *from = fmax(*from, fmin(t0, t1));
    *to = fmin(*to, fmax(t0, t1));
}

geom_hit geom_field_ray(const geom_field *f, vec3 o, vec3 d, double reach)
{
    geom_hit hit = { false, INFINITY, { 0.0, 0.0, 1.0 } };
    double from = 0.0, to = reach, u, v;
    narrow(o.x, d.x, f->x_0, f->x_0 + f->d_x * (f->n_x - 1), &from, &to);
    narrow(o.y, d.y, f->y_0, f->y_0 + f->d_y * (f->n_y - 1), &from, &to);
    narrow(o.z, d.z, f->low - 1e-9 * f->d_x, f->high + 1e-9 * f->d_x, &from, &to);
    if (!(from <= to) || !isfinite(to)) {
        return hit;
    }
    int i = cell_of((o.x + from * d.x - f->x_0) / f->d_x, f->n_x, &u);
    int j = cell_of((o.y + from * d.y - f->y_0) / f->d_y, f->n_y, &v);
    // from cell to cell along the ray; each step goes to another cell, so that their number bounds the walk
    for (int n = 0; n <= f->n_x + f->n_y + 2 && from <= to; n++) {
        double next_x = d.x == 0.0 ? INFINITY : (f->x_0 + (i + (d.x > 0.0)) * f->d_x - o.x) / d.x;
        double next_y = d.y == 0.0 ? INFINITY : (f->y_0 + (j + (d.y > 0.0)) * f->d_y - o.y) / d.y;
        double until = fmax(from, fmin(to, fmin(next_x, next_y)));
        double t;
        cell_ray ray = cell_ray_make(f, i, j, o, d);
        if (crossing_in_cell(&ray, from, until, &t)) {
            return (geom_hit){ true, t, geom_field_normal(f, o.x + t * d.x, o.y + t * d.y) };
        }
        if (until >= to) {
            break;
        }
        i += next_x <= next_y ? (d.x > 0.0 ? 1 : -1) : 0;
        j += next_x <= next_y ? 0 : (d.y > 0.0 ? 1 : -1);
        if (i < 0 || j < 0 || i > f->n_x - 2 || j > f->n_y - 2) {
            break;
        }
        from = until;
    }
    return hit;
}
