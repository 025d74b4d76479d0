// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crew.h"
#include <stdlib.h>
#include <string.h>

enum { TURNS = 1000 };

static crew *crew_of(int threads)
{
    arena measure = { 0 };
    crew_cut(&measure);
    void *memory = aligned_alloc(64, (measure.used + 63) / 64 * 64);
    assert_non_null(memory);
    arena a = { memory, 0, measure.used, false };
    crew *c = crew_cut(&a);
    assert_true(crew_start(c, threads));
    assert_int_equal(crew_count(c), threads > 1 ? threads : 1);
    return c;
}

static void release(crew *c)
{
    crew_end(c);
    free(c);
}

static void count_turns(void *of, int first, int end, int worker)
{
    assert_in_range(worker, 0, CREW_MOST - 1);
    int *times = of;
    for (int k = first; k < end; k++) {
        times[k]++;
    }
}

static void test_crew_does_every_turn_once(void **state)
{
    (void)state;
    const int threads[] = { 0, 1, 2, 3, 8 }, grains[] = { 1, 7, TURNS - 1, TURNS, 2 * TURNS },
              counts[] = { 0, 1, 13, TURNS };
    for (int t = 0; t < 5; t++) {
        crew *c = crew_of(threads[t]);
        for (int g = 0; g < 5; g++) {
            for (int n = 0; n < 4; n++) {
                int times[TURNS] = { 0 };
                crew_do(c, counts[n], grains[g], count_turns, times);
                for (int k = 0; k < TURNS; k++) {
                    assert_int_equal(times[k], k < counts[n] ? 1 : 0);
                }
            }
        }
        release(c);
    }
}

// Calls follow each other at once, and later than a thread waits awake.
static void test_crew_hears_every_call(void **state)
{
    (void)state;
    crew *c = crew_of(3);
    int times[TURNS] = { 0 };
    for (int call = 0; call < 500; call++) {
        crew_do(c, TURNS, 10, count_turns, times);
        for (volatile int wait = 0; call % 50 == 0 && wait < 1000000;) {
            wait++;
        }
    }
    for (int k = 0; k < TURNS; k++) {
        assert_int_equal(times[k], 500);
    }
    release(c);
}

static void test_nobody_does_every_turn_too(void **state)
{
    (void)state;
    int times[TURNS] = { 0 };
    crew_do(NULL, TURNS, 1, count_turns, times);
    assert_int_equal(times[TURNS - 1], 1);
    assert_int_equal(crew_count(NULL), 1);
    crew_end(NULL);
}

static void test_crew_that_never_worked_ends(void **state)
{
    (void)state;
    for (int k = 0; k < 50; k++) {
        release(crew_of(1 + k % 4));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_crew_does_every_turn_once),
                                        cmocka_unit_test(test_crew_hears_every_call),
                                        cmocka_unit_test(test_nobody_does_every_turn_too),
                                        cmocka_unit_test(test_crew_that_never_worked_ends) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
