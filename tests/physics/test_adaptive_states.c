// SPDX-License-Identifier: MIT
// Steps chosen by error look at the states of laws, too: the current of a motor held fast, which the mechanism does not show.
#include "support/run_model.h"

// tau = L / R = 0.05 s; a rotor too heavy to move, so that i = V/R (1 - exp(-t/tau)) to 1e-9
static const char text[] = "biela: 1\nname: held\ngravity: [0, 0, 0]\n"
                           "bodies:\n  rotor: {mass: 1, inertia: [1e9, 1e9, 1e9]}\n"
                           "joints:\n  shaft: {type: revolute, bodies: [ground, rotor]}\n"
                           "forces:\n  motor: {type: dc-motor, joint: shaft, voltage: 12, resistance: 2, "
                           "inductance: 0.1, constant: 0.01}\n"
                           "outputs:\n  i: {effort: motor}\n";

static double worst_current(bi_scheme scheme, double tolerance, int64_t *steps)
{
    run_model run = { .dt = 1e-3 };
    run.model = bi_read_model_text(text, strlen(text), "test.yaml", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    bi_options options = { .scheme = scheme, .dt = 1e-3, .accuracy = tolerance, .horizon = 0.5 };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    double worst = 0.0;
    while (run_now(&run) < 0.5) {
        assert_int_equal(bi_sim_step_toward(run.sim, 0.5), BI_OK);

        double exact = 6.0 * (1.0 - exp(-run_now(&run) / 0.05));
        worst = fmax(worst, fabs(run_read(&run, "i") - exact) / 6.0);
    }
    *steps = bi_sim_statistics(run.sim).steps;
    run_close(&run);
    return worst;
}

static void test_current_of_a_motor_held_fast_keeps_the_tolerance(void **state)
{
    (void)state;
    static const bi_scheme scheme[] = { BI_ALI3P, BI_RK4, BI_DOPRI5 };
    static const double tolerance[] = { 1e-3, 1e-4, 1e-5 };
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            int64_t steps = 0;
            double worst = worst_current(scheme[k], tolerance[i], &steps);
            printf("measured scheme %d tolerance=%.0e error=%.1e in %lld steps\n", (int)scheme[k],
                   tolerance[i], worst, (long long)steps);
            assert_true(worst <= tolerance[i]);
            // lengths follow the error: a hundredth of the time constant throughout would be 1000 steps
            assert_true(steps < 1000);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_current_of_a_motor_held_fast_keeps_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
