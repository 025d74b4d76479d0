// SPDX-License-Identifier: MIT
// Manoeuvres between cones with a driver: ISO 3888-1 double lane change, ISO 3888-2 obstacle avoidance, slalom.
#include "cli/words.h"
#include "handling/driver.h"
#include "handling/manoeuvre.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// Lanes along x; between them the driver is free.
typedef struct {
    double from, to, middle, half;
} lane;
typedef struct {
    lane lane[3];
    double end;
    double late; // m by which the driver shifts both ends of a change, to keep the rear in its lane
    double
        early; // m before the end of a lane at which the driver begins, and behind the begin of the next one
} lanes;

// From one lane's middle to the next as half a cosine.
static double lanes_place(const void *path, double x)
{
    const lanes *l = path;
    for (int k = 0; k < 2; k++) {
        const lane *a = &l->lane[k], *b = &l->lane[k + 1];
        double from = a->to - l->early + l->late, to = b->from + l->early + l->late;
        if (x < to) {
            double part = fmax(0.0, (x - from) / (to - from));
            return a->middle + 0.5 * (1.0 - cos(pi * part)) * (b->middle - a->middle);
        }
    }
    return l->lane[2].middle;
}

// How far a corner of the body left its lane at most, m; and where.
static double outside(const tryout *t, const lanes *l, double *where)
{
    const vehicle *v = t->v;
    double worst = -INFINITY;
    for (int k = 0; k < t->n; k++) {
        const moment *m = &t->log[k];
        double c = cos(t->yaw0), s = sin(t->yaw0), dx = m->x - t->log[0].x, dy = m->y - t->log[0].y;
        double x = c * dx + s * dy, y = -s * dx + c * dy, yaw = m->yaw - t->yaw0;
        for (int corner = 0; corner < 4; corner++) {
            double a = corner < 2 ? v->front : -v->rear, b = (corner % 2 ? 0.5 : -0.5) * v->width;
            double px = x + cos(yaw) * a - sin(yaw) * b, py = y + sin(yaw) * a + cos(yaw) * b;
            for (int i = 0; i < 3; i++) {
                double off = fabs(py - l->lane[i].middle) - l->lane[i].half;
                if (px >= l->lane[i].from && px <= l->lane[i].to && off > worst) {
                    worst = off;
                    *where = px;
                }
            }
        }
    }
    return worst;
}

static bool is_through(void *context, const tryout *t, const moment *now)
{
    const driver *d = context;
    const lanes *l = d->of;
    double gone = cos(t->yaw0) * (now->x - t->log[0].x) + sin(t->yaw0) * (now->y - t->log[0].y);
    return gone > l->end + t->v->rear || now->speed < 0.3 || fabs(now->roll) > 60.0 * pi / 180.0;
}

static driver driver_for(tryout *t, double gain)
{
    bool leans = t->v->lean != 0.0;
    return (driver){ .preview = leans ? 1.6 : 0.8,
                     .lag = leans ? 0.45 : 0.3,
                     .delay = leans ? 0.05 : 0.1,
                     .hand = 0.05,
                     .gain = gain,
                     .most = fabs(gain) * 12.0,
                     .release = INFINITY,
                     .speed = t->turn.speed };
}

// Steering input over lateral acceleration of a gentle turn; NAN: there is none.
static double gain_of(tryout *t)
{
    double straight = t->hold.steer, speed = t->turn.speed, gain = NAN;
    if (tryout_turn(t, speed, 0.5)) {
        gain = (t->hold.steer - straight) / 0.5;
        gain = tryout_turn(t, speed, 0.0) ? gain : NAN;
    }
    return gain;
}

typedef struct {
    double gain, preview, release;
} practice;

// One run; how far outside, or NAN with the reason told.
static double run_once(tryout *t, protocol *p, const lanes *l, const practice *how, double *where)
{
    double speed = t->turn.speed;
    driver d = driver_for(t, how->gain);
    d.preview = how->preview;
    d.lag = d.preview * (t->v->lean != 0.0 ? 0.28 : 0.3);
    d.path = lanes_place;
    d.of = l;
    d.release = how->release;
    if (!tryout_run(t, 3.0 * l->end / speed + 2.0, driver_drive, is_through, &d)) {
        protocol_fail(p, "at %.4g m/s: %s", speed, t->why);
        return NAN;
    }
    const moment *last = &t->log[t->n - 1];
    double gone = cos(t->yaw0) * (last->x - t->log[0].x) + sin(t->yaw0) * (last->y - t->log[0].y);
    double off = outside(t, l, where);
    *where = gone < l->end ? gone : *where;
    return gone < l->end ? INFINITY : off;
}

// The best of the runs of a driver who practises: how far to look ahead, how early to begin. How far outside a corner came
// at least, m; NAN: told why. The log is that of the last run, which is the best one.
static double run_at(tryout *t, protocol *p, lanes *l, double speed, double release, double *where)
{
    static const double car[] = { 1.0, 0.85, 1.15, 0.7 }, cycle[] = { 1.0, 1.3, 1.6, 1.9 };
    static const double early[] = { 3.0, 6.0, 0.0, 3.0, 5.0, 3.0 }, late[] = { 0.0, 0.0, 0.0, 2.0, 2.0, 4.0 };
    enum { WAYS = 6 };
    const double *shorter = t->v->lean != 0.0 ? cycle : car;
    double best = INFINITY, usual = t->v->lean != 0.0 ? 1.6 : 1.0;
    int chosen_way = 0;
    practice how = { .release = release }, chosen = { 0 };
    if (!tryout_turn(t, speed, 0.0)) {
        protocol_fail(p, "straight on at %.4g m/s: %s", speed, t->why);
        return NAN;
    }
    how.gain = gain_of(t);
    if (isnan(how.gain)) {
        protocol_fail(p, "a gentle turn at %.4g m/s: %s", speed, t->why);
        return NAN;
    }
    double scale = l->end / 140.0;
    for (int k = 0; k < 4 * WAYS && best > 0.0; k++) {
        how.preview = usual * shorter[k / WAYS];
        l->early = early[k % WAYS] * scale;
        l->late = late[k % WAYS] * scale;
        double off = run_once(t, p, l, &how, where);
        if (isnan(off)) {
            return NAN;
        }
        if (off < best) {
            best = off;
            chosen = how;
            chosen_way = k % WAYS;
        }
    }
    if (best > 0.0 && isfinite(best)) {
        l->early = early[chosen_way] * scale;
        l->late = late[chosen_way] * scale;
        best = run_once(t, p, l, &chosen, where);
    }
    return best;
}

static void draw(protocol *p, const tryout *t, const lanes *l)
{
    int every = 1 + t->n / 800, n = 0;
    double *x = words_alloc((size_t)(t->n + 1) * sizeof *x), *y = words_alloc((size_t)(t->n + 1) * sizeof *y);
    double *want = words_alloc((size_t)(t->n + 1) * sizeof *want), c = cos(t->yaw0), s = sin(t->yaw0);
    for (int k = 0; k < t->n; k += every) {
        double dx = t->log[k].x - t->log[0].x, dy = t->log[k].y - t->log[0].y;
        x[n] = c * dx + s * dy;
        y[n] = -s * dx + c * dy;
        want[n] = lanes_place(l, x[n]);
        n++;
    }
    double *again = words_alloc((size_t)(t->n + 1) * sizeof *again);
    memcpy(again, x, (size_t)n * sizeof *again);
    protocol_draw(p, "path", "m", "m", n, x, y);
    protocol_draw(p, "the driver's way between the lanes", "m", "m", n, again, want);
    protocol_draw_log(p, t, "steer,yaw_rate,ay,roll");
}

// ---- double lane change ---------------------------------------------------------------------------------------------

static void run_lane_change(const vehicle *v, protocol *p)
{
    tryout t;
    // slower vehicles have the same time in shorter lanes
    double speed = fmin(80.0 / 3.6, v->speed < 12.0 || v->n_wheel == 2 ? v->speed : 80.0 / 3.6), w = v->width;
    double f = fmin(1.0, speed / (80.0 / 3.6)), where = NAN;
    lanes l = { .lane = { { 15.0 * f, 30.0 * f, 0.0, 0.5 * (1.1 * w + 0.25) },
                          { 60.0 * f, 85.0 * f, 3.5 * (f < 1.0 ? sqrt(f) : 1.0), 0.5 * (1.2 * w + 0.25) },
                          { 110.0 * f, 125.0 * f, 0.0, 0.5 * (1.3 * w + 0.25) } },
                .end = 140.0 * f };
    if (!tryout_open(&t, v, speed, 0.0, &(vehicle_more){ 0 })) {
        protocol_fail(p, "straight on at %.4g m/s: %s", speed, t.why);
        tryout_close(&t);
        return;
    }
    double off = run_at(&t, p, &l, speed, INFINITY, &where), when;
    if (p->outcome != IMPOSSIBLE) {
        protocol_find(p, "speed", "m/s", speed, "held by the driver");
        protocol_find(p, "offset of the lane", "m", l.lane[1].middle,
                      "3.5 at 80 km/h; lengths are in proportion to the speed below");
        protocol_find(p, "farthest outside its lane", "m", off,
                      "of any corner; below zero: none touches a cone");
        protocol_find(p, "there at", "m", where, "behind the start");
        double left = tryout_peak(&t, "ay", 0.0, 1e9, 1.0, &when),
               right = tryout_peak(&t, "ay", 0.0, 1e9, -1.0, &when);
        protocol_find(p, "largest lateral acceleration", "m/s2", fmax(left, -right), "");
        protocol_find(p, "largest yaw rate", "rad/s",
                      fmax(tryout_peak(&t, "yaw_rate", 0.0, 1e9, 1.0, &when),
                           -tryout_peak(&t, "yaw_rate", 0.0, 1e9, -1.0, &when)),
                      "");
        protocol_judge(p, off <= 0.0, off <= 0.0 ? NULL : "it leaves its lane");
        draw(p, &t, &l);
    }
    tryout_close(&t);
}

// ---- obstacle avoidance ----------------------------------------------------------------------------------------------------

static void run_obstacle(const vehicle *v, protocol *p)
{
    tryout t;
    double w = v->width, first = 0.5 * (1.1 * w + 0.25), second = 0.5 * (w + 1.0),
           third = 0.5 * fmax(3.0, 1.3 * w + 0.25);
    lanes l = { .lane = { { 10.0, 22.0, 0.0, first },
                          { 35.5, 46.5, first + 1.0 + second, second },
                          { 59.0, 71.0, third - first, third } },
                .end = 75.0 };
    double low = NAN, high = NAN, where = NAN, off = NAN;
    if (!tryout_open(&t, v, 10.0, 0.0, &(vehicle_more){ 0 })) {
        protocol_fail(p, "straight on at 10 m/s: %s", t.why);
        tryout_close(&t);
        return;
    }
    for (double speed = 10.0; speed <= fmin(v->most, 32.0) && isnan(high) && p->outcome != IMPOSSIBLE;
         speed += 2.0) {
        off = run_at(&t, p, &l, speed, 12.0, &where);
        *(off <= 0.0 ? &low : &high) = speed;
    }
    while (p->outcome != IMPOSSIBLE && !isnan(low) && !isnan(high) && high - low > 0.125) {
        double middle = 0.5 * (low + high);
        off = run_at(&t, p, &l, middle, 12.0, &where);
        *(off <= 0.0 ? &low : &high) = middle;
    }
    if (p->outcome != IMPOSSIBLE) {
        protocol_find(p, "fastest entry without touching a cone", "m/s", low,
                      "none: not even 10 m/s; the throttle is closed 2 m behind the entry");
        protocol_find(p, "the same", "km/h", 3.6 * low, "");
        if (!isnan(low)) {
            (void)run_at(&t, p, &l, low, 12.0, &where);
        }
        draw(p, &t, &l);
    }
    tryout_close(&t);
}

// ---- slalom -------------------------------------------------------------------------------------------------------------------

typedef struct {
    double spacing, size;
} weave;

enum { CONES = 7 };

static double weave_place(const void *path, double x)
{
    const weave *s = path;
    double first = 2.0 * s->spacing, last = first + (CONES - 1) * s->spacing,
           in = fmin(1.0, fmax(0.0, (x - s->spacing) / s->spacing));
    double out = fmin(1.0, fmax(0.0, (last + s->spacing - x) / s->spacing));
    return fmin(in, out) * s->size * cos(pi * (x - first) / s->spacing);
}

static bool weave_ends(void *context, const tryout *t, const moment *now)
{
    const driver *d = context;
    const weave *s = d->of;
    double gone = cos(t->yaw0) * (now->x - t->log[0].x) + sin(t->yaw0) * (now->y - t->log[0].y);
    return gone > (CONES + 2.5) * s->spacing || now->speed < 0.3 || fabs(now->roll) > 70.0 * pi / 180.0;
}

// The least distance of its side from a cone, m; below zero it hits one, or never came there.
static double cleared(const tryout *t, const weave *s)
{
    double least = INFINITY;
    int passed = 0;
    for (int k = 1; k < t->n; k++) {
        double c = cos(t->yaw0), n = sin(t->yaw0), x[2], y = 0.0;
        for (int i = 0; i < 2; i++) {
            double dx = t->log[k - 1 + i].x - t->log[0].x, dy = t->log[k - 1 + i].y - t->log[0].y;
            x[i] = c * dx + n * dy;
            y = -n * dx + c * dy;
        }
        double cone = (2.0 + passed) * s->spacing;
        if (passed < CONES && x[0] < cone && x[1] >= cone) {
            least = fmin(least, (passed % 2 ? -y : y) - 0.5 * t->v->width);
            passed++;
        }
    }
    return passed < CONES ? -INFINITY : least;
}

static double weave_with(tryout *t, protocol *p, const weave *s, double speed, double gain, double preview)
{
    driver d = driver_for(t, gain);
    d.preview = preview;
    d.lag = preview * (t->v->lean != 0.0 ? 0.28 : 0.3);
    d.path = weave_place;
    d.of = s;
    if (isnan(d.gain) ||
        !tryout_run(t, 2.0 * (CONES + 3) * s->spacing / speed + 5.0, driver_drive, weave_ends, &d)) {
        protocol_fail(p, "at %.4g m/s: %s", speed, t->why);
        return NAN;
    }
    return cleared(t, s);
}

// The best of four ways to look ahead; the log is that of the last, which is the first that hits nothing.
static double weave_at(tryout *t, protocol *p, const weave *s, double speed)
{
    double best = -INFINITY, gain = NAN, usual = t->v->lean != 0.0 ? 1.6 : 0.8;
    if (!tryout_turn(t, speed, 0.0) || isnan(gain = gain_of(t))) {
        protocol_fail(p, "straight on, or a gentle turn, at %.4g m/s: %s", speed, t->why);
        return NAN;
    }
    for (int k = 0; k < 4 && !(best > 0.0) && p->outcome != IMPOSSIBLE; k++) {
        best = fmax(best, weave_with(t, p, s, speed, gain, usual * (1.0 + 0.25 * (k % 2 ? -k : k))));
    }
    return best;
}

static void run_slalom(const vehicle *v, protocol *p)
{
    tryout t;
    bool is_slow = v->speed < 12.0;
    weave s = { is_slow ? 8.0 : 18.0, 0.5 * v->width + 0.8 };
    double low = NAN, high = NAN, from = is_slow ? 2.5 : 8.0, clear = NAN, when;
    if (!tryout_open(&t, v, from, 0.0, &(vehicle_more){ 0 })) {
        protocol_fail(p, "straight on at %.4g m/s: %s", from, t.why);
        tryout_close(&t);
        return;
    }
    for (double speed = from; speed <= fmin(v->most, 30.0) && isnan(high) && p->outcome != IMPOSSIBLE;
         speed *= 1.15) {
        *(weave_at(&t, p, &s, speed) > 0.0 ? &low : &high) = speed;
    }
    while (p->outcome != IMPOSSIBLE && !isnan(low) && !isnan(high) && high - low > 0.02 * low) {
        double middle = 0.5 * (low + high);
        *(weave_at(&t, p, &s, middle) > 0.0 ? &low : &high) = middle;
    }
    if (p->outcome != IMPOSSIBLE) {
        clear = weave_at(&t, p, &s, isnan(low) ? from : low);
    }
    if (p->outcome != IMPOSSIBLE) {
        protocol_find(p, "distance of the cones", "m", s.spacing, "seven of them");
        protocol_find(p, "fastest without touching a cone", "m/s", low, "none: not even the slowest tried");
        protocol_find(p, "least distance from a cone", "m", clear, "at that speed");
        protocol_find(p, "largest roll", "deg", tryout_peak(&t, "roll", 0.0, 1e9, 1.0, &when) * 180.0 / pi,
                      "at that speed");
        protocol_find(p, "largest lateral acceleration", "m/s2", tryout_peak(&t, "ay", 0.0, 1e9, 1.0, &when),
                      "at that speed");
        protocol_draw_log(p, &t, "y,steer,roll,yaw_rate");
    }
    tryout_close(&t);
}

const manoeuvre manoeuvre_lane_change = { "lane-change", "double lane change", "ISO 3888-1", ANY_WHEELS,
                                          run_lane_change };
const manoeuvre manoeuvre_obstacle = { "obstacle", "obstacle avoidance", "ISO 3888-2", FOUR_WHEELS,
                                       run_obstacle };
const manoeuvre manoeuvre_slalom = { "slalom", "slalom", "", ANY_WHEELS, run_slalom };
