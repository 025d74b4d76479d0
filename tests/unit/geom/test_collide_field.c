// SPDX-License-Identifier: MIT
// Shapes with faces on height fields: a flat one is a plane, lines of the grid are not felt, hills are regions.
#include "geom/convex/hull.h"
#include "support/geom_room.h"
#include "unit/geom/geom_test.h"

enum { N = 41, MOST = 64 };

typedef struct {
    double height[N * N];
    geom_field field;
    geom_shape shape;
} ground;

// Over [0, 4] x [0, 4], 0.1 m from node to node.
static void lay(ground *g, double (*at)(double x, double y))
{
    for (int k = 0; k < N * N; k++) {
        g->height[k] = at(0.1 * (k % N), 0.1 * (k / N));
    }
    g->field = (geom_field){ .n_x = N, .n_y = N, .d_x = 0.1, .d_y = 0.1, .height = g->height };
    assert_null(geom_field_measure(&g->field));
    g->shape = (geom_shape){ .kind = GEOM_FIELD, .field = &g->field };
}

static double flat(double x, double y)
{
    (void)x;
    (void)y;
    return 0.0;
}
static double slope(double x, double y) { return 0.3 * x - 0.2 * y; }
static double hills(double x, double y) { return 0.1 * math_sin(3.0 * x) * math_cos(2.0 * y); }
static double two_humps(double x, double y)
{
    (void)y;
    return fabs(x - 1.0) < 0.15 || fabs(x - 3.0) < 0.15 ? 0.5 : 0.0;
}

typedef struct {
    geom_contact item[MOST];
    geom_contacts list;
} result;

typedef struct {
    vec3 force, moment;
} effort;

// Pressure of 1 Pa per m of depth.
static effort press(const geom_shape *a, geom_pose pa, const geom_shape *b, geom_pose pb, result *r)
{
    effort e = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    r->list = (geom_contacts){ .item = r->item, .capacity = MOST, .room = test_room() };
    geom_collide(a, &pa, b, &pb, NULL, &r->list);
    geom_spread_regions(a, &pa, b, &pb, 0, &r->list);
    assert_false(r->list.is_full || r->list.is_unsupported);
    for (int k = 0; k < r->list.count; k++) {
        const geom_contact *c = &r->item[k];
        vec3 f = vec3_scale(c->area * c->depth, c->normal);
        e.force = vec3_add(e.force, f);
        e.moment = vec3_add(e.moment, vec3_cross(c->point, f));
    }
    return e;
}

static const geom_shape BOX = { .kind = GEOM_BOX, .half = { 0.35, 0.25, 0.1 } };

// A field in one plane is that plane, for a large hull as for small cells.
static void test_flat_field_presses_as_a_plane(void **state)
{
    (void)state;
    ground g;
    lay(&g, slope);
    vec3 point[8];
    for (int k = 0; k < 8; k++) {
        point[k] = (vec3){ k & 1 ? 0.35 : -0.35, k & 2 ? 0.25 : -0.25, k & 4 ? 0.1 : -0.1 };
    }
    const char *why = NULL;
    geom_hull *hull = geom_hull_create(point, 8, &why);
    assert_non_null(hull);
    geom_shape shape[4] = { { .kind = GEOM_HULL, .hull = hull },
                            BOX,
                            { .kind = GEOM_CYLINDER, .radius = 0.3, .half_length = 0.2 },
                            { .kind = GEOM_CONE, .radius = 0.3, .half_length = 0.2 } },
               plane = { .kind = GEOM_BOX, .half = { 5.0, 5.0, 5.0 } };
    vec3 n = vec3_normalized((vec3){ -0.3, 0.2, 1.0 }), u = vec3_perpendicular(n);
    geom_pose slanted = { { { u, vec3_cross(n, u), n } }, vec3_scale(-5.0, n) };
    chance c = { 3 };
    for (int k = 0; k < 200; k++) {
        // a hull on a large block has the same patch; for round shapes the cuts around differ by up to 2 %
        const geom_shape *s = &shape[k % 4], *on_plane = k % 4 == 1 ? &shape[0] : s;
        double x = chance_in(&c, 1.0, 3.0), y = chance_in(&c, 1.0, 3.0);
        geom_pose at = { quat_to_mat3(quat_exp(chance_vec3(&c, 0.4))), { x, y, slope(x, y) + 0.12 } };
        geom_pose home = pose_at(0.0, 0.0, 0.0);
        result r, q;
        effort e = press(s, at, &g.shape, home, &r), f = press(on_plane, at, &plane, slanted, &q);
        double size = vec3_norm(f.force), error = (k % 4 < 2 ? 1e-9 : 0.05) * size + 1e-12;
        assert_vec3_near(e.force, f.force, error);
        assert_vec3_near(e.moment, f.moment, 4.0 * error);
        assert_int_equal(r.list.n_region, q.list.n_region);
    }
    geom_hull_destroy(hull);
}

// The overlap of a box that lies level, by a grid.
static double volume_below(double x, double y, double z)
{
    enum { M = 700 };
    double sum = 0.0, dx = 2.0 * BOX.half.x / M, dy = 2.0 * BOX.half.y / M;
    ground g;
    lay(&g, hills);
    for (int k = 0; k < M * M; k++) {
        double at_x = x - BOX.half.x + dx * (k % M + 0.5), at_y = y - BOX.half.y + dy * (k / M + 0.5);
        int i = (int)(at_x / 0.1), j = (int)(at_y / 0.1);
        double u = at_x / 0.1 - i, v = at_y / 0.1 - j, *h = &g.height[j * N + i];
        // the two triangles of the cell
        double here = u > v ? h[0] + u * (h[1] - h[0]) + v * (h[N + 1] - h[1])
                            : h[0] + v * (h[N] - h[0]) + u * (h[N + 1] - h[N]);
        sum += fmax(0.0, here - (z - BOX.half.z)) * dx * dy;
    }
    return sum;
}

static void test_lift_of_a_level_box_is_the_overlap(void **state)
{
    (void)state;
    ground g;
    lay(&g, hills);
    for (int k = 0; k < 5; k++) {
        double x = 0.6 + 0.5 * k, y = 2.9 - 0.4 * k, z = 0.12;
        result r;
        effort e = press(&BOX, pose_at(x, y, z), &g.shape, pose_at(0.0, 0.0, 0.0), &r);
        double volume = volume_below(x, y, z);
        // the depth along the mean normal and its shadow: both differ in second order of the slopes, 0.3 at most
        assert_near(e.force.z, volume, 0.06 * volume + 1e-6);
    }
}

static void test_lines_of_the_grid_are_not_felt(void **state)
{
    (void)state;
    ground g;
    lay(&g, hills);
    result r;
    vec3 last = { 0.0, 0.0, 0.0 };
    for (int k = 0; k <= 2000; k++) {
        double x = 1.0 + 0.001 * k;
        effort e = press(&BOX, pose_at(x, 1.9, 0.05), &g.shape, pose_at(0.0, 0.0, 0.0), &r);
        // slopes of 0.3 over 0.35 m2: 1 mm changes the force by 1e-4 at most, and the normal likewise
        assert_true(k == 0 || vec3_norm(vec3_sub(e.force, last)) < 3e-4);
        last = e.force;
    }
}

static void test_humps_apart_are_regions(void **state)
{
    (void)state;
    ground g;
    lay(&g, two_humps);
    geom_shape beam = { .kind = GEOM_BOX, .half = { 1.5, 0.1, 0.1 } };
    result r;
    effort e = press(&beam, pose_at(2.0, 2.0, 0.599), &g.shape, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.n_region, 2);
    assert_int_equal(r.list.count, 8);
    // level in both, and alike: no moment about the middle
    assert_near(e.force.x, 0.0, 1e-12);
    assert_near(e.moment.y, -2.0 * e.force.z, 1e-9);
}

static void test_what_is_deep_below_is_still_pushed_up(void **state)
{
    (void)state;
    ground g;
    lay(&g, flat);
    result r;
    effort e = press(&BOX, pose_at(2.03, 2.04, -1.0), &g.shape, pose_at(0.0, 0.0, 0.0), &r);
    assert_near(e.force.z, 0.35 * 1.1, 1e-9);
    // and beside the field there is nothing
    e = press(&BOX, pose_at(5.0, 2.0, -1.0), &g.shape, pose_at(0.0, 0.0, 0.0), &r);
    assert_int_equal(r.list.count, 0);
    e = press(&BOX, pose_at(-0.3, 2.04, -0.01), &g.shape, pose_at(0.0, 0.0, 0.0), &r);
    assert_near(e.force.z, 0.05 * 0.5 * 0.11, 1e-9);
}

static void test_order_and_place_of_the_world_do_not_matter(void **state)
{
    (void)state;
    ground g;
    lay(&g, hills);
    chance c = { 9 };
    for (int k = 0; k < 50; k++) {
        geom_pose at = { quat_to_mat3(quat_exp(chance_vec3(&c, 0.5))),
                         { chance_in(&c, 1.0, 3.0), chance_in(&c, 1.0, 3.0), 0.1 } },
                  home = pose_at(0.0, 0.0, 0.0), world = chance_pose(&c, 5.0);
        geom_pose moved = pose_moved(&world, &at), ground_moved = pose_moved(&world, &home);
        result r;
        effort e = press(&BOX, at, &g.shape, home, &r), f = press(&BOX, moved, &g.shape, ground_moved, &r),
               back = press(&g.shape, home, &BOX, at, &r);
        assert_vec3_near(mat3_apply(world.rot, e.force), f.force, 1e-9);
        assert_vec3_near(vec3_neg(back.force), e.force, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_field_presses_as_a_plane),
        cmocka_unit_test(test_lift_of_a_level_box_is_the_overlap),
        cmocka_unit_test(test_lines_of_the_grid_are_not_felt),
        cmocka_unit_test(test_humps_apart_are_regions),
        cmocka_unit_test(test_what_is_deep_below_is_still_pushed_up),
        cmocka_unit_test(test_order_and_place_of_the_world_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
