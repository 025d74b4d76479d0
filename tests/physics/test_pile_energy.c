// SPDX-License-Identifier: MIT
// Piles whose springs and dampers are far beyond what a step resolves: the scheme for piles adds no energy all the same.
#include "support/text_model.h"
#include <stdlib.h>

typedef struct {
    const char *name;
    bi_setting set[3];
    double growth; // of the energy at the start, at most, above any earlier lowest
} hard_case;

// Measured without the sure way of settling: 12 boxes of 10 g went from 0.41 to 1240 J, 24 on 1e8 N/m from 1.6 to 56 kJ,
// balls of 1 mg to 160 times what they had, 1e12 N/m to 130 MJ, damping of 1e9 N s/m to 21 MJ of 412 J.
static const hard_case cases[] = {
    { "boxes of 10 g", { { "N", "12" }, { "m", "0.01" }, { "mu", "0.5" } }, 3e-2 },
    { "boxes on 1e8 N/m", { { "N", "24" }, { "k", "1e8" }, { "mu", "0.5" } }, 1e-4 },
    { "boxes on 1e12 N/m", { { "N", "12" }, { "k", "1e12" }, { "mu", "0" } }, 1e-2 },
    { "boxes with 1e9 N s/m", { { "N", "12" }, { "c", "1e9" }, { "mu", "0" } }, 1e-4 },
    { "balls of 1 mg", { { "N", "12" }, { "m", "1e-6" }, { "shape", "1" } }, 1e-4 },
    { "capsules on 1e8 N/m", { { "N", "12" }, { "k", "1e8" }, { "shape", "2" } }, 1e-4 },
};
enum { N_CASE = sizeof cases / sizeof *cases };

static run_model open_hard(const hard_case *c, bi_coordinates coordinates, double dt)
{
    return run_open(&(run_case){ .model = "pile",
                                 .settings = c->set,
                                 .n_settings = 3,
                                 .scheme = BI_PILES,
                                 .coordinates = coordinates,
                                 .dt = dt });
}

// Highest above any earlier lowest, of the start.
static double growth_of(run_model *run, double until)
{
    double start = run_read(run, "energy.total"), lowest = start, growth = 0.0;
    while (run_now(run) < until) {
        run_step(run);
        double energy = run_read(run, "energy.total");
        assert_true(isfinite(energy));
        growth = fmax(growth, energy - lowest);
        lowest = fmin(lowest, energy);
    }
    return growth / start;
}

static void test_piles_far_beyond_the_step_gain_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < N_CASE; k++) {
        for (int form = 0; form < 2; form++) {
            run_model run = open_hard(&cases[k], form ? BI_JOINT : BI_NATURAL, 1e-3);
            double growth = growth_of(&run, 0.3);
            printf("measured growth, %s, %s: %.2e\n", cases[k].name, form ? "joint" : "natural", growth);
            if (!(growth <= cases[k].growth)) {
                fail_msg("%s, %s: %g of the energy", cases[k].name, form ? "joint" : "natural", growth);
            }
            run_close(&run);
        }
    }
}

// What the sure way needs lies in the step, not in memory: a run that goes on from a snapshot has the same bits.
static void test_hard_pile_goes_on_from_a_snapshot_with_the_same_bits(void **state)
{
    (void)state;
    for (int form = 0; form < 2; form++) {
        run_model run = open_hard(&cases[0], form ? BI_JOINT : BI_NATURAL, 1e-3),
                  other = open_hard(&cases[0], form ? BI_JOINT : BI_NATURAL, 1e-3);
        growth_of(&run, 0.15);
        size_t size = bi_sim_save(run.sim, NULL, 0);
        void *snapshot = malloc(size);
        assert_non_null(snapshot);
        assert_true(bi_sim_save(run.sim, snapshot, size) == size);
        assert_true(bi_sim_load(other.sim, snapshot, size) == BI_OK);
        free(snapshot);
        growth_of(&run, 0.2);
        growth_of(&other, 0.2);
        assert_true(bi_sim_hash(run.sim) == bi_sim_hash(other.sim));
        run_close(&run);
        run_close(&other);
    }
}

// A ball on a spring without loss: how much of its energy is left after its first hit, and what the run thinks of that.
static bi_outcome bounce(bi_coordinates coordinates, bi_scheme scheme, double dt, double *left)
{
    run_model run = text_run(
        &(text_case){ "gravity: [0, 0, -9.81]\n"
                      "bodies: {ball: {mass: 1, inertia: {sphere: 0.1}, at: [0, 0, 0.2]}}\n"
                      "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.1}}\n"
                      "forces: {touch: {type: contact, a: ball, b: floor, stiffness: 1e5}}\n",
                      coordinates, scheme, dt });
    double rest = 9.81 * 0.1, start = run_read(&run, "energy.total") - rest; // above the ball that lies there
    while (run_now(&run) < 0.2) {
        run_step(&run);
    }
    *left = (run_read(&run, "energy.total") - rest) / start;
    bi_outcome outcome = bi_sim_verdict(run.sim).outcome;
    run_close(&run);
    return outcome;
}

static void test_hit_without_loss_that_loses_is_told(void **state)
{
    (void)state;
    for (int form = 0; form < 2; form++) {
        bi_coordinates coordinates = form ? BI_JOINT : BI_NATURAL;
        double left;
        assert_true(bounce(coordinates, BI_PILES, 1e-3, &left) != BI_GOOD);
        assert_true(left < 0.8);
        // h sqrt(k/m) = 0.032: the rebound falls short by less than a tenth
        assert_true(bounce(coordinates, BI_PILES, 1e-4, &left) == BI_GOOD);
        assert_true(left > 0.9);
        assert_true(bounce(coordinates, BI_ALI3P, 1e-3, &left) == BI_GOOD);
        printf("measured left with ali3p: %.4f\n", left);
        assert_true(left > 0.95); // 10 steps a hit
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_piles_far_beyond_the_step_gain_nothing),
        cmocka_unit_test(test_hit_without_loss_that_loses_is_told),
        cmocka_unit_test(test_hard_pile_goes_on_from_a_snapshot_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
