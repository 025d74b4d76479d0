// SPDX-License-Identifier: MIT
// The hand that pulls bodies against closed forms; the state of a run carried to a system with other numbers.
#include "support/run_model.h"
#include <biela/look.h>
#include <biela/state.h>
#include <stdlib.h>

static const double mass = 2.0, stiffness = 8.0; // critical damping: w = 2 1/s
static const double turning = 0.5;               // kg m2

static void advance(bi_sim *sim, double t)
{
    while (bi_sim_time(sim) < t - 1e-9) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
    }
}

typedef struct {
    bi_model *model;
    bi_system *system;
    bi_sim *sim;
} floating;

static floating start(bi_coordinates coordinates)
{
    bi_report report = { 0 };
    floating f = { .model = bi_model_create("floating") };
    bi_model_gravity(f.model, (bi_vec3){ 0, 0, 0 });
    bi_add_body(f.model, &(bi_body_def){ .name = "other", .mass = 1.0, .inertia = { 1, 1, 1 } });
    bi_add_body(f.model,
                &(bi_body_def){ .name = "box", .mass = mass, .inertia = { turning, turning, turning } });
    assert_true(bi_add_hand(f.model));
    assert_false(bi_add_hand(f.model));
    f.system = bi_compile(f.model, &(bi_options){ .coordinates = coordinates, .dt = 1e-3 }, &report);
    run_require(f.system != NULL, &report, "compiles");
    f.sim = bi_sim_create(f.system);
    run_require(bi_sim_start(f.sim, &report) == BI_OK, &report, "starts");
    bi_report_clear(&report);
    return f;
}

static void stop(floating *f)
{
    bi_sim_destroy(f->sim);
    bi_system_destroy(f->system);
    bi_model_destroy(f->model);
}

static void put(const floating *f, const char *name, double value)
{
    bi_input input = bi_find_input(f->system, name);
    assert_true(input.i > 0);
    bi_sim_input(f->sim, input, value);
}

static bi_vec3 place(const floating *f, int body) { return bi_sim_view(f->sim).pose[body].pos; }

// x = X (1 - (1 + w t) exp(-w t)). An input that jumps sets in along the first step: as if from its middle on. The
// scheme is of second order: (h w)2 of X, 2e-6.
static void test_a_body_held_at_its_centre_follows_as_a_critical_spring(void **state)
{
    (void)state;
    const bi_coordinates sets[] = { BI_NATURAL, BI_JOINT };
    for (int s = 0; s < 2; s++) {
        floating f = start(sets[s]);
        put(&f, "hand_body", 2.0);
        put(&f, "hand_to_x", 0.5);
        put(&f, "hand_stiffness", stiffness);
        double t = 1.5, w = sqrt(stiffness / mass);
        advance(f.sim, t);
        t -= 0.5e-3;
        double error = fabs(place(&f, 2).x - 0.5 * (1.0 - (1.0 + w * t) * exp(-w * t)));
        printf("measured hand error=%.3g limit=2e-6\n", error);
        assert_true(error < 2e-6);
        // the other one is not touched
        assert_true(place(&f, 1).x == 0.0);
        stop(&f);
    }
}

// Held at an arm r, it begins to turn with r x k s / I and to move with k s / m: after one small time t both are half of
// that times t2, but for parts of t3.
static void test_a_body_held_at_an_arm_turns_as_its_torque_says(void **state)
{
    (void)state;
    floating f = start(BI_NATURAL);
    put(&f, "hand_body", 2.0);
    put(&f, "hand_y", 0.25);
    put(&f, "hand_to_x", 1.0);
    put(&f, "hand_to_y", 0.25);
    put(&f, "hand_stiffness", stiffness);
    double t = 0.0195; // from the middle of the first step on
    advance(f.sim, t + 0.5e-3);
    double angle = 2.0 * asin(bi_sim_view(f.sim).pose[2].rot.z);
    double turn = -0.25 * stiffness / turning * t * t / 2.0, way = stiffness / mass * t * t / 2.0;
    // of the centre damping takes 2 w t / 3, 2.6 %, of the turn by the arm another part of that: 6 % stand for both
    assert_true(fabs(angle / turn - 1.0) < 0.06);
    assert_true(fabs(place(&f, 2).x / way - 1.0) < 0.06);
    stop(&f);
}

static void test_a_hand_at_rest_changes_no_bit(void **state)
{
    (void)state;
    double angle[2];
    for (int has_hand = 0; has_hand < 2; has_hand++) {
        bi_report report = { 0 };
        bi_model *m = bi_model_create("pendulum");
        bi_body rod = bi_add_body(
            m,
            &(bi_body_def){ .name = "rod", .mass = 1.0, .com = { 0.5, 0, 0 }, .inertia = { 0.1, 0.1, 0.1 } });
        bi_add_joint(m,
                     &(bi_joint_def){
                         .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0, 1, 0 } });
        assert_true(!has_hand || bi_add_hand(m));
        bi_system *system = bi_compile(m, &(bi_options){ .dt = 1e-3 }, &report);
        run_require(system != NULL, &report, "compiles");
        bi_sim *sim = bi_sim_create(system);
        run_require(bi_sim_start(sim, &report) == BI_OK, &report, "starts");
        advance(sim, 2.0);
        angle[has_hand] = bi_sim_view(sim).pose[1].rot.y;
        bi_sim_destroy(sim);
        bi_system_destroy(system);
        bi_model_destroy(m);
        bi_report_clear(&report);
    }
    assert_true(angle[0] == angle[1] && angle[0] != 0.0);
}

// ---- carried over ------------------------------------------------------------------------------------------------------

// With the same numbers it goes on as the other one does; what carrying changes are accelerations that are made anew.
static void carry(const char *model, const char *channel, double limit)
{
    run_model a = run_open(&(run_case){ .model = model }), b = run_open(&(run_case){ .model = model });
    assert_true(run_to(&a, 0.5));
    assert_true(bi_system_is_alike(b.system, a.system));
    assert_int_equal(bi_sim_carry(b.sim, a.sim, NULL), BI_OK);
    assert_true(bi_sim_time(b.sim) == 0.0);
    assert_true(run_to(&a, 0.7) && run_to(&b, 0.2));
    double error = fabs(run_read(&a, channel) - run_read(&b, channel));
    printf("measured carry-%s error=%.3g limit=%g\n", model, error, limit);
    assert_true(error < limit);
    run_close(&a);
    run_close(&b);
}

static void test_a_carried_run_goes_on_as_the_other(void **state)
{
    (void)state;
    carry("double-pendulum", "tip.x", 1e-6);
    carry("bond-motor", "graph.La.p", 1e-6);
}

static void test_other_variables_are_refused(void **state)
{
    (void)state;
    run_model a = run_open(&(run_case){ .model = "double-pendulum" }),
              b = run_open(&(run_case){ .model = "pendulum" });
    uint64_t before = bi_sim_hash(b.sim);
    assert_false(bi_system_is_alike(a.system, b.system));
    assert_int_equal(bi_sim_carry(b.sim, a.sim, NULL), BI_BAD_ARGUMENT);
    assert_true(bi_sim_hash(b.sim) == before && strstr(bi_sim_failure(b.sim), "same variables"));
    run_close(&a);
    run_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_body_held_at_its_centre_follows_as_a_critical_spring),
        cmocka_unit_test(test_a_body_held_at_an_arm_turns_as_its_torque_says),
        cmocka_unit_test(test_a_hand_at_rest_changes_no_bit),
        cmocka_unit_test(test_a_carried_run_goes_on_as_the_other),
        cmocka_unit_test(test_other_variables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
