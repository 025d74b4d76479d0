// SPDX-License-Identifier: MIT
// A driver who looks ahead: the steering angle whose circle leads to a point of the path that lies some way ahead
// (signals.12), or, if he knows his car, the one with which it stays nearest to all of the path in view (signals.13).
// Decided after each accepted step and constant inside one; a filter behind it is the driver's arms.
#include "laws/signal/kinds.h"
#include "laws/signal/preview.h"
#include "math/elementary.h"
#include <math.h>
#include <stddef.h>

static const double pi = 3.14159265358979323846;

enum { VALUE, ALONG, STARTED, TIME, X, Y, YAW, MEMORY };

typedef struct {
    int memory, count;
    const double *point; // x, y by rows; borrowed from the model
    double wheelbase, preview, reach, most, delay;
    bool knows_car;
    preview_car car;
} path;

static void take_car(plan *p, const bi_path_def *d, path *out)
{
    const double part[6] = { d->mass, d->inertia, d->front, d->rear, d->stiffness_front, d->stiffness_rear };
    int given = 0;
    for (int k = 0; k < 6; k++) {
        given += part[k] > 0.0;
    }
    out->car = (preview_car){ part[0], part[1], part[2], part[3], part[4], part[5] };
    out->knows_car = given == 6;
    int element = bi_model_element(p->model, d->name).i - 1;
    if (given != 0 && given != 6) {
        plan_complain(
            p, element, "mass",
            "a driver who knows his car needs all of mass, inertia, front, rear, stiffness_front and "
            "stiffness_rear");
    }
    if (given == 6 && !(d->preview > 0.0)) {
        plan_complain(p, element, "preview", "must be positive: the time of path that is weighed");
    }
    if (given == 0 && d->delay > 0.0) {
        plan_complain(p, element, "delay",
                      "is only of use to a driver who knows his car: give mass, inertia, ...");
    }
}

static void path_compile(plan *p, const void *def, void *item)
{
    const bi_path_def *d = def;
    *(path *)item = (path){ plan_memory(p, MEMORY),
                            d->points.rows,
                            d->points.value,
                            d->wheelbase,
                            d->preview,
                            d->reach,
                            d->most > 0.0 ? d->most : 1.0,
                            d->delay,
                            false,
                            { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 } };
    take_car(p, d, item);
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

// The circle through here and there, tangent to the way the car points.
static double circle_to(const path *p, double view, double x, double y, double yaw, const double *own)
{
    spot goal = path_at(p, own[ALONG] + view);
    double dx = goal.x - x, dy = goal.y - y, far = math_hypot(dx, dy);
    double across = dy * math_cos(yaw) - dx * math_sin(yaw);
    return far > 0.0 ? math_atan2(2.0 * p->wheelbase * across, far * far) : 0.0;
}

// Least distance from all of the path in view, with the motion since the last step as the car's (signals.13).
static double preview_angle(const path *p, double speed, double x, double y, double yaw, double passed,
                            const double *own)
{
    double c = math_cos(yaw), s = math_sin(yaw), target[PREVIEW_POINTS];
    preview_state now = { 0.0, 0.0, 0.0, 0.0 };
    if (passed > 0.0) {
        now.v = ((y - own[Y]) * c - (x - own[X]) * s) / passed;
        // a full turn is none
        double turned = yaw - own[YAW];
        now.rate = (turned - 2.0 * pi * floor(turned / (2.0 * pi) + 0.5)) / passed;
    }
    // until his arms have moved, the car goes on with the last angle
    now = preview_go(&p->car, speed, own[VALUE], p->delay, now);
    for (int k = 0; k < PREVIEW_POINTS; k++) {
        double ahead = p->delay + p->preview * (k + 1) / PREVIEW_POINTS;
        spot there = path_at(p, own[ALONG] + speed * ahead);
        target[k] = (there.y - y) * c - (there.x - x) * s;
    }
    return preview_steer(&p->car, speed, p->preview, now, target);
}

static void path_commit(const void *item, const signal_in *in, double value, double *memory)
{
    // he looks again after so long: over shorter steps, differences of places are rounding, which would shake the wheel
    static const double blink = 0.99e-4; // s
    const path *p = item;
    double *own = &memory[p->memory];
    if (own[STARTED] > 0.0 && in->t - own[TIME] < blink) {
        return;
    }
    double x = in->input[0].v, y = in->input[1].v, yaw = in->input[2].v, speed = in->input[3].v;
    double view = fmax(p->reach, p->preview * fabs(speed));
    (void)value;
    own[ALONG] = nearest(p, x, y, own[ALONG], 2.0 * view);
    // too slow for the equations of a rolling car he goes by circles
    double passed = own[STARTED] > 0.0 ? in->t - own[TIME] : 0.0;
    bool is_slow = speed * p->preview < p->reach;
    double angle = p->knows_car && !is_slow ? preview_angle(p, speed, x, y, yaw, passed, own)
                                            : circle_to(p, view, x, y, yaw, own);
    own[VALUE] = fmin(fmax(angle, -p->most), p->most);
    own[STARTED] = 1.0;
    own[TIME] = in->t;
    own[X] = x;
    own[Y] = y;
    own[YAW] = yaw;
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
    { "most", BI_FIELD_NUMBER, AT(most), "rad", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "largest angle (default 1 rad)" },
    { "mass", BI_FIELD_NUMBER, AT(mass), "kg", BI_NOT_NEGATIVE,
      "of the car; a driver who knows it, with the next five, keeps nearest to all of the path within "
      "preview" },
    { "inertia", BI_FIELD_NUMBER, AT(inertia), "kg*m^2", BI_NOT_NEGATIVE, "of the car about the vertical" },
    { "front", BI_FIELD_NUMBER, AT(front), "m", BI_NOT_NEGATIVE, "front axle before the centre of mass" },
    { "rear", BI_FIELD_NUMBER, AT(rear), "m", BI_NOT_NEGATIVE, "rear axle behind it" },
    { "stiffness_front", BI_FIELD_NUMBER, AT(stiffness_front), "N/rad", BI_NOT_NEGATIVE,
      "cornering stiffness of the front axle" },
    { "stiffness_rear", BI_FIELD_NUMBER, AT(stiffness_rear), "N/rad", BI_NOT_NEGATIVE, "of the rear axle" },
    { "delay", BI_FIELD_NUMBER, AT(delay), "s", BI_NOT_NEGATIVE,
      "of his arms and the steering, which he knows, too (default none)" },
};
static const bi_kind schema = { "signals",
                                "path",
                                sizeof(bi_path_def),
                                fields,
                                sizeof fields / sizeof *fields,
                                "steering angle of a driver who follows a path" };
const signal_kind path_signal = { &schema, sizeof(path), path_compile, path_eval, path_commit };
