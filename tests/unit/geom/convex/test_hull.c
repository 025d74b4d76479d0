// SPDX-License-Identifier: MIT
// Convex hulls: known solids, closed surfaces, points inside, sets without thickness; cones beside them.
#include "unit/geom/geom_test.h"
#include <string.h>

#include "geom/convex/hull.h"

// Closed, convex, all points inside; corners of a face in its plane and in order.
static void check_hull(const geom_hull *h, const vec3 *point, int n)
{
    for (int k = 0; k < n; k++) {
        for (int f = 0; f < h->n_face; f++) {
            assert_true(vec3_dot(h->normal[f], point[k]) - h->offset[f] < 1e-8);
        }
    }
    bi_mesh plain;
    assert_true(geom_hull_triangles(h, &plain));
    geom_mesh *m = mesh_from(&plain);
    assert_true(m->is_closed);
    assert_true(m->volume > 0.0);
    // Euler, faces as polygons
    assert_int_equal(h->n_vertex - h->n_corner / 2 + h->n_face, 2);
    geom_mesh_destroy(m);
}

static geom_hull *hull_of(const vec3 *point, int n)
{
    const char *why;
    geom_hull *h = geom_hull_create(point, n, &why);
    assert_null(why);
    assert_non_null(h);
    check_hull(h, point, n);
    return h;
}

static void test_hull_of_a_grid_is_a_box_with_six_faces(void **state)
{
    (void)state;
    vec3 point[6 * 6 * 6];
    int n = 0;
    for (int k = 0; k < 216; k++) {
        point[n++] = (vec3){ 0.1 * (k % 6), 0.2 * (k / 6 % 6), 0.3 * (k / 36) };
    }
    geom_hull *h = hull_of(point, n);
    assert_int_equal(h->n_vertex, 8);
    assert_int_equal(h->n_face, 6);
    // turned by any amount the faces stay flat
    chance c = { 81 };
    for (int turn = 0; turn < 50; turn++) {
        geom_pose by = chance_pose(&c, 1.0);
        vec3 turned[216];
        for (int k = 0; k < n; k++) {
            turned[k] = geom_outside(&by, point[k]);
        }
        geom_hull *t = hull_of(turned, n);
        assert_int_equal(t->n_vertex, 8);
        assert_int_equal(t->n_face, 6);
        geom_hull_destroy(t);
    }
    geom_hull_destroy(h);
}

static void test_hull_of_random_points_holds_them_all(void **state)
{
    (void)state;
    enum { MOST = 500 };
    static vec3 point[MOST];
    chance c = { 83 };
    for (int n = 4; n <= MOST; n += n < 30 ? 1 : 47) {
        for (int k = 0; k < n; k++) {
            point[k] = chance_vec3(&c, 1.0);
            // on a ball, in a slab, with many equal ones
            point[k] = n % 3 == 0   ? vec3_normalized(point[k])
                       : n % 3 == 1 ? (vec3){ point[k].x, point[k].y, 1e-3 * point[k].z }
                                    : point[k];
            point[k] = k % 7 == 6 ? point[k / 2] : point[k];
        }
        geom_hull *h = hull_of(point, n);
        if (n % 3 == 0 && n > 100) {
            assert_true(h->n_vertex > n / 2);
        }
        geom_hull_destroy(h);
    }
}

static void test_wheel_of_many_corners_keeps_its_faces(void **state)
{
    (void)state;
    enum { AROUND = 200 };
    static vec3 point[2 * AROUND];
    for (int k = 0; k < 2 * AROUND; k++) {
        double angle = 2.0 * PI * (k % AROUND) / AROUND;
        point[k] = (vec3){ math_cos(angle), math_sin(angle), k < AROUND ? -0.1 : 0.1 };
    }
    const char *why;
    geom_hull *h = geom_hull_create(point, 2 * AROUND, &why);
    assert_non_null(h);
    assert_int_equal(h->n_vertex, 2 * AROUND);
    for (int f = 0; f < h->n_face; f++) {
        assert_in_range(h->first[f + 1] - h->first[f], 3, HULL_FACE_CORNERS);
    }
    geom_hull_destroy(h);
}

static void test_points_without_thickness_are_refused(void **state)
{
    (void)state;
    const vec3 same[5] = { { 1.0, 2.0, 3.0 }, { 1.0, 2.0, 3.0 }, { 1.0, 2.0, 3.0 }, { 1.0, 2.0, 3.0 } },
               line[4] = { { 0.0, 0.0, 0.0 }, { 1.0, 1.0, 1.0 }, { 2.0, 2.0, 2.0 }, { 5.0, 5.0, 5.0 } },
               plane[4] = { { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 1.0 }, { 0.0, 1.0, 1.0 }, { 1.0, 1.0, 1.0 } },
               bad[4] = { { 0.0, 0.0, NAN }, { 1.0, 0.0, 1.0 }, { 0.0, 1.0, 1.0 }, { 1.0, 1.0, 1.0 } };
    const char *why;
    assert_null(geom_hull_create(same, 4, &why));
    assert_non_null(strstr(why, "line"));
    assert_null(geom_hull_create(line, 4, &why));
    assert_non_null(strstr(why, "line"));
    assert_null(geom_hull_create(plane, 4, &why));
    assert_non_null(strstr(why, "plane"));
    assert_null(geom_hull_create(bad, 4, &why));
    assert_non_null(strstr(why, "finite"));
    // products of three such lengths vanish or overflow
    const vec3 tiny[4] = { { 0.0, 0.0, 0.0 }, { 5e-33, 0.0, 0.0 }, { 0.0, 5e-33, 0.0 }, { 0.0, 0.0, 5e-33 } },
               huge[4] = { { 0.0, 0.0, 0.0 }, { 1e200, 0.0, 0.0 }, { 0.0, 1e200, 0.0 }, { 0.0, 0.0, 1e200 } };
    assert_null(geom_hull_create(tiny, 4, &why));
    assert_non_null(strstr(why, "unit"));
    assert_null(geom_hull_create(huge, 4, &why));
    assert_non_null(strstr(why, "unit"));
    assert_null(geom_hull_create(line, 3, &why));
    assert_non_null(strstr(why, "four"));
    geom_hull_destroy(NULL);
}

// A hull of the corners of a box answers as the box does.
static void test_hull_of_a_box_answers_as_the_box(void **state)
{
    (void)state;
    geom_shape box = { .kind = GEOM_BOX, .half = { 0.5, 0.4, 0.3 } };
    bi_mesh plain;
    assert_true(geom_mesh_of_shape(&box, 0, &plain));
    geom_hull *h = hull_of(plain.vertex, plain.n_vertex);
    geom_shape hull = { .kind = GEOM_HULL, .hull = h };
    chance c = { 87 };
    for (int n = 0; n < 5000; n++) {
        vec3 p = chance_vec3(&c, 0.9), d = chance_vec3(&c, 1.0);
        geom_near a = geom_shape_near_local(&box, p), b = geom_shape_near_local(&hull, p);
        assert_near(b.distance, a.distance, 1e-14);
        assert_vec3_near(b.point, a.point, 1e-9);
        geom_hit hit = geom_shape_ray_local(&box, p, d, 5.0), same = geom_shape_ray_local(&hull, p, d, 5.0);
        assert_true(hit.is_hit == same.is_hit);
        if (hit.is_hit) {
            assert_near(same.t, hit.t, 1e-12);
            assert_vec3_near(same.normal, hit.normal, 1e-12);
        }
    }
    bi_mesh_clear(&plain);
    geom_hull_destroy(h);
}

// Cones against their triangles.
static void test_cone_answers_as_its_triangles(void **state)
{
    (void)state;
    geom_shape cone = { .kind = GEOM_CONE, .radius = 0.4, .half_length = 0.5 };
    assert_null(geom_shape_fault(&cone));
    geom_mesh *m = mesh_of(&cone, 2000);
    assert_near(m->volume, PI * 0.16 / 3.0, 1e-5);
    chance c = { 89 };
    int hits = 0;
    for (int n = 0; n < 3000; n++) {
        vec3 p = chance_vec3(&c, 0.9), d = chance_vec3(&c, 1.0), far;
        geom_near a = geom_shape_near_local(&cone, p), b = geom_mesh_near(m, p, INFINITY);
        assert_near(a.distance, b.distance, 1e-5);
        assert_near(vec3_dot(a.normal, a.normal), 1.0, 1e-12);
        assert_vec3_near(vec3_add_scaled(a.point, a.distance, a.normal), p, 1e-14);
        geom_hit hit = geom_shape_ray_local(&cone, p, d, 5.0), same = geom_mesh_ray(m, p, d, 5.0);
        hits += hit.is_hit && same.is_hit;
        if (hit.is_hit && same.is_hit && fabs(vec3_dot(hit.normal, d)) > 0.1) {
            assert_near(hit.t, same.t, 1e-4);
        }
        assert_true(geom_shape_support(&cone, d, &far));
        assert_near(vec3_dot(far, d), vec3_dot(geom_mesh_support(m, d), d), 1e-5);
    }
    assert_true(hits > 300);
    geom_mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hull_of_a_grid_is_a_box_with_six_faces),
        cmocka_unit_test(test_hull_of_random_points_holds_them_all),
        cmocka_unit_test(test_wheel_of_many_corners_keeps_its_faces),
        cmocka_unit_test(test_points_without_thickness_are_refused),
        cmocka_unit_test(test_hull_of_a_box_answers_as_the_box),
        cmocka_unit_test(test_cone_answers_as_its_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
