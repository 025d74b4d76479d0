// SPDX-License-Identifier: MIT
// A tilting axle of 50 kg without inertia tensor: its own mass matrix is rank deficient, the wheels on it give the tilt
// its inertia. The chassis hangs on a ball joint behind and on the axle in front; springs hold the wheels.
#include "support/run_model.h"

static const double half_track = 0.8, front = 2.0, height = 0.5; // m

static void add_spring(bi_model *model, const char *name, bi_point a, bi_point b, double stiffness,
                       double rest)
{
    bi_add_spring(model, &(bi_spring_def){ .name = name,
                                           .a = a,
                                           .b = b,
                                           .stiffness = stiffness,
                                           .damping = 0.01 * stiffness,
                                           .rest = rest });
}

static bi_body add_wheel(bi_model *model, const char *name, const char *hub, bi_body axle, double y)
{
    bi_vec3 centre = { front, y, height };
    bi_body wheel = bi_add_body(
        model,
        &(bi_body_def){ .name = name, .mass = 20.0, .inertia = { 0.5, 0.9, 0.5 }, .pose.pos = centre });
    bi_add_joint(model, &(bi_joint_def){ .name = hub,
                                         .kind = BI_REVOLUTE,
                                         .a = axle,
                                         .b = wheel,
                                         .at = centre,
                                         .axis = { 0.0, 1.0, 0.0 } });
    bi_add_output(model, &(bi_output_def){ .name = name, .kind = BI_OUT_POINT, .body = wheel });
    return wheel;
}

// inertia: of the axle about each of its axes, kg m2
static bi_model *axle_model(double inertia)
{
    bi_model *model = bi_model_create("zero inertia axle");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, -9.81 });
    bi_body chassis = bi_add_body(model, &(bi_body_def){ .name = "chassis",
                                                         .mass = 1000.0,
                                                         .com = { 1.0, 0.0, 0.0 },
                                                         .inertia = { 200.0, 600.0, 700.0 },
                                                         .pose.pos = { 0.0, 0.0, 1.0 } });
    bi_body axle = bi_add_body(model, &(bi_body_def){ .name = "axle",
                                                      .mass = 50.0,
                                                      .inertia = { inertia, inertia, inertia },
                                                      .pose.pos = { front, 0.0, height } });
    bi_add_joint(
        model,
        &(bi_joint_def){
            .name = "ball", .kind = BI_SPHERICAL, .a = BI_GROUND, .b = chassis, .at = { 0.0, 0.0, 1.0 } });
    bi_add_joint(model, &(bi_joint_def){ .name = "tilt",
                                         .kind = BI_REVOLUTE,
                                         .a = chassis,
                                         .b = axle,
                                         .at = { front, 0.0, height },
                                         .axis = { 1.0, 0.0, 0.0 } });
    bi_body left = add_wheel(model, "left", "hub_left", axle, half_track);
    bi_body right = add_wheel(model, "right", "hub_right", axle, -half_track);

    // the wheels hang from ground points 1.5 m above, one spring shorter than the other so that everything moves
    bi_vec3 zero = { 0.0, 0.0, 0.0 };
    add_spring(model, "hang_left", (bi_point){ left, zero },
               (bi_point){ BI_GROUND, { front, half_track, height + 1.5 } }, 2e5, 1.48);
    add_spring(model, "hang_right", (bi_point){ right, zero },
               (bi_point){ BI_GROUND, { front, -half_track, height + 1.5 } }, 2e5, 1.45);
    add_spring(model, "roll_left", (bi_point){ chassis, { front, 0.5, 0.0 } },
               (bi_point){ axle, { 0.0, 0.5, 0.0 } }, 5e4, 0.5);
    add_spring(model, "roll_right", (bi_point){ chassis, { front, -0.5, 0.0 } },
               (bi_point){ axle, { 0.0, -0.5, 0.0 } }, 5e4, 0.5);
    bi_add_output(
        model,
        &(bi_output_def){ .name = "corner", .kind = BI_OUT_POINT, .body = chassis, .at = { 2.0, 0.6, 0.3 } });
    return model;
}

enum { n_sample = 50, n_value = 4 };
static const char *const watched[n_value] = { "left.z", "right.z", "corner.y", "corner.z" };

typedef struct {
    double value[n_sample][n_value]; // m, every 20 ms
    bi_statistics statistics;
} axle_motion;

static axle_motion axle_run(double inertia, double dt)
{
    axle_motion out = { 0 };
    run_model run = run_start(axle_model(inertia), BI_ALI3P, dt, 1.0);
    for (int k = 0; k < n_sample; k++) {
        assert_true(run_to(&run, 0.02 * (k + 1)));
        for (int c = 0; c < n_value; c++) {
            out.value[k][c] = run_read(&run, watched[c]);
        }
    }
    out.statistics = bi_sim_statistics(run.sim);
    run_close(&run);
    return out;
}

static double difference(const axle_motion *a, const axle_motion *b)
{
    double worst = 0.0;
    for (int k = 0; k < n_sample; k++) {
        for (int c = 0; c < n_value; c++) {
            double d = fabs(a->value[k][c] - b->value[k][c]);
            worst = d <= worst ? worst : d;
        }
    }
    return worst;
}

static void test_zero_inertia_axle_runs_and_converges_in_every_step(void **state)
{
    (void)state;
    axle_motion m = axle_run(0.0, 1e-3);
    assert_int_equal(m.statistics.unconverged, 0);
    assert_int_equal(m.statistics.step_overs, 0);
    printf("measured axle iterations_per_step=%.2f\n",
           (double)m.statistics.iterations / (double)m.statistics.steps);
    // it moves, and stays within the reach of its springs
    for (int k = 0; k < n_sample; k++) {
        assert_true(fabs(m.value[k][0] - height) < 0.3 && fabs(m.value[k][1] - height) < 0.3);
    }
    assert_true(fabs(m.value[n_sample - 1][0] - m.value[n_sample - 1][1]) > 1e-3);
}

// Without a closed form: the differences between three runs fall as the errors do.
static void test_zero_inertia_axle_halved_step_quarters_the_error(void **state)
{
    (void)state;
    axle_motion coarse = axle_run(0.0, 1e-3), middle = axle_run(0.0, 5e-4), fine = axle_run(0.0, 2.5e-4);
    run_expect_order_two("axle order", difference(&coarse, &middle), difference(&middle, &fine));
}

// The wheels give the tilt 2 * 20 kg * (0.8 m)^2 = 26 kg m2: 1e-6 more moves it by about 4e-8 of its motion.
static void test_zero_inertia_axle_is_the_limit_of_a_small_inertia(void **state)
{
    (void)state;
    axle_motion zero = axle_run(0.0, 1e-3), tiny = axle_run(1e-6, 1e-3), small = axle_run(1e-3, 1e-3);
    run_expect("axle inertia 1e-6", difference(&zero, &tiny), 1e-6);
    run_expect("axle inertia 1e-3", difference(&zero, &small), 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero_inertia_axle_runs_and_converges_in_every_step),
        cmocka_unit_test(test_zero_inertia_axle_halved_step_quarters_the_error),
        cmocka_unit_test(test_zero_inertia_axle_is_the_limit_of_a_small_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
