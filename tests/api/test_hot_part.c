// SPDX-License-Identifier: MIT
// The front of a sim is all that steps read and write: what lies behind it may hold anything.
#include "sim/system.h"
#include "support/list_models.h"
#include <biela/io.h>

typedef struct {
    bi_model *model;
    bi_system *system;
    bi_sim *sim;
} started;

static started start(const char *name, bi_coordinates coordinates)
{
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s/model.yaml", BI_SOURCE_DIR, name);
    bi_report report = { 0 };
    bi_run run;
    started s = { bi_read_model(path, NULL, 0, NULL, &run, &report), NULL, NULL };
    bi_options options = bi_run_options(&run);
    options.coordinates = coordinates;
    s.system = bi_compile(s.model, &options, &report);
    assert_non_null(s.system);
    s.sim = bi_sim_create(s.system);
    assert_int_equal(bi_sim_start(s.sim, &report), BI_OK);
    bi_report_clear(&report);
    return s;
}

static void stop(started *s)
{
    bi_sim_destroy(s->sim);
    bi_system_destroy(s->system);
    bi_model_destroy(s->model);
}

static void expect_cold_untouched(const char *name, bi_coordinates coordinates, int steps)
{
    started one = start(name, coordinates), other = start(name, coordinates);
    size_t hot = sim_hot_size(one.system), from = other.sim->cold, size = other.sim->size;
    assert_true(hot <= from && from < size && one.sim->hot == hot);
    // who begins at rest falls asleep before the first step, which is a part of the start
    assert_true(bi_sim_step(one.sim) == BI_OK && bi_sim_step(other.sim) == BI_OK);
    unsigned char *room = (unsigned char *)other.sim + hot, *cold = (unsigned char *)other.sim + from;
    memset(cold, 0xff, size - from); // as doubles no numbers
    for (int k = 0; k < steps; k++) {
        // nothing is left in the room from step to step
        memset(room, 0xff, from - hot);
        assert_int_equal(bi_sim_step(one.sim), BI_OK);
        assert_int_equal(bi_sim_step(other.sim), BI_OK);
    }
    for (size_t k = 0; k < size - from; k++) {
        assert_int_equal(cold[k], 0xff);
    }
    // a hash would read the log of events, which was overwritten above: what moves is compared
    const coords *a = &one.sim->stepper.now, *b = &other.sim->stepper.now;
    const structure *st = &one.system->dynamics.structure;
    assert_memory_equal(a->q, b->q, (size_t)st->n_q * sizeof *a->q);
    assert_memory_equal(a->v, b->v, (size_t)st->n_q * sizeof *a->v);
    assert_memory_equal(a->lambda, b->lambda, (size_t)st->n_row * sizeof *a->lambda);
    print_message("%s: %zu of %zu bytes are hot, %zu room within a step\n", name, hot, size, from - hot);
    stop(&one);
    stop(&other);
}

static void test_steps_leave_the_cold_part_alone(void **state)
{
    (void)state;
    expect_cold_untouched("chain", BI_JOINT, 40);
    expect_cold_untouched("four-bars", BI_NATURAL, 40);
    expect_cold_untouched("car", BI_JOINT, 40);
    expect_cold_untouched("clio", BI_JOINT, 40);
    expect_cold_untouched("forklift", BI_JOINT, 40);
    expect_cold_untouched("box-stack", BI_JOINT, 40);
    expect_cold_untouched("box-stack", BI_NATURAL, 40);
    expect_cold_untouched("forks-in-pallet", BI_JOINT, 40);
    expect_cold_untouched("pile", BI_JOINT, 20);
}

// Bytes that may be hot: what was measured, and a little more; others 400 kB.
static const struct {
    const char *model;
    size_t most;
} limits[] = { { "chain", 29000 },
               { "car", 49000 },
               { "clio", 68000 },
               { "forklift", 120000 },
               { "prototype-car", 760000 } };

static size_t limit_of(const char *model)
{
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        if (strcmp(limits[k].model, model) == 0) {
            return limits[k].most;
        }
    }
    return 400000;
}

static void test_hot_part_of_every_model_is_below_its_limit(void **state)
{
    (void)state;
    static char name[MAX_MODELS][64];
    int count = list_models(name);
    assert_true(count > 50);
    for (int k = 0; k < count; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/models/%.60s/model.yaml", BI_SOURCE_DIR, name[k]);
        bi_report report = { 0 };
        bi_run run;
        bi_model *model = bi_read_model(path, NULL, 0, NULL, &run, &report);
        bi_options options = bi_run_options(&run);
        bi_system *system = bi_compile(model, &options, &report);
        assert_non_null(system);
        size_t hot = sim_hot_size(system);
        if (hot > limit_of(name[k])) {
            fail_msg("%s: %zu bytes are hot", name[k], hot);
        }
        bi_system_destroy(system);
        bi_model_destroy(model);
        bi_report_clear(&report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_leave_the_cold_part_alone),
        cmocka_unit_test(test_hot_part_of_every_model_is_below_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
