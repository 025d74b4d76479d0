// SPDX-License-Identifier: MIT
// Quantiles, intervals and random numbers of sweeps against published values and closed forms.
#include "study/distribution.h"
#include "study/statistics.h"
#include <biela/batch.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
// cmocka needs the four above
#include <cmocka.h>

static void expect_near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) {
        fail_msg("%.17g instead of %.17g", value, wanted);
    }
}

static void test_normal_quantiles_are_those_of_the_tables(void **state)
{
    (void)state;
    expect_near(normal_quantile(0.5), 0.0, 1e-15);
    expect_near(normal_quantile(0.975), 1.959963984540054, 1e-13);
    expect_near(normal_quantile(0.05), -1.6448536269514722, 1e-13);
    expect_near(normal_quantile(1e-10), -6.361340902404056, 1e-10);
    for (double p = 1e-6; p < 1.0; p += 0.01) {
        expect_near(normal_probability(normal_quantile(p)), p, 1e-14);
    }
}

static void test_student_quantiles_are_those_of_the_tables(void **state)
{
    (void)state;
    // freedom 1 is the Cauchy distribution: tan(pi (p - 1/2)); freedom 2 has a closed form too
    expect_near(student_quantile(0.975, 1.0), 12.706204736174698, 1e-9);
    expect_near(student_quantile(0.975, 2.0), 4.302652729749464, 1e-10);
    expect_near(student_quantile(0.95, 10.0), 1.8124611228107335, 1e-10);
    expect_near(student_quantile(0.025, 30.0), -2.0422724563012373, 1e-10);
    expect_near(student_quantile(0.975, 1e7), 1.959963984540054, 1e-6);
}

static void test_probability_of_none_in_n_has_the_closed_bound(void **state)
{
    (void)state;
    // nothing in 20: (1 - p)^20 = 0.025
    estimate none = probability_estimate(0, 20, 0.95);
    expect_near(none.low, 0.0, 0.0);
    expect_near(none.high, 1.0 - pow(0.025, 1.0 / 20.0), 1e-12);
    estimate all = probability_estimate(20, 20, 0.95);
    expect_near(all.low, pow(0.025, 1.0 / 20.0), 1e-12);
    expect_near(all.high, 1.0, 0.0);
    // 5 of 20, table of Clopper and Pearson: 0.0866, 0.4910
    estimate some = probability_estimate(5, 20, 0.95);
    expect_near(some.value, 0.25, 1e-15);
    expect_near(some.low, 0.0866, 5e-5);
    expect_near(some.high, 0.4910, 5e-5);
}

static void test_median_interval_is_that_of_the_sign_test(void **state)
{
    (void)state;
    // n = 10: the 2nd and the 9th value (97.9 %), the classical table; n = 5 is too small for 95 %
    double value[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    estimate e = quantile_estimate(value, 10, 0.5, 0.95);
    expect_near(e.value, 5.5, 1e-15);
    expect_near(e.low, 2.0, 0.0);
    expect_near(e.high, 9.0, 0.0);
    estimate few = quantile_estimate(value, 5, 0.5, 0.95);
    assert_true(isinf(few.low) && isinf(few.high));
}

static void test_interval_of_a_quantile_covers_it_as_often_as_promised(void **state)
{
    (void)state;
    // 2000 experiments of 60 samples; the count of hits has a standard deviation of 10
    enum { EXPERIMENTS = 2000, SAMPLES = 60 };
    int hits = 0;
    for (int e = 0; e < EXPERIMENTS; e++) {
        double value[SAMPLES];
        for (int k = 0; k < SAMPLES; k++) {
            value[k] = bi_random(7, "x", (uint64_t)(e * SAMPLES + k));
        }
        sort_numbers(value, SAMPLES);
        estimate found = quantile_estimate(value, SAMPLES, 0.8, 0.95);
        hits += found.low <= 0.8 && 0.8 <= found.high;
    }
    // never less than promised (within three deviations), and not everything
    assert_true(hits >= 0.95 * EXPERIMENTS - 30 && hits < 0.99 * EXPERIMENTS);
}

// Largest distance between the share of samples below x and the probability (Kolmogorov).
static double kolmogorov(const char *text, double (*probability)(double))
{
    enum { N = 4000 };
    static double value[N];
    distribution d;
    assert_true(distribution_parse(text, "test", &d));
    for (int k = 0; k < N; k++) {
        value[k] = distribution_quantile(&d, bi_random(3, text, (uint64_t)k));
    }
    sort_numbers(value, N);
    double most = 0.0;
    for (int k = 0; k < N; k++) {
        double p = probability(value[k]);
        most = fmax(most, fmax(fabs(p - (double)k / N), fabs(p - (k + 1.0) / N)));
    }
    return most;
}

static double uniform_below(double x) { return fmin(1.0, fmax(0.0, (x + 1.0) / 4.0)); }
static double normal_below(double x) { return 0.5 * erfc(-(x - 0.7) / (0.05 * sqrt(2.0))); }
static double triangle_below(double x) { return x < 1.0 ? x * x / 3.0 : 1.0 - (3.0 - x) * (3.0 - x) / 6.0; }
static double lognormal_below(double x) { return 0.5 * erfc(-log(x / 2.0) / (0.3 * sqrt(2.0))); }
static double truncated_below(double x)
{
    double low = 0.5 * erfc(1.0 / sqrt(2.0)), high = 0.5 * erfc(-2.0 / sqrt(2.0));
    return (0.5 * erfc(-x / sqrt(2.0)) - low) / (high - low);
}

static void test_samples_follow_their_distributions(void **state)
{
    (void)state;
    // 1.95 / sqrt(n): exceeded once in a thousand
    const double limit = 1.95 / sqrt(4000.0);
    assert_true(kolmogorov("uniform(-1,3)", uniform_below) < limit);
    assert_true(kolmogorov("normal(0.7,0.05)", normal_below) < limit);
    assert_true(kolmogorov("triangular(0,1,3)", triangle_below) < limit);
    assert_true(kolmogorov("lognormal(2,0.3)", lognormal_below) < limit);
    assert_true(kolmogorov("truncated(0,1,-1,2)", truncated_below) < limit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal_quantiles_are_those_of_the_tables),
        cmocka_unit_test(test_student_quantiles_are_those_of_the_tables),
        cmocka_unit_test(test_probability_of_none_in_n_has_the_closed_bound),
        cmocka_unit_test(test_median_interval_is_that_of_the_sign_test),
        cmocka_unit_test(test_interval_of_a_quantile_covers_it_as_often_as_promised),
        cmocka_unit_test(test_samples_follow_their_distributions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
