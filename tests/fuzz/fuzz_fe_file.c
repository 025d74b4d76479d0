// SPDX-License-Identifier: MIT
// libFuzzer: whatever the bytes are, reading them as a finite-element file ends with a sound mesh or with a reason.
#include <biela/fe_file.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = { "fuzz.msh", "fuzz.inp", "fuzz.bdf" };
    static const int n_node[BI_FE_KIND_COUNT] = { 2, 2, 4, 4, 3, 1, 2, 10, 8, 20, 4, 3 };
    for (int k = 0; k < 3; k++) {
        bi_report report = { 0 };
        bi_fe_file file;
        bool is_good =
            bi_fe_file_read_text((const char *)data, size, paths[k], (bi_fe_units){ 0 }, &file, &report);
        if (is_good != (report.errors == 0) || is_good != (file.mesh.n_element > 0)) {
            abort();
        }
        for (int e = 0; e < file.mesh.n_element; e++) {
            const bi_fe_element *element = &file.mesh.element[e];
            for (int i = 0; i < n_node[element->kind]; i++) {
                if (element->node[i] < 0 || element->node[i] >= file.mesh.n_node) {
                    abort();
                }
            }
            if (element->section >= file.mesh.n_section || element->material >= file.mesh.n_material) {
                abort();
            }
        }
        for (int s = 0; s < file.n_node_set; s++) {
            for (int i = 0; i < file.node_set[s].count; i++) {
                if (file.node_set[s].item[i] < 0 || file.node_set[s].item[i] >= file.mesh.n_node) {
                    abort();
                }
            }
        }
        bi_fe_file_clear(&file);
        bi_report_clear(&report);
    }
    return 0;
}
