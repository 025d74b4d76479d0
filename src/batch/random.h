// SPDX-License-Identifier: MIT
// A generator whose numbers follow from a counter and a key.
#pragma once
#include <stdint.h>

// Philox-4x32-10.
void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
