// SPDX-License-Identifier: MIT
// Static equilibrium against closed forms, or against one scalar equation solved here by bisection.
#include "support/run_model.h"

static run_model started(const char *text)
{
    bi_report report = { 0 };
    bi_model *model = bi_read_model_text(text, strlen(text), "test.yaml", NULL, 0, NULL, NULL, &report);
    run_require(model && report.errors == 0, &report, "the model has mistakes");
    bi_report_clear(&report);
    return run_start(model, BI_ALI3P, 1e-3, 1.0);
}

static bi_balance settle(run_model *run)
{
    bi_balance out = { 0 };
    bi_status status = bi_equilibrium(run->sim, &out, &run->report);
    run_require(status == BI_OK, &run->report, "no equilibrium");
    printf("  %d iterations, %d relaxation steps, residual %.1e, soft %d, unstable %d\n", out.iterations,
           out.relaxation_steps, out.residual, out.soft, out.unstable);
    return out;
}

static void test_mass_on_a_spring_hangs_at_weight_over_stiffness(void **state)
{
    (void)state;
    run_model run =
        started("biela: 1\nname: hanging\ngravity: [0, 0, -9.81]\n"
                "bodies:\n  m: {mass: 3, inertia: [1, 1, 1], at: [0, 0, -1]}\n"
                "joints:\n  s: {type: prismatic, bodies: [ground, m], at: [0, 0, 0]}\n"
                "forces:\n  k: {type: spring, a: {body: ground}, b: {body: m}, stiffness: 250, rest: 0.8}\n"
                "outputs:\n  m: {body: m}\n  k: {effort: k}\n");
    settle(&run);
    run_expect("hanging spring", fabs(run_read(&run, "m.z") + 0.8 + 3 * 9.81 / 250), 1e-12);
    run_expect("its tension", fabs(run_read(&run, "k") - 3 * 9.81), 1e-10);
    // it stays there
    for (int k = 0; k < 100; k++) {
        run_step(&run);
    }
    run_expect("at rest after 100 steps", fabs(run_read(&run, "m.z") + 0.8 + 3 * 9.81 / 250), 1e-12);
    run_close(&run);
}

static void test_horizontal_pendulum_finds_its_lowest_point(void **state)
{
    (void)state;
    const bi_setting settings[] = { { "theta0", "0" } };
    run_model run = run_open(&(run_case){ .model = "pendulum", .settings = settings, .n_settings = 1 });
    bi_balance out = settle(&run);
    assert_int_equal(out.unstable, 0);
    run_expect("pendulum x", fabs(run_read(&run, "P.x")), 1e-10);
    run_expect("pendulum y", fabs(run_read(&run, "P.y") + 1.0), 1e-10);
    run_close(&run);
}

static void test_upright_pendulum_is_told_to_be_unstable(void **state)
{
    (void)state;
    const bi_setting settings[] = { { "theta0", "pi/2" } };
    run_model run = run_open(&(run_case){ .model = "pendulum", .settings = settings, .n_settings = 1 });
    bi_balance out = settle(&run);
    // rounding of pi/2 pushes it off by 1e-16: either it is told, or it has fallen
    bool is_up = run_read(&run, "P.y") > 0.0;
    assert_int_equal(out.unstable, is_up ? 1 : 0);
    assert_true(!is_up || strstr(run.report.issue[run.report.count - 1].what, "pivot.angle"));
    run_close(&run);
}

// Parallelogram of bars of length 1 on a base of 2, a spring from A to C: dU/dphi = 0 is one equation for the angle phi.
static double four_bar_slope(double phi)
{
    const double g = 9.81, m = 2.0, k = 60.0, rest = 2.0, base = 2.0;
    double diagonal = sqrt(base * base + 1.0 + 2.0 * base * cos(phi));
    double weight = (0.5 * m + 2.0 * m + 0.5 * m) * g * cos(phi); // cranks m, coupler 2 m
    return weight + k * (diagonal - rest) * (-base * sin(phi)) / diagonal;
}

static void test_four_bar_with_diagonal_spring_balances_where_its_energy_is_least(void **state)
{
    (void)state;
    run_model run = started(
        "biela: 1\nname: four-bar\ngravity: [0, -9.81, 0]\nparameters: {p: 1.1}\n"
        "bodies:\n"
        "  left: {mass: 2, com: [0.5, 0, 0], inertia: {rod: [1, 0, 0]}, turn: {z: p}}\n"
        "  coupler: {mass: 4, com: [1, 0, 0], inertia: {rod: [2, 0, 0]}, at: [cos(p), sin(p), 0]}\n"
        "  right: {mass: 2, com: [0.5, 0, 0], inertia: {rod: [1, 0, 0]}, at: [2, 0, 0], turn: {z: p}}\n"
        "joints:\n  A: {type: revolute, bodies: [ground, left]}\n"
        "  B: {type: revolute, bodies: [left, coupler], at: [cos(p), sin(p), 0]}\n"
        "  C: {type: revolute, bodies: [coupler, right], at: [2 + cos(p), sin(p), 0]}\n"
        "  D: {type: revolute, bodies: [ground, right], at: [2, 0, 0]}\n"
        "forces:\n  k: {type: spring, a: {body: ground}, b: {body: right, at: [1, 0, 0]}, stiffness: 60, "
        "rest: 2}\n"
        "outputs:\n  a: {joint: A}\n");
    settle(&run);
    double phi = run_read(&run, "a.angle"), low = phi - 0.1, high = phi + 0.1;
    assert_true(four_bar_slope(low) * four_bar_slope(high) < 0.0);
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        *(four_bar_slope(low) * four_bar_slope(middle) <= 0.0 ? &high : &low) = middle;
    }
    run_expect("four-bar angle", fabs(phi - low), 1e-10);
    run_close(&run);
}

// Links of a chain between two points of one height: the force along link i is (H, (i - (N-1)/2) w), w the weight of a link,
// so that tan(theta_i) = (i - (N-1)/2) w / H, and H follows from the span.
enum { LINKS = 16 };
static const double link_length = 0.5, span = 5.0;

static double chain_span(double pull)
{
    double sum = 0.0;
    for (int i = 0; i < LINKS; i++) {
        sum += link_length / sqrt(1.0 + pow((i - 0.5 * (LINKS - 1)) / pull, 2));
    }
    return sum;
}

static void test_chain_hangs_as_the_catenary_of_its_links(void **state)
{
    (void)state;
    // described as a sagging vee: two straight halves that meet in the middle
    run_model run = started(
        "biela: 1\nname: chain\ngravity: [0, -9.81, 0]\nparameters: {N: 16, L: 0.5, up: acos(5/8)}\n"
        "bodies:\n"
        "  l$i: {for: {i: 1..16}, mass: 1, com: [L/2, 0, 0], inertia: {rod: [L, 0, 0]},"
        " at: [(i-1)*L*cos(up), '-min(i-1, 17-i)*L*sin(up)', 0], turn: {z: 'if(i < 9, -up, up)'}}\n"
        "joints:\n  j0: {type: revolute, bodies: [ground, l1]}\n"
        "  j$i: {for: {i: 1..15}, type: revolute, bodies: [l$i, l$(i+1)], at_a: [L, 0, 0], at_b: [0, 0, 0]}\n"
        "  j16: {type: revolute, bodies: [ground, l16], at_a: [5, 0, 0], at_b: [L, 0, 0]}\n"
        "outputs:\n  e$i: {for: {i: 1..16}, point: {body: l$i, at: [L, 0, 0]}}\n  R: {reaction: j0}\n");
    settle(&run);
    double low = 1e-3, high = 1e3; // pull in weights of a link
    for (int k = 0; k < 200; k++) {
        double middle = 0.5 * (low + high);
        *(chain_span(middle) < span ? &low : &high) = middle;
    }
    double x = 0.0, y = 0.0, worst = 0.0;
    for (int i = 0; i < LINKS; i++) {
        char name[16];
        double slope = (i - 0.5 * (LINKS - 1)) / low, along = link_length / sqrt(1.0 + slope * slope);
        x += along;
        y += slope * along;
        snprintf(name, sizeof name, "e%d.x", i + 1);
        worst = fmax(worst, fabs(run_read(&run, name) - x));
        snprintf(name, sizeof name, "e%d.y", i + 1);
        worst = fmax(worst, fabs(run_read(&run, name) - y));
    }
    run_expect("chain of 16 links", worst, 1e-10);
    run_expect("pull of the chain", fabs(fabs(run_read(&run, "R.fx")) - 9.81 * low), 1e-10);
    run_close(&run);
}

static void test_block_let_go_above_a_floor_rests_on_it_and_slides_freely(void **state)
{
    (void)state;
    run_model run = started(
        "biela: 1\nname: block\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  block: {mass: 8, inertia: {box: [0.2, 0.2, 0.2]}, at: [0, 0, 0.25]}\n"
        "forces:\n"
        "  c$i$j: {for: {i: 0..1, j: 0..1}, type: point-contact, stiffness: 1e6, damping: 1e3, mass: 2,"
        " point: {body: block, at: [0.2*i-0.1, 0.2*j-0.1, -0.1]}}\n"
        "outputs:\n  block: {body: block}\n");
    bi_balance out = settle(&run);
    assert_int_equal(out.soft, 3);
    run_expect("block on the floor", fabs(run_read(&run, "block.z") - 0.1 + 8 * 9.81 / 4e6), 1e-12);
    const char *what = run.report.issue[run.report.count - 1].what;
    assert_non_null(strstr(what, "body block (x), body block (y), body block (turn z)"));
    run_close(&run);
}

static void test_body_that_nothing_holds_is_named(void **state)
{
    (void)state;
    run_model run = started("biela: 1\nname: falling\nbodies:\n  stone: {mass: 1, inertia: [1, 1, 1]}\n");
    bi_report report = { 0 };
    assert_int_equal(bi_equilibrium(run.sim, NULL, &report), BI_NOT_CONVERGED);
    assert_non_null(strstr(report.issue[0].what, "body stone (z)"));
    // nothing but a new start brings it back
    assert_int_not_equal(bi_sim_step(run.sim), BI_OK);
    assert_int_equal(bi_sim_start(run.sim, &report), BI_OK);
    assert_int_equal(bi_sim_step(run.sim), BI_OK);
    bi_report_clear(&report);
    run_close(&run);
}

static void test_motor_at_rest_carries_voltage_over_resistance(void **state)
{
    (void)state;
    // torque k V / R = 0.6 N m lifts the pendulum (m g l = 2.4525 N m) to sin(angle from below) = 0.6 / 2.4525
    run_model run =
        started("biela: 1\nname: motor\ngravity: [0, -9.81, 0]\n"
                "bodies:\n  arm: {mass: 0.5, com: [0.5, 0, 0], inertia: {rod: [1, 0, 0]}, turn: {z: -1.4}}\n"
                "joints:\n  p: {type: revolute, bodies: [ground, arm]}\n"
                "forces:\n  m: {type: dc-motor, joint: p, voltage: 12, resistance: 2, inductance: 0.01, "
                "constant: 0.1}\n"
                "outputs:\n  p: {joint: p}\n  i: {effort: m}\n");
    settle(&run);
    run_expect("current", fabs(run_read(&run, "i") - 6.0), 1e-10);
    run_expect("angle", fabs(run_read(&run, "p.angle") + run_pi / 2 - asin(0.6 / 2.4525)), 1e-10);
    run_close(&run);
}

// 3 km above its floor: further than Newton goes. It falls there, and its own weight over the stiffness is the depth; the last bits of
// 3000 m times 1e5 N/m are 5e-8 N, 2e-9 of its weight.
static void test_stone_far_above_its_floor_falls_there_by_relaxation(void **state)
{
    (void)state;
    run_model run = started(
        "biela: 1\nname: well\ngravity: [0, 0, -9.81]\n"
        "bodies: {stone: {mass: 2, inertia: [1, 1, 1]}}\n"
        "joints: {well: {type: prismatic, bodies: [ground, stone]}}\n"
        "forces: {floor: {type: stop, joint: well, lower: -3000, upper: 10, stiffness: 1e5, damping: 100}}\n"
        "outputs: {z: well.position}\n");
    bi_balance balance = settle(&run);
    assert_true(balance.relaxation_steps > 100);
    run_expect("stone in the well", fabs(run_read(&run, "z") + 3000 + 2 * 9.81 / 1e5), 1e-10);
    run_close(&run);
}

// 5700 variables are too many for full matrices: relaxation alone, each mass with another stiffness.
static void test_many_masses_on_springs_settle_by_relaxation_alone(void **state)
{
    (void)state;
    run_model run = started(
        "biela: 1\nname: many\ngravity: [0, 0, -9.81]\nparameters: {N: 1900}\n"
        "bodies: {m$i: {for: {i: 1..N}, mass: 1, inertia: [1, 1, 1], at: [i, 0, 0]}}\n"
        "joints: {s$i: {for: {i: 1..N}, type: prismatic, bodies: [ground, m$i], at: [i, 0, 0]}}\n"
        "forces: {k$i: {for: {i: 1..N}, type: torsion-spring, joint: s$i, stiffness: '100 + 10*mod(i, 7)'}}\n"
        "outputs: {z$i: {for: {i: 1..N}, expr: s$i.position}}\n");
    bi_balance balance = settle(&run);
    double worst = 0.0;
    for (int i = 1; i <= 1900; i++) {
        char name[16];
        snprintf(name, sizeof name, "z%d", i);
        worst = fmax(worst, fabs(run_read(&run, name) + 9.81 / (100.0 + 10.0 * (i % 7))));
    }
    printf("measured %d steps of relaxation\n", balance.relaxation_steps);
    assert_true(balance.relaxation_steps > 0);
    run_expect("1900 masses", worst, 1e-10);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_on_a_spring_hangs_at_weight_over_stiffness),
        cmocka_unit_test(test_horizontal_pendulum_finds_its_lowest_point),
        cmocka_unit_test(test_upright_pendulum_is_told_to_be_unstable),
        cmocka_unit_test(test_four_bar_with_diagonal_spring_balances_where_its_energy_is_least),
        cmocka_unit_test(test_chain_hangs_as_the_catenary_of_its_links),
        cmocka_unit_test(test_block_let_go_above_a_floor_rests_on_it_and_slides_freely),
        cmocka_unit_test(test_body_that_nothing_holds_is_named),
        cmocka_unit_test(test_motor_at_rest_carries_voltage_over_resistance),
        cmocka_unit_test(test_stone_far_above_its_floor_falls_there_by_relaxation),
        cmocka_unit_test(test_many_masses_on_springs_settle_by_relaxation_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
