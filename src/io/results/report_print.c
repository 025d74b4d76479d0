// SPDX-License-Identifier: MIT
// A report as text: file:line:column, name, words.
#include <biela/io.h>

static void print_place(bi_place place, FILE *out)
{
    if (place.file) {
        fprintf(out, "%s:", place.file);
    }
    if (place.line > 0) {
        fprintf(out, "%d:%d:", place.line, place.column);
    }
    if (place.file || place.line > 0) {
        fputc(' ', out);
    }
}

void bi_report_print(const bi_report *report, FILE *out)
{
    static const char *const words[] = { "error", "warning", "note" };
    if (!report || !out) {
        return;
    }
    for (int k = 0; k < report->count; k++) {
        const bi_issue *issue = &report->issue[k];
        print_place(issue->place, out);
        fprintf(out, "%s: ", words[issue->severity]);
        if (issue->where && issue->where[0]) {
            fprintf(out, "%s: ", issue->where);
        }
        fprintf(out, "%s\n", issue->what ? issue->what : "");
    }
    if (report->errors > 1) {
        fprintf(out, "%d errors\n", report->errors);
    }
}
