// SPDX-License-Identifier: MIT
// The Clio against an independent model of 14 degrees of freedom (Kane's equations, adaptive integration).
#include "support/clio_ramp.h"

enum { N_COLUMNS = 11 };

static void set_ramp(bi_setting *list, int *count)
{
    *count = N_CLIO_RAMP;
    memcpy(list, clio_ramp, sizeof clio_ramp);
}

// Errors of place (m), attitude (of a quaternion) and loads (N).
typedef struct {
    double place, turn, load;
} errors;

static errors compare(const run_case *c, const char *file)
{
    run_column column[] = {
        { .channel = "body.x", .scale = 1.0 },       { .channel = "body.y", .scale = 1.0 },
        { .channel = "body.z", .scale = 1.0 },       { .channel = "body.qx", .scale = 1.0 },
        { .channel = "body.qy", .scale = 1.0 },      { .channel = "body.qz", .scale = 1.0 },
        { .channel = "tyre_fl.fz", .scale = 1.0 },   { .channel = "tyre_fr.fz", .scale = 1.0 },
        { .channel = "tyre_rl.fz", .scale = 1.0 },   { .channel = "tyre_rr.fz", .scale = 1.0 },
        { .channel = "spin_rl.rate", .scale = 1.0 },
    };
    run_error(c, file, column, N_COLUMNS);
    errors e = { 0 };
    for (int k = 0; k < 3; k++) {
        e.place = fmax(e.place, column[k].error);
        e.turn = fmax(e.turn, column[3 + k].error);
    }
    for (int k = 6; k < 10; k++) {
        e.load = fmax(e.load, column[k].error);
    }
    return e;
}

static void the_steering_ramp_follows_the_reference(void **state)
{
    (void)state;
    bi_setting settings[16];
    int count;
    set_ramp(settings, &count);
    errors e = compare(&(run_case){ .model = "clio",
                                    .settings = settings,
                                    .n_settings = count,
                                    .coordinates = BI_JOINT,
                                    .dt = 4e-3,
                                    .time = 20.0 },
                       "reference-ramp.csv");
    // 345 m of path, turned by 0.708 rad: far within the 0.5 % asked for; loads of 1150 to 2900 N
    run_expect("ramp, place", e.place, 0.05);
    run_expect("ramp, attitude", e.turn, 1e-4);
    run_expect("ramp, loads", e.load, 1.0);
}

// When a channel passes a value upwards, between steps.
static double pass(run_model *run, const char *channel, double value, double limit)
{
    double before = run_read(run, channel), t = run_now(run);
    while (run_now(run) < limit) {
        run_step(run);
        double now = run_read(run, channel);
        if (now >= value) {
            return t + (value - before) / (now - before) * (run_now(run) - t);
        }
        before = now;
        t = run_now(run);
    }
    fail_msg("%s does not reach %g", channel, value);
    return 0.0;
}

static double yaw_of(run_model *run)
{
    double w = run_read(run, "body.qw"), x = run_read(run, "body.qx"), y = run_read(run, "body.qy"),
           z = run_read(run, "body.qz");
    return atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
}

static void yaw_rate_and_slip_angles_of_the_ramp_are_those_of_the_reference(void **state)
{
    (void)state;
    bi_setting settings[16];
    int count;
    set_ramp(settings, &count);
    run_model run = run_open(&(run_case){ .model = "clio",
                                          .settings = settings,
                                          .n_settings = count,
                                          .coordinates = BI_JOINT,
                                          .dt = 4e-3,
                                          .time = 20.0 });
    bi_table table = run_reference("clio", "reference-ramp.csv");
    run_column column[] = { { .channel = "tyre_fl.slip_y" },
                            { .channel = "tyre_fr.slip_y" },
                            { .channel = "tyre_rl.slip_y" },
                            { .channel = "tyre_rr.slip_y" } };
    // angles of 0.013 rad, of their range
    run_expect("ramp, slip angles", run_compare(&run, &table, column, 4), 1e-3);
    run_expect("ramp, final yaw", fabs(yaw_of(&run) / 0.70798 - 1.0), 5e-3);
    run_close(&run);
    run = run_open(&(run_case){
        .model = "clio", .settings = settings, .n_settings = count, .coordinates = BI_JOINT, .dt = 4e-3 });
    run_to(&run, 10.0);
    run_expect("ramp, yaw rate at 10 s", fabs(run_read(&run, "body.wz") / 0.092570 - 1.0), 5e-3);
    run_close(&run);
    bi_table_clear(&table);
}

// At top speed the engine holds the resistances: a car a little slower gains speed, one a little faster loses it.
static void the_top_speed_is_146_km_per_hour(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double share = k ? 1.005 : 0.995, speed = share * 146.0 / 3.6;
        char text[4][40];
        snprintf(text[0], sizeof text[0], "%.17g", speed);
        snprintf(text[1], sizeof text[1], "%.17g", speed / 0.2626056561016273);
        snprintf(text[2], sizeof text[2], "%.17g", 1.01 * speed / 0.2626056561016273);
        snprintf(text[3], sizeof text[3], "%.17g", 0.967 * 3.571 * speed / 0.2626056561016273);
        const bi_setting settings[] = {
            { "v0", text[0] }, { "spin_r", text[1] }, { "spin_f", text[2] }, { "engine0", text[3] }
        };
        run_model run = run_open(&(run_case){
            .model = "clio", .settings = settings, .n_settings = 4, .coordinates = BI_JOINT, .dt = 4e-3 });
        // the drive line begins with a shift into fourth gear, and the body with a bounce; speeds settle with 1/30 s
        run_to(&run, 6.0);
        double before = run_read(&run, "speed");
        run_to(&run, 12.0);
        double change = run_read(&run, "speed") - before;
        assert_true(run_read(&run, "gear") == 4.0);
        printf("measured clio, change of speed at %.3f of 146 km/h in 6 s: %.4f m/s\n", share, change);
        assert_true(k ? change < 0.0 : change > 0.0);
        run_close(&run);
    }
}

static void the_standing_start_has_the_times_of_the_reference(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "clio", .coordinates = BI_JOINT, .dt = 4e-3 });
    // a shift comes at the end of the step in which the speed is reached: a step, and what is left of the bounce before
    double second = pass(&run, "gear", 2.0, 40.0), third = pass(&run, "gear", 3.0, 40.0);
    double hundred = pass(&run, "body.vx", 100.0 / 3.6, 40.0);
    double fourth = pass(&run, "gear", 4.0, 40.0), thousand = pass(&run, "body.x", 1000.0, 40.0);
    run_expect("clio, second gear", fabs(second - 3.5399), 0.01);
    run_expect("clio, third gear", fabs(third - 9.7917), 0.02);
    run_expect("clio, fourth gear", fabs(fourth - 26.6996), 0.1);
    run_expect("clio, 100 km/h", fabs(hundred / 17.1319 - 1.0), 2e-3);
    run_expect("clio, 1000 m", fabs(thousand / 38.149 - 1.0), 1e-3);
    run_close(&run);
}

static void pitch_and_loads_of_the_standing_start_follow_the_reference(void **state)
{
    (void)state;
    errors e = compare(&(run_case){ .model = "clio", .coordinates = BI_JOINT, .dt = 2e-3, .time = 3.4 },
                       "reference-start.csv");
    // until the first shift, through the bounce of the launch with wheels that spin: pitch of 0.048 rad, loads of 2550 N
    run_expect("start, place", e.place, 0.02);
    run_expect("start, attitude", e.turn, 3e-4);
    run_expect("start, loads", e.load, 25.0);
}

// Energy does not vanish at the ports: what the graph gives to the wheels is what their joints receive.
static void the_drive_line_keeps_its_power(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "clio", .coordinates = BI_JOINT, .dt = 2e-3 });
    for (int k = 0; k < 1000; k++) {
        run_step(&run);
        double given = run_read(&run, "drive.differential.out->left.power");
        double taken = run_read(&run, "drive.differential.out->left.e") * run_read(&run, "spin_fl.rate");
        assert_true(fabs(given - taken) <= 1e-10 * (fabs(given) + 1.0));
    }
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_steering_ramp_follows_the_reference),
        cmocka_unit_test(yaw_rate_and_slip_angles_of_the_ramp_are_those_of_the_reference),
        cmocka_unit_test(the_top_speed_is_146_km_per_hour),
        cmocka_unit_test(the_standing_start_has_the_times_of_the_reference),
        cmocka_unit_test(pitch_and_loads_of_the_standing_start_follow_the_reference),
        cmocka_unit_test(the_drive_line_keeps_its_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
