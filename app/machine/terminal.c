// SPDX-License-Identifier: MIT
// The guard of a real terminal: characters that could command it are shown, not sent.
#define _GNU_SOURCE // fopencookie; stdout and stderr can be set (GNU C library)
#include "cli/terminal.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

// One stream: where it leads, and the first bytes of a character whose others come with the next write.
typedef struct {
    int fd;
    unsigned n_begun;
    unsigned char begun[4];
} guard;

// Bytes on their way out.
typedef struct {
    int fd, count;
    bool is_refused;
    char text[1024];
} drain;

static void drain_flush(drain *out)
{
    for (int done = 0; done < out->count && !out->is_refused;) {
        ssize_t n = write(out->fd, out->text + done, (size_t)(out->count - done));
        out->is_refused = n < 0 && errno != EINTR;
        done += n > 0 ? (int)n : 0;
    }
    out->count = 0;
}

static void drain_put(drain *out, unsigned char byte)
{
    if (out->count == (int)sizeof out->text) {
        drain_flush(out);
    }
    out->text[out->count++] = (char)byte;
}

static void drain_show(drain *out, const unsigned char *byte, unsigned count)
{
    static const char digit[] = "0123456789abcdef";
    for (unsigned k = 0; k < count; k++) {
        drain_put(out, '\\');
        drain_put(out, 'x');
        drain_put(out, (unsigned char)digit[byte[k] >> 4]);
        drain_put(out, (unsigned char)digit[byte[k] & 15]);
    }
}

// Bytes of the UTF-8 character that begins so; 0: none does.
static unsigned length_of(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

// A whole character: letters pass, controls of the first and of the second set (U+0080 to U+009F) are shown.
static void put_character(drain *out, const unsigned char *c, unsigned count)
{
    bool is_control =
        count == 1 ? (*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7F : c[0] == 0xC2 && c[1] < 0xA0;
    if (is_control) {
        drain_show(out, c, count);
        return;
    }
    for (unsigned k = 0; k < count; k++) {
        drain_put(out, c[k]);
    }
}

static void put_byte(guard *g, drain *out, unsigned char byte)
{
    bool continues = (byte & 0xC0) == 0x80;
    if (g->n_begun > 0 && !continues) {
        drain_show(out, g->begun, g->n_begun);
        g->n_begun = 0;
    }
    if (g->n_begun == 0 && length_of(byte) == 0) {
        drain_show(out, &byte, 1);
        return;
    }
    g->begun[g->n_begun++] = byte;
    if (g->n_begun == length_of(g->begun[0])) {
        put_character(out, g->begun, g->n_begun);
        g->n_begun = 0;
    }
}

static ssize_t write_clean(void *cookie, const char *bytes, size_t size)
{
    guard *g = cookie;
    drain out = { .fd = g->fd };
    for (size_t k = 0; k < size; k++) {
        put_byte(g, &out, (unsigned char)bytes[k]);
    }
    drain_flush(&out);
    return out.is_refused ? 0 : (ssize_t)size;
}

static FILE *guarded(guard *g, int mode)
{
    FILE *stream = fopencookie(g, "w", (cookie_io_functions_t){ .write = write_clean });
    if (stream) {
        setvbuf(stream, NULL, mode, BUFSIZ);
    }
    return stream;
}

void terminal_guard(void)
{
    // as the streams themselves, one of each for the whole program
    static guard for_out = { .fd = STDOUT_FILENO }, for_err = { .fd = STDERR_FILENO };
    FILE *out = guarded(&for_out, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    FILE *err = guarded(&for_err, _IONBF);
    stdout = out ? out : stdout;
    stderr = err ? err : stderr;
}

void terminal_erase_line(void)
{
    static const char erase[] = "\r\033[K";
    (void)!write(STDERR_FILENO, erase, sizeof erase - 1);
}
