// SPDX-License-Identifier: MIT
/* driver.h - a driver for manoeuvres along a path: looks ahead, knows how much the vehicle wants to be steered in steady turns,
 * acts after a delay and holds the speed. */
#pragma once
#include "handling/tryout.h"

enum { DRIVER_MEMORY = 1024 };
typedef double path_place(const void *path, double x); /* m to the left at x ahead */
typedef struct {
    path_place *path;
    const void *of;
    double preview, delay, hand; /* s: looks ahead, acts late, time constant of the hand */
    double lag;                  /* s: of the vehicle with its driver, as the driver knows it */
    double gain;                 /* steering input per lateral acceleration of steady turns */
    double most;                 /* largest steering input */
    double release;              /* m: where the throttle is closed; infinite: never */
    double speed;                /* m/s held by the throttle */
    /* while it drives */
    double wanted[DRIVER_MEMORY], at;
    int n;
} driver;
pedals driver_drive(void *context, const tryout *, const moment *now); /* a tryout_driver of a driver */
