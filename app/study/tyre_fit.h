// SPDX-License-Identifier: MIT
/* tyre_fit.h - coefficients of a property file (.tir) from measured forces of a tyre: least squares over the test rig. */
#pragma once
#include "cli/command.h"
#include <biela/io.h>

/* A model of one wheel on the tyre of a file; `more`: keys besides, ", PCY1: 1.3", or "". NULL: see the report. */
bi_model *tyre_file_model(const char *path, const char *more, bi_report *);

/* `biela tyre FILE.tir --fit DATA.csv --params A,B`: fits, tells, writes the file with the values found. */
exit_code tyre_fit(const arguments *, const char *tyre, const char *data, double speed);
