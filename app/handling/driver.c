// SPDX-License-Identifier: MIT
#include "handling/driver.h"
#include <math.h>

// The lateral acceleration that brings it nearest to the path over the preview, if it is asked for from now on and comes with a
// lag (turn.9, MacAdam 1981): least squares over what lies ahead, the present acceleration dying away.
static double look(const driver *d, const tryout *t, const moment *now)
{
    enum { AHEAD = 20 };
    double c = cos(t->yaw0), s = sin(t->yaw0), course = now->yaw - t->yaw0 + now->sideslip;
    double dx = now->x - t->log[0].x, dy = now->y - t->log[0].y, x = c * dx + s * dy, y = -s * dx + c * dy;
    double along = now->speed * cos(course), across = now->speed * sin(course), lag = d->lag;
    double turns = now->yaw_rate * now->speed, sum = 0.0, square = 0.0;
    for (int k = 1; k <= AHEAD; k++) {
        double later = d->preview * k / AHEAD, gone = 1.0 - exp(-later / lag);
        double free = y + across * later + turns * (lag * later - lag * lag * gone);
        double asked = 0.5 * later * later - lag * later + lag * lag * gone;
        sum += (d->path(d->of, x + along * later) - free) * asked;
        square += asked * asked;
    }
    return sum / square;
}

pedals driver_drive(void *context, const tryout *t, const moment *now)
{
    driver *d = context;
    pedals p = t->hold;
    double want = d->gain * look(d, t, now);
    want = fmax(-d->most, fmin(d->most, want));
    // what was seen a delay ago
    int late = (int)lround(d->delay / t->dt);
    late = late < DRIVER_MEMORY ? late : DRIVER_MEMORY - 1;
    d->wanted[d->n % DRIVER_MEMORY] = want;
    double seen = d->n >= late ? d->wanted[(d->n - late) % DRIVER_MEMORY] : 0.0;
    d->n++;
    d->at += (seen - d->at) * fmin(1.0, t->dt / d->hand);
    p.steer += d->at;
    double gone = cos(t->yaw0) * (now->x - t->log[0].x) + sin(t->yaw0) * (now->y - t->log[0].y);
    if (gone > d->release) {
        p.throttle = 0.0;
    } else {
        // of the throttle that holds the speed on the level, a tenth more per per cent that is missing
        p.throttle += 0.1 * fabs(t->hold.throttle) * 100.0 * (d->speed - now->speed) / d->speed;
        p.throttle = fmax(0.0, p.throttle);
    }
    return p;
}
