// SPDX-License-Identifier: MIT
// The listener and its rounds: accept, read, answer, send, and forget those who are gone.
#include "server/connection.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const double ping_after = 10.0, gone_after = 45.0, idle_after = 30.0, closing_for = 3.0; // s
static const double request_within = 10.0;          // s from its first chance to its last byte
static const size_t most_waiting = (size_t)8 << 20; // bytes, of a WebSocket

static char *copy(const char *text)
{
    char *own = text ? malloc(strlen(text) + 1) : NULL;
    if (own) {
        memcpy(own, text, strlen(text) + 1);
    }
    return own;
}

// ---- listening -------------------------------------------------------------------------------------------------

static bool is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET) {
        return (ntohl(((const struct sockaddr_in *)a)->sin_addr.s_addr) >> 24) == 127;
    }
    return a->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)a)->sin6_addr);
}

static int port_of(int fd)
{
    struct sockaddr_storage a;
    socklen_t size = sizeof a;
    if (getsockname(fd, (struct sockaddr *)&a, &size) != 0) {
        return 0;
    }
    return ntohs(a.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&a)->sin6_port
                                         : ((struct sockaddr_in *)&a)->sin_port);
}

static bool start_listening(bi_server *s, bi_report *report)
{
    char port[16];
    struct addrinfo hints = { .ai_family = AF_UNSPEC,
                              .ai_socktype = SOCK_STREAM,
                              .ai_flags = AI_PASSIVE | AI_NUMERICSERV };
    struct addrinfo *found = NULL;
    snprintf(port, sizeof port, "%d", s->options.port);
    int code = getaddrinfo(s->address, port, &hints, &found);
    if (code != 0 || !found) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "--address",
                      "'%s' is no address of this machine: %s", s->address, gai_strerror(code));
        return false;
    }
    int yes = 1;
    s->is_local = is_loopback(found->ai_addr);
    s->listener = socket(found->ai_family, SOCK_STREAM, 0);
    bool is_good = s->listener >= 0;
    if (is_good) {
        setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        fcntl(s->listener, F_SETFD, FD_CLOEXEC);
        fcntl(s->listener, F_SETFL, O_NONBLOCK);
        is_good = bind(s->listener, found->ai_addr, found->ai_addrlen) == 0 && listen(s->listener, 16) == 0;
    }
    if (!is_good && errno == EADDRINUSE) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "--port",
                      "port %d is in use by another program; choose another, or --port 0 for any free one",
                      s->options.port);
    } else if (!is_good) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "--address",
                      "cannot listen on %s port %d: %s", s->address, s->options.port, strerror(errno));
    }
    freeaddrinfo(found);
    s->port = is_good ? port_of(s->listener) : 0;
    return is_good;
}

bi_server *bi_server_create(const bi_server_options *options, bi_report *report)
{
    if (!options || options->port < 0 || options->port > 65535) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "server",
                      "needs options with a port from 0 to 65535");
        return NULL;
    }
    bi_server *s = calloc(1, sizeof *s);
    if (!s) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "server", "out of memory");
        return NULL;
    }
    s->options = *options;
    s->listener = -1;
    s->address = copy(options->address ? options->address : "127.0.0.1");
    s->token = copy(options->token);
    s->guest_token = copy(options->guest_token);
    s->instructor_token = copy(options->instructor_token);
    s->root = copy(options->root);
    s->page = copy(options->page);
    if (!s->address || !start_listening(s, report)) {
        bi_server_destroy(s);
        return NULL;
    }
    return s;
}

static void close_connection(bi_server *s, connection *c)
{
    if (c->state == CONNECTION_FREE) {
        return;
    }
    close(c->fd);
    free(c->out);
    bool has_joined = c->has_joined;
    *c = (connection){ .fd = -1 };
    if (has_joined && s->options.left) {
        s->options.left(s->options.data, (int)(c - s->connection));
    }
}

void bi_server_destroy(bi_server *s)
{
    if (!s) {
        return;
    }
    for (int k = 0; k < CONNECTIONS; k++) {
        if (s->connection[k].state != CONNECTION_FREE) {
            connection_bye(&s->connection[k], 1001);
            connection_flush(&s->connection[k]);
            s->connection[k].has_joined = false;
            close_connection(s, &s->connection[k]);
        }
    }
    if (s->listener >= 0) {
        close(s->listener);
    }
    free(s->address);
    free(s->token);
    free(s->guest_token);
    free(s->instructor_token);
    free(s->root);
    free(s->page);
    free(s);
}

int bi_server_port(const bi_server *s) { return s ? s->port : 0; }

bool bi_server_is_local(const bi_server *s) { return s && s->is_local; }

// ---- one round ---------------------------------------------------------------------------------------------------

static connection *free_connection(bi_server *s)
{
    for (int k = 0; k < CONNECTIONS; k++) {
        if (s->connection[k].state == CONNECTION_FREE) {
            return &s->connection[k];
        }
    }
    return NULL;
}

int server_neighbours(const bi_server *s, const connection *c, connection_state state)
{
    int count = 0;
    for (int k = 0; k < CONNECTIONS; k++) {
        const connection *other = &s->connection[k];
        count += other->state != CONNECTION_FREE && (state == CONNECTION_FREE || other->state == state) &&
                 memcmp(other->address, c->address, sizeof c->address) == 0;
    }
    return count;
}

static void note_address(connection *c, const struct sockaddr_storage *a)
{
    if (a->ss_family == AF_INET6) {
        memcpy(c->address, &((const struct sockaddr_in6 *)a)->sin6_addr, 16);
    } else if (a->ss_family == AF_INET) {
        memcpy(c->address, &((const struct sockaddr_in *)a)->sin_addr, 4);
    }
}

// Room for one more: of the same address where it has too many, else of any, the request that has been waiting longest goes.
static connection *make_room(bi_server *s, const connection *newcomer)
{
    bool has_many = server_neighbours(s, newcomer, CONNECTION_FREE) >= ADDRESS_CONNECTIONS;
    connection *oldest = NULL;
    if (!has_many && free_connection(s)) {
        return free_connection(s);
    }
    for (int k = 0; k < CONNECTIONS; k++) {
        connection *c = &s->connection[k];
        bool is_candidate =
            c->state == CONNECTION_HTTP && (!has_many || memcmp(c->address, newcomer->address, 16) == 0);
        if (is_candidate && (!oldest || c->request_since < oldest->request_since)) {
            oldest = c;
        }
    }
    if (oldest) {
        close_connection(s, oldest);
    }
    return oldest;
}

static void accept_one(bi_server *s)
{
    int yes = 1;
    struct sockaddr_storage peer = { 0 };
    socklen_t size = sizeof peer;
    double now = server_clock();
    connection newcomer = { .state = CONNECTION_HTTP, .last_heard = now, .request_since = now };
    newcomer.fd = accept(s->listener, (struct sockaddr *)&peer, &size);
    if (newcomer.fd < 0) {
        return;
    }
    note_address(&newcomer, &peer);
    connection *c = make_room(s, &newcomer);
    if (!c) {
        close(newcomer.fd);
        return;
    }
    fcntl(newcomer.fd, F_SETFD, FD_CLOEXEC);
    fcntl(newcomer.fd, F_SETFL, O_NONBLOCK);
    setsockopt(newcomer.fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    *c = newcomer;
}

static void forget_input(connection *c, size_t used)
{
    memmove(c->in, c->in + used, c->n_in - used);
    c->n_in -= used;
}

static void socket_messages(bi_server *s, connection *c)
{
    while (c->state == CONNECTION_SOCKET && c->n_in > 0) {
        size_t used;
        bi_ws_kind kind = bi_ws_take(&c->parser, c->in, c->n_in, &used);
        if (kind == BI_WS_BAD) {
            connection_bye(c, c->parser.reason);
            c->n_in = 0;
            return;
        }
        if (used == 0) {
            return;
        }
        forget_input(c, used);
        if (kind == BI_WS_TEXT && !s->options.message) {
            continue;
        }
        if (kind == BI_WS_TEXT) {
            s->options.message(s->options.data, (int)(c - s->connection), (const char *)c->parser.part,
                               c->parser.length);
        } else if (kind == BI_WS_PING) {
            (void)connection_frame(c, 10, c->parser.control, c->parser.control_length, most_waiting);
        } else if (kind == BI_WS_CLOSE) {
            connection_bye(c, 1000);
        }
    }
}

static void http_requests(bi_server *s, connection *c)
{
    // the next request waits until this answer has gone
    while (c->state == CONNECTION_HTTP && c->n_in > 0 && c->n_out == 0 && !c->ends_after) {
        size_t used;
        bi_http_request r = bi_http_parse((const char *)c->in, c->n_in, &used);
        if (r.status < 0) {
            return;
        }
        forget_input(c, used > 0 ? used : c->n_in);
        c->request_since = server_clock();
        server_answer(s, c, &r);
        connection_flush(c);
    }
    if (c->state == CONNECTION_SOCKET) {
        socket_messages(s, c);
    }
}

static void read_from(bi_server *s, connection *c)
{
    ssize_t n = recv(c->fd, c->in + c->n_in, sizeof c->in - c->n_in, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
        close_connection(s, c);
        return;
    }
    if (n < 0) {
        return;
    }
    double now = server_clock();
    if (c->n_in == 0 && c->n_out == 0) {
        c->request_since = now;
    }
    c->n_in += (size_t)n;
    // whoever does not take the answer is silent, however much he says
    if (c->state != CONNECTION_HTTP || c->n_out == 0) {
        c->last_heard = now;
    }
    if (c->state == CONNECTION_SOCKET) {
        socket_messages(s, c);
    } else if (c->state == CONNECTION_HTTP) {
        http_requests(s, c);
    } else {
        c->n_in = 0;
    }
}

static void look_after(bi_server *s, connection *c, double now)
{
    if (c->state == CONNECTION_SOCKET && now - c->last_ping > ping_after) {
        (void)connection_frame(c, 9, "", 0, most_waiting);
        c->last_ping = now;
    }
    size_t waiting = c->n_out - c->sent;
    connection_flush(c);
    if (c->state == CONNECTION_HTTP && c->n_out - c->sent < waiting) {
        c->last_heard = now;
        c->request_since = c->n_out == 0 ? now : c->request_since;
    }
    bool is_late = c->state == CONNECTION_HTTP && c->n_in > 0 && c->n_out == 0 &&
                   now - c->request_since > request_within;
    bool is_silent = c->state == CONNECTION_SOCKET ? now - c->last_heard > gone_after
                     : c->state == CONNECTION_HTTP ? now - c->last_heard > idle_after
                                                   : now - c->closing_since > closing_for;
    if (is_silent || is_late || (c->ends_after && c->n_out == 0)) {
        close_connection(s, c);
    } else if (c->state == CONNECTION_HTTP) {
        http_requests(s, c);
    }
}

void bi_server_serve(bi_server *s, int milliseconds, int other)
{
    if (!s) {
        return;
    }
    struct pollfd set[CONNECTIONS + 2];
    set[0] = (struct pollfd){ .fd = s->listener, .events = POLLIN };
    set[1] = (struct pollfd){ .fd = other, .events = POLLIN };
    for (int k = 0; k < CONNECTIONS; k++) {
        const connection *c = &s->connection[k];
        bool has_room = c->n_in < sizeof c->in;
        set[k + 2] = (struct pollfd){ .fd = c->state == CONNECTION_FREE ? -1 : c->fd,
                                      .events = (short)((has_room ? POLLIN : 0) |
                                                        (c->n_out > c->sent ? POLLOUT : 0)) };
    }
    if (poll(set, CONNECTIONS + 2, milliseconds) < 0) {
        return;
    }
    if (set[0].revents & POLLIN) {
        accept_one(s);
    }
    double now = server_clock();
    for (int k = 0; k < CONNECTIONS; k++) {
        connection *c = &s->connection[k];
        if (set[k + 2].fd >= 0 && (set[k + 2].revents & (POLLIN | POLLHUP | POLLERR))) {
            read_from(s, c);
        }
        if (c->state != CONNECTION_FREE) {
            look_after(s, c, now);
        }
    }
}

// ---- sending ---------------------------------------------------------------------------------------------------

static bool send_frame(bi_server *s, int client, int op, const void *bytes, size_t length)
{
    connection *c = s && bytes && client >= 0 && client < CONNECTIONS ? &s->connection[client] : NULL;
    if (!c || c->state != CONNECTION_SOCKET || !connection_frame(c, op, bytes, length, most_waiting)) {
        return false;
    }
    connection_flush(c);
    return true;
}

bool bi_server_send_text(bi_server *s, int client, const char *text, size_t length)
{
    return send_frame(s, client, 1, text, length);
}

bool bi_server_send_binary(bi_server *s, int client, const void *bytes, size_t length)
{
    return send_frame(s, client, 2, bytes, length);
}

size_t bi_server_waiting(const bi_server *s, int client)
{
    return s && client >= 0 && client < CONNECTIONS ? s->connection[client].n_out - s->connection[client].sent
                                                    : 0;
}

int bi_server_role(const bi_server *s, int client)
{
    return s && client >= 0 && client < CONNECTIONS ? s->connection[client].role : 0;
}

void bi_server_drop(bi_server *s, int client)
{
    if (s && client >= 0 && client < CONNECTIONS && s->connection[client].state == CONNECTION_SOCKET) {
        connection_bye(&s->connection[client], 1008);
    }
}
