// SPDX-License-Identifier: MIT
// What an event of a contact tells of the touch: what touched what, where, how fast, with what force, and what it took.
#include "support/text_model.h"
#include <stdlib.h>

static const double mass = 2.0, drop = 0.2, radius = 0.1, stiffness = 2e4, damping = 20.0, g = 9.81;

// Falls beside another body that never moves; the wall is not met.
static run_model falls(bi_coordinates formulation, bi_scheme scheme)
{
    static char text[2000];
    snprintf(text, sizeof text,
             "bodies: {ball: {mass: %g, inertia: [0.008, 0.008, 0.008], at: [0.5, -0.25, %g]}}\n"
             "gravity: [0, 0, -%g]\n"
             "shapes:\n"
             "  floor: {type: plane, title: the floor}\n"
             "  wall: {type: box, size: [0.1, 1, 1], at: [3, 0, 0.5]}\n"
             "  ball: {type: sphere, radius: %g, body: ball}\n"
             "forces: {touch: {type: contact, a: ball, b: [floor, wall], stiffness: %g, damping: %g}}\n"
             "events: {lands: {type: touch, contact: touch}}\n"
             "outputs: {ball: {body: ball}}\n",
             mass, radius + drop, g, radius, stiffness, damping);
    return text_run(&(text_case){ text, formulation, scheme, 1e-4 });
}

typedef struct {
    const char *name;
    bi_coordinates formulation;
    bi_scheme scheme;
    double
        tolerance; // the damper takes hold inside a step, h/2 c v^2 = 4 mJ of 1 J; forces of piles are those of ends
} way;
static const way ways[] = { { "joint ali3p", BI_JOINT, BI_ALI3P, 5e-3 },
                            { "natural ali3p", BI_NATURAL, BI_ALI3P, 5e-3 },
                            { "joint piles", BI_JOINT, BI_PILES, 5e-3 } };

static void assert_close(const char *what, double value, double expected, double tolerance)
{
    print_message("  %s: %.9g, expected %.9g\n", what, value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

static bi_hit first_hit(const run_model *run)
{
    bi_event event;
    assert_true(bi_sim_event(run->sim, 0, &event));
    assert_string_equal(event.name, "lands");
    return event.hit;
}

static void test_event_names_what_touched_where_and_how_fast(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        run_model run = falls(ways[k].formulation, ways[k].scheme);
        run_to(&run, 0.3);
        bi_hit hit = first_hit(&run);
        assert_string_equal(hit.title_a, "ball");
        assert_string_equal(hit.title_b, "the floor");
        assert_close("place x", hit.at.x, 0.5, 1e-9);
        assert_close("place y", hit.at.y, -0.25, 1e-9);
        assert_close("place z", hit.at.z, 0.0, 1e-5);
        // the step in which it begins starts at most g h before
        assert_close("closing", hit.closing, sqrt(2.0 * g * drop), 1.01 * g * 1e-4);
        assert_close("speed", -hit.velocity.z, hit.closing, 1e-12);
        run_close(&run);
    }
}

// The mass on spring and damper from the first touch on: x'' = -(k x + c x')/m + g, x(0) = 0, x'(0) = v, by small steps.
static double largest_force(double v)
{
    double x = 0.0, u = v, largest = 0.0;
    const double h = 1e-6;
    while (x >= 0.0) {
        double force = stiffness * x + damping * u;
        largest = fmax(largest, force);
        u += h * (g - force / mass);
        x += h * u;
    }
    return largest;
}

// The same sideways, against two posts: both springs, both dampers, no weight.
static double side_force(double v)
{
    double x = 0.0, u = v, largest = 0.0;
    const double h = 1e-6;
    while (x >= 0.0) {
        double force = 2.0 * (stiffness * x + damping * u);
        largest = fmax(largest, force);
        u -= h * force / mass;
        x += h * u;
    }
    return largest;
}

static void test_force_and_energy_are_those_of_the_whole_hit(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        run_model run = falls(ways[k].formulation, ways[k].scheme);
        double start = run_read(&run, "energy.total");
        run_to(&run, 0.3);
        bi_hit hit = first_hit(&run);
        double lost = start - run_read(&run, "energy.total"), v = sqrt(2.0 * g * drop);
        assert_true(isfinite(hit.until) && hit.until < 0.3);
        assert_true(lost > 0.3); // of 3.9 J
        assert_close("energy", hit.energy / lost, 1.0, ways[k].tolerance);
        assert_close("force", hit.force / largest_force(v), 1.0, ways[k].tolerance);
        run_close(&run);
    }
}

static void test_touch_grows_while_it_lasts_and_ends_with_it(void **state)
{
    (void)state;
    run_model run = falls(BI_JOINT, BI_ALI3P);
    while (bi_sim_event_count(run.sim) == 0) {
        run_step(&run);
    }
    bi_hit before = first_hit(&run);
    assert_true(isinf(before.until));
    for (int k = 0; k < 60; k++) {
        run_step(&run);
        bi_hit now = first_hit(&run);
        assert_true(now.force >= before.force);
        before = now;
    }
    assert_true(before.energy > 1.0); // in the spring, too
    run_to(&run, 0.3);
    assert_true(first_hit(&run).energy < before.energy);
    run_close(&run);
}

static void test_touch_goes_on_from_a_snapshot_in_the_same_bits(void **state)
{
    (void)state;
    run_model run = falls(BI_JOINT, BI_PILES), other = falls(BI_JOINT, BI_PILES);
    run_to(&run, 0.21);
    size_t size = bi_sim_save(run.sim, NULL, 0);
    char *bytes = malloc(size);
    bi_sim_save(run.sim, bytes, size);
    assert_int_equal(bi_sim_load(other.sim, bytes, size), BI_OK);
    run_to(&run, 0.3);
    run_to(&other, 0.3);
    bi_hit a = first_hit(&run), b = first_hit(&other);
    assert_true(a.force == b.force && a.energy == b.energy && a.until == b.until && a.closing == b.closing);
    assert_true(bi_sim_hash(run.sim) == bi_sim_hash(other.sim));
    free(bytes);
    run_close(&run);
    run_close(&other);
}

// Rests on the floor, slides without friction, and meets a gate of two posts: an event that holds from the start tells of
// each by its own name.
static run_model slides(bi_coordinates formulation, bi_scheme scheme)
{
    static char text[2000];
    snprintf(text, sizeof text,
             "bodies: {box: {mass: %g, inertia: [0.05, 0.05, 0.05], at: [0, 0, 0.1], velocity: [2, 0, 0]}}\n"
             "gravity: [0, 0, -%g]\n"
             "shapes:\n"
             "  floor: {type: plane, title: the floor}\n"
             "  left: {type: sphere, radius: 0.05, at: [0.4, 0.08, 0.1], title: left post}\n"
             "  right: {type: sphere, radius: 0.05, at: [0.4, -0.08, 0.1], title: right post}\n"
             "  upper: {type: sphere, radius: 0.05, at: [9, 0.08, 0.2], title: left post}\n"
             "  box: {type: box, size: [0.3, 0.3, 0.2], body: box}\n"
             "forces: {touch: {type: contact, a: box, b: [floor, left, right, upper], stiffness: %g, "
             "damping: %g}}\n"
             "events: {touches: {type: touch, contact: touch}}\n",
             mass, g, stiffness, damping);
    return text_run(&(text_case){ text, formulation, scheme, 1e-4 });
}

static void test_each_thing_of_a_contact_has_its_own_event(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        run_model run = slides(ways[k].formulation, ways[k].scheme);
        double start = run_read(&run, "energy.total"), lost = 0.0;
        run_to(&run, 0.2);
        assert_int_equal(bi_sim_event_count(run.sim), 3);
        const char *name[] = { "the floor", NULL, NULL };
        bool is_left = false, is_right = false;
        for (int i = 0; i < 3; i++) {
            bi_event event;
            assert_true(bi_sim_event(run.sim, i, &event));
            assert_string_equal(event.name, "touches");
            assert_string_equal(event.hit.title_a, "box");
            if (name[i]) {
                assert_string_equal(event.hit.title_b, name[i]);
                // it still lies there, and felt nothing but the weight and the fall into its springs
                assert_true(isinf(event.hit.until) && event.hit.force < 2.5 * mass * g);
                lost += event.hit.energy;
                continue;
            }
            is_left |= strcmp(event.hit.title_b, "left post") == 0;
            is_right |= strcmp(event.hit.title_b, "right post") == 0;
            assert_close("when", event.t, 0.1, 2e-4);
            assert_close("closing", event.hit.closing, 2.0, 1e-6);
            assert_true(isfinite(event.hit.until) && event.hit.until < 0.15);
            // each has its half of a spring and damper twice as strong, on the whole mass
            assert_close("force", 2.0 * event.hit.force / side_force(2.0), 1.0, 2e-2);
            lost += event.hit.energy;
        }
        assert_true(is_left && is_right);
        assert_close("energy of all", lost / (start - run_read(&run, "energy.total")), 1.0, 2e-2);
        run_close(&run);
    }
}

static int touches_from(double height)
{
    // one ball lies, so that the event holds; the other hops by 5 mm and comes back after 60 ms and less: one touch. From
    // higher up each is a touch of its own.
    static char text[1000];
    snprintf(text, sizeof text,
             "bodies: {rest: {mass: 1, inertia: [0.004, 0.004, 0.004], at: [0, 0, 0.0995]},\n"
             "  ball: {mass: 1, inertia: [0.004, 0.004, 0.004], at: [1, 0, %g]}}\n"
             "gravity: [0, 0, -9.81]\n"
             "shapes: {floor: {type: plane}, rest: {type: sphere, radius: 0.1, body: rest},\n"
             "  ball: {type: sphere, radius: 0.1, body: ball}}\n"
             "forces: {touch: {type: contact, a: [rest, ball], b: floor, stiffness: 2e4, damping: 8}}\n"
             "events: {touches: {type: touch, contact: touch}}\n",
             0.1 + height);
    run_model run = text_run(&(text_case){ text, BI_JOINT, BI_ALI3P, 5e-4 });
    run_to(&run, 1.0);
    int count = bi_sim_event_count(run.sim);
    print_message("  from %g m: %d\n", height, count);
    run_close(&run);
    return count;
}

static void test_touch_that_chatters_is_one_event(void **state)
{
    (void)state;
    assert_int_equal(touches_from(0.005), 2);
    assert_true(touches_from(0.2) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_names_what_touched_where_and_how_fast),
        cmocka_unit_test(test_force_and_energy_are_those_of_the_whole_hit),
        cmocka_unit_test(test_touch_grows_while_it_lasts_and_ends_with_it),
        cmocka_unit_test(test_touch_goes_on_from_a_snapshot_in_the_same_bits),
        cmocka_unit_test(test_each_thing_of_a_contact_has_its_own_event),
        cmocka_unit_test(test_touch_that_chatters_is_one_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
