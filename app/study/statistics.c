// SPDX-License-Identifier: MIT
#include "study/statistics.h"
#include <math.h>
#include <stdlib.h>

double normal_probability(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

double normal_quantile(double p)
{
    if (!(p > 0.0 && p < 1.0)) {
        return p >= 1.0 ? INFINITY : p <= 0.0 ? -INFINITY : NAN;
    }
    // the lower half has the full precision of p; the other is its mirror
    if (p > 0.5) {
        return -normal_quantile(1.0 - p);
    }
    // start from the tail's leading term, then Newton with the second order term (Halley)
    double x = p < 0.02 ? -sqrt(-2.0 * log(p)) : (p - 0.5) * 2.5;
    for (int k = 0; k < 60; k++) {
        double slope = exp(-0.5 * x * x) / sqrt(2.0 * 3.14159265358979323846);
        double error = normal_probability(x) - p, step = error / slope;
        step /= fmax(0.5, 1.0 + 0.5 * x * step);
        x -= step;
        if (fabs(step) <= 1e-15 * fmax(1.0, fabs(x))) {
            break;
        }
    }
    return x;
}

// Continued fraction of the incomplete beta function, evaluated forward (modified Lentz).
static double beta_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1.0 + even * d;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = 1.0 + even / c;
        c = fabs(c) < tiny ? tiny : c;
        value *= c * d;
        d = 1.0 + odd * d;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = 1.0 + odd / c;
        c = fabs(c) < tiny ? tiny : c;
        value *= c * d;
        if (fabs(c * d - 1.0) < 1e-15) {
            break;
        }
    }
    return value;
}

double beta_probability(double x, double a, double b)
{
    if (!(x > 0.0)) {
        return 0.0;
    }
    if (x >= 1.0) {
        return 1.0;
    }
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(x, a, b) / a
                                         : 1.0 - front * beta_fraction(1.0 - x, b, a) / b;
}

// x with beta_probability = p, by halving: certain, and fast enough for a table.
static double beta_quantile(double p, double a, double b)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 200 && high - low > 1e-16; k++) {
        double middle = 0.5 * (low + high);
        *(beta_probability(middle, a, b) < p ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

double student_quantile(double p, double freedom)
{
    if (!(freedom > 0.0)) {
        return NAN;
    }
    if (p < 0.5) {
        return -student_quantile(1.0 - p, freedom);
    }
    if (freedom > 1e6) {
        return normal_quantile(p);
    }
    // probability of |T| > t is beta_probability(f / (f + t^2), f/2, 1/2)
    double x = beta_quantile(2.0 * (1.0 - p), 0.5 * freedom, 0.5);
    return x > 0.0 ? sqrt(freedom * (1.0 - x) / x) : INFINITY;
}

// Probability that a binomial number (count, p) is at most k.
static double binomial_probability(int k, int count, double p)
{
    return k < 0 ? 0.0 : k >= count ? 1.0 : beta_probability(1.0 - p, count - k, k + 1.0);
}

estimate quantile_estimate(const double *sorted, int count, double p, double confidence)
{
    estimate e = { NAN, -INFINITY, INFINITY };
    if (count == 0) {
        return e;
    }
    // between the two nearest values of the sample
    double place = p * (count - 1);
    int below = (int)floor(place), above = below + 1 < count ? below + 1 : below;
    double part = place - below;
    e.value = part == 0.0 || sorted[below] == sorted[above]
                  ? sorted[below]
                  : (1.0 - part) * sorted[below] + part * sorted[above];

    // the l-th smallest value is above the quantile with the probability that fewer than l are below it (statistics.2)
    double tail = 0.5 * (1.0 - confidence);
    int low = 0, high = 1;
    while (low < count && binomial_probability(low, count, p) <= tail) {
        low++;
    }
    while (high <= count && binomial_probability(high - 1, count, p) < 1.0 - tail) {
        high++;
    }
    e.low = low >= 1 ? sorted[low - 1] : -INFINITY;
    e.high = high <= count ? sorted[high - 1] : INFINITY;
    return e;
}

estimate probability_estimate(int hits, int count, double confidence)
{
    if (count == 0) {
        return (estimate){ NAN, 0.0, 1.0 };
    }
    double tail = 0.5 * (1.0 - confidence);
    return (estimate){ (double)hits / count, hits == 0 ? 0.0 : beta_quantile(tail, hits, count - hits + 1.0),
                       hits == count ? 1.0 : beta_quantile(1.0 - tail, hits + 1.0, count - hits) };
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_numbers(double *value, int count)
{
    if (count > 0) {
        qsort(value, (size_t)count, sizeof *value, compare_numbers);
    }
}
