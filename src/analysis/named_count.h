// SPDX-License-Identifier: MIT
// Named points, vectors and joint coordinates counted as a document counts its variables.
#pragma once
#include "sim/system.h"

// Adds notes called "named"; none when the model names nothing.
void named_count(const bi_model *m, bi_report *report);
