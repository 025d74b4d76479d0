// SPDX-License-Identifier: MIT
// Models read from a shelf are those that the files gave when they were first read; mistakes of one read do not stay.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/geom.h>
#include <biela/io.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\n"
                           "f 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\nv 9 9 9\n";
static const char part[] = "biela: 1\nname: part\nparameters: {r: 1}\nbodies:\n  b: {mass: r, inertia: "
                           "{sphere: r}, at: [0, 0, 2]}\n";
static const char whole[] =
    "biela: 1\nname: whole\nparameters: {m: 2, size: 1}\ninclude: [{file: part.yaml, set: {r: m}}]\n"
    "bodies:\n  crate: {mass: m, inertia: {mesh: cube.obj, scale: size}}\n"
    "shapes:\n  a: {type: mesh, file: cube.obj, scale: size, body: crate}\n"
    "  c: {type: mesh, file: cube.obj, scale: size, body: b, pieces: 4}\n"
    "outputs: {z: {point: {body: b, at: [0, 0, 0]}}}\n";

static int make_files(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/biela-shelf-XXXXXX");
    assert_non_null(mkdtemp(folder));
    write_file("cube.obj", cube);
    write_file("part.yaml", part);
    write_file("whole.yaml", whole);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    static const char *const all[] = { "cube.obj", "part.yaml", "whole.yaml" };
    for (int k = 0; k < 3; k++) {
        (void)unlink(path_of(all[k]));
    }
    return rmdir(folder);
}

typedef struct {
    uint64_t hash; // of the system; 0: refused
    int count, errors;
} reading;

static reading read_with(bi_shelf *shelf, const char *name, const char *value)
{
    bi_setting setting = { name, value };
    bi_read_watch watch = { .shelf = shelf };
    bi_report report = { 0 };
    bi_model *model =
        bi_read_model_watched(path_of("whole.yaml"), &setting, name ? 1 : 0, NULL, &watch, NULL, &report);
    reading out = { 0, report.count, report.errors };
    bi_system *system = model && report.errors == 0 ? bi_compile(model, NULL, &report) : NULL;
    out.hash = system ? bi_system_hash(system) : 0;
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
    return out;
}

static void test_files_are_as_they_were_when_first_read(void **state)
{
    (void)state;
    reading fresh = read_with(NULL, NULL, NULL), heavy = read_with(NULL, "m", "3"),
            large = read_with(NULL, "size", "2");
    assert_true(fresh.hash != 0 && heavy.hash != 0 && large.hash != 0);
    assert_true(fresh.hash != heavy.hash && fresh.hash != large.hash);
    assert_true(fresh.count > 0); // the corner of no triangle
    bi_shelf *shelf = bi_shelf_create();
    assert_int_equal(read_with(shelf, NULL, NULL).hash, fresh.hash);
    assert_int_equal(read_with(shelf, "size", "2").hash, large.hash);
    // nothing is opened again
    write_file("cube.obj", "v 0 0 0\n");
    write_file("part.yaml", "not: a model");
    write_file("whole.yaml", "[");
    reading again = read_with(shelf, NULL, NULL);
    assert_int_equal(again.hash, fresh.hash);
    assert_int_equal(again.count, fresh.count); // what was mended is told each time
    assert_int_equal(read_with(shelf, "m", "3").hash, heavy.hash);
    assert_int_equal(read_with(shelf, "size", "2").hash, large.hash);
    bi_shelf_destroy(shelf);
    assert_int_equal(read_with(NULL, NULL, NULL).hash, 0);
}

static void test_mistakes_do_not_stay(void **state)
{
    (void)state;
    bi_shelf *shelf = bi_shelf_create();
    reading fresh = read_with(NULL, NULL, NULL), bad = read_with(NULL, "m", "-1");
    assert_true(bad.errors > 0);
    assert_int_equal(read_with(shelf, "m", "-1").errors, bad.errors);
    assert_int_equal(read_with(shelf, NULL, NULL).hash, fresh.hash);
    assert_int_equal(read_with(shelf, "m", "-1").errors, bad.errors);
    assert_int_equal(read_with(shelf, "nobody", "1").hash, 0);
    assert_int_equal(read_with(shelf, NULL, NULL).count, fresh.count);
    bi_shelf_destroy(shelf);
}

static void test_broken_files_are_read_again(void **state)
{
    (void)state;
    bi_shelf *shelf = bi_shelf_create();
    reading fresh = read_with(NULL, NULL, NULL);
    write_file("part.yaml", "biela: 1\nname: [");
    assert_int_equal(read_with(shelf, NULL, NULL).hash, 0);
    assert_true(read_with(shelf, NULL, NULL).errors > 0);
    write_file("part.yaml", part);
    bi_shelf_destroy(shelf);
    shelf = bi_shelf_create();
    write_file("cube.obj", "v 0 0\n");
    assert_int_equal(read_with(shelf, NULL, NULL).hash, 0);
    write_file("cube.obj", cube);
    assert_int_equal(read_with(shelf, NULL, NULL).hash, fresh.hash);
    bi_shelf_destroy(shelf);
}

// A surface outlives who made it; shapes have its triangles and pieces.
static void test_surfaces_are_shared(void **state)
{
    (void)state;
    bi_mesh mesh;
    bi_mesh_repairs repairs;
    bi_report report = { 0 };
    assert_true(bi_mesh_read_text(cube, strlen(cube), "cube.obj", 1.0, (bi_place){ 0 }, NULL, &mesh, &repairs,
                                  &report));
    bi_surface *surface = bi_surface_create(&mesh, 4, NULL);
    assert_non_null(surface);
    bi_model *model = bi_model_create("two");
    bi_shape_def plain = { .name = "plain",
                           .type = BI_SHAPE_MESH,
                           .n_vertex = mesh.n_vertex,
                           .n_triangle = mesh.n_triangle,
                           .vertex = mesh.vertex,
                           .triangle = (const int32_t(*)[3])mesh.triangle,
                           .pieces = 4 };
    bi_shape one = bi_add_shape(model, &plain);
    bi_shape two =
        bi_add_shape(model, &(bi_shape_def){ .name = "plain", .type = BI_SHAPE_MESH, .surface = surface });
    bi_surface_release(surface);
    bi_mesh_clear(&mesh);
    bi_shape_def a, b;
    double excess[2];
    assert_true(bi_model_shape_at(model, one, &a) && bi_model_shape_at(model, two, &b));
    assert_int_equal(a.n_triangle, 12);
    assert_int_equal(b.n_triangle, 12);
    assert_memory_equal(a.vertex, b.vertex, (size_t)a.n_vertex * sizeof *a.vertex);
    assert_memory_equal(a.triangle, b.triangle, (size_t)a.n_triangle * sizeof *a.triangle);
    assert_int_equal(bi_model_shape_pieces(model, one, &excess[0]),
                     bi_model_shape_pieces(model, two, &excess[1]));
    assert_true(excess[0] == excess[1]);
    bi_model_destroy(model);
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files_are_as_they_were_when_first_read, make_files,
                                        remove_files),
        cmocka_unit_test_setup_teardown(test_mistakes_do_not_stay, make_files, remove_files),
        cmocka_unit_test_setup_teardown(test_broken_files_are_read_again, make_files, remove_files),
        cmocka_unit_test(test_surfaces_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
