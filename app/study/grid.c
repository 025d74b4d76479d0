// SPDX-License-Identifier: MIT
#include "study/grid.h"
#include <math.h>

// Two times are the same when they differ by less than this part of a step: decimal fractions such as 0.3 / 0.1.
static const double same = 1e-6;
// Beyond 2^53 a double no longer counts steps.
static const double most_steps = 9e15;

// Steps between rows; shortens dt when `every` is not a whole number of them.
static void grid_rows(double every, time_grid *grid)
{
    grid->steps_per_row = 1;
    if (!(every > 0.0)) {
        return;
    }
    double ratio = every / grid->dt;
    if (!(ratio < most_steps)) {
        // later than any step: rows at the start and at the end
        grid->steps_per_row = (int64_t)most_steps;
        return;
    }
    double whole = round(ratio);
    if (whole < 1.0 || fabs(ratio - whole) > same * ratio) {
        whole = ceil(ratio);
        grid->dt = every / whole;
        grid->is_shortened = true;
    }
    grid->steps_per_row = (int64_t)whole;
}

bool time_grid_make(double time, double dt, double every, time_grid *grid)
{
    *grid = (time_grid){ .time = time, .dt = dt };
    grid_rows(every, grid);
    // a run shorter than its step is one step of its own length
    if (time > 0.0 && grid->dt > time * (1.0 + same)) {
        grid->dt = time;
        grid->steps_per_row = 1;
        grid->is_shortened = true;
    }
    double ratio = time / grid->dt;
    if (!(ratio < most_steps)) {
        return false;
    }

    // the rest of the run after its whole steps: nothing, part of the last step (up to 1.5 dt), or a short step more
    double whole = floor(ratio + same);
    double rest = ratio - whole;
    int64_t n = (int64_t)whole;
    bool may_stretch = rest < 0.5 && n > 0 && n % grid->steps_per_row != 0;
    grid->n_step = rest <= same || may_stretch ? n : n + 1;
    if (time > 0.0 && grid->n_step == 0) {
        grid->n_step = 1;
    }
    return true;
}

double time_grid_at(const time_grid *grid, int64_t k)
{
    return grid->start + (k == grid->n_step ? grid->time : (double)k * grid->dt);
}

bool time_grid_has_row(const time_grid *grid, int64_t k)
{
    return k == grid->n_step || k % grid->steps_per_row == 0;
}
