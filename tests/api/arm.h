// SPDX-License-Identifier: MIT
// A mechanism with everything that a run may carry from step to step.
#ifndef BIELA_TESTS_API_ARM_H
#define BIELA_TESTS_API_ARM_H

#include "support/run_model.h"

// A driven double pendulum: a torque that reads an input, a motor with its own current, a spring, reactions.
static inline bi_model *arm(double mass)
{
    bi_model *m = bi_model_create("arm");
    assert_non_null(m);
    bi_model_gravity(m, (bi_vec3){ 0.0, -9.81, 0.0 });
    bi_body_def def = { .name = "upper", .mass = mass, .com = { 0.5, 0, 0 }, .inertia = { 0.01, 0.1, 0.1 } };
    bi_body upper = bi_add_body(m, &def);
    def.name = "lower";
    def.pose.pos = (bi_vec3){ 1, 0, 0 };
    bi_body lower = bi_add_body(m, &def);
    bi_joint shoulder = bi_add_joint(
        m, &(bi_joint_def){ .name = "shoulder", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = upper });
    bi_joint elbow = bi_add_joint(
        m,
        &(bi_joint_def){ .name = "elbow", .kind = BI_REVOLUTE, .a = upper, .b = lower, .at = { 1, 0, 0 } });
    bi_add_input(m, "push", 0.0);
    bi_add_torque(m, &(bi_torque_def){ .name = "drive",
                                       .joint = shoulder,
                                       .torque = bi_expression(m, "3*push*cos(t)", NULL) });
    bi_add_dc_motor(m, &(bi_dc_motor_def){ .name = "motor",
                                           .joint = elbow,
                                           .voltage = bi_expression(m, "2*sin(5*t)", "V"),
                                           .resistance = 1.0,
                                           .inductance = 0.01,
                                           .constant = 0.1 });
    bi_add_spring(m, &(bi_spring_def){ .name = "spring",
                                       .a = { BI_GROUND, { 0, 1, 0 } },
                                       .b = { lower, { 1, 0, 0 } },
                                       .stiffness = 20.0,
                                       .damping = 0.5,
                                       .rest = 1.0 });
    bi_add_output(m,
                  &(bi_output_def){ .name = "tip", .kind = BI_OUT_POINT, .body = lower, .at = { 1, 0, 0 } });
    bi_add_output(m, &(bi_output_def){ .name = "shoulder", .kind = BI_OUT_JOINT, .joint = shoulder });
    bi_add_output(m, &(bi_output_def){ .name = "force", .kind = BI_OUT_REACTION, .joint = elbow });
    bi_add_output(m, &(bi_output_def){ .name = "hand", .kind = BI_OUT_BODY, .body = lower });
    bi_add_output(
        m, &(bi_output_def){ .name = "push", .kind = BI_OUT_EXPR, .expr = bi_expression(m, "2*push", NULL) });
    return m;
}

static const double arm_mass = 2.0, arm_dt = 2e-3;

static inline run_model arm_run(bi_scheme scheme) { return run_start(arm(arm_mass), scheme, arm_dt, 1.0); }

static inline void step_times(bi_sim *sim, int count)
{
    for (int k = 0; k < count; k++) {
        bi_status status = bi_sim_step(sim);
        if (status != BI_OK) {
            fail_msg("step %d: %s", k, bi_sim_failure(sim));
        }
    }
}

static inline void set_push(run_model *run, double value)
{
    bi_input push = bi_find_input(run->system, "push");
    assert_true(push.i > 0);
    bi_sim_input(run->sim, push, value);
}

#endif
