// SPDX-License-Identifier: MIT
// Energy never grows without input: every shape on every kind of ground, every normal law, with and without damping and
// friction, in both formulations; and meshes that collide in space.
#include "support/text_model.h"

typedef struct {
    const char *name, *text;
} choice;

static const choice floors[] = {
    { "plane", "type: plane" },
    { "box", "type: box, size: [4, 4, 0.4], at: [0, 0, -0.2]" },
    // triangles: with a mesh on it mesh against mesh
    { "field",
      "type: field, surface: 0.5*x^2 + 0.4*y^2 - 0.3*x*y, from: [-1.2, -1.2], to: [1.2, 1.2], spacing: 0.1" },
};

static const choice shapes[] = {
    { "ball", "type: sphere, radius: 0.1" },
    { "box", "type: box, size: [0.3, 0.2, 0.15]" },
    { "cylinder", "type: cylinder, radius: 0.1, length: 0.3" },
    { "capsule", "type: capsule, radius: 0.08, length: 0.2" },
    { "torus", "type: torus, radius: 0.03, ring: 0.12" },
    { "notched wedge", "type: mesh, file: wedge.obj" },
    { "ellipsoid", "type: ellipsoid, half_axes: [0.15, 0.1, 0.06]" },
};

static const choice laws[] = {
    { "spring", "stiffness: 2e4" },
    { "spring, friction", "stiffness: 2e4, friction: 0.4" },
    { "Kelvin-Voigt, friction", "stiffness: 2e4, damping: 40, hysteresis: 0.5, friction: 0.4" },
    { "Hertz without loss", "law: hertz, stiffness: 2e6, restitution: 1" },
    { "Hertz, restitution, friction", "law: hertz, stiffness: 2e6, restitution: 0.7, friction: 0.4" },
    { "Hunt-Crossley, friction", "law: hertz, stiffness: 2e6, dissipation: 0.2, friction: 0.4" },
};

enum { N_FLOOR = 3, N_SHAPE = 7, N_LAW = 6 };

// Sanitizers are four times slower and look for other mistakes: there every shape still meets every floor in both
// formulations, with two laws by turns, and what needs several runs of one case needs one case less.
#ifdef BI_DEBUG
enum { EVERY = 3, CASES = 1 };
#else
enum { EVERY = 1, CASES = 2 };
#endif

typedef struct {
    double start, above, growth; // J; highest minus start; highest above any earlier lowest
    bool has_touched;
} record;

static record follow(run_model *run, double until)
{
    record r = { .start = run_read(run, "energy.total") };
    double lowest = r.start;
    while (run_now(run) < until) {
        run_step(run);
        double energy = run_read(run, "energy.total");
        assert_true(isfinite(energy));
        r.above = fmax(r.above, energy - r.start);
        r.growth = fmax(r.growth, energy - lowest);
        lowest = fmin(lowest, energy);
        r.has_touched |= run_read(run, "touch.points") > 0.0;
    }
    return r;
}

static record tumble(const choice *floor, const choice *shape, const choice *law, bi_coordinates coordinates,
                     double dt)
{
    char text[2000];
    snprintf(text, sizeof text,
             "bodies:\n"
             "  body: {mass: 2, inertia: [0.02, 0.025, 0.03], at: [0, 0, 0.4], turn: [{x: 0.4}, {y: 0.3}], "
             "velocity: [1, 0.3, 0], spin: [2, -3, 5]}\n"
             "shapes: {floor: {%s}, body: {body: body, %s}}\n"
             "forces: {touch: {type: contact, a: body, b: floor, %s, stick_time: 0.01}}\n"
             "outputs: {touch: {contact: touch}}\n",
             floor->text, shape->text, law->text);
    run_model run = text_run(&(text_case){ text, coordinates, BI_ALI3P, dt });
    record r = follow(&run, 0.7);
    run_close(&run);
    assert_true(r.has_touched);
    return r;
}

static void test_energy_of_every_shape_and_law_never_exceeds_that_at_the_start(void **state)
{
    (void)state;
    double above = 0.0, growth = 0.0;
    for (int k = 0; k < N_FLOOR * N_SHAPE * N_LAW; k++) {
        const choice *floor = &floors[k / (N_SHAPE * N_LAW)], *shape = &shapes[k / N_LAW % N_SHAPE],
                     *law = &laws[k % N_LAW];
        int turn = k % N_LAW + k / N_LAW + k / (N_LAW * N_SHAPE);
        if (turn % EVERY != 0) {
            continue;
        }
        // by turns, so that each floor, shape and law meets both
        bool is_joint = turn % 2;
        record r = tumble(floor, shape, law, is_joint ? BI_JOINT : BI_NATURAL, 4e-4);
        if (r.above > 1e-5 * r.start || r.growth > 2e-3 * r.start) {
            fail_msg("%s on a %s, %s, %s: %g J above the start, %g J above an earlier lowest", shape->name,
                     floor->name, law->name, is_joint ? "joint" : "natural", r.above, r.growth);
        }
        above = fmax(above, r.above / r.start);
        growth = fmax(growth, r.growth / r.start);
    }
    // never above the start: roundings of the flight
    run_expect("energy above the start, of it", above, 1e-5);
    // inside one hit the scheme moves between kinetic and stored energy with an error of (w h)^2/12 or so of either: a hit of
    // Hertz lasts 25 steps, w h = 0.12; and a stick spring gives back its m (mu g tau)^2/2 = 1.5 mJ of 9.5 J
    run_expect("energy above an earlier lowest, of the start", growth, 2e-3);
}

// What is left of growth is the scheme's and falls with the square of its step.
static void test_growth_of_energy_falls_with_the_square_of_the_step(void **state)
{
    (void)state;
    static const int of_shape[] = { 5, 1 };
    for (int k = 0; k < CASES; k++) {
        double growth[3];
        for (int i = 0; i < 3; i++) {
            record r = tumble(&floors[0], &shapes[of_shape[k]], &laws[0], BI_JOINT, 4e-4 / (1 << i));
            growth[i] = r.growth / r.start;
        }
        printf("measured growth, %s: %.2e %.2e %.2e\n", shapes[of_shape[k]].name, growth[0], growth[1],
               growth[2]);
        assert_true(growth[1] < growth[0] / 3.0 && growth[2] < growth[1] / 3.0);
        assert_true(growth[2] < 1e-5);
    }
}

// A bed of springs under a patch that changes its form, pressed in deep without any loss, which once gained 3e-4.
static void test_bed_of_springs_without_loss_gains_nothing(void **state)
{
    (void)state;
    const choice bed = { "bed of springs", "per: area, stiffness: 2e6" };
    for (int k = 0; k < N_FLOOR; k++) {
        record r = tumble(&floors[k], &shapes[5], &bed, k % 2 ? BI_NATURAL : BI_JOINT, 2e-4);
        run_expect("bed of springs: energy above the start, of it", r.above / r.start, 1e-5);
        run_expect("bed of springs: above an earlier lowest, of the start", r.growth / r.start, 1e-5);
    }
}

static void test_meshes_that_collide_in_space_gain_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < N_LAW; k++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "gravity: [0, 0, 0]\n"
            "bodies:\n"
            "  a: {mass: 2, inertia: [0.02, 0.025, 0.03], at: [-0.4, 0, 0], velocity: [1.5, 0, 0], spin: "
            "[1, 12, 0.5]}\n"
            "  b: {mass: 3, inertia: [0.04, 0.03, 0.05], at: [0.1, 0.03, 0.02], turn: {z: 0.3}}\n"
            "shapes: {a: {body: a, type: mesh, file: wedge.obj}, b: {body: b, type: mesh, file: "
            "wedge.obj}}\n"
            "forces: {touch: {type: contact, a: a, b: b, %s, stick_time: 0.01}}\n"
            "outputs: {touch: {contact: touch}}\n",
            laws[k].text);
        for (int i = 0; i < CASES; i++) {
            bool is_joint = (k + i) % 2;
            run_model run = text_run(&(text_case){ text, is_joint ? BI_JOINT : BI_NATURAL, BI_ALI3P, 2e-4 });
            record r = follow(&run, 0.6);
            assert_true(r.has_touched);
            run_expect("meshes in space: energy above the start, of it", r.above / r.start, 1e-5);
            run_expect("meshes in space: above an earlier lowest, of the start", r.growth / r.start, 5e-4);
            run_close(&run);
        }
    }
}

// A block of 10 kg that slides from 5 m/s to rest: the work of friction is in the balance. Stick springs that let it rock to rest take
// what is left, m (mu g tau)^2/2 = 0.1 J, and the hold of the normal force in the first steps as much.
static void test_balance_counts_the_friction_of_a_sliding_block(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        run_model run = text_run(&(text_case){
            "gravity: [0, 0, -9.81]\n"
            "bodies: {b: {mass: 10, inertia: [1, 1, 1], at: [0, 0, 0.1], velocity: [5, 0, 0]}}\n"
            "shapes: {floor: {type: plane}, box: {type: box, body: b, size: [0.4, 0.4, 0.2]}}\n"
            "forces: {c: {type: contact, a: box, b: floor, stiffness: 3e5, damping: 6e3, friction: 0.5, "
            "mass: 10}}\n",
            f ? BI_JOINT : BI_NATURAL, BI_ALI3P, 1e-3 });
        run_to(&run, 1.5);
        // it had 125 J
        run_expect("balance of a sliding block, J", fabs(run_read(&run, "energy.balance")), 0.5);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_of_every_shape_and_law_never_exceeds_that_at_the_start),
        cmocka_unit_test(test_growth_of_energy_falls_with_the_square_of_the_step),
        cmocka_unit_test(test_bed_of_springs_without_loss_gains_nothing),
        cmocka_unit_test(test_meshes_that_collide_in_space_gain_nothing),
        cmocka_unit_test(test_balance_counts_the_friction_of_a_sliding_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
