// SPDX-License-Identifier: MIT
/* flex_export.h - the mesh of a flexible body as input of CalculiX. */
#pragma once
#include "cli/options.h"
#include <biela/flex.h>
#include <biela/io.h>

exit_code flex_export(const bi_flex *, const arguments *);
