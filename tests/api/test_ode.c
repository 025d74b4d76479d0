// SPDX-License-Identifier: MIT
// A system as ordinary differential equations: somebody else's integrator gives the run of our own, and systems that are more than
// their state say why.
#include "support/run_model.h"
#include <biela/ode.h>
#include <stdlib.h>

// The classical Runge-Kutta method by hand, as of any other program.
static void integrate(bi_sim *sim, int n, double h, int steps)
{
    double *x = calloc((size_t)(6 * n), sizeof *x), *y = x + n, *k = y + n;
    static const double at[4] = { 0.0, 0.5, 0.5, 1.0 }, weight[4] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };
    double t = bi_sim_time(sim);
    assert_int_equal(bi_sim_state(sim, x), BI_OK);
    for (int s = 0; s < steps; s++) {
        double start = t + s * h;
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < n; i++) {
                y[i] = x[i] + (stage > 0 ? at[stage] * h * k[(stage - 1) * n + i] : 0.0);
            }
            assert_int_equal(bi_sim_put(sim, start + at[stage] * h, y), BI_OK);
            assert_int_equal(bi_sim_rates(sim, &k[stage * n]), BI_OK);
        }
        for (int i = 0; i < n; i++) {
            for (int stage = 0; stage < 4; stage++) {
                x[i] += h * weight[stage] * k[stage * n + i];
            }
        }
    }
    assert_int_equal(bi_sim_put(sim, t + steps * h, x), BI_OK);
    free(x);
}

// Laws with states, signals and time included.
static void test_foreign_steps_are_those_of_our_own(void **state)
{
    (void)state;
    static const char *const models[] = { "double-pendulum", "pendulum-cart", "chain", "bond-motor" };
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        run_case what = { .model = models[m], .coordinates = BI_JOINT, .scheme = BI_RK4, .dt = 1e-3 };
        run_model own = run_open(&what), foreign = run_open(&what);
        const char *why = NULL;
        if (!bi_system_is_ode(own.system, &why)) {
            fail_msg("%s: %s", models[m], why);
        }
        for (int k = 0; k < 500; k++) {
            run_step(&own);
        }
        integrate(foreign.sim, bi_state_count(foreign.system), 1e-3, 500);
        assert_true(fabs(run_now(&own) - run_now(&foreign)) < 1e-12);
        for (int k = 0; k < bi_channel_count(own.system); k++) {
            bi_channel channel = bi_channel_at(own.system, k);
            double a = bi_sim_read(own.sim, channel), b = bi_sim_read(foreign.sim, channel);
            bool counts_work = strcmp(bi_channel_name(own.system, channel), "energy.balance") == 0;
            // the same method: roundings of 500 steps
            if (!counts_work && !(fabs(a - b) <= 1e-10 * fmax(1.0, fabs(a)))) {
                fail_msg("%s %s: %.17g, by foreign steps %.17g", models[m],
                         bi_channel_name(own.system, channel), a, b);
            }
        }
        run_close(&own);
        run_close(&foreign);
    }
}

static void test_systems_that_are_more_than_their_state_say_why(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        bi_coordinates coordinates;
        const char *why;
    } cases[] = { { "double-pendulum", BI_NATURAL, "joint coordinates" },
                  { "slider-crank", BI_JOINT, "closed loops" },
                  { "block-on-incline", BI_JOINT, "remember" },
                  { "forklift", BI_JOINT, "" } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run_model run = run_open(&(run_case){ .model = cases[k].model, .coordinates = cases[k].coordinates });
        const char *why = NULL;
        double *x = calloc((size_t)bi_state_count(run.system) + 1, sizeof *x);
        assert_false(bi_system_is_ode(run.system, &why));
        if (!why || !strstr(why, cases[k].why)) {
            fail_msg("%s: %s", cases[k].model, why ? why : "no reason");
        }
        uint64_t before = bi_sim_hash(run.sim);
        assert_int_equal(bi_sim_put(run.sim, 0.1, x), BI_BAD_MODEL);
        assert_int_equal(bi_sim_rates(run.sim, x), BI_BAD_MODEL);
        assert_true(bi_sim_hash(run.sim) == before && strstr(bi_sim_failure(run.sim), "ordinary") != NULL);
        free(x);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_foreign_steps_are_those_of_our_own),
        cmocka_unit_test(test_systems_that_are_more_than_their_state_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
