// SPDX-License-Identifier: MIT
#include "laws/force/characteristic.h"

// The elastic part alone: force, slope, potential.
static void elastic_part(const characteristic *c, double longer, characteristic_state *s)
{
    if (c->table) {
        jet f = table_at(c->table, longer);
        s->elastic = f.v + c->preload;
        s->by_longer = f.d;
        s->potential = table_integral(c->table, longer) - table_integral(c->table, 0.0) + c->preload * longer;
    } else {
        s->elastic = c->preload + c->stiffness * longer;
        s->by_longer = c->stiffness;
        s->potential = longer * (c->preload + 0.5 * c->stiffness * longer);
    }
}

static double damping_part(const characteristic *c, double rate, double *slope)
{
    if (c->damping_table) {
        jet f = table_at(c->damping_table, rate);
        *slope = f.d;
        return f.v;
    }
    *slope = c->damping;
    return c->damping * rate;
}

characteristic_state characteristic_at(const characteristic *c, double longer, double rate)
{
    characteristic_state s = { 0 };
    elastic_part(c, longer, &s);
    double damping = damping_part(c, rate, &s.by_rate);
    s.force = s.elastic + damping;
    if (c->only != PULLS_AND_PUSHES) {
        // slack, or pulled apart faster than it can follow: no force
        double sign = c->only == ONLY_PULLS ? 1.0 : -1.0;
        if (sign * s.elastic <= 0.0) {
            return (characteristic_state){ 0 };
        }
        // a linear spring stores from where it is slack; of a table the slack point need not be one: all is work then
        s.potential = c->table             ? 0.0
                      : c->stiffness > 0.0 ? 0.5 * s.elastic * s.elastic / c->stiffness
                                           : s.potential;
        if (sign * s.force <= 0.0) {
            s.force = s.by_longer = s.by_rate = 0.0;
        }
        s.work = -(c->table ? s.force : s.force - s.elastic) * rate;
        return s;
    }
    s.work = -damping * rate;
    return s;
}
