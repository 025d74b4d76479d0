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
static const char no_page[] = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>report</title>"
                              "<p style=\"font:16px sans-serif\">There is no report: this drive is not "
                              "recorded, or the report failed.</p></html>";

static void start_report(live *l)
{
    const char *recording = bi_recorder_name(l->run.recorder);
    (void)bi_recorder_flush(l->run.recorder);
    free(l->report_path);
    l->report_path = file_with_ending(bi_recorder_path(l->run.recorder), ENDING_PAGE);
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "biela", "report", recording, "--brief", "--quiet", "--out", l->report_path,
              (char *)NULL);
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

bool live_report(live *l, bi_server_reply *reply)
{
    int status = 0;
    const char *page = waiting_page;
    if (!l->run.recorder) {
        page = no_page;
    } else if (l->report_pid == 0) {
        start_report(l);
    } else if (waitpid((pid_t)l->report_pid, &status, WNOHANG) != 0) {
        l->report_pid = 0;
        l->resource =
            WIFEXITED(status) && WEXITSTATUS(status) != 127 ? whole_file(l->report_path, &reply->size) : NULL;
        page = l->resource ? NULL : no_page;
    }
    reply->type = "text/html; charset=utf-8";
    reply->bytes = page ? page : l->resource;
    reply->size = page ? strlen(page) : reply->size;
    return true;
}
