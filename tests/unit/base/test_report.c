// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/biela.h>
#include <stdio.h>
#include <string.h>

static void test_report_grows_and_keeps_the_order(void **state)
{
    (void)state;
    bi_report report = { 0 };
    for (int k = 0; k < 1000; k++) {
        char where[32];
        snprintf(where, sizeof where, "bodies.b%d", k);
        bi_report_add(&report, BI_ERROR, BI_BAD_MODEL, (bi_place){ "file", k + 1, 2 }, where,
                      "mistake %d of %s", k, "many");
    }
    assert_int_equal(report.count, 1000);
    assert_int_equal(report.errors, 1000);
    for (int k = 0; k < 1000; k++) {
        char where[32], what[32];
        snprintf(where, sizeof where, "bodies.b%d", k);
        snprintf(what, sizeof what, "mistake %d of many", k);
        assert_string_equal(report.issue[k].where, where);
        assert_string_equal(report.issue[k].what, what);
        assert_string_equal(report.issue[k].place.file, "file");
        assert_int_equal(report.issue[k].place.line, k + 1);
        assert_int_equal(report.issue[k].place.column, 2);
    }
    bi_report_clear(&report);
}

static void test_report_counts_errors_and_not_notes(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_report_add(&report, BI_NOTE, BI_OK, (bi_place){ 0 }, "a", "note");
    bi_report_add(&report, BI_WARNING, BI_OK, (bi_place){ 0 }, "b", "warning");
    bi_report_add(&report, BI_ERROR, BI_SINGULAR, (bi_place){ 0 }, "c", "error");
    assert_int_equal(report.count, 3);
    assert_int_equal(report.errors, 1);
    assert_int_equal(report.issue[2].code, BI_SINGULAR);
    assert_int_equal(report.issue[1].severity, BI_WARNING);
    bi_report_clear(&report);
}

static void test_report_copies_what_it_is_given(void **state)
{
    (void)state;
    bi_report report = { 0 };
    char file[] = "model.yaml", where[] = "joints.A", name[] = "rod";
    bi_report_add(&report, BI_ERROR, BI_BAD_MODEL, (bi_place){ file, 1, 1 }, where, "%s is lost", name);
    file[0] = where[0] = name[0] = 'X';
    assert_string_equal(report.issue[0].place.file, "model.yaml");
    assert_string_equal(report.issue[0].where, "joints.A");
    assert_string_equal(report.issue[0].what, "rod is lost");
    bi_report_clear(&report);
}

static void test_report_without_place_or_where_is_harmless(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_report_add(&report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, NULL, "nothing");
    assert_null(report.issue[0].place.file);
    assert_string_equal(report.issue[0].where, "");
    bi_report_clear(&report);
    bi_report_add(NULL, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "a", "nowhere to go");
}

static void test_report_cuts_a_message_that_is_too_long(void **state)
{
    (void)state;
    bi_report report = { 0 };
    char text[5000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    bi_report_add(&report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, text, "%s", text);
    assert_true(strlen(report.issue[0].what) >= 500 && strlen(report.issue[0].what) < sizeof text);
    assert_int_equal(strlen(report.issue[0].where), sizeof text - 1);
    bi_report_clear(&report);
}

static void test_cleared_report_can_be_used_again(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_report_add(&report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "a", "one");
    bi_report_clear(&report);
    assert_int_equal(report.count, 0);
    assert_int_equal(report.errors, 0);
    assert_null(report.issue);
    bi_report_add(&report, BI_NOTE, BI_OK, (bi_place){ 0 }, "b", "two");
    assert_int_equal(report.count, 1);
    assert_string_equal(report.issue[0].what, "two");
    bi_report_clear(&report);
    bi_report_clear(&report);
}

static void test_every_status_has_its_text(void **state)
{
    (void)state;
#define COUNT(code, text) +1
    enum { N_STATUS = 0 BI_STATUS_LIST(COUNT) };
    for (int k = 0; k < N_STATUS; k++) {
        assert_true(strlen(bi_status_text((bi_status)k)) > 0);
        for (int i = 0; i < k; i++) {
            assert_string_not_equal(bi_status_text((bi_status)i), bi_status_text((bi_status)k));
        }
    }
    assert_string_equal(bi_status_text(BI_OK), "ok");
    assert_string_equal(bi_status_text((bi_status)N_STATUS), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_grows_and_keeps_the_order),
        cmocka_unit_test(test_report_counts_errors_and_not_notes),
        cmocka_unit_test(test_report_copies_what_it_is_given),
        cmocka_unit_test(test_report_without_place_or_where_is_harmless),
        cmocka_unit_test(test_report_cuts_a_message_that_is_too_long),
        cmocka_unit_test(test_cleared_report_can_be_used_again),
        cmocka_unit_test(test_every_status_has_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
