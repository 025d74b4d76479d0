// SPDX-License-Identifier: MIT
// The number of normal modes that a tolerance of the stress takes, against a body with all of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/flex_mesh.h"
#include <math.h>

#define PI 3.14159265358979323846
enum { ELEMENTS = 30, MOST = 400 };

// Root clamped; the tip is what joints hold, or clamped, too.
typedef enum { TIP_HELD, TIP_CLAMPED } tip;

static void begin(flex_case *c, tip end, double tolerance, double up_to, bool has_weight)
{
    static const int32_t ends[2] = { 0, ELEMENTS };
    *c = (flex_case){ .material = { .young = 7e10, .poisson = 0.3, .density = 2700.0 } };
    c->section = bi_section_rectangle(0.01, 0.02);
    flex_bar(c, BI_FE_BEAM, ELEMENTS, 1.0, false);
    if (end == TIP_HELD) {
        flex_hold_tip(c);
    } else {
        c->def.frame = ends;
        c->def.n_frame = 2;
    }
    c->def.tolerance = tolerance;
    c->def.up_to = up_to;
    c->def.has_weight_modes = has_weight;
}

static bi_flex *build(const flex_case *c)
{
    bi_report report = { 0 };
    bi_flex *flex = bi_flex_build(&c->def, NULL, NULL, &report);
    bi_report_clear(&report);
    assert_non_null(flex);
    return flex;
}

// Largest stress of the bar while it is shaken with 1 m/s^2 along `way` at f, Hz, by what is clamped.
static double stress(const bi_flex *flex, double f, bi_vec3 way)
{
    const bi_modes *m = bi_flex_modes(flex);
    bi_flex_facts facts = bi_flex_facts_of(flex);
    bi_flex_probe everywhere = {
        .quantity = BI_PROBE_MISES, .is_everywhere = true, .element = -1, .next = -1
    };
    char why[100];
    bi_recovery *r = bi_flex_recover(flex, &everywhere, why, sizeof why);
    double eta[MOST], best = 0.0, w = 2.0 * PI * f;
    assert_non_null(r);
    assert_true(m->n_mode <= MOST);
    for (int k = 0; k < m->n_mode; k++) {
        double push = 0.0, own = 2.0 * PI * facts.hz[k];
        for (int i = 0; i < m->n_node; i++) {
            bi_vec3 s = m->shape[(size_t)k * (size_t)m->n_node + (size_t)i];
            push -= m->mass[i] * (s.x * way.x + s.y * way.y + s.z * way.z);
        }
        eta[k] = push / (m->stiffness[k] * (1.0 - w * w / (own * own)));
    }
    assert_true(bi_recovery_largest(r, eta, &best) >= 0);
    bi_recovery_destroy(r);
    return best;
}

// Largest difference from a body with all modes, in parts of the tolerance.
static double worst(tip end, double tolerance)
{
    // between natural frequencies: none is met
    static const double frequency[] = { 10.0, 30.0, 100.0, 250.0 };
    static const bi_vec3 way[] = { { 0, 1, 0 }, { 0, 0, 1 } };
    flex_case whole;
    double most = 0.0;
    begin(&whole, end, 0.0, 0.0, false);
    whole.def.n_normal = 6 * ELEMENTS - (end == TIP_HELD ? 3 : 6);
    bi_flex *all = build(&whole);
    for (int f = 0; f < 4; f++) {
        double b[2] = { stress(all, frequency[f], way[0]), stress(all, frequency[f], way[1]) };
        for (int weight = 0; weight < 2; weight++) {
            flex_case c;
            begin(&c, end, tolerance, frequency[f], weight == 1);
            bi_flex *flex = build(&c);
            assert_true(bi_flex_facts_of(flex).truncation <= tolerance);
            for (int k = 0; k < 2; k++) {
                double error = fabs(stress(flex, frequency[f], way[k]) - b[k]);
                most = fmax(most, error / fmax(b[0], b[1]) / tolerance);
            }
            bi_flex_destroy(flex);
            flex_case_free(&c);
        }
    }
    bi_flex_destroy(all);
    flex_case_free(&whole);
    return most;
}

static void test_stress_is_that_of_all_modes(void **state)
{
    (void)state;
    static const double tolerance[] = { 0.1, 0.01, 0.001 };
    for (int t = 0; t < 3; t++) {
        // the tolerance is of the root of the energy, the largest stress stands at one place: four times as much
        assert_true(worst(TIP_CLAMPED, tolerance[t]) <= 4.0);
        // a tip that is free moves so that what each of its displacements does by itself nearly cancels
        assert_true(worst(TIP_HELD, tolerance[t]) <= 10.0);
    }
}

static int modes_for(double tolerance, double up_to, bool has_weight)
{
    flex_case c;
    begin(&c, TIP_HELD, tolerance, up_to, has_weight);
    bi_flex *flex = build(&c);
    int n = bi_flex_facts_of(flex).n_normal;
    bi_flex_destroy(flex);
    flex_case_free(&c);
    return n;
}

static void test_numbers_are_no_larger_than_they_must(void **state)
{
    (void)state;
    assert_true(modes_for(0.1, 30.0, false) < modes_for(0.01, 30.0, false));
    assert_true(modes_for(0.01, 10.0, true) < modes_for(0.01, 10.0, false));
    assert_true(modes_for(0.01, 10.0, true) <= modes_for(0.01, 250.0, true));
    // slower than anything in it: statics is enough, and weight modes have it
    assert_true(modes_for(0.1, 1.0, true) == 0);
}

static void test_result_comes_back_from_its_bytes(void **state)
{
    (void)state;
    flex_case c;
    begin(&c, TIP_HELD, 0.01, 30.0, true);
    bi_flex *flex = build(&c);
    size_t size = bi_flex_save(flex, NULL, 0);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    (void)bi_flex_save(flex, bytes, size);
    bi_flex *loaded = bi_flex_load(&c.def, bytes, size);
    assert_non_null(loaded);
    assert_true(bi_flex_facts_of(loaded).truncation == bi_flex_facts_of(flex).truncation);
    c.def.tolerance = 0.02;
    assert_null(bi_flex_load(&c.def, bytes, size));
    bi_flex_destroy(loaded);
    bi_flex_destroy(flex);
    free(bytes);
    flex_case_free(&c);
}

static void test_bad_tolerances_are_refused(void **state)
{
    (void)state;
    static const double bad[][2] = { { 0.01, 0.0 }, { 1.0, 10.0 }, { 1e-9, 10.0 }, { -0.1, 10.0 } };
    for (int k = 0; k < 4; k++) {
        flex_case c;
        bi_report report = { 0 };
        begin(&c, TIP_HELD, bad[k][0], bad[k][1], false);
        assert_null(bi_flex_build(&c.def, NULL, NULL, &report));
        assert_true(report.errors > 0);
        bi_report_clear(&report);
        flex_case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stress_is_that_of_all_modes),
        cmocka_unit_test(test_numbers_are_no_larger_than_they_must),
        cmocka_unit_test(test_result_comes_back_from_its_bytes),
        cmocka_unit_test(test_bad_tolerances_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
