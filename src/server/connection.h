// SPDX-License-Identifier: MIT
// One connection: bytes that came, bytes that wait to go.
#pragma once
#include <biela/server.h>

enum { CONNECTIONS = 64, IN_BYTES = 16384, ADDRESS_CONNECTIONS = 40, ADDRESS_SOCKETS = 24 };
typedef enum { CONNECTION_FREE, CONNECTION_HTTP, CONNECTION_SOCKET, CONNECTION_CLOSING } connection_state;

typedef struct {
    connection_state state;
    int fd;
    bool has_joined;                             // the owner knows of it
    bool ends_after;                             // close when everything is sent
    double last_heard, last_ping, closing_since; // s
    double request_since;                        // s: since when the next request may come
    unsigned char address[16];                   // of the peer
    int role;                                    // by its token
    unsigned char in[IN_BYTES];
    size_t n_in;
    char *out; // (capacity), from `sent` to `n_out` waits
    size_t sent, n_out, capacity;
    bi_ws_parser parser;
} connection;

struct bi_server {
    bi_server_options options;
    char *address, *token, *guest_token, *instructor_token, *root, *page; // own copies
    char host[160];
    int port, listener;
    bool is_local;
    connection connection[CONNECTIONS];
};

double server_clock(void); // s
// Connections of the same address in this state; CONNECTION_FREE: in any.
int server_neighbours(const bi_server *s, const connection *c, connection_state state);
// Appends to what waits; false: more than `limit` would wait, or no memory.
bool connection_put(connection *c, const void *bytes, size_t size, size_t limit);
void connection_flush(
    connection *c); // sends what the peer takes now; on an error `state` becomes CLOSING and fd is shut
// A WebSocket frame; false as above.
bool connection_frame(connection *c, int op, const void *bytes, size_t size, size_t limit);
// Says why and closes when the peer has heard it.
void connection_bye(connection *c, int reason);

// answer.c: what an HTTP request gets; a WebSocket handshake changes the state.
void server_answer(bi_server *s, connection *c, const bi_http_request *r);
