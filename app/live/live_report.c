// SPDX-License-Identifier: MIT
// The report of a drive while it goes on. It simulates the drive again, so a process of its own does it: neither the
// loop nor the server waits.
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/words.h"
#include "live/live.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char waiting_page[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\">"
    "<title>report</title><p style=\"font:16px sans-serif\">The drive is being simulated again for its "
    "report ...</p></html>";
static const char waiting_page_es[] =
    "<!doctype html><html lang=\"es\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\">"
    "<title>informe</title><p style=\"font:16px sans-serif\">Se está simulando de nuevo la maniobra para su "
    "informe ...</p></html>";
static const char no_page[] = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>report</title>"
                              "<p style=\"font:16px sans-serif\">There is no report: this drive is not "
                              "recorded, or the report failed.</p></html>";
static const char no_page_es[] =
    "<!doctype html><html lang=\"es\"><meta charset=\"utf-8\"><title>informe</title>"
    "<p style=\"font:16px sans-serif\">No hay informe: esta maniobra no se "
    "graba, o el informe ha fallado.</p></html>";

bool live_report_path(const char *path)
{
    return strcmp(path, "/report.html") == 0 || strcmp(path, "/report-es.html") == 0;
}

// Beside the recording, one for each language.
static char *file_of(const live *l, bool is_spanish)
{
    return file_with_ending(bi_recorder_path(l->run.recorder), is_spanish ? "-es" ENDING_PAGE : ENDING_PAGE);
}

static void start_report(live *l, char *path, bool is_spanish)
{
    const char *recording = bi_recorder_name(l->run.recorder);
    (void)bi_recorder_flush(l->run.recorder);
    free(l->report_path);
    l->report_path = path;
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "biela", "report", recording, "--brief", "--quiet", "--language",
              is_spanish ? "es" : "en", "--out", l->report_path, (char *)NULL);
        _exit(127);
    }
    l->report_pid = child > 0 ? (int)child : 0;
}

static char *whole_file(const char *path, size_t *size)
{
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    char *bytes = NULL;
    FILE *out = file ? open_memstream(&bytes, size) : NULL;
    for (int c = out ? getc(file) : EOF; c != EOF; c = getc(file)) {
        putc(c, out);
    }
    if (out) {
        fclose(out);
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

bool live_report(live *l, const char *path, bi_server_reply *reply)
{
    int status = 0;
    bool is_spanish = strcmp(path, "/report-es.html") == 0;
    const char *page = is_spanish ? waiting_page_es : waiting_page, *none = is_spanish ? no_page_es : no_page;
    char *file = l->run.recorder ? file_of(l, is_spanish) : NULL;
    bool is_over = l->report_pid != 0 && waitpid((pid_t)l->report_pid, &status, WNOHANG) != 0;
    bool is_ours = file && l->report_path && strcmp(file, l->report_path) == 0;
    l->report_pid = is_over ? 0 : l->report_pid;
    if (!file) {
        page = none;
    } else if (is_over && is_ours) {
        l->resource =
            WIFEXITED(status) && WEXITSTATUS(status) != 127 ? whole_file(l->report_path, &reply->size) : NULL;
        page = l->resource ? NULL : none;
    } else if (l->report_pid == 0) {
        start_report(l, file, is_spanish);
        file = NULL;
    }
    free(file);
    reply->type = "text/html; charset=utf-8";
    reply->bytes = page ? page : l->resource;
    reply->size = page ? strlen(page) : reply->size;
    return true;
}
