// SPDX-License-Identifier: MIT
// Meshes: trees against all triangles, signs, repairs.
#include "unit/geom/geom_test.h"

#include <string.h>

static void test_nearest_spot_is_that_of_all_triangles(void **state)
{
    (void)state;
    chance c = { 7 };
    geom_mesh *m =
        mesh_of(&(geom_shape){ .kind = GEOM_TORUS, .ring = 1.0, .radius = 0.3, .half_width = 0.5 }, 40);
    for (int n = 0; n < 300; n++) {
        vec3 p = chance_vec3(&c, 2.0);
        double nearest = INFINITY;
        for (int i = 0; i < m->n_triangle; i++) {
            const int32_t *t = m->triangle[i];
            geom_feature feature;
            vec3 at = geom_triangle_near(m->vertex[t[0]], m->vertex[t[1]], m->vertex[t[2]], p, &feature);
            nearest = fmin(nearest, vec3_norm(vec3_sub(p, at)));
        }
        assert_near(geom_mesh_nearest(m, p, INFINITY).distance, nearest, 1e-14);
        assert_int_equal(geom_mesh_nearest(m, p, 0.99 * nearest).triangle, -1);
    }
    geom_mesh_destroy(m);
}

static void test_nearest_point_of_a_triangle_beats_its_samples(void **state)
{
    (void)state;
    chance c = { 8 };
    for (int n = 0; n < 300; n++) {
        vec3 t[3] = { chance_vec3(&c, 1.0), chance_vec3(&c, 1.0), chance_vec3(&c, 1.0) },
             p = chance_vec3(&c, 2.0);
        geom_feature feature;
        vec3 at = geom_triangle_near(t[0], t[1], t[2], p, &feature);
        double best = INFINITY;
        for (int i = 0; i <= 60; i++) {
            for (int k = 0; k <= 60 - i; k++) {
                vec3 s = vec3_add_scaled(vec3_add_scaled(vec3_scale(i / 60.0, t[0]), k / 60.0, t[1]),
                                         (60 - i - k) / 60.0, t[2]);
                best = fmin(best, vec3_norm(vec3_sub(p, s)));
            }
        }
        double d = vec3_norm(vec3_sub(p, at));
        // samples are up to a sixtieth of a side away
        assert_true(d <= best + 1e-14 && d >= best - 4.0 / 60.0);
    }
}

static void test_sign_of_the_distance_is_that_of_the_box(void **state)
{
    (void)state;
    // also right over edges and corners, where single faces would lie
    chance c = { 9 };
    geom_shape box = { .kind = GEOM_BOX, .half = { 0.5, 0.7, 0.2 } };
    geom_mesh *m = mesh_of(&box, 0);
    assert_true(m->is_closed);
    assert_near(m->volume, 8.0 * 0.5 * 0.7 * 0.2, 1e-15);
    for (int n = 0; n < 2000; n++) {
        vec3 p = chance_vec3(&c, 1.0);
        geom_near exact = geom_shape_near_local(&box, p), near = geom_mesh_near(m, p, INFINITY);
        assert_near(near.distance, exact.distance, 1e-14);
        if (exact.distance > 0.0) {
            assert_vec3_near(near.normal, exact.normal, 1e-9);
        }
    }
    geom_mesh_destroy(m);
}

static void test_rays_hit_what_all_triangles_say(void **state)
{
    (void)state;
    chance c = { 10 };
    geom_mesh *m = mesh_of(&(geom_shape){ .kind = GEOM_CYLINDER, .radius = 0.7, .half_length = 0.6 }, 30);
    int hits = 0;
    for (int n = 0; n < 500; n++) {
        vec3 o = chance_vec3(&c, 1.5), d = chance_vec3(&c, 2.0);
        double first = INFINITY;
        for (int i = 0; i < m->n_triangle; i++) {
            const int32_t *t = m->triangle[i];
            vec3 a = m->vertex[t[0]];
            mat3 A = { { vec3_neg(d), vec3_sub(m->vertex[t[1]], a), vec3_sub(m->vertex[t[2]], a) } }, inverse;
            if (mat3_inverse(A, &inverse)) {
                vec3 x = mat3_apply(inverse, vec3_sub(o, a));
                bool is_in = x.x >= 0.0 && x.x <= 1.0 && x.y >= 0.0 && x.z >= 0.0 && x.y + x.z <= 1.0;
                first = is_in ? fmin(first, x.x) : first;
            }
        }
        geom_hit hit = geom_mesh_ray(m, o, d, 1.0);
        assert_true(hit.is_hit == (first <= 1.0));
        hits += hit.is_hit;
        if (hit.is_hit) {
            assert_near(hit.t, first, 1e-12);
        }
    }
    assert_true(hits > 50);
    geom_mesh_destroy(m);
}

static void test_rays_through_edges_and_along_axes_are_not_lost(void **state)
{
    (void)state;
    geom_mesh *m = mesh_of(&(geom_shape){ .kind = GEOM_BOX, .half = { 1.0, 1.0, 1.0 } }, 0);
    // the diagonal of a face, an edge and a corner
    const vec3 from[] = { { 0.0, 0.0, 3.0 }, { 0.3, 0.3, 3.0 }, { 1.0, 0.2, 3.0 }, { -1.0, -1.0, 3.0 } };
    for (int k = 0; k < 4; k++) {
        geom_hit hit = geom_mesh_ray(m, from[k], (vec3){ 0.0, 0.0, -1.0 }, 10.0);
        assert_true(hit.is_hit);
        assert_near(hit.t, 2.0, 1e-14);
    }
    geom_mesh_destroy(m);
}

// A box with its triangles apart, so that vertices are six times as many as needed.
static bi_mesh soup_of_box(void)
{
    bi_mesh box, soup = { 0 };
    assert_true(geom_mesh_of_shape(&(geom_shape){ .kind = GEOM_BOX, .half = { 0.5, 1.0, 1.5 } }, 0, &box));
    soup.vertex = malloc(40 * sizeof *soup.vertex);
    soup.triangle = malloc(20 * sizeof *soup.triangle);
    for (int k = 0; k < 36; k++) {
        soup.vertex[k] = box.vertex[box.triangle[k / 3][k % 3]];
        soup.triangle[k / 3][k % 3] = k;
    }
    soup.n_vertex = 36;
    soup.n_triangle = 12;
    bi_mesh_clear(&box);
    return soup;
}

static void test_repair_welds_and_counts(void **state)
{
    (void)state;
    bi_mesh m = soup_of_box();
    bi_mesh_repairs r;
    assert_int_equal(bi_mesh_repair(&m, 0.0, &r), BI_OK);
    assert_int_equal(m.n_vertex, 8);
    assert_int_equal(r.welded, 28);
    assert_int_equal(r.open + r.crowded + r.flipped + r.reversed + r.degenerate + r.duplicate, 0);
    assert_int_equal(r.shells, 1);
    assert_near(r.volume, 6.0, 1e-14);
    bi_mesh_clear(&m);
}

static void test_repair_welds_within_a_distance(void **state)
{
    (void)state;
    chance c = { 3 };
    bi_mesh m = soup_of_box();
    for (int k = 0; k < m.n_vertex; k++) {
        m.vertex[k] = vec3_add(m.vertex[k], chance_vec3(&c, 1e-7));
    }
    bi_mesh_repairs r;
    assert_int_equal(bi_mesh_repair(&m, 1e-6, &r), BI_OK);
    assert_int_equal(m.n_vertex, 8);
    assert_int_equal(r.open, 0);
    bi_mesh_clear(&m);
}

static void test_repair_turns_over_what_is_inside_out(void **state)
{
    (void)state;
    // all triangles, then only the fifth
    for (int k = 0; k < 2; k++) {
        bi_mesh m = soup_of_box();
        for (int i = 0; i < 12; i++) {
            if (k == 0 || i == 5) {
                int32_t keep = m.triangle[i][0];
                m.triangle[i][0] = m.triangle[i][1];
                m.triangle[i][1] = keep;
            }
        }
        bi_mesh_repairs r;
        assert_int_equal(bi_mesh_repair(&m, 0.0, &r), BI_OK);
        assert_int_equal(r.flipped, k == 0);
        assert_int_equal(r.reversed, k == 1);
        assert_near(r.volume, 6.0, 1e-14);
        geom_mesh *mesh = mesh_from(&m);
        assert_true(mesh->is_closed);
        assert_near(mesh->volume, 6.0, 1e-14);
        geom_mesh_destroy(mesh);
    }
}

static void test_repair_keeps_the_direction_of_a_cavity(void **state)
{
    (void)state;
    bi_mesh m = soup_of_box(), hole = soup_of_box();
    m.vertex = realloc(m.vertex, 72 * sizeof *m.vertex);
    m.triangle = realloc(m.triangle, 24 * sizeof *m.triangle);
    for (int k = 0; k < 36; k++) {
        m.vertex[36 + k] = vec3_scale(0.5, hole.vertex[k]);
        m.triangle[12 + k / 3][k % 3] = 36 + hole.triangle[k / 3][k % 3];
    }
    m.n_vertex = 72;
    m.n_triangle = 24;
    bi_mesh_clear(&hole);
    bi_mesh_repairs r;
    assert_int_equal(bi_mesh_repair(&m, 0.0, &r), BI_OK);
    assert_int_equal(r.shells, 2);
    // the inner box pointed outwards and was turned: it is a hole
    assert_int_equal(r.flipped, 1);
    assert_near(r.volume, 6.0 - 0.75, 1e-14);
    bi_mesh_clear(&m);
}

// Two solids of one file that overlap: neither is a cavity of the other.
static void test_repair_keeps_the_direction_of_solids_that_overlap(void **state)
{
    (void)state;
    bi_mesh m = soup_of_box(), other = soup_of_box();
    m.vertex = realloc(m.vertex, 72 * sizeof *m.vertex);
    m.triangle = realloc(m.triangle, 24 * sizeof *m.triangle);
    for (int k = 0; k < 36; k++) {
        // half the size, half outside
        m.vertex[36 + k] = vec3_add(vec3_scale(0.5, other.vertex[k]), (vec3){ 0.51, 0.03, 0.02 });
        m.triangle[12 + k / 3][k % 3] = 36 + other.triangle[k / 3][k % 3];
    }
    m.n_vertex = 72;
    m.n_triangle = 24;
    bi_mesh_clear(&other);
    bi_mesh_repairs r;
    assert_int_equal(bi_mesh_repair(&m, 0.0, &r), BI_OK);
    assert_int_equal(r.shells, 2);
    assert_int_equal(r.flipped, 0);
    bi_mesh_clear(&m);
}

static void test_repair_drops_and_counts_faults(void **state)
{
    (void)state;
    bi_mesh m = soup_of_box();
    // one triangle away, one twice, one flat, one vertex too many
    m.n_triangle = 11;
    memcpy(m.triangle[m.n_triangle++], m.triangle[3], sizeof *m.triangle);
    m.triangle[m.n_triangle][0] = 0;
    m.triangle[m.n_triangle][1] = 1;
    m.triangle[m.n_triangle++][2] = 0;
    m.vertex[m.n_vertex++] = (vec3){ 9.0, 9.0, 9.0 };
    bi_mesh_repairs r;
    assert_int_equal(bi_mesh_repair(&m, 0.0, &r), BI_OK);
    assert_int_equal(r.duplicate, 1);
    assert_int_equal(r.degenerate, 1);
    assert_int_equal(r.unused, 1);
    assert_int_equal(r.open, 3);
    assert_int_equal(m.n_triangle, 11);
    m.triangle[0][0] = 1000;
    assert_int_equal(bi_mesh_repair(&m, 0.0, &r), BI_BAD_MODEL);
    const char *why = NULL;
    assert_null(geom_mesh_create(&m, &why));
    assert_non_null(strstr(why, "vertex that is not there"));
    m.triangle[0][0] = 0;
    m.vertex[2].x = NAN;
    assert_int_equal(bi_mesh_repair(&m, 0.0, &r), BI_BAD_MODEL);
    assert_null(geom_mesh_create(&m, &why));
    bi_mesh_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_spot_is_that_of_all_triangles),
        cmocka_unit_test(test_nearest_point_of_a_triangle_beats_its_samples),
        cmocka_unit_test(test_sign_of_the_distance_is_that_of_the_box),
        cmocka_unit_test(test_rays_hit_what_all_triangles_say),
        cmocka_unit_test(test_rays_through_edges_and_along_axes_are_not_lost),
        cmocka_unit_test(test_repair_welds_and_counts),
        cmocka_unit_test(test_repair_welds_within_a_distance),
        cmocka_unit_test(test_repair_turns_over_what_is_inside_out),
        cmocka_unit_test(test_repair_keeps_the_direction_of_a_cavity),
        cmocka_unit_test(test_repair_keeps_the_direction_of_solids_that_overlap),
        cmocka_unit_test(test_repair_drops_and_counts_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
