// SPDX-License-Identifier: MIT
// libFuzzer: whatever a client sends, heads and frames are taken within their bounds.
#include <biela/server.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used;
    bi_http_request r = bi_http_parse((const char *)data, size, &used);
    if (used > size || (r.status == 0 && r.path[0] != '/')) {
        abort();
    }
    static bi_ws_parser p;
    p = (bi_ws_parser){ 0 };
    for (size_t at = 0; at < size; at += used) {
        bi_ws_kind kind = bi_ws_take(&p, data + at, size - at, &used);
        if (used > size - at || p.length > BI_SERVER_MESSAGE) {
            abort();
        }
        if (used == 0 || kind == BI_WS_BAD) {
            break;
        }
    }
    return 0;
}
