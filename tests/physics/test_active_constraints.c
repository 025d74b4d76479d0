// SPDX-License-Identifier: MIT
// Constraints with a condition: they take hold without rebound and let go without a trace.
#include "support/run_model.h"
#include <stdlib.h>

static const bi_coordinates sets[2] = { BI_NATURAL, BI_JOINT };
static const bi_scheme schemes[2] = { BI_ALI3P, BI_INDEX1_RK4 };

static run_model run_text(const char *text, bi_coordinates coordinates, bi_scheme scheme)
{
    run_model run = { .dt = 1e-3, .time = 1.0, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, scheme);
    return run;
}

// ---- a rope is cut -----------------------------------------------------------------------------------------------------

static const char rope[] = "biela: 1\nname: rope\ngravity: [0, 0, -9.81]\n"
                           "bodies: {bob: {mass: 1.5, inertia: [0.1, 0.1, 0.1], at: [1, 0, 0]}}\n"
                           "constraints:\n"
                           "  rope: {type: distance, a: {body: ground}, b: {body: bob}, active: 0.4 - t}\n"
                           "outputs: {P: {point: {body: bob}}, T: {effort: rope}}\n";

static void test_bob_flies_on_when_its_rope_is_cut(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        run_model run = run_text(rope, sets[k % 2], schemes[k / 2]);
        run_to(&run, 0.4);
        double x = run_read(&run, "P.x"), z = run_read(&run, "P.z"), vx = run_read(&run, "P.vx"),
               vz = run_read(&run, "P.vz");
        assert_true(fabs(run_read(&run, "T")) > 1.0);
        run_to(&run, 0.9);
        // free flight is a parabola, exact for both schemes: rounding
        run_expect("cut rope x", fabs(run_read(&run, "P.x") - x - 0.5 * vx), 1e-11);
        run_expect("cut rope z", fabs(run_read(&run, "P.z") - z - 0.5 * vz + 0.5 * 9.81 * 0.25), 1e-11);
        run_expect("cut rope tension", fabs(run_read(&run, "T")), 0.0);
        bi_info info;
        assert_int_equal(bi_sim_info(run.sim, &info, &run.report), BI_OK);
        assert_int_equal(info.degrees_of_freedom, 6);
        assert_int_equal(info.redundant, 0);
        assert_true(bi_sim_statistics(run.sim).violation < 1e-12);
        run_close(&run);
    }
}

// ---- two wagons couple ----------------------------------------------------------------------------------------------------

static const char wagons[] =
    "biela: 1\nname: wagons\ngravity: [0, 0, 0]\nbodies:\n"
    "  a: {mass: 3, inertia: [1, 1, 1], velocity: [2, 0, 0]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], at: [0.5005, 0, 0]}\n"
    "joints:\n"
    "  sa: {type: prismatic, bodies: [ground, a], at_a: [0, 0, 0], at_b: [0, 0, 0], axis: [1, 0, 0]}\n"
    "  sb: {type: prismatic, bodies: [ground, b], at_a: [0, 0, 0], at_b: [0, 0, 0], axis: [1, 0, 0]}\n"
    "constraints:\n"
    "  hook: {type: expression, zero: sb.position - sa.position, active: sa.position > sb.position - 1e-6}\n"
    "outputs: {A: {joint: sa}, B: {joint: sb}}\n";

static void test_wagons_couple_without_rebound(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        run_model run = run_text(wagons, sets[k % 2], schemes[k / 2]);
        run_to(&run, 1.0);
        // momentum 6 kg m/s on 4 kg; they meet between 0.250 and 0.251 s and couple at the end of that step
        run_expect("wagon a", fabs(run_read(&run, "A.rate") - 1.5), 1e-12);
        run_expect("wagon b", fabs(run_read(&run, "B.rate") - 1.5), 1e-12);
        run_expect("wagons together", fabs(run_read(&run, "A.position") - run_read(&run, "B.position")),
                   1e-12);
        // the gap of 1 mm is closed in the metric of the masses: the centre of mass goes on
        double centre = 0.75 * run_read(&run, "A.position") + 0.25 * run_read(&run, "B.position");
        run_expect("wagons centre", fabs(centre - (0.25 * 0.5005 + 1.5)), 1e-11);
        run_expect("wagons balance", fabs(run_read(&run, "energy.balance")), 1e-10);
        run_expect("wagons energy", fabs(run_read(&run, "energy.kinetic") - 4.5), 1e-10);
        run_close(&run);
    }
}

static void test_snapshot_remembers_what_holds(void **state)
{
    (void)state;
    run_model run = run_text(wagons, BI_NATURAL, BI_ALI3P);
    run_to(&run, 0.5);
    size_t size = bi_sim_save(run.sim, NULL, 0);
    void *saved = malloc(size);
    bi_sim_save(run.sim, saved, size);
    run_to(&run, 0.7);
    uint64_t wanted = bi_sim_hash(run.sim);
    assert_int_equal(bi_sim_load(run.sim, saved, size), BI_OK);
    run_to(&run, 0.7);
    assert_true(bi_sim_hash(run.sim) == wanted);
    free(saved);
    run_close(&run);
}

static void test_constraint_that_is_open_when_it_takes_hold_is_reported(void **state)
{
    (void)state;
    static const char text[] = "biela: 1\nname: late\ngravity: [0, 0, -9.81]\n"
                               "bodies: {bob: {mass: 1.5, inertia: [0.1, 0.1, 0.1], at: [1, 0, 0]}}\n"
                               "constraints:\n"
                               "  hook: {type: coincide, a: {body: ground, at: [1, 0, 0]}, b: {body: bob}, "
                               "active: t > 0.3}\n";
    run_model run = run_text(text, BI_NATURAL, BI_ALI3P);
    bi_status status = BI_OK;
    for (int k = 0; k < 1000 && status == BI_OK; k++) {
        status = bi_sim_step(run.sim);
    }
    assert_int_equal(status, BI_CANNOT_ASSEMBLE);
    assert_non_null(strstr(bi_sim_failure(run.sim), "hook becomes active while it is open by 0.4"));
    // it stands where it was, and its state is whole
    assert_true(fabs(bi_sim_view(run.sim).t - 0.301) < 1e-9);
    run_close(&run);
}

// ---- states of signals -----------------------------------------------------------------------------------------------------

// A condition is looked at before each step; a filter beside it must not notice, nor whether somebody reads between the steps.
static const char filtered[] =
    "biela: 1\nname: filter\nsignals: {f: {type: filter, input: 10*t, time: 0.1}}\n"
    "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: prismatic, bodies: [ground, b], axis: [1, 0, 0]}}\n"
    "forces: {p: {type: torque, joint: j, torque: f}}\n"
    "constraints: {c: {type: distance, a: {body: ground, at: [0, 0, 5]}, b: {body: b}, active: t - 100}}\n"
    "outputs: {f: f, place: {joint: j}}\n";

static void test_condition_leaves_states_of_signals_alone(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        run_model quiet = run_text(filtered, sets[k % 2], schemes[k / 2]),
                  read = run_text(filtered, sets[k % 2], schemes[k / 2]);
        for (int i = 0; i < 200; i++) {
            run_step(&quiet);
            run_step(&read);
            assert_true(run_read(&read, "f") > 0.0);
        }
        assert_true(bi_sim_hash(quiet.sim) == bi_sim_hash(read.sim));
        // 10 (t - T (1 - exp(-t / T))); of order two: T (h / T)^2 / 12
        run_expect("filter", fabs(run_read(&quiet, "f") - 10.0 * (0.2 - 0.1 * (1.0 - exp(-2.0)))), 1e-4);
        run_close(&quiet);
        run_close(&read);
    }
}

// A snapshot loaded into a sim that never stepped knows no earlier states.
static void test_condition_after_a_snapshot_into_a_fresh_sim(void **state)
{
    (void)state;
    run_model run = run_text(filtered, BI_NATURAL, BI_ALI3P);
    for (int i = 0; i < 20; i++) {
        run_step(&run);
    }
    size_t size = bi_sim_save(run.sim, NULL, 0);
    void *saved = malloc(size);
    assert_int_equal(bi_sim_save(run.sim, saved, size), size);
    bi_sim *other = bi_sim_create(run.system);
    assert_int_equal(bi_sim_load(other, saved, size), BI_OK);
    run_step(&run);
    assert_int_equal(bi_sim_step(other), BI_OK);
    assert_true(bi_sim_hash(other) == bi_sim_hash(run.sim));
    bi_sim_destroy(other);
    free(saved);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bob_flies_on_when_its_rope_is_cut),
        cmocka_unit_test(test_wagons_couple_without_rebound),
        cmocka_unit_test(test_snapshot_remembers_what_holds),
        cmocka_unit_test(test_constraint_that_is_open_when_it_takes_hold_is_reported),
        cmocka_unit_test(test_condition_leaves_states_of_signals_alone),
        cmocka_unit_test(test_condition_after_a_snapshot_into_a_fresh_sim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
