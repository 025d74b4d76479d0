// SPDX-License-Identifier: MIT
// Parameters, numbers, names in expressions, and the local frames of joints.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"
#include <math.h>
#include <string.h>

static const double half_pi = 1.57079632679489661923;

// ---- parameters and numbers ----------------------------------------------------------------------------------------

static double number(bi_model *m, const char *text, const char *unit)
{
    bi_report report = { 0 };
    double value = NAN;
    if (!bi_model_number(m, text, unit, "here", &value, &report)) {
        fail_msg("%s: %s", text, report.issue[0].what);
    }
    assert_int_equal(report.count, 0);
    return value;
}

static void refuse(bi_model *m, const char *text, const char *unit, const char *what, int column)
{
    bi_report report = { 0 };
    double value = 12.5;
    bi_model_place(m, (bi_place){ "f.yaml", 3, 20 });
    assert_false(bi_model_number(m, text, unit, "here", &value, &report));
    assert_true(value == 12.5);
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.issue[0].where, "here");
    if (!strstr(report.issue[0].what, what)) {
        fail_msg("'%s': '%s' does not say '%s'", text, report.issue[0].what, what);
    }
    assert_int_equal(report.issue[0].place.line, 3);
    if (report.issue[0].place.column != 20 + column) {
        fail_msg("'%s': column %d instead of %d", text, report.issue[0].place.column, 20 + column);
    }
    bi_report_clear(&report);
}

static void test_parameter_defined_again_is_replaced(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("parameters");
    bi_model_parameter(m, "R", 2.0, "m");
    bi_model_parameter(m, "k", 5.0, NULL);
    bi_model_parameter(m, "R", 3.0, NULL);
    assert_int_equal(bi_model_parameter_count(m), 2);
    const char *name, *unit;
    double value;
    assert_true(bi_model_parameter_at(m, 0, &name, &value, &unit));
    assert_string_equal(name, "R");
    assert_true(value == 3.0);
    assert_null(unit);
    assert_true(bi_model_parameter_at(m, 1, &name, &value, &unit));
    assert_string_equal(name, "k");
    assert_false(bi_model_parameter_at(m, 2, &name, &value, &unit));
    assert_false(bi_model_parameter_at(m, -1, &name, &value, &unit));
    assert_true(number(m, "R + k", NULL) == 8.0);
    bi_model_destroy(m);
}

static void test_forgotten_parameter_is_unknown(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("parameters");
    bi_model_parameter(m, "i", 1.0, NULL);
    bi_model_parameter(m, "j", 2.0, NULL);
    bi_model_forget(m, "i");
    bi_model_forget(m, "nobody");
    assert_int_equal(bi_model_parameter_count(m), 1);
    assert_true(number(m, "j", NULL) == 2.0);
    refuse(m, "2 + i", NULL, "i", 4);
    bi_model_destroy(m);
}

static void test_number_understands_expressions_and_units(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("numbers");
    bi_model_parameter(m, "R", 0.5, "m");
    assert_true(fabs(number(m, "2*pi*R", "m") - 3.14159265358979323846) <= 4e-16);
    assert_true(fabs(number(m, "30 deg", "rad") - half_pi / 3.0) <= 2e-16);
    assert_true(number(m, "250 mm", "m") == 0.25);
    assert_true(number(m, "3", "m") == 3.0); // a bare number has any unit
    assert_true(number(m, "2 m + 50 cm", NULL) == 2.5);
    bi_model_destroy(m);
}

static void test_number_refuses_with_the_column_of_the_letter(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("numbers");
    bi_model_parameter(m, "R", 0.5, "m");
    refuse(m, "2 * nobody", NULL, "nobody", 4);
    refuse(m, "t", NULL, "t", 0);
    refuse(m, "1 kg", "m", "where m is expected", 0);
    refuse(m, "R*R", "m", "where m is expected", 0);
    refuse(m, "1/0", NULL, "finite", 0);
    bi_model_destroy(m);
}

// ---- names in expressions -------------------------------------------------------------------------------------------

static bi_model *named(void)
{
    bi_model *m = bi_model_create("names");
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "a", .mass = 1 });
    bi_body b = bi_add_body(m, &(bi_body_def){ .name = "b", .mass = 1 });
    static const struct {
        const char *name;
        bi_joint_kind kind;
    } joints[] = { { "hinge", BI_REVOLUTE },   { "slide", BI_PRISMATIC }, { "tube", BI_CYLINDRICAL },
                   { "ball", BI_UNIVERSAL },   { "rope", BI_DISTANCE },   { "left.hinge", BI_REVOLUTE },
                   { "cardan", BI_UNIVERSAL }, { "weld", BI_FIXED } };
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        bi_add_joint(m, &(bi_joint_def){ .name = joints[k].name, .kind = joints[k].kind, .a = a, .b = b });
    }
    bi_add_input(m, "gas", 0.0);
    bi_add_input(m, "driver.gas", 0.0);
    return m;
}

static void test_names_resolve_to_time_inputs_and_joint_coordinates(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        model_name wanted;
    } cases[] = {
        { "t", { MODEL_NAME_TIME, 0, 0 } },
        { "gas", { MODEL_NAME_INPUT, 0, 0 } },
        { "driver.gas", { MODEL_NAME_INPUT, 1, 0 } },
        { "hinge.angle", { MODEL_NAME_VALUE, 0, 0 } },
        { "hinge.rate", { MODEL_NAME_RATE, 0, 0 } },
        { "hinge.angle_rate", { MODEL_NAME_RATE, 0, 0 } },
        { "slide.position", { MODEL_NAME_VALUE, 1, 0 } },
        { "slide.rate", { MODEL_NAME_RATE, 1, 0 } },
        { "tube.angle", { MODEL_NAME_VALUE, 2, 0 } },
        { "tube.position", { MODEL_NAME_VALUE, 2, 1 } },
        { "tube.rate", { MODEL_NAME_RATE, 2, 0 } },
        { "tube.position_rate", { MODEL_NAME_RATE, 2, 1 } },
        { "rope.position", { MODEL_NAME_VALUE, 4, 0 } },
        { "left.hinge.angle", { MODEL_NAME_VALUE, 5, 0 } },
        { "hinge.position", { MODEL_NAME_NONE, 0, 0 } },
        { "slide.angle", { MODEL_NAME_NONE, 0, 0 } },
        { "hinge.angles", { MODEL_NAME_NONE, 0, 0 } },
        { "hinge.", { MODEL_NAME_NONE, 0, 0 } },
        { "hinge", { MODEL_NAME_NONE, 0, 0 } },
        { "ball.angle", { MODEL_NAME_NONE, 0, 0 } },
        { "ball.rate", { MODEL_NAME_RATE, 3, 0 } },
        { "ball.angle2", { MODEL_NAME_VALUE, 3, 1 } },
        { "ball.angle3", { MODEL_NAME_NONE, 0, 0 } },
        { "cardan.angle", { MODEL_NAME_NONE, 0, 0 } },
        { "weld.position", { MODEL_NAME_NONE, 0, 0 } },
        { "brake", { MODEL_NAME_NONE, 0, 0 } },
        { "nobody.angle", { MODEL_NAME_NONE, 0, 0 } },
    };
    bi_model *m = named();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        model_name got = model_resolve(m, cases[k].name);
        if (got.kind != cases[k].wanted.kind || got.index != cases[k].wanted.index ||
            got.coordinate != cases[k].wanted.coordinate) {
            fail_msg("%s: kind %d index %d coordinate %d", cases[k].name, (int)got.kind, got.index,
                     got.coordinate);
        }
    }
    bi_model_destroy(m);
}

static void test_expression_keeps_the_parameter_of_its_time(void **state)
{
    (void)state;
    bi_model *m = named();
    bi_model_parameter(m, "k", 2.0, NULL);
    bi_expr e = bi_expression(m, "k*10", NULL);
    bi_model_parameter(m, "k", 3.0, NULL);
    assert_int_equal(expr_variable_count(m->expr[e.i - 1].code), 0);
    assert_true(expr_value(m->expr[e.i - 1].code, NULL) == 20.0);
    bi_expr c = bi_constant(m, 0.1);
    assert_true(expr_value(m->expr[c.i - 1].code, NULL) == 0.1);
    bi_model_destroy(m);
}

static void test_look_ups_find_by_name_or_are_unset(void **state)
{
    (void)state;
    bi_model *m = named();
    bi_element e =
        bi_add_torque(m, &(bi_torque_def){ .name = "torque", .joint = { 1 }, .torque = bi_constant(m, 1) });
    assert_int_equal(bi_model_body(m, "ground").i, BI_GROUND.i);
    assert_int_equal(bi_model_body(m, "b").i, 3);
    assert_int_equal(bi_model_joint(m, "tube").i, 3);
    assert_int_equal(bi_model_element(m, "torque").i, e.i);
    assert_int_equal(bi_model_input(m, "gas").i, 1);
    assert_int_equal(bi_model_body(m, "c").i, 0);
    assert_int_equal(bi_model_joint(m, "a").i, 0);
    assert_int_equal(bi_model_element(m, "hinge").i, 0);
    assert_int_equal(bi_model_input(m, "").i, 0);
    assert_string_equal(bi_model_name(m), "names");
    bi_model_destroy(m);
}

static void test_definitions_are_copied(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("copies");
    char name[] = "rod";
    double mass[2] = { 1, 2 }, stiffness[1] = { 7 };
    bi_vec3 at[2] = { { 0, 0, 0 }, { 1, 0, 0 } }, shape[2] = { { 0, 0, 0 }, { 0, 1, 0 } };
    bi_vec3 turn[2] = { { 0, 0, 0 }, { 0, 0, 3 } }, bend[2] = { { 0, 0, 0 }, { -1, 0, 0 } };
    bi_modes modes = { 2, 1, at, mass, shape, stiffness, NULL, turn, bend, false };
    bi_body b = bi_add_body(m, &(bi_body_def){ .name = name, .flex = &modes });
    name[0] = 'X';
    mass[1] = 99;
    stiffness[0] = 99;
    shape[1].y = 99;
    turn[1].z = 99;
    bend[1].x = 99;
    modes.n_mode = 0;
    const bi_body_def *kept = &m->body[b.i - 1].def;
    assert_string_equal(kept->name, "rod");
    assert_int_equal(kept->flex->n_mode, 1);
    assert_true(kept->flex->mass[1] == 2.0 && kept->flex->stiffness[0] == 7.0 &&
                kept->flex->shape[1].y == 1.0);
    assert_true(kept->flex->turn[1].z == 3.0 && kept->flex->bend[1].x == -1.0);
    assert_null(kept->flex->damping);
    bi_model_destroy(m);
}

// ---- local frames of joints ---------------------------------------------------------------------------------------------

// a stands at (1, 0, 0), turned a quarter about z; b at (0, 0, 5), turned a quarter about x.
static model_joint_frame frames(bi_joint_def def)
{
    double s = sqrt(0.5);
    bi_model *m = bi_model_create("frames");
    def.a = bi_add_body(m, &(bi_body_def){ .name = "a", .mass = 1, .pose = { { 1, 0, 0 }, { s, 0, 0, s } } });
    def.b = bi_add_body(m, &(bi_body_def){ .name = "b", .mass = 1, .pose = { { 0, 0, 5 }, { s, s, 0, 0 } } });
    def.kind = def.kind ? def.kind : BI_REVOLUTE;
    bi_add_joint(m, &def);
    model_joint_frame f = model_joint_frames(m, 0);
    bi_model_destroy(m);
    return f;
}

static void expect_vec(bi_vec3 got, double x, double y, double z)
{
    // a rotation and a difference of numbers up to 5
    if (!(fabs(got.x - x) <= 4e-15 && fabs(got.y - y) <= 4e-15 && fabs(got.z - z) <= 4e-15)) {
        fail_msg("(%.17g, %.17g, %.17g) instead of (%g, %g, %g)", got.x, got.y, got.z, x, y, z);
    }
}

static void test_joint_at_in_ground_axes_gives_both_points(void **state)
{
    (void)state;
    model_joint_frame f = frames((bi_joint_def){ .at = { 3, 4, 6 } });
    // a: (2, 4, 6) seen from axes turned by +90 deg about z; b: (3, 4, 1) from axes turned by +90 deg about x
    expect_vec(f.at_a, 4, -2, 6);
    expect_vec(f.at_b, 3, 1, -4);
    // the default axis is z
    expect_vec(f.axis_a, 0, 0, 1);
    expect_vec(f.axis_b, 0, 1, 0);
}

static void test_joint_at_of_one_body_gives_the_other(void **state)
{
    (void)state;
    // at_a (4, -2, 6) is the ground point (3, 4, 6), whatever `at` says
    model_joint_frame f = frames((bi_joint_def){ .at = { 9, 9, 9 }, .at_a = { 4, -2, 6 }, .local = BI_AT_A });
    expect_vec(f.at_a, 4, -2, 6);
    expect_vec(f.at_b, 3, 1, -4);
    f = frames((bi_joint_def){ .at = { 9, 9, 9 }, .at_b = { 3, 1, -4 }, .local = BI_AT_B });
    expect_vec(f.at_a, 4, -2, 6);
    expect_vec(f.at_b, 3, 1, -4);
}

static void test_joint_with_both_points_keeps_them(void **state)
{
    (void)state;
    model_joint_frame f =
        frames((bi_joint_def){ .at_a = { 1, 2, 3 }, .at_b = { 4, 5, 6 }, .local = BI_AT_A | BI_AT_B });
    expect_vec(f.at_a, 1, 2, 3);
    expect_vec(f.at_b, 4, 5, 6);
}

static void test_joint_axis_in_any_form_gives_unit_axes(void **state)
{
    (void)state;
    model_joint_frame f = frames((bi_joint_def){ .axis = { 0, 7, 0 } });
    expect_vec(f.axis_a, 1, 0, 0);
    expect_vec(f.axis_b, 0, 0, -1);
    f = frames((bi_joint_def){ .axis = { 5, 5, 5 }, .axis_a = { 2, 0, 0 }, .local = BI_AXIS_A });
    expect_vec(f.axis_a, 1, 0, 0);
    expect_vec(f.axis_b, 0, 0, -1);
    f = frames((bi_joint_def){ .axis = { 5, 5, 5 }, .axis_b = { 0, 0, -3 }, .local = BI_AXIS_B });
    expect_vec(f.axis_a, 1, 0, 0);
    expect_vec(f.axis_b, 0, 0, -1);
    f = frames(
        (bi_joint_def){ .axis_a = { 0, 3, 0 }, .axis_b = { 0, 0, 3 }, .local = BI_AXIS_A | BI_AXIS_B });
    expect_vec(f.axis_a, 0, 1, 0);
    expect_vec(f.axis_b, 0, 0, 1);
}

static void test_universal_joint_completes_its_second_axis_at_a_right_angle(void **state)
{
    (void)state;
    model_joint_frame f = frames((bi_joint_def){ .kind = BI_UNIVERSAL, .axis = { 0, 1, 0 } });
    // the reference direction of y is x; b sees ground x as x
    expect_vec(f.axis_a, 1, 0, 0);
    expect_vec(f.axis_b, 1, 0, 0);
    // both given, in a and in ground: each keeps its own
    f = frames((bi_joint_def){
        .kind = BI_UNIVERSAL, .axis = { 0, 1, 0 }, .axis_b = { 1, 0, 0 }, .local = BI_AXIS_B });
    expect_vec(f.axis_a, 1, 0, 0);
    expect_vec(f.axis_b, 1, 0, 0);
}

static void test_distance_joint_measures_its_length_when_not_given(void **state)
{
    (void)state;
    bi_joint_def def = { .kind = BI_DISTANCE, .local = BI_AT_A | BI_AT_B };
    // from (1, 0, 0) to (0, 0, 5)
    assert_true(fabs(frames(def).length - sqrt(26.0)) <= 2e-15);
    def.length = 2.5;
    assert_true(frames(def).length == 2.5);
}

static void test_coordinates_of_joints_have_their_names(void **state)
{
    (void)state;
    static const struct {
        bi_joint_kind kind;
        int count;
        const char *first;
    } cases[] = { { BI_FIXED, 0, NULL },           { BI_REVOLUTE, 1, "angle" },
                  { BI_PRISMATIC, 1, "position" }, { BI_CYLINDRICAL, 2, "angle" },
                  { BI_UNIVERSAL, 2, "angle1" },   { BI_PLANAR, 3, "angle" },
                  { BI_SPHERICAL, 3, "angle1" },   { BI_FREE, 6, "x" },
                  { BI_DISTANCE, 1, "position" } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(model_coordinate_count(cases[k].kind), cases[k].count);
        if (cases[k].count > 0) {
            assert_string_equal(model_coordinate_name(cases[k].kind, 0), cases[k].first);
        }
    }
    assert_string_equal(model_coordinate_name(BI_CYLINDRICAL, 1), "position");
}

// ---- fingerprint ------------------------------------------------------------------------------------------------------------

static uint64_t fingerprint(double mass, double stiffness, double gravity, const char *text, double k)
{
    bi_model *m = bi_model_create("print");
    bi_model_gravity(m, (bi_vec3){ 0, 0, gravity });
    bi_body b = bi_add_body(m, &(bi_body_def){ .name = "b", .mass = mass });
    bi_joint j = bi_add_joint(m, &(bi_joint_def){ .name = "j", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = b });
    bi_model_parameter(m, "k", k, NULL);
    bi_add_torque(m, &(bi_torque_def){ .name = "t", .joint = j, .torque = bi_expression(m, text, NULL) });
    // garbage in the gaps of the struct must not matter
    bi_spring_def spring;
    memset(&spring, (int)(100.0 * k) & 0x7f, sizeof spring);
    spring.name = "s";
    spring.a.body = BI_GROUND;
    spring.a.at = (bi_vec3){ 0, 0, 0 };
    spring.b.body = b;
    spring.b.at = (bi_vec3){ 1, 0, 0 };
    spring.stiffness = stiffness;
    spring.damping = spring.rest = 0.0;
    bi_add_spring(m, &spring);
    uint64_t h = model_fingerprint(m);
    bi_model_destroy(m);
    return h;
}

static void test_fingerprint_sees_every_number_of_a_model(void **state)
{
    (void)state;
    uint64_t all[] = { fingerprint(1, 10, -9, "k*t", 0.5), fingerprint(2, 10, -9, "k*t", 0.5),
                       fingerprint(1, 11, -9, "k*t", 0.5), fingerprint(1, 10, -8, "k*t", 0.5),
                       fingerprint(1, 10, -9, "k+t", 0.5), fingerprint(1, 10, -9, "k*t", 0.7) };
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < k; i++) {
            assert_true(all[i] != all[k]);
        }
    }
    assert_true(fingerprint(1, 10, -9, "k*t", 0.5) == all[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameter_defined_again_is_replaced),
        cmocka_unit_test(test_forgotten_parameter_is_unknown),
        cmocka_unit_test(test_number_understands_expressions_and_units),
        cmocka_unit_test(test_number_refuses_with_the_column_of_the_letter),
        cmocka_unit_test(test_names_resolve_to_time_inputs_and_joint_coordinates),
        cmocka_unit_test(test_expression_keeps_the_parameter_of_its_time),
        cmocka_unit_test(test_look_ups_find_by_name_or_are_unset),
        cmocka_unit_test(test_definitions_are_copied),
        cmocka_unit_test(test_joint_at_in_ground_axes_gives_both_points),
        cmocka_unit_test(test_joint_at_of_one_body_gives_the_other),
        cmocka_unit_test(test_joint_with_both_points_keeps_them),
        cmocka_unit_test(test_joint_axis_in_any_form_gives_unit_axes),
        cmocka_unit_test(test_universal_joint_completes_its_second_axis_at_a_right_angle),
        cmocka_unit_test(test_distance_joint_measures_its_length_when_not_given),
        cmocka_unit_test(test_coordinates_of_joints_have_their_names),
        cmocka_unit_test(test_fingerprint_sees_every_number_of_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
