// SPDX-License-Identifier: MIT
// Balls through a slot in the bottom of a bin, against Beverloo's law W = 1.03 rho sqrt(g) (D - 1.4 d)^1.5 per length of slot, which is
// an experience with 10 to 20 % (rows D/d = 6, 8 and 10 of the reference data; d = 3 mm there, 10 mm here, and the law knows no
// length but these two). HOPPER_LONG=1: three openings, beds of three openings' height, and the exponent; two minutes.
#include "support/run_model.h"
#include <stdlib.h>

// mean diameter of the balls, length of the slot, m; k of the law; m/s2
static const double d = 0.01, length = 0.035, play = 1.4, gravity = 9.81;

typedef struct {
    const char *opening, *bin, *count, *side_by_side;
    double D, from,
        to; // m, s: width of the slot, when the flow is steady, and until when the bed covers the slot well
} flow_case;

// Balls below the bottom of the bin.
static int count_below(run_model *run)
{
    bi_view view = bi_sim_view(run->sim);
    int n = 0;
    for (int b = 1; b < view.n_body; b++) {
        n += view.pose[b].pos.z < 0.0;
    }
    return n;
}

// Share of the space between two heights that balls of the mean size fill.
static double filled(run_model *run, double width, double low, double high)
{
    bi_view view = bi_sim_view(run->sim);
    int n = 0;
    for (int b = 1; b < view.n_body; b++) {
        n += view.pose[b].pos.z > low && view.pose[b].pos.z < high;
    }
    return n * run_pi / 6.0 * d * d * d / (width * length * (high - low));
}

// What the law gives, in balls of the mean size.
static double beverloo(double D, double bulk)
{
    double volume = 1.03 * bulk * sqrt(gravity) * pow(D - play * d, 1.5) * length;
    return volume / (run_pi / 6.0 * d * d * d);
}

// Balls per second; the bed's filling where it is level, if asked for.
static double flow_of(const flow_case *f, double *bulk)
{
    // walls as high as the balls are piled up at the start
    const bi_setting settings[] = { { "opening", f->opening },
                                    { "bin", f->bin },
                                    { "N", f->count },
                                    { "nx", f->side_by_side },
                                    { "L", "0.7" } };
    run_model run = run_open(&(run_case){ .model = "hopper",
                                          .run = "slot",
                                          .settings = settings,
                                          .n_settings = 5,
                                          .scheme = BI_PILES,
                                          .coordinates = BI_JOINT });
    run_to(&run, f->from);
    int before = count_below(&run);
    if (bulk) {
        *bulk = filled(&run, strtod(f->bin, NULL), f->D, 1.5 * f->D);
    }
    run_to(&run, f->to);
    double rate = (count_below(&run) - before) / (f->to - f->from);
    run_close(&run);
    return rate;
}

// A low bed, whose filling is that of the high ones below.
static void test_balls_leave_a_slot_as_beverloo_says(void **state)
{
    (void)state;
    const flow_case small = { "0.06", "0.12", "600", "10", 0.06, 0.2, 0.36 };
    double rate = flow_of(&small, NULL), law = beverloo(small.D, 0.55);
    printf("measured flow D/d=6 balls/s=%.0f law=%.0f\n", rate, law);
    run_expect("hopper: flow against Beverloo's law", fabs(rate / law - 1.0), 0.2);
}

// The law's (D - k d)^1.5: rate^(2/3) is a straight line over D, which is zero at k d.
static void test_long_flow_follows_the_exponent(void **state)
{
    (void)state;
    const flow_case cases[] = {
        { "0.06", "0.15", "1083", "13", 0.06, 0.3, 0.6 },
        { "0.08", "0.2", "1925", "17", 0.08, 0.35, 0.6 },
        { "0.1", "0.25", "3008", "21", 0.10, 0.4, 0.65 },
    };
    double rate[3];
    for (int k = 0; k < 3; k++) {
        double bulk;
        rate[k] = flow_of(&cases[k], &bulk);
        double law = beverloo(cases[k].D, bulk);
        printf("measured flow D/d=%g filled=%.3f balls/s=%.0f law=%.0f ratio=%.3f\n", cases[k].D / d, bulk,
               rate[k], law, rate[k] / law);
        fflush(stdout);
        run_expect("hopper: flow against Beverloo's law", fabs(rate[k] / law - 1.0), 0.15);
    }
    double y[3], slope, zero;
    for (int k = 0; k < 3; k++) {
        y[k] = pow(rate[k], 2.0 / 3.0);
    }
    slope = (y[2] - y[0]) / (cases[2].D - cases[0].D);
    zero = cases[0].D - y[0] / slope;
    double exponent = log(rate[2] / rate[0]) / log((cases[2].D - play * d) / (cases[0].D - play * d));
    printf("measured flow k=%.2f exponent=%.2f\n", zero / d, exponent);
    run_expect("hopper: straight line of rate^(2/3), of the middle", fabs(y[1] / (y[0] + y[2]) * 2.0 - 1.0),
               0.05);
    run_expect("hopper: exponent beside 1.5", fabs(exponent - 1.5), 0.25);
}

int main(void)
{
    const struct CMUnitTest brief[] = { cmocka_unit_test(test_balls_leave_a_slot_as_beverloo_says) };
    const struct CMUnitTest thorough[] = { cmocka_unit_test(test_long_flow_follows_the_exponent) };
    return getenv("HOPPER_LONG") ? cmocka_run_group_tests(thorough, NULL, NULL)
                                 : cmocka_run_group_tests(brief, NULL, NULL);
}
