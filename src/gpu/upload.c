// SPDX-License-Identifier: MIT
// The system of an image, put where a device finds it: every listed word is told where that is.
#include "gpu/gpu.h"
#include "sim/image/image.h"
#include <stdlib.h>
#include <string.h>

// What the first words of the list of things are: functions of the C library, which no step calls.
enum { THINGS_OF_LIBRARY = 2 };

size_t gpu_system_bytes(const bi_system *s) { return (size_t)s->image->n_data; }

uint64_t gpu_put_system(const gpu_driver *driver, void *own, const bi_system *s,
                        const uint64_t things[GPU_THINGS], bi_report *report)
{
    const image_words *image = s->image;
    uint64_t at = driver->take(own, (size_t)image->n_data);
    char *data = malloc((size_t)image->n_data);
    bool is_put = at != 0 && data != NULL;
    if (is_put) {
        memcpy(data, s, (size_t)image->n_data);
        for (uint64_t k = 0; k < image->n_inner; k++) {
            uint64_t word;
            memcpy(&word, data + image->inner[k], sizeof word);
            word = word - (uint64_t)(uintptr_t)s + at;
            memcpy(data + image->inner[k], &word, sizeof word);
        }
        for (uint64_t k = 0; k < image->n_outer; k++) {
            const image_outer *o = &image->outer[k];
            uint32_t thing = o->thing - THINGS_OF_LIBRARY;
            uint64_t word = o->thing < THINGS_OF_LIBRARY || thing >= GPU_THINGS ? 0 : things[thing];
            word = word == 0 ? 0 : word + o->offset;
            memcpy(data + o->at, &word, sizeof word);
        }
        is_put = driver->put(own, at, data, (size_t)image->n_data);
    }
    free(data);
    if (!is_put) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "gpu",
                      "no memory there for the system (%.3g MB)", 1e-6 * (double)image->n_data);
        if (at != 0) {
            driver->give(own, at);
        }
    }
    return is_put ? at : 0;
}
