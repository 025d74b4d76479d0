// SPDX-License-Identifier: MIT
// ISO 4138: steady turns, at constant radius and at constant speed. Each turn is an equilibrium (bi_steady_turn), so nothing has
// to settle, and the range ends where there is none.
#include "cli/words.h"
#include "handling/manoeuvre.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, g = 9.81;
enum { MOST_TURNS = 64 };

typedef struct {
    int n;
    double ay[MOST_TURNS], steer[MOST_TURNS], slip[MOST_TURNS], roll[MOST_TURNS], yaw[MOST_TURNS],
        speed[MOST_TURNS];
} turns;

static void note(turns *all, tryout *t, double straight)
{
    moment m = tryout_now(t);
    int k = all->n++;
    all->ay[k] = t->turn.lateral;
    all->steer[k] = t->hold.steer - straight;
    all->slip[k] = m.sideslip;
    all->roll[k] = m.roll;
    all->yaw[k] = t->turn.yaw_rate;
    all->speed[k] = t->turn.speed;
}

// Slope at `at` by the parabola through the three turns that are nearest.
static double slope(const turns *all, const double *y, double at)
{
    int k = 1;
    while (k < all->n - 2 && all->ay[k] < at - 1e-9) {
        k++;
    }
    const double *x = &all->ay[k - 1], *f = &y[k - 1];
    if (all->n < 3) {
        return all->n == 2 ? (y[1] - y[0]) / (all->ay[1] - all->ay[0]) : NAN;
    }
    double a = (f[1] - f[0]) / (x[1] - x[0]), b = (f[2] - f[1]) / (x[2] - x[1]);
    double bend = (b - a) / (x[2] - x[0]);
    return a + bend * (2.0 * at - x[0] - x[1]);
}

static double *copy_of(const double *y, int n)
{
    double *out = words_alloc((size_t)(n + 1) * sizeof *out);
    memcpy(out, y, (size_t)n * sizeof *out);
    return out;
}

static void draw(protocol *p, const turns *all, const char *unit)
{
    const struct {
        const char *title, *unit;
        const double *y;
    } curve[] = { { "steering input over lateral acceleration", unit, all->steer },
                  { "sideslip over lateral acceleration", "rad", all->slip },
                  { "roll over lateral acceleration", "rad", all->roll },
                  { "yaw rate over lateral acceleration", "rad/s", all->yaw } };
    for (size_t k = 0; k < sizeof curve / sizeof *curve; k++) {
        protocol_draw(p, curve[k].title, curve[k].unit, "m/s2", all->n, copy_of(all->ay, all->n),
                      copy_of(curve[k].y, all->n));
    }
}

// A fine look about straight on, then by half a m/s2 until there is no turn.
static void go(tryout *t, turns *all, double straight, double radius)
{
    static const double fine[] = { 0.05, 0.1, 0.15 };
    double speed = t->turn.speed;
    for (int k = 0; all->n < MOST_TURNS - 1; k++) {
        double ay = k < 3 && radius == 0.0 ? fine[k] : 0.5 * (radius == 0.0 ? k - 2 : k + 1);
        double v = radius > 0.0 ? sqrt(ay * radius) : speed;
        if (v > t->v->most) {
            snprintf(t->why, sizeof t->why, "it reaches %.4g m/s", t->v->most);
            return;
        }
        if (!tryout_turn(t, v, ay)) {
            double last = all->n > 0 ? all->ay[all->n - 1] : 0.0, reached = t->turn.lateral;
            if (reached > last + 1e-3 &&
                tryout_turn(t, radius > 0.0 ? sqrt(reached * radius) : speed, reached)) {
                note(all, t, straight);
            }
            return;
        }
        note(all, t, straight);
    }
}

static void tell_limits(protocol *p, const turns *all)
{
    double roll = slope(all, all->roll, 0.0), slip = slope(all, all->slip, 0.0);
    protocol_find(p, "roll gradient", "deg/g", roll * g * 180.0 / pi,
                  "roll over lateral acceleration, small turns");
    protocol_find(p, "sideslip gradient", "deg/g", slip * g * 180.0 / pi, "the same of the sideslip");
    protocol_find(p, "largest lateral acceleration", "m/s2", all->ay[all->n - 1],
                  "of the steady turns there are");
}

static void run_radius(const vehicle *v, protocol *p)
{
    tryout t;
    turns all = { 0 };
    double radius = v->speed >= 12.0 ? 100.0 : fmax(5.0, v->speed * v->speed);
    if (!tryout_open(&t, v, sqrt(radius), 0.0, &(vehicle_more){ 0 })) {
        protocol_fail(p, "straight on at %.3g m/s: %s", sqrt(radius), t.why);
    } else {
        go(&t, &all, t.hold.steer, radius);
        if (all.n < 3) {
            protocol_fail(p, "turns of %.4g m: %s", radius, t.why);
        } else {
            // at one radius the Ackermann angle stays: the slope is that of under- or oversteer
            protocol_find(p, "radius", "m", radius, "of the circle");
            bool is_angle = v->steers_angle;
            protocol_find(p, is_angle ? "understeer gradient" : "steering gradient", is_angle ? "deg/g" : "",
                          slope(&all, all.steer, 1.0) * (is_angle ? g * 180.0 / pi : 1.0),
                          "steering input over lateral acceleration at 1 m/s2");
            if (is_angle && all.ay[all.n - 1] > 4.0) {
                protocol_find(p, "understeer gradient at 4 m/s2", "deg/g",
                              slope(&all, all.steer, 4.0) * g * 180.0 / pi, "the same there");
            }
            tell_limits(p, &all);
            draw(p, &all, "");
        }
    }
    tryout_close(&t);
}

static void run_speed(const vehicle *v, protocol *p)
{
    tryout t;
    turns all = { 0 };
    if (!tryout_open(&t, v, v->speed, 0.0, &(vehicle_more){ 0 })) {
        protocol_fail(p, "straight on at %.3g m/s: %s", v->speed, t.why);
        tryout_close(&t);
        return;
    }
    double straight = t.hold.steer;
    go(&t, &all, straight, 0.0);
    if (all.n < 3) {
        protocol_fail(p, "turns at %.4g m/s: %s", v->speed, t.why);
    } else {
        double ackermann = t.wheelbase / (v->speed * v->speed), steer = slope(&all, all.steer, 0.0);
        protocol_find(p, "speed", "m/s", v->speed, "of all turns");
        if (v->steers_angle) {
            protocol_find(p, "understeer gradient", "deg/g", (steer - ackermann) * g * 180.0 / pi,
                          "steering over lateral acceleration less that of the wheel base, small turns");
        } else {
            protocol_find(p, "steering gradient", "", steer,
                          "steering input over lateral acceleration, small turns");
        }
        protocol_find(p, "yaw gain", v->steers_angle ? "1/s" : "", 1.0 / (steer * v->speed),
                      "yaw rate over steering, small turns");
        tell_limits(p, &all);
        draw(p, &all, "");
    }
    tryout_close(&t);
}

const manoeuvre manoeuvre_steady_radius = { "steady-radius", "steady turns at constant radius", "ISO 4138",
                                            ANY_WHEELS, run_radius };
const manoeuvre manoeuvre_steady_speed = { "steady-speed", "steady turns at constant speed", "ISO 4138",
                                           ANY_WHEELS, run_speed };
