// SPDX-License-Identifier: MIT
// The curves of the tyre laws against tables that an independent program computed (tests/reference/data/tyre_*.csv), in
// the bench of laws: one wheel, upright on the plane z = 0, with a motion that makes the slips of each line of a table.
#include "laws/law_bench.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_tyre_steady_forces_equal_the_table),
        cmocka_unit_test(test_linear_tyre_relaxation_equals_the_table),
        cmocka_unit_test(test_pacejka_side_force_equals_the_table),
        cmocka_unit_test(test_pacejka_adhesion_equals_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
