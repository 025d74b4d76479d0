// SPDX-License-Identifier: MIT
// Sticks of this machine (--sdl) and of the page move the mast of a truck the same way.
#include "live/live.h"
#include "support/run_model.h"

static void test_the_mast_tilts_the_other_way_and_nothing_else_does(void **state)
{
    (void)state;
    static const char *const truck[] = { "forklift", "electric-truck" };
    for (int k = 0; k < 2; k++) {
        char path[512];
        bi_report report = { 0 };
        snprintf(path, sizeof path, "%s/models/%s/model.yaml", BI_SOURCE_DIR, truck[k]);
        bi_document *doc = bi_document_open(path, &report);
        assert_non_null(doc);
        assert_true(control_sign(doc, "tilt") == -1.0);
        assert_true(control_sign(doc, "lift") == 1.0);
        assert_true(control_sign(doc, "steer") == 1.0);
        assert_true(control_sign(doc, "none of this name") == 1.0);
        bi_document_close(doc);
        bi_report_clear(&report);
    }
    assert_true(control_sign(NULL, "tilt") == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_mast_tilts_the_other_way_and_nothing_else_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
