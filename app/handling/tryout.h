// SPDX-License-Identifier: MIT
/* tryout.h - a vehicle under test: from a steady motion, steered and braked by a function of time and of what it does, with a
 * log of what engineers look at. */
#pragma once
#include "handling/vehicle.h"

/* Axes of ISO 8855: ahead, left, up; roll to the right positive, yaw to the left. */
#define TRYOUT_LIST(X)                                                                                       \
    X(t, "s", "time")                                                                                        \
    X(steer, "", "steering input")                                                                           \
    X(x, "m", "place")                                                                                       \
    X(y, "m", "place to the left")                                                                           \
    X(yaw, "rad", "heading")                                                                                 \
    X(roll, "rad", "roll")                                                                                   \
    X(speed, "m/s", "speed")                                                                                 \
    X(sideslip, "rad", "sideslip")                                                                           \
    X(yaw_rate, "rad/s", "yaw rate")                                                                         \
    X(ay, "m/s2", "lateral acceleration")                                                                    \
    X(ax, "m/s2", "longitudinal acceleration")                                                               \
    X(roll_rate, "rad/s", "roll rate")                                                                       \
    X(lightest, "", "load of the lightest wheel over its share")

typedef struct {
#define TRYOUT_FIELD(name, unit, help) double name;
    TRYOUT_LIST(TRYOUT_FIELD)
#undef TRYOUT_FIELD
    double load[VEHICLE_WHEELS]; /* N */
} moment;

typedef struct {
    double steer, throttle, brake; /* of the inputs; brake 0 to 1 */
} pedals;

typedef struct {
    const vehicle *v;
    session s;
    bi_input steer, throttle, brake;
    bi_channel acc[3], load[VEHICLE_WHEELS];
    double wheelbase, track;      /* m, of the contacts at the start */
    double still[VEHICLE_WHEELS]; /* loads at the start, N */
    double yaw0, z0, roll0;
    pedals hold; /* inputs of the steady motion */
    void *start; /* snapshot of it */
    size_t start_size;
    bi_turn turn;
    bool is_driven; /* steady motions are driven to: no equilibrium is found */
    char why[400];  /* what it failed at; "" */
    moment *log;    /* (n) */
    int n, capacity;
    double dt;
} tryout;

/* At speed and lateral acceleration, held by inputs that were found. False: `why` says why not. */
bool tryout_open(tryout *, const vehicle *, double speed, double lateral, const vehicle_more *more);
/* The same without a search: as the model starts at that speed. What is wrong is in `why`. */
void tryout_stand(tryout *, const vehicle *, double speed, const vehicle_more *more);
/* Another steady turn of the same vehicle. */
bool tryout_turn(tryout *, double speed, double lateral);
void tryout_close(tryout *);

/* What the driver does at a time, knowing the last moment. */
typedef pedals tryout_driver(void *context, const tryout *, const moment *now);
/* Ends a run before its time; NULL: never. */
typedef bool tryout_end(void *context, const tryout *, const moment *now);
/* From the steady motion for `time`, the log anew. False: a step failed, `why` says at what; the log holds what was before. */
bool tryout_run(tryout *, double time, tryout_driver *, tryout_end *, void *context);

moment tryout_now(tryout *);
/* The log's number k, name by its place in TRYOUT_LIST. */
double *tryout_column(const tryout *, int which); /* (n) free it */
