// SPDX-License-Identifier: MIT
// A surface that runs, `belt`, against closed forms: a box set down on a conveyor, level and uphill, the stick-slip belt,
// and a belt on a body that is itself carried.
#include "support/text_model.h"

typedef struct {
    const char *head;         // parameters and gravity
    const char *belt;         // keys of the belt
    const char *more;         // forces
    double depth, mu_s, mu_k; // m
    double dt;
    bi_coordinates coordinates;
} ride;

static run_model start(const ride *r)
{
    char text[2000];
    snprintf(text, sizeof text,
             "%s"
             "bodies: {block: {mass: 1, inertia: [0.02, 0.02, 0.02], at: [0, 0, %.17g]}}\n"
             "shapes: {floor: {type: plane}, block: {type: box, body: block, size: [0.4, 0.4, 0.2], at: [0, "
             "0, 0.1]}}\n"
             "forces:\n"
             "  rub: {type: contact, a: block, b: floor, stiffness: 1e5, damping: 300, friction: %.17g, "
             "sliding: %.17g, %s}\n"
             "%s"
             "outputs: {b: {body: block}, rub: {contact: rub}}\n",
             r->head, -r->depth, r->mu_s, r->mu_k / r->mu_s, r->belt, r->more);
    return text_run(&(text_case){ text, r->coordinates, BI_ALI3P, r->dt });
}

static const char *const level = "gravity: [0, 0, -9.81]\n";

// a = mu g cos - g sin until V, then with the belt: x V/2a behind it.
static void test_box_set_down_on_a_conveyor_gets_its_speed_in_time(void **state)
{
    (void)state;
    static const double row[][5] = { // mu, V, slope in degrees, acceleration, time
                                     { 0.5, 2.0, 0.0, 4.905, 0.407747196738022 },
                                     { 0.3, 1.0, 0.0, 2.943, 0.339789330615019 },
                                     { 0.6, 1.5, 15.0, 3.14642458108173, 0.476731592112183 }
    };
    for (int k = 0; k < 6; k++) {
        const double *r = row[k / 2], slope = r[2] * run_pi / 180.0;
        char head[200], belt[80];
        snprintf(head, sizeof head, "gravity: [%.17g, 0, %.17g]\n", -9.81 * sin(slope), -9.81 * cos(slope));
        snprintf(belt, sizeof belt, "belt: %g", r[1]);
        run_model run = start(&(ride){ head, belt, "", 9.81 * cos(slope) / 4e5, r[0], r[0], 1e-3,
                                       k % 2 ? BI_JOINT : BI_NATURAL });
        run_to(&run, 0.2);
        run_expect("conveyor: acceleration", fabs(run_read(&run, "b.vx") / 0.2 - r[3]) / r[3], 1e-6);
        run_to(&run, r[4] + 0.5);
        run_expect("conveyor: speed", fabs(run_read(&run, "b.vx") - r[1]), 1e-6);
        double way = 0.5 * r[1] * r[4] + 0.5 * r[1];
        run_expect("conveyor: way, m", fabs(run_read(&run, "b.x") - way), 2e-4);
        assert_true(run_read(&run, "rub.slipping") == 0.0);
        run_close(&run);
    }
}

// Uphill by 20 degrees mu = 0.3 does not hold it: it slides down, with -0.59 m/s2, however the belt runs.
static void test_box_slides_down_a_conveyor_that_is_too_steep(void **state)
{
    (void)state;
    const double slope = 20.0 * run_pi / 180.0, wanted = -0.589702223051882;
    for (int k = 0; k < 2; k++) {
        char head[200];
        snprintf(head, sizeof head, "gravity: [%.17g, 0, %.17g]\n", -9.81 * sin(slope), -9.81 * cos(slope));
        run_model run = start(&(ride){ head, "belt: 1.5", "", 9.81 * cos(slope) / 4e5, 0.3, 0.3, 1e-3,
                                       k ? BI_JOINT : BI_NATURAL });
        run_to(&run, 0.5);
        double v = run_read(&run, "b.vx");
        run_to(&run, 1.5);
        run_expect("conveyor, too steep: acceleration", fabs(run_read(&run, "b.vx") - v - wanted) / -wanted,
                   1e-6);
        assert_true(run_read(&run, "rub.slipping") == 1.0);
        run_close(&run);
    }
}

// Stick-slip with omega^2 = 200 1/s2, 0.05 m/s: 2 D/V + (2/w)(pi - atan(w D/V)), D = (mu_s - mu_k) g/w^2.
static void test_stick_slip_on_a_belt_has_its_period(void **state)
{
    (void)state;
    run_model run = start(&(ride){ level, "belt: 0.05",
                                   "  spring: {type: spring, a: {body: ground, at: [-1, 0, 0]}, b: {body: "
                                   "block}, stiffness: 200, rest: 1}\n",
                                   9.81 / 4e5, 0.4, 0.3, 2e-4, BI_JOINT });
    double w = sqrt(200.0), D = 0.1 * 9.81 / 200.0, V = 0.05, first = 0.0, last = 0.0, before = 0.0;
    double wanted = 2.0 * D / V + 2.0 / w * (run_pi - atan(w * D / V));
    int n = -1;
    while (run_now(&run) < 4.0) {
        run_step(&run);
        double now = run_read(&run, "b.vx");
        if (before < 0.0 && now >= 0.0) {
            last = run_now(&run) - 2e-4 * now / (now - before);
            first = ++n == 0 ? last : first;
        }
        before = now;
    }
    assert_true(n >= 5);
    run_expect("belt that runs: period, relative", fabs((last - first) / n / wanted - 1.0), 5e-3);
    run_close(&run);
}

// The belt's drive puts in what friction takes and the box gains: the balance closes.
static void test_energy_of_a_conveyor_is_that_of_its_drive(void **state)
{
    (void)state;
    run_model run =
        start(&(ride){ level, "belt: 2, belt_axis: [0, 3, 0]", "", 9.81 / 4e5, 0.5, 0.5, 2e-4, BI_NATURAL });
    run_to(&run, 1.0);
    run_expect("belt along y: speed", fabs(run_read(&run, "b.vy") - 2.0), 1e-6);
    // 4 J from the belt, 2 of them heat: the rest is the box's
    run_expect("conveyor: balance of energy, J", fabs(run_read(&run, "energy.balance")), 2e-3);
    run_close(&run);
}

// An expression of time: a belt that swings carries what sticks to it along.
static void test_belt_that_swings_carries_the_box(void **state)
{
    (void)state;
    run_model run = start(&(ride){ level, "belt: 0.1*sin(6*t)", "", 9.81 / 4e5, 0.5, 0.5, 5e-4, BI_JOINT });
    double worst = 0.0;
    while (run_now(&run) < 2.0) {
        run_step(&run);
        double wanted = 0.1 / 6.0 * (1.0 - cos(6.0 * run_now(&run)));
        worst = fmax(worst, fabs(run_read(&run, "b.x") - wanted));
    }
    // it gives by a tau^2 = 0.6 * 4e-6 m
    run_expect("belt that swings: place, m", worst, 1e-5);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_set_down_on_a_conveyor_gets_its_speed_in_time),
        cmocka_unit_test(test_box_slides_down_a_conveyor_that_is_too_steep),
        cmocka_unit_test(test_stick_slip_on_a_belt_has_its_period),
        cmocka_unit_test(test_energy_of_a_conveyor_is_that_of_its_drive),
        cmocka_unit_test(test_belt_that_swings_carries_the_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
