// SPDX-License-Identifier: MIT
// Boxes on boxes: what a caller keeps changes no answer, and nothing jumps while they move.
#include "support/geom_room.h"
#include "unit/geom/geom_test.h"

enum { MOST = 32 };

typedef struct {
    geom_contact item[MOST];
    geom_contacts list;
} result;

static void collide(const geom_shape *a, const geom_pose *pa, const geom_shape *b, const geom_pose *pb,
                    geom_hint *hint, result *out)
{
    out->list = (geom_contacts){ .item = out->item, .capacity = MOST, .room = test_room() };
    geom_collide_again(a, pa, b, pb, hint, NULL, &out->list);
    geom_spread_regions(a, pa, b, pb, 0, &out->list);
    assert_false(out->list.is_full);
}

static geom_pose stepped(geom_pose from, vec3 by, vec3 turn)
{
    return (geom_pose){ mat3_multiply(quat_to_mat3(quat_exp(turn)), from.rot), vec3_add(from.pos, by) };
}

static void assert_same(const result *r, const result *s)
{
    assert_int_equal(r->list.count, s->list.count);
    for (int k = 0; k < r->list.count; k++) {
        assert_memory_equal(&r->item[k].point, &s->item[k].point, sizeof(vec3));
        assert_memory_equal(&r->item[k].normal, &s->item[k].normal, sizeof(vec3));
        assert_true(r->item[k].depth == s->item[k].depth && r->item[k].area == s->item[k].area);
    }
}

static void test_hint_never_changes_an_answer(void **state)
{
    (void)state;
    chance c = { 51 };
    int touching = 0, apart = 0, sooner = 0;
    for (int n = 0; n < 1000; n++) {
        geom_shape a = { .kind = GEOM_BOX }, b = { .kind = GEOM_BOX };
        a.half = (vec3){ chance_in(&c, 0.05, 0.5), chance_in(&c, 0.05, 0.5), chance_in(&c, 0.05, 0.5) };
        b.half = (vec3){ chance_in(&c, 0.05, 0.5), chance_in(&c, 0.05, 0.5), chance_in(&c, 0.05, 0.5) };
        geom_pose pa = chance_pose(&c, 0.6), pb = chance_pose(&c, 0.6);
        vec3 by = chance_vec3(&c, 0.006), turn = chance_vec3(&c, 0.05);
        geom_hint kept = { { 0.0, 0.0, 0.0 } };
        for (int k = 0; k < 100; k++) {
            geom_hint none = { { 0.0, 0.0, 0.0 } };
            result with, without;
            sooner += geom_are_apart(&a, &pa, &b, &pb, &kept);
            collide(&a, &pa, &b, &pb, &kept, &with);
            collide(&a, &pa, &b, &pb, &none, &without);
            assert_same(&with, &without);
            touching += with.list.count > 0;
            apart += with.list.count == 0;
            pa = stepped(pa, by, turn);
        }
    }
    assert_true(touching > 20000 && apart > 20000);
    // the direction of the last time mostly still separates
    assert_true(sooner > 0.9 * apart);
}

static void test_bounds_that_are_apart_never_touch(void **state)
{
    (void)state;
    chance c = { 57 };
    geom_shape shape[3] = { { .kind = GEOM_BOX, .half = { 0.3, 0.2, 0.1 } },
                            { .kind = GEOM_BOX, .half = { 0.1, 0.4, 0.2 } },
                            { .kind = GEOM_CYLINDER, .radius = 0.2, .half_length = 0.3 } };
    int apart = 0, touching = 0;
    for (int n = 0; n < 3000; n++) {
        const geom_shape *a = &shape[n % 3], *b = &shape[(n / 3) % 3];
        geom_pose pa = chance_pose(&c, 0.4), pb = chance_pose(&c, 0.4);
        geom_hint none = { { 0.0, 0.0, 0.0 } };
        result r;
        collide(a, &pa, b, &pb, &none, &r);
        bool is_apart = geom_are_bounds_apart(a, &pa, b, &pb);
        assert_false(is_apart && r.list.count > 0);
        apart += is_apart;
        touching += r.list.count > 0;
    }
    // most of those that are apart are seen
    assert_true(touching > 300 && apart > 0.6 * (3000 - touching));
    geom_shape plane = { .kind = GEOM_PLANE };
    geom_pose far = pose_at(0.0, 0.0, 10.0), home = pose_at(0.0, 0.0, 0.0);
    assert_false(geom_are_bounds_apart(&shape[0], &far, &plane, &home));
}

// The part of a plane inside a box, by a grid of points of the plane.
static double section_by_grid(vec3 half, const geom_pose *pa)
{
    enum { N = 400 };
    double size = 1.2 * vec3_norm(half), step = 2.0 * size / N;
    int inside = 0;
    for (int i = 0; i < N * N; i++) {
        vec3 p = geom_inside(pa, (vec3){ pa->pos.x - size + step * (i % N + 0.5),
                                         pa->pos.y - size + step * (i / N + 0.5), 0.0 });
        inside += fabs(p.x) < half.x && fabs(p.y) < half.y && fabs(p.z) < half.z;
    }
    return inside * step * step;
}

static void test_box_on_a_plane_shares_the_area_of_its_section(void **state)
{
    (void)state;
    chance c = { 58 };
    geom_shape box = { .kind = GEOM_BOX, .half = { 0.3, 0.2, 0.1 } }, plane = { .kind = GEOM_PLANE };
    geom_pose home = pose_at(0.0, 0.0, 0.0);
    for (int n = 0; n < 60; n++) {
        double tilt = n % 3 == 0 ? 0.02 : 1.5;
        geom_pose pa = { quat_to_mat3(quat_exp(chance_vec3(&c, tilt))),
                         { 0.0, 0.0, chance_in(&c, 0.0, 0.1) } };
        geom_hint none = { { 0.0, 0.0, 0.0 } };
        result r;
        collide(&box, &pa, &plane, &home, &none, &r);
        double area = 0.0;
        for (int k = 0; k < r.list.count; k++) {
            area += r.item[k].area;
        }
        // half a step of the grid around an outline of up to 2 m
        assert_near(area, section_by_grid(box.half, &pa), 0.004);
    }
}

// ---- paths -----------------------------------------------------------------------------------------------------

// What springs of stiffness 1 at all points would give, and about the origin of B.
typedef struct {
    vec3 force, moment;
} effort;

static effort effort_of(const geom_shape *a, const geom_pose *pa, const geom_shape *b, const geom_pose *pb)
{
    geom_hint none = { { 0.0, 0.0, 0.0 } };
    result r;
    effort e = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    collide(a, pa, b, pb, &none, &r);
    for (int k = 0; k < r.list.count; k++) {
        vec3 push = vec3_scale(r.item[k].depth, r.item[k].normal);
        e.force = vec3_add(e.force, push);
        e.moment = vec3_add(e.moment, vec3_cross(vec3_sub(r.item[k].point, pb->pos), push));
    }
    return e;
}

// The largest change from one of n poses to the next, force over size and moment together.
typedef geom_pose (*path)(double t);

static double largest_change(const geom_shape *a, path at, const geom_shape *b, int n, double *most)
{
    geom_pose pb = pose_at(0.0, 0.0, 0.0);
    double change = 0.0;
    effort before = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    *most = 0.0;
    for (int k = 0; k <= n; k++) {
        geom_pose pa = at((double)k / n);
        effort now = effort_of(a, &pa, b, &pb);
        double step =
            vec3_norm(vec3_sub(now.force, before.force)) + vec3_norm(vec3_sub(now.moment, before.moment));
        change = k > 0 ? fmax(change, step) : change;
        *most = fmax(*most, vec3_norm(now.force));
        before = now;
    }
    return change;
}

static const vec3 crate = { 0.2, 0.15, 0.1 };

// The crate stands on its lower edge at x = 0 and tips over it, 2 mm deep, from one face to the next.
static geom_pose tipping(double t)
{
    mat3 rot = mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, 0.5 * PI * t);
    vec3 edge = mat3_apply(rot, (vec3){ crate.x, 0.0, -crate.z });
    return (geom_pose){ rot, { -edge.x, 0.02, 0.5 - 2e-3 - edge.z } };
}

// Tilted and turned, it slides over the rim of the slab until it hangs on its bottom face and falls off.
static geom_pose over_the_rim(double t)
{
    mat3 rot = mat3_multiply(mat3_from_axis_angle((vec3){ 0.0, 1.0, 0.0 }, 0.3),
                             mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, 0.2));
    return (geom_pose){ rot, { 0.25 + 0.6 * t, 0.02, 0.5 + 0.145 } };
}

// Its edge crosses the rim of the slab while it turns about the vertical and rolls.
static geom_pose across_the_rim(double t)
{
    mat3 rot = mat3_multiply(mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, 3.0 * t),
                             mat3_from_axis_angle((vec3){ 1.0, 0.3, 0.0 }, 0.25 * PI + t));
    vec3 low;
    geom_shape box = { .kind = GEOM_BOX, .half = crate };
    // 4 mm deep along the way from the rim
    const vec3 out = { 0.6, 0.0, 0.8 };
    geom_shape_support(&box, mat3_apply_transposed(rot, vec3_neg(out)), &low);
    double reach = -vec3_dot(out, mat3_apply(rot, low));
    return (geom_pose){ rot, vec3_add_scaled((vec3){ 0.5, 0.0, 0.5 }, reach - 4e-3, out) };
}

// Flat, then tilted more and more, about an edge that is never parallel to one of the slab.
static geom_pose tilting(double t)
{
    mat3 rot = mat3_multiply(mat3_from_axis_angle((vec3){ 0.6, 0.8, 0.0 }, 0.02 * t * t),
                             mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, 0.3));
    vec3 low;
    geom_shape box = { .kind = GEOM_BOX, .half = crate };
    geom_shape_support(&box, mat3_apply_transposed(rot, (vec3){ 0.0, 0.0, -1.0 }), &low);
    low = mat3_apply(rot, low);
    return (geom_pose){ rot, { 0.1, 0.02, 0.5 - 1e-3 - low.z } };
}

// With ten times as many poses the largest change is about ten times smaller: there is no jump.
static void check_path(path at)
{
    geom_shape a = { .kind = GEOM_BOX, .half = crate }, b = { .kind = GEOM_BOX, .half = { 0.5, 0.5, 0.5 } };
    double most, coarse = largest_change(&a, at, &b, 10000, &most),
                 fine = largest_change(&a, at, &b, 100000, &most);
    assert_true(most > 1e-4);
    print_message("largest force %.3g, change %.3g, %.3g\n", most, coarse, fine);
    assert_true(fine < 0.2 * coarse);
    assert_true(coarse < 0.05 * most);
}

static void test_tipping_over_an_edge_does_not_jump(void **state)
{
    (void)state;
    check_path(tipping);
}

static void test_sliding_over_a_rim_does_not_jump(void **state)
{
    (void)state;
    check_path(over_the_rim);
}

static void test_rolling_across_a_rim_does_not_jump(void **state)
{
    (void)state;
    check_path(across_the_rim);
}

static void test_tilting_from_flat_does_not_jump(void **state)
{
    (void)state;
    check_path(tilting);
}

// Flush crates of one size: their faces overlap alike, and roundings must not choose between them.
static void test_nearly_equal_axes_are_not_chosen_by_roundings(void **state)
{
    (void)state;
    chance c = { 53 };
    geom_shape a = { .kind = GEOM_BOX, .half = { 0.25, 0.25, 0.25 } };
    geom_pose pb = pose_at(0.0, 0.0, 0.0);
    vec3 first = { 0.0, 0.0, 0.0 };
    for (int n = 0; n < 1000; n++) {
        geom_pose pa = { quat_to_mat3(quat_exp((vec3){ 1e-5, 2e-5, 1e-4 })), { 0.0, 0.0, 0.4999 } };
        pa = stepped(pa, chance_vec3(&c, 1e-15), chance_vec3(&c, 1e-15));
        effort e = effort_of(&a, &pa, &a, &pb);
        first = n == 0 ? e.force : first;
        // 1e-15 over a depth of 1e-4, spread over the blend
        assert_vec3_near(vec3_scale(1.0 / first.z, e.force), vec3_scale(1.0 / first.z, first), 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hint_never_changes_an_answer),
        cmocka_unit_test(test_bounds_that_are_apart_never_touch),
        cmocka_unit_test(test_box_on_a_plane_shares_the_area_of_its_section),
        cmocka_unit_test(test_tipping_over_an_edge_does_not_jump),
        cmocka_unit_test(test_sliding_over_a_rim_does_not_jump),
        cmocka_unit_test(test_rolling_across_a_rim_does_not_jump),
        cmocka_unit_test(test_tilting_from_flat_does_not_jump),
        cmocka_unit_test(test_nearly_equal_axes_are_not_chosen_by_roundings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
