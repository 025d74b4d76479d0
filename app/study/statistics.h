// SPDX-License-Identifier: MIT
/* statistics.h - probabilities, quantiles and how surely a sample knows them. */
#pragma once

double normal_probability(double x); /* of a standard normal number below x */
double normal_quantile(double p);    /* 0 < p < 1 */
double student_quantile(double p, double freedom);
/* Regularised incomplete beta function: probability of a beta(a, b) number below x. */
double beta_probability(double x, double a, double b);

/* A number and the interval that covers the true one with the confidence asked for; infinite: the sample is too small to tell. */
typedef struct {
    double value, low, high;
} estimate;

/* Quantile p of what the sample was drawn from; `sorted` in increasing order, infinite values allowed. The interval is
 * between two values of the sample, without assuming any distribution. */
estimate quantile_estimate(const double *sorted, int count, double p, double confidence);
/* Probability of what happened `hits` times in `count` (Clopper and Pearson). */
estimate probability_estimate(int hits, int count, double confidence);
void sort_numbers(double *value, int count);
