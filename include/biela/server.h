// SPDX-License-Identifier: MIT
/* server.h - files over HTTP and messages over WebSocket, in the caller's thread. Knows nothing of simulations.
 *
 * Every connection has bounded buffers: a peer that is slow, silent, hostile or gone costs memory of fixed size and nobody's
 * time, and nobody's place: a request that is not complete within 10 s is given up, one address has at most 40 of the 64 connections and
 * 24 of the WebSockets, and where all are in use the one whose request has been waiting longest makes room. Pages of other origins are refused, and so are requests for another host than the one that was opened. */
#pragma once
#include <biela/biela.h>
BI_BEGIN

enum {
    BI_SERVER_CLIENTS = 32,
    BI_SERVER_MESSAGE = 4096 /* bytes that a message from a client may have */
};

/* What a path gives that is not a file. The bytes are copied. */
typedef struct {
    const char *type; /* "text/html; charset=utf-8" */
    const void *bytes;
    size_t size;
} bi_server_reply;

typedef struct {
    const char *address;                    /* NULL = "127.0.0.1" */
    int port;                               /* 0: any free one */
    const char *token;                      /* needed for everything but plain files; NULL: none */
    const char *guest_token;                /* opens the same doors, and bi_server_role tells; NULL: none */
    const char *instructor_token;           /* likewise */
    const char *root;                       /* folder of files; NULL: none */
    const char *page;                       /* HTML for "/" when the folder has no index.html */
    void *data;                             /* for the functions, each of which may be NULL */
    void (*joined)(void *data, int client); /* a WebSocket at /ws is open */
    void (*message)(void *data, int client, const char *text, size_t length); /* text, zero-terminated */
    void (*left)(void *data, int client);
    bool (*resource)(void *data, const char *path, bi_server_reply *); /* false: no such thing */
} bi_server_options;

typedef struct bi_server bi_server;
bi_server *bi_server_create(const bi_server_options *,
                            bi_report *); /* NULL: see the report (port in use, no such address) */
void bi_server_destroy(bi_server *);
int bi_server_port(const bi_server *);
bool bi_server_is_local(const bi_server *); /* only this machine can reach it */
/* Serves what is ready; waits at most so long, or until `other` (-1: none) is readable. */
void bi_server_serve(bi_server *, int milliseconds, int other);
/* False: the client is gone or has too much to read already; nothing was sent then. */
bool bi_server_send_text(bi_server *, int client, const char *text, size_t length);
bool bi_server_send_binary(bi_server *, int client, const void *bytes, size_t length);
size_t bi_server_waiting(const bi_server *, int client); /* bytes that the client has not taken yet */
int bi_server_role(const bi_server *,
                   int client); /* 0: came with the token or needed none, 1: guest, 2: instructor */
void bi_server_drop(bi_server *, int client); /* says good-bye and closes */

/* Pieces that stand alone, for tests. */
typedef enum { BI_WS_MORE, BI_WS_TEXT, BI_WS_PING, BI_WS_PONG, BI_WS_CLOSE, BI_WS_BAD } bi_ws_kind;
typedef struct {
    unsigned char part[BI_SERVER_MESSAGE + 1]; /* of a fragmented message, or the payload of the frame */
    size_t length;
    bool is_fragmented;
    int reason; /* of BI_WS_BAD: close code */
    unsigned char control[128];
    size_t control_length;
} bi_ws_parser; /* starts as { 0 } */
/* Takes one frame from the bytes; `used`: how many it had. BI_WS_TEXT: the message is in `part`, zero-terminated. */
bi_ws_kind bi_ws_take(bi_ws_parser *, const unsigned char *bytes, size_t size, size_t *used);

typedef struct {
    char method[8], path[512], query[256], host[128], origin[160], key[40], cookie[512];
    bool wants_upgrade, is_websocket_13, keeps_alive;
    int status; /* 0: complete; -1: more bytes are needed; else the HTTP status of a refusal */
} bi_http_request;
/* `head` ends with an empty line, or more bytes are needed. */
bi_http_request bi_http_parse(const char *head, size_t size, size_t *used);
void bi_ws_accept(const char *key, char accept[32]);
BI_END
