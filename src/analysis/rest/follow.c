// SPDX-License-Identifier: MIT
// An equilibrium far from where the mechanism is described, of beams that bend: loads come on little by little, since
// the beams are much stiffer at first (analysis.9).
#include "analysis/rest/balance.h"
#include "sparse/dense.h"
#include <math.h>
#include <string.h>

// of the loads: what may be left on the way, and how far a pass may be from converging
static const double on_the_way = 1e-7, hopeless = 1e6;

// The whole Newton step in the free directions, whatever the signs of the stiffness. False: singular.
static bool newton_step(balance *b, double radius)
{
    size_t k = (size_t)b->k, n = (size_t)b->n;
    for (size_t c = 0; c < k; c++) {
        b->y[c] = 0.0;
        for (size_t i = 0; i < n; i++) {
            b->y[c] += b->free.Z[i * k + c] * b->left[i];
        }
    }
    memcpy(b->A, b->H, k * k * sizeof *b->A);
    if (!dense_solve(b->k, b->A, b->y)) {
        return false;
    }
    double length = 0.0;
    for (size_t c = 0; c < k; c++) {
        length += b->y[c] * b->y[c];
    }
    length = sqrt(length);
    double cut = length > radius ? radius / length : 1.0;
    for (size_t i = 0; i < n; i++) {
        b->move[i] = 0.0;
        for (size_t c = 0; c < k; c++) {
            b->move[i] += cut * b->free.Z[i * k + c] * b->y[c];
        }
    }
    return isfinite(length);
}

// Balance with beams as stiff as they are now. Passes it took; -1: none.
static int settle_here(balance *b, double load)
{
    enum { PASSES = 15 };
    for (int i = 0; i < PASSES; i++) {
        double left = balance_measure(b) ? largest(b->left, b->n) : INFINITY;
        if (left <= on_the_way * load) {
            return i;
        }
        b->out.iterations++;
        if (!(left < hopeless * load) || balance_tangent(b) != BI_OK || !newton_step(b, b->size) ||
            !balance_move(b)) {
            return -1;
        }
    }
    return -1;
}

// How far the mechanism has moved since `from`: the largest change of a variable.
static double moved_since(const balance *b, const coords *from)
{
    double most = 0.0;
    for (int i = 0; i < b->n; i++) {
        most = fmax(most, fabs(b->s->now.q[i] - from->q[i]));
    }
    return most;
}

bi_status balance_follow(balance *b, coords *kept)
{
    // parts of the loads that come on in one step; how many times as far as the last one it may lead, which beyond a limit
    // would be to another branch
    static const double first = 0.125, least = 1.0 / 8192.0, farther = 2.0;
    stepper *s = b->s;
    bool is_good = balance_measure(b);
    double load = largest(b->left, b->n), scale = b->scale, share = 0.0, step = first, speed = INFINITY;
    coords_copy(s->d, &s->now, kept);
    while (is_good && share < 1.0 && step >= least) {
        double next = fmin(1.0, share + step);
        s->trays.signals.stiffer = 1.0 / next - 1.0;
        int passes = settle_here(b, load / next);
        double moved = passes < 0 ? INFINITY : moved_since(b, kept) / (next - share);
        if (passes < 0 || !(moved <= farther * speed)) {
            coords_copy(s->d, kept, &s->now);
            step *= 0.5;
            continue;
        }
        share = next;
        speed = moved;
        step = passes <= 6 ? fmin(2.0 * step, first) : passes > 10 ? 0.5 * step : step;
        if (s->d->set->recentre) {
            s->d->set->recentre(s->d->coordinates, &s->now);
        }
        coords_copy(s->d, &s->now, kept);
    }
    s->trays.signals.stiffer = 0.0;
    // forces of stiff parts on the way are no measure of those that act
    b->scale = scale;
    b->followed = share;
    return !is_good ? BI_NOT_FINITE : share >= 1.0 ? BI_OK : BI_NOT_CONVERGED;
}
