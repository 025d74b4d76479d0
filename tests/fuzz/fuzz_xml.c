// SPDX-License-Identifier: MIT
// libFuzzer: whatever the bytes are, reading them as XML ends, with a tree or a message, and without a leak.
#include "io/robot/xml.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bi_report report = { 0 };
    blocks memory = { 0 };
    const xml_element *root = xml_parse((const char *)data, size, "fuzz.xml", &memory, &report);
    if ((root == NULL) != (report.errors > 0)) {
        abort();
    }
    // what is there can be read
    for (const xml_element *e = root ? root->first : NULL; e; e = e->next) {
        (void)xml_get(e, "name");
    }
    blocks_free(&memory);
    bi_report_clear(&report);
    return 0;
}
