// SPDX-License-Identifier: MIT
// Parts of the JSON Schema that are written from tables.
#pragma once
#include <stdio.h>

void outputs_write_schema(FILE *out); // properties of an output
// Enum and description of a value.
void schemes_write_schema(FILE *out);
void formulations_write_schema(FILE *out);
void joint_kinds_write_schema(FILE *out);
