// SPDX-License-Identifier: MIT
// A rope around a drum, a ball that comes back from under a table, boxes that hit the ground with an edge, and fast balls on a
// thin plate, against closed forms of rigid bodies (tests/reference/data, to 1e-13).
#include "support/text_model.h"

static bi_coordinates by_turns(int k) { return k % 2 ? BI_JOINT : BI_NATURAL; }

static void keep_worst(double *worst, double error) { *worst = error <= *worst ? *worst : error; }

// ---- a rope around a drum --------------------------------------------------------------------------------------

// 32 points that do not turn, joined by springs, on a drum of r = 0.1 m. Held with 1 N; pulled with up to 0.95 of what the closed
// form says at 50 ms, then by a fifth of it more each second.
static run_model rope(double mu, double wrap, double ratio, bi_coordinates coordinates)
{
    char text[2500];
    snprintf(
        text, sizeof text,
        "parameters: {mu: %.17g, h: %.17g/32, R: %.17g, r: 0.1, s: 2*r*sin(h/2), k: 300*R/s, m: 0.01}\n"
        "gravity: [0, 0, 0]\n"
        "signals: {tension: \"1 + (0.95*R - 1)*min(t/0.05, 1) + 0.2*R*max(0, t - 0.08)\"}\n"
        "bodies: {p$i: {for: {i: 1..32}, mass: m, inertia: [1e3, 1e3, 1e3], at: [r*cos(h*i), 0, "
        "r*sin(h*i)]}}\n"
        "shapes:\n"
        "  drum: {type: cylinder, radius: r - 1e-4, length: 0.1, turn: {x: 90 deg}}\n"
        "  p$i: {for: {i: 1..32}, type: sphere, body: p$i, radius: 1e-4}\n"
        "forces:\n"
        "  link$i: {for: {i: 1..31}, type: spring, a: {body: p$i}, b: {body: p$(i+1)}, stiffness: k, "
        "damping: 2*sqrt(k*m), rest: s}\n"
        "  rub$i: {for: {i: 1..32}, type: contact, a: p$i, b: drum, stiffness: 1e5*sqrt(R), damping: 20, "
        "friction: mu, stick_stiffness: 1e5}\n"
        "  hold: {type: force, point: {body: p1}, fx: sin(h/2), fz: -cos(h/2)}\n"
        "  pull: {type: force, point: {body: p32}, fx: -tension*sin(32.5*h), fz: tension*cos(32.5*h)}\n"
        "outputs: {p1: {body: p1}, tension: tension}\n",
        mu, wrap, ratio);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 2e-4 });
}

// The pull at which the end that is held goes along, by more than its stick spring gives.
static void test_rope_slips_on_a_drum_as_the_capstan_equation_says(void **state)
{
    (void)state;
    bi_table data = run_data("capstan.csv");
    const double *mu = run_reference_column(&data, "mu"), *wrap = run_reference_column(&data, "wrap_angle"),
                 *ratio = run_reference_column(&data, "ratio_with_32_contact_points");
    double worst = 0.0;
    static const int rows[] = { 0, 5, 6, 10 }; // up to one turn, 1.17 to 23.4
    for (int i = 0; i < 4; i++) {
        int k = rows[i];
        run_model run = rope(mu[k], wrap[k], ratio[k], by_turns(i));
        run_to(&run, 0.08);
        double x = run_read(&run, "p1.x"), z = run_read(&run, "p1.z");
        while (run_now(&run) < 0.6 && hypot(run_read(&run, "p1.x") - x, run_read(&run, "p1.z") - z) < 1e-5) {
            run_step(&run);
        }
        printf("measured capstan friction=%g wrap=%.3f ratio=%.5g of %.5g\n", mu[k], wrap[k],
               run_read(&run, "tension"), ratio[k]);
        keep_worst(&worst, fabs(run_read(&run, "tension") / ratio[k] - 1.0));
        assert_int_equal(bi_sim_statistics(run.sim).unconverged, 0);
        run_close(&run);
    }
    // told late: 0.3 kg of rope have to be moved by 10 um
    run_expect("capstan: pull over hold at slip, relative", worst, 1.5e-2);
    bi_table_clear(&data);
}

// ---- a superball under a table ---------------------------------------------------------------------------------

// Springs along and across the surface that take equally long: k across is 2/7 of k along. Then slip comes back as speed does.
static run_model superball(double k, double dt, bi_coordinates coordinates)
{
    char text[1500];
    snprintf(text, sizeof text,
             "parameters: {k: %.17g}\n"
             "gravity: [0, 0, -9.81]\n"
             "bodies: {ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], at: [0, 0, 0.9], velocity: [3, 0, -4]}}\n"
             "shapes:\n"
             "  floor: {type: plane}\n"
             "  table: {type: box, size: [2, 1, 0.1], at: [1.3, 0, 0.75]}\n"
             "  ball: {type: sphere, body: ball, radius: 0.05}\n"
             "forces: {hit: {type: contact, a: ball, b: [floor, table], stiffness: k, restitution: 1, "
             "friction: 1e3, stick_stiffness: 2/7*k, stick_damping: 0}}\n"
             "outputs: {b: {body: ball}}\n",
             k);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, dt });
}

static void test_superball_comes_back_from_under_a_table(void **state)
{
    (void)state;
    bi_table data = run_data("superball.csv");
    const double *t = run_reference_column(&data, "t"), *vx = run_reference_column(&data, "vx_after"),
                 *spin = run_reference_column(&data, "spin_after");
    for (int formulation = 0; formulation < 2; formulation++) {
        double worst[2] = { 0 };
        run_model run = superball(1e9, 4e-6, by_turns(formulation));
        for (int k = 0; k < data.rows; k++) {
            run_to(&run, t[k] + 0.05);
            keep_worst(&worst[0], fabs(run_read(&run, "b.vx") - vx[k]));
            keep_worst(&worst[1], 0.05 * fabs(-run_read(&run, "b.wy") - spin[k]));
        }
        run_close(&run);
        // pressed in by 0.2 of 50 mm: its lever is shorter
        run_expect("superball: speed, m/s", worst[0], 2e-2);
        run_expect("superball: speed of the rim, m/s", worst[1], 3e-2);
    }
    bi_table_clear(&data);
}

// ---- boxes that hit with an edge -------------------------------------------------------------------------------

// 2 kg, x right, z up; counter-clockwise is -y. The edge stands 1 um above the ground; without weight, as impulses are.
static run_model edge_on(const bi_table *data, int k, bi_coordinates coordinates)
{
    char text[1500];
    double *const *c = data->value;
    snprintf(text, sizeof text,
             "parameters: {w: %.17g, h: %.17g, a: %.17g deg, e: %.17g, mu: %.17g, v: %.17g}\n"
             "gravity: [0, 0, 0]\n"
             "bodies: {box: {mass: 2, inertia: {box: [w, 0.2, h]}, at: [0, 0, w/2*sin(a) + h/2*cos(a) + "
             "1e-6], turn: {y: -a}, velocity: [0, 0, -v]}}\n"
             "shapes: {floor: {type: plane}, box: {type: box, body: box, size: [w, 0.2, h]}}\n"
             "forces: {hit: {type: contact, a: box, b: floor, law: hertz, stiffness: 1e11, restitution: e, "
             "friction: mu, stick_time: 1e-7}}\n"
             "outputs: {b: {body: box}}\n",
             c[0][k], c[1][k], c[2][k], c[3][k], fmin(c[4][k], 1e3), c[5][k]);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, 5e-7 });
}

static void test_box_that_hits_with_an_edge_goes_on_as_impulses_say(void **state)
{
    (void)state;
    bi_table data = run_data("box_on_edge.csv");
    const double *vx = run_reference_column(&data, "vx_after"), *vz = run_reference_column(&data, "vy_after"),
                 *omega = run_reference_column(&data, "omega_after");
    double worst[3] = { 0 };
    for (int k = 0; k < data.rows; k++) {
        run_model run = edge_on(&data, k, by_turns(k));
        run_to(&run, 2e-4);
        double dx = fabs(run_read(&run, "b.vx") - vx[k]), dz = fabs(run_read(&run, "b.vz") - vz[k]),
               dw = fabs(-run_read(&run, "b.wy") - omega[k]);
        keep_worst(&worst[0], dx);
        keep_worst(&worst[1], dz);
        keep_worst(&worst[2], dw);
        run_close(&run);
    }
    run_expect("box on an edge: speed along, m/s", worst[0], 2e-3);
    run_expect("box on an edge: speed up, m/s", worst[1], 2e-3);
    run_expect("box on an edge: spin, rad/s", worst[2], 2e-2);
    bi_table_clear(&data);
}

// ---- fast balls on a thin plate --------------------------------------------------------------------------------

// Thrown, r = 10 mm, 10 g, onto a plate of 2 mm.
static run_model thrown(const bi_table *data, int row, double dt, bi_coordinates coordinates)
{
    char text[1200];
    snprintf(text, sizeof text,
             "gravity: [0, 0, -9.81]\n"
             "bodies: {ball: {mass: 0.01, inertia: {sphere: 0.01}, at: [0, 0, 1], velocity: [%.17g, 0, "
             "%.17g]}}\n"
             "shapes: {plate: {type: box, size: [600, 2, 0.002]}, ball: {type: sphere, body: ball, radius: "
             "0.01}}\n"
             "forces: {hit: {type: contact, a: ball, b: plate, law: hertz, stiffness: 1e9, restitution: "
             "0.5}}\n"
             "outputs: {b: {body: ball}}\n"
             "events: {lands: {type: touch, contact: hit}}\n",
             data->value[0][row], data->value[1][row]);
    return text_run(&(text_case){ text, coordinates, BI_ALI3P, dt });
}

// At 200 m/s a step of 1 ms is a hundred times as long as the plate is thick: they are caught all the same. How fast they come
// back is another matter: hits that are shorter than the step are told by the verdict.
static void test_thrown_balls_do_not_pass_a_thin_plate(void **state)
{
    (void)state;
    bi_table data = run_data("plate_gravity.csv");
    const double *time = run_reference_column(&data, "toi");
    double worst = 0.0;
    for (int k = 0; k < 2 * data.rows; k++) {
        run_model run = thrown(&data, k / 2, 1e-3, by_turns(k));
        run_to(&run, time[k / 2] + 2e-3);
        bi_event e;
        assert_true(bi_sim_event(run.sim, 0, &e));
        keep_worst(&worst, fabs(e.t - time[k / 2]));
        assert_true(run_read(&run, "b.z") > 0.011 && run_read(&run, "b.vz") > 0.0);
        run_close(&run);
    }
    run_expect("plate, steps of 1 ms: when it is hit, s", worst, 1e-4);
    bi_table_clear(&data);
}

// With eight steps a hit and more.
static void test_thrown_balls_meet_a_thin_plate_in_time(void **state)
{
    (void)state;
    bi_table data = run_data("plate_gravity.csv");
    const double *time = run_reference_column(&data, "toi"), *x = run_reference_column(&data, "x"),
                 *vx = run_reference_column(&data, "vx"), *vz = run_reference_column(&data, "vz_at");
    for (int k = 0; k < 4; k++) {
        int row = k / 2 * 2;
        run_model run = thrown(&data, row, row ? 1e-6 : 1e-5, by_turns(k));
        run_to(&run, time[row] + 3e-4);
        bi_event e;
        assert_true(bi_sim_event(run.sim, 0, &e));
        run_expect("plate: when it is hit, s", fabs(e.t - time[row]), 1e-8);
        run_expect("plate: place, m", fabs(run_read(&run, "b.x") - vx[row] * 3e-4 - x[row]), 1e-9);
        run_expect("plate: speed back, of that asked for",
                   fabs(run_read(&run, "b.vz") / (-0.5 * vz[row]) - 1.0), 5e-2);
        run_close(&run);
    }
    bi_table_clear(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rope_slips_on_a_drum_as_the_capstan_equation_says),
        cmocka_unit_test(test_superball_comes_back_from_under_a_table),
        cmocka_unit_test(test_box_that_hits_with_an_edge_goes_on_as_impulses_say),
        cmocka_unit_test(test_thrown_balls_do_not_pass_a_thin_plate),
        cmocka_unit_test(test_thrown_balls_meet_a_thin_plate_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
