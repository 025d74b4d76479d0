// SPDX-License-Identifier: MIT
// Round shapes that lie along a line or a ring of their surface come to rest: their places do not change with who is lower.
#include "support/text_model.h"

typedef struct {
    const char *name, *shape, *floor, *at;
    double points;
} lying;

#define BOX "{type: box, size: [2, 2, 0.2], at: [0, 0, -0.1]}"
#define CAPSULE "{type: capsule, body: b, radius: 0.05, ends: [[0, -0.15, 0], [0, 0.15, 0]]}"
#define TORUS "{type: torus, body: b, radius: 0.03, ring: 0.1}"

// Before, a capsule swung between two and three places with forces of 9 to 10 N, a torus between one and four.
static const lying cases[] = {
    { "capsule on a box", CAPSULE, BOX, "at: [0, 0, 0.0505]", 2.0 },
    { "tilted capsule", CAPSULE, BOX, "at: [0, 0, 0.06], turn: {x: 0.01}", 2.0 },
    { "capsule over the edge", CAPSULE, "{type: box, size: [2, 0.4, 0.2], at: [0, 0.1, -0.1]}",
      "at: [0, 0, 0.0505]", 2.0 },
    { "capsules across", CAPSULE, "{type: capsule, radius: 0.1, ends: [[-1, 0, -0.1], [1, 0, -0.1]]}",
      "at: [0, 0, 0.0505]", 1.0 },
    { "torus on a box", TORUS, BOX, "at: [0, 0, 0.0305]", 3.0 },
    { "tilted torus", TORUS, BOX, "at: [0, 0, 0.06], turn: {x: 0.1}", 3.0 },
    { "torus on a capsule", TORUS, "{type: capsule, radius: 0.1, ends: [[-1, 0, -0.1], [1, 0, -0.1]]}",
      "at: [0, 0, 0.0305]", 2.0 },
    { "capsule on a torus", CAPSULE, "{type: torus, radius: 0.03, ring: 0.1, at: [0, 0, -0.03]}",
      "at: [0, 0, 0.0505]", 2.0 },
};
enum { N_CASE = sizeof cases / sizeof *cases };

static run_model open_lying(const lying *x, bi_coordinates coordinates, bi_scheme scheme)
{
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "bodies: {b: {mass: 1, inertia: {box: [0.2, 0.3, 0.1]}, %s}}\n"
        "shapes: {floor: %s, s: %s}\n"
        "forces: {c: {type: contact, a: s, b: floor, stiffness: 1e5, damping: 200, friction: 0.5}}\n"
        "outputs: {b: {body: b}, c: {contact: c}}\n",
        x->at, x->floor, x->shape);
    return text_run(&(text_case){ text, coordinates, scheme, 5e-4 });
}

static double fastest(run_model *run)
{
    static const char *const names[] = { "b.vx", "b.vy", "b.vz", "b.wx", "b.wy", "b.wz" };
    double most = 0.0;
    for (int k = 0; k < 6; k++) {
        most = fmax(most, fabs(run_read(run, names[k])));
    }
    return most;
}

// 1e-6 m/s was asked for; what is left are roundings, 1e-11.
static void test_what_is_round_comes_to_rest(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * N_CASE; k++) {
        const lying *x = &cases[k / 4];
        run_model run = open_lying(x, k % 2 ? BI_JOINT : BI_NATURAL, k % 4 < 2 ? BI_PILES : BI_ALI3P);
        double speed = 0.0;
        while (run_now(&run) < 1.5) {
            run_step(&run);
            speed = run_now(&run) > 1.2 ? fmax(speed, fastest(&run)) : 0.0;
        }
        if (!(speed < 1e-7)) {
            fail_msg("%s, %s, %s: %g m/s", x->name, k % 2 ? "joint" : "natural",
                     k % 4 < 2 ? "piles" : "ali3p", speed);
        }
        assert_true(run_read(&run, "c.points") == x->points);
        assert_true(fabs(run_read(&run, "c.normal") - 9.81) < 1e-6);
        run_close(&run);
    }
}

// ---- rolling -----------------------------------------------------------------------------------------------------------

typedef struct {
    const char *name, *shape, *floor;
    double part; // of the closed form that may be missed
} rolling;

#define FIELD "{type: field, surface: 0*x, from: [-0.5, -0.5], to: [1.5, 0.5], spacing: 0.25}"
#define CYLINDER "{type: cylinder, body: b, radius: 0.1, length: 0.4}"

// With dampers in front and behind they were 6 to 19 % behind. Meshes of round shapes have facets of some degrees, the depth
// of a mm is their size: half a per cent.
static const rolling ways[] = {
    { "cylinder on a box", CYLINDER, "{type: box, size: [4, 1, 0.2], at: [0, 0, -0.1]}", 3e-3 },
    { "cylinder on a field", CYLINDER, FIELD, 3e-3 },
    { "capsule on a field", "{type: capsule, body: b, radius: 0.1, length: 0.3}", FIELD, 1e-2 },
    { "ellipsoid on a field", "{type: ellipsoid, body: b, half_axes: [0.1, 0.1, 0.2]}", FIELD, 1.5e-2 },
};

// Down a slope of 10 degrees: x = g sin t^2 / 3 of a solid cylinder; it gives way by 0.4 mm and so falls a little less.
static void test_what_is_round_rolls_without_loss(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * (int)(sizeof ways / sizeof *ways); k++) {
        const rolling *w = &ways[k / 2];
        char text[1024];
        (void)snprintf(
            text, sizeof text,
            "gravity: [1.7034884, 0, -9.660964]\n"
            "bodies: {b: {mass: 10, inertia: [0.1583, 0.1583, 0.05], turn: {x: 90 deg}, at: [0, 0, "
            "0.0997]}}\n"
            "shapes: {floor: %s, s: %s}\n"
            "forces: {c: {type: contact, a: s, b: floor, stiffness: 1e5, damping: 500, friction: 0.5}}\n"
            "outputs: {b: {body: b}}\n",
            w->floor, w->shape);
        run_model run =
            text_run(&(text_case){ text, k % 2 ? BI_JOINT : BI_NATURAL, k % 2 ? BI_PILES : BI_ALI3P, 1e-3 });
        run_to(&run, 1.0);
        run_expect(w->name, fabs(run_read(&run, "b.x") / (1.7034884 / 3.0) - 1.0), w->part);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_what_is_round_comes_to_rest),
                                        cmocka_unit_test(test_what_is_round_rolls_without_loss) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
