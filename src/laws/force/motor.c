// SPDX-License-Identifier: MIT
// Motor on a joint (laws.6): torque or speed control, limits of torque and power, first-order lag of the torque as own
// state, solved for the end of the step.
#include "laws/force/force.h"
#include "laws/force/joint_block.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    int at, signal, element, state; // state -1: no lag
    bool is_speed;
    double gain, torque_limit, power_limit, time;
    joint_block block;
} motor;

static void motor_compile(plan *p, int element, const void *def, void *item)
{
    const bi_motor_def *d = def;
    int m = plan_joint(p, d->joint.joint.i - 1, d->joint.index);
    motor *out = item;
    *out = (motor){ .at = plan_dof(p, m),
                    .signal = d->command.i - 1,
                    .element = element,
                    .state = d->time > 0.0 ? plan_states(p, 1, 1e-9) : -1,
                    .is_speed = d->control == 2,
                    .gain = d->gain,
                    .torque_limit = d->torque_limit > 0.0 ? d->torque_limit : INFINITY,
                    .power_limit = d->power_limit > 0.0 ? d->power_limit : INFINITY,
                    .time = d->time };
    out->block = joint_block_plan(p, m, plan_signal(p, d->command));
}

// A torque with its derivatives with command and speed.
typedef struct {
    double value, by_command, by_speed;
} response;

// What the control asks for, within the torque limit (laws.6)
static response demand(const motor *m, const law_in *in)
{
    double command = in->u->signal[m->signal].v, speed = in->at->rate[m->at];
    response r = { command, 1.0, 0.0 };
    if (m->is_speed) {
        r = (response){ m->gain * (command - speed), m->gain, -m->gain };
    }
    if (fabs(r.value) > m->torque_limit) {
        r = (response){ copysign(m->torque_limit, r.value), 0.0, 0.0 };
    }
    return r;
}

// |torque speed| <= power (laws.6)
static response within_power(const motor *m, double speed, response r)
{
    if (fabs(r.value * speed) <= m->power_limit) {
        return r;
    }
    double most = m->power_limit / fabs(speed);
    return (response){ copysign(most, r.value), 0.0, -copysign(most, r.value) / speed };
}

static void motor_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const motor *item = items;
    for (int k = 0; k < count; k++) {
        const motor *m = &item[k];
        response r = demand(m, in);
        if (m->state >= 0) {
            // time dT/dt + T = demand, trapezoidal rule (laws.6)
            double torque = in->z_old[m->state], wanted = r.value, share = 0.0;
            if (in->want & LAW_START) {
                torque = 0.0;
            } else if (!(in->want & LAW_EXPLICIT)) {
                double half = 0.5 * in->u->h / m->time;
                share = half / (1.0 + half);
                torque = (torque + 0.5 * in->u->h * in->dz_old[m->state] + half * wanted) / (1.0 + half);
            }
            out->z[m->state] = torque;
            out->dz[m->state] = (wanted - torque) / m->time;
            r = (response){ torque, share * r.by_command, share * r.by_speed };
        }
        r = within_power(m, in->at->rate[m->at], r);
        out->load->effort[m->at] += r.value;
        out->load->scalar[m->element] = r.value;
        if (in->want & LAW_TANGENT) {
            joint_block_write(&m->block, in->u, r.by_command, -r.by_speed, out->load);
        }
    }
}

static void motor_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    const motor *item = items;
    for (int k = 0; k < count; k++) {
        const motor *m = &item[k];
        double speed = in->at->rate[m->at];
        response r = m->state >= 0 ? (response){ .value = z[m->state] } : demand(m, in);
        out->power += within_power(m, speed, r).value * speed;
    }
}

static const bi_field fields[] = {
    { "joint", BI_FIELD_COORDINATE, offsetof(bi_motor_def, joint), NULL, BI_REQUIRED, "joint it drives" },
    { "control", BI_FIELD_CHOICE, offsetof(bi_motor_def, control), "torque,speed", 0,
      "what the command is (default torque)" },
    { "command", BI_FIELD_EXPR, offsetof(bi_motor_def, command), NULL, BI_REQUIRED,
      "torque N m (force N), or speed rad/s (m/s): an expression" },
    { "gain", BI_FIELD_NUMBER, offsetof(bi_motor_def, gain), NULL, BI_NOT_NEGATIVE,
      "speed control: torque per speed error, N m s/rad or N s/m" },
    { "torque_limit", BI_FIELD_NUMBER, offsetof(bi_motor_def, torque_limit), NULL,
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "largest torque or force (default none)" },
    { "power_limit", BI_FIELD_NUMBER, offsetof(bi_motor_def, power_limit), "W",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "largest power (default none)" },
    { "time", BI_FIELD_NUMBER, offsetof(bi_motor_def, time), "s", BI_NOT_NEGATIVE,
      "lag of the torque, first order (default none)" },
};
static const bi_kind schema = { "forces", "motor", sizeof(bi_motor_def),
                                fields,   7,       "motor with limits on a joint" };
const law_kind motor_kind = { &schema, sizeof(motor), motor_compile, motor_eval, NULL, motor_energy, NULL };
