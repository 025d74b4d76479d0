// SPDX-License-Identifier: MIT
// Wheels on roads that are not a plane: hills, height fields, meshes, patches of other friction.
#include "laws/tyre_bench.h"

static const double hill = 2.0, ball = 0.3;

static bi_tyre_linear_def road_tyre(bi_body wheel, const bi_shape *road)
{
    return (bi_tyre_linear_def){
        .name = "t",
        .wheel = { .body = wheel, .radius = ball, .section = ball, .stiffness = 1e5, .road = { 1, road } },
        .carcass = { 1e5, 500.0, 1e5, 500.0, 0.0 },
        .friction = 0.8
    };
}

// A wheel with this section on a round hill.
static bench bench_on_hill(double section, double section_width)
{
    bi_model *m = bi_model_create("tyre");
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    bi_shape road = bi_add_shape(
        m, &(bi_shape_def){
               .name = "hill", .type = BI_SHAPE_SPHERE, .radius = hill, .pose.pos = { 0.0, 0.0, -hill } });
    bi_tyre_linear_def d = road_tyre(a, &road);
    d.wheel.section = section;
    d.wheel.section_width = section_width;
    bi_add_tyre_linear(m, &d);
    return bench_open(m, NULL, 0);
}

// A ball on a ball: depth and normal are those of two spheres.
static void test_wheel_on_a_round_hill_is_as_deep_as_two_balls(void **state)
{
    (void)state;
    bench b = bench_on_hill(ball, 0.0);
    uint64_t seed = 5;
    for (int k = 0; k < 40; k++) {
        vec3 from = { 0.9 * bench_random(&seed), 0.9 * bench_random(&seed), 0.0 };
        vec3 n = vec3_normalized((vec3){ from.x, from.y, hill });
        double depth = 0.02 * (1.1 + bench_random(&seed));
        vec3 centre = vec3_add_scaled((vec3){ 0.0, 0.0, -hill }, hill + ball - depth, n);
        b.at.axes[0] = bench_random_turn(&seed);
        tray_put(&b.at.value[0], centre);
        bench_eval(&b, LAW_EXPLICIT);
        vec3 off = vec3_sub(tray_vec3(b.load.effort), vec3_scale(1e5 * depth, n));
        // passes gain a factor 0.3 / 2.3; the search ends at 1e-14 of the normal
        assert_true(vec3_norm(off) <= 1e-8 && fabs(reading(&b, "depth") - depth) <= 1e-13);
    }
    bench_close(&b);
}

// On curved ground the tangent carries the turning of the normal, and the force is the gradient of its energy.
static void test_wheel_on_a_round_hill_has_its_tangent_and_energy(void **state)
{
    (void)state;
    bench b = bench_on_hill(0.06, 0.09);
    b.u.h = 2e-3;
    uint64_t seed = 5;
    for (int k = 0; k < 20; k++) {
        b.at.axes[0] = turn_about(0, 0.3 * bench_random(&seed));
        tray_put(&b.at.value[0], (vec3){ 0.1 * bench_random(&seed), 0.1 * bench_random(&seed), 0.27 });
        tray_put(&b.at.rate[0], vec3_add((vec3){ 3.0, 0.0, 0.0 }, bench_random_vector(&seed, 0.3)));
        tray_put(&b.at.rate[3], vec3_add((vec3){ 0.0, 10.0, 0.0 }, bench_random_vector(&seed, 0.3)));
        b.z_old[0] = 1e-3 * bench_random(&seed);
        b.z_old[1] = 1e-3 * bench_random(&seed);
        bench_eval(&b, LAW_TANGENT);
        double tangent[2][36], force = bench_largest(b.load.effort, 6);
        memcpy(tangent[0], b.load.K, sizeof tangent[0]);
        memcpy(tangent[1], b.load.C, sizeof tangent[1]);
        assert_true(reading(&b, "fz") > 0.0);
        for (int by = 0; by < 2; by++) {
            for (int j = 0; j < 6; j++) {
                static const double h = 1e-5;
                double column[6] = { 0 };
                bench_state home = bench_keep(&b);
                for (int side = -1; side <= 1; side += 2) {
                    if (by == 0) {
                        bench_nudge(&b, j, side * h);
                    } else {
                        b.at.rate[j] += side * h;
                    }
                    bench_eval(&b, 0);
                    for (int i = 0; i < 6; i++) {
                        column[i] -= side * b.load.effort[i] / (2.0 * h);
                    }
                    bench_restore(&home, &b);
                }
                bench_forget(&home);
                for (int i = 0; i < 6; i++) {
                    // truncation (1e-5 over 1e-2 m)^2, the law's own differences of the normal likewise
                    double size = bench_largest(tangent[by], 36) + force;
                    assert_true(fabs(column[i] - tangent[by][6 * i + j]) <= 1e-5 * size);
                }
            }
        }
        // the normal force alone: power against the change of its potential over 1e-5 s
        bench_eval(&b, 0);
        double power = 0.0, change = 0.0, step = 1e-5;
        for (int i = 0; i < 6; i++) {
            power += b.load.effort[i] * b.at.rate[i];
        }
        double now = bench_energy(&b).power;
        bench_state home = bench_keep(&b);
        for (int side = -1; side <= 1; side += 2) {
            bench_drift(&b, side * step);
            for (int i = 0; i < 2; i++) {
                b.z[i] += side * step * b.dz[i];
            }
            change += side * bench_energy(&b).potential / (2.0 * step);
            for (int i = 0; i < 2; i++) {
                b.z[i] -= side * step * b.dz[i];
            }
            bench_restore(&home, &b);
        }
        bench_forget(&home);
        assert_true(fabs(power - now + change) <= 1e-6 * (fabs(power) + fabs(now)));
    }
    bench_close(&b);
}

// Height field and mesh of a slope carry the wheel like the plane of that slope; off their edge there is no ground.
static void test_wheel_on_field_and_mesh_of_a_slope_feels_the_plane(void **state)
{
    (void)state;
    static const double slope = 0.2;
    static const double height[4] = { -2.0 * 0.2, 2.0 * 0.2, -2.0 * 0.2, 2.0 * 0.2 };
    static const bi_vec3 corner[4] = { { -2, -2, -0.4 }, { 2, -2, 0.4 }, { -2, 2, -0.4 }, { 2, 2, 0.4 } };
    static const int32_t facet[2][3] = { { 0, 1, 3 }, { 0, 3, 2 } };
    const bi_shape_def ground[2] = { { .name = "road",
                                       .type = BI_SHAPE_FIELD,
                                       .n_x = 2,
                                       .n_y = 2,
                                       .height = height,
                                       .first_x = -2.0,
                                       .first_y = -2.0,
                                       .step_x = 4.0,
                                       .step_y = 4.0 },
                                     { .name = "road",
                                       .type = BI_SHAPE_MESH,
                                       .n_vertex = 4,
                                       .n_triangle = 2,
                                       .vertex = corner,
                                       .triangle = facet } };
    for (int k = 0; k < 2; k++) {
        bi_model *m = bi_model_create("tyre");
        bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
        bi_shape road = bi_add_shape(m, &ground[k]);
        bi_tyre_linear_def d = road_tyre(a, &road);
        d.wheel.section = 0.05;
        bi_add_tyre_linear(m, &d);
        d.name = "plane";
        d.wheel.road.count = 0;
        d.wheel.normal = (vec3){ -slope, 0.0, 1.0 };
        bi_add_tyre_linear(m, &d);
        bench b = bench_open(m, NULL, 0);
        uint64_t seed = 7;
        for (int i = 0; i < 20; i++) {
            double x = 1.2 * bench_random(&seed), y = 1.2 * bench_random(&seed);
            b.at.axes[0] = turn_about(2, 3.0 * bench_random(&seed));
            tray_put(&b.at.value[0], (vec3){ x, y, slope * x + 0.29 });
            tray_put(&b.at.rate[0], bench_random_vector(&seed, 1.0));
            tray_put(&b.at.rate[3], bench_random_vector(&seed, 3.0));
            bench_eval(&b, LAW_EXPLICIT);
            const plan_readings *t = b.plan.readings;
            for (int j = 0; j < t[0].count; j++) {
                double one = b.load.scalar[t[0].scalar + j], other = b.load.scalar[t[1].scalar + j];
                assert_true(fabs(one - other) <= 1e-9 * (1.0 + fabs(other)));
            }
            assert_true(reading(&b, "fz") > 0.0);
        }
        tray_put(&b.at.value[0], (vec3){ 5.0, 0.0, slope * 5.0 + 0.29 });
        bench_eval(&b, LAW_EXPLICIT);
        assert_true(reading(&b, "fz") == 0.0);
        bench_close(&b);
    }
}

// Dry, half as slippery in a square, ice in a strip of it: the last patch that fits counts.
static void test_patches_of_the_ground_scale_the_friction(void **state)
{
    (void)state;
    static const vec3 place[3] = { { 20.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 1.0, 0.5, 0.0 } };
    static const double factor[3] = { 1.0, 0.5, 0.1 };
    bi_model *m = bi_model_create("tyre");
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    bi_shape none = { 0 };
    bi_tyre_linear_def d = road_tyre(a, &none);
    d.wheel.road.count = 0;
    bi_add_tyre_linear(m, &d);
    bi_add_patch(m, &(bi_patch_def){ .name = "wet", .size = { 18.0, 18.0 }, .friction = 0.5 });
    bi_add_patch(m,
                 &(bi_patch_def){
                     .name = "ice", .pose.pos = { 1.25, 0.0, 0.0 }, .size = { 1.5, 2.0 }, .friction = 0.1 });
    bench b = bench_open(m, NULL, 0);
    for (int k = 0; k < 3; k++) {
        b.at.axes[0] = mat3_identity();
        tray_put(&b.at.value[0], vec3_add(place[k], (vec3){ 0.0, 0.0, ball - 0.01 }));
        // locked, sliding along x
        tray_put(&b.at.rate[0], (vec3){ 3.0, 0.0, 0.0 });
        tray_put(&b.at.rate[3], (vec3){ 0.0, 1e-9, 0.0 });
        bench_eval(&b, LAW_START | LAW_EXPLICIT);
        assert_true(fabs(reading(&b, "fx") + 0.8 * factor[k] * reading(&b, "fz")) <= 1e-9);
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wheel_on_a_round_hill_is_as_deep_as_two_balls),
        cmocka_unit_test(test_wheel_on_a_round_hill_has_its_tangent_and_energy),
        cmocka_unit_test(test_wheel_on_field_and_mesh_of_a_slope_feels_the_plane),
        cmocka_unit_test(test_patches_of_the_ground_scale_the_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
