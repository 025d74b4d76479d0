// SPDX-License-Identifier: MIT
// Random numbers of cases: the published words, and independence of whatever else is asked.
#include "batch/random.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
// cmocka needs the four above
#include <cmocka.h>

#include <biela/batch.h>

static void test_generator_gives_the_published_words(void **state)
{
    (void)state;
    // known answers published with Philox 4x32-10: all zeros, all ones, digits of pi
    static const uint32_t given[3][6] = { { 0, 0, 0, 0, 0, 0 },
                                          { ~0u, ~0u, ~0u, ~0u, ~0u, ~0u },
                                          { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822,
                                            0x299f31d0 } };
    static const uint32_t wanted[3][4] = { { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
                                           { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd },
                                           { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } };
    for (int k = 0; k < 3; k++) {
        uint32_t out[4];
        philox(given[k], given[k] + 4, out);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(out[i], wanted[k][i]);
        }
    }
}

static void test_numbers_lie_between_0_and_1_and_spread_evenly(void **state)
{
    (void)state;
    // mean 1/2 and variance 1/12 within four deviations of 1e5 numbers
    enum { N = 100000 };
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < N; k++) {
        double u = bi_random(11, "friction", (uint64_t)k);
        assert_true(u > 0.0 && u < 1.0);
        sum += u;
        squares += (u - 0.5) * (u - 0.5);
    }
    assert_true(fabs(sum / N - 0.5) < 4.0 * sqrt(1.0 / 12.0 / N));
    assert_true(fabs(squares / N - 1.0 / 12.0) < 4.0 * sqrt(1.0 / 180.0 / N));
    assert_true(bi_random(11, "friction", 5) != bi_random(11, "mass", 5));
    assert_true(bi_random(11, "friction", 5) != bi_random(12, "friction", 5));
    assert_true(bi_random(11, NULL, 5) == bi_random(11, "", 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generator_gives_the_published_words),
        cmocka_unit_test(test_numbers_lie_between_0_and_1_and_spread_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
