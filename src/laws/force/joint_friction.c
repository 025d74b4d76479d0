// SPDX-License-Identifier: MIT
// Friction in a joint: dry with stiction and Stribeck's fall, and viscous (laws.4, laws.5).
#include "laws/force/force.h"
#include "laws/force/stick.h"
#include "math/elementary.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    int at, block, element, memory; // memory: of the stick, and 1 while it slides
    double coulomb, breakaway, stribeck, viscous;
    stick stick;
} friction;

static void friction_compile(plan *p, int element, const void *def, void *item)
{
    const bi_joint_friction_def *d = def;
    int m = plan_joint(p, d->joint.joint.i - 1, d->joint.index);
    *(friction *)item = (friction){ .at = plan_dof(p, m),
                                    .block = plan_block(p, &m, 1),
                                    .element = element,
                                    .memory = plan_memory(p, 3),
                                    .coulomb = d->coulomb,
                                    .breakaway = fmax(d->breakaway, d->coulomb),
                                    .stribeck = d->stribeck,
                                    .viscous = d->viscous,
                                    .stick = stick_create(d->inertia, d->stick_time) };
}

static stick_in friction_state(const friction *f, const law_in *law, const double *memory)
{
    const motion *at = law->at;
    stick_in in = {
        .limit = f->coulomb, .value = at->value[f->at], .rate = at->rate[f->at], .memory = &memory[f->memory]
    };
    double extra = f->breakaway - f->coulomb;
    if (in.memory[2] == 0.0) {
        // what sticks needs the whole breakaway, however fast its spring gives (laws.5)
        in.limit = f->breakaway;
    } else if (extra > 0.0) {
        // without a Stribeck rate of its own, the rate that the stick's damper alone would need to break away
        double scale = f->stribeck > 0.0 ? f->stribeck : f->breakaway / f->stick.damping,
               ratio = in.rate / scale;
        double fade = math_exp(-ratio * ratio);
        in.limit += extra * fade;
        in.limit_slope = -2.0 * extra * fade * ratio / scale;
    }
    in.limit *= law_grip(law);
    return in;
}

static void friction_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const friction *item = items;
    for (int k = 0; k < count; k++) {
        const friction *f = &item[k];
        stick_in now = friction_state(f, in, in->memory);
        stick_out s = stick_eval(&f->stick, &now);
        double effort = s.effort - f->viscous * now.rate;
        out->load->effort[f->at] += effort;
        out->load->scalar[f->element] = effort;
        out->load->K[f->block] = s.K;
        out->load->C[f->block] = s.C + f->viscous;
    }
}

static void friction_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const friction *item = items;
    for (int k = 0; k < count; k++) {
        stick_in now = friction_state(&item[k], in, in->memory);
        out->power += (stick_eval(&item[k].stick, &now).effort - item[k].viscous * now.rate) * now.rate;
    }
}

static void friction_commit(const void *items, int count, const law_in *in, double *memory)
{
    const friction *item = items;
    for (int k = 0; k < count; k++) {
        double *own = &memory[item[k].memory];
        stick_in now = friction_state(&item[k], in, memory);
        bool slides = stick_eval(&item[k].stick, &now).slides;
        stick_commit(&item[k].stick, &now, own);
        own[2] = slides;
    }
}

static const bi_field fields[] = {
    { "joint", BI_FIELD_COORDINATE, offsetof(bi_joint_friction_def, joint), NULL, BI_REQUIRED,
      "joint it acts in" },
    { "coulomb", BI_FIELD_NUMBER, offsetof(bi_joint_friction_def, coulomb), NULL,
      BI_REQUIRED | BI_NOT_NEGATIVE, "dry friction while sliding, N m or N" },
    { "breakaway", BI_FIELD_NUMBER, offsetof(bi_joint_friction_def, breakaway), NULL, BI_NOT_NEGATIVE,
      "largest friction at rest (default and at least coulomb)" },
    { "stribeck", BI_FIELD_NUMBER, offsetof(bi_joint_friction_def, stribeck), NULL, BI_NOT_NEGATIVE,
      "rate over which breakaway fades to coulomb, rad/s or m/s" },
    { "viscous", BI_FIELD_NUMBER, offsetof(bi_joint_friction_def, viscous), NULL, BI_NOT_NEGATIVE,
      "N m s/rad, or N s/m" },
    { "inertia", BI_FIELD_NUMBER, offsetof(bi_joint_friction_def, inertia), NULL, BI_REQUIRED | BI_POSITIVE,
      "what the joint carries, kg m2 or kg: scales the stick spring" },
    { "stick_time", BI_FIELD_NUMBER, offsetof(bi_joint_friction_def, stick_time), "s",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "time scale of the stick spring (default 0.03 s)" },
};
static const bi_kind schema = {
    "forces", "joint-friction", sizeof(bi_joint_friction_def), fields, 7, "friction in a joint, with stiction"
};
const law_kind joint_friction_kind = { &schema, sizeof(friction), friction_compile, friction_eval,
                                       NULL,    friction_energy,  friction_commit };
