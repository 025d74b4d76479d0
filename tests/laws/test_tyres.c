// SPDX-License-Identifier: MIT
// The curves of the tyre laws against tables that an independent program computed (tests/reference/data/tyre_*.csv), in
// the bench of laws: one wheel, upright on the plane z = 0, with a motion that makes the slips of each line of a table.
#include "laws/tyre/hertz.h"
#include "laws/tyre_bench.h"
#include <biela/io.h>

static const double radius = 0.3429;

static bi_table open_table(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/reference/data/%s", BI_SOURCE_DIR, name);
    bi_report report = { 0 };
    bi_table t = { 0 };
    if (!bi_table_read(path, &t, &report)) {
        fail_msg("%s cannot be read", path);
    }
    bi_report_clear(&report);
    return t;
}

static const double *column(const bi_table *t, const char *name)
{
    int c = bi_table_column(t, name);
    if (c < 0) {
        fail_msg("no column %s", name);
    }
    return t->value[c];
}

static bi_wheel upright_wheel(bi_model *m, double stiffness)
{
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    return (bi_wheel){ .body = a, .radius = radius, .rolling_radius = radius, .stiffness = stiffness };
}

// The wheel with a load; the velocity of its tread against the ground, and its rolling speed.
static void drive(bench *b, double depth, double slip_x, double slip_y, double roll)
{
    double spin = roll / radius;
    b->at.axes[0] = mat3_identity();
    tray_put(&b->at.value[0], (vec3){ 0.0, 0.0, radius - depth });
    tray_put(&b->at.rate[0], (vec3){ slip_x + roll, slip_y, 0.0 });
    tray_put(&b->at.rate[3], (vec3){ 0.0, spin, 0.0 });
}

static void expect_relative(const char *name, double worst, double limit)
{
    printf("measured %s error=%.3e limit=%.3e\n", name, worst, limit);
    assert_true(worst <= limit);
}

static bench open_linear(double stiffness, double standstill)
{
    bi_model *m = bi_model_create("tyre");
    bi_add_tyre_linear(m, &(bi_tyre_linear_def){ .name = "t",
                                                 .wheel = upright_wheel(m, stiffness),
                                                 .carcass = { 5e5, 2000.0, 4e5, 2000.0, standstill },
                                                 .friction = 0.8,
                                                 .critical_slip = 0.2 });
    return bench_open(m, NULL, 0);
}

static void test_linear_tyre_steady_forces_equal_the_table(void **state)
{
    (void)state;
    static const double stiffness = 1e6, roll = 7.0;
    bi_table t = open_table("tyre_linear.csv");
    const double *fz = column(&t, "Fz"), *sx = column(&t, "sx"), *sy = column(&t, "sy");
    const double *fx = column(&t, "Fx"), *fy = column(&t, "Fy");
    bench b = open_linear(stiffness, 0.0);
    double worst = 0.0;
    for (int k = 0; k < t.rows; k++) {
        for (int side = -1; side <= 1; side += 2) {
            drive(&b, fz[k] / stiffness, -sx[k] * roll, -sy[k] * roll, side * roll);
            bench_eval(&b, LAW_START | LAW_EXPLICIT);
            double off =
                hypot(b.load.effort[0] - fx[k], b.load.effort[1] - fy[k]) + fabs(b.load.effort[2] - fz[k]);
            worst = off <= worst * fz[k] ? worst : off / fz[k];
        }
    }
    // the table has 12 digits; the depth of some 10 mm is known to 1e-16 of the radius
    expect_relative("tyre-linear steady", worst, 1e-11);
    bench_close(&b);
    bi_table_clear(&t);
}

// The lateral deflection alone, by the classical Runge-Kutta rule: the law gives rates, the test integrates.
static double deflect(bench *b, double time, int steps)
{
    double h = time / steps;
    for (int s = 0; s < steps; s++) {
        static const double at[4] = { 0.0, 0.5, 0.5, 1.0 }, weight[4] = { 1.0, 2.0, 2.0, 1.0 };
        double z0 = b->z_old[1], sum = 0.0;
        for (int i = 0; i < 4; i++) {
            b->z_old[1] = z0 + (i > 0 ? at[i] * h * b->dz[1] : 0.0);
            bench_eval(b, LAW_EXPLICIT);
            sum += weight[i] * b->dz[1] / 6.0;
        }
        b->z_old[1] = z0 + h * sum;
    }
    bench_eval(b, LAW_EXPLICIT);
    return b->load.effort[1];
}

static void test_linear_tyre_relaxation_equals_the_table(void **state)
{
    (void)state;
    static const double load = 10057.0, stiffness = 1e6, speed[3] = { 0.5, 2.0, 6.111 };
    static const char *const name[3] = { "Fy_v0.5", "Fy_v2.0", "Fy_v6.111" };
    bi_table t = open_table("tyre_relaxation.csv");
    const double *time = column(&t, "t");
    double worst = 0.0;
    for (int v = 0; v < 3; v++) {
        bench b = open_linear(stiffness, 0.01);
        drive(&b, load / stiffness, 0.0, -0.05 * speed[v], speed[v]);
        for (int k = 0; k < t.rows; k++) {
            double fy = k == 0 ? deflect(&b, 0.0, 1) : deflect(&b, time[k] - time[k - 1], 50);
            double wanted = column(&t, name[v])[k];
            double off = fabs(fy - wanted) / fabs(wanted);
            worst = off <= worst ? worst : off;
        }
        bench_close(&b);
    }
    // steps of 1e-4 s against times of 16 ms: (1/160)^5 per step; the table has 12 digits
    expect_relative("tyre-linear relaxation", worst, 1e-9);
    bi_table_clear(&t);
}

// ---- Pacejka 1989 --------------------------------------------------------------------------------------------------

static bench open_pacejka(double stiffness)
{
    bi_model *m = bi_model_create("tyre");
    bi_add_tyre_pacejka(m, &(bi_tyre_pacejka_def){
                               .name = "t",
                               .wheel = upright_wheel(m, stiffness),
                               .lateral = { 8, { 1.3, -53.31, 1190.0, 588.6, 2.5212, 0.0, -0.5178, 1.0 } },
                               // B = (46/5)^(1/0.6)
                               .adhesion = { 4, { 1.12, pow(46.0 / 5.0, 1.0 / 0.6), 0.625, 1.0 } } });
    return bench_open(m, NULL, 0);
}

static void test_pacejka_side_force_equals_the_table(void **state)
{
    (void)state;
    static const double load[7] = { 1000, 1500, 2000, 2550, 3000, 4000, 5000 }, speed = 10.0,
                        stiffness = 1.5e5;
    bi_table t = open_table("tyre_pacejka_fy.csv");
    const double *angle = column(&t, "alpha_deg");
    bench b = open_pacejka(stiffness);
    double worst = 0.0, per_radian = 0.0;
    for (int l = 0; l < 7; l++) {
        char name[16];
        snprintf(name, sizeof name, "Fy_Fz%.0f", load[l]);
        const double *wanted = column(&t, name);
        for (int k = 0; k < t.rows; k++) {
            drive(&b, load[l] / stiffness, 0.0, -speed * tan(angle[k] * acos(-1.0) / 180.0), speed);
            bench_eval(&b, LAW_EXPLICIT);
            double off = fabs(b.load.effort[1] - wanted[k]) / fmax(fabs(wanted[k]), 1.0);
            worst = off <= worst ? worst : off;
        }
    }
    expect_relative("tyre-pacejka side force", worst, 1e-9);
    // cornering stiffness at 2550 N and 1500 N, N/rad
    static const double at[2] = { 2550.0, 1500.0 }, slope[2] = { 33722.1, 29637.9 };
    for (int k = 0; k < 2; k++) {
        drive(&b, at[k] / stiffness, 0.0, -1e-6 * speed, speed);
        bench_eval(&b, LAW_EXPLICIT);
        per_radian = b.load.effort[1] / 1e-6;
        // published with six digits
        assert_true(fabs(per_radian - slope[k]) <= 0.06);
    }
    bench_close(&b);
    bi_table_clear(&t);
}

static void test_pacejka_adhesion_equals_the_table(void **state)
{
    (void)state;
    static const double load = 2550.0, stiffness = 1.5e5, speed = 10.0;
    bi_table t = open_table("tyre_pacejka_mux.csv");
    const double *slip = column(&t, "sigma"), *wanted = column(&t, "mu_x");
    bench b = open_pacejka(stiffness);
    double worst = 0.0;
    for (int k = 0; k < t.rows; k++) {
        // driving: the tread is faster than the ground; braking: slower
        double roll = slip[k] < 0.0 ? speed * (1.0 + slip[k]) : speed;
        double ground = slip[k] < 0.0 ? speed : speed * (1.0 - slip[k]);
        drive(&b, load / stiffness, ground - roll, 0.0, roll);
        bench_eval(&b, LAW_EXPLICIT);
        double off = fabs(b.load.effort[0] / load - wanted[k]) / fmax(fabs(wanted[k]), 1e-3);
        worst = off <= worst ? worst : off;
    }
    expect_relative("tyre-pacejka adhesion", worst, 1e-9);
    bench_close(&b);
    bi_table_clear(&t);
}

// Forces of four wheels in a standing start and a steering ramp of a whole car, by an independent program of 14 degrees
// of freedom: both slips at once, loads from 900 to 3100 N.
static void test_pacejka_forces_of_a_car_equal_its_run(void **state)
{
    (void)state;
    static const double stiffness = 1.5e5, speed = 10.0;
    bi_table t = open_table("tyre_pacejka_car.csv");
    const double *load = column(&t, "Fz"), *slip = column(&t, "slip"), *angle = column(&t, "alpha");
    bench b = open_pacejka(stiffness);
    double worst = 0.0;
    for (int k = 0; k < t.rows; k++) {
        double roll = slip[k] < 0.0 ? speed * (1.0 + slip[k]) : speed;
        double ground = slip[k] < 0.0 ? speed : speed * (1.0 - slip[k]);
        drive(&b, load[k] / stiffness, ground - roll, -ground * tan(angle[k]), roll);
        bench_eval(&b, LAW_EXPLICIT);
        double off =
            hypot(b.load.effort[0] - column(&t, "Fx")[k], b.load.effort[1] - column(&t, "Fy")[k]) / load[k];
        worst = off <= worst ? worst : off;
    }
    // the run is written with nine digits; mu is 44 per slip
    expect_relative("tyre-pacejka in a car", worst, 1e-7);
    bench_close(&b);
    bi_table_clear(&t);
}

// ---- TMeasy --------------------------------------------------------------------------------------------------------

// slope, peak, its slip, sliding, its slip at 3 kN and 6 kN
static const double along[10] = { 90e3, 3300.0, 0.11, 3100.0, 0.5, 160e3, 6200.0, 0.12, 5800.0, 0.55 };
static const double across[10] = { 75e3, 3100.0, 0.18, 3000.0, 0.6, 120e3, 5400.0, 0.2, 5300.0, 0.8 };
static const double tmeasy_load = 3000.0, tmeasy_stiffness = 2e5, tmeasy_roll = 8.0;

static bench open_tmeasy(void)
{
    bi_model *m = bi_model_create("tyre");
    bi_tyre_tmeasy_def d = { .name = "t",
                             .wheel = upright_wheel(m, tmeasy_stiffness),
                             .carcass = { 5e5, 2000.0, 4e5, 2000.0, 0.0 },
                             .nominal_load = tmeasy_load,
                             .longitudinal = { .count = 10 },
                             .lateral = { .count = 10 } };
    memcpy(d.longitudinal.value, along, sizeof along);
    memcpy(d.lateral.value, across, sizeof across);
    bi_add_tyre_tmeasy(m, &d);
    return bench_open(m, NULL, 0);
}

// Steady force in direction i for slips in both.
static double tmeasy_force(bench *b, double load, double sx, double sy, int i)
{
    drive(b, load / tmeasy_stiffness, -sx * tmeasy_roll, -sy * tmeasy_roll, tmeasy_roll);
    bench_eval(b, LAW_START | LAW_EXPLICIT);
    return b->load.effort[i];
}

static void test_tmeasy_curves_have_the_slope_peak_and_sliding_value_given(void **state)
{
    (void)state;
    bench b = open_tmeasy();
    for (int i = 0; i < 2; i++) {
        for (int l = 0; l < 2; l++) {
            const double *c = &(i == 0 ? along : across)[5 * l];
            double load = tmeasy_load * (1 + l), h = 1e-5, f[5];
            for (int k = 0; k < 5; k++) {
                static const double places[5] = { 1e-7, 0.0, 0.0, 0.0, 0.0 };
                const double at[5] = { places[0], c[2], c[2] * (1.0 + h), c[2] * (1.0 - h), 2.0 * c[4] };
                f[k] = tmeasy_force(&b, load, i == 0 ? at[k] : 0.0, i == 1 ? at[k] : 0.0, i);
            }
            // the curve bends by the slip over that of the peak: 1e-6
            assert_true(fabs(f[0] / 1e-7 - c[0]) <= 1e-5 * c[0]);
            // rounding of load and force
            assert_true(fabs(f[1] - c[1]) <= 1e-11 * c[1]);
            // flat there: both sides lower, by the square of the small step
            assert_true(f[2] <= f[1] && f[3] <= f[1] && f[1] - f[2] <= 1e-8 * c[1] &&
                        f[1] - f[3] <= 1e-8 * c[1]);
            assert_true(fabs(f[4] - c[3]) <= 1e-11 * c[3]);
        }
    }
    bench_close(&b);
}

// Both directions alike are one curve: the force lies along the slip, as large as in one direction.
static void test_tmeasy_of_equal_directions_is_isotropic(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("tyre");
    bi_tyre_tmeasy_def d = { .name = "t",
                             .wheel = upright_wheel(m, tmeasy_stiffness),
                             .carcass = { 5e5, 2000.0, 4e5, 2000.0, 0.0 },
                             .nominal_load = tmeasy_load,
                             .longitudinal = { .count = 10 } };
    memcpy(d.longitudinal.value, along, sizeof along);
    d.lateral = d.longitudinal;
    bi_add_tyre_tmeasy(m, &d);
    bench b = bench_open(m, NULL, 0);
    for (double s = 0.01; s < 1.0; s *= 1.3) {
        double alone = tmeasy_force(&b, 4000.0, s, 0.0, 0);
        double fx = tmeasy_force(&b, 4000.0, 0.6 * s, -0.8 * s, 0),
               fy = tmeasy_force(&b, 4000.0, 0.6 * s, -0.8 * s, 1);
        // rounding
        assert_true(fabs(fx - 0.6 * alone) <= 1e-10 * alone && fabs(fy + 0.8 * alone) <= 1e-10 * alone);
    }
    bench_close(&b);
}

// ---- leaning wheels ------------------------------------------------------------------------------------------------

static bench open_lean(double modulus, double outer, double radial, double axial)
{
    bi_model *m = bi_model_create("tyre");
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    bi_add_tyre_lean(m, &(bi_tyre_lean_def){ .name = "t",
                                             .wheel = { .body = a,
                                                        .radius = outer,
                                                        .section = radial,
                                                        .section_width = axial,
                                                        .stiffness = 1.2e5 },
                                             .friction = 0.8,
                                             .contact_modulus = modulus });
    return bench_open(m, NULL, 0);
}

// Sliding without rolling: the force is the limit, and the limit grows less than the load.
static void test_lean_adhesion_grows_less_than_the_load(void **state)
{
    (void)state;
    static const double stiffness = 1.2e5, nominal = 600.0, exponent = 0.85;
    bi_model *m = bi_model_create("tyre");
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    bi_add_tyre_lean(m, &(bi_tyre_lean_def){ .name = "t",
                                             .wheel = { .body = a, .radius = radius, .stiffness = stiffness },
                                             .friction = 0.8,
                                             .friction_y = 0.6,
                                             .nominal_load = nominal,
                                             .load_exponent = exponent });
    bench b = bench_open(m, NULL, 0);
    for (int k = 1; k <= 4; k++) {
        double load = 0.5 * k * nominal;
        drive(&b, load / stiffness, 3.0, 0.0, 1e-9);
        bench_eval(&b, LAW_EXPLICIT);
        // load (load/nominal)^(exponent - 1); the softening of small loads is 1 % of the nominal load
        double wanted = 0.8 * load * pow(load / nominal, exponent - 1.0);
        assert_true(fabs(-reading(&b, "fx") / wanted - 1.0) < (k == 2 ? 1e-12 : 2e-3));
        assert_true(fabs(reading(&b, "used") - 1.0) < 1e-12);
    }
    bench_close(&b);
}

// What slides loses radius: rate = wear times power, and the worn wheel touches that much later.
static void test_worn_wheel_is_smaller_by_the_work_of_sliding(void **state)
{
    (void)state;
    static const double stiffness = 1.2e5, wear = 1e-9;
    bi_model *m = bi_model_create("tyre");
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "wheel" });
    bi_add_tyre_lean(m, &(bi_tyre_lean_def){
                            .name = "t",
                            .wheel = { .body = a, .radius = radius, .stiffness = stiffness, .wear = wear },
                            .friction = 0.8 });
    bench b = bench_open(m, NULL, 0);
    assert_int_equal(b.plan.n_z, 1);
    drive(&b, 600.0 / stiffness, 3.0, 0.0, 1e-9);
    bench_eval(&b, LAW_EXPLICIT);
    assert_true(fabs(b.dz[0] / (wear * 0.8 * 600.0 * 3.0) - 1.0) < 1e-8);
    b.z_old[0] = 1e-3;
    bench_eval(&b, LAW_EXPLICIT);
    assert_true(fabs(reading(&b, "fz") - (600.0 - 1e-3 * stiffness)) < 1e-9);
    assert_true(fabs(reading(&b, "wear") - 1e-3) < 1e-15);
    // rolling freely wears nothing
    drive(&b, 600.0 / stiffness, 0.0, 0.0, 5.0);
    b.at.rate[0] = (radius - 1e-3) * b.at.rate[4];
    bench_eval(&b, LAW_EXPLICIT);
    assert_true(b.dz[0] < 1e-18);
    bench_close(&b);
}

// The front wheel of a bicycle, steered and leaning: lowest points found by brute force elsewhere.
static void test_lean_contact_points_equal_the_table(void **state)
{
    (void)state;
    static const char *const angle[6] = { "psi", "phi", "theta", NULL, "gamma", "xi" };
    static const int axis[6] = { 2, 0, 1, 1, 2, 1 };
    static const double rake = -0.3141592653589793, height = 0.34;
    bi_table t = open_table("tyre_contact_points.csv");
    bench b = open_lean(0.0, 0.35, 0.02, 0.018);
    double worst = 0.0, lean = 0.0;
    for (int k = 0; k < t.rows; k++) {
        mat3 A = mat3_identity();
        for (int i = 0; i < 6; i++) {
            A = mat3_multiply(A, turn_about(axis[i], angle[i] ? column(&t, angle[i])[k] : rake));
        }
        b.at.axes[0] = A;
        tray_put(&b.at.value[0], (vec3){ 0.0, 0.0, height });
        bench_eval(&b, LAW_EXPLICIT);
        vec3 arm = { reading(&b, "x"), reading(&b, "y"), reading(&b, "z") - height };
        vec3 own = mat3_apply_transposed(A, arm);
        const double found[4] = { own.y, hypot(own.x, own.z), arm.z, atan2(own.z, own.x) };
        static const char *const name[4] = { "s1", "r_eff", "z", "s2" };
        for (int i = 0; i < 4; i++) {
            double off = fabs(found[i] - column(&t, name[i])[k]);
            worst = off <= worst ? worst : off;
        }
        lean = fmax(lean, fabs(column(&t, "phi")[k]));
    }
    printf("measured largest lean %.3f rad\n", lean);
    expect_relative("tyre-lean contact points", worst, 1e-8);
    bench_close(&b);
    bi_table_clear(&t);
}

static void test_lean_contact_ellipse_equals_the_table(void **state)
{
    (void)state;
    static const double modulus = 7893781.279;
    bi_table t = open_table("tyre_hertz.csv");
    double worst = 0.0;
    for (int k = 0; k < t.rows; k++) {
        double load = column(&t, "P")[k], phi = column(&t, "phi")[k];
        double axial = column(&t, "a_t")[k], radial = column(&t, "b_t")[k];
        bench b = open_lean(modulus, column(&t, "r")[k], radial, axial);
        // height of the centre over the ground by the support of the torus
        double ring = column(&t, "r")[k] - radial;
        double half = sqrt(pow(radial * cos(phi), 2.0) + pow(axial * sin(phi), 2.0));
        b.at.axes[0] = turn_about(0, phi);
        tray_put(&b.at.value[0], (vec3){ 0.0, 0.0, ring * cos(phi) + half - load / 1.2e5 });
        bench_eval(&b, LAW_EXPLICIT);
        const double found[3] = { reading(&b, "semi_x"), reading(&b, "semi_y"), reading(&b, "pressure") };
        static const char *const name[3] = { "semi_long", "semi_lat", "pmax" };
        for (int i = 0; i < 3; i++) {
            double wanted = column(&t, name[i])[k], off = fabs(found[i] / wanted - 1.0);
            worst = off <= worst ? worst : off;
        }
        bench_close(&b);
    }
    // the table has ten digits
    expect_relative("tyre-lean contact ellipse", worst, 1e-8);
    bi_table_clear(&t);
}

// Traction by Carter's construction, summed over the print: friction of the whole ellipse less that of the one that sticks,
// which touches the front edge and lies inside. The sum is the part of the friction that is used.
static void test_lean_zone_that_sticks_leaves_the_force_of_the_wheel(void **state)
{
    (void)state;
    enum { N = 400 };
    double worst = 0.0;
    for (int k = 0; k < 5; k++) {
        bench b = open_lean(7893781.279, 0.35, 0.02, 0.02);
        b.at.axes[0] = turn_about(0, 0.0);
        tray_put(&b.at.value[0], (vec3){ 0.0, 0.0, 0.35 - 800.0 / 1.2e5 });
        // 1 m/s along, turning by another speed: slip of 0 to 0.1 and beyond
        tray_put(&b.at.rate[0], (vec3){ 1.0, 0.0, 0.0 });
        tray_put(&b.at.rate[3], (vec3){ 0.0, (1.0 + 0.03 * k) / 0.35, 0.0 });
        bench_eval(&b, LAW_EXPLICIT);
        double a = reading(&b, "semi_x"), c = reading(&b, "semi_y"), used = reading(&b, "used");
        double stick = reading(&b, "stick"), sum = 0.0;
        printf("measured a %g c %g used %.4f stick %.4f\n", a, c, used, stick);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                double x = a * (2.0 * (i + 0.5) / N - 1.0), y = c * (2.0 * (j + 0.5) / N - 1.0);
                double whole = 1.0 - x * x / (a * a) - y * y / (c * c), from = a - stick * a;
                double inner =
                    stick > 0.0 ? 1.0 - (pow((x - from) / a, 2.0) + pow(y / c, 2.0)) / (stick * stick) : 0.0;
                assert_true(inner <= 0.0 || whole > -1e-9);
                sum += sqrt(fmax(whole, 0.0)) - stick * sqrt(fmax(inner, 0.0));
            }
        }
        // of 2/3 pi a c, the sum of the pressure over its largest
        sum *= 4.0 / ((double)N * N) / (2.0 / 3.0 * 3.141592653589793);
        double off = fabs(sum - fmin(used, 1.0));
        worst = off <= worst ? worst : off;
        bench_close(&b);
    }
    // squares of 1/400 of the print
    expect_relative("tyre-lean zone that sticks", worst, 1e-3);
}

static void test_elliptic_integrals_have_known_values(void **state)
{
    (void)state;
    double K, E;
    // Abramowitz and Stegun, tables 17.1 and 17.2, m = 0.5; Legendre's relation K E' + E K' - K K' = pi/2
    hertz_integrals(0.5, &K, &E);
    assert_true(fabs(K - 1.854074677301372) <= 1e-15 * 4 && fabs(E - 1.350643881047675) <= 1e-15 * 4);
    for (double m = 0.01; m < 1.0; m += 0.07) {
        double k, e;
        hertz_integrals(m, &K, &E);
        hertz_integrals(1.0 - m, &k, &e);
        assert_true(fabs(K * e + E * k - K * k - 0.5 * acos(-1.0)) <= 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_tyre_steady_forces_equal_the_table),
        cmocka_unit_test(test_linear_tyre_relaxation_equals_the_table),
        cmocka_unit_test(test_pacejka_side_force_equals_the_table),
        cmocka_unit_test(test_pacejka_adhesion_equals_the_table),
        cmocka_unit_test(test_pacejka_forces_of_a_car_equal_its_run),
        cmocka_unit_test(test_tmeasy_curves_have_the_slope_peak_and_sliding_value_given),
        cmocka_unit_test(test_tmeasy_of_equal_directions_is_isotropic),
        cmocka_unit_test(test_lean_adhesion_grows_less_than_the_load),
        cmocka_unit_test(test_worn_wheel_is_smaller_by_the_work_of_sliding),
        cmocka_unit_test(test_lean_contact_points_equal_the_table),
        cmocka_unit_test(test_lean_contact_ellipse_equals_the_table),
        cmocka_unit_test(test_lean_zone_that_sticks_leaves_the_force_of_the_wheel),
        cmocka_unit_test(test_elliptic_integrals_have_known_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
