// SPDX-License-Identifier: MIT
/* manoeuvre.h - standard manoeuvres of vehicles: each drives, and gives numbers, curves, and a verdict where its standard has one. */
#pragma once
#include "handling/tryout.h"

typedef struct {
    char *name, *unit, *help;
    double value;
} finding;

typedef struct {
    char *title, *unit, *x_unit;
    int n;
    double *x, *y; /* (n) */
} figure;

typedef enum { NOT_JUDGED, PASSED, NOT_PASSED, IMPOSSIBLE } outcome;
typedef struct manoeuvre manoeuvre;
typedef struct {
    const manoeuvre *of;
    outcome outcome;
    char *why; /* of an outcome; NULL: nothing to say */
    finding *found;
    int n_found;
    figure *figure;
    int n_figure;
} protocol;

enum { TWO_WHEELS = 1, FOUR_WHEELS = 2, ANY_WHEELS = 3 };
struct manoeuvre {
    const char *name, *title, *standard;
    int wheels; /* what vehicles it is for */
    void (*run)(const vehicle *, protocol *);
};

/* The one list of manoeuvres, each the `manoeuvre_NAME` of some file. */
#define MANOEUVRE_LIST(X)                                                                                    \
    X(steady_radius)                                                                                         \
    X(steady_speed)                                                                                          \
    X(step)                                                                                                  \
    X(sine)                                                                                                  \
    X(pulse)                                                                                                 \
    X(random)                                                                                                \
    X(dwell)                                                                                                 \
    X(brake_turn)                                                                                            \
    X(split)                                                                                                 \
    X(j_turn)                                                                                                \
    X(fishhook)                                                                                              \
    X(lane_change)                                                                                           \
    X(obstacle)                                                                                              \
    X(slalom)
#define MANOEUVRE_DECLARED(name) extern const manoeuvre manoeuvre_##name;
MANOEUVRE_LIST(MANOEUVRE_DECLARED)
#undef MANOEUVRE_DECLARED
int manoeuvre_count(void);
const manoeuvre *manoeuvre_at(int k); /* NULL: none */

void protocol_find(protocol *, const char *name, const char *unit, double value, const char *help);
/* The vehicle cannot do it, and where it failed. */
void protocol_fail(protocol *, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void protocol_judge(protocol *, bool passed, const char *why);
/* The arrays are taken over. */
void protocol_draw(protocol *, const char *title, const char *unit, const char *x_unit, int n, double *x,
                   double *y);
/* Curves of a log over time, by their names in TRYOUT_LIST, separated by commas. */
void protocol_draw_log(protocol *, const tryout *, const char *names);
void protocol_clear(protocol *);

/* What several manoeuvres use. */
double tryout_mean(const tryout *, const char *name, double from, double to);
/* The first time after `from` at which it passes `level` times `sign`, between rows; NAN: never. */
double tryout_pass(const tryout *, const char *name, double from, double level);
/* Its largest value times sign after `from`, and when. */
double tryout_peak(const tryout *, const char *name, double from, double to, double sign, double *when);
int tryout_which(const char *name); /* place in TRYOUT_LIST */
/* Steering that turns it with this lateral acceleration, against that of going straight; false: told in the protocol. The tryout
 * stands straight on again. */
bool tryout_steer_for(tryout *, protocol *, double lateral, double *steer);
