// SPDX-License-Identifier: MIT
// libFuzzer: whatever the bytes are, reading them as OBJ, as STL, and as the heights of a field, in a file or written in the
// model, ends with a sound shape or with a reason; a ball, a box, a cone, a hull and an ellipsoid then touch the field, and the
// mesh is cut into convex pieces.
#include <biela/geom.h>
#include <biela/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Pieces there are, or a reason why not; they hold as much as the mesh.
static void cut(const bi_mesh *mesh)
{
    bi_report report = { 0 };
    bi_model *m = bi_model_create("cut");
    bi_shape s = bi_add_shape(m, &(bi_shape_def){ .name = "s",
                                                  .type = BI_SHAPE_MESH,
                                                  .pieces = 6,
                                                  .n_vertex = mesh->n_vertex,
                                                  .n_triangle = mesh->n_triangle,
                                                  .vertex = mesh->vertex,
                                                  .triangle = (const int32_t(*)[3])mesh->triangle });
    double excess;
    bool is_cut = bi_model_shape_pieces(m, s, &excess) > 0;
    bi_model_check(m, &report);
    if ((!is_cut && report.errors == 0) || !isfinite(excess)) {
        abort();
    }
    bi_report_clear(&report);
    bi_model_destroy(m);
}

static void read_as_mesh(const uint8_t *data, size_t size, const char *path)
{
    bi_report report = { 0 };
    bi_mesh mesh;
    bi_mesh_repairs repairs;
    bool is_good = bi_mesh_read_text((const char *)data, size, path, 0.001, (bi_place){ 0 }, NULL, &mesh,
                                     &repairs, &report);
    if (is_good != (report.errors == 0) || is_good != (mesh.n_triangle > 0)) {
        abort();
    }
    for (int i = 0; i < 3 * mesh.n_triangle; i++) {
        if (mesh.triangle[i / 3][i % 3] < 0 || mesh.triangle[i / 3][i % 3] >= mesh.n_vertex) {
            abort();
        }
    }
    if (is_good && mesh.n_triangle <= 300) {
        cut(&mesh);
    }
    bi_mesh_clear(&mesh);
    bi_report_clear(&report);
}

// Compiles and takes a step: no number may be lost on the way.
static void touch(const bi_model *model)
{
    bi_report report = { 0 };
    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report);
    if (!system && report.errors == 0) {
        abort();
    }
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    if (sim && bi_sim_start(sim, &report) == BI_OK && bi_sim_step(sim) == BI_OK) {
        bi_view view = bi_sim_view(sim);
        if (!isfinite(view.pose[1].pos.z)) {
            abort();
        }
    }
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_report_clear(&report);
}

static const char head[] =
    "biela: 1\nname: f\n"
    "bodies: {b: {mass: 1, inertia: {sphere: 0.3}, at: [0.2, 0.2, 0.2]}}\n"
    "forces: {hit: {type: contact, a: [ball, crate, hat, stone, egg], b: ground, stiffness: 1e4, friction: "
    "0.5}}\n"
    "shapes:\n"
    "  ball: {type: sphere, body: b, radius: 0.3}\n"
    "  crate: {type: box, body: b, size: [0.6, 0.5, 0.4], turn: {x: 0.3}}\n"
    "  hat: {type: cone, body: b, radius: 0.3, length: 0.5, turn: {y: 0.2}}\n"
    "  stone: {type: hull, body: b, points: [[-0.3, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3], [0, 0.1, "
    "-0.3]]}\n"
    "  egg: {type: ellipsoid, body: b, half_axes: [0.35, 0.3, 0.2], turn: {z: 0.4}, facets: 12}\n"
    "  ground: {type: field, spacing: 0.5, heights: ";

static void read_as_field(const char *heights, size_t size)
{
    size_t length = sizeof head - 1;
    char *text = malloc(length + size + 2);
    if (!text) {
        return;
    }
    memcpy(text, head, length);
    memcpy(text + length, heights, size);
    memcpy(text + length + size, "}\n", 2);
    bi_report report = { 0 };
    bi_model *model = bi_read_model_text(text, length + size + 2, "fuzz.yaml", NULL, 0, NULL, NULL, &report);
    if (!model && report.errors == 0) {
        abort();
    }
    if (model && report.errors == 0) {
        touch(model);
    }
    bi_model_destroy(model);
    bi_report_clear(&report);
    free(text);
}

static void read_as_file(const uint8_t *data, size_t size)
{
    static char path[64];
    if (!path[0]) {
        snprintf(path, sizeof path, "/tmp/biela-fuzz-%ld.csv", (long)getpid());
    }
    FILE *file = fopen(path, "wb");
    if (!file) {
        return;
    }
    bool is_written = fwrite(data, 1, size, file) == size;
    if (fclose(file) == 0 && is_written) {
        char name[96];
        int length = snprintf(name, sizeof name, "{file: %s}", path);
        read_as_field(name, (size_t)length);
    }
    remove(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { WRITTEN = 2000 }; // bytes of heights in the model itself: the reader of models has its own fuzzer
    read_as_mesh(data, size, "fuzz.obj");
    read_as_mesh(data, size, "fuzz.stl");
    read_as_file(data, size);
    if (size <= WRITTEN) {
        read_as_field((const char *)data, size);
    }
    return 0;
}
