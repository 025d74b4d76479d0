// SPDX-License-Identifier: MIT
// The nonlinear finite elements against curves computed elsewhere: the five flexible examples, models/flex-*. The other
// program is written in another language by other hands; its README states the steps and meshes it used.
#include "exact/elements/yardstick.h"
#include "support/run_model.h"

static const vec3 ez = { 0.0, 0.0, 1.0 };

// Runs to the instants of the table up to `time`; calls `sample` there.
typedef struct {
    yard *y;
    bi_table table;
    yard_options options;
    double time;
} yard_run;

static bool run_next(yard_run *r, int k)
{
    const double *t = run_reference_column(&r->table, "t");
    if (k >= r->table.rows || t[k] > r->time + 1e-9) {
        return false;
    }
    while (yard_time(r->y) < t[k] - 0.5 * r->options.h) {
        bi_status status = yard_step(r->y, &r->options);
        if (status != BI_OK) {
            fail_msg("step at %.6g s: %s", yard_time(r->y), bi_status_text(status));
        }
    }
    return true;
}

static double wanted(const yard_run *r, const char *column, int k)
{
    return run_reference_column(&r->table, column)[k];
}

static double larger(double worst, double error) { return error <= worst ? worst : error; }

static void finish(yard_run *r, const char *name)
{
    yard_statistics s = yard_counts(r->y);
    printf("measured %s freedoms=%d steps=%d iterations=%d factors=%d\n", name, yard_freedoms(r->y),
           (int)s.steps, (int)s.iterations, (int)s.factors);
    yard_destroy(r->y);
    bi_table_clear(&r->table);
}

// ---- 1: a hinged bar under a torque that swings to and fro -----------------------------------------------------------

static double half_cosine(double t, double from, double to)
{
    double s = (t - from) / (to - from);
    return s <= 0.0 ? 0.0 : s >= 1.0 ? 1.0 : 0.5 - 0.5 * cos(run_pi * s);
}

static jet swinging_torque(const void *ctx, double t)
{
    (void)ctx;
    return (jet){ .v = half_cosine(t, 0.0, 0.1) - 2.0 * half_cosine(t, 0.95, 1.05) +
                       half_cosine(t, 1.9, 2.0) };
}

static void test_bar_under_torque_follows_the_other_program(void **state)
{
    (void)state;
    const double E = 2e11, A = 1e-4, I = 1e-10, height = 3.5e-3, rho = 8000.0;
    yard_section section = {
        .EA = E * A, .GAy = 100.0 * E / 2.6 * A / 1.2, .EIz = E * I, .rhoA = rho * A, .rhoIz = rho * I
    };
    yard_run r = { .y = yard_create(),
                   .table = run_reference("flex-bar", "ex1_ge.csv"),
                   .options = { .h = 2e-4, .rho_inf = 0.9 },
                   .time = 2.0 };
    yard_planar(r.y);
    yard_node a = yard_add_node(r.y, (vec3){ 0.0, 0.0, 0.0 }, quat_identity());
    yard_node b = yard_add_node(r.y, (vec3){ 1.5, 0.0, 0.0 }, quat_identity());
    yard_hold_place(r.y, a.place, YARD_ALL);
    yard_bar bar = yard_add_bar(r.y, a, b, ez, &section, 5);
    yard_torque(r.y, a.turn, ez, (yard_profile){ swinging_torque, NULL });
    assert_true(yard_finish(r.y));
    double tip = 0.0, stress = 0.0, angle = 0.0;
    for (int k = 0; run_next(&r, k); k++) {
        vec3 at = yard_at(r.y, b.place);
        yard_forces f = yard_bar_forces(r.y, bar, 0.5);
        tip = larger(tip, hypot(at.x - wanted(&r, "x_tip", k), at.y - wanted(&r, "y_tip", k)));
        angle = larger(angle, fabs(yard_angle(r.y, a.turn) - wanted(&r, "theta_root", k)));
        stress = larger(stress, fabs(f.N / A - f.Mz * height / 2.0 / I - wanted(&r, "sigma_top_mid", k)));
    }
    finish(&r, "bar");
    // what the other program changes by between steps of 2e-4 and 5e-4 s
    run_expect("bar tip", tip, 4.3e-6);
    run_expect("bar angle", angle, 1e-5);
    run_expect("bar stress", stress, 3e4);
}

// ---- 2: a double pendulum that falls ----------------------------------------------------------------------------------

static void test_double_pendulum_follows_the_other_program(void **state)
{
    (void)state;
    const double E = 7e10, A = 1.2e-3, I = 4e-7, height = 0.06, rho = 2000.0;
    yard_section section = { .EA = E * A,
                             .GAy = 100.0 * E / 2.6 * A / 1.2,
                             .EIz = E * I,
                             .rhoA = rho * A,
                             .rhoIz = rho * I,
                             .viscous = 2e-4 };
    yard_run r = { .y = yard_create(),
                   .table = run_reference("flex-double-pendulum", "ex2d_ge.csv"),
                   .options = { .h = 2.5e-4, .rho_inf = 0.8 },
                   .time = 5.0 };
    yard_planar(r.y);
    yard_gravity(r.y, (vec3){ 0.0, -9.81, 0.0 });
    yard_node a = yard_add_node(r.y, (vec3){ 0.0, 0.0, 0.0 }, quat_identity());
    yard_node b = yard_add_node(r.y, (vec3){ 1.5, 0.0, 0.0 }, quat_identity());
    yard_node b2 = { b.place, yard_turn(r.y, quat_identity()) };
    yard_node c = yard_add_node(r.y, (vec3){ 3.0, 0.0, 0.0 }, quat_identity());
    yard_hold_place(r.y, a.place, YARD_ALL);
    yard_bar upper = yard_add_bar(r.y, a, b, ez, &section, 3);
    yard_add_bar(r.y, b2, c, ez, &section, 3);
    assert_true(yard_finish(r.y));
    double tip = 0.0, stress = 0.0;
    for (int k = 0; run_next(&r, k); k++) {
        vec3 at = yard_at(r.y, c.place);
        yard_forces f = yard_bar_forces(r.y, upper, 0.5);
        tip = larger(tip, hypot(at.x - wanted(&r, "x_tip", k), at.y - wanted(&r, "y_tip", k)));
        stress = larger(stress, fabs(f.N / A + fabs(f.Mz) * height / 2.0 / I - wanted(&r, "sigma_max", k)));
    }
    finish(&r, "double pendulum");
    // what the other program changes by between steps of 2.5e-4 and 5e-4 s
    run_expect("double pendulum tip", tip, 5.8e-5);
    run_expect("double pendulum stress", stress, 4.9e3);
}

// ---- 3: a slider-crank whose rod is a plate ---------------------------------------------------------------------------

static jet triangular_force(const void *ctx, double t)
{
    (void)ctx;
    return (jet){ .v = t < 0.01 ? -2e4 * t : t < 0.02 ? -2e4 * (0.02 - t) : 0.0 };
}

enum { ALONG = 36, ACROSS = 6 };

static void test_slider_crank_with_plate_follows_the_other_program(void **state)
{
    (void)state;
    const double L = 0.130446, w = 0.034922, thick = 8e-3, rho = 7850.0, crank = 0.05;
    yard_plate plate = { .E = 2.1e11, .nu = 0.3, .rho = rho, .thickness = thick };
    yard_run r = { .y = yard_create(),
                   .table = run_reference("flex-slider-crank", "ex3_nonlin.csv"),
                   .options = { .h = 1e-4, .rho_inf = 0.9 },
                   .time = 0.3 };
    yard *y = r.y;
    yard_planar(y);
    vec3 B = { crank * cos(0.25 * run_pi), crank * sin(0.25 * run_pi), 0.0 };
    double slope = -asin(B.y / L);
    vec3 C = { B.x + L * cos(slope), 0.0, 0.0 };
    // the crank turns about its own node; its far end carries the rod's face
    yard_node a = yard_add_node(y, (vec3){ 0.0, 0.0, 0.0 }, quat_from_axis_angle(ez, 0.25 * run_pi));
    yard_hold_place(y, a.place, YARD_ALL);
    double mass = rho * crank * 0.03 * thick, Izz = mass * (crank * crank / 3.0 + 0.03 * 0.03 / 12.0);
    yard_add_body(y, a, mass, (vec3){ 0.5 * crank, 0.0, 0.0 },
                  (mat3){ { { Izz, 0.0, 0.0 }, { 0.0, Izz, 0.0 }, { 0.0, 0.0, Izz } } });
    quat rod = quat_from_axis_angle(ez, slope);
    yard_node face_b = yard_add_node(y, B, rod), face_c = yard_add_node(y, C, rod);
    yard_hold_place(y, face_c.place, YARD_Y);
    yard_add_body(y, (yard_node){ face_c.place, -1 }, 3.0, (vec3){ 0.0, 0.0, 0.0 }, (mat3){ 0 });
    yard_join(y, a, (vec3){ crank, 0.0, 0.0 }, face_b, (vec3){ 0.0, 0.0, 0.0 });
    // the plate is described in its own axes; the quads turn into ground axes with their places
    int place[ALONG + 1][ACROSS + 1];
    for (int i = 0; i <= ALONG; i++) {
        for (int j = 0; j <= ACROSS; j++) {
            vec3 own = { L * i / ALONG, w * (j / (double)ACROSS - 0.5), 0.0 };
            place[i][j] = yard_place(y, vec3_add(B, quat_rotate(rod, own)));
        }
    }
    for (int i = 0; i < ALONG; i++) {
        for (int j = 0; j < ACROSS; j++) {
            const int corner[4] = { place[i][j], place[i + 1][j], place[i + 1][j + 1], place[i][j + 1] };
            assert_true(yard_add_quad(y, corner, &plate) >= 0);
        }
    }
    for (int j = 0; j <= ACROSS; j++) {
        vec3 arm = { 0.0, w * (j / (double)ACROSS - 0.5), 0.0 };
        yard_join(y, face_b, arm, (yard_node){ place[0][j], -1 }, (vec3){ 0.0, 0.0, 0.0 });
        yard_join(y, face_c, arm, (yard_node){ place[ALONG][j], -1 }, (vec3){ 0.0, 0.0, 0.0 });
    }
    yard_force(y, (yard_node){ face_c.place, -1 }, (vec3){ 0.0, 0.0, 0.0 }, (vec3){ 1.0, 0.0, 0.0 },
               (yard_profile){ triangular_force, NULL });
    assert_true(yard_finish(y));
    double slider = 0.0, centre = 0.0, top = 0.0, angle = 0.0;
    for (int k = 0; run_next(&r, k); k++) {
        double s[3], c = cos(slope), sn = sin(slope);
        slider = larger(slider, fabs(yard_at(y, face_c.place).x - wanted(&r, "x_slider", k)));
        angle = larger(angle, fabs(yard_angle(y, a.turn) + 0.25 * run_pi - wanted(&r, "crank_angle", k)));
        yard_plate_stress(y, place[ALONG / 2][ACROSS / 2], s);
        double along = s[0] * c * c + s[1] * sn * sn + 2.0 * s[2] * c * sn;
        centre = larger(centre, fabs(along - wanted(&r, "sigma_mid_center", k)));
        yard_plate_stress(y, place[ALONG / 2][ACROSS], s);
        along = s[0] * c * c + s[1] * sn * sn + 2.0 * s[2] * c * sn;
        top = larger(top, fabs(along - wanted(&r, "sigma_mid_top", k)));
    }
    finish(&r, "slider-crank");
    // stresses: what the other program differs by from its own floating frame, of 1.28e6 Pa; the slider: tolerance of both
    // Newton iterations over 3000 steps, which the dead centre multiplies for the angle
    run_expect("slider-crank slider", slider, 5e-7);
    run_expect("slider-crank angle", angle, 5e-5);
    run_expect("slider-crank stress at the centre", centre, 388.0);
    run_expect("slider-crank stress at the top", top, 3.5e3);
}

// ---- 4: a four-bar with a misaligned hinge ----------------------------------------------------------------------------

static jet eased_turn(const void *ctx, double t)
{
    (void)ctx;
    const double start = 0.5, w = run_pi / start;
    return t < start ? (jet){ 0.5 * (t - sin(w * t) / w), 0.5 * (1.0 - cos(w * t)), 0.5 * w * sin(w * t) }
                     : (jet){ t - 0.5 * start, 1.0, 0.0 };
}

static void test_misaligned_four_bar_follows_the_other_program(void **state)
{
    (void)state;
    const double E = 7e10, nu = 0.33, R = 0.005, rho = 3000.0, A = run_pi * R * R,
                 I = run_pi * R * R * R * R / 4.0, G = E / (2.0 * (1.0 + nu));
    yard_section section = { .EA = E * A,
                             .GAy = 0.9 * G * A,
                             .GAz = 0.9 * G * A,
                             .GJ = 2.0 * G * I,
                             .EIy = E * I,
                             .EIz = E * I,
                             .rhoA = rho * A,
                             .rhoIy = rho * I,
                             .rhoIz = rho * I };
    yard_run r = { .y = yard_create(),
                   .table = run_reference("flex-four-bar", "ex4_ge_fine.csv"),
                   .options = { .h = 5e-3, .rho_inf = 0.8 },
                   .time = 1.6 };
    yard *y = r.y;
    const vec3 skew = { sin(run_pi / 36.0), 0.0, cos(run_pi / 36.0) };
    yard_node a = yard_add_node(y, (vec3){ 0.0, 0.0, 0.0 }, quat_identity());
    yard_node b1 = yard_add_node(y, (vec3){ 0.0, 0.12, 0.0 }, quat_identity());
    yard_node b2 = { b1.place, yard_turn(y, quat_identity()) };
    yard_node c2 = yard_add_node(y, (vec3){ 0.24, 0.12, 0.0 }, quat_identity());
    yard_node c3 = { c2.place, yard_turn(y, quat_identity()) };
    yard_node d = yard_add_node(y, (vec3){ 0.24, 0.0, 0.0 }, quat_identity());
    yard_hold_place(y, a.place, YARD_ALL);
    yard_drive_turn(y, a.turn, ez, (yard_profile){ eased_turn, NULL });
    yard_hold_place(y, d.place, YARD_ALL);
    yard_hold_turn(y, d.turn, YARD_X | YARD_Y);
    yard_hinge(y, b1.turn, b2.turn, ez);
    yard_hinge(y, c2.turn, c3.turn, skew);
    yard_add_bar(y, a, b1, ez, &section, 9);
    yard_bar coupler = yard_add_bar(y, b2, c2, ez, &section, 17);
    yard_add_bar(y, c3, d, ez, &section, 9);
    assert_true(yard_finish(y));
    static const char *const column[] = { "zB", "zC", "Mt", "My", "Mz", "N" };
    double worst[6] = { 0.0 };
    for (int k = 0; run_next(&r, k); k++) {
        yard_forces f = yard_bar_forces(y, coupler, 0.5);
        double mine[6] = { yard_at(y, b1.place).z, yard_at(y, c2.place).z, f.Mt, f.My, f.Mz, f.N };
        for (int c = 0; c < 6; c++) {
            worst[c] = larger(worst[c], fabs(mine[c] - wanted(&r, column[c], k)));
        }
    }
    finish(&r, "four-bar");
    // of 2.5e-3 m, 4.5 N m and 46 N: the same element and step, so only tolerances are left
    static const double limit[] = { 1e-8, 1e-8, 1e-5, 1e-5, 1e-4, 5e-3 };
    for (int c = 0; c < 6; c++) {
        run_expect(column[c], worst[c], limit[c]);
    }
}

// ---- 5: spin-up ---------------------------------------------------------------------------------------------------------

typedef struct {
    double speed, time;
} manoeuvre;

static jet spin_up(const void *ctx, double t)
{
    const manoeuvre *m = ctx;
    double w = 2.0 * run_pi / m->time, c = m->speed / m->time;
    if (t >= m->time) {
        return (jet){ m->speed * (t - 0.5 * m->time), m->speed, 0.0 };
    }
    return (jet){ c * (0.5 * t * t + (cos(w * t) - 1.0) / (w * w)), c * (t - sin(w * t) / w),
                  c * (1.0 - cos(w * t)) };
}

static void spin_up_run(const manoeuvre *m, const char *file, double h, double time, double worst[4])
{
    const double E = 7e10, A = 4e-4, I = 2e-7, rho = 3000.0;
    yard_section section = { .EA = E * A, .GAy = 1e7, .EIz = E * I, .rhoA = rho * A, .rhoIz = rho * I };
    yard_run r = { .y = yard_create(),
                   .table = run_reference("flex-spin-up", file),
                   .options = { .h = h, .rho_inf = 0.8 },
                   .time = time };
    yard_planar(r.y);
    yard_node a = yard_add_node(r.y, (vec3){ 0.0, 0.0, 0.0 }, quat_identity());
    yard_node b = yard_add_node(r.y, (vec3){ 10.0, 0.0, 0.0 }, quat_identity());
    yard_hold_place(r.y, a.place, YARD_ALL);
    yard_drive_turn(r.y, a.turn, ez, (yard_profile){ spin_up, m });
    yard_bar bar = yard_add_bar(r.y, a, b, ez, &section, 5);
    assert_true(yard_finish(r.y));
    for (int k = 0; run_next(&r, k); k++) {
        double angle = spin_up(m, yard_time(r.y)).v, c = cos(angle), s = sin(angle);
        vec3 at = yard_at(r.y, b.place);
        yard_forces f = yard_bar_forces(r.y, bar, 0.5);
        double mine[4] = { c * at.x + s * at.y - 10.0, c * at.y - s * at.x, f.Mz, f.N };
        static const char *const column[] = { "u_ax", "u_tr", "M_mid", "N_mid" };
        for (int i = 0; i < 4; i++) {
            worst[i] = larger(worst[i], fabs(mine[i] - wanted(&r, column[i], k)));
        }
    }
    finish(&r, file);
}

static void test_fast_spin_up_follows_the_other_program(void **state)
{
    (void)state;
    double worst[4] = { 0.0 };
    spin_up_run(&(manoeuvre){ 6.0, 15.0 }, "ex5_ge_fast.csv", 2.5e-3, 20.0, worst);
    // what the other program changes by when its step is halved: 6.7e-5 m of 0.574 m, and that share of the rest
    run_expect("fast spin-up axial", worst[0], 2e-6);
    run_expect("fast spin-up lag", worst[1], 6.7e-5);
    run_expect("fast spin-up moment", worst[2], 1e-2);
    run_expect("fast spin-up normal force", worst[3], 0.2);
}

static void test_slow_spin_up_follows_the_other_program(void **state)
{
    (void)state;
    double worst[4] = { 0.0 };
    spin_up_run(&(manoeuvre){ 0.6, 150.0 }, "ex5_ge_slow.csv", 2e-2, 160.0, worst);
    // 1e-4 of 6.28e-3 m, 1 N m, 16 N
    run_expect("slow spin-up axial", worst[0], 1e-9);
    run_expect("slow spin-up lag", worst[1], 6e-7);
    run_expect("slow spin-up moment", worst[2], 1e-4);
    run_expect("slow spin-up normal force", worst[3], 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar_under_torque_follows_the_other_program),
        cmocka_unit_test(test_double_pendulum_follows_the_other_program),
        cmocka_unit_test(test_slider_crank_with_plate_follows_the_other_program),
        cmocka_unit_test(test_misaligned_four_bar_follows_the_other_program),
        cmocka_unit_test(test_fast_spin_up_follows_the_other_program),
        cmocka_unit_test(test_slow_spin_up_follows_the_other_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
