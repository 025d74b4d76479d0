// SPDX-License-Identifier: MIT
// The code for GPUs: found, and kept in the form of the GPU at hand.
#pragma once
#include <biela/base.h>

// As the driver loads it; freed by the caller. NULL: the report says where it was looked for.
char *cuda_code_read(const char *machine, bi_report *report);
