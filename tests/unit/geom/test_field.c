// SPDX-License-Identifier: MIT
// Height fields against the functions they were made from, and against dense samples.
#include "support/geom_room.h"
#include "unit/geom/geom_test.h"

enum { N_X = 21, N_Y = 17 };

static double *heights(double (*of)(double, double))
{
    double *h = malloc(N_X * N_Y * sizeof *h);
    for (int k = 0; k < N_X * N_Y; k++) {
        h[k] = of(-1.0 + 0.1 * (k % N_X), -0.8 + 0.1 * (int)(k / N_X));
    }
    return h;
}

static geom_field field_over(const double *h, geom_smoothness smoothness)
{
    geom_field f = { N_X, N_Y, 0.1, 0.1, -1.0, -0.8, h, smoothness, 0.0, 0.0 };
    assert_null(geom_field_measure(&f));
    return f;
}

static double slope(double x, double y) { return 0.3 + 0.2 * x - 0.1 * y; }
static double twisted(double x, double y) { return 0.5 * x * y + 0.1 * x; }
static double hills(double x, double y) { return 0.2 * math_sin(3.0 * x) * math_cos(2.5 * y); }
static double groove(double x, double y) { return fabs(x) + 0.0 * y; }

static void test_heights_and_slopes_are_those_of_the_function(void **state)
{
    (void)state;
    chance c = { 11 };
    double *flat = heights(slope), *twist = heights(twisted), *wave = heights(hills);
    geom_field plane[2] = { field_over(flat, GEOM_BILINEAR), field_over(flat, GEOM_BICUBIC) };
    geom_field saddle = field_over(twist, GEOM_BILINEAR), smooth = field_over(wave, GEOM_BICUBIC);
    for (int n = 0; n < 500; n++) {
        double x = chance_in(&c, -1.0, 1.0), y = chance_in(&c, -0.8, 0.8), h, s[2];
        for (int k = 0; k < 2; k++) {
            assert_true(geom_field_height(&plane[k], x, y, &h, s));
            assert_near(h, slope(x, y), 1e-14);
            assert_near(s[0], 0.2, 1e-12);
            assert_near(s[1], -0.1, 1e-12);
        }
        geom_field_height(&saddle, x, y, &h, s);
        assert_near(h, twisted(x, y), 1e-14);
        assert_near(s[0], 0.5 * y + 0.1, 1e-12);
        // Catmull-Rom inside the grid: error of third order, 0.2 (3 * 0.1)^3
        if (fabs(x) < 0.9 && fabs(y) < 0.7) {
            geom_field_height(&smooth, x, y, &h, s);
            assert_near(h, hills(x, y), 5e-3);
        }
    }
    free(flat);
    free(twist);
    free(wave);
}

static void test_bicubic_slopes_are_continuous_over_the_lines_of_the_grid(void **state)
{
    (void)state;
    double *wave = heights(hills);
    geom_field f = field_over(wave, GEOM_BICUBIC);
    for (int k = 1; k < 20; k++) {
        double h[2], s[2][2], x = -1.0 + 0.1 * k;
        geom_field_height(&f, x - 1e-9, 0.033, &h[0], s[0]);
        geom_field_height(&f, x + 1e-9, 0.033, &h[1], s[1]);
        assert_near(h[0], h[1], 1e-8);
        assert_near(s[0][0], s[1][0], 1e-6);
        assert_near(s[0][1], s[1][1], 1e-6);
    }
    free(wave);
}

static void test_nearest_point_beats_dense_samples(void **state)
{
    (void)state;
    chance c = { 12 };
    double *wave = heights(hills);
    for (int k = 0; k < 2; k++) {
        geom_field f = field_over(wave, k ? GEOM_BICUBIC : GEOM_BILINEAR);
        for (int n = 0; n < 60; n++) {
            vec3 p = { chance_in(&c, -1.2, 1.2), chance_in(&c, -1.0, 1.0), chance_in(&c, -0.6, 0.6) };
            geom_near near = geom_field_near(&f, p, INFINITY);
            double best = INFINITY, h, s[2];
            for (int i = 0; i <= 400; i++) {
                for (int j = 0; j <= 320; j++) {
                    double x = -1.0 + 0.005 * i, y = -0.8 + 0.005 * j;
                    geom_field_height(&f, x, y, &h, s);
                    best = fmin(best, vec3_norm(vec3_sub(p, (vec3){ x, y, h })));
                }
            }
            assert_true(fabs(near.distance) <= best + 1e-12);
            assert_near(fabs(near.distance), best, 5e-3);
            geom_field_height(&f, near.point.x, near.point.y, &h, s);
            assert_near(near.point.z, h, 1e-12);
            if (geom_field_height(&f, p.x, p.y, &h, s)) {
                assert_true((near.distance < 0.0) == (p.z < h));
            }
        }
    }
    free(wave);
}

static void test_rays_end_on_the_surface(void **state)
{
    (void)state;
    chance c = { 13 };
    double *wave = heights(hills);
    int hits = 0;
    for (int k = 0; k < 2; k++) {
        geom_field f = field_over(wave, k ? GEOM_BICUBIC : GEOM_BILINEAR);
        for (int n = 0; n < 300; n++) {
            vec3 o = { chance_in(&c, -1.0, 1.0), chance_in(&c, -0.8, 0.8), 1.0 }, d = chance_vec3(&c, 1.0);
            d.z = -fabs(d.z) - 0.05;
            geom_hit hit = geom_field_ray(&f, o, d, 20.0);
            // walk: the first step below
            double first = INFINITY, h, s[2];
            for (int i = 0; i < 4000 && isinf(first); i++) {
                vec3 p = vec3_add_scaled(o, i * 0.005, d);
                first = geom_field_height(&f, p.x, p.y, &h, s) && p.z < h ? i * 0.005 : first;
            }
            if (!isinf(first)) {
                assert_true(hit.is_hit);
                assert_true(hit.t <= first);
                vec3 p = vec3_add_scaled(o, hit.t, d);
                geom_field_height(&f, p.x, p.y, &h, s);
                assert_near(p.z, h, 1e-12);
                hits++;
            }
        }
    }
    assert_true(hits > 100);
    free(wave);
}

static int drop_ball(const geom_field *f, vec3 centre, double radius, geom_contact item[16])
{
    geom_shape ball = { .kind = GEOM_SPHERE, .radius = radius }, ground = { .kind = GEOM_FIELD, .field = f };
    geom_contacts out = { .item = item, .capacity = 16, .room = test_room() };
    geom_pose pa = { mat3_identity(), centre }, pb = geom_pose_identity();
    geom_collide(&ball, &pa, &ground, &pb, NULL, &out);
    assert_false(out.is_full);
    return out.count;
}

static void test_ball_on_a_slope_touches_once_along_the_normal(void **state)
{
    (void)state;
    chance c = { 14 };
    double *flat = heights(slope);
    for (int k = 0; k < 2; k++) {
        geom_field f = field_over(flat, k ? GEOM_BICUBIC : GEOM_BILINEAR);
        vec3 n = vec3_normalized((vec3){ -0.2, 0.1, 1.0 });
        for (int i = 0; i < 100; i++) {
            double x = chance_in(&c, -0.5, 0.5), y = chance_in(&c, -0.4, 0.4),
                   depth = chance_in(&c, 1e-4, 0.02);
            // also exactly over nodes and lines of the grid
            x = i % 3 == 0 ? 0.1 * floor(10.0 * x) : x;
            y = i % 6 == 0 ? 0.1 * floor(10.0 * y) : y;
            vec3 at = { x, y, slope(x, y) };
            geom_contact item[16];
            assert_int_equal(drop_ball(&f, vec3_add_scaled(at, 0.25 - depth, n), 0.25, item), 1);
            assert_near(item[0].depth, depth, 1e-9);
            assert_vec3_near(item[0].normal, n, 1e-7);
            assert_near(item[0].area, PI * depth * (0.5 - depth), 1e-8);
        }
    }
    free(flat);
}

static void test_ball_in_a_groove_touches_twice(void **state)
{
    (void)state;
    double *v = heights(groove);
    geom_field f = field_over(v, GEOM_BILINEAR);
    geom_contact item[16];
    // sides at 45 degrees: the middle of the ball stands sqrt(2) r over the bottom
    assert_int_equal(drop_ball(&f, (vec3){ 0.0, 0.033, sqrt(2.0) * (0.2 - 0.01) }, 0.2, item), 2);
    for (int k = 0; k < 2; k++) {
        assert_near(item[k].depth, 0.01, 1e-9);
        assert_near(fabs(item[k].normal.x), sqrt(0.5), 1e-7);
        assert_near(item[k].normal.z, sqrt(0.5), 1e-7);
    }
    assert_true(item[0].normal.x * item[1].normal.x < 0.0);
    // sunk below the surface it is pushed out by the nearest way
    assert_int_equal(drop_ball(&f, (vec3){ 0.3, 0.033, 0.2 }, 0.2, item), 1);
    assert_near(item[0].depth, 0.2 + 0.1 * sqrt(0.5), 1e-9);
    free(v);
}

static void test_bad_fields_are_told(void **state)
{
    (void)state;
    double h[4] = { 0.0, 1.0, NAN, 0.0 };
    geom_field f = { 2, 2, 0.1, 0.1, 0.0, 0.0, h, GEOM_BILINEAR, 0.0, 0.0 };
    assert_non_null(geom_field_measure(&f));
    h[2] = 0.0;
    assert_null(geom_field_measure(&f));
    f.d_x = 0.0;
    assert_non_null(geom_field_measure(&f));
    f.n_x = 1;
    assert_non_null(geom_field_measure(&f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_and_slopes_are_those_of_the_function),
        cmocka_unit_test(test_bicubic_slopes_are_continuous_over_the_lines_of_the_grid),
        cmocka_unit_test(test_nearest_point_beats_dense_samples),
        cmocka_unit_test(test_rays_end_on_the_surface),
        cmocka_unit_test(test_ball_on_a_slope_touches_once_along_the_normal),
        cmocka_unit_test(test_ball_in_a_groove_touches_twice),
        cmocka_unit_test(test_bad_fields_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
