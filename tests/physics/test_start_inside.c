// SPDX-License-Identifier: MIT
// Bodies that start inside each other are pushed apart, and not thrown.
#include "support/text_model.h"
#include <stdlib.h>

static const char *const shapes[] = { "{type: box, body: b, size: [0.4, 0.4, 0.4]}",
                                      "{type: sphere, body: b, radius: 0.2}" };
static const char *const floors[] = { "{type: plane}", "{type: box, size: [4, 4, 1], at: [0, 0, -0.5]}" };

// 15 % of 0.4 m on 1e6 N/m; before, they flew up by 3.5 m (piles) and 7.5 m (ali3p).
static run_model open_inside(int k, double height)
{
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "bodies: {b: {mass: 10, inertia: {box: [0.4, 0.4, 0.4]}, at: [0, 0, %g]}}\n"
        "shapes: {floor: %s, s: %s}\n"
        "forces: {c: {type: contact, a: s, b: floor, stiffness: 1e6, damping: 500, friction: 0.5}}\n"
        "outputs: {b: {body: b}, c: {contact: c}}\n",
        height, floors[k / 2 % 2], shapes[k % 2]);
    return text_run(
        &(text_case){ text, k / 4 % 2 ? BI_JOINT : BI_NATURAL, k / 8 ? BI_ALI3P : BI_PILES, 1e-3 });
}

// They rise by the 5 mm/s over which springs fade, 0.1 m/s in the first steps at most.
static void test_what_starts_inside_rises_slowly(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        run_model run = open_inside(k, 0.14);
        double fastest = 0.0, least = INFINITY;
        while (run_now(&run) < 0.5) {
            run_step(&run);
            fastest = fmax(fastest, run_read(&run, "b.vz"));
            least = run_now(&run) > 0.1 ? fmin(least, run_read(&run, "b.vz")) : INFINITY;
        }
        if (!(fastest < 0.15 && least > 0.003)) {
            fail_msg("case %d: up to %g m/s, then at least %g", k, fastest, least);
        }
        run_close(&run);
    }
}

// What has come out is a contact as any other: it carries, and it is at rest.
static void test_what_starts_inside_comes_to_rest(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        run_model run = open_inside(k, 0.178); // 5.5 %
        while (run_now(&run) < 6.0) {
            run_step(&run);
        }
        assert_true(fabs(run_read(&run, "b.vz")) < 1e-6);
        assert_true(fabs(run_read(&run, "c.normal") - 98.1) < 1e-3);
        run_close(&run);
    }
}

static void test_what_starts_inside_goes_on_from_a_snapshot(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        run_model run = open_inside(k, 0.14), other = open_inside(k, 0.14);
        for (int n = 0; n < 50; n++) {
            run_step(&run);
        }
        size_t size = bi_sim_save(run.sim, NULL, 0);
        void *snapshot = malloc(size);
        assert_non_null(snapshot);
        assert_true(bi_sim_save(run.sim, snapshot, size) == size);
        assert_true(bi_sim_load(other.sim, snapshot, size) == BI_OK);
        free(snapshot);
        for (int n = 0; n < 50; n++) {
            run_step(&run);
            run_step(&other);
        }
        assert_true(bi_sim_hash(run.sim) == bi_sim_hash(other.sim));
        run_close(&run);
        run_close(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_what_starts_inside_rises_slowly),
                                        cmocka_unit_test(test_what_starts_inside_comes_to_rest),
                                        cmocka_unit_test(test_what_starts_inside_goes_on_from_a_snapshot) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
