// SPDX-License-Identifier: MIT
// The Clio as a bond graph against the multibody model with the same data, and against the same independent reference.
#include "support/clio_ramp.h"

enum { N_CHANNEL = 17 };

static const char *const channel[N_CHANNEL] = {
    "body.x",         "body.y",       "spin_rl.rate",   "body.wz",        "body.qx",    "body.qy",
    "body.qz",        "tyre_fl.fz",   "tyre_fr.fz",     "tyre_rl.fz",     "tyre_rr.fz", "attitude.roll",
    "attitude.pitch", "attitude.yaw", "tyre_fl.slip_y", "tyre_rl.slip_y", "rpm"
};

// Largest difference of the two models over the run, each channel over its range there; ranges below `least` do not count.
static void compare(const char *what, const bi_setting *settings, int count, double time, const double *least)
{
    run_model one = run_open(&(run_case){
        .model = "clio", .settings = settings, .n_settings = count, .coordinates = BI_JOINT, .dt = 4e-3 });
    run_model two =
        run_open(&(run_case){ .model = "clio-bg", .settings = settings, .n_settings = count, .dt = 4e-3 });
    double low[N_CHANNEL], high[N_CHANNEL], worst[N_CHANNEL] = { 0 };
    for (int k = 0; k < N_CHANNEL; k++) {
        low[k] = high[k] = run_read(&one, channel[k]);
    }
    for (double t = 0.1; t < time + 1e-9; t += 0.1) {
        run_to(&one, t);
        run_to(&two, t);
        for (int k = 0; k < N_CHANNEL; k++) {
            double a = run_read(&one, channel[k]), b = run_read(&two, channel[k]);
            low[k] = fmin(low[k], a);
            high[k] = fmax(high[k], a);
            worst[k] = fmax(worst[k], fabs(a - b));
        }
    }
    for (int k = 0; k < N_CHANNEL; k++) {
        char name[80];
        snprintf(name, sizeof name, "%s, %s", what, channel[k]);
        run_expect(name, worst[k] / fmax(high[k] - low[k], least[k]), 3e-3);
    }
    run_close(&one);
    run_close(&two);
}

static void the_steering_ramp_is_that_of_the_multibody_model(void **state)
{
    (void)state;
    // the speed hardly changes: against itself
    static const double least[N_CHANNEL] = { [2] = 68.0, [12] = 0.01, [16] = 3000.0 };
    compare("ramp", clio_ramp, N_CLIO_RAMP, 8.0, least);
}

static void the_zig_zag_is_that_of_the_multibody_model(void **state)
{
    (void)state;
    static const double least[N_CHANNEL] = { [2] = 68.0, [12] = 0.01, [16] = 3000.0 };
    bi_setting settings[N_CLIO_RAMP + 1];
    for (int k = 0; k < N_CLIO_RAMP; k++) {
        settings[k] = clio_ramp[k];
        settings[k].value = strcmp(settings[k].name, "steer_rate") == 0 ? "0" : settings[k].value;
    }
    settings[N_CLIO_RAMP] = (bi_setting){ "zigzag", "1" };
    compare("zig-zag", settings, N_CLIO_RAMP + 1, 13.0, least);
}

static void the_standing_start_is_that_of_the_multibody_model(void **state)
{
    (void)state;
    // the car goes straight on
    static const double least[N_CHANNEL] = {
        [1] = 1.0, [3] = 1.0, [4] = 1.0, [6] = 1.0, [11] = 1.0, [13] = 1.0, [14] = 1.0, [15] = 1.0
    };
    compare("start", NULL, 0, 3.5, least);
}

static void it_reaches_100_km_per_hour_when_the_reference_does(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "clio-bg", .dt = 5e-3 });
    double before = 0.0, t = 0.0;
    while (run_now(&run) < 20.0) {
        run_step(&run);
        double now = run_read(&run, "body.vx");
        if (now >= 100.0 / 3.6) {
            t += (100.0 / 3.6 - before) / (now - before) * (run_now(&run) - t);
            break;
        }
        before = now;
        t = run_now(&run);
    }
    run_expect("clio-bg, 100 km/h", fabs(t / 17.1319 - 1.0), 5e-3);
    assert_true(run_read(&run, "gear") == 3.0);
    run_close(&run);
}

// What leaves a junction has come in: the gyrator of a spinning wheel, and the junction that shares the torque.
static void no_power_is_lost_in_the_junctions_of_the_body(void **state)
{
    (void)state;
    run_model run = run_open(
        &(run_case){ .model = "clio-bg", .settings = clio_ramp, .n_settings = N_CLIO_RAMP, .dt = 4e-3 });
    for (int k = 0; k < 200; k++) {
        run_step(&run);
        double stored = run_read(&run, "car.differential.out->fl.shaft.power") +
                        run_read(&run, "car.differential.out->fr.shaft.power"),
               given = run_read(&run, "car.gears.gear->differential.shaft.power");
        assert_true(fabs(stored - given) <= 1e-10 * (fabs(given) + 1.0));
        double ring = 0.0;
        ring += run_read(&run, "car.fl.b.w#3->fl.gyro.power") - run_read(&run, "car.fl.gyro->fl.b.w#1.power");
        assert_true(fabs(ring) <= 1e-10 * fabs(given));
    }
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_steering_ramp_is_that_of_the_multibody_model),
        cmocka_unit_test(the_zig_zag_is_that_of_the_multibody_model),
        cmocka_unit_test(the_standing_start_is_that_of_the_multibody_model),
        cmocka_unit_test(it_reaches_100_km_per_hour_when_the_reference_does),
        cmocka_unit_test(no_power_is_lost_in_the_junctions_of_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
