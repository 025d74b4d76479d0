// SPDX-License-Identifier: MIT
// Direct-current motor on a joint (motor.1 .. motor.3): its own state is the current, L di/dt = V - R i - k omega,
// torque k i. In implicit steps it solves the current at the end of the step by the trapezoidal rule, so that its
// stiffness never reaches the solver.
#include "laws/force/force.h"
#include "laws/force/joint_block.h"
#include <stddef.h>

typedef struct {
    int joint, signal, state, element;
    double resistance, inductance, constant;
    joint_block block;
} dc_motor;

static void motor_compile(plan *p, int element, const void *def, void *item)
{
    const bi_dc_motor_def *d = def;
    int m = plan_joint_choice(p, element, d->joint, d->coordinate);
    dc_motor *out = item;
    *out = (dc_motor){ .joint = plan_dof(p, m),
                       .signal = d->voltage.i - 1,
                       .state = plan_states(p, 1, 1e-9),
                       .element = element,
                       .resistance = d->resistance,
                       .inductance = d->inductance,
                       .constant = d->constant };
    out->block = joint_block_plan(p, m, plan_signal(p, d->voltage));
}

static void motor_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const dc_motor *item = items;
    for (int k = 0; k < count; k++) {
        const dc_motor *m = &item[k];
        double h = in->u->h, voltage = in->u->signal[m->signal].v, omega = in->at->rate[m->joint];
        double drive = voltage - m->constant * omega, current = in->z_old[m->state];
        double gain = 0.0; // d current / d drive
        if (!(in->want & LAW_EXPLICIT)) {
            // i1 = i0 + h/2 (di0 + di1), solved for i1 (motor.2)
            double keep = m->inductance + 0.5 * h * m->resistance;
            gain = 0.5 * h / keep;
            current = (m->inductance * (current + 0.5 * h * in->dz_old[m->state]) + 0.5 * h * drive) / keep;
        }
        out->z[m->state] = current;
        out->dz[m->state] = (drive - m->resistance * current) / m->inductance;
        out->load->effort[m->joint] += m->constant * current;
        out->load->scalar[m->element] = current;
        if (in->want & LAW_TANGENT) {
            joint_block_write(&m->block, in->u, m->constant * gain, m->constant * m->constant * gain,
                              out->load);
        }
    }
}

static void motor_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    const dc_motor *item = items;
    for (int k = 0; k < count; k++) {
        out->power += item[k].constant * z[item[k].state] * in->at->rate[item[k].joint];
    }
}

static const bi_field fields[] = {
    { "joint", BI_FIELD_JOINT, offsetof(bi_dc_motor_def, joint), NULL, BI_REQUIRED, "joint it turns" },
    { "voltage", BI_FIELD_EXPR, offsetof(bi_dc_motor_def, voltage), "V", BI_REQUIRED, "terminal voltage" },
    { "resistance", BI_FIELD_NUMBER, offsetof(bi_dc_motor_def, resistance), "ohm", BI_REQUIRED | BI_POSITIVE,
      "winding" },
    { "inductance", BI_FIELD_NUMBER, offsetof(bi_dc_motor_def, inductance), "H", BI_REQUIRED | BI_POSITIVE,
      "winding" },
    { "constant", BI_FIELD_NUMBER, offsetof(bi_dc_motor_def, constant), "N*m/A", BI_REQUIRED,
      "torque per current" },
    { "coordinate", BI_FIELD_CHOICE, offsetof(bi_dc_motor_def, coordinate), COORDINATE_WORDS, 0,
      "which one of a joint that has several (default: the first)" },
};
static const bi_kind schema = { "forces", "dc-motor", sizeof(bi_dc_motor_def),
                                fields,   6,          "direct-current motor with its current as a state" };
const law_kind dc_motor_kind = { &schema, sizeof(dc_motor), motor_compile, motor_eval,
                                 NULL,    motor_energy,     NULL };
