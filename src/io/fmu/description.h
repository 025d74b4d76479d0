// SPDX-License-Identifier: MIT
// What modelDescription.xml of an FMU says, as far as its guest needs it.
#pragma once
#include "io/robot/xml.h"

// Types of numbers: version of the standard, name in the description, name in functions, type in C, least and most that
// a double can be. Most 1: anything but zero is true.
#define FMU_TYPE_LIST(X)                                                                                     \
    X(FMU_REAL, 2, "Real", "Real", double, -DBL_MAX, DBL_MAX)                                                \
    X(FMU_INTEGER, 2, "Integer", "Integer", int, -2147483648.0, 2147483647.0)                                \
    X(FMU_CHOICE, 2, "Enumeration", "Integer", int, -2147483648.0, 2147483647.0)                             \
    X(FMU_LOGICAL, 2, "Boolean", "Boolean", int, 0.0, 1.0)                                                   \
    X(FMU_FLOAT64, 3, "Float64", "Float64", double, -DBL_MAX, DBL_MAX)                                       \
    X(FMU_FLOAT32, 3, "Float32", "Float32", float, -FLT_MAX, FLT_MAX)                                        \
    X(FMU_INT8, 3, "Int8", "Int8", int8_t, -128.0, 127.0)                                                    \
    X(FMU_UINT8, 3, "UInt8", "UInt8", uint8_t, 0.0, 255.0)                                                   \
    X(FMU_INT16, 3, "Int16", "Int16", int16_t, -32768.0, 32767.0)                                            \
    X(FMU_UINT16, 3, "UInt16", "UInt16", uint16_t, 0.0, 65535.0)                                             \
    X(FMU_INT32, 3, "Int32", "Int32", int32_t, -2147483648.0, 2147483647.0)                                  \
    X(FMU_UINT32, 3, "UInt32", "UInt32", uint32_t, 0.0, 4294967295.0)                                        \
    X(FMU_INT64, 3, "Int64", "Int64", int64_t, -9223372036854775808.0, 9223372036854774784.0)                \
    X(FMU_UINT64, 3, "UInt64", "UInt64", uint64_t, 0.0, 18446744073709549568.0)                              \
    X(FMU_ENUMERATION, 3, "Enumeration", "Int64", int64_t, -9223372036854775808.0, 9223372036854774784.0)    \
    X(FMU_BOOLEAN, 3, "Boolean", "Boolean", bool, 0.0, 1.0)
#define FMU_TYPE_ENUM(value, version, name, function, type, least, most) value,
typedef enum { FMU_TYPE_LIST(FMU_TYPE_ENUM) FMU_OTHER } fmu_type;
typedef enum { FMU_INPUT, FMU_OUTPUT, FMU_PARAMETER, FMU_STRUCTURAL, FMU_LOCAL } fmu_causality;

typedef struct {
    const char *name, *unit;
    uint32_t reference;
    fmu_type type;
    fmu_causality causality;
    const xml_element *dimensions; // from the first one on; NULL: it is one number
    double start;                  // of a structural parameter: as it was set, or as it is described
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
fmu_variable *fmu_find(const fmu_description *, const char *name); // NULL: none
// How many numbers a variable is, the last dimension first, with the structural parameters as they stand; 0: none, or more
// than a million.
int fmu_size(const fmu_description *, const fmu_variable *);
