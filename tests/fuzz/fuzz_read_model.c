// SPDX-License-Identifier: MIT
// libFuzzer: whatever the bytes are, reading them as a model ends, with a report and without a leak.
#include <biela/io.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bi_report report = { 0 };
    bi_run run;
    bi_setting setting = { "L", "2" };
    bi_model *model =
        bi_read_model_text((const char *)data, size, "fuzz.yaml", &setting, 1, "slow", &run, &report);
    // no model without a reason, and no message without a text
    if (!model && report.errors == 0) {
        abort();
    }
    for (int k = 0; k < report.count; k++) {
        if (!report.issue[k].what || !report.issue[k].what[0] || report.issue[k].place.line < 0) {
            abort();
        }
    }
    bi_model_destroy(model);
    bi_report_clear(&report);
    return 0;
}
