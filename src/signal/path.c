// SPDX-License-Identifier: MIT
// A driver who looks ahead (signals.12): the steering angle whose circle leads to a point of the path that lies some way ahead. Decided
// after each accepted step and constant inside one; a filter behind it is the driver's arms.
#include "math/elementary.h"
#include "signal/kinds.h"
#include <math.h>
#include <stddef.h>

enum { VALUE, ALONG, MEMORY };

typedef struct {
    int memory, count;
    const double *point; // x, y by rows; borrowed from the model
    double wheelbase, preview, reach, most;
} path;

static void path_compile(plan *p, const void *def, void *item)
{
    const bi_path_def *d = def;
    *(path *)item = (path){
        plan_memory(p, MEMORY),       d->points.rows, d->points.value, d->wheelbase, d->preview, d->reach,
        d->most > 0.0 ? d->most : 1.0
    };
    if (d->points.rows < 2) {
        plan_complain(p, bi_model_element(p->model, d->name).i - 1, "points", "needs at least two points");
    }
    for (int k = 0; k + 1 < d->points.rows; k++) {
        const double *a = &d->points.value[2 * k];
        if (a[0] == a[2] && a[1] == a[3]) {
            plan_complain(p, bi_model_element(p->model, d->name).i - 1, "points",
                          "has the point %d twice in a row", k + 1);
        }
    }
}

typedef struct {
    double x, y;
} spot;

static double length_of(const path *p, int k)
{
    return math_hypot(p->point[2 * k + 2] - p->point[2 * k], p->point[2 * k + 3] - p->point[2 * k + 1]);
}

// The point after `along` metres; straight on behind the last one.
static spot path_at(const path *p, double along)
{
    int k = 0;
    double length = length_of(p, 0);
    while (along > length && k + 2 < p->count) {
        along -= length;
        length = length_of(p, ++k);
    }
    const double *a = &p->point[2 * k];
    double share = along / length;
    return (spot){ a[0] + share * (a[2] - a[0]), a[1] + share * (a[3] - a[1]) };
}

// How far along the path its nearest point is, not behind `from` and not much further than the view.
static double nearest(const path *p, double x, double y, double from, double view)
{
    double start = 0.0, best = INFINITY, at = from;
    for (int k = 0; k + 1 < p->count && start <= from + view; k++) {
        const double *a = &p->point[2 * k];
        double length = length_of(p, k), ux = (a[2] - a[0]) / length, uy = (a[3] - a[1]) / length;
        bool is_last = k + 2 == p->count;
        double s = (x - a[0]) * ux + (y - a[1]) * uy;
        s = fmax(s, fmax(from - start, 0.0));
        s = is_last ? s : fmin(s, length);
        double dx = a[0] + s * ux - x, dy = a[1] + s * uy - y, gap = dx * dx + dy * dy;
        if (start + length >= from || is_last) {
            at = gap < best ? start + s : at;
            best = fmin(best, gap);
        }
        start += length;
    }
    return at;
}

static void path_eval(const void *item, const signal_in *in, signal_out *out)
{
    out->value.v = in->memory[((const path *)item)->memory + VALUE];
}

static void path_commit(const void *item, const signal_in *in, double value, double *memory)
{
    const path *p = item;
    double *own = &memory[p->memory];
    double x = in->input[0].v, y = in->input[1].v, yaw = in->input[2].v, speed = in->input[3].v;
    double view = fmax(p->reach, p->preview * fabs(speed));
    (void)value;
    own[ALONG] = nearest(p, x, y, own[ALONG], 2.0 * view);
    spot goal = path_at(p, own[ALONG] + view);
    double dx = goal.x - x, dy = goal.y - y, far = math_hypot(dx, dy);
    // the circle through here and there, tangent to the way the car points
    double across = dy * math_cos(yaw) - dx * math_sin(yaw);
    double angle = far > 0.0 ? math_atan2(2.0 * p->wheelbase * across, far * far) : 0.0;
    own[VALUE] = fmin(fmax(angle, -p->most), p->most);
}

#define AT(member) offsetof(bi_path_def, member)
static const bi_field fields[] = {
    { "x", BI_FIELD_EXPR, AT(x), NULL, BI_REQUIRED | BI_AFTER_STEP, "where the vehicle is, m" },
    { "y", BI_FIELD_EXPR, AT(y), NULL, BI_REQUIRED | BI_AFTER_STEP, "where the vehicle is, m" },
    { "yaw", BI_FIELD_EXPR, AT(yaw), NULL, BI_REQUIRED | BI_AFTER_STEP,
      "where it points, rad from the x axis to the left" },
    { "speed", BI_FIELD_EXPR, AT(speed), NULL, BI_REQUIRED | BI_AFTER_STEP, "how fast it is, m/s" },
    { "points", BI_FIELD_GRID, AT(points), "m,m", BI_REQUIRED, "rows [x, y] of the path" },
    { "wheelbase", BI_FIELD_NUMBER, AT(wheelbase), "m", BI_REQUIRED | BI_POSITIVE,
      "distance of the axles: angle = curvature times it" },
    { "preview", BI_FIELD_NUMBER, AT(preview), "s", BI_NOT_NEGATIVE, "time by which the driver looks ahead" },
    { "reach", BI_FIELD_NUMBER, AT(reach), "m", BI_REQUIRED | BI_POSITIVE,
      "least way by which he looks ahead" },
    { "most", BI_FIELD_NUMBER, AT(most), "rad", BI_NOT_NEGATIVE, "largest angle (default 1 rad)" },
};
static const bi_kind schema = { "signals", "path", sizeof(bi_path_def),
                                fields,    9,      "steering angle of a driver who follows a path" };
const signal_kind path_signal = { &schema, sizeof(path), path_compile, path_eval, path_commit };
