// SPDX-License-Identifier: MIT
#include "laws/tyre/carcass.h"
#include <stdbool.h>

// The forces when the tread gives way at a speed, eq. (tyre.18): (hold stiffness from + damping drive) / (give
// damping + hold)
typedef struct {
    dual top[2];       // numerators
    double damping[2]; // that of the step: damping + h/2 stiffness
} balance;

static dual force_at(const balance *b, const tread *t, int i, dual give)
{
    dual below = dual_add_scaled(t->hold[i], b->damping[i], give);
    return below.v > 0.0 ? dual_div(b->top[i], below) : dual_of(0.0);
}

// How far beyond the ellipse of friction: 1 on it.
static dual excess(const balance *b, const tread *t, dual give)
{
    dual part[2];
    for (int i = 0; i < 2; i++) {
        part[i] = dual_div(force_at(b, t, i, give), t->limit[i]);
    }
    return dual_hypot(part[0], part[1]);
}

// The slope of 1 / excess over the give.
static double slope_at(const balance *b, const tread *t, double give)
{
    double sum = 0.0, change = 0.0;
    for (int i = 0; i < 2; i++) {
        double below = give * b->damping[i] + t->hold[i].v, f = b->top[i].v / (below * t->limit[i].v);
        sum += f * f;
        change -= f * f * b->damping[i] / below;
    }
    return -change / (sum * sqrt(sum));
}

// The give at which the force is on the ellipse, eq. (tyre.20): Newton on 1 / excess, which is a straight line when
// both directions are alike; a last step with derivatives carries them.
static dual give_at_limit(const balance *b, const tread *t)
{
    enum { ITERATIONS = 30 };
    double give = t->give.v;
    for (int k = 0; k < ITERATIONS; k++) {
        double off = 1.0 / excess(b, t, dual_of(give)).v - 1.0;
        double step = off / slope_at(b, t, give);
        give = fmax(give - step, t->give.v);
        if (!(fabs(step) > 1e-15 * give)) {
            break;
        }
    }
    dual e = excess(b, t, dual_of(give));
    double slope = slope_at(b, t, give);
    // 1/e changes by -de / e^2
    return dual_chain(give, 1.0 / (e.v * e.v * slope), e);
}

carcass_force carcass_eval(const carcass *c, const tread *t, const double from[2], double h)
{
    carcass_force out;
    balance b;
    bool is_loaded = t->limit[0].v > 0.0 && t->limit[1].v > 0.0;
    for (int i = 0; i < 2; i++) {
        b.damping[i] = c->damping[i] + 0.5 * h * c->stiffness[i];
        b.top[i] = dual_add(dual_scale(c->stiffness[i] * from[i], t->hold[i]),
                            dual_scale(b.damping[i], t->drive[i]));
    }
    dual give = t->give;
    if (is_loaded && excess(&b, t, give).v > 1.0) {
        give = give_at_limit(&b, t);
    }
    for (int i = 0; i < 2; i++) {
        out.force[i] = is_loaded ? force_at(&b, t, i, give) : dual_of(0.0);
        out.rate[i] = (out.force[i].v - c->stiffness[i] * from[i]) / b.damping[i];
    }
    return out;
}

void carcass_rest(const carcass *c, const tread *t, double deflection[2])
{
    deflection[0] = deflection[1] = 0.0;
    if (!(t->give.v > 0.0 && t->limit[0].v > 0.0 && t->limit[1].v > 0.0)) {
        return;
    }
    double force[2] = { t->drive[0].v / t->give.v, t->drive[1].v / t->give.v };
    double beyond = math_hypot(force[0] / t->limit[0].v, force[1] / t->limit[1].v);
    for (int i = 0; i < 2; i++) {
        deflection[i] = force[i] / (fmax(beyond, 1.0) * c->stiffness[i]);
    }
}
