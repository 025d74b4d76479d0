// SPDX-License-Identifier: MIT
// A rope that is wound up: a guided distance. Its tension is its reaction, and it ends before its length is zero.
#include "support/text_model.h"
#include <stdlib.h>

static const char *const winch =
    "bodies: {hook: {mass: 200, inertia: [1, 1, 1], at: [0, 0, -4]}}\n"
    "joints: {rope: {type: distance, bodies: [ground, hook], from: [0, 0, 0], to: [0, 0, -4]}}\n"
    "constraints: {winch: {type: guide, joint: rope, value: 4 - 0.5*t^2}}\n"
    "outputs: {rope: {joint: rope}, R: {reaction: rope}, T: {effort: winch}}\n";
static const bi_coordinates both[] = { BI_NATURAL, BI_JOINT };

static void test_reaction_of_a_guided_distance_is_its_tension(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_model run = text_run(&(text_case){ winch, both[k], BI_ALI3P, 1e-3 });
        run_to(&run, 1.0);
        // weight and the acceleration of 1 m/s2 upwards
        double wanted = 200.0 * (9.80665 + 1.0);
        run_expect("tension of the rope", fabs(run_read(&run, "R.fz") / wanted - 1.0), 1e-6);
        run_expect("effort of the winch", fabs(fabs(run_read(&run, "T")) / wanted - 1.0), 1e-6);
        run_close(&run);
    }
}

static void test_distance_driven_to_zero_stops_with_its_name(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_model run = text_run(&(text_case){ winch, both[k], BI_ALI3P, 1e-3 });
        bi_status status = bi_sim_run_to(run.sim, 3.5);
        assert_int_not_equal(status, BI_OK);
        assert_true(run_now(&run) > 2.8 && run_now(&run) < 2.83); // 4 = t^2 / 2 at 2.828 s
        assert_true(run_read(&run, "rope.position") > 0.0);
        assert_non_null(strstr(bi_sim_failure(run.sim), "rope"));
        assert_non_null(strstr(bi_sim_failure(run.sim), "driven to zero"));
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reaction_of_a_guided_distance_is_its_tension),
        cmocka_unit_test(test_distance_driven_to_zero_stops_with_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
