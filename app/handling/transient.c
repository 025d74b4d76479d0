// SPDX-License-Identifier: MIT
// ISO 7401: step, one period of a sine, pulse and random steering, with frequency responses.
#include "cli/words.h"
#include "handling/manoeuvre.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

typedef struct {
    double from, size;   // s, of the input
    double gain;         // yaw rate over the input in that steady turn
    double time, rate;   // of the ramp or period, s; Hz
    const double *value; // of random steering, each `every` s  (n)
    int n;
    double every;
} steering;

// The lateral acceleration that the standard asks for, 4 m/s2, or less where the vehicle cannot.
static bool open_for(tryout *t, const vehicle *v, protocol *p, double lateral, steering *how)
{
    if (!tryout_open(t, v, v->speed, 0.0, &(vehicle_more){ 0 })) {
        protocol_fail(p, "straight on at %.4g m/s: %s", v->speed, t->why);
        return false;
    }
    double straight = t->hold.steer;
    for (; lateral > 0.2; lateral *= 0.5) {
        if (tryout_turn(t, v->speed, lateral)) {
            how->size = t->hold.steer - straight;
            how->gain = lateral / v->speed / how->size;
            protocol_find(p, "speed", "m/s", v->speed, "at the start");
            protocol_find(p, "lateral acceleration asked for", "m/s2", lateral,
                          "of the steady turn with this steering");
            return tryout_turn(t, v->speed, 0.0);
        }
    }
    protocol_fail(p, "no turn at %.4g m/s: %s", v->speed, t->why);
    return false;
}

static bool drive(tryout *t, protocol *p, double time, tryout_driver *driver, steering *how)
{
    if (!tryout_run(t, time, driver, NULL, how)) {
        protocol_fail(p, "%s", t->why);
        return false;
    }
    return true;
}

// ---- step ---------------------------------------------------------------------------------------------------------------

static pedals step_driver(void *context, const tryout *t, const moment *now)
{
    const steering *how = context;
    pedals p = t->hold;
    p.steer += how->size * fmin(1.0, fmax(0.0, (now->t - how->from) / how->time));
    return p;
}

// Time from half of the steering to `share` of the steady value.
static double response(const tryout *t, const char *name, double from, double steady, double share)
{
    return tryout_pass(t, name, from, share * steady) - from;
}

static void tell_step(const tryout *t, protocol *p, const steering *how)
{
    double from = how->from + 0.5 * how->time, end = t->log[t->n - 1].t, when = NAN, at = NAN;
    double yaw = tryout_mean(t, "yaw_rate", end - 1.0, end), ay = tryout_mean(t, "ay", end - 1.0, end);
    double roll = tryout_mean(t, "roll", end - 1.0, end);
    double side = how->size > 0.0 ? 1.0 : -1.0, peak = tryout_peak(t, "yaw_rate", from, end, side, &when);
    protocol_find(p, "steering input", "", how->size, "after the step");
    protocol_find(p, "steady yaw rate", "rad/s", yaw, "mean of the last second");
    protocol_find(p, "yaw gain", "1/s", yaw / how->size, "steady yaw rate over steering");
    protocol_find(p, "steady lateral acceleration", "m/s2", ay, "mean of the last second");
    protocol_find(p, "roll over lateral acceleration", "deg/g", roll / ay * 9.81 * 180.0 / pi, "steady");
    protocol_find(p, "response time of yaw rate", "s", response(t, "yaw_rate", from, yaw, 0.9),
                  "from half of the steering to 90 %");
    protocol_find(p, "response time of lateral acceleration", "s", response(t, "ay", from, ay, 0.9),
                  "the same");
    protocol_find(p, "peak time of yaw rate", "s", when - from, "from half of the steering");
    protocol_find(p, "overshoot of yaw rate", "%", 100.0 * (peak / yaw - 1.0), "peak over steady value");
    double most = tryout_peak(t, "ay", from, end, side, &at);
    protocol_find(p, "overshoot of lateral acceleration", "%", 100.0 * (most / ay - 1.0), "the same");
    double slip = tryout_mean(t, "sideslip", end - 1.0, end);
    protocol_find(p, "TB value", "s deg", (when - from) * fabs(slip) * 180.0 / pi,
                  "peak time of yaw rate times steady sideslip");
}

static void run_step(const vehicle *v, protocol *p)
{
    tryout t;
    steering how = { .from = 0.5, .time = 0.1 };
    if (open_for(&t, v, p, 4.0, &how) && drive(&t, p, 6.0, step_driver, &how)) {
        tell_step(&t, p, &how);
        protocol_draw_log(p, &t, "steer,yaw_rate,ay,sideslip,roll");
    }
    tryout_close(&t);
}

// ---- one period of a sine --------------------------------------------------------------------------------------------------

static pedals sine_driver(void *context, const tryout *t, const moment *now)
{
    const steering *how = context;
    pedals p = t->hold;
    double phase = how->rate * (now->t - how->from);
    p.steer += phase > 0.0 && phase < 1.0 ? how->size * sin(2.0 * pi * phase) : 0.0;
    return p;
}

static void run_sine(const vehicle *v, protocol *p)
{
    tryout t;
    steering how = { .from = 0.5, .rate = 0.5 };
    if (open_for(&t, v, p, 4.0, &how) && drive(&t, p, 6.0, sine_driver, &how)) {
        double s1 = how.from + 0.25 / how.rate, s2 = how.from + 0.75 / how.rate, half = s1 + 0.25 / how.rate;
        double side = how.size > 0.0 ? 1.0 : -1.0, y1, y2, a1, a2;
        double yaw = tryout_peak(&t, "yaw_rate", how.from, half + 0.4, side, &y1);
        double ay = tryout_peak(&t, "ay", how.from, half + 0.4, side, &a1);
        tryout_peak(&t, "yaw_rate", half, 6.0, -side, &y2);
        double back = tryout_peak(&t, "ay", half, 6.0, -side, &a2);
        protocol_find(p, "frequency", "Hz", how.rate, "of the steering");
        protocol_find(p, "yaw gain at the first peak", "1/s", yaw / how.size, "yaw rate over steering");
        protocol_find(p, "gain of lateral acceleration", "m/s2", ay / how.size, "first peak over steering");
        protocol_find(p, "lag of yaw rate, first peak", "s", y1 - s1, "behind the steering");
        protocol_find(p, "lag of yaw rate, second peak", "s", y2 - s2, "the same");
        protocol_find(p, "lag of lateral acceleration, first peak", "s", a1 - s1, "the same");
        protocol_find(p, "lag of lateral acceleration, second peak", "s", a2 - s2, "the same");
        protocol_find(p, "second peak of lateral acceleration over the first", "", fabs(back / ay), "");
        protocol_draw_log(p, &t, "steer,yaw_rate,ay,roll");
    }
    tryout_close(&t);
}

// ---- frequency responses ------------------------------------------------------------------------------------------------------

typedef struct {
    double re, im;
} complex_pair;

// Integral of the column against exp(-i w t) over part of the log, with a window of half a cosine period when it asks for one.
static complex_pair transform(const double *x, int from, int n, double dt, double w, bool is_windowed)
{
    complex_pair out = { 0, 0 };
    double mean = 0.0;
    for (int k = 0; k < n && is_windowed; k++) {
        mean += x[from + k] / n;
    }
    for (int k = 0; k < n; k++) {
        double hann = is_windowed ? 0.5 - 0.5 * cos(2.0 * pi * (k + 0.5) / n) : 1.0;
        double value = (x[from + k] - mean) * hann * dt;
        out.re += value * cos(w * k * dt);
        out.im -= value * sin(w * k * dt);
    }
    return out;
}

typedef struct {
    double gain, phase, coherence;
} answer;

// H = S_uy / S_uu over `parts` halves that overlap; one part is the plain quotient.
static answer respond(const double *u, const double *y, int n, double dt, double f, int parts)
{
    int length = parts > 1 ? 2 * n / (parts + 1) : n;
    double uu = 0.0, yy = 0.0;
    complex_pair uy = { 0, 0 };
    for (int k = 0; k < parts; k++) {
        int from = parts > 1 ? k * length / 2 : 0;
        complex_pair a = transform(u, from, length, dt, 2.0 * pi * f, parts > 1);
        complex_pair b = transform(y, from, length, dt, 2.0 * pi * f, parts > 1);
        uu += a.re * a.re + a.im * a.im;
        yy += b.re * b.re + b.im * b.im;
        uy.re += a.re * b.re + a.im * b.im;
        uy.im += a.re * b.im - a.im * b.re;
    }
    double size = hypot(uy.re, uy.im);
    return (answer){ size / uu, atan2(uy.im, uy.re), size * size / (uu * yy) };
}

enum { POINTS = 59 };

// At the middle of steps the input holds; what is read at their ends is half a step late.
static void tell_response(protocol *p, const tryout *t, const char *name, double gain_straight, int parts)
{
    int n = t->n - 1;
    double *u = tryout_column(t, tryout_which("steer")), *y = tryout_column(t, tryout_which(name));
    double straight = t->hold.steer;
    double *f = words_alloc(POINTS * sizeof *f), *gain = words_alloc(POINTS * sizeof *gain);
    double *phase = words_alloc(POINTS * sizeof *phase), least = 1.0, band = NAN, lag = NAN;
    for (int k = 0; k <= n; k++) {
        u[k] -= straight;
    }
    for (int k = 0; k < POINTS; k++) {
        f[k] = 0.1 + 0.05 * k;
        answer a = respond(u + 1, y + 1, n, t->dt, f[k], parts);
        gain[k] = a.gain;
        phase[k] = (a.phase + pi * f[k] * t->dt) * 180.0 / pi;
        if (k > 0) {
            phase[k] += 360.0 * round((phase[k - 1] - phase[k]) / 360.0);
            bool falls = gain[k] < gain_straight / sqrt(2.0) && gain[k - 1] >= gain_straight / sqrt(2.0);
            band = isnan(band) && falls ? f[k] : band;
            lag = isnan(lag) && phase[k] < -45.0 ? f[k] : lag;
        }
        least = fmin(least, parts > 1 && f[k] >= 0.3 && f[k] <= 2.0 ? a.coherence : 1.0);
    }
    const double at[] = { 0.2, 0.5, 1.0, 2.0 };
    for (int k = 0; k < 4; k++) {
        int i = (int)lround((at[k] - 0.1) / 0.05);
        char *words = words_format("gain of %s at %g Hz", name, at[k]);
        protocol_find(p, words, "", gain[i], "over steering");
        free(words);
        words = words_format("phase of %s at %g Hz", name, at[k]);
        protocol_find(p, words, "deg", phase[i], "behind the steering when negative");
        free(words);
    }
    char *words = words_format("bandwidth of %s", name);
    protocol_find(p, words, "Hz", band,
                  "where the gain has fallen by 3 dB from that of steady turns; none: beyond 3 Hz");
    free(words);
    words = words_format("45 degrees of %s", name);
    protocol_find(p, words, "Hz", lag, "where the phase passes -45 degrees; none: beyond 3 Hz");
    free(words);
    if (parts > 1) {
        words = words_format("least coherence of %s", name);
        protocol_find(p, words, "", least, "0.3 to 2 Hz");
        free(words);
    }
    double *f2 = words_alloc(POINTS * sizeof *f2);
    for (int k = 0; k < POINTS; k++) {
        f2[k] = f[k];
    }
    words = words_format("gain of %s over frequency", name);
    protocol_draw(p, words, "", "Hz", POINTS, f, gain);
    free(words);
    words = words_format("phase of %s over frequency", name);
    protocol_draw(p, words, "deg", "Hz", POINTS, f2, phase);
    free(words);
    free(u);
    free(y);
}

static pedals pulse_driver(void *context, const tryout *t, const moment *now)
{
    const steering *how = context;
    pedals p = t->hold;
    double part = (now->t - how->from) / how->time;
    p.steer += part > 0.0 && part < 1.0 ? how->size * (1.0 - fabs(2.0 * part - 1.0)) : 0.0;
    return p;
}

static void run_pulse(const vehicle *v, protocol *p)
{
    tryout t;
    steering how = { .from = 0.2, .time = 0.4 };
    if (open_for(&t, v, p, 4.0, &how) && drive(&t, p, 12.0, pulse_driver, &how)) {
        tell_response(p, &t, "yaw_rate", how.gain, 1);
        tell_response(p, &t, "ay", how.gain * v->speed, 1);
        protocol_draw_log(p, &t, "steer,yaw_rate,ay");
    }
    tryout_close(&t);
}

static pedals random_driver(void *context, const tryout *t, const moment *now)
{
    const steering *how = context;
    pedals p = t->hold;
    double at = now->t / how->every;
    int k = (int)floor(at);
    if (k >= 0 && k + 1 < how->n) {
        p.steer += how->size * (how->value[k] + (at - k) * (how->value[k + 1] - how->value[k]));
    }
    return p;
}

// A sum of sines of equal size from 0.1 to 4 Hz with phases of a fixed seed: the same steering every time.
static double *noise(int n, double every)
{
    enum { SINES = 120 };
    double *out = words_alloc((size_t)n * sizeof *out);
    uint64_t seed = 7401;
    for (int i = 0; i < SINES; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double phase = 2.0 * pi * (double)(seed >> 11) / 9007199254740992.0, f = 0.1 + 3.9 * i / (SINES - 1);
        for (int k = 0; k < n; k++) {
            out[k] += sqrt(2.0 / SINES) * sin(2.0 * pi * f * k * every + phase);
        }
    }
    return out;
}

static void run_random(const vehicle *v, protocol *p)
{
    tryout t;
    steering how = { .every = 0.01, .n = 4200 };
    double *value = noise(how.n, how.every);
    how.value = value;
    if (open_for(&t, v, p, 2.0, &how)) {
        how.size *= 0.5; // its largest values are some three times this
        if (drive(&t, p, 40.0, random_driver, &how)) {
            tell_response(p, &t, "yaw_rate", how.gain, 5);
            tell_response(p, &t, "ay", how.gain * v->speed, 5);
            protocol_draw_log(p, &t, "steer,yaw_rate,ay");
        }
    }
    free(value);
    tryout_close(&t);
}

const manoeuvre manoeuvre_step = { "step", "step of the steering", "ISO 7401", FOUR_WHEELS, run_step };
const manoeuvre manoeuvre_sine = { "sine", "one period of a sine", "ISO 7401", FOUR_WHEELS, run_sine };
const manoeuvre manoeuvre_pulse = { "pulse", "pulse of the steering, frequency response", "ISO 7401",
                                    FOUR_WHEELS, run_pulse };
const manoeuvre manoeuvre_random = { "random", "random steering, frequency response", "ISO 7401", FOUR_WHEELS,
                                     run_random };
