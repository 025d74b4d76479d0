// SPDX-License-Identifier: MIT
// The tyre rig against what its README says: closed forms of slip, force and sliding direction; and a snapshot in the
// middle goes on bit by bit.
#include "support/run_model.h"
#include <stdlib.h>

static const double most = 8000.0; // mu times load

static run_model open_rig(bi_coordinates coordinates, const bi_setting *settings, int n)
{
    return run_open(&(run_case){
        .model = "tyre-rig", .settings = settings, .n_settings = n, .coordinates = coordinates });
}

static void test_rig_force_stays_inside_the_circle_of_friction(void **state)
{
    (void)state;
    run_model run = open_rig(BI_NATURAL, NULL, 0);
    double largest = 0.0;
    while (run_now(&run) < 7.9995) {
        run_step(&run);
        double fx = run_read(&run, "tyre.fx"), fy = run_read(&run, "tyre.fy"), fz = run_read(&run, "tyre.fz");
        largest = fmax(largest, hypot(fx, fy) / (0.8 * fz));
    }
    // the circle is met exactly; rounding of a few operations
    run_expect("rig friction beyond the circle", largest - 1.0, 1e-12);
    // and it is reached
    assert_true(largest > 1.0 - 1e-9);
    run_close(&run);
}

// Locked from 1.3 to 1.8 s: the tread slides along the velocity of the rig, seen from the steered wheel.
static void test_rig_locked_wheel_slides_against_its_velocity(void **state)
{
    (void)state;
    run_model run = open_rig(BI_JOINT, NULL, 0);
    double worst = 0.0;
    for (int k = 0; k <= 20; k++) {
        run_to(&run, 1.6 + 0.01 * k);
        double a = run_read(&run, "angle"), scale = 0.8 * run_read(&run, "tyre.fz");
        // the axes of the tyre turn, so the deflection lags behind the direction of sliding: its rate is 2 % of v
        worst = fmax(worst, hypot(run_read(&run, "tyre.fx") / scale + cos(a),
                                  run_read(&run, "tyre.fy") / scale - sin(a)));
        // the stick spring of the brake yields as its torque swings: 0.02 m/s at the tread
        assert_true(fabs(run_read(&run, "spin")) <= 0.05);
    }
    // deflection 20 mm turning at 0.33 rad/s: 7 mm/s against 5 m/s
    run_expect("rig locked direction", worst, 2e-3);
    run_close(&run);
}

// Constant steering angle, next to no brake: the slip of (tyre.4) by hand, the force on the line.
static void test_rig_steady_side_force_follows_the_slip(void **state)
{
    (void)state;
    static const bi_setting settings[] = { { "torque", "1e-6" }, { "period", "2000" }, { "angle", "5" } };
    run_model run = open_rig(BI_NATURAL, settings, 3);
    // a quarter of a period of 2000 s is far: at t = 2 the angle is 5 deg sin(2 pi/1000), nearly constant
    run_to(&run, 2.0);
    double angle = run_read(&run, "angle"),
           roll = run_read(&run, "spin") * (0.3429 - run_read(&run, "tyre.depth") / 3.0);
    double slip = 5.0 * sin(angle) / roll, wanted = most * slip / 0.2;
    // the angle moves by 2.7e-4 rad/s, the force follows 23 ms later: 6e-6 rad of 5.5e-4 at most
    run_expect("rig side slip", fabs(run_read(&run, "tyre.slip_y") / slip - 1.0), 1e-6);
    run_expect("rig side force", fabs(run_read(&run, "tyre.fy") / wanted - 1.0), 2e-2);
    run_close(&run);
}

static void test_rig_goes_on_from_a_snapshot_bit_by_bit(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = open_rig(c == 0 ? BI_NATURAL : BI_JOINT, NULL, 0);
        run_to(&run, 1.2);
        size_t size = bi_sim_save(run.sim, NULL, 0);
        void *kept = malloc(size);
        assert_non_null(kept);
        assert_int_equal(bi_sim_save(run.sim, kept, size), size);
        run_to(&run, 2.2);
        uint64_t first = bi_sim_hash(run.sim);
        assert_int_equal(bi_sim_load(run.sim, kept, size), BI_OK);
        run_to(&run, 2.2);
        assert_true(bi_sim_hash(run.sim) == first);
        free(kept);
        run_close(&run);
    }
}

// The same second in every scheme: the deflections are states that each of them integrates in its own way.
static void test_rig_schemes_agree(void **state)
{
    (void)state;
    static const struct {
        bi_scheme scheme;
        double dt, limit; // N of 8000
    } what[] = {
        // second order on a sine of 4 s: (5e-4 s 2 pi/4 s)^2 / 12 of 8000 N is 4e-4 N; what is faster has died out
        { BI_ALI3P, 5e-4, 4e-4 },
        { BI_ALI3P_ALPHA, 5e-4, 4e-4 },
        { BI_HEUN, 2e-4, 2e-3 },
        { BI_RK4, 2e-4, 1e-7 },
    };
    double wanted[2] = { 0.0, 0.0 };
    for (int k = -1; k < 4; k++) {
        run_model run = run_open(&(run_case){ .model = "tyre-rig",
                                              .scheme = k < 0 ? BI_RK4 : what[k].scheme,
                                              .dt = k < 0 ? 1e-4 : what[k].dt,
                                              .coordinates = BI_JOINT });
        run_to(&run, 0.6);
        const double found[2] = { run_read(&run, "tyre.fx"), run_read(&run, "tyre.fy") };
        if (k < 0) {
            memcpy(wanted, found, sizeof found);
            assert_true(hypot(found[0], found[1]) > 4000.0);
        } else {
            char name[32];
            snprintf(name, sizeof name, "rig scheme %d", (int)what[k].scheme);
            run_expect(name, hypot(found[0] - wanted[0], found[1] - wanted[1]), what[k].limit);
        }
        run_close(&run);
    }
}

// A wheel thrown onto the road, spinning and sliding sideways, until it has fallen over: nothing gives it energy.
static void test_thrown_wheel_only_loses_energy(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("thrown");
    assert_non_null(m);
    bi_body wheel =
        bi_add_body(m, &(bi_body_def){ .name = "wheel",
                                       .mass = 20.0,
                                       .inertia = { 0.6, 1.1, 0.6 },
                                       .pose = { .pos = { 0.0, 0.0, 0.42 }, .rot = { 1.0, 0.05, 0.0, 0.0 } },
                                       .twist = { .lin = { 3.0, 0.8, 0.0 }, .ang = { 0.0, 25.0, 0.3 } } });
    bi_add_tyre_tmeasy(m, &(bi_tyre_tmeasy_def){ .name = "tyre",
                                                 .wheel = { .body = wheel,
                                                            .radius = 0.33,
                                                            .section = 0.05,
                                                            .section_width = 0.09,
                                                            .stiffness = 5e4,
                                                            .damping_2 = 5e3 },
                                                 .carcass = { 3e4, 150.0, 2e4, 100.0, 0.0 },
                                                 .nominal_load = 200.0,
                                                 .longitudinal = { 5, { 5000.0, 210.0, 0.12, 190.0, 0.6 } },
                                                 .lateral = { 5, { 4000.0, 200.0, 0.15, 180.0, 0.7 } } });
    run_model run = { .model = m, .dt = 5e-4, .coordinates = BI_JOINT };
    run_compile(&run, BI_ALI3P);
    double last = run_read(&run, "energy.total"), first = last, gained = 0.0;
    while (run_now(&run) < 3.0) {
        run_step(&run);
        double now = run_read(&run, "energy.total");
        assert_true(isfinite(now));
        gained = fmax(gained, now - last);
        last = now;
    }
    // the trapezoidal rule at 140 rad/s in steps of 0.5 ms: (0.07)^2 / 12 of the 10 J that go in and out of the tyre
    run_expect("thrown wheel gain per step", gained, 4e-3);
    assert_true(last < 0.8 * first);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rig_force_stays_inside_the_circle_of_friction),
        cmocka_unit_test(test_rig_locked_wheel_slides_against_its_velocity),
        cmocka_unit_test(test_rig_steady_side_force_follows_the_slip),
        cmocka_unit_test(test_rig_goes_on_from_a_snapshot_bit_by_bit),
        cmocka_unit_test(test_rig_schemes_agree),
        cmocka_unit_test(test_thrown_wheel_only_loses_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
