// SPDX-License-Identifier: MIT
// A truck with locked front wheels on a slope of 10 %: held for ever by the default law, creeping at the speed that its
// closed form gives with a standstill speed; the way there against an independent solution (tests/reference/data).
// Leaning wheels without a tread that gives.
#include "support/run_model.h"

static const double mass = 4680.0, gravity = 9.81, front_load = 21652.557511, radius = 0.3429;

// The whole axle as one wheel that does not turn: it slides along the slope, pressed on by what the axle carries.
static bi_model *locked_axle(double standstill_speed)
{
    static const double stiffness = 3e6;
    double slope = atan(0.1);
    bi_model *m = bi_model_create("locked");
    assert_non_null(m);
    bi_model_gravity(m, (bi_vec3){ gravity * sin(slope), 0.0, -gravity * cos(slope) });
    bi_body truck =
        bi_add_body(m, &(bi_body_def){ .name = "truck",
                                       .mass = mass,
                                       .inertia = { 1e3, 1e3, 1e3 },
                                       .pose.pos = { 0.0, 0.0, radius - front_load / stiffness } });
    bi_add_joint(m, &(bi_joint_def){ .name = "slope",
                                     .kind = BI_PRISMATIC,
                                     .a = BI_GROUND,
                                     .b = truck,
                                     .at = { 0.0, 0.0, radius - front_load / stiffness },
                                     .axis = { 1.0, 0.0, 0.0 } });
    bi_element tyre = bi_add_tyre_linear(
        m, &(bi_tyre_linear_def){ .name = "axle",
                                  .wheel = { .body = truck, .radius = radius, .stiffness = stiffness },
                                  .carcass = { 1e6, 4000.0, 8e5, 4000.0, standstill_speed },
                                  .friction = 0.8 });
    bi_add_output(m, &(bi_output_def){ .name = "P", .kind = BI_OUT_POINT, .body = truck });
    bi_add_output(m, &(bi_output_def){ .name = "tyre", .kind = BI_OUT_TYRE, .element = tyre });
    return m;
}

static void follow(const char *name, bi_coordinates coordinates)
{
    bi_table table = { 0 };
    run_model run = { .model = locked_axle(0.01), .dt = 5e-4, .coordinates = coordinates };
    run_compile(&run, BI_ALI3P);
    run_require(bi_table_read(BI_SOURCE_DIR "/tests/reference/data/tyre_standstill.csv", &table, &run.report),
                &run.report, "the reference cannot be read");
    const double *t = run_reference_column(&table, "t"), *x = run_reference_column(&table, "x"),
                 *xe = run_reference_column(&table, "xe"), *F = run_reference_column(&table, "F");
    double worst_x = 0.0, worst_xe = 0.0, worst_F = 0.0;
    for (int k = 0; k < table.rows; k++) {
        run_to(&run, t[k]);
        worst_x = fmax(worst_x, fabs(run_read(&run, "P.x") - x[k]));
        worst_xe = fmax(worst_xe, fabs(run_read(&run, "tyre.deflection_x") - xe[k]));
        worst_F = fmax(worst_F, fabs(run_read(&run, "tyre.fx") - F[k]));
    }
    char text[64];
    snprintf(text, sizeof text, "%s x", name);
    // 14 rad/s in steps of 0.5 ms: (0.007)^2 / 12 of 10 mm per radian, damped away in a second
    run_expect(text, worst_x, 1e-6);
    snprintf(text, sizeof text, "%s deflection", name);
    run_expect(text, worst_xe, 1e-6);
    snprintf(text, sizeof text, "%s force", name);
    run_expect(text, worst_F, 1.0);
    // vN m g sin / f, with f = mu N / sc: exact, since it is a steady state
    double creep = 0.01 * mass * gravity * sin(atan(0.1)) / (0.8 * front_load / 0.2);
    snprintf(text, sizeof text, "%s creep", name);
    run_expect(text, fabs(run_read(&run, "P.vx") / creep - 1.0), 1e-9);
    bi_table_clear(&table);
    run_close(&run);
}

static void test_locked_wheels_follow_the_reference_and_creep_as_its_closed_form(void **state)
{
    (void)state;
    follow("standstill natural", BI_NATURAL);
    follow("standstill joint", BI_JOINT);
}

// A cart on four locked wheels, nothing else holds it: all six directions are free.
static bi_model *parked_cart(void)
{
    static const double stiffness = 1.5e6;
    double slope = atan(0.1);
    bi_model *m = bi_model_create("parked");
    assert_non_null(m);
    bi_model_gravity(m, (bi_vec3){ gravity * sin(slope), 0.0, -gravity * cos(slope) });
    bi_body cart = bi_add_body(m, &(bi_body_def){ .name = "cart",
                                                  .mass = mass,
                                                  .com = { 0.0, 0.0, 0.3 },
                                                  .inertia = { 1200.0, 3500.0, 3800.0 },
                                                  .pose.pos = { 0.0, 0.0, radius } });
    for (int k = 0; k < 4; k++) {
        char name[24];
        snprintf(name, sizeof name, "wheel%d", k);
        bi_add_tyre_linear(
            m, &(bi_tyre_linear_def){ .name = name,
                                      .wheel = { .body = cart,
                                                 .centre = { k < 2 ? 1.0 : -1.0, k % 2 ? 0.5 : -0.5, 0.0 },
                                                 .radius = radius,
                                                 .stiffness = stiffness,
                                                 .damping = 8000.0 },
                                      .carcass = { 5e5, 2000.0, 4e5, 2000.0, 0.0 },
                                      .friction = 0.8 });
    }
    bi_add_output(m, &(bi_output_def){ .name = "P", .kind = BI_OUT_POINT, .body = cart });
    return m;
}

// A minute to settle, then an hour: it does not move by more than rounding.
static void test_parked_cart_stays_for_an_hour(void **state)
{
    (void)state;
    run_model run = { .model = parked_cart(), .dt = 0.02, .coordinates = BI_JOINT };
    run_compile(&run, BI_ALI3P);
    run_to(&run, 60.0);
    bi_vec3 settled = bi_sim_view(run.sim).pose[1].pos;
    run_to(&run, 3600.0);
    bi_vec3 way = run_sub(bi_sim_view(run.sim).pose[1].pos, settled);
    // rounding of places and deflections to 1e-16 m in each of 180 000 steps, should it always go one way: 2e-11 m;
    // creep at 1e-9 m/s would make 3.6e-6 m
    run_expect("parked hour way", run_norm(way), 1e-9);
    run_expect("parked hour speed", run_norm(bi_sim_view(run.sim).twist[1].lin), 1e-12);
    run_close(&run);
}

// The search for an equilibrium finds where the treads carry the slope; let go from there it stays.
static void test_parked_cart_has_an_equilibrium(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = { .model = parked_cart(), .dt = 5e-3, .coordinates = c == 0 ? BI_NATURAL : BI_JOINT };
        run_compile(&run, BI_ALI3P);
        bi_balance balance;
        assert_int_equal(bi_equilibrium(run.sim, &balance, &run.report), BI_OK);
        assert_int_equal(balance.relaxation_steps, 0);
        assert_int_equal(balance.soft, 0);
        bi_vec3 found = bi_sim_view(run.sim).pose[1].pos;
        // four treads of 5e5 N/m carry m g sin; the patch lies under a centre that the pitch of the body moves by r times
        // the angle, some 0.2 mm
        double deflection = mass * gravity * sin(atan(0.1)) / (4.0 * 5e5);
        assert_true(found.x > deflection && found.x < deflection + 3e-4);
        run_to(&run, 2.0);
        run_expect(c == 0 ? "equilibrium natural" : "equilibrium joint",
                   run_norm(run_sub(bi_sim_view(run.sim).pose[1].pos, found)), 1e-9);
        run_close(&run);
    }
}

// ---- leaning wheels without a tread that gives ------------------------------------------------------------------------

static const double wheel_mass = 40.0, wheel_radius = 0.34, wheel_stiffness = 8e4, wheel_friction = 0.9;

// A wheel of a bicycle that stands on its rim, leaning, `depth` below where it would only just touch.
static bi_model *leaning_wheel(double lean, double depth)
{
    bi_model *m = bi_model_create("leaning");
    assert_non_null(m);
    bi_model_gravity(m, (bi_vec3){ 0.0, 0.0, -gravity });
    bi_body wheel =
        bi_add_body(m, &(bi_body_def){ .name = "wheel",
                                       .mass = wheel_mass,
                                       .inertia = { 0.1, 0.2, 0.1 },
                                       .pose = { .pos = { 0.0, 0.0, wheel_radius * cos(lean) - depth },
                                                 .rot = { cos(0.5 * lean), sin(0.5 * lean), 0.0, 0.0 } } });
    bi_add_tyre_lean(m, &(bi_tyre_lean_def){ .name = "tyre",
                                             .wheel = { .body = wheel,
                                                        .radius = wheel_radius,
                                                        .stiffness = wheel_stiffness,
                                                        .damping_2 = 2e4 },
                                             .friction = wheel_friction });
    return m;
}

// It falls over. Steps that hopped between both sides of the friction took up to 2070 iterations, and 18 mm deep ones
// ended. Within 0.2 s none lies on its side yet.
static void test_leaning_wheel_at_rest_falls_without_a_struggle(void **state)
{
    (void)state;
    static const double lean[] = { 2.0, 10.0, 30.0 }, depth[] = { 1e-3, 5e-3, 18e-3 };
    for (int k = 0; k < 18; k++) {
        double angle = lean[k % 3] * run_pi / 180.0;
        bi_model *m = leaning_wheel(angle, depth[k / 3 % 3]);
        run_model run = { .model = m, .dt = 1e-3, .coordinates = k < 9 ? BI_NATURAL : BI_JOINT };
        run_compile(&run, BI_ALI3P);
        run_to(&run, 0.2);
        bi_statistics stats = bi_sim_statistics(run.sim);
        assert_int_equal(stats.unconverged, 0);
        assert_true((double)stats.iterations / (double)stats.steps < 4.0);
        assert_int_equal(bi_sim_verdict(run.sim).outcome, BI_GOOD);
        run_close(&run);
    }
}

// Upright, guided along y and pushed with F, it creeps at v_0 tan(chi_c F/(mu N)) (tyre.34): a steady state, exact.
static void test_leaning_wheel_without_tread_creeps_as_its_closed_form(void **state)
{
    (void)state;
    const double load = wheel_mass * gravity, push = 0.6 * wheel_friction * load,
                 height = wheel_radius - load / wheel_stiffness;
    for (int c = 0; c < 2; c++) {
        bi_model *m = leaning_wheel(0.0, load / wheel_stiffness);
        bi_body wheel = bi_model_body(m, "wheel");
        bi_add_joint(m, &(bi_joint_def){ .name = "across",
                                         .kind = BI_PRISMATIC,
                                         .a = BI_GROUND,
                                         .b = wheel,
                                         .at = { 0.0, 0.0, height },
                                         .axis = { 0.0, 1.0, 0.0 } });
        bi_model_gravity(m, (bi_vec3){ 0.0, push / wheel_mass, -gravity });
        bi_add_output(m, &(bi_output_def){ .name = "P", .kind = BI_OUT_POINT, .body = wheel });
        run_model run = { .model = m, .dt = 1e-3, .coordinates = c == 0 ? BI_NATURAL : BI_JOINT };
        run_compile(&run, BI_ALI3P);
        run_to(&run, 1.0);
        double creep = 0.5 * tan(0.1 * push / (wheel_friction * load));
        run_expect(c == 0 ? "creep natural" : "creep joint", fabs(run_read(&run, "P.vy") / creep - 1.0),
                   1e-9);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locked_wheels_follow_the_reference_and_creep_as_its_closed_form),
        cmocka_unit_test(test_parked_cart_stays_for_an_hour),
        cmocka_unit_test(test_parked_cart_has_an_equilibrium),
        cmocka_unit_test(test_leaning_wheel_at_rest_falls_without_a_struggle),
        cmocka_unit_test(test_leaning_wheel_without_tread_creeps_as_its_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
