// SPDX-License-Identifier: MIT
// Ellipsoids on planes and convex shapes: closed forms, balls as a limit, the least way that parts two of them.
#include "unit/geom/geom_test.h"

#include "geom/convex/hull.h"
#include "support/geom_room.h"

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
    assert_false(out->list.is_unsupported);
}

static const geom_shape EGG = { .kind = GEOM_ELLIPSOID, .half = { 0.2, 0.03, 0.02 } };
static const geom_shape SLAB = { .kind = GEOM_BOX, .half = { 1.0, 1.0, 0.5 } };

static void test_ellipsoid_on_a_plane_touches_at_its_lowest_point(void **state)
{
    (void)state;
    const geom_shape plane = { .kind = GEOM_PLANE };
    geom_mesh *m = mesh_of(&EGG, 400);
    chance c = { 5 };
    result r;
    // flat: the section is an ellipse
    collide(&EGG, pose_at(0.1, 0.2, 0.019), &plane, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].depth, 1e-3, 1e-16);
    assert_near(r.item[0].area, PI * 0.2 * 0.03 * (1.0 - 0.95 * 0.95), 1e-15);
    assert_vec3_near(r.item[0].point, (vec3){ 0.1, 0.2, -0.5e-3 }, 1e-15);
    collide(&EGG, pose_at(0.1, 0.2, 0.0201), &plane, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 0);
    for (int n = 0; n < 100; n++) {
        geom_pose pose = chance_pose(&c, 0.5);
        double lowest = INFINITY;
        pose.pos.z = 0.0;
        for (int k = 0; k < m->n_vertex; k++) {
            lowest = fmin(lowest, geom_outside(&pose, m->vertex[k]).z);
        }
        pose.pos.z = -lowest - 1e-3;
        collide(&EGG, pose, &plane, pose_at(0.0, 0.0, 0.0), &r);
        assert_int_equal(r.list.count, 1);
        // chords of 400 pieces, along and around, miss the surface by (2 pi/400)^2/8 of 0.2 m each
        assert_near(r.item[0].depth, 1e-3, 2.0 * 0.2 * 3.1e-5);
        assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, 0.0);
        // the middle of the overlap: half the depth above a place of the surface that looks straight down
        vec3 low = vec3_add_scaled(r.item[0].point, -0.5 * r.item[0].depth, r.item[0].normal);
        geom_near near = geom_shape_near(&EGG, &pose, low);
        assert_near(near.distance, 0.0, 1e-15);
        assert_vec3_near(near.normal, (vec3){ 0.0, 0.0, -1.0 }, 1e-12);
    }
    geom_mesh_destroy(m);
}

static void test_bend_is_how_the_farthest_point_goes(void **state)
{
    (void)state;
    chance c = { 7 };
    for (int n = 0; n < 100; n++) {
        vec3 d = vec3_normalized(chance_vec3(&c, 1.0)), turn = chance_vec3(&c, 1.0), by = vec3_cross(turn, d);
        const double h = 1e-6;
        vec3 up, down, half = { 0.5, 0.3, 0.2 };
        geom_shape egg = { .kind = GEOM_ELLIPSOID, .half = half };
        geom_shape_support(&egg, vec3_add_scaled(d, h, by), &up);
        geom_shape_support(&egg, vec3_add_scaled(d, -h, by), &down);
        mat3 bend = geom_ellipsoid_bend(half, d);
        // the third derivative is of the size of the axes over the shortest one, cubed
        assert_vec3_near(mat3_apply(bend, by), vec3_scale(0.5 / h, vec3_sub(up, down)), 1e-9);
        assert_near(vec3_norm(mat3_apply(bend, d)), 0.0, 1e-15);
    }
}

// With equal axes it is a ball, and answers as one.
static void test_equal_axes_touch_as_a_ball(void **state)
{
    (void)state;
    bi_mesh plain;
    const char *why;
    assert_true(geom_mesh_of_shape(&(geom_shape){ .kind = GEOM_SPHERE, .radius = 0.3 }, 8, &plain));
    geom_hull *hull = geom_hull_create(plain.vertex, plain.n_vertex, &why);
    bi_mesh_clear(&plain);
    const geom_shape ball = { .kind = GEOM_SPHERE, .radius = 0.25 },
                     egg = { .kind = GEOM_ELLIPSOID, .half = { 0.25, 0.25, 0.25 } };
    const geom_shape shapes[] = { { .kind = GEOM_PLANE },
                                  { .kind = GEOM_BOX, .half = { 0.3, 0.4, 0.5 } },
                                  { .kind = GEOM_CAPSULE, .radius = 0.3, .half_length = 0.4 },
                                  { .kind = GEOM_CYLINDER, .radius = 0.4, .half_length = 0.3 },
                                  { .kind = GEOM_CONE, .radius = 0.4, .half_length = 0.4 },
                                  { .kind = GEOM_HULL, .hull = hull },
                                  { .kind = GEOM_SPHERE, .radius = 0.3 },
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.5, 0.3, 0.2 } } };
    chance c = { 11 };
    int touching = 0;
    for (int n = 0; n < 2000; n++) {
        const geom_shape *b = &shapes[n % 8];
        geom_pose pa = chance_pose(&c, 0.8), pb = chance_pose(&c, 0.1);
        result r, s;
        collide(&egg, pa, b, pb, &r);
        collide(&ball, pa, b, pb, &s);
        // so deep that the middle is inside the other the two look for different ways out
        if (s.list.count == 0 || s.item[0].depth > 0.24) {
            assert_true(s.list.count > 0 || r.list.count == 0);
            continue;
        }
        touching++;
        // a capsule tells its ends, too, where they touch
        assert_true(r.list.count == 1 || b->kind == GEOM_CAPSULE);
        // distances are found to 1e-13 of their squares, so that normals across round sides are good to the root
        assert_near(r.item[0].depth, s.item[0].depth, 1e-12);
        assert_vec3_near(r.item[0].normal, s.item[0].normal, 2e-6);
        assert_vec3_near(r.item[0].point, s.item[0].point, 1e-6);
    }
    assert_true(touching > 300);
    geom_hull_destroy(hull);
}

static double overlap_along(vec3 n, const geom_shape *a, const geom_pose *pa, const geom_shape *b,
                            const geom_pose *pb)
{
    vec3 low, high;
    geom_shape_support(a, mat3_apply_transposed(pa->rot, vec3_neg(n)), &low);
    geom_shape_support(b, mat3_apply_transposed(pb->rot, n), &high);
    return vec3_dot(n, vec3_sub(geom_outside(pb, high), geom_outside(pa, low)));
}

static void test_two_ellipsoids_part_by_the_least_way(void **state)
{
    (void)state;
    const geom_shape shapes[] = { { .kind = GEOM_ELLIPSOID, .half = { 0.5, 0.3, 0.2 } },
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.2, 0.4, 0.1 } },
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.3, 0.3, 0.3 } } };
    chance c = { 13 };
    int touching = 0;
    for (int n = 0; n < 3000; n++) {
        const geom_shape *a = &shapes[n % 3], *b = &shapes[n / 3 % 3];
        geom_pose pa = chance_pose(&c, 0.6), pb = chance_pose(&c, 0.1);
        result r, s;
        collide(a, pa, b, pb, &r);
        collide(b, pb, a, pa, &s);
        assert_int_equal(r.list.count, s.list.count);
        double gap = geom_distance(a, &pa, b, &pb).distance;
        assert_true(r.list.count > 0 ? gap < 1e-12 : gap > -1e-12);
        if (r.list.count == 0 || r.item[0].depth > 0.05) {
            continue;
        }
        touching++;
        vec3 normal = r.item[0].normal;
        assert_near(r.item[0].depth, s.item[0].depth, 1e-14);
        assert_vec3_near(normal, vec3_neg(s.item[0].normal), 1e-7);
        assert_near(r.item[0].area, s.item[0].area, 1e-6 * r.item[0].area + 1e-15);
        assert_near(overlap_along(normal, a, &pa, b, &pb), r.item[0].depth, 1e-14);
        for (int k = 0; k < 10; k++) {
            vec3 other = vec3_normalized(vec3_add(normal, chance_vec3(&c, 1e-3)));
            assert_true(overlap_along(other, a, &pa, b, &pb) >= r.item[0].depth - 1e-15);
        }
    }
    assert_true(touching > 150);
}

// On the face of a box it lies as on a plane, however it is turned, and the normal does not wobble.
static void test_ellipsoid_on_a_box_lies_as_on_a_plane(void **state)
{
    (void)state;
    const geom_shape plane = { .kind = GEOM_PLANE };
    // a stone, a needle and a coin
    const geom_shape shapes[] = { EGG,
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.2, 0.002, 0.002 } },
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.2, 0.2, 0.002 } } };
    chance c = { 17 };
    for (int n = 0; n < 300; n++) {
        const geom_shape *egg = &shapes[n % 3];
        geom_pose pose = chance_pose(&c, 0.4);
        vec3 low;
        geom_shape_support(egg, mat3_apply_transposed(pose.rot, (vec3){ 0.0, 0.0, -1.0 }), &low);
        pose.pos.z = 0.5 - mat3_apply(pose.rot, low).z - chance_in(&c, 1e-6, 2e-3);
        result r, s;
        collide(egg, pose, &SLAB, pose_at(0.0, 0.0, 0.0), &r);
        collide(egg, pose, &plane, pose_at(0.0, 0.0, 0.5), &s);
        assert_int_equal(r.list.count, 1);
        assert_near(r.item[0].depth, s.item[0].depth, 1e-12);
        assert_vec3_near(r.item[0].normal, s.item[0].normal, 1e-9);
        assert_near(r.item[0].area, s.item[0].area, 1e-9 * s.item[0].area + 1e-13);
        // both are in the middle of the overlap: here along the way to the middle, there along the normal
        double reach = pose.pos.z - 0.5 + s.item[0].depth, slant = vec3_norm(low) / reach;
        assert_vec3_near(r.item[0].point, s.item[0].point, slant * s.item[0].depth);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ellipsoid_on_a_plane_touches_at_its_lowest_point),
        cmocka_unit_test(test_bend_is_how_the_farthest_point_goes),
        cmocka_unit_test(test_equal_axes_touch_as_a_ball),
        cmocka_unit_test(test_two_ellipsoids_part_by_the_least_way),
        cmocka_unit_test(test_ellipsoid_on_a_box_lies_as_on_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
