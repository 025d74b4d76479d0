// SPDX-License-Identifier: MIT
// Shapes: distances against dense samples of the surface, rays against distances, boxes, farthest points.
#include "unit/geom/geom_test.h"

static const geom_shape SHAPES[] = {
    { .kind = GEOM_SPHERE, .radius = 0.7 },
    { .kind = GEOM_BOX, .half = { 0.3, 0.5, 0.8 } },
    { .kind = GEOM_CAPSULE, .radius = 0.3, .half_length = 0.6 },
    { .kind = GEOM_CYLINDER, .radius = 0.4, .half_length = 0.6 },
    { .kind = GEOM_TORUS, .ring = 0.7, .radius = 0.2, .half_width = 0.2 },
    { .kind = GEOM_TORUS, .ring = 0.7, .radius = 0.15, .half_width = 0.35 },
    { .kind = GEOM_TORUS, .ring = 0.7, .radius = 0.35, .half_width = 0.1 },
    { .kind = GEOM_ELLIPSOID, .half = { 0.8, 0.5, 0.2 } },
    { .kind = GEOM_ELLIPSOID, .half = { 0.3, 0.7, 0.3 } },
};
enum { N_SHAPE = sizeof SHAPES / sizeof SHAPES[0] };

// Solid or not, by the definition of each shape and by nothing else.
static bool is_inside(const geom_shape *s, vec3 p)
{
    double rho = sqrt(p.x * p.x + p.y * p.y), over = fmax(0.0, fabs(p.z) - s->half_length);
    switch (s->kind) {
    case GEOM_SPHERE: return vec3_norm(p) < s->radius;
    case GEOM_BOX: return fabs(p.x) < s->half.x && fabs(p.y) < s->half.y && fabs(p.z) < s->half.z;
    case GEOM_CAPSULE: return rho * rho + over * over < s->radius * s->radius;
    case GEOM_CYLINDER: return rho < s->radius && fabs(p.z) < s->half_length;
    case GEOM_ELLIPSOID: {
        vec3 q = { p.x / s->half.x, p.y / s->half.y, p.z / s->half.z };
        return vec3_norm(q) < 1.0;
    }
    default: {
        double u = (rho - s->ring) / s->radius, v = p.z / s->half_width;
        return u * u + v * v < 1.0;
    }
    }
}

static void test_distances_match_dense_samples_of_the_surface(void **state)
{
    (void)state;
    chance c = { 1 };
    for (int k = 0; k < N_SHAPE; k++) {
        // triangles of the surface, fine enough: chords of 300 pieces miss it by 2e-5 of the radius
        geom_mesh *m = mesh_of(&SHAPES[k], 300);
        for (int n = 0; n < 200; n++) {
            vec3 p = chance_vec3(&c, 1.2);
            geom_near near = geom_shape_near_local(&SHAPES[k], p);
            double nearest = INFINITY;
            for (int i = 0; i < m->n_triangle; i++) {
                geom_feature feature;
                const int32_t *t = m->triangle[i];
                vec3 at = geom_triangle_near(m->vertex[t[0]], m->vertex[t[1]], m->vertex[t[2]], p, &feature);
                nearest = fmin(nearest, vec3_norm(vec3_sub(p, at)));
            }
            assert_near(fabs(near.distance), nearest, 3e-4);
            assert_true(is_inside(&SHAPES[k], p) == (near.distance < 0.0));
            // the point is on the surface, straight below p
            assert_vec3_near(vec3_add_scaled(near.point, near.distance, near.normal), p, 1e-9);
            assert_near(vec3_norm(near.normal), 1.0, 1e-12);
            assert_near(geom_shape_near_local(&SHAPES[k], near.point).distance, 0.0, 1e-12);
        }
        geom_mesh_destroy(m);
    }
}

static void test_normal_is_the_gradient_of_the_distance(void **state)
{
    (void)state;
    chance c = { 2 };
    const double h = 1e-6;
    for (int k = 0; k < N_SHAPE; k++) {
        for (int n = 0; n < 100; n++) {
            vec3 p = chance_vec3(&c, 1.2), d = vec3_normalized(chance_vec3(&c, 1.0));
            double up = geom_shape_near_local(&SHAPES[k], vec3_add_scaled(p, h, d)).distance;
            double down = geom_shape_near_local(&SHAPES[k], vec3_add_scaled(p, -h, d)).distance;
            double here = geom_shape_near_local(&SHAPES[k], p).distance;
            // no gradient where two places are equally near: the one-sided slopes differ there
            if (fabs(up + down - 2.0 * here) < 1e-9) {
                assert_near((up - down) / (2.0 * h), vec3_dot(geom_shape_near_local(&SHAPES[k], p).normal, d),
                            1e-3);
            }
        }
    }
}

static void test_middle_points_give_numbers(void **state)
{
    (void)state;
    for (int k = 0; k < N_SHAPE; k++) {
        const vec3 points[] = { { 0.0, 0.0, 0.0 }, { 0.7, 0.0, 0.0 }, { 0.0, 0.0, 0.3 }, { 0.0, -0.7, 0.0 } };
        for (int n = 0; n < 4; n++) {
            geom_near near = geom_shape_near_local(&SHAPES[k], points[n]);
            assert_true(isfinite(near.distance) && vec3_is_finite(near.point));
            assert_near(vec3_norm(near.normal), 1.0, 1e-12);
        }
    }
    // the middle of an elliptic section: the shorter semi-axis
    assert_near(geom_shape_near_local(&SHAPES[5], (vec3){ 0.7, 0.0, 0.0 }).distance, -0.15, 1e-15);
    assert_near(geom_shape_near_local(&SHAPES[6], (vec3){ 0.0, 0.7, 0.0 }).distance, -0.1, 1e-15);
    // of an ellipsoid likewise; from the middle of its longest axis the nearest place lies above it
    assert_near(geom_shape_near_local(&SHAPES[7], (vec3){ 0.0, 0.0, 0.0 }).distance, -0.2, 1e-15);
    assert_near(geom_shape_near_local(&SHAPES[7], (vec3){ 0.6, 0.0, 0.0 }).distance,
                -0.2 * sqrt(1.0 - 0.36 / 0.6), 1e-15);
    assert_near(geom_shape_near_local(&SHAPES[7], (vec3){ 0.79, 0.0, 0.0 }).distance, -0.01, 1e-15);
    assert_near(geom_shape_near_local(&SHAPES[8], (vec3){ 0.0, 0.9, 0.0 }).distance, 0.2, 1e-15);
}

static void test_rays_end_where_the_distance_first_vanishes(void **state)
{
    (void)state;
    chance c = { 3 };
    int hits = 0;
    for (int k = 0; k < N_SHAPE; k++) {
        for (int n = 0; n < 200; n++) {
            vec3 o = chance_vec3(&c, 1.5), d = vec3_scale(1.5, vec3_sub(chance_vec3(&c, 0.7), o));
            geom_hit hit = geom_shape_ray_local(&SHAPES[k], o, d, 1.0);
            bool is_in = is_inside(&SHAPES[k], o), did_change = false;
            // walk in small steps: the first change between in and out
            double t = 0.0;
            for (int i = 1; i <= 2000 && !did_change; i++) {
                t = i / 2000.0;
                did_change = is_inside(&SHAPES[k], vec3_add_scaled(o, t, d)) != is_in;
            }
            if (hit.is_hit) {
                hits++;
                assert_near(geom_shape_near_local(&SHAPES[k], vec3_add_scaled(o, hit.t, d)).distance, 0.0,
                            1e-9);
                // a short way through a corner falls between two steps
                assert_true(!did_change || hit.t <= t + 1e-9);
            } else {
                assert_false(did_change);
            }
        }
    }
    assert_true(hits > 200);
}

static void test_farthest_points_bound_the_shape_and_touch_it(void **state)
{
    (void)state;
    chance c = { 4 };
    for (int k = 0; k < N_SHAPE; k++) {
        geom_mesh *m = mesh_of(&SHAPES[k], 120);
        geom_shape as_mesh = { .kind = GEOM_MESH, .mesh = m };
        for (int n = 0; n < 50; n++) {
            vec3 d = vec3_normalized(chance_vec3(&c, 1.0)), far, far_mesh;
            assert_true(geom_shape_support(&SHAPES[k], d, &far));
            assert_true(geom_shape_support(&as_mesh, d, &far_mesh));
            double most = -INFINITY;
            for (int i = 0; i < m->n_vertex; i++) {
                most = fmax(most, vec3_dot(d, m->vertex[i]));
            }
            assert_true(vec3_dot(d, far_mesh) == most);
            assert_true(vec3_dot(d, far) >= most - 1e-12);
            // chords of 120 pieces, 60 around the section of a torus: (2 pi / 60)^2 / 8 of it
            assert_near(vec3_dot(d, far), most, 2e-3);
            assert_near(geom_shape_near_local(&SHAPES[k], far).distance, 0.0, 1e-12);
            // the box around the shape reaches as far as its farthest points
            geom_pose pose = chance_pose(&c, 2.0);
            geom_box box = geom_shape_bounds(&SHAPES[k], &pose);
            vec3 up;
            geom_shape_support(&SHAPES[k], mat3_apply_transposed(pose.rot, (vec3){ 0.0, 1.0, 0.0 }), &up);
            assert_near(box.high.y, geom_outside(&pose, up).y, 1e-12);
            for (int i = 0; i < m->n_vertex; i += 7) {
                vec3 p = geom_outside(&pose, m->vertex[i]);
                assert_true(p.x >= box.low.x - 1e-12 && p.x <= box.high.x + 1e-12 &&
                            p.z >= box.low.z - 1e-12 && p.z <= box.high.z + 1e-12);
            }
        }
        geom_mesh_destroy(m);
    }
}

static void test_lowest_point_of_a_leaning_wheel_is_the_closed_form(void **state)
{
    (void)state;
    // the reference: s1 = -a^2 ez/den, r_eff = R + b^2 rho/den, den = sqrt(b^2 rho^2 + a^2 ez^2), u = r_eff d + s1 e
    const double a = 0.018, b = 0.020, R = 0.33;
    geom_shape wheel = { .kind = GEOM_TORUS, .ring = R, .radius = b, .half_width = a };
    for (int k = 0; k <= 20; k++) {
        double lean = -1.5 + 0.15 * k;
        geom_pose pose = { mat3_from_axis_angle((vec3){ 1.0, 0.0, 0.0 }, 0.5 * PI + lean),
                           { 0.0, 0.0, 0.0 } };
        vec3 e = pose.rot.col[2], Z = { 0.0, 0.0, 1.0 }, far;
        double ez = vec3_dot(e, Z), rho = sqrt(1.0 - ez * ez),
               den = sqrt(b * b * rho * rho + a * a * ez * ez);
        vec3 d = vec3_scale(1.0 / rho, vec3_sub(vec3_scale(ez, e), Z));
        vec3 u = vec3_add(vec3_scale(R + b * b * rho / den, d), vec3_scale(-a * a * ez / den, e));
        geom_shape_support(&wheel, mat3_apply_transposed(pose.rot, vec3_neg(Z)), &far);
        assert_vec3_near(geom_outside(&pose, far), u, 1e-14);
    }
}

static void test_bad_sizes_are_told(void **state)
{
    (void)state;
    for (int k = 0; k < N_SHAPE; k++) {
        assert_null(geom_shape_fault(&SHAPES[k]));
        geom_shape bad = { .kind = SHAPES[k].kind };
        assert_non_null(geom_shape_fault(&bad));
        bad = SHAPES[k];
        bad.radius = bad.half.x = NAN;
        assert_non_null(geom_shape_fault(&bad));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_match_dense_samples_of_the_surface),
        cmocka_unit_test(test_normal_is_the_gradient_of_the_distance),
        cmocka_unit_test(test_middle_points_give_numbers),
        cmocka_unit_test(test_rays_end_where_the_distance_first_vanishes),
        cmocka_unit_test(test_farthest_points_bound_the_shape_and_touch_it),
        cmocka_unit_test(test_lowest_point_of_a_leaning_wheel_is_the_closed_form),
        cmocka_unit_test(test_bad_sizes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
