// SPDX-License-Identifier: MIT
#include "fmu/location.h"
#include <string.h>

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool location_of_uri(const char *uri, char *path, size_t size)
{
    if (!uri || strncmp(uri, "file:", 5) != 0) {
        return false;
    }
    uri += 5;
    if (strncmp(uri, "//", 2) == 0) {
        // "//host/path": of this machine, whatever it is called
        uri = strchr(uri + 2, '/');
    }
    size_t n = 0;
    for (; uri && *uri && n + 1 < size; uri++) {
        bool is_code = uri[0] == '%' && digit(uri[1]) >= 0 && digit(uri[2]) >= 0;
        path[n++] = is_code ? (char)(16 * digit(uri[1]) + digit(uri[2])) : *uri;
        uri += is_code ? 2 : 0;
    }
    path[n] = '\0';
    return uri && !*uri && n > 0;
}
