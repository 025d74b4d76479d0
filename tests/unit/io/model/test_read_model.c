// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"
#include <biela/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "biela: 1\nname: test\n"

static bi_model *read_with(const char *text, const bi_setting *setting, int n_setting, const char *run_name,
                           bi_run *run, bi_report *report)
{
    return bi_read_model_text(text, strlen(text), "test.yaml", setting, n_setting, run_name, run, report);
}

// Reads a text without mistakes.
static bi_model *read_good(const char *text)
{
    bi_report report = { 0 };
    bi_model *model = read_with(text, NULL, 0, NULL, NULL, &report);
    if (report.errors > 0) {
        bi_report_print(&report, stderr);
    }
    assert_int_equal(report.errors, 0);
    assert_non_null(model);
    return model;
}

// Reads a text whose only mistake is at the place and has the fragment.
static void expect_mistake(const char *text, int line, int column, const char *fragment)
{
    bi_report report = { 0 };
    bi_model *model = read_with(text, NULL, 0, NULL, NULL, &report);
    if (report.errors != 1) {
        bi_report_print(&report, stderr);
    }
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.issue[0].place.file, "test.yaml");
    assert_int_equal(report.issue[0].place.line, line);
    assert_int_equal(report.issue[0].place.column, column);
    assert_non_null(strstr(report.issue[0].what, fragment));
    bi_model_destroy(model);
    bi_report_clear(&report);
}

static double parameter(const bi_model *model, const char *name)
{
    double value = NAN;
    bi_report report = { 0 };
    assert_true(bi_model_number(model, name, NULL, "", &value, &report));
    return value;
}

static const bi_body_def *body(const bi_model *model, const char *name)
{
    bi_body id = bi_model_body(model, name);
    assert_true(id.i > 0);
    return &model->body[id.i - 1].def;
}

static const bi_joint_def *joint(const bi_model *model, const char *name)
{
    bi_joint id = bi_model_joint(model, name);
    assert_true(id.i > 0);
    return &model->joint[id.i - 1].def;
}

// Sums and products of a handful of numbers near 1 round by a few 1e-16.
static void assert_near(double a, double b) { assert_true(fabs(a - b) <= 1e-14); }

// ---- parameters ------------------------------------------------------------------------------------

static void test_parameters_in_any_order_are_known(void **state)
{
    (void)state;
    bi_model *model = read_good(HEAD "parameters: {a: 2*b, b: c + 1, c: 3}\n");
    assert_true(parameter(model, "a") == 8.0);
    bi_model_destroy(model);
}

static void test_parameters_named_like_their_unit_are_no_cycle(void **state)
{
    (void)state;
    bi_model *model = read_good(HEAD "parameters: {m: 3 kg/L^0, L: 2 m, s: 1 s}\n");
    assert_true(parameter(model, "L") == 2.0);
    assert_true(parameter(model, "m") == 3.0);
    bi_model_destroy(model);
}

static void test_units_that_are_good_names_give_way_to_names(void **state)
{
    (void)state;
    bi_model *model = read_good(HEAD "parameters: {a: 2 t, b: 30 lbf/in, L: 2 m, c: 6 kg/L, in: 5, "
                                     "e: 6 m/in, f: {value: 4, unit: ft}}\n");
    assert_near(parameter(model, "a"), 2000.0);
    assert_near(parameter(model, "b"), 30.0 * 4.4482216152605 / 5.0);
    assert_near(parameter(model, "c"), 3.0);
    assert_near(parameter(model, "e"), 1.2);
    assert_near(parameter(model, "f"), 1.2192);
    bi_model_destroy(model);
}

static void test_parameter_with_unit_takes_bare_settings_in_it(void **state)
{
    (void)state;
    const char *text = HEAD "parameters: {a: 30 deg, b: {value: 60, unit: rpm}, c: 1}\n";
    bi_setting settings[] = { { "a", "180" }, { "b", "30 rad/s" }, { "c", "a/2" } };
    bi_report report = { 0 };
    bi_model *model = read_with(text, settings, 3, NULL, NULL, &report);
    assert_int_equal(report.errors, 0);
    assert_near(parameter(model, "a"), acos(-1.0));
    assert_true(parameter(model, "b") == 30.0);
    assert_near(parameter(model, "c"), acos(-1.0) / 2.0);
    bi_model_destroy(model);
}

static void test_setting_of_an_unknown_parameter_suggests_the_nearest(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_setting setting = { "lenght", "1" };
    bi_model *model = read_with(HEAD "parameters: {length: 1}\n", &setting, 1, NULL, NULL, &report);
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.issue[0].place.file, "--set lenght=1");
    assert_non_null(strstr(report.issue[0].what, "did you mean 'length'?"));
    bi_report_clear(&report);
    bi_model_destroy(model);
}

static void test_parameters_in_a_cycle_are_named(void **state)
{
    (void)state;
    expect_mistake(HEAD "parameters: {a: b, b: a}\n", 3, 23, "a -> b -> a");
}

static void test_parameters_in_a_long_chain_need_no_stack(void **state)
{
    (void)state;
    enum { N = 3000 };
    char *text = malloc(40 * N + 100), *end = text;
    end += sprintf(end, "%sparameters:\n", HEAD);
    for (int k = 0; k < N; k++) {
        end += sprintf(end, "  p%d: p%d + 1\n", k, k + 1);
    }
    sprintf(end, "  p%d: 0\n", (int)N);
    bi_model *model = read_good(text);
    assert_true(parameter(model, "p0") == N);
    bi_model_destroy(model);
    free(text);
}

// ---- runs ------------------------------------------------------------------------------------------

static void test_run_with_a_named_case_takes_its_changes(void **state)
{
    (void)state;
    const char *text = HEAD "parameters: {a: 30 deg}\n"
                            "run: {time: 5, dt: 2 ms, every: 0.01}\n"
                            "runs: {slow: {dt: 1e-2, scheme: index1-rk4, set: {a: 90}}, other: {time: 1}}\n";
    bi_report report = { 0 };
    bi_run run;
    bi_model *model = read_with(text, NULL, 0, "slow", &run, &report);
    assert_int_equal(report.errors, 0);
    assert_true(run.time == 5.0 && run.dt == 1e-2 && run.every == 0.01);
    assert_int_equal(run.scheme, BI_INDEX1_RK4);
    assert_near(parameter(model, "a"), acos(0.0));
    bi_model_destroy(model);
    model = read_with(text, NULL, 0, NULL, &run, &report);
    assert_near(run.dt, 2e-3);
    bi_model_destroy(model);
}

static void test_run_of_an_unknown_case_is_a_mistake(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_model *model = read_with(HEAD "runs: {slow: {dt: 1}}\n", NULL, 0, "slwo", NULL, &report);
    assert_int_equal(report.errors, 1);
    assert_non_null(strstr(report.issue[0].what, "did you mean 'slow'?"));
    bi_report_clear(&report);
    bi_model_destroy(model);
}

// ---- bodies ----------------------------------------------------------------------------------------

static void test_turn_in_two_steps_is_about_the_axes_already_turned(void **state)
{
    (void)state;
    // z by 90 degrees takes x to y; then x of the body is y of ground: z of the body goes to x of ground
    bi_model *model = read_good(HEAD "bodies: {b: {turn: [{z: 90 deg}, {axis: [2, 0, 0], angle: pi/2}]}}\n");
    bi_quat q = body(model, "b")->pose.rot;
    bi_vec3 z = { 2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x),
                  q.w * q.w - q.x * q.x - q.y * q.y + q.z * q.z };
    assert_near(z.x, 1.0);
    assert_near(z.y, 0.0);
    assert_near(z.z, 0.0);
    bi_model_destroy(model);
}

static void test_turn_by_quaternion_is_normalised(void **state)
{
    (void)state;
    bi_model *model = read_good(HEAD "bodies: {b: {turn: {quaternion: [0, 0, 0, 2]}}}\n");
    bi_quat q = body(model, "b")->pose.rot;
    assert_true(q.w == 0.0 && q.z == 1.0);
    bi_model_destroy(model);
}

static void test_inertia_of_shapes_has_textbook_values(void **state)
{
    (void)state;
    bi_model *model = read_good(HEAD "bodies:\n"
                                     "  box: {mass: 12, inertia: {box: [1, 2, 3]}}\n"
                                     "  can: {mass: 12, inertia: {cylinder: [1, 2], axis: x}}\n"
                                     "  ball: {inertia: {sphere: 1, density: 3}}\n"
                                     "  egg: {inertia: {ellipsoid: [1, 2, 3], density: 0.5}}\n"
                                     "  rod: {mass: 12, inertia: {rod: [1, 2, 0]}}\n"
                                     "  six: {mass: 1, inertia: [3, 4, 5, 0.1, 0.2, 0.3]}\n");
    const double *i = body(model, "box")->inertia;
    assert_near(i[0], 13.0);
    assert_near(i[1], 10.0);
    assert_near(i[2], 5.0);
    i = body(model, "can")->inertia;
    assert_near(i[0], 6.0);
    assert_near(i[1], 7.0);
    assert_near(body(model, "ball")->mass, 4.0 * acos(-1.0));
    assert_near(body(model, "ball")->inertia[2], 1.6 * acos(-1.0));
    // 4/3 pi a b c, and m (b^2 + c^2)/5
    assert_near(body(model, "egg")->mass, 4.0 * acos(-1.0));
    assert_near(body(model, "egg")->inertia[0], 4.0 * acos(-1.0) * 13.0 / 5.0);
    assert_near(body(model, "egg")->inertia[2], 4.0 * acos(-1.0));
    i = body(model, "rod")->inertia;
    assert_near(i[0], 4.0);
    assert_near(i[1], 1.0);
    assert_near(i[2], 5.0);
    assert_near(i[3], -2.0); // xy = -int xy dm
    assert_true(body(model, "six")->inertia[3] == 0.1 && body(model, "six")->inertia[5] == 0.3);
    bi_model_destroy(model);
}

static void test_mass_below_zero_is_told_at_its_value(void **state)
{
    (void)state;
    expect_mistake(HEAD "bodies:\n  b:\n    mass: 0 - 1\n", 5, 11, "must not be negative");
}

// ---- joints ----------------------------------------------------------------------------------------

static void test_distance_between_ground_points_goes_into_the_bodies(void **state)
{
    (void)state;
    bi_model *model = read_good(
        HEAD "bodies: {b: {at: [1, 0, 0], turn: [{z: pi/2}]}}\n"
             "joints: {d: {type: distance, bodies: [ground, b], from: [5, 0, 0], to: [1, 2, 3]}}\n");
    const bi_joint_def *d = joint(model, "d");
    assert_int_equal(d->local, BI_AT_A | BI_AT_B);
    assert_true(d->at_a.x == 5.0);
    assert_near(d->at_b.x, 2.0);
    assert_near(d->at_b.y, 0.0);
    assert_near(d->at_b.z, 3.0);
    bi_model_destroy(model);
}

static void test_joint_named_in_hold_is_held(void **state)
{
    (void)state;
    bi_model *model = read_good(HEAD "bodies: {b: {mass: 1}}\nhold: [p]\n"
                                     "joints:\n"
                                     "  p: {type: revolute, bodies: [ground, b], value: 30 deg}\n"
                                     "  q: {type: revolute, bodies: [ground, b], rate: 2}\n");
    assert_true(joint(model, "p")->hold && joint(model, "p")->set_value && !joint(model, "p")->set_rate);
    assert_true(!joint(model, "q")->hold && joint(model, "q")->rate == 2.0);
    bi_model_destroy(model);
}

// ---- repetition --------------------------------------------------------------------------------------

static void test_repetition_makes_one_entry_per_value(void **state)
{
    (void)state;
    bi_model *model = read_good(HEAD "parameters: {N: 3}\n"
                                     "bodies:\n"
                                     "  b$i: {for: {i: 0..N}, mass: i + 1, at: [i*2, 0, 0]}\n"
                                     "  none$i: {for: {i: 1..0}, mass: 1}\n"
                                     "  c$i-$j: {for: {i: 1..2, j: i..2}, mass: 1}\n"
                                     "joints:\n"
                                     "  j$i: {for: {i: 1..N}, type: revolute, bodies: [b$(i-1), b$i]}\n"
                                     "outputs: {last: {body: b$N}}\n");
    assert_int_equal(model->n_body, 1 + 4 + 3);
    assert_true(body(model, "b3")->mass == 4.0 && body(model, "b3")->pose.pos.x == 6.0);
    assert_int_equal(joint(model, "j2")->a.i, bi_model_body(model, "b1").i);
    assert_int_equal(bi_model_body(model, "c2-1").i, 0);
    assert_int_equal(bi_model_parameter_count(model), 1);
    bi_model_destroy(model);
}

static void test_repetition_with_a_mistake_tells_it_once(void **state)
{
    (void)state;
    expect_mistake(HEAD "bodies:\n  b$i: {for: {i: 1..9}, mass: i + x}\n", 4, 35, "unknown name 'x'");
}

static void test_repetition_that_fails_does_not_make_its_names_unknown(void **state)
{
    (void)state;
    expect_mistake(HEAD "bodies:\n  b$i: {for: {i: 1..K}, mass: 1}\n"
                        "joints:\n  j: {type: fixed, bodies: [ground, b1]}\n",
                   4, 21, "unknown name 'K'");
}

// ---- expressions and elements ------------------------------------------------------------------------

static void test_mistake_in_an_expression_is_told_at_its_letter(void **state)
{
    (void)state;
    expect_mistake(HEAD "outputs:\n  x: 2*pi*tt\n", 4, 11, "tt");
    expect_mistake(HEAD "outputs:\n  x: {expr: \"2*pi*tt\"}\n", 4, 19, "tt");
}

static void test_mistake_in_an_escaped_text_is_told_at_its_beginning(void **state)
{
    (void)state;
    expect_mistake(HEAD "outputs:\n  x: \"2*\\x70i*tt\"\n", 4, 6, "tt");
}

static void test_element_without_a_required_field_is_told_at_its_name(void **state)
{
    (void)state;
    expect_mistake(HEAD "forces:\n  push: {type: torque, torque: 1}\n", 4, 3, "needs 'joint'");
}

static void test_element_reads_its_fields_from_the_table_of_its_kind(void **state)
{
    (void)state;
    bi_model *model = read_good(HEAD "bodies: {b: {mass: 1}}\nforces:\n"
                                     "  s: {type: spring, a: {body: b, at: [1, 0, 0]}, b: {body: ground}, "
                                     "stiffness: 2 kN/m, rest: 30 cm}\n");
    bi_element id = bi_model_element(model, "s");
    assert_true(id.i > 0);
    const bi_spring_def *s = model->element[id.i - 1].def;
    assert_string_equal(s->name, "s");
    assert_true(s->a.at.x == 1.0 && s->b.body.i == BI_GROUND.i);
    assert_near(s->stiffness, 2000.0);
    assert_near(s->rest, 0.3);
    bi_model_destroy(model);
}

// ---- YAML ------------------------------------------------------------------------------------------

static void test_merge_key_gives_what_is_not_said_itself(void **state)
{
    (void)state;
    bi_model *model = read_good(HEAD "x-common: &common {mass: 2, com: [1, 0, 0]}\n"
                                     "bodies:\n"
                                     "  a: {<<: *common, mass: 3}\n"
                                     "  b: {<<: [{mass: 4}, *common]}\n");
    assert_true(body(model, "a")->mass == 3.0 && body(model, "a")->com.x == 1.0);
    assert_true(body(model, "b")->mass == 4.0 && body(model, "b")->com.x == 1.0);
    bi_model_destroy(model);
}

static void test_text_of_any_length_cut_anywhere_is_survived(void **state)
{
    (void)state;
    const char *text =
        HEAD "parameters: {N: 3, a: 30 deg}\n"
             "bodies:\n  b$i: &b {for: {i: 0..N}, mass: \"i + 1\", inertia: {box: [1, 1, 1]}}\n"
             "joints:\n  j: {type: revolute, bodies: [ground, 'b0'], axis: [0, 0, 1]}\n"
             "forces:\n  s: {type: torque, joint: j, torque: sin(t)}\n";
    for (size_t length = 0; length <= strlen(text); length++) {
        bi_report report = { 0 };
        bi_model *model = bi_read_model_text(text, length, "test.yaml", NULL, 0, NULL, NULL, &report);
        assert_true(model || report.errors > 0);
        bi_model_destroy(model);
        bi_report_clear(&report);
    }
}

static void test_file_that_is_missing_or_a_folder_says_so(void **state)
{
    (void)state;
    const char *const paths[] = { "/nowhere/at/all.yaml", "/" };
    for (int k = 0; k < 2; k++) {
        bi_report report = { 0 };
        assert_null(bi_read_model(paths[k], NULL, 0, NULL, NULL, &report));
        assert_int_equal(report.errors, 1);
        assert_non_null(strstr(report.issue[0].what, "cannot be read"));
        bi_report_clear(&report);
    }
}

static void test_file_beyond_the_limit_is_not_parsed(void **state)
{
    (void)state;
    size_t length = 9u * 1024u * 1024u;
    char *text = malloc(length);
    memset(text, ' ', length);
    bi_report report = { 0 };
    assert_null(bi_read_model_text(text, length, "test.yaml", NULL, 0, NULL, NULL, &report));
    assert_int_equal(report.errors, 1);
    assert_non_null(strstr(report.issue[0].what, "8 MB"));
    bi_report_clear(&report);
    free(text);
}

static void test_mistakes_without_end_are_cut_at_a_hundred(void **state)
{
    (void)state;
    enum { N = 500 };
    char *text = malloc(32 * N + 100), *end = text;
    end += sprintf(end, "%sbodies:\n", HEAD);
    for (int k = 0; k < N; k++) {
        end += sprintf(end, "  b%d: {mas: 1}\n", k);
    }
    bi_report report = { 0 };
    bi_model *model = read_with(text, NULL, 0, NULL, NULL, &report);
    assert_int_equal(report.errors, 101);
    assert_non_null(strstr(report.issue[100].what, "more mistakes"));
    bi_model_destroy(model);
    bi_report_clear(&report);
    free(text);
}

// ---- finding and printing ----------------------------------------------------------------------------

static void test_model_by_name_is_found_under_models(void **state)
{
    (void)state;
    bi_report report = { 0 };
    char *path = bi_find_model("pendulum", NULL, &report);
    assert_non_null(path);
    assert_string_equal(path, "models/pendulum/model.yaml");
    free(path);
    assert_null(bi_find_model("no-such-model", "/nowhere", &report));
    assert_int_equal(report.errors, 1);
    bi_report_clear(&report);
}

static void test_report_prints_one_line_per_issue_and_a_count(void **state)
{
    (void)state;
    char text[300] = "";
    bi_report report = { 0 };
    bi_report_add(&report, BI_ERROR, BI_BAD_MODEL, (bi_place){ "a.yaml", 3, 4 }, "bodies.b", "is %s", "bad");
    bi_report_add(&report, BI_NOTE, BI_OK, (bi_place){ 0 }, "", "a note");
    bi_report_add(&report, BI_ERROR, BI_BAD_FILE, (bi_place){ "b.yaml", 0, 0 }, "", "is gone");
    FILE *file = tmpfile();
    assert_non_null(file);
    bi_report_print(&report, file);
    rewind(file);
    (void)fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_string_equal(
        text, "a.yaml:3:4: error: bodies.b: is bad\nnote: a note\nb.yaml: error: is gone\n2 errors\n");
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_in_any_order_are_known),
        cmocka_unit_test(test_parameters_named_like_their_unit_are_no_cycle),
        cmocka_unit_test(test_units_that_are_good_names_give_way_to_names),
        cmocka_unit_test(test_parameter_with_unit_takes_bare_settings_in_it),
        cmocka_unit_test(test_setting_of_an_unknown_parameter_suggests_the_nearest),
        cmocka_unit_test(test_parameters_in_a_cycle_are_named),
        cmocka_unit_test(test_parameters_in_a_long_chain_need_no_stack),
        cmocka_unit_test(test_run_with_a_named_case_takes_its_changes),
        cmocka_unit_test(test_run_of_an_unknown_case_is_a_mistake),
        cmocka_unit_test(test_turn_in_two_steps_is_about_the_axes_already_turned),
        cmocka_unit_test(test_turn_by_quaternion_is_normalised),
        cmocka_unit_test(test_inertia_of_shapes_has_textbook_values),
        cmocka_unit_test(test_mass_below_zero_is_told_at_its_value),
        cmocka_unit_test(test_distance_between_ground_points_goes_into_the_bodies),
        cmocka_unit_test(test_joint_named_in_hold_is_held),
        cmocka_unit_test(test_repetition_makes_one_entry_per_value),
        cmocka_unit_test(test_repetition_with_a_mistake_tells_it_once),
        cmocka_unit_test(test_repetition_that_fails_does_not_make_its_names_unknown),
        cmocka_unit_test(test_mistake_in_an_expression_is_told_at_its_letter),
        cmocka_unit_test(test_mistake_in_an_escaped_text_is_told_at_its_beginning),
        cmocka_unit_test(test_element_without_a_required_field_is_told_at_its_name),
        cmocka_unit_test(test_element_reads_its_fields_from_the_table_of_its_kind),
        cmocka_unit_test(test_merge_key_gives_what_is_not_said_itself),
        cmocka_unit_test(test_text_of_any_length_cut_anywhere_is_survived),
        cmocka_unit_test(test_file_that_is_missing_or_a_folder_says_so),
        cmocka_unit_test(test_file_beyond_the_limit_is_not_parsed),
        cmocka_unit_test(test_mistakes_without_end_are_cut_at_a_hundred),
        cmocka_unit_test(test_model_by_name_is_found_under_models),
        cmocka_unit_test(test_report_prints_one_line_per_issue_and_a_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
