// SPDX-License-Identifier: MIT
// The motor torque of a rod guided about a fixed pin under gravity: M = I phi'' + m g (l/2) cos(phi).
#include "support/run_model.h"

static const double mass = 2.0, length = 0.8, gravity = 9.81;

typedef struct {
    const char *name, *value; // what the guide prescribes
    double (*angle)(double t), (*acceleration)(double t);
} motion;

static double constant_angle(double t) { return 0.3 + 2.0 * run_pi * t; }
static double constant_acceleration(double t) { return 0.0 * t; }
static double faster_angle(double t) { return 0.3 + 10.0 * t * t; }
static double faster_acceleration(double t) { return 20.0 + 0.0 * t; }
static double sine_angle(double t) { return 0.8 * sin(3.0 * run_pi * t); }
static double sine_acceleration(double t) { return -0.8 * 9.0 * run_pi * run_pi * sin(3.0 * run_pi * t); }

static const motion constant = { "constant speed", "0.3 + 2*pi*t", constant_angle, constant_acceleration };
static const motion faster = { "accelerating", "0.3 + 10*t^2", faster_angle, faster_acceleration };
static const motion sine = { "sine", "0.8*sin(3*pi*t)", sine_angle, sine_acceleration };

static bi_model *guided_rod(const motion *what)
{
    bi_model *model = bi_model_create("guided rod");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, -gravity, 0.0 });
    double start = what->angle(0.0), inertia = mass * length * length / 12.0;
    bi_body rod = bi_add_body(model, &(bi_body_def){
                                         .name = "rod",
                                         .mass = mass,
                                         .com = { length / 2.0, 0.0, 0.0 },
                                         .inertia = { 0.0, inertia, inertia },
                                         .pose.rot = { cos(start / 2.0), 0.0, 0.0, sin(start / 2.0) },
                                     });
    bi_joint pin = bi_add_joint(
        model, &(bi_joint_def){
                   .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0.0, 0.0, 1.0 } });
    bi_expr value = bi_expression(model, what->value, NULL);
    bi_element motor = bi_add_guide(model, &(bi_guide_def){ .name = "motor", .joint = pin, .value = value });
    bi_add_output(model, &(bi_output_def){ .name = "pin", .kind = BI_OUT_JOINT, .joint = pin });
    bi_add_output(model, &(bi_output_def){ .name = "motor", .kind = BI_OUT_EFFORT, .element = motor });
    return model;
}

// Largest error of the torque over one second, at every step, against the largest torque.
static double torque_error(const motion *what, double dt)
{
    run_model run = run_start(guided_rod(what), BI_ALI3P, dt, 1.0);
    double worst = 0.0, scale = 0.0;
    while (run_now(&run) < run.time - 0.5 * dt) {
        run_step(&run);
        double t = run_now(&run);
        double wanted = mass * length * length / 3.0 * what->acceleration(t) +
                        mass * gravity * length / 2.0 * cos(what->angle(t));
        double error = fabs(run_read(&run, "motor") - wanted);
        worst = error <= worst ? worst : error;
        scale = fmax(scale, fabs(wanted));
        assert_true(fabs(run_read(&run, "pin.angle") - what->angle(t)) <= 1e-8);
    }
    run_close(&run);
    return worst / scale;
}

static void expect_torque(const motion *what)
{
    static const double dt[] = { 1e-2, 1e-3, 1e-4 };
    for (int k = 0; k < 3; k++) {
        char name[64];
        snprintf(name, sizeof name, "guided rod, %s dt=%.0e", what->name, dt[k]);
        run_expect(name, torque_error(what, dt[k]), 1e-6);
    }
}

static void test_guided_rod_at_constant_speed_gives_the_motor_torque(void **state)
{
    (void)state;
    expect_torque(&constant);
}

static void test_guided_rod_getting_faster_gives_the_motor_torque(void **state)
{
    (void)state;
    expect_torque(&faster);
}

static void test_guided_rod_swinging_as_a_sine_gives_the_motor_torque(void **state)
{
    (void)state;
    expect_torque(&sine);
}

static void test_guided_rod_at_the_start_already_gives_the_motor_torque(void **state)
{
    (void)state;
    run_model run = run_start(guided_rod(&faster), BI_ALI3P, 1e-3, 1.0);
    double wanted = mass * length * length / 3.0 * 20.0 + mass * gravity * length / 2.0 * cos(0.3);
    run_expect("guided rod, start", fabs(run_read(&run, "motor") - wanted) / wanted, 1e-6);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guided_rod_at_constant_speed_gives_the_motor_torque),
        cmocka_unit_test(test_guided_rod_getting_faster_gives_the_motor_torque),
        cmocka_unit_test(test_guided_rod_swinging_as_a_sine_gives_the_motor_torque),
        cmocka_unit_test(test_guided_rod_at_the_start_already_gives_the_motor_torque),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
