// SPDX-License-Identifier: MIT
// What a graph answers is a smooth function of its parameters: no rounding decides how a step is made.
#include "support/run_model.h"

// A quarter of a car at rest; the road moves from 0.1 s on.
static const char *const quarter =
    "biela: 1\nname: quarter car\nparameters: {ks: 15000}\n"
    "graphs:\n  g:\n    nodes:\n"
    "      road: {type: Sf, value: 'if(t > 0.1 && t < 0.2, 0.5, 0)'}\n"
    "      zt: {type: 0}\n      kt: {type: C, value: 1/150000}\n      ju: {type: 1}\n      mu: {type: I, "
    "value: 38}\n"
    "      zs: {type: 0}\n      js: {type: 1}\n      ks: {type: C, value: 1/ks}\n      bs: {type: R, value: "
    "500}\n"
    "      jm: {type: 1}\n      ms: {type: I, value: 220}\n      vs: {type: state, value: ms.f}\n"
    "    bonds: [road -> zt, zt -> kt, zt -> ju, ju -> mu, ju -> zs, zs -> js, js -> ks, js -> bs, zs -> jm, "
    "jm -> ms]\n"
    "outputs: {g: {graph: g}}\n";

static double answer(double ks)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", ks);
    bi_setting set = { "ks", text };
    bi_report report = { 0 };
    bi_model *model = bi_read_model_text(quarter, strlen(quarter), "test.yaml", &set, 1, NULL, NULL, &report);
    run_require(model && report.errors == 0, &report, "the model has mistakes");
    bi_report_clear(&report);
    run_model run = run_start(model, BI_ALI3P, 5e-3, 0.2);
    run_to(&run, 0.2);
    double out = run_read(&run, "g.vs");
    run_close(&run);
    return out;
}

// 150 stiffnesses 4.37 N/m apart. The answer of 7.6e-3 m/s bends by 4e-11 over two of them; where a step from rest was halved by
// rounding, in a tenth of the runs, it jumped by 1.8e-4.
static void test_graph_at_rest_takes_a_step_whole_whatever_its_parameters(void **state)
{
    (void)state;
    double before = 0.0, now = 0.0, most = 0.0;
    for (int k = 0; k < 150; k++) {
        double next = answer(14600.0 + 4.37 * k);
        most = k > 1 ? fmax(most, fabs(next - 2.0 * now + before)) : 0.0;
        before = now;
        now = next;
    }
    run_expect("second difference of the answers, m/s", most, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_at_rest_takes_a_step_whole_whatever_its_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
