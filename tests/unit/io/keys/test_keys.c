// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/keys/schema_type.h"
#include <stdlib.h>
#include <string.h>

// The schema of a type, as text.
static char *schema_of(const char *type)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    json_out j = { .out = file };
    json_open(&j, NULL, JSON_ONE_LINE);
    schema_write_type(&j, type);
    json_close(&j);
    fclose(file);
    return text;
}

static void assert_schema(const char *type, const char *expected)
{
    char *text = schema_of(type);
    text[strcspn(text, "\n")] = '\0';
    assert_string_equal(text, expected);
    free(text);
}

static void test_words_of_json_are_types_and_others_are_references(void **state)
{
    (void)state;
    assert_schema("string", "{\"type\": \"string\"}");
    assert_schema("string/real/flag", "{\"type\": [\"string\", \"number\", \"boolean\"]}");
    assert_schema("vector", "{\"$ref\": \"#/definitions/vector\"}");
}

static void test_lists_and_mappings_have_ranges(void **state)
{
    (void)state;
    assert_schema("[vector]2", "{\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/vector\"}, "
                               "\"minItems\": 2, \"maxItems\": 2}");
    assert_schema("[[real]1..]..3",
                  "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": "
                  "\"number\"}, \"minItems\": 1}, \"maxItems\": 3}");
    assert_schema("{entry: body}?", "{\"propertyNames\": {\"$ref\": \"#/definitions/entry\"}, "
                                    "\"additionalProperties\": {\"$ref\": \"#/definitions/body\"}, "
                                    "\"type\": [\"object\", \"null\"]}");
}

static void test_alternatives_words_remarks_and_patterns_are_understood(void **state)
{
    (void)state;
    assert_schema("string 'a | b' | [real | null]",
                  "{\"anyOf\": [{\"type\": \"string\", \"description\": \"a | b\"}, {\"type\": \"array\", "
                  "\"items\": {\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"null\"}]}}]}");
    assert_schema("<own, quad-plain, #1>", "{\"enum\": [\"own\", \"quad-plain\", 1]}");
    assert_schema("string ~^a|b$", "{\"type\": \"string\", \"pattern\": \"^a|b$\"}");
}

static void test_notation_that_is_not_understood_is_told(void **state)
{
    (void)state;
    char *text = schema_of("[string}");
    assert_non_null(strstr(text, "not-understood"));
    free(text);
}

// All letters of a notation are understood, and every name in it has a definition or a table.
static void assert_understood(const char *name, const char *type)
{
    char *text = schema_of(type);
    if (strstr(text, "not-understood")) {
        fail_msg("the type of %s is not understood: %s", name, type);
    }
    for (const char *at = text; (at = strstr(at, "#/definitions/")); at++) {
        const char *word = at + strlen("#/definitions/");
        size_t length = strcspn(word, "\"");
        bool is_known = false;
        const key_type *known;
        for (int k = 0; (known = key_type_at(k)); k++) {
            is_known = is_known || (strlen(known->name) == length && strncmp(known->name, word, length) == 0);
        }
        if (!is_known) {
            fail_msg("the type of %s has an unknown name: %s", name, type);
        }
    }
    const char *map = strchr(type, '=');
    if (map) {
        char other[64];
        snprintf(other, sizeof other, "%.*s", (int)strspn(map + 1, "abcdefghijklmnopqrstuvwxyz_"), map + 1);
        if (!key_map_find(other)) {
            fail_msg("the type of %s names a table that is not there: %s", name, type);
        }
    }
    free(text);
}

static void test_every_key_has_a_type_that_is_understood_and_a_help(void **state)
{
    (void)state;
    const key_map *map;
    const key_def *key;
    const key_type *type;
    int count = 0;
    for (int k = 0; (map = key_map_at(k)); k++) {
        for (int i = 0; (key = key_at(map, i)); i++, count++) {
            assert_understood(key->key, key->type);
            // `for` has that of its definition
            if (!(key->help && key->help[0]) && strcmp(key->type, "for") != 0) {
                fail_msg("%s of %s has no help", key->key, map->name);
            }
            assert_ptr_equal(key_find(map, key->key), key); // no key stands twice
        }
        assert_in_range(k, 0, 100);
    }
    for (int k = 0; (type = key_type_at(k)); k++) {
        if (type->type) {
            assert_understood(type->name, type->type);
        }
    }
    assert_true(count > 250);
}

static void test_tables_have_names_of_their_own_and_room_in_messages(void **state)
{
    (void)state;
    const key_map *map;
    for (int k = 0; (map = key_map_at(k)); k++) {
        int count = 0;
        while (key_at(map, count)) {
            count++;
        }
        assert_ptr_equal(key_map_find(map->name), map);
        assert_in_range(count, 1, MOST_KEYS);
    }
}

static void test_words_to_choose_from_are_those_of_the_type(void **state)
{
    (void)state;
    key_words words;
    char text[40];
    key_words_of("<a, b-c, #0>", &words);
    assert_int_equal(words.count, 2);
    assert_string_equal(words.word[1], "b-c");
    assert_string_equal(key_words_list(&words, " or ", text, sizeof text), "a or b-c");
    key_words_of("@joints", &words);
    assert_string_equal(words.word[0], "fixed");
    assert_non_null(key_meaning("@joints", 0));
    key_words_of("number", &words);
    assert_int_equal(words.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_of_json_are_types_and_others_are_references),
        cmocka_unit_test(test_lists_and_mappings_have_ranges),
        cmocka_unit_test(test_alternatives_words_remarks_and_patterns_are_understood),
        cmocka_unit_test(test_notation_that_is_not_understood_is_told),
        cmocka_unit_test(test_every_key_has_a_type_that_is_understood_and_a_help),
        cmocka_unit_test(test_tables_have_names_of_their_own_and_room_in_messages),
        cmocka_unit_test(test_words_to_choose_from_are_those_of_the_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
