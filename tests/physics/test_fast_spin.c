// SPDX-License-Identifier: MIT
// Bodies that turn far in one step: what they keep, they keep at any turn per step, in both formulations (ali3p.15).
#include "support/text_model.h"
#include <stdlib.h>

static const double run_dt = 1e-3;
static const bi_coordinates both[] = { BI_NATURAL, BI_JOINT };

static run_model rotor(bi_coordinates coordinates, bi_scheme scheme, const char *axis, double w)
{
    char text[1024];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\n"
             "bodies:\n"
             "  rotor: {mass: 1, inertia: [0.001, 0.001, 0.002]}\n"
             "joints:\n"
             "  j: {type: revolute, bodies: [ground, rotor], axis: %s, rate: %.17g}\n"
             "outputs: {w: j.rate, a: j.angle}\n",
             axis, w);
    return text_run(&(text_case){ text, coordinates, scheme, run_dt });
}

static void test_rotor_without_torque_keeps_its_speed_at_any_turn_per_step(void **state)
{
    (void)state;
    static const char *const axis[] = { "[0, 0, 1]", "[1, 0, 0]", "[0, -1, 0]", "[1, 2, -2]" };
    static const double turn[] = { 0.01, 0.1, 0.5, 1.0, 1.5, 3.0, 3.2, 6.0 }; // rad per step
    double speed = 0.0, angle = 0.0;
    for (int k = 0; k < 2; k++) {
        for (int a = 0; a < 4; a++) {
            for (int t = 0; t < 8; t++) {
                double w = turn[t] / run_dt;
                run_model run = rotor(both[k], BI_ALI3P, axis[a], w);
                run_to(&run, 1.0);
                speed = fmax(speed, fabs(run_read(&run, "w") / w - 1.0));
                angle = fmax(angle, fabs(run_read(&run, "a") / w - 1.0));
                assert_int_equal(bi_sim_statistics(run.sim).step_overs, 0);
                run_close(&run);
            }
        }
    }
    // the issue asks for 1e-6; what is left is rounding in a thousand steps
    run_expect("speed of a free rotor", speed, 1e-9);
    run_expect("angle of a free rotor", angle, 1e-9);
}

static void test_damped_steps_keep_the_speed_of_a_rotor(void **state)
{
    (void)state;
    run_model run = rotor(BI_NATURAL, BI_ALI3P_ALPHA, "[0, 0, 1]", 800.0);
    run_to(&run, 1.0);
    run_expect("speed with generalised-alpha", fabs(run_read(&run, "w") / 800.0 - 1.0), 1e-9);
    run_close(&run);
}

static void test_ball_that_nothing_holds_keeps_its_spin(void **state)
{
    (void)state;
    const char *text =
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  b: {mass: 2, inertia: [0.02, 0.02, 0.02], velocity: [1, 2, 3], spin: [500, -700, 600]}\n"
        "outputs: {b: {body: b}}\n";
    for (int k = 0; k < 2; k++) {
        run_model run = text_run(&(text_case){ text, both[k], BI_ALI3P, run_dt });
        run_to(&run, 1.0);
        double spin = hypot(hypot(run_read(&run, "b.wx") - 500.0, run_read(&run, "b.wy") + 700.0),
                            run_read(&run, "b.wz") - 600.0);
        run_expect("spin of a free ball", spin / 1050.0, 1e-9);
        run_expect("place of a free ball", fabs(run_read(&run, "b.y") - 2.0), 1e-9);
        run_close(&run);
    }
}

// Three planets: angles are tied to each other by constraints, so that all must turn by the same law.
static run_model planetary(bi_coordinates coordinates)
{
    const char *text =
        "parameters: {zs: 20, zp: 15, zr: 50, T: 3, Tl: 5, Rc: 0.07}\n"
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  sun: {mass: 1, inertia: [0.001, 0.001, 0.002]}\n"
        "  carrier: {mass: 2, inertia: [0.01, 0.01, 0.02]}\n"
        "  planet$i: {for: {i: 1..3}, mass: 0.5, inertia: [0.0002, 0.0002, 0.0004], at: [Rc*cos(2*pi*i/3), "
        "Rc*sin(2*pi*i/3), 0]}\n"
        "  ring: {mass: 3, inertia: [0.02, 0.02, 0.04]}\n"
        "joints:\n"
        "  js: {type: revolute, bodies: [ground, sun], axis: [0, 0, 1]}\n"
        "  jc: {type: revolute, bodies: [ground, carrier], axis: [0, 0, 1]}\n"
        "  jr: {type: revolute, bodies: [ground, ring], axis: [0, 0, 1]}\n"
        "  jp$i: {for: {i: 1..3}, type: revolute, bodies: [carrier, planet$i], at: [Rc*cos(2*pi*i/3), "
        "Rc*sin(2*pi*i/3), 0], axis: [0, 0, 1]}\n"
        "constraints:\n"
        "  sp$i: {for: {i: 1..3}, type: coupling, terms: {js: zs, jc: -zs, jp$i: zp}}\n"
        "  rp$i: {for: {i: 1..3}, type: coupling, terms: {jr: zr, jc: -zr, jp$i: -zp}}\n"
        "  brake: {type: guide, joint: jr, value: 0, active: 1 - t}\n"
        "forces:\n"
        "  drive: {type: torque, joint: js, torque: T}\n"
        "  load: {type: torque, joint: jc, torque: -Tl}\n"
        "outputs: {ws: js.rate, wc: jc.rate, wr: jr.rate, wp: jp1.rate}\n";
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, run_dt });
}

// Torques are constant: before the brake lets go the sun's acceleration is (T - Tl/u) / J with u = (zs + zr)/zs and all inertias
// reflected to the sun; joint coordinates have constant accelerations exactly.
static void test_planetary_gear_turns_alike_in_both_formulations(void **state)
{
    (void)state;
    run_model natural = planetary(BI_NATURAL), joint = planetary(BI_JOINT);
    double u = 70.0 / 20.0, planet = -50.0 / 15.0 / u; // rates of carrier and planet, of the sun's
    double J =
        0.002 + (0.02 + 1.5 * 0.07 * 0.07) / (u * u) + 3.0 * 0.0004 * (1.0 / u + planet) * (1.0 / u + planet);
    double a = (3.0 - 5.0 / u) / J;
    run_to(&natural, 1.0);
    run_to(&joint, 1.0);
    run_expect("sun against the closed form, joint", fabs(run_read(&joint, "ws") / a - 1.0), 1e-9);
    run_expect("sun against the closed form, natural", fabs(run_read(&natural, "ws") / a - 1.0), 1e-5);
    run_to(&natural, 2.0);
    run_to(&joint, 2.0);
    static const char *const rate[] = { "ws", "wc", "wr", "wp" };
    for (int k = 0; k < 4; k++) {
        double there = run_read(&joint, rate[k]);
        run_expect(rate[k], fabs(run_read(&natural, rate[k]) / there - 1.0), 1e-5);
    }
    run_close(&natural);
    run_close(&joint);
}

static void test_fast_rotor_goes_on_with_the_same_bits_from_a_snapshot(void **state)
{
    (void)state;
    run_model run = rotor(BI_NATURAL, BI_ALI3P, "[1, 2, -2]", 700.0);
    run_to(&run, 0.1);
    size_t size = bi_sim_save(run.sim, NULL, 0);
    char *kept = malloc(size);
    assert_non_null(kept);
    bi_sim_save(run.sim, kept, size);
    run_to(&run, 0.2);
    uint64_t hash = bi_sim_hash(run.sim);
    assert_int_equal(bi_sim_load(run.sim, kept, size), BI_OK);
    run_to(&run, 0.2);
    assert_true(bi_sim_hash(run.sim) == hash);
    free(kept);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotor_without_torque_keeps_its_speed_at_any_turn_per_step),
        cmocka_unit_test(test_damped_steps_keep_the_speed_of_a_rotor),
        cmocka_unit_test(test_ball_that_nothing_holds_keeps_its_spin),
        cmocka_unit_test(test_planetary_gear_turns_alike_in_both_formulations),
        cmocka_unit_test(test_fast_rotor_goes_on_with_the_same_bits_from_a_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
