// SPDX-License-Identifier: MIT
// Leaning wheels on ground that is not flat: a slope is turned gravity, and a hollow carries a wheel back and forth.
#include "support/run_model.h"

static const double radius = 0.35, slope = 0.2, gravity = 9.81, speed = 4.0;

// A wheel that leans, steers and rolls uphill; turned: the world is turned by the slope about y, and gravity is not.
static bi_model *rolling_wheel(bool is_turned)
{
    bi_model *m = bi_model_create("slope");
    assert_non_null(m);
    double s = sin(slope), c = cos(slope), h = radius - 0.002, lean = 0.05;
    bi_model_gravity(m, is_turned ? (bi_vec3){ 0, 0, -gravity } : (bi_vec3){ -gravity * s, 0, -gravity * c });
    // about y by minus the slope, then the lean about x
    bi_quat lie = { cos(0.5 * lean), sin(0.5 * lean), 0.0, 0.0 };
    double cy = cos(0.5 * slope), sy = -sin(0.5 * slope);
    bi_quat turned = { cy * lie.w, cy * lie.x, sy * lie.w, -sy * lie.x };
    bi_body wheel = bi_add_body(
        m, &(bi_body_def){
               .name = "wheel",
               .mass = 10.0,
               .inertia = { 0.3, 0.6, 0.3 },
               .pose = { .pos = is_turned ? (bi_vec3){ -h * s, 0, h * c } : (bi_vec3){ 0, 0, h },
                         .rot = is_turned ? turned : lie },
               .twist = { is_turned ? (bi_vec3){ speed * c, 0, speed * s } : (bi_vec3){ speed, 0, 0 },
                          { 0.0, speed / radius, 0.0 } } });
    bi_tyre_lean_def d = {
        .name = "tyre",
        .wheel = { .body = wheel,
                   .radius = radius,
                   .section = 0.02,
                   .section_width = 0.018,
                   .stiffness = 1.2e5,
                   .damping_2 = 1.5e5 },
        .friction = 0.8,
    };
    if (is_turned) {
        bi_model_parameter(m, "slope", slope, NULL);
        d.wheel.surface = bi_expression(m, "tan(slope)*x + 0*y", NULL);
    }
    bi_element tyre = bi_add_tyre_lean(m, &d);
    bi_add_output(m, &(bi_output_def){ .name = "P", .kind = BI_OUT_POINT, .body = wheel });
    bi_add_output(m, &(bi_output_def){ .name = "tyre", .kind = BI_OUT_TYRE, .element = tyre });
    return m;
}

static void compare(bi_coordinates coordinates, bi_scheme scheme, const char *name)
{
    run_model flat = { .model = rolling_wheel(false), .dt = 1e-3, .coordinates = coordinates };
    run_model hilly = { .model = rolling_wheel(true), .dt = 1e-3, .coordinates = coordinates };
    run_compile(&flat, scheme);
    run_compile(&hilly, scheme);
    double place = 0.0, force = 0.0, s = sin(slope), c = cos(slope);
    for (int k = 1; k <= 20; k++) {
        run_to(&flat, 0.05 * k);
        run_to(&hilly, 0.05 * k);
        double x = run_read(&hilly, "P.x"), z = run_read(&hilly, "P.z");
        place = fmax(place, fabs(c * x + s * z - run_read(&flat, "P.x")));
        place = fmax(place, fabs(run_read(&hilly, "P.y") - run_read(&flat, "P.y")));
        place = fmax(place, fabs(c * z - s * x - run_read(&flat, "P.z")));
        static const char *const told[3] = { "tyre.fx", "tyre.fy", "tyre.fz" };
        for (int i = 0; i < 3; i++) {
            force = fmax(force, fabs(run_read(&hilly, told[i]) - run_read(&flat, told[i])));
        }
    }
    char text[64];
    // the same motion in turned axes: rounding, and what the tolerance of the implicit step leaves
    double limit = scheme == BI_ALI3P ? 1e-7 : 1e-10;
    snprintf(text, sizeof text, "slope %s place", name);
    run_expect(text, place, limit);
    snprintf(text, sizeof text, "slope %s force", name);
    run_expect(text, force, 1e5 * limit);
    assert_true(fabs(run_read(&flat, "P.x")) > 1.0 && fabs(run_read(&flat, "P.y")) > 1e-3);
    run_close(&flat);
    run_close(&hilly);
}

static void test_slope_as_a_surface_is_gravity_turned(void **state)
{
    (void)state;
    compare(BI_JOINT, BI_RK4, "joint rk4");
    compare(BI_NATURAL, BI_ALI3P, "natural ali3p");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope_as_a_surface_is_gravity_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
