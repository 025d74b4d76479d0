// SPDX-License-Identifier: MIT
// Everyday mechanisms against their closed forms, in both formulations: double pendulum, Scotch yoke, Cardan shaft, four-bar with a
// diagonal spring.
#include "support/run_model.h"

static const bi_coordinates both[] = { BI_NATURAL, BI_JOINT };
static const double gravity = 9.81;

static double larger(double worst, double error)
{
    // a result that is not a number counts as the largest error
    return error <= worst ? worst : error;
}

static const char *label(const char *what, bi_coordinates coordinates)
{
    static char text[96];
    snprintf(text, sizeof text, "%s %s", what, coordinates == BI_JOINT ? "joint" : "natural");
    return text;
}

// ---- double pendulum --------------------------------------------------------------------------------------------

static const double l1 = 1.0, l2 = 0.8, rod1 = 1.0, rod2 = 0.6;

// Energy from the angles of both rods against hanging and their rates.
static double double_pendulum_energy(double q1, double q2, double w1, double w2)
{
    double kinetic = 0.5 * (rod1 / 3.0 + rod2) * l1 * l1 * w1 * w1 + rod2 * l2 * l2 / 6.0 * w2 * w2 +
                     0.5 * rod2 * l1 * l2 * cos(q1 - q2) * w1 * w2;
    double height = -(0.5 * rod1 + rod2) * l1 * cos(q1) - 0.5 * rod2 * l2 * cos(q2);
    return kinetic + gravity * height;
}

static double double_pendulum_energy_error(bi_coordinates coordinates, double dt)
{
    run_model run = run_open(&(run_case){ .model = "double-pendulum", .dt = dt, .coordinates = coordinates });
    double start = double_pendulum_energy(run_pi / 3.0, run_pi / 1.8, 0.0, 0.0), worst = 0.0;
    for (int k = 1; k <= 200; k++) {
        run_to(&run, 0.01 * k);
        double q1 = run_read(&run, "upper.angle") + 0.5 * run_pi, w1 = run_read(&run, "upper.rate");
        double q2 = q1 + run_read(&run, "lower.angle"), w2 = w1 + run_read(&run, "lower.rate");
        double now = double_pendulum_energy(q1, q2, w1, w2);
        worst = larger(worst, fabs(now - start));
        assert_true(fabs(now - run_read(&run, "energy.total")) <= 1e-9);
    }
    run_close(&run);
    return worst / 8.0; // the kinetic energy reaches about 8 J
}

static void test_double_pendulum_keeps_its_energy_with_order_two(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double coarse = double_pendulum_energy_error(both[k], 2e-3);
        double fine = double_pendulum_energy_error(both[k], 1e-3);
        run_expect(label("double-pendulum energy 1ms", both[k]), fine, 5e-5);
        run_expect_order_two(label("double-pendulum energy order", both[k]), coarse, fine);
    }
}

// Started in the shape of a mode, both angles follow one cosine: det(K - w^2 M) = 0.
static double double_pendulum_mode_error(bi_coordinates coordinates, int mode)
{
    double m11 = (rod1 / 3.0 + rod2) * l1 * l1, m12 = 0.5 * rod2 * l1 * l2, m22 = rod2 * l2 * l2 / 3.0;
    double k1 = (0.5 * rod1 + rod2) * gravity * l1, k2 = 0.5 * rod2 * gravity * l2;
    double a = m11 * m22 - m12 * m12, b = -(m11 * k2 + m22 * k1), c = k1 * k2;
    double squared = (-b + (mode == 0 ? -1.0 : 1.0) * sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
    double omega = sqrt(squared), small = 1e-4, shape = (k1 - squared * m11) / (squared * m12);
    char upper[32], lower[32];
    snprintf(upper, sizeof upper, "%.17g", small * 180.0 / run_pi);
    snprintf(lower, sizeof lower, "%.17g", small * shape * 180.0 / run_pi);
    const bi_setting settings[] = { { "theta1", upper }, { "theta2", lower } };
    run_model run = run_open(&(run_case){ .model = "double-pendulum",
                                          .settings = settings,
                                          .n_settings = 2,
                                          .dt = 5e-4,
                                          .coordinates = coordinates });
    // the step lags by (omega h)^2/12 of the phase: 1.5e-5 rad after 2 s of the fast mode
    double worst = 0.0;
    for (int k = 0; k <= 200; k++) {
        double t = 0.01 * k, wanted = small * cos(omega * t);
        run_to(&run, t);
        double q1 = run_read(&run, "upper.angle") + 0.5 * run_pi, q2 = q1 + run_read(&run, "lower.angle");
        worst = larger(worst, fabs(q1 - wanted) / small);
        worst = larger(worst, fabs(q2 - shape * wanted) / (small * fabs(shape)));
    }
    run_close(&run);
    return worst;
}

static void test_double_pendulum_swings_in_its_two_modes(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_expect(label("double-pendulum slow mode", both[k]), double_pendulum_mode_error(both[k], 0), 3e-5);
        run_expect(label("double-pendulum fast mode", both[k]), double_pendulum_mode_error(both[k], 1), 3e-5);
    }
}

// ---- Scotch yoke ------------------------------------------------------------------------------------------------

static void test_scotch_yoke_moves_as_a_cosine_and_its_torque_follows(void **state)
{
    (void)state;
    const double r = 0.1, m1 = 1.5, m2 = 2.0, speed = 10.0;
    const double force = m2 * r * speed * speed, torque = force * r;
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){ .model = "scotch-yoke", .coordinates = both[k] });
        double motion = 0.0, rate = 0.0, effort = 0.0, reaction = 0.0;
        for (int i = 0; i <= 200; i++) {
            run_to(&run, 0.01 * i);
            double phi = run_pi / 6.0 + speed * run_now(&run);
            motion = larger(motion, fabs(run_read(&run, "yoke.position") - r * cos(phi)) / r);
            rate = larger(rate, fabs(run_read(&run, "yoke.rate") + r * speed * sin(phi)) / (r * speed));
            effort = larger(effort, fabs(run_read(&run, "motor") - torque * sin(phi) * cos(phi)) / torque);
            effort = larger(effort, fabs(run_read(&run, "pin") - force * cos(phi)) / force);
            reaction = larger(reaction, fabs(run_read(&run, "bearing.fx") + force * cos(phi)) / force);
            reaction = larger(reaction, fabs(run_read(&run, "bearing.fy") - m1 * gravity) / force);
            reaction = larger(reaction, fabs(run_read(&run, "slide.fx")) / force);
            reaction = larger(reaction, fabs(run_read(&run, "slide.fy") - m2 * gravity) / force);
        }
        run_close(&run);
        run_expect(label("scotch-yoke position", both[k]), motion, 1e-12);
        run_expect(label("scotch-yoke rate", both[k]), rate, 1e-10);
        run_expect(label("scotch-yoke motor and pin", both[k]), effort, 1e-8);
        run_expect(label("scotch-yoke reactions", both[k]), reaction, 1e-8);
    }
}

// ---- Cardan shaft -----------------------------------------------------------------------------------------------

static void cardan_errors(bi_coordinates coordinates, const char *degrees, double beta, double error[3])
{
    const double speed = 10.0, inertia = 0.5 * 5.0 * 0.03 * 0.03;
    const bi_setting settings[] = { { "beta", degrees } };
    run_model run = run_open(&(run_case){
        .model = "cardan-shaft", .settings = settings, .n_settings = 1, .coordinates = coordinates });
    error[0] = error[1] = error[2] = 0.0;
    double s = sin(beta) * sin(beta);
    for (int i = 0; i <= 200; i++) {
        run_to(&run, 0.01 * i);
        double phi = speed * run_now(&run), below = 1.0 - s * cos(phi) * cos(phi);
        double out = speed * cos(beta) / below;
        double out_rate = -speed * cos(beta) * s * sin(2.0 * phi) * speed / (below * below);
        double turns = floor(phi / (2.0 * run_pi) + 0.5), rest = phi - 2.0 * run_pi * turns;
        double angle = 2.0 * run_pi * turns + atan2(sin(rest), cos(beta) * cos(rest));
        double largest = inertia * speed * speed * s / pow(cos(beta), 3.0);
        error[0] = larger(error[0], fabs(run_read(&run, "out.angle") - angle));
        error[1] = larger(error[1], fabs(run_read(&run, "out.rate") - out) / speed);
        // the power of the motor is what the output shaft takes up
        error[2] =
            larger(error[2], fabs(run_read(&run, "motor") - inertia * out_rate * out / speed) / largest);
    }
    run_close(&run);
}

static void test_cardan_shaft_output_speed_has_its_closed_form(void **state)
{
    (void)state;
    static const char *const degrees[] = { "30", "10", "55" };
    for (int k = 0; k < 2; k++) {
        double worst[3] = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < 3; i++) {
            static const double beta[] = { 30.0, 10.0, 55.0 };
            double error[3];
            cardan_errors(both[k], degrees[i], beta[i] * run_pi / 180.0, error);
            for (int c = 0; c < 3; c++) {
                worst[c] = larger(worst[c], error[c]);
            }
        }
        run_expect(label("cardan-shaft output angle", both[k]), worst[0], 1e-10);
        run_expect(label("cardan-shaft output speed", both[k]), worst[1], 1e-10);
        run_expect(label("cardan-shaft motor", both[k]), worst[2], 1e-8);
    }
}

// ---- four-bar with a diagonal spring ----------------------------------------------------------------------------

// One degree of freedom, the angle phi of the crank: kinetic energy mass/2 phi'^2, potential energy, its slope.
typedef struct {
    double potential, slope, mass, rocker, spring;
} four_bar;

static four_bar four_bar_at(double phi)
{
    const double a = 0.2, b = 0.35, c = 0.3, d = 0.4, m1 = 0.5, m2 = 0.9, m3 = 0.7, k = 1000.0, rest = 0.38;
    double s = sqrt(a * a + d * d - 2.0 * a * d * cos(phi));
    double theta = atan2(-a * sin(phi), d - a * cos(phi)) + acos((b * b + s * s - c * c) / (2.0 * b * s));
    double psi = atan2(a * sin(phi) + b * sin(theta), a * cos(phi) + b * cos(theta) - d);
    // rates of coupler and rocker over that of the crank
    double u = a * sin(psi - phi) / (b * sin(theta - psi)), v = a * sin(phi - theta) / (c * sin(psi - theta));
    four_bar out = { .rocker = psi, .spring = k * (s - rest) };
    out.potential = gravity * (m1 * a / 2.0 * sin(phi) + m2 * (a * sin(phi) + b / 2.0 * sin(theta)) +
                               m3 * c / 2.0 * sin(psi)) +
                    0.5 * k * (s - rest) * (s - rest);
    out.slope = gravity * (m1 * a / 2.0 * cos(phi) + m2 * (a * cos(phi) + b / 2.0 * cos(theta) * u) +
                           m3 * c / 2.0 * cos(psi) * v) +
                k * (s - rest) * a * d * sin(phi) / s;
    out.mass = m1 * a * a / 3.0 + m2 * (a * a + b * b * u * u / 3.0 + a * b * u * cos(phi - theta)) +
               m3 * c * c * v * v / 3.0;
    return out;
}

static double four_bar_rest(void)
{
    double low = 40.0 * run_pi / 180.0, high = 110.0 * run_pi / 180.0;
    assert_true(four_bar_at(low).slope < 0.0 && four_bar_at(high).slope > 0.0);
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        *(four_bar_at(middle).slope < 0.0 ? &low : &high) = middle;
    }
    return low;
}

static void test_four_bar_spring_comes_to_rest_where_its_energy_is_least(void **state)
{
    (void)state;
    double phi = four_bar_rest();
    four_bar at = four_bar_at(phi);
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){ .model = "four-bar-spring", .coordinates = both[k] });
        bi_balance balance = { 0 };
        bi_status status = bi_equilibrium(run.sim, &balance, &run.report);
        run_require(status == BI_OK, &run.report, "no equilibrium");
        assert_int_equal(balance.unstable, 0);
        double error = larger(fabs(run_read(&run, "crank.angle") - phi),
                              fabs(run_read(&run, "rocker.angle") - at.rocker));
        error = larger(error, fabs(run_read(&run, "spring") - at.spring) / 20.0);
        run_close(&run);
        run_expect(label("four-bar-spring equilibrium", both[k]), error, 1e-9);
    }
}

static void test_four_bar_spring_swings_with_the_frequency_of_its_energy(void **state)
{
    (void)state;
    double phi = four_bar_rest(), step = 1e-4;
    double stiffness = (four_bar_at(phi + step).slope - four_bar_at(phi - step).slope) / (2.0 * step);
    double omega = sqrt(stiffness / four_bar_at(phi).mass);
    char start[32];
    snprintf(start, sizeof start, "%.17g", (phi + 1e-3) * 180.0 / run_pi);
    const bi_setting settings[] = { { "phi0", start } };
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){ .model = "four-bar-spring",
                                              .settings = settings,
                                              .n_settings = 1,
                                              .dt = 5e-4,
                                              .coordinates = both[k] });
        // at rest at the start and after each half period
        const int halves = 12;
        double last = 0.0, found = 0.0;
        for (int n = 0; n < halves;) {
            run_step(&run);
            double rate = run_read(&run, "crank.rate");
            assert_true(run_now(&run) < 3.0);
            if (last * rate < 0.0) {
                n++;
                found = run_now(&run) - run.dt * rate / (rate - last);
            }
            last = rate;
        }
        run_close(&run);
        double measured = halves * run_pi / found;
        printf("measured four-bar-spring omega=%.8g wanted=%.8g rad/s\n", measured, omega);
        run_expect(label("four-bar-spring frequency", both[k]), fabs(measured / omega - 1.0), 5e-5);
    }
}

// The whole motion has the first integral mass phi'^2/2 + potential = its start.
static double four_bar_integral_error(bi_coordinates coordinates, double dt)
{
    run_model run = run_open(&(run_case){ .model = "four-bar-spring", .dt = dt, .coordinates = coordinates });
    double start = four_bar_at(75.0 * run_pi / 180.0).potential, worst = 0.0;
    for (int k = 1; k <= 100; k++) {
        run_to(&run, 0.01 * k);
        four_bar at = four_bar_at(run_read(&run, "crank.angle"));
        double rate = run_read(&run, "crank.rate");
        worst = larger(worst, fabs(0.5 * at.mass * rate * rate + at.potential - start));
    }
    run_close(&run);
    return worst / 0.2; // the kinetic energy reaches 0.2 J
}

static void test_four_bar_spring_keeps_its_energy_with_order_two(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double coarse = four_bar_integral_error(both[k], 1e-3);
        double fine = four_bar_integral_error(both[k], 5e-4);
        run_expect(label("four-bar-spring energy 1ms", both[k]), coarse, 2e-4);
        run_expect_order_two(label("four-bar-spring energy order", both[k]), coarse, fine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_pendulum_keeps_its_energy_with_order_two),
        cmocka_unit_test(test_double_pendulum_swings_in_its_two_modes),
        cmocka_unit_test(test_scotch_yoke_moves_as_a_cosine_and_its_torque_follows),
        cmocka_unit_test(test_cardan_shaft_output_speed_has_its_closed_form),
        cmocka_unit_test(test_four_bar_spring_comes_to_rest_where_its_energy_is_least),
        cmocka_unit_test(test_four_bar_spring_swings_with_the_frequency_of_its_energy),
        cmocka_unit_test(test_four_bar_spring_keeps_its_energy_with_order_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
