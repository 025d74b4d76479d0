// SPDX-License-Identifier: MIT
/* axle_rig.h - an axle on a rig: its chassis stands, the heights of its wheels are held, forces act on their contacts, and it rests at
 * every point of a test. */
#pragma once
#include "running/session.h"

typedef enum { CORNERS, BEAM } axle_kind; /* two files with a wheel each, or one with both */

/* What one point of a test asks of the left wheel; the right one follows. */
typedef struct {
    const char *name, *title, *x, *unit; /* of its files and tables; SI unit of x */
    double most;                         /* SI */
    bool is_mirrored;                    /* the right wheel goes against the left one */
    const char *input;                   /* _l and _r behind it; NULL: the rack */
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
    bool is_steered;
    double radius, half; /* m */
    bi_model *model;
    bi_system *system;
    bi_sim *sim;
    bi_report report;
    wheel_reading *row[N_TEST]; /* (n * 2) left, right; x of the left one is that of the test */
    double zero[2][3];          /* centres of the wheels at rest as built */
    int n;                      /* points of a test, odd */
} rig;

/* Finds the part and puts it on the rig. Clear in any case; messages are in the report. */
exit_code axle_rig_open(rig *, const session_request *);
void axle_rig_close(rig *);
/* One test, into row[which]. */
exit_code axle_rig_run(rig *, int which, const rig_test *);
/* At rest as it was built: where ways are counted from. */
exit_code axle_rig_rest(rig *);
