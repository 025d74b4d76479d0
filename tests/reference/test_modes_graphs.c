// SPDX-License-Identifier: MIT
// Eigenvalues of what bond graphs drive: energies that go through bonds are no states.
#include "support/clio_ramp.h"

static bi_linear linear_of(run_model *run)
{
    bi_linear out = { 0 };
    run_require(bi_linearize(run->sim, &out, &run->report) == BI_OK, &run->report, "no eigenvalues");
    return out;
}

static void test_steady_motor_has_the_eigenvalues_of_its_formula(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "bond-motor", .coordinates = BI_JOINT });
    bi_linear l = linear_of(&run);
    assert_int_equal(l.n, 0);
    assert_int_equal(l.n_state, 2);
    // coil: -R/L, gyrator between: -k/J and k/L, rotor: -b/J
    double a = -1.0 / 0.01, d = -0.001 / 0.01, bc = -(0.1 / 0.01) * (0.1 / 0.01);
    double middle = 0.5 * (a + d), apart = sqrt(middle * middle - (a * d - bc));
    run_expect("fast eigenvalue", fabs(l.re[0] / (middle - apart) - 1.0), 1e-9);
    run_expect("slow eigenvalue", fabs(l.re[1] / (middle + apart) - 1.0), 1e-9);
    bi_linear_clear(&l);
    run_close(&run);
}

// The pair whose frequency is nearest to w.
static int nearest(const bi_linear *l, double w)
{
    int best = 0;
    for (int k = 0; k < l->n_value; k++) {
        best = fabs(l->im[k] - w) < fabs(l->im[best] - w) ? k : best;
    }
    return best;
}

typedef struct {
    double t[3], peak[2]; // zero crossings of the roll, and the largest of it between two of them
} swing;

// Roll after a nudge at the wheel, once the faster motions have died away.
static swing nudge_clio(run_model *run)
{
    swing out = { 0 };
    bi_input wheel = bi_model_input(run->model, "wheel");
    double before = 0.0;
    int count = 0;
    for (int k = 0; count < 3; k++) {
        bi_sim_input(run->sim, wheel, k < 50 ? 1e-4 : 0.0);
        run_step(run);
        double now = run_read(run, "attitude.roll"), t = run_now(run);
        if (t > 2.0 && before * now < 0.0) {
            out.t[count++] = t - run->dt * now / (now - before);
        }
        if (count > 0 && count < 3) {
            out.peak[count - 1] = fmax(out.peak[count - 1], fabs(now));
        }
        before = now;
    }
    return out;
}

// A car at 65 km/h. The driver keeps his foot still, so that its speed is that of the steady motion, a little below the one described. Its
// lateral motion after a nudge ends in its slowest mode, roll with sideslip.
static void test_car_at_speed_swings_as_its_eigenvalues_say(void **state)
{
    (void)state;
    bi_setting set[N_CLIO_RAMP];
    memcpy(set, clio_ramp, sizeof set);
    for (int k = 0; k < N_CLIO_RAMP; k++) {
        set[k].value = strcmp(set[k].name, "steer_rate") == 0 ? "0" : set[k].value;
    }
    run_model run = run_open(&(run_case){
        .model = "clio", .settings = set, .n_settings = N_CLIO_RAMP, .dt = 2e-3, .coordinates = BI_JOINT });
    bi_linear l = linear_of(&run);
    // 14 freedoms; engine, and two of the filter of the steering wheel
    assert_int_equal(l.n, 14);
    assert_int_equal(l.n_state, 3);
    int roll = nearest(&l, 4.96);
    double re = l.re[roll], im = l.im[roll];
    for (int k = 0; k < l.n_value; k++) {
        assert_true(l.re[k] < 1e-6); // it is stable
    }
    bi_linear_clear(&l);
    swing s = nudge_clio(&run);
    printf("measured %g +- %g i, swings %g, %g\n", re, im, s.t[2] - s.t[0], log(s.peak[0] / s.peak[1]));
    run_expect("period of the roll", fabs((s.t[2] - s.t[0]) * im / (2.0 * run_pi) - 1.0), 2e-3);
    run_expect("its decay", fabs(log(s.peak[0] / s.peak[1]) / (-re * run_pi / im) - 1.0), 1e-2);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady_motor_has_the_eigenvalues_of_its_formula),
        cmocka_unit_test(test_car_at_speed_swings_as_its_eigenvalues_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
