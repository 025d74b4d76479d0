// SPDX-License-Identifier: MIT
/* outfiles.h - files that commands write, by the rule of <biela/outfile.h>: folders are made, mistakes are printed. */
#pragma once
#include <biela/io.h>
#include <biela/outfile.h>

/* NULL: printed why. */
bi_outfile *outfiles_begin(const char *path);
/* The file gets its name. False: printed why; what had that name before is still there. */
bool outfiles_end(bi_outfile *);
/* A table of few rows, likewise. */
bi_csv *outfiles_begin_table(const char *path, const bi_system *);
bool outfiles_end_table(bi_csv *, const char *path);
