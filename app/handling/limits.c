// SPDX-License-Identifier: MIT
// At the limit: sine with dwell (ECE 13-H, FMVSS 126), J-turn and fishhook (NHTSA).
#include "cli/words.h"
#include "handling/manoeuvre.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, g = 9.81;

typedef struct {
    double size, rate, dwell, from; // of the input, per second; s; s
    double waits;                   // s: fishhook, since when it has waited; below zero: not yet
    double back;                    // s: when it steers back
    bool rolls_on;
    double lifts; // s: since when two wheels are in the air; below zero: not
    bool has_lifted;
} steering;

static bool is_over(void *context, const tryout *t, const moment *now)
{
    (void)t;
    steering *how = context;
    int in_air = 0;
    for (int k = 0; k < t->v->n_wheel; k++) {
        in_air += now->load[k] <= 0.0;
    }
    how->lifts = in_air < 2 ? -1.0 : how->lifts < 0.0 ? now->t : how->lifts;
    how->has_lifted |= in_air >= 2 && now->t - how->lifts > 0.02;
    return fabs(now->roll) > 60.0 * pi / 180.0;
}

// ---- sine with dwell --------------------------------------------------------------------------------------------------

static pedals dwell_driver(void *context, const tryout *t, const moment *now)
{
    const steering *how = context;
    pedals p = { t->hold.steer, 0.0, 0.0 };
    double at = now->t - how->from, period = 1.0 / how->rate;
    double phase = at < 0.75 * period                ? at
                   : at < 0.75 * period + how->dwell ? 0.75 * period
                                                     : at - how->dwell;
    p.steer += phase > 0.0 && phase < period ? how->size * sin(2.0 * pi * phase / period) : 0.0;
    return p;
}

typedef struct {
    double after1, after175, moved; // shares of the peak yaw rate, m
} dwell_result;

static bool dwell_once(tryout *t, protocol *p, double size, dwell_result *out)
{
    steering how = { .size = size, .rate = 0.7, .dwell = 0.5, .from = 0.2, .lifts = -1.0 };
    double begin = how.from, end = begin + 1.0 / how.rate + how.dwell, when = 0.0;
    if (!tryout_run(t, end + 2.0, dwell_driver, is_over, &how)) {
        protocol_fail(p, "with a steering input of %.4g: %s", size, t->why);
        return false;
    }
    // the second peak of the yaw rate, after the steering has changed its sign
    double side = size > 0.0 ? -1.0 : 1.0;
    double peak = tryout_peak(t, "yaw_rate", begin + 0.5 / how.rate, end, side, &when);
    double at1 = tryout_mean(t, "yaw_rate", end + 1.0 - 0.5 * t->dt, end + 1.0 + 0.5 * t->dt);
    double at2 = tryout_mean(t, "yaw_rate", end + 1.75 - 0.5 * t->dt, end + 1.75 + 0.5 * t->dt);
    out->after1 = isnan(at1) ? 1.0 : at1 / peak;
    out->after175 = isnan(at2) ? 1.0 : at2 / peak;
    out->moved = 0.0;
    for (int k = 0; k < t->n && t->log[k].t <= begin + 1.07; k++) {
        double c = cos(t->yaw0), s = sin(t->yaw0);
        out->moved = -s * (t->log[k].x - t->log[0].x) + c * (t->log[k].y - t->log[0].y);
    }
    return true;
}

static void run_dwell(const vehicle *v, protocol *p)
{
    tryout t;
    const double speed = fmin(80.0 / 3.6, v->most);
    double third = 0.0, worst1 = 0.0, worst2 = 0.0, least = INFINITY, largest = 0.0;
    if (!tryout_open(&t, v, speed, 0.0, &(vehicle_more){ 0 })) {
        protocol_fail(p, "straight on at %.4g m/s: %s", speed, t.why);
    } else if (tryout_steer_for(&t, p, 0.3 * g, &third)) {
        for (int side = 1; side >= -1; side -= 2) {
            for (double factor = 1.5; factor <= 6.5 && p->outcome != IMPOSSIBLE; factor += 0.5) {
                dwell_result r;
                if (!dwell_once(&t, p, side * factor * third, &r)) {
                    break;
                }
                worst1 = fmax(worst1, r.after1);
                worst2 = fmax(worst2, r.after175);
                least = factor >= 5.0 ? fmin(least, fabs(r.moved)) : least;
                largest = fmax(largest, factor);
            }
        }
        protocol_find(p, "speed", "m/s", speed, "at the start; the throttle is closed");
        protocol_find(p, "steering input at 0.3 g", "", third, "A, of a steady turn");
        protocol_find(p, "largest steering input", "A", largest, "of 6.5");
        protocol_find(p, "yaw rate 1.00 s after the end", "%", 100.0 * worst1,
                      "of its peak, the worst; at most 35");
        protocol_find(p, "yaw rate 1.75 s after the end", "%", 100.0 * worst2,
                      "of its peak, the worst; at most 20");
        protocol_find(p, "lateral displacement", "m", least,
                      "1.07 s after the beginning, from 5 A on; at least 1.83");
        protocol_judge(p, worst1 <= 0.35 && worst2 <= 0.2 && least >= 1.83,
                       worst1 > 0.35 || worst2 > 0.2 ? "it keeps turning: the yaw rate does not fall as asked"
                       : least < 1.83                ? "it does not move aside far enough"
                                                     : NULL);
        protocol_draw_log(p, &t, "steer,yaw_rate,ay,roll");
    }
    tryout_close(&t);
}

// ---- J-turn and fishhook ------------------------------------------------------------------------------------------------

static pedals j_driver(void *context, const tryout *t, const moment *now)
{
    const steering *how = context;
    pedals p = { t->hold.steer, 0.0, 0.0 };
    double size = fabs(how->size), at = fmin(size, fmax(0.0, now->t - how->from) * how->rate);
    p.steer += how->size > 0.0 ? at : -at;
    return p;
}

// To one side, held until the body has stopped rolling outwards, then as far to the other.
static pedals fishhook_driver(void *context, const tryout *t, const moment *now)
{
    steering *how = context;
    pedals p = { t->hold.steer, 0.0, 0.0 };
    double side = how->size > 0.0 ? 1.0 : -1.0, size = fabs(how->size), full = how->from + size / how->rate;
    double at = fmin(size, fmax(0.0, now->t - how->from) * how->rate);
    if (how->back == 0.0 && now->t > full) {
        how->rolls_on |= side * now->roll_rate > 1.5 * pi / 180.0;
        bool has_stopped = fabs(now->roll_rate) < 1.5 * pi / 180.0 && (how->rolls_on || now->t > full + 1.0);
        how->back = has_stopped || now->t > full + 2.0 ? now->t : 0.0;
    }
    if (how->back > 0.0) {
        at = fmax(-size, size - (now->t - how->back) * how->rate);
    }
    p.steer += side * at;
    return p;
}

typedef struct {
    double factor; // of the steering at 0.3 g
    tryout_driver *driver;
} rollover_test;

// From 35 to 60 mph as far as the vehicle goes, until two wheels leave the ground.
static void run_rollover(const vehicle *v, protocol *p, const rollover_test *test)
{
    static const double mph[] = { 35, 40, 45, 50, 55, 60 };
    double third = 0.0, fastest = 0.0, lifted = NAN, over = NAN;
    tryout t;
    double fifty = fmin(50.0 * 0.44704, v->most);
    if (!tryout_open(&t, v, fifty, 0.0, &(vehicle_more){ 0 })) {
        protocol_fail(p, "straight on at %.4g m/s: %s", fifty, t.why);
    }
    bool goes_on = p->outcome != IMPOSSIBLE && tryout_steer_for(&t, p, 0.3 * g, &third);
    for (int k = 0; k < 6 && goes_on; k++) {
        double speed = mph[k] * 0.44704;
        if (speed > v->most) {
            break;
        }
        steering how = { .size = test->factor * third, .from = 0.2, .lifts = -1.0 };
        how.rate = fabs(how.size) / 0.33;
        if (!tryout_turn(&t, speed, 0.0) || !tryout_run(&t, 6.0, test->driver, is_over, &how)) {
            protocol_fail(p, "at %.4g m/s: %s", speed, t.why);
            break;
        }
        fastest = speed;
        lifted = isnan(lifted) && how.has_lifted ? speed : lifted;
        over = isnan(over) && fabs(t.log[t.n - 1].roll) > 60.0 * pi / 180.0 ? speed : over;
        goes_on = isnan(lifted);
    }
    if (p->outcome != IMPOSSIBLE) {
        protocol_find(p, "steering input", "", test->factor * third, "times that of a turn with 0.3 g");
        protocol_find(p, "fastest run", "m/s", fastest, "of 35 to 60 mph");
        protocol_find(p, "two wheels lift at", "m/s", lifted, "none: at no speed");
        protocol_find(p, "rolls over at", "m/s", over, "none: at no speed");
        protocol_judge(p, isnan(lifted), isnan(lifted) ? NULL : "two wheels leave the ground");
        protocol_draw_log(p, &t, "steer,yaw_rate,ay,roll,lightest");
    }
    tryout_close(&t);
}

// ---- J-turn of a vehicle that steers itself into a circle ---------------------------------------------------------------

typedef enum { WHEEL_LIFTS, ROLLS_OVER } threshold;

static pedals keep(void *context, const tryout *t, const moment *now)
{
    (void)context;
    (void)now;
    return t->hold;
}

static bool has_lifted(void *context, const tryout *t, const moment *now)
{
    (void)context;
    bool lifts = false;
    for (int k = 0; k < t->v->n_wheel; k++) {
        lifts = lifts || (now->t > 0.05 && now->load[k] <= 0.0);
    }
    return lifts;
}

static bool has_rolled(void *context, const tryout *t, const moment *now)
{
    (void)context;
    (void)t;
    return fabs(now->roll) > 40.0 * pi / 180.0;
}

// Does it happen at this speed? 1 yes, 0 no, -1 the run fails.
static int happens(const vehicle *v, double speed, double radius, threshold what, protocol *p, bool draws)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", radius);
    bi_setting turn = { v->turns, text };
    tryout t = { 0 };
    tryout_stand(&t, v, speed, &(vehicle_more){ .setting = &turn, .n_setting = 1 });
    int answer = -1;
    if (t.why[0] || !tryout_run(&t, 6.0, keep, what == WHEEL_LIFTS ? has_lifted : has_rolled, NULL)) {
        protocol_fail(p, "at %.4g m/s: %s", speed, t.why);
    } else {
        const moment *last = &t.log[t.n - 1];
        answer = what == WHEEL_LIFTS ? has_lifted(NULL, &t, last) : has_rolled(NULL, &t, last);
        if (draws) {
            protocol_draw_log(p, &t, "yaw_rate,ay,roll,lightest");
        }
    }
    tryout_close(&t);
    return answer;
}

// Halved to 5 mm/s; NAN: not up to its fastest.
static double bisected(const vehicle *v, double radius, threshold what, protocol *p)
{
    double low = 0.25 * v->most, high = v->most;
    int top = happens(v, high, radius, what, p, false);
    if (top != 1) {
        return NAN;
    }
    while (high - low > 5e-3 && p->outcome != IMPOSSIBLE) {
        double middle = 0.5 * (low + high);
        *(happens(v, middle, radius, what, p, false) == 1 ? &high : &low) = middle;
    }
    return 0.5 * (low + high);
}

static void run_turns(const vehicle *v, protocol *p)
{
    const double radius = 5.0;
    double lifts = bisected(v, radius, WHEEL_LIFTS, p), over = bisected(v, radius, ROLLS_OVER, p);
    protocol_find(p, "radius", "m", radius, "of the turn, steered by the model itself");
    protocol_find(p, "a wheel lifts at", "m/s", lifts, "none: up to its fastest");
    protocol_find(p, "rolls over at", "m/s", over, "roll beyond 40 degrees; none: up to its fastest");
    if (p->outcome != IMPOSSIBLE) {
        (void)happens(v, isnan(over) ? v->most : over - 0.01, radius, ROLLS_OVER, p, true);
    }
    if (p->outcome != IMPOSSIBLE) {
        protocol_judge(p, isnan(over), isnan(over) ? NULL : "it rolls over below its fastest speed");
    }
}

static void run_j_turn(const vehicle *v, protocol *p)
{
    if (v->turns) {
        run_turns(v, p);
    } else {
        run_rollover(v, p, &(rollover_test){ 8.0, j_driver });
    }
}

static void run_fishhook(const vehicle *v, protocol *p)
{
    run_rollover(v, p, &(rollover_test){ 6.5, fishhook_driver });
}

const manoeuvre manoeuvre_dwell = { "sine-dwell", "sine with dwell, without help of electronics",
                                    "ECE 13-H, FMVSS 126", FOUR_WHEELS, run_dwell };
const manoeuvre manoeuvre_j_turn = { "j-turn", "J-turn", "NHTSA", FOUR_WHEELS, run_j_turn };
const manoeuvre manoeuvre_fishhook = { "fishhook", "fishhook", "NHTSA", FOUR_WHEELS, run_fishhook };
