// SPDX-License-Identifier: MIT
// Steps chosen by their error in every model: the sim stays inside the memory that it asked for, and a snapshot of it is whole.
#include "support/list_models.h"

enum { MARGIN = 4096, MARK = 0x5a };

// Every block has its size before it and a margin behind it that nobody may write to, looked at when it is given back.
enum { FRONT = 64 };
static int overrun; // blocks

static void *take(size_t size)
{
    char *block = malloc(FRONT + size + MARGIN);
    if (!block) {
        return NULL;
    }
    memcpy(block, &size, sizeof size);
    memset(block + FRONT + size, MARK, MARGIN);
    return block + FRONT;
}

static void give(void *memory)
{
    char *block = (char *)memory - FRONT;
    size_t size;
    memcpy(&size, block, sizeof size);
    bool is_whole = true;
    for (size_t k = 0; k < MARGIN; k++) {
        is_whole = is_whole && block[FRONT + size + k] == MARK;
    }
    overrun += !is_whole;
    free(block);
}

static bi_system *compile(const char *name, bi_model **model, bi_report *report)
{
    char path[512];
    bi_run file = { 0 };
    snprintf(path, sizeof path, "%s/models/%s/model.yaml", BI_SOURCE_DIR, name);
    *model = bi_read_model(path, NULL, 0, NULL, &file, report);
    run_require(*model && report->errors == 0, report, "the model file has mistakes");
    bi_options options = { .scheme = file.scheme,
                           .dt = file.dt,
                           .coordinates = file.coordinates,
                           .accuracy = 1e-4,
                           .horizon = file.time,
                           .alloc = take,
                           .release = give };
    bi_system *system = bi_compile(*model, &options, report);
    run_require(system != NULL, report, "the model does not compile");
    return system;
}

static uint64_t hash_after(bi_sim *sim, int steps)
{
    for (int k = 0; k < steps; k++) {
        (void)bi_sim_step(sim); // a step that fails leaves a state, too
    }
    return bi_sim_hash(sim);
}

static void run_three_steps(const char *name)
{
    bi_model *model = NULL;
    bi_report report = { 0 };
    bi_system *system = compile(name, &model, &report);
    bi_sim *sim = bi_sim_create(system);
    assert_non_null(sim);
    run_require(bi_sim_start(sim, &report) == BI_OK, &report, "the simulation does not start");
    hash_after(sim, 3);
    size_t size = bi_sim_save(sim, NULL, 0);
    char *snapshot = malloc(size);
    assert_non_null(snapshot);
    assert_true(bi_sim_save(sim, snapshot, size) == size);
    uint64_t first = hash_after(sim, 2);
    assert_int_equal(bi_sim_load(sim, snapshot, size), BI_OK);
    if (hash_after(sim, 2) != first) {
        fail_msg("%s: the same steps from a snapshot end elsewhere", name);
    }
    free(snapshot);
    bi_sim_destroy(sim);
    if (overrun > 0) {
        fail_msg("%s: the sim writes behind its memory", name);
    }
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
}

static void test_every_model_steps_by_its_error_inside_its_memory(void **state)
{
    (void)state;
    static char name[MAX_MODELS][64];
    int count = list_models(name);
    assert_true(count > 0);
    for (int k = 0; k < count; k++) {
        run_three_steps(name[k]);
    }
}

// A car that stands has tyres whose deflections are zero to rounding: they ask for no short steps (with them it took 1e-9 s each).
static void test_standing_car_is_stepped_freely(void **state)
{
    (void)state;
    bi_model *model = NULL;
    bi_report report = { 0 };
    bi_system *system = compile("prototype-car", &model, &report);
    bi_sim *sim = bi_sim_create(system);
    assert_non_null(sim);
    run_require(bi_sim_start(sim, &report) == BI_OK, &report, "the simulation does not start");
    run_require(bi_equilibrium(sim, NULL, &report) == BI_OK, &report, "no equilibrium");
    int steps = 0;
    while (bi_sim_view(sim).t < 0.1 && steps < 200) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
        steps++;
    }
    assert_true(steps < 200);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_model_steps_by_its_error_inside_its_memory),
        cmocka_unit_test(test_standing_car_is_stepped_freely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
