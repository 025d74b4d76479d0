// SPDX-License-Identifier: MIT
// FNV-1a, the hash of models, states and files.
#include "base/hash.h"
#include <string.h>

// eight bytes at a time: multiply and fold the upper half back, so that every bit reaches every other
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, from, 8);
        hash = mix(hash, word);
        from += 8;
        size -= 8;
    }
    uint64_t rest = 0;
    if (size > 0) {
        memcpy(&rest, from, size); // nothing may have no address
    }
    return mix(hash, rest ^ ((uint64_t)size << 56));
}
