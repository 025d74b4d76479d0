// SPDX-License-Identifier: MIT
// OBJ and STL: what is read, what is told, and garbage.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/geom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    bi_mesh mesh;
    bi_mesh_repairs repairs;
    bi_report report;
    bool is_good;
} reading;

static reading read_bytes(const char *text, size_t length, const char *path, double scale)
{
    reading r = { 0 };
    r.is_good = bi_mesh_read_text(text, length, path, scale, (bi_place){ "m.yaml", 7, 3 }, "shapes.wheel",
                                  &r.mesh, &r.repairs, &r.report);
    assert_true(r.is_good == (r.report.errors == 0));
    return r;
}

static reading read_text(const char *text, const char *path, double scale)
{
    return read_bytes(text, strlen(text), path, scale);
}

static void clear(reading *r)
{
    bi_mesh_clear(&r->mesh);
    bi_report_clear(&r->report);
}

static bool does_say(const reading *r, int line, const char *part)
{
    for (int k = 0; k < r->report.count; k++) {
        if (r->report.issue[k].place.line == line && strstr(r->report.issue[k].what, part)) {
            return true;
        }
    }
    return false;
}

// A tetrahedron with legs of one along the axes, volume 1/6.
static const char TETRAHEDRON[] = "# four corners\nv 0 0 0\nv 1 0 0\nv 0 1 0 1.0\nv 0 0 1\nvn 0 0 1\n"
                                  "f 1 3 2\nf 1//1 2//1 4//1\nf 1/1/1 -1 -2\nf 2 3 4\n";

static void test_obj_is_read_with_its_unit(void **state)
{
    (void)state;
    reading r = read_text(TETRAHEDRON, "t.obj", 0.001);
    assert_true(r.is_good);
    assert_int_equal(r.mesh.n_vertex, 4);
    assert_int_equal(r.mesh.n_triangle, 4);
    assert_int_equal(r.repairs.open, 0);
    assert_true(fabs(r.repairs.volume - 1e-9 / 6.0) < 1e-24);
    assert_int_equal(r.report.count, 0);
    clear(&r);
}

static void test_obj_polygons_become_fans(void **state)
{
    (void)state;
    reading r = read_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", "s.OBJ", 0.0);
    assert_true(r.is_good);
    assert_int_equal(r.mesh.n_triangle, 2);
    assert_int_equal(r.repairs.open, 4);
    assert_true(does_say(&r, 0, "4 edges have one triangle only"));
    clear(&r);
}

static void test_obj_mistakes_are_all_told_with_their_lines(void **state)
{
    (void)state;
    reading r =
        read_text("v 0 0 0\nv 1 0 nan\nv 0 1\nv 0 0 1\nf 1 2 9\nf 1 2\nf a b c\nf 1 2 3\n", "t.obj", 1.0);
    assert_false(r.is_good);
    assert_int_equal(r.report.errors, 5);
    assert_true(does_say(&r, 2, "three finite numbers"));
    assert_true(does_say(&r, 3, "three finite numbers"));
    assert_true(does_say(&r, 5, "vertex 9, and there are 4"));
    assert_true(does_say(&r, 6, "three corners"));
    assert_true(does_say(&r, 7, "'a b c"));
    assert_string_equal(r.report.issue[0].place.file, "t.obj");
    assert_string_equal(r.report.issue[0].where, "shapes.wheel");
    assert_null(r.mesh.vertex);
    clear(&r);
}

static void test_inside_out_obj_is_turned_and_told(void **state)
{
    (void)state;
    reading r =
        read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 5 5\nv 0 0 0\nf 6 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n"
                  "f 1 1 2\n",
                  "t.obj", 1.0);
    assert_true(r.is_good);
    assert_int_equal(r.repairs.flipped, 1);
    assert_int_equal(r.repairs.welded, 1);
    assert_int_equal(r.repairs.unused, 1);
    assert_int_equal(r.repairs.degenerate, 1);
    assert_true(fabs(r.repairs.volume - 1.0 / 6.0) < 1e-15);
    assert_true(does_say(&r, 0, "1 shells that were inside out"));
    clear(&r);
}

static void test_wrong_unit_is_suspected(void **state)
{
    (void)state;
    reading r = read_text("v 0 0 0\nv 5000 0 0\nv 0 1000 0\nf 1 2 3\n", "t.obj", 1.0);
    assert_true(does_say(&r, 0, "is the unit right?"));
    clear(&r);
    r = read_text("v 0 0 0\nv 5000 0 0\nv 0 1000 0\nf 1 2 3\n", "t.obj", 0.001);
    assert_false(does_say(&r, 0, "is the unit right?"));
    clear(&r);
}

// The tetrahedron as text and as binary STL.
static size_t tetrahedron_stl(char *out, bool is_text)
{
    static const float corner[4][3][3] = { { { 0, 0, 0 }, { 0, 1, 0 }, { 1, 0, 0 } },
                                           { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },
                                           { { 0, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } },
                                           { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    char *to = out;
    if (is_text) {
        to += sprintf(to, "solid t\n");
        for (int k = 0; k < 4; k++) {
            to += sprintf(to, " facet normal 0 0 0\n  outer loop\n");
            for (int c = 0; c < 3; c++) {
                const float *p = corner[k][c];
                to += sprintf(to, "   vertex %g %g %g\n", (double)p[0], (double)p[1], (double)p[2]);
            }
            to += sprintf(to, "  endloop\n endfacet\n");
        }
        to += sprintf(to, "endsolid t\n");
        return (size_t)(to - out);
    }
    // "solid" in the header of a binary file misleads many readers
    memset(out, 0, 84 + 4 * 50);
    memcpy(out, "solid but binary", 16);
    out[80] = 4;
    for (int k = 0; k < 4; k++) {
        memcpy(out + 84 + 50 * k + 12, corner[k], 36);
    }
    return 84 + 4 * 50;
}

static void test_stl_text_and_binary_give_the_same_mesh(void **state)
{
    (void)state;
    char bytes[4096];
    for (int k = 0; k < 2; k++) {
        size_t size = tetrahedron_stl(bytes, k == 0);
        reading r = read_bytes(bytes, size, "t.stl", 2.0);
        assert_true(r.is_good);
        assert_int_equal(r.mesh.n_vertex, 4);
        assert_int_equal(r.mesh.n_triangle, 4);
        assert_int_equal(r.repairs.open, 0);
        assert_true(fabs(r.repairs.volume - 8.0 / 6.0) < 1e-14);
        assert_int_equal(r.report.count, 0);
        clear(&r);
    }
}

static void test_truncated_stl_is_told(void **state)
{
    (void)state;
    char bytes[4096];
    size_t size = tetrahedron_stl(bytes, false);
    reading r = read_bytes(bytes, size - 7, "t.stl", 1.0);
    assert_true(does_say(&r, 1, "4 triangles has 284 bytes, and this one 277"));
    clear(&r);
    tetrahedron_stl(bytes, true);
    *strstr(bytes, "endloop") = '\0';
    r = read_text(bytes, "t.stl", 1.0);
    assert_false(r.is_good);
    assert_true(does_say(&r, 7, "ends inside a facet"));
    clear(&r);
    // a coordinate that is not a number
    size = tetrahedron_stl(bytes, false);
    memset(bytes + 84 + 50 + 12, 0xff, 4);
    r = read_bytes(bytes, size, "t.stl", 1.0);
    assert_true(does_say(&r, 1, "triangle 2 is not a finite number"));
    clear(&r);
}

static void test_what_is_no_mesh_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *path, *part;
    } bad[] = { { "", "t.obj", "no triangles" },
                { "", "t.stl", "not an STL file" },
                { "hello", "t.stl", "not an STL file" },
                { "solid\nendsolid\n", "t.stl", "no triangles" },
                { "v 0 0 0\n", "t.obj", "no triangles" },
                { TETRAHEDRON, "t.ply", ".obj or .stl" },
                { "v 0 0 0\nf 1 1 1\n", "t.obj", "all 1 triangles" } };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        reading r = read_text(bad[k].text, bad[k].path, 1.0);
        assert_false(r.is_good);
        assert_non_null(strstr(r.report.issue[0].what, bad[k].part));
        clear(&r);
    }
    reading r = read_text(TETRAHEDRON, "t.obj", -1.0);
    assert_non_null(strstr(r.report.issue[0].what, "scale"));
    assert_int_equal(r.report.issue[0].place.line, 7);
    clear(&r);
    bi_mesh mesh;
    bi_mesh_repairs repairs;
    bi_report report = { 0 };
    assert_false(bi_mesh_read("no/such.obj", 1.0, (bi_place){ "m.yaml", 7, 3 }, "shapes.wheel", &mesh,
                              &repairs, &report));
    assert_non_null(strstr(report.issue[0].what, "no/such.obj cannot be read"));
    assert_int_equal(report.issue[0].place.line, 7);
    bi_report_clear(&report);
}

static uint64_t chance = 12345;

static unsigned roll(unsigned n)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((chance >> 33) % n);
}

static void test_broken_files_never_crash(void **state)
{
    (void)state;
    char bytes[4096];
    for (int round = 0; round < 3000; round++) {
        int kind = round % 3;
        size_t size = kind < 2 ? tetrahedron_stl(bytes, kind == 0) : sizeof TETRAHEDRON - 1;
        if (kind == 2) {
            memcpy(bytes, TETRAHEDRON, size);
        }
        for (unsigned k = roll(8); k > 0; k--) {
            static const char likely[] = "-0123456789.e/ \nfvn\0";
            bytes[roll((unsigned)size)] = roll(2) ? likely[roll(sizeof likely)] : (char)roll(256);
        }
        size -= roll(4) ? 0 : roll((unsigned)size);
        reading r = read_bytes(bytes, size, kind == 2 ? "x.obj" : "x.stl", 1.0);
        for (int i = 0; i < 3 * r.mesh.n_triangle; i++) {
            assert_in_range(r.mesh.triangle[i / 3][i % 3], 0, (uintmax_t)r.mesh.n_vertex - 1);
        }
        for (int i = 0; i < r.mesh.n_vertex; i++) {
            assert_true(isfinite(r.mesh.vertex[i].x + r.mesh.vertex[i].y + r.mesh.vertex[i].z));
        }
        clear(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj_is_read_with_its_unit),
        cmocka_unit_test(test_obj_polygons_become_fans),
        cmocka_unit_test(test_obj_mistakes_are_all_told_with_their_lines),
        cmocka_unit_test(test_inside_out_obj_is_turned_and_told),
        cmocka_unit_test(test_wrong_unit_is_suspected),
        cmocka_unit_test(test_stl_text_and_binary_give_the_same_mesh),
        cmocka_unit_test(test_truncated_stl_is_told),
        cmocka_unit_test(test_what_is_no_mesh_is_told),
        cmocka_unit_test(test_broken_files_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
