// SPDX-License-Identifier: MIT
// Sims of a batch have the bits that they have alone, with any number of workers; one that fails stops nobody else.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the four above
#include <cmocka.h>

#include <biela/batch.h>
#include <biela/io.h>

enum { SIMS = 17 };

// A pendulum of length L with a motor; `push` is its torque. Beyond |push| = 1e300 numbers end.
static bi_model *pendulum(double length)
{
    bi_model *m = bi_model_create("pendulum");
    bi_body b = bi_add_body(
        m, &(bi_body_def){ .name = "bob", .mass = 2, .com = { length, 0, 0 }, .inertia = { 0.1, 0.1, 0.1 } });
    bi_joint pin = bi_add_joint(
        m,
        &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = b, .axis = { 0, 1, 0 } });
    bi_add_input(m, "push", 0.0);
    bi_add_torque(
        m, &(bi_torque_def){ .name = "motor", .joint = pin, .torque = bi_expression(m, "push", NULL) });
    bi_add_output(m, &(bi_output_def){ .name = "pin", .kind = BI_OUT_JOINT, .joint = pin });
    return m;
}

static bi_system *compiled(double length, bi_coordinates coordinates)
{
    bi_model *m = pendulum(length);
    bi_report report = { 0 };
    bi_system *s = bi_compile(m, &(bi_options){ .coordinates = coordinates, .dt = 2e-3 }, &report);
    assert_non_null(s);
    bi_report_clear(&report);
    bi_model_destroy(m);
    return s;
}

static void pushes(double value[SIMS])
{
    for (int k = 0; k < SIMS; k++) {
        value[k] = 4.0 * bi_random(1, "push", (uint64_t)k) - 2.0;
    }
}

static uint64_t alone(const bi_system *s, double push, double *angle)
{
    bi_sim *sim = bi_sim_create(s);
    assert_int_equal(bi_sim_start(sim, NULL), BI_OK);
    bi_sim_input(sim, bi_find_input(s, "push"), push);
    for (int n = 0; n < 100; n++) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
    }
    assert_int_equal(bi_sim_run_to(sim, 0.6), BI_OK);
    *angle = bi_sim_read(sim, bi_find_channel(s, "pin.angle"));
    uint64_t hash = bi_sim_hash(sim);
    bi_sim_destroy(sim);
    return hash;
}

static void check_same_bits(bi_coordinates coordinates)
{
    bi_system *s = compiled(1.0, coordinates);
    bi_input push = bi_find_input(s, "push");
    bi_channel angle = bi_find_channel(s, "pin.angle");
    double value[SIMS], read[SIMS];
    uint64_t hash[SIMS];
    pushes(value);
    for (int workers = 1; workers <= 3; workers++) {
        bi_batch *b =
            bi_batch_create(s, SIMS, &(bi_batch_options){ .device = "threads", .workers = workers }, NULL);
        assert_non_null(b);
        assert_int_equal(bi_batch_count(b), SIMS);
        assert_int_equal(bi_batch_start(b), BI_OK);
        assert_int_equal(bi_batch_inputs(b, &push, 1, value), BI_OK);
        assert_int_equal(bi_batch_step(b, 100), BI_OK);
        assert_int_equal(bi_batch_run_to(b, 0.6), BI_OK);
        assert_int_equal(bi_batch_read(b, &angle, 1, read), BI_OK);
        assert_int_equal(bi_batch_hashes(b, hash), BI_OK);
        assert_int_equal(bi_batch_failed(b), 0);
        for (int k = 0; k < SIMS; k++) {
            double own = 0.0;
            assert_true(hash[k] == alone(s, value[k], &own));
            assert_true(read[k] == own);
        }
        bi_batch_destroy(b);
    }
    bi_system_destroy(s);
}

static void test_sims_have_the_bits_that_they_have_alone(void **state)
{
    (void)state;
    check_same_bits(BI_NATURAL);
    check_same_bits(BI_JOINT);
}

static void test_systems_may_differ_in_their_numbers(void **state)
{
    (void)state;
    const bi_system *system[3];
    for (int k = 0; k < 3; k++) {
        system[k] = compiled(1.0 + 0.5 * k, BI_JOINT);
    }
    bi_batch *b = bi_batch_create_of(system, 3, NULL, NULL);
    uint64_t hash[3];
    double own;
    assert_non_null(b);
    assert_int_equal(bi_batch_start(b), BI_OK);
    assert_int_equal(bi_batch_step(b, 100), BI_OK);
    assert_int_equal(bi_batch_run_to(b, 0.6), BI_OK);
    assert_int_equal(bi_batch_hashes(b, hash), BI_OK);
    for (int k = 0; k < 3; k++) {
        assert_true(hash[k] == alone(system[k], 0.0, &own));
    }
    bi_batch_destroy(b);
    for (int k = 0; k < 3; k++) {
        bi_system_destroy((bi_system *)system[k]);
    }
}

static void test_one_that_fails_stops_nobody_else(void **state)
{
    (void)state;
    bi_system *s = compiled(1.0, BI_JOINT);
    bi_input push = bi_find_input(s, "push");
    bi_channel angle = bi_find_channel(s, "pin.angle");
    double value[SIMS], read[SIMS], own;
    uint64_t hash[SIMS];
    pushes(value);
    double sound = value[4];
    value[4] = NAN;
    bi_batch *b = bi_batch_create(s, SIMS, &(bi_batch_options){ .workers = 2 }, NULL);
    assert_int_equal(bi_batch_read(b, &angle, 1, read), BI_OK);
    assert_true(isnan(read[0])); // nothing has started
    assert_int_equal(bi_batch_status(b, 4), BI_NOT_STARTED);
    assert_int_equal(bi_batch_failed(b), 0);
    bi_batch_start(b);
    bi_batch_inputs(b, &push, 1, value);
    bi_batch_step(b, 100);
    bi_batch_run_to(b, 0.6);
    assert_int_equal(bi_batch_failed(b), 1);
    assert_int_equal(bi_batch_status(b, 4), BI_NOT_FINITE);
    assert_true(bi_batch_failure(b, 4)[0] != '\0');
    assert_string_equal(bi_batch_failure(b, 5), "");
    bi_batch_hashes(b, hash);
    for (int k = 0; k < SIMS; k++) {
        assert_true(k == 4 || hash[k] == alone(s, value[k], &own));
    }
    // started again, it is as if nothing had been
    value[4] = sound;
    assert_int_equal(bi_batch_restart(b, 4), BI_NOT_FINITE); // its input is still what it was
    bi_sim_input(bi_batch_sim(b, 4), push, 0.0);
    assert_int_equal(bi_batch_restart(b, 4), BI_OK);
    bi_sim_input(bi_batch_sim(b, 4), push, sound);
    for (int n = 0; n < 100; n++) {
        assert_int_equal(bi_sim_step(bi_batch_sim(b, 4)), BI_OK);
    }
    bi_batch_run_to(b, 0.6);
    bi_batch_hashes(b, hash);
    assert_true(hash[4] == alone(s, sound, &own));
    assert_int_equal(bi_batch_failed(b), 0);
    bi_batch_destroy(b);
    bi_system_destroy(s);
}

// A spring of stiffness k, N/m, under a mass of 1 kg with Euler's rule and steps of 10 ms: far too stiff from 1e4 on.
static const bi_system *on_a_spring(const char *k)
{
    static const char file[] =
        "biela: 1\nname: mass\nparameters: {k: {value: 100, unit: N/m}}\n"
        "bodies: {m: {mass: 1, at: [0, 0, 1]}}\n"
        "forces: {s: {type: spring, a: {body: m, at: [0, 0, 0]}, b: {body: ground, at: [0, 0, 0]}, "
        "stiffness: k, length: 0.5}}\n"
        "outputs: {m: {point: {body: m, at: [0, 0, 0]}}}\n";
    bi_report report = { 0 };
    bi_setting setting = { "k", k };
    bi_model *m = bi_read_model_text(file, sizeof file - 1, "mass", &setting, 1, NULL, NULL, &report);
    bi_system *s = m ? bi_compile(m, &(bi_options){ .scheme = BI_EULER, .dt = 1e-2 }, &report) : NULL;
    assert_non_null(s);
    bi_report_clear(&report);
    bi_model_destroy(m);
    return s;
}

static void test_one_that_diverges_stops_nobody_else(void **state)
{
    (void)state;
    const bi_system *system[3] = { on_a_spring("100"), on_a_spring("1e9"), on_a_spring("200") };
    bi_batch *b = bi_batch_create_of(system, 3, &(bi_batch_options){ .workers = 2 }, NULL);
    uint64_t hash[3];
    double end[3];
    bi_channel z = bi_find_channel(system[0], "m.z");
    assert_non_null(b);
    bi_batch_start(b);
    bi_batch_step(b, 400);
    assert_int_equal(bi_batch_failed(b), 1);
    assert_int_not_equal(bi_batch_status(b, 1), BI_OK);
    assert_true(bi_batch_failure(b, 1)[0] != '\0');
    bi_batch_hashes(b, hash);
    bi_batch_read(b, &z, 1, end);
    for (int k = 0; k < 3; k += 2) {
        bi_sim *sim = bi_sim_create(system[k]);
        bi_sim_start(sim, NULL);
        for (int n = 0; n < 400; n++) {
            assert_int_equal(bi_sim_step(sim), BI_OK);
        }
        assert_true(bi_sim_hash(sim) == hash[k] && bi_sim_read(sim, z) == end[k]);
        bi_sim_destroy(sim);
    }
    bi_batch_destroy(b);
    for (int k = 0; k < 3; k++) {
        bi_system_destroy((bi_system *)system[k]);
    }
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    bi_system *s = compiled(1.0, BI_JOINT);
    bi_report report = { 0 };
    assert_null(bi_batch_create(s, 0, NULL, &report));
    assert_null(bi_batch_create(s, 1, &(bi_batch_options){ .device = "abacus" }, &report));
    assert_null(bi_batch_create(s, 1, &(bi_batch_options){ .workers = 65 }, &report));
    assert_int_equal(report.errors, 3);
    // ten million take more than a machine has; told before any is made
    assert_null(bi_batch_create(s, 10000000, &(bi_batch_options){ .most_memory = 1e9 }, &report));
    assert_int_equal(report.errors, 4);
    assert_non_null(strstr(report.issue[3].what, "GB"));
    bi_model *other = bi_model_create("other");
    bi_add_body(other, &(bi_body_def){ .name = "b", .mass = 1 });
    bi_system *unlike = bi_compile(other, NULL, NULL);
    assert_null(bi_batch_create_of((const bi_system *const[]){ s, unlike }, 2, NULL, &report));
    assert_null(bi_batch_create_of((const bi_system *const[]){ s, NULL }, 2, NULL, &report));
    assert_int_equal(report.errors, 6);
    bi_report_clear(&report);
    bi_system_destroy(unlike);
    bi_model_destroy(other);
    bi_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sims_have_the_bits_that_they_have_alone),
        cmocka_unit_test(test_systems_may_differ_in_their_numbers),
        cmocka_unit_test(test_one_that_fails_stops_nobody_else),
        cmocka_unit_test(test_one_that_diverges_stops_nobody_else),
        cmocka_unit_test(test_what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
