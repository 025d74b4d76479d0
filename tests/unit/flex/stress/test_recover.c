// SPDX-License-Identifier: MIT
// The stress of a whole body: all kinds of elements, and the largest of many places.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/flex.h>
#include <math.h>
#include <stdlib.h>

enum { NX = 12, NY = 8, SHELLS = NX * NY, NODES = (NX + 1) * (NY + 1) };

// A plate of shells with a beam that stands on its last corner.
static bi_flex *plate_with_mast(void)
{
    static bi_fe_node node[NODES + 1];
    static bi_fe_element element[SHELLS + 1];
    static bi_material steel = { .name = "steel", .young = 2.1e11, .poisson = 0.3, .density = 7850.0 };
    static bi_section section[2] = { { .name = "sheet", .thickness = 0.004 } };
    static int32_t frame[1] = { 0 };
    static bi_flex_boundary boundary[2] = { { .node = NODES - 1, .is_point = true },
                                            { .node = NODES, .is_point = true } };
    section[1] = bi_section_rectangle(0.01, 0.02);
    for (int i = 0; i < NODES; i++) {
        node[i] = (bi_fe_node){ .at = { 0.05 * (i / (NY + 1)), 0.05 * (i % (NY + 1)), 0.0 } };
    }
    node[NODES] = (bi_fe_node){ .at = { 0.05 * NX, 0.05 * NY, 0.3 } };
    for (int k = 0; k < SHELLS; k++) {
        int first = k / NY * (NY + 1) + k % NY;
        element[k] = (bi_fe_element){ .kind = BI_FE_SHELL4,
                                      .node = { first, first + NY + 1, first + NY + 2, first + 1 } };
    }
    element[SHELLS] = (bi_fe_element){ .kind = BI_FE_BEAM, .node = { NODES - 1, NODES }, .section = 1 };
    bi_flex_def def = { .name = "plate",
                        .mesh = { .n_node = NODES + 1,
                                  .n_element = SHELLS + 1,
                                  .n_section = 2,
                                  .n_material = 1,
                                  .node = node,
                                  .element = element,
                                  .section = section,
                                  .material = &steel },
                        .n_frame = 1,
                        .frame = frame,
                        .n_boundary = 2,
                        .boundary = boundary,
                        .n_normal = 9 };
    bi_report report = { 0 };
    bi_flex *flex = bi_flex_build(&def, NULL, NULL, &report);
    assert_int_equal(report.errors, 0);
    bi_report_clear(&report);
    return flex;
}

static bi_recovery *everywhere(const bi_flex *flex)
{
    char why[200];
    bi_flex_probe probe = {
        .quantity = BI_PROBE_MISES, .is_everywhere = true, .element = -1, .next = -1, .node = -1
    };
    bi_recovery *r = bi_flex_recover(flex, &probe, why, sizeof why);
    assert_non_null(r);
    return r;
}

static void test_stress_of_a_body_with_beams_and_shells_is_taken_at_all_of_them(void **state)
{
    (void)state;
    bi_flex *flex = plate_with_mast();
    bi_recovery *r = everywhere(flex);
    assert_int_equal(r->form, BI_FORM_MIXED);
    assert_int_equal(r->n_section, 2);
    assert_int_equal(r->n_point, 2 + 2 * NODES);
    // places are told by their nodes, counted from 1
    assert_true(r->label[0] == NODES && r->label[1] == NODES + 1 && r->label[2] == 1.0);
    bi_recovery_destroy(r);
    bi_flex_destroy(flex);
}

// From -1 to 1, the same every time.
static double next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static void test_largest_stress_is_found_as_if_all_places_were_looked_at(void **state)
{
    (void)state;
    bi_flex *flex = plate_with_mast();
    bi_recovery *r = everywhere(flex);
    assert_non_null(r->order);
    bi_flex_facts facts = bi_flex_facts_of(flex);
    double eta[64], value[6], found;
    uint64_t seed = 1;
    for (int trial = 0; trial < 300; trial++) {
        double best = -1.0;
        int at = -1;
        for (int m = 0; m < r->n_mode; m++) {
            // from all modes alike to the lowest alone; sometimes one only
            double one = trial % 3 == 2 ? m == trial % r->n_mode : pow(facts.hz[0] / facts.hz[m], trial % 4);
            eta[m] = one * next_random(&seed);
        }
        for (int p = 0; p < r->n_point; p++) {
            bi_recovery_values(r, p, eta, (bi_quat){ .w = 1.0 }, value);
            at = value[0] > best ? p : at;
            best = fmax(best, value[0]);
        }
        assert_int_equal(bi_recovery_largest(r, eta, &found), at);
        assert_true(found == best);
    }
    bi_recovery_destroy(r);
    bi_flex_destroy(flex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stress_of_a_body_with_beams_and_shells_is_taken_at_all_of_them),
        cmocka_unit_test(test_largest_stress_is_found_as_if_all_places_were_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
