// SPDX-License-Identifier: MIT
// Contact laws. Each kind is one file; dynamics/laws.c lists them.
#pragma once
#include "state/law.h"

extern const law_kind point_contact_kind;
