// SPDX-License-Identifier: MIT
/* axle_rig.h - an axle or a whole car on a rig: its chassis stands, the heights of its wheels are held, forces act on their contacts,
 * and it rests at every point of a test. */
#pragma once
#include "running/session.h"

typedef enum {
    CORNERS,
    AXLE,
    CAR
} axle_kind; /* two files with a wheel each, one with both, a car of two axles */
enum { RIG_WHEELS = 4, RIG_AXLES = 2 };

/* What one point of a test asks of a left wheel; the right one follows. */
typedef struct {
    const char *name, *title, *x, *unit; /* of its files and tables; SI unit of x */
    double most;                         /* SI */
    bool is_mirrored;                    /* the right wheel goes against the left one */
    const char *input;                   /* the end of a wheel behind it; NULL: the rack */
    bool needs_rack;
} rig_test;

enum { BUMP, ROLL, STEER, LATERAL, LONGITUDINAL, N_TEST };

typedef struct {
    double x, z, toe, camber, caster, ahead, aside, load; /* SI */
} wheel_reading;
enum { N_READING = 7 };

typedef struct {
    const char *name, *unit, *shown;
    double factor; /* of SI to what people read */
} rig_reading;
extern const rig_reading rig_readings[N_READING];
double rig_reading_of(const wheel_reading *, int k);

typedef struct {
    char *path; /* of the part */
    char *name;
    axle_kind kind;
    bool is_steered, is_racked; /* racked: an axle that brings its own racks, one for each wheel */
    int n_wheel;                /* 2, or 4 of a car: left and right in front, left and right behind */
    char *rack;                 /* input that steers */
    double rack_sign;           /* -1: it turns to the right where it is positive */
    double rack_most;           /* of a car: where its range ends; 0: there is none */
    bool rack_is_angle;
    double radius, half[RIG_AXLES]; /* m */
    bi_model *model;
    bi_system *system;
    bi_sim *sim;
    session car; /* its model, system and sim are those above */
    bi_report report;
    wheel_reading *row[N_TEST]; /* (n * n_wheel); x is that of the test */
    double zero[RIG_WHEELS][3]; /* centres of the wheels at rest as built */
    int n;                      /* points of a test, odd */
} rig;

/* What stands behind the names of a wheel's inputs and channels: "l", or "fl". */
const char *rig_end(const rig *, int wheel);
wheel_reading *rig_row(const rig *, int which, int point, int wheel);

/* Finds the part and puts it on the rig. Clear in any case; messages are in the report. */
exit_code axle_rig_open(rig *, const session_request *);
void axle_rig_close(rig *);
/* One test, into row[which]. */
exit_code axle_rig_run(rig *, int which, const rig_test *);
/* At rest as it was built: where ways are counted from. */
exit_code axle_rig_rest(rig *);

/* A car by its section `vehicle`: body held, wheels lifted off the ground (car_rig.c). Messages are printed or in the report. */
exit_code car_rig_open(rig *, const session_request *);
void rig_input(rig *, const char *name, const char *end, double value);
bi_status rig_come_to_rest(rig *);
