// SPDX-License-Identifier: MIT
/* outgoing.h - one text message to the page while it is written: begin, the fields of messages.h, end. */
#pragma once
#include "live/messages.h"

typedef struct {
    json j;
    FILE *out;
    char *text;
    size_t size;
} outgoing; /* must not move between begin and end */

/* Begins with a begin_ function of messages.h; gives what its fields are written to. NULL: no memory. */
json *outgoing_begin(outgoing *, void (*begin)(json *));
/* The whole message, to be freed; its length is `size`. */
char *outgoing_end(outgoing *);
