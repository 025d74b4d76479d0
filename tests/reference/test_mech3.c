// SPDX-License-Identifier: MIT
// Everyday mechanisms against their closed forms, in both formulations: windshield wiper, gear train, screw jack, cam
// with flat follower, pulley. The closed forms are written here with the default parameters of the models.
#include "support/run_model.h"

static const bi_coordinates formulation[] = { BI_NATURAL, BI_JOINT };
static const char *const formulation_name[] = { "natural", "joint" };
static const double g = 9.81;

// ---- what was seen of one quantity over a run -----------------------------------------------------------------------

typedef struct {
    double worst, scale;
} seen;

static void see(seen *s, double got, double wanted)
{
    double error = fabs(got - wanted);
    // written so that a result that is not a number counts as the largest error
    s->worst = error <= s->worst ? s->worst : error;
    s->scale = fmax(s->scale, fabs(wanted));
}

static void judge(const char *what, int k, seen s, double limit)
{
    char name[96];
    snprintf(name, sizeof name, "%s %s", what, formulation_name[k]);
    run_expect(name, s.worst / s.scale, limit);
}

static run_model open_in(const char *model, int k)
{
    return run_open(&(run_case){ .model = model, .coordinates = formulation[k] });
}

// ---- wiper ----------------------------------------------------------------------------------------------------------

static const double wiper_r = 0.04, wiper_l = 0.29, wiper_q = 0.07, wiper_d = 0.3, wiper_w = 0.5;
static const double wiper_speed = 1.5 * 3.14159265358979323846; // 45 rpm

// Angle of the arm: the triangle of the crank's tip and the ends of the rocker closes above the line of the pins.
static double wiper_arm(double phi)
{
    double x = wiper_r * cos(phi) - wiper_d, y = wiper_r * sin(phi), s = hypot(x, y);
    double back = atan2(y, x) < 0.0 ? atan2(y, x) + 2.0 * run_pi : atan2(y, x);
    return back - acos((s * s + wiper_q * wiper_q - wiper_l * wiper_l) / (2.0 * s * wiper_q));
}

static double wiper_rod(double phi)
{
    double theta = wiper_arm(phi);
    return atan2(wiper_q * sin(theta) - wiper_r * sin(phi),
                 wiper_d + wiper_q * cos(theta) - wiper_r * cos(phi));
}

// Derivative by central differences of fourth order: h^4/30 of the fifth derivative, about 1e-11.
static double slope(double (*f)(double), double x)
{
    const double h = 2e-3;
    return (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h);
}

static double rod_x(double phi) { return wiper_r * cos(phi) + 0.5 * wiper_l * cos(wiper_rod(phi)); }
static double rod_y(double phi) { return wiper_r * sin(phi) + 0.5 * wiper_l * sin(wiper_rod(phi)); }

static double wiper_energy(double phi)
{
    const double m1 = 0.1, m2 = 0.2, m3 = 0.4;
    double vx = slope(rod_x, phi), vy = slope(rod_y, phi), turn = slope(wiper_rod, phi);
    double arm = slope(wiper_arm, phi);
    double kinetic = 0.5 * m2 * (vx * vx + vy * vy + wiper_l * wiper_l / 12.0 * turn * turn) +
                     0.5 * m3 * wiper_w * wiper_w / 3.0 * arm * arm + m1 * wiper_r * wiper_r / 6.0;
    double height =
        0.5 * m1 * wiper_r * sin(phi) + m2 * rod_y(phi) + 0.5 * m3 * wiper_w * sin(wiper_arm(phi));
    return wiper_speed * wiper_speed * kinetic + g * height;
}

static void test_wiper_arm_and_motor_follow_the_closed_form(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_model run = open_in("wiper", k);
        seen angle = { 0 }, rate = { 0 }, torque = { 0 };
        for (int i = 0; i <= 200; i++) {
            run_to(&run, 0.01 * i);
            double phi = wiper_speed * 0.01 * i, arm = slope(wiper_arm, phi);
            see(&angle, run_read(&run, "arm.angle"), wiper_arm(phi));
            see(&rate, run_read(&run, "arm.rate"), wiper_speed * arm);
            // power of the motor = growth of the energy + what the glass takes
            see(&torque, run_read(&run, "motor"), slope(wiper_energy, phi) + 0.2 * wiper_speed * arm * arm);
        }
        run_close(&run);
        judge("wiper angle", k, angle, 1e-11);
        judge("wiper rate", k, rate, 1e-8);
        judge("wiper motor", k, torque, 1e-6);
    }
}

// The arm turns back where crank and rod are in line: two triangles with the sides d, q and l + r or l - r.
static void test_wiper_sweep_and_time_ratio_are_those_of_the_dead_centres(void **state)
{
    (void)state;
    double out = wiper_l + wiper_r, in = wiper_l - wiper_r, d = wiper_d, q = wiper_q;
    double sweep =
        acos((d * d + q * q - out * out) / (2.0 * d * q)) - acos((d * d + q * q - in * in) / (2.0 * d * q));
    double turn = run_pi + acos((d * d + in * in - q * q) / (2.0 * d * in)) -
                  acos((d * d + out * out - q * q) / (2.0 * d * out));
    for (int k = 0; k < 2; k++) {
        run_model run = open_in("wiper", k);
        double low = 10.0, high = -10.0, before = run_read(&run, "arm.rate"), crossing[2] = { 0 };
        int count = 0;
        while (count < 2) {
            run_step(&run);
            double now = run_read(&run, "arm.rate"), angle = run_read(&run, "arm.angle");
            low = fmin(low, angle);
            high = fmax(high, angle);
            if (now * before < 0.0) {
                crossing[count++] = run_now(&run) - run.dt * now / (now - before);
            }
            before = now;
            assert_true(run_now(&run) < 3.0);
        }
        run_close(&run);
        // the crank's turn from the lowest angle of the arm to the highest
        double got = wiper_speed * (crossing[1] - crossing[0]);
        seen swept = { 0 }, ratio = { 0 };
        see(&swept, high - low, sweep);
        see(&ratio, got / (2.0 * run_pi - got), turn / (2.0 * run_pi - turn));
        // samples beside the dead centre: at most (speed dt / 2)^2 / 2 of the angle's second derivative, 1e-6 each
        judge("wiper sweep", k, swept, 1e-5);
        judge("wiper time ratio", k, ratio, 1e-5);
    }
}

// ---- gear train -----------------------------------------------------------------------------------------------------

static void test_gear_train_speeds_up_with_the_reflected_inertia(void **state)
{
    (void)state;
    const double T = 0.6, load = 0.6, J1 = 0.002, J2 = 0.012, J3 = 0.09, n2 = 40.0 / 20.0, n3 = 60.0 / 20.0;
    const double a = (T - load / n3) / (J1 + J2 / (n2 * n2) + J3 / (n3 * n3));
    // constant accelerations are exact in both; natural coordinates stop their iterations at 1e-3 of a correction
    const double limit[] = { 1e-6, 1e-10 };
    for (int k = 0; k < 2; k++) {
        run_model run = open_in("gear-train", k);
        seen angle = { 0 }, rate = { 0 }, last = { 0 }, mesh1 = { 0 }, mesh2 = { 0 };
        for (int i = 0; i <= 20; i++) {
            double t = 0.1 * i;
            run_to(&run, t);
            see(&angle, run_read(&run, "first.angle"), 0.5 * a * t * t);
            see(&rate, run_read(&run, "first.rate"), a * t);
            see(&last, run_read(&run, "last.angle") * n3, run_read(&run, "first.angle"));
            // torque of a mesh on its second gear
            see(&mesh1, run_read(&run, "mesh1"), -(T - J1 * a) * n2);
            see(&mesh2, run_read(&run, "mesh2"), J3 * a / n3 + load);
        }
        run_close(&run);
        judge("gear-train angle", k, angle, limit[k]);
        judge("gear-train rate", k, rate, limit[k]);
        judge("gear-train ratio", k, last, 1e-12);
        judge("gear-train first mesh", k, mesh1, 1e-8);
        judge("gear-train second mesh", k, mesh2, 1e-8);
    }
}

// ---- screw jack -----------------------------------------------------------------------------------------------------

static void test_screw_jack_lifts_with_the_torque_of_virtual_work_then_falls(void **state)
{
    (void)state;
    const double p = 0.006, m = 200.0, ms = 5.0, J = 0.05, speed = 2.0 * run_pi, release = 0.2;
    const double lead = p / (2.0 * run_pi), weight = (m + ms) * g;
    const double fall = weight / (m + ms + J / (lead * lead));
    const double limit[] = { 1e-6, 1e-9 };
    for (int k = 0; k < 2; k++) {
        run_model run = open_in("screw-jack", k);
        seen torque = { 0 }, position = { 0 }, rate = { 0 }, bearing = { 0 }, thread = { 0 }, fallen = { 0 };
        for (int i = 0; i < 20; i++) {
            run_to(&run, 0.01 * i);
            see(&torque, run_read(&run, "drive"), weight * lead);
            see(&position, run_read(&run, "load.position"), speed * lead * 0.01 * i);
            see(&bearing, run_read(&run, "bearing.fz"), m * g);
        }
        for (int i = 21; i <= 100; i++) {
            double t = 0.01 * i, free = t - release;
            run_to(&run, t);
            see(&fallen, speed * lead * t - run_read(&run, "load.position"), 0.5 * fall * free * free);
            see(&rate, speed * lead - run_read(&run, "load.rate"), fall * free);
            see(&bearing, run_read(&run, "bearing.fz"), m * (g - fall));
            see(&thread, run_read(&run, "screw.angle") * lead, run_read(&run, "load.position"));
            assert_true(run_read(&run, "drive") == 0.0);
        }
        run_close(&run);
        judge("screw-jack torque", k, torque, 1e-9);
        judge("screw-jack lift", k, position, 1e-9);
        judge("screw-jack fall", k, fallen, limit[k]);
        judge("screw-jack rate of the fall", k, rate, limit[k]);
        judge("screw-jack bearing", k, bearing, 1e-8);
        judge("screw-jack thread", k, thread, 1e-11);
    }
}

// ---- cam and follower -----------------------------------------------------------------------------------------------

static void test_cam_follower_moves_as_drawn_and_stays_on_the_cam(void **state)
{
    (void)state;
    const double R = 0.03, lift = 0.01, m = 0.3, stiffness = 2000.0, preload = 40.0, w = 10.0 * run_pi;
    for (int k = 0; k < 2; k++) {
        run_model run = open_in("cam-follower", k);
        seen position = { 0 }, rate = { 0 }, force = { 0 }, torque = { 0 };
        for (int i = 0; i <= 300; i++) {
            double t = 2e-3 * i, c = cos(w * t), s = sin(w * t);
            run_to(&run, t);
            // lift (1 - cos)^2 / 4 and its derivatives after the cam's angle
            double h = 0.25 * lift * (1.0 - c) * (1.0 - c), h1 = 0.5 * lift * (1.0 - c) * s;
            double h2 = 0.5 * lift * (s * s + c - c * c);
            double N = m * (h2 * w * w + g) + preload + stiffness * h;
            see(&position, run_read(&run, "follower.position"), R + h);
            see(&rate, run_read(&run, "follower.rate"), w * h1);
            see(&force, run_read(&run, "contact"), N);
            see(&torque, run_read(&run, "motor"), N * h1);
            assert_true(run_read(&run, "contact") > 0.0);
        }
        run_close(&run);
        // the spline through 180 points, x = 2 deg apart: x^4/384 of a fourth derivative near 2.5 lift for the position,
        // x^3/24 for the rate, x^2/12 for the acceleration, which is 3 N of the 60 N
        judge("cam-follower position", k, position, 1e-8);
        judge("cam-follower rate", k, rate, 1e-5);
        judge("cam-follower contact", k, force, 1e-4);
        judge("cam-follower motor", k, torque, 1e-4);
    }
}

// ---- pulley ---------------------------------------------------------------------------------------------------------

static void test_pulley_weights_fall_and_rise_as_atwood_says(void **state)
{
    (void)state;
    const double m1 = 3.0, m2 = 2.0, r = 0.1, J = 0.01;
    const double a = (m1 - m2) * g / (m1 + m2 + J / (r * r));
    const double limit[] = { 1e-6, 1e-10 };
    for (int k = 0; k < 2; k++) {
        run_model run = open_in("pulley", k);
        seen left = { 0 }, right = { 0 }, rate = { 0 }, turn = { 0 }, rope1 = { 0 }, rope2 = { 0 };
        for (int i = 0; i <= 20; i++) {
            double t = 0.05 * i;
            run_to(&run, t);
            see(&left, run_read(&run, "left.position"), -0.5 * a * t * t);
            see(&right, run_read(&run, "right.position"), 0.5 * a * t * t);
            see(&rate, run_read(&run, "right.rate"), a * t);
            see(&turn, run_read(&run, "pulley.angle"), 0.5 * a * t * t / r);
            see(&rope1, run_read(&run, "rope1"), m1 * (g - a));
            see(&rope2, run_read(&run, "rope2"), m2 * (g + a));
        }
        run_close(&run);
        judge("pulley left", k, left, limit[k]);
        judge("pulley right", k, right, limit[k]);
        judge("pulley rate", k, rate, limit[k]);
        judge("pulley angle", k, turn, limit[k]);
        judge("pulley left rope", k, rope1, 1e-8);
        judge("pulley right rope", k, rope2, 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wiper_arm_and_motor_follow_the_closed_form),
        cmocka_unit_test(test_wiper_sweep_and_time_ratio_are_those_of_the_dead_centres),
        cmocka_unit_test(test_gear_train_speeds_up_with_the_reflected_inertia),
        cmocka_unit_test(test_screw_jack_lifts_with_the_torque_of_virtual_work_then_falls),
        cmocka_unit_test(test_cam_follower_moves_as_drawn_and_stays_on_the_cam),
        cmocka_unit_test(test_pulley_weights_fall_and_rise_as_atwood_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
