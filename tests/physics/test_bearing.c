// SPDX-License-Identifier: MIT
// Revolute joints with play: depth at rest, the angle at which a turning journal stays, the rebound of a hit, and a
// swinging rod against an integration of its equations in ground axes that knows nothing of the engine.
#include "support/run_model.h"

static const double g = 9.81, mass = 2.0, inertia = 0.05, lever = 0.3, gap = 1e-3, radius = 0.02,
                    stiffness = 3e8;

typedef struct {
    double dissipation, friction, slow;
    double x, z, vx, vz, turn; // journal in the ring at the start: middle and its rates; angle of the rod
    bool is_weightless;
    bool is_guided; // turns with 10 rad/s
} loose_case;

// A rod below its journal, axis along y; plane z-x, so that angle, x and y of the joint are those about y.
static run_model open_rod(const loose_case *c, bi_coordinates coordinates, double dt)
{
    char text[2048];
    snprintf(text, sizeof text,
             "biela: 1\nname: loose\ngravity: [0, 0, %g]\n"
             "bodies: {rod: {mass: %g, com: [0, 0, %.17g], inertia: [%g, %g, 0.01], at: [%.17g, 0, %.17g], "
             "turn: {y: %.17g}, velocity: [%.17g, 0, %.17g], spin: [0, %g, 0]}}\n"
             "joints: {pin: {type: revolute, bodies: [ground, rod], at_a: [0, 0, 0], at_b: [0, 0, 0], "
             "axis_a: [0, 1, 0], axis_b: [0, 1, 0], clearance: 1 mm}}\n"
             "forces: {ring: {type: bearing, joint: pin, radius: 20 mm, stiffness: %g, dissipation: %g, "
             "friction: %g, slow_speed: %g}}\n"
             "%s"
             "outputs: {pin: {joint: pin}, P: {point: {body: rod}}, push: {effort: ring}}\n",
             c->is_weightless ? 0.0 : -g, mass, c->is_guided ? 0.0 : -lever, inertia, inertia, c->x, c->z,
             c->turn, c->vx, c->vz, c->is_guided ? 10.0 : 0.0, stiffness, c->dissipation, c->friction,
             c->slow, c->is_guided ? "constraints: {spin: {type: guide, joint: pin, value: 10*t}}\n" : "");
    run_model run = { .dt = dt, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, BI_ALI3P);
    return run;
}

// k depth^1.5 carries the weight.
static void test_journal_rests_where_the_ring_carries_it(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        run_model run = open_rod(&(loose_case){ .dissipation = 20.0, .z = -gap, .slow = 1e-3 },
                                 c == 0 ? BI_NATURAL : BI_JOINT, 1e-4);
        bi_balance balance;
        run_require(bi_equilibrium(run.sim, &balance, &run.report) == BI_OK, &run.report, "no equilibrium");
        double depth = pow(mass * g / stiffness, 2.0 / 3.0);
        run_expect("depth", fabs(-run_read(&run, "P.z") - gap - depth), 1e-9 * gap);
        run_expect("push", fabs(run_read(&run, "push") / (mass * g) - 1.0), 1e-9);
        run_close(&run);
    }
}

// A journal that turns stays where its friction carries it up the ring as its weight pulls it down: the tangent of the
// angle is the friction. Nothing but that would stay: along the ring it swings with sqrt(g/gap), 99 rad/s, undamped.
static void test_turning_journal_stays_at_the_friction_angle(void **state)
{
    (void)state;
    const double friction = 0.25, angle = atan(friction), push = mass * g * cos(angle);
    const double way = gap + pow(push / stiffness, 2.0 / 3.0);
    // turning about +y the underside moves to -x on the ring: it is carried to +x
    const loose_case at = { .dissipation = 20.0,
                            .friction = friction,
                            .slow = 1e-3,
                            .x = way * sin(angle),
                            .z = -way * cos(angle),
                            .is_guided = true };
    for (int c = 0; c < 2; c++) {
        run_model run = open_rod(&at, c == 0 ? BI_NATURAL : BI_JOINT, 2e-4);
        run_to(&run, 0.2);
        run_expect("friction angle", fabs(-run_read(&run, "P.x") / run_read(&run, "P.z") - friction), 1e-9);
        run_expect("push", fabs(run_read(&run, "push") / push - 1.0), 1e-9);
        run_close(&run);
    }
}

// Hunt and Crossley: d (v_in + v_out) = ln((1 + d v_in)/(1 - d v_out)), whatever stiffness and exponent.
static void test_hit_gives_back_what_its_dissipation_says(void **state)
{
    (void)state;
    const double d = 2.0, v = 0.3;
    double low = 0.0, high = v;
    for (int k = 0; k < 60; k++) {
        double out = 0.5 * (low + high);
        *(d * (v + out) > log((1.0 + d * v) / (1.0 - d * out)) ? &low : &high) = out;
    }
    run_model run = open_rod(&(loose_case){ .dissipation = d, .slow = 1e-3, .vz = -v, .is_weightless = true },
                             BI_JOINT, 2e-6);
    run_to(&run, 0.007);
    assert_true(run_read(&run, "push") == 0.0);
    // (h/T)^2 of a hit of T = 2 ms
    run_expect("rebound", fabs(run_read(&run, "P.vz") / low - 1.0), 1e-5);
    run_close(&run);
}

// ---- an integration of its own ---------------------------------------------------------------------------------------

// x, z of the centre of mass, angle about y, and their rates; journal at (lever sin, lever cos) from it.
static void derivatives(const loose_case *c, const double *s, double *out)
{
    double px = s[0] + lever * sin(s[2]), pz = s[1] + lever * cos(s[2]);
    double vx = s[3] + lever * cos(s[2]) * s[5], vz = s[4] - lever * sin(s[2]) * s[5];
    double r = hypot(px, pz), fx = 0.0, fz = 0.0, moment = 0.0;
    if (r > gap) {
        double ex = px / r, ez = pz / r, depth = r - gap, rate = vx * ex + vz * ez;
        double push = fmax(0.0, stiffness * pow(depth, 1.5) * (1.0 + c->dissipation * rate));
        // the journal's surface at radius * e: a turn about +y moves it by (ez, -ex) * radius
        double slip = (vx * ez - vz * ex) + radius * s[5], rub = -c->friction * push * tanh(slip / c->slow);
        fx = -push * ex + rub * ez;
        fz = -push * ez - rub * ex;
        moment = radius * rub;
    }
    double ax = px - s[0], az = pz - s[1];
    out[0] = s[3];
    out[1] = s[4];
    out[2] = s[5];
    out[3] = fx / mass;
    out[4] = fz / mass - g;
    out[5] = (moment + az * fx - ax * fz) / inertia;
}

static void integrate(const loose_case *c, double *s, double time, double h)
{
    long n = lround(time / h);
    for (long k = 0; k < n; k++) {
        double k1[6], k2[6], k3[6], k4[6], at[6];
        derivatives(c, s, k1);
        for (int i = 0; i < 6; i++) {
            at[i] = s[i] + 0.5 * h * k1[i];
        }
        derivatives(c, at, k2);
        for (int i = 0; i < 6; i++) {
            at[i] = s[i] + 0.5 * h * k2[i];
        }
        derivatives(c, at, k3);
        for (int i = 0; i < 6; i++) {
            at[i] = s[i] + h * k3[i];
        }
        derivatives(c, at, k4);
        for (int i = 0; i < 6; i++) {
            s[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
}

static void test_swinging_rod_follows_an_integration_of_its_own(void **state)
{
    (void)state;
    const loose_case c = { .dissipation = 2.0, .friction = 0.1, .slow = 0.02, .turn = 0.5 };
    double s[6] = { -lever * sin(c.turn), -lever * cos(c.turn), c.turn, 0.0, 0.0, 0.0 };
    integrate(&c, s, 0.1, 5e-7);
    for (int k = 0; k < 2; k++) {
        run_model run = open_rod(&c, k == 0 ? BI_NATURAL : BI_JOINT, 5e-6);
        run_to(&run, 0.1);
        // it fell by the gap, hit several times, swings: second order in steps of 5 us against hits of 0.5 ms
        run_expect("x", fabs(run_read(&run, "P.x") - (s[0] + lever * sin(s[2]))), 2e-3 * gap);
        run_expect("z", fabs(run_read(&run, "P.z") - (s[1] + lever * cos(s[2]))), 2e-3 * gap);
        run_expect("angle", fabs(fabs(run_read(&run, "pin.angle")) - fabs(s[2])), 1e-5);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_journal_rests_where_the_ring_carries_it),
        cmocka_unit_test(test_turning_journal_stays_at_the_friction_angle),
        cmocka_unit_test(test_hit_gives_back_what_its_dissipation_says),
        cmocka_unit_test(test_swinging_rod_follows_an_integration_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
