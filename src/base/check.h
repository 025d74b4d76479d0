// SPDX-License-Identifier: MIT
#pragma once
// Programmer's mistakes (null, foreign id, wrong size): stop in debug builds, nothing in release builds.
#ifdef BI_DEBUG
#include <stdlib.h>
#define BI_ASSERT(claim) ((claim) ? (void)0 : abort())
#else
#define BI_ASSERT(claim) ((void)0)
#endif
