// SPDX-License-Identifier: MIT
#include "server/connection.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

double server_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool connection_put(connection *c, const void *bytes, size_t size, size_t limit)
{
    if (size > limit || c->n_out - c->sent > limit - size) {
        return false;
    }
    if (c->sent > 0) {
        memmove(c->out, c->out + c->sent, c->n_out - c->sent);
        c->n_out -= c->sent;
        c->sent = 0;
    }
    if (c->n_out + size > c->capacity) {
        size_t capacity = 2 * (c->n_out + size);
        char *more = realloc(c->out, capacity);
        if (!more) {
            return false;
        }
        c->out = more;
        c->capacity = capacity;
    }
    memcpy(c->out + c->n_out, bytes, size);
    c->n_out += size;
    return true;
}

void connection_flush(connection *c)
{
    while (c->sent < c->n_out) {
        ssize_t n = send(c->fd, c->out + c->sent, c->n_out - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n <= 0) {
            if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
                c->n_out = c->sent = 0;
                c->ends_after = true;
            }
            return;
        }
        c->sent += (size_t)n;
    }
    c->sent = c->n_out = 0;
}

bool connection_frame(connection *c, int op, const void *bytes, size_t size, size_t limit)
{
    unsigned char head[10] = { (unsigned char)(0x80 | op) };
    size_t n = 2;
    if (size < 126) {
        head[1] = (unsigned char)size;
    } else if (size < 65536) {
        head[1] = 126;
        head[2] = (unsigned char)(size >> 8);
        head[3] = (unsigned char)size;
        n = 4;
    } else {
        head[1] = 127;
        for (int k = 0; k < 8; k++) {
            head[2 + k] = (unsigned char)((uint64_t)size >> (56 - 8 * k));
        }
        n = 10;
    }
    if (n + size > limit || c->n_out - c->sent > limit - n - size) {
        return false;
    }
    return connection_put(c, head, n, limit) && connection_put(c, bytes, size, limit);
}

void connection_bye(connection *c, int reason)
{
    unsigned char code[2] = { (unsigned char)(reason >> 8), (unsigned char)reason };
    if (c->state == CONNECTION_SOCKET) {
        (void)connection_frame(c, 8, code, 2, (size_t)1 << 30);
    }
    c->state = CONNECTION_CLOSING;
    c->closing_since = server_clock();
    c->ends_after = true;
}
