// SPDX-License-Identifier: MIT
// Torque on a joint (force on a sliding one), an expression of time, inputs, joint coordinates and rates (force.5).
#include "laws/force/force.h"
#include "laws/force/joint_block.h"
#include <stddef.h>

typedef struct {
    int joint, signal, element;
    joint_block block;
} torque;

static void torque_compile(plan *p, int element, const void *def, void *item)
{
    const bi_torque_def *d = def;
    int m = plan_joint_choice(p, element, d->joint, d->coordinate);
    torque *out = item;
    *out = (torque){ .joint = plan_dof(p, m), .signal = d->torque.i - 1, .element = element };
    out->block = joint_block_plan(p, m, plan_signal(p, d->torque));
}

static void torque_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const torque *item = items;
    for (int k = 0; k < count; k++) {
        const torque *t = &item[k];
        double value = in->u->signal[t->signal].v;
        out->load->effort[t->joint] += value;
        out->load->scalar[t->element] = value;
        if (in->want & LAW_TANGENT) {
            joint_block_write(&t->block, in->u, 1.0, 0.0, out->load);
        }
    }
}

static void torque_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const torque *item = items;
    for (int k = 0; k < count; k++) {
        out->power += in->u->signal[item[k].signal].v * in->at->rate[item[k].joint];
    }
}

static const bi_field fields[] = {
    { "joint", BI_FIELD_JOINT, offsetof(bi_torque_def, joint), NULL, BI_REQUIRED, "joint it acts on" },
    { "torque", BI_FIELD_EXPR, offsetof(bi_torque_def, torque), NULL, BI_REQUIRED,
      "N m (N on a sliding joint) on the second body, the opposite on the first" },
    { "coordinate", BI_FIELD_CHOICE, offsetof(bi_torque_def, coordinate), COORDINATE_WORDS, 0,
      "which one of a joint that has several (default: the first)" },
};
static const bi_kind schema = { "forces", "torque", sizeof(bi_torque_def),
                                fields,   3,        "torque or force on a joint" };
const law_kind torque_kind = {
    &schema, sizeof(torque), torque_compile, torque_eval, NULL, torque_energy, NULL
};
