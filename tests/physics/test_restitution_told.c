// SPDX-License-Identifier: MIT
// A restitution that is asked for is met to 2 %, or the run says that it is not: whatever the law, the scheme, the step and
// where in a step the touch begins.
#include "support/text_model.h"

typedef struct {
    const char *law;
    double stiffness;
} hit_law;

static const hit_law laws[] = {
    { "hertz", 1e6 }, { "hertz", 1e7 }, { "kelvin-voigt", 1e4 }, { "kelvin-voigt", 1e5 }
};

// Gives what comes back of 1 m/s; the touch begins after `gap` seconds.
static double bounce(const hit_law *l, double asked, double gap, const text_case *how, bi_outcome *outcome)
{
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "gravity: [0, 0, 0]\n"
        "bodies: {b: {mass: 1, inertia: {sphere: 0.05}, at: [0, 0, %.17g], velocity: [0, 0, -1]}}\n"
        "shapes: {floor: {type: plane}, s: {type: sphere, body: b, radius: 0.05}}\n"
        "forces: {c: {type: contact, a: s, b: floor, law: %s, stiffness: %g, restitution: %g}}\n"
        "outputs: {b: {body: b}}\n",
        0.05 + gap, l->law, l->stiffness, asked);
    text_case c = *how;
    c.text = text;
    run_model run = text_run(&c);
    while (run_now(&run) < gap + 0.05) {
        run_step(&run);
    }
    double back = run_read(&run, "b.vz");
    *outcome = bi_sim_verdict(run.sim).outcome;
    run_close(&run);
    return back;
}

static void test_restitution_is_met_or_told(void **state)
{
    (void)state;
    static const double asked[] = { 0.2, 0.5, 0.8 }, gaps[] = { 0.01, 0.0103, 0.0105, 0.01099, 0.010999 };
    int n_good = 0;
    for (int k = 0; k < 4 * 2 * 3 * 5 * 4; k++) {
        text_case how = { NULL, BI_JOINT, k / 60 % 2 ? BI_PILES : BI_ALI3P, k / 120 % 2 ? 2e-4 : 1e-3 };
        how.coordinates = k / 240 ? BI_JOINT : BI_NATURAL;
        double e = asked[k % 3], gap = gaps[k / 3 % 5];
        bi_outcome outcome;
        double back = bounce(&laws[k / 15 % 4], e, gap, &how, &outcome);
        n_good += outcome == BI_GOOD;
        if (outcome == BI_GOOD && !(fabs(back - e) <= 0.021 * e)) {
            fail_msg("%s, %g N/m, %s, step %g, gap %g: asked %g, got %g, and calls it good",
                     laws[k / 15 % 4].law, laws[k / 15 % 4].stiffness,
                     how.scheme == BI_PILES ? "piles" : "ali3p", how.dt, gap, e, back);
        }
    }
    printf("measured: %d of 480 called good\n", n_good);
    assert_true(n_good > 60); // not told of all
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_restitution_is_met_or_told) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
