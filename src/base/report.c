// SPDX-License-Identifier: MIT
// Reports: a list of mistakes and notes, each with its place, name and words.
#include "base/list.h"
#include "base/text.h"
#include <biela/biela.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *bi_status_text(bi_status status)
{
#define BI_STATUS_TEXT(code, text) text,
    static const char *const texts[] = { BI_STATUS_LIST(BI_STATUS_TEXT) };
    return (size_t)status < sizeof texts / sizeof *texts ? texts[status] : "unknown status";
}

void bi_report_add(bi_report *report, bi_severity severity, bi_status code, bi_place place, const char *where,
                   const char *format, ...)
{
    if (!report) {
        return;
    }
    // errors count even when there is no memory for their text
    report->errors += severity == BI_ERROR;
    if (!LIST_RESERVE(report->issue, report->count, report->capacity)) {
        return;
    }
    char text[1024] = "";
    va_list args;
    va_start(args, format);
    if (format) {
        vsnprintf(text, sizeof text, format, args);
    }
    va_end(args);
    place.file = text_copy(place.file);
    report->issue[report->count++] = (bi_issue){ .severity = severity,
                                                 .code = code,
                                                 .place = place,
                                                 .where = text_copy(where ? where : ""),
                                                 .what = text_copy(text) };
}

void bi_report_clear(bi_report *report)
{
    for (int k = 0; report && k < report->count; k++) {
        free((void *)report->issue[k].place.file);
        free((void *)report->issue[k].where);
        free((void *)report->issue[k].what);
    }
    if (report) {
        free(report->issue);
        *report = (bi_report){ 0 };
    }
}
