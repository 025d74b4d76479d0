// SPDX-License-Identifier: MIT
// The memory of contacts among many bodies: it begins small, grows between steps with what touches, and is part of no
// result.
#include "support/run_model.h"
#include <stdio.h>
#include <stdlib.h>

enum { BALLS = 60, LAYER = 9 };
static const double radius = 0.1;

// Layers of balls that hang above each other and fall into a heap between walls.
static bi_model *make_heap(void)
{
    bi_model *m = bi_model_create("heap");
    bi_shape ball[BALLS], wall[5];
    bi_model_gravity(m, (bi_vec3){ 0.0, 0.0, -9.81 });
    char name[16];
    for (int k = 0; k < BALLS; k++) {
        snprintf(name, sizeof name, "ball%d", k);
        double x = 0.3 * (k % 3) + 0.01 * (k % 7), y = 0.3 * (k / 3 % 3) + 0.013 * (k % 5);
        bi_body body = bi_add_body(
            m, &(bi_body_def){ .name = name,
                               .mass = 1.0,
                               .inertia = { 0.004, 0.004, 0.004 },
                               .pose = { { x, y, 0.3 + 0.3 * (k / LAYER) }, { 1.0, 0.0, 0.0, 0.0 } } });
        ball[k] = bi_add_shape(
            m, &(bi_shape_def){ .name = name, .type = BI_SHAPE_SPHERE, .body = body, .radius = radius });
    }
    const double turn = 0.7071067811865476, low = -0.3, high = 1.0;
    const bi_pose at[5] = { { { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0, 0.0 } },
                            { { low, 0.0, 0.0 }, { turn, 0.0, turn, 0.0 } },
                            { { high, 0.0, 0.0 }, { turn, 0.0, -turn, 0.0 } },
                            { { 0.0, low, 0.0 }, { turn, -turn, 0.0, 0.0 } },
                            { { 0.0, high, 0.0 }, { turn, turn, 0.0, 0.0 } } };
    for (int k = 0; k < 5; k++) {
        snprintf(name, sizeof name, "wall%d", k);
        wall[k] = bi_add_shape(m, &(bi_shape_def){ .name = name, .type = BI_SHAPE_PLANE, .pose = at[k] });
    }
    const bi_contact_def common = { .stiffness = bi_constant(m, 1e5),
                                    .damping = bi_constant(m, 100.0),
                                    .friction = bi_constant(m, 0.3) };
    bi_contact_def walls = common, heap = common;
    walls.name = "walls";
    walls.a = (bi_shapes){ BALLS, ball };
    walls.b = (bi_shapes){ 5, wall };
    heap.name = "heap";
    heap.a = (bi_shapes){ BALLS, ball };
    bi_add_contact(m, &walls);
    bi_add_contact(m, &heap);
    return m;
}

// ---- an allocator that counts and may refuse --------------------------------------------------------------------

static size_t taken, held; // times, blocks
static bool is_refusing;

static void *take(size_t size)
{
    if (is_refusing) {
        return NULL;
    }
    taken++;
    held++;
    void *block = malloc(size);
    if (block) {
        memset(block, 0xa5, size);
    }
    return block;
}

static void give(void *block)
{
    held -= block != NULL;
    free(block);
}

static run_model start_heap(bi_scheme scheme, bi_coordinates coordinates)
{
    run_model run = { .model = make_heap() };
    bi_options options = {
        .scheme = scheme, .coordinates = coordinates, .dt = 1e-3, .alloc = take, .release = give
    };
    run.system = bi_compile(run.model, &options, &run.report);
    run_require(run.system != NULL, &run.report, "compile");
    run.sim = bi_sim_create(run.system);
    run_require(bi_sim_start(run.sim, &run.report) == BI_OK, &run.report, "start");
    return run;
}

static void steps(run_model *run, int count)
{
    for (int k = 0; k < count; k++) {
        run_step(run);
    }
}

static void test_rooms_grow_with_what_touches_and_then_no_more(void **state)
{
    (void)state;
    taken = held = 0;
    run_model run = start_heap(BI_PILES, BI_JOINT);
    size_t first = taken, small = bi_sim_save(run.sim, NULL, 0);
    assert_int_equal(held, 2); // the sim, and what lives
    steps(&run, 1500);
    assert_true(taken > first);
    assert_int_equal(held, 2);
    assert_true(bi_sim_save(run.sim, NULL, 0) > small);
    // what has come to rest asks for nothing more
    size_t grown = taken;
    steps(&run, 100);
    assert_int_equal(taken, grown);
    run_close(&run);
    assert_int_equal(held, 0);
}

// A sim that grew and one that takes its state over, with rooms as small as at the start, go on alike.
static void check_restored(bi_scheme scheme, bi_coordinates coordinates)
{
    run_model a = start_heap(scheme, coordinates), b = start_heap(scheme, coordinates);
    size_t early = bi_sim_save(a.sim, NULL, 0);
    char *start = malloc(early);
    bi_sim_save(a.sim, start, early);
    steps(&a, 300);
    size_t size = bi_sim_save(a.sim, NULL, 0);
    char *middle = malloc(size);
    assert_int_equal(bi_sim_save(a.sim, middle, size), size);
    uint64_t there = bi_sim_hash(a.sim);
    steps(&a, 60);
    assert_int_equal(bi_sim_load(b.sim, middle, size), BI_OK);
    assert_true(bi_sim_hash(b.sim) == there);
    steps(&b, 60);
    assert_true(bi_sim_hash(a.sim) == bi_sim_hash(b.sim));
    // from the start again, with rooms that are large already
    assert_int_equal(bi_sim_load(b.sim, start, early), BI_OK);
    steps(&b, 300);
    assert_true(bi_sim_hash(b.sim) == there);
    free(start);
    free(middle);
    run_close(&a);
    run_close(&b);
}

static void test_snapshots_go_across_rooms_of_other_sizes(void **state)
{
    (void)state;
    check_restored(BI_PILES, BI_JOINT);
    check_restored(BI_PILES, BI_NATURAL);
    check_restored(BI_ALI3P, BI_JOINT);
}

static void test_snapshots_that_were_cut_or_changed_are_refused(void **state)
{
    (void)state;
    run_model run = start_heap(BI_PILES, BI_JOINT);
    steps(&run, 300);
    uint64_t hash = bi_sim_hash(run.sim);
    size_t size = bi_sim_save(run.sim, NULL, 0);
    char *bytes = malloc(size + 8);
    bi_sim_save(run.sim, bytes, size);
    for (size_t less = 1; less < 4096; less += 61) {
        assert_int_equal(bi_sim_load(run.sim, bytes, size - less), BI_BAD_SNAPSHOT);
        bytes[size - less] ^= 0x40;
        assert_int_equal(bi_sim_load(run.sim, bytes, size), BI_BAD_SNAPSHOT);
        bytes[size - less] ^= 0x40;
    }
    assert_int_equal(bi_sim_load(run.sim, bytes, size + 8), BI_BAD_SNAPSHOT);
    assert_true(bi_sim_hash(run.sim) == hash);
    assert_int_equal(bi_sim_load(run.sim, bytes, size), BI_OK);
    free(bytes);
    run_close(&run);
}

// No contact is dropped: a run that gets no memory says so and stays where it is.
static void test_run_without_memory_stops_loudly(void **state)
{
    (void)state;
    taken = held = 0;
    run_model run = start_heap(BI_PILES, BI_JOINT);
    is_refusing = true;
    bi_status status = BI_OK;
    int done = 0;
    for (; done < 900 && status == BI_OK; done++) {
        status = bi_sim_step(run.sim);
    }
    assert_int_equal(status, BI_FULL);
    assert_non_null(strstr(bi_sim_failure(run.sim), "memory"));
    uint64_t hash = bi_sim_hash(run.sim);
    assert_int_equal(bi_sim_step(run.sim), BI_FULL);
    assert_true(bi_sim_hash(run.sim) == hash);
    is_refusing = false;
    run_close(&run);
    assert_int_equal(held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rooms_grow_with_what_touches_and_then_no_more),
        cmocka_unit_test(test_snapshots_go_across_rooms_of_other_sizes),
        cmocka_unit_test(test_snapshots_that_were_cut_or_changed_are_refused),
        cmocka_unit_test(test_run_without_memory_stops_loudly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
