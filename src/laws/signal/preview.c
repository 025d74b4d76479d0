// SPDX-License-Identifier: MIT
#include "laws/signal/preview.h"

// Equations of motion of a car on one track, linear in all that is across (signals.13).
static preview_state rates(const preview_car *c, double speed, double angle, preview_state s)
{
    double f = c->stiff_f * (angle - (s.v + c->front * s.rate) / speed);
    double r = -c->stiff_r * (s.v - c->rear * s.rate) / speed;
    return (preview_state){ s.v + speed * s.yaw, (f + r) / c->mass - speed * s.rate, s.rate,
                            (c->front * f - c->rear * r) / c->inertia };
}

static preview_state along(preview_state s, double h, preview_state d)
{
    return (preview_state){ s.y + h * d.y, s.v + h * d.v, s.yaw + h * d.yaw, s.rate + h * d.rate };
}

// One step of the classical rule of fourth order.
static preview_state step(const preview_car *c, double speed, double angle, double h, preview_state s)
{
    preview_state a = rates(c, speed, angle, s), b = rates(c, speed, angle, along(s, 0.5 * h, a));
    preview_state d = rates(c, speed, angle, along(s, 0.5 * h, b)),
                  e = rates(c, speed, angle, along(s, h, d));
    s = along(along(s, h / 6.0, a), h / 3.0, b);
    return along(along(s, h / 3.0, d), h / 6.0, e);
}

// Rates of a slow car are large: steps no longer than its own times allow.
static int parts_of(const preview_car *c, double speed, double time)
{
    static const double share = 1.0; // of the shortest time of the car
    double turning = c->front * c->front * c->stiff_f + c->rear * c->rear * c->stiff_r;
    double fastest = (c->stiff_f + c->stiff_r) / c->mass + turning / c->inertia;
    double parts = time * fastest / (speed * share);
    return parts < 1.0 ? 1 : parts < 1000.0 ? (int)parts + 1 : 1000;
}

preview_state preview_go(const preview_car *car, double speed, double angle, double time, preview_state from)
{
    int parts = parts_of(car, speed, time);
    for (int k = 0; k < parts; k++) {
        from = step(car, speed, angle, time / parts, from);
    }
    return from;
}

double preview_steer(const preview_car *car, double speed, double time, preview_state from,
                     const double target[PREVIEW_POINTS])
{
    // y = free + angle * answer: least squares over all points
    preview_state free = from, answer = { 0.0, 0.0, 0.0, 0.0 };
    double above = 0.0, below = 0.0, h = time / PREVIEW_POINTS;
    for (int k = 0; k < PREVIEW_POINTS; k++) {
        free = preview_go(car, speed, 0.0, h, free);
        answer = preview_go(car, speed, 1.0, h, answer);
        above += answer.y * (target[k] - free.y);
        below += answer.y * answer.y;
    }
    return above / below;
}
