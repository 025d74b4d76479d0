// SPDX-License-Identifier: MIT
/* vehicle.h - what a model file says about its vehicle (section `vehicle`), and a sim of it at a speed. */
#pragma once
#include "running/session.h"
#include <biela/turn.h>

enum { VEHICLE_WHEELS = 4 };
typedef struct {
    char *path; /* of the model file */
    bi_document *file;
    const session_request *request;                            /* borrowed */
    double speed, most;                                        /* m/s; most: infinite when not said */
    const char *body, *steer, *throttle, *brake, *turns, *run; /* names; NULL: not said */
    const char *wheel[VEHICLE_WHEELS];
    int n_wheel;
    double braked, lean;       /* lean: 0 when the steering input is an angle or what the model makes of it */
    double width, front, rear; /* m */
    double steer_most;         /* of the steering input */
    bool steers_angle;         /* the input is the angle of the front wheels, rad */
    double steer_sign;         /* -1: it turns to the right where the input is positive */
} vehicle;

/* Finds the model and reads its section. Messages are printed; close in both cases. */
exit_code vehicle_open(vehicle *, const session_request *);
void vehicle_close(vehicle *);

/* A sim of it that moves at `speed` (0: as the file describes), with channels of its own: vehicle.acc.x .y .z (accelerometer),
 * vehicle.wheel1 ... (tyres). more: further settings, and what else is done with the model before it is compiled. */
typedef struct {
    const bi_setting *setting; /* (n_setting) over those of the section */
    int n_setting;
    void (*prepare)(void *context, bi_model *, bi_report *); /* NULL: nothing */
    void *context;
} vehicle_more;
exit_code vehicle_start(const vehicle *, double speed, const vehicle_more *more, session *);

/* Inputs that hold a steady turn: steering, and throttle if it has one. Gives how many. */
int vehicle_inputs(const vehicle *, const session *, bi_input out[2]);
bi_turn_def vehicle_turn(const vehicle *, const session *, double speed, double lateral, bi_input inputs[2]);
