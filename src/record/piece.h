// SPDX-License-Identifier: MIT
// Pieces of a recording: tag, length, bytes, checksum; numbers are little endian.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char record_magic[16] = "BIELA RECORD 1\n";
enum {
    PIECE_HEAD = 8,  // tag and length
    PIECE_CHECK = 4, // checksum
    ENTRY_BYTES = 24,
    LARGEST_PIECE = 1 << 28
};
#define PIECE_TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
static const uint32_t piece_note = PIECE_TAG('N', 'O', 'T', 'E'), piece_file = PIECE_TAG('F', 'I', 'L', 'E'),
                      piece_inputs = PIECE_TAG('I', 'N', 'P', 'T'),
                      piece_snapshot = PIECE_TAG('S', 'N', 'A', 'P'),
                      piece_log = PIECE_TAG('L', 'O', 'G', 'S'), piece_end = PIECE_TAG('E', 'N', 'D', 'S');

static inline void put_u32(char *to, uint32_t v)
{
    for (int k = 0; k < 4; k++) {
        to[k] = (char)(v >> (8 * k));
    }
}

static inline void put_u64(char *to, uint64_t v)
{
    put_u32(to, (uint32_t)v);
    put_u32(to + 4, (uint32_t)(v >> 32));
}

static inline uint32_t get_u32(const char *from)
{
    const unsigned char *b = (const unsigned char *)from;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t get_u64(const char *from) { return get_u32(from) | (uint64_t)get_u32(from + 4) << 32; }

// FNV-1a, 64 bits: names contents, against accidents only.
static inline uint64_t record_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ b[k]) * 0x100000001b3u;
    }
    return hash;
}
static const uint64_t record_hash_seed = 0xcbf29ce484222325u;

static inline uint32_t record_check(const char *head, const char *bytes, size_t size)
{
    uint64_t h = record_hash(record_hash(record_hash_seed, head, PIECE_HEAD), bytes, size);
    return (uint32_t)(h ^ h >> 32);
}
