// SPDX-License-Identifier: MIT
// libFuzzer: whatever the bytes are, importing them as a robot (URDF, MJCF or SDF, as their root says) ends, with a model file that
// can be read or with a message, and without a leak.
#include <biela/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    if (!path[0]) {
        snprintf(path, sizeof path, "/tmp/fuzz_robot.%d.xml", (int)getpid());
    }
    FILE *file = fopen(path, "wb");
    if (!file) {
        return 0;
    }
    fwrite(data, 1, size, file);
    fclose(file);
    bi_report report = { 0 };
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bi_import_options options = { .floor = size % 2,
                                  .floating = size % 3 == 0,
                                  .key = size % 5 ? NULL : "home" };
    bool is_good = out && bi_import_robot(path, &options, out, &report);
    if (out) {
        fclose(out);
    }
    if (is_good != (report.errors == 0) || (is_good && length == 0)) {
        abort();
    }
    free(text);
    bi_report_clear(&report);
    unlink(path);
    return 0;
}
