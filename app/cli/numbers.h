// SPDX-License-Identifier: MIT
/* numbers.h - plain numbers behind options: read to their end, finite, in their range; one wording of mistakes. */
#pragma once
#include "cli/options.h"
#include <float.h>

typedef struct {
    double least, most;
    enum { NUMBER_OF_ANY_KIND, NUMBER_WHOLE } kind;
    const char *what; /* "a number between 0 and 1, such as 0.95" */
} number_range;
#define NUMBER_POSITIVE                                                                                      \
    (number_range) { DBL_MIN, DBL_MAX, NUMBER_OF_ANY_KIND, "a positive number" }
#define NUMBER_SHARE                                                                                         \
    (number_range)                                                                                           \
    {                                                                                                        \
        DBL_MIN, 1.0 - DBL_EPSILON, NUMBER_OF_ANY_KIND, "a number between 0 and 1, such as 0.95"             \
    }

/* The number of an option; not given: `value` stays. False: told why. */
bool option_number(const arguments *, const char *option, number_range, double *value);
