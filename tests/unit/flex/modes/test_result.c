// SPDX-License-Identifier: MIT
// The reduced body as bytes, and its hash.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/flex_mesh.h"
#include <string.h>

static void begin(flex_case *c)
{
    *c = (flex_case){ .material = { .young = 7e10, .poisson = 0.3, .density = 2700.0 } };
    c->section = bi_section_rectangle(0.01, 0.02);
    flex_bar(c, BI_FE_BEAM, 6, 1.0, false);
    flex_hold_tip(c);
    c->def.n_normal = 3;
    c->def.is_foreshortened = true;
}

static bi_flex *build(const flex_case *c)
{
    bi_report report = { 0 };
    bi_flex *flex = bi_flex_build(&c->def, NULL, NULL, &report);
    bi_report_clear(&report);
    assert_non_null(flex);
    return flex;
}

static unsigned char *bytes_of(const bi_flex *flex, size_t *size)
{
    *size = bi_flex_save(flex, NULL, 0);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(bi_flex_save(flex, bytes, *size), *size);
    return bytes;
}

static void test_saved_body_comes_back_bit_by_bit(void **state)
{
    (void)state;
    flex_case c;
    size_t size, again;
    begin(&c);
    bi_flex *flex = build(&c);
    unsigned char *bytes = bytes_of(flex, &size);
    bi_flex *loaded = bi_flex_load(&c.def, bytes, size);
    assert_non_null(loaded);
    unsigned char *second = bytes_of(loaded, &again);
    assert_int_equal(again, size);
    assert_memory_equal(second, bytes, size);
    assert_non_null(bi_flex_modes(loaded)->bend);
    free(second);
    free(bytes);
    bi_flex_destroy(loaded);
    bi_flex_destroy(flex);
    flex_case_free(&c);
}

static void test_damaged_or_short_bytes_are_not_taken(void **state)
{
    (void)state;
    flex_case c;
    size_t size;
    begin(&c);
    bi_flex *flex = build(&c);
    unsigned char *bytes = bytes_of(flex, &size);
    for (size_t at = 0; at < size; at += 97) {
        bytes[at] ^= 0x10;
        assert_null(bi_flex_load(&c.def, bytes, size));
        bytes[at] ^= 0x10;
        assert_null(bi_flex_load(&c.def, bytes, at));
    }
    free(bytes);
    bi_flex_destroy(flex);
    flex_case_free(&c);
}

// Everything that decides the result is in the hash: bytes of another body are refused.
static void test_bytes_of_another_body_are_not_taken(void **state)
{
    (void)state;
    flex_case c;
    size_t size;
    begin(&c);
    bi_flex *flex = build(&c);
    unsigned char *bytes = bytes_of(flex, &size);
    uint64_t hash = bi_flex_hash(&c.def);
    for (int change = 0; change < 13; change++) {
        flex_case other = c;
        bi_fe_node node[7];
        bi_fe_element element[6];
        memcpy(node, c.def.mesh.node, sizeof node);
        memcpy(element, c.def.mesh.element, sizeof element);
        other.def.mesh.node = node;
        other.def.mesh.element = element;
        other.def.mesh.section = &other.section;
        other.def.mesh.material = &other.material;
        other.def.frame = other.frame;
        other.def.boundary = other.boundary;
        switch (change) {
        case 0: node[3].at.y = 1e-9; break;
        case 1: element[2].offset[0].z = 0.01; break;
        case 2: other.section.iy *= 1.0 + 1e-15; break;
        case 3: other.material.young += 1.0; break;
        case 4: other.frame[0] = 1; break;
        case 5: other.boundary[0].n_vector = 1; break;
        case 6: other.def.n_normal = 2; break;
        case 7: other.def.damping = 0.01; break;
        case 8: other.def.is_foreshortened = false; break;
        case 9: other.def.has_no_rotary = true; break;
        case 10: other.def.up_to = 500.0; break;
        case 11: other.def.has_weight_modes = true; break;
        default: element[1].kind = BI_FE_TIMOSHENKO; break;
        }
        assert_true(bi_flex_hash(&other.def) != hash);
        assert_null(bi_flex_load(&other.def, bytes, size));
    }
    assert_true(bi_flex_hash(&c.def) == hash);
    free(bytes);
    bi_flex_destroy(flex);
    flex_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saved_body_comes_back_bit_by_bit),
        cmocka_unit_test(test_damaged_or_short_bytes_are_not_taken),
        cmocka_unit_test(test_bytes_of_another_body_are_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
