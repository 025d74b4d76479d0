// SPDX-License-Identifier: MIT
#include "io/fmu/inflate.h"
#include <stdint.h>
#include <string.h>

enum { LONGEST_CODE = 15, LITERALS = 288, DISTANCES = 30 };

typedef struct {
    const unsigned char *in;
    size_t n_in, at;
    uint32_t bits; // read, not used yet
    int n_bits;
    unsigned char *out;
    size_t n_out, done;
    bool is_bad;
} stream;

// Codes of each length, and their symbols in the order of the codes.
typedef struct {
    int count[LONGEST_CODE + 1];
    int symbol[LITERALS];
} codes;

static unsigned take(stream *s, int n)
{
    while (s->n_bits < n) {
        if (s->at == s->n_in) {
            s->is_bad = true;
            return 0;
        }
        s->bits |= (uint32_t)s->in[s->at++] << s->n_bits;
        s->n_bits += 8;
    }
    unsigned value = s->bits & ((1u << n) - 1);
    s->bits >>= n;
    s->n_bits -= n;
    return value;
}

// False: more codes than their lengths allow.
static bool make_codes(codes *c, const unsigned char *length, int n)
{
    int start[LONGEST_CODE + 2] = { 0 }, left = 1;
    memset(c, 0, sizeof *c);
    for (int k = 0; k < n; k++) {
        c->count[length[k]]++;
    }
    c->count[0] = 0;
    for (int l = 1; l <= LONGEST_CODE; l++) {
        left = 2 * left - c->count[l];
        if (left < 0) {
            return false;
        }
        start[l + 1] = start[l] + c->count[l];
    }
    for (int k = 0; k < n; k++) {
        if (length[k] > 0) {
            c->symbol[start[length[k]]++] = k;
        }
    }
    return true;
}

static int decode(stream *s, const codes *c)
{
    int code = 0, first = 0, index = 0;
    for (int l = 1; l <= LONGEST_CODE && !s->is_bad; l++) {
        code |= (int)take(s, 1);
        if (code - first < c->count[l]) {
            return c->symbol[index + code - first];
        }
        index += c->count[l];
        first = (first + c->count[l]) << 1;
        code <<= 1;
    }
    s->is_bad = true;
    return -1;
}

static void copy_back(stream *s, size_t length, size_t distance)
{
    if (distance > s->done || length > s->n_out - s->done) {
        s->is_bad = true;
        return;
    }
    for (size_t k = 0; k < length; k++, s->done++) {
        s->out[s->done] = s->out[s->done - distance];
    }
}

static void read_symbols(stream *s, const codes *literal, const codes *distance)
{
    static const uint16_t base[] = { 3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 };
    static const uint16_t far[] = { 1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                    33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                    1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577 };
    while (!s->is_bad) {
        int symbol = decode(s, literal);
        if (symbol == 256) {
            return;
        }
        if (symbol < 256 && symbol >= 0) {
            s->is_bad = s->done == s->n_out;
            if (!s->is_bad) {
                s->out[s->done++] = (unsigned char)symbol;
            }
            continue;
        }
        int k = symbol - 257;
        if (k < 0 || k > 28) {
            s->is_bad = true;
            return;
        }
        size_t length = base[k] + take(s, k < 8 || k == 28 ? 0 : (k - 4) / 4);
        int d = decode(s, distance);
        if (d < 0 || d >= DISTANCES) {
            s->is_bad = true;
            return;
        }
        copy_back(s, length, far[d] + take(s, d < 4 ? 0 : (d - 2) / 2));
    }
}

static void read_stored(stream *s)
{
    s->bits = 0;
    s->n_bits = 0;
    if (s->n_in - s->at < 4) {
        s->is_bad = true;
        return;
    }
    size_t length = s->in[s->at] | (size_t)s->in[s->at + 1] << 8;
    size_t check = s->in[s->at + 2] | (size_t)s->in[s->at + 3] << 8;
    s->at += 4;
    if (length != (check ^ 0xffff) || length > s->n_in - s->at || length > s->n_out - s->done) {
        s->is_bad = true;
        return;
    }
    memcpy(s->out + s->done, s->in + s->at, length);
    s->at += length;
    s->done += length;
}

static void read_fixed(stream *s)
{
    codes literal, distance;
    unsigned char length[LITERALS];
    for (int k = 0; k < LITERALS; k++) {
        length[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
    }
    make_codes(&literal, length, LITERALS);
    memset(length, 5, DISTANCES);
    make_codes(&distance, length, DISTANCES);
    read_symbols(s, &literal, &distance);
}

static void read_dynamic(stream *s)
{
    static const unsigned char order[] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
    unsigned char length[LITERALS + 32] = { 0 };
    codes literal, distance;
    int n_literal = (int)take(s, 5) + 257, n_distance = (int)take(s, 5) + 1, n_length = (int)take(s, 4) + 4,
        n = 0;
    if (n_literal > 286 || n_distance > DISTANCES) {
        s->is_bad = true;
        return;
    }
    for (int k = 0; k < n_length; k++) {
        length[order[k]] = (unsigned char)take(s, 3);
    }
    s->is_bad = s->is_bad || !make_codes(&literal, length, 19);
    memset(length, 0, 19);
    while (!s->is_bad && n < n_literal + n_distance) {
        int symbol = decode(s, &literal), times = 1;
        unsigned char value = symbol < 16 ? (unsigned char)symbol : symbol == 16 && n > 0 ? length[n - 1] : 0;
        times = symbol < 16    ? 1
                : symbol == 16 ? 3 + (int)take(s, 2)
                : symbol == 17 ? 3 + (int)take(s, 3)
                               : 11 + (int)take(s, 7);
        if (symbol < 0 || (symbol == 16 && n == 0) || n + times > n_literal + n_distance) {
            s->is_bad = true;
            return;
        }
        memset(length + n, value, (size_t)times);
        n += times;
    }
    if (!s->is_bad && length[256] > 0 && make_codes(&literal, length, n_literal) &&
        make_codes(&distance, length + n_literal, n_distance)) {
        read_symbols(s, &literal, &distance);
    } else {
        s->is_bad = true;
    }
}

bool inflate_all(const unsigned char *in, size_t n_in, unsigned char *out, size_t n_out)
{
    stream s = { .in = in, .n_in = n_in, .out = out, .n_out = n_out };
    bool is_last = false;
    while (!is_last && !s.is_bad) {
        is_last = take(&s, 1) == 1;
        unsigned kind = take(&s, 2);
        if (kind == 0) {
            read_stored(&s);
        } else if (kind == 1) {
            read_fixed(&s);
        } else if (kind == 2) {
            read_dynamic(&s);
        } else {
            s.is_bad = true;
        }
    }
    return !s.is_bad && s.done == n_out;
}
