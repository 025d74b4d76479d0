// SPDX-License-Identifier: MIT
// Inputs that follow samples, through the C API: exact impulses, snapshots in the middle of a ramp, mistakes.
#include <biela/biela.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the four above
#include <cmocka.h>

static const double times[] = { 0.1, 0.35, 0.5 }, forces[] = { 1.0, 5.0, -2.0 };

// Impulse of the force from 0 to t: held before the first and after the last sample, straight lines between.
static double impulse(double t)
{
    double sum = fmin(t, times[0]) * forces[0] + fmax(0.0, t - times[2]) * forces[2];
    for (int k = 0; k < 2; k++) {
        double x = fmin(fmax(t - times[k], 0.0), times[k + 1] - times[k]);
        double slope = (forces[k + 1] - forces[k]) / (times[k + 1] - times[k]);
        sum += forces[k] * x + 0.5 * slope * x * x;
    }
    return sum;
}

static bi_model *make_cart(void)
{
    bi_model *m = bi_model_create("cart");
    bi_model_gravity(m, (bi_vec3){ 0, 0, 0 });
    bi_body cart = bi_add_body(
        m, &(bi_body_def){ .name = "cart", .mass = 2.0, .inertia = { 1, 1, 1 }, .pose.rot = { 1, 0, 0, 0 } });
    bi_joint rail = bi_add_joint(
        m, &(bi_joint_def){
               .name = "rail", .kind = BI_PRISMATIC, .a = BI_GROUND, .b = cart, .axis = { 1, 0, 0 } });
    bi_add_input(m, "push", 7.0);
    bi_add_torque(
        m, &(bi_torque_def){ .name = "drive", .joint = rail, .torque = bi_expression(m, "push", NULL) });
    bi_add_output(m, &(bi_output_def){ .name = "x", .kind = BI_OUT_JOINT, .joint = rail });
    return m;
}

static bi_sim *start(const bi_model *m, bi_scheme scheme, bi_coordinates coordinates, bi_system **system)
{
    bi_report report = { 0 };
    *system =
        bi_compile(m, &(bi_options){ .dt = 0.05, .scheme = scheme, .coordinates = coordinates }, &report);
    assert_non_null(*system);
    bi_sim *sim = bi_sim_create(*system);
    assert_int_equal(bi_sim_start(sim, &report), BI_OK);
    bi_report_clear(&report);
    return sim;
}

static void test_force_of_a_manoeuvre_gives_its_impulse(void **state)
{
    (void)state;
    static const bi_scheme scheme[] = { BI_ALI3P, BI_RK4, BI_HEUN };
    for (int k = 0; k < 6; k++) {
        bi_report report = { 0 };
        bi_model *m = make_cart();
        assert_true(bi_input_samples(m, bi_model_input(m, "push"), 3, times, forces, &report));
        bi_system *system;
        bi_sim *sim = start(m, scheme[k % 3], k < 3 ? BI_NATURAL : BI_JOINT, &system);
        bi_sim_input(sim, bi_find_input(system, "push"), 100.0); // has no effect on a driven input
        for (int i = 1; i <= 14; i++) {
            assert_int_equal(bi_sim_step(sim), BI_OK);
            double rate = bi_sim_read(sim, bi_find_channel(system, "x.rate"));
            // corners lie on steps, where these rules take straight lines exactly; projections leave 1e-9
            assert_true(fabs(rate - 0.5 * impulse(0.05 * i)) < 1e-8);
        }
        bi_sim_destroy(sim);
        bi_system_destroy(system);
        bi_model_destroy(m);
    }
}

static void test_snapshot_inside_a_ramp_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_model *m = make_cart();
    assert_true(bi_input_samples(m, bi_model_input(m, "push"), 3, times, forces, &report));
    bi_system *system;
    bi_sim *a = start(m, BI_ALI3P, BI_NATURAL, &system), *b = bi_sim_create(system);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(bi_sim_step(a), BI_OK);
    }
    // looking changes nothing
    uint64_t before = bi_sim_hash(a);
    (void)bi_sim_read(a, bi_find_channel(system, "x.rate"));
    assert_true(bi_sim_hash(a) == before);
    size_t size = bi_sim_save(a, NULL, 0);
    void *kept = malloc(size);
    assert_int_equal(bi_sim_save(a, kept, size), size);
    assert_int_equal(bi_sim_start(b, &report), BI_OK);
    assert_int_equal(bi_sim_load(b, kept, size), BI_OK);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(bi_sim_step(a), BI_OK);
        assert_int_equal(bi_sim_step(b), BI_OK);
    }
    assert_true(bi_sim_hash(a) == bi_sim_hash(b));
    free(kept);
    bi_sim_destroy(a);
    bi_sim_destroy(b);
    bi_system_destroy(system);
    bi_model_destroy(m);
    bi_report_clear(&report);
}

static void test_another_manoeuvre_is_another_system(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_model *m = make_cart();
    bi_input push = bi_model_input(m, "push");
    bi_system *without = bi_compile(m, NULL, &report);
    assert_true(bi_input_samples(m, push, 3, times, forces, &report));
    bi_system *with = bi_compile(m, NULL, &report);
    assert_true(bi_system_hash(without) != bi_system_hash(with));
    bi_system_destroy(with);
    bi_system_destroy(without);
    // and none again: its initial value acts
    assert_true(bi_input_samples(m, push, 0, NULL, NULL, &report));
    bi_system *system;
    bi_sim *sim = start(m, BI_ALI3P, BI_NATURAL, &system);
    assert_int_equal(bi_sim_step(sim), BI_OK);
    assert_true(fabs(bi_sim_read(sim, bi_find_channel(system, "x.rate")) - 0.05 * 3.5) < 1e-9);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(m);
    bi_report_clear(&report);
}

static void test_samples_that_are_no_manoeuvre_are_refused(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_model *m = make_cart();
    bi_input push = bi_model_input(m, "push");
    assert_false(bi_input_samples(m, push, 2, (double[]){ 1, 1 }, forces, &report));
    assert_false(bi_input_samples(m, push, 2, times, (double[]){ 1, NAN }, &report));
    assert_false(bi_input_samples(m, push, 2, (double[]){ 0, INFINITY }, forces, &report));
    assert_false(bi_input_samples(m, (bi_input){ 9 }, 2, times, forces, &report));
    assert_int_equal(report.errors, 4);
    bi_model_destroy(m);
    bi_report_clear(&report);
}

static void test_input_that_is_no_number_stops_steps_also_where_it_is_bounded(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("bounded");
    bi_body body = bi_add_body(m, &(bi_body_def){ .name = "block", .mass = 1.0 });
    bi_add_joint(m,
                 &(bi_joint_def){
                     .name = "way", .kind = BI_PRISMATIC, .a = BI_GROUND, .b = body, .axis = { 1, 0, 0 } });
    bi_input lever = bi_add_input(m, "lever", 0.0);
    bi_add_force(m, &(bi_force_def){ .name = "push",
                                     .point = { .body = body },
                                     .fx = bi_expression(m, "10*max(min(lever, 1), -1)", NULL) });
    bi_system *system = bi_compile(m, &(bi_options){ .dt = 1e-3 }, NULL);
    bi_sim *sim = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, NULL), BI_OK);
    static const double none[] = { NAN, INFINITY, -INFINITY };
    for (int k = 0; k < 3; k++) {
        bi_sim_input(sim, lever, none[k]);
        assert_int_equal(bi_sim_step(sim), BI_NOT_FINITE);
        assert_non_null(strstr(bi_sim_failure(sim), "input lever"));
    }
    bi_sim_input(sim, lever, 1.0);
    assert_int_equal(bi_sim_step(sim), BI_OK);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_of_a_manoeuvre_gives_its_impulse),
        cmocka_unit_test(test_snapshot_inside_a_ramp_goes_on_with_the_same_bits),
        cmocka_unit_test(test_another_manoeuvre_is_another_system),
        cmocka_unit_test(test_samples_that_are_no_manoeuvre_are_refused),
        cmocka_unit_test(test_input_that_is_no_number_stops_steps_also_where_it_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
