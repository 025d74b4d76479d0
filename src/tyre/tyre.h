// SPDX-License-Identifier: MIT
// Tyres. Each kind is one file; dynamics/laws.c lists them.
#pragma once
#include "state/law.h"

extern const law_kind tyre_linear_kind;
extern const law_kind tyre_pacejka_kind;
extern const law_kind tyre_tmeasy_kind;
extern const law_kind tyre_lean_kind;
