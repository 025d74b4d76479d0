// SPDX-License-Identifier: MIT
// A cart on Magic Formula tyres at standstill: parked on a slope of 10 % it stays, sliding it comes to rest where its
// friction says and stays there, and no force jumps on the way.
#include "laws/magic_tables.h"
#include "support/run_model.h"

static const double mass = 1600.0, gravity = 9.81, height = 0.4;

// Four wheels that do not turn; nothing else holds it.
static bi_model *locked_cart(const char *set, double slope, double speed)
{
    bi_tyre_magic_def def = read_set(set);
    bi_model *m = bi_model_create("cart");
    assert_non_null(m);
    bi_model_gravity(m, (bi_vec3){ gravity * sin(atan(slope)), 0.0, -gravity * cos(atan(slope)) });
    double sunk = mass * gravity / 4.0 / def.wheel.stiffness;
    bi_body cart = bi_add_body(m, &(bi_body_def){ .name = "cart",
                                                  .mass = mass,
                                                  .com = { 0.0, 0.0, height - def.wheel.radius },
                                                  .inertia = { 400.0, 1500.0, 1700.0 },
                                                  .pose.pos = { 0.0, 0.0, def.wheel.radius - sunk },
                                                  .twist.lin = { speed, 0.0, 0.0 } });
    for (int k = 0; k < 4; k++) {
        char name[24];
        snprintf(name, sizeof name, "wheel%d", k);
        def.name = name;
        def.relaxation = 2;
        def.tyre_side = 2;
        def.side = k % 2 ? 3 : 2;
        def.wheel.body = cart;
        def.wheel.centre = (bi_vec3){ k < 2 ? 1.2 : -1.2, k % 2 ? -0.7 : 0.7, 0.0 };
        def.wheel.damping = 2000.0;
        bi_element tyre = bi_add_tyre_magic(m, &def);
        bi_add_output(m, &(bi_output_def){ .name = name, .kind = BI_OUT_TYRE, .element = tyre });
    }
    bi_add_output(m, &(bi_output_def){ .name = "P", .kind = BI_OUT_POINT, .body = cart });
    return m;
}

static void park(const char *set, bi_coordinates coordinates)
{
    run_model run = { .model = locked_cart(set, 0.1, 0.0), .dt = 5e-3, .coordinates = coordinates };
    run_compile(&run, BI_ALI3P);
    run_to(&run, 30.0);
    bi_vec3 settled = bi_sim_view(run.sim).pose[1].pos;
    run_to(&run, 90.0);
    bi_vec3 way = run_sub(bi_sim_view(run.sim).pose[1].pos, settled);
    char text[96];
    snprintf(text, sizeof text, "%s parked way, %s", set, coordinates == BI_JOINT ? "joint" : "natural");
    // rounding of places and deflections to 1e-16 m in each of 12 000 steps; creep at 1e-9 m/s would make 6e-8 m
    run_expect(text, run_norm(way), 1e-10);
    // the tread gave by less than a centimetre when the cart was let go
    assert_true(settled.x > 0.0 && settled.x < 0.01);
    double held = 0.0;
    for (int k = 0; k < 4; k++) {
        char name[24];
        snprintf(name, sizeof name, "wheel%d.fx", k);
        held -= run_read(&run, name);
    }
    assert_true(fabs(held / (mass * gravity * sin(atan(0.1))) - 1.0) <= 1e-6);
    run_close(&run);
}

static void test_parked_cart_stays(void **state)
{
    (void)state;
    static const char *const set[] = { "car_mf52", "car_mf61", "moto_mf62" };
    for (int k = 0; k < 3; k++) {
        park(set[k], BI_JOINT);
    }
    park("car_mf61", BI_NATURAL);
}

// Locked wheels from 8 m/s: the way, the last push back, the rest, and the largest change of a force in a step.
static void test_sliding_cart_comes_to_rest(void **state)
{
    (void)state;
    static const double speed = 8.0, dt = 1e-3;
    run_model run = { .model = locked_cart("car_mf61", 0.0, speed), .dt = dt, .coordinates = BI_JOINT };
    run_compile(&run, BI_ALI3P);
    double before = run_read(&run, "wheel0.fx"), jump = 0.0, slowest = speed, work = 0.0, x = 0.0;
    for (int k = 1; k <= 4000; k++) {
        run_to(&run, dt * k);
        double force = run_read(&run, "wheel0.fx"), now = run_read(&run, "P.x"), all = 0.0;
        for (int i = 0; i < 4; i++) {
            char name[24];
            snprintf(name, sizeof name, "wheel%d.fx", i);
            all += run_read(&run, name);
        }
        work -= all * (now - x);
        x = now;
        jump = fmax(jump, fabs(force - before));
        before = force;
        slowest = fmin(slowest, run_read(&run, "P.vx"));
    }
    // friction 1.0 or so: 3.3 m; the ride of the cart on its springs changes that by little
    assert_true(x > 2.5 && x < 4.5);
    // all of the energy of the motion went into the ground
    print_message("slid %.3f m, back at %.3f m/s, jump %.0f N, work %.4g of %.4g\n", x, slowest, jump, work,
                  0.5 * mass * speed * speed);
    assert_true(fabs(work / (0.5 * mass * speed * speed) - 1.0) <= 0.02);
    // the spring of the tread throws it back: sqrt(c/m) times its deflection of 2 cm at most
    assert_true(slowest > -0.6);
    // a wheel carries 3900 N; in a step of 1 ms its force may go back by the ring of tread and mass, 25 rad/s: 100 N, and
    // by the fall of the nose
    assert_true(jump <= 400.0);
    bi_vec3 there = bi_sim_view(run.sim).pose[1].pos;
    run_to(&run, 20.0);
    bi_vec3 rest = bi_sim_view(run.sim).pose[1].pos;
    run_to(&run, 40.0);
    assert_true(run_norm(run_sub(bi_sim_view(run.sim).pose[1].pos, rest)) <= 1e-9);
    assert_true(run_norm(run_sub(rest, there)) <= 0.02);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parked_cart_stays),
        cmocka_unit_test(test_sliding_cart_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
