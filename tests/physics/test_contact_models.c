// SPDX-License-Identifier: MIT
// The models of contact: weights carried where statics wants them, meshes that are not convex, a coin that rolls like a
// constraint says.
#include "support/text_model.h"

static double fastest(run_model *run)
{
    bi_view view = bi_sim_view(run->sim);
    double most = 0.0;
    for (int b = 1; b < view.n_body; b++) {
        most = fmax(most, run_norm(view.twist[b].lin) + run_norm(view.twist[b].ang));
    }
    return most;
}

static run_model open_model(const char *name, const bi_setting *setting, bi_coordinates coordinates)
{
    return run_open(&(run_case){
        .model = name, .settings = setting, .n_settings = setting ? 1 : 0, .coordinates = coordinates });
}

// x = g sin tau^2 down the slope at rest; g (sin - mu cos) when it slides.
static void test_block_on_incline_sticks_and_slides(void **state)
{
    (void)state;
    const double g = 9.81, slope = 20.0 * run_pi / 180.0;
    run_model run = open_model("block-on-incline", NULL, BI_NATURAL);
    double x0 = run_read(&run, "block.x"), z0 = run_read(&run, "block.z");
    run_to(&run, 2.0);
    double way = hypot(run_read(&run, "block.x") - x0, run_read(&run, "block.z") - z0),
           wanted = g * sin(slope) * 9e-4;
    // the block turns by a trifle as its load moves forwards: 0.15 m high, some 1e-4 rad
    run_expect("block on incline: way to rest", fabs(way - wanted) / wanted, 0.02);
    run_expect("block on incline: creep, m/s", fastest(&run), 1e-9);
    run_close(&run);
    run = open_model("block-on-incline", &(bi_setting){ "slope", "30 deg" }, BI_JOINT);
    run_to(&run, 1.0);
    double v = hypot(run_read(&run, "block.vx"), run_read(&run, "block.vz"));
    run_to(&run, 2.0);
    v = hypot(run_read(&run, "block.vx"), run_read(&run, "block.vz")) - v;
    double steep = 30.0 * run_pi / 180.0, expected = g * (sin(steep) - 0.5 * cos(steep));
    run_expect("block on incline: acceleration", fabs(v - expected) / expected, 1e-3);
    run_close(&run);
}

// Four spheres instead of four corners: the reference of the drop holds.
static void test_bouncing_pallet_lands_and_leaves_as_the_reference(void **state)
{
    (void)state;
    run_model run = open_model("bouncing-pallet", NULL, BI_NATURAL);
    run_to(&run, 1.0);
    bi_event e;
    assert_true(bi_sim_event(run.sim, 0, &e));
    run_expect("pallet: first touch, s", fabs(e.t - 0.2019275109384609), 1e-6);
    assert_true(bi_sim_event_count(run.sim) == 3 && bi_sim_event(run.sim, 2, &e));
    run_expect("pallet: second touch, s", fabs(e.t - 0.3281219662852614), 1e-5);
    run_expect("pallet: depth at rest, m", fabs(run_read(&run, "feet.depth") - 5e-4), 1e-6);
    run_close(&run);
}

static void test_box_stack_carries_its_weights_and_does_not_creep(void **state)
{
    (void)state;
    run_model run = open_model("box-stack", NULL, BI_JOINT);
    run_to(&run, 32.0);
    // the slowest swing of the stack has faded
    run_expect("box stack: speed, m/s", fastest(&run), 1e-9);
    for (int k = 1; k <= 5; k++) {
        char name[16];
        snprintf(name, sizeof name, k == 1 ? "floor" : "joint%d", k);
        double weight = (6 - k) * 10.0 * 9.81;
        // the normals of leaning faces: 1e-3 rad, squared
        run_expect("box stack: load", fabs(run_read(&run, name) - weight) / weight, 1e-5);
    }
    run_close(&run);
}

static void test_forks_lift_the_pallet_in_two_regions(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        run_model run = open_model("forks-in-pallet", NULL, f ? BI_JOINT : BI_NATURAL);
        run_to(&run, 2.0);
        double weight = 27.296 * 9.81;
        assert_true(run_read(&run, "forks.regions") == 2.0 && run_read(&run, "floor.points") == 0.0);
        run_expect("forks: load", fabs(run_read(&run, "forks.fz") + weight) / weight, 1e-5);
        // forks of 4 cm at 6 cm start 2 cm under the deck
        run_expect("forks: lift, m", fabs(run_read(&run, "pallet.z") - 0.28), 1e-3);
        run_expect("forks: speed, m/s", fastest(&run), 1e-6);
        // by the lever rule the right fork carries (1 + 0.1/0.28)/2: the deck leans to that side
        double lean = run_read(&run, "pallet.qy") * 2.0, share = 0.5 * (1.0 + 0.1 / 0.28),
               k = 4.0 * 133886.88;
        double wanted = (2.0 * share - 1.0) * weight / k / 0.56;
        run_expect("forks: lean of the pallet", fabs(lean - wanted) / wanted, 0.1);
        bi_event e;
        assert_int_equal(bi_sim_event_count(run.sim), 2);
        assert_true(bi_sim_event(run.sim, 0, &e));
        assert_string_equal(e.name, "gripped");
        run_close(&run);
    }
}

// The plate pushes with what the hand pulls: the force of the wall is that of the bushing.
static void test_peg_goes_into_the_hole(void **state)
{
    (void)state;
    run_model run = open_model("peg-in-hole", NULL, BI_NATURAL);
    run_to(&run, 1.6);
    bi_pose peg = bi_sim_view(run.sim).pose[run_body(&run, "peg")],
            hand = bi_sim_view(run.sim).pose[run_body(&run, "hand")];
    bi_vec3 top = run_point(peg, (bi_vec3){ 0, 0, 0.05 });
    double hand_force = 4000.0 * (hand.pos.x - top.x);
    // quasi-static; the peg slides down at constant speed
    run_expect("peg: force of the wall", fabs(run_read(&run, "hole.fx") + hand_force) / hand_force, 1e-2);
    // its lower end is inside, and no corner is beyond the walls at 20.5 mm by more than the depth
    bi_vec3 corner = run_point(peg, (bi_vec3){ 0.02, 0.0, -0.05 });
    assert_true(corner.z < 0.0);
    double worst = 0.0;
    for (double z = -0.05; z <= 0.05; z += 1e-3) {
        bi_vec3 edge = run_point(peg, (bi_vec3){ 0.02, 0.0, z });
        worst = edge.z > 0.0 && edge.z < 0.036 ? fmax(worst, edge.x - 0.0205) : worst;
    }
    run_expect("peg: beyond the wall, m", worst, 1e-5);
    run_close(&run);
}

// The same coin, as thin as a foil, on a rolling constraint.
static void test_coin_rolls_like_the_constraint(void **state)
{
    (void)state;
    run_model
        run = open_model("coin", &(bi_setting){ "thick", "0.2 mm" }, BI_NATURAL),
        disc = text_run(&(text_case){
            "parameters: {r: 0.1, m: 0.4, lean: 20 deg, rolling: 12}\n"
            "gravity: [0, 0, -9.81]\n"
            "bodies:\n"
            "  coin: {mass: m, inertia: {cylinder: [r, 0.2 mm], axis: y}, at: [0, 0, r*cos(lean)], turn: "
            "{x: lean}, "
            "velocity: [rolling*r, 0, 0], spin: [0, rolling*cos(lean), rolling*sin(lean)]}\n"
            "constraints: {roll: {type: rolling, body: coin, radius: r}}\n"
            "outputs: {coin: {body: coin}}\n",
            BI_JOINT, BI_ALI3P, 2e-4 });
    double worst = 0.0, lowest = run_read(&run, "energy.total"), growth = 0.0;
    for (int k = 1; k <= 100; k++) {
        run_to(&run, 0.01 * k);
        run_to(&disc, 0.01 * k);
        worst = fmax(worst, hypot(run_read(&run, "coin.x") - run_read(&disc, "coin.x"),
                                  run_read(&run, "coin.y") - run_read(&disc, "coin.y")));
        growth = fmax(growth, run_read(&run, "energy.total") - lowest);
        lowest = fmin(lowest, run_read(&run, "energy.total"));
    }
    // the stick spring gives way by F tau^2/m, 0.2 mm, and its damper loses what that takes; on a way of 1.2 m
    run_expect("coin: path against the constraint, m", worst, 1e-2);
    run_expect("coin: energy gained, of 0.8 J", growth / 0.8, 1e-5);
    run_close(&run);
    run_close(&disc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_on_incline_sticks_and_slides),
        cmocka_unit_test(test_bouncing_pallet_lands_and_leaves_as_the_reference),
        cmocka_unit_test(test_box_stack_carries_its_weights_and_does_not_creep),
        cmocka_unit_test(test_forks_lift_the_pallet_in_two_regions),
        cmocka_unit_test(test_peg_goes_into_the_hole),
        cmocka_unit_test(test_coin_rolls_like_the_constraint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
