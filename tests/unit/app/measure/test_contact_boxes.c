// SPDX-License-Identifier: MIT
// Scenes of the contact bench: the same boxes as the published files, six digits of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/contact_boxes.h"
#include <math.h>

static const double last_digit = 0.5e-6 + 1e-12; // files are rounded to six digits

static void must_start_at(const box_start *box, double x, double y, double z, double turn)
{
    assert_true(fabs(box->at.x - (x)) <= last_digit);
    assert_true(fabs(box->at.y - (y)) <= last_digit);
    assert_true(fabs(box->at.z - (z)) <= last_digit);
    assert_true(fabs(box->turn - (turn)) <= last_digit);
}

static void test_pile_of_thirty_is_the_published_one(void **state)
{
    (void)state;
    box_start box[30];
    boxes_place(BOXES_PILE, 30, box);
    must_start_at(&box[0], -0.581938, -0.539154, 0.12, 0.105510);
    must_start_at(&box[13], 0.181154, 0.229553, 0.35, 0.143979);
    must_start_at(&box[29], 0.757548, -0.373843, 0.81, 0.019199);
    assert_int_equal(boxes_of(BOXES_PILE, 30).layers, 4);
}

static void test_pile_of_ten_is_the_published_one(void **state)
{
    (void)state;
    box_start box[10];
    boxes_place(BOXES_PILE, 10, box);
    must_start_at(&box[0], -0.301938, -0.259154, 0.12, 0.105510);
    must_start_at(&box[9], 0.263301, -0.283727, 0.58, -0.001675);
}

// 104 boxes use up the 624 words of the generator, which then makes new ones.
static void test_large_pile_goes_on_within_its_range(void **state)
{
    (void)state;
    enum { N = 1000 };
    static box_start box[N];
    boxes_place(BOXES_PILE, N, box);
    double sum = 0.0;
    for (int k = 0; k < N; k++) {
        assert_in_range((int)(1e6 * (box[k].turn + 0.2)), 0, 400000);
        sum += box[k].turn;
    }
    // three standard deviations of the mean of N uniform numbers: 3 * 0.2 / sqrt(3 N)
    assert_true(fabs(sum / N) <= 0.011);
}

static void test_boxes_at_rest_are_as_deep_as_their_weight_demands(void **state)
{
    (void)state;
    box_start box[11];
    boxes_rule rule = boxes_of(BOXES_AT_REST, 11);
    boxes_place(BOXES_AT_REST, 11, box);
    assert_true(fabs(0.5 * rule.size.z - box[10].at.z - (10.0 * 9.81 / 4e5)) <= 1e-15);
    assert_true(box[10].at.y == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pile_of_thirty_is_the_published_one),
        cmocka_unit_test(test_pile_of_ten_is_the_published_one),
        cmocka_unit_test(test_large_pile_goes_on_within_its_range),
        cmocka_unit_test(test_boxes_at_rest_are_as_deep_as_their_weight_demands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
