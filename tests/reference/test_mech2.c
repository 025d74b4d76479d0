// SPDX-License-Identifier: MIT
// Crane, scissor lift and excavator against their closed forms, in natural and in joint coordinates.
#include "support/run_model.h"

static const double g = 9.81;
static const bi_coordinates both[] = { BI_NATURAL, BI_JOINT };
static const char *const label[] = { "natural", "joint" };

static double larger(double a, double b) { return b <= a ? a : b; }

static void expect(const char *what, int k, double error, double limit)
{
    char name[96];
    snprintf(name, sizeof name, "%s %s", what, label[k]);
    run_expect(name, error, limit);
}

// From 0 to 1 in the time T, with the acceleration of one sine wave; value, rate and acceleration.
static void blend(double t, double T, double out[3])
{
    double s = fmax(0.0, fmin(t / T, 1.0)), w = 2.0 * run_pi / T;
    out[0] = s - sin(2.0 * run_pi * s) / (2.0 * run_pi);
    out[1] = (1.0 - cos(2.0 * run_pi * s)) / T;
    out[2] = w / T * sin(2.0 * run_pi * s);
}

// ---- crane ------------------------------------------------------------------------------------------------------

// Linear sway u of the load behind a trolley that moves by D in T: u'' + w^2 u = -a(t), free after T.
static double linear_sway(double D, double T, double L, double t)
{
    double w = sqrt(g / L), v = 2.0 * run_pi / T, A = 2.0 * run_pi * D / (T * T), c = -A / (w * w - v * v);
    if (t <= T) {
        return c * (sin(v * t) - v / w * sin(w * t));
    }
    double u = -c * v / w * sin(w * T), rate = c * v * (1.0 - cos(w * T));
    return u * cos(w * (t - T)) + rate / w * sin(w * (t - T));
}

static void test_crane_small_move_follows_the_linear_sway(void **state)
{
    (void)state;
    const bi_setting small = { "D", "0.004" };
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(
            &(run_case){ .model = "crane", .settings = &small, .n_settings = 1, .coordinates = both[k] });
        double error = 0.0, most = 0.0;
        for (int i = 1; i <= 200; i++) {
            double t = 0.05 * i, wanted = linear_sway(0.004, 4.0, 5.0, t);
            run_to(&run, t);
            error = larger(error, fabs(run_read(&run, "sway.x") - wanted));
            most = fmax(most, fabs(wanted));
        }
        // step: (w h)^2/12 of the phase w t = 14 rad gives 1e-5; the angle of 1e-3 rad adds less
        expect("crane linear sway", k, error / most, 3e-5);
        run_close(&run);
    }
}

static void test_crane_forces_are_those_of_newton(void **state)
{
    (void)state;
    const double L = 5.0, m = 1000.0, mt = 200.0, D = 4.0, T = 4.0;
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){ .model = "crane", .coordinates = both[k] });
        double rope = 0.0, drive = 0.0;
        for (int i = 1; i <= 100; i++) {
            double s[3];
            run_to(&run, 0.1 * i);
            blend(0.1 * i, T, s);
            double x = run_read(&run, "sway.x") / L, y = run_read(&run, "sway.y") / L;
            double vx = run_read(&run, "sway.vx"), vy = run_read(&run, "sway.vy"), a = D * s[2];
            // along the rope: m (v^2/L) = N + m g y - m a x with (x, y) the direction to the load
            double N = m * ((vx * vx + vy * vy) / L - g * y - a * x);
            rope = larger(rope,
                          fabs(run_read(&run, "rope.fx") + N * x) + fabs(run_read(&run, "rope.fy") + N * y));
            drive = larger(drive, fabs(run_read(&run, "drive") - (mt * a - N * x)));
        }
        expect("crane rope", k, rope / (m * g), 1e-8);
        expect("crane drive", k, drive / (m * g), 1e-8);
        run_close(&run);
    }
}

// Period of a pendulum of amplitude q by the arithmetic-geometric mean.
static double period(double L, double q)
{
    double a = 1.0, b = cos(0.5 * q);
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * run_pi * sqrt(L / g) / a;
}

static void test_crane_free_swing_has_the_elliptic_period(void **state)
{
    (void)state;
    const double L = 5.0, m = 1000.0;
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){ .model = "crane", .coordinates = both[k], .time = 20.0 });
        run_to(&run, 4.0);
        double energy = run_read(&run, "energy.total"), swing = energy + m * g * L, drift = 0.0;
        double amplitude = acos(1.0 - swing / (m * g * L));
        double first = 0.0, last = 0.0, before = run_read(&run, "sway.x"), rate = run_read(&run, "sway.vx");
        int crossings = 0;
        while (run_now(&run) < 20.0 - 0.5 * run.dt) {
            run_step(&run);
            double now = run_read(&run, "sway.x"), now_rate = run_read(&run, "sway.vx");
            drift = larger(drift, fabs(run_read(&run, "energy.total") - energy));
            if (before < 0.0 && now >= 0.0) {
                // at the crossing the rate is stationary: a straight line is enough
                last = run_now(&run) - now / (0.5 * (rate + now_rate));
                first = crossings ? first : last;
                crossings++;
            }
            before = now;
            rate = now_rate;
        }
        assert_true(crossings >= 3);
        assert_true(amplitude > 0.3);
        double wanted = period(L, amplitude);
        expect("crane energy", k, drift / swing, 1e-5);
        expect("crane period", k, fabs((last - first) / (crossings - 1) - wanted) / wanted, 1e-5);
        // the series to the second term shows that the amplitude counts: 1 + q^2/16 + 11 q^4/3072
        double q2 = amplitude * amplitude, series = 1.0 + q2 / 16.0 + 11.0 * q2 * q2 / 3072.0;
        expect("crane series", k, fabs(wanted / (2.0 * run_pi * sqrt(L / g)) - series), 1e-4);
        run_close(&run);
    }
}

static void test_crane_move_of_two_periods_leaves_no_sway(void **state)
{
    (void)state;
    const bi_setting settings[] = { { "T", "4*pi*sqrt(L/g)" }, { "D", "0.1" } };
    const double T = 4.0 * run_pi * sqrt(5.0 / g);
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(
            &(run_case){ .model = "crane", .settings = settings, .n_settings = 2, .coordinates = both[k] });
        double during = 0.0, after = 0.0;
        for (int i = 1; i <= 200; i++) {
            run_to(&run, 0.1 * i);
            double u = fabs(run_read(&run, "sway.x"));
            during = 0.1 * i < T ? larger(during, u) : during;
            after = 0.1 * i >= T ? larger(after, u) : after;
        }
        expect("crane no sway", k, after / during, 1e-4);
        run_close(&run);
    }
}

// ---- scissor lift -----------------------------------------------------------------------------------------------

// One degree of freedom x, the distance of the feet: M x'' + M' x'^2/2 + V' is the force of the actuator.
static double lift_force(int n, double x, double v, double a)
{
    const double L = 2.0, mb = 12.0, mp = 300.0, ms = 5.0, N = n;
    double h2 = L * L - x * x, h = sqrt(h2);
    double up = 2.0 * mb * N * (4.0 * N * N - 1.0) / 12.0 + (mp + ms) * N * N, turn = N * mb * L * L / 6.0;
    double M = 2.0 * ms + 0.5 * N * mb + up * x * x / h2 + turn / h2;
    double dM = 2.0 * x * (up * L * L + turn) / (h2 * h2);
    double weight = g * ((mp + ms) * N + mb * N * N); // of dV = weight dh
    return M * a + 0.5 * dM * v * v - weight * x / h;
}

// start_limit: of the force at t = 0, which is iterated from nothing and converges slower the more stages there are
static void check_lift(const char *stages, int n, double start_limit)
{
    const double L = 2.0, x0 = L * cos(run_pi / 9.0), x1 = L * cos(55.0 * run_pi / 180.0);
    const bi_setting setting = { "n", stages };
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){
            .model = "scissor-lift", .settings = &setting, .n_settings = 1, .coordinates = both[k] });
        double height = 0.0, level = 0.0, force = 0.0, rest = 0.0;
        double start = fabs(run_read(&run, "actuator") / lift_force(n, x0, 0.0, 0.0) - 1.0);
        for (int i = 1; i <= 160; i++) {
            double t = 0.05 * i, s[3];
            run_to(&run, t);
            blend(t, 6.0, s);
            double x = x0 + (x1 - x0) * s[0], wanted = lift_force(n, x, (x1 - x0) * s[1], (x1 - x0) * s[2]);
            height = larger(height, fabs(run_read(&run, "platform.y") - n * sqrt(L * L - x * x)));
            level = larger(level, fabs(run_read(&run, "platform.x")) + fabs(run_read(&run, "platform.qz")));
            double error = fabs(run_read(&run, "actuator") / wanted - 1.0);
            force = larger(force, error);
            rest = t > 6.1 ? larger(rest, error) : rest;
        }
        char name[64];
        snprintf(name, sizeof name, "lift n=%d height", n);
        expect(name, k, height, 1e-10);
        expect("lift level", k, level, 1e-10);
        expect("lift force at the start", k, start, start_limit);
        expect("lift force at rest", k, rest, 1e-8);
        expect("lift force", k, force, 1e-7);
        run_close(&run);
    }
}

static void test_scissor_lift_height_and_force(void **state)
{
    (void)state;
    check_lift("1", 1, 1e-9);
    check_lift("3", 3, 1e-6);
    check_lift("6", 6, 1e-6);
}

// ---- excavator --------------------------------------------------------------------------------------------------

// A pin with its cylinder: fixed end a and moved end b from the pin, on which side the cylinder is.
typedef struct {
    double ax, ay, bx, by, side;
    double length[2]; // at the start and at the end
} cylinder;

static const cylinder digger[3] = {
    { 0.7, -0.6, 2.6, 0.5, 1.0, { 2.3, 3.0 } },
    { -2.7, 0.9, -0.6, 0.3, -1.0, { 2.6, 3.2 } },
    { 0.7 - 2.9, 0.5, -0.15, 0.4, -1.0, { 2.1, 2.55 } },
};

// Angle of the pin by the law of cosines, and how the length changes with the angle.
static double pin_angle(const cylinder *c, double length, double *slope)
{
    double a = hypot(c->ax, c->ay), b = hypot(c->bx, c->by);
    double angle = acos((a * a + b * b - length * length) / (2.0 * a * b));
    *slope = c->side * a * b * sin(angle) / length;
    return atan2(c->ay, c->ax) - atan2(c->by, c->bx) + c->side * angle;
}

// Forces at rest: each cylinder lifts, about its pin, the weights beyond it.
static void digger_at_rest(const double q[3], const double slope[3], double force[3])
{
    const double reach[3] = { 5.7, 2.9, 0.0 }, mass[3] = { 1900.0, 900.0, 1500.0 };
    const double com[3][2] = { { 0.45 * 5.7, 0.4 }, { 0.35 * 2.9, 0.1 }, { 0.6, 0.4 } };
    double pin[3], centre[3], x = 0.0, turn = 0.0;
    for (int k = 0; k < 3; k++) {
        turn += q[k];
        pin[k] = x;
        centre[k] = x + com[k][0] * cos(turn) - com[k][1] * sin(turn);
        x += reach[k] * cos(turn);
    }
    for (int k = 0; k < 3; k++) {
        double moment = 0.0;
        for (int j = k; j < 3; j++) {
            moment += mass[j] * g * (centre[j] - pin[k]);
        }
        force[k] = moment / slope[k];
    }
}

static void test_excavator_angles_and_forces(void **state)
{
    (void)state;
    static const char *const angle[] = { "boom.angle", "stick.angle", "bucket.angle" };
    static const char *const rate[] = { "boom.rate", "stick.rate", "bucket.rate" };
    static const char *const effort[] = { "boom-force", "stick-force", "bucket-force" };
    const double T = 3.0;
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){ .model = "excavator", .coordinates = both[k] });
        double angles = 0.0, rates = 0.0, forces = 0.0;
        for (int i = 0; i <= 160; i++) {
            double t = 0.05 * i, dig[3], lift[3], q[3], slope[3], wanted[3];
            run_to(&run, t);
            blend(t, T, dig);
            blend(t - T, T, lift);
            for (int c = 0; c < 3; c++) {
                const double *s = c == 0 ? lift : dig;
                double stroke = digger[c].length[1] - digger[c].length[0];
                q[c] = pin_angle(&digger[c], digger[c].length[0] + stroke * s[0], &slope[c]);
                angles = larger(angles, fabs(run_read(&run, angle[c]) - q[c]));
                rates = larger(rates, fabs(run_read(&run, rate[c]) - stroke * s[1] / slope[c]));
            }
            // at rest: before the first move and after the last one
            if (i == 0 || t > 2.0 * T + 0.1) {
                digger_at_rest(q, slope, wanted);
                for (int c = 0; c < 3; c++) {
                    forces = larger(forces, fabs(run_read(&run, effort[c]) / wanted[c] - 1.0));
                }
            }
        }
        expect("excavator angles", k, angles, 1e-10);
        expect("excavator rates", k, rates, 1e-9);
        expect("excavator forces at rest", k, forces, 1e-8);
        run_close(&run);
    }
}

// During the moves the cylinders' power is all that changes the energy: its integral by Simpson's rule.
static void test_excavator_cylinders_do_the_work(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_model run = run_open(&(run_case){ .model = "excavator", .coordinates = both[k] });
        double start = run_read(&run, "energy.total"), work = 0.0;
        const int n = 1200;
        for (int i = 0; i <= n; i++) {
            run_to(&run, 6.0 * i / n);
            double power = run_read(&run, "boom-force") * run_read(&run, "boom-length.rate") +
                           run_read(&run, "stick-force") * run_read(&run, "stick-length.rate") +
                           run_read(&run, "bucket-force") * run_read(&run, "bucket-length.rate");
            work += power * 6.0 / n / 3.0 * (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0);
        }
        double gained = run_read(&run, "energy.total") - start;
        assert_true(gained > 5e4);
        expect("excavator work", k, fabs(work - gained) / gained, 1e-8);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crane_small_move_follows_the_linear_sway),
        cmocka_unit_test(test_crane_forces_are_those_of_newton),
        cmocka_unit_test(test_crane_free_swing_has_the_elliptic_period),
        cmocka_unit_test(test_crane_move_of_two_periods_leaves_no_sway),
        cmocka_unit_test(test_scissor_lift_height_and_force),
        cmocka_unit_test(test_excavator_angles_and_forces),
        cmocka_unit_test(test_excavator_cylinders_do_the_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
