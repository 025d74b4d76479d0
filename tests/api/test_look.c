// SPDX-License-Identifier: MIT
// Rays and distances among the shapes of a run: where the bodies are now, not where they were described.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/look.h>
#include <math.h>

typedef struct {
    bi_system *system;
    bi_sim *sim;
    bi_shape floor, ball, crate, ring, tip;
} scene;

static bi_body add_free(bi_model *m, const char *name, bi_vec3 at)
{
    bi_body b = bi_add_body(
        m, &(bi_body_def){ .name = name, .mass = 1, .inertia = { 1, 1, 1 }, .pose = { .pos = at } });
    bi_add_joint(m, &(bi_joint_def){ .name = name, .kind = BI_FREE, .a = BI_GROUND, .b = b });
    return b;
}

// A ball falls from 3 m beside a crate that falls, too, over a floor; a ring and a cone stand.
static scene make_scene(double time)
{
    scene s;
    bi_model *m = bi_model_create("scene");
    bi_body ball = add_free(m, "ball", (bi_vec3){ 0, 0, 3 }),
            crate = add_free(m, "crate", (bi_vec3){ 2, 0, 2 });
    s.floor = bi_add_shape(m, &(bi_shape_def){ .name = "floor", .type = BI_SHAPE_PLANE });
    s.ball = bi_add_shape(
        m, &(bi_shape_def){ .name = "ball", .type = BI_SHAPE_SPHERE, .body = ball, .radius = 0.2 });
    s.crate = bi_add_shape(
        m, &(bi_shape_def){ .name = "crate", .type = BI_SHAPE_BOX, .body = crate, .size = { 1, 1, 1 } });
    s.ring = bi_add_shape(
        m, &(bi_shape_def){
               .name = "ring", .type = BI_SHAPE_TORUS, .pose.pos = { 0, 5, 0 }, .ring = 1, .radius = 0.1 });
    s.tip = bi_add_shape(
        m,
        &(bi_shape_def){
            .name = "tip", .type = BI_SHAPE_CONE, .pose.pos = { 2, 0, 0.25 }, .radius = 0.3, .length = 0.5 });
    s.system = bi_compile(m, &(bi_options){ .dt = 1e-2 }, NULL);
    bi_model_destroy(m);
    assert_non_null(s.system);
    s.sim = bi_sim_create(s.system);
    assert_int_equal(bi_sim_start(s.sim, NULL), BI_OK);
    assert_int_equal(bi_sim_run_to(s.sim, time), BI_OK);
    return s;
}

static void close_scene(scene *s)
{
    bi_sim_destroy(s->sim);
    bi_system_destroy(s->system);
}

static void test_ray_meets_the_nearest_shape_where_it_is_now(void **state)
{
    (void)state;
    scene s = make_scene(0.4);
    double z = bi_sim_view(s.sim).pose[1].pos.z;
    assert_true(z < 2.5);
    bi_ray_hit hit;
    // straight down onto the ball; a long direction means the same
    assert_true(bi_sim_ray(s.sim, (bi_vec3){ 0, 0, 10 }, (bi_vec3){ 0, 0, -7 }, 100, &hit));
    assert_int_equal(hit.shape.i, s.ball.i);
    assert_true(fabs(hit.distance - (10 - z - 0.2)) < 1e-12);
    assert_true(hit.normal.z == 1.0 && fabs(hit.point.z - z - 0.2) < 1e-12);
    // beside it the floor, and nothing within a shorter reach
    assert_true(bi_sim_ray(s.sim, (bi_vec3){ 0.5, 0, 10 }, (bi_vec3){ 0, 0, -1 }, 100, &hit));
    assert_int_equal(hit.shape.i, s.floor.i);
    assert_false(bi_sim_ray(s.sim, (bi_vec3){ 0.5, 0, 10 }, (bi_vec3){ 0, 0, -1 }, 9.9, &hit));
    assert_int_equal(hit.shape.i, 0);
    // across: the side of the crate
    double middle = bi_sim_view(s.sim).pose[2].pos.z;
    assert_true(bi_sim_ray(s.sim, (bi_vec3){ -5, 0.1, middle }, (bi_vec3){ 1, 0, 0 }, 100, &hit));
    assert_int_equal(hit.shape.i, s.crate.i);
    assert_true(fabs(hit.distance - 6.5) < 1e-12 && hit.normal.x == -1.0);
    close_scene(&s);
}

static void test_distance_is_that_of_the_surfaces(void **state)
{
    (void)state;
    scene s = make_scene(0.4);
    double fallen = 3 - bi_sim_view(s.sim).pose[1].pos.z;
    bi_shape_gap gap;
    assert_true(bi_sim_distance(s.sim, s.ball, s.floor, &gap));
    assert_true(fabs(gap.distance - (3 - fallen - 0.2)) < 1e-12);
    assert_true(bi_sim_distance(s.sim, s.floor, s.ball, &gap) && gap.normal.z == -1.0);
    // both have fallen alike: from the ball to the upper edge of the crate
    assert_true(bi_sim_distance(s.sim, s.ball, s.crate, &gap));
    assert_true(fabs(gap.distance - (sqrt(1.5 * 1.5 + 0.5 * 0.5) - 0.2)) < 1e-12);
    // crate and cone, one over the other
    assert_true(bi_sim_distance(s.sim, s.crate, s.tip, &gap));
    assert_true(fabs(gap.distance - (1.5 - fallen - 0.5)) < 1e-9);
    assert_true(fabs(gap.on_b.z - 0.5) < 1e-9 && fabs(gap.normal.z - 1.0) < 1e-9);
    // a ball and a ring that is not convex; a crate and the ring have no distance
    assert_true(bi_sim_distance(s.sim, s.ball, s.ring, &gap) && gap.distance > 3.0);
    assert_false(bi_sim_distance(s.sim, s.crate, s.ring, &gap));
    assert_true(isnan(gap.distance));
    close_scene(&s);
}

// Nothing is asked of the run: it goes on with the same bits.
static void test_looking_changes_nothing(void **state)
{
    (void)state;
    scene s = make_scene(0.2), t = make_scene(0.2);
    bi_ray_hit hit;
    bi_shape_gap gap;
    assert_true(bi_sim_ray(s.sim, (bi_vec3){ 0, 0, 10 }, (bi_vec3){ 0, 0, -1 }, 100, &hit));
    assert_true(bi_sim_distance(s.sim, s.ball, s.crate, &gap));
    assert_int_equal(bi_sim_step(s.sim), BI_OK);
    assert_int_equal(bi_sim_step(t.sim), BI_OK);
    assert_true(bi_sim_hash(s.sim) == bi_sim_hash(t.sim));
    close_scene(&s);
    close_scene(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ray_meets_the_nearest_shape_where_it_is_now),
        cmocka_unit_test(test_distance_is_that_of_the_surfaces),
        cmocka_unit_test(test_looking_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
