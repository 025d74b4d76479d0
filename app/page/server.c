// SPDX-License-Identifier: MIT
// The server of a drive inside a page: <biela/server.h> without a network. The page is its one client; what goes out is
// handed to the worker around us, what comes in is called by it (page_join, page_say, page_ask).
#include <biela/server.h>
#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENT = 0 };

struct bi_server {
    bi_server_options options;
    bool has_client;
    bi_server_reply reply; // of the last question
};

// The server that the worker talks to: there is one engine in a worker.
static bi_server *the_server;

// the module's own functions of the worker: bytes are copied before they return
EM_JS(void, page_text, (const char *text, int length), { Module.onText(UTF8ToString(text, length)); });
EM_JS(void, page_bytes, (const void *bytes, int length),
      { Module.onBytes(HEAPU8.slice(bytes, bytes + length).buffer); });

bi_server *bi_server_create(const bi_server_options *options, bi_report *report)
{
    (void)report;
    bi_server *server = options && !the_server ? calloc(1, sizeof *server) : NULL;
    if (server) {
        server->options = *options;
        the_server = server;
    }
    return server;
}

void bi_server_destroy(bi_server *server)
{
    if (server && server == the_server) {
        the_server = NULL;
    }
    free(server);
}

int bi_server_port(const bi_server *server)
{
    (void)server;
    return 0;
}

bool bi_server_is_local(const bi_server *server) { return server != NULL; }

void bi_server_serve(bi_server *server, int milliseconds, int other)
{
    // the worker calls
    (void)server, (void)milliseconds, (void)other;
}

bool bi_server_send_text(bi_server *server, int client, const char *text, size_t length)
{
    bool is_there = server && server->has_client && client == CLIENT;
    if (is_there) {
        page_text(text, (int)length);
    }
    return is_there;
}

bool bi_server_send_binary(bi_server *server, int client, const void *bytes, size_t length)
{
    bool is_there = server && server->has_client && client == CLIENT;
    if (is_there) {
        page_bytes(bytes, (int)length);
    }
    return is_there;
}

size_t bi_server_waiting(const bi_server *server, int client)
{
    (void)server, (void)client;
    return 0;
}

int bi_server_role(const bi_server *server, int client)
{
    (void)server, (void)client;
    return 0;
}

void bi_server_drop(bi_server *server, int client)
{
    if (server && server->has_client && client == CLIENT) {
        server->has_client = false;
        server->options.left(server->options.data, CLIENT);
    }
}

// ---- called by the worker ------------------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE bool page_join(void)
{
    if (!the_server || the_server->has_client) {
        return false;
    }
    the_server->has_client = true;
    the_server->options.joined(the_server->options.data, CLIENT);
    return true;
}

EMSCRIPTEN_KEEPALIVE void page_say(const char *text)
{
    if (the_server && the_server->has_client && strlen(text) <= BI_SERVER_MESSAGE) {
        the_server->options.message(the_server->options.data, CLIENT, text, strlen(text));
    }
}

// What a path gives, such as "/mesh/3": its bytes stay until the next question. -1: no such thing.
EMSCRIPTEN_KEEPALIVE int page_ask(const char *path)
{
    bool is_there =
        the_server && the_server->options.resource(the_server->options.data, path, &the_server->reply);
    return is_there ? (int)the_server->reply.size : -1;
}

EMSCRIPTEN_KEEPALIVE const void *page_answer(void) { return the_server ? the_server->reply.bytes : NULL; }
