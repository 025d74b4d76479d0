// SPDX-License-Identifier: MIT
/* grid.h - the instants of a run: where steps end and where rows are written.
 *
 * Steps end at k*dt; the last one is adapted so that the run ends exactly at `time`. Rows are written at 0, at each
 * multiple of `every`, and at the end. When `every` is not a whole number of steps, dt is shortened until it is. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double time, dt;       /* s */
    double start;          /* s; time of the first row */
    int64_t n_step;        /* steps of the run */
    int64_t steps_per_row; /* at least 1 */
    bool is_shortened;     /* dt is smaller than asked for */
} time_grid;

/* time >= 0, dt > 0, every >= 0 (0: a row at each step). False: more steps than can be counted. */
bool time_grid_make(double time, double dt, double every, time_grid *);
double time_grid_at(const time_grid *, int64_t k);
bool time_grid_has_row(const time_grid *, int64_t k);
