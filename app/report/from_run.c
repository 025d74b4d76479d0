// SPDX-License-Identifier: MIT
// A run of a model in the place of a recording: it is recorded in a folder of its own, and its recording is kept beside the page once that
// is whole, so that neither replaces a good one alone.
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/words.h"
#include "report/record_run.h"
#include "report/report.h"
#include "running/outfiles.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file, a link, or a name that only recordings have.
bool report_is_recording(const char *word)
{
    static const char *const models[] = { ".yaml", ".yml", ENDING_IMAGE };
    if (word[0] == '#' || strstr(word, "drive=") || !file_exists(word)) {
        return word[0] == '#' || strstr(word, "drive=") || file_has_ending(word, ENDING_RECORDING) ||
               file_has_ending(word, ".part");
    }
    bool is_model = file_is_folder(word);
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        is_model = is_model || file_has_ending(word, models[k]);
    }
    return !is_model;
}

exit_code report_record(report *p, const session_request *request)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = words_format("%s/biela-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "biela: error: no temporary folder %s: %s\n", folder, strerror(errno));
        free(folder);
        return CLI_MACHINE;
    }
    p->made_at = words_format("%s/run" ENDING_RECORDING, folder);
    free(folder);
    exit_code code = run_recorded(request, p->made_at);
    return code == CLI_OK ? rerun_open_source(p->made_at, -1, &p->source) : code;
}

bool report_keep_recording(const report *p)
{
    if (!p->made_at) {
        return true;
    }
    FILE *in = fopen(p->made_at, "rb");
    bi_outfile *out = in ? outfiles_begin(p->recording) : NULL;
    for (int c = out ? getc(in) : EOF; c != EOF; c = getc(in)) {
        putc(c, bi_outfile_file(out));
    }
    if (in) {
        fclose(in);
    }
    return out && outfiles_end(out);
}

void report_forget_recording(report *p)
{
    char *slash = p->made_at ? strrchr(p->made_at, '/') : NULL;
    if (slash) {
        char *part = words_format("%s.part", p->made_at);
        remove(p->made_at);
        remove(part);
        free(part);
        *slash = '\0';
        rmdir(p->made_at);
    }
    free(p->made_at);
    p->made_at = NULL;
}
