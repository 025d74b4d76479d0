// SPDX-License-Identifier: MIT
// What is JSON and what is not (RFC 8259), and the letters behind escapes.
#include "cli/json_read.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka needs the four above
#include <cmocka.h>

static bool reads(const char *text)
{
    json_tree tree;
    return json_read(text, strlen(text), &tree);
}

static void test_json_is_read(void **state)
{
    (void)state;
    static const char *const good[] = {
        "{\"a\": 0}",    "{\"a\": -0.5e+3}",           "{\"a\": 10, \"b\": [1, 2.25E-2]}",
        "{\"a\": \"\"}", "{\"a\": \"\\u00e9\\n\\/\"}", "{\"a\": \"\xc3\xa9\"}",
        "{\"a\": true}"
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        if (!reads(good[k])) {
            fail_msg("refused: %s", good[k]);
        }
    }
}

static void test_what_is_not_json_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = { "{\"a\": 01}",
                                       "{\"a\": +1}",
                                       "{\"a\": .5}",
                                       "{\"a\": 1.}",
                                       "{\"a\": 1e}",
                                       "{\"a\": --1}",
                                       "{\"a\": 1e999}",
                                       "{\"a\": \"\\x\"}",
                                       "{\"a\": \"\\u12\"}",
                                       "{\"a\": \"\xff\"}",
                                       "{\"a\": \"\xc3\"}",
                                       "{\"a\": \"\xed\xa0\x80\"}",
                                       "{\"a\": \"\t\"}",
                                       "{\"a\": nan}",
                                       "{\"a\": 1,}",
                                       "{\"a\" 1}",
                                       "{\"a\": 1} 2",
                                       "{\"a\": \"\\",
                                       "{a: 1}",
                                       "" };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        if (reads(bad[k])) {
            fail_msg("accepted: %s", bad[k]);
        }
    }
}

static void test_escapes_are_letters(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": \"\\u00e9\\t\\ud83d\\ude9c\\ud83d.\\\"\"}";
    json_tree tree;
    char to[32];
    assert_true(json_read(text, strlen(text), &tree));
    assert_true(json_text_at(&tree, json_member(&tree, 0, "a"), to, sizeof to));
    assert_string_equal(to, "\xc3\xa9\t\xf0\x9f\x9a\x9c?.\"");
    // a letter that does not fit whole is not cut
    assert_false(json_text_at(&tree, json_member(&tree, 0, "a"), to, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_is_read),
        cmocka_unit_test(test_what_is_not_json_is_refused),
        cmocka_unit_test(test_escapes_are_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
