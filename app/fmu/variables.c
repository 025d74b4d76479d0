// SPDX-License-Identifier: MIT
#include "fmu/variables.h"
#include <string.h>

// FNV-1a over the letters and the end of each name.
static uint64_t add_name(uint64_t hash, const char *name)
{
    for (size_t k = 0; k <= strlen(name); k++) {
        hash = (hash ^ (unsigned char)name[k]) * 0x100000001b3u;
    }
    return hash;
}

uint64_t variables_names(const bi_model *model, const bi_system *system)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int k = 0; k < bi_input_count(system); k++) {
        hash = add_name(hash, bi_input_name(system, k));
    }
    for (int k = 0; k < bi_model_parameter_count(model); k++) {
        const char *name, *unit;
        double value;
        hash = bi_model_parameter_at(model, k, &name, &value, &unit) ? add_name(hash, name) : hash;
    }
    for (int k = 0; k < bi_channel_count(system); k++) {
        hash = add_name(hash, bi_channel_name(system, bi_channel_at(system, k)));
    }
    return hash;
}

double variables_scale(const bi_model *model, const char *unit)
{
    char text[64] = "1 ";
    double scale = 1.0;
    bi_report report = { 0 };
    if (!unit || !unit[0] || strcmp(unit, "1") == 0 || strlen(unit) > 60) {
        return 1.0;
    }
    strcat(text, unit);
    if (!bi_model_number(model, text, NULL, "unit", &scale, &report)) {
        scale = 1.0;
    }
    bi_report_clear(&report);
    return scale;
}

bool variables_parameter(const bi_model *model, int k, const char **name, const char **unit, double *value)
{
    if (!bi_model_parameter_at(model, k, name, value, unit)) {
        return false;
    }
    *unit = *unit && (*unit)[0] ? *unit : "1";
    *value /= variables_scale(model, *unit);
    return true;
}
