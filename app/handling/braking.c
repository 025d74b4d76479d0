// SPDX-License-Identifier: MIT
// ISO 7975: braking in a turn. ISO 14512: braking straight on where one side is slippery.
#include "cli/words.h"
#include "handling/manoeuvre.h"
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

typedef struct {
    double from, level; // s, share of the brakes
} braking;

static pedals brake_driver(void *context, const tryout *t, const moment *now)
{
    const braking *how = context;
    pedals p = t->hold;
    if (now->t > how->from) {
        p.throttle = 0.0;
        p.brake = how->level * fmin(1.0, (now->t - how->from) / 0.2);
    }
    return p;
}

static bool has_stopped(void *context, const tryout *t, const moment *now)
{
    const braking *how = context;
    (void)t;
    return now->t > how->from + 0.5 && now->speed < 0.5;
}

// Of the second after the brakes came in.
typedef struct {
    double slowing, yaw_ratio, slip, aside;
} braked;

static braked tell(const tryout *t, const braking *how)
{
    double when, from = how->from, one = from + 1.0;
    braked b = { .slowing = -tryout_mean(t, "ax", from + 0.2, one) };
    double before = tryout_mean(t, "yaw_rate", 0.0, from),
           after = tryout_mean(t, "yaw_rate", one - 0.02, one + 0.02);
    b.yaw_ratio = after / before;
    double left = tryout_peak(t, "sideslip", from, t->log[t->n - 1].t, 1.0, &when);
    double right = tryout_peak(t, "sideslip", from, t->log[t->n - 1].t, -1.0, &when);
    b.slip = fmax(fabs(left), fabs(right));
    return b;
}

static void run_brake_turn(const vehicle *v, protocol *p)
{
    tryout t;
    double radius = 100.0, lateral = 4.0, speed = sqrt(radius * lateral), spins = NAN;
    if (!v->brake) {
        protocol_fail(p, "the section vehicle names no brake");
        return;
    }
    if (speed > v->most) {
        radius = v->most * v->most / 8.0;
        lateral = 2.0;
        speed = 0.5 * v->most;
    }
    if (!tryout_open(&t, v, speed, 0.0, &(vehicle_more){ 0 }) || !tryout_turn(&t, speed, lateral)) {
        protocol_fail(p, "a turn of %.4g m with %.3g m/s2: %s", radius, lateral, t.why);
        tryout_close(&t);
        return;
    }
    protocol_find(p, "speed", "m/s", speed, "at the start");
    protocol_find(p, "lateral acceleration", "m/s2", lateral, "at the start");
    enum { LEVELS = 8 };
    double *slowing = words_alloc(LEVELS * sizeof *slowing), *ratio = words_alloc(LEVELS * sizeof *ratio);
    double *again = words_alloc(LEVELS * sizeof *again), *slip = words_alloc(LEVELS * sizeof *slip),
           at4 = NAN;
    int n = 0;
    for (int k = 1; k <= LEVELS && p->outcome != IMPOSSIBLE; k++) {
        braking how = { 0.5, 0.1 * k };
        if (!tryout_run(&t, 6.0, brake_driver, has_stopped, &how)) {
            protocol_fail(p, "with %.0f %% of the brakes: %s", 100.0 * how.level, t.why);
            break;
        }
        braked b = tell(&t, &how);
        spins = isnan(spins) && b.slip > 20.0 * pi / 180.0 ? b.slowing : spins;
        // between the two levels that enclose 4 m/s2
        if (n > 0 && slowing[n - 1] < 4.0 && b.slowing >= 4.0) {
            at4 = ratio[n - 1] +
                  (b.yaw_ratio - ratio[n - 1]) * (4.0 - slowing[n - 1]) / (b.slowing - slowing[n - 1]);
        }
        slowing[n] = again[n] = b.slowing;
        ratio[n] = b.yaw_ratio;
        slip[n++] = b.slip;
    }
    double most = 0.0, slips = 0.0;
    for (int k = 0; k < n; k++) {
        most = fmax(most, slowing[k]);
        slips = fmax(slips, slip[k]);
    }
    protocol_find(
        p, "yaw rate ratio at 4 m/s2", "", at4,
        "yaw rate 1 s after the brakes came in over that before; above the ratio of speeds it turns in");
    protocol_find(p, "largest mean deceleration", "m/s2", most, "of the first second");
    protocol_find(p, "largest sideslip", "deg", slips * 180.0 / pi, "until it stands");
    protocol_find(p, "spins at", "m/s2", spins,
                  "deceleration with more than 20 degrees of sideslip; none: at no level");
    protocol_draw(p, "yaw rate ratio over deceleration", "", "m/s2", n, slowing, ratio);
    protocol_draw(p, "largest sideslip over deceleration", "rad", "m/s2", n, again, slip);
    protocol_draw_log(p, &t, "speed,yaw_rate,sideslip");
    tryout_close(&t);
}

// ---- one side slippery --------------------------------------------------------------------------------------------------

static void add_ice(void *context, bi_model *m, bi_report *report)
{
    (void)report;
    const double *factor = context;
    bi_add_patch(m, &(bi_patch_def){ .name = "vehicle.slippery",
                                     .pose = { { 0.0, -5e3, 0.0 }, { 1, 0, 0, 0 } },
                                     .size = { 1e5, 1e4 },
                                     .friction = *factor });
}

// The driver holds the lane: heading and place, with a delay of steps.
static pedals holding_driver(void *context, const tryout *t, const moment *now)
{
    pedals p = brake_driver(context, t, now);
    double aside = -sin(t->yaw0) * (now->x - t->log[0].x) + cos(t->yaw0) * (now->y - t->log[0].y);
    double want = -(now->yaw - t->yaw0) - 0.1 * aside - 0.15 * now->yaw_rate;
    p.steer += fmax(-0.5, fmin(0.5, want));
    return p;
}

static void run_split(const vehicle *v, protocol *p)
{
    tryout t;
    double factor = 0.3, speed = fmin(80.0 / 3.6, 0.8 * v->most), when;
    if (!v->brake) {
        protocol_fail(p, "the section vehicle names no brake");
        return;
    }
    if (!tryout_open(&t, v, speed, 0.0, &(vehicle_more){ .prepare = add_ice, .context = &factor })) {
        protocol_fail(p, "straight on at %.4g m/s: %s", speed, t.why);
        tryout_close(&t);
        return;
    }
    braking how = { 0.5, 0.5 };
    protocol_find(p, "speed", "m/s", speed, "at the start");
    protocol_find(p, "friction to the right", "", factor, "of that to the left; half of the brakes");
    if (!tryout_run(&t, 4.0, brake_driver, has_stopped, &how)) {
        protocol_fail(p, "with the steering held: %s", t.why);
    } else {
        double one = how.from + 1.0;
        protocol_find(p, "mean deceleration", "m/s2", -tryout_mean(&t, "ax", how.from + 0.2, one),
                      "first second, steering held");
        protocol_find(p, "yaw angle after 1 s", "deg",
                      tryout_mean(&t, "yaw", one - 0.01, one + 0.01) * 180.0 / pi - t.yaw0 * 180.0 / pi,
                      "steering held");
        double left = tryout_peak(&t, "yaw_rate", how.from, one, 1.0, &when);
        double right = tryout_peak(&t, "yaw_rate", how.from, one, -1.0, &when);
        protocol_find(p, "peak yaw rate", "rad/s", fabs(right) > fabs(left) ? right : left,
                      "first second, steering held");
        protocol_draw_log(p, &t, "speed,yaw,yaw_rate");
    }
    if (p->outcome != IMPOSSIBLE && v->lean == 0.0) {
        if (!tryout_run(&t, 20.0, holding_driver, has_stopped, &how)) {
            protocol_fail(p, "with a driver who holds the lane: %s", t.why);
        } else {
            const moment *last = &t.log[t.n - 1];
            double aside = 0.0, most = 0.0;
            for (int k = 0; k < t.n; k++) {
                double y = -sin(t.yaw0) * (t.log[k].x - t.log[0].x) + cos(t.yaw0) * (t.log[k].y - t.log[0].y);
                aside = fabs(y) > fabs(aside) ? y : aside;
                most = fmax(most, fabs(t.log[k].steer - t.hold.steer));
            }
            bool stands = last->speed < 0.6;
            protocol_find(p, "stopping distance", "m",
                          stands ? hypot(last->x - t.log[0].x, last->y - t.log[0].y) - speed * how.from : NAN,
                          "with a driver who holds the lane");
            protocol_find(p, "largest deviation", "m", aside, "the same, to the left positive");
            protocol_find(p, "largest steering input", "", most, "the same");
            protocol_draw_log(p, &t, "steer,yaw,sideslip");
        }
    }
    tryout_close(&t);
}

const manoeuvre manoeuvre_brake_turn = { "brake-turn", "braking in a turn", "ISO 7975", FOUR_WHEELS,
                                         run_brake_turn };
const manoeuvre manoeuvre_split = { "split", "braking with one side slippery", "ISO 14512", FOUR_WHEELS,
                                    run_split };
