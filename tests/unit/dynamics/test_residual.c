// SPDX-License-Identifier: MIT
// Inverse dynamics against the mass matrix: Q - M a without M is Q less M times a (joint.7), whatever the coordinates and bodies.
#include "sim/system.h"
#include "support/run_model.h"

static const struct {
    const char *model;
    bi_coordinates coordinates;
} cases[] = {
    { "forklift", BI_JOINT },      { "forklift", BI_NATURAL },      { "four-bars", BI_JOINT },
    { "chain", BI_JOINT },         { "flex-bar", BI_JOINT },        { "flex-bar", BI_NATURAL },
    { "prototype-car", BI_JOINT }, { "prototype-car", BI_NATURAL },
};

// Numbers between -1 and 1, always the same.
static double some(int k) { return sin(12.9898 * (k + 1)) * cos(78.233 * (k + 1)); }

static void test_residual_is_force_less_mass_times_acceleration(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        run_model run = run_open(&(run_case){ .model = cases[c].model, .coordinates = cases[c].coordinates });
        stepper *s = &run.sim->stepper;
        int n = s->d->structure.n;
        for (int i = 0; i < n; i++) {
            s->now.v[i] += 0.3 * some(i);
            s->now.a[i] = 2.0 * some(i + n);
        }
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
        memset(s->product, 0, (size_t)n * sizeof *s->product);
        s->d->set->multiply_mass(s->d->coordinates, &s->trays.equations, s->now.a, s->product);
        double largest = 1.0, apart = 0.0;
        for (int i = 0; i < n; i++) {
            s->right[i] = s->trays.equations.Q[i] - s->product[i];
            largest = fmax(largest, fabs(s->product[i]) + fabs(s->trays.equations.Q[i]));
        }
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_RESIDUAL);
        for (int i = 0; i < n; i++) {
            double error = fabs(s->trays.equations.Q[i] - s->right[i]);
            apart = error <= apart ? apart : error;
        }
        // rounding of sums over the bodies of a tree
        run_expect(cases[c].model, apart / largest, 1e-12);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residual_is_force_less_mass_times_acceleration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
