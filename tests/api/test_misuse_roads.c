// SPDX-License-Identifier: MIT
// Roads asked for what makes no sense.
#include "api/misuse_things.h"
#include <biela/io.h>
#include <math.h>

static const double u[2] = { 0, 1 }, back[2] = { 1, 0 }, none[2] = { 0, NAN };
static const double line[2][6] = { { 0 }, { 1 } }, point[2][6] = { { 0 } }, lost[2][6] = { { 0 }, { NAN } };

static bi_road_def road_of(const double (*way)[6])
{
    return (bi_road_def){ .n_u = 2, .n_v = 2, .u = u, .line = way, .v = u };
}

static void misuse_making(misuse *w)
{
    if (misuse_of(w, "bi_road_create")) {
        const char *why = NULL;
        EXPECT(w, !bi_road_create(NULL, &why) && why);
        EXPECT(w, !bi_road_create(&(bi_road_def){ 0 }, &why) && why);
        const double(*const ways[])[6] = { point, lost, NULL };
        for (int k = 0; k < 3; k++) {
            bi_road_def d = road_of(ways[k]);
            EXPECT(w, !bi_road_create(&d, NULL));
        }
        bi_road_def d[8];
        for (int k = 0; k < 8; k++) {
            d[k] = road_of(line);
        }
        d[0].n_u = -1;
        d[1].n_v = 1 << 30;
        d[2].u = back;
        d[3].v = none;
        d[4].z = none;
        d[5].border[1] = (bi_road_border)9;
        d[6].offset[0] = INFINITY;
        d[7].is_smooth = d[7].has_derivatives = true;
        for (int k = 0; k < 8; k++) {
            EXPECT(w, !bi_road_create(&d[k], &why) && why);
        }
    }
    if (misuse_of(w, "bi_road_random")) {
        const bi_road_random_def bad[] = { { 0 },
                                           { .roughness = -1, .length = 1, .width = 1 },
                                           { .roughness = NAN, .length = 1, .width = 1 },
                                           { .length = INFINITY, .width = 1 },
                                           { .length = 1, .width = 1, .spacing = 1 },
                                           { .length = 1, .width = 1, .incoherence = NAN },
                                           { .length = 1e9, .width = 1 } };
        EXPECT(w, !bi_road_random(NULL, NULL));
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            const char *why = NULL;
            EXPECT(w, !bi_road_random(&bad[k], &why) && why);
        }
    }
    if (misuse_of(w, "bi_road_roughness")) {
        EXPECT(w,
               bi_road_roughness('I') == 0.0 && bi_road_roughness('a') == 0.0 && bi_road_roughness(0) == 0.0);
    }
    if (misuse_of(w, "bi_road_read")) {
        bi_report report = { 0 };
        EXPECT(w, !bi_road_read(NULL, NULL, true, (bi_place){ 0 }, NULL, &report) &&
                      !bi_road_read("/nowhere/a.crg", NULL, true, (bi_place){ 0 }, NULL, &report) &&
                      !bi_road_read("a.crg", NULL, true, (bi_place){ 0 }, NULL, NULL));
        bi_report_clear(&report);
    }
    if (misuse_of(w, "bi_road_read_text")) {
        bi_report report = { 0 };
        EXPECT(w, !bi_road_read_text(NULL, 3, "a.crg", NULL, true, &report) &&
                      !bi_road_read_text("$CT", 3, NULL, NULL, true, &report) &&
                      !bi_road_read_text("$CT", 3, "a.crg", NULL, true, NULL) &&
                      !bi_road_read_text("", 0, "a.crg", NULL, true, &report));
        bi_report_clear(&report);
    }
}

static void misuse_asking(misuse *w)
{
    bi_road_def d = road_of(line);
    bi_road *road = bi_road_create(&d, NULL);
    bi_road_point p;
    if (misuse_of(w, "bi_road_keep")) {
        EXPECT(w, !bi_road_keep(NULL));
    }
    if (misuse_of(w, "bi_road_release")) {
        bi_road_release(NULL);
    }
    if (misuse_of(w, "bi_road_at")) {
        EXPECT(w, !bi_road_at(NULL, 0, 0, &p) && !bi_road_at(road, 0, 0, NULL) &&
                      !bi_road_at(road, NAN, 0, &p) && !bi_road_at(road, 0, INFINITY, &p) &&
                      !bi_road_at(road, 9, 9, &p));
    }
    if (misuse_of(w, "bi_road_place")) {
        EXPECT(w, isnan(bi_road_place(NULL, 0, 0).z) && isnan(bi_road_place(road, NAN, 0).z) &&
                      isnan(bi_road_place(road, 9, 9).z));
    }
    if (misuse_of(w, "bi_road_ends")) {
        double end[2];
        bi_road_ends(road, NULL);
        bi_road_ends(NULL, end);
        EXPECT(w, isnan(end[0]));
    }
    if (misuse_of(w, "bi_road_sides")) {
        double side[2];
        bi_road_sides(road, 0, NULL);
        bi_road_sides(NULL, 0, side);
        EXPECT(w, isnan(side[0]));
        bi_road_sides(road, NAN, side);
        EXPECT(w, isnan(side[1]));
    }
    if (misuse_of(w, "bi_sincos")) {
        double s;
        bi_sincos(1.0, NULL, NULL);
        bi_sincos(NAN, &s, NULL);
        EXPECT(w, isnan(s));
    }
    bi_road_release(road);
}

static void misuse_everything(misuse *w)
{
    misuse_making(w);
    misuse_asking(w);
}

int main(void) { return misuse_main(misuse_everything); }
