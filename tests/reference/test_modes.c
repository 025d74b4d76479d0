// SPDX-License-Identifier: MIT
// Small motions with closed forms, and what is refused.
#include "support/run_model.h"

static bi_linear linear_of(const char *model, const bi_setting *settings, int n)
{
    run_model run = run_open(
        &(run_case){ .model = model, .settings = settings, .n_settings = n, .coordinates = BI_JOINT });
    bi_linear out;
    run_require(bi_linearize(run.sim, &out, &run.report) == BI_OK, &run.report, "cannot be linearised");
    run_close(&run);
    return out;
}

static void test_modes_of_coupled_pendulums_have_the_closed_form(void **state)
{
    (void)state;
    const bi_setting rest = { "theta2_0", "0" };
    bi_linear l = linear_of("coupled-pendulums", &rest, 1);
    // (g/R)^1/2 together, (g/R + 2K/m)^1/2 against each other, nothing damps
    double slow = sqrt(9.81 / 3.0), fast = sqrt(9.81 / 3.0 + 2.0), most = 0.0, least = INFINITY, decay = 0.0;
    int k_fast = 0;
    for (int k = 0; k < 4; k++) {
        least = fmin(least, fabs(l.im[k]));
        k_fast = fabs(l.im[k]) > most ? k : k_fast;
        most = fmax(most, fabs(l.im[k]));
        decay = fmax(decay, fabs(l.re[k]));
    }
    run_expect("modes.pendulums", fmax(fabs(least - slow), fabs(most - fast)), 1e-10);
    assert_true(decay < 1e-12);
    assert_true(fabs(l.shape_re[2 * k_fast] + l.shape_re[2 * k_fast + 1]) < 1e-9);
    bi_linear_clear(&l);
}

// Upright disc, A across and C along the axle: (A + m r^2) lean'' = (C + m r^2) W yaw' + m g r lean,
// A yaw'' = -C W lean'; so lambda^2 = (m g r - (C + m r^2) C W^2 / A) / (A + m r^2), and twice zero.
static void test_modes_of_rolling_disc_have_the_closed_form(void **state)
{
    (void)state;
    static const char *const speed[] = { "1", "2" };
    const double m = 1.0, r = 0.5, g = 9.81, A = m * r * r / 4.0, C = m * r * r / 2.0;
    for (int k = 0; k < 2; k++) {
        const bi_setting setting = { "v", speed[k] };
        bi_linear l = linear_of("rolling-disc", &setting, 1);
        double W = (k + 1) / r, square = (m * g * r - (C + m * r * r) * C * W * W / A) / (A + m * r * r);
        double most = 0.0;
        for (int i = 0; i < 4; i++) {
            double here = square > 0.0 ? l.re[i] : l.im[i];
            most = fmax(most, here);
        }
        run_expect("modes.disc", fabs(most - sqrt(fabs(square))), 1e-9);
        // below (g r / 3)^1/2 it falls
        assert_true((square > 0.0) == ((k + 1) < sqrt(g * r / 3.0)));
        bi_linear_clear(&l);
    }
}

// Two equal hanging bars and a coupler: a parallelogram, closed by a loop. Massless bars, the coupler's mass m moves on a
// circle of radius L: frequency (g/L)^1/2, whatever the loop does to the dependent angles.
static bi_model *parallelogram(const char *const *independent, int n, double angle)
{
    const double L = 0.4, B = 0.7, m = 2.0;
    bi_model *model = bi_model_create("parallelogram");
    bi_model_gravity(model, (bi_vec3){ 0, -9.81, 0 });
    double x = L * sin(angle), y = -L * cos(angle);
    bi_pose hang = { { 0, 0, 0 }, { cos(0.5 * angle), 0, 0, sin(0.5 * angle) } };
    bi_body left = bi_add_body(model, &(bi_body_def){ .name = "left", .pose = hang });
    hang.pos.x = B;
    bi_body right = bi_add_body(model, &(bi_body_def){ .name = "right", .pose = hang });
    bi_body coupler = bi_add_body(model, &(bi_body_def){ .name = "coupler",
                                                         .mass = m,
                                                         .com = { 0.5 * B, 0, 0 },
                                                         .inertia = { 0.1, 0.1, 0.1 },
                                                         .pose = { { x, y, 0 }, { 1, 0, 0, 0 } } });
    bi_vec3 z = { 0, 0, 1 };
    bi_add_joint(model, &(bi_joint_def){ "A", BI_REVOLUTE, BI_GROUND, left, .at = { 0, 0, 0 }, .axis = z });
    bi_add_joint(model, &(bi_joint_def){ "B", BI_REVOLUTE, BI_GROUND, right, .at = { B, 0, 0 }, .axis = z });
    bi_add_joint(model, &(bi_joint_def){ "C", BI_REVOLUTE, left, coupler, .at = { x, y, 0 }, .axis = z });
    bi_add_joint(model,
                 &(bi_joint_def){ "D", BI_REVOLUTE, right, coupler, .at = { x + B, y, 0 }, .axis = z });
    for (int k = 0; k < n; k++) {
        bi_model_independent(model, independent[k]);
    }
    return model;
}

static bi_status linearise_model(bi_model *model, bi_coordinates coordinates, bi_linear *out,
                                 bi_report *report)
{
    bi_options options = { .coordinates = coordinates };
    *out = (bi_linear){ 0 };
    bi_status status = BI_BAD_MODEL;
    bi_system *system = bi_compile(model, &options, report);
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    if (sim && bi_sim_start(sim, report) == BI_OK) {
        uint64_t before = bi_sim_hash(sim);
        status = bi_linearize(sim, out, report);
        assert_true(bi_sim_hash(sim) == before);
    }
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    return status;
}

static void test_modes_of_closed_loop_have_the_closed_form(void **state)
{
    (void)state;
    static const char *const names[] = { "A.angle" };
    bi_report report = { 0 };
    bi_linear l;
    bi_status status = linearise_model(parallelogram(names, 1, 0.0), BI_JOINT, &l, &report);
    run_require(status == BI_OK, &report, "cannot be linearised");
    assert_int_equal(l.n, 1);
    run_expect("modes.loop.M", fabs(l.M[0] - 2.0 * 0.4 * 0.4), 1e-12);
    run_expect("modes.loop.K", fabs(l.K[0] - 2.0 * 9.81 * 0.4), 1e-9);
    run_expect("modes.loop.frequency", fabs(l.im[1] - sqrt(9.81 / 0.4)), 1e-9);
    bi_linear_clear(&l);
    bi_report_clear(&report);
}

static void test_modes_without_names_take_the_freedoms_there_are(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_linear l;
    bi_status status = linearise_model(parallelogram(NULL, 0, 0.0), BI_JOINT, &l, &report);
    run_require(status == BI_OK, &report, "cannot be linearised");
    assert_int_equal(l.n, 1);
    assert_true(fabs(l.im[1] - sqrt(9.81 / 0.4)) < 1e-9);
    bi_linear_clear(&l);
    bi_report_clear(&report);
}

// A block on a stiff vertical spring, described where the spring is not loaded, carries a pendulum. Small swings do not lift
// it: (g/L)^1/2, once the block has settled; a block that is named stays where it was put, and is refused.
static bi_model *pendulum_on_spring(const char *const *independent, int n)
{
    bi_model *model = bi_model_create("pendulum on a spring");
    bi_model_gravity(model, (bi_vec3){ 0, -9.81, 0 });
    bi_body block =
        bi_add_body(model, &(bi_body_def){ .name = "block", .mass = 2.0, .inertia = { 1, 1, 1 } });
    bi_body bob = bi_add_body(model, &(bi_body_def){ .name = "bob", .mass = 1.0, .com = { 0, -0.5, 0 } });
    bi_add_joint(model, &(bi_joint_def){ "heave", BI_PRISMATIC, BI_GROUND, block, .axis = { 0, 1, 0 } });
    bi_add_joint(model, &(bi_joint_def){ "swing", BI_REVOLUTE, block, bob, .axis = { 0, 0, 1 } });
    bi_add_spring(model, &(bi_spring_def){ .name = "spring",
                                           .a = { BI_GROUND, { 0, -1, 0 } },
                                           .b = { block, { 0, 0, 0 } },
                                           .stiffness = 1e4,
                                           .rest = 1.0 });
    for (int k = 0; k < n; k++) {
        bi_model_independent(model, independent[k]);
    }
    return model;
}

static void test_modes_let_what_is_not_named_settle_first(void **state)
{
    (void)state;
    static const char *const names[] = { "swing" };
    bi_report report = { 0 };
    bi_linear l;
    bi_status status = linearise_model(pendulum_on_spring(names, 1), BI_JOINT, &l, &report);
    run_require(status == BI_OK, &report, "cannot be linearised");
    run_expect("modes.settled", fabs(l.im[1] - sqrt(9.81 / 0.5)), 1e-8);
    bi_linear_clear(&l);
    bi_report_clear(&report);
}

static void expect_refusal(bi_model *model, bi_coordinates coordinates, bi_status expected, const char *text)
{
    bi_report report = { 0 };
    bi_linear l;
    assert_int_equal(linearise_model(model, coordinates, &l, &report), expected);
    assert_int_equal(l.n, 0);
    assert_true(report.errors >= 1);
    bool is_told = false;
    for (int k = 0; k < report.count; k++) {
        is_told |= strstr(report.issue[k].what, text) != NULL;
    }
    if (!is_told) {
        bi_report_print(&report, stderr);
        fail_msg("nothing tells '%s'", text);
    }
    bi_linear_clear(&l);
    bi_report_clear(&report);
}

static void test_modes_of_unsteady_state_name_what_accelerates(void **state)
{
    (void)state;
    static const char *const names[] = { "A.angle" };
    expect_refusal(parallelogram(names, 1, 0.3), BI_JOINT, BI_NOT_STEADY, "accelerates by");
}

static void test_modes_of_named_coordinate_off_balance_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = { "swing", "heave" };
    expect_refusal(pendulum_on_spring(names, 2), BI_JOINT, BI_NOT_STEADY,
                   "heave.position accelerates by -9.81");
}

static void test_modes_with_unknown_coordinate_list_the_known_ones(void **state)
{
    (void)state;
    static const char *const names[] = { "A.angel" };
    expect_refusal(parallelogram(names, 1, 0.0), BI_JOINT, BI_BAD_MODEL, "'A.angel' is no joint coordinate");
    expect_refusal(parallelogram(names, 1, 0.0), BI_JOINT, BI_BAD_MODEL, "A.angle, B.angle");
}

static void test_modes_with_coordinate_named_twice_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = { "A.angle", "-A" };
    expect_refusal(parallelogram(names, 2, 0.0), BI_JOINT, BI_BAD_MODEL, "named twice");
}

static void test_modes_with_too_many_coordinates_name_the_dependent_one(void **state)
{
    (void)state;
    static const char *const names[] = { "A.angle", "B.angle" };
    expect_refusal(parallelogram(names, 2, 0.0), BI_JOINT, BI_BAD_MODEL, "B.angle is not independent");
}

static void test_modes_in_natural_coordinates_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = { "A.angle" };
    expect_refusal(parallelogram(names, 1, 0.0), BI_NATURAL, BI_BAD_MODEL, "joint coordinates");
}

// A double pendulum of which only one angle is named.
static void test_modes_with_too_few_coordinates_name_the_missing_one(void **state)
{
    (void)state;
    bi_model *model = bi_model_create("double pendulum");
    bi_model_gravity(model, (bi_vec3){ 0, -9.81, 0 });
    bi_body one = bi_add_body(model, &(bi_body_def){ .name = "one", .mass = 1.0, .com = { 0, -1, 0 } });
    bi_body two = bi_add_body(model, &(bi_body_def){ .name = "two",
                                                     .mass = 1.0,
                                                     .com = { 0, -1, 0 },
                                                     .pose = { { 0, -1, 0 }, { 1, 0, 0, 0 } } });
    bi_vec3 z = { 0, 0, 1 };
    bi_add_joint(model, &(bi_joint_def){ "A", BI_REVOLUTE, BI_GROUND, one, .axis = z });
    bi_joint knee =
        bi_add_joint(model, &(bi_joint_def){ "B", BI_REVOLUTE, one, two, .at = { 0, -1, 0 }, .axis = z });
    bi_add_output(model, &(bi_output_def){ .name = "knee", .kind = BI_OUT_JOINT, .joint = knee });
    bi_model_independent(model, "A");
    expect_refusal(model, BI_JOINT, BI_BAD_MODEL, "B.angle, which is not among them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes_of_coupled_pendulums_have_the_closed_form),
        cmocka_unit_test(test_modes_of_rolling_disc_have_the_closed_form),
        cmocka_unit_test(test_modes_of_closed_loop_have_the_closed_form),
        cmocka_unit_test(test_modes_without_names_take_the_freedoms_there_are),
        cmocka_unit_test(test_modes_let_what_is_not_named_settle_first),
        cmocka_unit_test(test_modes_of_unsteady_state_name_what_accelerates),
        cmocka_unit_test(test_modes_of_named_coordinate_off_balance_are_refused),
        cmocka_unit_test(test_modes_with_unknown_coordinate_list_the_known_ones),
        cmocka_unit_test(test_modes_with_coordinate_named_twice_are_refused),
        cmocka_unit_test(test_modes_with_too_many_coordinates_name_the_dependent_one),
        cmocka_unit_test(test_modes_in_natural_coordinates_are_refused),
        cmocka_unit_test(test_modes_with_too_few_coordinates_name_the_missing_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
