// SPDX-License-Identifier: MIT
// libFuzzer: whatever the bytes are, reading them as OBJ and as STL ends with a sound mesh or with a reason.
#include <biela/geom.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = { "fuzz.obj", "fuzz.stl" };
    for (int k = 0; k < 2; k++) {
        bi_report report = { 0 };
        bi_mesh mesh;
        bi_mesh_repairs repairs;
        bool is_good = bi_mesh_read_text((const char *)data, size, paths[k], 0.001, (bi_place){ 0 }, NULL,
                                         &mesh, &repairs, &report);
        if (is_good != (report.errors == 0) || is_good != (mesh.n_triangle > 0)) {
            abort();
        }
        for (int i = 0; i < 3 * mesh.n_triangle; i++) {
            if (mesh.triangle[i / 3][i % 3] < 0 || mesh.triangle[i / 3][i % 3] >= mesh.n_vertex) {
                abort();
            }
        }
        bi_mesh_clear(&mesh);
        bi_report_clear(&report);
    }
    return 0;
}
