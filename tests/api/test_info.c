// SPDX-License-Identifier: MIT
// What bi_sim_info says about mechanisms whose degrees of freedom are known from theory.
#include "support/run_model.h"

typedef struct {
    run_model run;
    bi_info info;
} asked;

static asked ask(run_model run)
{
    asked a = { .run = run };
    assert_int_equal(bi_sim_info(a.run.sim, &a.info, &a.run.report), BI_OK);
    return a;
}

static asked ask_file(const char *model, const char *windows)
{
    bi_setting setting = { "N", windows };
    return ask(run_open(&(run_case){ .model = model, .settings = &setting, .n_settings = windows ? 1 : 0 }));
}

static const char *note(const asked *a, const char *where)
{
    for (int k = 0; k < a->run.report.count; k++) {
        const bi_issue *issue = &a->run.report.issue[k];
        if (issue->severity == BI_NOTE && strcmp(issue->where, where) == 0) {
            return issue->what;
        }
    }
    return "";
}

// 3N + 3 variables: the N + 1 tips, since everything else is constant or follows. Each of the 2N + 1 rods keeps its
// length, each tip its plane: one degree of freedom needs 3N + 2 of these rows. Redundant is what the mechanism has too much, in
// whatever coordinates: 2N + 1 bodies with 3N + 1 revolute joints have 6 (2N + 1) - 5 (3N + 1) = 1 - 3N freedoms, one moves.
static void test_four_bars_have_the_counts_of_theory(void **state)
{
    (void)state;
    asked a = ask_file("four-bars", "40");
    assert_int_equal(a.info.bodies, 81);
    assert_int_equal(a.info.joints, 121);
    assert_int_equal(a.info.variables, 123);
    assert_int_equal(a.info.degrees_of_freedom, 1);
    assert_int_equal(a.info.rank, 122);
    assert_int_equal(a.info.redundant, 120);
    assert_int_equal(a.info.constraints, 162);
    assert_int_equal(a.info.velocity_constraints, 0);
    assert_int_equal(a.info.recommended, BI_INDEX1_RK4);
    assert_true(strlen(a.info.reason) > 0);
    assert_non_null(strstr(note(&a, "redundant"), "120 redundant"));
    assert_non_null(strstr(note(&a, "redundant"), "right40"));
    run_close(&a.run);
}

static void test_variables_of_four_bars_are_three_per_tip(void **state)
{
    (void)state;
    static const struct {
        const char *windows;
        int n;
    } cases[] = { { "1", 1 }, { "2", 2 }, { "7", 7 }, { "23", 23 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        asked a = ask_file("four-bars", cases[k].windows);
        assert_int_equal(a.info.variables, 3 * cases[k].n + 3);
        assert_int_equal(a.info.degrees_of_freedom, 1);
        run_close(&a.run);
    }
}

// All cranks along x: every window may fold on its own, N + 1 directions of motion.
static bi_model *lying_windows(int windows)
{
    bi_model *m = bi_model_create("lying windows");
    bi_body crank = BI_GROUND;
    for (int k = 0; k <= windows; k++) {
        char name[32];
        bi_body_def def = {
            .name = name, .mass = 1.0, .com = { 0.5, 0, 0 }, .inertia = { 0, 1.0 / 12, 1.0 / 12 }
        };
        snprintf(name, sizeof name, "crank%d", k);
        def.pose.pos = (bi_vec3){ k, 0, 0 };
        bi_body next = bi_add_body(m, &def);
        bi_joint_def hinge = {
            .kind = BI_REVOLUTE, .name = name, .a = BI_GROUND, .b = next, .at = { k, 0, 0 }
        };
        bi_add_joint(m, &hinge);
        if (k > 0) {
            snprintf(name, sizeof name, "coupler%d", k);
            bi_body coupler = bi_add_body(m, &def);
            hinge = (bi_joint_def){
                .kind = BI_REVOLUTE, .name = name, .a = crank, .b = coupler, .at = { k, 0, 0 }
            };
            bi_add_joint(m, &hinge);
            snprintf(name, sizeof name, "end%d", k);
            hinge = (bi_joint_def){
                .kind = BI_REVOLUTE, .name = name, .a = coupler, .b = next, .at = { k + 1, 0, 0 }
            };
            bi_add_joint(m, &hinge);
        }
        crank = next;
    }
    return m;
}

static void test_singular_position_has_one_degree_of_freedom_per_crank(void **state)
{
    (void)state;
    for (int windows = 1; windows <= 9; windows += 4) {
        asked a = ask(run_start(lying_windows(windows), BI_ALI3P, 1e-3, 1.0));
        assert_int_equal(a.info.variables, 3 * windows + 3);
        assert_int_equal(a.info.degrees_of_freedom, windows + 1);
        run_close(&a.run);
    }
}

// Gruebler: 5 bodies of 6 less 6 hinges of 5 gives 0; the Bricard mechanism moves with 1.
static void test_bricard_has_one_degree_of_freedom(void **state)
{
    (void)state;
    asked a = ask_file("bricard", NULL);
    assert_int_equal(6 * a.info.bodies - 5 * a.info.joints, 0);
    assert_int_equal(a.info.degrees_of_freedom, 1);
    assert_true(a.info.redundant >= 1);
    assert_true(strlen(note(&a, "redundant")) > 0);
    assert_true(strlen(note(&a, "reactions")) > 0);
    run_close(&a.run);
}

// Four bodies that spin together (1), two arms that fold (2), a slider (1).
static void test_governor_has_four_degrees_of_freedom_and_wants_an_implicit_scheme(void **state)
{
    (void)state;
    asked a = ask_file("governor", NULL);
    assert_int_equal(a.info.degrees_of_freedom, 4);
    assert_int_equal(a.info.recommended, BI_ALI3P);
    assert_non_null(strstr(a.info.reason, "stiff"));
    run_close(&a.run);
}

static void test_other_models_have_their_degrees_of_freedom(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        int freedom, redundant;
    } cases[] = { { "pendulum", 1, 0 }, { "andrews", 1, 9 }, { "slider-crank", 0, 3 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        asked a = ask_file(cases[k].model, NULL);
        assert_int_equal(a.info.degrees_of_freedom, cases[k].freedom);
        assert_int_equal(a.info.rank + a.info.degrees_of_freedom, a.info.variables);
        assert_int_equal(a.info.redundant, cases[k].redundant);
        assert_true(a.info.nonzeros_tangent >= a.info.variables);
        assert_true(a.info.nonzeros_factor >= a.info.nonzeros_tangent - a.info.variables);
        run_close(&a.run);
    }
}

// A planar mechanism without any redundant constraint: nothing to note.
static void test_pendulum_has_no_notes(void **state)
{
    (void)state;
    asked a = ask_file("pendulum", NULL);
    assert_int_equal(a.info.redundant, 0);
    assert_int_equal(a.run.report.count, 0);
    run_close(&a.run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bars_have_the_counts_of_theory),
        cmocka_unit_test(test_variables_of_four_bars_are_three_per_tip),
        cmocka_unit_test(test_singular_position_has_one_degree_of_freedom_per_crank),
        cmocka_unit_test(test_bricard_has_one_degree_of_freedom),
        cmocka_unit_test(test_governor_has_four_degrees_of_freedom_and_wants_an_implicit_scheme),
        cmocka_unit_test(test_other_models_have_their_degrees_of_freedom),
        cmocka_unit_test(test_pendulum_has_no_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
