// SPDX-License-Identifier: MIT
// Roads: places and points are each other's inverse, derivatives are those of differences, random roads have the spectrum
// and the coherence that they are asked for.
#include "geom/road/road.h"
#include "math/elementary.h"
#include "model/shared_road.h"
#include "unit/geom/geom_test.h"
#include <biela/road.h>
#include <stdio.h>
#include <string.h>

enum { N_U = 60, N_V = 7 };

// A winding road with banking, slope and relief over unevenly spaced nodes.
static bi_road *winding(bool is_smooth, bi_road_border border)
{
    static double u[N_U], line[N_U][6], z[N_U], bank[N_U], relief[N_U * N_V];
    static const double v[N_V] = { -3.0, -2.2, -1.0, 0.0, 0.7, 2.0, 3.0 };
    double x = 0.0, y = 0.0;
    for (int i = 0; i < N_U; i++) {
        u[i] = 5.0 + 0.5 * i + 0.1 * math_sin(2.0 * i);
        double h = i > 0 ? u[i] - u[i - 1] : 0.0, heading = 0.8 * math_sin(0.15 * u[i]);
        x += h * math_cos(heading);
        y += h * math_sin(heading);
        memcpy(line[i], (double[6]){ x, y, math_cos(heading), math_sin(heading), 0.0, 0.0 }, sizeof line[i]);
        z[i] = math_sin(0.2 * u[i]);
        bank[i] = 0.05 * math_cos(0.3 * u[i]);
        for (int j = 0; j < N_V; j++) {
            relief[i * N_V + j] = 0.05 * math_sin(1.7 * i + 2.0 * j) * math_cos(0.9 * j);
        }
    }
    const char *why;
    bi_road *road = bi_road_create(&(bi_road_def){ .n_u = N_U,
                                                   .n_v = N_V,
                                                   .u = u,
                                                   .line = (const double(*)[6])line,
                                                   .z = z,
                                                   .bank = bank,
                                                   .v = v,
                                                   .relief = relief,
                                                   .is_smooth = is_smooth,
                                                   .border = { border, border } },
                                   &why);
    assert_non_null(road);
    return road;
}

static void test_points_and_places_are_each_others_inverse(void **state)
{
    (void)state;
    chance c = { 4 };
    for (int k = 0; k < 2; k++) {
        bi_road *road = winding(k == 1, BI_ROAD_KEEP);
        const geom_road *r = road_form(road);
        double worst = 0.0;
        for (int n = 0; n < 2000; n++) {
            // beyond its end a polygon turns, and a point may be on either side of that
            double u = k == 1 ? chance_in(&c, 0.0, 40.0) : chance_in(&c, 5.1, 34.0),
                   v = chance_in(&c, -3.0, 3.0), xy[2];
            road_place p;
            geom_road_point(r, u, v, xy);
            assert_true(geom_road_place(r, xy[0], xy[1], &p));
            worst = fmax(worst, fabs(p.u - u) + fabs(p.v - v));
        }
        assert_true(worst < 1e-12);
        bi_road_release(road);
    }
}

static void test_derivatives_are_those_of_differences(void **state)
{
    (void)state;
    chance c = { 9 };
    static const double step = 1e-5;
    for (int k = 0; k < 4; k++) {
        bi_road *road = winding(k % 2 == 1, k < 2 ? BI_ROAD_KEEP : BI_ROAD_REFLECT);
        const geom_road *r = road_form(road);
        double first = 0.0, second = 0.0;
        for (int n = 0; n < 1000; n++) {
            double xy[2];
            geom_height h, side[4];
            geom_road_point(r, chance_in(&c, 3.0, 37.0), chance_in(&c, -3.3, 3.3), xy);
            bool is_there = geom_road_curve(r, xy[0], xy[1], &h);
            for (int s = 0; s < 4; s++) {
                double by = s % 2 ? step : -step;
                is_there =
                    geom_road_curve(r, xy[0] + (s < 2 ? by : 0.0), xy[1] + (s < 2 ? 0.0 : by), &side[s]) &&
                    is_there;
            }
            assert_true(is_there);
            double d[5] = { (side[1].h - side[0].h) / (2.0 * step) - h.x,
                            (side[3].h - side[2].h) / (2.0 * step) - h.y,
                            (side[1].x - side[0].x) / (2.0 * step) - h.xx,
                            (side[3].x - side[2].x) / (2.0 * step) - h.xy,
                            (side[3].y - side[2].y) / (2.0 * step) - h.yy };
            // between two pieces differences mean nothing: second derivatives of a smooth road jump there, first ones of
            // another
            bool is_edge =
                fabs(side[1].xx - side[0].xx) + fabs(side[3].yy - side[2].yy) > 0.02 ||
                fabs(side[1].x - side[0].x) + fabs(side[3].y - side[2].y) + fabs(side[1].y - side[0].y) >
                    0.01;
            if (!is_edge) {
                first = fmax(first, fmax(fabs(d[0]), fabs(d[1])));
                second = fmax(second, fmax(fabs(d[2]), fmax(fabs(d[3]), fabs(d[4]))));
            }
        }
        printf("road %d: first %.2g second %.2g\n", k, first, second);
        assert_true(first < 1e-8);
        assert_true(second < 1e-7);
        bi_road_release(road);
    }
}

static void test_beyond_a_border_is_what_was_asked_for(void **state)
{
    (void)state;
    static const bi_road_border borders[] = { BI_ROAD_NONE, BI_ROAD_ZERO, BI_ROAD_KEEP, BI_ROAD_REPEAT,
                                              BI_ROAD_REFLECT };
    for (int k = 0; k < 5; k++) {
        bi_road *road = winding(true, borders[k]);
        double end[2];
        bi_road_ends(road, end);
        double length = end[1] - end[0], there = bi_road_place(road, end[1] + 1.3, 0.4).z;
        const double expected[] = { NAN, 0.0, bi_road_place(road, end[1], 0.4).z,
                                    bi_road_place(road, end[1] + 1.3 - length, 0.4).z,
                                    bi_road_place(road, end[1] - 1.3, 0.4).z };
        assert_true(k == 0 ? isnan(there) : fabs(there - expected[k]) < 1e-13);
        bi_road_release(road);
    }
}

// ---- random roads -----------------------------------------------------------------------------------------------

enum { N_WAVES = 4096 };

// Spectral density of heights along a line in octaves around wave numbers of 2^k/100, by a periodogram under a cosine
// window; two lines: what they share over what they have.
static void octaves(const bi_road *road, double length, const double v[2], double density[7],
                    double shared[7])
{
    double step = length / N_WAVES, own[7] = { 0.0 }, cross[7] = { 0.0 };
    int count[7] = { 0 };
    static double z[2][N_WAVES];
    for (int i = 0; i < N_WAVES; i++) {
        double window = 1.0 - math_cos(2.0 * 3.14159265358979 * (i + 0.5) / N_WAVES);
        for (int s = 0; s < 2; s++) {
            z[s][i] = window * bi_road_place(road, i * step, v[s]).z;
        }
    }
    for (int k = 0; k < 7; k++) {
        density[k] = shared[k] = 0.0;
    }
    for (int m = 1; m < N_WAVES / 2; m++) {
        double n = m / length, re[2] = { 0.0 }, im[2] = { 0.0 };
        int octave = (int)floor(math_log(n / 0.02) / math_log(2.0));
        if (n < 0.02 || octave > 5 || (octave > 3 && m % 7 != 0)) {
            continue;
        }
        for (int i = 0; i < N_WAVES; i++) {
            double c, s;
            math_sincos(2.0 * 3.14159265358979 * m * i / N_WAVES, &s, &c);
            for (int k = 0; k < 2; k++) {
                re[k] += z[k][i] * c;
                im[k] += z[k][i] * s;
            }
        }
        // the mean square of the window is 3/2; weighed by n^2, so that an octave of n^-2 is even
        double scale = 2.0 * step * step / (1.5 * length) * (n / 0.1) * (n / 0.1);
        density[octave] += scale * (re[0] * re[0] + im[0] * im[0]);
        own[octave] += scale * (re[1] * re[1] + im[1] * im[1]);
        cross[octave] += scale * (re[0] * re[1] + im[0] * im[1]);
        count[octave]++;
    }
    for (int k = 0; k <= 5; k++) {
        shared[k] = cross[k] / sqrt(density[k] * own[k]);
        density[k] /= count[k];
    }
}

static void test_the_spectrum_of_a_random_road_is_within_its_class(void **state)
{
    (void)state;
    static const double length = 300.0, lines[2] = { -0.75, 0.75 };
    for (char iso = 'A'; iso <= 'H'; iso = (char)(iso + (iso == 'A' ? 2 : 5))) {
        bi_road_random_def def = { .roughness = bi_road_roughness(iso),
                                   .length = length,
                                   .width = 2.0,
                                   .spacing = 0.05,
                                   .incoherence = 4.0,
                                   .seed = 3 };
        bi_road *road = bi_road_random(&def, NULL);
        double density[7], shared[7];
        assert_non_null(road);
        octaves(road, length, lines, density, shared);
        for (int k = 0; k <= 5; k++) {
            // the limits of a class are twice and half of its mean
            double ratio = density[k] / def.roughness;
            printf("measured class %c octave %.2f/m error=%.2g limit=1\n", iso, 0.02 * (1 << k) * 1.41,
                   fabs(ratio - 1.0));
            assert_true(ratio > 0.5 && ratio < 2.0);
        }
        // exp(-4 n 1.5 m) at the middle of the first and the third octave: 0.84 and 0.51; 6 and 24 waves
        assert_true(fabs(shared[0] - 0.84) < 0.25 && fabs(shared[2] - 0.51) < 0.35);
        assert_true(fabs(shared[5]) < 0.3);
        bi_road_release(road);
    }
}

static void test_the_same_seed_gives_the_same_bits(void **state)
{
    (void)state;
    bi_road_random_def def = {
        .roughness = bi_road_roughness('C'), .length = 20.0, .width = 2.0, .seed = 11, .flat = 3.0
    };
    bi_road *one = bi_road_random(&def, NULL), *two = bi_road_random(&def, NULL);
    assert_int_equal(road_hash(0, one), road_hash(0, two));
    // these bits on every machine
    assert_true(road_hash(0, one) == UINT64_C(0xdb08d33b17131376));
    assert_true(bi_road_place(one, 2.9, 0.3).z == 0.0);
    def.seed = 12;
    bi_road *other = bi_road_random(&def, NULL);
    assert_int_not_equal(road_hash(0, one), road_hash(0, other));
    bi_road_release(one);
    bi_road_release(two);
    bi_road_release(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_and_places_are_each_others_inverse),
        cmocka_unit_test(test_derivatives_are_those_of_differences),
        cmocka_unit_test(test_beyond_a_border_is_what_was_asked_for),
        cmocka_unit_test(test_the_spectrum_of_a_random_road_is_within_its_class),
        cmocka_unit_test(test_the_same_seed_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
