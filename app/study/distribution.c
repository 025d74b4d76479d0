// SPDX-License-Identifier: MIT
#include "study/distribution.h"
#include "cli/words.h"
#include "study/statistics.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- distributions ------------------------------------------------------------------------------------------------

static const struct {
    const char *name, *form;
    int count;
} spreads[] = {
    [SPREAD_UNIFORM] = { "uniform", "uniform(low,high)", 2 },
    [SPREAD_NORMAL] = { "normal", "normal(mean,sd)", 2 },
    [SPREAD_TRUNCATED] = { "truncated", "truncated(mean,sd,low,high)", 4 },
    [SPREAD_TRIANGULAR] = { "triangular", "triangular(low,mode,high)", 3 },
    [SPREAD_LOGNORMAL] = { "lognormal", "lognormal(median,sigma)", 2 },
};
enum { N_SPREAD = sizeof spreads / sizeof *spreads };

static bool complain(const char *where, const char *text, const char *what)
{
    fprintf(stderr, "biela: error: %s: %s: %s\n", where, text, what);
    return false;
}

static bool widths_are_good(const distribution *d, const char *where, const char *text)
{
    const double *a = d->a;
    switch (d->kind) {
    case SPREAD_UNIFORM:
        return a[1] > a[0] || complain(where, text, "the width high - low must be greater than zero");
    case SPREAD_NORMAL:
        return a[1] > 0.0 || complain(where, text, "the standard deviation must be greater than zero");
    case SPREAD_TRUNCATED:
        if (!(a[1] > 0.0)) {
            return complain(where, text, "the standard deviation must be greater than zero");
        }
        if (!(a[3] > a[2])) {
            return complain(where, text, "the width high - low must be greater than zero");
        }
        return normal_probability((a[3] - a[0]) / a[1]) - normal_probability((a[2] - a[0]) / a[1]) > 1e-12 ||
               complain(where, text, "nothing of the normal distribution lies between low and high");
    case SPREAD_TRIANGULAR:
        return (a[2] > a[0] && a[1] >= a[0] && a[1] <= a[2]) ||
               complain(where, text, "needs low <= mode <= high and a width greater than zero");
    case SPREAD_LOGNORMAL:
        if (!(a[0] > 0.0)) {
            return complain(where, text, "the median must be greater than zero");
        }
        return a[1] > 0.0 ||
               complain(where, text, "sigma, the spread of the logarithm, must be greater than zero");
    }
    return false;
}

static int find_spread(const char *text, const char *end)
{
    for (int k = 0; k < N_SPREAD; k++) {
        if (strlen(spreads[k].name) == (size_t)(end - text) &&
            strncmp(spreads[k].name, text, (size_t)(end - text)) == 0) {
            return k;
        }
    }
    return -1;
}

bool distribution_parse(const char *text, const char *where, distribution *d)
{
    const char *open = strchr(text, '(');
    int kind = open ? find_spread(text, open) : -1;
    if (kind < 0) {
        return complain(where, text,
                        "there are uniform(low,high), normal(mean,sd), truncated(mean,sd,low,high), "
                        "triangular(low,mode,high), lognormal(median,sigma)");
    }
    *d = (distribution){ .kind = (spread_kind)kind };
    const char *rest = open + 1;
    bool is_good = true;
    for (int k = 0; k < spreads[kind].count && is_good; k++) {
        char *end;
        d->a[k] = strtod(rest, &end);
        is_good = end != rest && isfinite(d->a[k]) && *end == (k + 1 < spreads[kind].count ? ',' : ')');
        rest = end + 1;
    }
    if (!is_good || *rest) {
        char *what = words_format("write it as %s, with finite numbers", spreads[kind].form);
        complain(where, text, what);
        free(what);
        return false;
    }
    return widths_are_good(d, where, text);
}

double distribution_quantile(const distribution *d, double u)
{
    const double *a = d->a;
    switch (d->kind) {
    case SPREAD_UNIFORM: return a[0] + u * (a[1] - a[0]);
    case SPREAD_NORMAL: return a[0] + a[1] * normal_quantile(u);
    case SPREAD_TRUNCATED: {
        double low = normal_probability((a[2] - a[0]) / a[1]),
               high = normal_probability((a[3] - a[0]) / a[1]);
        return fmin(a[3], fmax(a[2], a[0] + a[1] * normal_quantile(low + u * (high - low))));
    }
    case SPREAD_TRIANGULAR: {
        double width = a[2] - a[0], share = (a[1] - a[0]) / width;
        return u < share ? a[0] + sqrt(u * width * (a[1] - a[0]))
                         : a[2] - sqrt((1.0 - u) * width * (a[2] - a[1]));
    }
    case SPREAD_LOGNORMAL: return a[0] * exp(a[1] * normal_quantile(u));
    }
    return NAN;
}
