// SPDX-License-Identifier: MIT
// Explicit schemes against motions of one degree of freedom that the test integrates itself: their orders, what error control
// promises, dense output, Baumgarte's terms, the cost of a step.
#include "support/text_model.h"
#include <stdlib.h>

// ---- the exact motions -------------------------------------------------------------------------------------------------

// Second rate of the angle against x of the pendulum A01, and of the cranks of A02 with two windows.
static double pendulum_law(double angle) { return -9.81 * cos(angle); }

static double four_bars_law(double angle)
{
    const double n = 2.0;
    return -9.81 * ((n + 1.0) / 2.0 + n) * cos(angle) / ((n + 1.0) / 3.0 + n);
}

typedef struct {
    const char *model, *x, *y;
    double (*law)(double angle);
    double angle, rate; // at t = 0
} exact_motion;
static const exact_motion pendulum = { "pendulum", "P.x", "P.y", pendulum_law, 3.14159265358979323846, 0.0 };
static const exact_motion four_bars = { "four-bars", "B0.x", "B0.y", four_bars_law, 1.57079632679489661923,
                                        -1.0 };

// Classic Runge-Kutta with 20 us: error below 1e-14.
static double exact_angle(const exact_motion *m, double time)
{
    int n = (int)ceil(time / 2e-5);
    double h = time / n, q = m->angle, v = m->rate;
    for (int k = 0; k < n; k++) {
        double a1 = m->law(q), v2 = v + 0.5 * h * a1, a2 = m->law(q + 0.5 * h * v);
        double v3 = v + 0.5 * h * a2, a3 = m->law(q + 0.5 * h * v2), v4 = v + h * a3;
        double a4 = m->law(q + h * v3);
        q += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return q;
}

static double error_now(run_model *run, const exact_motion *m, double time)
{
    double angle = exact_angle(m, time);
    return hypot(run_read(run, m->x) - cos(angle), run_read(run, m->y) - sin(angle));
}

static double error_of(const exact_motion *m, bi_scheme scheme, bi_coordinates coordinates, double dt,
                       int steps)
{
    run_model run =
        run_open(&(run_case){ .model = m->model, .scheme = scheme, .dt = dt, .coordinates = coordinates });
    for (int k = 0; k < steps; k++) {
        run_step(&run);
    }
    double error = error_now(&run, m, dt * steps);
    run_close(&run);
    return error;
}

// ---- orders ------------------------------------------------------------------------------------------------------------

static void expect_order(const exact_motion *m, bi_scheme scheme, double dt, double order)
{
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        int steps = (int)(0.32 / dt + 0.5);
        double coarse = error_of(m, scheme, (bi_coordinates)c, dt, steps);
        double fine = error_of(m, scheme, (bi_coordinates)c, 0.5 * dt, 2 * steps);
        double measured = log2(coarse / fine);
        printf("measured order %s scheme %d coordinates %d: %.2f (error %.1e)\n", m->model, (int)scheme, c,
               measured, fine);
        // leading terms only: a quarter of an order below, and some schemes are better on some motions
        assert_true(measured > order - 0.25);
        assert_true(measured < order + 1.5);
    }
}

static void test_euler_has_order_one(void **state)
{
    (void)state;
    expect_order(&pendulum, BI_EULER, 2e-3, 1.0);
    expect_order(&four_bars, BI_EULER, 2e-3, 1.0);
}

static void test_semi_implicit_euler_has_order_one(void **state)
{
    (void)state;
    expect_order(&pendulum, BI_SEMI_IMPLICIT_EULER, 2e-3, 1.0);
    expect_order(&four_bars, BI_SEMI_IMPLICIT_EULER, 2e-3, 1.0);
}

static void test_heun_has_order_two(void **state)
{
    (void)state;
    expect_order(&pendulum, BI_HEUN, 4e-3, 2.0);
    expect_order(&four_bars, BI_HEUN, 4e-3, 2.0);
}

static void test_rk4_has_order_four(void **state)
{
    (void)state;
    expect_order(&pendulum, BI_RK4, 1e-2, 4.0);
    expect_order(&four_bars, BI_RK4, 1e-2, 4.0);
}

static void test_dopri5_has_order_five(void **state)
{
    (void)state;
    expect_order(&pendulum, BI_DOPRI5, 4e-2, 5.0);
    expect_order(&four_bars, BI_DOPRI5, 4e-2, 5.0);
}

// ---- error control ------------------------------------------------------------------------------------------------------

typedef struct {
    double worst; // at the instants asked for, m
    int64_t steps;
} controlled;

static controlled run_controlled(const exact_motion *m, double accuracy, bi_coordinates coordinates,
                                 double time, int rows)
{
    run_model run = run_open(&(run_case){ .model = m->model, .coordinates = coordinates });
    bi_options options = {
        .scheme = BI_DOPRI5, .coordinates = coordinates, .dt = 1e-2, .accuracy = accuracy, .horizon = time
    };
    bi_system *system = bi_compile(run.model, &options, &run.report);
    assert_non_null(system);
    bi_sim *sim = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, &run.report), BI_OK);
    controlled out = { 0 };
    bi_channel x = bi_find_channel(system, m->x), y = bi_find_channel(system, m->y);
    for (int k = 1; k <= rows; k++) {
        double t = time * k / rows, angle = exact_angle(m, t);
        assert_int_equal(bi_sim_step_to(sim, t), BI_OK);
        out.worst =
            fmax(out.worst, hypot(bi_sim_read(sim, x) - cos(angle), bi_sim_read(sim, y) - sin(angle)));
    }
    out.steps = bi_sim_statistics(sim).steps;
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    run_close(&run);
    return out;
}

static void test_dopri5_meets_its_tolerance(void **state)
{
    (void)state;
    static const double accuracy[] = { 1e-4, 1e-6, 1e-8, 1e-10 };
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        for (int k = 0; k < 4; k++) {
            controlled r = run_controlled(&pendulum, accuracy[k], (bi_coordinates)c, 3.0, 7);
            printf("measured dopri5 coordinates %d tolerance=%.0e error=%.1e steps=%lld\n", c, accuracy[k],
                   r.worst, (long long)r.steps);
            assert_true(r.worst <= accuracy[k]);
        }
    }
}

static void test_dense_output_between_steps_is_as_good_as_the_steps(void **state)
{
    (void)state;
    // 300 instants, far more than steps: nearly all of them lie inside a step
    controlled few = run_controlled(&pendulum, 1e-6, BI_JOINT, 3.0, 3);
    controlled many = run_controlled(&pendulum, 1e-6, BI_JOINT, 3.0, 300);
    printf("measured dense output error=%.1e against %.1e\n", many.worst, few.worst);
    assert_true(many.worst <= 1e-6);
    // asking does not change the run: each instant is told as one step more at most
    assert_true(few.steps < 120);
}

// ---- constraints ---------------------------------------------------------------------------------------------------------

static double worst_closure(const char *model, bi_coordinates coordinates, double alpha, double dt, int steps)
{
    run_model run = run_open(&(run_case){ .model = model, .coordinates = coordinates });
    bi_options options = { .scheme = BI_HEUN, .coordinates = coordinates, .dt = dt, .baumgarte = alpha };
    bi_system *system = bi_compile(run.model, &options, &run.report);
    bi_sim *sim = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, &run.report), BI_OK);
    double worst = 0.0;
    for (int k = 0; k < steps; k++) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
        worst = fmax(worst, bi_sim_statistics(sim).violation);
    }
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    run_close(&run);
    return worst;
}

static void test_baumgarte_holds_constraints_that_would_drift(void **state)
{
    (void)state;
    // with a rate of 1e-6 1/s nothing pulls back: the drift of Heun alone
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        double drift = worst_closure("bricard", (bi_coordinates)c, 1e-6, 5e-3, 4000);
        double held = worst_closure("bricard", (bi_coordinates)c, 50.0, 5e-3, 4000);
        double projected = worst_closure("bricard", (bi_coordinates)c, 0.0, 5e-3, 4000);
        printf("measured closure coordinates %d: drift %.1e baumgarte %.1e projection %.1e\n", c, drift, held,
               projected);
        assert_true(held < 0.1 * drift);
        assert_true(projected < 1e-12);
    }
}

static void test_semi_implicit_euler_factors_once_per_step(void **state)
{
    (void)state;
    run_model run =
        run_open(&(run_case){ .model = "pendulum", .scheme = BI_SEMI_IMPLICIT_EULER, .dt = 1e-3 });
    for (int k = 0; k < 200; k++) {
        run_step(&run);
    }
    bi_statistics s = bi_sim_statistics(run.sim);
    assert_true(s.factors <= 2 * s.steps);
    run_close(&run);
}

static void test_semi_implicit_euler_does_not_pump_energy(void **state)
{
    (void)state;
    // symplectic: the energy swings by a first-order amount and comes back; explicit Euler gains it steadily
    double gain[2];
    const bi_scheme scheme[2] = { BI_EULER, BI_SEMI_IMPLICIT_EULER };
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(
            &(run_case){ .model = "pendulum", .scheme = scheme[k], .dt = 1e-3, .coordinates = BI_JOINT });
        gain[k] = 0.0;
        for (int i = 0; i < 10000; i++) {
            run_step(&run);
            gain[k] = fmax(gain[k], fabs(run_read(&run, "energy.balance")));
        }
        run_close(&run);
    }
    printf("measured energy error in 10 s: euler %.2e J, semi-implicit %.2e J\n", gain[0], gain[1]);
    assert_true(gain[1] < 0.05);
    assert_true(gain[0] > 5.0 * gain[1]);
}

// A fresh sim knows no step before: nothing of the next one may come from there.
static void test_snapshot_into_a_fresh_sim_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    static const bi_scheme scheme[] = { BI_EULER, BI_SEMI_IMPLICIT_EULER, BI_HEUN, BI_RK4, BI_DOPRI5 };
    for (int k = 0; k < 10; k++) {
        run_model run = run_open(
            &(run_case){ .model = "four-bars", .dt = 1e-3, .coordinates = k % 2 ? BI_JOINT : BI_NATURAL });
        bi_sim_destroy(run.sim);
        bi_system_destroy(run.system);
        run_compile(&run, scheme[k / 2]);
        for (int i = 0; i < 20; i++) {
            run_step(&run);
        }
        size_t size = bi_sim_save(run.sim, NULL, 0);
        void *saved = malloc(size);
        assert_int_equal(bi_sim_save(run.sim, saved, size), size);
        bi_sim *fresh = bi_sim_create(run.system);
        assert_int_equal(bi_sim_load(fresh, saved, size), BI_OK);
        for (int i = 0; i < 20; i++) {
            run_step(&run);
            (void)run_read(&run, "energy.kinetic");
            assert_int_equal(bi_sim_step(fresh), BI_OK);
        }
        assert_true(bi_sim_hash(fresh) == bi_sim_hash(run.sim));
        bi_sim_destroy(fresh);
        free(saved);
        run_close(&run);
    }
}

// A pendulum pushed by what a controller and a filter say. Of one stage, too, a rule moves their states: each step by h times the rate
// at its start, which the test does by itself for the filter; the integral of the error goes on.
static void test_states_of_signals_move_with_rules_of_one_stage(void **state)
{
    (void)state;
    const char *text = "bodies: {rod: {mass: 1, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1]}}\n"
                       "joints: {j: {type: revolute, bodies: [ground, rod], axis: [0, 0, 1]}}\n"
                       "signals:\n"
                       "  slow: {type: filter, input: 10*t, time: 0.1}\n"
                       "  hold: {type: pid, setpoint: 1, measured: j.angle, proportional: 1, integral: 2}\n"
                       "forces: {m: {type: torque, joint: j, torque: 0.1*hold + 0*slow}}\n"
                       "outputs: {slow: slow, hold: hold, angle: j.angle}\n";
    double filtered = 0.0;
    for (int k = 0; k < 100; k++) {
        filtered += 1e-3 / 0.1 * (10.0 * 1e-3 * k - filtered);
    }
    const bi_scheme of_one_stage[] = { BI_EULER, BI_SEMI_IMPLICIT_EULER };
    for (int s = 0; s < 2; s++) {
        for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
            run_model run = text_run(&(text_case){ text, (bi_coordinates)c, of_one_stage[s], 1e-3 });
            for (int k = 0; k < 100; k++) {
                run_step(&run);
                run_read(&run, "energy.total");
            }
            double slow = run_read(&run, "slow"), hold = run_read(&run, "hold"),
                   error = 1.0 - run_read(&run, "angle");
            printf("scheme %d coordinates %d: filter %.6f, controller %.6f\n", (int)of_one_stage[s], c, slow,
                   hold);
            assert_true(fabs(slow - filtered) < 1e-9);
            // proportional part, and 2 x 0.1 s of an error that differs from 1 by less than the angle
            assert_true(fabs(hold - error - 0.2) < 0.2 * fabs(1.0 - error) + 1e-9);
            run_close(&run);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_euler_has_order_one),
        cmocka_unit_test(test_semi_implicit_euler_has_order_one),
        cmocka_unit_test(test_heun_has_order_two),
        cmocka_unit_test(test_rk4_has_order_four),
        cmocka_unit_test(test_dopri5_has_order_five),
        cmocka_unit_test(test_dopri5_meets_its_tolerance),
        cmocka_unit_test(test_dense_output_between_steps_is_as_good_as_the_steps),
        cmocka_unit_test(test_baumgarte_holds_constraints_that_would_drift),
        cmocka_unit_test(test_semi_implicit_euler_factors_once_per_step),
        cmocka_unit_test(test_semi_implicit_euler_does_not_pump_energy),
        cmocka_unit_test(test_snapshot_into_a_fresh_sim_goes_on_with_the_same_bits),
        cmocka_unit_test(test_states_of_signals_move_with_rules_of_one_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
