// SPDX-License-Identifier: MIT
// The structure made from a model file against the curves of another program: what the bridge reads, and what it refuses.
#include "support/text_model.h"
#include <biela/flex.h>
#include <biela/yardstick.h>

static const char bar[] =
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  bar:\n"
    "    flex:\n"
    "      plane: true\n"
    "      materials: {steel: {young: 200 GPa, density: 8000}}\n"
    "      sections: {flat: {area: 1e-4, iz: 1e-10, iy: 1e-10, top: 1.75e-3}}\n"
    "      nodes: {root: [0, 0, 0], tip: [1.5, 0, 0]}\n"
    "      lines: {beam: {from: root, to: tip, elements: 10}}\n"
    "      frame: root\n"
    "      boundary: [tip]\n"
    "      modes: 2\n"
    "joints:\n"
    "  root: {type: revolute, bodies: [ground, bar], at: [0, 0, 0]}\n"
    "forces:\n"
    "  drive: {type: torque, joint: root, torque: \"1 N*m*(0.5 - 0.5*cos(pi*clamp(t/0.1, 0, 1)))\"}\n"
    "outputs:\n"
    "  tip: {point: {body: bar, node: tip}}\n"
    "  root: {joint: root}\n"
    "  top: {stress: bar, element: beam, at: mid, fibre: top}\n"
    "  mid: {section: bar, element: beam, at: mid}\n";

static bi_model *model_of(const char *text)
{
    bi_report report = { 0 };
    bi_model *m = text_read(text, &report);
    run_require(m && report.errors == 0, &report, "the model has mistakes");
    bi_report_clear(&report);
    return m;
}

static double read_channel(const bi_yardstick *y, const char *name)
{
    int c = bi_yardstick_channel(y, name);
    if (c < 0) {
        fail_msg("no channel %s", name);
    }
    return bi_yardstick_read(y, c);
}

// One channel against one column.
typedef struct {
    const char *channel, *column;
    double limit, worst;
} pair;

static void expect_curves(const char *text, const char *model, const char *file,
                          const bi_yardstick_options *options, double time, pair *compared, int count)
{
    bi_model *m = model_of(text);
    bi_report report = { 0 };
    bi_yardstick *y = bi_yardstick_create(m, options, &report);
    run_require(y != NULL, &report, "no structure");
    bi_table table = run_reference(model, file);
    const double *t = run_reference_column(&table, "t");
    for (int k = 0; k < table.rows && t[k] <= time + 1e-9; k++) {
        while (bi_yardstick_time(y) < t[k] - 0.5 * options->dt) {
            assert_int_equal(bi_yardstick_step(y), BI_OK);
        }
        for (int c = 0; c < count; c++) {
            double gap = fabs(read_channel(y, compared[c].channel) -
                              run_reference_column(&table, compared[c].column)[k]);
            compared[c].worst = gap <= compared[c].worst ? compared[c].worst : gap;
        }
    }
    for (int c = 0; c < count; c++) {
        run_expect(compared[c].channel, compared[c].worst, compared[c].limit);
    }
    bi_table_clear(&table);
    bi_yardstick_destroy(y);
    bi_report_clear(&report);
    bi_model_destroy(m);
}

static void test_bar_of_a_model_file_follows_the_other_program(void **state)
{
    (void)state;
    // as of the structure described in C
    pair compared[] = { { .channel = "tip.y", .column = "y_tip", .limit = 4.3e-6 },
                        { .channel = "root.angle", .column = "theta_root", .limit = 1e-5 },
                        { .channel = "top", .column = "sigma_top_mid", .limit = 3e4 },
                        { .channel = "mid.Mz", .column = "M_mid", .limit = 2e-3 } };
    expect_curves(bar, "flex-bar", "ex1_ge.csv",
                  &(bi_yardstick_options){ .elements = 5, .dt = 2e-4, .damping = 0.1 }, 0.5, compared, 4);
}

// clang-format off
static const char slider_crank[] =
    "gravity: [0, 0, 0]\n"
    "parameters: {L: 0.130446 m, w: 0.034922 m, rc: 0.05 m, xb: rc*cos(pi/4), yb: rc*sin(pi/4),\n"
    "             m: 7850*0.05*0.03*0.008}\n"
    "bodies:\n"
    "  crank: {mass: m, com: [0.5*rc, 0, 0], turn: [{z: 45 deg}],\n"
    "          inertia: [2e-5, 2e-5, m*(0.05^2 + 0.03^2)/12]}\n"
    "  rod:\n"
    "    at: [xb, yb, 0]\n"
    "    turn: [{z: -asin(yb/L)}]\n"
    "    flex:\n"
    "      plane: true\n"
    "      materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}\n"
    "      sections: {sheet: {thickness: 8 mm}}\n"
    "      rectangles:\n"
    "        web: {at: [0, -0.5*w, 0], size: [L, w], divisions: [36, 6], kind: quad-plain, rigid_ends: true}\n"
    "      frame: web.start\n"
    "      boundary: [web.end]\n"
    "      modes: 2\n"
    "  slider: {mass: 3 kg, inertia: [1e-3, 1e-3, 1e-3], at: [xb + sqrt(L^2 - yb^2), 0, 0]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, rod], at: [xb, yb, 0]}\n"
    "  C: {type: revolute, bodies: [rod, slider], at: [xb + sqrt(L^2 - yb^2), 0, 0]}\n"
    "  slide: {type: prismatic, bodies: [ground, slider], at: [0, 0, 0], axis: [1, 0, 0]}\n"
    "forces:\n"
    "  push: {type: force, point: {body: slider, at: [0, 0, 0]}, fx: \"-200 N*max(0, 1 - abs(t/0.01 - 1))\"}\n"
    "outputs:\n"
    "  crank: {joint: A}\n"
    "  slider: {point: {body: slider, at: [0, 0, 0]}}\n"
    "  centre: {stress: rod, node: web.18.3, only: xx}\n"
    "  upper: {stress: rod, node: web.18.6, only: xx}\n";
// clang-format on

static void test_slider_crank_of_a_model_file_follows_the_other_program(void **state)
{
    (void)state;
    pair compared[] = { { .channel = "slider.x", .column = "x_slider", .limit = 5e-7 },
                        { .channel = "crank.angle", .column = "crank_angle", .limit = 5e-5 },
                        { .channel = "centre", .column = "sigma_mid_center", .limit = 388.0 },
                        { .channel = "upper", .column = "sigma_mid_top", .limit = 3.5e3 } };
    expect_curves(slider_crank, "flex-slider-crank", "ex3_nonlin.csv",
                  &(bi_yardstick_options){ .dt = 1e-4, .damping = 0.1 }, 0.1, compared, 4);
}

static const char four_bar[] =
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  AB: {turn: {axis: [0, 0, 1], angle: 90 deg}, flex: {\n"
    "      materials: {aluminium: {young: 70 GPa, poisson: 0.33, density: 3000}},\n"
    "      sections: {round: {tube: [10 mm, 5 mm], shear_y: 0.9, shear_z: 0.9}}, kind: timoshenko,\n"
    "      nodes: {start: [0, 0, 0], end: [0.12, 0, 0]}, lines: {beam: {from: start, to: end, elements: "
    "8}},\n"
    "      frame: start, boundary: [{node: end, vectors: [[0, 0, 1], [1, 0, 0]]}], modes: 0}}\n"
    "  BC: {at: [0, 0.12, 0], flex: {\n"
    "      materials: {aluminium: {young: 70 GPa, poisson: 0.33, density: 3000}},\n"
    "      sections: {round: {tube: [10 mm, 5 mm], shear_y: 0.9, shear_z: 0.9}}, kind: timoshenko,\n"
    "      nodes: {start: [0, 0, 0], end: [0.24, 0, 0]}, lines: {beam: {from: start, to: end, elements: "
    "8}},\n"
    "      frame: start, boundary: [{node: end, vectors: [[0, 0, 1], [1, 0, 0]]}], modes: 0}}\n"
    "  CD: {at: [0.24, 0.12, 0], turn: {axis: [0, 0, 1], angle: -90 deg}, flex: {\n"
    "      materials: {aluminium: {young: 70 GPa, poisson: 0.33, density: 3000}},\n"
    "      sections: {round: {tube: [10 mm, 5 mm], shear_y: 0.9, shear_z: 0.9}}, kind: timoshenko,\n"
    "      nodes: {start: [0, 0, 0], end: [0.12, 0, 0]}, lines: {beam: {from: start, to: end, elements: "
    "8}},\n"
    "      frame: start, boundary: [{node: end, vectors: [[0, 0, 1], [1, 0, 0]]}], modes: 0}}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, AB], at: [0, 0, 0]}\n"
    "  B: {type: revolute, bodies: [AB, BC], at: [0, 0.12, 0]}\n"
    "  C: {type: revolute, bodies: [BC, CD], at: [0.24, 0.12, 0], axis: [sin(5 deg), 0, cos(5 deg)]}\n"
    "  D: {type: revolute, bodies: [CD, ground], at: [0.24, 0, 0]}\n"
    "constraints:\n"
    "  drive: {type: guide, joint: A, value: \"pi/2 + (t < 0.5 ? 0.5*(t - 0.5/pi*sin(2*pi*t)) : t - "
    "0.25)\"}\n"
    "outputs:\n"
    "  B: {point: {body: BC, node: start}}\n"
    "  C: {point: {body: BC, node: end}}\n"
    "  mid: {section: BC, element: beam, at: mid}\n";

static void test_four_bar_of_a_model_file_follows_the_other_program(void **state)
{
    (void)state;
    // 9 elements in each bar instead of 9, 17, 9: what the other program changes by between its two meshes
    pair compared[] = { { .channel = "B.z", .column = "zB", .limit = 1.4e-5 },
                        { .channel = "C.z", .column = "zC", .limit = 1.4e-5 },
                        { .channel = "mid.Mt", .column = "Mt", .limit = 5e-3 },
                        { .channel = "mid.My", .column = "My", .limit = 9.3e-3 } };
    expect_curves(four_bar, "flex-four-bar", "ex4_ge_fine.csv",
                  &(bi_yardstick_options){ .elements = 9, .dt = 5e-3 }, 0.8, compared, 4);
}

// ---- what both solvers know, against a closed form or against each other ---------------------------------------------

// A bar that hardly bends on a hinge, held by a spring with a damper at its tip: one freedom, y = 1 mm (1 - damped cosine).
static void test_spring_and_damper_swing_a_bar_as_an_oscillator(void **state)
{
    (void)state;
    char text[4096];
    const char *forces = strstr(bar, "forces:");
    snprintf(
        text, sizeof text,
        "%.*sforces:\n  s: {type: spring, a: {body: ground, at: [1.5, 1, 0]}, b: {body: bar, node: tip}, "
        "stiffness: 40 N/m, damping: 0.5 N*s/m, rest: 0.999 m}\noutputs: {tip: {point: {body: bar, node: "
        "tip}}}\n",
        (int)(forces - bar), bar);
    char *young = strstr(text, "200 GPa");
    memcpy(young, "2e5 GPa", 7);
    bi_model *m = model_of(text);
    bi_report report = { 0 };
    bi_yardstick *y =
        bi_yardstick_create(m, &(bi_yardstick_options){ .elements = 2, .dt = 1e-3, .damping = 0.1 }, &report);
    run_require(y != NULL, &report, "no structure");
    double mass = 8000.0 * 1e-4 * 1.5 / 3.0, w = sqrt(40.0 / mass), z = 0.5 * 0.5 / sqrt(40.0 * mass),
           wd = w * sqrt(1.0 - z * z), worst = 0.0;
    while (bi_yardstick_time(y) < 1.5) {
        assert_int_equal(bi_yardstick_step(y), BI_OK);
        double t = bi_yardstick_time(y);
        double wanted = 1e-3 * (1.0 - exp(-z * w * t) * (cos(wd * t) + z / sqrt(1.0 - z * z) * sin(wd * t)));
        worst = fmax(worst, fabs(read_channel(y, "tip.y") - wanted));
    }
    // geometry: 1 mm of 1 m and 1.5 m; the step: (w h)^2 / 12 per rad
    run_expect("bar on a spring, over 1 mm", worst / 1e-3, 5e-3);
    bi_yardstick_destroy(y);
    bi_report_clear(&report);
    bi_model_destroy(m);
}

// Small deformations, enough modes: the two solvers must agree.
static void expect_as_modes(const char *text, const char *const *channel, int count, double time,
                            double limit)
{
    const double dt = 1e-3;
    run_model run = text_run(&(text_case){ .text = text, .coordinates = BI_NATURAL, .dt = dt });
    bi_model *m = model_of(text);
    bi_report report = { 0 };
    bi_yardstick *y =
        bi_yardstick_create(m, &(bi_yardstick_options){ .elements = 8, .dt = dt, .damping = 0.1 }, &report);
    run_require(y != NULL, &report, "no structure");
    double worst[8] = { 0.0 }, most[8] = { 0.0 };
    while (bi_yardstick_time(y) < time - 0.5 * dt) {
        assert_int_equal(bi_yardstick_step(y), BI_OK);
        run_step(&run);
        for (int c = 0; c < count; c++) {
            double mine = read_channel(y, channel[c]), other = run_read(&run, channel[c]);
            worst[c] = fmax(worst[c], fabs(mine - other));
            most[c] = fmax(most[c], fabs(other));
        }
    }
    for (int c = 0; c < count; c++) {
        assert_true(most[c] > 0.0);
        run_expect(channel[c], worst[c] / most[c], limit);
    }
    bi_yardstick_destroy(y);
    bi_report_clear(&report);
    bi_model_destroy(m);
    run_close(&run);
}

static void test_plate_of_triangles_bends_as_its_modes(void **state)
{
    (void)state;
    static const char plate[] =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  plate:\n"
        "    flex:\n"
        "      plane: true\n"
        "      materials: {steel: {young: 200 GPa, poisson: 0.3, density: 8000}}\n"
        "      sections: {sheet: {thickness: 5 mm}}\n"
        "      rectangles:\n"
        "        web: {at: [0, -0.02, 0], size: [0.4, 0.04], divisions: [16, 4], kind: triangle, rigid_ends: "
        "true}\n"
        "      frame: web.start\n"
        "      boundary: [web.end]\n"
        "      modes: 4\n"
        "      damping: {beta: 1e-4 s}\n"
        "joints:\n"
        "  root: {type: fixed, bodies: [ground, plate]}\n"
        "forces:\n"
        "  pull: {type: force, point: {body: plate, node: web.end}, fx: 200*sin(40*t), fy: 100*sin(40*t)}\n"
        "outputs:\n"
        "  end: {point: {body: plate, node: web.end}}\n"
        "  seen: {relative: {of: {body: plate, node: web.end}, to: {body: plate}}}\n"
        "  middle: {stress: plate, node: web.8.4, only: xx}\n"
        "  beside: {stress: plate, node: web.7.2, only: xx}\n";
    const char *const channel[] = { "seen.y", "middle", "beside" };
    // what the linear body lacks: P L^2 / 2 E I = 0.3 % of stiffness by tension
    expect_as_modes(plate, channel, 3, 0.08, 0.005);
}

static void test_beam_with_offset_ends_bends_as_its_modes(void **state)
{
    (void)state;
    // a beam 30 mm above its nodes: pulled along the line of the nodes it bends
    static const char text[] =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  arm:\n"
        "    flex:\n"
        "      plane: true\n"
        "      materials: {steel: {young: 200 GPa, poisson: 0.3, density: 8000}}\n"
        "      sections: {bar: {rectangle: [10 mm, 10 mm]}}\n"
        "      nodes: {root: [0, 0, 0], mid: [0.4, 0, 0], tip: [0.8, 0, 0]}\n"
        "      elements:\n"
        "        first: {kind: beam, nodes: [root, mid], offsets: [[0, 0.03, 0], [0, 0.03, 0]]}\n"
        "        second: {kind: beam, nodes: [mid, tip], offsets: [[0, 0.03, 0], [0, 0.03, 0]]}\n"
        "      frame: root\n"
        "      boundary: [tip]\n"
        "      modes: 4\n"
        "      damping: {beta: 2e-4 s}\n"
        "joints:\n"
        "  root: {type: fixed, bodies: [ground, arm]}\n"
        "forces:\n"
        "  pull: {type: force, point: {body: arm, node: tip}, fx: 2*sin(20*t)}\n"
        "outputs:\n"
        "  tip: {point: {body: arm, node: tip}}\n"
        "  one: {section: arm, element: first, at: mid}\n";
    const char *const channel[] = { "tip.y", "one.Mz", "one.N" };
    // P L^2 / 2 E I = 0.4 %
    expect_as_modes(text, channel, 3, 0.16, 0.01);
}

static void test_slide_that_is_guided_shakes_a_bar_as_its_modes(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  cart: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0.1, 0, 0]}\n"
        "  mast:\n"
        "    at: [0.1, 0, 0]\n"
        "    turn: [{z: 90 deg}]\n"
        "    flex:\n"
        "      plane: true\n"
        "      materials: {steel: {young: 200 GPa, poisson: 0.3, density: 8000}}\n"
        "      sections: {bar: {rectangle: [10 mm, 20 mm]}}\n"
        "      nodes: {root: [0, 0, 0], tip: [0.8, 0, 0]}\n"
        "      lines: {beam: {from: root, to: tip, elements: 8}}\n"
        "      frame: root\n"
        "      boundary: [tip]\n"
        "      modes: 3\n"
        "      damping: {beta: 1e-3 s}\n"
        "joints:\n"
        "  slide: {type: prismatic, bodies: [ground, cart], at_a: [0, 0, 0], at_b: [0, 0, 0], axis: [1, 0, "
        "0]}\n"
        "  foot: {type: fixed, bodies: [cart, mast], at: [0.1, 0, 0]}\n"
        "constraints:\n"
        "  shake: {type: guide, joint: slide, value: \"0.1 + 0.05*smooth(t, 0, 0.4)\"}\n"
        "outputs:\n"
        "  tip: {point: {body: mast, node: tip}}\n"
        "  cart: {point: {body: cart}}\n"
        "  low: {section: mast, element: beam, at: 0.25}\n";
    const char *const channel[] = { "tip.x", "cart.x", "low.Mz" };
    expect_as_modes(text, channel, 3, 0.6, 0.02);
}

static void expect_refusal(const char *text, const char *words)
{
    bi_model *m = model_of(text);
    bi_report report = { 0 };
    assert_null(bi_yardstick_create(m, NULL, &report));
    bool is_told = false;
    for (int k = 0; k < report.count; k++) {
        is_told |= strstr(report.issue[k].what, words) != NULL;
    }
    if (!is_told) {
        bi_report_print(&report, stderr);
        fail_msg("nothing was told about '%s'", words);
    }
    bi_report_clear(&report);
    bi_model_destroy(m);
}

static void test_what_has_no_counterpart_is_told_by_name(void **state)
{
    (void)state;
    char text[6000];
    const char *forces = strstr(bar, "forces:");
    snprintf(text, sizeof text,
             "%.*sforces:\n  soft: {type: drag, point: {body: bar, node: tip}, area: 0.1, coefficient: 1}\n",
             (int)(forces - bar), bar);
    expect_refusal(text, "a 'drag' has no counterpart");
    snprintf(text, sizeof text, "%.*sforces:\n  drive: {type: torque, joint: root, torque: -2*root.rate}\n",
             (int)(forces - bar), bar);
    expect_refusal(text, "depends on 'root.rate'");
    snprintf(text, sizeof text, "%.*sconstraints:\n  drive: {type: guide, joint: root, value: 0.1 + t}\n",
             (int)(forces - bar), bar);
    expect_refusal(text, "starts 0.1 rad from where the bodies are described");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar_of_a_model_file_follows_the_other_program),
        cmocka_unit_test(test_slider_crank_of_a_model_file_follows_the_other_program),
        cmocka_unit_test(test_four_bar_of_a_model_file_follows_the_other_program),
        cmocka_unit_test(test_spring_and_damper_swing_a_bar_as_an_oscillator),
        cmocka_unit_test(test_plate_of_triangles_bends_as_its_modes),
        cmocka_unit_test(test_beam_with_offset_ends_bends_as_its_modes),
        cmocka_unit_test(test_slide_that_is_guided_shakes_a_bar_as_its_modes),
        cmocka_unit_test(test_what_has_no_counterpart_is_told_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
