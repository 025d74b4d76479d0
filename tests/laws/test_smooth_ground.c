// SPDX-License-Identifier: MIT
// A leaning wheel on hills: contact against closed forms, the tangent against differences, Newton's method against the
// passes that other shapes use.
#include "laws/law_bench.h"
#include <biela/io.h>

static const double outer = 0.35, hill = 3.0, stiffness = 1.2e5;

typedef struct {
    const char *surface; // NULL: a road of shapes
    int n_shape;
    const bi_shape *shape;
    double radial, axial;
} ground;

static bi_tyre_lean_def lean_on(bi_model *m, bi_body wheel, const ground *g)
{
    bi_tyre_lean_def d = { .name = "t",
                           .wheel = { .body = wheel,
                                      .radius = outer,
                                      .section = g->radial,
                                      .section_width = g->axial,
                                      .stiffness = stiffness,
                                      .road = { g->n_shape, g->shape } },
                           .friction = 0.8 };
    if (g->surface) {
        d.wheel.surface = bi_expression(m, g->surface, NULL);
    }
    return d;
}

static bench open_on(const char *surface, double radial, double axial)
{
    bi_model *m = bi_model_create("hill");
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    ground g = { .surface = surface, .radial = radial, .axial = axial };
    bi_tyre_lean_def d = lean_on(m, a, &g);
    bi_add_tyre_lean(m, &d);
    return bench_open(m, NULL, 0);
}

static double reading(const bench *b, int tyre, const char *name)
{
    const plan_readings *t = &b->plan.readings[tyre];
    for (int k = 0; k < t->count; k++) {
        if (strcmp(t->name[k], name) == 0) {
            return b->load.scalar[t->scalar + k];
        }
    }
    fail_msg("nothing reading is called %s", name);
    return 0.0;
}

static mat3 random_lean(uint64_t *seed)
{
    // heading, lean up to 40 degrees, a turn about the axle
    mat3 A = quat_to_mat3(quat_exp((vec3){ 0.0, 0.0, 3.0 * bench_random(seed) }));
    A = mat3_multiply(A, quat_to_mat3(quat_exp((vec3){ 0.7 * bench_random(seed), 0.0, 0.0 })));
    return mat3_multiply(A, quat_to_mat3(quat_exp((vec3){ 0.0, 3.0 * bench_random(seed), 0.0 })));
}

// The point of the wheel nearest to the middle of a sphere, or to the axis of a cylinder along y, is known: that of the
// ring nearest to it, and from there the radius of a round section towards it.
static vec3 nearest_of_wheel(vec3 centre, vec3 e, double section, vec3 middle)
{
    vec3 to = vec3_sub(middle, centre);
    to = vec3_add_scaled(to, -vec3_dot(to, e), e);
    vec3 ring = vec3_add_scaled(centre, (outer - section) / vec3_norm(to), to);
    vec3 in = vec3_sub(middle, ring);
    return vec3_add_scaled(ring, section / vec3_norm(in), in);
}

static void test_leaning_wheel_on_a_sphere_touches_at_the_nearest_point(void **state)
{
    (void)state;
    static const double section[2] = { 0.0, 0.05 };
    double worst = 0.0;
    for (int s = 0; s < 2; s++) {
        bench b = open_on("sqrt(9 - x^2 - y^2) - 3", section[s], section[s]);
        uint64_t seed = 3;
        for (int k = 0; k < 60; k++) {
            mat3 A = random_lean(&seed);
            vec3 middle = { 0.0, 0.0, -hill }, e = A.col[1];
            vec3 out = vec3_normalized((vec3){ 1.2 * bench_random(&seed), 1.2 * bench_random(&seed), hill });
            vec3 centre = vec3_add_scaled(middle, hill + 0.25 * outer, out);
            vec3 point = nearest_of_wheel(centre, e, section[s], middle);
            double depth = hill - vec3_norm(vec3_sub(point, middle));
            b.at.axes[0] = A;
            tray_put(&b.at.value[0], centre);
            bench_eval(&b, LAW_EXPLICIT);
            vec3 off = { reading(&b, 0, "x") - point.x, reading(&b, 0, "y") - point.y,
                         reading(&b, 0, "z") - point.z };
            assert_true(depth > 0.0);
            worst = fmax(worst, vec3_norm(off) + fabs(reading(&b, 0, "depth") - depth));
            vec3 n = vec3_normalized(vec3_sub(point, middle));
            vec3 force = tray_vec3(b.load.effort);
            worst = fmax(worst, vec3_norm(vec3_sub(force, vec3_scale(stiffness * depth, n))) / stiffness);
        }
        bench_close(&b);
    }
    printf("measured point on a sphere error=%.3e limit=1e-13\n", worst);
    assert_true(worst <= 1e-13); // Newton to rounding; the lengths are 3 m
}

static void test_upright_wheel_on_a_cylinder_is_as_deep_as_two_circles(void **state)
{
    (void)state;
    bench b = open_on("sqrt(9 - x^2) - 3", 0.02, 0.018);
    double worst = 0.0;
    for (int k = -10; k <= 10; k++) {
        double angle = 0.07 * k, depth = 0.01;
        vec3 n = { sin(angle), 0.0, cos(angle) };
        b.at.axes[0] = mat3_identity();
        tray_put(&b.at.value[0], vec3_add_scaled((vec3){ 0.0, 0.4 * k, -hill }, hill + outer - depth, n));
        bench_eval(&b, LAW_EXPLICIT);
        worst = fmax(worst, fabs(reading(&b, 0, "depth") - depth));
        worst = fmax(worst, fabs(reading(&b, 0, "x") - (hill - depth) * n.x));
        worst = fmax(worst, fabs(reading(&b, 0, "z") + hill - (hill - depth) * n.z));
        worst = fmax(worst, fabs(reading(&b, 0, "y") - 0.4 * k));
    }
    printf("measured point on a cylinder error=%.3e limit=1e-13\n", worst);
    assert_true(worst <= 1e-13);
    bench_close(&b);
}

// An expression without x and y, a plane by its normal, and the slope as an expression.
static void test_slope_as_a_surface_is_the_plane_with_that_normal(void **state)
{
    (void)state;
    static const char *const surface[3] = { "0.15*x - 0.1*y", "0*x + 0*y", "if(1 > 2, sin(x), 0)" };
    static const vec3 normal[3] = { { -0.15, 0.1, 1.0 }, { 0, 0, 1 }, { 0, 0, 1 } };
    for (int k = 0; k < 3; k++) {
        bi_model *m = bi_model_create("slope");
        bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
        ground g = { .surface = surface[k], .radial = 0.02, .axial = 0.018 };
        bi_tyre_lean_def d = lean_on(m, a, &g);
        bi_add_tyre_lean(m, &d);
        d.name = "plane";
        d.wheel.surface.i = 0;
        d.wheel.normal = normal[k];
        bi_add_tyre_lean(m, &d);
        bench b = bench_open(m, NULL, 0);
        uint64_t seed = 9;
        for (int i = 0; i < 20; i++) {
            double x = bench_random(&seed), y = bench_random(&seed);
            b.at.axes[0] = random_lean(&seed);
            tray_put(&b.at.value[0], (vec3){ x, y, -(normal[k].x * x + normal[k].y * y) + 0.7 * outer });
            tray_put(&b.at.rate[0], bench_random_vector(&seed, 2.0));
            tray_put(&b.at.rate[3], bench_random_vector(&seed, 5.0));
            bench_eval(&b, LAW_EXPLICIT);
            assert_true(reading(&b, 0, "fz") > 0.0);
            for (int j = 0; j < b.plan.readings[0].count; j++) {
                double one = b.load.scalar[b.plan.readings[0].scalar + j],
                       other = b.load.scalar[b.plan.readings[1].scalar + j];
                // rounding of the stiffness times lengths of 1 m; the share that sticks is a cube root
                bool is_root = strcmp(b.plan.readings[0].name[j], "stick") == 0;
                double difference = is_root ? one * one * one - other * other * other : one - other;
                assert_true(fabs(difference) <= 1e-9 * (1.0 + fabs(other)));
            }
        }
        bench_close(&b);
    }
}

static void fill_field(bi_shape_def *field, double *height, int n, double step)
{
    for (int k = 0; k < n * n; k++) {
        double x = -2.0 + step * (k % n), y = -2.0 + step * (double)(k / n);
        height[k] = 0.12 * sin(1.1 * x) * cos(0.9 * y) + 0.05 * x;
    }
    *field = (bi_shape_def){ .name = "hill",
                             .type = BI_SHAPE_FIELD,
                             .n_x = n,
                             .n_y = n,
                             .height = height,
                             .first_x = -2.0,
                             .first_y = -2.0,
                             .step_x = step,
                             .step_y = step,
                             .is_smooth = true,
                             .pose = { .pos = { 0.3, -0.2, 0.1 },
                                       .rot = { 0.99498743710662, 0.05, -0.06, 0.06224949798994366 } } };
}

// Newton's method on a smooth field that is turned and shifted, against the passes that serve several shapes: a road of
// the same field and of a box far below.
static void test_smooth_field_is_touched_where_the_passes_find_it(void **state)
{
    (void)state;
    enum { N = 41 };
    static double height[N * N];
    bi_shape_def field;
    fill_field(&field, height, N, 0.1);
    bi_model *m = bi_model_create("field");
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    bi_shape shape[2] = { bi_add_shape(m, &field) };
    shape[1] = bi_add_shape(
        m, &(bi_shape_def){
               .name = "box", .type = BI_SHAPE_BOX, .size = { 1, 1, 1 }, .pose.pos = { 0, 0, -50 } });
    ground one = { .n_shape = 1, .shape = shape, .radial = 0.02, .axial = 0.018 };
    bi_tyre_lean_def d = lean_on(m, a, &one);
    bi_add_tyre_lean(m, &d);
    d.name = "passes";
    d.wheel.road.count = 2;
    bi_add_tyre_lean(m, &d);
    bench b = bench_open(m, NULL, 0);
    uint64_t seed = 11;
    double worst = 0.0;
    int touching = 0;
    for (int k = 0; k < 100; k++) {
        double x = 1.2 * bench_random(&seed), y = 1.2 * bench_random(&seed);
        b.at.axes[0] = random_lean(&seed);
        tray_put(&b.at.value[0],
                 (vec3){ x, y, 0.1 + 0.12 * sin(1.1 * x) * cos(0.9 * y) + 0.17 * x - 0.1 * y + 0.8 * outer });
        bench_eval(&b, LAW_EXPLICIT);
        touching += reading(&b, 0, "fz") > 0.0;
        static const char *const name[4] = { "x", "y", "z", "depth" };
        for (int i = 0; i < 4; i++) {
            worst = fmax(worst, fabs(reading(&b, 0, name[i]) - reading(&b, 1, name[i])));
        }
    }
    printf("measured Newton against passes error=%.3e limit=1e-11, %d touch\n", worst, touching);
    // the passes end when the normal changes by 1e-14; each leaves a third of its error at the sharpest place
    assert_true(worst <= 1e-11);
    assert_true(touching > 40);
    bench_close(&b);
}

static void expect_tangent(bench *b, double limit)
{
    bench_eval(b, LAW_TANGENT);
    double tangent[2][36], force = bench_largest(b->load.effort, 6);
    memcpy(tangent[0], b->load.K, sizeof tangent[0]);
    memcpy(tangent[1], b->load.C, sizeof tangent[1]);
    for (int by = 0; by < 2; by++) {
        for (int j = 0; j < 6; j++) {
            static const double h = 1e-6;
            double column[6] = { 0 };
            bench_state home = bench_keep(b);
            for (int side = -1; side <= 1; side += 2) {
                if (by == 0) {
                    bench_nudge(b, j, side * h);
                } else {
                    b->at.rate[j] += side * h;
                }
                bench_eval(b, 0);
                for (int i = 0; i < 6; i++) {
                    column[i] -= side * b->load.effort[i] / (2.0 * h);
                }
                bench_restore(&home, b);
            }
            bench_forget(&home);
            for (int i = 0; i < 6; i++) {
                double size = bench_largest(tangent[by], 36) + force;
                assert_true(fabs(column[i] - tangent[by][6 * i + j]) <= limit * size);
            }
        }
    }
}

static void test_tangent_on_hills_equals_differences(void **state)
{
    (void)state;
    enum { N = 41 };
    static double height[N * N];
    for (int is_field = 0; is_field < 2; is_field++) {
        bi_model *m = bi_model_create("hill");
        bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
        bi_shape_def field;
        fill_field(&field, height, N, 0.1);
        field.pose = (bi_pose){ .pos = { 0.3, -0.2, 0.0 }, .rot = { 0.8, 0.0, 0.0, 0.6 } };
        bi_shape shape = bi_add_shape(m, &field);
        ground g = { .surface = is_field ? NULL : "0.12*sin(1.1*x)*cos(0.9*y) + 0.05*x",
                     .n_shape = is_field,
                     .shape = &shape,
                     .radial = 0.02,
                     .axial = 0.018 };
        bi_tyre_lean_def d = lean_on(m, a, &g);
        d.wheel.damping_2 = 1.5e5;
        bi_add_tyre_lean(m, &d);
        bench b = bench_open(m, NULL, 0);
        b.u.h = 2e-3;
        uint64_t seed = 13;
        int touching = 0;
        for (int k = 0; k < 20; k++) {
            double x = 0.8 * bench_random(&seed), y = 0.8 * bench_random(&seed),
                   lean = 0.5 * bench_random(&seed);
            b.at.axes[0] = mat3_multiply(quat_to_mat3(quat_exp((vec3){ 0.0, 0.0, bench_random(&seed) })),
                                         quat_to_mat3(quat_exp((vec3){ lean, 0.0, 0.0 })));
            double z = is_field ? 0.05 : 0.12 * sin(1.1 * x) * cos(0.9 * y) + 0.05 * x;
            tray_put(&b.at.value[0], (vec3){ x, y, z + (is_field ? 0.8 : 0.95) * outer * cos(lean) });
            vec3 ahead = vec3_scale(4.0, vec3_cross(b.at.axes[0].col[1], (vec3){ 0, 0, 1 }));
            tray_put(&b.at.rate[0], vec3_add(ahead, bench_random_vector(&seed, 0.05)));
            tray_put(&b.at.rate[3], vec3_scale(4.0 / outer, b.at.axes[0].col[1]));
            bench_eval(&b, 0);
            if (reading(&b, 0, "fz") > 100.0) {
                touching++;
                // truncation (1e-6 over 1e-3 m)^2 and rounding 1e-16/1e-6 of forces; a field bends in steps
                expect_tangent(&b, is_field ? 3e-5 : 1e-6);
            }
        }
        assert_true(touching > 5);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaning_wheel_on_a_sphere_touches_at_the_nearest_point),
        cmocka_unit_test(test_upright_wheel_on_a_cylinder_is_as_deep_as_two_circles),
        cmocka_unit_test(test_slope_as_a_surface_is_the_plane_with_that_normal),
        cmocka_unit_test(test_smooth_field_is_touched_where_the_passes_find_it),
        cmocka_unit_test(test_tangent_on_hills_equals_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
