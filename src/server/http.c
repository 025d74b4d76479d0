// SPDX-License-Identifier: MIT
// The head of an HTTP request: the few fields that matter here, everything bounded.
#include <biela/server.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_HEAD = 8192 };

// A text of `length` letters into a field; false: it does not fit.
static bool keep(char *to, size_t room, const char *from, size_t length)
{
    if (length >= room) {
        return false;
    }
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// "%20" and the like, in place; false: not well-formed, or a zero byte.
static bool decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != '%') {
            *to++ = *from;
            continue;
        }
        int high = hex(from[1]), low = high < 0 ? -1 : hex(from[2]);
        if (low < 0 || 16 * high + low == 0) {
            return false;
        }
        *to++ = (char)(16 * high + low);
        from += 2;
    }
    *to = '\0';
    return true;
}

static bool contains_word(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    for (size_t k = 0; k + n <= length; k++) {
        if (strncasecmp(text + k, word, n) == 0) {
            return true;
        }
    }
    return false;
}

static bool take_field(bi_http_request *r, const char *name, size_t name_length, const char *value,
                       size_t length)
{
#define IS(text) (name_length == sizeof text - 1 && strncasecmp(name, text, name_length) == 0)
    if (IS("Host")) {
        return !r->host[0] && keep(r->host, sizeof r->host, value, length);
    }
    if (IS("Origin")) {
        return keep(r->origin, sizeof r->origin, value, length);
    }
    if (IS("Sec-WebSocket-Key")) {
        return keep(r->key, sizeof r->key, value, length);
    }
    if (IS("Cookie")) {
        // somebody else's cookies of the same host may be long: then ours is not among them
        (void)keep(r->cookie, sizeof r->cookie, value, length);
    } else if (IS("Upgrade")) {
        r->wants_upgrade = contains_word(value, length, "websocket");
    } else if (IS("Sec-WebSocket-Version")) {
        r->is_websocket_13 = length == 2 && strncmp(value, "13", 2) == 0;
    } else if (IS("Connection")) {
        r->keeps_alive = r->keeps_alive && !contains_word(value, length, "close");
    } else if (IS("Content-Length") || IS("Transfer-Encoding")) {
        return length == 1 && *value == '0'; // requests here have no body
    }
#undef IS
    return true;
}

static bool take_request_line(bi_http_request *r, const char *line, size_t length)
{
    const char *first = memchr(line, ' ', length);
    const char *rest = first ? first + 1 : NULL;
    const char *second = rest ? memchr(rest, ' ', length - (size_t)(rest - line)) : NULL;
    if (!second || length - (size_t)(second - line) != 9 || strncmp(second, " HTTP/1.", 8) != 0 ||
        *rest != '/') {
        return false;
    }
    r->keeps_alive = second[8] == '1';
    const char *mark = memchr(rest, '?', (size_t)(second - rest));
    const char *end = mark ? mark : second;
    return keep(r->method, sizeof r->method, line, (size_t)(first - line)) &&
           keep(r->path, sizeof r->path, rest, (size_t)(end - rest)) && decode(r->path) &&
           (!mark || keep(r->query, sizeof r->query, mark + 1, (size_t)(second - mark - 1)));
}

static bool take_line(bi_http_request *r, const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length);
    if (!colon || colon == line || memchr(line, ' ', (size_t)(colon - line))) {
        return false;
    }
    const char *value = colon + 1, *end = line + length;
    while (value < end && (*value == ' ' || *value == '\t')) {
        value++;
    }
    while (end > value && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    return take_field(r, line, (size_t)(colon - line), value, (size_t)(end - value));
}

static const char *end_of_head(const char *head, size_t size)
{
    for (size_t k = 3; k < size; k++) {
        if (head[k] == '\n' && head[k - 1] == '\r' && head[k - 2] == '\n' && head[k - 3] == '\r') {
            return head + k + 1;
        }
    }
    return NULL;
}

bi_http_request bi_http_parse(const char *head, size_t size, size_t *used)
{
    bi_http_request r = { .status = -1 };
    size_t unused;
    used = used ? used : &unused;
    *used = 0;
    if (!head) {
        r.status = 400;
        return r;
    }
    const char *end = end_of_head(head, size < LONGEST_HEAD ? size : LONGEST_HEAD);
    if (!end) {
        r.status = size >= LONGEST_HEAD ? 431 : -1;
        return r;
    }
    *used = (size_t)(end - head);
    if (memchr(head, '\0', *used)) {
        r.status = 400;
        return r;
    }
    r.status = 0;
    const char *line = head;
    for (bool is_first = true; line < end - 2; is_first = false) {
        const char *stop = memchr(line, '\r', (size_t)(end - line));
        size_t length = (size_t)(stop - line);
        if (stop[1] != '\n' ||
            !(is_first ? take_request_line(&r, line, length) : take_line(&r, line, length))) {
            r.status = 400;
            return r;
        }
        line = stop + 2;
    }
    if (strcmp(r.method, "GET") != 0 && strcmp(r.method, "HEAD") != 0) {
        r.status = 405;
    }
    return r;
}
