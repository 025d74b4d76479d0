// SPDX-License-Identifier: MIT
// The car against closed forms: loads, balance in a turn, and the bounce of a quarter of it on two springs.
#include "support/run_model.h"

static const double m = 1200.0, mw = 20.0, ks = 20000.0, cs = 1500.0, kt = 200000.0, ct = 500.0, g = 9.81;
static const char *const wheels[4] = { "tyre00", "tyre01", "tyre10", "tyre11" };

static double sum_of(const run_model *run, const char *what)
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s.%s", wheels[k], what);
        sum += run_read((run_model *)run, name);
    }
    return sum;
}

static void straight_on_it_keeps_its_speed_and_its_loads(void **state)
{
    (void)state;
    bi_setting steer = { "steer", "0" };
    run_model run = run_open(&(run_case){
        .model = "car", .settings = &steer, .n_settings = 1, .coordinates = BI_JOINT, .time = 2.0 });
    run_to(&run, 2.0);
    for (int k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s.fz", wheels[k]);
        // it starts at rest on its springs: only rounding moves it
        run_expect("car, load of a wheel", fabs(run_read(&run, name) / ((m / 4.0 + mw) * g) - 1.0), 1e-9);
    }
    run_expect("car, speed", fabs(run_read(&run, "chassis.vx") / 20.0 - 1.0), 1e-9);
    run_close(&run);
}

static void in_a_steady_turn_its_tyres_balance_weight_and_inertia(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "car", .coordinates = BI_JOINT, .time = 6.0 });
    run_to(&run, 6.0);
    // along y of the chassis: forces of the front wheels stand at 2 deg to it, a = forward speed times yaw rate
    double yaw = run_read(&run, "attitude.yaw"), turn = 2.0 * run_pi / 180.0;
    double forward = cos(yaw) * run_read(&run, "chassis.vx") + sin(yaw) * run_read(&run, "chassis.vy");
    double side = run_read(&run, "tyre00.fy") + run_read(&run, "tyre01.fy") +
                  cos(turn) * (run_read(&run, "tyre10.fy") + run_read(&run, "tyre11.fy")) +
                  sin(turn) * (run_read(&run, "tyre10.fx") + run_read(&run, "tyre11.fx"));
    double wanted = (m + 4.0 * mw) * forward * run_read(&run, "chassis.wz");
    run_expect("car, weight in a turn", fabs(sum_of(&run, "fz") / ((m + 4.0 * mw) * g) - 1.0), 1e-4);
    // the front wheels brake it by some 0.3 m/s2, of which the angle of drift, 0.06 rad, is across: 4e-3 of 5 m/s2
    run_expect("car, side force in a turn", fabs(side / wanted - 1.0), 1e-2);
    run_close(&run);
}

// A quarter of the car: heights of chassis and wheel above rest, and their rates.
static void quarter_rates(const double y[4], double out[4])
{
    double strut = ks * (y[0] - y[1]) + cs * (y[2] - y[3]);
    out[0] = y[2];
    out[1] = y[3];
    out[2] = -strut / (m / 4.0);
    out[3] = (strut - kt * y[1] - ct * y[3]) / mw;
}

static void quarter_step(double y[4], double h)
{
    double k[4][4], x[4];
    for (int s = 0; s < 4; s++) {
        double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
        for (int i = 0; i < 4; i++) {
            x[i] = y[i] + (s == 0 ? 0.0 : part * k[s - 1][i]);
        }
        quarter_rates(x, k[s]);
    }
    for (int i = 0; i < 4; i++) {
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

static void dropped_it_bounces_as_a_quarter_of_it_does(void **state)
{
    (void)state;
    const bi_setting settings[] = { { "drop", "0.02" }, { "v", "0" }, { "steer", "0" } };
    run_model run = run_open(&(run_case){
        .model = "car", .settings = settings, .n_settings = 3, .coordinates = BI_JOINT, .time = 1.0 });
    double y[4] = { 0.02, 0.0, 0.0, 0.0 }, worst = 0.0, rest = 0.3 - (m / 4.0 + mw) * g / kt;
    for (int n = 1; n <= 20; n++) {
        for (int i = 0; i < 500; i++) {
            quarter_step(y, 1e-4);
        }
        run_to(&run, 0.05 * n);
        worst = fmax(worst, fabs(run_read(&run, "chassis.z") - rest - y[0]));
    }
    // trapezoidal rule of 1 ms on the hop of the wheel, 100 rad/s: (w h)^2/12 = 1e-3 of a small part of the motion
    run_expect("car, bounce", worst / 0.02, 1e-3);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_on_it_keeps_its_speed_and_its_loads),
        cmocka_unit_test(in_a_steady_turn_its_tyres_balance_weight_and_inertia),
        cmocka_unit_test(dropped_it_bounces_as_a_quarter_of_it_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
