// SPDX-License-Identifier: MIT
#pragma once
#include "state/law.h"

// Compares the tangents that callbacks give with differences, at the present motion; mistakes go to the report by name.
void user_force_check(const plan *p, const void *items, int count, const law_in *in, bi_report *report);
