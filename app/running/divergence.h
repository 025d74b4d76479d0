// SPDX-License-Identifier: MIT
/* divergence.h - the report of a failed step, for people and for programs. */
#pragma once
#include "cli/json.h"
#include <biela/biela.h>

/* `saved`: where the last good state is; NULL: nowhere. */
void divergence_print(const bi_sim *, const char *saved);
void divergence_json(json *, const bi_sim *, const char *saved);
