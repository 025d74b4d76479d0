// SPDX-License-Identifier: MIT
// A point of one body on a curve fixed to another (constraints.14 .. constraints.17). The curve's parameter u is solved
// inside as that of the closest point; two rows hold the difference in two directions across the curve. These
// directions are constant during a step, so that they need no derivatives, and follow the tangent from step to step
// without twist.
#include "laws/constraint/constraint.h"
#include "laws/constraint/rows.h"
#include "math/cubic.h"
#include <stddef.h>

typedef struct {
    int point, frame, axes;
    cubic part[3]; // x, y, z over the chord length; arrays kept by the plan
    double length;
    int memory; // u, then a unit vector across the curve (zero: not yet known)
    row_handle at;
} on_curve;
enum { MEMORY = 4, SEARCH = 8, NEWTON = 20 };

typedef struct {
    vec3 c, d, dd, ddd; // the curve and its derivatives with u
} curve_value;

static curve_value curve_at(const on_curve *k, double u)
{
    cubic_value x = cubic_at(&k->part[0], u), y = cubic_at(&k->part[1], u), z = cubic_at(&k->part[2], u);
    return (
        curve_value){ { x.v, y.v, z.v }, { x.d, y.d, z.d }, { x.dd, y.dd, z.dd }, { x.ddd, y.ddd, z.ddd } };
}

// ---- compile -------------------------------------------------------------------------------------------------------

static void fit_curve(plan *p, int element, const bi_on_curve_def *d, on_curve *out)
{
    int n = d->points.rows;
    if (n < (d->closed ? 3 : 2)) {
        plan_complain(p, element, "points", "needs at least %d points", d->closed ? 3 : 2);
        return;
    }
    double *memory = plan_keep(p, (size_t)(10 * n + 1) * sizeof *memory);
    if (!memory) {
        return;
    }
    double *knot = memory, *work = knot + n + 1;
    for (int k = 1; k <= (d->closed ? n : n - 1); k++) {
        const double *a = &d->points.value[3 * (k - 1)], *b = &d->points.value[3 * (k % n)];
        double chord = vec3_norm((vec3){ b[0] - a[0], b[1] - a[1], b[2] - a[2] });
        if (!(chord > 0.0)) {
            plan_complain(p, element, "points", "has the same point twice, in rows %d and %d", k, k % n + 1);
            return;
        }
        knot[k] = knot[k - 1] + chord;
    }
    for (int c = 0; c < 3; c++) {
        double *value = work + (3 + 2 * c) * n, *second = value + n;
        for (int k = 0; k < n; k++) {
            value[k] = d->points.value[3 * k + c];
        }
        cubic_fit(n, d->closed, knot, value, second, work);
        out->part[c] = (cubic){ n, d->closed, knot, value, second };
    }
    out->length = knot[d->closed ? n : n - 1];
}

static void on_curve_compile(plan *p, int element, const void *def, void *item)
{
    const bi_on_curve_def *d = def;
    const model_element *e = &p->model->element[element];
    int m[2] = { plan_point(p, d->point.body.i - 1, d->point.at),
                 plan_frame(p, d->body.i - 1, (vec3){ 0.0, 0.0, 0.0 }) };
    on_curve *out = item;
    *out = (on_curve){ .point = plan_dof(p, m[0]),
                       .frame = plan_dof(p, m[1]),
                       .axes = p->marker[m[1]].frame,
                       .memory = plan_memory(p, MEMORY) };
    if (d->point.body.i == d->body.i) {
        plan_complain(p, element, "body", "carries both the curve and the point: use two bodies");
    }
    fit_curve(p, element, d, out);
    out->at = plan_rows(p, &(row_owner){ e->name, e->place, false, -1, element }, 2, m, 2);
}

// ---- where on the curve -----------------------------------------------------------------------------------------------

// Nearest of many points of the curve: where the point is when nothing is remembered.
static double search(const on_curve *k, vec3 x)
{
    int count = SEARCH * k->part[0].n;
    double best = 0.0, nearest = INFINITY;
    for (int i = 0; i <= count; i++) {
        double u = k->length * i / count, away = vec3_norm(vec3_sub(x, curve_at(k, u).c));
        if (away < nearest) {
            nearest = away;
            best = u;
        }
    }
    return best;
}

// C' . (x - C) = 0 by Newton, from a near value; near the centre of curvature, where it has no slope, by gradient.
static double closest(const on_curve *k, vec3 x, double u)
{
    for (int i = 0; i < NEWTON; i++) {
        curve_value c = curve_at(k, u);
        vec3 d = vec3_sub(x, c.c);
        double square = vec3_dot(c.d, c.d), slope = square - vec3_dot(c.dd, d);
        double step = vec3_dot(c.d, d) / (slope > 0.1 * square ? slope : square);
        u += step;
        if (fabs(step) <= 1e-15 * k->length) {
            break;
        }
    }
    return u;
}

typedef struct {
    vec3 x;    // the point in the frame of the curve
    vec3 rho;  // from the frame's origin to the point, ground axes
    vec3 e[2]; // directions across, frame of the curve
    curve_value c;
    double u, square; // parameter; C'.C' - C''.(x - C)
} place;

static place place_of(const on_curve *k, const law_in *in)
{
    const double *memory = &in->memory[k->memory];
    place out;
    out.rho = vec3_sub(row_value(in, k->point), row_value(in, k->frame));
    out.x = mat3_apply_transposed(in->at->axes[k->axes], out.rho);
    vec3 across = tray_vec3(&memory[1]);
    bool is_known = vec3_norm(across) > 0.0;
    out.u = closest(k, out.x, is_known ? memory[0] : search(k, out.x));
    out.c = curve_at(k, out.u);
    out.square = vec3_dot(out.c.d, out.c.d) - vec3_dot(out.c.dd, vec3_sub(out.x, out.c.c));
    // across the tangent where the step began
    vec3 tangent = vec3_normalized(is_known ? curve_at(k, memory[0]).d : out.c.d);
    out.e[0] = is_known ? across : vec3_perpendicular(tangent);
    out.e[1] = vec3_cross(tangent, out.e[0]);
    return out;
}

// ---- rows -------------------------------------------------------------------------------------------------------------

static void position_rows(const on_curve *k, const law_in *in, const place *w, rows *out)
{
    mat3 axes = in->at->axes[k->axes];
    for (int i = 0; i < 2; i++) {
        double *g = &out->gradient[k->at.gradient + 9 * i];
        out->phi[k->at.row + i] = vec3_dot(w->e[i], vec3_sub(w->x, w->c.c));
        // e - (e . C') du/dx, du/dx = C' / square
        vec3 local = vec3_add_scaled(w->e[i], -vec3_dot(w->e[i], w->c.d) / w->square, w->c.d);
        vec3 f = mat3_apply(axes, local);
        tray_put(g, f);
        tray_put(g + 3, vec3_neg(f));
        tray_put(g + 6, vec3_neg(vec3_cross(w->rho, f)));
    }
}

static void second_rows(const on_curve *k, const law_in *in, const place *w, rows *out)
{
    mat3 axes = in->at->axes[k->axes];
    vec3 omega = row_rate(in, k->frame + 3);
    vec3 speed = vec3_sub(row_rate(in, k->point), row_rate(in, k->frame));
    vec3 seen = vec3_sub(speed, vec3_cross(omega, w->rho));
    vec3 x_rate = mat3_apply_transposed(axes, seen);
    vec3 x_second = mat3_apply_transposed(axes, vec3_neg(vec3_cross(omega, vec3_add(seen, speed))));

    // the parameter follows: C' . d = 0 differentiated twice (constraints.17)
    const curve_value *c = &w->c;
    vec3 d = vec3_sub(w->x, c->c);
    double u_rate = vec3_dot(c->d, x_rate) / w->square;
    vec3 d_rate = vec3_add_scaled(x_rate, -u_rate, c->d);
    vec3 free = vec3_add_scaled(x_second, -u_rate * u_rate, c->dd);
    double u_second = (vec3_dot(c->ddd, d) * u_rate * u_rate + 2.0 * u_rate * vec3_dot(c->dd, d_rate) +
                       vec3_dot(c->d, free)) /
                      w->square;
    vec3 d_second = vec3_add_scaled(free, -u_second, c->d);
    for (int i = 0; i < 2; i++) {
        out->gamma[k->at.row + i] = vec3_dot(w->e[i], d_second);
    }
}

static void on_curve_rows(const void *items, int count, const law_in *in, rows *out)
{
    const on_curve *item = items;
    for (int k = 0; k < count; k++) {
        place w = place_of(&item[k], in);
        if (in->want & LAW_POSITION) {
            position_rows(&item[k], in, &w, out);
        }
        if (in->want & LAW_SECOND) {
            second_rows(&item[k], in, &w, out);
        }
    }
}

// The parameter is remembered; the direction across follows the tangent by the shortest turn.
static void on_curve_commit(const void *items, int count, const law_in *in, double *memory)
{
    const on_curve *item = items;
    for (int k = 0; k < count; k++) {
        place w = place_of(&item[k], in);
        vec3 tangent = vec3_normalized(w.c.d);
        vec3 across = vec3_add_scaled(w.e[0], -vec3_dot(w.e[0], tangent), tangent);
        memory[item[k].memory] = w.u;
        tray_put(&memory[item[k].memory + 1], vec3_normalized(across));
    }
}

static const bi_field fields[] = {
    { "point", BI_FIELD_POINT, offsetof(bi_on_curve_def, point), NULL, BI_REQUIRED, "the point" },
    { "body", BI_FIELD_BODY, offsetof(bi_on_curve_def, body), NULL, BI_REQUIRED,
      "the body that carries the curve" },
    { "points", BI_FIELD_GRID, offsetof(bi_on_curve_def, points), "m,m,m", BI_REQUIRED,
      "points of the curve in the frame of its body; a smooth curve goes through them" },
    { "closed", BI_FIELD_FLAG, offsetof(bi_on_curve_def, closed), NULL, 0,
      "true: the last point is followed by the first (default: open, straight beyond its ends)" },
};
static const bi_kind schema = {
    "constraints", "point-on-curve", sizeof(bi_on_curve_def), fields, 4, "a point moves on a curve of a body"
};
const law_kind on_curve_kind = { .schema = &schema,
                                 .item = sizeof(on_curve),
                                 .compile = on_curve_compile,
                                 .rows = on_curve_rows,
                                 .commit = on_curve_commit };
