// SPDX-License-Identifier: MIT
// The answer to a WebSocket key: base64 of SHA-1 of the key and a fixed text (RFC 6455, FIPS 180-4). No secrets are
// involved.
#include <biela/server.h>
#include <string.h>

typedef struct {
    uint32_t h[5];
} sha1_state;

static uint32_t rotate(uint32_t x, int n) { return (x << n) | (x >> (32 - n)); }

static void sha1_block(sha1_state *s, const unsigned char block[64])
{
    uint32_t w[80];
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    }
    for (int i = 16; i < 80; i++) {
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    uint32_t a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3], e = s->h[4];
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? ((b & c) | (~b & d))
                     : i < 40 ? b ^ c ^ d
                     : i < 60 ? ((b & c) | (b & d) | (c & d))
                              : b ^ c ^ d;
        uint32_t k = i < 20 ? 0x5a827999u : i < 40 ? 0x6ed9eba1u : i < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
        uint32_t next = rotate(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    s->h[0] += a;
    s->h[1] += b;
    s->h[2] += c;
    s->h[3] += d;
    s->h[4] += e;
}

// Of less than 120 bytes: two blocks are enough.
static void sha1_short(const char *text, size_t length, unsigned char digest[20])
{
    sha1_state s = { { 0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u } };
    unsigned char block[128] = { 0 };
    size_t blocks = length + 9 <= 64 ? 1 : 2, bits = 8 * length;
    memcpy(block, text, length);
    block[length] = 0x80;
    block[64 * blocks - 2] = (unsigned char)(bits >> 8);
    block[64 * blocks - 1] = (unsigned char)bits;
    for (size_t k = 0; k < blocks; k++) {
        sha1_block(&s, block + 64 * k);
    }
    for (int i = 0; i < 20; i++) {
        digest[i] = (unsigned char)(s.h[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void bi_ws_accept(const char *key, char accept[32])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char fixed[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    if (!key || !accept) {
        if (accept) {
            accept[0] = '\0';
        }
        return;
    }
    char text[100];
    unsigned char d[21] = { 0 };
    size_t length = strlen(key) < 40 ? strlen(key) : 40;
    memcpy(text, key, length);
    memcpy(text + length, fixed, sizeof fixed - 1);
    sha1_short(text, length + sizeof fixed - 1, d);
    // 20 bytes: six groups of three and one of two
    for (int g = 0; g < 7; g++) {
        uint32_t v = (uint32_t)d[3 * g] << 16 | (uint32_t)d[3 * g + 1] << 8 | (g < 6 ? d[3 * g + 2] : 0u);
        for (int i = 0; i < 4; i++) {
            accept[4 * g + i] = letters[(v >> (18 - 6 * i)) & 63];
        }
    }
    accept[27] = '=';
    accept[28] = '\0';
}
