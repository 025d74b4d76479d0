// SPDX-License-Identifier: MIT
#include "laws/force/stick.h"
#include <math.h>

// what the spring keeps of the limit while its anchor is dragged along
static const double kept = 0.95;

stick stick_create(double inertia, double stick_time)
{
    double tau = stick_time > 0.0 ? stick_time : 0.03;
    return (stick){ inertia / (tau * tau), 2.0 * inertia / tau };
}

static double offset(const stick_in *in) { return in->memory[0] > 0.0 ? in->value - in->memory[1] : 0.0; }

stick_out stick_eval(const stick *s, const stick_in *in)
{
    double hold = s->stiffness * offset(in) + s->damping * in->rate;
    if (fabs(hold) <= in->limit) {
        return (stick_out){ .effort = -hold, .K = s->stiffness, .C = s->damping };
    }
    double sign = hold > 0.0 ? 1.0 : -1.0;
    return (stick_out){
        .effort = -sign * in->limit, .C = sign * in->limit_slope, .by_limit = -sign, .slides = true
    };
}

void stick_commit(const stick *s, const stick_in *in, double *memory)
{
    if (memory[0] == 0.0) {
        // anchored where it is; one that slides from the start has its spring stretched already
        bool slides = fabs(s->damping * in->rate) > in->limit;
        double stretch = slides ? kept * in->limit / s->stiffness * (in->rate > 0.0 ? 1.0 : -1.0) : 0.0;
        memory[0] = 1.0;
        memory[1] = in->value - stretch;
        return;
    }
    double most = kept * in->limit / s->stiffness, now = in->value - memory[1];
    if (stick_eval(s, in).slides && fabs(now) > most) {
        memory[1] = in->value - (now > 0.0 ? most : -most);
    }
}
