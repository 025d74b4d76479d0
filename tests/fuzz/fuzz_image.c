// SPDX-License-Identifier: MIT
// libFuzzer: an image that is damaged is refused or loaded, never followed out of its block. The bytes are changes to a good image
// (place, new byte), and the checksum is made right afterwards, as one who means harm would; or they are the image itself.
#include "sim/image/image.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bi_system *make(void *context, bi_report *report)
{
    (void)context;
    bi_model *m = bi_model_create("pendulum");
    bi_body rod = bi_add_body(
        m, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
    bi_add_joint(m, &(bi_joint_def){
                        .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0, 1, 0 } });
    bi_system *system = bi_compile(m, &(bi_options){ .dt = 1e-3 }, report);
    bi_model_destroy(m);
    return system;
}

static void try_image(const char *image, size_t size)
{
    bi_report report = { 0 };
    size_t n_note;
    const void *note = bi_image_note(image, size, &n_note, &report);
    bi_system *system = bi_image_load(image, size, &report);
    if ((system == NULL && report.errors == 0) || (system && !note)) {
        abort();
    }
    bi_system_destroy(system);
    bi_report_clear(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *good;
    static size_t n_good;
    if (!good) {
        bi_report report = { 0 };
        good = bi_image_make(make, NULL, "note", 5, &n_good, &report);
        if (!good) {
            abort();
        }
        bi_report_clear(&report);
    }
    try_image((const char *)data, size);
    char *image = aligned_alloc(IMAGE_ALIGN, n_good);
    memcpy(image, good, n_good);
    for (size_t k = 0; k + 4 <= size; k += 4) {
        size_t at = ((size_t)data[k] | (size_t)data[k + 1] << 8 | (size_t)data[k + 2] << 16) % n_good;
        // what the head says, and which words are places, more often than numbers
        at = at % 3 ? at % sizeof(image_header) : at;
        image[at] = (char)data[k + 3];
    }
    uint64_t sum = image_checksum(image, n_good);
    memcpy(image + offsetof(image_header, checksum), &sum, sizeof sum);
    try_image(image, n_good);
    free(image);
    return 0;
}
