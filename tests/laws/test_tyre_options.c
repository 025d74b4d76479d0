// SPDX-License-Identifier: MIT
// What tyres may do besides (tyre.66 .. tyre.70): they lose their air and stand on the rim, get warm, carry the load aside.
#include "laws/tyre_bench.h"
#include <math.h>

static const double radius = 0.3, stiffness = 2e5, weight = 3000.0;

static bench open_with(bi_wheel more, double leak)
{
    bi_model *m = bi_model_create("tyre");
    more.body = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    more.radius = radius;
    more.rolling_radius = radius;
    more.stiffness = stiffness;
    if (leak > 0.0) {
        more.leak = bi_constant(m, leak);
    }
    bi_add_tyre_linear(m, &(bi_tyre_linear_def){ .name = "t",
                                                 .wheel = more,
                                                 .carcass = { 5e5, 2000.0, 4e5, 2000.0, 0.0 },
                                                 .friction = 0.8,
                                                 .critical_slip = 0.1 });
    return bench_open(m, NULL, 0);
}

// The wheel that deep; the velocity of its tread against the ground, and its rolling speed.
static void drive(bench *b, double depth, double slip_x, double slip_y, double roll)
{
    b->at.axes[0] = mat3_identity();
    tray_put(&b->at.value[0], (vec3){ 0.0, 0.0, radius - depth });
    tray_put(&b->at.rate[0], (vec3){ slip_x + roll, slip_y, 0.0 });
    tray_put(&b->at.rate[3], (vec3){ 0.0, roll / radius, 0.0 });
}

// A deflection that rests, so that forces are those of steady motion.
static void rest(bench *b)
{
    bench_eval(b, LAW_EXPLICIT | LAW_START);
    for (int k = b->plan.n_z - 2; k < b->plan.n_z; k++) {
        b->z_old[k] = b->z[k];
    }
    bench_eval(b, LAW_EXPLICIT);
}

static void near(const char *what, double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-9 * fabs(wanted) + 1e-12)) {
        fail_msg("%s: %.12g instead of %.12g", what, value, wanted);
    }
}

static void test_load_acts_aside_by_the_side_force(void **state)
{
    (void)state;
    static const double sideways = 1e5;
    double mx[2], fy = 0.0;
    for (int k = 0; k < 2; k++) {
        bench b = open_with((bi_wheel){ .overturning = k ? sideways : 0.0 }, 0.0);
        drive(&b, weight / stiffness, 0.0, -0.5, 10.0);
        rest(&b);
        mx[k] = reading(&b, "mx");
        fy = reading(&b, "fy");
        bench_close(&b);
    }
    // half of the critical slip to the right: half of the friction to the left, and the load left of the middle
    near("side force", fy, 0.5 * 0.8 * weight);
    near("moment without", mx[0], 0.0);
    near("moment with", mx[1], weight * fy / sideways);
}

static void test_without_air_the_rim_carries_it(void **state)
{
    (void)state;
    bench b = open_with((bi_wheel){ .rolling_resistance = 0.01,
                                    .flat_stiffness = 0.2,
                                    .flat_grip = 0.4,
                                    .flat_resistance = 5.0,
                                    .rim_radius = 0.25,
                                    .rim_stiffness = 1e6 },
                        3.0);
    // memory of a tread, air
    assert_int_equal(b.plan.n_z, 3);
    int lost = b.plan.n_z - 3;
    drive(&b, 0.06, 0.0, -5.0, 10.0);
    rest(&b);
    near("full", reading(&b, "fz"), 0.06 * stiffness + 0.01 * 1e6);
    near("air at first", reading(&b, "air"), 1.0);
    near("rate of the leak at first", b.dz[lost], 3.0);
    b.z_old[lost] = 0.5;
    rest(&b);
    double fz = 0.06 * stiffness * 0.6 + 0.01 * 1e6;
    near("half full", reading(&b, "fz"), fz);
    near("grip of half the air", reading(&b, "fy"), 0.7 * 0.8 * fz);
    near("rolling resistance of half the air", reading(&b, "my"), -3.0 * 0.01 * fz * radius);
    near("air that is left", reading(&b, "air"), 0.5);
    near("rate of the leak", b.dz[lost], 1.5);
    b.z_old[lost] = 1.0;
    rest(&b);
    near("flat", reading(&b, "fz"), 0.06 * stiffness * 0.2 + 0.01 * 1e6);
    bench_close(&b);
}

// The spring that is lost is told as power: k' depth^2/2.
static void test_air_takes_the_energy_of_its_spring_along(void **state)
{
    (void)state;
    bench b = open_with((bi_wheel){ .flat_stiffness = 0.2 }, 3.0);
    drive(&b, 0.02, 0.0, 0.0, 0.0);
    int lost = b.plan.n_z - 3;
    b.z[lost] = b.z_old[lost] = 0.25;
    bench_eval(&b, LAW_EXPLICIT);
    law_energy e = bench_energy(&b);
    near("potential", e.potential, 0.5 * stiffness * 0.8 * 0.02 * 0.02);
    near("power", e.power, -0.5 * stiffness * 0.8 * 3.0 * 0.75 * 0.02 * 0.02);
    bench_close(&b);
}

static void test_sliding_and_rolling_warm_it(void **state)
{
    (void)state;
    bench b = open_with((bi_wheel){ .rolling_resistance = 0.01,
                                    .heat_capacity = 1e4,
                                    .heat_share = 0.6,
                                    .cooling = 30.0,
                                    .cooling_speed = 4.0,
                                    .best_warm = 50.0,
                                    .warm_width = 50.0 },
                        0.0);
    int warm = b.plan.n_z - 3;
    // cold, half of the friction is left: it slides across with 5 m/s
    drive(&b, weight / stiffness, 0.0, -5.0, 10.0);
    rest(&b);
    near("friction of a cold tyre", reading(&b, "fy"), 0.5 * 0.8 * weight);
    double gains = 0.6 * 0.5 * 0.8 * weight * 5.0 + 0.01 * weight * 10.0;
    near("warming", b.dz[warm], gains / 1e4);
    // the best temperature, and as far beyond it
    b.z_old[warm] = 50.0;
    rest(&b);
    near("friction of a warm tyre", reading(&b, "fy"), 0.8 * weight);
    near("temperature told", reading(&b, "warm"), 50.0);
    double loses = (30.0 + 4.0 * hypot(10.0, 5.0)) * 50.0;
    gains = 0.6 * 0.8 * weight * 5.0 + 0.01 * weight * 10.0;
    near("cooling", b.dz[warm], (gains - loses) / 1e4);
    b.z_old[warm] = 100.0;
    rest(&b);
    near("friction of a hot tyre", reading(&b, "fy"), 0.5 * 0.8 * weight);
    bench_close(&b);
}

// A tyre without any of it has no states and tells nothing of them.
static void test_options_that_are_off_cost_nothing(void **state)
{
    (void)state;
    bench b = open_with((bi_wheel){ .rolling_resistance = 0.01 }, 0.0);
    assert_int_equal(b.plan.n_z, 2);
    for (int k = 0; k < b.plan.readings[0].count; k++) {
        assert_string_not_equal(b.plan.readings[0].name[k], "air");
        assert_string_not_equal(b.plan.readings[0].name[k], "warm");
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_acts_aside_by_the_side_force),
        cmocka_unit_test(test_without_air_the_rim_carries_it),
        cmocka_unit_test(test_air_takes_the_energy_of_its_spring_along),
        cmocka_unit_test(test_sliding_and_rolling_warm_it),
        cmocka_unit_test(test_options_that_are_off_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
