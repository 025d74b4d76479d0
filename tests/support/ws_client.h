// SPDX-License-Identifier: MIT
// A small WebSocket client and a child process `biela drive`, for tests. Everything has a time limit.
#ifndef BIELA_TESTS_SUPPORT_WS_CLIENT_H
#define BIELA_TESTS_SUPPORT_WS_CLIENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WS_ROOM = 1 << 20 };
typedef struct {
    int fd;
    unsigned char *in; // (WS_ROOM)
    size_t n_in;
    char head[1024]; // of the answer
} ws_client;
typedef struct {
    int op; // 1 text, 2 binary, 8 close, 9 ping; 0: nothing came in time; -1: the connection is closed
    unsigned char *bytes; // zero-terminated, valid until the next message
    size_t size;
} ws_message;

static inline double ws_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int ws_connect(int port)
{
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

// Reads more; false: closed, or nothing within the time.
static inline bool ws_more(ws_client *c, double until, bool *is_closed)
{
    double left = until - ws_clock();
    struct pollfd p = { .fd = c->fd, .events = POLLIN };
    *is_closed = false;
    if (left <= 0.0 || poll(&p, 1, (int)(1e3 * left) + 1) <= 0) {
        return false;
    }
    ssize_t n = recv(c->fd, c->in + c->n_in, WS_ROOM - 1 - c->n_in, 0);
    if (n <= 0) {
        *is_closed = true;
        return false;
    }
    c->n_in += (size_t)n;
    return true;
}

// `fields`: further lines of the request. The head of the answer is in `head`.
static inline ws_client ws_open_with(int port, const char *path, const char *host, const char *fields)
{
    ws_client c = { .fd = ws_connect(port), .in = malloc(WS_ROOM) };
    char request[1024];
    assert_true(c.fd >= 0);
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
             path, host, fields);
    assert_int_equal(send(c.fd, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
    double until = ws_clock() + 5.0;
    bool is_closed = false;
    for (;;) {
        c.in[c.n_in] = '\0';
        char *end = strstr((char *)c.in, "\r\n\r\n");
        if (end) {
            size_t n = (size_t)(end - (char *)c.in) + 4;
            snprintf(c.head, sizeof c.head, "%.*s", (int)n, (char *)c.in);
            memmove(c.in, c.in + n, c.n_in - n);
            c.n_in -= n;
            return c;
        }
        if (!ws_more(&c, until, &is_closed)) {
            return c;
        }
    }
}

static inline ws_client ws_open(int port)
{
    ws_client c = ws_open_with(port, "/ws", "127.0.0.1", "");
    assert_non_null(strstr(c.head, "101"));
    return c;
}

static inline void ws_close(ws_client *c)
{
    close(c->fd);
    free(c->in);
}

static inline void ws_send_frame(ws_client *c, int first, const void *bytes, size_t size)
{
    unsigned char frame[8192 + 16] = { (unsigned char)first };
    static const unsigned char mask[4] = { 0x11, 0x22, 0x33, 0x44 };
    size_t n = 2;
    assert_true(size <= 8192);
    frame[1] = (unsigned char)(0x80 | (size < 126 ? size : 126));
    if (size >= 126) {
        frame[2] = (unsigned char)(size >> 8);
        frame[3] = (unsigned char)size;
        n = 4;
    }
    memcpy(frame + n, mask, 4);
    n += 4;
    for (size_t k = 0; k < size; k++) {
        frame[n + k] = ((const unsigned char *)bytes)[k] ^ mask[k & 3];
    }
    (void)!send(c->fd, frame, n + size, MSG_NOSIGNAL);
}

static inline void ws_say(ws_client *c, const char *text) { ws_send_frame(c, 0x81, text, strlen(text)); }

static inline ws_message ws_next(ws_client *c, double until)
{
    static unsigned char kept[WS_ROOM];
    for (;;) {
        size_t head = 2;
        uint64_t size = c->n_in >= 2 ? c->in[1] & 127 : 0;
        if (size == 126 && c->n_in >= 4) {
            size = (uint64_t)c->in[2] << 8 | c->in[3];
            head = 4;
        } else if (size == 127 && c->n_in >= 10) {
            size = 0;
            for (int k = 0; k < 8; k++) {
                size = size << 8 | c->in[2 + k];
            }
            head = 10;
        } else if (size >= 126) {
            head = WS_ROOM;
        }
        if (c->n_in >= 2 && c->n_in >= head && c->n_in - head >= size) {
            ws_message m = { .op = c->in[0] & 15, .bytes = kept, .size = (size_t)size };
            memcpy(kept, c->in + head, m.size);
            kept[m.size] = '\0';
            c->n_in -= head + m.size;
            memmove(c->in, c->in + head + m.size, c->n_in);
            return m;
        }
        bool is_closed = false;
        if (!ws_more(c, until, &is_closed)) {
            return (ws_message){ .op = is_closed ? -1 : 0 };
        }
    }
}

// ---- frames of the live protocol ---------------------------------------------------------------------------------

typedef struct {
    uint32_t number, flags, n_body, n_channel, n_input, n_ghost, n_mode;
    double t;
    float speed, reached, pose[8 * 7], channel[128], input[8], ghost[8 * 7], mode[128];
} ws_frame;

static inline uint32_t ws_u32(const unsigned char **b)
{
    uint32_t v =
        (uint32_t)(*b)[0] | (uint32_t)(*b)[1] << 8 | (uint32_t)(*b)[2] << 16 | (uint32_t)(*b)[3] << 24;
    *b += 4;
    return v;
}

static inline float ws_f32(const unsigned char **b)
{
    uint32_t bits = ws_u32(b);
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline void ws_list(const unsigned char **b, uint32_t n, uint32_t width, float *to, uint32_t room)
{
    for (uint32_t k = 0; k < n * width; k++) {
        float v = ws_f32(b);
        if (k < room) {
            to[k] = v;
        }
    }
}

static inline ws_frame ws_decode(const ws_message *m)
{
    ws_frame f = { 0 };
    const unsigned char *b = m->bytes;
    float unused[1];
    assert_int_equal(ws_u32(&b), 0x31464942);
    f.number = ws_u32(&b);
    memcpy(&f.t, b, sizeof f.t);
    b += 8;
    f.speed = ws_f32(&b);
    f.reached = ws_f32(&b);
    f.flags = ws_u32(&b);
    f.n_body = ws_u32(&b);
    ws_list(&b, f.n_body, 7, f.pose, 56);
    f.n_channel = ws_u32(&b);
    ws_list(&b, f.n_channel, 1, f.channel, 128);
    ws_list(&b, ws_u32(&b), 6, unused, 0);
    f.n_input = ws_u32(&b);
    ws_list(&b, f.n_input, 1, f.input, 8);
    f.n_ghost = ws_u32(&b);
    ws_list(&b, f.n_ghost, 7, f.ghost, 56);
    // only where there are flexible bodies
    f.n_mode = (size_t)(b - m->bytes) < m->size ? ws_u32(&b) : 0;
    ws_list(&b, f.n_mode, 1, f.mode, 128);
    assert_int_equal((size_t)(b - m->bytes), m->size);
    return f;
}

static inline void ws_ack(ws_client *c, uint32_t number)
{
    char text[64];
    snprintf(text, sizeof text, "{\"type\":\"ack\",\"frame\":%u}", number);
    ws_say(c, text);
}

// Acknowledges frames until one satisfies the condition; false: none did within the seconds.
static inline bool ws_until(ws_client *c, double seconds, bool (*is_it)(const ws_frame *), ws_frame *last)
{
    double until = ws_clock() + seconds;
    for (;;) {
        ws_message m = ws_next(c, until);
        if (m.op <= 0 || m.op == 8) {
            return false;
        }
        if (m.op == 2) {
            *last = ws_decode(&m);
            ws_ack(c, last->number);
            if (is_it(last)) {
                return true;
            }
        }
    }
}

// The next text that contains all of two pieces.
static inline bool ws_hears(ws_client *c, double seconds, const char *one, const char *other)
{
    double until = ws_clock() + seconds;
    for (;;) {
        ws_message m = ws_next(c, until);
        if (m.op <= 0) {
            return false;
        }
        if (m.op == 2) {
            ws_ack(c, ws_decode(&m).number);
        }
        if (m.op == 1 && strstr((char *)m.bytes, one) && strstr((char *)m.bytes, other)) {
            return true;
        }
    }
}

// ---- the child -----------------------------------------------------------------------------------------------------

typedef struct {
    pid_t pid;
    int port;
    FILE *out;
} ws_drive;

// biela with these words; waits for the line with the address.
static inline ws_drive ws_start(char *const words[])
{
    int ends[2];
    ws_drive d = { 0 };
    assert_int_equal(pipe(ends), 0);
    d.pid = fork();
    assert_true(d.pid >= 0);
    if (d.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // a test that fails leaves nobody behind
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        execv(BI_EXECUTABLE, words);
        _exit(127);
    }
    close(ends[1]);
    d.out = fdopen(ends[0], "r");
    char line[512] = "";
    assert_non_null(fgets(line, sizeof line, d.out));
    const char *colon = strrchr(line, ':');
    assert_non_null(colon);
    d.port = atoi(colon + 1);
    assert_true(d.port > 0);
    return d;
}

// Ends it; gives the exit code, and what it printed after the address in `text`.
static inline int ws_end(ws_drive *d, int signal, char *text, size_t size)
{
    int status = 0;
    kill(d->pid, signal);
    size_t n = text ? fread(text, 1, size - 1, d->out) : 0;
    if (text) {
        text[n] = '\0';
    }
    waitpid(d->pid, &status, 0);
    fclose(d->out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

#endif
