// SPDX-License-Identifier: MIT
// OpenDRIVE: places against Fresnel integrals and quadrature of 30 digits (tests/roads/make_xodr.py), heights across, and
// broken files by file and line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bi_road *street(void)
{
    bi_report report = { 0 };
    bi_road *road =
        bi_road_read(BI_SOURCE_DIR "/tests/roads/street.xodr", NULL, true, (bi_place){ 0 }, NULL, &report);
    bi_report_print(&report, stderr);
    assert_int_equal(report.count, 0);
    assert_non_null(road);
    return road;
}

static void test_places_and_heights_are_those_of_thirty_digits(void **state)
{
    (void)state;
    bi_road *road = street();
    FILE *table = fopen(BI_SOURCE_DIR "/tests/roads/street.csv", "r");
    char row[300], kind[40], last[40] = "";
    double place = 0.0, height = 0.0, station = 0.0;
    int count = 0;
    assert_non_null(table);
    while (fgets(row, sizeof row, table)) {
        double s, t, x, y, z;
        if (sscanf(row, "%39[^,],%lf,%lf,%lf,%lf,%lf", kind, &s, &t, &x, &y, &z) != 6) {
            continue;
        }
        if (count > 0 && strcmp(kind, last) != 0) {
            printf("measured opendrive %s places error=%.2g limit=1e-9\n", last, place);
        }
        strcpy(last, kind);
        bi_road_point p;
        assert_true(bi_road_at(road, x, y, &p));
        // v is measured in the plane: t is found again as its height says
        bi_vec3 again = bi_road_place(road, s, p.v);
        place = fmax(place, hypot(again.x - x, again.y - y));
        station = fmax(station, fabs(p.u - s));
        height = fmax(height, fabs(p.z - z));
        count++;
    }
    fclose(table);
    printf("measured opendrive %s places error=%.2g limit=1e-9\nmeasured opendrive stations error=%.2g "
           "limit=1e-9\n"
           "measured opendrive heights error=%.2g limit=1e-9\n",
           last, place, station, height);
    assert_int_equal(count, 147);
    assert_true(place < 1e-9 && height < 1e-9 && station < 1e-9);
    bi_road_release(road);
}

static void test_sides_are_the_sums_of_the_lanes(void **state)
{
    (void)state;
    bi_road *road = street();
    for (double s = 0.0; s < 19.0; s += 1.7) {
        // the road is not tilted yet
        double side[2], width = 3.0 + 0.0003 * s * s - 0.000001 * s * s * s, offset = 0.25 + 0.01 * s;
        bi_road_sides(road, s, side);
        assert_true(fabs(side[0] - (offset - width)) < 1e-12 &&
                    fabs(side[1] - (offset + 2.0 * width)) < 1e-12);
        bi_vec3 beside = bi_road_place(road, s, side[1] + 0.01);
        assert_true(isnan(beside.z));
    }
    bi_road_release(road);
}

// ---- roads written here -----------------------------------------------------------------------------------------

static const char begin[] = "<?xml version=\"1.0\"?>\n<OpenDRIVE>\n<road id=\"1\" length=\"50\">\n";
static const char plan[] =
    "<planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"50\"><line/></geometry></planView>\n";
static const char lanes[] =
    "<lanes><laneSection s=\"0\"><left><lane id=\"1\"><width sOffset=\"0\" a=\"3\" b=\"0\" c=\"0\" "
    "d=\"0\"/></lane></left>"
    "<right><lane id=\"-1\"><width sOffset=\"0\" a=\"3\" b=\"0\" c=\"0\" d=\"0\"/>"
    "</lane><lane id=\"-2\"><width sOffset=\"0\" a=\"1\" b=\"0\" c=\"0\" d=\"0\"/><height sOffset=\"0\" "
    "inner=\"0.12\" outer=\"0.12\"/></lane></right></laneSection></lanes>\n";
static const char end[] = "</road>\n</OpenDRIVE>\n";

static bi_road *read_parts(const char *const part[4], bi_report *report)
{
    char text[4000];
    int n = snprintf(text, sizeof text, "%s%s%s%s%s", begin, part[0], part[1], part[2], end);
    assert_true(n > 0 && (size_t)n < sizeof text);
    return bi_road_read_text(text, (size_t)n, "bad.xodr", part[3], true, report);
}

static void test_crossfall_shapes_and_pavements_are_heights_across(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_road *road = read_parts(
        (const char *const[]){
            plan,
            "<lateralProfile><crossfall side=\"right\" s=\"0\" a=\"0.02\" b=\"0\" c=\"0\" d=\"0\"/>"
            "<shape s=\"0\" t=\"-4\" a=\"0\" b=\"0\" c=\"0\" d=\"0\"/><shape s=\"0\" t=\"1\" a=\"0\" "
            "b=\"0.05\" c=\"0\" d=\"0\"/>"
            "</lateralProfile>\n",
            lanes, NULL },
        &report);
    assert_int_equal(report.errors, 0);
    assert_non_null(road);
    // away from the corners, which are rounded over a node of 0.25 m
    assert_true(fabs(bi_road_place(road, 20.0, -2.0).z + 2.0 * tan(0.02)) < 1e-12);
    assert_true(fabs(bi_road_place(road, 20.0, -3.6).z - 0.12 + 3.6 * tan(0.02)) < 1e-9);
    assert_true(fabs(bi_road_place(road, 20.0, 2.5).z - 0.05 * 1.5) < 1e-12);
    assert_true(fabs(bi_road_place(road, 20.0, 0.5).z) < 1e-12);
    bi_road_release(road);
    bi_report_clear(&report);
}

static void expect(const char *first, const char *second, const char *third, const char *name,
                   const char *what, int line)
{
    bi_report report = { 0 };
    bi_road *road = read_parts((const char *const[]){ first, second, third, name }, &report);
    bool is_told = false;
    for (int k = 0; k < report.count; k++) {
        const bi_issue *i = &report.issue[k];
        assert_string_equal(i->place.file, "bad.xodr");
        is_told = is_told || (strstr(i->what, what) && (line == 0 || i->place.line == line));
    }
    if (road || !is_told) {
        bi_report_print(&report, stderr);
        fail_msg("nobody said '%s' in line %d", what, line);
    }
    bi_report_clear(&report);
}

static void test_mistakes_are_told_with_file_and_line(void **state)
{
    (void)state;
    expect("", "", lanes, NULL, "has no planView", 3);
    expect(plan, "", "", NULL, "has no lanes", 3);
    expect(plan, "", lanes, "9", "no road '9'; there are 1", 2);
    expect(
        "<planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"-5\"><line/></geometry></planView>",
        "", lanes, NULL, "must be above 0", 4);
    expect(
        "<planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"5\"><circle/></geometry></planView>",
        "", lanes, NULL, "needs one of line", 4);
    expect(
        "<planView><geometry s=\"0\" x=\"0\" y=\"zero\" hdg=\"0\" length=\"5\"><line/></geometry></planView>",
        "", lanes, NULL, "'zero' is no number", 4);
    expect("<planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"5\"><line/></geometry>\n"
           "<geometry s=\"9\" x=\"9\" y=\"0\" hdg=\"0\" length=\"5\"><line/></geometry></planView>",
           "", lanes, NULL, "the road has a gap", 5);
    expect("<planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"5\"><line/></geometry>\n"
           "<geometry s=\"5\" x=\"5\" y=\"1\" hdg=\"0\" length=\"5\"><line/></geometry></planView>",
           "", lanes, NULL, "beside the end of the one before", 5);
    expect("<planView><geometry s=\"0\" x=\"0\" y=\"0\" hdg=\"0\" length=\"5\"><line/></geometry>\n"
           "<geometry s=\"5\" x=\"5\" y=\"0\" hdg=\"57\" length=\"5\"><line/></geometry></planView>",
           "", lanes, NULL, "the road has a corner", 5);
    expect(plan,
           "<elevationProfile><elevation s=\"0\" a=\"0\" b=\"0\" c=\"0\" d=\"0\"/>\n<elevation s=\"9\" "
           "a=\"2\" b=\"0\" c=\"0\" d=\"0\"/></elevationProfile>",
           lanes, NULL, "jumps by 2", 6);
    expect(plan, "<elevationProfile><elevation s=\"0\" a=\"0\" b=\"0\" c=\"0\"/></elevationProfile>", lanes,
           NULL, "needs 'd'", 5);
    expect(plan, "",
           "<lanes><laneSection s=\"0\"><left><lane id=\"2\"><width sOffset=\"0\" a=\"3\" b=\"0\" c=\"0\" "
           "d=\"0\"/></lane></left></laneSection></lanes>",
           NULL, "lane 1 is missing", 5);
    expect(plan, "", "<lanes><laneSection s=\"0\"><left><lane id=\"1\"/></left></laneSection></lanes>", NULL,
           "needs a width", 5);
    expect(plan, "<broken", lanes, NULL, "", 0);
}

static void test_damaged_files_are_survived(void **state)
{
    (void)state;
    static char text[1 << 15];
    FILE *file = fopen(BI_SOURCE_DIR "/tests/roads/street.xodr", "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text, file);
    unsigned seed = 3;
    fclose(file);
    for (int n = 0; n < 300; n++) {
        bi_report report = { 0 };
        seed = seed * 1103515245u + 12345u;
        size_t at = (seed >> 8) % length;
        char was = text[at];
        text[at] = n % 3 ? (char)('0' + (seed >> 24) % 10) : (char)(seed >> 24);
        bi_road_release(bi_road_read_text(text, n % 5 ? length : at, "x.xodr", NULL, true, &report));
        text[at] = was;
        bi_report_clear(&report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_and_heights_are_those_of_thirty_digits),
        cmocka_unit_test(test_sides_are_the_sums_of_the_lanes),
        cmocka_unit_test(test_crossfall_shapes_and_pavements_are_heights_across),
        cmocka_unit_test(test_mistakes_are_told_with_file_and_line),
        cmocka_unit_test(test_damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
