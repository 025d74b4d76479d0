// SPDX-License-Identifier: MIT
// The disc against an integration of Euler's equations in axes that lean but do not spin (models/rolling-disc/README.md).
#include "support/run_model.h"

static void check(const char *name, bi_coordinates coordinates)
{
    static const bi_setting setting[4] = {
        { "v", "2" }, { "lean0", "0.3" }, { "dlean0", "0.2" }, { "yaw_rate0", "1.5" }
    };
    run_column column[] = { { "x", 1, 0 },     { "y", 1, 0 },      { "z", 1, 0 },
                            { "yaw", 1, 0 },   { "lean", 1, 0 },   { "spin", 1, 0 },
                            { "d_yaw", 1, 0 }, { "d_lean", 1, 0 }, { "d_spin", 1, 0 } };
    run_case what = { .model = "rolling-disc",
                      .settings = setting,
                      .n_settings = 4,
                      .scheme = BI_INDEX1_RK4,
                      .coordinates = coordinates };
    run_expect(name, run_error(&what, "reference.csv", column, 9), 1e-6);
}

static void test_rolling_disc_follows_the_reference_in_both_formulations(void **state)
{
    (void)state;
    check("disc.natural", BI_NATURAL);
    check("disc.joint", BI_JOINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolling_disc_follows_the_reference_in_both_formulations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
