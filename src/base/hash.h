// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

static const uint64_t hash_seed = 0xcbf29ce484222325u;

// Folds bytes into a 64-bit hash: same bytes in the same order, same hash.
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);
