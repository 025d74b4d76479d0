// SPDX-License-Identifier: MIT
// ALI3-P with generalised-alpha: the trapezoidal rule at rho = 1, order two, and the damping that theory promises.
#include "support/run_model.h"

static run_model run_alpha(const char *text, const char *model, double rho, bi_scheme scheme, double dt)
{
    run_model run = { .dt = dt };
    bi_run file = { 0 };
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s/model.yaml", BI_SOURCE_DIR, model ? model : "");
    run.model = text ? bi_read_model_text(text, strlen(text), "test.yaml", NULL, 0, NULL, &file, &run.report)
                     : bi_read_model(path, NULL, 0, NULL, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run.time = file.time;
    bi_options options = { .scheme = scheme, .dt = dt, .damping = 1.0 - rho };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "the model does not compile");
    run.sim = bi_sim_create(run.system);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "the simulation does not start");
    return run;
}

static void test_alpha_with_rho_one_is_the_trapezoidal_rule_to_the_bit(void **state)
{
    (void)state;
    run_model a = run_alpha(NULL, "governor", 1.0, BI_ALI3P_ALPHA, 1e-3);
    run_model b = run_alpha(NULL, "governor", 1.0, BI_ALI3P, 1e-3);
    for (int k = 0; k < 500; k++) {
        run_step(&a);
        run_step(&b);
    }
    bi_view x = bi_sim_view(a.sim), y = bi_sim_view(b.sim);
    assert_memory_equal(x.q, y.q, (size_t)x.n_q * sizeof *x.q);
    assert_memory_equal(x.a, y.a, (size_t)x.n_q * sizeof *x.a);
    run_close(&a);
    run_close(&b);
}

static double pendulum_error(double rho, double dt)
{
    bi_table table = run_reference("pendulum", "reference.csv");
    run_model run = run_alpha(NULL, "pendulum", rho, BI_ALI3P_ALPHA, dt);
    run_column column[] = { { .channel = "P.x", .scale = 1.0 }, { .channel = "P.vy", .scale = 4.43 } };
    run.time = 5.0;
    double error = run_compare(&run, &table, column, 2);
    run_close(&run);
    bi_table_clear(&table);
    return error;
}

static void test_alpha_halved_step_quarters_the_error(void **state)
{
    (void)state;
    run_expect_order_two("alpha rho=0.9 order", pendulum_error(0.9, 2e-3), pendulum_error(0.9, 1e-3));
    run_expect_order_two("alpha rho=0.5 order", pendulum_error(0.5, 2e-3), pendulum_error(0.5, 1e-3));
    run_expect_order_two("alpha rho=0 order", pendulum_error(0.0, 2e-3), pendulum_error(0.0, 1e-3));
}

// ---- damping of an oscillator x'' = -omega^2 x ---------------------------------------------------------------

typedef struct {
    double m[3][3];
} matrix;

// The step of (x, h v, h^2 a), a the algorithmic acceleration, from the definition of the method (Arnold and Bruls 2007).
static matrix amplification(double rho, double omega_h)
{
    double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 - am + af;
    double beta = 0.25 * (gamma + 0.5) * (gamma + 0.5), w = omega_h * omega_h;
    matrix out;
    for (int c = 0; c < 3; c++) {
        double x = c == 0, v = c == 1, a = c == 2;
        // (1-am) a1 + am a = -w ((1-af) x1 + af x),  x1 = x + v + (1/2-beta) a + beta a1
        double known = x + v + (0.5 - beta) * a;
        double a1 = (-w * ((1 - af) * known + af * x) - am * a) / (1 - am + w * (1 - af) * beta);
        out.m[0][c] = known + beta * a1;
        out.m[1][c] = v + (1 - gamma) * a + gamma * a1;
        out.m[2][c] = a1;
    }
    return out;
}

static matrix times(matrix a, matrix b)
{
    matrix out = { 0 };
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                out.m[i][j] += a.m[i][k] * b.m[k][j];
            }
        }
    }
    return out;
}

// lim |A^n|^(1/n) by squaring
static double spectral_radius(matrix a)
{
    double log_size = 0.0, power = 1.0;
    for (int k = 0; k < 40; k++) {
        double size = 0.0;
        for (int i = 0; i < 9; i++) {
            size = fmax(size, fabs(a.m[i / 3][i % 3]));
        }
        for (int i = 0; i < 9; i++) {
            a.m[i / 3][i % 3] /= size;
        }
        log_size += log(size) / power;
        a = times(a, a);
        power *= 2.0;
    }
    return exp(log_size);
}

static const char oscillator[] =
    "biela: 1\nname: oscillator\ngravity: [0, 0, 0]\n"
    "bodies:\n  m: {mass: 2, inertia: [1, 1, 1], at: [0, 0, 0]}\n"
    "joints:\n  s: {type: prismatic, bodies: [ground, m], axis: [1, 0, 0]}\n"
    "forces:\n  k: {type: spring, a: {body: ground, at: [-1e4, 0, 0]}, b: {body: m}, stiffness: 20000, rest: "
    "1e4 - 0.1}\n"
    "outputs:\n  m: {body: m}\n"; // omega = 100 rad/s, amplitude 0.1 m; far from where the spring would turn over

static void expect_damping(double rho, double omega_h)
{
    const double omega = 100.0, h = omega_h / omega;
    enum { STEPS = 40 };
    run_model run = run_alpha(oscillator, NULL, rho, BI_ALI3P_ALPHA, h);
    matrix a = amplification(rho, omega_h);
    double x[3] = { 0.1, 0.0, -0.1 * omega_h * omega_h }, worst = 0.0;
    for (int k = 0; k < STEPS; k++) {
        double y[3] = { 0 };
        for (int i = 0; i < 9; i++) {
            y[i / 3] += a.m[i / 3][i % 3] * x[i % 3];
        }
        memcpy(x, y, sizeof x);
        run_step(&run);
        worst = fmax(worst, fabs(run_read(&run, "m.x") + 0.1 - x[0]));
    }
    char name[80];
    snprintf(name, sizeof name, "alpha rho=%g omega h=%g trajectory", rho, omega_h);
    // the spring is known to the rounding of its length, 1e-12 m; the predictor at omega h = 20 goes 20 m astray
    run_expect(name, worst, 1e-9);
    double left = fabs(run_read(&run, "m.x") + 0.1) / 0.1, radius = spectral_radius(a);
    printf("measured alpha rho=%g omega h=%g: radius %.4f, amplitude after %d steps %.2e (radius^n %.2e)\n",
           rho, omega_h, radius, STEPS, left, pow(radius, STEPS));
    run_close(&run);
}

static void test_alpha_damps_a_stiff_mode_as_its_amplification_matrix_does(void **state)
{
    (void)state;
    expect_damping(0.9, 0.5);
    expect_damping(0.9, 10.0);
    expect_damping(0.5, 3.0);
    expect_damping(0.0, 20.0);
}

static void test_alpha_spectral_radius_of_fast_modes_is_rho(void **state)
{
    (void)state;
    // at omega h = 1e5 three roots meet at -rho: they part by the square root of what is left of the limit
    for (int k = 1; k <= 9; k++) {
        assert_true(fabs(spectral_radius(amplification(0.1 * k, 1e5)) - 0.1 * k) <= 1e-3);
    }
    // and the engine follows: a motion a hundred radians per step has vanished after 20 steps at rho = 0.2
    run_model run = run_alpha(oscillator, NULL, 0.2, BI_ALI3P_ALPHA, 1.0);
    for (int k = 0; k < 40; k++) {
        run_step(&run);
    }
    run_expect("alpha fast mode left", fabs(run_read(&run, "m.x") + 0.1), 1e-9);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alpha_with_rho_one_is_the_trapezoidal_rule_to_the_bit),
        cmocka_unit_test(test_alpha_halved_step_quarters_the_error),
        cmocka_unit_test(test_alpha_damps_a_stiff_mode_as_its_amplification_matrix_does),
        cmocka_unit_test(test_alpha_spectral_radius_of_fast_modes_is_rho),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
