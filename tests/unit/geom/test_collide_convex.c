// SPDX-License-Identifier: MIT
// Boxes, cylinders, cones and hulls on each other: closed forms, the way that parts them, no wobble and no jump.
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

static const geom_shape SLAB = { .kind = GEOM_BOX, .half = { 1.0, 1.0, 0.5 } };
static const geom_shape TIN = { .kind = GEOM_CYLINDER, .radius = 0.2, .half_length = 0.3 };
static const geom_shape CONE = { .kind = GEOM_CONE, .radius = 0.3, .half_length = 0.25 };

// A hull of the corners of a shape's triangles.
static geom_hull *hull_like(const geom_shape *s, int n)
{
    bi_mesh plain;
    const char *why;
    assert_true(geom_mesh_of_shape(s, n, &plain));
    geom_hull *h = geom_hull_create(plain.vertex, plain.n_vertex, &why);
    bi_mesh_clear(&plain);
    assert_non_null(h);
    return h;
}

static void test_hull_of_a_box_touches_as_the_box(void **state)
{
    (void)state;
    geom_shape box = { .kind = GEOM_BOX, .half = { 0.3, 0.2, 0.1 } };
    geom_hull *h = hull_like(&box, 0);
    geom_shape hull = { .kind = GEOM_HULL, .hull = h };
    for (int k = 0; k < 3; k++) {
        // flat; tilted within the depth; hanging over the rim
        const vec3 tilt[3] = { { 0.0, 0.0, 0.4 }, { 3e-3, 2e-3, 0.2 }, { 0.0, 0.0, 0.1 } };
        geom_pose pose = { quat_to_mat3(quat_exp(tilt[k])), { k == 2 ? 1.1 : 0.1, 0.2, 0.598 } };
        result r, s;
        collide(&box, pose, &SLAB, pose_at(0.0, 0.0, 0.0), &r);
        collide(&hull, pose, &SLAB, pose_at(0.0, 0.0, 0.0), &s);
        assert_int_equal(s.list.count, 1);
        // the normals may lean by the tilt, against each other
        double lean = vec3_norm((vec3){ tilt[k].x, tilt[k].y, 0.0 });
        assert_vec3_near(s.item[0].normal, r.item[0].normal, 1e-12 + lean);
        assert_near(s.item[0].area, r.item[0].area, 1e-12 + 0.2 * lean);
        assert_near(s.item[0].mean, r.item[0].mean, 1e-12 + 0.5 * lean * lean);
        assert_vec3_near(s.item[0].point, r.item[0].point, 1e-12 + 0.5 * lean);
    }
    geom_hull_destroy(h);
}

static void test_cylinder_stands_and_lies_on_a_box(void **state)
{
    (void)state;
    result r;
    collide(&TIN, pose_at(0.1, 0.2, 0.799), &SLAB, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 1);
    assert_near(r.item[0].depth, 1e-3, 1e-12);
    assert_near(r.item[0].mean, 1e-3, 1e-12);
    // 32 corners: sin(a)/a of the circle, a = 2 pi/32
    assert_near(r.item[0].area, PI * 0.04, 7e-3 * PI * 0.04);
    assert_vec3_near(r.item[0].point, (vec3){ 0.1, 0.2, 0.4995 }, 1e-12);
    // lying: the strip of a parabola, to the square of an eighth
    for (int k = 0; k < 7; k++) {
        mat3 lying = mat3_from_axis_angle((vec3){ 1.0, 0.0, 0.0 }, 0.5 * PI),
             rolled = mat3_multiply(lying, mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, 0.7 * k));
        collide(&TIN, (geom_pose){ rolled, { 0.1, 0.2, 0.699 } }, &SLAB, pose_at(0.0, 0.0, 0.0), &r);
        assert_int_equal(r.list.count, 1);
        assert_near(r.item[0].depth, 1e-3, 1e-12);
        assert_near(r.item[0].area, 0.6 * 2.0 * sqrt(0.04 - 0.199 * 0.199), 2e-2 * 0.024);
        assert_near(r.item[0].mean, 2e-3 / 3.0, 2e-2 * 1e-3);
        assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, 1e-9);
        assert_near(r.item[0].point.x, 0.1, 1e-9);
        assert_near(r.item[0].point.y, 0.2, 1e-9);
    }
}

static void test_cone_stands_on_its_base_its_side_and_its_tip(void **state)
{
    (void)state;
    const geom_shape plane = { .kind = GEOM_PLANE };
    const geom_pose slab = pose_at(0.0, 0.0, -0.5);
    double tilt = 0.5 * PI + math_atan(0.3 / 0.5), side = sqrt(0.25 + 0.09);
    // turned about y by more than a quarter its side lies flat
    const mat3 rot[3] = { mat3_identity(), mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, tilt),
                          mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, PI) };
    // base; a strip with the width of the cut of a cone; a small disc where the tip is cut
    const double area[3] = { PI * 0.09, 0.0, PI * 0.36e-6 }, mean[3] = { 1e-3, 0.0, 1e-3 / 3.0 };
    for (int k = 0; k < 3; k++) {
        geom_pose pose = { rot[k], { 0.1, 0.2, 0.0 } };
        pose.pos.z = -geom_shape_bounds(&CONE, &pose).low.z - 1e-3;
        result r, s;
        collide(&CONE, pose, &SLAB, slab, &r);
        collide(&CONE, pose, &plane, pose_at(0.0, 0.0, 0.0), &s);
        assert_int_equal(r.list.count, 1);
        assert_int_equal(s.list.count, 1);
        assert_near(r.item[0].depth, 1e-3, 1e-9);
        assert_near(s.item[0].depth, 1e-3, 1e-12);
        assert_vec3_near(r.item[0].normal, (vec3){ 0.0, 0.0, 1.0 }, 1e-6);
        assert_near(r.item[0].area, s.item[0].area, 1e-3 * s.item[0].area);
        assert_near(r.item[0].mean, s.item[0].mean, 1e-3 * s.item[0].mean);
        if (k != 1) {
            assert_near(s.item[0].area, area[k], 8e-3 * area[k]);
            assert_near(s.item[0].mean, mean[k], 1e-2 * mean[k]);
        } else {
            // at a distance l from the tip the radius of curvature of the side is l 0.3/0.5
            double widest = 2.0 * sqrt(2.0 * 1e-3 * side * 0.3 / 0.5);
            assert_near(s.item[0].area, widest * side * 2.0 / 3.0, 0.05 * widest * side);
        }
    }
}

static void test_depth_is_the_way_that_parts_them(void **state)
{
    (void)state;
    geom_hull *round = hull_like(&(geom_shape){ .kind = GEOM_SPHERE, .radius = 0.35 }, 12),
              *brick = hull_like(&(geom_shape){ .kind = GEOM_BOX, .half = { 0.2, 0.3, 0.4 } }, 0);
    const geom_shape shapes[] = { { .kind = GEOM_BOX, .half = { 0.3, 0.4, 0.5 } },
                                  { .kind = GEOM_CYLINDER, .radius = 0.4, .half_length = 0.3 },
                                  { .kind = GEOM_CONE, .radius = 0.4, .half_length = 0.4 },
                                  { .kind = GEOM_HULL, .hull = round },
                                  { .kind = GEOM_HULL, .hull = brick },
                                  { .kind = GEOM_CAPSULE, .radius = 0.2, .half_length = 0.3 },
                                  { .kind = GEOM_SPHERE, .radius = 0.3 } };
    chance c = { 91 };
    int touching = 0;
    for (int n = 0; n < 3000; n++) {
        const geom_shape *a = &shapes[n % 5], *b = &shapes[n / 5 % 7];
        geom_pose pa = chance_pose(&c, 0.8), pb = chance_pose(&c, 0.2);
        result r, s;
        collide(a, pa, b, pb, &r);
        collide(b, pb, a, pa, &s);
        geom_gap gap = geom_distance(a, &pa, b, &pb);
        assert_true((r.list.count > 0) == (s.list.count > 0));
        if (r.list.count == 0) {
            assert_true(gap.distance > -1e-9);
            continue;
        }
        touching++;
        assert_true(gap.distance < 1e-9);
        assert_int_equal(r.list.n_region, 1);
        // the distance that is told is the least way that parts them
        geom_pose apart = pa;
        apart.pos = vec3_add_scaled(pa.pos, 1e-6 - gap.distance, gap.normal);
        assert_true(geom_distance(a, &apart, b, &pb).distance > 0.0);
        apart.pos = vec3_add_scaled(pa.pos, -1e-6 - gap.distance, gap.normal);
        assert_true(geom_distance(a, &apart, b, &pb).distance < 0.0);
        if (b->kind != GEOM_CAPSULE && b->kind != GEOM_SPHERE && -gap.distance < 0.05) {
            // boxes have a blended normal, along which they overlap a little more
            assert_true(r.item[0].depth <= -1.6 * gap.distance + 1e-9);
            assert_true(r.item[0].mean > 0.0 && r.item[0].mean <= r.item[0].depth);
            assert_near(vec3_norm(r.item[0].normal), 1.0, 1e-12);
            assert_near(r.item[0].area, s.item[0].area, 2e-2 * r.item[0].area + 1e-9);
            assert_near(r.item[0].mean, s.item[0].mean, 2e-2 * r.item[0].mean + 1e-9);
        }
    }
    assert_true(touching > 800);
    geom_hull_destroy(round);
    geom_hull_destroy(brick);
}

// ---- paths -----------------------------------------------------------------------------------------------------

typedef geom_pose (*path)(const geom_shape *shape, double t);

// Lowest point at a given depth in the slab, whose top is z = 0.5.
static geom_pose sunk(const geom_shape *shape, mat3 rot, double depth)
{
    geom_pose pose = { rot, { 0.1, 0.2, 0.0 } };
    pose.pos.z = 0.5 - depth - geom_shape_bounds(shape, &pose).low.z;
    return pose;
}

// From standing to lying and on, turning about its own axis.
static geom_pose tipping(const geom_shape *shape, double t)
{
    mat3 rot = mat3_multiply(mat3_from_axis_angle((vec3){ 0.8, 0.6, 0.0 }, 2.5 * t),
                             mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, 4.0 * t));
    return sunk(shape, rot, 1e-3);
}

static vec3 effort_of(const geom_shape *a, const geom_pose *pa, vec3 *moment)
{
    geom_pose pb = pose_at(0.0, 0.0, 0.0);
    result r;
    vec3 force = { 0.0, 0.0, 0.0 };
    collide(a, *pa, &SLAB, pb, &r);
    geom_spread_regions(a, pa, &SLAB, &pb, 0, &r.list);
    *moment = force;
    for (int k = 0; k < r.list.count; k++) {
        vec3 push = vec3_scale(r.item[k].depth, r.item[k].normal);
        force = vec3_add(force, push);
        *moment = vec3_add(*moment, vec3_cross(r.item[k].point, push));
    }
    return force;
}

static double largest_change(const geom_shape *a, path at, int n)
{
    vec3 force, moment, old_force = { 0 }, old_moment = { 0 };
    double change = 0.0;
    for (int k = 0; k <= n; k++) {
        geom_pose pa = at(a, (double)k / n);
        force = effort_of(a, &pa, &moment);
        double step = vec3_norm(vec3_sub(force, old_force)) + vec3_norm(vec3_sub(moment, old_moment));
        change = k > 0 ? fmax(change, step) : 0.0;
        old_force = force;
        old_moment = moment;
    }
    return change;
}

static void test_shapes_that_tip_over_do_not_jump(void **state)
{
    (void)state;
    geom_hull *h = hull_like(&(geom_shape){ .kind = GEOM_SPHERE, .radius = 0.3 }, 8);
    const geom_shape shapes[] = { TIN, CONE, { .kind = GEOM_HULL, .hull = h } };
    for (int k = 0; k < 3; k++) {
        double coarse = largest_change(&shapes[k], tipping, 4000),
               fine = largest_change(&shapes[k], tipping, 32000);
        print_message("kind %d: change %.3g, %.3g\n", shapes[k].kind, coarse, fine);
        // eight times the poses; what is left is the growing solid, which stops at 1e-11
        assert_true(fine < 0.25 * coarse);
        assert_true(coarse < 2e-3);
    }
    geom_hull_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hull_of_a_box_touches_as_the_box),
        cmocka_unit_test(test_cylinder_stands_and_lies_on_a_box),
        cmocka_unit_test(test_cone_stands_on_its_base_its_side_and_its_tip),
        cmocka_unit_test(test_depth_is_the_way_that_parts_them),
        cmocka_unit_test(test_shapes_that_tip_over_do_not_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
