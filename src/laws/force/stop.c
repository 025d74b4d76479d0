// SPDX-License-Identifier: MIT
// Stop of a joint: spring and damper outside a range, never pulling back (laws.3).
#include "laws/force/force.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    int at, block, element;
    double lower, upper, stiffness, damping, hysteresis, smooth;
} stop;

static void stop_compile(plan *p, int element, const void *def, void *item)
{
    const bi_stop_def *d = def;
    int m = plan_joint(p, d->joint.joint.i - 1, d->joint.index);
    *(stop *)item =
        (stop){ plan_dof(p, m), plan_block(p, &m, 1), element,    d->lower,
                d->upper,       d->stiffness,         d->damping, d->hysteresis > 0.0 ? d->hysteresis : 1.0,
                d->smooth };
}

typedef struct {
    double side;             // +1 above, -1 below, 0 inside
    double force, potential; // inwards; J
    double elastic;
    double by_depth, by_rate; // derivatives of the force
} push;

static push stop_state(const stop *s, const motion *at)
{
    double x = at->value[s->at];
    push p = { .side = x > s->upper ? 1.0 : x < s->lower ? -1.0 : 0.0 };
    if (p.side == 0.0) {
        return p;
    }
    double depth = p.side > 0.0 ? x - s->upper : s->lower - x, rate = p.side * at->rate[s->at];
    double damping = rate < 0.0 ? s->hysteresis * s->damping : s->damping;

    // share: how much of stiffness and damping acts at this depth (laws.3)
    double share = s->smooth > 0.0 ? fmin(depth / s->smooth, 1.0) : 1.0;
    double share_slope = share < 1.0 ? 1.0 / s->smooth : 0.0, lost = depth - 0.5 * s->smooth;
    p.elastic = share < 1.0 ? 0.5 * s->stiffness * share * depth : s->stiffness * lost;
    p.potential = share < 1.0 ? s->stiffness * share * depth * depth / 6.0
                              : 0.5 * s->stiffness * (lost * lost + s->smooth * s->smooth / 12.0);
    double force = p.elastic + share * damping * rate;
    if (force > 0.0) {
        p.force = force;
        p.by_depth = share * s->stiffness + share_slope * damping * rate;
        p.by_rate = share * damping;
    }
    return p;
}

static void stop_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const stop *item = items;
    for (int k = 0; k < count; k++) {
        const stop *s = &item[k];
        push p = stop_state(s, in->at);
        out->load->effort[s->at] -= p.side * p.force;
        out->load->scalar[s->element] = -p.side * p.force;
        out->load->K[s->block] = p.by_depth;
        out->load->C[s->block] = p.by_rate;
    }
}

static void stop_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const stop *item = items;
    for (int k = 0; k < count; k++) {
        push p = stop_state(&item[k], in->at);
        out->potential += p.potential;
        out->power -= (p.force - p.elastic) * p.side * in->at->rate[item[k].at];
    }
}

static const bi_field fields[] = {
    { "joint", BI_FIELD_COORDINATE, offsetof(bi_stop_def, joint), NULL, BI_REQUIRED, "joint it limits" },
    { "lower", BI_FIELD_NUMBER, offsetof(bi_stop_def, lower), NULL, BI_REQUIRED,
      "least free value, rad or m; far away for a stop on one side" },
    { "upper", BI_FIELD_NUMBER, offsetof(bi_stop_def, upper), NULL, BI_REQUIRED, "largest free value" },
    { "stiffness", BI_FIELD_NUMBER, offsetof(bi_stop_def, stiffness), NULL, BI_REQUIRED | BI_POSITIVE,
      "N m/rad, or N/m on a sliding joint" },
    { "damping", BI_FIELD_NUMBER, offsetof(bi_stop_def, damping), NULL, BI_NOT_NEGATIVE,
      "N m s/rad, or N s/m" },
    { "hysteresis", BI_FIELD_NUMBER, offsetof(bi_stop_def, hysteresis), "1",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "factor on the damping while returning (default 1)" },
    { "smooth", BI_FIELD_NUMBER, offsetof(bi_stop_def, smooth), NULL, BI_NOT_NEGATIVE,
      "depth over which stiffness and damping come in, rad or m (default 0: at once)" },
};
static const bi_kind schema = { "forces", "stop", sizeof(bi_stop_def),
                                fields,   7,      "limits the range of a joint" };
const law_kind stop_kind = { &schema, sizeof(stop), stop_compile, stop_eval, NULL, stop_energy, NULL };
