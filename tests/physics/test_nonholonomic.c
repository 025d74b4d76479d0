// SPDX-License-Identifier: MIT
// Rolling on curved ground, rounded rims, knife edges and velocity constraints of the user, against closed forms and motions that
// the test integrates itself; each in both formulations.
#include "support/run_model.h"

static const double gravity = 9.81;

static run_model start(const char *text, bi_coordinates coordinates, double dt)
{
    run_model run = { .dt = dt, .time = 1.0, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, BI_RK4);
    return run;
}

static void steps(run_model *run, int count)
{
    for (int k = 0; k < count; k++) {
        run_step(run);
    }
}

// ---- in a trough -----------------------------------------------------------------------------------------------------

// Angle from the lowest point of a body that rolls inside a circle of radius `path` (of its centre): theta'' = -g sin(theta) /
// (path (1 + I / (m R^2))).
static double trough_angle(double angle, double path, double inertia_ratio, double time)
{
    double q = angle, v = 0.0, k = -gravity / (path * (1.0 + inertia_ratio));
    int n = 20000;
    double h = time / n;
    for (int i = 0; i < n; i++) {
        double a1 = k * sin(q), v2 = v + 0.5 * h * a1, a2 = k * sin(q + 0.5 * h * v);
        double v3 = v + 0.5 * h * a2, a3 = k * sin(q + 0.5 * h * v2), v4 = v + h * a3,
               a4 = k * sin(q + h * v3);
        q += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return q;
}

// Described at 0.6 rad in a circle of 2 m; the radius is 0.3 m, so the centre moves on one of 1.7 m.
static void expect_trough(const char *name, const char *shape, const char *inertia, double ratio)
{
    char text[1024];
    snprintf(text, sizeof text,
             "biela: 1\nname: trough\ngravity: [0, 0, -9.81]\n"
             "bodies:\n  disc: {mass: 2, inertia: %s, at: [1.7*sin(0.6), 0, 2 - 1.7*cos(0.6)]}\n"
             "constraints:\n  roll: {type: rolling, body: disc, radius: 0.3, %s}\n"
             "outputs:\n  C: {point: {body: disc, at: [0, 0, 0]}}\n",
             inertia, shape);
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        run_model run = start(text, (bi_coordinates)c, 2e-3);
        steps(&run, 500);
        double angle = trough_angle(0.6, 1.7, ratio, 1.0);
        double error =
            hypot(run_read(&run, "C.x") - 1.7 * sin(angle), run_read(&run, "C.z") - (2.0 - 1.7 * cos(angle)));
        // order four at 2 ms with rates of some rad/s: far below
        run_expect(name, error, 1e-8);
        run_expect("its energy", fabs(run_read(&run, "energy.balance")), 1e-7);
        run_close(&run);
    }
}

static void test_disc_in_a_cylinder_swings_like_its_pendulum(void **state)
{
    (void)state;
    expect_trough("disc in a cylinder", "surface: '2 - sqrt(4 - x^2)'", "[0.045, 0.09, 0.045]", 0.5);
}

static void test_ball_in_a_bowl_swings_like_its_pendulum(void **state)
{
    (void)state;
    // a ball is a torus whose rim is as thick as its radius
    expect_trough("ball in a bowl", "section: 0.3, surface: '2 - sqrt(4 - x^2 - y^2)'",
                  "[0.072, 0.072, 0.072]", 0.4);
}

static void test_torus_upright_in_a_cylinder_swings_like_the_disc(void **state)
{
    (void)state;
    expect_trough("torus in a cylinder", "section: 0.1, surface: '2 - sqrt(4 - x^2)'", "[0.045, 0.09, 0.045]",
                  0.5);
}

// ---- torus on a plane -------------------------------------------------------------------------------------------------

// e1 heading, e2 axis, e3 up in the plane of the wheel; lean about e1. With r the ring and s the section of the rim, the arm from
// the contact to the centre is r e3 + s z, and z = cos(lean) e3 + sin(lean) e2. The frame e turns with W = (w1, w3 tan(lean), w3).
enum { LEAN, YAW, W1, W2, W3, X, Y, N_STATE };
static const double mass = 2.0, outer = 0.3;

typedef struct {
    double ring, section;
} rim;

// Velocity of the centre in e: omega x (r e3 + s z).
static bi_vec3 centre_velocity(const rim *r, const double *s)
{
    bi_vec3 arm = { 0.0, r->section * sin(s[LEAN]), r->ring + r->section * cos(s[LEAN]) };
    return run_cross((bi_vec3){ s[W1], s[W2], s[W3] }, arm);
}

// Newton and Euler, solved for the three angular accelerations: everything in e.
static void torus_rates(const rim *r, const double *s, double *rate)
{
    double A = 0.25 * mass * outer * outer, B = 2.0 * A, c = cos(s[LEAN]), n = sin(s[LEAN]);
    bi_vec3 w = { s[W1], s[W2], s[W3] }, W = { s[W1], s[W3] * n / c, s[W3] };
    bi_vec3 z = { 0.0, n, c }, arm = { 0.0, r->section * n, r->ring + r->section * c };
    // arm in e changes with the lean only
    bi_vec3 arm_rate = { 0.0, r->section * c * w.x, -r->section * n * w.x };
    bi_vec3 v = run_cross(w, arm);
    // acceleration of the centre with w' = 0, and weight
    bi_vec3 rest = run_add(run_cross(w, arm_rate), run_cross(W, v));
    bi_vec3 spin = run_cross(W, (bi_vec3){ A * w.x, B * w.y, A * w.z });
    // I w' + spin = (-arm) x F, F = m (w' x arm + rest + g z): linear in w'
    bi_vec3 push = run_scale(mass, run_add(rest, run_scale(gravity, z)));
    bi_vec3 right = run_sub(run_cross(run_scale(-1.0, arm), push), spin);
    double d = arm.y * arm.y + arm.z * arm.z;
    double m22 = B + mass * arm.z * arm.z, m33 = A + mass * arm.y * arm.y, m23 = -mass * arm.y * arm.z;
    double det = m22 * m33 - m23 * m23;
    rate[W1] = right.x / (A + mass * d);
    rate[W2] = (m33 * right.y - m23 * right.z) / det;
    rate[W3] = (m22 * right.z - m23 * right.y) / det;
    rate[LEAN] = w.x;
    rate[YAW] = w.z / c;
    rate[X] = v.x * cos(s[YAW]) - (v.y * c - v.z * n) * sin(s[YAW]);
    rate[Y] = v.x * sin(s[YAW]) + (v.y * c - v.z * n) * cos(s[YAW]);
}

static void torus_advance(const rim *r, double *s, double h)
{
    double k[4][N_STATE], at[N_STATE];
    static const double share[4] = { 0.0, 0.5, 0.5, 1.0 };
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < N_STATE; i++) {
            at[i] = s[i] + (stage > 0 ? share[stage] * h * k[stage - 1][i] : 0.0);
        }
        torus_rates(r, at, k[stage]);
    }
    for (int i = 0; i < N_STATE; i++) {
        s[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

static double torus_error(double section, bi_coordinates coordinates)
{
    const rim r = { outer - section, section };
    double s[N_STATE] = { [LEAN] = -0.3 };
    s[W2] = 8.0 + 0.8 * sin(s[LEAN]);
    s[W3] = 0.8 * cos(s[LEAN]);
    bi_vec3 v = centre_velocity(&r, s);
    double c = cos(s[LEAN]), n = sin(s[LEAN]), across = 0.25 * mass * outer * outer;
    bi_model *model = bi_model_create("torus");
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, -gravity });
    bi_body body = bi_add_body(
        model, &(bi_body_def){ .name = "torus",
                               .mass = mass,
                               .inertia = { across, 2.0 * across, across },
                               .pose = { { 0.0, 0.0, r.ring * c + r.section },
                                         { cos(s[LEAN] / 2), sin(s[LEAN] / 2), 0.0, 0.0 } },
                               .twist = { { v.x, v.y * c - v.z * n, v.y * n + v.z * c },
                                          { s[W1], s[W2] * c - s[W3] * n, s[W2] * n + s[W3] * c } } });
    bi_add_rolling(model,
                   &(bi_rolling_def){ .name = "roll", .body = body, .radius = outer, .section = section });
    run_model run = { .model = model, .dt = 2e-3, .time = 2.0, .coordinates = coordinates };
    run_compile(&run, BI_RK4);
    double worst = 0.0;
    for (int k = 0; k < 1000; k++) {
        run_step(&run);
        for (int i = 0; i < 4; i++) {
            torus_advance(&r, s, 5e-4);
        }
        bi_vec3 at = bi_sim_view(run.sim).pose[1].pos;
        worst =
            fmax(worst, hypot(hypot(at.x - s[X], at.y - s[Y]), at.z - (r.ring * cos(s[LEAN]) + r.section)));
    }
    assert_true(bi_sim_statistics(run.sim).moved <= 1e-12);
    run_close(&run);
    return worst;
}

static void test_torus_on_a_plane_follows_its_own_equations(void **state)
{
    (void)state;
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        // as the sharp disc with the same step: (0.016 rad)^4 times seconds of motion
        run_expect("torus with a rim of 8 cm", torus_error(0.08, (bi_coordinates)c), 1e-8);
        run_expect("torus with a thin rim", torus_error(1e-6, (bi_coordinates)c), 1e-8);
        run_expect("sharp disc", torus_error(0.0, (bi_coordinates)c), 1e-8);
    }
}

// ---- knife edge --------------------------------------------------------------------------------------------------------

// Chaplygin's sleigh: blade at P, centre of mass `a` ahead. With k = J + m a^2 and V^2 = v0^2 + k w0^2 / m the speed along the blade
// is v = V tanh(a m V t / k + atanh(v0 / V)), and m v^2 + k w^2 stays.
static void expect_sleigh(const char *constraint)
{
    const double m = 3.0, J = 0.2, a = 0.4, v0 = 1.0, w0 = 2.5, k = J + m * a * a;
    char text[1200];
    snprintf(text, sizeof text,
             "biela: 1\nname: sleigh\ngravity: [0, 0, 0]\n"
             "bodies:\n  sleigh: {mass: 3, com: [0.4, 0, 0], inertia: [0.2, 0.2, 0.2], velocity: [1, 0, 0], "
             "spin: [0, 0, 2.5]}\n"
             "joints:\n  ice: {type: planar, bodies: [ground, sleigh], at: [0, 0, 0], axis: [0, 0, 1]}\n"
             "constraints:\n  blade: %s\n"
             "outputs:\n  P: {point: {body: sleigh, at: [0, 0, 0]}}\n",
             constraint);
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        run_model run = start(text, (bi_coordinates)c, 2e-3);
        steps(&run, 500);
        double V = sqrt(v0 * v0 + k * w0 * w0 / m), t = 1.0, v = V * tanh(a * m * V * t / k + atanh(v0 / V));
        double w = sqrt((m * V * V - m * v * v) / k);
        run_expect("sleigh speed", fabs(hypot(run_read(&run, "P.vx"), run_read(&run, "P.vy")) - v), 1e-8);
        run_expect("sleigh turning", fabs(bi_sim_view(run.sim).twist[1].ang.z - w), 1e-8);
        run_close(&run);
    }
}

static void test_chaplygin_sleigh_follows_its_closed_form(void **state)
{
    (void)state;
    expect_sleigh("{type: knife-edge, point: {body: sleigh, at: [0, 0, 0]}}");
}

static void test_sleigh_written_by_the_user_follows_its_closed_form(void **state)
{
    (void)state;
    // the point b lies one metre ahead on the blade: its difference to a is the heading
    expect_sleigh("{type: velocity-expression, a: {body: sleigh}, b: {body: sleigh, at: [1, 0, 0]}, "
                  "velocity: 'a.vy*(b.x - a.x) - a.vx*(b.y - a.y)'}");
}

// A skate that does not turn, its blade askew to a trough of radius R: v lies in the plane of normal and blade, so y = R asinh(tan
// theta) with theta the angle in the circle, and R^2 (1 + 1/cos^2) theta'' + R^2 tan/cos^2 theta'^2 = -g R sin(theta).
static void skate_rates(const double *s, double *rate)
{
    double c = cos(s[0]), A = 1.0 + 1.0 / (c * c);
    rate[0] = s[1];
    rate[1] = -(gravity / 2.0 * sin(s[0]) + tan(s[0]) / (c * c) * s[1] * s[1]) / A;
}

static void skate_advance(double *s, double h)
{
    double a[2], b[2], c[2], d[2], at[2];
    skate_rates(s, a);
    at[0] = s[0] + 0.5 * h * a[0], at[1] = s[1] + 0.5 * h * a[1];
    skate_rates(at, b);
    at[0] = s[0] + 0.5 * h * b[0], at[1] = s[1] + 0.5 * h * b[1];
    skate_rates(at, c);
    at[0] = s[0] + h * c[0], at[1] = s[1] + h * c[1];
    skate_rates(at, d);
    for (int i = 0; i < 2; i++) {
        s[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }
}

static void test_blade_askew_in_a_trough_follows_its_own_equation(void **state)
{
    (void)state;
    static const char *const text =
        "biela: 1\nname: skate\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  skate: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [2*sin(0.7), 0, 2 - 2*cos(0.7)]}\n"
        "constraints:\n  blade: {type: knife-edge, point: {body: skate}, along: [1, 1, 0], surface: '2 - "
        "sqrt(4 - x^2)'}\n"
        "outputs:\n  P: {point: {body: skate}}\n";
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        run_model run = start(text, (bi_coordinates)c, 2e-3);
        double s[2] = { 0.7, 0.0 }, worst = 0.0;
        for (int k = 0; k < 500; k++) {
            run_step(&run);
            for (int i = 0; i < 4; i++) {
                skate_advance(s, 5e-4);
            }
            double y = 2.0 * (asinh(tan(s[0])) - asinh(tan(0.7)));
            worst =
                fmax(worst, hypot(hypot(run_read(&run, "P.x") - 2.0 * sin(s[0]), run_read(&run, "P.y") - y),
                                  run_read(&run, "P.z") - 2.0 + 2.0 * cos(s[0])));
        }
        assert_true(s[0] < 0.3);
        // order four at 2 ms with some rad/s
        run_expect("blade in a trough", worst, 1e-8);
        run_close(&run);
    }
}

// ---- where a wheel touches ------------------------------------------------------------------------------------------------

// The second derivative of the contact angle against differences of order four of the first, on an inclined plane.
static void test_contact_angle_acceleration_is_the_derivative_of_the_rate(void **state)
{
    (void)state;
    static const char *const text =
        "biela: 1\nname: coin\ngravity: [0.5, 0, -9.81]\n"
        "bodies:\n  disc: {mass: 2, inertia: [0.045, 0.09, 0.045], at: [0, 0, 0.3], velocity: [1.2, 0, 0], "
        "spin: [0.6, 4, 1.1]}\n"
        "constraints:\n  roll: {type: rolling, body: disc, radius: 0.3, section: 0.05, normal: [0.1, 0, 1], "
        "plane: [0, 0, -0.0015]}\n"
        "outputs:\n  w: {contact_angle_rate: roll}\n  a: {contact_angle_acceleration: roll}\n";
    for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
        run_model run = start(text, (bi_coordinates)c, 1e-3);
        double rate[5] = { 0 }, second[5] = { 0 }, worst = 0.0, most = 0.0;
        for (int k = 0; k < 300; k++) {
            run_step(&run);
            memmove(rate, rate + 1, 4 * sizeof *rate);
            memmove(second, second + 1, 4 * sizeof *second);
            rate[4] = run_read(&run, "w");
            second[4] = run_read(&run, "a");
            double difference = (8.0 * (rate[3] - rate[1]) - (rate[4] - rate[0])) / (12.0 * 1e-3);
            if (k >= 4) {
                worst = fmax(worst, fabs(difference - second[2]));
                most = fmax(most, fabs(second[2]));
            }
        }
        assert_true(most > 0.5);
        // h^4/30 times the fifth rate (some 10 rad/s)^5, and 1e-13/h of rounding
        run_expect("second derivative of the contact angle", worst, 1e-7);
        run_close(&run);
    }
}

// ---- mistakes -----------------------------------------------------------------------------------------------------------

static void expect_mistake(const char *constraint, const char *what)
{
    char text[1024];
    snprintf(text, sizeof text,
             "biela: 1\nname: bad\nbodies:\n  body: {mass: 1, inertia: [1, 1, 1]}\nconstraints:\n  bad: %s\n",
             constraint);
    bi_report report = { 0 };
    bi_model *model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &report);
    assert_non_null(model);
    assert_null(bi_compile(model, NULL, &report));
    bool is_told = false;
    for (int k = 0; k < report.count; k++) {
        is_told |= strstr(report.issue[k].what, what) != NULL;
    }
    if (!is_told) {
        bi_report_print(&report, stderr);
        fail_msg("not told: %s", what);
    }
    bi_model_destroy(model);
    bi_report_clear(&report);
}

static void test_mistakes_in_velocity_constraints_are_named(void **state)
{
    (void)state;
    expect_mistake("{type: velocity-expression, a: {body: body}, velocity: 'a.vx*a.vx'}", "linear");
    expect_mistake("{type: velocity-expression, a: {body: body}, velocity: 'a.x - 1'}", "reads no velocity");
    expect_mistake("{type: velocity-expression, a: {body: body}, velocity: 'b.vx'}", "unknown name 'b.vx'");
    expect_mistake("{type: rolling, body: body, radius: 0.2, section: 0.3}", "larger than the radius");
    expect_mistake("{type: rolling, body: body, radius: 0.2, surface: 'x*u'}", "unknown name 'u'");
    expect_mistake("{type: rolling, body: body, radius: 0.2, surface: 'x', normal: [0, 0, 1]}",
                   "beside a plane");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disc_in_a_cylinder_swings_like_its_pendulum),
        cmocka_unit_test(test_ball_in_a_bowl_swings_like_its_pendulum),
        cmocka_unit_test(test_torus_upright_in_a_cylinder_swings_like_the_disc),
        cmocka_unit_test(test_torus_on_a_plane_follows_its_own_equations),
        cmocka_unit_test(test_chaplygin_sleigh_follows_its_closed_form),
        cmocka_unit_test(test_sleigh_written_by_the_user_follows_its_closed_form),
        cmocka_unit_test(test_blade_askew_in_a_trough_follows_its_own_equation),
        cmocka_unit_test(test_contact_angle_acceleration_is_the_derivative_of_the_rate),
        cmocka_unit_test(test_mistakes_in_velocity_constraints_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
