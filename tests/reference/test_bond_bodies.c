// SPDX-License-Identifier: MIT
// Bodies as bond graphs on elastic joints: they come near the rigid ones as the joints get stiffer.
#include "support/text_model.h"

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

// One degree at the start, closed form for small angles: 5e-5 rad off the pendulums on joints, and some 1e-5 more on springs.
static void pendulums_of_a_degree_beat_as_two_cosines(void **state)
{
    (void)state;
    const bi_setting settings[] = { { "theta2_0", "1" } };
    run_model run = run_open(&(run_case){ .model = "coupled-pendulums-bg",
                                          .settings = settings,
                                          .n_settings = 1,
                                          .scheme = BI_ALI3P,
                                          .dt = 5e-3 });
    double worst = 0.0;
    for (double t = 0.5; t < 15.0; t += 0.5) {
        run_to(&run, t);
        double half = 0.5 * run_pi / 180.0, slow = cos(1.8083141 * t), fast = cos(2.2956481 * t);
        worst = fmax(worst, fabs(run_read(&run, "graph.theta1") - half * (slow - fast)));
        worst = fmax(worst, fabs(run_read(&run, "graph.theta2") - half * (slow + fast)));
        assert_true(fabs(run_read(&run, "small1") - half * (slow - fast)) < 1e-8);
        assert_true(fabs(run_read(&run, "small2") - half * (slow + fast)) < 1e-8);
    }
    run_expect("angle, rad", worst, 1e-4);
    run_close(&run);
}

// Held directions give way by load over stiffness, free ones gain speed; loads so small that turning changes no direction.
static void elastic_joints_hold_the_directions_of_their_kind(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int free[6]; // along x y z, about x y z
    } item[] = { { "fixed", { 0 } },
                 { "revolute", { [5] = 1 } },
                 { "prismatic", { [2] = 1 } },
                 { "cylindrical", { [2] = 1, [5] = 1 } },
                 { "spherical", { [3] = 1, [4] = 1, [5] = 1 } } };
    static const char *const channel[6] = { "g.j.k#1.q", "g.j.k#2.q", "g.j.k#3.q",
                                            "g.j.r#1.q", "g.j.r#2.q", "g.j.r#3.q" };
    static const double inertia[6] = { 5, 5, 5, 2, 3, 4 }, load = 1e-6, k = 2e3;
    for (int c = 0; c < 5; c++) {
        char text[1600];
        double s[6];
        for (int i = 0; i < 6; i++) {
            s[i] = item[c].free[i] ? 0.0 : k;
        }
        snprintf(
            text, sizeof text,
            "graphs:\n"
            "  g:\n"
            "    parts:\n"
            "      b: {file: ../../models/library/bodies.yaml, graph: body, set: {m: 5, Jx: 2, Jy: 3, Jz: "
            "4}}\n"
            "      j: {file: ../../models/library/bodies.yaml, graph: elastic, set: {kx: %g, ky: %g, kz: %g, "
            "rx: %g, ry: %g, rz: %g, cx: %g, cy: %g, cz: %g, dx: %g, dy: %g, dz: %g}}\n"
            "    nodes:\n"
            "      F: {type: Se, size: 3, value: 1e-6}\n"
            "      T: {type: Se, size: 3, value: 1e-6}\n"
            "      wall: {type: Sf, size: 3, value: 0}\n"
            "      post: {type: Sf, size: 3, value: 0}\n"
            "    bonds: [F -> b.v, T -> b.w, b.v -> j.va, b.w -> j.wa, j.vb -> wall, j.wb -> post]\n"
            "outputs: {g: {graph: g}}\n",
            s[0], s[1], s[2], s[3], s[4], s[5], s[0] / 15, s[1] / 15, s[2] / 15, s[3] / 15, s[4] / 15,
            s[5] / 15);
        run_model run = text_run(&(text_case){ .text = text, .dt = 2e-3 });
        run_to(&run, 4.0);
        for (int i = 0; i < 6; i++) {
            // swings die with 13 to 33 1/s; the trapezoidal rule is exact under constant loads
            double expected = item[c].free[i] ? 0.5 * load / inertia[i] * 16.0 : load / k;
            run_expect(item[c].name, fabs(run_read(&run, channel[i]) / expected - 1.0), 1e-4);
        }
        run_close(&run);
    }
}

// A mass at 1 m/s along x and a damper along x of axes that are turned by 30 deg about z: the speed there falls as
// exp(-t), the speed across stays.
static void constant_rotations_are_set_bound_and_angles(void **state)
{
    (void)state;
    static const char *const part[] = {
        "{file: ../../models/library/bodies.yaml, graph: rotate, set: {psi: -a}}",
        "{file: ../../models/library/bodies.yaml, graph: rotate, bind: {psi: -a, phi: 0}}",
        "{file: ../../models/library/bodies.yaml, graph: turn, set: {q0: c, q1: 0, q2: 0, q3: -s}}",
        "{file: ../../models/library/bodies.yaml, graph: turn, bind: {q0: c, q1: 0, q2: 0, q3: -sin(a/2)}}",
        "{file: ../../models/library/bodies.yaml, graph: turn, bind: {q0: c, q1: z, q2: z, q3: -s}}",
    };
    for (int k = 0; k < 5; k++) {
        char text[1600];
        snprintf(text, sizeof text,
                 "parameters: {a: 30 deg, c: cos(a/2), s: sin(a/2)}\n"
                 "signals: {z: 0*t}\n"
                 "graphs:\n"
                 "  g:\n"
                 "    parts: {r: %s}\n"
                 "    nodes:\n"
                 "      v: {type: 1, size: 3}\n"
                 "      M: {type: I, size: 3, value: 2, initial: [2, 0, 0]}\n"
                 "      u: {type: 1, size: 3}\n"
                 "      D: {type: R, size: 3, value: [2, 0, 0]}\n"
                 "    bonds: [v -> M, %s, u -> D]\n"
                 "outputs: {g: {graph: g}}\n",
                 part[k], k < 2 ? "v -> r.roll, r.yaw -> u" : "v -> r.R -> u");
        run_model run = text_run(&(text_case){ .text = text, .dt = 1e-3, .scheme = BI_DOPRI5 });
        run_to(&run, 1.0);
        double c = cos(run_pi / 6.0), s = sin(run_pi / 6.0), e = exp(-1.0);
        run_expect("u1", fabs(run_read(&run, "g.u#1->D#1.f") - c * e), 1e-12);
        run_expect("v1", fabs(run_read(&run, "g.M#1.p") / 2.0 - (c * c * e + s * s)), 1e-12);
        run_expect("v2", fabs(run_read(&run, "g.M#2.p") / 2.0 - (c * s * e - c * s)), 1e-12);
        run_close(&run);
    }
}

// With precession at the start, with the spin and against it: the top on a joint does the same.
static void tops_with_precession_follow_the_top_on_a_joint(void **state)
{
    (void)state;
    static const char *const rate[] = { "1", "-1" };
    for (int k = 0; k < 2; k++) {
        const bi_setting own[] = { { "dphi0", rate[k] } };
        run_model graph = run_open(&(run_case){
                      .model = "top-bg", .settings = own, .n_settings = 1, .scheme = BI_DOPRI5, .dt = 1e-3 }),
                  joint = run_open(&(run_case){
                      .model = "top", .settings = own, .n_settings = 1, .scheme = BI_DOPRI5, .dt = 1e-3 });
        double worst = 0.0, low = 1.0;
        for (double t = 0.05; t < 1.0; t += 0.05) {
            run_to(&graph, t);
            run_to(&joint, t);
            worst = fmax(worst, fabs(run_read(&graph, "graph.top.x") - run_read(&joint, "cg.x")));
            worst = fmax(worst, fabs(run_read(&graph, "graph.top.y") - run_read(&joint, "cg.y")));
            worst = fmax(worst, fabs(run_read(&graph, "graph.top.z") - run_read(&joint, "cg.z")));
            low = fmin(low, run_read(&joint, "cg.z"));
        }
        // F/k along 6 m, F with the weight and what holds the centre on its way round the tip at the speed of its fall
        double force = 15.0 * 9.81 * (1.0 + 2.0 * (0.8660254 - low));
        run_expect("top with precession", worst, 6.0 * force / 1e6);
        // it nutates: 30 deg is its highest place
        assert_true(low < 0.8);
        run_close(&graph);
        run_close(&joint);
    }
}

// Along the axis of its joint nothing but the spring holds a pendulum: pushed that way, both together move on as a free
// body does, and stay in parallel planes.
static void cylindrical_joints_are_free_along_their_axes(void **state)
{
    (void)state;
    const bi_setting settings[] = { { "theta2_0", "0" }, { "vz0", "0.1" } };
    run_model run = run_open(&(run_case){ .model = "coupled-pendulums-bg",
                                          .settings = settings,
                                          .n_settings = 2,
                                          .scheme = BI_ALI3P,
                                          .dt = 2e-3 });
    run_to(&run, 2.0);
    double one = run_read(&run, "graph.one.z"), two = run_read(&run, "graph.two.z");
    // the spring at its rest length of 2 m pulls with the third power of the offset: the sum is exact
    run_expect("centre of both", fabs(0.5 * (one + two) - 0.5 * 0.1 * 2.0), 1e-7);
    assert_true(two > 0.19);
    run_expect("turn out of the plane", fabs(run_read(&run, "graph.hold2.r#1.q")), 1e-5);
    run_close(&run);
}

// What a part needs must be given, once, and under a name that it has.
static void parts_tell_what_they_need(void **state)
{
    (void)state;
    static const char form[] = "graphs:\n"
                               "  g:\n"
                               "    parts: {r: {file: ../../models/library/bodies.yaml, graph: turn, %s}}\n"
                               "    nodes:\n"
                               "      v: {type: 1, size: 3}\n"
                               "      M: {type: I, size: 3, value: 2}\n"
                               "    bonds: [v -> M, v -> r.R -> v]\n";
    static const char *const item[][2] = {
        { "set: {q0: 1, q1: 0, q2: 0}", "needs 'q3'" },
        { "set: {q0: 1, q1: 0, q2: 0, q3: 0}, bind: {q3: 0}", "'q3' stands in 'set' and in 'bind'" },
        { "set: {q0: 1, q1: 0, q2: 0, q3: 0, q4: 0}", "no parameter 'q4'" },
    };
    for (int k = 0; k < 3; k++) {
        char text[1000];
        snprintf(text, sizeof text, form, item[k][0]);
        text_expect_mistake(text, item[k][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_top_on_a_spring_comes_near_the_top_on_a_joint),
        cmocka_unit_test(elastic_joints_hold_the_directions_of_their_kind),
        cmocka_unit_test(pendulums_on_springs_come_near_those_on_joints),
        cmocka_unit_test(constant_rotations_are_set_bound_and_angles),
        cmocka_unit_test(tops_with_precession_follow_the_top_on_a_joint),
        cmocka_unit_test(cylindrical_joints_are_free_along_their_axes),
        cmocka_unit_test(parts_tell_what_they_need),
        cmocka_unit_test(pendulums_of_a_degree_beat_as_two_cosines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
