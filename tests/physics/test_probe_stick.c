// SPDX-License-Identifier: MIT
// Probe of the waist: a law with memory between steps. A block on an incline sticks below tan(slope) = mu, without creep,
// and slides above it; the anchors of its contacts belong to the snapshot. Gravity is tilted, the plane is z = 0.
//
// tests/reference/data/stick_incline20.csv and stick_incline26.csv: an independent solution of the same law for one
// point under a constant normal force (step 2e-5 s), x and v down the slope from a sudden start at x = 0. That solution
// drags its anchor so that the spring keeps all of its limit, ours keeps 0.95 of it: at 20 deg the anchor never moves and
// the two agree all the way, at 26 deg the data end where its anchor first moves (at rest 11.15 mm there, 11.30 mm here).
#include "support/run_model.h"

static const double mass = 27.296, friction = 0.5, stick_time = 0.03, gravity = 9.81;
static const double stiffness = 133886.9,
                    damping = 955.85; // one of four points: damping ratio 0.5, 0.5 mm under load

static double radians(double degrees) { return degrees * run_pi / 180.0; }

typedef enum { ONE_POINT, FOUR_CORNERS } footing;

// A body at rest, pressed in as far as its weight needs, at the moment the slope begins to act.
static bi_model *incline(footing feet, double degrees)
{
    static const double x[4] = { 0.5, 0.5, -0.5, -0.5 }, y[4] = { 0.4, -0.4, -0.4, 0.4 }, height = 0.15;
    double slope = radians(degrees), lift = feet == ONE_POINT ? 0.0 : height;
    double depth = mass * gravity * cos(slope) / (4.0 * stiffness);
    bi_model *model = bi_model_create("incline");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ gravity * sin(slope), 0.0, -gravity * cos(slope) });
    bi_body block = bi_add_body(model, &(bi_body_def){ .name = "block",
                                                       .mass = mass,
                                                       .inertia = { 1.7, 2.5, 3.7 },
                                                       .pose.pos = { 0.0, 0.0, lift - depth } });
    int count = feet == ONE_POINT ? 1 : 4;
    for (int k = 0; k < count; k++) {
        char name[16];
        snprintf(name, sizeof name, "foot%d", k);
        bi_vec3 corner = { x[k], y[k], -height };
        bi_add_point_contact(model, &(bi_point_contact_def){
                                        .name = name,
                                        .point = { block, count == 1 ? (bi_vec3){ 0.0, 0.0, 0.0 } : corner },
                                        .stiffness = stiffness * 4.0 / count,
                                        .damping = damping * 4.0 / count,
                                        .friction = friction,
                                        .stick_time = stick_time,
                                        .mass = mass / count,
                                    });
    }
    bi_add_output(model, &(bi_output_def){ .name = "P", .kind = BI_OUT_POINT, .body = block });
    return model;
}

static double speed(run_model *run)
{
    bi_view view = bi_sim_view(run->sim);
    return run_norm(view.twist[1].lin) + run_norm(view.twist[1].ang);
}

// ---- sticking ---------------------------------------------------------------------------------------------------------

// Two seconds to settle (66 times the stick time), then eight more: no speed, no way.
static void expect_no_creep(footing feet, double degrees)
{
    char name[64];
    run_model run = run_start(incline(feet, degrees), BI_ALI3P, 2e-3, 10.0);
    run_to(&run, 2.0);
    bi_pose settled = bi_sim_view(run.sim).pose[1];
    double fastest = 0.0, farthest = 0.0;
    while (run_now(&run) < run.time - 1e-3) {
        run_step(&run);
        double now = speed(&run);
        fastest = now <= fastest ? fastest : now;
        farthest = fmax(farthest, run_norm(run_sub(bi_sim_view(run.sim).pose[1].pos, settled.pos)));
    }
    snprintf(name, sizeof name, "stick %s at %.4g deg: speed", feet == ONE_POINT ? "point" : "block",
             degrees);
    run_expect(name, fastest, 1e-9);
    snprintf(name, sizeof name, "stick %s at %.4g deg: way", feet == ONE_POINT ? "point" : "block", degrees);
    // rounding of places of a metre; a creep at the speed allowed above would make 8e-9 m
    run_expect(name, farthest, 1e-12);
    assert_int_equal(bi_sim_statistics(run.sim).unconverged, 0);
    run_close(&run);
}

static void test_point_below_the_friction_angle_does_not_creep(void **state)
{
    (void)state;
    expect_no_creep(ONE_POINT, 20.0);
}

// atan(0.5) = 26.565 deg
static void test_point_just_below_the_friction_angle_does_not_creep(void **state)
{
    (void)state;
    expect_no_creep(ONE_POINT, 26.0);
}

static void test_block_on_four_corners_below_the_friction_angle_does_not_creep(void **state)
{
    (void)state;
    expect_no_creep(FOUR_CORNERS, 20.0);
}

static void test_block_on_four_corners_just_below_the_friction_angle_does_not_creep(void **state)
{
    (void)state;
    expect_no_creep(FOUR_CORNERS, 26.0);
}

// The stick spring m / tau^2 carries the slope: x = g sin(slope) tau^2.
static void test_sticking_point_rests_where_its_spring_carries_the_slope(void **state)
{
    (void)state;
    run_model run = run_start(incline(ONE_POINT, 20.0), BI_ALI3P, 1e-3, 2.0);
    run_to(&run, 2.0);
    double wanted = gravity * sin(radians(20.0)) * stick_time * stick_time;
    // equilibrium does not depend on the step: rounding only
    run_expect("stick point at rest", fabs(run_read(&run, "P.x") - wanted) / wanted, 1e-9);
    run_close(&run);
}

// ---- the same law by another solver --------------------------------------------------------------------------------------

// Largest error of the place against the distance at rest, and of the speed against the fastest.
static double reference_error(double degrees, const char *file, double dt)
{
    char path[512];
    bi_table table = { 0 };
    bi_report report = { 0 };
    snprintf(path, sizeof path, "%s/tests/reference/data/%s", BI_SOURCE_DIR, file);
    run_require(bi_table_read(path, &table, &report), &report, "the reference cannot be read");
    const double *t = run_reference_column(&table, "t"), *x = run_reference_column(&table, "x"),
                 *v = run_reference_column(&table, "v");
    double fastest = run_range(v, table.rows), way = run_range(x, table.rows), worst = 0.0;
    run_model run = run_start(incline(ONE_POINT, degrees), BI_ALI3P, dt, t[table.rows - 1]);
    for (int k = 0; k < table.rows; k++) {
        assert_true(run_to(&run, t[k]));
        double place = fabs(run_read(&run, "P.x") - x[k]) / way;
        double rate = fabs(run_read(&run, "P.vx") - v[k]) / fastest;
        worst = fmax(place <= worst ? worst : place, rate);
    }
    assert_true(table.rows > 15);
    run_close(&run);
    bi_table_clear(&table);
    return worst;
}

static void test_sticking_point_at_20_deg_follows_the_reference(void **state)
{
    (void)state;
    double coarse = reference_error(20.0, "stick_incline20.csv", 1e-3),
           fine = reference_error(20.0, "stick_incline20.csv", 5e-4);
    // trapezoidal rule at h / tau = 1/30: (1/30)^2 / 2 = 6e-4
    run_expect("stick 20 deg against the reference dt=1e-3", coarse, 6e-4);
    run_expect_order_two("stick 20 deg", coarse, fine);
}

static void test_sticking_point_at_26_deg_follows_the_reference_until_its_anchor_moves(void **state)
{
    (void)state;
    run_expect("stick 26 deg against the reference dt=1e-3",
               reference_error(26.0, "stick_incline26.csv", 1e-3), 6e-4);
}

// ---- sliding ----------------------------------------------------------------------------------------------------------------

// Mean acceleration over the last two of ten seconds, when the speed is several times the stick speed 0.147 m/s.
static void expect_slide(footing feet, double degrees)
{
    char name[64];
    run_model run = run_start(incline(feet, degrees), BI_ALI3P, 2e-3, 10.0);
    run_to(&run, 8.0);
    double before = run_read(&run, "P.vx");
    run_to(&run, 10.0);
    double found = 0.5 * (run_read(&run, "P.vx") - before);
    double wanted = gravity * (sin(radians(degrees)) - friction * cos(radians(degrees)));
    snprintf(name, sizeof name, "slide %s at %.4g deg", feet == ONE_POINT ? "point" : "block", degrees);
    assert_true(before > 3.0 * friction * gravity * stick_time);
    // sliding and saturated sticking both give mu N along the velocity: exact but for rounding and what is left of the
    // swing of the start; 1e-6 m/s2 is 1e-7 of gravity
    run_expect(name, fabs(found - wanted), 1e-6);
    run_close(&run);
}

static void test_point_above_the_friction_angle_slides_with_what_is_left(void **state)
{
    (void)state;
    expect_slide(ONE_POINT, 30.0);
}

static void test_point_just_above_the_friction_angle_does_not_stick(void **state)
{
    (void)state;
    expect_slide(ONE_POINT, 27.0);
}

static void test_block_on_four_corners_above_the_friction_angle_slides_with_what_is_left(void **state)
{
    (void)state;
    expect_slide(FOUR_CORNERS, 30.0);
}

static void test_block_on_four_corners_just_above_the_friction_angle_does_not_stick(void **state)
{
    (void)state;
    expect_slide(FOUR_CORNERS, 27.0);
}

// ---- snapshot -----------------------------------------------------------------------------------------------------------------

// Saves after some steps, goes on for 300 more, and goes the same way again from the snapshot in another sim that has been
// elsewhere meanwhile: its own anchors must go. Gives how far the block went in those 300 steps.
static double continue_from_snapshot(int steps)
{
    run_model run = run_start(incline(FOUR_CORNERS, 26.0), BI_ALI3P, 1e-3, 2.0);
    for (int k = 0; k < steps; k++) {
        run_step(&run);
    }
    size_t size = bi_sim_save(run.sim, NULL, 0);
    char *memory = test_malloc(size);
    assert_int_equal(bi_sim_save(run.sim, memory, size), size);
    double place = run_read(&run, "P.x");
    for (int k = 0; k < 300; k++) {
        run_step(&run);
    }
    uint64_t wanted = bi_sim_hash(run.sim);

    bi_sim *other = bi_sim_create(run.system);
    assert_non_null(other);
    assert_int_equal(bi_sim_start(other, NULL), BI_OK);
    for (int k = 0; k < 37; k++) {
        assert_int_equal(bi_sim_step(other), BI_OK);
    }
    assert_true(bi_sim_hash(other) != wanted);
    assert_int_equal(bi_sim_load(other, memory, size), BI_OK);
    for (int k = 0; k < 300; k++) {
        assert_int_equal(bi_sim_step(other), BI_OK);
    }
    assert_true(bi_sim_hash(other) == wanted);
    double way = fabs(bi_sim_read(other, run_channel(&run, "P.x")) - place);
    bi_sim_destroy(other);
    test_free(memory);
    run_close(&run);
    return way;
}

// After 0.1 s the anchors are being dragged, the most that can go wrong.
static void test_snapshot_while_anchors_move_continues_with_the_same_bits(void **state)
{
    (void)state;
    assert_true(continue_from_snapshot(100) > 1e-3);
}

static void test_snapshot_while_sticking_brings_back_the_anchors(void **state)
{
    (void)state;
    // rounding; without its anchors the block would sink by another g sin(slope) tau^2 = 3.9 mm
    run_expect("stick block after a snapshot: way", continue_from_snapshot(1500), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_below_the_friction_angle_does_not_creep),
        cmocka_unit_test(test_point_just_below_the_friction_angle_does_not_creep),
        cmocka_unit_test(test_block_on_four_corners_below_the_friction_angle_does_not_creep),
        cmocka_unit_test(test_block_on_four_corners_just_below_the_friction_angle_does_not_creep),
        cmocka_unit_test(test_sticking_point_rests_where_its_spring_carries_the_slope),
        cmocka_unit_test(test_sticking_point_at_20_deg_follows_the_reference),
        cmocka_unit_test(test_sticking_point_at_26_deg_follows_the_reference_until_its_anchor_moves),
        cmocka_unit_test(test_point_above_the_friction_angle_slides_with_what_is_left),
        cmocka_unit_test(test_point_just_above_the_friction_angle_does_not_stick),
        cmocka_unit_test(test_block_on_four_corners_above_the_friction_angle_slides_with_what_is_left),
        cmocka_unit_test(test_block_on_four_corners_just_above_the_friction_angle_does_not_stick),
        cmocka_unit_test(test_snapshot_while_anchors_move_continues_with_the_same_bits),
        cmocka_unit_test(test_snapshot_while_sticking_brings_back_the_anchors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
