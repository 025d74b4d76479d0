// SPDX-License-Identifier: MIT
// Forces between bodies make no momentum.
#include "laws/force_samples.h"

// Internal efforts on joint coordinates act on both bodies: two floating bodies, hinged and with the sample between them,
// start at rest and keep no momentum and no angular momentum, though they move.
static bi_vec3 spin_momentum(bi_pose pose, bi_vec3 omega, const double inertia[3])
{
    mat3 A = quat_to_mat3(pose.rot);
    vec3 w = mat3_apply_transposed(A, omega);
    return mat3_apply(A, (vec3){ inertia[0] * w.x, inertia[1] * w.y, inertia[2] * w.z });
}

static void expect_no_momentum(bi_model *model, const char *what)
{
    static const double inertia[3] = { 0.2, 0.3, 0.4 }, mass = 1.5;
    bi_report report = { 0 };
    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report);
    assert_non_null(system);
    bi_sim *sim = bi_sim_create(system);
    assert_non_null(sim);
    assert_int_equal(bi_sim_start(sim, &report), BI_OK);
    for (int k = 0; k < 200; k++) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
    }
    vec3 momentum = { 0, 0, 0 }, angular = { 0, 0, 0 };
    double size = 0.0;
    bi_view view = bi_sim_view(sim);
    for (int b = 1; b < view.n_body; b++) {
        vec3 p = vec3_scale(mass, view.twist[b].lin),
             own = spin_momentum(view.pose[b], view.twist[b].ang, inertia);
        momentum = vec3_add(momentum, p);
        angular = vec3_add(angular, vec3_add(own, vec3_cross(view.pose[b].pos, p)));
        size += vec3_norm(p) + vec3_norm(own);
    }
    printf("measured %s: momentum %.1e, angular momentum %.1e of %.3f\n", what, vec3_norm(momentum),
           vec3_norm(angular), size);
    // it must move, or nothing is tested
    assert_true(size > 0.05);
    // forces add to zero in every evaluation; what is left are corrections below the Newton tolerance and projections,
    // second order in the step: (0.002 rad per step)^2
    assert_true(vec3_norm(momentum) <= 4e-6 * size);
    assert_true(vec3_norm(angular) <= 4e-6 * size);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
}

// Two bodies without gravity, a skew hinge between them.
static bi_model *floating_pair(bi_body body[2], bi_joint *hinge)
{
    bi_model *m = bi_model_create("pair");
    assert_non_null(m);
    bi_model_gravity(m, (vec3){ 0, 0, 0 });
    body[0] = add_body(m, "a", (vec3){ 0, 0, 0 });
    body[1] = add_body(m, "b", (vec3){ 1, 0.5, 0 });
    *hinge = bi_add_joint(m, &(bi_joint_def){ .name = "hinge",
                                              .kind = BI_REVOLUTE,
                                              .a = body[0],
                                              .b = body[1],
                                              .at = { 0.4, 0.1, 0.2 },
                                              .axis = { 0.3, -0.5, 1.0 } });
    return m;
}

static void test_internal_forces_between_floating_bodies_make_no_momentum(void **state)
{
    (void)state;
    bi_body body[2];
    bi_joint hinge;
    bi_model *m = floating_pair(body, &hinge);
    bi_add_torque(m, &(bi_torque_def){ .name = "t", .joint = hinge, .torque = bi_constant(m, 0.6) });
    expect_no_momentum(m, "torque");
    m = floating_pair(body, &hinge);
    bi_add_dc_motor(m, &(bi_dc_motor_def){ .name = "m",
                                           .joint = hinge,
                                           .voltage = bi_constant(m, 3.0),
                                           .resistance = 1.0,
                                           .inductance = 0.01,
                                           .constant = 0.3 });
    expect_no_momentum(m, "dc motor");
    m = floating_pair(body, &hinge);
    bi_add_spring(m, &(bi_spring_def){ .name = "s",
                                       .a = { body[0], { 0.1, 0.2, -0.3 } },
                                       .b = { body[1], { 0.2, -0.1, 0.3 } },
                                       .stiffness = 8.0,
                                       .damping = 0.4,
                                       .rest = 0.2 });
    expect_no_momentum(m, "spring");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_internal_forces_between_floating_bodies_make_no_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
