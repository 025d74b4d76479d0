// SPDX-License-Identifier: MIT
#include "cli/numbers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool option_number(const arguments *args, const char *option, number_range range, double *value)
{
    const char *text = arguments_value(args, option);
    char *end = NULL;
    double number = text ? strtod(text, &end) : *value;
    if (!text) {
        return true;
    }
    bool is_number = end != text && !*end;
    if (is_number && !isfinite(number)) {
        fprintf(stderr, "biela %s: error: %s: '%s' is not a finite number; give one\n", args->command->name,
                option, text);
        return false;
    }
    bool is_right = is_number && number >= range.least && number <= range.most;
    if (!is_right || (range.kind == NUMBER_WHOLE && number != floor(number))) {
        fprintf(stderr, "biela %s: error: %s: '%s' is not %s\n", args->command->name, option, text,
                range.what);
        return false;
    }
    *value = number;
    return true;
}
