// SPDX-License-Identifier: MIT
// What contact of shapes must keep, whatever the shapes: energy never grows, momentum stays, a saved state goes on in the
// same bits, friction that sticks rolls like a constraint, weights are carried in equilibrium.
#include "support/text_model.h"
#include <stdlib.h>

// ---- energy ------------------------------------------------------------------------------------------------------------

typedef struct {
    const char *name, *shape, *law;
    double dt;
} falling;

static const falling bodies[] = {
    { "ball, Kelvin-Voigt", "type: sphere, radius: 0.1", "stiffness: 2e4, damping: 40, friction: 0.4", 2e-4 },
    { "ball, Hertz", "type: sphere, radius: 0.1",
      "law: hertz, stiffness: 2e6, restitution: 0.7, friction: 0.4", 1e-4 },
    { "ball, Hunt-Crossley", "type: sphere, radius: 0.1",
      "law: hertz, stiffness: 2e6, dissipation: 0.2, friction: 0.4", 1e-4 },
    { "box", "type: box, size: [0.3, 0.2, 0.15]", "stiffness: 2e4, damping: 40, friction: 0.4", 2e-4 },
    { "cylinder", "type: cylinder, radius: 0.1, length: 0.3", "stiffness: 2e4, damping: 40, friction: 0.4",
      2e-4 },
    { "capsule", "type: capsule, radius: 0.08, length: 0.2", "stiffness: 2e4, damping: 40, friction: 0.4",
      2e-4 },
    { "torus", "type: torus, radius: 0.03, ring: 0.12", "stiffness: 2e4, damping: 40, friction: 0.4", 2e-4 },
    { "ellipsoid", "type: ellipsoid, half_axes: [0.15, 0.1, 0.05]",
      "stiffness: 2e4, damping: 40, friction: 0.4", 2e-4 },
    // a bed of springs: the patch grows with the depth
    { "mesh", "type: mesh, file: wedge.obj", "per: area, stiffness: 2e6, damping: 4000, friction: 0.4",
      2e-4 },
};

static run_model fall(const falling *f)
{
    char text[2000];
    snprintf(text, sizeof text,
             "bodies:\n"
             "  body: {mass: 2, inertia: [0.02, 0.025, 0.03], at: [0, 0, 0.4], turn: [{x: 0.4}, {y: 0.3}], "
             "velocity: [1, 0.3, 0], "
             "spin: [2, -3, 5]}\n"
             "shapes: {floor: {type: plane}, body: {body: body, %s}}\n"
             "forces: {touch: {type: contact, a: body, b: floor, %s, stick_time: 0.01}}\n"
             "outputs: {body: {body: body}, touch: {contact: touch}}\n",
             f->shape, f->law);
    return text_run(&(text_case){ text, BI_JOINT, BI_ALI3P, f->dt });
}

static void test_energy_never_grows_without_input(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        run_model run = fall(&bodies[k]);
        double start = run_read(&run, "energy.total"), lowest = start, growth = 0.0;
        bool has_touched = false;
        while (run_now(&run) < 1.5) {
            run_step(&run);
            double energy = run_read(&run, "energy.total");
            growth = energy - lowest <= growth ? growth : energy - lowest;
            lowest = fmin(lowest, energy);
            has_touched |= run_read(&run, "touch.points") > 0.0;
        }
        assert_true(has_touched);
        char name[96];
        snprintf(name, sizeof name, "energy gained, %s, of the start", bodies[k].name);
        // the stick springs give back what they took, m (mu g tau)^2 / 2 = 1.5 mJ each, of 10 J
        run_expect(name, growth / start, 5e-4);
        run_close(&run);
    }
}

// ---- snapshots ---------------------------------------------------------------------------------------------------------

static void test_restored_contact_goes_on_in_the_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        run_model run = fall(&bodies[k]);
        run_to(&run, 0.5);
        size_t size = bi_sim_save(run.sim, NULL, 0);
        void *buffer = malloc(size);
        assert_non_null(buffer);
        bi_sim_save(run.sim, buffer, size);
        bi_sim *other = bi_sim_create(run.system);
        bi_report report = { 0 };
        assert_int_equal(bi_sim_start(other, &report), BI_OK);
        assert_int_equal(bi_sim_load(other, buffer, size), BI_OK);
        for (int i = 0; i < 500; i++) {
            run_step(&run);
            assert_int_equal(bi_sim_step(other), BI_OK);
        }
        assert_true(bi_sim_hash(run.sim) == bi_sim_hash(other));
        bi_sim_destroy(other);
        bi_report_clear(&report);
        free(buffer);
        run_close(&run);
    }
}

// ---- momentum ----------------------------------------------------------------------------------------------------------

// Two bodies fly into each other in space: neither momentum nor angular momentum changes.
static void expect_momentum(const char *what, const char *shape_a, const char *shape_b)
{
    char text[2000];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\n"
             "bodies:\n"
             "  a: {mass: 2, inertia: [0.02, 0.025, 0.03], at: [-0.4, 0, 0], velocity: [1, 0, 0], spin: [1, "
             "2, 0.5]}\n"
             "  b: {mass: 3, inertia: [0.04, 0.03, 0.05], at: [0.1, 0.03, 0.02], turn: {z: 0.3}}\n"
             "shapes: {a: {body: a, %s}, b: {body: b, %s}}\n"
             "forces: {hit: {type: contact, a: a, b: b, stiffness: 2e4, damping: 40, friction: 0.4, "
             "stick_time: 0.01}}\n"
             "outputs: {hit: {contact: hit}}\n",
             shape_a, shape_b);
    for (int f = 0; f < 2; f++) {
        run_model run = text_run(&(text_case){ text, f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 2e-4 });
        static const double mass[2] = { 2.0, 3.0 }, I[2][3] = { { 0.02, 0.025, 0.03 }, { 0.04, 0.03, 0.05 } };
        bi_vec3 p[2], L[2];
        double most = 0.0;
        for (int end = 0; end < 2; end++) {
            p[end] = L[end] = (bi_vec3){ 0, 0, 0 };
            bi_view view = bi_sim_view(run.sim);
            for (int b = 0; b < 2; b++) {
                bi_pose pose = view.pose[b + 1];
                bi_twist twist = view.twist[b + 1];
                bi_quat back = { pose.rot.w, -pose.rot.x, -pose.rot.y, -pose.rot.z };
                bi_vec3 w = run_turn(back, twist.ang), own = { I[b][0] * w.x, I[b][1] * w.y, I[b][2] * w.z };
                p[end] = run_add(p[end], run_scale(mass[b], twist.lin));
                L[end] = run_add(L[end], run_add(run_turn(pose.rot, own),
                                                 run_cross(pose.pos, run_scale(mass[b], twist.lin))));
            }
            while (end == 0 && run_now(&run) < 0.6) {
                run_step(&run);
                most = fmax(most, run_read(&run, "hit.normal"));
            }
        }
        assert_true(most > 10.0);
        char name[96];
        snprintf(name, sizeof name, "momentum after the hit, %s: of 2 kg m/s", what);
        run_expect(name, run_norm(run_sub(p[1], p[0])) / 2.0, 1e-10);
        // the scheme keeps it to the square of its step, 2e-4 s, times spins of a few rad/s
        snprintf(name, sizeof name, "angular momentum after the hit, %s: kg m2/s", what);
        run_expect(name, run_norm(run_sub(L[1], L[0])), 2e-5);
        run_close(&run);
    }
}

static void test_colliding_bodies_keep_their_momentum(void **state)
{
    (void)state;
    expect_momentum("balls", "type: sphere, radius: 0.15", "type: sphere, radius: 0.12");
    expect_momentum("boxes", "type: box, size: [0.3, 0.25, 0.2]", "type: box, size: [0.2, 0.3, 0.25]");
    expect_momentum("box and cylinder", "type: box, size: [0.3, 0.25, 0.2]",
                    "type: cylinder, radius: 0.12, length: 0.3");
    expect_momentum("capsule and torus", "type: capsule, radius: 0.1, length: 0.1",
                    "type: torus, radius: 0.06, ring: 0.12");
    expect_momentum("ellipsoids", "type: ellipsoid, half_axes: [0.2, 0.15, 0.1]",
                    "type: ellipsoid, half_axes: [0.1, 0.12, 0.15]");
    expect_momentum("ellipsoid and ball", "type: ellipsoid, half_axes: [0.2, 0.15, 0.1]",
                    "type: sphere, radius: 0.12");
    expect_momentum("ellipsoid and box", "type: ellipsoid, half_axes: [0.2, 0.15, 0.1]",
                    "type: box, size: [0.3, 0.25, 0.2]");
    expect_momentum("ellipsoid and capsule", "type: ellipsoid, half_axes: [0.2, 0.15, 0.1]",
                    "type: capsule, radius: 0.1, length: 0.1");
    expect_momentum("ellipsoid and torus", "type: ellipsoid, half_axes: [0.2, 0.15, 0.1]",
                    "type: torus, radius: 0.06, ring: 0.12");
    expect_momentum("ellipsoid and mesh", "type: ellipsoid, half_axes: [0.2, 0.15, 0.1]",
                    "type: mesh, file: wedge.obj");
    expect_momentum("ball and mesh", "type: sphere, radius: 0.15", "type: mesh, file: wedge.obj");
}

// ---- order -------------------------------------------------------------------------------------------------------------

// A ball that never leaves the floor, Hertz without loss: halving the step divides the error by four.
static void test_smooth_contact_keeps_the_order_of_the_scheme(void **state)
{
    (void)state;
    double at[4];
    for (int k = 0; k < 4; k++) {
        run_model run = text_run(&(text_case){
            "bodies: {ball: {mass: 2, inertia: {sphere: 0.1}, at: [0, 0, 0.098]}}\n"
            "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.1}}\n"
            "forces: {hit: {type: contact, a: ball, b: floor, law: hertz, stiffness: 4e5, restitution: 1}}\n"
            "outputs: {P: {point: {body: ball}}}\n",
            BI_NATURAL, BI_ALI3P, 2e-3 / (1 << k) });
        run_to(&run, 0.2);
        at[k] = run_read(&run, "P.z");
        run_close(&run);
    }
    double coarse = fabs(at[1] - at[0]), middle = fabs(at[2] - at[1]), fine = fabs(at[3] - at[2]);
    printf("measured smooth contact: ratios %.3f %.3f\n", coarse / middle, middle / fine);
    assert_true(middle / fine > 3.5 && middle / fine < 4.5);
}

// ---- friction that rolls -------------------------------------------------------------------------------------------------

// A ball thrown with backspin slides, then rolls: v = 5/7 (v0 + 2/5 R w0), whatever the friction.
static void test_ball_with_backspin_ends_rolling_at_the_speed_of_the_textbook(void **state)
{
    (void)state;
    run_model run = text_run(
        &(text_case){ "bodies: {ball: {mass: 2, inertia: {sphere: 0.1}, at: [0, 0, 0.1], velocity: [3, 0, "
                      "0], spin: [0, -15, 0]}}\n"
                      "shapes: {floor: {type: plane}, ball: {type: sphere, body: ball, radius: 0.1}}\n"
                      "forces: {roll: {type: contact, a: ball, b: floor, stiffness: 1e5, damping: 300, "
                      "friction: 0.5, stick_time: 5 ms}}\n"
                      "outputs: {ball: {body: ball}, roll: {contact: roll}}\n",
                      BI_NATURAL, BI_ALI3P, 2e-4 });
    run_to(&run, 2.0);
    double wanted = 5.0 / 7.0 * (3.0 - 0.4 * 0.1 * 15.0), v = run_read(&run, "ball.vx"),
           w = run_read(&run, "ball.wy");
    // the floor gives way by m g/k = 0.2 mm of 100 mm, and the ball rolls on that much less
    run_expect("ball rolls: speed", fabs(v - wanted) / wanted, 2e-3);
    run_expect("ball rolls: slip, m/s", fabs(v - 0.0998 * w), 2e-3);
    assert_true(run_read(&run, "roll.stick") == 1.0);
    run_close(&run);
}

// ---- the speed up to which friction sticks ----------------------------------------------------------------------------------

// A block on a slope between sliding and static friction, set down at a speed below v_s = mu_sliding g tau, is caught and stays
// by the blended law; above static friction nothing catches it. By Coulomb's law only what rests stays. Gravity, or a force that
// equals it, or half of each: the same.
static double way_on_slope(const char *law, const char *weight, double speed, bi_scheme scheme)
{
    char text[1500];
    const char *force =
        "  weight: {type: force, point: {body: block, at: [0, 0, 0]}, fx: lifted*98.1*sin(slope), fz: "
        "-lifted*98.1*cos(slope)}\n";
    snprintf(text, sizeof text,
             "%s"
             "bodies: {block: {mass: 10, inertia: [1, 1, 1], at: [0, 0, 0.1 - 98.1*cos(25 deg)/8e5], "
             "velocity: [%g, 0, 0]}}\n"
             "shapes: {floor: {type: plane}, block: {type: box, body: block, size: [0.4, 0.4, 0.2]}}\n"
             "forces:\n"
             "  touch: {type: contact, a: block, b: floor, stiffness: 2e5, damping: 2000, friction: 0.6, "
             "sliding: \"0.4/0.6\", friction_law: %s}\n%s"
             "outputs: {block: {body: block}}\n",
             weight, speed, law, strstr(weight, "lifted") ? force : "");
    run_model run = text_run(&(text_case){ text, BI_JOINT, scheme, 1e-3 });
    run_to(&run, 2.0);
    double x = run_read(&run, "block.x");
    run_close(&run);
    return x;
}

static void test_friction_catches_alike_whether_weight_is_gravity_or_a_force(void **state)
{
    (void)state;
    const char *by_gravity = "parameters: {slope: 25 deg}\ngravity: [9.81*sin(slope), 0, -9.81*cos(slope)]\n",
               *by_force = "parameters: {slope: 25 deg, lifted: 1}\ngravity: [0, 0, 0]\n",
               *by_both = "parameters: {slope: 25 deg, lifted: 0.5}\n"
                          "gravity: [9.81/2*sin(slope), 0, -9.81/2*cos(slope)]\n";
    // v_s = 0.4 g 0.03 s = 0.118 m/s
    static const double speed[] = { 0.0, 0.03, 0.5 };
    for (int k = 0; k < 3; k++) {
        double gravity = way_on_slope("blended", by_gravity, speed[k], BI_ALI3P),
               force = way_on_slope("blended", by_force, speed[k], BI_ALI3P);
        printf("speed %g: %g by gravity, %g by a force\n", speed[k], gravity, force);
        run_expect("way on a slope, gravity or force", fabs(gravity - force), 1e-9);
        assert_true(speed[k] < 0.1 ? gravity < 0.02 : gravity > 1.0);
        gravity = way_on_slope("coulomb", by_gravity, speed[k], BI_ALI3P);
        run_expect("Coulomb on a slope, gravity or force",
                   fabs(gravity - way_on_slope("coulomb", by_force, speed[k], BI_ALI3P)), 1e-9);
        run_expect("Coulomb on a slope, gravity or half of it",
                   fabs(gravity - way_on_slope("coulomb", by_both, speed[k], BI_ALI3P)), 1e-9);
        assert_true(speed[k] == 0.0 ? gravity < 1e-4 : gravity > 1.0);
    }
}

// Contacts that are settled inside the step keep to the law that was asked for.
static void test_blended_friction_is_the_same_law_with_piles(void **state)
{
    (void)state;
    const char *weight = "parameters: {slope: 25 deg}\ngravity: [9.81*sin(slope), 0, -9.81*cos(slope)]\n";
    static const double speed[] = { 0.0, 0.03, 0.5 };
    for (int k = 0; k < 3; k++) {
        double x = way_on_slope("blended", weight, speed[k], BI_ALI3P),
               settled = way_on_slope("blended", weight, speed[k], BI_PILES);
        printf("speed %g: %g, with piles %g\n", speed[k], x, settled);
        run_expect("blended friction with piles: way, of it", fabs(settled - x) / x, 0.02);
    }
}

// ---- parameters that change ------------------------------------------------------------------------------------------------

static void test_friction_that_an_input_takes_away_lets_the_block_go(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        "parameters: {slope: 15 deg}\n"
        "gravity: [9.81*sin(slope), 0, -9.81*cos(slope)]\n"
        "inputs: {grip: 0.5}\n"
        "bodies: {block: {mass: 10, inertia: [1, 1, 1], at: [0, 0, 0.1]}}\n"
        "shapes: {floor: {type: plane}, block: {type: box, body: block, size: [1, 0.8, 0.2]}}\n"
        "forces: {feet: {type: contact, a: block, b: floor, stiffness: 1e5, damping: 500, friction: grip}}\n"
        "outputs: {block: {body: block}}\n",
        BI_JOINT, BI_ALI3P, 1e-3 });
    run_to(&run, 2.0);
    assert_true(fabs(run_read(&run, "block.vx")) < 1e-9);
    bi_sim_input(run.sim, bi_find_input(run.system, "grip"), 0.1);
    run_to(&run, 2.5);
    double v = run_read(&run, "block.vx");
    run_to(&run, 3.5);
    double slope = 15.0 * run_pi / 180.0, wanted = 9.81 * (sin(slope) - 0.1 * cos(slope));
    run_expect("friction by input: acceleration", fabs(run_read(&run, "block.vx") - v - wanted) / wanted,
               1e-3);
    run_close(&run);
}

// The block slides from dry ground on ice: a = mu g, then a tenth of it.
static void test_patch_of_ice_brakes_less(void **state)
{
    (void)state;
    run_model run = text_run(&(text_case){
        "gravity: [0, 0, -9.81]\n"
        "bodies: {block: {mass: 10, inertia: [1, 1, 1], at: [0, 0, 0.1], velocity: [5, 0, 0]}}\n"
        "shapes: {floor: {type: plane}, block: {type: box, body: block, size: [0.4, 0.4, 0.2]}}\n"
        "patches: {ice: {at: [2, 0, 7], turn: {z: 90 deg}, size: [3, 2], friction: 0.1}}\n"
        "forces: {feet: {type: contact, a: block, b: floor, stiffness: 1e5, damping: 500, friction: 0.5}}\n"
        "outputs: {block: {body: block}}\n",
        BI_JOINT, BI_ALI3P, 1e-3 });
    // the ice lies from x = 1 to x = 3
    static const double at[4] = { 0.2, 0.75, 1.3, 2.7 };
    double v[4], t[4];
    for (int k = 0; k < 4; k++) {
        while (run_read(&run, "block.x") < at[k]) {
            run_step(&run);
        }
        v[k] = run_read(&run, "block.vx");
        t[k] = run_now(&run);
    }
    // the load swings a little as the block lands and nods
    run_expect("dry: deceleration", fabs((v[0] - v[1]) / (t[1] - t[0]) / 4.905 - 1.0), 2e-2);
    run_expect("ice: deceleration", fabs((v[2] - v[3]) / (t[3] - t[2]) / 0.4905 - 1.0), 2e-2);
    bi_vec3 on = { 2.9, 1.4, 3.0 }, beside = { 2.9, 1.6, 3.0 };
    assert_true(bi_model_friction_at(run.model, on) == 0.1 && bi_model_friction_at(run.model, beside) == 1.0);
    run_close(&run);
}

// A limit of 20 N of each corner, four of them, under a weight of 98.1 N: it sinks with what is left over.
static void test_force_limit_is_never_passed(void **state)
{
    (void)state;
    run_model run = text_run(
        &(text_case){ "gravity: [0, 0, -9.81]\n"
                      "bodies: {block: {mass: 10, inertia: [1, 1, 1], at: [0, 0, 0.3]}}\n"
                      "shapes: {floor: {type: plane}, block: {type: box, body: block, size: [1, 0.8, 0.2]}}\n"
                      "forces: {feet: {type: contact, a: block, b: floor, stiffness: 1e5, damping: 500, "
                      "force_limit: 20, most_points: 4}}\n"
                      "outputs: {block: {body: block}, feet: {contact: feet}}\n",
                      BI_NATURAL, BI_ALI3P, 1e-3 });
    run_to(&run, 0.25);
    double v = run_read(&run, "block.vz");
    run_to(&run, 0.26);
    assert_true(fabs(run_read(&run, "feet.normal") - 80.0) < 1e-9);
    double wanted = -0.01 * (9.81 - 8.0);
    run_expect("force limit: change of speed", fabs(run_read(&run, "block.vz") - v - wanted), 1e-9);
    run_close(&run);
}

// ---- height fields -----------------------------------------------------------------------------------------------------

// A ball slides without friction in a bowl z = x^2 + y^2, radius of curvature 0.5 m, given as a field: its middle swings
// like a pendulum of 0.5 - 0.1 m.
static void test_ball_swings_in_a_field_like_a_pendulum(void **state)
{
    (void)state;
    run_model run = text_run(
        &(text_case){ "gravity: [0, 0, -9.81]\n"
                      "bodies: {ball: {mass: 2, inertia: {sphere: 0.1}, at: [0.02, 0, 0.101]}}\n"
                      "shapes:\n"
                      "  bowl: {type: field, surface: x^2 + y^2, from: [-0.5, -0.5], to: [0.5, 0.5], "
                      "spacing: 0.05, smooth: true}\n"
                      "  ball: {type: sphere, body: ball, radius: 0.1}\n"
                      "forces: {slide: {type: contact, a: ball, b: bowl, stiffness: 2e5, damping: 1000}}\n"
                      "outputs: {ball: {body: ball}, slide: {contact: slide}}\n"
                      "events: {right: {channel: ball.x, above: 0}, left: {channel: ball.x, below: 0}}\n",
                      BI_NATURAL, BI_ALI3P, 1e-3 });
    run_to(&run, 3.0);
    bi_event first, last;
    int count = bi_sim_event_count(run.sim);
    assert_true(count >= 5);
    assert_true(bi_sim_event(run.sim, 1, &first) && bi_sim_event(run.sim, count - 1, &last));
    double half = (last.t - first.t) / (count - 2), wanted = run_pi * sqrt(0.4 / 9.81);
    // amplitude of 2 cm against 0.4 m, squared, over 16, and the sink of 0.1 mm
    run_expect("ball in a bowl: half a period", fabs(half - wanted) / wanted, 2e-3);
    run_expect("ball in a bowl: load at the end", fabs(run_read(&run, "slide.fz") / 19.62 - 1.0), 0.02);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_never_grows_without_input),
        cmocka_unit_test(test_restored_contact_goes_on_in_the_same_bits),
        cmocka_unit_test(test_colliding_bodies_keep_their_momentum),
        cmocka_unit_test(test_smooth_contact_keeps_the_order_of_the_scheme),
        cmocka_unit_test(test_ball_with_backspin_ends_rolling_at_the_speed_of_the_textbook),
        cmocka_unit_test(test_friction_catches_alike_whether_weight_is_gravity_or_a_force),
        cmocka_unit_test(test_blended_friction_is_the_same_law_with_piles),
        cmocka_unit_test(test_friction_that_an_input_takes_away_lets_the_block_go),
        cmocka_unit_test(test_patch_of_ice_brakes_less),
        cmocka_unit_test(test_force_limit_is_never_passed),
        cmocka_unit_test(test_ball_swings_in_a_field_like_a_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
