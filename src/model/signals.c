// SPDX-License-Identifier: MIT
// Tables and signals of a model: adding, finding, and the mistakes that can be seen without compiling.
#include "base/hash.h"
#include "base/list.h"
#include "base/text.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bi_curve bi_add_curve(bi_model *m, const bi_curve_def *def)
{
    if (!MODEL_ROOM(m, def, curve)) {
        return (bi_curve){ 0 };
    }
    static const table_interpolation how[] = { TABLE_CUBIC, TABLE_LINEAR, TABLE_MONOTONE, TABLE_STEP };
    static const table_outside outside[] = { TABLE_CLAMP, TABLE_EXTRAPOLATE, TABLE_PERIODIC, TABLE_ERROR };
    model_curve *c = &m->curve[m->n_curve++];
    *c = (model_curve){ .name = text_copy(def->name ? def->name : ""), .place = m->place };
    bool has_points = def->n_point > 0 && def->x && def->y;
    bool is_known =
        (unsigned)def->interpolation <= (unsigned)BI_STEPPED && (unsigned)def->outside <= (unsigned)BI_REFUSE;
    c->mistake = !is_known    ? "has no such interpolation or rule outside"
                 : has_points ? table_mistake(def->x, def->y, def->n_point, outside[def->outside])
                              : "needs at least two points";
    if (!c->mistake) {
        const int rules[2] = { (int)def->interpolation, (int)def->outside };
        c->hash = hash_bytes(hash_seed, rules, sizeof rules);
        c->hash = hash_bytes(c->hash, def->x, (size_t)def->n_point * sizeof *def->x);
        c->hash = hash_bytes(c->hash, def->y, (size_t)def->n_point * sizeof *def->y);
        c->code = table_create(def->x, def->y, def->n_point, how[def->interpolation], outside[def->outside]);
        m->no_memory |= !c->code;
    }
    return (bi_curve){ m->n_curve };
}

// What is wrong with the grid of a map; NULL: nothing, and it is made.
static const char *make_map(bi_model *m, model_curve *c, const bi_map_def *def)
{
    static const table_interpolation how[] = { TABLE_CUBIC, TABLE_LINEAR, TABLE_MONOTONE, TABLE_STEP };
    static const table_outside outside[] = { TABLE_CLAMP, TABLE_EXTRAPOLATE, TABLE_PERIODIC, TABLE_ERROR };
    if ((unsigned)def->interpolation > (unsigned)BI_STEPPED || (unsigned)def->outside > (unsigned)BI_REFUSE) {
        return "has no such interpolation or rule outside";
    }
    enum { MOST_CELLS = 100 * 1000 * 1000 };
    if ((int64_t)def->n_x * def->n_y > MOST_CELLS) {
        return "has more numbers than a table may have";
    }
    bool has_grid = def->n_x > 0 && def->n_y > 0 && def->x && def->y && def->value;
    const char *mistake = !has_grid ? "needs at least two numbers in x and two in y"
                                    : chart_mistake(def->x, def->n_x, def->y, def->n_y, def->value,
                                                    how[def->interpolation], outside[def->outside]);
    if (mistake) {
        return mistake;
    }
    const int rules[4] = { (int)def->interpolation, (int)def->outside, def->n_x, def->n_y };
    size_t count = (size_t)def->n_x * (size_t)def->n_y;
    c->hash = hash_bytes(hash_seed, rules, sizeof rules);
    c->hash = hash_bytes(c->hash, def->x, (size_t)def->n_x * sizeof *def->x);
    c->hash = hash_bytes(c->hash, def->y, (size_t)def->n_y * sizeof *def->y);
    c->hash = hash_bytes(c->hash, def->value, count * sizeof *def->value);
    c->surface = chart_create(def->x, def->n_x, def->y, def->n_y, def->value, how[def->interpolation],
                              outside[def->outside]);
    m->no_memory |= !c->surface;
    return NULL;
}

bi_curve bi_add_map(bi_model *m, const bi_map_def *def)
{
    if (!MODEL_ROOM(m, def, curve)) {
        return (bi_curve){ 0 };
    }
    model_curve *c = &m->curve[m->n_curve++];
    *c = (model_curve){ .name = text_copy(def->name ? def->name : ""), .place = m->place };
    c->mistake = make_map(m, c, def);
    return (bi_curve){ m->n_curve };
}

void bi_model_call(bi_model *m, const char *name, bi_curve curve)
{
    if (!MODEL_ROOM(m, name, callee)) {
        return;
    }
    m->callee[m->n_callee++] = (model_callee){ text_copy(name), curve };
}

void bi_model_uncall(bi_model *m, int count)
{
    for (; m && count > 0 && m->n_callee > 0; count--) {
        free(m->callee[--m->n_callee].name);
    }
}

bi_curve bi_model_called(const bi_model *m, const char *name)
{
    const model_curve *c = m && name ? model_callee_of(m, name) : NULL;
    return (bi_curve){ c ? (int32_t)(c - m->curve) + 1 : 0 };
}

const model_curve *model_callee_of(const bi_model *m, const char *name)
{
    for (int k = m->n_callee - 1; k >= 0; k--) {
        const model_callee *c = &m->callee[k];
        if (c->name && strcmp(c->name, name) == 0) {
            return c->curve.i >= 1 && c->curve.i <= m->n_curve ? &m->curve[c->curve.i - 1] : NULL;
        }
    }
    char full[EXPR_MAX_NAME + 160];
    snprintf(full, sizeof full, "%.155s%s", m->prefix ? m->prefix : "", name);
    bi_curve found = bi_model_curve(m, full);
    return found.i > 0 ? &m->curve[found.i - 1] : NULL;
}

bi_curve bi_model_curve(const bi_model *m, const char *name)
{
    for (int k = 0; m && name && k < m->n_curve; k++) {
        if (name[0] != '\0' && strcmp(m->curve[k].name, name) == 0) {
            return (bi_curve){ k + 1 };
        }
    }
    return (bi_curve){ 0 };
}

const table *model_table(const bi_model *m, bi_curve curve)
{
    return curve.i >= 1 && curve.i <= m->n_curve ? m->curve[curve.i - 1].code : NULL;
}

bool model_is_signal(const model_element *e) { return strcmp(e->kind->section, "signals") == 0; }

int model_graph_read(const bi_model *m, int element)
{
    const model_element *e = &m->element[element];
    if (strcmp(e->kind->type, "effort") != 0 || !model_is_signal(e)) {
        return -1;
    }
    bi_effort_signal_def def;
    memcpy(&def, e->def, sizeof def);
    int of = def.of ? bi_model_element(m, def.of).i - 1 : -1;
    bool is_graph = of >= 0 && strcmp(m->element[of].kind->section, "graphs") == 0;
    return is_graph && !def.late && def.time == 0.0 ? of : -1;
}

// ---- what signals read, and circles ------------------------------------------------------------------------------------

static bool reads_joint(const bi_model *m, bi_expr e, bool *seen)
{
    const expr *code = e.i >= 1 && e.i <= m->n_expr ? m->expr[e.i - 1].code : NULL;
    for (int v = 0; code && v < expr_variable_count(code); v++) {
        model_name name = model_resolve(m, expr_variable_name(code, v));
        if (name.kind == MODEL_NAME_VALUE || name.kind == MODEL_NAME_RATE) {
            return true;
        }
        if (name.kind != MODEL_NAME_SIGNAL || seen[name.index]) {
            continue;
        }
        seen[name.index] = true;
        if (model_graph_read(m, name.index) >= 0) {
            return true; // it moves with the graph inside a step
        }
        const model_element *signal = &m->element[name.index];
        for (int f = 0; f < signal->kind->n_field; f++) {
            bi_expr inner = { 0 };
            if (signal->kind->field[f].type == BI_FIELD_EXPR &&
                !(signal->kind->field[f].rules & BI_AFTER_STEP)) {
                memcpy(&inner, model_field(signal, &signal->kind->field[f]), sizeof inner);
            }
            if (reads_joint(m, inner, seen)) {
                return true;
            }
        }
    }
    return false;
}

bool model_reads_joint(const bi_model *m, bi_expr e)
{
    bool *seen = calloc((size_t)m->n_element + 1, sizeof *seen);
    bool answer = seen && reads_joint(m, e, seen);
    free(seen);
    return answer;
}

typedef enum { UNSEEN, OPEN, DONE } visit;
typedef struct {
    const bi_model *m;
    bi_report *report;
    visit *state; // (n_element)
    int *chain;   // (n_element) open signals, each needed by the one before
    int n_chain;
} search;

static void tell_circle(search *s, int first)
{
    char text[400] = "";
    size_t used = 0;
    int k = 0;
    while (s->chain[k] != first) {
        k++;
    }
    for (; k < s->n_chain && used < sizeof text; k++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%.40s -> ", s->m->element[s->chain[k]].name);
    }
    const model_element *e = &s->m->element[first];
    char where[160];
    snprintf(where, sizeof where, "signals.%.120s", e->name);
    bi_report_add(
        s->report, BI_ERROR, BI_BAD_MODEL, e->place, where,
        "the signals need each other in a circle: %s%.40s; break it with a value that does not read the "
        "others",
        text, e->name);
}

static void follow(search *s, int element);

static void follow_expression(search *s, int32_t id)
{
    const expr *code = id >= 1 && id <= s->m->n_expr ? s->m->expr[id - 1].code : NULL;
    for (int v = 0; code && v < expr_variable_count(code); v++) {
        model_name name = model_resolve(s->m, expr_variable_name(code, v));
        if (name.kind == MODEL_NAME_SIGNAL) {
            follow(s, name.index);
        }
    }
}

static void follow(search *s, int element)
{
    // each open signal takes some of the machine's stack
    enum { DEEPEST = 1000 };
    const model_element *e = &s->m->element[element];
    if (s->state[element] == OPEN) {
        tell_circle(s, element);
    }
    if (s->state[element] == UNSEEN && s->n_chain == DEEPEST) {
        bi_report_add(s->report, BI_ERROR, BI_BAD_MODEL, e->place, "signals",
                      "more than %d signals need each other in a row: join some of them", DEEPEST);
        s->state[element] = DONE;
    }
    if (s->state[element] != UNSEEN) {
        return;
    }
    s->state[element] = OPEN;
    s->chain[s->n_chain++] = element;
    for (int f = 0; f < e->kind->n_field; f++) {
        if (e->kind->field[f].type == BI_FIELD_EXPR) {
            bi_expr id;
            memcpy(&id, model_field(e, &e->kind->field[f]), sizeof id);
            follow_expression(s, id.i);
        }
    }
    s->n_chain--;
    s->state[element] = DONE;
}

static void check_circles(const bi_model *m, bi_report *report)
{
    search s = { .m = m, .report = report };
    s.state = calloc((size_t)m->n_element + 1, sizeof *s.state);
    s.chain = malloc(((size_t)m->n_element + 1) * sizeof *s.chain);
    for (int k = 0; s.state && s.chain && k < m->n_element; k++) {
        if (model_is_signal(&m->element[k])) {
            follow(&s, k);
        }
    }
    free(s.state);
    free(s.chain);
}

// ---- names and points ----------------------------------------------------------------------------------------

void model_check_signals(const bi_model *m, bi_report *report)
{
    char where[160];
    for (int k = 0; k < m->n_curve; k++) {
        const model_curve *c = &m->curve[k];
        snprintf(where, sizeof where, "tables%s%.120s", c->name[0] ? "." : "", c->name);
        if (c->mistake) {
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, c->place, where, "%s", c->mistake);
        }
    }
    for (int k = 0; k < m->n_element; k++) {
        const model_element *e = &m->element[k];
        if (model_is_signal(e) && (bi_model_input(m, e->name).i > 0 || strcmp(e->name, "t") == 0)) {
            snprintf(where, sizeof where, "signals.%.120s", e->name);
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, e->place, where,
                          "is also the name of an input or of the time: choose another");
        }
    }
    check_circles(m, report);
}
