// SPDX-License-Identifier: MIT
// Mistakes of expressions that show when all names of the model are known.
#include "model/model.h"
#include <stdio.h>
#include <string.h>

// The element that the expression belongs to explains its names itself.
static bool has_own_names(const bi_model *m, int expression)
{
    if (m->expr[expression].is_of_graph) {
        return true;
    }
    for (int k = 0; k < m->n_element; k++) {
        const bi_kind *kind = m->element[k].kind;
        for (int f = 0; f < kind->n_field; f++) {
            bi_expr code = { 0 };
            if (kind->field[f].rules & BI_OWN_NAMES) {
                memcpy(&code, model_field(&m->element[k], &kind->field[f]), sizeof code);
            }
            if (code.i - 1 == expression) {
                return true;
            }
        }
    }
    return false;
}

// A word that was read as a unit and is also a name of the model could mean either.
static void check_units(const bi_model *m, const model_expr *e, bi_report *report)
{
    const char *word;
    for (int k = 0; e->prefix && (word = unit_late_name(k)) != NULL; k++) {
        char name[160];
        snprintf(name, sizeof name, "%s%s", e->prefix, word);
        if ((expr_late_units(e->code) >> k & 1u) && model_resolve(m, name).kind != MODEL_NAME_NONE) {
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, e->place, "expression",
                          "'%s': '%s' is a unit here, and the model has an input or signal of that name: for "
                          "a product write '*', "
                          "or give the other another name",
                          e->text, word);
        }
    }
}

void model_check_expressions(const bi_model *m, bi_report *report)
{
    for (int k = 0; k < m->n_expr; k++) {
        const model_expr *e = &m->expr[k];
        bi_place place = e->place;
        if (!e->code) {
            place.column += place.line > 0 ? e->error.column : 0;
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, place, "expression", "'%s': %s", e->text,
                          e->error.what);
            continue;
        }
        check_units(m, e, report);
        if (expr_variable_count(e->code) > MODEL_MAX_VARIABLES) {
            bi_report_add(
                report, BI_ERROR, BI_BAD_MODEL, place, "expression",
                "'%.40s...' reads %d names; at most %d are possible: give parts of it names as signals",
                e->text, expr_variable_count(e->code), MODEL_MAX_VARIABLES);
        }
        for (int v = 0; v < expr_variable_count(e->code) && !has_own_names(m, k); v++) {
            const char *name = expr_variable_name(e->code, v);
            model_place read;
            if (e->scope > 0 && model_resolve_place(m, e->scope - 1, name, &read)) {
                continue;
            }
            if (model_resolve(m, name).kind == MODEL_NAME_NONE) {
                place = e->place;
                place.column += place.line > 0 ? expr_variable_column(e->code, v) : 0;
                bi_report_add(report, BI_ERROR, BI_BAD_MODEL, place, "expression",
                              "'%s': unknown name '%s'; known are t, parameters, inputs, signals, "
                              "JOINT.angle, JOINT.position and JOINT.rate%s",
                              e->text, name, e->scope > 0 ? ", and POINT.x, POINT.y, POINT.z" : "");
            }
        }
    }
}
