// SPDX-License-Identifier: MIT
// Mass, centre and inertia from meshes and parts against closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"
#include <biela/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char folder[64];
} bench;

static int make_folder(void **state)
{
    bench *b = calloc(1, sizeof *b);
    strcpy(b->folder, "/tmp/biela-mass-XXXXXX");
    *state = b;
    return mkdtemp(b->folder) ? 0 : -1;
}

static const char *const files[] = { "mesh.obj", "mesh.stl" };

static int remove_folder(void **state)
{
    bench *b = *state;
    char path[128];
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(path, sizeof path, "%s/%s", b->folder, files[k]);
        unlink(path);
    }
    rmdir(b->folder);
    free(b);
    return 0;
}

static void write_file(const bench *b, const char *name, const void *bytes, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", b->folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void write_text(const bench *b, const char *name, const char *text)
{
    write_file(b, name, text, strlen(text));
}

// Reads a model whose one body has this text.
static bi_model *read_body_text(const bench *b, const char *body, bi_report *report)
{
    char path[128], text[2048];
    snprintf(path, sizeof path, "%s/model.yaml", b->folder);
    snprintf(text, sizeof text, "biela: 1\nname: test\nbodies:\n  b: %s\n", body);
    return bi_read_model_text(text, strlen(text), path, NULL, 0, NULL, NULL, report);
}

static bi_body_def good_body(const bench *b, const char *body)
{
    bi_report report = { 0 };
    bi_model *model = read_body_text(b, body, &report);
    if (report.errors > 0) {
        bi_report_print(&report, stderr);
    }
    assert_int_equal(report.errors, 0);
    bi_body_def def = model->body[1].def;
    def.name = NULL;
    bi_model_destroy(model);
    bi_report_clear(&report);
    return def;
}

// Reads a body with one message of the severity that has the fragment.
static void expect_message(const bench *b, const char *body, bi_severity severity, const char *fragment)
{
    bi_report report = { 0 };
    bi_model *model = read_body_text(b, body, &report);
    if (report.count != 1) {
        bi_report_print(&report, stderr);
    }
    assert_int_equal(report.count, 1);
    assert_int_equal(report.issue[0].severity, severity);
    if (!strstr(report.issue[0].what, fragment)) {
        fail_msg("'%s' is not in '%s'", fragment, report.issue[0].what);
    }
    bi_model_destroy(model);
    bi_report_clear(&report);
}

// rounding of a few dozen sums of terms of the size of the result
static void assert_near(double got, double wanted, double size)
{
    assert_true(fabs(got - wanted) <= 1e-13 * size);
}

static void assert_body(const bi_body_def *d, double mass, bi_vec3 com, const double inertia[6])
{
    double length = fabs(com.x) + fabs(com.y) + fabs(com.z) + 1.0;
    assert_near(d->mass, mass, mass);
    assert_near(d->com.x, com.x, length);
    assert_near(d->com.y, com.y, length);
    assert_near(d->com.z, com.z, length);
    for (int k = 0; k < 6; k++) {
        assert_near(d->inertia[k], inertia[k], inertia[0] + inertia[1] + inertia[2]);
    }
}

// ---- meshes ----------------------------------------------------------------------------------------------------

// A box from (1, 2, 3) to (1.5, 2.25, 4), quadrangles, one face by negative indices and with the words for pictures.
static const char *const box_obj =
    "# a box\n"
    "v 1 2 3\nv 1.5 2 3\nv 1.5 2.25 3\nv 1 2.25 3\n"
    "v 1 2 4\nv 1.5 2 4\nv 1.5 2.25 4\nv 1 2.25 4\n"
    "vn 0 0 1\n"
    "f 4 3 2 1\nf 5//1 6//1 7//1 8//1\nf 1 2 6 5\nf 2/1 3/1 7/1 6/1\nf 3 4 8 7\nf -5 -8 -4 -1\n";

static void test_mesh_of_a_box_has_the_inertia_of_the_box(void **state)
{
    write_text(*state, "mesh.obj", box_obj);
    bi_body_def d = good_body(*state, "{inertia: {mesh: mesh.obj, density: 800}}");
    double m = 800 * 0.125, x = 0.25 / 12, y = 0.0625 / 12, z = 1.0 / 12;
    assert_body(&d, m, (bi_vec3){ 1.25, 2.125, 3.5 }, (double[6]){ m * (y + z), m * (z + x), m * (x + y) });
}

static void test_mesh_scale_and_mass_are_used(void **state)
{
    write_text(*state, "mesh.obj", box_obj);
    bi_body_def d = good_body(*state, "{mass: 3, inertia: {mesh: mesh.obj, scale: 0.001}}");
    double m = 3e-6, x = 0.25 / 12, y = 0.0625 / 12, z = 1.0 / 12;
    assert_near(d.mass, 3.0, 3.0);
    assert_near(d.com.x, 1.25e-3, 1e-3);
    for (int k = 0; k < 3; k++) {
        assert_near(d.inertia[k], (double[3]){ m * (y + z), m * (z + x), m * (x + y) }[k], 1e-6);
    }
}

// A tetrahedron with legs a, b, c along the axes: V = abc/6, centre at a quarter, products of inertia.
static void test_mesh_of_a_tetrahedron_in_text_stl(void **state)
{
    double a = 0.3, b = 0.5, c = 0.8, m = 1000 * a * b * c / 6;
    write_text(
        *state, "mesh.stl",
        "solid t\n"
        "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 0.5 0\nvertex 0.3 0 0\nendloop\nendfacet\n"
        "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 0.3 0 0\nvertex 0 0 0.8\nendloop\nendfacet\n"
        "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0.8\nvertex 0 0.5 0\nendloop\nendfacet\n"
        "facet normal 1 1 1\nouter loop\nvertex 0.3 0 0\nvertex 0 0.5 0\nvertex 0 0 0.8\nendloop\nendfacet\n"
        "endsolid t\n");
    bi_body_def d = good_body(*state, "{inertia: {mesh: mesh.stl, density: 1000}}");
    double f = 3 * m / 80, g = m / 80;
    assert_body(&d, m, (bi_vec3){ a / 4, b / 4, c / 4 },
                (double[6]){ f * (b * b + c * c), f * (c * c + a * a), f * (a * a + b * b), g * a * b,
                             g * b * c, g * c * a });
}

static void put_float(unsigned char *to, float x) { memcpy(to, &x, sizeof x); }

// The same box in binary STL, 1 km from the origin: exact in floats, so only the sums are rounded.
static void test_binary_stl_far_from_the_origin_keeps_its_digits(void **state)
{
    static const int face[12][3] = { { 3, 2, 1 }, { 3, 1, 0 }, { 4, 5, 6 }, { 4, 6, 7 },
                                     { 0, 1, 5 }, { 0, 5, 4 }, { 1, 2, 6 }, { 1, 6, 5 },
                                     { 2, 3, 7 }, { 2, 7, 6 }, { 3, 0, 4 }, { 3, 4, 7 } };
    static const float place[8][3] = { { 1024, 0, 0 }, { 1025, 0, 0 }, { 1025, 2, 0 }, { 1024, 2, 0 },
                                       { 1024, 0, 4 }, { 1025, 0, 4 }, { 1025, 2, 4 }, { 1024, 2, 4 } };
    unsigned char bytes[84 + 12 * 50] = "solid, though binary";
    bytes[80] = 12;
    for (int t = 0; t < 12; t++) {
        for (int c = 0; c < 3; c++) {
            for (int i = 0; i < 3; i++) {
                put_float(bytes + 84 + 50 * t + 12 + 12 * c + 4 * i, place[face[t][c]][i]);
            }
        }
    }
    write_file(*state, "mesh.stl", bytes, sizeof bytes);
    bi_body_def d = good_body(*state, "{inertia: {mesh: mesh.stl, density: 1}}");
    assert_body(&d, 8, (bi_vec3){ 1024.5, 1, 2 }, (double[6]){ 8 * 20.0 / 12, 8 * 17.0 / 12, 8 * 5.0 / 12 });
}

static void test_open_mesh_names_an_open_edge(void **state)
{
    char text[512];
    strcpy(text, box_obj);
    *strstr(text, "f -5 -8") = '\0';
    write_text(*state, "mesh.obj", text);
    expect_message(*state, "{inertia: {mesh: mesh.obj, density: 800}}", BI_ERROR,
                   "4 edges have one triangle only");
    expect_message(*state, "{inertia: {mesh: mesh.obj, density: 800}}", BI_ERROR,
                   "from (1, 2, 3) to (1, 2.25, 3)");
}

static void test_mesh_with_a_turned_face_is_mended_and_told(void **state)
{
    char text[512];
    strcpy(text, box_obj);
    memcpy(strstr(text, "f 1 2 6 5"), "f 5 6 2 1", 9);
    write_text(*state, "mesh.obj", text);
    expect_message(*state, "{inertia: {mesh: mesh.obj, density: 800}}", BI_WARNING,
                   "2 triangles that ran against their neighbours were turned over");
    bi_body_def d = good_body(*state, "{inertia: {mesh: mesh.obj, density: 800}}");
    double m = 800 * 0.125, x = 0.25 / 12, y = 0.0625 / 12, z = 1.0 / 12;
    assert_body(&d, m, (bi_vec3){ 1.25, 2.125, 3.5 }, (double[6]){ m * (y + z), m * (z + x), m * (x + y) });
}

static void test_mesh_inside_out_is_a_warning(void **state)
{
    write_text(*state, "mesh.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    expect_message(*state, "{inertia: {mesh: mesh.obj, density: 600}}", BI_WARNING, "inside out");
    bi_body_def d = good_body(*state, "{inertia: {mesh: mesh.obj, density: 600}}");
    assert_near(d.mass, 100, 100);
    assert_near(d.inertia[0], 100 * 6.0 / 80, 10);
}

static void test_broken_mesh_files_are_told(void **state)
{
    write_text(*state, "mesh.obj", "v 0 0 0\nv 1 0\n");
    expect_message(*state, "{inertia: {mesh: mesh.obj, density: 1}}", BI_ERROR,
                   "three finite numbers must follow 'v'");
    write_text(*state, "mesh.obj", "v 0 0 0\nf 1 2 3\n");
    expect_message(*state, "{inertia: {mesh: mesh.obj, density: 1}}", BI_ERROR,
                   "the face names vertex 2, and there are 1 so far");
    write_text(*state, "mesh.obj", "nothing of interest\n");
    expect_message(*state, "{inertia: {mesh: mesh.obj, density: 1}}", BI_ERROR, "no triangles");
    write_text(*state, "mesh.stl", "PNG or so");
    expect_message(*state, "{inertia: {mesh: mesh.stl, density: 1}}", BI_ERROR, "is not an STL file");
    expect_message(*state, "{inertia: {mesh: none.stl, density: 1}}", BI_ERROR,
                   "none.stl cannot be read: No such file");
    expect_message(*state, "{inertia: {mesh: mesh.png, density: 1}}", BI_ERROR,
                   "a mesh is a file .obj or .stl");
}

// ---- parts -----------------------------------------------------------------------------------------------------

// A dumb-bell: two balls of radius r at +-L/2 and a thin rod between them.
static void test_parts_of_a_dumb_bell(void **state)
{
    bi_body_def d = good_body(
        *state, "{parts: [{sphere: 0.1, mass: 2, at: [0.5, 0, 1]}, {sphere: 0.1, mass: 2, at: [-0.5, 0, 1]}, "
                "{rod: [1, 0, 0], mass: 0.6, at: [0, 0, 1]}]}");
    double ball = 0.4 * 2 * 0.01, across = 2 * (ball + 2 * 0.25) + 0.6 / 12;
    assert_body(&d, 4.6, (bi_vec3){ 0, 0, 1 }, (double[6]){ 2 * ball, across, across });
}

// A box cut into two unequal parts, one of them with its axes renamed by a turn (x to z, y to x, z to y), is the box.
static void test_parts_of_a_cut_box_are_the_box(void **state)
{
    bi_body_def whole = good_body(*state, "{com: [0.5, 0, 0], inertia: {box: [1, 2, 3], density: 5}}");
    bi_body_def cut = good_body(*state, "{parts: [{box: [0.25, 2, 3], density: 5, at: [0.125, 0, 0]}, "
                                        "{box: [3, 0.75, 2], density: 5, at: [0.625, 0, 0], "
                                        "turn: {axis: [1, 1, 1], angle: -120 deg}}]}");
    assert_body(&cut, whole.mass, whole.com, whole.inertia);
}

// A box as a mesh, turned by an angle: R I R^T by hand for a turn about z.
static void test_turned_mesh_part_has_products_of_inertia(void **state)
{
    write_text(*state, "mesh.obj", box_obj);
    bi_body_def d =
        good_body(*state, "{parts: [{mesh: mesh.obj, mass: 12, turn: {z: 30 deg}, at: [1, 0, 0]}]}");
    double xx = 0.0625 + 1, yy = 1 + 0.25, zz = 0.25 + 0.0625, c = sqrt(0.75), s = 0.5;
    double inertia[6] = { c * c * xx + s * s * yy, s * s * xx + c * c * yy, zz, s * c * (xx - yy), 0, 0 };
    assert_body(&d, 12, (bi_vec3){ 1 + c * 1.25 - s * 2.125, s * 1.25 + c * 2.125, 3.5 }, inertia);
}

static void test_parts_besides_mass_are_an_error(void **state)
{
    expect_message(*state, "{mass: 1, parts: [{box: [1, 1, 1], density: 1}]}", BI_ERROR,
                   "follows from 'parts'");
    expect_message(*state, "{parts: [{box: [1, 1, 1]}]}", BI_ERROR, "needs 'density' or 'mass'");
    expect_message(*state, "{parts: [{box: [1, 1, 1], density: -1}]}", BI_ERROR, "must be positive");
    expect_message(*state, "{parts: []}", BI_ERROR, "is empty");
    expect_message(*state, "{parts: [{box: [1, 1, 1], scale: 2, density: 1}]}", BI_ERROR,
                   "is for a mesh only");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_mesh_of_a_box_has_the_inertia_of_the_box, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_mesh_scale_and_mass_are_used, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_mesh_of_a_tetrahedron_in_text_stl, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_binary_stl_far_from_the_origin_keeps_its_digits, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_open_mesh_names_an_open_edge, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_mesh_with_a_turned_face_is_mended_and_told, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_mesh_inside_out_is_a_warning, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_broken_mesh_files_are_told, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_parts_of_a_dumb_bell, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_parts_of_a_cut_box_are_the_box, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_turned_mesh_part_has_products_of_inertia, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_parts_besides_mass_are_an_error, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
