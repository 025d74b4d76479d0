// SPDX-License-Identifier: MIT
// ali3p-flex: vibrations of flexible bodies with a phase of order four (docs/theory/phase.md), against closed forms of the vibration
// and of the scheme itself, and the nonlinear beam of example 1.
#include "support/run_model.h"
#include <stdlib.h>

enum { NODES = 11 };
static const double length = 1.0, mass = 2.0, gravity = 9.0;

// A clamped bar of lumped masses with the one shape x^2, stiff enough for `own` rad/s; it sags under its weight, from rest.
static run_model clamped_bar(double own, bi_scheme scheme, double dt, double *load)
{
    bi_vec3 at[NODES], shape[NODES];
    double node_mass[NODES], modal_mass = 0.0, modal_load = 0.0;
    for (int i = 0; i < NODES; i++) {
        double x = (double)i / (NODES - 1), psi = x * x;
        at[i] = (bi_vec3){ length * x, 0.0, 0.0 };
        shape[i] = (bi_vec3){ 0.0, 0.0, psi };
        node_mass[i] = mass / (NODES - 1) * (i == 0 || i == NODES - 1 ? 0.5 : 1.0);
        modal_mass += node_mass[i] * psi * psi;
        modal_load += node_mass[i] * psi;
    }
    double stiffness = own * own * modal_mass, damping = 0.0;
    *load = -gravity * modal_load / modal_mass;
    bi_modes modes = { NODES, 1, at, node_mass, shape, &stiffness, &damping, NULL, NULL, false };
    bi_model *model = bi_model_create("clamped bar");
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, -gravity });
    bi_body bar = bi_add_body(model, &(bi_body_def){ .name = "bar", .flex = &modes });
    bi_add_joint(model, &(bi_joint_def){ .name = "clamp", .kind = BI_FIXED, .a = BI_GROUND, .b = bar });
    bi_add_output(model, &(bi_output_def){
                             .name = "T", .kind = BI_OUT_POINT, .body = bar, .at = { length, 0.0, 0.0 } });
    return run_start(model, scheme, dt, 1.0);
}

// Largest difference to s (1 - cos(turn per step * n)) over s, after n steps.
static double sag_error(double own, bi_scheme scheme, double dt, int steps, double per_step)
{
    double load, worst = 0.0;
    run_model run = clamped_bar(own, scheme, dt, &load);
    double size = load / (own * own);
    for (int n = 1; n <= steps; n++) {
        run_step(&run);
        double wanted = size * (1.0 - cos(per_step * n));
        worst = fmax(worst, fabs(run_read(&run, "T.z") - wanted) / fabs(size));
    }
    run_close(&run);
    return worst;
}

// q'' (1 - c (omega h)^2) + omega^2 q = load by generalised-alpha, rho = 0.9: the scheme written out for one amplitude (phase.2).
static void test_vibration_follows_the_corrected_rule(void **state)
{
    (void)state;
    const double rho = 0.9, am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0);
    const double gamma = 0.5 - am + af, beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    const double c = (11.0 * rho * rho - 14.0 * rho + 11.0) / (12.0 * (rho + 1.0) * (rho + 1.0));
    for (int k = 1; k <= 3; k++) {
        double own = 30.0, h = 0.09 * k / own, load, worst = 0.0;
        run_model run = clamped_bar(own, BI_ALI3P_FLEX, h, &load);
        double inertia = 1.0 - c * own * own * h * h, q = 0.0, v = 0.0, a = load / inertia, d = a;
        for (int n = 1; n <= 200; n++) {
            // q_1 = q_p + beta h^2 d_1 and d_1 from a_1 = (load - omega^2 q_1) / inertia
            double fixed = q + h * v + h * h * (0.5 - beta) * d, carry = (af * a - am * d) / (1.0 - am);
            double share = (1.0 - af) / (1.0 - am), stiff = share * own * own / inertia;
            double next = (carry + share * load / inertia - stiff * fixed) / (1.0 + stiff * beta * h * h);
            v += h * ((1.0 - gamma) * d + gamma * next);
            q = fixed + h * h * beta * next;
            a = (load - own * own * q) / inertia;
            d = next;
            run_step(&run);
            worst = fmax(worst, fabs(run_read(&run, "T.z") - q) * own * own / fabs(load));
        }
        // linear: nothing but rounding, which 200 steps add up
        run_expect("vibration of the rule", worst, 1e-11);
        run_close(&run);
    }
}

static void test_phase_error_falls_with_the_fourth_power_of_the_step(void **state)
{
    (void)state;
    // as long as the correction is whole: a free bar with this shape swings six times as fast (phase.4)
    const double own = 30.0, h = 0.28 / own;
    double coarse = sag_error(own, BI_ALI3P_FLEX, h, 143, own * h),
           fine = sag_error(own, BI_ALI3P_FLEX, 0.5 * h, 286, 0.5 * own * h);
    // (omega h)^4/480 of 40 rad, and 16 times less
    run_expect("phase error at omega h = 0.28", coarse, 1.1 * 40.0 * pow(0.28, 4) / 480.0);
    printf("measured phase: %.3e %.3e, ratio %.1f\n", coarse, fine, coarse / fine);
    assert_true(coarse / fine > 14.0 && coarse / fine < 19.0);
    // the trapezoidal rule is off by (omega h)^2/12 of 40 rad: a quarter of it
    assert_true(sag_error(own, BI_ALI3P, h, 143, own * h) > 100.0 * coarse);
}

static void test_vibration_faster_than_the_step_stays_bounded(void **state)
{
    (void)state;
    double load;
    run_model run = clamped_bar(3000.0, BI_ALI3P_FLEX, 2e-2, &load);
    double most = 0.0;
    for (int n = 1; n <= 2000; n++) {
        run_step(&run);
        most = fmax(most, fabs(run_read(&run, "T.z") * 9e6 / load));
    }
    // twice the sag at rest, as the vibration itself
    run_expect("fast vibration", most, 2.0 + 1e-4);
    run_close(&run);
}

// ---- mechanisms --------------------------------------------------------------------------------------------------------

static double bar_error(bi_scheme scheme)
{
    bi_table table = run_reference("flex-bar", "ex1_ge.csv");
    run_column column[] = { { "sigma_top_mid", 17.85e6, 0.0 } }; // the largest of the reference
    run_model run = run_open(&(run_case){
        .model = "flex-bar", .scheme = scheme, .dt = 5e-3, .time = 2.0, .coordinates = BI_JOINT });
    double error = run_compare(&run, &table, column, 1);
    run_close(&run);
    bi_table_clear(&table);
    return error;
}

static void test_flexible_bar_needs_a_tenth_of_the_steps(void **state)
{
    (void)state;
    // 1.8 % is what its modes lack at any step; the trapezoidal rule needs 0.5 ms for it
    run_expect("flex-bar at 5 ms, stress", bar_error(BI_ALI3P_FLEX), 0.025);
    assert_true(bar_error(BI_ALI3P) > 0.08);
}

static void test_both_formulations_move_alike(void **state)
{
    (void)state;
    run_case what = { .model = "flex-double-pendulum", .scheme = BI_ALI3P_FLEX, .dt = 1e-3, .time = 0.3 };
    run_model a = run_open(&what);
    what.coordinates = BI_JOINT;
    run_model b = run_open(&what);
    double worst = 0.0;
    for (int k = 0; k < 300; k++) {
        run_step(&a);
        run_step(&b);
        worst = fmax(worst, fabs(run_read(&a, "y_tip") - run_read(&b, "y_tip")));
    }
    // both of order two in the large motion; their difference, at 0.4 m of path
    run_expect("formulations, y_tip", worst, 1e-6);
    run_close(&a);
    run_close(&b);
}

static void test_work_of_a_guide_is_counted(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "flex-spin-up",
                                          .scheme = BI_ALI3P_FLEX,
                                          .dt = 1e-2,
                                          .time = 15.0,
                                          .coordinates = BI_JOINT });
    while (run_now(&run) < 15.0 - 1e-6) {
        run_step(&run);
    }
    // all energy comes from the motor, 7.2 kJ of rotation
    double energy = run_read(&run, "energy.kinetic"), balance = run_read(&run, "energy.balance");
    assert_true(energy > 7000.0);
    run_expect("spin-up, balance", fabs(balance) / energy, 1e-5);
    run_close(&run);
}

static void test_a_restored_run_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    run_case what = { .model = "flex-double-pendulum", .scheme = BI_ALI3P_FLEX, .dt = 1e-3, .time = 1.0 };
    run_model a = run_open(&what), b = run_open(&what);
    for (int k = 0; k < 20; k++) {
        run_step(&a);
    }
    // a step of another length in between changes what is taken from the inertia
    assert_int_equal(bi_sim_step_to(a.sim, run_now(&a) + 0.7e-3), BI_OK);
    size_t size = bi_sim_save(a.sim, NULL, 0);
    char *kept = malloc(size);
    assert_non_null(kept);
    bi_sim_save(a.sim, kept, size);
    assert_int_equal(bi_sim_load(b.sim, kept, size), BI_OK);
    for (int k = 0; k < 50; k++) {
        run_step(&a);
        run_step(&b);
    }
    assert_true(bi_sim_hash(a.sim) == bi_sim_hash(b.sim));
    free(kept);
    run_close(&a);
    run_close(&b);
}

// The rod rings far above 1/h and passes dead centres: undamped rules gain energy there sooner or later.
static void test_stiff_rod_stays_calm_over_many_turns(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "flex-slider-crank",
                                          .scheme = BI_ALI3P_FLEX,
                                          .dt = 1e-3,
                                          .time = 6.0,
                                          .coordinates = BI_JOINT });
    double most = 0.0, start = 0.0;
    for (int k = 0; k < 6000; k++) {
        run_step(&run);
        double energy = run_read(&run, "energy.total");
        start = k == 100 ? energy : start; // the impulse is over
        most = fmax(most, energy);
    }
    run_expect("stiff rod, energy gained", most / start - 1.0, 1e-3);
    run_close(&run);
}

static void test_slider_crank_needs_a_quarter_of_the_steps(void **state)
{
    (void)state;
    bi_table table = run_reference("flex-slider-crank", "ex3_ffrf.csv");
    run_column column[] = { { "sigma_mid_center", 2.855e6, 0.0 } }; // the largest of the reference
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){ .model = "flex-slider-crank",
                                              .scheme = BI_ALI3P_FLEX,
                                              .dt = 5e-4,
                                              .time = 0.3,
                                              .coordinates = k == 0 ? BI_NATURAL : BI_JOINT });
        // projections in every step would leave 2 %
        run_expect("slider-crank at 0.5 ms, stress", run_compare(&run, &table, column, 1), 0.005);
        run_close(&run);
    }
    bi_table_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vibration_follows_the_corrected_rule),
        cmocka_unit_test(test_phase_error_falls_with_the_fourth_power_of_the_step),
        cmocka_unit_test(test_vibration_faster_than_the_step_stays_bounded),
        cmocka_unit_test(test_flexible_bar_needs_a_tenth_of_the_steps),
        cmocka_unit_test(test_stiff_rod_stays_calm_over_many_turns),
        cmocka_unit_test(test_slider_crank_needs_a_quarter_of_the_steps),
        cmocka_unit_test(test_both_formulations_move_alike),
        cmocka_unit_test(test_work_of_a_guide_is_counted),
        cmocka_unit_test(test_a_restored_run_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
