// SPDX-License-Identifier: MIT
#include "export/batch_fits.h"
#include "cli/words.h"
#include "export/imaging.h"
#include <biela/batch.h>
#include <biela/image.h>
#include <stdlib.h>

// What one device says.
typedef struct {
    bool takes;
    bi_batch_fit fit;
    char *why; // not, or why it cannot be used here; "": nothing
} answer;

static char *last_words(const bi_report *report)
{
    const bi_issue *last = report->count > 0 ? &report->issue[report->count - 1] : NULL;
    return words_format("%s", last ? last->what : "");
}

// The system as devices take it that put it into other memory. NULL: the report says why there is none.
static bi_system *movable(const session_request *given, bi_report *report)
{
    session_request request = *given;
    request.kept = NULL; // it is made from the beginning
    imaging job = { .request = &request, .code = CLI_BAD };
    size_t size = 0;
    void *image = imaging_make(&job, &size, report);
    bi_system *system = image ? bi_image_load(image, size, report) : NULL;
    free(image);
    free(job.name);
    return system;
}

static answer ask(const session *s, const session_request *request, const char *device)
{
    bi_report report = { 0 };
    answer a = { 0 };
    bool is_moved = bi_batch_device_takes_images(device) && !s->is_image;
    bi_system *own = is_moved ? movable(request, &report) : NULL;
    const bi_system *system = is_moved ? own : s->system;
    a.takes = system && bi_batch_fits(system, device, &a.fit, &report);
    a.why = a.takes && *a.fit.machine ? words_format("%s", "") : last_words(&report);
    bi_system_destroy(own);
    bi_report_clear(&report);
    return a;
}

void batch_fits_print(const session *s, const session_request *request)
{
    const char *device;
    printf("\nbatch (biela sweep --device)\n");
    for (int k = 0; (device = bi_batch_device_name(k)); k++) {
        answer a = ask(s, request, device);
        printf("  %-18s  ", device);
        if (!a.takes) {
            printf("does not take it: %s\n", a.why);
            free(a.why);
            continue;
        }
        printf("takes it: %.4g kB a sim", 1e-3 * a.fit.sim);
        if (a.fit.there > 0.0) {
            printf(", of which %.4g kB travel, %.4g kB there while it is stepped, and %.4g kB of the system",
                   1e-3 * a.fit.travels, 1e-3 * a.fit.there, 1e-3 * a.fit.system);
        }
        if (a.fit.most > 0.0) {
            printf(", room for %.0f at once", a.fit.most);
        }
        printf("; %s\n", *a.fit.machine ? a.fit.machine : a.why);
        free(a.why);
    }
}

void batch_fits_json(json *j, const session *s, const session_request *request)
{
    const char *device;
    json_array(j, "batch");
    for (int k = 0; (device = bi_batch_device_name(k)); k++) {
        answer a = ask(s, request, device);
        json_object(j, NULL);
        json_text(j, "device", device);
        json_true_or_false(j, "takes", a.takes);
        json_text(j, "why", *a.why ? a.why : NULL);
        json_text(j, "machine", *a.fit.machine ? a.fit.machine : NULL);
        json_number(j, "sim_bytes", a.fit.sim);
        json_number(j, "travelling_bytes", a.fit.travels);
        json_number(j, "bytes_there", a.fit.there);
        json_number(j, "system_bytes_there", a.fit.system);
        json_number(j, "most_sims", a.fit.most);
        json_end(j);
        free(a.why);
    }
    json_end(j);
}
