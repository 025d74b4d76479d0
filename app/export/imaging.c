// SPDX-License-Identifier: MIT
#include "export/imaging.h"
#include "cli/words.h"
#include <biela/image.h>
#include <stdlib.h>
#include <string.h>

// The system, all anew each time; everything else of the session is given back.
static bi_system *make_system(void *context, bi_report *report)
{
    imaging *job = context;
    session s;
    job->code = session_compile(&s, job->request);
    bi_system *system = job->code == CLI_OK ? s.system : NULL;
    s.system = system ? NULL : s.system;
    memset(&job->note, 0, sizeof job->note);
    memcpy(&job->note.run, &s.run, sizeof s.run);
    job->grid = s.grid;
    for (int k = 0; k < s.report.count; k++) {
        const bi_issue *issue = &s.report.issue[k];
        bi_report_add(report, issue->severity, issue->code, issue->place, issue->where, "%s", issue->what);
    }
    free(job->name);
    job->name = s.short_name ? words_format("%s", s.short_name) : NULL;
    job->hash = bi_system_hash(system);
    session_close(&s);
    return system;
}

void *imaging_make(imaging *job, size_t *size, bi_report *report)
{
    return bi_image_make(make_system, job, &job->note, sizeof job->note, size, report);
}

exit_code imaging_code(const imaging *job) { return job->code == CLI_MACHINE ? CLI_MACHINE : CLI_BAD; }
