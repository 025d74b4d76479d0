// SPDX-License-Identifier: MIT
// Cycles counted sample by sample, against the example of ASTM E1049 and against a count of the whole history.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/life/cycles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6000 };

// Damage of a cycle is half its range: sums of ranges are easily done by hand.
static endurance line_of(double slope)
{
    endurance e = {
        .n_point = 1, .cycles = { 1.0 }, .amplitude = { 1.0 }, .slope = slope, .slope_beyond = slope
    };
    return e;
}

static cycle_sum count(const double *x, int n, cycles_manner manner, const endurance *e, int at_once)
{
    double room[CYCLES_FIRST_ROOM], none[MOST] = { 0.0 };
    cycle_counter c;
    cycle_sum sum;
    cycles_begin(&c, room, NULL);
    for (int k = 0; k < n; k += at_once) {
        assert_true(cycles_add(&c, n - k < at_once ? n - k : at_once, x + k, none, e));
    }
    assert_true(cycles_sum(&c, manner, e, &sum));
    cycles_free(&c);
    return sum;
}

static void test_example_of_the_standard(void **state)
{
    (void)state;
    static const double x[] = { -2, 1, -3, 5, -1, 3, -4, 4, -2 };
    endurance e = line_of(1.0);
    // E1049, figure 6: halves of 3, 4, 6, 8, 8, 9 and a whole one of 4
    cycle_sum once = count(x, 9, CYCLES_ONCE, &e, 9);
    assert_true(fabs(once.damage - 0.5 * (0.5 * (3 + 4 + 6 + 8 + 8 + 9) + 4)) < 1e-12);
    assert_true(once.count == 4.0 && once.least == -4.0 && once.most == 5.0);
    // figure 8 repeats it: whole cycles of 3, 4, 7, 9
    cycle_sum again = count(x, 9, CYCLES_REPEATED, &e, 4);
    assert_true(fabs(again.damage - 0.5 * (3 + 4 + 7 + 9)) < 1e-12);
    assert_true(again.count == 4.0);
}

// ---- the whole history at once: turning points from the largest value on, three at a time (E1049, 5.4.5) ------------

static int turns_of(const double *x, int n, double *turn)
{
    int m = 0;
    for (int k = 0; k < n; k++) {
        if (m > 0 && x[k] == turn[m - 1]) {
            continue;
        }
        if (m > 1 && (turn[m - 1] > turn[m - 2]) == (x[k] > turn[m - 1])) {
            m--;
        }
        turn[m++] = x[k];
    }
    return m;
}

static double damage_of_all(const double *x, int n, double slope)
{
    static double around[MOST + 1], turn[MOST + 1], stack[MOST + 1];
    int top = 0, depth = 0;
    double damage = 0.0;
    for (int k = 1; k < n; k++) {
        top = x[k] > x[top] ? k : top;
    }
    for (int k = 0; k <= n; k++) {
        around[k] = x[(top + k) % n];
    }
    int m = turns_of(around, n + 1, turn);
    for (int k = 0; k < m; k++) {
        stack[depth++] = turn[k];
        while (depth >= 3 &&
               fabs(stack[depth - 1] - stack[depth - 2]) >= fabs(stack[depth - 2] - stack[depth - 3])) {
            damage += pow(0.5 * fabs(stack[depth - 2] - stack[depth - 3]), slope);
            stack[depth - 3] = stack[depth - 1];
            depth -= 2;
        }
    }
    return damage;
}

static uint32_t next(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static void test_random_histories_are_those_of_the_whole(void **state)
{
    (void)state;
    static double x[MOST];
    for (uint32_t seed = 1; seed <= 60; seed++) {
        uint32_t s = seed;
        int n = 3 + (int)(next(&s) % (MOST - 3));
        double place = 0.0;
        for (int k = 0; k < n; k++) {
            double step = (double)(next(&s) >> 8) / (1 << 24) - 0.5;
            place = seed % 3 == 0 ? step : 0.99 * place + step;
            // steps of a coarse scale make many equal values
            x[k] = seed % 3 == 1 ? floor(8.0 * place) : place;
        }
        endurance e = line_of(3.0);
        double expected = damage_of_all(x, n, 3.0);
        cycle_sum sum = count(x, n, CYCLES_REPEATED, &e, 1 + (int)(seed % 17));
        // sums of up to 3000 terms in another order
        assert_true(fabs(sum.damage - expected) <= 1e-12 * expected);
    }
}

// What rings out longer than there is room for: its small ranges are counted as if they had closed.
static void test_long_decay_needs_no_more_room(void **state)
{
    (void)state;
    static double x[MOST];
    for (int k = 0; k < MOST; k++) {
        x[k] = exp(-0.001 * k) * (k % 2 ? -1.0 : 1.0);
    }
    endurance e = line_of(3.0);
    double room[CYCLES_FIRST_ROOM];
    cycle_counter c;
    cycle_sum sum;
    cycles_begin(&c, room, NULL);
    assert_true(cycles_add(&c, MOST, x, x, &e));
    assert_true(c.is_cut && c.room == CYCLES_MOST_ROOM);
    assert_true(cycles_sum(&c, CYCLES_REPEATED, &e, &sum));
    cycles_free(&c);
    double expected = damage_of_all(x, MOST, 3.0);
    // 512 open ranges hold all but exp(-3*0.5) of it; of the rest each range counts as one cycle in place of a pair's mean
    assert_true(fabs(sum.damage - expected) <= 2e-3 * expected);
}

static void test_constant_history_does_nothing(void **state)
{
    (void)state;
    static const double x[5] = { 7.0, 7.0, 7.0, 7.0, 7.0 };
    endurance e = line_of(3.0);
    cycle_sum sum = count(x, 5, CYCLES_REPEATED, &e, 2);
    assert_true(sum.damage == 0.0 && sum.count == 0.0 && sum.least == 7.0 && sum.most == 7.0);
}

// The largest normal stress between the turning points of a cycle, wherever it stands in it.
static void test_peaks_go_with_their_cycles(void **state)
{
    (void)state;
    static const double x[] = { 0, 10, 4, 7, 0 }, normal[] = { 1, 2, 3, 5, 2 };
    endurance e = {
        .n_point = 1, .cycles = { 1.0 }, .amplitude = { 1.0 }, .slope = 1.0, .slope_beyond = 1.0
    };
    e.share = 1.0;
    e.yield = 1.0;
    double room[2 * CYCLES_FIRST_ROOM];
    cycle_counter c;
    cycles_begin(&c, room, room + CYCLES_FIRST_ROOM);
    assert_true(cycles_add(&c, 5, x, normal, &e));
    // 4-7 has closed: parameter 1.5 (1 + 5); S of S/2 (1 + S/2) = 9 is sqrt(37) - 1
    assert_true(c.count == 1.0 && fabs(c.damage - (sqrt(37.0) - 1.0)) < 1e-12);
    cycles_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_of_the_standard),
        cmocka_unit_test(test_random_histories_are_those_of_the_whole),
        cmocka_unit_test(test_long_decay_needs_no_more_room),
        cmocka_unit_test(test_constant_history_does_nothing),
        cmocka_unit_test(test_peaks_go_with_their_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
