// SPDX-License-Identifier: MIT
// Where a lever-driven part of a machine is wanted (signals.10): acceleration, speed and stroke are limited, and a load
// beyond its limits takes no further acceleration. Constant acceleration inside a step, decided from the state at its
// start, so that value, rate and acceleration agree exactly.
#include "laws/signal/kinds.h"
#include <math.h>
#include <stddef.h>

enum { STARTED, TIME, POSITION, RATE, LOAD, MEASURED, MEMORY };

typedef struct {
    int memory;
    bool is_servo, has_stroke, has_load, has_leash;
    double speed, speed_back, acceleration, braking, lower, upper, start, start_rate, load_lower, load_upper,
        leash;
} actuator;

static void actuator_compile(plan *p, const void *def, void *item)
{
    const bi_actuator_def *d = def;
    *(actuator *)item =
        (actuator){ .memory = plan_memory(p, MEMORY),
                    .is_servo = d->servo,
                    .has_stroke = d->lower != 0.0 || d->upper != 0.0,
                    .has_load = d->load.i > 0 && (d->load_lower != 0.0 || d->load_upper != 0.0),
                    .has_leash = d->measured.i > 0 && d->leash > 0.0,
                    .speed = d->speed,
                    .speed_back = d->speed_back > 0.0 ? d->speed_back : d->speed,
                    .acceleration = d->acceleration,
                    .braking = d->braking > 0.0 ? d->braking : d->acceleration,
                    .lower = d->lower,
                    .upper = d->upper,
                    .start = d->start,
                    .start_rate = d->start_rate,
                    .load_lower = d->load_lower,
                    .load_upper = d->load_upper,
                    .leash = d->leash };
}

// Largest rate at the end of a step of `passed` seconds from which the part still stops within `room` (signals.11).
static double stoppable(double room, double rate, double passed, double braking)
{
    double rest = room - 0.5 * rate * passed;
    return rest > 0.0 ? braking * (sqrt(0.25 * passed * passed + 2.0 * rest / braking) - 0.5 * passed) : 0.0;
}

// The rate wanted at the end of the step.
static double wanted_rate(const actuator *a, const double *own, double lever, double passed)
{
    double x = own[POSITION], v = own[RATE], forwards = a->speed, backwards = a->speed_back, wanted;
    double upper = a->has_stroke ? a->upper : INFINITY, lower = a->has_stroke ? a->lower : -INFINITY;
    if (a->has_leash) {
        upper = fmin(upper, own[MEASURED] + a->leash);
        lower = fmax(lower, own[MEASURED] - a->leash);
    }
    if (a->is_servo) {
        double goal = fmin(fmax(lever, lower), upper);
        upper = lower = goal;
        wanted = goal >= x ? forwards : -backwards;
    } else {
        lever = fmin(fmax(lever, -1.0), 1.0);
        wanted = lever > 0.0 ? lever * forwards : lever * backwards;
    }
    if (isfinite(upper)) {
        wanted = fmin(wanted, stoppable(upper - x, v, passed, a->braking));
    }
    if (isfinite(lower)) {
        wanted = fmax(wanted, -stoppable(x - lower, -v, passed, a->braking));
    }
    return wanted;
}

// Constant during the step of which `passed` seconds are over.
static double acceleration_of(const actuator *a, const double *own, double lever, double passed)
{
    // at the start of a step: the limit of shorter and shorter ones
    double h = fmax(passed, 1e-9), v = own[RATE];
    double change = (wanted_rate(a, own, lever, h) - v) / h;
    double share = a->is_servo ? 1.0 : fmin(fabs(lever), 1.0);
    bool is_slowing = change * v < 0.0;
    double most = is_slowing ? a->braking : fmax(share, 1e-3) * a->acceleration;
    change = fmin(fmax(change, -most), most);
    if (a->has_load && own[LOAD] >= a->load_upper) {
        change = fmin(change, 0.0);
    }
    if (a->has_load && own[LOAD] <= a->load_lower) {
        change = fmax(change, 0.0);
    }
    return change;
}

static void actuator_eval(const void *item, const signal_in *in, signal_out *out)
{
    const actuator *a = item;
    const double *own = &in->memory[a->memory];
    if (own[STARTED] == 0.0 || (in->want & LAW_START)) {
        out->value = (jet){ a->start, a->start_rate, 0.0 };
        return;
    }
    double passed = in->t - own[TIME];
    double second = passed >= 0.0 ? acceleration_of(a, own, in->input[0].v, passed) : 0.0;
    out->value = (jet){ own[POSITION] + passed * (own[RATE] + 0.5 * passed * second),
                        own[RATE] + passed * second, second };
}

static void actuator_commit(const void *item, const signal_in *in, double value, double *memory)
{
    const actuator *a = item;
    double *own = &memory[a->memory], passed = in->t - own[TIME];
    if (own[STARTED] == 0.0) {
        own[RATE] = a->start_rate;
    } else if (passed > 0.0) {
        own[RATE] += passed * acceleration_of(a, own, in->input[0].v, passed);
    }
    own[STARTED] = 1.0;
    own[TIME] = in->t;
    own[POSITION] = value;
    own[LOAD] = a->has_load ? in->input[1].v : 0.0;
    own[MEASURED] = a->has_leash ? in->input[2].v : 0.0;
}

#define AT(member) offsetof(bi_actuator_def, member)
static const bi_field fields[] = {
    { "input", BI_FIELD_EXPR, AT(input), NULL, BI_REQUIRED,
      "lever, -1 to 1: share of the speed; of a servo: the wanted position" },
    { "load", BI_FIELD_EXPR, AT(load), NULL, 0,
      "beyond load_lower and load_upper there is no acceleration against it" },
    { "measured", BI_FIELD_EXPR, AT(measured), NULL, 0, "position of the part: 'leash' counts from here" },
    { "servo", BI_FIELD_FLAG, AT(servo), NULL, 0, "true: the input is the position to go to" },
    { "speed", BI_FIELD_NUMBER, AT(speed), NULL, BI_REQUIRED | BI_POSITIVE, "largest speed forwards" },
    { "speed_back", BI_FIELD_NUMBER, AT(speed_back), NULL, BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "largest speed backwards, a positive number (default: as speed)" },
    { "acceleration", BI_FIELD_NUMBER, AT(acceleration), NULL, BI_REQUIRED | BI_POSITIVE,
      "acceleration of full lever" },
    { "braking", BI_FIELD_NUMBER, AT(braking), NULL, BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "deceleration of a released lever and before the ends of the stroke (default: as acceleration)" },
    { "lower", BI_FIELD_NUMBER, AT(lower), NULL, BI_IN_PAIR,
      "one end of the stroke (no ends: leave out both)" },
    { "upper", BI_FIELD_NUMBER, AT(upper), NULL, BI_IN_PAIR, "other end of the stroke" },
    { "start", BI_FIELD_NUMBER, AT(start), NULL, 0, "position at t = 0 (default 0)" },
    { "start_rate", BI_FIELD_NUMBER, AT(start_rate), NULL, 0, "speed at t = 0 (default 0)" },
    { "load_lower", BI_FIELD_NUMBER, AT(load_lower), NULL, BI_IN_PAIR,
      "least load (no limits: leave out both)" },
    { "load_upper", BI_FIELD_NUMBER, AT(load_upper), NULL, BI_IN_PAIR, "largest load" },
    { "leash", BI_FIELD_NUMBER, AT(leash), NULL, BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "how far the value may run ahead of 'measured', the way it needs to stop included (default: any)" },
};
static const bi_kind schema = {
    "signals", "actuator", sizeof(bi_actuator_def),
    fields,    15,         "position of a part that a lever drives with limited speed"
};
const signal_kind actuator_signal = { &schema, sizeof(actuator), actuator_compile, actuator_eval,
                                      actuator_commit };
