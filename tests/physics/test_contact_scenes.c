// SPDX-License-Identifier: MIT
// Models of many bodies that touch: each runs, calls itself good, and has one number that is known.
#include "support/run_model.h"

static run_model open_model(const char *name, const char *named_run, bi_coordinates coordinates)
{
    return run_open(&(run_case){ .model = name, .run = named_run, .coordinates = coordinates });
}

// The run to its end, good by its own verdict.
static void run_well(run_model *run)
{
    run_to(run, run->time);
    bi_verdict verdict = bi_sim_verdict(run->sim);
    if (verdict.outcome != BI_GOOD) {
        fail_msg("%s", verdict.line);
    }
}

// t = V/a with a = mu g cos - g sin (conveyor.csv of the reference data: 0.407747196738022 s, 0.407747196738022 m; uphill
// 0.476731592112183 s); after it the box has the speed of the belt and stays behind by V t/2.
static void test_box_on_a_belt_gets_its_speed_in_time(void **state)
{
    (void)state;
    run_model run = open_model("conveyor", NULL, BI_JOINT);
    run_to(&run, 0.4);
    // sliding from the first instant: one step of the stick spring at most
    run_expect("conveyor: acceleration", fabs(run_read(&run, "box.vx") / 0.4 - 4.905) / 4.905, 1e-4);
    run_well(&run);
    // it overshoots by the stick spring, tau = 2 ms: V t/2 to mu g tau^2 and a step of 1 ms
    double behind = run_read(&run, "run.position") - run_read(&run, "box.x");
    run_expect("conveyor: slip distance, m", fabs(behind - 0.407747196738022), 1e-4);
    run_expect("conveyor: speed of the belt", fabs(run_read(&run, "box.vx") - 2.0), 1e-6);
    run_close(&run);
    run = open_model("conveyor", "uphill", BI_NATURAL);
    run_well(&run);
    double way =
        hypot(run_read(&run, "box.x"), run_read(&run, "box.z")); // the box started 5 cm above the belt
    way = sqrt(way * way - 0.05 * 0.05);
    run_expect("conveyor uphill: slip distance, m",
               fabs(run_read(&run, "run.position") - way - 0.357548694084137), 1e-3);
    run_close(&run);
}

static void test_box_on_a_belt_too_steep_slides_back(void **state)
{
    (void)state;
    run_model run = open_model("conveyor", "too-steep", BI_JOINT);
    run_well(&run);
    double slope = 20.0 * run_pi / 180.0;
    double rate = run_read(&run, "box.vx") * cos(slope) + run_read(&run, "box.vz") * sin(slope);
    run_expect("conveyor too steep: acceleration", fabs(rate + 0.589702223051882) / 0.589702223051882, 1e-3);
    run_close(&run);
}

// The first one turns about its edge and hits the second (row 1 of the domino wave of the reference data: 0.070529106 s).
// What follows is faster there than here and means another model; see models/domino.
static void test_first_domino_hits_in_time_and_all_fall(void **state)
{
    (void)state;
    run_model run = open_model("domino", NULL, BI_JOINT);
    run_well(&run);
    bi_event first;
    assert_true(bi_sim_event(run.sim, 0, &first));
    assert_string_equal(first.name, "hit2");
    // the edge gives way by mm/1000: 1e-3 of the time
    run_expect("domino: first hit", fabs(first.t - 0.070529106336556) / 0.070529106336556, 1e-3);
    bool is_last = false;
    for (int k = 0; k < bi_sim_event_count(run.sim); k++) {
        bi_event e;
        is_last = is_last || (bi_sim_event(run.sim, k, &e) && strcmp(e.name, "last") == 0);
    }
    assert_true(is_last);
    run_close(&run);
}

// Forces of pairs that live are found apart from those of the last iteration, which say nothing of them: fourteen dominoes lost
// their first hit.
static void test_events_of_a_long_row_come_as_those_of_a_short_one(void **state)
{
    (void)state;
    double t[2];
    const char *count[] = { "6", "20" };
    for (int k = 0; k < 2; k++) {
        const bi_setting set = { "N", count[k] };
        run_model run = run_open(
            &(run_case){ .model = "domino", .settings = &set, .n_settings = 1, .coordinates = BI_JOINT });
        run_to(&run, 0.08);
        bi_event first;
        assert_true(bi_sim_event(run.sim, 0, &first));
        assert_string_equal(first.name, "hit2");
        t[k] = first.t;
        run_close(&run);
    }
    run_expect("domino: first hit in a long row, s", fabs(t[1] - t[0]), 1e-6);
}

// In the mean over five teeth the wheel turns 18/27 as fast, and the drive carries 18/27 of the load.
static void test_gears_turn_in_the_ratio_of_their_teeth(void **state)
{
    (void)state;
    run_model run = open_model("gears", NULL, BI_JOINT);
    double from = 0.05, tooth = 2.0 * run_pi / 18.0 / 6.0, torque = 0.0;
    run_to(&run, from);
    double start = run_read(&run, "wheel.angle");
    enum { SAMPLES = 240 };
    for (int k = 1; k <= SAMPLES; k++) {
        run_to(&run, from + 4.0 * tooth * k / SAMPLES);
        torque += run_read(&run, "drive") / SAMPLES;
    }
    double turned = start - run_read(&run, "wheel.angle"), wanted = 4.0 * 2.0 * run_pi / 27.0;
    run_expect("gears: ratio", fabs(turned - wanted) / wanted, 2e-3);
    run_expect("gears: torque", fabs(torque - 20.0 * 18.0 / 27.0) / 20.0, 0.1);
    run_well(&run);
    run_close(&run);
}

// Nothing is lost: no box is below the floor, the energy has fallen.
static void test_pile_stays_above_the_floor(void **state)
{
    (void)state;
    run_model run = open_model("pile", NULL, BI_JOINT);
    double energy = run_read(&run, "energy.total");
    run_well(&run);
    bi_view view = bi_sim_view(run.sim);
    for (int b = 1; b < view.n_body; b++) {
        assert_true(view.pose[b].pos.z > 0.09); // half the height of a box, less the depth
    }
    assert_true(run_read(&run, "energy.total") < energy);
    run_close(&run);
}

// The same of balls, capsules, cylinders and octahedra, whose least half thickness is h/2/sqrt(1 + (h/a)^2 + (h/b)^2).
static void test_piles_of_other_shapes_stay_above_the_floor(void **state)
{
    (void)state;
    const char *shapes[] = { "1", "2", "3", "4" };
    for (int k = 0; k < 4; k++) {
        const bi_setting set = { "shape", shapes[k] };
        run_model run = run_open(
            &(run_case){ .model = "pile", .settings = &set, .n_settings = 1, .coordinates = BI_JOINT });
        run_well(&run);
        bi_view view = bi_sim_view(run.sim);
        for (int b = 1; b < view.n_body; b++) {
            assert_true(view.pose[b].pos.z > (k < 3 ? 0.095 : 0.075));
        }
        run_close(&run);
    }
}

static void test_all_balls_leave_the_hopper(void **state)
{
    (void)state;
    run_model run = open_model("hopper", NULL, BI_JOINT);
    run_well(&run);
    bi_view view = bi_sim_view(run.sim);
    for (int b = 1; b < view.n_body; b++) {
        // below the opening, above the floor at -0.4 m
        assert_true(view.pose[b].pos.z < -0.02 && view.pose[b].pos.z > -0.4);
    }
    run_close(&run);
}

// Two half turns of the gait, each a sweep of the standing legs by 2 R sin(swing), feet that slip take from it.
static void test_toy_walks_its_steps(void **state)
{
    (void)state;
    run_model run = open_model("walking", NULL, BI_JOINT);
    run_to(&run, 1.0);
    double x = run_read(&run, "body.x");
    run_well(&run);
    double step = run_read(&run, "body.x") - x, ideal = 2.0 * 2.0 * 0.12 * sin(20.0 * run_pi / 180.0);
    assert_true(step > 0.7 * ideal && step < ideal);
    assert_true(fabs(run_read(&run, "body.y")) < 0.01 && fabs(run_read(&run, "body.z") - 0.108) < 0.01);
    run_close(&run);
}

// What the truck pushes goes at its speed.
static void test_truck_pushes_the_wall_of_crates(void **state)
{
    (void)state;
    run_model run = open_model("wall-of-crates", NULL, BI_JOINT);
    double x = run_read(&run, "crate1.x");
    run_well(&run);
    // 1.5 m/s over what is left after the way of 0.18 m to the wall
    double pushed = run_read(&run, "crate1.x") - x;
    assert_true(pushed > 0.3 && pushed < 0.8);
    for (int k = 1; k <= 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "crate%d.z", k);
        assert_true(run_read(&run, name) > 0.29);
    }
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_on_a_belt_gets_its_speed_in_time),
        cmocka_unit_test(test_box_on_a_belt_too_steep_slides_back),
        cmocka_unit_test(test_first_domino_hits_in_time_and_all_fall),
        cmocka_unit_test(test_events_of_a_long_row_come_as_those_of_a_short_one),
        cmocka_unit_test(test_gears_turn_in_the_ratio_of_their_teeth),
        cmocka_unit_test(test_pile_stays_above_the_floor),
        cmocka_unit_test(test_piles_of_other_shapes_stay_above_the_floor),
        cmocka_unit_test(test_all_balls_leave_the_hopper),
        cmocka_unit_test(test_toy_walks_its_steps),
        cmocka_unit_test(test_truck_pushes_the_wall_of_crates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
