// SPDX-License-Identifier: MIT
// Slider-crank guided at constant speed: the kinematics are known, so Newton and Euler give every reaction.
#include "support/run_model.h"

// Data of models/slider-crank.
static const double r = 0.1, l = 0.3, m1 = 1.2, m2 = 0.9, m3 = 0.6, g = 9.81, speed = 10.0;

typedef struct {
    double phi, x, x_rate; // crank angle, slider
    double Ax, Ay, Bx, By, Cx, Cy,
        N;        // forces of the pins on crank, rod and slider; of the guide way on the slider
    double motor; // torque on the crank
} closed_form;

static closed_form solve(double t)
{
    // positions, with psi the angle of the connecting rod: r sin(phi) + l sin(psi) = 0
    double phi = run_pi / 6.0 + speed * t;
    double psi = -asin(r * sin(phi) / l);
    double c = cos(phi), s = sin(phi), cp = cos(psi), sp = sin(psi);

    // its rates, by differentiating that twice
    double rate = -speed * r * c / (l * cp);
    double acceleration = (speed * speed * r * s + rate * rate * l * sp) / (l * cp);

    // accelerations of the mass centres and of the slider
    double w2 = speed * speed * r, tangent = acceleration * l, centre = rate * rate * l;
    double a1x = -0.5 * w2 * c, a1y = -0.5 * w2 * s;
    double a2x = -w2 * c + 0.5 * (-tangent * sp - centre * cp);
    double a2y = -w2 * s + 0.5 * (tangent * cp - centre * sp);
    double a3x = -w2 * c - tangent * sp - centre * cp;

    closed_form f = { .phi = phi, .x = r * c + l * cp, .x_rate = -speed * r * s - rate * l * sp };
    // slider along x
    f.Cx = m3 * a3x;
    // moments about the centre of the rod, with B = m2 (a2 - g) + C:  d x (m2 (a2 - g) + 2 C) = -I psi''
    double dx = 0.5 * l * cp, dy = 0.5 * l * sp, inertia = m2 * l * l / 12.0;
    double px = m2 * a2x, py = m2 * (a2y + g);
    f.Cy = (-inertia * acceleration - (dx * py - dy * px) + 2.0 * dy * f.Cx) / (2.0 * dx);
    f.N = m3 * g - f.Cy;
    f.Bx = px + f.Cx;
    f.By = py + f.Cy;
    // crank: forces, and moments about its fixed pin
    f.Ax = f.Bx + m1 * a1x;
    f.Ay = f.By + m1 * (a1y + g);
    f.motor = r * (c * f.By - s * f.Bx) + m1 * g * 0.5 * r * c;
    return f;
}

typedef struct {
    const char *channel;
    size_t value; // offset in closed_form
} pair;

// Largest difference over two seconds (three turns) at every step, against the largest value of each quantity.
static double worst_over_the_run(const pair *p, int n_pair, double dt)
{
    double scale[16] = { 0 }, error[16] = { 0 }, worst = 0.0;
    run_model run = run_open(&(run_case){ .model = "slider-crank", .dt = dt });
    while (run_now(&run) < run.time - 0.5 * run.dt) {
        run_step(&run);
        closed_form f = solve(run_now(&run));
        for (int k = 0; k < n_pair; k++) {
            double wanted;
            memcpy(&wanted, (const char *)&f + p[k].value, sizeof wanted);
            double difference = fabs(run_read(&run, p[k].channel) - wanted);
            error[k] = difference <= error[k] ? error[k] : difference;
            scale[k] = fmax(scale[k], fabs(wanted));
        }
    }
    run_close(&run);
    for (int k = 0; k < n_pair; k++) {
        printf("measured slider-crank %s dt=%.0e error=%.3e limit=1e-6\n", p[k].channel, dt,
               error[k] / scale[k]);
        worst = error[k] / scale[k] <= worst ? worst : error[k] / scale[k];
    }
    return worst;
}

static void test_slider_crank_moves_as_the_guide_says(void **state)
{
    (void)state;
    static const pair motion[] = {
        { "crank.angle", offsetof(closed_form, phi) },
        { "slider.position", offsetof(closed_form, x) },
        { "slider.rate", offsetof(closed_form, x_rate) },
    };
    run_expect("slider-crank motion", worst_over_the_run(motion, 3, 1e-3), 1e-8);
}

static const pair reaction[] = {
    { "A.fx", offsetof(closed_form, Ax) },    { "A.fy", offsetof(closed_form, Ay) },
    { "B.fx", offsetof(closed_form, Bx) },    { "B.fy", offsetof(closed_form, By) },
    { "C.fx", offsetof(closed_form, Cx) },    { "C.fy", offsetof(closed_form, Cy) },
    { "slide.fy", offsetof(closed_form, N) }, { "motor", offsetof(closed_form, motor) },
};

static void test_slider_crank_reactions_equal_newton_and_euler(void **state)
{
    (void)state;
    run_expect("slider-crank reactions", worst_over_the_run(reaction, 8, 1e-3), 1e-6);
}

static void test_slider_crank_reactions_do_not_depend_on_the_step(void **state)
{
    (void)state;
    run_expect("slider-crank reactions 10ms", worst_over_the_run(reaction, 8, 1e-2), 1e-6);
    run_expect("slider-crank reactions 0.1ms", worst_over_the_run(reaction, 8, 1e-4), 1e-6);
}

// Pins carry no moment about their axis (the motor is no part of the pin), the guide way no force along it, and its
// moment vanishes at the slider's centre. Nothing acts out of the plane.
static void test_slider_crank_joints_carry_nothing_in_their_free_directions(void **state)
{
    (void)state;
    static const char *const zero[] = { "A.mz", "B.mz", "C.mz",     "slide.fx", "slide.mz", "A.fz",
                                        "A.mx", "A.my", "B.fz",     "B.mx",     "B.my",     "C.fz",
                                        "C.mx", "C.my", "slide.fz", "slide.mx", "slide.my" };
    run_model run = run_open(&(run_case){ .model = "slider-crank" });
    double worst = 0.0;
    for (int k = 0; k < 200; k++) {
        run_to(&run, 0.01 * (k + 1));
        for (size_t z = 0; z < sizeof zero / sizeof *zero; z++) {
            double value = fabs(run_read(&run, zero[z]));
            if (!(value <= 1e-5)) {
                fail_msg("%s is %.3e at t = %.3f s, not zero", zero[z], value, run_now(&run));
            }
            worst = fmax(worst, value);
        }
    }
    // forces reach 30 N and moments 2 N m: 1e-6 relative
    run_expect("slider-crank free directions", worst, 1e-5);
    run_close(&run);
}

static void test_slider_crank_is_described_in_its_assembled_position(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "slider-crank" });
    bi_statistics statistics = bi_sim_statistics(run.sim);
    assert_true(statistics.moved <= 1e-12 && statistics.turned <= 1e-12);
    closed_form f = solve(0.0);
    assert_true(fabs(run_read(&run, "slider.position") - f.x) <= 1e-12);
    assert_true(fabs(run_read(&run, "slider.rate") - f.x_rate) <= 1e-9);
    assert_true(fabs(run_read(&run, "motor") - f.motor) <= 1e-6);
    run_close(&run);
}

static void test_slider_crank_follows_its_reference_file(void **state)
{
    (void)state;
    bi_table table = run_reference("slider-crank", "reference.csv");
    run_column column[16] = { 0 };
    int n_column = table.columns - 1;
    assert_in_range(n_column, 1, 16);
    for (int c = 0; c < n_column; c++) {
        column[c].channel = table.name[c + 1];
    }
    run_model run = run_open(&(run_case){ .model = "slider-crank" });
    run_expect("slider-crank file", run_compare(&run, &table, column, n_column), 1e-6);
    run_close(&run);
    bi_table_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider_crank_moves_as_the_guide_says),
        cmocka_unit_test(test_slider_crank_reactions_equal_newton_and_euler),
        cmocka_unit_test(test_slider_crank_reactions_do_not_depend_on_the_step),
        cmocka_unit_test(test_slider_crank_joints_carry_nothing_in_their_free_directions),
        cmocka_unit_test(test_slider_crank_is_described_in_its_assembled_position),
        cmocka_unit_test(test_slider_crank_follows_its_reference_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
