// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

// Cuts the same pieces from any arena.
static void cut(arena *a, char **first, double **second, char **third)
{
    *first = ARENA_NEW(a, char, 3);
    *second = ARENA_NEW(a, double, 5);
    *third = ARENA_NEW(a, char, 100);
}

static void test_arena_without_memory_measures_what_is_needed(void **state)
{
    (void)state;
    arena a = { 0 };
    char *first, *third;
    double *second;
    cut(&a, &first, &second, &third);
    assert_null(first);
    assert_null(second);
    assert_null(third);
    // 3 bytes, then from 64 on 40 bytes, then from 128 on 100 bytes
    assert_int_equal(a.used, 228);
}

static void test_arena_cuts_zeroed_pieces_that_do_not_overlap(void **state)
{
    (void)state;
    char *memory = aligned_alloc(64, 256);
    assert_non_null(memory);
    memset(memory, 0x55, 256);
    arena a = { memory, 0, 256, false };
    char *first, *third;
    double *second;
    cut(&a, &first, &second, &third);
    assert_ptr_equal(first, memory);
    assert_ptr_equal(second, memory + 64);
    assert_ptr_equal(third, memory + 128);
    for (int k = 0; k < 100; k++) {
        assert_int_equal(third[k], 0);
    }
    assert_true(second[0] == 0.0 && second[4] == 0.0);
    // what lies between the pieces is not touched
    assert_int_equal(memory[3], 0x55);
    assert_int_equal(memory[63], 0x55);
    assert_int_equal(memory[228], 0x55);
    assert_int_equal(a.used, 228);
    free(memory);
}

static void test_arena_piece_of_nothing_takes_nothing(void **state)
{
    (void)state;
    arena a = { 0 };
    arena_take(&a, 0, sizeof(double));
    assert_int_equal(a.used, 0);
    arena_take(&a, 1, 1);
    arena_take(&a, 0, sizeof(double));
    assert_true(a.used <= 64);
}

static void test_arena_gives_nothing_beyond_its_end(void **state)
{
    (void)state;
    char memory[256];
    memset(memory, 0x55, sizeof memory);
    arena a = { memory, 0, 128, false };
    assert_non_null(arena_take(&a, 1, 128));
    assert_null(arena_take(&a, 1, 1));
    assert_true(a.used > a.size);
    assert_int_equal(memory[128], 0x55);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena_without_memory_measures_what_is_needed),
        cmocka_unit_test(test_arena_cuts_zeroed_pieces_that_do_not_overlap),
        cmocka_unit_test(test_arena_piece_of_nothing_takes_nothing),
        cmocka_unit_test(test_arena_gives_nothing_beyond_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
