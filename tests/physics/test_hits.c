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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_names_what_touched_where_and_how_fast),
        cmocka_unit_test(test_force_and_energy_are_those_of_the_whole_hit),
        cmocka_unit_test(test_touch_grows_while_it_lasts_and_ends_with_it),
        cmocka_unit_test(test_touch_goes_on_from_a_snapshot_in_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
