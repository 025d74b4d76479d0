// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state/structure.h"
#include <stdlib.h>

enum { ROWS = 9, COLUMNS = 12 };

// Points of a plane (0 1 2), (3 4 5), (6 7 8) with rows in it and across it, single columns, two alike far apart.
static structure make(int *start, int *col, int *run)
{
    static const int length[ROWS] = { 3, 1, 6, 2, 3, 4, 3, 1, 7 };
    static const int list[] = { 0,  1, 2, 2,             // flat
                                0,  1, 2, 3, 4, 5, 2, 5, // two flat
                                6,  7, 8,                // a triple
                                0,  3, 6, 9,             // four
                                0,  4, 8,                // three
                                11,                      // one
                                3,  4, 5, 0, 1, 2, 10 }; // two triples and one
    int n = 0;
    for (int r = 0; r < ROWS; r++) {
        start[r] = n;
        n += length[r];
    }
    start[ROWS] = n;
    for (int k = 0; k < n; k++) {
        col[k] = list[k];
    }
    return (structure){ .n = COLUMNS, .n_row = ROWS, .n_G = n, .G_start = start, .G_col = col, .run = run };
}

static int rows_of(const rows_span *span)
{
    return span->form == ROWS_FLAT || span->form == ROWS_TWO_FLAT ? 2 : 1;
}

static void test_every_row_is_placed_once_with_its_form(void **state)
{
    (void)state;
    int start[ROWS + 1], col[64], run[2 * ROWS] = { 0 }, seen[ROWS] = { 0 };
    static const rows_form form[ROWS] = { ROWS_FLAT, ROWS_FLAT,  ROWS_TWO_FLAT, ROWS_TWO_FLAT, ROWS_TRIPLE,
                                          ROWS_FOUR, ROWS_THREE, ROWS_ONE,      ROWS_TRIPLES };
    structure s = make(start, col, run);
    assert_true(structure_order_rows(&s));
    const rows_place *p = s.place;
    for (int k = 0; k < s.n_span; k++) {
        for (int i = 0; i < s.span[k].count; i++, p++) {
            assert_int_equal(p->at, start[p->row]);
            assert_int_equal(p->col, col[start[p->row]]);
            for (int r = p->row; r < p->row + rows_of(&s.span[k]); r++) {
                assert_int_equal(s.span[k].form, form[r]);
                seen[r]++;
            }
        }
    }
    for (int r = 0; r < ROWS; r++) {
        assert_int_equal(seen[r], 1);
    }
    free(s.place);
    free(s.span);
}

// Sums over rows have the order of the rows, column by column.
static void test_rows_that_share_a_column_keep_their_order(void **state)
{
    (void)state;
    int start[ROWS + 1], col[64], run[2 * ROWS] = { 0 }, last[COLUMNS];
    structure s = make(start, col, run);
    assert_true(structure_order_rows(&s));
    for (int i = 0; i < COLUMNS; i++) {
        last[i] = -1;
    }
    const rows_place *p = s.place;
    for (int k = 0; k < s.n_span; k++) {
        for (int i = 0; i < s.span[k].count; i++, p++) {
            for (int r = p->row; r < p->row + rows_of(&s.span[k]); r++) {
                for (int c = start[r]; c < start[r + 1]; c++) {
                    assert_true(last[col[c]] < r);
                    last[col[c]] = r;
                }
            }
        }
    }
    free(s.place);
    free(s.span);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_placed_once_with_its_form),
        cmocka_unit_test(test_rows_that_share_a_column_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
