// SPDX-License-Identifier: MIT
// Every exercise of the forklift can be passed: a simple driver, who looks only at what a person sees, does it.
#include "live/exercise.h"
#include "support/run_model.h"
#include <stdlib.h>

enum { POINTS = 12 };

// One thing to do: hold the pedals and levers, follow the path if there is one, until ...
typedef struct {
    double drive, lift, tilt; // inputs
    const char *until; // channel, beyond `value` (below it where `is_below`); NULL: the end of the path
    double value;
    bool is_below;
    double wait; // s, instead of a channel
    int n_point;
    double point[POINTS][2]; // m; the middle of the front axle goes there
} leg;

typedef struct {
    const char *exercise;
    const leg *legs;
    int n_leg;
} drive;

// ---- the driver --------------------------------------------------------------------------------------------------

static const double wheel_base = 1.965, full_lock = 1.2840, look_ahead = 1.6; // m, rad, m

static double seen(run_model *run, const char *name)
{
    bi_channel c = bi_find_channel(run->system, name);
    assert_true(c.i > 0);
    return bi_sim_read(run->sim, c);
}

// Place on the path, as length from its beginning, that is nearest; where the path is at a length.
static double nearest(const leg *l, double x, double y)
{
    double best = INFINITY, at = 0.0, length = 0.0;
    for (int k = 0; k + 1 < l->n_point; k++) {
        double dx = l->point[k + 1][0] - l->point[k][0], dy = l->point[k + 1][1] - l->point[k][1];
        double size = hypot(dx, dy);
        double s = ((x - l->point[k][0]) * dx + (y - l->point[k][1]) * dy) / (size * size);
        s = fmin(fmax(s, 0.0), 1.0);
        double away = hypot(l->point[k][0] + s * dx - x, l->point[k][1] + s * dy - y);
        if (away < best) {
            best = away;
            at = length + s * size;
        }
        length += size;
    }
    return at;
}

// Beyond the end the path goes straight on.
static void place_at(const leg *l, double at, double *x, double *y)
{
    int k = 0;
    double size = 0.0;
    for (; k + 1 < l->n_point; k++) {
        size = hypot(l->point[k + 1][0] - l->point[k][0], l->point[k + 1][1] - l->point[k][1]);
        if (at <= size || k + 2 == l->n_point) {
            break;
        }
        at -= size;
    }
    *x = l->point[k][0] + (l->point[k + 1][0] - l->point[k][0]) * at / size;
    *y = l->point[k][1] + (l->point[k + 1][1] - l->point[k][1]) * at / size;
}

static double path_length(const leg *l)
{
    double out = 0.0;
    for (int k = 0; k + 1 < l->n_point; k++) {
        out += hypot(l->point[k + 1][0] - l->point[k][0], l->point[k + 1][1] - l->point[k][1]);
    }
    return out;
}

// The wheel is turned for the arc through a place ahead on the path; sets how much of the path is left.
static double steer(run_model *run, const leg *l, double *left)
{
    double yaw = seen(run, "attitude.yaw");
    double x = seen(run, "truck.x") + wheel_base * cos(yaw), y = seen(run, "truck.y") + wheel_base * sin(yaw);
    double at = nearest(l, x, y), goal_x, goal_y;
    *left = path_length(l) - at;
    place_at(l, at + look_ahead, &goal_x, &goal_y);
    double bearing = atan2(goal_y - y, goal_x - x) - yaw;
    double curvature = 2.0 * sin(bearing) / hypot(goal_x - x, goal_y - y);
    return fmin(fmax(atan(curvature * wheel_base) / full_lock, -1.0), 1.0);
}

static void set(run_model *run, const char *input, double value)
{
    bi_sim_input(run->sim, bi_model_input(run->model, input), value);
}

static bool is_done(run_model *run, const leg *l, double since, double left)
{
    if (l->wait > 0.0) {
        return bi_sim_view(run->sim).t - since >= l->wait;
    }
    if (!l->until) {
        return left < 0.05;
    }
    double value = seen(run, l->until);
    return l->is_below ? value < l->value : value > l->value;
}

static exercise_state drive_it(const drive *d)
{
    char path[512];
    bi_report report = { 0 };
    bi_setting setting[8];
    snprintf(path, sizeof path, "%s/models/forklift/exercises/%s.yaml", BI_SOURCE_DIR, d->exercise);
    exercise *e = exercise_open(path, &report);
    run_require(e != NULL, &report, "the exercise has mistakes");
    int n = exercise_setting_count(e);
    assert_in_range(n, 0, 8);
    for (int k = 0; k < n; k++) {
        setting[k] = exercise_setting(e, k);
    }
    run_model run = run_open(
        &(run_case){ .model = "forklift", .settings = setting, .n_settings = n, .coordinates = BI_JOINT });
    run_require(exercise_bind(e, run.model, run.system, &report), &report, "the exercise does not fit");
    double *channel = calloc((size_t)bi_channel_count(run.system), sizeof *channel), since = 0.0;
    assert_non_null(channel);
    exercise_reset(e);
    for (int k = 0; exercise_state_of(e) <= EXERCISE_RUNNING && bi_sim_view(run.sim).t < 250.0;) {
        static const leg stand = { .wait = 1e9 };
        const leg *l = k < d->n_leg ? &d->legs[k] : &stand;
        double left = INFINITY;
        set(&run, "steer", l->n_point > 0 ? steer(&run, l, &left) : 0.0);
        set(&run, "drive", l->drive);
        set(&run, "lift", l->lift);
        set(&run, "tilt", l->tilt);
        // a person does not look more often
        run_to(&run, bi_sim_view(run.sim).t + 0.05);
        bi_sim_read_all(run.sim, channel);
        exercise_update(e, bi_sim_view(run.sim).t, channel);
        if (is_done(&run, l, since, left)) {
            since = bi_sim_view(run.sim).t;
            k += k < d->n_leg;
        }
    }
    exercise_state state = exercise_state_of(e);
    printf("measured %s: %s after %.1f s, score %.0f\n", d->exercise, exercise_state_name(state),
           exercise_time(e), exercise_score(e));
    for (int k = 0; state != EXERCISE_PASSED && k < exercise_goal_count(e); k++) {
        const exercise_goal *goal = exercise_goal_at(e, k);
        printf("  %s: %s\n", goal->text, goal->done_at >= 0.0 ? "done" : "not done");
    }
    for (int k = 0; k < exercise_limit_count(e); k++) {
        const exercise_limit *limit = exercise_limit_at(e, k);
        if (limit->times > 0) {
            printf("  %s: %d times, worst %g, first at %g s\n", limit->text, limit->times, limit->worst,
                   limit->first);
        }
    }
    free(channel);
    exercise_close(e);
    run_close(&run);
    bi_report_clear(&report);
    return state;
}

#define DRIVE(exercise, legs)                                                                                \
    (drive) { exercise, legs, (int)(sizeof(legs) / sizeof *(legs)) }

// ---- the exercises -----------------------------------------------------------------------------------------------

static void test_the_truck_stops_before_the_line(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.6, .until = "tip.x", .value = 24.0 },
        { .drive = 0.25, .until = "tip.x", .value = 32.0 },
        { .drive = 0.08, .until = "tip.x", .value = 32.9 },
    };
    assert_int_equal(drive_it(&DRIVE("1-stop-before-the-line", legs)), EXERCISE_PASSED);
}

static void test_the_slalom_is_driven(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.22,
          .n_point = 11,
          .point = { { 1.9, 0 },
                     { 4, 0.6 },
                     { 6.5, 1.9 },
                     { 9, 2.3 },
                     { 12.5, 0 },
                     { 16, -2.3 },
                     { 19.5, 0 },
                     { 23, 2.3 },
                     { 26.5, 0 },
                     { 30, -2.3 },
                     { 33, -2.3 } } },
    };
    assert_int_equal(drive_it(&DRIVE("2-slalom", legs)), EXERCISE_PASSED);
}

static void test_the_pallet_is_put_on_the_lorry(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.2, .until = "tip.x", .value = 6.05 },
        { .wait = 1.0 },
        { .lift = 0.5, .until = "lifted", .value = 0.35 },
        { .tilt = 0.5, .wait = 0.8 },
        { .drive = -0.25, .until = "truck.x", .value = -1.5, .is_below = true },
        { .wait = 1.0 },
        { .drive = 0.2,
          .n_point = 9,
          .point = { { 0.3, 0 },
                     { 1.5, 1 },
                     { 2.2, 3.5 },
                     { 4.0, 6.2 },
                     { 7.5, 7.4 },
                     { 11.0, 7.4 },
                     { 13.6, 8.6 },
                     { 14.4, 10.4 },
                     { 14.4, 10.9 } } },
        { .wait = 1.0 },
        { .lift = 0.6, .until = "pallet.z", .value = 1.45 },
        { .wait = 0.5 },
        { .drive = 0.12,
          .n_point = 2,
          .point = { { 14.4, 8 }, { 14.4, 16 } },
          .until = "pallet.y",
          .value = 14.7 },
        { .wait = 1.0 },
        { .tilt = -0.5, .wait = 0.8 },
        { .lift = -0.3, .until = "contact.pallet.normal", .value = 1.0, .is_below = true },
        { .lift = -0.1, .wait = 0.4 },
        { .wait = 1.5 },
        { .drive = -0.15, .until = "tip.y", .value = 12.0, .is_below = true },
    };
    assert_int_equal(drive_it(&DRIVE("3-pallet-to-the-lorry", legs)), EXERCISE_PASSED);
}

static void test_the_virola_is_carried_past_the_crane(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = -0.4, .until = "truck.x", .value = -10.0, .is_below = true },
        { .wait = 1.5 },
        { .drive = 0.2,
          .n_point = 5,
          .point = { { -8, 0 }, { -6, 0.7 }, { -3, 2.5 }, { -1.0, 3.0 }, { 8, 3.0 } },
          .until = "tip.x",
          .value = 6.05 },
        { .wait = 1.0 },
        { .lift = 0.5, .until = "virola.z", .value = 0.25 },
        { .tilt = 0.5, .wait = 0.8 },
        { .wait = 0.5 },
        { .drive = 0.2,
          .n_point = 8,
          .point = { { 4.4, 3 },
                     { 12, 3 },
                     { 20, 0.5 },
                     { 26, -4 },
                     { 30.5, -8.5 },
                     { 31.6, -11.5 },
                     { 31.0, -13.4 },
                     { 29.2, -15.0 } } },
        { .wait = 1.0 },
        { .tilt = -0.5, .wait = 0.8 },
        { .lift = -0.3, .until = "virola.z", .value = 0.012, .is_below = true },
        { .lift = -0.1, .wait = 0.5 },
    };
    assert_int_equal(drive_it(&DRIVE("4-virola-past-the-crane", legs)), EXERCISE_PASSED);
}

static void test_the_pallet_is_fetched(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = 0.2, .until = "tip.x", .value = 6.05 },
        { .wait = 1.0 },
        { .lift = 0.5, .until = "pallet.z", .value = 0.4 },
        { .tilt = 0.5, .wait = 0.8 },
        { .wait = 0.5 },
        { .drive = -0.25, .until = "pallet.x", .value = 3.3, .is_below = true },
        { .wait = 1.5 },
        { .tilt = -0.5, .wait = 0.8 },
        { .lift = -0.3, .until = "contact.pallet.normal", .value = 1.0, .is_below = true },
        { .lift = -0.1, .wait = 0.4 },
    };
    assert_int_equal(drive_it(&DRIVE("pallet", legs)), EXERCISE_PASSED);
}

static void test_the_truck_brakes_in_time(void **state)
{
    (void)state;
    static const leg legs[] = {
        { .drive = -0.8, .until = "speed", .value = -4.2, .is_below = true },
        { .drive = -0.6, .until = "truck.x", .value = -22.0, .is_below = true },
        { .drive = -0.15, .until = "truck.x", .value = -29.6, .is_below = true },
    };
    assert_int_equal(drive_it(&DRIVE("brake", legs)), EXERCISE_PASSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_truck_stops_before_the_line),
        cmocka_unit_test(test_the_slalom_is_driven),
        cmocka_unit_test(test_the_pallet_is_put_on_the_lorry),
        cmocka_unit_test(test_the_virola_is_carried_past_the_crane),
        cmocka_unit_test(test_the_pallet_is_fetched),
        cmocka_unit_test(test_the_truck_brakes_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
