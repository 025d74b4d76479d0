// SPDX-License-Identifier: MIT
// Manoeuvres of the Clio against closed forms: coast-down, step steer, zig-zag, double lane change with a driver, braking in a turn, and
// driving by hand.
#include "support/clio_ramp.h"

static void set_ramp(bi_setting *list, int *count)
{
    *count = N_CLIO_RAMP;
    memcpy(list, clio_ramp, sizeof clio_ramp);
}

static run_model manoeuvre(const bi_setting *settings, int count)
{
    return run_open(&(run_case){
        .model = "clio", .settings = settings, .n_settings = count, .coordinates = BI_JOINT, .dt = 5e-3 });
}

// Rolling resistance and drag alone: m v' = -(a + b v^2), with the wheels' inertia in m.
static void the_coast_down_is_that_of_its_closed_form(void **state)
{
    (void)state;
    static const bi_setting coast[] = {
        { "automatic", "0" }, { "neutral", "1" },     { "pedal", "0" },
        { "v0", "33.333" },   { "spin_f", "126.93" }, { "spin_r", "126.93" }
    };
    run_model run = manoeuvre(coast, 6);
    double a = 8100.0 * 0.01, b = 8100.0 * 9.405768275747042e-06 + 0.5 * 1.225 * 1.86 * 0.33;
    double m = 8100.0 / 9.81 + 4.0 * 1.95 / (0.2626056561016273 * 0.2626056561016273);
    double from = atan(33.333 * sqrt(b / a));
    for (double t = 5.0; t < 30.1; t += 5.0) {
        run_to(&run, t);
        double v = sqrt(a / b) * tan(from - sqrt(a * b) * t / m);
        run_expect("coast-down", fabs(run_read(&run, "speed") / v - 1.0), 3e-3);
    }
    run_close(&run);
}

// v delta / (L + K v^2) with the understeer of the reference, 1.433 deg/g; its own ramp stays 2.8 % below that.
static void a_step_of_the_steering_ends_at_the_yaw_rate_of_a_bicycle(void **state)
{
    (void)state;
    bi_setting settings[16];
    int count;
    set_ramp(settings, &count);
    settings[2] = (bi_setting){ "steer_rate", "0" };
    settings[count++] = (bi_setting){ "step", "1" };
    run_model run = manoeuvre(settings, count);
    run_to(&run, 6.0);
    double v = run_read(&run, "speed"), K = 1.433 * run_pi / 180.0 / 9.81;
    double rate = v * run_pi / 180.0 / (2.472 + K * v * v);
    run_expect("step steer, yaw rate", fabs(run_read(&run, "body.wz") / rate - 1.0), 0.03);
    run_close(&run);
}

// Half a period later everything is mirrored; over whole periods the car gains no yaw.
static void the_slalom_is_symmetric(void **state)
{
    (void)state;
    bi_setting settings[16];
    int count;
    set_ramp(settings, &count);
    settings[2] = (bi_setting){ "steer_rate", "0" };
    settings[count++] = (bi_setting){ "weave", "2" };
    run_model run = manoeuvre(settings, count);
    run_to(&run, 10.0);
    double one = run_read(&run, "body.wz"), roll = run_read(&run, "attitude.roll");
    run_to(&run, 12.0);
    // it slows down by 0.3 % between
    run_expect("slalom, yaw rate", fabs(run_read(&run, "body.wz") / one + 1.0), 0.01);
    run_expect("slalom, roll", fabs(run_read(&run, "attitude.roll") / roll + 1.0), 0.01);
    run_close(&run);
}

// The zig-zag of the paper: to one side, to the other and back. Its first 10 s are those of the steering ramp; with it the car gains the
// yaw that the area under the angle says: 2.5 deg s, over what understeer leaves of it.
static void the_zig_zag_begins_as_the_ramp_and_ends_with_the_yaw_of_its_area(void **state)
{
    (void)state;
    bi_setting settings[16];
    int count;
    set_ramp(settings, &count);
    settings[2] = (bi_setting){ "steer_rate", "0" };
    settings[count++] = (bi_setting){ "zigzag", "1" };
    run_model run = manoeuvre(settings, count);
    run_to(&run, 10.0);
    run_expect("zig-zag, yaw rate at 10 s", fabs(run_read(&run, "body.wz") / 0.092570 - 1.0), 5e-3);
    run_to(&run, 30.0);
    double v = run_read(&run, "speed"), K = 1.433 * run_pi / 180.0 / 9.81;
    double yaw = v / (2.472 + K * v * v) * 2.5 * run_pi / 180.0;
    run_expect("zig-zag, yaw at the end", fabs(run_read(&run, "attitude.yaw") / yaw - 1.0), 0.03);
    run_expect("zig-zag, yaw rate at the end", fabs(run_read(&run, "body.wz")), 1e-3);
    run_close(&run);
}

// ISO 3888-1: the car, 1.62 m wide, stays in lanes of 1.1, 1.2 and 1.3 widths and 0.25 m, with its centre of mass as its middle.
static void expect_lanes(const bi_setting *lane, int count, double speed)
{
    static const struct {
        double from, to, y, factor;
    } section[] = { { 50, 65, 0.0, 1.1 }, { 95, 120, 3.5, 1.2 }, { 145, 175, 0.0, 1.3 } };
    run_model run = manoeuvre(lane, count);
    double worst[3] = { 0 };
    while (run_read(&run, "body.x") < 176.0 && run_now(&run) < 14.0) {
        run_step(&run);
        double x = run_read(&run, "body.x"), y = run_read(&run, "body.y");
        for (int k = 0; k < 3; k++) {
            bool is_in = x >= section[k].from && x <= section[k].to;
            worst[k] = is_in ? fmax(worst[k], fabs(y - section[k].y)) : worst[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        run_expect("lane change, beside the middle", worst[k],
                   0.5 * (section[k].factor * 1.62 + 0.25 - 1.62));
    }
    run_expect("lane change, speed", fabs(run_read(&run, "speed") / speed - 1.0), 0.05);
    run_close(&run);
}

static void the_driver_keeps_the_lanes_at_60_km_per_hour(void **state)
{
    (void)state;
    static const bi_setting lane[] = {
        { "automatic", "0" },   { "gear0", "4" },       { "pedal", "0" },
        { "v0", "16.667" },     { "spin_f", "63.468" }, { "spin_r", "63.468" },
        { "engine0", "219.2" }, { "path", "1" },        { "cruise", "16.667" }
    };
    expect_lanes(lane, 9, 16.667);
}

static void the_driver_keeps_the_lanes_at_80_km_per_hour(void **state)
{
    (void)state;
    static const bi_setting lane[] = {
        { "automatic", "0" },   { "gear0", "4" },       { "pedal", "0" },
        { "v0", "22.222" },     { "spin_f", "84.623" }, { "spin_r", "84.623" },
        { "engine0", "292.2" }, { "path", "1" },        { "cruise", "22.222" }
    };
    expect_lanes(lane, 9, 22.222);
}

// Brakes of 2100 N m in all slow 939 kg (with the wheels); the car goes on turning the same way.
static void braking_in_a_turn_slows_the_car_and_keeps_its_turn(void **state)
{
    (void)state;
    bi_setting settings[16];
    int count;
    set_ramp(settings, &count);
    settings[1] = (bi_setting){ "pedal", "0" };
    settings[2] = (bi_setting){ "steer_rate", "0" };
    settings[count++] = (bi_setting){ "step", "2" };
    settings[count++] = (bi_setting){ "cruise", "18.055" };
    settings[count++] = (bi_setting){ "brake_from", "4" };
    settings[count++] = (bi_setting){ "brake_level", "0.3" };
    run_model run = manoeuvre(settings, count);
    run_to(&run, 5.0);
    double v0 = run_read(&run, "speed");
    run_to(&run, 7.0);
    double slowed = (v0 - run_read(&run, "speed")) / 2.0;
    // brakes, resistances and the drag of the engine in third gear
    double engine = 10.0 * 1.321 * 3.571, brakes = 0.3 * 2100.0;
    double expected = ((brakes + engine) / 0.2626 + 81.0 + 0.452 * 200.0) / (939.0 + 0.05 * 22.25 / 0.069);
    run_expect("braking in a turn, deceleration", fabs(slowed / expected - 1.0), 0.1);
    assert_true(run_read(&run, "body.wz") > 0.1);
    run_close(&run);
}

static void press(run_model *run, const char *name, double value)
{
    bi_sim_input(run->sim, bi_find_input(run->system, name), value);
}

// By hand: pedal, gear lever, steering wheel, brake.
static void the_car_is_driven_by_hand(void **state)
{
    (void)state;
    static const bi_setting hand[] = {
        { "automatic", "0" }, { "manual", "1" }, { "gear0", "1" }, { "pedal", "0" }, { "engine0", "100" }
    };
    run_model run = manoeuvre(hand, 5);
    run_to(&run, 0.5);
    press(&run, "drive", 1.0);
    run_to(&run, 3.0);
    assert_true(run_read(&run, "gear") == 1.0 && run_read(&run, "speed") > 5.0);
    press(&run, "shift", 1.0);
    run_to(&run, 3.2);
    press(&run, "shift", 0.0);
    run_to(&run, 6.0);
    assert_true(run_read(&run, "gear") == 2.0 && run_read(&run, "speed") > 12.0);
    press(&run, "drive", 0.0);
    press(&run, "steer", 0.2);
    run_to(&run, 7.0);
    assert_true(run_read(&run, "body.wz") > 0.05);
    press(&run, "steer", 0.0);
    press(&run, "drive", -0.5);
    run_to(&run, 13.0);
    run_expect("driven by hand, stopped", fabs(run_read(&run, "speed")), 0.05);
    run_close(&run);
}

// The lever goes one place down.
static void lever_down(run_model *run)
{
    press(run, "shift", -1.0);
    run_to(run, run_now(run) + 0.1);
    press(run, "shift", 0.0);
    run_to(run, run_now(run) + 0.1);
}

// From the first gear through neutral to reverse and no further. With the clutch closed the engine turns 3.545 * 3.571 times as fast as
// the wheels, the other way round; the mean of both front wheels counts, and the clutch creeps by some rad/s.
static void expect_reverse(run_model *run)
{
    assert_true(run_read(run, "gear") == 1.0);
    lever_down(run);
    assert_true(run_read(run, "gear") == 0.0);
    press(run, "drive", 0.3);
    run_to(run, run_now(run) + 1.0);
    run_expect("neutral, stands", fabs(run_read(run, "speed")), 0.05);
    press(run, "drive", 0.0);
    for (int k = 0; k < 3; k++) {
        lever_down(run);
    }
    assert_true(run_read(run, "gear") == -1.0);
    run_to(run, run_now(run) + 2.0);
    press(run, "drive", 0.6);
    run_to(run, run_now(run) + 5.0);
    double spin = 0.5 * (run_read(run, "spin_fl.rate") + run_read(run, "spin_fr.rate"));
    assert_true(run_read(run, "speed") < -3.0 && run_read(run, "body.vx") < -3.0);
    run_expect("reverse, engine against wheels",
               fabs(run_read(run, "rpm") * run_pi / 30.0 + 3.545 * 3.571 * spin), 3.0);
}

static void the_car_goes_backwards_in_its_reverse_gear(void **state)
{
    (void)state;
    static const bi_setting hand[] = {
        { "automatic", "0" }, { "manual", "1" }, { "gear0", "1" }, { "pedal", "0" }, { "engine0", "100" }
    };
    run_model run = manoeuvre(hand, 5);
    run_to(&run, 0.5);
    expect_reverse(&run);
    run_close(&run);
}

static void the_car_that_shifts_itself_has_a_reverse_gear(void **state)
{
    (void)state;
    static const bi_setting hand[] = { { "by_hand", "1" }, { "pedal", "0" } };
    run_model run = manoeuvre(hand, 2);
    run_to(&run, 0.5);
    expect_reverse(&run);
    run_close(&run);
}

// Reverse chosen at speed does not engage: the car rolls on and the engine keeps turning its way.
static void reverse_does_not_engage_while_the_car_rolls_forwards(void **state)
{
    (void)state;
    static const bi_setting hand[] = { { "by_hand", "1" }, { "pedal", "0" } };
    run_model run = manoeuvre(hand, 2);
    press(&run, "drive", 1.0);
    run_to(&run, 4.0);
    press(&run, "drive", 0.0);
    double before = run_read(&run, "speed");
    lever_down(&run);
    lever_down(&run);
    press(&run, "drive", 0.3);
    run_to(&run, run_now(&run) + 1.0);
    assert_true(run_read(&run, "gear") == -1.0);
    // rolling resistance and drag take less than 0.5 m/s2
    assert_true(run_read(&run, "speed") > before - 1.0 && run_read(&run, "rpm") > 500.0);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_coast_down_is_that_of_its_closed_form),
        cmocka_unit_test(a_step_of_the_steering_ends_at_the_yaw_rate_of_a_bicycle),
        cmocka_unit_test(the_slalom_is_symmetric),
        cmocka_unit_test(the_zig_zag_begins_as_the_ramp_and_ends_with_the_yaw_of_its_area),
        cmocka_unit_test(the_driver_keeps_the_lanes_at_60_km_per_hour),
        cmocka_unit_test(the_driver_keeps_the_lanes_at_80_km_per_hour),
        cmocka_unit_test(braking_in_a_turn_slows_the_car_and_keeps_its_turn),
        cmocka_unit_test(the_car_is_driven_by_hand),
        cmocka_unit_test(the_car_goes_backwards_in_its_reverse_gear),
        cmocka_unit_test(the_car_that_shifts_itself_has_a_reverse_gear),
        cmocka_unit_test(reverse_does_not_engage_while_the_car_rolls_forwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
