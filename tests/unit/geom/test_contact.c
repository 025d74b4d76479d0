// SPDX-License-Identifier: MIT
// Contact of shapes: closed forms, order of the shapes, motions of the world, the same as meshes.
#include "support/geom_room.h"
#include "unit/geom/geom_test.h"

enum { MOST = 32 };

typedef struct {
    geom_contact item[MOST];
    geom_contacts list;
} result;

static void collide(const geom_shape *a, geom_pose pa, const geom_shape *b, geom_pose pb, result *out)
{
    out->list = (geom_contacts){ .item = out->item, .capacity = MOST, .room = test_room() };
    geom_collide(a, &pa, b, &pb, NULL, &out->list);
    assert_false(out->list.is_full);
}

static double deepest(const result *r)
{
    double depth = 0.0;
    for (int k = 0; k < r->list.count; k++) {
        depth = fmax(depth, r->item[k].depth);
    }
    return depth;
}

static const geom_shape PLANE = { .kind = GEOM_PLANE };

static void test_sphere_on_a_plane_cuts_out_a_disc(void **state)
{
    (void)state;
    geom_shape ball = { .kind = GEOM_SPHERE, .radius = 0.5 };
    result r;
    collide(&ball, pose_at(1.0, 2.0, 0.47), &PLANE, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].depth, 0.03, 1e-16);
    // the disc has the radius sqrt(r^2 - (r - depth)^2)
    assert_near(r.item[0].area, PI * (0.25 - 0.47 * 0.47), 1e-15);
    assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, 0.0);
    assert_vec3_near(r.item[0].point, (vec3){ 1.0, 2.0, -0.015 }, 1e-15);
    collide(&ball, pose_at(1.0, 2.0, 0.51), &PLANE, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 0);
}

static void test_two_spheres_share_the_circle_in_which_they_meet(void **state)
{
    (void)state;
    geom_shape a = { .kind = GEOM_SPHERE, .radius = 0.5 }, b = { .kind = GEOM_SPHERE, .radius = 0.3 };
    result r;
    collide(&a, pose_at(0.0, 0.0, 0.7), &b, pose_at(0.0, 0.0, 0.0), &r);
    double x = (0.49 + 0.25 - 0.09) / 1.4;
    assert_near(r.item[0].depth, 0.1, 1e-15);
    assert_near(r.item[0].area, PI * (0.25 - x * x), 1e-15);
    // middle of the overlap: between 0.2 and 0.3
    assert_vec3_near(r.item[0].point, (vec3){ 0.0, 0.0, 0.25 }, 1e-15);
    // one in the middle of the other: still numbers
    collide(&a, pose_at(0.0, 0.0, 0.0), &b, pose_at(0.0, 0.0, 0.0), &r);
    assert_near(vec3_norm(r.item[0].normal), 1.0, 1e-15);
    assert_near(r.item[0].depth, 0.8, 1e-15);
}

static void test_box_on_a_plane_stands_on_its_corners(void **state)
{
    (void)state;
    geom_shape box = { .kind = GEOM_BOX, .half = { 0.1, 0.2, 0.3 } };
    result r;
    collide(&box, pose_at(0.0, 0.0, 0.29), &PLANE, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 4);
    double area = 0.0;
    for (int k = 0; k < 4; k++) {
        assert_near(r.item[k].depth, 0.01, 1e-15);
        assert_int_equal(r.item[k].region, 0);
        area += r.item[k].area;
    }
    assert_near(area, 0.08, 1e-15);
    // on its edge: two corners, a strip of width 2 depth; on its corner: one
    geom_shape cube = { .kind = GEOM_BOX, .half = { 0.5, 0.5, 0.5 } };
    geom_pose edge = { mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, 0.25 * PI),
                       { 0.0, 0.0, sqrt(0.5) - 0.01 } };
    collide(&cube, edge, &PLANE, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 2);
    assert_near(r.item[0].area + r.item[1].area, 0.02, 1e-14);
    assert_near(deepest(&r), 0.01, 1e-15);
    geom_pose corner = { mat3_multiply(mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, math_atan(sqrt(2.0))),
                                       mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, 0.25 * PI)),
                         { 0.0, 0.0, 0.5 * sqrt(3.0) - 0.01 } };
    collide(&cube, corner, &PLANE, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].area, 1.5 * sqrt(3.0) * 1e-4, 1e-15);
}

static void test_cylinder_on_a_plane_stands_lies_and_leans(void **state)
{
    (void)state;
    geom_shape tin = { .kind = GEOM_CYLINDER, .radius = 0.2, .half_length = 0.5 };
    result r;
    collide(&tin, pose_at(0.0, 0.0, 0.49), &PLANE, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 3);
    assert_near(3.0 * r.item[0].area, PI * 0.04, 1e-15);
    assert_near(deepest(&r), 0.01, 1e-15);
    geom_pose lying = { mat3_from_axis_angle((vec3){ 1.0, 0.0, 0.0 }, 0.5 * PI), { 0.0, 0.0, 0.19 } };
    collide(&tin, lying, &PLANE, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 2);
    assert_near(r.item[0].depth, 0.01, 1e-15);
    assert_near(r.item[0].area + r.item[1].area, 1.0 * 2.0 * sqrt(0.04 - 0.19 * 0.19), 1e-9);
    // leaning, against the section of a fine mesh
    geom_mesh *m = mesh_of(&tin, 2000);
    geom_shape as_mesh = { .kind = GEOM_MESH, .mesh = m };
    workspace w = workspace_for(m, NULL, 10000);
    for (int k = 0; k < 12; k++) {
        geom_pose pose = { mat3_from_axis_angle((vec3){ 0.3, 1.0, 0.0 }, 0.05 + 0.13 * k),
                           { 0.1, 0.0, 0.0 } };
        pose.pos.z = -geom_shape_bounds(&tin, &(geom_pose){ pose.rot, { 0.0, 0.0, 0.0 } }).low.z - 0.02;
        collide(&tin, pose, &PLANE, pose_at(0.0, 0.0, 0.0), &r);
        geom_contact item;
        geom_contacts out = { .item = &item, .capacity = 1, .room = test_room() };
        geom_pose zero = geom_pose_identity();
        geom_collide(&as_mesh, &pose, &PLANE, &zero, &w.work, &out);
        double area = 0.0;
        for (int i = 0; i < r.list.count; i++) {
            area += r.item[i].area;
        }
        assert_near(deepest(&r), 0.02, 1e-14);
        assert_near(item.depth, 0.02, 1e-5);
        assert_near(area, item.area, 1e-5);
    }
    free(w.block);
    geom_mesh_destroy(m);
}

static void test_wheel_on_a_plane_touches_at_its_lowest_point(void **state)
{
    (void)state;
    geom_shape wheel = { .kind = GEOM_TORUS, .ring = 0.33, .radius = 0.02, .half_width = 0.018 };
    result r;
    for (int k = 0; k < 10; k++) {
        geom_pose pose = { mat3_from_axis_angle((vec3){ 1.0, 0.0, 0.0 }, 0.5 * PI + 0.1 * k),
                           { 0.0, 0.0, 0.0 } };
        vec3 far;
        geom_shape_support(&wheel, mat3_apply_transposed(pose.rot, (vec3){ 0.0, 0.0, -1.0 }), &far);
        vec3 low = geom_outside(&pose, far);
        pose.pos.z = -low.z - 1e-3;
        collide(&wheel, pose, &PLANE, pose_at(0.0, 0.0, 0.0), &r);
        assert_int_equal(r.list.count, 1);
        assert_near(r.item[0].depth, 1e-3, 1e-15);
        assert_vec3_near(r.item[0].point, (vec3){ low.x, low.y, -0.5e-3 }, 1e-14);
    }
    // upright, section a circle: an ellipse with semi-axes sqrt(2 R depth), sqrt(2 r depth)
    geom_shape round = { .kind = GEOM_TORUS, .ring = 0.3, .radius = 0.02, .half_width = 0.02 };
    geom_pose up = { mat3_from_axis_angle((vec3){ 1.0, 0.0, 0.0 }, 0.5 * PI), { 0.0, 0.0, 0.32 - 1e-5 } };
    collide(&round, up, &PLANE, pose_at(0.0, 0.0, 0.0), &r);
    assert_near(r.item[0].area, PI * 2e-5 * sqrt(0.32 * 0.02), 1e-9);
}

static void test_box_on_box_face_edge_and_corner(void **state)
{
    (void)state;
    geom_shape a = { .kind = GEOM_BOX, .half = { 0.5, 0.5, 0.5 } },
               b = { .kind = GEOM_BOX, .half = { 2.0, 2.0, 1.0 } };
    result r;
    collide(&a, pose_at(0.3, -0.2, 1.45), &b, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].depth, 0.05, 1e-14);
    assert_near(r.item[0].mean, 0.05, 1e-14);
    assert_near(r.item[0].area, 1.0, 1e-14);
    // mean of x^2 over a side of 1
    assert_near(r.item[0].spread[0], 1.0 / 12.0, 1e-14);
    assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, 1e-15);
    assert_vec3_near(r.item[0].slope, (vec3){ 0.0, 0.0, 0.0 }, 1e-12);
    assert_vec3_near(r.item[0].point, (vec3){ 0.3, -0.2, 0.975 }, 1e-14);
    // hanging over the edge of B only what lies over it counts
    collide(&a, pose_at(2.2, 0.0, 1.45), &b, pose_at(0.0, 0.0, 0.0), &r);
    assert_near(r.item[0].area, 0.3, 1e-14);
    // standing on a corner
    geom_pose corner = { mat3_multiply(mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, math_atan(sqrt(2.0))),
                                       mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, 0.25 * PI)),
                         { 0.0, 0.0, 1.0 + 0.5 * sqrt(3.0) - 0.02 } };
    collide(&a, corner, &b, pose_at(0.0, 0.0, 0.0), &r);
    // a pyramid: the mean is a third of its height
    assert_near(deepest(&r), 0.02, 1e-14);
    assert_near(r.item[0].mean, 0.02 / 3.0, 1e-14);
    assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, 1e-15);
    // edges crossed
    geom_shape c = { .kind = GEOM_BOX, .half = { 0.5, 0.5, 0.5 } };
    geom_pose pa = { mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, 0.25 * PI),
                     { 0.02, 0.03, sqrt(2.0) - 0.06 } };
    geom_pose pc = { mat3_from_axis_angle((vec3){ 1.0, 0.0, 0.0 }, 0.25 * PI), { 0.0, 0.0, 0.0 } };
    collide(&a, pa, &c, pc, &r);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].depth, 0.06, 1e-14);
    assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, 1e-14);
    assert_vec3_near(r.item[0].point, (vec3){ 0.02, 0.0, sqrt(0.5) - 0.03 }, 1e-14);
}

// Moving A along the normal by the depth, and a little more, must part two convex bodies.
static void test_depth_is_the_way_that_parts_convex_bodies(void **state)
{
    (void)state;
    const geom_shape shapes[] = { { .kind = GEOM_SPHERE, .radius = 0.4 },
                                  { .kind = GEOM_BOX, .half = { 0.3, 0.4, 0.5 } },
                                  { .kind = GEOM_CAPSULE, .radius = 0.3, .half_length = 0.4 },
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.5, 0.4, 0.3 } },
                                  { .kind = GEOM_CYLINDER, .radius = 0.4, .half_length = 0.3 } };
    chance c = { 31 };
    int touching = 0;
    for (int n = 0; n < 2000; n++) {
        const geom_shape *a = &shapes[(int)chance_in(&c, 0.0, 4.0)],
                         *b = &shapes[(int)chance_in(&c, 0.0, 5.0)];
        geom_pose pa = chance_pose(&c, 0.7), pb = chance_pose(&c, 0.3);
        result r;
        collide(a, pa, b, pb, &r);
        assert_false(r.list.is_unsupported);
        if (r.list.count == 0) {
            continue;
        }
        touching++;
        // contacts of one pair of convex bodies are one region
        assert_int_equal(r.list.n_region, 1);
        int deep = 0;
        for (int k = 0; k < r.list.count; k++) {
            deep = r.item[k].depth > r.item[deep].depth ? k : deep;
            assert_true(r.item[k].depth >= 0.0 && isfinite(r.item[k].area));
            assert_near(vec3_norm(r.item[k].normal), 1.0, 1e-12);
        }
        geom_contact first = r.item[deep];
        geom_pose apart = pa;
        apart.pos = vec3_add_scaled(pa.pos, first.depth + 1e-3, first.normal);
        collide(a, apart, b, pb, &r);
        // boxes in a box: the axis of separating planes; all others by nearest points, exact unless very deep
        if (first.depth < 0.25) {
            assert_true(deepest(&r) < 1e-6);
        }
        // less than the depth does not part them; the normal of an ellipsoid is not the shortest way out of the deep
        bool is_longer = (a->kind == GEOM_ELLIPSOID || b->kind == GEOM_ELLIPSOID) && first.depth > 0.01;
        apart.pos = vec3_add_scaled(pa.pos, first.depth - 1e-3, first.normal);
        collide(a, apart, b, pb, &r);
        assert_true(r.list.count > 0 || first.depth < 1e-3 || is_longer);
    }
    assert_true(touching > 300);
}

static void test_order_and_motion_of_the_world_do_not_matter(void **state)
{
    (void)state;
    const geom_shape shapes[] = { { .kind = GEOM_SPHERE, .radius = 0.4 },
                                  { .kind = GEOM_BOX, .half = { 0.3, 0.4, 0.5 } },
                                  { .kind = GEOM_CAPSULE, .radius = 0.3, .half_length = 0.4 },
                                  { .kind = GEOM_CYLINDER, .radius = 0.4, .half_length = 0.3 },
                                  { .kind = GEOM_TORUS, .ring = 0.5, .radius = 0.2, .half_width = 0.25 },
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.5, 0.4, 0.3 } },
                                  { .kind = GEOM_PLANE } };
    chance c = { 37 };
    for (int n = 0; n < 3000; n++) {
        const geom_shape *a = &shapes[(int)chance_in(&c, 0.0, 7.0)],
                         *b = &shapes[(int)chance_in(&c, 0.0, 7.0)];
        geom_pose pa = chance_pose(&c, 0.7), pb = chance_pose(&c, 0.3), by = chance_pose(&c, 2.0);
        result r, s, t;
        collide(a, pa, b, pb, &r);
        collide(b, pb, a, pa, &s);
        collide(a, pose_moved(&by, &pa), b, pose_moved(&by, &pb), &t);
        assert_true(r.list.is_unsupported == s.list.is_unsupported);
        // two capsules are asked along the axis of the first: the deepest contact is the same from both
        // deep in each other round faces are found to less
        double tolerance = a->kind == GEOM_CYLINDER || b->kind == GEOM_CYLINDER ? 1e-6 : 1e-9;
        assert_near(deepest(&r), deepest(&s), tolerance);
        assert_near(deepest(&r), deepest(&t), tolerance);
        bool is_same_way = a->kind != b->kind;
        if (is_same_way && r.list.count > 0) {
            assert_int_equal(r.list.count, s.list.count);
            assert_vec3_near(r.item[0].normal, vec3_neg(s.item[0].normal), 1e-12);
        }
    }
}

static void test_shapes_without_a_routine_say_so_and_meshes_help(void **state)
{
    (void)state;
    geom_shape a = { .kind = GEOM_TORUS, .ring = 0.5, .radius = 0.2, .half_width = 0.3 }, b = a;
    result r;
    collide(&a, pose_at(0.0, 0.0, 0.58), &b, pose_at(0.0, 0.0, 0.0), &r);
    assert_true(r.list.is_unsupported);
    geom_mesh *m = mesh_of(&a, 64);
    a.mesh = b.mesh = m;
    workspace w = workspace_for(m, m, 2000);
    geom_pose pa = pose_at(0.0, 0.0, 0.58), pb = pose_at(0.0, 0.0, 0.0);
    r.list = (geom_contacts){ .item = r.item, .capacity = MOST, .room = test_room() };
    geom_collide(&a, &pa, &b, &pb, &w.work, &r.list);
    assert_false(r.list.is_unsupported);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].depth, 0.02, 0.02 * 2e-3);
    free(w.block);
    geom_mesh_destroy(m);
}

static int ball_on_mesh(const geom_mesh *m, vec3 centre, double radius, result *r)
{
    geom_shape ball = { .kind = GEOM_SPHERE, .radius = radius }, mesh = { .kind = GEOM_MESH, .mesh = m };
    collide(&ball, (geom_pose){ mat3_identity(), centre }, &mesh, pose_at(0.0, 0.0, 0.0), r);
    return r->list.count;
}

static void test_ball_on_a_flat_mesh_touches_once_wherever_it_is(void **state)
{
    (void)state;
    // a grid of triangles: faces, edges and vertices under the ball must not be counted twice
    double h[36] = { 0.0 };
    geom_field f = { 6, 6, 0.1, 0.1, -0.25, -0.25, h, GEOM_BILINEAR, 0.0, 0.0 };
    assert_null(geom_field_measure(&f));
    geom_mesh *m = mesh_of(&(geom_shape){ .kind = GEOM_FIELD, .field = &f }, 0);
    chance c = { 41 };
    for (int n = 0; n < 300; n++) {
        double x = chance_in(&c, -0.2, 0.2), y = chance_in(&c, -0.2, 0.2);
        x = n % 3 ? x : -0.25 + 0.1 * floor(10.0 * (x + 0.25));
        y = n % 4 ? y : -0.25 + 0.1 * floor(10.0 * (y + 0.25));
        y = n % 5 ? y : x;
        result r;
        assert_int_equal(ball_on_mesh(m, (vec3){ x, y, 0.13 }, 0.15, &r), 1);
        assert_near(r.item[0].depth, 0.02, 1e-12);
        assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, 1e-9);
    }
    geom_mesh_destroy(m);
}

static void test_ball_against_a_box_of_triangles_is_that_against_the_box(void **state)
{
    (void)state;
    geom_shape box = { .kind = GEOM_BOX, .half = { 0.5, 0.4, 0.3 } },
               ball = { .kind = GEOM_SPHERE, .radius = 0.25 };
    geom_mesh *m = mesh_of(&box, 0);
    chance c = { 43 };
    for (int n = 0; n < 2000; n++) {
        vec3 p = chance_vec3(&c, 0.8);
        result r, s;
        collide(&ball, (geom_pose){ mat3_identity(), p }, &box, pose_at(0.0, 0.0, 0.0), &r);
        assert_int_equal(ball_on_mesh(m, p, 0.25, &s), r.list.count);
        if (r.list.count > 0) {
            assert_near(s.item[0].depth, r.item[0].depth, 1e-14);
            assert_vec3_near(s.item[0].normal, r.item[0].normal, 1e-9);
            assert_vec3_near(s.item[0].point, r.item[0].point, 1e-9);
        }
    }
    geom_mesh_destroy(m);
}

static void test_ball_between_two_walls_touches_both(void **state)
{
    (void)state;
    // a groove of triangles, sides at 45 degrees
    double h[9] = { 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0 };
    geom_field f = { 3, 3, 1.0, 1.0, -1.0, -1.0, h, GEOM_BILINEAR, 0.0, 0.0 };
    assert_null(geom_field_measure(&f));
    geom_mesh *m = mesh_of(&(geom_shape){ .kind = GEOM_FIELD, .field = &f }, 0);
    result r;
    assert_int_equal(ball_on_mesh(m, (vec3){ 0.0, 0.1, sqrt(2.0) * 0.29 }, 0.3, &r), 2);
    assert_near(r.item[0].depth, 0.01, 1e-14);
    assert_near(r.item[1].depth, 0.01, 1e-14);
    assert_near(r.item[0].normal.x * r.item[1].normal.x, -0.5, 1e-14);
    geom_mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_on_a_plane_cuts_out_a_disc),
        cmocka_unit_test(test_two_spheres_share_the_circle_in_which_they_meet),
        cmocka_unit_test(test_box_on_a_plane_stands_on_its_corners),
        cmocka_unit_test(test_cylinder_on_a_plane_stands_lies_and_leans),
        cmocka_unit_test(test_wheel_on_a_plane_touches_at_its_lowest_point),
        cmocka_unit_test(test_box_on_box_face_edge_and_corner),
        cmocka_unit_test(test_depth_is_the_way_that_parts_convex_bodies),
        cmocka_unit_test(test_order_and_motion_of_the_world_do_not_matter),
        cmocka_unit_test(test_shapes_without_a_routine_say_so_and_meshes_help),
        cmocka_unit_test(test_ball_on_a_flat_mesh_touches_once_wherever_it_is),
        cmocka_unit_test(test_ball_against_a_box_of_triangles_is_that_against_the_box),
        cmocka_unit_test(test_ball_between_two_walls_touches_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
