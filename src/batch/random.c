// SPDX-License-Identifier: MIT
// Random numbers by seed, name and number of a case (statistics.1).
#include "batch/random.h"
#include <biela/batch.h>
#include <string.h>

// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11
void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    static const uint32_t multiplier[2] = { 0xD2511F53u, 0xCD9E8D57u }; // of the paper
    static const uint32_t weyl[2] = { 0x9E3779B9u, 0xBB67AE85u };       // golden ratio, root of 3 less 1
    uint32_t c[4] = { counter[0], counter[1], counter[2], counter[3] }, k[2] = { key[0], key[1] };
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)multiplier[0] * c[0], q = (uint64_t)multiplier[1] * c[2];
        uint32_t next[4] = { (uint32_t)(q >> 32) ^ c[1] ^ k[0], (uint32_t)q,
                             (uint32_t)(p >> 32) ^ c[3] ^ k[1], (uint32_t)p };
        memcpy(c, next, sizeof c);
        k[0] += weyl[0];
        k[1] += weyl[1];
    }
    memcpy(out, c, sizeof c);
}

// FNV-1a: parameters are told apart by their names, so that one more does not change the others.
static uint64_t name_number(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++) {
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    }
    return h;
}

double bi_random(uint64_t seed, const char *name, uint64_t number)
{
    uint64_t h = name_number(name ? name : "");
    uint32_t counter[4] = { (uint32_t)number, (uint32_t)(number >> 32), (uint32_t)h, (uint32_t)(h >> 32) };
    uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) }, out[4];
    philox(counter, key, out);
    uint64_t bits = ((uint64_t)out[0] << 32 | out[1]) >> 12;
    return ((double)bits + 0.5) * 0x1p-52;
}
