// SPDX-License-Identifier: MIT
// Road files: which reader.
#include "io/model/reader.h"
#include "io/road/crg.h"
#include "io/road/odr.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30 };

bi_road *bi_road_read_text(const char *text, size_t length, const char *path, const char *name,
                           bool is_smooth, bi_report *report)
{
    if (!text || !path || !report) {
        return NULL;
    }
    // XML begins with '<', after a mark of the byte order at most
    size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < length && strchr(" \t\r\n", text[at]) && text[at]) {
        at++;
    }
    if (at < length && text[at] == '<') {
        return odr_read(text, length, path, name, report);
    }
    if (name) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "road",
                      "'road' names one of an OpenDRIVE file, and this file is none");
        return NULL;
    }
    return crg_read(text, length, path, is_smooth, report);
}

bi_road *bi_road_read(const char *path, const char *name, bool is_smooth, bi_place used, const char *where,
                      bi_report *report)
{
    size_t length = 0;
    if (!path || !report) {
        return NULL;
    }
    char *text = reader_file_up_to(path, used, where ? where : "", MOST_BYTES, &length, report);
    bi_road *road = text ? bi_road_read_text(text, length, path, name, is_smooth, report) : NULL;
    free(text);
    return road;
}
