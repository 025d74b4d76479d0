// SPDX-License-Identifier: MIT
// Struts between bodies, measured on the forklift, whose chains and cylinders have lengths that are known.
#include "support/run_model.h"
#include <biela/look.h>

static bi_strut_def strut(const bi_model *m, const char *name)
{
    bi_strut_def d = { 0 };
    for (int k = 0; k < bi_model_strut_count(m); k++) {
        if (bi_model_strut_at(m, k, &d) && strcmp(d.name, name) == 0) {
            return d;
        }
    }
    fail_msg("no strut %s", name);
    return d;
}

static double length(run_model *run, const char *name)
{
    bi_strut_def d = strut(run->model, name);
    return bi_strut_length(&d, bi_sim_view(run->sim).pose);
}

static run_model open_forklift(bi_coordinates coordinates)
{
    static const bi_setting alone = { "loads", "0" };
    return run_open(
        &(run_case){ .model = "forklift", .settings = &alone, .n_settings = 1, .coordinates = coordinates });
}

// The forks rise twice as far as mast 2: the chain over its pulley is as long at every height; a lifting cylinder grows
// by as much as mast 2 rises.
static void lifting(bi_coordinates coordinates)
{
    run_model run = open_forklift(coordinates);
    double chain = length(&run, "chain0"), ram = length(&run, "lift_cylinder1"), d2 = run_read(&run, "d2");
    bi_sim_input(run.sim, bi_find_input(run.system, "lift"), 1.0);
    for (int k = 0; k < 6; k++) {
        assert_true(run_to(&run, 0.5 * (k + 1)));
        assert_true(fabs(length(&run, "chain0") - chain) < 1e-7);
        assert_true(fabs(length(&run, "lift_cylinder1") - ram - (run_read(&run, "d2") - d2)) < 1e-7);
    }
    assert_true(run_read(&run, "d2") - d2 > 0.5);
    run_close(&run);
}

static void test_chains_keep_their_length_while_cylinders_grow(void **state)
{
    (void)state;
    lifting(BI_NATURAL);
    lifting(BI_JOINT);
}

// Two cylinders push 0.45 m from p3 in the data sheet: that is how fast their length changes with the tilt.
static void test_tilting_cylinders_have_the_arm_of_the_data(void **state)
{
    (void)state;
    run_model run = open_forklift(BI_JOINT);
    double l = length(&run, "tilt_cylinder0"), angle = run_read(&run, "phi5");
    bi_sim_input(run.sim, bi_find_input(run.system, "tilt"), 1.0);
    assert_true(run_to(&run, 0.6));
    double arm = fabs((length(&run, "tilt_cylinder0") - l) / (run_read(&run, "phi5") - angle));
    run_expect("arm of a tilting cylinder", fabs(arm - 0.45), 0.005);
    assert_true(fabs(length(&run, "tilt_cylinder0") - length(&run, "tilt_cylinder1")) < 1e-9);
    run_close(&run);
}

// The hash of a model does not depend on what is only drawn.
static void test_struts_change_nothing(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        bi_model *m = bi_model_create("rod");
        bi_body rod = bi_add_body(m, &(bi_body_def){ .name = "rod", .mass = 1, .inertia = { 1, 1, 1 } });
        bi_add_joint(m, &(bi_joint_def){ .name = "free", .kind = BI_FREE, .a = BI_GROUND, .b = rod });
        if (k == 1) {
            bi_add_strut(m, &(bi_strut_def){ .name = "line",
                                             .type = BI_STRUT_ROD,
                                             .n_point = 2,
                                             .point = { { rod, { 3, 4, 0 } }, { BI_GROUND, { 0 } } },
                                             .radius = 0.1 });
            bi_strut_def d = strut(m, "line");
            const bi_pose pose[] = { { .rot.w = 1 }, { .rot.w = 1 } };
            assert_true(fabs(bi_strut_length(&d, pose) - 5.0) < 1e-15);
            assert_string_equal(bi_strut_type_name(d.type), "rod");
        }
        bi_system *s = bi_compile(m, &(bi_options){ .dt = 1e-2 }, NULL);
        assert_non_null(s);
        hash[k] = bi_system_hash(s);
        bi_system_destroy(s);
        bi_model_destroy(m);
    }
    assert_true(hash[0] == hash[1]);
}

static void test_bad_struts_are_told(void **state)
{
    (void)state;
    const bi_strut_def bad[] = {
        { .name = "none", .n_point = 2, .radius = 1 },
        { .name = "one", .type = BI_STRUT_ROD, .n_point = 1, .radius = 1 },
        { .name = "thin", .type = BI_STRUT_ROD, .n_point = 2 },
        { .name = "far", .type = BI_STRUT_ROD, .n_point = 2, .point = { { { 9 }, { 0 } } }, .radius = 1 },
        { .name = "nan",
          .type = BI_STRUT_ROD,
          .n_point = 2,
          .point = { { BI_GROUND, { NAN } } },
          .radius = 1 },
        { .name = "three", .type = BI_STRUT_CYLINDER, .n_point = 3, .radius = 1 },
        { .name = "thick", .type = BI_STRUT_CYLINDER, .n_point = 2, .radius = 1, .rod = 2 },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        bi_report report = { 0 };
        bi_model *m = bi_model_create("bad");
        bi_add_strut(m, &bad[k]);
        assert_true(bi_model_check(m, &report) >= 1);
        assert_non_null(strstr(report.issue[report.count - 1].where, "struts."));
        bi_report_clear(&report);
        bi_model_destroy(m);
    }
    bi_add_strut(NULL, &bad[0]);
    assert_int_equal(bi_model_strut_count(NULL), 0);
    assert_true(isnan(bi_strut_length(NULL, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains_keep_their_length_while_cylinders_grow),
        cmocka_unit_test(test_tilting_cylinders_have_the_arm_of_the_data),
        cmocka_unit_test(test_struts_change_nothing),
        cmocka_unit_test(test_bad_struts_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
