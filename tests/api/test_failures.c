// SPDX-License-Identifier: MIT
// What a mechanism that cannot be computed says, and that a step that fails leaves no trace.
#include "support/run_model.h"
#include <stdlib.h>

static const double deg = 0.017453292519943295;

// ---- what start says ----------------------------------------------------------------------------------------------

typedef struct {
    bi_status status;
    bi_report report;
} outcome;

// Compiles and starts, gives the first refusal; destroys the model.
static outcome start(bi_model *m)
{
    outcome out = { .status = BI_OK };
    bi_system *system = bi_compile(m, NULL, &out.report);
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    if (sim) {
        out.status = bi_sim_start(sim, &out.report);
        // refused is refused: no step from nowhere
        if (out.status != BI_OK) {
            assert_true(bi_sim_step(sim) != BI_OK);
        }
    } else {
        assert_true(out.report.errors > 0);
        out.status = out.report.issue[0].code;
    }
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(m);
    return out;
}

static void expect_refusal(bi_model *m, bi_status status, const char *where, const char *what)
{
    outcome out = start(m);
    if (out.status != status || out.report.errors == 0 || !strstr(out.report.issue[0].where, where) ||
        !strstr(out.report.issue[0].what, what)) {
        bi_report_print(&out.report, stderr);
        fail_msg("status '%s', wanted '%s' at %s: ...%s...", bi_status_text(out.status),
                 bi_status_text(status), where, what);
    }
    bi_report_clear(&out.report);
}

static bi_model *empty(void)
{
    bi_model *m = bi_model_create("failing");
    assert_non_null(m);
    return m;
}

static bi_body add_rod(bi_model *m, const char *name, bi_vec3 from, double turn)
{
    bi_pose pose = { from, { cos(0.5 * turn), 0.0, 0.0, sin(0.5 * turn) } };
    return bi_add_body(
        m,
        &(bi_body_def){
            .name = name, .mass = 1.0, .com = { 0.5, 0, 0 }, .inertia = { 0.01, 0.1, 0.1 }, .pose = pose });
}

static bi_joint add_hinge(bi_model *m, const char *name, bi_body a, bi_body b, double at_a, double at_b)
{
    return bi_add_joint(m, &(bi_joint_def){ .name = name,
                                            .kind = BI_REVOLUTE,
                                            .a = a,
                                            .b = b,
                                            .at_a = { at_a, 0, 0 },
                                            .at_b = { at_b, 0, 0 },
                                            .local = BI_AT_A | BI_AT_B });
}

static void test_massless_body_that_swings_freely_is_named(void **state)
{
    (void)state;
    bi_model *m = empty();
    bi_body rod = add_rod(m, "rod", (bi_vec3){ 0, 0, 0 }, 0.0);
    bi_body pointer = bi_add_body(m, &(bi_body_def){ .name = "pointer", .pose = { { 1, 0, 0 }, { 0 } } });
    add_hinge(m, "pivot", BI_GROUND, rod, 0.0, 0.0);
    add_hinge(m, "pin", rod, pointer, 1.0, 0.0);
    expect_refusal(m, BI_SINGULAR, "bodies.pointer", "without inertia");
}

static void test_body_with_mass_only_on_its_axis_is_named(void **state)
{
    (void)state;
    bi_model *m = empty();
    bi_body shaft = bi_add_body(m, &(bi_body_def){ .name = "shaft", .mass = 1.0, .com = { 0, 0, 1 } });
    add_hinge(m, "bearing", BI_GROUND, shaft, 0.0, 0.0);
    expect_refusal(m, BI_SINGULAR, "bodies.shaft", "without inertia");
}

// Two rods of 1 m cannot span 2.5 m.
static void test_mechanism_that_cannot_close_is_refused_with_its_gap(void **state)
{
    (void)state;
    bi_model *m = empty();
    bi_body left = add_rod(m, "left", (bi_vec3){ 0, 0, 0 }, 30 * deg);
    bi_body right = add_rod(m, "right", (bi_vec3){ 2.5, 0, 0 }, 150 * deg);
    add_hinge(m, "A", BI_GROUND, left, 0.0, 0.0);
    add_hinge(m, "B", left, right, 1.0, 1.0);
    add_hinge(m, "C", BI_GROUND, right, 2.5, 0.0);
    outcome out = start(m);
    assert_int_equal(out.status, BI_CANNOT_ASSEMBLE);
    assert_int_equal(out.report.errors, 1);
    const char *what = out.report.issue[0].what, *gap = strstr(what, "is left ");
    assert_true(strstr(out.report.issue[0].where, "left") || strstr(out.report.issue[0].where, "right"));
    assert_non_null(gap);
    // lengths are told as (l^2 - 1) / 2: at best the two rods share the missing half metre, at worst one has it all
    double left_off = strtod(gap + 8, NULL), unavoidable = 0.5 * (1.25 * 1.25 - 1.0);
    if (!(left_off >= unavoidable - 1e-6 && left_off <= 0.5 * (1.5 * 1.5 - 1.0) + 1e-6)) {
        fail_msg("gap %g, at least %g wanted", left_off, unavoidable);
    }
    bi_report_clear(&out.report);
}

// A rod whose two ends are held by the ground too far apart: nothing can move, so the contradiction is between constants.
static void test_rod_held_by_two_ground_points_too_far_apart_is_refused(void **state)
{
    (void)state;
    bi_model *m = empty();
    bi_body rod = add_rod(m, "rod", (bi_vec3){ 0, 0, 0 }, 0.0);
    bi_joint_def end = {
        .name = "near", .kind = BI_SPHERICAL, .a = BI_GROUND, .b = rod, .local = BI_AT_A | BI_AT_B
    };
    bi_add_joint(m, &end);
    end.name = "far";
    end.at_a = (bi_vec3){ 1.2, 0, 0 };
    end.at_b = (bi_vec3){ 1.0, 0, 0 };
    bi_add_joint(m, &end);
    outcome out = start(m);
    assert_int_equal(out.status, BI_CANNOT_ASSEMBLE);
    assert_true(strstr(out.report.issue[0].where, "rod") || strstr(out.report.issue[0].where, "far"));
    bi_report_clear(&out.report);
}

// Two parallel hinges hold a body; the second one stands where the body's hole is not.
static void test_body_with_two_hinges_in_the_wrong_places_is_refused(void **state)
{
    (void)state;
    bi_model *m = empty();
    bi_body plate = add_rod(m, "plate", (bi_vec3){ 0, 0, 0 }, 0.0);
    add_hinge(m, "first", BI_GROUND, plate, 0.0, 0.0);
    add_hinge(m, "second", BI_GROUND, plate, 1.3, 1.0);
    outcome out = start(m);
    assert_int_equal(out.status, BI_CANNOT_ASSEMBLE);
    bi_report_clear(&out.report);
}

// Two rods share both ends but not the length: the second length must not be lost with what they have in common.
static void test_two_rods_of_different_length_between_the_same_points_are_refused(void **state)
{
    (void)state;
    for (int with_spin = 0; with_spin < 2; with_spin++) {
        bi_model *m = empty();
        bi_body rod[2];
        for (int k = 0; k < 2; k++) {
            rod[k] = bi_add_body(m, &(bi_body_def){ .name = k ? "long" : "short",
                                                    .mass = 1.0,
                                                    .com = { 0.5, 0, 0 },
                                                    .inertia = { 0.01 * with_spin, 0.1, 0.1 } });
        }
        bi_joint_def end = {
            .name = "near", .kind = BI_SPHERICAL, .a = rod[0], .b = rod[1], .local = BI_AT_A | BI_AT_B
        };
        bi_add_joint(m, &end);
        end.name = "far";
        end.at_a = (bi_vec3){ 1.0, 0, 0 };
        end.at_b = (bi_vec3){ 1.2, 0, 0 };
        bi_add_joint(m, &end);
        outcome out = start(m);
        if (out.status != BI_CANNOT_ASSEMBLE) {
            fail_msg("with_spin %d: %s", with_spin, bi_status_text(out.status));
        }
        bi_report_clear(&out.report);
    }
}

static bi_model *guided(const char *first, const char *second)
{
    bi_model *m = empty();
    bi_body rod = add_rod(m, "rod", (bi_vec3){ 0, 0, 0 }, 0.0);
    bi_joint pivot = add_hinge(m, "pivot", BI_GROUND, rod, 0.0, 0.0);
    bi_add_guide(m, &(bi_guide_def){ .name = "one", .joint = pivot, .value = bi_expression(m, first, NULL) });
    bi_add_guide(m,
                 &(bi_guide_def){ .name = "two", .joint = pivot, .value = bi_expression(m, second, NULL) });
    return m;
}

static void test_two_guides_that_contradict_in_position_are_refused(void **state)
{
    (void)state;
    outcome out = start(guided("0.2", "0.3"));
    assert_int_equal(out.status, BI_CANNOT_ASSEMBLE);
    assert_true(strstr(out.report.issue[0].where, "one") || strstr(out.report.issue[0].where, "two"));
    assert_non_null(strstr(out.report.issue[0].what, "position"));
    bi_report_clear(&out.report);
}

static void test_two_guides_that_contradict_in_velocity_are_refused(void **state)
{
    (void)state;
    outcome out = start(guided("t", "2*t"));
    assert_int_equal(out.status, BI_CANNOT_ASSEMBLE);
    assert_true(strstr(out.report.issue[0].where, "one") || strstr(out.report.issue[0].where, "two"));
    assert_non_null(strstr(out.report.issue[0].what, "velocity"));
    bi_report_clear(&out.report);
}

static void test_two_guides_that_agree_run(void **state)
{
    (void)state;
    outcome out = start(guided("0.1 + t", "0.1 + sin(t)/cos(0)"));
    assert_int_equal(out.status, BI_OK);
    bi_report_clear(&out.report);
}

static void test_joint_value_that_no_position_has_is_refused(void **state)
{
    (void)state;
    bi_model *m = empty();
    bi_body rod = add_rod(m, "rod", (bi_vec3){ 0, 0, 0 }, 0.0);
    add_hinge(m, "pivot", BI_GROUND, rod, 0.0, 0.0);
    // the end of the rod is 1 to 3 m from the point at -2
    bi_add_joint(m, &(bi_joint_def){ .name = "rope",
                                     .kind = BI_DISTANCE,
                                     .a = BI_GROUND,
                                     .b = rod,
                                     .at_a = { -2, 0, 0 },
                                     .at_b = { 1, 0, 0 },
                                     .local = BI_AT_A | BI_AT_B,
                                     .length = 3.5 });
    outcome out = start(m);
    assert_int_equal(out.status, BI_CANNOT_ASSEMBLE);
    bi_report_clear(&out.report);
}

static void test_nothing_that_moves_is_refused(void **state)
{
    (void)state;
    bi_model *m = empty();
    bi_body rod = add_rod(m, "rod", (bi_vec3){ 0, 0, 0 }, 0.0);
    bi_add_joint(m, &(bi_joint_def){ .name = "weld", .kind = BI_FIXED, .a = BI_GROUND, .b = rod });
    expect_refusal(m, BI_BAD_MODEL, "bodies", "nothing can move");
}

// Four points carry the body; at its top, three particles are described below the plane of the other three, so that
// the first guess of the shared point is below, too, and the lengths close with a left-handed body.
static void test_body_that_assembles_mirrored_is_named(void **state)
{
    (void)state;
    static const bi_vec3 corner[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0.3, 0.3, 1 } };
    bi_model *m = empty();
    bi_body wedge = bi_add_body(
        m, &(bi_body_def){
               .name = "wedge", .mass = 1.0, .com = { 0.3, 0.3, 0.3 }, .inertia = { 0.1, 0.1, 0.1 } });
    for (int k = 0; k < 6; k++) {
        const int c = k < 3 ? k : 3;
        char name[16];
        snprintf(name, sizeof name, "ball%d", k);
        bi_vec3 at = corner[c];
        at.z = -at.z;
        bi_body ball = bi_add_body(m, &(bi_body_def){ .name = name, .mass = 0.1, .pose = { at, { 0 } } });
        bi_add_joint(m, &(bi_joint_def){ .name = name,
                                         .kind = BI_SPHERICAL,
                                         .a = wedge,
                                         .b = ball,
                                         .at_a = corner[c],
                                         .local = BI_AT_A | BI_AT_B });
    }
    expect_refusal(m, BI_CANNOT_ASSEMBLE, "wedge", "mirrored");
}

// ---- a step that fails --------------------------------------------------------------------------------------------------

static bi_model *pushed(void)
{
    bi_model *m = empty();
    bi_body first = add_rod(m, "first", (bi_vec3){ 0, 0, 0 }, 0.0);
    bi_body second = add_rod(m, "second", (bi_vec3){ 1, 0, 0 }, 0.0);
    bi_joint pivot = add_hinge(m, "pivot", BI_GROUND, first, 0.0, 0.0);
    bi_joint pin = add_hinge(m, "pin", first, second, 1.0, 0.0);
    bi_add_input(m, "push", 0.5);
    bi_add_torque(
        m, &(bi_torque_def){ .name = "drive", .joint = pivot, .torque = bi_expression(m, "push", NULL) });
    bi_add_spring(m, &(bi_spring_def){ .name = "spring",
                                       .a = { BI_GROUND, { 0, 2, 0 } },
                                       .b = { second, { 1, 0, 0 } },
                                       .stiffness = 50.0,
                                       .damping = 1.0,
                                       .rest = 1.0 });
    bi_add_output(m, &(bi_output_def){ .name = "pin", .kind = BI_OUT_JOINT, .joint = pin });
    bi_add_output(m, &(bi_output_def){ .name = "force", .kind = BI_OUT_REACTION, .joint = pin });
    return m;
}

static void expect_channels_finite(run_model *run)
{
    for (int k = 0; k < bi_channel_count(run->system); k++) {
        double value = bi_sim_read(run->sim, bi_channel_at(run->system, k));
        if (!isfinite(value)) {
            fail_msg("%s is not finite", bi_channel_name(run->system, bi_channel_at(run->system, k)));
        }
    }
}

static void push(run_model *run, double value)
{
    bi_input input = bi_find_input(run->system, "push");
    assert_true(input.i > 0);
    bi_sim_input(run->sim, input, value);
}

// A step with an input that is not a number fails, leaves the sim where it was, and the run goes on as if nothing
// had happened.
static void expect_all_or_nothing(run_model *run)
{
    uint64_t before = bi_sim_hash(run->sim);
    double t = run_now(run), energy = run_read(run, "energy.total");
    for (int k = 0; k < 15; k++) {
        push(run, NAN);
        assert_int_equal(bi_sim_step(run->sim), BI_NOT_FINITE);
        assert_true(strlen(bi_sim_failure(run->sim)) > 0);
        push(run, 0.5);
    }
    assert_true(bi_sim_hash(run->sim) == before);
    assert_true(run_now(run) == t);
    assert_true(run_read(run, "energy.total") == energy);
    expect_channels_finite(run);
}

static void test_step_with_a_bad_input_changes_nothing(void **state)
{
    (void)state;
    for (int scheme = BI_ALI3P; scheme <= BI_INDEX1_RK4; scheme++) {
        run_model calm = run_start(pushed(), (bi_scheme)scheme, 1e-3, 1.0);
        run_model upset = run_start(pushed(), (bi_scheme)scheme, 1e-3, 1.0);
        for (int k = 0; k < 10; k++) {
            run_step(&calm);
            run_step(&upset);
        }
        expect_all_or_nothing(&upset);
        for (int k = 0; k < 100; k++) {
            run_step(&calm);
            run_step(&upset);
        }
        assert_true(bi_sim_hash(calm.sim) == bi_sim_hash(upset.sim));
        run_close(&calm);
        run_close(&upset);
    }
}

static void test_failed_step_names_something_of_the_model(void **state)
{
    (void)state;
    run_model run = run_start(pushed(), BI_ALI3P, 1e-3, 1.0);
    push(&run, NAN);
    assert_true(bi_sim_step(run.sim) != BI_OK);
    const char *text = bi_sim_failure(run.sim);
    if (!strstr(text, "pivot") && !strstr(text, "first") && !strstr(text, "drive") && !strstr(text, "pin") &&
        !strstr(text, "second")) {
        fail_msg("'%s' names nothing", text);
    }
    run_close(&run);
}

// After a step over a singular position the sim stands between two states of the stepper: it must stay there.
static void test_failed_step_after_a_step_over_changes_nothing(void **state)
{
    (void)state;
    bi_setting windows = { "N", "40" };
    bi_run file;
    run_model run = { .dt = 1e-3 };
    run.model =
        bi_read_model(BI_SOURCE_DIR "/models/four-bars/model.yaml", &windows, 1, NULL, &file, &run.report);
    assert_non_null(run.model);
    bi_add_input(run.model, "push", 0.5);
    bi_add_torque(run.model, &(bi_torque_def){ .name = "drive",
                                               .joint = bi_model_joint(run.model, "A0"),
                                               .torque = bi_expression(run.model, "push - push", NULL) });
    run_compile(&run, BI_ALI3P);
    push(&run, 0.5);
    int limit = 20000;
    for (; limit > 0 && bi_sim_statistics(run.sim).step_overs == 0; limit--) {
        run_step(&run);
    }
    assert_true(limit > 0);
    expect_all_or_nothing(&run);
    run_step(&run);
    run_close(&run);
}

static void test_huge_step_stays_finite_or_fails_cleanly(void **state)
{
    (void)state;
    static const double dt[] = { 0.1, 1.0, 10.0, 1e3, 1e6 };
    for (size_t k = 0; k < sizeof dt / sizeof *dt; k++) {
        for (int scheme = BI_ALI3P; scheme <= BI_INDEX1_RK4; scheme++) {
            run_model run = run_start(pushed(), (bi_scheme)scheme, dt[k], 1.0);
            int failed = 0;
            for (int n = 0; n < 20; n++) {
                uint64_t before = bi_sim_hash(run.sim);
                if (bi_sim_step(run.sim) != BI_OK) {
                    failed++;
                    assert_true(bi_sim_hash(run.sim) == before);
                    assert_true(strlen(bi_sim_failure(run.sim)) > 0);
                }
                expect_channels_finite(&run);
            }
            printf("measured dt=%g scheme=%d: %d of 20 steps failed\n", dt[k], scheme, failed);
            run_close(&run);
        }
    }
}

static void test_step_that_is_not_positive_is_refused(void **state)
{
    (void)state;
    const double bad[] = { -1e-3, NAN, INFINITY };
    for (int k = 0; k < 3; k++) {
        bi_model *m = bi_model_create("body");
        bi_add_body(m, &(bi_body_def){ .name = "body", .mass = 1.0, .inertia = { 1.0, 1.0, 1.0 } });
        bi_report report = { 0 };
        assert_null(bi_compile(m, &(bi_options){ .dt = bad[k] }, &report));
        assert_int_equal(report.errors, 1);
        assert_string_equal(report.issue[0].where, "dt");
        bi_report_clear(&report);
        bi_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_that_is_not_positive_is_refused),
        cmocka_unit_test(test_massless_body_that_swings_freely_is_named),
        cmocka_unit_test(test_body_with_mass_only_on_its_axis_is_named),
        cmocka_unit_test(test_mechanism_that_cannot_close_is_refused_with_its_gap),
        cmocka_unit_test(test_rod_held_by_two_ground_points_too_far_apart_is_refused),
        cmocka_unit_test(test_body_with_two_hinges_in_the_wrong_places_is_refused),
        cmocka_unit_test(test_two_rods_of_different_length_between_the_same_points_are_refused),
        cmocka_unit_test(test_two_guides_that_contradict_in_position_are_refused),
        cmocka_unit_test(test_two_guides_that_contradict_in_velocity_are_refused),
        cmocka_unit_test(test_two_guides_that_agree_run),
        cmocka_unit_test(test_joint_value_that_no_position_has_is_refused),
        cmocka_unit_test(test_nothing_that_moves_is_refused),
        cmocka_unit_test(test_body_that_assembles_mirrored_is_named),
        cmocka_unit_test(test_step_with_a_bad_input_changes_nothing),
        cmocka_unit_test(test_failed_step_names_something_of_the_model),
        cmocka_unit_test(test_failed_step_after_a_step_over_changes_nothing),
        cmocka_unit_test(test_huge_step_stays_finite_or_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
