// SPDX-License-Identifier: MIT
// Cam: position of a follower = f(direction - angle of the cam), with f a periodic spline (constraints.13). The profile
// is given as radius over polar angle; f is its radius for a point, the radius of the roller's centre for a roller, and
// the support function for a flat follower.
#include "laws/constraint/constraint.h"
#include "math/cubic.h"
#include "math/elementary.h"
#include <stddef.h>

// f is tabulated so finely that its own spline adds nothing: (2 pi / 720)^4 / 384 = 1.5e-11 of its fourth derivative
enum { SAMPLES = 720 };
static const double two_pi = 6.283185307179586, pi = 3.141592653589793;

typedef struct {
    int angle, position;
    double direction, offset;
    cubic lift; // f; its arrays are kept by the plan
    row_handle at;
} cam;

// What touches at the polar angle theta of the profile: the follower's own polar angle, and its distance.
typedef struct {
    double angle, distance;
} touch;

static touch touch_at(const cubic *profile, const bi_cam_def *d, double theta)
{
    cubic_value r = cubic_at(profile, theta);
    if (d->contact == BI_CAM_FLAT) {
        double lean = math_atan2(r.d, r.v), s, c;
        math_sincos(lean, &s, &c);
        return (touch){ theta - lean, r.v * c };
    }
    if (d->contact == BI_CAM_ROLLER) {
        // the centre lies one roller radius along the outward normal (r, -r') of the profile
        double w = sqrt(r.v * r.v + r.d * r.d);
        double out = r.v + d->roller * r.v / w, side = -d->roller * r.d / w;
        return (touch){ theta + math_atan2(side, out), sqrt(out * out + side * side) };
    }
    return (touch){ theta, r.v };
}

// The distance of the follower at the polar angle psi. The touching point is within a quarter turn.
static double lift_at(const cubic *profile, const bi_cam_def *d, double psi)
{
    double low = psi - 0.5 * pi, high = psi + 0.5 * pi;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (touch_at(profile, d, middle).angle < psi) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return touch_at(profile, d, 0.5 * (low + high)).distance;
}

// The profile as a spline; n = 0 when it has a mistake, which is reported.
static cubic profile_of(plan *p, int element, const bi_cam_def *d)
{
    int n = d->profile.rows;
    const double *row = d->profile.value;
    // the end of the turn may be given too
    if (n > 1 && fabs(row[2 * (n - 1)] - row[0] - two_pi) < 1e-9) {
        n--;
    }
    bool is_good = n >= 3;
    for (int k = 0; k < n; k++) {
        is_good = is_good && row[2 * k + 1] > 0.0 && (k == 0 || row[2 * k] > row[2 * k - 2]);
    }
    if (!is_good || !(row[2 * (n - 1)] - row[0] < two_pi)) {
        plan_complain(p, element, "profile",
                      "needs at least three rows [angle, radius] with angles that ascend within one turn and "
                      "positive radii");
        return (cubic){ 0 };
    }
    double *memory = plan_keep(p, (size_t)(6 * n + 1) * sizeof *memory);
    if (!memory) {
        return (cubic){ 0 };
    }
    double *knot = memory, *value = knot + n + 1, *second = value + n, *work = second + n;
    for (int k = 0; k < n; k++) {
        knot[k] = row[2 * k];
        value[k] = row[2 * k + 1];
    }
    knot[n] = knot[0] + two_pi;
    cubic_fit(n, true, knot, value, second, work);
    return (cubic){ n, true, knot, value, second };
}

// Along the profile the touching point must not turn back: then the follower would ride on two places at once.
static bool is_rideable(plan *p, int element, const bi_cam_def *d, const cubic *profile)
{
    double before = touch_at(profile, d, 0.0).angle;
    for (int k = 1; k <= 2 * SAMPLES; k++) {
        double now = touch_at(profile, d, k * pi / SAMPLES).angle;
        if (!(now > before)) {
            plan_complain(p, element, "profile",
                          d->contact == BI_CAM_FLAT
                              ? "is hollow near %.0f deg: a flat follower needs a convex cam"
                              : "is too sharply hollow for the roller near %.0f deg: use a smaller roller",
                          k * 180.0 / SAMPLES);
            return false;
        }
        before = now;
    }
    return true;
}

static void cam_fit(plan *p, int element, const bi_cam_def *d, cam *out)
{
    cubic profile = profile_of(p, element, d);
    if (profile.n == 0 || !is_rideable(p, element, d, &profile)) {
        return;
    }
    double *memory = plan_keep(p, (size_t)(6 * SAMPLES + 1) * sizeof *memory);
    if (!memory) {
        return;
    }
    double *knot = memory, *value = knot + SAMPLES + 1, *second = value + SAMPLES, *work = second + SAMPLES;
    for (int k = 0; k <= SAMPLES; k++) {
        knot[k] = k * two_pi / SAMPLES;
        if (k < SAMPLES) {
            value[k] = lift_at(&profile, d, knot[k]);
        }
    }
    cubic_fit(SAMPLES, true, knot, value, second, work);
    out->lift = (cubic){ SAMPLES, true, knot, value, second };
}

static bool is_angle(const plan *p, bi_joint_coordinate c)
{
    return model_is_angle(p->model->joint[c.joint.i - 1].def.kind, c.index);
}

static void cam_compile(plan *p, int element, const void *def, void *item)
{
    const bi_cam_def *d = def;
    const model_element *e = &p->model->element[element];
    int m[2] = { plan_joint(p, d->cam.joint.i - 1, d->cam.index),
                 plan_joint(p, d->follower.joint.i - 1, d->follower.index) };
    cam *out = item;
    *out = (cam){ .angle = plan_dof(p, m[0]),
                  .position = plan_dof(p, m[1]),
                  .direction = d->direction,
                  .offset = d->offset };
    if (!is_angle(p, d->cam)) {
        plan_complain(p, element, "cam", "needs a joint coordinate that is an angle");
    }
    if (is_angle(p, d->follower)) {
        plan_complain(p, element, "follower", "needs a joint coordinate that is a position");
    }
    if ((d->contact == BI_CAM_ROLLER) != (d->roller > 0.0)) {
        plan_complain(p, element, "roller", "needs a positive radius, and 'contact: roller' with it");
    }
    cam_fit(p, element, d, out);
    out->at = plan_rows(p, &(row_owner){ e->name, e->place, false, -1, element }, 1, m, 2);
}

static void cam_rows(const void *items, int count, const law_in *in, rows *out)
{
    const cam *item = items;
    for (int k = 0; k < count; k++) {
        const cam *c = &item[k];
        cubic_value f = cubic_at(&c->lift, c->direction - in->at->value[c->angle]);
        if (in->want & LAW_POSITION) {
            out->phi[c->at.row] = in->at->value[c->position] - c->offset - f.v;
            out->gradient[c->at.gradient] = f.d;
            out->gradient[c->at.gradient + 1] = 1.0;
        }
        if (in->want & LAW_SECOND) {
            double turn = in->at->rate[c->angle];
            out->gamma[c->at.row] = -f.dd * turn * turn;
        }
    }
}

static const bi_field fields[] = {
    { "cam", BI_FIELD_COORDINATE, offsetof(bi_cam_def, cam), NULL, BI_REQUIRED, "angle of the cam" },
    { "follower", BI_FIELD_COORDINATE, offsetof(bi_cam_def, follower), NULL, BI_REQUIRED,
      "position of the follower" },
    { "profile", BI_FIELD_GRID, offsetof(bi_cam_def, profile), "rad,m", BI_REQUIRED,
      "rows [polar angle in the cam, radius] of one turn" },
    { "contact", BI_FIELD_CHOICE, offsetof(bi_cam_def, contact), "point,roller,flat", 0,
      "what rides on the cam (default point)" },
    { "roller", BI_FIELD_NUMBER, offsetof(bi_cam_def, roller), "m", BI_NOT_NEGATIVE, "radius of the roller" },
    { "direction", BI_FIELD_NUMBER, offsetof(bi_cam_def, direction), "rad", 0,
      "polar angle of the follower's line when the cam's angle is zero" },
    { "offset", BI_FIELD_NUMBER, offsetof(bi_cam_def, offset), "m", 0,
      "position of the follower when it would stand on the cam's axis" },
};
static const bi_kind schema = { "constraints", "cam", sizeof(bi_cam_def),
                                fields,        7,     "a follower rides on a turning profile" };
const law_kind cam_kind = {
    .schema = &schema, .item = sizeof(cam), .compile = cam_compile, .rows = cam_rows
};
