// SPDX-License-Identifier: MIT
// Bodies as bond graphs on elastic joints: they come near the rigid ones as the joints get stiffer.
#include "support/run_model.h"

static double distance(const char *model, const char *k, bi_scheme scheme, double dt, double time,
                       const char *const *channel, int count)
{
    const bi_setting settings[] = { { "k", k } };
    run_column column[3] = { 0 };
    for (int i = 0; i < count; i++) {
        column[i] = (run_column){ .channel = channel[i], .scale = 1.0 };
    }
    return run_error(
        &(run_case){
            .model = model, .settings = settings, .n_settings = 1, .scheme = scheme, .dt = dt, .time = time },
        "reference.csv", column, count);
}

static void expect_first_order(const char *name, double soft, double stiff)
{
    printf("measured %s soft=%.3e stiff=%.3e ratio=%.2f\n", name, soft, stiff, soft / stiff);
    // ten times as stiff: the error F/k is ten times smaller, to first order
    assert_true(soft / stiff > 7.0 && soft / stiff < 14.0);
}

static void the_top_on_a_spring_comes_near_the_top_on_a_joint(void **state)
{
    (void)state;
    static const char *const channel[] = { "graph.top.x", "graph.top.y", "graph.top.z" };
    double soft = distance("top-bg", "1e5", BI_DOPRI5, 1e-4, 1.0, channel, 3),
           stiff = distance("top-bg", "1e6", BI_DOPRI5, 1e-4, 1.0, channel, 3);
    expect_first_order("top", soft, stiff);
    // F/k = 15 * 9.81 / 1e6, times the 6 m along which precession carries it on in a second
    run_expect("top at 1e6 N/m", stiff, 6.0 * 15.0 * 9.81 / 1e6);
}

static void pendulums_on_springs_come_near_those_on_joints(void **state)
{
    (void)state;
    static const char *const channel[] = { "graph.one.x", "graph.two.x" };
    double soft = distance("coupled-pendulums-bg", "1e4", BI_ALI3P, 4e-3, 5.0, channel, 2),
           stiff = distance("coupled-pendulums-bg", "1e5", BI_ALI3P, 4e-3, 5.0, channel, 2);
    expect_first_order("pendulums", soft, stiff);
    run_expect("pendulums at 1e5 N/m", stiff, 10.0 * 9.81 / 1e5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_top_on_a_spring_comes_near_the_top_on_a_joint),
        cmocka_unit_test(pendulums_on_springs_come_near_those_on_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
