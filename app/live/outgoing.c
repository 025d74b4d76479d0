// SPDX-License-Identifier: MIT
#include "live/outgoing.h"

json *outgoing_begin(outgoing *o, void (*begin)(json *))
{
    *o = (outgoing){ 0 };
    o->out = open_memstream(&o->text, &o->size);
    if (!o->out) {
        return NULL;
    }
    o->j = json_start(o->out);
    begin(&o->j);
    return &o->j;
}

char *outgoing_end(outgoing *o)
{
    json_end(&o->j);
    fclose(o->out);
    return o->text;
}
