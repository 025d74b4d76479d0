// SPDX-License-Identifier: MIT
// Parts of the JSON Schema that readers write from their own tables.
#pragma once
#include <stdio.h>

void outputs_write_schema(FILE *out); // properties of an output
