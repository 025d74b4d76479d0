// SPDX-License-Identifier: MIT
// What a request gets: a file, a page, a resource of the owner, a WebSocket, or a refusal that says why.
#include "server/connection.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const size_t most_bytes = (size_t)256 << 20; // of one answer

static const char *reason_of(int status)
{
    switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 426: return "Upgrade Required";
    case 431: return "Request Header Fields Too Large";
    default: return "Service Unavailable";
    }
}

static void reply(connection *c, const bi_http_request *r, int status, const bi_server_reply *what,
                  const char *extra)
{
    char head[1024];
    int n = snprintf(
        head, sizeof head,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: %s\r\n"
        "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' "
        "'unsafe-inline'; img-src 'self' data: "
        "blob:; media-src 'self' blob:; worker-src 'self' blob:; connect-src 'self' ws: wss: blob: data:; "
        "frame-ancestors 'self'\r\n%s\r\n",
        status, reason_of(status), what->type, what->size, r->keeps_alive ? "keep-alive" : "close", extra);
    bool is_put = n > 0 && (size_t)n < sizeof head && connection_put(c, head, (size_t)n, most_bytes) &&
                  (strcmp(r->method, "HEAD") == 0 || connection_put(c, what->bytes, what->size, most_bytes));
    c->ends_after = !is_put || !r->keeps_alive;
}

static void refuse(connection *c, const bi_http_request *r, int status, const char *why)
{
    bi_http_request last = *r;
    last.keeps_alive = false;
    reply(c, &last, status, &(bi_server_reply){ "text/plain; charset=utf-8", why, strlen(why) }, "");
}

// ---- who may ask -----------------------------------------------------------------------------------------------

static bool same_secret(const char *a, const char *b, size_t length)
{
    unsigned char difference = strlen(b) != length;
    for (size_t k = 0; k < length; k++) {
        difference |= (unsigned char)(a[k] ^ b[k % (strlen(b) + 1)]);
    }
    return difference == 0;
}

// "name=value" among texts that `separator` divides, with this value.
static bool has_secret(const char *text, const char *name, const char *separator, const char *secret)
{
    size_t n = strlen(name);
    while (*text) {
        text += strspn(text, separator);
        size_t length = strcspn(text, separator);
        if (length > n && strncmp(text, name, n) == 0 && text[n] == '=' &&
            same_secret(text + n + 1, secret, length - n - 1)) {
            return true;
        }
        text += length;
    }
    return false;
}

// A page of another site that sends its visitors here by a name of its own would pass as same origin: the name must be
// ours.
static bool is_own_host(const bi_server *s, const char *host)
{
    const char *const names[] = { "localhost", "127.0.0.1", "[::1]", s->address };
    if (!s->is_local) {
        return true;
    }
    for (int k = 0; k < 4; k++) {
        size_t n = strlen(names[k]);
        if (strncasecmp(host, names[k], n) == 0 && (host[n] == '\0' || host[n] == ':')) {
            return true;
        }
    }
    return false;
}

static bool is_own_origin(const bi_http_request *r)
{
    const char *rest = strncmp(r->origin, "http://", 7) == 0    ? r->origin + 7
                       : strncmp(r->origin, "https://", 8) == 0 ? r->origin + 8
                                                                : NULL;
    return !r->origin[0] || (rest && strcasecmp(rest, r->host) == 0);
}

// ---- files -----------------------------------------------------------------------------------------------------

static const char *type_of(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = { { ".html", "text/html; charset=utf-8" },
                  { ".js", "text/javascript; charset=utf-8" },
                  { ".mjs", "text/javascript; charset=utf-8" },
                  { ".css", "text/css; charset=utf-8" },
                  { ".json", "application/json" },
                  { ".map", "application/json" },
                  { ".svg", "image/svg+xml" },
                  { ".png", "image/png" },
                  { ".jpg", "image/jpeg" },
                  { ".ico", "image/x-icon" },
                  { ".woff2", "font/woff2" },
                  { ".wasm", "application/wasm" },
                  { ".txt", "text/plain; charset=utf-8" } };
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot && k < sizeof types / sizeof *types; k++) {
        if (strcmp(dot, types[k].ending) == 0) {
            return types[k].type;
        }
    }
    return "application/octet-stream";
}

// No way up, nothing hidden.
static bool is_plain_path(const char *path)
{
    for (const char *c = path; *c; c++) {
        if (*c == '\\' || (unsigned char)*c < 0x20 || (*c == '/' && (c[1] == '.' || c[1] == '/'))) {
            return false;
        }
    }
    return path[0] == '/';
}

static char *whole_file(const char *path, size_t *size)
{
    struct stat about;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) && (size_t)about.st_size <= most_bytes
                     ? fopen(path, "rb")
                     : NULL;
    char *bytes = file ? malloc((size_t)about.st_size + 1) : NULL;
    if (bytes) {
        *size = fread(bytes, 1, (size_t)about.st_size, file);
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

static bool answer_file(const bi_server *s, connection *c, const bi_http_request *r, const char *extra)
{
    char path[1200];
    // a service worker would keep these files for whatever is served at this port another day
    if (!s->root || !is_plain_path(r->path) || strcmp(r->path, "/sw.js") == 0) {
        return false;
    }
    snprintf(path, sizeof path, "%s%s%s", s->root, r->path, strcmp(r->path, "/") == 0 ? "index.html" : "");
    size_t size = 0;
    char *bytes = whole_file(path, &size);
    if (bytes) {
        reply(c, r, 200, &(bi_server_reply){ type_of(path), bytes, size }, extra);
    }
    free(bytes);
    return bytes != NULL;
}

// ---- WebSocket -------------------------------------------------------------------------------------------------

static void open_socket(bi_server *s, connection *c, const bi_http_request *r)
{
    if (!r->wants_upgrade || !r->is_websocket_13 || strlen(r->key) != 24) {
        refuse(c, r, 426, "this address speaks WebSocket, version 13\n");
        return;
    }
    int count = 0;
    for (int k = 0; k < CONNECTIONS; k++) {
        count += s->connection[k].state == CONNECTION_SOCKET;
    }
    if (count >= BI_SERVER_CLIENTS || server_neighbours(s, c, CONNECTION_SOCKET) >= ADDRESS_SOCKETS) {
        refuse(c, r, 503, "too many viewers\n");
        return;
    }
    char accept[32], head[256];
    bi_ws_accept(r->key, accept);
    int n = snprintf(head, sizeof head,
                     "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Accept: %s\r\n\r\n",
                     accept);
    if (connection_put(c, head, (size_t)n, most_bytes)) {
        c->state = CONNECTION_SOCKET;
        c->parser = (bi_ws_parser){ 0 };
        c->has_joined = true;
        c->last_ping = server_clock();
        if (s->options.joined) {
            s->options.joined(s->options.data, (int)(c - s->connection));
        }
    }
}

// Which of the tokens a request knows; NULL: none of them.
static const char *token_of(const bi_server *s, const bi_http_request *r, bool *by_query)
{
    const char *const tokens[] = { s->token, s->guest_token, s->instructor_token };
    for (int k = 0; k < 3; k++) {
        *by_query = tokens[k] && has_secret(r->query, "token", "&", tokens[k]);
        if (*by_query) {
            return tokens[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        if (tokens[k] && has_secret(r->cookie, "biela", "; ", tokens[k])) {
            return tokens[k];
        }
    }
    return NULL;
}

void server_answer(bi_server *s, connection *c, const bi_http_request *r)
{
    char extra[256] = "";
    if (r->status != 0) {
        refuse(c, r, r->status,
               r->status == 405 ? "only GET is understood\n" : "the request is not understood\n");
        return;
    }
    if (!is_own_host(s, r->host)) {
        refuse(c, r, 403, "this server answers to localhost and 127.0.0.1 only\n");
        return;
    }
    if (!is_own_origin(r)) {
        refuse(c, r, 403, "pages of other origins are refused\n");
        return;
    }
    bool by_query;
    const char *token = token_of(s, r, &by_query);
    bool is_known = !s->token || token;
    c->role = !token ? 0 : token == s->guest_token ? 1 : token == s->instructor_token ? 2 : 0;
    if (by_query) {
        // the page's own requests then carry it by themselves
        snprintf(extra, sizeof extra, "Set-Cookie: biela=%.100s; HttpOnly; SameSite=Strict; Path=/\r\n",
                 token);
    }
    if (strcmp(r->path, "/ws") == 0) {
        if (is_known) {
            open_socket(s, c, r);
        } else {
            refuse(c, r, 401, "the token is missing or wrong: open the address that biela printed\n");
        }
        return;
    }
    bi_server_reply what = { 0 };
    if (answer_file(s, c, r, extra)) {
        return;
    }
    if (s->page && (strcmp(r->path, "/") == 0 || strcmp(r->path, "/index.html") == 0)) {
        reply(c, r, 200, &(bi_server_reply){ "text/html; charset=utf-8", s->page, strlen(s->page) }, extra);
    } else if (s->options.resource && !is_known) {
        refuse(c, r, 401, "the token is missing or wrong: open the address that biela printed\n");
    } else if (s->options.resource && s->options.resource(s->options.data, r->path, &what)) {
        reply(c, r, 200, &what, extra);
    } else {
        const char *why = "there is nothing of that name\n";
        reply(c, r, 404, &(bi_server_reply){ "text/plain; charset=utf-8", why, strlen(why) }, "");
    }
}
