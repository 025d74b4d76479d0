// SPDX-License-Identifier: MIT
// Parameters, numbers and expressions of a model.
#include "base/list.h"
#include "base/text.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int parameter_index(const bi_model *m, const char *name)
{
    // from the back: loop indices are the newest
    for (int k = m->n_parameter - 1; k >= 0; k--) {
        const char *own = m->parameter[k].name;
        if (own[0] == name[0] && strcmp(own, name) == 0) {
            return k;
        }
    }
    return -1;
}

static expr_name lookup_quietly(void *ctx, const char *name);

// As the unit is read in an expression, where parameters come before units that have names like them.
static bool find_dimension(const bi_model *m, const char *unit, dimension *dim)
{
    char one[100];
    if (strcmp(unit, "1") == 0) {
        *dim = (dimension){ 0 };
        return true;
    }
    if (snprintf(one, sizeof one, "1 %s", unit) >= (int)sizeof one) {
        return false;
    }
    expr_number number;
    if (!expr_parse_number(one, lookup_quietly, NULL, (void *)m, &number, NULL) || !number.has_dimension) {
        return false;
    }
    *dim = number.dim;
    return true;
}

void bi_model_parameter(bi_model *m, const char *name, double value, const char *unit)
{
    if (!m || !name) {
        model_misused(m, __func__);
        return;
    }
    int k = parameter_index(m, name);
    if (k < 0) {
        if (!LIST_RESERVE(m->parameter, m->n_parameter, m->cap_parameter)) {
            m->no_memory = true;
            return;
        }
        k = m->n_parameter++;
        m->parameter[k] = (model_parameter){ .name = text_copy(name) };
    }
    model_parameter *p = &m->parameter[k];
    p->value = value;
    p->has_dimension = unit && find_dimension(m, unit, &p->dim);
    free(p->unit);
    p->unit = text_copy(unit);
}

void bi_model_forget(bi_model *m, const char *name)
{
    int k = m && name ? parameter_index(m, name) : -1;
    if (k >= 0) {
        free(m->parameter[k].name);
        free(m->parameter[k].unit);
        m->n_parameter--;
        memmove(&m->parameter[k], &m->parameter[k + 1], (size_t)(m->n_parameter - k) * sizeof *m->parameter);
    }
}

int bi_model_parameter_count(const bi_model *m) { return m ? m->n_parameter : 0; }

bool bi_model_parameter_at(const bi_model *m, int k, const char **name, double *value, const char **unit)
{
    if (!m || k < 0 || k >= m->n_parameter) {
        return false;
    }
    const model_parameter *p = &m->parameter[k];
    if (name) {
        *name = p->name;
    }
    if (value) {
        *value = p->value;
    }
    if (unit) {
        *unit = p->unit;
    }
    return true;
}

// Of a unit only its dimension counts, which no value of a parameter changes: nobody hears of it.
static expr_name lookup_quietly(void *ctx, const char *name)
{
    const bi_model *m = ctx;
    int k = parameter_index(m, name);
    if (k < 0) {
        return (expr_name){ .kind = EXPR_NAME_UNKNOWN };
    }
    const model_parameter *p = &m->parameter[k];
    return (expr_name){ EXPR_NAME_CONSTANT, p->value, p->has_dimension, p->dim, true };
}

// names known now are constants
static expr_name lookup_constant(void *ctx, const char *name)
{
    const bi_model *m = ctx;
    expr_name found = lookup_quietly(ctx, name);
    if (m->reads && found.kind == EXPR_NAME_CONSTANT) {
        m->reads(m->reads_context, name);
    }
    return found;
}

static expr_callee find_callee(void *ctx, const char *name)
{
    const model_curve *c = model_callee_of(ctx, name);
    return c ? (expr_callee){ c->code, c->surface, true } : (expr_callee){ 0 };
}

// names not known now are resolved when the model is checked
static expr_name lookup_any(void *ctx, const char *name)
{
    const bi_model *m = ctx;
    expr_name found = lookup_constant(ctx, name);
    if (found.kind == EXPR_NAME_UNKNOWN) {
        char full[160];
        snprintf(full, sizeof full, "%s%s", m->prefix ? m->prefix : "", name);
        found.kind = EXPR_NAME_VARIABLE;
        found.is_known = unit_late(name, strlen(name)) >= 0 && model_resolve(m, full).kind != MODEL_NAME_NONE;
    }
    return found;
}

// The unit an expression has against the one expected; false with a message.
static bool dimension_fits(const bi_model *m, const dimension *have, const char *unit, char *what,
                           size_t size)
{
    dimension want;
    if (!unit || !find_dimension(m, unit, &want) || dimension_equal(*have, want)) {
        return true;
    }
    char text[DIMENSION_TEXT_SIZE];
    snprintf(what, size, "has the unit %s where %s is expected", dimension_text(*have, text, sizeof text),
             strcmp(unit, "1") == 0 ? "a number without unit" : unit);
    return false;
}

// Of a number alone with an unknown unit it is known what the unit has to be of.
static void advise_unit(const bi_model *m, const char *text, const char *unit, expr_error *error)
{
    dimension want;
    size_t number = strspn(text, " +-.0123456789eE"), column = (size_t)error->column;
    bool is_alone =
        error->unit_length > 0 && number >= column && strlen(text) == column + (size_t)error->unit_length;
    if (!is_alone || !unit || !find_dimension(m, unit, &want)) {
        return;
    }
    char advice[100];
    const char *word = text + column;
    int length = error->unit_length < 40 ? error->unit_length : 40;
    unit_advise(word, (size_t)error->unit_length, &want, advice, sizeof advice);
    snprintf(error->what, sizeof error->what, "unknown unit '%.*s'%s", length, word, advice);
}

// "nan", "-.inf", "Infinity": what others write for numbers that are none, unless a parameter is called so.
static bool is_no_number(const bi_model *m, const char *text)
{
    static const char *const words[] = { "nan", "inf", "infinity" };
    const char *word = text + (*text == '-' || *text == '+');
    word += *word == '.';
    for (size_t k = 0; strchr("nNiI", *word) && k < sizeof words / sizeof *words; k++) {
        if (strcasecmp(word, words[k]) == 0) {
            return parameter_index(m, word) < 0;
        }
    }
    return false;
}

bool bi_model_number(const bi_model *m, const char *text, const char *unit, const char *where, double *value,
                     bi_report *report)
{
    if (!m || !text) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, where, "needs a model and a text");
        return false;
    }
    expr_error error;
    bi_place place = m->place;
    if (is_no_number(m, text)) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, place, where, "'%s' is not a finite number; give one",
                      text);
        return false;
    }
    expr_number number;
    if (!expr_parse_number(text, lookup_constant, find_callee, (void *)m, &number, &error)) {
        advise_unit(m, text, unit, &error);
        place.column += place.line > 0 ? error.column : 0;
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, place, where, "%s", error.what);
        return false;
    }
    char what[160] = "";
    bool fits = !number.has_dimension || dimension_fits(m, &number.dim, unit, what, sizeof what);
    if (fits && !isfinite(number.value)) {
        snprintf(what, sizeof what, "is not a finite number; give one");
    }
    if (what[0] != '\0') {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, place, where, "'%s' %s", text, what);
        return false;
    }
    if (value) {
        *value = number.value;
    }
    return true;
}

void bi_model_prefix(bi_model *m, const char *prefix)
{
    if (!m) {
        return;
    }
    free(m->prefix);
    m->prefix = prefix && prefix[0] ? text_copy(prefix) : NULL;
}

bi_expr bi_expression(bi_model *m, const char *text, const char *unit)
{
    if (!MODEL_ROOM(m, text, expr)) {
        return (bi_expr){ 0 };
    }
    model_expr *e = &m->expr[m->n_expr++];
    *e = (model_expr){ .text = text_copy(text), .unit = text_copy(unit), .place = m->place };
    e->code = expr_parse_calls(text, lookup_any, find_callee, m, &e->error);
    if (!e->code) {
        advise_unit(m, text, unit, &e->error);
    }
    if (e->code && expr_late_units(e->code) != 0) {
        e->prefix = text_copy(m->prefix ? m->prefix : "");
    }
    if (e->code && m->prefix && !expr_prefix_variables(e->code, m->prefix)) {
        m->no_memory = true;
    }
    dimension have;
    if (e->code && expr_dimension(e->code, &have) &&
        !dimension_fits(m, &have, unit, e->error.what, sizeof e->error.what)) {
        expr_destroy(e->code);
        e->code = NULL;
        e->error.column = 0;
    }
    return (bi_expr){ m->n_expr };
}

bi_expr bi_constant(bi_model *m, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return bi_expression(m, text, NULL);
}

model_name model_resolve(const bi_model *m, const char *name)
{
    if (strcmp(name, "t") == 0) {
        return (model_name){ .kind = MODEL_NAME_TIME };
    }
    bi_input input = bi_model_input(m, name);
    if (input.i > 0) {
        return (model_name){ .kind = MODEL_NAME_INPUT, .index = input.i - 1 };
    }

    bi_element signal = strchr(name, '.') ? (bi_element){ 0 } : bi_model_element(m, name);
    if (signal.i > 0 && model_is_signal(&m->element[signal.i - 1])) {
        return (model_name){ .kind = MODEL_NAME_SIGNAL, .index = signal.i - 1 };
    }

    // JOINT.angle, JOINT.position, JOINT.rate (of the first coordinate), JOINT.angle_rate, JOINT.position_rate
    const char *dot = strrchr(name, '.');
    char joint[128];
    if (!dot || (size_t)(dot - name) >= sizeof joint) {
        return (model_name){ 0 };
    }
    memcpy(joint, name, (size_t)(dot - name));
    joint[dot - name] = '\0';
    int j = bi_model_joint(m, joint).i - 1;
    for (int c = 0; j >= 0 && c < model_coordinate_count(m->joint[j].def.kind); c++) {
        const char *own = model_coordinate_name(m->joint[j].def.kind, c);
        size_t length = strlen(own);
        if (strcmp(dot + 1, own) == 0) {
            return (model_name){ MODEL_NAME_VALUE, j, c };
        }
        if ((c == 0 && strcmp(dot + 1, "rate") == 0) ||
            (strncmp(dot + 1, own, length) == 0 && strcmp(dot + 1 + length, "_rate") == 0)) {
            return (model_name){ MODEL_NAME_RATE, j, c };
        }
    }
    return (model_name){ 0 };
}
