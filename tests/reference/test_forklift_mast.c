// SPDX-License-Identifier: MIT
// The forklift's mast as a flexible body of beams, chassis bolted down: mass, deflection, stress at the hinge and first frequency
// against a cantilever that carries a rigid load; and the truck that drives with it against the rigid one.
#include "support/run_model.h"
#include <biela/flex.h>

// What the model file says of the mast and of what it carries (SI).
static const double young = 210e9, upright_i = 4.7e-6, upright_area = 30e-4, fibre = 57.5e-3;
static const double length = 1.9211, density = 7850.0, gravity = 9.81;

// A rigid part that hangs on the head: mass, arms ahead of and above the head, inertia about y.
typedef struct {
    double mass, ahead, above, inertia;
} part;
enum { INNER_MAST, FORKS, LOAD, N_PART };

static void parts_of(double load, double lift, part *p)
{
    p[INNER_MAST] = (part){ 250.0, 0.0, 0.9438 + 0.5 * lift - length, 109.147 };
    p[FORKS] = (part){ 772.0, 0.4103 - 0.1024, -0.1946 + lift - length, 99.4 };
    p[LOAD] = (part){ load, 0.75 - 0.1024, 0.2071 + lift - length, load / 6.0 };
}

typedef struct {
    double moment, slope, deflection; // N m, rad, m
} cantilever;

// The moment at the head bends the mast by M L^2 / 2 E I, and the load leans with the head.
static cantilever by_hand(double load, double lift)
{
    part p[N_PART];
    parts_of(load, lift, p);
    cantilever c = { 0 };
    for (int pass = 0; pass < 50; pass++) {
        c.moment = 0.0;
        for (int k = 0; k < N_PART; k++) {
            c.moment += p[k].mass * gravity * (p[k].ahead * cos(c.slope) + p[k].above * sin(c.slope));
        }
        c.slope = c.moment * length / (2.0 * young * upright_i);
    }
    c.deflection = 0.5 * c.slope * length;
    return c;
}

// Displacement x and turn theta of the head: a symmetric matrix of two.
typedef struct {
    double xx, xt, tt;
} pair;

static void add_mass(pair *M, double mass, double x, double t)
{
    M->xx += mass * x * x;
    M->xt += mass * x * t;
    M->tt += mass * t * t;
}

// A mass on the mast at the height s (head: 1) moves as the cubic through hinge and head.
static void add_mass_at(pair *M, double mass, double s)
{
    add_mass(M, mass, s * s * (3.0 - 2.0 * s), length * s * s * (s - 1.0));
}

// Lowest frequency of a massive cantilever with rigid parts on its head, in their own weight.
static double frequency_by_hand(double load, double lift)
{
    part p[N_PART];
    parts_of(load, lift, p);
    double e = 2.0 * young * upright_i;
    pair K = { 12.0 * e / pow(length, 3), -6.0 * e / pow(length, 2), 4.0 * e / length }, M = { 0 };
    for (int k = 0; k < N_PART; k++) {
        add_mass(&M, p[k].mass, 1.0, p[k].above);
        add_mass(&M, p[k].mass, 0.0, p[k].ahead);
        M.tt += p[k].inertia;
        K.tt -= p[k].mass * gravity * p[k].above;
    }
    const int slices = 1000;
    for (int k = 0; k < slices; k++) {
        add_mass_at(&M, 2.0 * density * upright_area * length / slices, (k + 0.5) / slices);
    }
    double cross = density * 20.16e-4 * 0.735;
    add_mass_at(&M, 79.177 + cross, 0.70 / length);
    add_mass_at(&M, cross, 1.84 / length);
    add_mass_at(&M, 34.945, 1.0);
    double a = M.xx * M.tt - M.xt * M.xt, c = K.xx * K.tt - K.xt * K.xt;
    double b = K.xx * M.tt + K.tt * M.xx - 2.0 * K.xt * M.xt;
    return sqrt((b - sqrt(b * b - 4.0 * a * c)) / (2.0 * a)) / (2.0 * run_pi);
}

static run_model bench(const char *load, const char *lift, bi_coordinates coordinates)
{
    bi_setting settings[] = {
        { "flexible_mast", "1" }, { "held", "1" }, { "loads", "0" }, { "load", load }, { "lift0", lift }
    };
    return run_open(&(run_case){ .model = "forklift",
                                 .settings = settings,
                                 .n_settings = 5,
                                 .dt = 2e-3,
                                 .time = 6.0,
                                 .coordinates = coordinates });
}

// Mass, centre and inertia of the rigid mast; asked is 1 %.
static void test_flexible_mast_weighs_what_the_rigid_one_does(void **state)
{
    (void)state;
    run_model run = bench("0", "0.05", BI_JOINT);
    const bi_flex *flex = bi_model_flex(run.model, bi_model_body(run.model, "mast1"));
    assert_non_null(flex);
    bi_flex_facts facts = bi_flex_facts_of(flex);
    const double rigid[] = { 126.392, 109.147, 18.615 };
    run_expect("mass", fabs(facts.mass / 250.0 - 1.0), 1e-3);
    run_expect("centre", run_norm(run_sub(facts.com, (bi_vec3){ 0.1024, 0.0, 0.9438 })), 1e-3);
    for (int k = 0; k < 3; k++) {
        run_expect("inertia", fabs(facts.inertia[k] / rigid[k] - 1.0), 2e-3);
    }
    run_close(&run);
}

// The hand leaves out that the mast gets shorter under its load, 2e-4 of the arm.
static void test_rated_load_bends_the_mast_as_a_cantilever(void **state)
{
    (void)state;
    static const char *const loads[] = { "0", "3500" };
    for (int k = 0; k < 4; k++) {
        run_model run = bench(loads[k / 2], "3", k % 2 ? BI_JOINT : BI_NATURAL);
        run_require(bi_equilibrium(run.sim, NULL, &run.report) == BI_OK, &run.report, "no equilibrium");
        cantilever c = by_hand(k / 2 ? 3500.0 : 0.0, 3.0);
        double bending = 0.5 * (run_read(&run, "mast.behind") - run_read(&run, "mast.ahead"));
        double section = 2.0 * upright_i / fibre;
        run_expect("deflection of the head",
                   fabs((run_read(&run, "mast.head.x") - 2.165 - 0.1024) / c.deflection - 1.0), 1e-3);
        run_expect("moment at the hinge", fabs(2.0 * run_read(&run, "mast.foot.My") / c.moment - 1.0), 1e-3);
        run_expect("stress at the hinge", fabs(bending / (c.moment / section) - 1.0), 1e-3);
        run_close(&run);
    }
}

// Released straight, the head swings about where it will rest: periods between upward passages of the middle. The higher frequency
// of the head, 13 and 27 Hz, moves a passage by a few per cent of a period; over five of them 1 % is left.
static void expect_frequency(const char *load, double kilograms, bi_coordinates coordinates)
{
    run_model run = bench(load, "3", coordinates);
    double middle = 2.165 + 0.1024 + by_hand(kilograms, 3.0).deflection, first = 0.0, last = 0.0,
           before = 0.0;
    int passages = 0;
    while (passages < 6) {
        run_step(&run);
        double off = run_read(&run, "mast.head.x") - middle;
        if (before < 0.0 && off >= 0.0) {
            last = run_now(&run) - run.dt * off / (off - before);
            first = passages++ == 0 ? last : first;
        }
        before = off;
        assert_true(run_now(&run) < 10.0);
    }
    double measured = (passages - 1) / (last - first);
    run_expect("first bending frequency", fabs(measured / frequency_by_hand(kilograms, 3.0) - 1.0), 0.01);
    run_close(&run);
}

static void test_load_swings_on_the_mast_at_the_frequency_of_a_cantilever(void **state)
{
    (void)state;
    expect_frequency("0", 0.0, BI_JOINT);
    expect_frequency("3500", 3500.0, BI_JOINT);
    expect_frequency("3500", 3500.0, BI_NATURAL);
}

// Forks at 3 m, truck on its tyres: axle loads are those of statics in both, up to what the load leans forwards with the mast.
static void test_truck_with_a_flexible_mast_stands_as_the_rigid_one(void **state)
{
    (void)state;
    double front[2];
    for (int k = 0; k < 2; k++) {
        bi_setting settings[] = {
            { "flexible_mast", k ? "1" : "0" }, { "loads", "0" }, { "load", "1000" }, { "lift0", "3" }
        };
        run_model run = run_open(&(run_case){
            .model = "forklift", .settings = settings, .n_settings = 4, .coordinates = BI_JOINT });
        run_require(bi_equilibrium(run.sim, NULL, &run.report) == BI_OK, &run.report, "no equilibrium");
        front[k] = run_read(&run, "axle.front");
        run_close(&run);
    }
    // the weights on the mast move ahead by deflection + slope * height above the head, over the wheel base of 1.965 m
    part p[N_PART];
    parts_of(1000.0, 3.0, p);
    cantilever c = by_hand(1000.0, 3.0);
    double moment = 0.0;
    for (int k = 0; k < N_PART; k++) {
        moment += p[k].mass * gravity * (c.deflection + c.slope * p[k].above);
    }
    // and the truck leans on its tyres by a tenth as much again
    double more = moment / 1.965;
    run_expect("load that moves to the front axle", fabs((front[1] - front[0]) / more - 1.0), 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flexible_mast_weighs_what_the_rigid_one_does),
        cmocka_unit_test(test_rated_load_bends_the_mast_as_a_cantilever),
        cmocka_unit_test(test_load_swings_on_the_mast_at_the_frequency_of_a_cantilever),
        cmocka_unit_test(test_truck_with_a_flexible_mast_stands_as_the_rigid_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
