// SPDX-License-Identifier: MIT
/* distribution.h - random values of parameters: the same for the same seed, sample and name, whoever asks and in whatever order. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    SPREAD_UNIFORM,
    SPREAD_NORMAL,
    SPREAD_TRUNCATED,
    SPREAD_TRIANGULAR,
    SPREAD_LOGNORMAL
} spread_kind;
typedef struct {
    spread_kind kind;
    double a
        [4]; /* as written: low, high | mean, sd | mean, sd, low, high | low, mode, high | median, sigma of the logarithm */
} distribution;

/* "normal(0.7,0.05)". False: a mistake was printed with `where` before it. */
bool distribution_parse(const char *text, const char *where, distribution *);
/* The value below which a share u of the samples lie, 0 < u < 1. */
double distribution_quantile(const distribution *, double u);
