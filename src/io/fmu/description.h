// SPDX-License-Identifier: MIT
// What modelDescription.xml of an FMU says, as far as its guest needs it.
#pragma once
#include "io/robot/xml.h"

typedef enum { FMU_REAL, FMU_FLOAT32, FMU_INT32, FMU_INT64, FMU_BOOLEAN, FMU_OTHER } fmu_type;
typedef enum { FMU_INPUT, FMU_OUTPUT, FMU_PARAMETER, FMU_LOCAL } fmu_causality;

typedef struct {
    const char *name, *unit;
    uint32_t reference;
    fmu_type type;
    fmu_causality causality;
    bool is_array;
} fmu_variable;

typedef struct {
    int version; // 2 or 3
    const char *identifier, *token;
    bool can_save, has_variable_steps;
    fmu_variable *variable; // (count)
    int count;
} fmu_description;

// Texts live as long as the memory. False: the report says why.
bool fmu_describe(const char *text, size_t length, const char *path, blocks *memory, fmu_description *out,
                  bi_report *report);
const fmu_variable *fmu_find(const fmu_description *, const char *name); // NULL: none
