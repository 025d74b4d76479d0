// SPDX-License-Identifier: MIT
// What the file reader needs from the tables of the kinds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/biela.h>
#include <string.h>

// An included file is moved by its `at` and `turn`: every field in ground axes has to say that it is one.
static void test_fields_said_to_be_in_ground_axes_carry_the_rule(void **state)
{
    (void)state;
    int n_ground = 0;
    for (int k = 0; k < bi_kind_count(); k++) {
        const bi_kind *kind = bi_kind_at(k);
        for (int f = 0; f < kind->n_field; f++) {
            const bi_field *field = &kind->field[f];
            bool is_said = field->help && strstr(field->help, "ground axes");
            bool is_ruled = (field->rules & BI_GROUND_AXES) != 0;
            if (is_said != is_ruled) {
                fail_msg("%s.%s: help and rule about ground axes disagree", kind->type, field->key);
            }
            n_ground += is_ruled;
        }
    }
    assert_true(n_ground >= 4);
}

// The key of every field is a word of the file, and no kind has two of the same.
static void test_keys_of_a_kind_are_different(void **state)
{
    (void)state;
    for (int k = 0; k < bi_kind_count(); k++) {
        const bi_kind *kind = bi_kind_at(k);
        for (int f = 0; f < kind->n_field; f++) {
            assert_true(strcmp(kind->field[f].key, "type") != 0 && strcmp(kind->field[f].key, "for") != 0);
            for (int g = 0; g < f; g++) {
                assert_string_not_equal(kind->field[f].key, kind->field[g].key);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_said_to_be_in_ground_axes_carry_the_rule),
        cmocka_unit_test(test_keys_of_a_kind_are_different),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
