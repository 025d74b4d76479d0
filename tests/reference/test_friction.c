// SPDX-License-Identifier: MIT
// Coulomb friction of shapes against closed forms of rigid bodies: sliding to rolling, inclines, the friction angle, a
// shaken table, stick and slip on a belt, balls with spin that bounce.
//
// tests/reference/data/friction_*.csv: closed forms, or integration with located events, to 1e-13. Rigid there, compliant
// here: what is left is depth and give of the stick spring, mu g tau^2 = 10 um.
#include "support/text_model.h"

static bi_coordinates by_turns(int k) { return k % 2 ? BI_JOINT : BI_NATURAL; }

static void keep_worst(double *worst, double error) { *worst = error <= *worst ? *worst : error; }

// ---- a ball ----------------------------------------------------------------------------------------------------

// m = 1 kg, r = 0.11 m, pressed in as its weight does; x runs down the slope.
static run_model ball(double beta, double slope, double mu, double speed, double spin,
                      bi_coordinates coordinates)
{
    char text[1500];
    double inertia = beta * 0.11 * 0.11, down = 9.81 * sin(slope), in = 9.81 * cos(slope);
    snprintf(
        text, sizeof text,
        "gravity: [%.17g, 0, %.17g]\n"
        "bodies: {ball: {mass: 1, inertia: [%.17g, %.17g, %.17g], at: [0, 0, %.17g], velocity: [%.17g, 0, "
        "0], spin: "
        "[0, %.17g, 0]}}\n"
        "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.11}}\n"
        "forces: {rub: {type: contact, a: ball, b: floor, stiffness: 1e6, damping: 1000, friction: %.17g}}\n"
        "outputs: {b: {body: ball}}\n",
        down, -in, inertia, inertia, inertia, 0.11 - in / 1e6, speed, spin, mu);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 5e-4 });
}

// v = (v0 + beta r w0)/(1 + beta) from the time on when slip has gone.
static void test_sliding_balls_end_rolling(void **state)
{
    (void)state;
    bi_table data = run_data("friction_roll.csv");
    const double *beta = run_reference_column(&data, "beta"), *v0 = run_reference_column(&data, "v0"),
                 *spin0 = run_reference_column(&data, "spin0"), *v = run_reference_column(&data, "v_roll"),
                 *spin = run_reference_column(&data, "spin_roll"),
                 *x = run_reference_column(&data, "x_at_2s"), *t_roll = run_reference_column(&data, "t_roll");
    double worst[3] = { 0 };
    for (int k = 0; k < data.rows; k++) {
        run_model run = ball(beta[k], 0.0, 0.2, v0[k], spin0[k], by_turns(k));
        run_to(&run, 2.0);
        keep_worst(&worst[0], fabs(run_read(&run, "b.x") - x[k]));
        run_to(&run, fmax(2.0, t_roll[k] + 0.1));
        keep_worst(&worst[1], fabs(run_read(&run, "b.vx") - v[k]));
        keep_worst(&worst[2], fabs(run_read(&run, "b.wy") - spin[k]) * 0.11);
        run_close(&run);
    }
    run_expect("slide to roll: way in 2 s, m", worst[0], 1e-4);
    run_expect("slide to roll: speed, m/s", worst[1], 1e-3);
    run_expect("slide to roll: speed of the rim, m/s", worst[2], 1e-3);
    bi_table_clear(&data);
}

static void test_balls_roll_or_slide_down_an_incline(void **state)
{
    (void)state;
    bi_table data = run_data("friction_incline.csv");
    const double *beta = run_reference_column(&data, "beta"),
                 *angle = run_reference_column(&data, "angle_deg"),
                 *x = run_reference_column(&data, "x_at_1s"), *v = run_reference_column(&data, "v_at_1s"),
                 *spin = run_reference_column(&data, "spin_at_1s");
    double worst[3] = { 0 };
    for (int k = 0; k < data.rows; k++) {
        run_model run = ball(beta[k], angle[k] * run_pi / 180.0, 0.3, 0.0, 0.0, by_turns(k));
        run_to(&run, 1.0);
        keep_worst(&worst[0], fabs(run_read(&run, "b.x") - x[k]));
        keep_worst(&worst[1], fabs(run_read(&run, "b.vx") - v[k]));
        keep_worst(&worst[2], fabs(run_read(&run, "b.wy") - spin[k]) * 0.11);
        run_close(&run);
    }
    run_expect("incline: way in 1 s, m", worst[0], 2e-3);
    run_expect("incline: speed, m/s", worst[1], 2e-3);
    run_expect("incline: speed of the rim, m/s", worst[2], 2e-3);
    bi_table_clear(&data);
}

// ---- a block ---------------------------------------------------------------------------------------------------

// A box of 1 kg whose centre lies in the plane, so that all corners carry alike.
static run_model block(double slope, double mu_s, double mu_k, double speed, bi_coordinates coordinates)
{
    char text[1500];
    double down = 9.81 * sin(slope), in = 9.81 * cos(slope);
    snprintf(text, sizeof text,
             "gravity: [%.17g, 0, %.17g]\n"
             "bodies: {block: {mass: 1, inertia: [0.02, 0.02, 0.02], at: [0, 0, %.17g], velocity: [%.17g, 0, "
             "0]}}\n"
             "shapes: {floor: {type: plane}, block: {type: box, body: block, size: [0.4, 0.4, 0.2], at: [0, "
             "0, 0.1]}}\n"
             "forces: {rub: {type: contact, a: block, b: floor, stiffness: 1e5, damping: 300, friction: "
             "%.17g, sliding: "
             "%.17g}}\n"
             "outputs: {b: {body: block}}\n",
             down, -in, -in / 4e5, speed, mu_s, mu_k / mu_s);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 5e-4 });
}

// To 1e-6 rad on both sides of the friction angle.
static void test_block_holds_up_to_the_friction_angle_and_slides_above_it(void **state)
{
    (void)state;
    bi_table data = run_data("friction_angle.csv");
    const double *mu_s = run_reference_column(&data, "mu_s"), *mu_k = run_reference_column(&data, "mu_k"),
                 *beyond = run_reference_column(&data, "beyond"),
                 *x = run_reference_column(&data, "x_at_1s_from_rest"),
                 *t_up = run_reference_column(&data, "t_stop_started_up_2mps"),
                 *x_up = run_reference_column(&data, "x_stop_up"),
                 *stays = run_reference_column(&data, "stays");
    double worst[2] = { 0 };
    for (int k = 0; k < data.rows; k++) {
        double slope = atan(mu_s[k]) + beyond[k];
        run_model run = block(slope, mu_s[k], mu_k[k], 0.0, by_turns(k));
        run_to(&run, 1.0);
        keep_worst(&worst[0], fabs(run_read(&run, "b.x") - x[k]));
        run_close(&run);
        run = block(slope, mu_s[k], mu_k[k], -2.0, by_turns(k));
        run_to(&run, t_up[k]);
        keep_worst(&worst[1], fabs(run_read(&run, "b.x") + x_up[k]));
        run_to(&run, t_up[k] + 1.0);
        double back = run_read(&run, "b.x") + x_up[k];
        // above its angle a block that has stopped begins to slide like one from rest; 1e-6 rad beside it what the
        // stop has left of its speed decides
        if (fabs(beyond[k]) > 1e-4) {
            assert_true(stays[k] > 0.0 ? fabs(back) < 1e-3 : back > 0.9 * x[k] - 1e-4);
        }
        run_close(&run);
    }
    // 1e-6 rad above the angle it takes 7 ms to get away
    run_expect("friction angle: way from rest in 1 s, m", worst[0], 1e-2);
    run_expect("friction angle: way up to the stop, m", worst[1], 5e-4);
    bi_table_clear(&data);
}

// ---- tables and belts that move --------------------------------------------------------------------------------

typedef struct {
    const char *motion; // of the surface, m
    double speed;       // at the start, m/s
    double mu_s, mu_k, mass, spring, block_speed;
    double dt;
    bi_scheme scheme;
    bi_coordinates coordinates;
} ride;

static run_model on_belt(const ride *r)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  belt: {mass: 100, inertia: [1, 1, 1]}\n"
        "  block: {mass: %.17g, inertia: [0.02, 0.02, 0.02], at: [0, 0, %.17g], velocity: [%.17g, 0, 0]}\n"
        "joints: {way: {type: prismatic, bodies: [ground, belt], axis: [1, 0, 0], rate: %.17g}}\n"
        "constraints: {drive: {type: guide, joint: way, value: \"%s\"}}\n"
        "shapes:\n"
        "  belt: {type: box, body: belt, size: [60, 1, 0.2], at: [0, 0, -0.1]}\n"
        "  block: {type: box, body: block, size: [0.4, 0.4, 0.2], at: [0, 0, 0.1]}\n"
        "forces:\n"
        "  rub: {type: contact, a: block, b: belt, stiffness: 1e5, damping: 300, friction: %.17g, sliding: "
        "%.17g}\n"
        "  spring: {type: spring, a: {body: ground, at: [-1, 0, 0]}, b: {body: block}, stiffness: %.17g, "
        "rest: 1}\n"
        "outputs: {b: {body: block}, rub: {contact: rub}}\n",
        r->mass, -9.81 * r->mass / 4e5, r->block_speed, r->speed, r->motion, r->mu_s, r->mu_k / r->mu_s,
        r->spring);
    return text_run(&(text_case){ text, r->coordinates, r->scheme, r->dt });
}

// A table that swings: places and speeds of the block whenever it begins to slip or to stick.
static void test_block_on_a_shaken_table_slips_and_sticks_in_time(void **state)
{
    (void)state;
    bi_table data = run_data("friction_shaken.csv");
    const double *which = run_reference_column(&data, "case"), *A = run_reference_column(&data, "A"),
                 *omega = run_reference_column(&data, "omega"), *mu = run_reference_column(&data, "mu"),
                 *t = run_reference_column(&data, "t"), *x = run_reference_column(&data, "x_block"),
                 *v = run_reference_column(&data, "v_block");
    double worst[2] = { 0 };
    run_model run = { 0 };
    for (int k = 0; k < data.rows; k++) {
        if (k == 0 || which[k] != which[k - 1]) {
            if (k > 0) {
                run_close(&run);
            }
            char motion[80];
            snprintf(motion, sizeof motion, "%g*sin(%g*t)", A[k], omega[k]);
            run = on_belt(&(ride){ motion, A[k] * omega[k], mu[k], mu[k], 1.0, 1e-9, A[k] * omega[k], 2e-4,
                                   BI_ALI3P, by_turns(k) });
        }
        run_to(&run, t[k]);
        keep_worst(&worst[0], fabs(run_read(&run, "b.x") - x[k]));
        keep_worst(&worst[1], fabs(run_read(&run, "b.vx") - v[k]));
    }
    run_close(&run);
    run_expect("shaken table: place, m", worst[0], 5e-4);
    run_expect("shaken table: speed, m/s", worst[1], 5e-3);
    bi_table_clear(&data);
}

typedef struct {
    double period, low, high;
} swing;

// From three turning points on: mean of whole periods between places of rest at the lower end.
static swing watch(run_model *run, double until)
{
    swing s = { 0, 1e9, -1e9 };
    double first = 0.0, last = 0.0, before = run_read(run, "b.vx");
    int n = -1;
    while (run_now(run) < until) {
        run_step(run);
        double now = run_read(run, "b.vx"), x = run_read(run, "b.x");
        if (before < 0.0 && now >= 0.0) {
            last = run_now(run) - run->dt * now / (now - before);
            first = ++n == 0 ? last : first;
        }
        if (n >= 0) {
            s.low = fmin(s.low, x);
            s.high = fmax(s.high, x);
        }
        before = now;
    }
    assert_true(n >= 3);
    s.period = (last - first) / n;
    return s;
}

// The stick-slip belt at the default stick_time: 0.5 %, in both formulations and by an explicit rule.
static void test_stick_slip_belt_has_the_period_of_the_closed_form(void **state)
{
    (void)state;
    bi_table data = run_data("friction_belt.csv");
    const double *m = run_reference_column(&data, "m"), *k = run_reference_column(&data, "k"),
                 *mu_s = run_reference_column(&data, "mu_s"), *mu_k = run_reference_column(&data, "mu_k"),
                 *V = run_reference_column(&data, "V"), *period = run_reference_column(&data, "period"),
                 *high = run_reference_column(&data, "x_max"), *low = run_reference_column(&data, "x_min");
    for (int i = 0; i < 3 * data.rows; i++) {
        int r = i / 3;
        char motion[40];
        snprintf(motion, sizeof motion, "%.17g*t", V[r]);
        run_model run = on_belt(&(ride){ motion, V[r], mu_s[r], mu_k[r], m[r], k[r], V[r], 2e-4,
                                         i % 3 == 2 ? BI_INDEX1_RK4 : BI_ALI3P, by_turns(i % 3) });
        swing s = watch(&run, 6.0);
        run_expect("belt: period, relative", fabs(s.period / period[r] - 1.0), 5e-3);
        run_expect("belt: highest, of the swing", fabs(s.high - high[r]) / (high[r] - low[r]), 5e-3);
        run_expect("belt: lowest, of the swing", fabs(s.low - low[r]) / (high[r] - low[r]), 5e-3);
        run_close(&run);
    }
    bi_table_clear(&data);
}

// Sticks, slides and sticks again after a snapshot with the same bits.
static void test_belt_goes_on_from_a_snapshot_in_the_same_bits(void **state)
{
    (void)state;
    ride r = { "0.1*t", 0.1, 0.4, 0.25, 1.0, 100.0, 0.1, 1e-3, BI_ALI3P, BI_JOINT };
    run_model run = on_belt(&r), other = on_belt(&r);
    run_to(&run, 0.5); // slides
    assert_true(run_read(&run, "rub.slipping") == 1.0);
    size_t size = bi_sim_save(run.sim, NULL, 0);
    char *memory = test_malloc(size);
    assert_int_equal(bi_sim_save(run.sim, memory, size), size);
    run_to(&other, 0.2); // sticks
    assert_int_equal(bi_sim_load(other.sim, memory, size), BI_OK);
    for (int k = 0; k < 800; k++) {
        run_step(&run);
        run_step(&other);
        assert_true(bi_sim_hash(run.sim) == bi_sim_hash(other.sim));
    }
    test_free(memory);
    run_close(&run);
    run_close(&other);
}

// ---- balls that bounce with spin -------------------------------------------------------------------------------

// One hit without weight, so short that its give does not matter: stick_time a hundredth of the contact.
static run_model spinning(bi_vec3 v, bi_vec3 w, double e, double mu, bi_coordinates coordinates)
{
    char text[1500];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\n"
             "bodies: {ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], at: [0, 0, 0.0500001], velocity: [%.17g, "
             "%.17g, "
             "%.17g], spin: [%.17g, %.17g, %.17g]}}\n"
             "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.05}}\n"
             "forces: {hit: {type: contact, a: ball, b: floor, law: hertz, stiffness: 1e10, restitution: "
             "%.17g, friction: "
             "%.17g, stick_time: 2e-6}}\n"
             "outputs: {b: {body: ball}}\n",
             v.x, v.y, v.z, w.x, w.y, w.z, e, mu);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 4e-7 });
}

static void test_ball_with_spin_bounces_as_impulses_say(void **state)
{
    (void)state;
    bi_table data = run_data("friction_spin.csv");
    const double *vx = run_reference_column(&data, "vx"), *vy = run_reference_column(&data, "vy"),
                 *spin = run_reference_column(&data, "spin"), *e = run_reference_column(&data, "e"),
                 *mu = run_reference_column(&data, "mu"), *vx1 = run_reference_column(&data, "vx_after"),
                 *vy1 = run_reference_column(&data, "vy_after"),
                 *spin1 = run_reference_column(&data, "spin_after");
    double worst[3] = { 0 };
    for (int k = 0; k < data.rows; k++) {
        // their plane has y up and spin towards the reader, which is -y here
        run_model run = spinning((bi_vec3){ vx[k], 0.0, vy[k] }, (bi_vec3){ 0.0, -spin[k], 0.0 }, e[k], mu[k],
                                 by_turns(k));
        run_to(&run, 6e-4);
        keep_worst(&worst[0], fabs(run_read(&run, "b.vx") - vx1[k]));
        keep_worst(&worst[1], fabs(run_read(&run, "b.vz") - vy1[k]));
        keep_worst(&worst[2], 0.05 * fabs(-run_read(&run, "b.wy") - spin1[k]));
        run_close(&run);
    }
    run_expect("spin: speed along, m/s", worst[0], 2e-2);
    run_expect("spin: speed up, m/s", worst[1], 1e-2);
    run_expect("spin: speed of the rim, m/s", worst[2], 2e-2);
    bi_table_clear(&data);
}

static void test_ball_with_spin_about_any_axis_bounces_as_impulses_say(void **state)
{
    (void)state;
    bi_table data = run_data("friction_spin_3d.csv");
    double **c = data.value, worst[2] = { 0 };
    for (int k = 0; k < data.rows; k++) {
        run_model run = spinning((bi_vec3){ c[0][k], c[1][k], c[2][k] },
                                 (bi_vec3){ c[3][k], c[4][k], c[5][k] }, c[6][k], c[7][k], by_turns(k));
        run_to(&run, 6e-4);
        static const char *const channel[] = { "b.vx", "b.vy", "b.vz", "b.wx", "b.wy", "b.wz" };
        for (int i = 0; i < 6; i++) {
            keep_worst(&worst[i / 3], fabs(run_read(&run, channel[i]) - c[8 + i][k]) * (i < 3 ? 1.0 : 0.05));
        }
        run_close(&run);
    }
    run_expect("spin in space: speed, m/s", worst[0], 2e-2);
    run_expect("spin in space: speed of the rim, m/s", worst[1], 2e-2);
    bi_table_clear(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding_balls_end_rolling),
        cmocka_unit_test(test_balls_roll_or_slide_down_an_incline),
        cmocka_unit_test(test_block_holds_up_to_the_friction_angle_and_slides_above_it),
        cmocka_unit_test(test_block_on_a_shaken_table_slips_and_sticks_in_time),
        cmocka_unit_test(test_stick_slip_belt_has_the_period_of_the_closed_form),
        cmocka_unit_test(test_belt_goes_on_from_a_snapshot_in_the_same_bits),
        cmocka_unit_test(test_ball_with_spin_bounces_as_impulses_say),
        cmocka_unit_test(test_ball_with_spin_about_any_axis_bounces_as_impulses_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
