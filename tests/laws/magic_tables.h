// SPDX-License-Identifier: MIT
// Sets of the Magic Formula and their tables: tests/tyres/magic_formula, or all rows where MAGIC_TABLES names a folder.
#ifndef BIELA_TESTS_LAWS_MAGIC_TABLES_H
#define BIELA_TESTS_LAWS_MAGIC_TABLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/biela.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline FILE *open_data(const char *name, const char *ending)
{
    // all rows of the tables are elsewhere: MAGIC_TABLES names their folder
    const char *folder = getenv("MAGIC_TABLES");
    char path[512];
    if (folder) {
        snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    } else {
        snprintf(path, sizeof path, "%s/tests/tyres/magic_formula/%s%s", BI_SOURCE_DIR, name, ending);
    }
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

// Keys of the file whose name the kind of tyre has.
static inline bi_tyre_magic_def read_set(const char *name)
{
    bi_tyre_magic_def def = { .formula = bi_magic_formula_default() };
    const bi_kind *kind = bi_kind_find("forces", "tyre-magic");
    FILE *file = open_data(name, ".tir");
    char line[256], key[64];
    double value;
    int found = 0;
    assert_non_null(kind);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, " %63[A-Z0-9_] = %lf", key, &value) != 2) {
            continue;
        }
        if (strcmp(key, "VERTICAL_STIFFNESS") == 0) {
            def.wheel.stiffness = value;
        }
        for (int f = 0; f < kind->n_field; f++) {
            if (strcmp(kind->field[f].key, key) == 0 && kind->field[f].type == BI_FIELD_NUMBER) {
                memcpy((char *)&def + kind->field[f].offset, &value, sizeof value);
                found++;
            }
        }
    }
    fclose(file);
    assert_true(found > 90);
    if (def.formula.NOMPRES == 0.0) {
        def.formula.NOMPRES = def.formula.INFLPRES;
    }
    def.wheel.radius = def.formula.UNLOADED_RADIUS;
    return def;
}

// Columns of a table by their place; false: no more rows.
static inline bool read_numbers(FILE *file, double *number, int count)
{
    char line[512];
    if (!fgets(line, sizeof line, file)) {
        return false;
    }
    char *at = line;
    for (int k = 0; k < count; k++) {
        number[k] = strtod(at, &at);
        at += *at == ',';
    }
    return true;
}

static inline bi_system *rig_of(bi_tyre_magic_def *def, bi_element *tyre)
{
    bi_model *model = bi_model_create("rig");
    assert_non_null(model);
    def->name = "tyre";
    def->wheel.body =
        bi_add_body(model, &(bi_body_def){ .name = "wheel", .mass = 1, .inertia = { 1, 1, 1 } });
    *tyre = bi_add_tyre_magic(model, def);
    bi_report report = { 0 };
    bi_system *system = bi_compile(model, &(bi_options){ 0 }, &report);
    if (!system) {
        fail_msg("%s", report.count > 0 ? report.issue[0].what : "no system");
    }
    bi_report_clear(&report);
    bi_model_destroy(model);
    return system;
}

#endif
