// SPDX-License-Identifier: MIT
// Frames of a WebSocket, as a server receives them (RFC 6455): masked, texts only, short.
#include <biela/server.h>
#include <string.h>

enum { OP_MORE = 0, OP_TEXT = 1, OP_BINARY = 2, OP_CLOSE = 8, OP_PING = 9, OP_PONG = 10 };
enum { CLOSE_PROTOCOL = 1002, CLOSE_TYPE = 1003, CLOSE_NOT_UTF8 = 1007, CLOSE_TOO_BIG = 1009 };

typedef struct {
    int op;
    bool is_final;
    size_t start; // of the payload
    uint64_t length;
    unsigned char mask[4];
} frame_head;

static bi_ws_kind refuse(bi_ws_parser *p, int reason)
{
    p->reason = reason;
    return BI_WS_BAD;
}

// 0: more bytes are needed; -1: refused, see reason; 1: complete.
static int take_head(bi_ws_parser *p, const unsigned char *b, size_t size, frame_head *h)
{
    if (size < 2) {
        return 0;
    }
    h->op = b[0] & 15;
    h->is_final = b[0] & 0x80;
    h->length = b[1] & 127;
    size_t extra = h->length == 126 ? 2 : h->length == 127 ? 8 : 0;
    bool is_control = h->op >= OP_CLOSE;
    bool is_known = h->op <= OP_BINARY || (h->op >= OP_CLOSE && h->op <= OP_PONG);
    // no extension was agreed upon, and a client must mask
    if ((b[0] & 0x70) || !is_known || !(b[1] & 0x80) || (is_control && (!h->is_final || extra > 0))) {
        refuse(p, CLOSE_PROTOCOL);
        return -1;
    }
    if (size < 2 + extra + 4) {
        return 0;
    }
    for (size_t k = 0; k < extra; k++) {
        h->length = k == 0 ? b[2] : h->length << 8 | b[2 + k];
    }
    memcpy(h->mask, b + 2 + extra, 4);
    h->start = 2 + extra + 4;
    return 1;
}

// Well-formed, no overlong forms, no surrogates.
static bool is_utf8(const unsigned char *s, size_t length)
{
    for (size_t k = 0; k < length;) {
        unsigned char c = s[k];
        size_t more = c < 0x80             ? 0
                      : (c & 0xe0) == 0xc0 ? 1
                      : (c & 0xf0) == 0xe0 ? 2
                      : (c & 0xf8) == 0xf0 ? 3
                                           : 4;
        if (more == 4 || k + more >= length) {
            return false;
        }
        uint32_t code = more == 0 ? c : c & (0x3fu >> more);
        for (size_t i = 1; i <= more; i++) {
            if ((s[k + i] & 0xc0) != 0x80) {
                return false;
            }
            code = code << 6 | (s[k + i] & 0x3fu);
        }
        static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
        if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
            return false;
        }
        k += more + 1;
    }
    return true;
}

static bi_ws_kind take_control(bi_ws_parser *p, const unsigned char *payload, const frame_head *h)
{
    p->control_length = (size_t)h->length;
    for (size_t k = 0; k < p->control_length; k++) {
        p->control[k] = payload[k] ^ h->mask[k & 3];
    }
    return h->op == OP_PING ? BI_WS_PING : h->op == OP_PONG ? BI_WS_PONG : BI_WS_CLOSE;
}

static bi_ws_kind take_data(bi_ws_parser *p, const unsigned char *payload, const frame_head *h)
{
    for (size_t k = 0; k < (size_t)h->length; k++) {
        p->part[p->length + k] = payload[k] ^ h->mask[k & 3];
    }
    p->length += (size_t)h->length;
    p->is_fragmented = !h->is_final;
    if (!h->is_final) {
        return BI_WS_MORE;
    }
    p->part[p->length] = '\0';
    return is_utf8(p->part, p->length) ? BI_WS_TEXT : refuse(p, CLOSE_NOT_UTF8);
}

bi_ws_kind bi_ws_take(bi_ws_parser *p, const unsigned char *bytes, size_t size, size_t *used)
{
    frame_head h;
    size_t unused;
    used = used ? used : &unused;
    *used = 0;
    if (!p || !bytes) {
        return BI_WS_BAD;
    }
    int state = take_head(p, bytes, size, &h);
    if (state <= 0) {
        return state == 0 ? BI_WS_MORE : BI_WS_BAD;
    }
    bool is_control = h.op >= OP_CLOSE;
    if (!is_control && h.op == OP_BINARY) {
        return refuse(p, CLOSE_TYPE);
    }
    if (!is_control && (h.op == OP_MORE) != p->is_fragmented) {
        return refuse(p, CLOSE_PROTOCOL);
    }
    size_t so_far = p->is_fragmented ? p->length : 0;
    if (!is_control && h.length > BI_SERVER_MESSAGE - so_far) {
        return refuse(p, CLOSE_TOO_BIG);
    }
    if (size - h.start < h.length) {
        return BI_WS_MORE;
    }
    *used = h.start + (size_t)h.length;
    if (is_control) {
        return take_control(p, bytes + h.start, &h);
    }
    p->length = so_far;
    return take_data(p, bytes + h.start, &h);
}
