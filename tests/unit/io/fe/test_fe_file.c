// SPDX-License-Identifier: MIT
// Meshes of other programs: what is read, and what is said about what cannot be read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/fe_file.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bi_fe_units si = { 0 };

static bool read(const char *text, const char *path, bi_fe_file *out, bi_report *report)
{
    *report = (bi_report){ 0 };
    return bi_fe_file_read_text(text, strlen(text), path, si, out, report);
}

// The report must have an error in this line with these words.
static void expect(const bi_report *report, int line, const char *words)
{
    for (int k = 0; k < report->count; k++) {
        if (report->issue[k].place.line == line && strstr(report->issue[k].what, words)) {
            return;
        }
    }
    for (int k = 0; k < report->count; k++) {
        print_message("line %d: %s\n", report->issue[k].place.line, report->issue[k].what);
    }
    fail_msg("nothing in line %d about '%s'", line, words);
}

static void refuse(const char *text, const char *path, int line, const char *words)
{
    bi_report report;
    bi_fe_file file;
    assert_false(read(text, path, &file, &report));
    assert_true(report.errors > 0);
    assert_null(file.mesh.node);
    expect(&report, line, words);
    bi_report_clear(&report);
}

// ---- the same straight elements in every format: middles must lie in the middle of their edges ----------------------

static const int hex_edge[12][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 4, 5 }, { 5, 6 },
                                     { 6, 7 }, { 7, 4 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };
static const int tet_edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

static void check_middles(const bi_fe_mesh *mesh)
{
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        bool is_tet = e->kind == BI_FE_TET10;
        int corners = is_tet ? 4 : 8;
        for (int m = 0; m < (is_tet ? 6 : e->kind == BI_FE_HEX20 ? 12 : 0); m++) {
            const int *edge = is_tet ? tet_edge[m] : hex_edge[m];
            bi_vec3 a = mesh->node[e->node[edge[0]]].at;
            bi_vec3 b = mesh->node[e->node[edge[1]]].at;
            bi_vec3 c = mesh->node[e->node[corners + m]].at;
            // files of fixed fields have six digits
            assert_true(fabs(a.x + b.x - 2.0 * c.x) + fabs(a.y + b.y - 2.0 * c.y) +
                            fabs(a.z + b.z - 2.0 * c.z) <
                        1e-5);
        }
    }
}

// Volume by the corners of tetrahedra or boxes.
static double volume(const bi_fe_mesh *mesh)
{
    double sum = 0.0;
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        bool is_tet = e->kind == BI_FE_TET10;
        const int corner[4] = { 0, 1, is_tet ? 2 : 3, is_tet ? 3 : 4 };
        bi_vec3 o = mesh->node[e->node[corner[0]]].at;
        double d[3][3];
        for (int i = 0; i < 3; i++) {
            bi_vec3 p = mesh->node[e->node[corner[i + 1]]].at;
            d[i][0] = p.x - o.x;
            d[i][1] = p.y - o.y;
            d[i][2] = p.z - o.z;
        }
        double det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                     d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                     d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
        assert_true(det > 0.0);
        sum += is_tet ? det / 6.0 : det;
    }
    return sum;
}

static void test_meshes_written_by_gmsh_fill_their_beam(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bi_fe_kind kind;
        int n_element;
    } file[] = { { "tests/import/mesh/beam_hex20.msh", BI_FE_HEX20, 32 },
                 { "tests/import/mesh/beam_hex8.inp", BI_FE_HEX8, 32 },
                 { "tests/import/mesh/beam_tet10.msh", BI_FE_TET10, 0 },
                 { "tests/import/mesh/beam_tet10.bdf", BI_FE_TET10, 0 } };
    for (int f = 0; f < 4; f++) {
        bi_report report = { 0 };
        bi_fe_file mesh;
        if (!bi_fe_file_read(file[f].path, si, &mesh, &report)) {
            fail_msg("%s: %s", file[f].path, report.count ? report.issue[0].what : "");
        }
        assert_int_equal(mesh.mesh.element[0].kind, file[f].kind);
        assert_true(file[f].n_element == 0 || mesh.mesh.n_element == file[f].n_element);
        check_middles(&mesh.mesh);
        assert_true(fabs(volume(&mesh.mesh) / (1.0 * 0.05 * 0.08) - 1.0) < 1e-5);
        // the group `tip` is all nodes at x = 1
        const bi_fe_set *tip = bi_fe_node_set(&mesh, strstr(file[f].path, ".inp") ? "TIP" : "tip");
        int at_tip = 0;
        for (int i = 0; i < mesh.mesh.n_node; i++) {
            at_tip += fabs(mesh.mesh.node[i].at.x - 1.0) < 1e-9;
        }
        if (strstr(file[f].path, ".bdf") == NULL) {
            assert_non_null(tip);
            assert_int_equal(tip->count, at_tip);
        }
        bi_fe_file_clear(&mesh);
        bi_report_clear(&report);
    }
}

static const char two_tets[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
    "7 9 9 9\n5 1 1 1\n$EndNodes\n$Elements\n3\n1 15 2 7 1 4\n2 4 2 1 1 1 2 3 4\n"
    "3 4 2 1 1 2 3 4 5\n$EndElements\n";

static void test_tetrahedra_of_four_nodes_get_shared_middles(void **state)
{
    (void)state;
    bi_report report;
    bi_fe_file file;
    assert_true(read(two_tets, "a.msh", &file, &report));
    // 5 corners and 9 edges; node 7 is used by nobody
    assert_int_equal(file.mesh.n_node, 5 + 9);
    assert_int_equal(file.mesh.n_element, 2);
    check_middles(&file.mesh);
    expect(&report, 16, "too stiff");
    // the group of the point has one node, which gets its name
    assert_string_equal(file.mesh.node[3].name, "7");
    bi_fe_file_clear(&file);
    bi_report_clear(&report);
}

static const char msh41[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 5 \"tip\"\n3 1 \"part\"\n$EndPhysicalNames\n"
    "$Entities\n1 0 0 1\n1 0 0 1 1 5\n1 0 0 0 1 1 1 1 1 0\n$EndEntities\n"
    "$Nodes\n2 4 1 9\n0 1 0 1\n9\n0 0 1\n3 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"
    "$Elements\n2 2 1 2\n0 1 15 1\n1 9\n3 1 4 1\n2 1 2 3 9\n$EndElements\n";

static void test_gmsh_4_1_takes_groups_from_the_entities(void **state)
{
    (void)state;
    bi_report report;
    bi_fe_file file;
    assert_true(read(msh41, "a.msh", &file, &report));
    const bi_fe_set *tip = bi_fe_node_set(&file, "tip");
    assert_non_null(tip);
    assert_int_equal(tip->count, 1);
    assert_string_equal(file.mesh.node[tip->item[0]].name, "tip");
    assert_int_equal(file.mesh.node[tip->item[0]].number, 9);
    assert_int_equal(file.n_element_set, 1);
    assert_string_equal(file.element_set[0].name, "part");
    bi_fe_file_clear(&file);
    bi_report_clear(&report);
}

static const char inp[] =
    "*HEADING\nsomething\n** comment\n*NODE, NSET=ALL\n1, 0, 0, 0\n2, 1000, 0, 0\n3, 0, 1000, 0\n"
    "4, 0, 0, 1000\n5, 500, 0, 0\n6, 500, 500, 0\n7, 0, 500, 0\n8, 0, 0, 500\n9, 500, 0, 500\n"
    "10, 0, 500, 500\n*ELEMENT, TYPE=C3D10, ELSET=body\n1, 1, 2, 3, 4, 5, 6, 7,\n8, 9, 10\n"
    "*NSET, NSET=corners, GENERATE\n1, 4, 1\n*NSET, NSET=both\ncorners, 10,\n"
    "*ELEMENT, TYPE=B32, ELSET=spar\n7, 1, 5, 2\n*BEAM SECTION, ELSET=spar, MATERIAL=steel, SECTION=RECT\n"
    "20., 30.\n0, 0, 1\n*MATERIAL, NAME=Steel\n*ELASTIC\n2.1E5, 0.3\n*DENSITY\n7.85e-9\n"
    "*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*STEP\n*WHATEVER\n*END STEP\n";

static void test_inp_in_millimetres_becomes_si(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_fe_file file;
    bi_fe_units mm = { .length = 1e-3, .mass = 1e3 };
    assert_true(bi_fe_file_read_text(inp, strlen(inp), "a.inp", mm, &file, &report));
    assert_int_equal(report.count, 0);
    const bi_fe_mesh *mesh = &file.mesh;
    check_middles(mesh);
    assert_int_equal(mesh->n_element, 3);
    assert_true(fabs(mesh->material[0].young - 2.1e11) < 1.0);
    assert_true(fabs(mesh->material[0].density - 7850.0) < 1e-9);
    assert_true(fabs(mesh->node[1].at.x - 1.0) < 1e-15);
    // the beam of three nodes became two, both with section and direction
    for (int k = 1; k < 3; k++) {
        assert_int_equal(mesh->element[k].kind, BI_FE_TIMOSHENKO);
        assert_int_equal(mesh->element[k].section, 0);
        assert_int_equal(mesh->element[k].material, 0);
        assert_true(mesh->element[k].y_axis.z == 1.0);
    }
    assert_int_equal(mesh->element[1].node[1], mesh->element[2].node[0]);
    assert_true(fabs(mesh->section[0].area - 0.02 * 0.03) < 1e-15);
    const bi_fe_set *both = bi_fe_node_set(&file, "BOTH");
    assert_int_equal(both->count, 5);
    assert_int_equal(both->item[4], 9);
    assert_string_equal(mesh->node[0].place.file, "a.inp");
    assert_int_equal(mesh->node[0].place.line, 5);
    bi_fe_file_clear(&file);
    bi_report_clear(&report);
}

// The same bar in the three forms of fields.
static const char free_form[] = "SOL 101\nCEND\nBEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\n$ comment\n"
                                "CBAR,10,20,1,2,0.,0.,1.\n,,,0.,.01,0.,0.,.02,0.\nPBAR,20,30,1.5-3,2.-6,1.-6,"
                                "3.-6\nMAT1,30,2.1+11,,.3,7850.\nENDDATA\nrubbish\n";
static const char small_form[] =
    "GRID           1              0.      0.      0.\nGRID           2              1.      0.      0.\n"
    "CBAR          10      20       1       2      0.      0.      1.        +A\n"
    "+A                            0.     .01      0.      0.     .02      0.\n"
    "PBAR          20      30   1.5-3    2.-6    1.-6    3.-6\nMAT1          30  2.1+11              .3   "
    "7850.\n";
static const char large_form[] =
    "GRID*                  1                              0.              0.*A\n*A                    0.\n"
    "GRID*                  2                              1.              0.*B\n*B                    0.\n"
    "CBAR          10      20       1       2      0.      0.      1.        +A\n"
    "+A                            0.     .01      0.      0.     .02      0.\n"
    "PBAR          20      30   1.5-3    2.-6    1.-6    3.-6\n"
    "MAT1*                 30          2.1D11                              .3*C\n*C                 7850.\n";

static void test_nastran_fields_free_small_and_large_say_the_same(void **state)
{
    (void)state;
    const char *const form[] = { free_form, small_form, large_form };
    for (int f = 0; f < 3; f++) {
        bi_report report;
        bi_fe_file file;
        if (!read(form[f], "a.bdf", &file, &report)) {
            fail_msg("form %d line %d: %s", f, report.issue[0].place.line, report.issue[0].what);
        }
        const bi_fe_mesh *mesh = &file.mesh;
        assert_int_equal(mesh->n_node, 2);
        assert_int_equal(mesh->n_element, 1);
        assert_int_equal(mesh->element[0].kind, BI_FE_BEAM);
        assert_true(mesh->node[1].at.x == 1.0);
        assert_true(mesh->element[0].y_axis.z == 1.0);
        assert_true(mesh->element[0].offset[0].y == 0.01);
        assert_true(mesh->element[0].offset[1].y == 0.02);
        const bi_section *s = &mesh->section[mesh->element[0].section];
        assert_true(s->area == 1.5e-3 && s->iz == 2e-6 && s->iy == 1e-6 && s->torsion == 3e-6);
        const bi_material *m = &mesh->material[mesh->element[0].material];
        assert_true(m->young == 2.1e11 && m->poisson == 0.3 && m->density == 7850.0);
        bi_fe_file_clear(&file);
        bi_report_clear(&report);
    }
}

static void test_nastran_hexahedron_of_twenty_nodes_is_put_in_our_order(void **state)
{
    (void)state;
    // corners 1-8 of a unit cube, then the middles as Nastran numbers them: bottom, upright, top
    static const int theirs[12][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 0, 4 }, { 1, 5 },
                                       { 2, 6 }, { 3, 7 }, { 4, 5 }, { 5, 6 }, { 6, 7 }, { 7, 4 } };
    static const int corner[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                      { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
    char text[3000];
    int n = 0;
    for (int i = 0; i < 20; i++) {
        double x[3];
        for (int c = 0; c < 3; c++) {
            x[c] = i < 8 ? corner[i][c] : 0.5 * (corner[theirs[i - 8][0]][c] + corner[theirs[i - 8][1]][c]);
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "GRID,%d,,%g,%g,%g\n", i + 1, x[0], x[1], x[2]);
    }
    snprintf(
        text + n, sizeof text - (size_t)n,
        "CHEXA,1,1,1,2,3,4,5,6\n,7,8,9,10,11,12,13,14\n,15,16,17,18,19,20\nPSOLID,1,1\nMAT1,1,1.,,.3,1.\n");
    bi_report report;
    bi_fe_file file;
    assert_true(read(text, "a.nas", &file, &report));
    assert_int_equal(file.mesh.element[0].kind, BI_FE_HEX20);
    check_middles(&file.mesh);
    bi_fe_file_clear(&file);
    bi_report_clear(&report);
}

static void test_nastran_masses_and_rigid_elements_are_taken(void **state)
{
    (void)state;
    static const char text[] = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,2.,0.,0.\nGRID,4,,2.,1.,0.\n"
                               "CBAR,1,1,1,2,0.,1.,0.\nPBARL,1,1,,TUBE\n,.02,.018\nMAT1,1,2.+11,,.3,7800.\n"
                               "CONM2,5,3,,2.5\n,.1,.01,.2,.02,.03,.3\nRBE2,6,2,123456,3,4\n";
    bi_report report;
    bi_fe_file file;
    assert_true(read(text, "a.dat", &file, &report));
    assert_int_equal(file.mesh.n_element, 4);
    const bi_fe_element *mass = &file.mesh.element[1];
    assert_int_equal(mass->kind, BI_FE_MASS);
    assert_true(mass->mass == 2.5 && mass->inertia[0] == 0.1 && mass->inertia[1] == 0.2 &&
                mass->inertia[2] == 0.3);
    assert_true(mass->inertia[3] == -0.01 && mass->inertia[4] == -0.03 && mass->inertia[5] == -0.02);
    assert_int_equal(file.mesh.element[3].kind, BI_FE_LINK);
    assert_int_equal(file.mesh.element[3].node[1], 3);
    double area = 3.14159265358979 * (4e-4 - 3.24e-4);
    assert_true(fabs(file.mesh.section[0].area / area - 1.0) < 1e-12);
    bi_fe_file_clear(&file);
    bi_report_clear(&report);
}

// Two shells of 2 mm in a corner, a quadrilateral and a triangle, in both formats that know thickness; units mm.
static const char shells_inp[] =
    "*NODE\n1,0,0,0\n2,100,0,0\n3,100,50,0\n4,0,50,0\n5,100,0,40\n*ELEMENT,TYPE=S4R,ELSET=SHEET\n7,1,2,3,4\n"
    "*ELEMENT,TYPE=S3,ELSET=SHEET\n8,2,5,3\n*MATERIAL,NAME=STEEL\n*ELASTIC\n210000,0.3\n*DENSITY\n7.85E-9\n"
    "*SHELL SECTION,ELSET=SHEET,MATERIAL=STEEL\n2.\n";
static const char shells_bdf[] =
    "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,100.,0.,0.\nGRID,3,,100.,50.,0.\nGRID,4,,0.,50.,0.\n"
    "GRID,5,,100.,0.,40.\nCQUAD4,7,1,1,2,3,4\nCTRIA3,8,1,2,5,3,30.\nPSHELL,1,1,2.,1\n"
    "MAT1,1,210000.,,0.3,7.85-9\nENDDATA\n";

static void test_shells_have_the_thickness_of_their_section(void **state)
{
    (void)state;
    static const char *const text[] = { shells_inp, shells_bdf }, *const path[] = { "a.inp", "a.bdf" };
    for (int k = 0; k < 2; k++) {
        bi_report report = { 0 };
        bi_fe_file file;
        bool is_good = bi_fe_file_read_text(text[k], strlen(text[k]), path[k], (bi_fe_units){ 1e-3, 1e3 },
                                            &file, &report);
        if (!is_good) {
            fail_msg("%s: %s", path[k], report.issue[0].what);
        }
        const bi_fe_element *e = file.mesh.element;
        assert_int_equal(file.mesh.n_element, 2);
        assert_int_equal(e[0].kind, BI_FE_SHELL4);
        assert_int_equal(e[1].kind, BI_FE_SHELL3);
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(file.mesh.section[e[i].section].thickness - 2e-3) < 1e-15);
            assert_true(fabs(file.mesh.material[e[i].material].density - 7850.0) < 1e-9);
        }
        assert_true(fabs(file.mesh.node[e[1].node[1]].at.z - 0.04) < 1e-15);
        bi_fe_file_clear(&file);
        bi_report_clear(&report);
    }
}

static void test_bad_gmsh_files_are_refused_by_line(void **state)
{
    (void)state;
    refuse("$MeshFormat\n2.2 1 8\n", "a.msh", 2, "byte 20: 1 binary number of 4 bytes should follow");
    refuse("$MeshFormat\n4.1 1 4\n", "a.msh", 2, "numbers of 4 bytes");
    refuse("$MeshFormat\n2.2 1 8\nhello\n", "a.msh", 2, "byte 20: the number 1 should stand here");
    refuse("$MeshFormat\n3 0 8\n", "a.msh", 2, "version 3");
    refuse("$MeshFormat\nx\n", "a.msh", 2, "needs a version");
    refuse("hello\n", "a.msh", 1, "no Gmsh mesh");
    refuse("$Nodes\n1\n", "a.msh", 1, "start with $MeshFormat");
    refuse("", "a.msh", 1, "no Gmsh mesh");
    refuse("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n$EndNodes\n", "a.msh", 7,
           "a node should follow");
    refuse("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 zero 0\n$EndNodes\n", "a.msh", 6,
           "three coordinates");
    refuse("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 13 0 1 2 3 4 5 6\n", "a.msh", 6,
           "prisms of 18 nodes");
    refuse("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 99 0 1 2 3\n", "a.msh", 6, "type 99");
    refuse("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 11 0 1 2 3 4 5 6\n", "a.msh", 6,
           "has 6 nodes, and tetrahedra of 10 nodes have 10");
    refuse(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n5 4 0 1 2 3 4\n",
        "a.msh", 10, "names node 2, which the file does not have");
    refuse("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n$Elements\n1\n5 1 "
           "0 1 1\n",
           "a.msh", 7, "there twice, first in line 6");
}

static void test_bad_inp_files_are_refused_by_line(void **state)
{
    (void)state;
    refuse("*NODE\n1, 0, 0, 0\n*EQUATION\n2\n", "a.inp", 3, "*EQUATION is not supported");
    refuse("*NODE\n1, 0\n*ELEMENT, TYPE=M3D4, ELSET=a\n1, 1, 1, 1, 1\n", "a.inp", 3,
           "TYPE=M3D4 is not supported");
    refuse("*ELEMENT, TYPE=C3D10\n1, 1, 2, 3, 4\n", "a.inp", 2, "mid-side nodes missing");
    refuse("*NODE\none, 0\n", "a.inp", 2, "a node is");
    refuse("*NODE\n1, nan, 0, 0\n", "a.inp", 2, "a node is");
    refuse("*ELASTIC\n1, 2\n", "a.inp", 1, "outside of a *MATERIAL");
    refuse("*MATERIAL, NAME=A\n*ELASTIC, TYPE=ORTHO\n1, 2\n", "a.inp", 2, "only isotropic");
    refuse("*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=B31,ELSET=E\n1,1,2\n*SOLID SECTION,ELSET=F,MATERIAL=M\n",
           "a.inp", 6, "no set of elements 'F'");
    refuse("*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=B31,ELSET=E\n1,1,2\n*SOLID SECTION,ELSET=E,MATERIAL=M\n",
           "a.inp", 6, "no material 'M'");
    refuse("*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=I\n1, 2\n", "a.inp", 1, "SECTION=I is not supported");
    refuse("1, 2, 3\n", "a.inp", 1, "before the first keyword");
    refuse("*NSET, NSET=A\nB\n", "a.inp", 2, "no set 'B'");
    refuse("*NSET, NSET=A, GENERATE\n5, 1, 1\n", "a.inp", 2, "GENERATE");
    refuse("*NODE\n1,0,0,0\n2,1,0,0\n", "a.inp", 1, "no elements");
}

static void test_bad_nastran_files_are_refused_by_line(void **state)
{
    (void)state;
    refuse("BEGIN BULK\nCQUAD8,1,1,1,2,3,4,5,6,7,8\n", "a.bdf", 2, "CQUAD8 is not supported");
    refuse("BEGIN BULK\nCQUAD4,1,1,1,2,3\n", "a.bdf", 2, "node 4 of 4 is missing");
    refuse("PSHELL,1,1\n", "a.bdf", 1, "its thickness must be positive");
    refuse("GRID,1,,0.,x,0.\n", "a.bdf", 1, "is no number");
    refuse("GRID,1,4,0.,0.,0.\n", "a.bdf", 1, "coordinate systems are not supported");
    refuse("CTETRA,1,1,1,2,3,4,5,6\n,7,,9,10\n", "a.bdf", 1, "give all mid-side nodes");
    refuse("CTETRA,1,1,1,2,3\n", "a.bdf", 1, "node 4 of 4 is missing");
    refuse("GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBAR,1,7,1,2,0.,1.,0.\nPSOLID,8,1\n", "a.bdf", 3,
           "no property 7");
    refuse("GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCBAR,1,7,1,2,0.,1.,0.\nPBAR,7,8,1.\n", "a.bdf", 4,
           "no material MAT1 8");
    refuse("+,1,2\n", "a.bdf", 1, "continuation without a card");
    refuse("RBE2,1,2,12,3\n", "a.bdf", 1, "only 123456");
}

static void test_bytes_and_unknown_endings_are_refused(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_fe_file file;
    static const char bytes[] = "\x7f"
                                "ELF\0\1\2\3";
    assert_false(bi_fe_file_read_text(bytes, sizeof bytes, "a.inp", si, &file, &report));
    expect(&report, 1, "binary file");
    bi_report_clear(&report);
    refuse("x", "part.step", 1, "unknown ending");
    assert_false(bi_fe_file_read("tests/no-such-file.msh", si, &file, &report));
    assert_non_null(strstr(report.issue[0].what, "cannot read the mesh file"));
    bi_report_clear(&report);
}

static void test_many_mistakes_are_told_in_one_run_but_not_all(void **state)
{
    (void)state;
    char text[4000] = "*NODE\n";
    for (int k = 0; k < 100; k++) {
        strcat(text, "x, 1, 2, 3\n");
    }
    bi_report report;
    bi_fe_file file;
    assert_false(read(text, "a.inp", &file, &report));
    assert_int_equal(report.errors, 20);
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes_written_by_gmsh_fill_their_beam),
        cmocka_unit_test(test_tetrahedra_of_four_nodes_get_shared_middles),
        cmocka_unit_test(test_gmsh_4_1_takes_groups_from_the_entities),
        cmocka_unit_test(test_inp_in_millimetres_becomes_si),
        cmocka_unit_test(test_nastran_fields_free_small_and_large_say_the_same),
        cmocka_unit_test(test_nastran_hexahedron_of_twenty_nodes_is_put_in_our_order),
        cmocka_unit_test(test_nastran_masses_and_rigid_elements_are_taken),
        cmocka_unit_test(test_shells_have_the_thickness_of_their_section),
        cmocka_unit_test(test_bad_gmsh_files_are_refused_by_line),
        cmocka_unit_test(test_bad_inp_files_are_refused_by_line),
        cmocka_unit_test(test_bad_nastran_files_are_refused_by_line),
        cmocka_unit_test(test_bytes_and_unknown_endings_are_refused),
        cmocka_unit_test(test_many_mistakes_are_told_in_one_run_but_not_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
