// SPDX-License-Identifier: MIT
// The linear car of the driver against its closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "laws/signal/preview.h"

static const preview_car car = { 825.0, 2677.0, 0.9156, 1.5564, 67440.0, 59280.0 };

// Long after a step the yaw rate is v delta / (L + K v^2) with K = m (b Cr - a Cf) / (L Cf Cr).
static void test_preview_of_a_constant_angle_ends_at_the_yaw_rate_of_a_bicycle(void **state)
{
    (void)state;
    const double speed = 20.0, angle = 0.02;
    preview_state s = { 0.0, 0.0, 0.0, 0.0 };
    s = preview_go(&car, speed, angle, 10.0, s);
    double L = car.front + car.rear;
    double K =
        car.mass * (car.rear * car.stiff_r - car.front * car.stiff_f) / (L * car.stiff_f * car.stiff_r);
    // ten seconds are fifty times the time constant
    assert_true(fabs(s.rate / (speed * angle / (L + K * speed * speed)) - 1.0) < 1e-9);
}

// A path on which the car would go with some angle is answered with that angle.
static void test_preview_of_a_path_of_the_car_gives_its_angle(void **state)
{
    (void)state;
    const double speed = 22.0, time = 0.8, angle = -0.031;
    preview_state from = { 0.1, -0.4, 0.0, 0.2 }, s = from;
    double target[PREVIEW_POINTS];
    for (int k = 0; k < PREVIEW_POINTS; k++) {
        s = preview_go(&car, speed, angle, time / PREVIEW_POINTS, s);
        target[k] = s.y;
    }
    assert_true(fabs(preview_steer(&car, speed, time, from, target) / angle - 1.0) < 1e-12);
}

// Of all constant angles the answer leaves least: a little more or less leaves more.
static void test_preview_leaves_least_squares(void **state)
{
    (void)state;
    const double speed = 15.0, time = 1.0;
    const preview_state from = { 0.0, 0.3, 0.0, -0.1 };
    double target[PREVIEW_POINTS], sum[3];
    for (int k = 0; k < PREVIEW_POINTS; k++) {
        target[k] = k < PREVIEW_POINTS / 2 ? 0.0 : 1.5;
    }
    double angle = preview_steer(&car, speed, time, from, target);
    for (int i = 0; i < 3; i++) {
        preview_state s = from;
        sum[i] = 0.0;
        for (int k = 0; k < PREVIEW_POINTS; k++) {
            s = preview_go(&car, speed, angle + 1e-3 * (i - 1), time / PREVIEW_POINTS, s);
            sum[i] += (s.y - target[k]) * (s.y - target[k]);
        }
    }
    assert_true(sum[0] > sum[1] && sum[2] > sum[1]);
    // both sides alike: a parabola
    assert_true(fabs((sum[0] - sum[1]) / (sum[2] - sum[1]) - 1.0) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preview_of_a_constant_angle_ends_at_the_yaw_rate_of_a_bicycle),
        cmocka_unit_test(test_preview_of_a_path_of_the_car_gives_its_angle),
        cmocka_unit_test(test_preview_leaves_least_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
