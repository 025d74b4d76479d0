// SPDX-License-Identifier: MIT
// Devices with a low pass, against the closed form of what they tell of a mass that swings: all schemes, restored
// snapshots, automatic steps, chains of devices, events.
#include "support/run_model.h"
#include <complex.h>
#include <stdlib.h>

// 5 Hz, amplitude 1 mm: the accelerometer feels -w^2 x, about 1 m/s^2.
static const char swing[] =
    "biela: 1\nname: swing\ngravity: [0, 0, 0]\n"
    "bodies: {m: {mass: 1, inertia: [1, 1, 1], at: [1 mm, 0, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, m], axis: [1, 0, 0], value: 1 mm}}\n"
    "forces: {k: {type: torsion-spring, joint: rail, stiffness: (10*pi)^2}}\n"
    "outputs:\n  raw: {accelerometer: {body: m}, only: x}\n"
    "  first: {channel: raw, cutoff: 8}\n"
    "  second: {channel: raw, cutoff: 8, order: 2}\n"
    "  opposite: {channel: raw, times: -1, cutoff: 8 Hz, order: 2}\n"
    "  chain: {channel: first, cutoff: 8}\n"
    "  cut: {channel: first, range: [-0.1, 0.1]}\n";
static const double w = 10.0 * 3.14159265358979323846, most = 1e-3;

// Parts of the answer to u = Re(A exp(i w t)), from rest at u: steady one and what fades with the roots s.
static double first_order(double t)
{
    double T = 1.0 / (16.0 * run_pi), A = -most * w * w;
    double complex steady = A / (1.0 + I * w * T);
    return creal(steady * cexp(I * w * t)) + (A - creal(steady)) * exp(-t / T);
}

static double second_order(double t)
{
    double T = 1.0 / (16.0 * run_pi), A = -most * w * w, z = sqrt(0.5);
    double complex steady = A / (1.0 - w * w * T * T + 2.0 * I * z * w * T), s = (-z + I * z) / T;
    double y = A - creal(steady), rate = -creal(I * w * steady);
    // y = Re(B exp(s t)): Re B = y, Re(s B) = rate
    double imaginary = (creal(s) * y - rate) / cimag(s);
    return creal(steady * cexp(I * w * t)) + creal((y + I * imaginary) * cexp(s * t));
}

static run_model open_swing(bi_scheme scheme, bi_coordinates coordinates, double dt, double accuracy)
{
    run_model run = { .dt = dt, .coordinates = coordinates };
    run.model = bi_read_model_text(swing, strlen(swing), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    bi_options options = { .scheme = scheme, .dt = dt, .coordinates = coordinates, .accuracy = accuracy };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "it does not start");
    return run;
}

static void expect_closed_form(run_model *run, const char *name, double limit)
{
    char text[80];
    double one = 0.0, two = 0.0;
    for (int k = 0; k <= 100; k++) {
        double t = 0.004 * k;
        if (k > 0) {
            assert_int_equal(bi_sim_run_to(run->sim, t), BI_OK);
        }
        one = fmax(one, fabs(run_read(run, "first") - first_order(t)));
        two = fmax(two, fabs(run_read(run, "second") - second_order(t)));
        assert_true(fabs(run_read(run, "opposite") + run_read(run, "second")) < 1e-15);
        assert_true(fabs(run_read(run, "cut")) <= 0.1);
    }
    snprintf(text, sizeof text, "%s first order", name);
    run_expect(text, one, limit);
    snprintf(text, sizeof text, "%s second order", name);
    run_expect(text, two, limit);
    run_close(run);
}

// Straight pieces of u leave (w h)^2/12 of it; the trapezoidal rule's phase is w t (w h)^2/12 late, ten times as much.
static void test_low_passes_follow_the_closed_form_in_all_schemes(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        bi_coordinates coordinates = c == 0 ? BI_NATURAL : BI_JOINT;
        run_model run = open_swing(BI_ALI3P, coordinates, 5e-4, 0.0);
        expect_closed_form(&run, "ali3p", 3e-4);
        run = open_swing(BI_RK4, coordinates, 5e-4, 0.0);
        expect_closed_form(&run, "rk4", 3e-5);
        run = open_swing(BI_HEUN, coordinates, 5e-4, 0.0);
        expect_closed_form(&run, "heun", 1e-3);
    }
}

// Steps that the scheme chooses, and that run ahead of what is asked for: an eighth of each.
static void test_low_passes_follow_automatic_steps(void **state)
{
    (void)state;
    run_model run = open_swing(BI_DOPRI5, BI_JOINT, 0.0, 1e-7);
    expect_closed_form(&run, "dopri5", 1e-5);
    run = open_swing(BI_ALI3P, BI_NATURAL, 0.0, 1e-6);
    expect_closed_form(&run, "automatic", 1e-6);
}

// Nothing of a device depends on when it is read, or on a pause.
static void test_low_passes_go_on_from_a_snapshot_with_the_same_bits(void **state)
{
    (void)state;
    run_model run = open_swing(BI_ALI3P, BI_JOINT, 1e-3, 0.0),
              other = open_swing(BI_ALI3P, BI_JOINT, 1e-3, 0.0);
    assert_int_equal(bi_sim_run_to(run.sim, 0.1), BI_OK);
    size_t size = bi_sim_save(run.sim, NULL, 0);
    void *kept = malloc(size);
    assert_non_null(kept);
    assert_int_equal(bi_sim_save(run.sim, kept, size), size);
    double second = run_read(&run, "second");
    assert_int_equal(bi_sim_load(other.sim, kept, size), BI_OK);
    assert_true(run_read(&other, "second") == second);
    for (int k = 0; k < 50; k++) {
        run_step(&run);
        run_read(&run, "chain");
        run_step(&other);
    }
    assert_true(run_read(&run, "second") == run_read(&other, "second"));
    assert_true(run_read(&run, "chain") == run_read(&other, "chain"));
    assert_true(bi_sim_hash(run.sim) == bi_sim_hash(other.sim));
    free(kept);
    run_close(&other);
    run_close(&run);
}

// A device behind a device: the answer of the first goes into the second, at the same instant. Steady: A/(1 + i w T)^2.
static void test_devices_may_follow_devices(void **state)
{
    (void)state;
    run_model run = open_swing(BI_RK4, BI_JOINT, 5e-4, 0.0);
    double T = 1.0 / (16.0 * run_pi), worst = 0.0;
    double complex steady = -most * w * w / ((1.0 + I * w * T) * (1.0 + I * w * T));
    for (int k = 0; k < 40; k++) {
        double t = 0.8 + 0.005 * k; // 40 time constants after the start
        assert_int_equal(bi_sim_run_to(run.sim, t), BI_OK);
        worst = fmax(worst, fabs(run_read(&run, "chain") - creal(steady * cexp(I * w * t))));
    }
    run_expect("chain", worst, 5e-5);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_low_passes_follow_the_closed_form_in_all_schemes),
        cmocka_unit_test(test_low_passes_follow_automatic_steps),
        cmocka_unit_test(test_low_passes_go_on_from_a_snapshot_with_the_same_bits),
        cmocka_unit_test(test_devices_may_follow_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
