// SPDX-License-Identifier: MIT
// libFuzzer: whatever the bytes are, a file that is only seen is found good or told to be bad with a reason, as OBJ, as glTF
// text and as binary glTF; so is a binary one around the bytes as its text.
#include "io/mesh/look_file.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *ending, const uint8_t *head, size_t n_head, const uint8_t *data, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/biela-fuzz-look-%ld.%s", (long)getpid(), ending);
    FILE *file = fopen(path, "wb");
    if (!file) {
        return;
    }
    bool is_written = fwrite(head, 1, n_head, file) == n_head && fwrite(data, 1, size, file) == size;
    if (fclose(file) == 0 && is_written) {
        bi_report report = { 0 };
        look_use use = { .where = "looks.fuzz" };
        bool is_good = look_file_check(path, &use, &report);
        if (is_good != (report.errors == 0)) {
            abort();
        }
        bi_report_clear(&report);
    }
    remove(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t head[20] = { 'g', 'l', 'T', 'F', 2 };
    uint32_t whole = (uint32_t)(size + sizeof head), text = (uint32_t)size;
    memcpy(head + 8, &whole, 4);
    memcpy(head + 12, &text, 4);
    memcpy(head + 16, "JSON", 4);
    check("obj", NULL, 0, data, size);
    check("gltf", NULL, 0, data, size);
    check("glb", NULL, 0, data, size);
    check("glb", head, sizeof head, data, size);
    return 0;
}
