// SPDX-License-Identifier: MIT
// Friction against rolling and spinning, and friction by the direction, against closed forms of rigid bodies: a ball that
// rolls out, stands on a slope, spins down; a block that slides askew (touch.6 .. touch.8).
#include "support/text_model.h"
#include <stdlib.h>

static const double g = 9.81, radius = 0.1;

static bi_coordinates by_turns(int k) { return k % 2 ? BI_JOINT : BI_NATURAL; }

// ---- a ball ----------------------------------------------------------------------------------------------------

typedef struct {
    double slope, speed, spin; // rad, m/s down the slope while rolling, rad/s about the normal
    const char *keys;
    bi_coordinates coordinates;
    bi_scheme scheme;
} roll_case;

// 1 kg, pressed in as its weight does; x runs down the slope.
static run_model ball(const roll_case *c)
{
    char text[1500];
    double down = g * sin(c->slope), in = g * cos(c->slope);
    snprintf(text, sizeof text,
             "gravity: [%.17g, 0, %.17g]\n"
             "bodies: {ball: {mass: 1, inertia: {sphere: 0.1}, at: [0, 0, %.17g], velocity: [%.17g, 0, 0], "
             "spin: [0, %.17g, %.17g]}}\n"
             "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.1}}\n"
             "forces: {rub: {type: contact, a: ball, b: floor, stiffness: 1e6, damping: 1000, friction: 0.6, "
             "%s}}\n"
             "outputs: {b: {body: ball}}\n",
             down, -in, radius - in / 1e6, c->speed, c->speed / radius, c->spin, c->keys);
    return text_run(&(text_case){ text, c->coordinates, c->scheme, c->scheme == BI_ALI3P ? 1e-3 : 2e-4 });
}

// a = delta g/(r (1 + beta)), beta = 2/5; after v/a it stands, and does not creep.
static void test_ball_rolls_out_and_stands(void **state)
{
    (void)state;
    double a = 0.01 * g / (radius * 1.4), speed = 1.0, stop = speed / a;
    for (int k = 0; k < 3; k++) {
        run_model run = ball(&(roll_case){ .speed = speed,
                                           .keys = "rolling_friction: 0.01",
                                           .coordinates = by_turns(k),
                                           .scheme = k < 2 ? BI_ALI3P : BI_INDEX1_RK4 });
        double before = run_read(&run, "energy.balance");
        run_to(&run, 0.5 * stop);
        run_expect("rolls out: speed at half time, m/s", fabs(run_read(&run, "b.vx") - 0.5 * speed), 2e-4);
        run_to(&run, stop + 0.3);
        double x = run_read(&run, "b.x"), y = run_read(&run, "b.y");
        run_expect("rolls out: way, m", fabs(x - 0.5 * speed * stop), 2e-4);
        run_expect("rolls out: to the side, m", fabs(y), 1e-12);
        // what was lost is counted: 0.7 J
        run_expect("rolls out: energy, J", fabs(run_read(&run, "energy.balance") - before), 1e-3);
        run_to(&run, stop + 3.3);
        run_expect("stands: creep in 3 s, m", fabs(run_read(&run, "b.x") - x), 1e-9);
        run_close(&run);
    }
}

// tan = delta/r: a hundredth below it, a tenth above it, where the way tells the difference of the two. Its weight comes at once: it swings into two springs, that of sticking and
// that against rolling, and what is above the limit for a moment rolls.
static void test_ball_stands_on_a_slope_below_its_angle_and_rolls_above_it(void **state)
{
    (void)state;
    double most = 0.02 / radius;
    for (int k = 0; k < 4; k++) {
        double slope = atan(most * (k < 2 ? 0.99 : 1.1));
        run_model run = ball(&(roll_case){ .slope = slope,
                                           .keys = "rolling_friction: 0.02",
                                           .coordinates = by_turns(k),
                                           .scheme = BI_ALI3P });
        run_to(&run, 1.0);
        double x = run_read(&run, "b.x"), a = k < 2 ? 0.0 : (g * sin(slope) - most * g * cos(slope)) / 1.4;
        run_to(&run, 2.0);
        double more = run_read(&run, "b.x") - x;
        if (k < 2) {
            run_expect("slope: creep in 1 s, m", fabs(more), 1e-9);
            run_expect("slope: give of the spring, m", fabs(x), 1e-4);
        } else {
            run_expect("slope: way from 1 s to 2 s, part", fabs(more - 1.5 * a) / (1.5 * a), 1e-2);
        }
        run_close(&run);
    }
}

// I w' = -sigma m g.
static void test_spinning_ball_stops_in_time(void **state)
{
    (void)state;
    double spin = 20.0, stop = 0.4 * radius * radius * spin / (5e-3 * g);
    for (int k = 0; k < 2; k++) {
        run_model run = ball(&(roll_case){ .spin = spin,
                                           .keys = "spinning_friction: 5e-3",
                                           .coordinates = by_turns(k),
                                           .scheme = BI_ALI3P });
        run_to(&run, 0.5 * stop);
        run_expect("spins down: spin at half time, part", fabs(run_read(&run, "b.wz") - 0.5 * spin) / spin,
                   1e-4);
        run_to(&run, stop + 0.5);
        run_expect("spins down: left of it, rad/s", fabs(run_read(&run, "b.wz")), 1e-8);
        run_expect("spins down: way, m", fabs(run_read(&run, "b.x")) + fabs(run_read(&run, "b.y")), 1e-9);
        run_close(&run);
    }
}

// A ball that spins while it rolls loses both, each by its own law.
static void test_rolling_and_spinning_do_not_disturb_each_other(void **state)
{
    (void)state;
    run_model run = ball(&(roll_case){ .speed = 0.5,
                                       .spin = 10.0,
                                       .keys = "rolling_friction: 0.01, spinning_friction: 2e-3",
                                       .scheme = BI_ALI3P });
    run_to(&run, 0.4);
    double a = 0.01 * g / (radius * 1.4), w = 2e-3 * g / (0.4 * radius * radius);
    run_expect("both: speed, m/s", fabs(run_read(&run, "b.vx") - (0.5 - 0.4 * a)), 1e-4);
    run_expect("both: spin, rad/s", fabs(run_read(&run, "b.wz") - (10.0 - 0.4 * w)), 2e-2);
    run_close(&run);
}

// What is remembered of the turn is in a snapshot: the same bits after it, rolling and standing.
static void test_snapshot_holds_what_has_turned(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        roll_case c = { .speed = k < 2 ? 1.0 : 0.0,
                        .slope = k < 2 ? 0.0 : 0.05,
                        .spin = 3.0,
                        .keys = "rolling_friction: 0.01, spinning_friction: 2e-3",
                        .coordinates = by_turns(k),
                        .scheme = BI_ALI3P };
        run_model a = ball(&c), b = ball(&c);
        run_to(&a, 0.7);
        size_t size = bi_sim_save(a.sim, NULL, 0);
        void *buffer = malloc(size);
        assert_non_null(buffer);
        bi_sim_save(a.sim, buffer, size);
        assert_int_equal(bi_sim_load(b.sim, buffer, size), BI_OK);
        free(buffer);
        run_to(&a, 1.7);
        run_to(&b, 1.7);
        assert_true(run_read(&a, "b.x") == run_read(&b, "b.x"));
        assert_true(run_read(&a, "b.qw") == run_read(&b, "b.qw"));
        assert_true(bi_sim_hash(a.sim) == bi_sim_hash(b.sim));
        run_close(&a);
        run_close(&b);
    }
}

// ---- a block on a surface with grain ---------------------------------------------------------------------------

// 1 kg, its centre in the plane so that all corners carry alike; turned by `turn` on the plane; friction 0.2 along its
// own x, 0.6 across.
static run_model block(double gx, double gy, double turn, bi_coordinates coordinates)
{
    char text[1500];
    snprintf(text, sizeof text,
             "gravity: [%.17g, %.17g, %.17g]\n"
             "bodies: {block: {mass: 1, inertia: [0.02, 0.02, 0.02], at: [0, 0, %.17g], turn: {z: %.17g}}}\n"
             "shapes: {floor: {type: plane}, block: {type: box, body: block, size: [0.4, 0.4, 0.2], at: [0, "
             "0, 0.1]}}\n"
             "forces: {rub: {type: contact, a: block, b: floor, stiffness: 1e5, damping: 300, friction: 0.2, "
             "friction_across: 3}}\n"
             "outputs: {b: {body: block}}\n",
             gx, gy, -g, -g / 4e5, turn);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 5e-4 });
}

// What slides along s has the friction -N (mu_i^2 s_i)/|mu s|: a load that gives a constant acceleration along s.
static void test_block_slides_askew_where_friction_depends_on_the_direction(void **state)
{
    (void)state;
    static const double angle[3] = { 0.35, 1.0, 1.45 }, a = 2.0;
    double worst = 0.0, lost = 0.0;
    for (int k = 0; k < 6; k++) {
        double phi = angle[k % 3], c = cos(phi), s = sin(phi), turn = k < 3 ? 0.0 : 0.7,
               size = hypot(0.2 * c, 0.6 * s);
        double along = a * c + g * 0.04 * c / size, across = a * s + g * 0.36 * s / size;
        run_model run = block(cos(turn) * along - sin(turn) * across, sin(turn) * along + cos(turn) * across,
                              turn, by_turns(k));
        double before = run_read(&run, "energy.balance");
        run_to(&run, 0.5);
        lost = fmax(lost, fabs(run_read(&run, "energy.balance") - before));
        double far = 0.5 * a * 0.25, x = far * cos(phi + turn), y = far * sin(phi + turn);
        worst = fmax(worst, hypot(run_read(&run, "b.x") - x, run_read(&run, "b.y") - y) / far);
        run_close(&run);
    }
    // slip begins about a third of the stick_time late: 0.6 ms of 0.5 s, twice
    run_expect("askew: way, part", worst, 4e-3);
    run_expect("askew: energy of 1 J, J", lost, 1e-3);
}

// (F_x/mu_x)^2 + (F_y/mu_y)^2 = N^2
static void test_block_holds_inside_the_ellipse_of_friction(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        double part = k < 2 ? 0.999 : 1.01, at = 0.8;
        run_model run = block(part * 0.2 * g * cos(at), part * 0.6 * g * sin(at), 0.0, by_turns(k));
        run_to(&run, 0.5);
        double x = run_read(&run, "b.x"), y = run_read(&run, "b.y");
        run_to(&run, 1.5);
        double more = hypot(run_read(&run, "b.x") - x, run_read(&run, "b.y") - y);
        if (k < 2) {
            run_expect("ellipse: creep in 1 s, m", more, 1e-9);
        } else {
            assert_true(more > 5e-3);
        }
        run_close(&run);
    }
}

// ---- crowds: pairs that live -------------------------------------------------------------------------------------

// 51 bodies on a floor: more pairs than stand in the pattern. Every third is a ball that rolls, one that spins, or a
// block that slides askew.
static run_model crowd(bi_coordinates coordinates)
{
    char text[2500];
    double c = cos(1.0), s = sin(1.0), size = hypot(0.2 * c, 0.6 * s);
    double along = 2.0 * c + g * 0.04 * c / size, across = 2.0 * s + g * 0.36 * s / size;
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  roll$i: {for: {i: 1..17}, mass: 1, inertia: {sphere: 0.1}, at: [0, $i, 0.0999902], velocity: [1, "
        "0, "
        "0], spin: [0, 10, 0]}\n"
        "  spin$i: {for: {i: 1..17}, mass: 1, inertia: {sphere: 0.1}, at: [-3, $i, 0.0999902], spin: [0, 0, "
        "20]}\n"
        "  block$i: {for: {i: 1..17}, mass: 1, inertia: [0.02, 0.02, 0.02], at: [3, $i, -2.45e-5]}\n"
        "shapes:\n"
        "  floor: {type: plane}\n"
        "  roll$i: {for: {i: 1..17}, type: sphere, body: roll$i, radius: 0.1}\n"
        "  spin$i: {for: {i: 1..17}, type: sphere, body: spin$i, radius: 0.1}\n"
        "  block$i: {for: {i: 1..17}, type: box, body: block$i, size: [0.4, 0.4, 0.2], at: [0, 0, 0.1]}\n"
        "forces:\n"
        "  rolls: {type: contact, a: roll*, b: floor, stiffness: 1e6, damping: 1000, friction: 0.6, "
        "rolling_friction: 0.01}\n"
        "  spins: {type: contact, a: spin*, b: floor, stiffness: 1e6, damping: 1000, friction: 0.6, "
        "spinning_friction: 5e-3}\n"
        "  slides: {type: contact, a: block*, b: floor, stiffness: 1e5, damping: 300, friction: 0.2, "
        "friction_across: 3}\n"
        "  push$i: {for: {i: 1..17}, type: force, point: {body: block$i}, fx: %.17g, fy: %.17g}\n"
        "outputs: {roll: {body: roll7}, spin: {body: spin7}, block: {body: block7}}\n",
        along, across);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 1e-3 });
}

static void test_crowd_rolls_out_spins_down_and_slides_askew_as_single_bodies_do(void **state)
{
    (void)state;
    double a = 0.01 * g / (radius * 1.4), w = 5e-3 * g / (0.4 * radius * radius), stop = 1.0 / a;
    for (int k = 0; k < 2; k++) {
        run_model run = crowd(by_turns(k));
        run_to(&run, 0.5);
        run_expect("crowd: speed, m/s", fabs(run_read(&run, "roll.vx") - (1.0 - 0.5 * a)), 2e-4);
        run_expect("crowd: spin, rad/s", fabs(run_read(&run, "spin.wz") - (20.0 - 0.5 * w)), 2e-3);
        double x = run_read(&run, "block.x") - 3.0 - 0.25 * cos(1.0),
               y = run_read(&run, "block.y") - 7.0 - 0.25 * sin(1.0);
        run_expect("crowd: way of a block, part", hypot(x, y) / 0.25, 6e-3);
        run_to(&run, stop + 0.2);
        x = run_read(&run, "roll.x");
        run_expect("crowd: way of a ball, m", fabs(x - 0.5 * stop), 2e-4);
        run_to(&run, stop + 0.6);
        run_expect("crowd: creep, m", fabs(run_read(&run, "roll.x") - x), 1e-9);
        run_close(&run);
    }
}

// ---- mistakes --------------------------------------------------------------------------------------------------

static void expect_refused(const char *contact, const char *words)
{
    char text[1000];
    bi_report report = { 0 };
    snprintf(text, sizeof text,
             "bodies: {ball: {mass: 1, inertia: {sphere: 0.1}}}\n"
             "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.1}}\n"
             "forces: {rub: {type: contact, stiffness: 1e5, %s}}\n",
             contact);
    bi_model *model = text_read(text, &report);
    bi_system *system = model ? bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report) : NULL;
    bool is_told = false;
    for (int k = 0; k < report.count; k++) {
        is_told |= strstr(report.issue[k].what, words) != NULL;
    }
    if (system || !is_told) {
        bi_report_print(&report, stderr);
        fail_msg("'%s' was not refused with '%s'", contact, words);
    }
    bi_model_destroy(model);
    bi_report_clear(&report);
}

static void test_mistakes_are_told_by_name(void **state)
{
    (void)state;
    expect_refused("a: ball, b: floor, rolling_friction: -0.1", "must not be negative");
    expect_refused("a: ball, b: floor, friction: 0.5, friction_axis: [1, 0, 0]", "goes with friction_across");
    expect_refused("a: [ball, floor], friction: 0.5, friction_across: 2", "name those they meet");
    expect_refused("a: ball, b: floor, friction_across: 2", "give that, too");
    expect_refused("a: ball, b: floor, friction: 0.5, friction_across: 2, friction_law: blended",
                   "friction_law: coulomb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_rolls_out_and_stands),
        cmocka_unit_test(test_ball_stands_on_a_slope_below_its_angle_and_rolls_above_it),
        cmocka_unit_test(test_spinning_ball_stops_in_time),
        cmocka_unit_test(test_rolling_and_spinning_do_not_disturb_each_other),
        cmocka_unit_test(test_snapshot_holds_what_has_turned),
        cmocka_unit_test(test_block_slides_askew_where_friction_depends_on_the_direction),
        cmocka_unit_test(test_block_holds_inside_the_ellipse_of_friction),
        cmocka_unit_test(test_crowd_rolls_out_spins_down_and_slides_askew_as_single_bodies_do),
        cmocka_unit_test(test_mistakes_are_told_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
