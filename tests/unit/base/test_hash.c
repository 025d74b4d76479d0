// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include <string.h>

enum { SIZE = 67 }; // eight words and a rest

static void fill(unsigned char *bytes)
{
    for (int k = 0; k < SIZE; k++) {
        bytes[k] = (unsigned char)(7 * k + 3);
    }
}

static void test_hash_of_the_same_bytes_is_the_same(void **state)
{
    (void)state;
    unsigned char a[SIZE], b[SIZE + 1];
    fill(a);
    fill(b + 1); // at another alignment
    assert_true(hash_bytes(hash_seed, a, SIZE) == hash_bytes(hash_seed, b + 1, SIZE));
}

static void test_hash_sees_every_bit(void **state)
{
    (void)state;
    unsigned char bytes[SIZE];
    fill(bytes);
    uint64_t whole = hash_bytes(hash_seed, bytes, SIZE);
    for (int k = 0; k < 8 * SIZE; k++) {
        bytes[k / 8] ^= (unsigned char)(1u << (k % 8));
        assert_true(hash_bytes(hash_seed, bytes, SIZE) != whole);
        bytes[k / 8] ^= (unsigned char)(1u << (k % 8));
    }
}

// On average half of the bits change: a change of few bits must not stay among few bits. Four deviations of a
// binomial of 64: 32 +- 16; the mean over all places within 2.
static void test_hash_spreads_a_changed_bit(void **state)
{
    (void)state;
    unsigned char bytes[SIZE];
    fill(bytes);
    uint64_t whole = hash_bytes(hash_seed, bytes, SIZE);
    double sum = 0.0;
    for (int k = 0; k < 8 * 56; k++) { // the last words have had no time to spread
        bytes[k / 8] ^= (unsigned char)(1u << (k % 8));
        uint64_t changed = hash_bytes(hash_seed, bytes, SIZE) ^ whole;
        bytes[k / 8] ^= (unsigned char)(1u << (k % 8));
        int count = 0;
        for (; changed; changed &= changed - 1) {
            count++;
        }
        sum += count;
    }
    double mean = sum / (8.0 * 56.0);
    assert_true(mean > 30.0 && mean < 34.0);
}

static void test_hash_tells_zeros_of_different_length_apart(void **state)
{
    (void)state;
    unsigned char zeros[32] = { 0 };
    uint64_t seen[33];
    for (size_t size = 0; size <= 32; size++) {
        seen[size] = hash_bytes(hash_seed, zeros, size);
        for (size_t k = 0; k < size; k++) {
            assert_true(seen[k] != seen[size]);
        }
    }
}

static void test_hash_depends_on_the_order_of_pieces(void **state)
{
    (void)state;
    double a = 1.0, b = 2.0;
    uint64_t ab = hash_bytes(hash_bytes(hash_seed, &a, sizeof a), &b, sizeof b);
    uint64_t ba = hash_bytes(hash_bytes(hash_seed, &b, sizeof b), &a, sizeof a);
    assert_true(ab != ba);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_of_the_same_bytes_is_the_same),
        cmocka_unit_test(test_hash_sees_every_bit),
        cmocka_unit_test(test_hash_spreads_a_changed_bit),
        cmocka_unit_test(test_hash_tells_zeros_of_different_length_apart),
        cmocka_unit_test(test_hash_depends_on_the_order_of_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
