// SPDX-License-Identifier: MIT
// Constraints written by the user, as expressions in the file and as functions in C, and bodies carried by named points
// and vectors, against the built-in ones and closed forms.
#include "support/run_model.h"

static const bi_coordinates sets[2] = { BI_NATURAL, BI_JOINT };

static run_model run_text(const char *text, bi_coordinates coordinates)
{
    run_model run = { .dt = 1e-3, .time = 1.0, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, BI_INDEX1_RK4);
    return run;
}

static double gap(run_model *a, run_model *b)
{
    double x = run_read(a, "P.x") - run_read(b, "P.x"), y = run_read(a, "P.y") - run_read(b, "P.y"),
           z = run_read(a, "P.z") - run_read(b, "P.z");
    return sqrt(x * x + y * y + z * z);
}

#define ROD "bodies: {rod: {mass: 2, com: [0.4, 0.1, 0], inertia: [0.1, 0.2, 0.3], spin: [0, 1, 0]}}\n"
#define TIP "outputs: {P: {point: {body: rod, at: [0.5, 0.2, 0.1]}}}\n"

static const char hinge[] = "biela: 1\nname: hinge\n" ROD
                            "joints: {j: {type: revolute, bodies: [ground, rod], axis: [0, 1, 0]}}\n" TIP;
static const char written[] = "biela: 1\nname: written\n" ROD "points: {O: {body: rod}}\n"
                              "vectors: {w: {body: rod, along: [0, 3, 0]}}\n"
                              "constraints:\n"
                              "  x: {type: expression, zero: O.x}\n"
                              "  y: {type: expression, zero: O.y}\n"
                              "  z: {type: expression, zero: O.z}\n"
                              "  u: {type: expression, zero: w.x}\n"
                              "  v: {type: expression, zero: w.z}\n" TIP;

static void test_hinge_of_expressions_moves_as_the_joint(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_model one = run_text(hinge, sets[k]), two = run_text(written, sets[k]);
        run_to(&one, 1.0);
        run_to(&two, 1.0);
        // both of fourth order with 1000 steps and angles of up to 5e-3 per step
        run_expect("hinge of expressions", gap(&one, &two), 1e-9);
        run_close(&one);
        run_close(&two);
    }
}

// A bead on the moving circle x^2 + z^2 = R(t)^2 with free choice of words: radius and time, parameters and inputs.
static void test_expression_of_time_holds_and_its_balance_closes(void **state)
{
    (void)state;
    static const char text[] = "biela: 1\nname: breathing\nparameters: {R: 1}\n"
                               "bodies: {bob: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [R, 0, 0]}}\n"
                               "constraints:\n"
                               "  circle: {type: expression, points: {C: {body: bob}}, zero: 'C.x^2 + C.z^2 "
                               "- (R + 0.1*sin(3*t))^2'}\n"
                               "  plane: {type: expression, points: {C: {body: bob}}, zero: C.y}\n"
                               "outputs: {P: {point: {body: bob}}}\n";
    for (int k = 0; k < 2; k++) {
        run_model run = run_text(text, sets[k]);
        run_to(&run, 1.0);
        double radius = hypot(run_read(&run, "P.x"), run_read(&run, "P.z"));
        run_expect("breathing radius", fabs(radius - 1.0 - 0.1 * sin(3.0)), 1e-11);
        // the work of the moving circle is summed by the trapezoidal rule: 1e-6 of powers near 10 W
        run_expect("breathing balance", fabs(run_read(&run, "energy.balance")), 2e-5);
        run_close(&run);
    }
}

static void test_gear_as_an_expression_moves_as_the_gear(void **state)
{
    (void)state;
    static const char common[] = "biela: 1\nname: gear\ngravity: [0, 0, 0]\nbodies:\n"
                                 "  a: {mass: 1, inertia: [1, 1, 0.3]}\n"
                                 "  b: {mass: 1, inertia: [1, 1, 0.1]}\n"
                                 "joints:\n"
                                 "  ja: {type: revolute, bodies: [ground, a]}\n"
                                 "  jb: {type: revolute, bodies: [ground, b]}\n"
                                 "forces: {drive: {type: torque, joint: ja, torque: 2}}\n"
                                 "outputs: {P: {point: {body: b, at: [1, 0, 0]}}}\n";
    char gear[2048], expression[2048];
    snprintf(gear, sizeof gear, "%sconstraints: {g: {type: gear, a: ja, b: jb, ratio: -3}}\n", common);
    snprintf(expression, sizeof expression,
             "%sconstraints: {g: {type: expression, zero: jb.angle + 3*ja.angle}}\n", common);
    for (int k = 0; k < 2; k++) {
        run_model one = run_text(gear, sets[k]), two = run_text(expression, sets[k]);
        run_to(&one, 1.0);
        run_to(&two, 1.0);
        run_expect("gear as an expression", gap(&one, &two), 1e-12);
        run_close(&one);
        run_close(&two);
    }
}

// ---- in C --------------------------------------------------------------------------------------------------------------

// (x . x - L^2) / 2 L of one point, with what `context` says is given.
static void sphere(void *context, const bi_user_motion *in, bi_user_rows *out)
{
    const double *length = context, *x = in->value, *v = in->rate;
    out->phi[0] = 0.5 * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - *length * *length) / *length;
    for (int i = 0; out->gradient && i < 3; i++) {
        out->gradient[i] = x[i] / *length;
    }
    if (out->gamma) {
        out->gamma[0] = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / *length;
    }
}

static void wrong_sphere(void *context, const bi_user_motion *in, bi_user_rows *out)
{
    sphere(context, in, out);
    if (out->gradient) {
        out->gradient[1] = 0.5;
    }
}

static double length = 1.0;

static bi_model *bob_checked(bi_user_function *function, bool gives_gradient, bool gives_gamma, bool check)
{
    bi_model *m = bi_model_create("bob");
    bi_model_gravity(m, (bi_vec3){ 0.0, 0.0, -9.81 });
    bi_body b = bi_add_body(m, &(bi_body_def){ .name = "bob",
                                               .mass = 1.5,
                                               .inertia = { 0.1, 0.1, 0.1 },
                                               .pose.pos = { 1.0, 0.0, 0.0 },
                                               .twist.lin = { 0.0, 1.0, 0.0 } });
    bi_point at = { b, { 0.0, 0.0, 0.0 } };
    bi_add_user_constraint(m, &(bi_user_constraint_def){ .name = "rope",
                                                         .n_row = 1,
                                                         .n_point = 1,
                                                         .point = &at,
                                                         .function = function,
                                                         .context = &length,
                                                         .gives_gradient = gives_gradient,
                                                         .gives_gamma = gives_gamma,
                                                         .check = check });
    bi_add_output(m, &(bi_output_def){ .name = "P", .kind = BI_OUT_POINT, .body = b });
    return m;
}

static bi_model *bob(bi_user_function *function, bool gives_gradient, bool gives_gamma)
{
    return bob_checked(function, gives_gradient, gives_gamma, true);
}

static void test_user_constraint_moves_alike_with_and_without_its_derivatives(void **state)
{
    (void)state;
    for (int scheme = BI_ALI3P; scheme <= BI_INDEX1_RK4; scheme++) {
        run_model given = run_start(bob(sphere, true, true), (bi_scheme)scheme, 1e-3, 1.0);
        run_model left = run_start(bob(sphere, false, false), (bi_scheme)scheme, 1e-3, 1.0);
        run_to(&given, 1.0);
        run_to(&left, 1.0);
        // differences are good to 1e-10
        run_expect("user constraint by differences", gap(&given, &left), 1e-8);
        double x = run_read(&given, "P.x"), y = run_read(&given, "P.y"), z = run_read(&given, "P.z");
        run_expect("user constraint", fabs(sqrt(x * x + y * y + z * z) - 1.0), 1e-10);
        run_close(&given);
        run_close(&left);
    }
}

static void test_wrong_gradient_of_a_user_constraint_is_named(void **state)
{
    (void)state;
    bi_model *m = bob(wrong_sphere, true, true);
    bi_report report = { 0 };
    assert_null(bi_compile(m, NULL, &report));
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.issue[0].where, "constraints.rope");
    assert_non_null(strstr(report.issue[0].what, "y of point 0 is given as 0.5"));
    bi_report_clear(&report);
    bi_model_destroy(m);
}

static void test_debug_builds_compare_the_gradients_of_users_unasked(void **state)
{
    (void)state;
#ifdef BI_DEBUG
    enum { WRONG = 1 };
#else
    enum { WRONG = 0 };
#endif
    bi_model *m = bob_checked(wrong_sphere, true, true, false);
    bi_report report = { 0 };
    bi_system *system = bi_compile(m, NULL, &report);
    assert_int_equal(report.errors, WRONG);
    assert_int_equal(system == NULL, WRONG);
    bi_system_destroy(system);
    bi_report_clear(&report);
    bi_model_destroy(m);
}

static void test_user_constraint_without_a_function_is_refused(void **state)
{
    (void)state;
    bi_model *m = bob(NULL, true, true);
    bi_report report = { 0 };
    assert_null(bi_compile(m, NULL, &report));
    assert_int_equal(report.errors, 1);
    bi_report_clear(&report);
    bi_model_destroy(m);
}

// ---- named bases -----------------------------------------------------------------------------------------------------------

static const char plain[] =
    "biela: 1\nname: plain\nbodies:\n"
    "  rod: {mass: 2, com: [0.4, 0.1, 0], inertia: [0.3, 0.2, 0.3], spin: [1, 2, 0.5]}\n"
    "  arm: {mass: 1, inertia: [0.1, 0.2, 0.15], at: [1, 0, 0], velocity: [0, 0.5, -2], spin: [1, 2, 0.5]}\n"
    "joints:\n"
    "  hip: {type: spherical, bodies: [ground, rod]}\n"
    "  knee: {type: revolute, bodies: [rod, arm], at: [1, 0, 0], axis: [0, 1, 0]}\n"
    "outputs: {P: {point: {body: arm, at: [0.5, 0, 0]}}, R: {reaction: knee}}\n";
static const char based[] =
    "biela: 1\nname: based\nbodies:\n"
    "  rod: {mass: 2, com: [0.4, 0.1, 0], inertia: [0.3, 0.2, 0.3], spin: [1, 2, 0.5], basis: [v1, p1, p2, "
    "p3]}\n"
    "  arm: {mass: 1, inertia: [0.1, 0.2, 0.15], at: [1, 0, 0], velocity: [0, 0.5, -2], spin: [1, 2, 0.5]}\n"
    "points:\n"
    "  p1: {body: rod, at: [0, 0, 0]}\n"
    "  p2: {body: rod, at: [1, 0, 0]}\n"
    "  p3: {body: rod, at: [0.2, 0.1, 0.7]}\n"
    "  e: {body: arm, at: [0.5, 0, 0]}\n"
    "vectors:\n"
    "  v1: {body: rod, along: [0, 2, 0.1]}\n"
    "joints:\n"
    "  hip: {type: spherical, bodies: [ground, rod], at_a: [0, 0, 0], at_b: p1}\n"
    "  knee: {type: revolute, bodies: [rod, arm], at_a: p2, at_b: [0, 0, 0], axis: [0, 1, 0]}\n"
    "outputs: {P: {point: e}, R: {reaction: knee}}\n";

static void test_body_on_a_named_basis_moves_as_on_its_own(void **state)
{
    (void)state;
    run_model one = run_text(plain, BI_NATURAL), two = run_text(based, BI_NATURAL);
    assert_true(bi_variable_count(two.system) > bi_variable_count(one.system));
    run_to(&one, 1.0);
    run_to(&two, 1.0);
    run_expect("named basis", gap(&one, &two), 1e-9);
    run_expect("named basis reaction", fabs(run_read(&one, "R.fz") - run_read(&two, "R.fz")), 1e-6);
    run_expect("named basis moment", fabs(run_read(&one, "R.mx") - run_read(&two, "R.mx")), 1e-6);
    run_close(&one);
    run_close(&two);
}

static void test_variables_of_a_named_basis_have_its_names(void **state)
{
    (void)state;
    static const char *const wanted[] = { "p2.x", "p2.y", "p2.z", "v1.x", "p3.z" };
    run_model run = run_text(based, BI_NATURAL);
    char name[64];
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        bool is_found = false;
        for (int k = 0; k < bi_variable_count(run.system); k++) {
            is_found |= strcmp(bi_variable_name(run.system, k, name, sizeof name), wanted[w]) == 0;
        }
        if (!is_found) {
            fail_msg("no variable is called %s", wanted[w]);
        }
    }
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hinge_of_expressions_moves_as_the_joint),
        cmocka_unit_test(test_expression_of_time_holds_and_its_balance_closes),
        cmocka_unit_test(test_gear_as_an_expression_moves_as_the_gear),
        cmocka_unit_test(test_user_constraint_moves_alike_with_and_without_its_derivatives),
        cmocka_unit_test(test_wrong_gradient_of_a_user_constraint_is_named),
        cmocka_unit_test(test_debug_builds_compare_the_gradients_of_users_unasked),
        cmocka_unit_test(test_user_constraint_without_a_function_is_refused),
        cmocka_unit_test(test_body_on_a_named_basis_moves_as_on_its_own),
        cmocka_unit_test(test_variables_of_a_named_basis_have_its_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
