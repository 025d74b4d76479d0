// SPDX-License-Identifier: MIT
// Every mistake that a description can have, one at a time: named, explained, and the only one told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/biela.h>
#include <biela/io.h>
#include <math.h>
#include <string.h>

// A correct model with one of everything; tests spoil a piece of it.
typedef struct {
    bi_model *m;
    bi_body body, other;
    bi_joint hinge, ball;
} fixture;

static fixture correct(void)
{
    fixture f = { .m = bi_model_create("checked") };
    assert_non_null(f.m);
    f.body = bi_add_body(f.m, &(bi_body_def){ .name = "body", .mass = 1, .inertia = { 1, 1, 1 } });
    f.other = bi_add_body(f.m, &(bi_body_def){ .name = "other", .mass = 1, .inertia = { 1, 1, 1 } });
    f.hinge = bi_add_joint(
        f.m, &(bi_joint_def){ .name = "hinge", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = f.body });
    f.ball =
        bi_add_joint(f.m, &(bi_joint_def){ .name = "weld", .kind = BI_FIXED, .a = f.body, .b = f.other });
    return f;
}

// Checks and destroys the model: exactly this one message.
static void expect(fixture f, const char *where, const char *what)
{
    bi_report report = { 0 };
    int errors = bi_model_check(f.m, &report);
    if (errors != 1 || report.count != 1 || strcmp(report.issue[0].where, where) != 0 ||
        !strstr(report.issue[0].what, what)) {
        bi_report_print(&report, stderr);
        fail_msg("%d errors; wanted one, %s: ...%s...", errors, where, what);
    }
    assert_int_equal(report.issue[0].code, BI_BAD_MODEL);
    bi_report_clear(&report);
    bi_model_destroy(f.m);
}

static void expect_body(const bi_body_def *def, const char *where, const char *what)
{
    fixture f = correct();
    bi_add_body(f.m, def);
    expect(f, where, what);
}

static void expect_joint(bi_joint_def def, const char *where, const char *what)
{
    fixture f = correct();
    def.a = def.a.i ? def.a : f.body;
    def.b = def.b.i ? def.b : f.other;
    bi_add_joint(f.m, &def);
    expect(f, where, what);
}

static void test_correct_model_has_no_mistakes(void **state)
{
    (void)state;
    fixture f = correct();
    bi_report report = { 0 };
    assert_int_equal(bi_model_check(f.m, &report), 0);
    assert_int_equal(report.count, 0);
    bi_model_destroy(f.m);
}

static void test_gravity_that_is_not_finite(void **state)
{
    (void)state;
    fixture f = correct();
    bi_model_gravity(f.m, (bi_vec3){ 0, NAN, 0 });
    expect(f, "gravity", "not finite");
}

static void test_mistakes_of_bodies(void **state)
{
    (void)state;
    expect_body(&(bi_body_def){ .name = "b", .mass = -0.5 }, "bodies.b.mass", "it is -0.5");
    expect_body(&(bi_body_def){ .name = "b", .mass = NAN }, "bodies.b.mass", "negative");
    expect_body(&(bi_body_def){ .name = "b", .mass = INFINITY }, "bodies.b.mass", "negative");
    expect_body(&(bi_body_def){ .name = "b", .mass = 1, .com = { NAN, 0, 0 } }, "bodies.b", "not finite");
    expect_body(&(bi_body_def){ .name = "b", .mass = 1, .pose = { { 0, INFINITY, 0 }, { 0 } } }, "bodies.b",
                "not finite");
    expect_body(&(bi_body_def){ .name = "b", .mass = 1, .pose = { { 0 }, { 1, NAN, 0, 0 } } }, "bodies.b",
                "not finite");
    expect_body(&(bi_body_def){ .name = "b", .mass = 1, .twist = { { 0, 0, NAN }, { 0 } } }, "bodies.b",
                "not finite");
    expect_body(&(bi_body_def){ .name = "b", .mass = 1, .inertia = { 1, NAN, 1 } }, "bodies.b.inertia",
                "not finite");
    expect_body(&(bi_body_def){ .name = "b", .mass = 1, .inertia = { 1, -1, 1 } }, "bodies.b.inertia",
                "negative principal moment -1");
    // eigenvalues 1 - 2, 1 + 2: the product of inertia is too large
    expect_body(&(bi_body_def){ .name = "b", .mass = 1, .inertia = { 1, 1, 1, 2 } }, "bodies.b.inertia",
                "negative principal moment -1");
    expect_body(&(bi_body_def){ .name = "b", .mass = 1, .inertia = { 1, 1, 2.1 } }, "bodies.b.inertia",
                "must not exceed the sum");
    expect_body(&(bi_body_def){ .name = "b", .inertia = { 1, 1, 1 } }, "bodies.b.inertia", "without mass");
    bi_modes modes = { .n_node = 1, .n_mode = 1 };
    expect_body(&(bi_body_def){ .name = "b", .flex = &modes }, "bodies.b.flex", "needs nodes");
    bi_vec3 at = { 1, 0, 0 }, shape[2] = { { 0, 1, 0 }, { 0, 0, 1 } },
            bend[4] = { { 0, 0, 0 }, { -1, 0, 0 } };
    double mass = 1, stiffness[2] = { 5, 6 };
    modes = (bi_modes){ 1, 2, &at, &mass, shape, stiffness, NULL, NULL, bend, false };
    expect_body(&(bi_body_def){ .name = "b", .flex = &modes }, "bodies.b.flex", "not symmetric");
    bend[2].x = -1;
    shape[1].z = NAN;
    expect_body(&(bi_body_def){ .name = "b", .flex = &modes }, "bodies.b.flex", "not finite");
}

static void test_inertia_of_a_rod_or_a_lamina_is_possible(void **state)
{
    (void)state;
    fixture f = correct();
    bi_add_body(f.m, &(bi_body_def){ .name = "rod", .mass = 1, .inertia = { 0, 1, 1 } });
    bi_add_body(f.m,
                &(bi_body_def){ .name = "lamina", .mass = 1, .inertia = { 0.1, 0.2, 0.30000000000000004 } });
    bi_add_body(f.m, &(bi_body_def){ .name = "nothing" });
    bi_report report = { 0 };
    assert_int_equal(bi_model_check(f.m, &report), 0);
    bi_model_destroy(f.m);
}

static void test_mistakes_of_joints(void **state)
{
    (void)state;
    expect_joint((bi_joint_def){ .name = "j" }, "joints.j.type", "not set");
    expect_joint((bi_joint_def){ .name = "j", .kind = (bi_joint_kind)99 }, "joints.j.type", "not set");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_REVOLUTE, .b = { 17 } }, "joints.j.bodies",
                 "two bodies");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_REVOLUTE, .a = { -3 } }, "joints.j.bodies",
                 "two bodies");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_REVOLUTE, .a = { 2 }, .b = { 2 } },
                 "joints.j.bodies", "joins body to itself");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_REVOLUTE, .local = BI_AXIS_A }, "joints.j.axis",
                 "no length");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_REVOLUTE, .local = BI_AXIS_B }, "joints.j.axis",
                 "no length");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_REVOLUTE, .at = { 0, 0, NAN } }, "joints.j",
                 "not finite");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_REVOLUTE, .axis = { NAN, 0, 0 } }, "joints.j",
                 "not finite");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_REVOLUTE, .set_value = true, .value = NAN },
                 "joints.j.value", "finite");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_DISTANCE }, "joints.j.length", "is zero");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_DISTANCE, .length = -1 }, "joints.j.length",
                 "negative");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_FIXED, .set_value = true }, "joints.j.value",
                 "no coordinate");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_FIXED, .hold = true }, "joints.j.value",
                 "no coordinate");
    expect_joint((bi_joint_def){ .name = "j", .kind = BI_FIXED, .set_rate = true }, "joints.j.value",
                 "no coordinate");
}

static void test_mistakes_of_expressions_stand_at_their_letter(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
        int column; // from the first letter
    } cases[] = {
        { "2 * nobody", "unknown name 'nobody'", 4 },
        { "1 + hinge.position", "unknown name 'hinge.position'", 4 },
        { "ball.angle", "unknown name 'ball.angle'", 0 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fixture f = correct();
        bi_model_place(f.m, (bi_place){ "m.yaml", 5, 10 });
        bi_expr e = bi_expression(f.m, cases[k].text, NULL);
        bi_model_place(f.m, (bi_place){ 0 });
        bi_add_torque(f.m, &(bi_torque_def){ .name = "torque", .joint = f.hinge, .torque = e });
        bi_report report = { 0 };
        assert_int_equal(bi_model_check(f.m, &report), 1);
        assert_non_null(strstr(report.issue[0].what, cases[k].what));
        assert_int_equal(report.issue[0].place.line, 5);
        assert_int_equal(report.issue[0].place.column, 10 + cases[k].column);
        bi_report_clear(&report);
        bi_model_destroy(f.m);
    }
    fixture f = correct();
    bi_add_torque(f.m, &(bi_torque_def){
                           .name = "torque", .joint = f.hinge, .torque = bi_expression(f.m, "2 +", NULL) });
    expect(f, "expression", "2 +");
    f = correct();
    bi_add_torque(f.m, &(bi_torque_def){
                           .name = "torque", .joint = f.hinge, .torque = bi_expression(f.m, "2 m", "N*m") });
    expect(f, "expression", "expected");
}

static void test_mistakes_of_forces_and_constraints(void **state)
{
    (void)state;
    fixture f = correct();
    bi_add_spring(f.m, &(bi_spring_def){ .name = "s",
                                         .a = { BI_GROUND, { 0, 0, 0 } },
                                         .b = { f.body, { 1, 0, 0 } },
                                         .stiffness = -1,
                                         .damping = 0,
                                         .rest = 0 });
    expect(f, "forces.s.stiffness", "negative");
    f = correct();
    bi_add_spring(f.m, &(bi_spring_def){ .name = "s",
                                         .a = { BI_GROUND, { 0, 0, 0 } },
                                         .b = { f.body, { 1, 0, 0 } },
                                         .stiffness = 1,
                                         .damping = NAN,
                                         .rest = 0 });
    expect(f, "forces.s.damping", "finite");
    f = correct();
    bi_add_spring(f.m, &(bi_spring_def){ .name = "s",
                                         .a = { { 0 }, { 0, 0, 0 } },
                                         .b = { f.body, { 1, 0, 0 } },
                                         .stiffness = 1,
                                         .damping = 0,
                                         .rest = 0 });
    expect(f, "forces.s.a", "body of this model");
    f = correct();
    bi_add_spring(f.m, &(bi_spring_def){ .name = "s",
                                         .a = { BI_GROUND, { 0, 0, 0 } },
                                         .b = { f.body, { NAN, 0, 0 } },
                                         .stiffness = 1,
                                         .damping = 0,
                                         .rest = 0 });
    expect(f, "forces.s.b", "not finite");
    f = correct();
    bi_add_torque(f.m, &(bi_torque_def){ .name = "t", .joint = f.ball, .torque = bi_constant(f.m, 1) });
    expect(f, "forces.t.joint", "has a coordinate");
    f = correct();
    bi_add_torque(f.m, &(bi_torque_def){ .name = "t", .joint = { 5 }, .torque = bi_constant(f.m, 1) });
    expect(f, "forces.t.joint", "joint of this model");
    f = correct();
    bi_add_torque(f.m, &(bi_torque_def){ .name = "t", .joint = f.hinge, .torque = { 0 } });
    expect(f, "forces.t.torque", "needs an expression");
    f = correct();
    bi_add_dc_motor(
        f.m,
        &(bi_dc_motor_def){
            .name = "m", .joint = f.hinge, .voltage = bi_constant(f.m, 1), .inductance = 1, .constant = 1 });
    expect(f, "forces.m.resistance", "must be positive");
    f = correct();
    bi_add_guide(f.m, &(bi_guide_def){ .name = "g",
                                       .joint = f.hinge,
                                       .value = bi_expression(f.m, "t + hinge.rate", NULL) });
    expect(f, "constraints.g.value", "no joint");
    f = correct();
    bi_add_rolling(f.m, &(bi_rolling_def){ .name = "r", .body = { 9 }, .radius = 1 });
    expect(f, "constraints.r.body", "body of this model");
    f = correct();
    bi_add_rolling(f.m,
                   &(bi_rolling_def){ .name = "r", .body = f.body, .radius = 1, .plane = { NAN, 0, 0 } });
    expect(f, "constraints.r.plane", "not finite");
}

static void test_mistakes_of_outputs(void **state)
{
    (void)state;
    static const struct {
        bi_output_def def;
        const char *what;
    } cases[] = {
        { { .name = "o", .kind = BI_OUT_POINT }, "body" },
        { { .name = "o", .kind = BI_OUT_BODY, .body = { 8 } }, "body" },
        { { .name = "o", .kind = BI_OUT_JOINT }, "joint of this model" },
        { { .name = "o", .kind = BI_OUT_JOINT, .joint = { 2 } }, "has a coordinate" },
        { { .name = "o", .kind = BI_OUT_REACTION, .joint = { 3 } }, "joint of this model" },
        { { .name = "o", .kind = BI_OUT_EXPR }, "expression" },
        { { .name = "o", .kind = BI_OUT_EFFORT, .element = { 1 } }, "" },
        { { .name = "o" }, "" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fixture f = correct();
        bi_add_output(f.m, &cases[k].def);
        expect(f, "outputs.o", cases[k].what);
    }
}

static void test_names_that_are_missing_or_used_twice(void **state)
{
    (void)state;
    expect_body(&(bi_body_def){ .mass = 1 }, "bodies.?", "no name");
    expect_body(&(bi_body_def){ .name = "other", .mass = 1 }, "bodies.other", "used twice");
    expect_body(&(bi_body_def){ .name = "ground", .mass = 1 }, "bodies.ground", "used twice");
    expect_joint((bi_joint_def){ .name = "hinge", .kind = BI_UNIVERSAL }, "joints.hinge", "used twice");
    fixture f = correct();
    bi_add_input(f.m, "u", 0);
    bi_add_input(f.m, "u", 1);
    expect(f, "inputs.u", "used twice");
    f = correct();
    bi_add_output(f.m, &(bi_output_def){ .name = "o", .kind = BI_OUT_BODY, .body = f.body });
    bi_add_output(f.m, &(bi_output_def){ .name = "o", .kind = BI_OUT_BODY, .body = f.body });
    expect(f, "outputs.o", "used twice");
    // a joint and a body may share a name
    f = correct();
    bi_add_joint(f.m, &(bi_joint_def){ .name = "body", .kind = BI_UNIVERSAL, .a = f.body, .b = f.other });
    bi_report report = { 0 };
    assert_int_equal(bi_model_check(f.m, &report), 0);
    bi_model_destroy(f.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correct_model_has_no_mistakes),
        cmocka_unit_test(test_gravity_that_is_not_finite),
        cmocka_unit_test(test_mistakes_of_bodies),
        cmocka_unit_test(test_inertia_of_a_rod_or_a_lamina_is_possible),
        cmocka_unit_test(test_mistakes_of_joints),
        cmocka_unit_test(test_mistakes_of_expressions_stand_at_their_letter),
        cmocka_unit_test(test_mistakes_of_forces_and_constraints),
        cmocka_unit_test(test_mistakes_of_outputs),
        cmocka_unit_test(test_names_that_are_missing_or_used_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
