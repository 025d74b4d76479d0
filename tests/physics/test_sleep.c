// SPDX-License-Identifier: MIT
// Bodies at rest fall asleep (contact.17, contact.18): they stand where they would stand, carry what they would carry, and wake for
// everything that could move them. Measured against the same run in which nobody sleeps.
#include "support/text_model.h"
#include <stdlib.h>

static const double sleep_after = 0.25, slow = 1e-3, light = 1e-3, gravity = 9.80665;

static bool is_asleep(const run_model *run, const char *body)
{
    return bi_sim_is_asleep(run->sim, bi_model_body(run->model, body));
}

// The same model with and without sleep, for both formulations.
typedef struct {
    run_model with, without;
} twins;

static twins twins_of(const char *text, bi_coordinates coordinates, bi_scheme scheme, double dt)
{
    return (twins){ text_run_sleeping(&(text_case){ text, coordinates, scheme, dt }, sleep_after),
                    text_run_sleeping(&(text_case){ text, coordinates, scheme, dt }, 0.0) };
}

static void twins_to(twins *t, double time)
{
    run_to(&t->with, time);
    run_to(&t->without, time);
}

static void twins_set(twins *t, const char *input, double value)
{
    bi_sim_input(t->with.sim, bi_find_input(t->with.system, input), value);
    bi_sim_input(t->without.sim, bi_find_input(t->without.system, input), value);
}

static void twins_close(twins *t)
{
    run_close(&t->with);
    run_close(&t->without);
}

static void expect_alike(twins *t, const char *body, double limit)
{
    static const char *const part[] = { "x", "y", "z" };
    double apart = 0.0;
    for (int k = 0; k < 3; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", body, part[k]);
        apart = fmax(apart, fabs(run_read(&t->with, name) - run_read(&t->without, name)));
    }
    run_expect("apart from the run without sleep, m", apart, limit);
}

// One box above the floor, another on its way, a third nowhere near.
static const char dropped[] =
    "inputs: {push: {initial: 0}, grip: {initial: 0.5}}\n"
    "bodies:\n"
    "  box: {mass: 2, inertia: {box: [0.3, 0.2, 0.1]}, at: [0, 0, 0.06]}\n"
    "  ball: {mass: 1, inertia: {sphere: 0.1}, at: [-2, 0, 0.6], velocity: [1.5, 0, 2.45]}\n"
    "  far: {mass: 1, inertia: {sphere: 0.1}, at: [0, 5, 3]}\n"
    "shapes:\n"
    "  floor: {type: plane}\n"
    "  box: {type: box, body: box, size: [0.3, 0.2, 0.1]}\n"
    "  ball: {type: sphere, body: ball, radius: 0.1}\n"
    "  far: {type: sphere, body: far, radius: 0.1}\n"
    "forces:\n"
    "  ground: {type: contact, a: box, b: floor, stiffness: 4e4, damping: 400, friction: grip}\n"
    "  others: {type: contact, a: [ball, far], b: [floor, box], stiffness: 4e4, damping: 100, friction: "
    "0.4}\n"
    "  hand: {type: force, point: {body: box, at: [0, 0, 0]}, fx: push}\n"
    "outputs: {box: {body: box}, ball: {body: ball}, ground: {contact: ground}}\n";

// ---- falling asleep ----------------------------------------------------------------------------------------------------

static void test_dropped_box_falls_asleep_where_it_would_lie(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        twins t = twins_of(dropped, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 2e-3);
        assert_false(is_asleep(&t.with, "box"));
        twins_to(&t, 0.1);
        assert_false(is_asleep(&t.with, "box"));
        twins_to(&t, 0.9);
        assert_true(is_asleep(&t.with, "box"));
        assert_false(is_asleep(&t.with, "ball"));
        assert_false(is_asleep(&t.with, "far"));
        // it moved at less than 1 mm/s and slower and slower
        expect_alike(&t, "box", 1e-6);
        run_expect("speed, m/s", fabs(run_read(&t.with, "box.vz")) + fabs(run_read(&t.with, "box.wx")), 0.0);
        // forces differ from the weight by the mass times the acceleration that counts as none
        double weight = 2.0 * gravity;
        run_expect("weight", fabs(run_read(&t.with, "ground.fz") / weight - 1.0), light);
        run_expect("told", fabs(run_read(&t.with, "ground.normal") / weight - 1.0), light);
        run_expect("points", fabs(run_read(&t.with, "ground.points") - 4.0), 0.0);
        // what the stop takes is counted: the audit closes as it does without sleep, to the rounding of 14 J
        double open = run_read(&t.with, "energy.balance"), usual = run_read(&t.without, "energy.balance");
        run_expect("energy, J", fabs(open - usual), 1e-12);
        twins_close(&t);
    }
}

static void test_body_described_at_rest_begins_asleep(void **state)
{
    (void)state;
    const char *text =
        "bodies: {box: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.0999]}}\n"
        "shapes: {floor: {type: plane}, ball: {type: sphere, body: box, radius: 0.1}}\n"
        "forces: {ground: {type: contact, a: ball, b: floor, stiffness: 196133, damping: 400}}\n"
        "outputs: {box: {body: box}, ground: {contact: ground}}\n";
    for (int f = 0; f < 2; f++) {
        run_model run =
            text_run_sleeping(&(text_case){ text, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 5e-3 }, 0.5);
        double from = run_read(&run, "box.z");
        assert_false(is_asleep(&run, "box")); // nothing sleeps before the first step: analyses see all bodies
        run_step(&run);
        assert_true(is_asleep(&run, "box"));
        run_to(&run, 2.0);
        assert_true(run_read(&run, "box.z") == from);
        run_expect("weight", fabs(run_read(&run, "ground.fz") / (2.0 * gravity) - 1.0), light);
        run_close(&run);
    }
}

// A ball that glides at 0.9 mm/s without friction is stopped; what it had is counted as lost.
static void test_what_falling_asleep_takes_is_counted(void **state)
{
    (void)state;
    const char *text =
        "bodies: {ball: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.0999], velocity: [0.9e-3, 0, 0]}}\n"
        "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.1}}\n"
        "forces: {ground: {type: contact, a: ball, b: floor, stiffness: 196133, damping: 400}}\n"
        "outputs: {ball: {body: ball}}\n";
    for (int f = 0; f < 2; f++) {
        run_model run =
            text_run_sleeping(&(text_case){ text, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 5e-3 }, 0.5);
        double kinetic = run_read(&run, "energy.kinetic");
        run_expect("kinetic energy at first, J", fabs(kinetic - 0.5 * 2.0 * 0.81e-6), 1e-12);
        run_to(&run, 1.0);
        assert_true(is_asleep(&run, "ball"));
        assert_true(run_read(&run, "energy.kinetic") == 0.0);
        run_expect("balance, of what was lost", fabs(run_read(&run, "energy.balance")) / kinetic, 1e-6);
        // 0.5 s on its way
        run_expect("way, m", fabs(run_read(&run, "ball.x") - 0.45e-3), 1.1 * 5e-3 * 0.9e-3);
        run_close(&run);
    }
}

static void test_thrown_body_does_not_sleep_at_its_top(void **state)
{
    (void)state;
    const char *text =
        "bodies: {ball: {mass: 1, inertia: {sphere: 0.1}, at: [0, 0, 1], velocity: [0, 0, 1e-4]}}\n"
        "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.1}}\n"
        "forces: {ground: {type: contact, a: ball, b: floor, stiffness: 1e5, damping: 400}}\n"
        "outputs: {ball: {body: ball}}\n";
    // a time that one step fills
    run_model run = text_run_sleeping(&(text_case){ text, BI_JOINT, BI_ALI3P, 1e-5 }, 1e-5);
    for (int k = 0; k < 20; k++) {
        run_step(&run);
        assert_false(is_asleep(&run, "ball"));
    }
    run_close(&run);
}

// ---- waking ------------------------------------------------------------------------------------------------------------

static void test_ball_that_comes_wakes_the_box_and_pushes_it_as_if_it_had_not_slept(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        twins t = twins_of(dropped, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 2e-3);
        twins_to(&t, 0.9);
        assert_true(is_asleep(&t.with, "box"));
        double touched = 0.0, woken = 0.0;
        while (run_now(&t.with) < 2.0) {
            run_step(&t.with);
            woken = woken == 0.0 && !is_asleep(&t.with, "box") ? run_now(&t.with) : woken;
            bool moves = fabs(run_read(&t.with, "box.vx")) > slow;
            touched = touched == 0.0 && moves ? run_now(&t.with) : touched;
        }
        assert_true(woken > 0.9 && woken < touched);
        run_to(&t.without, 2.0);
        assert_true(run_read(&t.with, "box.x") > 0.005);
        // the hit is decided by where the ball is, the same in both, and by where the box lay, to 1e-6 m
        expect_alike(&t, "box", 2e-5);
        expect_alike(&t, "ball", 2e-5);
        // and it sleeps again
        run_to(&t.with, 4.0);
        assert_true(is_asleep(&t.with, "box"));
        twins_close(&t);
    }
}

static void test_force_wakes_the_box(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        twins t = twins_of(dropped, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 2e-3);
        twins_to(&t, 0.8);
        assert_true(is_asleep(&t.with, "box"));
        twins_set(&t, "push", 14.0); // friction holds 9.8 N
        twins_to(&t, 1.1);
        assert_false(is_asleep(&t.with, "box"));
        double way = run_read(&t.without, "box.x");
        assert_true(way > 0.05);
        // it is felt one step late: v h
        expect_alike(&t, "box", 2e-3 * run_read(&t.without, "box.vx") + 1e-5);
        twins_close(&t);
    }
}

// A constant force below the limit is no reason to wake for ever.
static void test_box_sleeps_under_a_constant_force(void **state)
{
    (void)state;
    twins t = twins_of(dropped, BI_JOINT, BI_ALI3P, 2e-3);
    twins_set(&t, "push", 5.0);
    twins_to(&t, 0.9);
    assert_true(is_asleep(&t.with, "box"));
    expect_alike(&t, "box", 1e-5);
    run_expect("friction, N", fabs(run_read(&t.with, "ground.fx") + 5.0), light * 2.0 * gravity);
    twins_set(&t, "push", 3.0);
    twins_to(&t, 0.91);
    assert_false(is_asleep(&t.with, "box"));
    twins_close(&t);
}

static void test_ground_that_becomes_slippery_wakes_the_box(void **state)
{
    (void)state;
    twins t = twins_of(dropped, BI_JOINT, BI_ALI3P, 2e-3);
    twins_set(&t, "push", 5.0);
    twins_to(&t, 0.9);
    assert_true(is_asleep(&t.with, "box"));
    twins_set(&t, "grip", 0.1);
    twins_to(&t, 0.94);
    assert_false(is_asleep(&t.with, "box"));
    twins_to(&t, 1.2);
    assert_true(run_read(&t.without, "box.x") > 0.02);
    expect_alike(&t, "box", 2e-3 * run_read(&t.without, "box.vx") + 1e-5);
    twins_close(&t);
}

// A table can move: what lies on it does not sleep, and slides when it tilts as it would.
static void test_box_on_a_table_that_may_tilt_stays_awake(void **state)
{
    (void)state;
    const char *text =
        "inputs: {tilt: {initial: 0}}\n"
        "bodies:\n"
        "  table: {mass: 20, inertia: [2, 2, 2]}\n"
        "  box: {mass: 2, inertia: {box: [0.3, 0.2, 0.1]}, at: [0, 0, 0.11]}\n"
        "joints: {axis: {type: revolute, bodies: [ground, table], at_a: [0, 0, 0], at_b: [0, 0, 0], axis_a: "
        "[0, 1, 0], axis_b: [0, 1, 0]}}\n"
        "signals: {angle: {type: rate-limit, input: tilt, rising: 1}}\n"
        "constraints: {turn: {type: guide, joint: axis, value: angle}}\n"
        "shapes:\n"
        "  table: {type: box, body: table, size: [3, 1, 0.12]}\n"
        "  box: {type: box, body: box, size: [0.3, 0.2, 0.1]}\n"
        "forces: {touch: {type: contact, a: box, b: table, stiffness: 4e4, damping: 400, friction: 0.3}}\n"
        "outputs: {box: {body: box}}\n";
    twins t = twins_of(text, BI_JOINT, BI_ALI3P, 2e-3);
    twins_to(&t, 1.0);
    assert_false(is_asleep(&t.with, "box"));
    twins_set(&t, "tilt", 0.4);
    twins_to(&t, 2.0);
    assert_true(run_read(&t.without, "box.x") > 0.1);
    expect_alike(&t, "box", 0.0);
    twins_close(&t);
}

// A shelf is ground, too.
static void test_box_sleeps_on_what_is_fixed_to_the_ground(void **state)
{
    (void)state;
    const char *text =
        "bodies:\n"
        "  post: {mass: 20, inertia: [2, 2, 2]}\n"
        "  shelf: {mass: 20, inertia: [2, 2, 2], at: [0, 0, 1]}\n"
        "  box: {mass: 2, inertia: {box: [0.3, 0.2, 0.1]}, at: [0, 0, 1.11]}\n"
        "joints:\n"
        "  foot: {type: fixed, bodies: [ground, post], at_a: [0, 0, 0], at_b: [0, 0, 0]}\n"
        "  bolt: {type: fixed, bodies: [post, shelf], at_a: [0, 0, 1], at_b: [0, 0, 0]}\n"
        "shapes:\n"
        "  shelf: {type: box, body: shelf, size: [3, 1, 0.12]}\n"
        "  box: {type: box, body: box, size: [0.3, 0.2, 0.1]}\n"
        "forces: {touch: {type: contact, a: box, b: shelf, stiffness: 4e4, damping: 400, friction: 0.3}}\n"
        "outputs: {box: {body: box}, touch: {contact: touch}, bolt: {reaction: bolt}}\n";
    for (int f = 0; f < 2; f++) {
        twins t = twins_of(text, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 2e-3);
        twins_to(&t, 1.0);
        assert_true(is_asleep(&t.with, "box"));
        expect_alike(&t, "box", 1e-6);
        run_expect("weight", fabs(fabs(run_read(&t.with, "touch.fz")) / (2.0 * gravity) - 1.0), light);
        // the bolt carries shelf and box
        run_expect("bolt", fabs(fabs(run_read(&t.with, "bolt.fz")) / (22.0 * gravity) - 1.0), light);
        twins_close(&t);
    }
}

// ---- islands -----------------------------------------------------------------------------------------------------------

static const char stack[] =
    "bodies:\n"
    "  lower: {mass: 2, inertia: {box: [0.3, 0.3, 0.1]}, at: [0, 0, 0.05]}\n"
    "  upper: {mass: 2, inertia: {box: [0.3, 0.3, 0.1]}, at: [0, 0, 0.15]}\n"
    "  ball: {mass: 1, inertia: {sphere: 0.05}, at: [0, 0, 8]}\n"
    "shapes:\n"
    "  floor: {type: plane}\n"
    "  lower: {type: box, body: lower, size: [0.3, 0.3, 0.1]}\n"
    "  upper: {type: box, body: upper, size: [0.3, 0.3, 0.1]}\n"
    "  ball: {type: sphere, body: ball, radius: 0.05}\n"
    "forces: {touch: {type: contact, a: [lower, upper, ball, floor], stiffness: 4e4, damping: 300, friction: "
    "0.5}}\n"
    "outputs: {lower: {body: lower}, upper: {body: upper}, touch: {contact: touch}}\n";

static void test_stack_sleeps_and_wakes_together(void **state)
{
    (void)state;
    twins t = twins_of(stack, BI_JOINT, BI_ALI3P, 2e-3);
    int asleep = 0;
    while (run_now(&t.with) < 1.1) {
        run_step(&t.with);
        // the upper one never sleeps on one that is awake
        assert_true(is_asleep(&t.with, "lower") == is_asleep(&t.with, "upper"));
        asleep += is_asleep(&t.with, "upper");
    }
    assert_true(asleep > 100);
    run_to(&t.without, 1.1);
    // both weights on the floor, one between them: told by one contact of all shapes
    run_expect("normal forces", fabs(run_read(&t.with, "touch.normal") / (6.0 * gravity) - 1.0), light);
    expect_alike(&t, "upper", 2e-6);
    // the ball falls 7.75 m and arrives at 1.257 s
    twins_to(&t, 1.4);
    assert_false(is_asleep(&t.with, "lower"));
    expect_alike(&t, "lower", 1e-5);
    expect_alike(&t, "upper", 1e-5);
    twins_close(&t);
}

// ---- states ------------------------------------------------------------------------------------------------------------

static void test_run_saved_in_sleep_goes_on_in_the_same_bits(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        run_model run = text_run_sleeping(&(text_case){ dropped, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 2e-3 },
                                          sleep_after);
        run_to(&run, 0.9);
        assert_true(is_asleep(&run, "box"));
        size_t size = bi_sim_save(run.sim, NULL, 0);
        void *buffer = malloc(size);
        assert_non_null(buffer);
        bi_sim_save(run.sim, buffer, size);
        // one that knows nothing of this run, and one that was elsewhere asleep before
        bi_sim *other = bi_sim_create(run.system);
        assert_int_equal(bi_sim_start(other, NULL), BI_OK);
        assert_int_equal(bi_sim_load(other, buffer, size), BI_OK);
        double force = bi_sim_read(other, bi_find_channel(run.system, "ground.fz"));
        assert_true(force == run_read(&run, "ground.fz"));
        for (int k = 0; k < 900; k++) {
            run_step(&run);
            assert_int_equal(bi_sim_step(other), BI_OK);
            assert_true(bi_sim_hash(run.sim) == bi_sim_hash(other));
        }
        assert_int_equal(bi_sim_load(run.sim, buffer, size), BI_OK);
        for (int k = 0; k < 900; k++) {
            run_step(&run);
        }
        assert_true(bi_sim_hash(run.sim) == bi_sim_hash(other));
        free(buffer);
        bi_sim_destroy(other);
        run_close(&run);
    }
}

static void test_reading_a_sleeping_run_changes_nothing(void **state)
{
    (void)state;
    run_model quiet = text_run_sleeping(&(text_case){ dropped, BI_JOINT, BI_ALI3P, 2e-3 }, sleep_after),
              read = text_run_sleeping(&(text_case){ dropped, BI_JOINT, BI_ALI3P, 2e-3 }, sleep_after);
    while (run_now(&read) < 1.6) {
        run_step(&read);
        run_read(&read, "energy.total");
        run_read(&read, "ground.fz");
        bi_sim_step(quiet.sim);
    }
    assert_true(bi_sim_hash(quiet.sim) == bi_sim_hash(read.sim));
    run_close(&quiet);
    run_close(&read);
}

// Its weight acts at a point that nothing else reads, 0.2 m from where it was described.
static void test_reading_does_not_wake_what_slid_before_it_slept(void **state)
{
    (void)state;
    static const char sledge[] =
        "bodies: {box: {mass: 2, com: [0.02, 0, 0], inertia: {box: [0.3, 0.2, 0.1]}, at: [0, 0, 0.0498], "
        "velocity: "
        "[1.4, 0, 0]}}\n"
        "shapes: {floor: {type: plane}, box: {type: box, body: box, size: [0.3, 0.2, 0.1]}}\n"
        "forces: {ground: {type: contact, a: box, b: floor, stiffness: 4e4, damping: 400, friction: 0.5}}\n"
        "outputs: {box: {body: box}}\n";
    for (int f = 0; f < 2; f++) {
        text_case of = { sledge, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 2e-3 };
        run_model quiet = text_run_sleeping(&of, sleep_after), read = text_run_sleeping(&of, sleep_after);
        for (int step = 0; step < 1000; step++) {
            assert_int_equal(bi_sim_step(quiet.sim), BI_OK);
            assert_int_equal(bi_sim_step(read.sim), BI_OK);
            if (step == 900) {
                assert_true(is_asleep(&read, "box"));
                assert_true(run_read(&read, "box.x") > 0.15);
            }
        }
        assert_true(is_asleep(&read, "box"));
        assert_true(bi_sim_hash(quiet.sim) == bi_sim_hash(read.sim));
        run_close(&quiet);
        run_close(&read);
    }
}

static void test_explicit_schemes_sleep_too(void **state)
{
    (void)state;
    twins t = twins_of(dropped, BI_JOINT, BI_HEUN, 5e-4);
    twins_to(&t, 0.9);
    assert_true(is_asleep(&t.with, "box"));
    expect_alike(&t, "box", 1e-6);
    twins_to(&t, 2.0);
    assert_true(run_read(&t.with, "box.x") > 0.005);
    expect_alike(&t, "box", 2e-5);
    twins_close(&t);
}

// All sleep and nothing can change: time passes, whether the run was taken up from a snapshot or not, and energies,
// forces and places are told as before.
static void test_time_passes_while_all_sleep(void **state)
{
    (void)state;
    const char *text =
        "bodies:\n"
        "  a: {mass: 2, inertia: {box: [0.3, 0.2, 0.1]}, at: [0, 0, 0.06]}\n"
        "  b: {mass: 1, inertia: {sphere: 0.1}, at: [2, 0, 0.12]}\n"
        "shapes:\n"
        "  floor: {type: plane}\n"
        "  a: {type: box, body: a, size: [0.3, 0.2, 0.1]}\n"
        "  b: {type: sphere, body: b, radius: 0.1}\n"
        "forces: {c: {type: contact, a: [a, b], b: floor, stiffness: 1e5, damping: 1000, friction: 0.5}}\n"
        "outputs: {a: {body: a}, b: {body: b}, c: {contact: c}}\n";
    for (int f = 0; f < 2; f++) {
        text_case what = { text, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 1e-3 };
        run_model run = text_run_sleeping(&what, sleep_after), other = text_run_sleeping(&what, sleep_after);
        run_to(&run, 3.0);
        assert_true(is_asleep(&run, "a") && is_asleep(&run, "b"));
        double normal = run_read(&run, "c.normal"), energy = run_read(&run, "energy.total"),
               z = run_read(&run, "a.z");
        size_t size = bi_sim_save(run.sim, NULL, 0);
        void *buffer = malloc(size);
        bi_sim_save(run.sim, buffer, size);
        assert_int_equal(bi_sim_load(other.sim, buffer, size), BI_OK);
        run_to(&run, 5.0);
        run_to(&other, 5.0);
        assert_true(bi_sim_hash(run.sim) == bi_sim_hash(other.sim));
        run_expect("asleep: what the floor carries, N", fabs(run_read(&run, "c.normal") - normal), 1e-12);
        run_expect("asleep: weight, N", fabs(normal - 3.0 * gravity), 3.0 * light * gravity);
        assert_true(run_read(&run, "energy.total") == energy && run_read(&run, "a.z") == z);
        free(buffer);
        run_close(&run);
        run_close(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_passes_while_all_sleep),
        cmocka_unit_test(test_dropped_box_falls_asleep_where_it_would_lie),
        cmocka_unit_test(test_body_described_at_rest_begins_asleep),
        cmocka_unit_test(test_what_falling_asleep_takes_is_counted),
        cmocka_unit_test(test_thrown_body_does_not_sleep_at_its_top),
        cmocka_unit_test(test_ball_that_comes_wakes_the_box_and_pushes_it_as_if_it_had_not_slept),
        cmocka_unit_test(test_force_wakes_the_box),
        cmocka_unit_test(test_box_sleeps_under_a_constant_force),
        cmocka_unit_test(test_ground_that_becomes_slippery_wakes_the_box),
        cmocka_unit_test(test_box_on_a_table_that_may_tilt_stays_awake),
        cmocka_unit_test(test_box_sleeps_on_what_is_fixed_to_the_ground),
        cmocka_unit_test(test_stack_sleeps_and_wakes_together),
        cmocka_unit_test(test_run_saved_in_sleep_goes_on_in_the_same_bits),
        cmocka_unit_test(test_reading_a_sleeping_run_changes_nothing),
        cmocka_unit_test(test_reading_does_not_wake_what_slid_before_it_slept),
        cmocka_unit_test(test_explicit_schemes_sleep_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
