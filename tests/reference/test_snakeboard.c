// SPDX-License-Identifier: MIT
// The snakeboard against its reduced equations (models/snakeboard/README.md), integrated here: one momentum along the only motion that
// the wheels allow, heading and place by quadrature. Chaplygin's sleigh against its closed form. Both formulations.
#include "support/run_model.h"

// ---- snakeboard ---------------------------------------------------------------------------------------------------------

// Values of the model file; s is the speed along the allowed motion: l cos(phi) s forward, sin(phi) s turning.
static const double m = 6.0, J = 0.016, Jr = 0.072, Jw = 0.0013, l = 0.2;
enum { X, Y, THETA, P, PSI, D_PSI, N_STATE };

typedef struct {
    const char *run;
    double v, swing, steer, swing_rate, steer_rate;
    bool is_guided;
    double torque;
} gait;

typedef struct {
    double phi, d_phi, inertia, s, d_psi;
} board;

static board board_at(const gait *g, double t, const double *x)
{
    board b = { .phi = g->steer * sin(g->steer_rate * t),
                .d_phi = g->steer * g->steer_rate * cos(g->steer_rate * t) };
    double c = cos(b.phi), n = sin(b.phi);
    b.inertia = m * l * l * c * c + (J + Jr + 2.0 * Jw) * n * n;
    b.d_psi = g->is_guided ? g->swing * g->swing_rate * cos(g->swing_rate * t) : x[D_PSI];
    b.s = (x[P] - Jr * n * b.d_psi) / b.inertia;
    return b;
}

// Rates of the state, and the torque between board and rotor.
static double board_rates(const gait *g, double t, const double *x, double *rate)
{
    board b = board_at(g, t, x);
    double c = cos(b.phi), n = sin(b.phi), total = J + Jr + 2.0 * Jw;
    rate[X] = l * c * b.s * cos(x[THETA]);
    rate[Y] = l * c * b.s * sin(x[THETA]);
    rate[THETA] = n * b.s;
    rate[P] = b.d_phi * c * (n * (total - m * l * l) * b.s + Jr * b.d_psi);
    rate[PSI] = b.d_psi;
    // p = inertia s + Jr sin(phi) psi', differentiated, gives s' for a given psi''; the rotor alone: Jr (theta'' + psi'') = torque
    double d_inertia = 2.0 * n * c * b.d_phi * (total - m * l * l);
    double known = rate[P] - d_inertia * b.s - Jr * c * b.d_phi * b.d_psi;
    if (g->is_guided) {
        rate[D_PSI] = -g->swing * g->swing_rate * g->swing_rate * sin(g->swing_rate * t);
        double d_s = (known - Jr * n * rate[D_PSI]) / b.inertia;
        return Jr * (c * b.d_phi * b.s + n * d_s + rate[D_PSI]);
    }
    double torque = g->torque * sin(g->steer_rate * t), turn = torque / Jr - c * b.d_phi * b.s;
    // psi'' = turn - sin(phi) s'
    double d_s = (known - Jr * n * turn) / (b.inertia - Jr * n * n);
    rate[D_PSI] = turn - n * d_s;
    return torque;
}

static void board_advance(const gait *g, double t, double h, double *x)
{
    double k[4][N_STATE], at[N_STATE];
    static const double share[4] = { 0.0, 0.5, 0.5, 1.0 };
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < N_STATE; i++) {
            at[i] = x[i] + (stage > 0 ? share[stage] * h * k[stage - 1][i] : 0.0);
        }
        board_rates(g, t + share[stage] * h, at, k[stage]);
    }
    for (int i = 0; i < N_STATE; i++) {
        x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

typedef struct {
    double place, torque; // largest errors
} board_errors;

static board_errors board_error(const gait *g, bi_coordinates coordinates)
{
    char text[7][32];
    const double number[7] = {
        g->v, g->swing, g->steer, g->swing_rate, g->steer_rate, g->is_guided, g->torque
    };
    static const char *const name[7] = {
        "v", "swing", "steer", "swing_rate", "steer_rate", "guided", "torque"
    };
    bi_setting setting[7];
    for (int k = 0; k < 7; k++) {
        snprintf(text[k], sizeof text[k], "%.17g", number[k]);
        setting[k] = (bi_setting){ name[k], text[k] };
    }
    run_model run = run_open(&(run_case){ .model = "snakeboard",
                                          .settings = setting,
                                          .n_settings = 7,
                                          .scheme = BI_INDEX1_RK4,
                                          .coordinates = coordinates });
    double x[N_STATE] = { [P] = m * l * g->v, [D_PSI] = g->is_guided ? g->swing * g->swing_rate : 0.0 };
    board_errors worst = { 0 };
    for (int k = 1; k <= 200; k++) {
        double t = 0.05 * k, rate[N_STATE];
        for (int i = 0; i < 50; i++) {
            board_advance(g, t - 0.05 + 0.001 * i, 0.001, x);
        }
        assert_true(run_to(&run, t));
        double torque = board_rates(g, t, x, rate);
        const double error[] = { run_read(&run, "x") - x[X],
                                 run_read(&run, "y") - x[Y],
                                 run_read(&run, "theta") - x[THETA],
                                 run_read(&run, "d_theta") - rate[THETA],
                                 run_read(&run, "d_psi") - rate[PSI],
                                 run_read(&run, "d_x") - rate[X],
                                 run_read(&run, "psi") -
                                     (g->is_guided ? g->swing * sin(g->swing_rate * t) : x[PSI]) };
        for (int i = 0; i < 7; i++) {
            worst.place = fabs(error[i]) <= worst.place ? worst.place : fabs(error[i]);
        }
        double off = g->is_guided ? fabs(run_read(&run, "swing_torque") - torque) : 0.0;
        worst.torque = off <= worst.torque ? worst.torque : off;
    }
    run_close(&run);
    return worst;
}

static void test_snakeboard_follows_its_momentum_equation(void **state)
{
    (void)state;
    static const gait all[] = {
        { "drive", 0.0, 0.7, 0.3, 1.0, 1.0, true, 0.0 },
        { "rotate", 0.0, 0.7, 0.3, 2.0, 1.0, true, 0.0 },
        { "parking", 0.0, 0.7, 0.3, 3.0, 2.0, true, 0.0 },
        { "coast", 1.0, 0.0, 0.3, 1.0, 1.0, true, 0.0 },
        { "torque", 0.0, 0.7, 0.3, 1.0, 1.0, false, 0.05 },
        // wheels nearly across the board: the allowed motion is a turn on the spot
        { "wide", 0.5, 0.7, 1.4, 1.0, 1.0, true, 0.0 },
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        for (int c = BI_NATURAL; c <= BI_JOINT; c++) {
            board_errors e = board_error(&all[k], (bi_coordinates)c);
            printf("%s %s:\n", all[k].run, c == BI_JOINT ? "joint" : "natural");
            // order four at 5 ms: (rate h)^4 with 2 rad/s, and with the 4 rad/s of the wide gait
            run_expect("snakeboard motion", e.place, all[k].steer > 1.0 ? 1.6e-7 : 1e-8);
            run_expect("snakeboard torque", e.torque, 1e-8);
        }
    }
}

static void test_snakeboard_gaits_drive_turn_and_park(void **state)
{
    (void)state;
    // after one period of the gait from rest: forward, on the spot, sideways
    static const gait all[3] = { { "drive", 0.0, 0.7, 0.3, 1.0, 1.0, true, 0.0 },
                                 { "rotate", 0.0, 0.7, 0.3, 2.0, 1.0, true, 0.0 },
                                 { "parking", 0.0, 0.7, 0.3, 3.0, 2.0, true, 0.0 } };
    double end[3][N_STATE] = { 0 };
    for (int k = 0; k < 3; k++) {
        double h = 2.0 * run_pi / 2000.0;
        for (int i = 0; i < 2000; i++) {
            board_advance(&all[k], i * h, h, end[k]);
        }
    }
    assert_true(end[0][X] > 0.1 && fabs(end[0][Y]) < 0.01);
    assert_true(end[1][THETA] > 0.1 && fabs(end[1][X]) < 0.01 && fabs(end[1][Y]) < 0.01);
    assert_true(fabs(end[2][X]) < 1e-9 && fabs(end[2][THETA]) < 1e-9 && end[2][Y] > 0.005);
}

// ---- Chaplygin's sleigh -------------------------------------------------------------------------------------------------

// Blade at the origin, centre of mass `a` ahead. With k = J + m a^2 and V^2 = v0^2 + k w0^2 / m: v = V tanh(z),
// w = V sqrt(m / k) / cosh(z), z = a m V t / k + atanh(v0 / V), and the heading is the integral of w.
static void expect_sleigh(bi_coordinates coordinates)
{
    const double mass = 3.0, inertia = 0.2, a = 0.4, v0 = 1.0, w0 = 2.5, k = inertia + mass * a * a;
    run_model run = run_open(
        &(run_case){ .model = "chaplygin-sleigh", .scheme = BI_INDEX1_RK4, .coordinates = coordinates });
    double V = sqrt(v0 * v0 + k * w0 * w0 / mass), rate = a * mass * V / k, z0 = atanh(v0 / V), worst = 0.0;
    for (int n = 1; n <= 30; n++) {
        double t = 0.1 * n, z = rate * t + z0;
        assert_true(run_to(&run, t));
        double gone = sqrt(k / mass) / a * (2.0 * atan(tanh(0.5 * z)) - 2.0 * atan(tanh(0.5 * z0)));
        const double error[] = { run_read(&run, "v") - V * tanh(z),
                                 run_read(&run, "d_theta") - V * sqrt(mass / k) / cosh(z),
                                 run_read(&run, "theta") - gone };
        for (int i = 0; i < 3; i++) {
            worst = fabs(error[i]) <= worst ? worst : fabs(error[i]);
        }
    }
    // order four at 2 ms with 3 rad/s
    run_expect(coordinates == BI_JOINT ? "sleigh joint" : "sleigh natural", worst, 1e-8);
    run_close(&run);
}

static void test_chaplygin_sleigh_follows_its_closed_form(void **state)
{
    (void)state;
    expect_sleigh(BI_NATURAL);
    expect_sleigh(BI_JOINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snakeboard_follows_its_momentum_equation),
        cmocka_unit_test(test_snakeboard_gaits_drive_turn_and_park),
        cmocka_unit_test(test_chaplygin_sleigh_follows_its_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
