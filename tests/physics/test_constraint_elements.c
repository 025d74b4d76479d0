// SPDX-License-Identifier: MIT
// Constraint elements in motion, against closed forms, in both sets of coordinates.
#include "support/run_model.h"

static const double two_pi = 6.283185307179586;
static const bi_coordinates sets[2] = { BI_NATURAL, BI_JOINT };

static run_model run_text(const char *text, bi_coordinates coordinates)
{
    run_model run = { .dt = 1e-3, .time = 1.0, .coordinates = coordinates };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    run_compile(&run, BI_INDEX1_RK4);
    return run;
}

static void expect(run_model *run, const char *what, double found, double wanted, double tolerance)
{
    char name[96];
    snprintf(name, sizeof name, "%s %s", bi_model_name(run->model), what);
    run_expect(name, fabs(found - wanted), tolerance);
}

// ---- gear and rack: one degree of freedom with reflected inertias --------------------------------------------------

static const char gears[] =
    "biela: 1\n"
    "name: gear and rack\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  wheel: {mass: 1, inertia: [1, 1, 0.3], turn: [{z: 0.4}]}\n"
    "  pinion: {mass: 1, inertia: [1, 1, 0.1], at: [1, 0, 0], turn: [{z: -0.2}]}\n"
    "  bar: {mass: 4, inertia: [1, 1, 1], at: [1, 0.5, 0]}\n"
    "joints:\n"
    "  w: {type: revolute, bodies: [ground, wheel]}\n"
    "  p: {type: revolute, bodies: [ground, pinion], at: [1, 0, 0]}\n"
    "  b: {type: prismatic, bodies: [ground, bar], at: [1, 0.5, 0], axis: [1, 0, 0]}\n"
    "forces:\n"
    "  drive: {type: torque, joint: w, torque: 2}\n"
    "constraints:\n"
    "  mesh: {type: gear, a: w, b: p, ratio: -3}\n"
    "  teeth: {type: rack, pinion: p, rack: b, radius: 0.2}\n"
    "outputs:\n"
    "  w: {joint: w}\n"
    "  p: {joint: p}\n"
    "  b: {joint: b}\n"
    "  mesh: {effort: mesh}\n";

static void test_gear_and_rack_reflect_inertias(void **state)
{
    (void)state;
    double inertia = 0.3 + 9.0 * 0.1 + 4.0 * 0.36, a = 2.0 / inertia;
    for (int k = 0; k < 2; k++) {
        run_model run = run_text(gears, sets[k]);
        run_to(&run, 1.0);
        // wheels turn by up to 2.3 rad in 1000 steps of fourth order: rounding
        expect(&run, "wheel", run_read(&run, "w.angle"), 0.4 + 0.5 * a, 1e-10);
        expect(&run, "pinion", run_read(&run, "p.angle"), -0.2 - 1.5 * a, 1e-9);
        expect(&run, "bar", run_read(&run, "b.position"), -0.3 * a, 1e-10);
        // on b, what it needs: (0.1 + 4 * 0.04) (-3 a)
        expect(&run, "effort", run_read(&run, "mesh"), (0.1 + 4.0 * 0.04) * -3.0 * a, 1e-7);
        assert_true(fabs(run_read(&run, "energy.balance")) < 1e-6);
        run_close(&run);
    }
}

// ---- coupling: a planetary set, ring fixed to nothing -----------------------------------------------------------------

static const char planetary[] = "biela: 1\n"
                                "name: planetary\n"
                                "gravity: [0, 0, 0]\n"
                                "bodies:\n"
                                "  sun: {mass: 1, inertia: [1, 1, 0.2]}\n"
                                "  ring: {mass: 1, inertia: [1, 1, 0.5]}\n"
                                "  carrier: {mass: 1, inertia: [1, 1, 0.7]}\n"
                                "joints:\n"
                                "  s: {type: revolute, bodies: [ground, sun]}\n"
                                "  r: {type: revolute, bodies: [ground, ring]}\n"
                                "  c: {type: revolute, bodies: [ground, carrier]}\n"
                                "forces:\n"
                                "  drive: {type: torque, joint: s, torque: 1}\n"
                                "constraints:\n"
                                "  willis: {type: coupling, terms: {s: 1, r: 2.5, c: -3.5}}\n"
                                "outputs:\n"
                                "  s: {joint: s}\n"
                                "  r: {joint: r}\n"
                                "  c: {joint: c}\n";

static void test_coupling_shares_a_torque_as_by_hand(void **state)
{
    (void)state;
    // I_k a_k = T_k - lambda c_k with sum c_k a_k = 0
    double lambda = (1.0 / 0.2) / (1.0 / 0.2 + 6.25 / 0.5 + 12.25 / 0.7);
    for (int k = 0; k < 2; k++) {
        run_model run = run_text(planetary, sets[k]);
        run_to(&run, 1.0);
        expect(&run, "sun", run_read(&run, "s.angle"), 0.5 * (1.0 - lambda) / 0.2, 1e-9);
        expect(&run, "ring", run_read(&run, "r.angle"), 0.5 * -2.5 * lambda / 0.5, 1e-9);
        expect(&run, "carrier", run_read(&run, "c.angle"), 0.5 * 3.5 * lambda / 0.7, 1e-9);
        run_close(&run);
    }
}

// ---- a guided screw: coordinate position ---------------------------------------------------------------------------------

static const char press[] = "biela: 1\n"
                            "name: press\n"
                            "bodies:\n"
                            "  ram: {mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
                            "joints:\n"
                            "  lead: {type: screw, bodies: [ground, ram], pitch: 0.1}\n"
                            "constraints:\n"
                            "  drive: {type: guide, joint: lead, coordinate: position, value: 0.2*t^2}\n"
                            "outputs:\n"
                            "  lead: {joint: lead}\n"
                            "  drive: {effort: drive}\n";

static void test_guide_drives_the_position_of_a_screw(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run_model run = run_text(press, sets[k]);
        run_to(&run, 1.0);
        expect(&run, "position", run_read(&run, "lead.position"), 0.2, 1e-10);
        expect(&run, "angle", run_read(&run, "lead.angle"), 0.2 / 0.1 * two_pi, 1e-6);
        // m (a + g) + I (2 pi / p)^2 a; the natural coordinates turn by 0.025 rad per step
        double wanted = 2.0 * (0.4 + 9.80665) + 0.1 * (two_pi / 0.1) * (two_pi / 0.1) * 0.4;
        expect(&run, "effort", run_read(&run, "drive"), wanted, 1e-4);
        run_close(&run);
    }
}

// ---- pendulums made of distance, coincide, dot and in-plane ---------------------------------------------------------------

#define BOB                                                                                                  \
    "gravity: [0, 0, -9.81]\n"                                                                               \
    "bodies:\n"                                                                                              \
    "  bob: {mass: 1.5, inertia: [0.02, 0.02, 0.02], at: [1, 0, 0]}\n"                                       \
    "outputs:\n"                                                                                             \
    "  P: {point: {body: bob}}\n"

// Height after the fall gives the speed, whatever holds the bob.
static void check_fall(const char *text)
{
    for (int k = 0; k < 2; k++) {
        run_model run = run_text(text, sets[k]);
        double fell = 0.0;
        for (int i = 0; i < 4; i++) {
            run_to(&run, 0.2 * (i + 1));
            double x = run_read(&run, "P.x"), z = run_read(&run, "P.z");
            double speed = hypot(run_read(&run, "P.vx"), run_read(&run, "P.vz"));
            expect(&run, "radius", hypot(x, z), 1.0, 1e-9);
            expect(&run, "speed", speed * speed, -2.0 * 9.81 * z, 1e-8);
            fell = fmin(fell, z);
        }
        assert_true(fell < -0.9); // it did fall
        run_close(&run);
    }
}

static void test_bob_on_a_distance_falls_as_a_pendulum(void **state)
{
    (void)state;
    check_fall("biela: 1\nname: distance\n" BOB "constraints:\n"
               "  rope: {type: distance, a: {body: ground}, b: {body: bob}}\n");
}

static void test_bob_on_a_closed_curve_falls_as_on_a_circle(void **state)
{
    (void)state;
    // a spline through 64 points of the circle leaves it by less than (2 pi / 64)^4 / 384 = 2.4e-7: the circle's own
    // points are met at the steps only by chance, so the radius is checked to that, the energy to the integrator
    char text[8192] = "biela: 1\nname: bead\n" BOB "constraints:\n  wire: {type: point-on-curve, point: "
                      "{body: bob}, body: ground, closed: true, points: [";
    for (int k = 0; k < 64; k++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s[cos(%d*pi/32), 0, sin(%d*pi/32)]", k ? ", " : "", k, k);
    }
    strcat(text, "]}\n");
    for (int k = 0; k < 2; k++) {
        run_model run = run_text(text, sets[k]);
        double energy = run_read(&run, "energy.total"), fell = 0.0;
        for (int i = 0; i < 20; i++) {
            run_to(&run, 0.2 * (i + 1));
            expect(&run, "radius", hypot(run_read(&run, "P.x"), run_read(&run, "P.z")), 1.0, 4e-7);
            expect(&run, "plane", run_read(&run, "P.y"), 0.0, 1e-12);
            expect(&run, "energy", run_read(&run, "energy.total"), energy, 1e-6);
            fell = fmin(fell, run_read(&run, "P.z"));
        }
        assert_true(fell < -0.9);
        run_close(&run);
    }
}

static void test_bead_on_a_straight_wire_slides_as_on_an_incline_also_beyond_its_end(void **state)
{
    (void)state;
    static const char text[] =
        "biela: 1\nname: wire\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  bead: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0.6, 0, 0.8], turn: [{x: 0.3}]}\n"
        "outputs: {P: {point: {body: bead}}}\n"
        "constraints:\n"
        "  wire: {type: point-on-curve, point: {body: bead}, body: ground, points: [[0.6, 0, 0.8], [0.3, 0, "
        "0.4], [0, 0, 0]]}\n";
    for (int k = 0; k < 2; k++) {
        run_model run = run_text(text, sets[k]);
        run_to(&run, 1.0);
        // down the slope of 0.8 by g 0.8 / 2 = 3.924 m, the wire ends after 1
        expect(&run, "x", run_read(&run, "P.x"), 0.6 - 0.6 * 0.5 * 9.81 * 0.8, 1e-9);
        expect(&run, "z", run_read(&run, "P.z"), 0.8 - 0.8 * 0.5 * 9.81 * 0.8, 1e-9);
        run_close(&run);
    }
}

static void test_coincide_and_dot_make_a_hinge(void **state)
{
    (void)state;
    // the same pendulum by a revolute joint and by coincide and two dots
    static const char joint[] =
        "biela: 1\nname: hinge\nbodies: {rod: {mass: 2, com: [0.4, 0.1, 0], inertia: [0.1, 0.2, 0.3]}}\n"
        "joints: {j: {type: revolute, bodies: [ground, rod], axis: [0, 1, 0]}}\n"
        "outputs: {P: {point: {body: rod, at: [0.5, 0.2, 0.1]}}}\n";
    static const char elements[] =
        "biela: 1\nname: elements\nbodies: {rod: {mass: 2, com: [0.4, 0.1, 0], inertia: [0.1, 0.2, 0.3]}}\n"
        "constraints:\n"
        "  pin: {type: coincide, a: {body: ground}, b: {body: rod}}\n"
        "  u: {type: dot, u: {body: ground, along: [1, 0, 0]}, v: {body: rod, along: [0, 1, 0]}}\n"
        "  v: {type: dot, u: {body: ground, along: [0, 0, 2]}, a: {body: rod}, b: {body: rod, at: [0, 1, "
        "0]}}\n"
        "outputs: {P: {point: {body: rod, at: [0.5, 0.2, 0.1]}}}\n";
    for (int k = 0; k < 2; k++) {
        run_model one = run_text(joint, sets[k]), two = run_text(elements, sets[k]);
        run_to(&one, 1.0);
        run_to(&two, 1.0);
        // two runs of fourth order with 1000 steps, angles per step up to 5e-3
        expect(&two, "x", run_read(&two, "P.x"), run_read(&one, "P.x"), 1e-8);
        expect(&two, "y", run_read(&two, "P.y"), run_read(&one, "P.y"), 1e-9);
        expect(&two, "z", run_read(&two, "P.z"), run_read(&one, "P.z"), 1e-8);
        run_close(&one);
        run_close(&two);
    }
}

static void test_in_plane_and_on_line_hold_a_point(void **state)
{
    (void)state;
    // a ball in a tilted plane, and one on a tilted line: g along the slope
    static const char text[] = "biela: 1\nname: slopes\ngravity: [0, 0, -9.81]\n"
                               "bodies:\n"
                               "  a: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.1]}\n"
                               "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 2, 0]}\n"
                               "constraints:\n"
                               "  plane: {type: in-plane, point: {body: a}, plane: {body: ground}, normal: "
                               "[0.6, 0, 0.8], distance: 0.08}\n"
                               "  line: {type: on-line, point: {body: b}, line: {body: ground, at: [0, 2, "
                               "0]}, direction: [3, 0, -4]}\n"
                               "outputs: {A: {point: {body: a}}, B: {point: {body: b}}}\n";
    for (int k = 0; k < 2; k++) {
        run_model run = run_text(text, sets[k]);
        run_to(&run, 1.0);
        expect(&run, "in the plane x", run_read(&run, "A.x"), 0.8 * 0.5 * 9.81 * 0.6, 1e-9);
        expect(&run, "in the plane z", run_read(&run, "A.z"), 0.1 - 0.6 * 0.5 * 9.81 * 0.6, 1e-9);
        expect(&run, "on the line x", run_read(&run, "B.x"), 0.6 * 0.5 * 9.81 * 0.8, 1e-9);
        expect(&run, "on the line z", run_read(&run, "B.z"), -0.8 * 0.5 * 9.81 * 0.8, 1e-9);
        run_close(&run);
    }
}

// ---- cams: an eccentric circle, whose followers have closed forms ----------------------------------------------------------

static void check_cam(const char *contact, double (*wanted)(double psi))
{
    // radius of a circle R = 0.1 at eccentricity e = 0.02, every 5 degrees
    char text[8192];
    snprintf(text, sizeof text,
             "biela: 1\nname: cam\nparameters: {R: 0.1, e: 0.02}\nbodies:\n"
             "  disc: {mass: 1, inertia: [1, 1, 1]}\n"
             "  rod: {mass: 1, inertia: [1, 1, 1], at: [0, 0.13, 0]}\n"
             "joints:\n"
             "  turn: {type: revolute, bodies: [ground, disc]}\n"
             "  slide: {type: prismatic, bodies: [ground, rod], at_a: [0, 0, 0], at_b: [0, 0, 0], axis: [0, "
             "1, 0]}\n"
             "constraints:\n"
             "  drive: {type: guide, joint: turn, value: 3*t}\n"
             "  ride: {type: cam, cam: turn, follower: slide, direction: 90 deg, %s, profile: [",
             contact);
    for (int k = 0; k < 72; k++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s[%d deg, e*cos(%d deg) + sqrt(R^2 - e^2*sin(%d deg)^2)]",
                 k ? ", " : "", 5 * k, 5 * k, 5 * k);
    }
    strcat(text, "]}\noutputs: {s: {joint: slide}}\n");
    for (int k = 0; k < 2; k++) {
        run_model run = run_text(text, sets[k]);
        for (int i = 0; i <= 20; i++) {
            double t = 0.1 * i;
            run_to(&run, t);
            // the spline of the profile: (5 deg)^4 / 384 of a fourth derivative near e, the follower leans with its slope
            expect(&run, contact, run_read(&run, "s.position"), wanted(0.25 * two_pi - 3.0 * t), 1e-7);
        }
        run_close(&run);
    }
}

static double point_lift(double psi) { return 0.02 * cos(psi) + sqrt(0.01 - 0.0004 * sin(psi) * sin(psi)); }

static double roller_lift(double psi)
{
    return 0.02 * cos(psi) + sqrt(0.12 * 0.12 - 0.0004 * sin(psi) * sin(psi));
}

static double flat_lift(double psi) { return 0.1 + 0.02 * cos(psi); }

static void test_followers_of_an_eccentric_move_as_by_hand(void **state)
{
    (void)state;
    check_cam("contact: point", point_lift);
    check_cam("contact: roller, roller: 0.02", roller_lift);
    check_cam("contact: flat", flat_lift);
}

static void test_roller_too_large_for_a_hollow_is_refused(void **state)
{
    (void)state;
    static const double profile[] = { 0.0, 0.2, 1.0, 0.2, 2.0, 0.12, 3.0, 0.2, 4.5, 0.2 };
    bi_model *m = bi_model_create("cam");
    bi_body disc = bi_add_body(m, &(bi_body_def){ .name = "disc", .mass = 1.0, .inertia = { 1, 1, 1 } });
    bi_body rod = bi_add_body(m, &(bi_body_def){ .name = "rod", .mass = 1.0, .inertia = { 1, 1, 1 } });
    bi_joint turn =
        bi_add_joint(m, &(bi_joint_def){ .name = "turn", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = disc });
    bi_joint slide =
        bi_add_joint(m, &(bi_joint_def){ .name = "slide", .kind = BI_PRISMATIC, .a = BI_GROUND, .b = rod });
    bi_add_cam(m, &(bi_cam_def){ .name = "ride",
                                 .cam = { turn, 0 },
                                 .follower = { slide, 0 },
                                 .profile = { 5, 2, profile },
                                 .contact = BI_CAM_ROLLER,
                                 .roller = 0.3 });
    bi_report report = { 0 };
    assert_null(bi_compile(m, NULL, &report));
    assert_int_equal(report.errors, 1);
    assert_string_equal(report.issue[0].where, "constraints.ride.profile");
    assert_non_null(strstr(report.issue[0].what, "smaller roller"));
    bi_report_clear(&report);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gear_and_rack_reflect_inertias),
        cmocka_unit_test(test_coupling_shares_a_torque_as_by_hand),
        cmocka_unit_test(test_guide_drives_the_position_of_a_screw),
        cmocka_unit_test(test_bob_on_a_distance_falls_as_a_pendulum),
        cmocka_unit_test(test_bob_on_a_closed_curve_falls_as_on_a_circle),
        cmocka_unit_test(test_bead_on_a_straight_wire_slides_as_on_an_incline_also_beyond_its_end),
        cmocka_unit_test(test_coincide_and_dot_make_a_hinge),
        cmocka_unit_test(test_in_plane_and_on_line_hold_a_point),
        cmocka_unit_test(test_followers_of_an_eccentric_move_as_by_hand),
        cmocka_unit_test(test_roller_too_large_for_a_hollow_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
