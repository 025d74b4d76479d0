// SPDX-License-Identifier: MIT
// Tyre property files: values in SI, lines of mistakes, what is not used; and any damaged file is survived.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/tyre/tir.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *whole(const char *name, size_t *length)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/tyres/%s", BI_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

static double number_at(const yaml_node *map, const char *key)
{
    const yaml_node *n = yaml_get(map, key);
    if (!n || n->kind != YAML_SCALAR) {
        fail_msg("no number %s", key);
    }
    return strtod(n->text, NULL);
}

static void test_tir_of_1989_is_read_in_si(void **state)
{
    (void)state;
    size_t length;
    char *text = whole("car_1989.tir", &length);
    bi_report report = { 0 };
    blocks memory = { 0 };
    yaml_node *map = tir_read(text, length, "car.tir", NULL, &memory, &report);
    assert_non_null(map);
    assert_string_equal(yaml_get(map, "type")->text, "tyre-pacejka");
    // mm and N/mm in the file
    assert_true(fabs(number_at(map, "radius") - 0.2666) <= 1e-15);
    assert_true(fabs(number_at(map, "stiffness") - 150e3) <= 1e-9);
    assert_true(fabs(number_at(map, "damping") - 200.0) <= 1e-12);
    const yaml_node *a = yaml_get(map, "lateral");
    assert_int_equal(a->count, 8);
    assert_true(strtod(a->item[4]->text, NULL) == 2.5212);
    assert_int_equal(a->line, 28);
    assert_int_equal(yaml_get(map, "longitudinal")->count, 11);
    // PROPERTY_FILE_FORMAT, the table of the shape, WIDTH, ASPECT_RATIO
    assert_int_equal(report.errors, 0);
    assert_int_equal(report.count, 4);
    blocks_free(&memory);
    bi_report_clear(&report);
    free(text);
}

// Slopes and peaks of the Magic Formula have closed forms: B C D = K, the peak is D where C > 1 and the peak is reached.
static void test_tir_of_the_magic_formula_becomes_tmeasy_with_its_landmarks(void **state)
{
    (void)state;
    size_t length;
    char *text = whole("magic.tir", &length);
    bi_report report = { 0 };
    blocks memory = { 0 };
    yaml_node *map = tir_read(text, length, "magic.tir", "tyre-tmeasy", &memory, &report);
    assert_non_null(map);
    assert_string_equal(yaml_get(map, "type")->text, "tyre-tmeasy");
    const yaml_node *x = yaml_get(map, "longitudinal"), *y = yaml_get(map, "lateral");
    const double load[2] = { 4000.0, 8000.0 };
    for (int k = 0; k < 2; k++) {
        double d = k, kx = load[k] * 22.0 * exp(0.1 * d);
        double ky = 18.0 * 4000.0 * sin(2.0 * atan(load[k] / (1.9 * 4000.0)));
        double px = load[k] * (1.1 - 0.08 * d), py = load[k] * (1.0 - 0.1 * d);
        assert_true(fabs(strtod(x->item[5 * k]->text, NULL) / kx - 1.0) <= 1e-12);
        assert_true(fabs(strtod(y->item[5 * k]->text, NULL) / ky - 1.0) <= 1e-12);
        // the peak is looked for in steps of 1e-3 slip
        assert_true(fabs(strtod(x->item[5 * k + 1]->text, NULL) / px - 1.0) <= 1e-4);
        assert_true(fabs(strtod(y->item[5 * k + 1]->text, NULL) / py - 1.0) <= 1e-4);
    }
    // the model, the strange section and RBX1, each with its line
    assert_int_equal(report.count, 3);
    assert_int_equal(report.issue[0].place.line, 5);
    assert_int_equal(report.issue[1].place.line, 29);
    assert_int_equal(report.issue[2].place.line, 21);
    blocks_free(&memory);
    bi_report_clear(&report);
    free(text);
}

// Every key is carried as it stands, or named.
static void test_tir_of_the_magic_formula_is_read_as_it_stands(void **state)
{
    (void)state;
    static const char *const name[] = { "magic_formula/car_mf52.tir", "magic_formula/car_mf61.tir",
                                        "magic_formula/moto_mf62.tir" };
    for (int n = 0; n < 3; n++) {
        size_t length;
        char *text = whole(name[n], &length);
        bi_report report = { 0 };
        blocks memory = { 0 };
        yaml_node *map = tir_read(text, length, name[n], NULL, &memory, &report);
        assert_non_null(map);
        assert_string_equal(yaml_get(map, "type")->text, "tyre-magic");
        assert_true(number_at(map, "radius") == number_at(map, "UNLOADED_RADIUS"));
        int line = 0, seen = 0;
        for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
            char key[64], section[64];
            double value;
            line++;
            if (sscanf(at, " [%63[A-Z_]", section) == 1 ||
                sscanf(at, " %63[A-Z0-9_] = %lf", key, &value) != 2 || strcmp(key, "FILE_VERSION") == 0) {
                continue;
            }
            bool is_known = yaml_get(map, key) && number_at(map, key) == value;
            for (int k = 0; k < report.count && !is_known; k++) {
                is_known = report.issue[k].place.line == line ||
                           strstr(report.issue[k].what, "nothing of this section");
            }
            bool has_other_name = strcmp(key, "VERTICAL_STIFFNESS") == 0 ||
                                  strcmp(key, "VERTICAL_DAMPING") == 0 || strcmp(key, "VXLOW") == 0 ||
                                  strncmp(key, "MC_CONTOUR", 10) == 0;
            if (!is_known && !has_other_name && !(n == 2 && strcmp(key, "WIDTH") == 0)) {
                fail_msg("%s:%d: %s is neither used nor named", name[n], line, key);
            }
            seen++;
        }
        assert_true(seen > 130);
        blocks_free(&memory);
        bi_report_clear(&report);
        free(text);
    }
}

// In millimetres, kilonewtons and degrees the values are the same.
static void test_tir_of_the_magic_formula_is_read_in_si(void **state)
{
    (void)state;
    static const char text[] =
        "[UNITS]\nLENGTH = 'mm'\nFORCE = 'kN'\nANGLE = 'degrees'\n[MODEL]\nFITTYP = 61\nLONGVL = 16700\n"
        "TYRESIDE = 'Right'\n[DIMENSION]\nUNLOADED_RADIUS = 313\n[VERTICAL]\nFNOMIN = 4\n"
        "VERTICAL_STIFFNESS = 0.2\n[OPERATING_CONDITIONS]\nINFLPRES = 2.2e-4\n"
        "[SLIP_ANGLE_RANGE]\nALPMIN = -90\nALPMAX = 90\n"
        "[LONGITUDINAL_COEFFICIENTS]\nPCX1 = 1.6\nPDX1 = 1\nPKX1 = 20\n"
        "[LATERAL_COEFFICIENTS]\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -20\nPKY2 = 2\n";
    bi_report report = { 0 };
    blocks memory = { 0 };
    yaml_node *map = tir_read(text, strlen(text), "units.tir", NULL, &memory, &report);
    assert_non_null(map);
    static const struct {
        const char *key;
        double value;
    } want[] = { { "radius", 0.313 },
                 { "stiffness", 2e5 },
                 { "FNOMIN", 4000.0 },
                 { "LONGVL", 16.7 },
                 { "INFLPRES", 2.2e5 },
                 { "NOMPRES", 2.2e5 },
                 { "ALPMAX", 1.5707963267948966 },
                 { "USE_MODE", 14.0 } };
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        assert_true(fabs(number_at(map, want[k].key) / want[k].value - 1.0) <= 1e-14);
    }
    assert_string_equal(yaml_get(map, "tyre_side")->text, "right");
    blocks_free(&memory);
    bi_report_clear(&report);
}

static void test_tir_of_the_magic_formula_tells_what_is_missing_and_out_of_order(void **state)
{
    (void)state;
    static const char text[] =
        "[MODEL]\nFITTYP = 70\nTYRESIDE = 'up'\n[VERTICAL]\nFNOMIN = 4000\nFZMIN = 10\nFZMAX = 5\n"
        "[LONGITUDINAL_COEFFICIENTS]\nPCX1 = 1.6\nPDX1 = one\nPCX1 = 2\n";
    static const struct {
        int line;
        const char *what;
    } want[] = {
        { 2, "FITTYP" }, { 3, "TYRESIDE" },        { 7, "FZMAX must be above" }, { 10, "PDX1" },
        { 11, "PCX1" },  { 1, "PKY2 is missing" }, { 1, "UNLOADED_RADIUS" },     { 1, "VERTICAL_STIFFNESS" }
    };
    bi_report report = { 0 };
    blocks memory = { 0 };
    assert_null(tir_read(text, strlen(text), "bad.tir", NULL, &memory, &report));
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        bool is_told = false;
        for (int i = 0; i < report.count; i++) {
            is_told |= report.issue[i].severity == BI_ERROR && report.issue[i].place.line == want[k].line &&
                       strstr(report.issue[i].what, want[k].what);
        }
        if (!is_told) {
            fail_msg("line %d, %s: nothing is told", want[k].line, want[k].what);
        }
    }
    blocks_free(&memory);
    bi_report_clear(&report);
}

static void test_tir_with_mistakes_tells_all_of_them_with_their_lines(void **state)
{
    (void)state;
    size_t length;
    char *text = whole("broken.tir", &length);
    bi_report report = { 0 };
    blocks memory = { 0 };
    assert_null(tir_read(text, length, "broken.tir", NULL, &memory, &report));
    static const int line[] = { 1, 2, 3, 4, 5, 6, 8, 9, 10 };
    for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
        bool is_told = false;
        for (int i = 0; i < report.count; i++) {
            is_told |= report.issue[i].severity == BI_ERROR && report.issue[i].place.line == line[k];
        }
        if (!is_told) {
            fail_msg("nothing is told about line %d", line[k]);
        }
    }
    blocks_free(&memory);
    bi_report_clear(&report);
    free(text);
}

// Cut anywhere, or with any byte changed, it is read or refused.
static void test_damaged_tir_is_survived(void **state)
{
    (void)state;
    size_t length;
    char *text = whole("magic.tir", &length);
    uint64_t seed = 3;
    for (int k = 0; k < 3000; k++) {
        char *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, text, length + 1);
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t at = (size_t)(seed >> 33) % length, end = k % 3 == 0 ? at : length;
        copy[at] = (char)(seed >> 20);
        bi_report report = { 0 };
        blocks memory = { 0 };
        yaml_node *map = tir_read(copy, end, "damaged.tir", k % 2 ? NULL : "tyre-tmeasy", &memory, &report);
        assert_true(map != NULL || report.errors > 0);
        blocks_free(&memory);
        bi_report_clear(&report);
        free(copy);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tir_of_1989_is_read_in_si),
        cmocka_unit_test(test_tir_of_the_magic_formula_becomes_tmeasy_with_its_landmarks),
        cmocka_unit_test(test_tir_of_the_magic_formula_is_read_as_it_stands),
        cmocka_unit_test(test_tir_of_the_magic_formula_is_read_in_si),
        cmocka_unit_test(test_tir_of_the_magic_formula_tells_what_is_missing_and_out_of_order),
        cmocka_unit_test(test_tir_with_mistakes_tells_all_of_them_with_their_lines),
        cmocka_unit_test(test_damaged_tir_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
