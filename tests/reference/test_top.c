// SPDX-License-Identifier: MIT
// Heavy top: paths, nutation limits and periods, which elliptic functions give exactly.
#include "support/run_model.h"

typedef struct {
    const char *file;
    bi_setting setting[4];
    int n_setting;
    double time;
    double low, high, period; // of the nutation: cos theta, cos theta, s
} top_case;

// u1 and u2 are roots of the cubic of the invariants; period 2 K(k) / nu.
static const top_case cusps = { "reference-cusps.csv", { { 0 } },         0, 10.0, 0.46729989679579714,
                                0.8660254037844386,    1.5903092254095832 };
static const top_case waves = { "reference-waves.csv", { { "dphi0", "1" } }, 1, 10.0, 0.6358073782947311,
                                0.8660254037844386,    1.8528950304511795 };
static const top_case benchmark = {
    "reference-benchmark.csv",
    { { "phi0", "180" }, { "theta0", "90" }, { "dphi0", "-4.61538" }, { "dpsi0", "150" } },
    4,
    2.0,
    -0.9999999999997377,
    0.0,
    0.7452069476167691
};

static run_case case_of(const top_case *c, bi_coordinates coordinates)
{
    return (run_case){ .model = "top",
                       .settings = c->setting,
                       .n_settings = c->n_setting,
                       .scheme = BI_INDEX1_RK4,
                       .time = c->time,
                       .coordinates = coordinates };
}

static void check_path(const char *name, const top_case *c, bi_coordinates coordinates)
{
    run_column column[] = { { "cg.x", 1, 0 }, { "cg.y", 1, 0 }, { "cg.z", 1, 0 } };
    run_case what = case_of(c, coordinates);
    run_expect(name, run_error(&what, c->file, column, 3), 1e-6);
}

static void test_top_path_follows_the_reference_in_joint_coordinates(void **state)
{
    (void)state;
    check_path("top.cusps.joint", &cusps, BI_JOINT);
    check_path("top.waves.joint", &waves, BI_JOINT);
    check_path("top.benchmark.joint", &benchmark, BI_JOINT);
}

static void test_top_path_follows_the_reference_in_natural_coordinates(void **state)
{
    (void)state;
    check_path("top.cusps.natural", &cusps, BI_NATURAL);
    check_path("top.waves.natural", &waves, BI_NATURAL);
    check_path("top.benchmark.natural", &benchmark, BI_NATURAL);
}

// Turning points of the height are where its rate changes sign; height and time there by the parabola through them.
static void check_nutation(const char *name, const top_case *c)
{
    run_case what = case_of(c, BI_JOINT);
    run_model run = run_open(&what);
    double before_z = run_read(&run, "cg.z"), before_rate = run_read(&run, "cg.vz"), before_t = 0.0;
    double low = before_z, high = before_z, first = -1.0, last = -1.0;
    int turns = 0;
    while (run_now(&run) < run.time - 0.5 * run.dt) {
        run_step(&run);
        double t = run_now(&run), z = run_read(&run, "cg.z"), rate = run_read(&run, "cg.vz");
        if (before_t > 0.0 && (rate > 0.0) != (before_rate > 0.0)) {
            double share = before_rate / (before_rate - rate), h = t - before_t;
            double extreme = before_z + 0.5 * share * h * before_rate;
            low = fmin(low, extreme);
            high = fmax(high, extreme);
            if (rate > 0.0) {
                // lowest points, one period apart
                turns += first >= 0.0;
                last = before_t + share * h;
                first = first < 0.0 ? last : first;
            }
        }
        before_z = z;
        before_rate = rate;
        before_t = t;
    }
    run_close(&run);
    assert_true(turns >= 1);
    char text[64];
    snprintf(text, sizeof text, "%s.low", name);
    run_expect(text, fabs(low - c->low), 1e-6);
    snprintf(text, sizeof text, "%s.high", name);
    run_expect(text, fabs(high - c->high), 1e-6);
    snprintf(text, sizeof text, "%s.period", name);
    run_expect(text, fabs((last - first) / turns - c->period), 1e-6);
}

static void test_top_nutation_has_the_limits_and_the_period_of_the_closed_form(void **state)
{
    (void)state;
    check_nutation("top.cusps", &cusps);
    check_nutation("top.waves", &waves);
    check_nutation("top.benchmark", &benchmark);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top_path_follows_the_reference_in_joint_coordinates),
        cmocka_unit_test(test_top_path_follows_the_reference_in_natural_coordinates),
        cmocka_unit_test(test_top_nutation_has_the_limits_and_the_period_of_the_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
