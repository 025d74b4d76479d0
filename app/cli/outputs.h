// SPDX-License-Identifier: MIT
/* outputs.h - files that commands write, by the rule of <biela/output.h>: folders are made, mistakes are printed. */
#pragma once
#include <biela/io.h>
#include <biela/output.h>

/* NULL: printed why. */
bi_output *outputs_begin(const char *path);
/* The file gets its name. False: printed why; what had that name before is still there. */
bool outputs_end(bi_output *);
/* A table of few rows, likewise. */
bi_csv *outputs_begin_table(const char *path, const bi_system *);
bool outputs_end_table(bi_csv *, const char *path);
