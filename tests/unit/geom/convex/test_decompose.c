// SPDX-License-Identifier: MIT
// Meshes in convex parts: how many, that they cover the solid and nothing else, and what touches them.
#include "geom/convex/decompose.h"
#include "support/geom_room.h"
#include "unit/geom/geom_test.h"
#include <string.h>

// Prisms along z over cells of a plan of n x n squares of 1 m; '#' is solid.
static bi_mesh prism(const char *const *plan, int n_x, int n_y, double height)
{
    enum { MOST = 4096 };
    bi_mesh m = { 0 };
    m.vertex = malloc((size_t)MOST * sizeof *m.vertex);
    m.triangle = malloc((size_t)MOST * sizeof *m.triangle);
    for (int j = 0; j < n_y; j++) {
        for (int i = 0; i < n_x; i++) {
            if (plan[j][i] != '#') {
                continue;
            }
            static const int step[4][2] = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } };
            static const int at[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
            int first = m.n_vertex;
            for (int c = 0; c < 8; c++) {
                m.vertex[m.n_vertex++] = (vec3){ i + at[c % 4][0], j + at[c % 4][1], c < 4 ? 0.0 : height };
            }
            const int32_t lids[4][3] = { { 0, 2, 1 }, { 0, 3, 2 }, { 4, 5, 6 }, { 4, 6, 7 } };
            for (int k = 0; k < 4; k++) {
                for (int c = 0; c < 3; c++) {
                    m.triangle[m.n_triangle][c] = first + lids[k][c];
                }
                m.n_triangle++;
            }
            for (int s = 0; s < 4; s++) {
                int x = i + step[s][0], y = j + step[s][1], next = (s + 1) % 4;
                if (x >= 0 && y >= 0 && x < n_x && y < n_y && plan[y][x] == '#') {
                    continue;
                }
                const int32_t wall[2][3] = { { s, next, next + 4 }, { s, next + 4, s + 4 } };
                for (int k = 0; k < 2; k++) {
                    for (int c = 0; c < 3; c++) {
                        m.triangle[m.n_triangle][c] = first + wall[k][c];
                    }
                    m.n_triangle++;
                }
            }
        }
    }
    bi_mesh_repairs repairs;
    assert_int_equal(bi_mesh_repair(&m, 1e-9, &repairs), BI_OK);
    assert_int_equal(repairs.open, 0);
    return m;
}

static geom_parts *parts_of(const geom_mesh *m, int most)
{
    const char *why = NULL;
    geom_parts *p = geom_parts_create(m, most, &why);
    assert_non_null(p);
    assert_null(why);
    return p;
}

static bool is_in_hull(const geom_hull *h, vec3 p, double by)
{
    for (int f = 0; f < h->n_face; f++) {
        if (vec3_dot(h->normal[f], p) > h->offset[f] - by) {
            return false;
        }
    }
    return true;
}

static void assert_covers(const geom_mesh *m, const geom_parts *parts)
{
    chance c = { 5 };
    vec3 low = m->bounds.low, span = vec3_sub(m->bounds.high, low);
    int inside = 0;
    for (int n = 0; n < 2000; n++) {
        vec3 p = { low.x + chance_in(&c, 0.0, span.x), low.y + chance_in(&c, 0.0, span.y),
                   low.z + chance_in(&c, 0.0, span.z) };
        int in = 0, deep = 0;
        for (int k = 0; k < parts->n; k++) {
            in += is_in_hull(parts->hull[k], p, -1e-6);
            deep += is_in_hull(parts->hull[k], p, 1e-6);
        }
        bool is_in_mesh = geom_mesh_near(m, p, INFINITY).distance < 0.0;
        assert_true(!is_in_mesh || in > 0);
        // side by side
        assert_true(deep <= 1);
        inside += is_in_mesh;
    }
    assert_true(inside > 100);
}

static void check_plan(const char *const *plan, int n_x, int n_y, int expected)
{
    bi_mesh plain = prism(plan, n_x, n_y, 0.5);
    geom_mesh *m = mesh_from(&plain);
    geom_parts *p = parts_of(m, 32);
    assert_near(p->excess, 0.0, 1e-9);
    assert_int_equal(p->n, expected);
    assert_covers(m, p);
    geom_parts_destroy(p);
    geom_mesh_destroy(m);
}

static void test_a_box_is_one_part(void **state)
{
    (void)state;
    const char *const plan[] = { "###", "###" };
    check_plan(plan, 3, 2, 1);
}

static void test_an_angle_is_two_parts(void **state)
{
    (void)state;
    const char *const plan[] = { "#..", "#..", "###" };
    check_plan(plan, 3, 3, 2);
}

static void test_a_ring_is_four_parts(void **state)
{
    (void)state;
    const char *const plan[] = { "####", "#..#", "#..#", "####" };
    check_plan(plan, 4, 4, 4);
}

static void test_a_comb_is_its_teeth_and_its_back(void **state)
{
    (void)state;
    const char *const plan[] = { "#.#.#.#", "#.#.#.#", "#######" };
    check_plan(plan, 7, 3, 5);
}

static void test_two_solids_are_two_parts(void **state)
{
    (void)state;
    const char *const plan[] = { "##..#", "##..#" };
    check_plan(plan, 5, 2, 2);
}

static void test_fewer_parts_than_needed_tell_what_they_fill_besides(void **state)
{
    (void)state;
    const char *const plan[] = { "#.#", "#.#", "###" };
    bi_mesh plain = prism(plan, 3, 3, 0.5);
    geom_mesh *m = mesh_from(&plain);
    geom_parts *p = parts_of(m, 1);
    // nine squares for seven
    assert_int_equal(p->n, 1);
    assert_near(p->excess, 9.0 / 7.0 - 1.0, 1e-12);
    geom_parts_destroy(p);
    geom_mesh_destroy(m);
}

// A wheel rim has no flat dents: more parts come closer.
static void test_more_parts_of_a_torus_fill_less(void **state)
{
    (void)state;
    geom_shape torus = { .kind = GEOM_TORUS, .ring = 1.0, .radius = 0.2, .half_width = 0.2 };
    geom_mesh *m = mesh_of(&torus, 24);
    double last = INFINITY;
    for (int most = 1; most <= 16; most *= 4) {
        geom_parts *p = parts_of(m, most);
        assert_true(p->n <= most && p->excess < 0.75 * last);
        assert_covers(m, p);
        last = p->excess;
        geom_parts_destroy(p);
    }
    assert_true(last < 0.1);
    geom_mesh_destroy(m);
}

static void test_the_same_mesh_gives_the_same_bits(void **state)
{
    (void)state;
    geom_shape torus = { .kind = GEOM_TORUS, .ring = 1.0, .radius = 0.2, .half_width = 0.2 };
    geom_mesh *m = mesh_of(&torus, 16);
    geom_parts *p = parts_of(m, 6), *q = parts_of(m, 6);
    assert_int_equal(p->n, q->n);
    for (int k = 0; k < p->n; k++) {
        assert_int_equal(p->hull[k]->n_vertex, q->hull[k]->n_vertex);
        assert_memory_equal(p->hull[k]->vertex, q->hull[k]->vertex,
                            (size_t)p->hull[k]->n_vertex * sizeof(vec3));
    }
    geom_parts_destroy(p);
    geom_parts_destroy(q);
    geom_mesh_destroy(m);
}

static void test_meshes_that_have_no_parts_say_why(void **state)
{
    (void)state;
    const char *const plan[] = { "##" };
    bi_mesh plain = prism(plan, 2, 1, 0.5);
    plain.n_triangle--;
    geom_mesh *open = mesh_from(&plain);
    const char *why = NULL;
    assert_null(geom_parts_create(open, 8, &why));
    assert_non_null(strstr(why, "closed"));
    assert_null(geom_parts_create(open, 0, &why));
    assert_non_null(strstr(why, "from 1 to 256"));
    geom_mesh_destroy(open);
    geom_parts_destroy(NULL);
    // two blocks, one pushed into the other
    const char *const pair[] = { "#.#" };
    plain = prism(pair, 3, 1, 0.5);
    for (int k = 0; k < plain.n_vertex; k++) {
        plain.vertex[k].x -= plain.vertex[k].x > 1.5 ? 1.3 : 0.0;
        plain.vertex[k].y += plain.vertex[k].x > 0.6 && plain.vertex[k].x < 0.8 ? 0.3 : 0.0;
        plain.vertex[k].z +=
            plain.vertex[k].x > 1.6 || (plain.vertex[k].x > 0.6 && plain.vertex[k].x < 0.8) ? 0.1 : 0.0;
    }
    geom_mesh *crossing = mesh_from(&plain);
    assert_null(geom_parts_create(crossing, 1, &why));
    assert_non_null(strstr(why, "cross itself"));
    // each of them is convex
    geom_parts *two = geom_parts_create(crossing, 8, &why);
    assert_non_null(two);
    assert_int_equal(two->n, 2);
    assert_true(fabs(two->volume - crossing->volume) < 1e-12);
    geom_parts_destroy(two);
    geom_mesh_destroy(crossing);
}

// ---- contact ---------------------------------------------------------------------------------------------------

typedef struct {
    geom_contact item[64];
    geom_contacts list;
} result;

static vec3 collide(const geom_shape *a, geom_pose pa, const geom_shape *b, geom_pose pb, result *r)
{
    vec3 force = { 0.0, 0.0, 0.0 };
    r->list = (geom_contacts){ .item = r->item, .capacity = 64, .room = test_room() };
    geom_collide(a, &pa, b, &pb, NULL, &r->list);
    geom_spread_regions(a, &pa, b, &pb, 0, &r->list);
    assert_false(r->list.is_full || r->list.is_unsupported);
    for (int k = 0; k < r->list.count; k++) {
        const geom_contact *c = &r->item[k];
        force = vec3_add_scaled(force, c->area * c->depth, c->normal);
    }
    return force;
}

// A block in the gap of a fork touches nothing, moved aside one prong, lowered the back of the fork.
static void test_a_block_between_prongs_touches_them_alone(void **state)
{
    (void)state;
    const char *const plan[] = { "###", "#.#", "#.#" };
    bi_mesh plain = prism(plan, 3, 3, 0.5);
    geom_mesh *m = mesh_from(&plain);
    geom_parts *p = parts_of(m, 8);
    geom_shape fork = { .kind = GEOM_MESH, .mesh = m, .parts = p },
               block = { .kind = GEOM_BOX, .half = { 0.4, 0.4, 0.1 } };
    geom_pose home = pose_at(0.0, 0.0, 0.0);
    result r;
    collide(&block, pose_at(1.5, 2.0, 0.25), &fork, home, &r);
    assert_int_equal(r.list.count, 0);
    vec3 f = collide(&block, pose_at(1.61, 2.0, 0.25), &fork, home, &r);
    // 0.8 m x 0.2 m, 0.01 m deep
    assert_vec3_near(f, (vec3){ -0.16 * 0.01, 0.0, 0.0 }, 1e-12);
    f = collide(&fork, home, &block, pose_at(1.5, 1.39, 0.25), &r);
    assert_vec3_near(f, (vec3){ 0.0, -0.16 * 0.01, 0.0 }, 1e-12);
    geom_parts_destroy(p);
    geom_mesh_destroy(m);
}

// The seams between parts are not felt: the sum over the area stays the same.
static void test_a_block_slides_over_a_seam_without_a_jump(void **state)
{
    (void)state;
    const char *const plan[] = { "#..", "#..", "###" };
    bi_mesh plain = prism(plan, 3, 3, 0.5);
    geom_mesh *m = mesh_from(&plain);
    geom_parts *p = parts_of(m, 8);
    geom_shape angle = { .kind = GEOM_MESH, .mesh = m, .parts = p },
               block = { .kind = GEOM_BOX, .half = { 0.2, 0.2, 0.2 } };
    geom_pose home = pose_at(0.0, 0.0, 0.0);
    result r;
    int seams = 0;
    for (int k = 0; k <= 100; k++) {
        vec3 f = collide(&block, pose_at(0.3 + 0.024 * k, 2.5, 0.699), &angle, home, &r);
        assert_vec3_near(f, (vec3){ 0.0, 0.0, 0.16 * 0.001 }, 1e-10);
        seams += r.list.n_region > 1;
    }
    for (int k = 0; k <= 100; k++) {
        vec3 f = collide(&block, pose_at(0.5, 0.3 + 0.024 * k, 0.699), &angle, home, &r);
        assert_vec3_near(f, (vec3){ 0.0, 0.0, 0.16 * 0.001 }, 1e-10);
        seams += r.list.n_region > 1;
    }
    assert_true(seams > 5);
    geom_parts_destroy(p);
    geom_mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_box_is_one_part),
        cmocka_unit_test(test_an_angle_is_two_parts),
        cmocka_unit_test(test_a_ring_is_four_parts),
        cmocka_unit_test(test_a_comb_is_its_teeth_and_its_back),
        cmocka_unit_test(test_two_solids_are_two_parts),
        cmocka_unit_test(test_fewer_parts_than_needed_tell_what_they_fill_besides),
        cmocka_unit_test(test_more_parts_of_a_torus_fill_less),
        cmocka_unit_test(test_the_same_mesh_gives_the_same_bits),
        cmocka_unit_test(test_meshes_that_have_no_parts_say_why),
        cmocka_unit_test(test_a_block_between_prongs_touches_them_alone),
        cmocka_unit_test(test_a_block_slides_over_a_seam_without_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
