// SPDX-License-Identifier: MIT
// OpenCRG files: places on them as ASAM's library finds them, smooth ones at their nodes, and broken ones by file and line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "curve.crg", "gaps.crg", "loop.crg", "straight.crg" };

static char *whole(const char *name, size_t *length)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/roads/%s", BI_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

static bi_road *read_road(const char *name, bool is_smooth)
{
    char path[512];
    bi_report report = { 0 };
    snprintf(path, sizeof path, "%s/tests/roads/%s", BI_SOURCE_DIR, name);
    bi_road *road = bi_road_read(path, NULL, is_smooth, (bi_place){ 0 }, NULL, &report);
    assert_int_equal(report.errors, 0);
    assert_non_null(road);
    bi_report_clear(&report);
    return road;
}

// The largest differences of station, distance and height over a table; its rows count the places.
static int compare(FILE *table, const char *name, double worst[3])
{
    bi_road *road = read_road(name, false);
    char row[300], file[100];
    int count = 0;
    rewind(table);
    while (fgets(row, sizeof row, table)) {
        double x, y, u, v, z;
        if (sscanf(row, "%99[^,],%lf,%lf,%lf,%lf,%lf", file, &x, &y, &u, &v, &z) != 6 ||
            strcmp(file, name) != 0) {
            continue;
        }
        bi_road_point p;
        assert_true(isfinite(z) && bi_road_at(road, x, y, &p));
        worst[0] = fmax(worst[0], fabs(p.u - u));
        worst[1] = fmax(worst[1], fabs(p.v - v));
        worst[2] = fmax(worst[2], fabs(p.z - z));
        count++;
    }
    bi_road_release(road);
    return count;
}

static void test_places_are_those_of_the_library_of_asam(void **state)
{
    (void)state;
    FILE *table = fopen(BI_SOURCE_DIR "/tests/roads/asam.csv", "r");
    double worst[3] = { 0.0 };
    assert_non_null(table);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(compare(table, names[k], worst), 150);
    }
    fclose(table);
    printf("measured crg stations error=%.2g limit=1e-9\nmeasured crg distances error=%.2g limit=1e-9\n"
           "measured crg heights error=%.2g limit=1e-9\n",
           worst[0], worst[1], worst[2]);
    assert_true(worst[0] < 1e-9 && worst[1] < 1e-9 && worst[2] < 1e-9);
}

// A smooth road goes through the nodes, and its normal does not jump where the other's does.
static void test_a_smooth_road_goes_through_the_same_nodes(void **state)
{
    (void)state;
    bi_road *smooth = read_road("curve.crg", true), *straight = read_road("curve.crg", false);
    static const double v[] = { -3.5, -2.0, -1.25, 0.0, 0.5, 1.75, 3.5 };
    double worst = 0.0, jump = 0.0, edge = 0.0;
    for (int i = 1; i < 80; i++) {
        for (int j = 0; j < 7; j++) {
            double u = 100.0 + 0.5 * i;
            bi_vec3 a = bi_road_place(smooth, u, v[j]), b = bi_road_place(straight, u, v[j]);
            // on the reference line both are the same points; beside it their normals differ a little
            worst = fmax(worst, fabs(a.z - b.z));
            bi_vec3 before = bi_road_place(smooth, u - 1e-7, 0.1),
                    after = bi_road_place(smooth, u + 1e-7, 0.1);
            bi_road_point p, q;
            assert_true(bi_road_at(smooth, before.x, before.y, &p) &&
                        bi_road_at(smooth, after.x, after.y, &q));
            jump = fmax(jump, fabs(p.normal.x - q.normal.x) + fabs(p.normal.y - q.normal.y));
            before = bi_road_place(straight, u - 1e-7, 0.1);
            after = bi_road_place(straight, u + 1e-7, 0.1);
            assert_true(bi_road_at(straight, before.x, before.y, &p) &&
                        bi_road_at(straight, after.x, after.y, &q));
            edge = fmax(edge, fabs(p.normal.x - q.normal.x) + fabs(p.normal.y - q.normal.y));
        }
    }
    bi_road_release(smooth);
    bi_road_release(straight);
    assert_true(worst < 1e-12);
    assert_true(jump < 2e-5); // curvature of 0.2 m waves times 2e-7 m
    assert_true(edge > 0.1);
}

// ---- broken files -----------------------------------------------------------------------------------------------

static void expect_told(const char *text, size_t length, const char *what, int line)
{
    bi_report report = { 0 };
    bi_road *road = bi_road_read_text(text, length, "bad.crg", NULL, false, &report);
    bool is_told = false;
    assert_null(road);
    assert_true(report.errors > 0);
    for (int k = 0; k < report.count; k++) {
        const bi_issue *i = &report.issue[k];
        assert_string_equal(i->place.file, "bad.crg");
        assert_true(i->place.line > 0);
        is_told = is_told || (strstr(i->what, what) && (line == 0 || i->place.line == line));
    }
    if (!is_told) {
        bi_report_print(&report, stderr);
        fail_msg("nobody said '%s' in line %d", what, line);
    }
    bi_report_clear(&report);
}

static const char head[] =
    "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 1\nLONG_SECTION_V_INCREMENT = 1\n$\n$KD_DEFINITION\n#:LRFI\n";
static const char sections[] = "D:long section 1,m\nD:long section 2,m\n$\n$$$$\n";
static const char rows[] = " 0.0000000 0.0000000\n 0.0000000 0.1000000\n";

static void expect(const char *const part[4], const char *what, int line)
{
    char text[2000];
    int n = snprintf(text, sizeof text, "%s%s%s%s", part[0], part[1], part[2], part[3]);
    expect_told(text, (size_t)n, what, line);
}

static void test_mistakes_are_told_with_file_and_line(void **state)
{
    (void)state;
    expect((const char *const[]){ "", "nothing here\n", "", "" }, "this is no OpenCRG file", 1);
    expect((const char *const[]){ "$ROAD_CRG\n$\n$KD_DEFINITION\n#:LRFI\n", sections, rows, "" },
           "REFERENCE_LINE_INCREMENT is missing", 0);
    expect((const char *const[]){ "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = one\n", head, sections, rows },
           "is not a finite number", 2);
    expect((const char *const[]){ "$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 2\n", head, sections, rows },
           "for the second time (line 2)", 4);
    expect((const char *const[]){ head, "D:reference line phi,deg\n", sections, rows }, "is in rad here", 7);
    expect((const char *const[]){ head, "D:colour,m\n", sections, rows }, "is none of", 7);
    expect((const char *const[]){ head, "D:long section at v = 3,m\n", sections, rows },
           "all must have the same", 0);
    expect((const char *const[]){ head, "D:long section 4,m\n", sections, rows }, "without a gap", 7);
    expect((const char *const[]){ head, sections, " 0.0000000\n", "" }, "the row has 1 columns", 11);
    expect((const char *const[]){ head, sections, " 0.0000000    height\n", "" }, "is no number", 11);
    expect((const char *const[]){ head, sections, " 0.0000000 0.0000000\n", "" }, "has 1 row", 0);
    expect((const char *const[]){ head, sections, " *missing* *missing*\n", rows }, "the road has a gap", 0);
    expect((const char *const[]){ head, "D:reference line slope,m/m\n", sections,
                                  " 0.0000000 0.0000000 0.0000000\n *missing* 0.0000000 0.1000000\n" },
           "row 2 of this column is missing", 7);
    expect((const char *const[]){ "$ROAD_CRG_OPTS\nBORDER_MODE_U = 7\n$\n", head, sections, rows },
           "is 0, 1, 2, 3 or 4", 2);
    expect((const char *const[]){ "$ROAD_CRG_MODS\nSCALE_LENGTH = 2\n$\n", head, sections, rows },
           "is not done here", 2);
    expect((const char *const[]){ "$ROAD_CRG_FILE\nother.crg\n$\n", head, sections, rows },
           "files that name others", 2);
    expect((const char *const[]){ "$ROAD_CRG\nREFERENCE_LINE_END_U = 9\n", head + 10, sections, rows },
           "promises 10 rows, and the file has 2", 2);
    // a heading in degrees sends the line elsewhere than its end
    expect(
        (const char *const[]){ "$ROAD_CRG\nREFERENCE_LINE_END_X = 1000\nREFERENCE_LINE_END_Y = 0\n",
                               head + 10,
                               "D:reference line phi,rad\nD:long section 1,m\nD:long section 2,m\n$\n$$$$\n",
                               "45.0000000 0.0000000 0.0000000\n45.0000000 0.0000000 0.0000000\n" },
        "do not fit", 2);
}

// Any part of a file and any changed byte of it: a road or a mistake, never a crash.
static void test_damaged_files_are_survived(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        size_t length;
        char *text = whole(names[k], &length);
        unsigned seed = 7;
        for (int n = 0; n < 150; n++) {
            bi_report report = { 0 };
            seed = seed * 1103515245u + 12345u;
            size_t at = (seed >> 8) % length;
            char was = text[at];
            text[at] = (char)(seed >> 24);
            bi_road_release(bi_road_read_text(text, n % 2 ? at : length, "x.crg", NULL, n % 3 > 0, &report));
            text[at] = was;
            bi_report_clear(&report);
        }
        free(text);
    }
    size_t length;
    char *text = whole("loop.crg", &length);
    expect_told(text, length - 400, "the data end too soon: 120 rows", 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_are_those_of_the_library_of_asam),
        cmocka_unit_test(test_a_smooth_road_goes_through_the_same_nodes),
        cmocka_unit_test(test_mistakes_are_told_with_file_and_line),
        cmocka_unit_test(test_damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
