// SPDX-License-Identifier: MIT
// PNG (RFC 2083) with its zlib stream (RFC 1950, 1951): one block of fixed codes, matches found by a hash of three bytes.
#include "pictures/png.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HASHES = 1 << 15, LONGEST = 258, SHORTEST = 4, WINDOW = 32768, TRIES = 12 };

typedef struct {
    unsigned char *byte;
    size_t n;
    uint64_t bits; // not written yet, the first one lowest
    int n_bit;
} stream;

static void put_bits(stream *s, uint32_t bits, int n)
{
    s->bits |= (uint64_t)bits << s->n_bit;
    s->n_bit += n;
    for (; s->n_bit >= 8; s->n_bit -= 8, s->bits >>= 8) {
        s->byte[s->n++] = (unsigned char)s->bits;
    }
}

// Codes of Huffman begin with their highest bit.
static void put_code(stream *s, uint32_t code, int n)
{
    uint32_t turned = 0;
    for (int k = 0; k < n; k++) {
        turned |= (code >> k & 1u) << (n - 1 - k);
    }
    put_bits(s, turned, n);
}

static void put_symbol(stream *s, uint32_t symbol)
{
    if (symbol < 144) {
        put_code(s, 0x30 + symbol, 8);
    } else if (symbol < 256) {
        put_code(s, 0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        put_code(s, symbol - 256, 7);
    } else {
        put_code(s, 0xc0 + symbol - 280, 8);
    }
}

// Lengths 3 to 258 and distances 1 to 32768 go in steps that double: the number of the step, and what lies beyond.
static void put_match(stream *s, int length, int distance)
{
    int more = 0, from = 3;
    uint32_t symbol = 257;
    if (length == LONGEST) {
        put_symbol(s, 285);
    } else {
        for (; length >= from + (1 << more); symbol++) {
            from += 1 << more;
            more += symbol >= 264 && (symbol - 264) % 4 == 0;
        }
        put_symbol(s, symbol);
        put_bits(s, (uint32_t)(length - from), more);
    }
    more = 0;
    from = 1;
    for (symbol = 0; distance >= from + (1 << more); symbol++) {
        from += 1 << more;
        more += symbol >= 3 && symbol % 2 == 1;
    }
    put_code(s, symbol, 5);
    put_bits(s, (uint32_t)(distance - from), more);
}

static uint32_t hash_at(const unsigned char *b)
{
    uint32_t four;
    memcpy(&four, b, sizeof four);
    return (four * 2654435761u) >> 17;
}

// The longest piece before `at` that is the same, among the latest with its hash.
static int longest_match(const unsigned char *data, size_t n, size_t at, const int32_t *before, int32_t from,
                         int *distance)
{
    int best = 0, most = n - at < LONGEST ? (int)(n - at) : LONGEST;
    for (int tries = 0; from >= 0 && (size_t)from + WINDOW > at && tries < TRIES && best < most; tries++) {
        int length = 0;
        while (length < most && data[(size_t)from + (size_t)length] == data[at + (size_t)length]) {
            length++;
        }
        if (length > best) {
            best = length;
            *distance = (int)(at - (size_t)from);
        }
        from = before[(size_t)from % WINDOW];
    }
    return best;
}

static void deflate(stream *s, const unsigned char *data, size_t n, int32_t *last, int32_t *before)
{
    memset(last, -1, HASHES * sizeof *last);
    put_bits(s, 1, 1);
    put_bits(s, 1, 2);
    for (size_t at = 0; at < n;) {
        bool has_hash = at + SHORTEST <= n;
        int distance = 0,
            length = has_hash ? longest_match(data, n, at, before, last[hash_at(data + at)], &distance) : 0;
        length = length >= SHORTEST ? length : 1;
        if (length == 1) {
            put_symbol(s, data[at]);
        } else {
            put_match(s, length, distance);
        }
        for (int k = 0; k < length; k++, at++) {
            if (at + SHORTEST <= n) {
                uint32_t hash = hash_at(data + at);
                before[at % WINDOW] = last[hash];
                last[hash] = (int32_t)at;
            }
        }
    }
    put_symbol(s, 256);
    put_bits(s, 0, (8 - s->n_bit) % 8);
}

static void put_large(stream *s, uint32_t v)
{
    for (int k = 3; k >= 0; k--) {
        s->byte[s->n++] = (unsigned char)(v >> 8 * k);
    }
}

// The check of a chunk: its kind and what it holds.
static uint32_t crc_of(const unsigned char *b, size_t n)
{
    uint32_t crc = 0xffffffffu;
    for (size_t k = 0; k < n; k++) {
        crc ^= b[k];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc & 1u ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        }
    }
    return ~crc;
}

static size_t begin_chunk(stream *s, const char *kind)
{
    size_t at = s->n;
    put_large(s, 0);
    memcpy(s->byte + s->n, kind, 4);
    s->n += 4;
    return at;
}

static void end_chunk(stream *s, size_t at)
{
    size_t n = s->n, length = n - at - 8;
    s->n = at;
    put_large(s, (uint32_t)length);
    s->n = n;
    put_large(s, crc_of(s->byte + at + 4, length + 4));
}

// Every row as its difference from the one above.
static void filter(int width, int height, const unsigned char *rgb, unsigned char *out)
{
    const size_t row = 3 * (size_t)width;
    for (int y = 0; y < height; y++) {
        const unsigned char *here = rgb + (size_t)y * row;
        *out++ = y > 0 ? 2 : 0;
        for (size_t x = 0; x < row; x++) {
            *out++ = (unsigned char)(y > 0 ? here[x] - (here - row)[x] : here[x]);
        }
    }
}

static uint32_t adler_of(const unsigned char *b, size_t n)
{
    uint32_t low = 1, high = 0;
    for (size_t k = 0; k < n; k++) {
        low = (low + b[k]) % 65521u;
        high = (high + low) % 65521u;
    }
    return high << 16 | low;
}

unsigned char *png_of(int width, int height, const unsigned char *rgb, size_t *size)
{
    static const unsigned char signature[] = { 0x89, 'P', 'N', 'G', 13, 10, 26, 10 };
    const size_t raw = (size_t)height * (3 * (size_t)width + 1);
    // a byte becomes nine bits at most
    stream s = { .byte = malloc(raw + raw / 8 + 256) };
    unsigned char *rows = malloc(raw);
    int32_t *last = malloc(HASHES * sizeof *last), *before = malloc(WINDOW * sizeof *before);
    bool ok = s.byte && rows && last && before;
    if (ok) {
        memcpy(s.byte, signature, sizeof signature);
        s.n = sizeof signature;
        size_t at = begin_chunk(&s, "IHDR");
        put_large(&s, (uint32_t)width);
        put_large(&s, (uint32_t)height);
        memcpy(s.byte + s.n, "\10\2\0\0\0", 5);
        s.n += 5;
        end_chunk(&s, at);
        filter(width, height, rgb, rows);
        at = begin_chunk(&s, "IDAT");
        s.byte[s.n++] = 0x78;
        s.byte[s.n++] = 0x01;
        deflate(&s, rows, raw, last, before);
        put_large(&s, adler_of(rows, raw));
        end_chunk(&s, at);
        end_chunk(&s, begin_chunk(&s, "IEND"));
        *size = s.n;
    }
    free(rows);
    free(last);
    free(before);
    if (!ok) {
        free(s.byte);
    }
    return ok ? s.byte : NULL;
}

char *png_text(const unsigned char *b, size_t size)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc((size + 2) / 3 * 4 + 1), *out = text;
    for (size_t k = 0; text && k < size; k += 3) {
        uint32_t three = (uint32_t)b[k] << 16 | (k + 1 < size ? (uint32_t)b[k + 1] << 8 : 0) |
                         (k + 2 < size ? b[k + 2] : 0);
        *out++ = letter[three >> 18];
        *out++ = letter[three >> 12 & 63u];
        *out++ = k + 1 < size ? letter[three >> 6 & 63u] : '=';
        *out++ = k + 2 < size ? letter[three & 63u] : '=';
    }
    if (text) {
        *out = '\0';
    }
    return text;
}
