// SPDX-License-Identifier: MIT
// Brake on a joint: dry friction with stiction whose limit an expression sets (laws.4).
#include "laws/force/force.h"
#include "laws/force/joint_block.h"
#include "laws/force/stick.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    int at, signal, element, memory;
    double torque;
    stick stick;
    joint_block block;
} brake;

static void brake_compile(plan *p, int element, const void *def, void *item)
{
    const bi_brake_def *d = def;
    int m = plan_joint(p, d->joint.joint.i - 1, d->joint.index);
    brake *out = item;
    *out = (brake){ .at = plan_dof(p, m),
                    .signal = d->command.i - 1,
                    .element = element,
                    .memory = plan_memory(p, 2),
                    .torque = d->torque,
                    .stick = stick_create(d->inertia, d->stick_time) };
    out->block = joint_block_plan(p, m, plan_signal(p, d->command));
}

static stick_in brake_state(const brake *b, const law_in *in, const double *memory)
{
    double command = fmin(fmax(in->u->signal[b->signal].v, 0.0), 1.0);
    return (stick_in){ .limit = law_grip(in) * b->torque * command,
                       .value = in->at->value[b->at],
                       .rate = in->at->rate[b->at],
                       .memory = &memory[b->memory] };
}

static void brake_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const brake *item = items;
    for (int k = 0; k < count; k++) {
        const brake *b = &item[k];
        stick_in now = brake_state(b, in, in->memory);
        stick_out s = stick_eval(&b->stick, &now);
        out->load->effort[b->at] += s.effort;
        out->load->scalar[b->element] = s.effort;
        if (in->want & LAW_TANGENT) {
            double command = in->u->signal[b->signal].v;
            double gain = command > 0.0 && command < 1.0 ? s.by_limit * b->torque : 0.0;
            joint_block_write(&b->block, in->u, gain, s.C, out->load);
            out->load->K[b->block.block] += s.K;
        }
    }
}

static void brake_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const brake *item = items;
    for (int k = 0; k < count; k++) {
        stick_in now = brake_state(&item[k], in, in->memory);
        out->power += stick_eval(&item[k].stick, &now).effort * now.rate;
    }
}

static void brake_commit(const void *items, int count, const law_in *in, double *memory)
{
    const brake *item = items;
    for (int k = 0; k < count; k++) {
        stick_in now = brake_state(&item[k], in, memory);
        stick_commit(&item[k].stick, &now, &memory[item[k].memory]);
    }
}

static const bi_field fields[] = {
    { "joint", BI_FIELD_COORDINATE, offsetof(bi_brake_def, joint), NULL, BI_REQUIRED, "joint it brakes" },
    { "command", BI_FIELD_EXPR, offsetof(bi_brake_def, command), NULL, BI_REQUIRED,
      "0 released .. 1 full: an expression" },
    { "torque", BI_FIELD_NUMBER, offsetof(bi_brake_def, torque), NULL, BI_REQUIRED | BI_POSITIVE,
      "largest, at full command, N m or N" },
    { "inertia", BI_FIELD_NUMBER, offsetof(bi_brake_def, inertia), NULL, BI_REQUIRED | BI_POSITIVE,
      "what the joint carries, kg m2 or kg: scales the stick spring" },
    { "stick_time", BI_FIELD_NUMBER, offsetof(bi_brake_def, stick_time), "s",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "time scale of the stick spring (default 0.03 s)" },
};
static const bi_kind schema = { "forces", "brake", sizeof(bi_brake_def),
                                fields,   5,       "brake that also holds at rest" };
const law_kind brake_kind = { &schema, sizeof(brake), brake_compile, brake_eval,
                              NULL,    brake_energy,  brake_commit };
