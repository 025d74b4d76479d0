// SPDX-License-Identifier: MIT
/* drift.h - speed and way from accelerations whose zero wanders, by what is known to stand (sensors.12, sensors.13). */
#pragma once
#include <biela/io.h>

enum { DRIFT_RESTS = 32 };
typedef struct {
    double from, to; /* s */
    double bias;     /* mean of what was told then, m/s^2 */
    double noise;    /* standard deviation about it */
    double closed;   /* speed that was left on coming here from the rest before, m/s; taken out */
} drift_rest;
typedef struct {
    int n;
    const double *t; /* (n) s, rising; borrowed */
    double *a;       /* (n) as told, m/s^2 */
    int n_rest;
    drift_rest rest[DRIFT_RESTS]; /* one after the other */
    double *own, *v, *x;          /* (n) made by drift_integrate: acceleration, speed, way */
} drift_record;

/* NULL: done; else what is wrong with the record. */
const char *drift_integrate(drift_record *);
void drift_clear(drift_record *);
