// SPDX-License-Identifier: MIT
// libFuzzer: whatever the bytes are, an FMU of them is refused with a message or described, and no name leads out.
#include "io/fmu/description.h"
#include "io/fmu/zip_read.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void describe(const char *text, size_t length)
{
    bi_report report = { 0 };
    blocks memory = { 0 };
    fmu_description about;
    if (fmu_describe(text, length, "fuzz.xml", &memory, &about, &report) == (report.errors > 0)) {
        abort();
    }
    blocks_free(&memory);
    bi_report_clear(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bi_report report = { 0 };
    zip_archive zip;
    if (size > 0 && data[0] == '<') {
        describe((const char *)data, size);
    }
    if (zip_open(&zip, data, size, "fuzz.fmu", &report) == (report.errors > 0)) {
        abort();
    }
    for (int k = 0; report.errors == 0 && k < zip.count; k++) {
        if (zip.item[k].name[0] == '/' || strncmp(zip.item[k].name, "../", 3) == 0 ||
            strstr(zip.item[k].name, "/../")) {
            abort();
        }
        char *bytes = zip.item[k].size < 1 << 20 ? zip_take(&zip, k, "fuzz.fmu", &report) : NULL;
        if (bytes) {
            describe(bytes, zip.item[k].size);
        }
        free(bytes);
    }
    zip_close(&zip);
    bi_report_clear(&report);
    return 0;
}
