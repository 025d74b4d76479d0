// SPDX-License-Identifier: MIT
// The bicycle on tyres: runs and eigenvalues of an independent program, and the constrained benchmark as its stiff limit.
#include "support/run_model.h"

enum { MOST_SETTINGS = 6 };

typedef struct {
    const char *name, *file;
    bi_setting setting[MOST_SETTINGS];
    double time; // s
} ride;

// Coordinates, wheels' turns apart: the reference is good to 1e-7, and to 3.1e-7 in the turns of the wheels.
static const char *const coordinates[] = { "Rx",    "Ry",    "Rz",   "psi",  "phi", "theta",
                                           "gamma", "d_psi", "d_Ry", "d_Rx", "xi",  "ups" };
// Tyre forces there are good to 0.041 N, since slip of a stiff tyre is a small difference.
static const char *const forces[] = { "Fn_r", "Fx_r", "Fy_r", "Fn_f", "Fx_f", "Fy_f" };
static const char *const patches[] = { "delta_r", "xc_r", "yc_r", "delta_f", "xc_f", "yc_f" };

static double worst_of(const ride *what, const run_case *how, const char *const *channel, int count)
{
    run_column column[16];
    assert_true(count <= 16);
    for (int k = 0; k < count; k++) {
        column[k] = (run_column){ .channel = channel[k], .scale = 1.0 };
    }
    run_case one = *how;
    one.model = "bicycle";
    one.settings = what->setting;
    while (one.n_settings < MOST_SETTINGS && what->setting[one.n_settings].name) {
        one.n_settings++;
    }
    one.time = what->time;
    return run_error(&one, what->file, column, count);
}

static void expect_ride(const ride *what, const run_case *how, double limit)
{
    char name[80];
    snprintf(name, sizeof name, "bicycle.%s", what->name);
    run_expect(name, worst_of(what, how, coordinates, 12), limit);
    snprintf(name, sizeof name, "bicycle.%s.patches", what->name);
    run_expect(name, worst_of(what, how, patches, 6), limit);
    snprintf(name, sizeof name, "bicycle.%s.forces", what->name);
    run_expect(name, worst_of(what, how, forces, 6), 4.1e-2);
}

static const ride settle = {
    "settle", "reference-settle.csv", { { "v", "0" }, { "mu", "0" }, { "settled", "0" } }, 1.5
};
static const ride coast = {
    "coast", "reference-coast.csv", { { "v", "8" }, { "cv", "0.3" }, { "settled", "0" } }, 20.0
};
static const ride pedal = { "pedal",
                            "reference-pedal.csv",
                            { { "v", "3" }, { "cv", "0.3" }, { "settled", "0" }, { "T_pedal", "30" } },
                            10.0 };
static const ride slow = { "v3.5", "reference-v3.5.csv", { { "v", "3.5" }, { "dphi0", "0.05" } }, 3.0 };
static const ride stable = { "v4.5", "reference-v4.5.csv", { { "v", "4.5" }, { "dphi0", "0.05" } }, 5.0 };
static const ride fast = { "v7", "reference-v7.csv", { { "v", "7" }, { "dphi0", "0.05" } }, 5.0 };
static const ride countersteer = {
    "countersteer", "reference-countersteer.csv", { { "v", "4.5" }, { "T_steer", "0.1" } }, 10.0
};
static const ride countersteer_knife = {
    "countersteer-knife",
    "reference-countersteer-knife.csv",
    { { "v", "5.3" }, { "section", "1e-6" }, { "section_width", "1e-6" }, { "T_steer", "0.1" } },
    5.0
};
static const run_case joint = { .scheme = BI_RK4, .dt = 1e-3, .coordinates = BI_JOINT };

static void test_bicycle_settles_on_its_tyres(void **state)
{
    (void)state;
    expect_ride(&settle, &joint, 1e-7);
}

static void test_bicycle_coasts_against_the_air(void **state)
{
    (void)state;
    expect_ride(&coast, &joint, 3.1e-7);
}

static void test_bicycle_is_pedalled(void **state)
{
    (void)state;
    expect_ride(&pedal, &joint, 3.1e-7);
}

static void test_bicycle_rides_free_after_a_push(void **state)
{
    (void)state;
    expect_ride(&slow, &joint, 1e-7);
    expect_ride(&stable, &joint, 1e-7);
    expect_ride(&fast, &joint, 1e-7);
}

static void test_bicycle_countersteers(void **state)
{
    (void)state;
    expect_ride(&countersteer, &joint, 1e-7);
    // the reference's knife has a section of 1e-6 m
    expect_ride(&countersteer_knife, &joint, 1e-7);
}

static void test_bicycle_with_a_leaning_rider_follows_the_reference(void **state)
{
    (void)state;
    static const ride lean = {
        "lean", "reference-lean.csv", { { "v", "4.5" }, { "rider", "1" }, { "T_lean", "20" } }, 6.0
    };
    static const char *const hip[] = { "eta", "d_eta" };
    expect_ride(&lean, &joint, 1e-7);
    run_expect("bicycle.lean.hip", worst_of(&lean, &joint, hip, 2), 1e-7);
}

static void test_bicycle_rides_the_same_in_natural_coordinates(void **state)
{
    (void)state;
    const run_case natural = { .scheme = BI_RK4, .dt = 1e-3, .coordinates = BI_NATURAL };
    ride part = stable;
    part.time = 2.0;
    // order 4 of a step in which a wheel turns by 0.015 rad, over 30 rad: 1.03e-6 with 1 ms
    expect_ride(&part, &natural, 2e-6);
}

static void test_bicycle_heun_is_that_of_the_reference(void **state)
{
    (void)state;
    const run_case heun = { .scheme = BI_HEUN, .dt = 1e-3, .coordinates = BI_JOINT };
    ride part = stable;
    part.file = "reference-heun.csv";
    part.time = 2.0;
    run_expect("bicycle.heun", worst_of(&part, &heun, coordinates, 12), 1e-8);
}

// ---- stability --------------------------------------------------------------------------------------------------------

static bi_linear linear_of(const bi_setting *settings, int n)
{
    run_model run = run_open(
        &(run_case){ .model = "bicycle", .settings = settings, .n_settings = n, .coordinates = BI_JOINT });
    bi_linear out;
    run_require(bi_linearize(run.sim, &out, &run.report) == BI_OK, &run.report, "cannot be linearised");
    run_close(&run);
    return out;
}

// Distance of an eigenvalue of the reference from the nearest one here, against its size where that is above one.
static double distance(const bi_linear *l, double re, double im)
{
    double least = INFINITY;
    for (int k = 0; k < l->n_value; k++) {
        least = fmin(least, hypot(l->re[k] - re, l->im[k] - im));
    }
    return least / fmax(1.0, hypot(re, im));
}

static double eigenvalue_error(const char *file, const bi_setting *also, int n_lateral)
{
    bi_table table = run_reference("bicycle", file);
    const double *v = run_reference_column(&table, "v");
    double worst = 0.0;
    int points = 0;
    for (int k = 0; k < table.rows; k += 6) {
        char speed[40], re[16], im[16];
        snprintf(speed, sizeof speed, "%.17g", v[k]);
        const bi_setting settings[2] = { { "v", speed }, *also };
        bi_linear at = linear_of(settings, 2);
        for (int i = 1; i <= n_lateral; i++) {
            snprintf(re, sizeof re, "lat_re%d", i);
            snprintf(im, sizeof im, "lat_im%d", i);
            double gap =
                distance(&at, run_reference_column(&table, re)[k], run_reference_column(&table, im)[k]);
            worst = gap <= worst ? worst : gap;
        }
        bi_linear_clear(&at);
        points++;
    }
    assert_true(points >= 6);
    bi_table_clear(&table);
    return worst;
}

static void test_bicycle_eigenvalues_are_those_of_the_reference(void **state)
{
    (void)state;
    // written with ten digits there; the knife there has a section of 1e-6 m
    run_expect("bicycle.eigenvalues.elliptic",
               eigenvalue_error("eigenvalues-torus.csv", &(bi_setting){ "section", "0.020" }, 6), 1e-7);
    run_expect("bicycle.eigenvalues.knife",
               eigenvalue_error("eigenvalues-knife.csv", &(bi_setting){ "section", "0" }, 6), 1e-5);
    run_expect("bicycle.eigenvalues.rider",
               eigenvalue_error("eigenvalues-10dof.csv", &(bi_setting){ "rider", "1" }, 8), 1e-7);
}

// Stiffer and stiffer knife-edge tyres roll as the constrained bicycle: first order, by the published eigenvalues at 5 m/s.
static void test_bicycle_on_stiff_tyres_is_the_constrained_one(void **state)
{
    (void)state;
    static const double published[4][2] = { { -0.322866429003, 0 },
                                            { -0.775341882, 4.464867713 },
                                            { -0.775341882, -4.464867713 },
                                            { -14.078389693, 0 } };
    static const struct {
        const char *rigid;
        double error;
    } expected[] = { { "10", 0.188 }, { "100", 0.0183 }, { "1000", 0.00182 }, { "10000", 1.82e-4 } };
    for (int k = 0; k < 4; k++) {
        const bi_setting settings[] = {
            { "v", "5" }, { "section", "0" }, { "cn", "0" }, { "rigid", expected[k].rigid }
        };
        bi_linear at = linear_of(settings, 4);
        double worst = 0.0;
        for (int i = 0; i < 4; i++) {
            double size = fmax(1.0, hypot(published[i][0], published[i][1]));
            worst = fmax(worst, size * distance(&at, published[i][0], published[i][1]));
        }
        bi_linear_clear(&at);
        char name[60];
        snprintf(name, sizeof name, "bicycle.stiff.%s", expected[k].rigid);
        // the figures have three digits
        run_expect(name, fabs(worst - expected[k].error), 0.01 * expected[k].error);
    }
}

// ---- to be ridden ---------------------------------------------------------------------------------------------------

typedef struct {
    double lean;  // largest, rad
    double speed; // at the end, m/s
} outcome;

// A ride with implicit steps and tread; pedal: the input, N m. Every channel must be a number at each sample.
static outcome ride_for(double time, const char *v, const char *push, const char *assist, double pedal)
{
    const bi_setting settings[] = {
        { "v", v }, { "dphi0", push }, { "assist0", assist }, { "tread", "1e5" }
    };
    run_model run = run_open(&(run_case){ .model = "bicycle",
                                          .settings = settings,
                                          .n_settings = 4,
                                          .scheme = BI_ALI3P,
                                          .dt = 2e-3,
                                          .coordinates = BI_JOINT });
    bi_sim_input(run.sim, bi_find_input(run.system, "pedal"), pedal);
    outcome out = { 0 };
    int channels = bi_channel_count(run.system);
    for (int k = 1; k <= 40; k++) {
        run_to(&run, k * time / 40);
        for (int c = 0; c < channels; c++) {
            assert_true(isfinite(bi_sim_read(run.sim, bi_channel_at(run.system, c))));
        }
        out.lean = fmax(out.lean, fabs(run_read(&run, "phi")));
    }
    out.speed = run_read(&run, "speed");
    run_close(&run);
    return out;
}

static void test_bicycle_stays_up_with_the_assistant_and_falls_without(void **state)
{
    (void)state;
    outcome with = ride_for(30.0, "3.5", "0.1", "1", 0.0), without = ride_for(8.0, "2.5", "0.1", "0", 0.0);
    printf("measured bicycle.ride lean=%.4f without=%.4f\n", with.lean, without.lean);
    assert_true(with.lean < 0.1);
    assert_true(without.lean > 1.0);
}

static void test_bicycle_stands_starts_and_brakes(void **state)
{
    (void)state;
    outcome stands = ride_for(2.0, "0", "0", "0", 0.0), starts = ride_for(6.0, "0", "0", "1", 20.0),
            brakes = ride_for(10.0, "4", "0", "1", -20.0), topples = ride_for(5.0, "0", "0.01", "0", 0.0);
    printf("measured bicycle.rest stands=%.2e starts=%.3f brakes=%.2e topples=%.3f\n", stands.speed,
           starts.speed, brakes.speed, topples.lean);
    assert_true(fabs(stands.speed) < 1e-6 && stands.lean < 1e-6);
    // 20 N m on 0.3 m push 97.6 kg, the inertia of the wheels counted, for 6 s; the driven wheel slips by 1.3 % besides
    assert_true(fabs(starts.speed - 20.0 / 0.3 / 97.62 * 6.0) < 0.02 * starts.speed);
    assert_true(fabs(brakes.speed) < 0.02);
    assert_true(topples.lean > 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bicycle_settles_on_its_tyres),
        cmocka_unit_test(test_bicycle_coasts_against_the_air),
        cmocka_unit_test(test_bicycle_is_pedalled),
        cmocka_unit_test(test_bicycle_rides_free_after_a_push),
        cmocka_unit_test(test_bicycle_countersteers),
        cmocka_unit_test(test_bicycle_with_a_leaning_rider_follows_the_reference),
        cmocka_unit_test(test_bicycle_rides_the_same_in_natural_coordinates),
        cmocka_unit_test(test_bicycle_heun_is_that_of_the_reference),
        cmocka_unit_test(test_bicycle_eigenvalues_are_those_of_the_reference),
        cmocka_unit_test(test_bicycle_on_stiff_tyres_is_the_constrained_one),
        cmocka_unit_test(test_bicycle_stays_up_with_the_assistant_and_falls_without),
        cmocka_unit_test(test_bicycle_stands_starts_and_brakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
