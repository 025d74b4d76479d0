// SPDX-License-Identifier: MIT
// The description: bodies, joints, elements, options; made, looked up, freed.
#include "model/model.h"
#include "base/list.h"
#include "base/text.h"
#include <biela/flex.h>
#include <stdlib.h>
#include <string.h>

bi_model *bi_model_create(const char *name)
{
    bi_model *m = calloc(1, sizeof *m);
    if (!m) {
        return NULL;
    }
    m->name = text_copy(name ? name : "model");
    m->gravity = (bi_vec3){ 0.0, 0.0, -9.80665 };
    bi_add_body(m, &(bi_body_def){ .name = "ground" });
    if (!m->name || m->no_memory) {
        bi_model_destroy(m);
        return NULL;
    }
    return m;
}

void model_hold(const bi_model *m) { ((bi_model *)m)->holders++; }

// ---- what the items of lists own -----------------------------------------------------------------------------------

void model_body_release(model_body *b)
{
    free((void *)b->def.name);
    model_modes_free(b->def.flex);
    bi_flex_destroy(b->flex);
    for (int i = 0; i < 4; i++) {
        free((void *)b->def.basis[i]);
    }
}

void model_joint_release(model_joint *j)
{
    free((void *)j->def.name);
    free((void *)j->def.angles);
}

void model_element_release(model_element *e)
{
    free((void *)e->name);
    model_fields_free(e->kind, e->def);
    free(e->def);
    free(e->samples.t);
}

void model_imposed_release(model_imposed *i)
{
    free((void *)i->def.name);
    free((void *)i->def.coordinate);
}

void model_output_release(model_output *o)
{
    free((void *)o->def.name);
    free((void *)o->def.only);
    free((void *)o->def.bodies);
    free((void *)o->def.minus);
    bi_recovery_destroy((bi_recovery *)o->def.recovery);
}

void model_event_release(model_event *e)
{
    free((void *)e->def.name);
    free((void *)e->def.channel);
    free((void *)e->def.remedy);
}

void model_expr_release(model_expr *e)
{
    free(e->text);
    free(e->unit);
    free(e->prefix);
    expr_destroy(e->code);
}

void model_input_release(model_input *i)
{
    free(i->name);
    free(i->line.t);
    free(i->unit);
    free(i->help);
}

#define FREE_ITEMS(list)                                                                                     \
    for (int k = 0; k < m->n_##list; k++) {                                                                  \
        model_##list##_release(&m->list[k]);                                                                 \
    }                                                                                                        \
    free(m->list);

static void free_described(bi_model *m) { MODEL_REOPENED(FREE_ITEMS) }

static void free_values(bi_model *m)
{
    for (int k = 0; k < m->n_parameter; k++) {
        free(m->parameter[k].name);
        free(m->parameter[k].unit);
    }
    for (int k = 0; k < m->n_curve; k++) {
        free(m->curve[k].name);
        table_destroy(m->curve[k].code);
        chart_destroy(m->curve[k].surface);
    }
    for (int k = 0; k < m->n_independent; k++) {
        free(m->independent[k].name);
    }
    free(m->parameter);
    free(m->curve);
    free(m->independent);
    bi_model_uncall(m, m->n_callee);
    free(m->callee);
}

static void free_names(bi_model *m)
{
    for (int k = 0; k < m->n_file; k++) {
        free(m->file[k]);
    }
    for (int k = 0; k < m->n_named; k++) {
        free(m->named[k].name);
    }
    free(m->file);
    free(m->named);
    free(m->prefix);
    free(m->name);
}

bool bi_model_keep(bi_model *m, void *data, void (*release)(void *data))
{
    bool is_kept = m && release && !m->again && LIST_RESERVE(m->kept, m->n_kept, m->cap_kept);
    if (is_kept) {
        m->kept[m->n_kept].data = data;
        m->kept[m->n_kept++].release = release;
    } else if (release) {
        release(data);
    }
    return is_kept;
}

static void free_kept(bi_model *m)
{
    for (int k = 0; k < m->n_kept; k++) {
        m->kept[k].release(m->kept[k].data);
    }
    free(m->kept);
}

void bi_model_destroy(bi_model *m)
{
    if (!m || m->holders-- > 0) {
        return;
    }
    (void)bi_model_shut(m);
    free_described(m);
    free_values(m);
    model_shapes_free(m);
    model_patches_free(m);
    model_struts_free(m);
    free_names(m);
    free_kept(m);
    free(m);
}

const char *bi_model_name(const bi_model *m) { return m ? m->name : NULL; }

bool model_misused(bi_model *m, const char *function)
{
    if (m && !m->misused) {
        m->misused = function;
    }
    return false;
}

bool model_lacks_memory(bi_model *m)
{
    m->no_memory = true;
    return false;
}

bi_place model_own_place(bi_model *m, bi_place place)
{
    const char *file = place.file;
    // most come from the file of the one before
    if (file && m->place.file && strcmp(m->place.file, file) == 0) {
        place.file = m->place.file;
        return place;
    }
    place.file = NULL;
    for (int k = m->n_file - 1; file && k >= 0 && !place.file; k--) {
        place.file = strcmp(m->file[k], file) == 0 ? m->file[k] : NULL;
    }
    char *own = file && !place.file ? text_copy(file) : NULL;
    if (own && LIST_RESERVE(m->file, m->n_file, m->cap_file)) {
        place.file = m->file[m->n_file++] = own;
    } else {
        free(own);
    }
    return place;
}

void bi_model_place(bi_model *m, bi_place place)
{
    if (m) {
        m->place = model_own_place(m, place);
    }
}

void bi_model_gravity(bi_model *m, bi_vec3 g)
{
    if (m) {
        m->gravity = g;
    }
}

static void *copy_array(const void *from, size_t size)
{
    void *to = from && size > 0 ? malloc(size) : NULL;
    return to ? memcpy(to, from, size) : NULL;
}

bi_body bi_add_body(bi_model *m, const bi_body_def *def)
{
    if (!MODEL_ROOM(m, def, body)) {
        return (bi_body){ 0 };
    }
    model_body *b = &m->body[m->n_body++];
    *b = (model_body){ .def = *def, .place = m->place };
    b->def.name = text_copy(def->name ? def->name : "");
    b->def.flex = model_modes_copy(def->flex);
    for (int i = 0; i < 4; i++) {
        b->def.basis[i] = text_copy(def->basis[i]);
    }
    return (bi_body){ m->n_body };
}

void bi_body_keep(bi_model *m, bi_body body, bi_flex *flex)
{
    if (m && body.i >= 1 && body.i <= m->n_body) {
        bi_flex_destroy(m->body[body.i - 1].flex);
        m->body[body.i - 1].flex = flex;
    } else {
        bi_flex_destroy(flex);
    }
}

const bi_flex *bi_model_flex(const bi_model *m, bi_body body)
{
    return m && body.i >= 1 && body.i <= m->n_body ? m->body[body.i - 1].flex : NULL;
}

bi_joint bi_add_joint(bi_model *m, const bi_joint_def *def)
{
    if (!MODEL_ROOM(m, def, joint)) {
        return (bi_joint){ 0 };
    }
    model_joint *j = &m->joint[m->n_joint++];
    *j = (model_joint){ .def = *def, .place = m->place };
    j->def.name = text_copy(def->name ? def->name : "");
    j->def.angles = text_copy(def->angles);
    if (def->kind == BI_REVOLUTE && def->clearance > 0.0) {
        j->def.kind = BI_PLANAR;
    }
    return (bi_joint){ m->n_joint };
}

bi_element bi_add(bi_model *m, const bi_kind *kind, const void *definition)
{
    if (!m || !kind || !definition) {
        model_misused(m, __func__);
        return (bi_element){ 0 };
    }
    void *def = copy_array(definition, kind->size);
    bool is_copied = def && model_fields_copy(m, kind, def);
    m->no_memory = m->no_memory || !is_copied;
    if (!is_copied || !MODEL_ROOM(m, definition, element)) {
        model_fields_free(kind, def);
        free(def);
        return (bi_element){ 0 };
    }
    const char *name;
    memcpy(&name, definition, sizeof name);
    name = text_copy(name ? name : "");
    memcpy(def, &name, sizeof name);
    m->element[m->n_element++] = (model_element){ .kind = kind, .def = def, .name = name, .place = m->place };
    model_fields_scope(m, m->n_element);
    model_shapes_touch(m, kind, def);
    // an action is an input of the same name
    if (strcmp(kind->section, "actions") == 0) {
        bi_add_input(m, name, 0.0);
    }
    return (bi_element){ m->n_element };
}

void bi_element_active(bi_model *m, bi_element element, bi_expr condition)
{
    if (m && element.i >= 1 && element.i <= m->n_element) {
        m->element[element.i - 1].active = condition;
    }
}

// Stands where an element was taken out, so that the numbers of the others stay; no law has this kind.
static const bi_kind nothing = { "removed", "nothing", sizeof(const char *), NULL, 0, "was taken out" };

bool model_has_element(const bi_model *m, bi_element e)
{
    return e.i >= 1 && e.i <= m->n_element && m->element[e.i - 1].kind != &nothing;
}

bool bi_remove(bi_model *m, bi_element element)
{
    if (!m || m->holders > 0 || !model_has_element(m, element)) {
        return false;
    }
    model_element *e = &m->element[element.i - 1];
    char *name = text_format("(removed %d)", element.i);
    void *def = name ? copy_array(&name, sizeof name) : NULL;
    if (!def) {
        free(name);
        m->no_memory = true;
        return false;
    }
    // what only this element explains is not read any more
    for (int k = 0; k < e->kind->n_field; k++) {
        const bi_field *f = &e->kind->field[k];
        bi_expr code = { 0 };
        if (f->type == BI_FIELD_EXPR && (f->rules & (BI_OWN_NAMES | BI_OF_POINTS))) {
            memcpy(&code, model_field(e, f), sizeof code);
        }
        if (code.i >= 1 && code.i <= m->n_expr) {
            m->expr[code.i - 1].is_of_graph = true;
        }
    }
    free((void *)e->name);
    model_fields_free(e->kind, e->def);
    free(e->def);
    free(e->samples.t);
    *e = (model_element){ .kind = &nothing, .def = def, .name = name, .place = e->place };
    return true;
}

static const bi_body *copy_bodies(const bi_body *from, int count)
{
    size_t size = count > 0 && from ? (size_t)count * sizeof *from : 0;
    bi_body *to = size > 0 ? malloc(size) : NULL;
    return to ? memcpy(to, from, size) : NULL;
}

void bi_add_output(bi_model *m, const bi_output_def *def)
{
    if (!MODEL_ROOM(m, def, output)) {
        return;
    }
    model_output *o = &m->output[m->n_output++];
    *o = (model_output){ .def = *def, .place = m->place };
    o->def.name = text_copy(def->name ? def->name : "");
    o->def.only = def->only ? text_copy(def->only) : NULL;
    o->def.times = def->times != 0.0 ? def->times : 1.0;
    o->def.recovery = bi_recovery_copy(def->recovery);
    o->def.minus = def->minus ? text_copy(def->minus) : NULL;
    o->def.bodies = copy_bodies(def->bodies, def->n_body);
    o->def.n_body = o->def.bodies ? def->n_body : 0;
}

bi_input bi_add_input(bi_model *m, const char *name, double initial)
{
    if (!MODEL_ROOM(m, name, input)) {
        return (bi_input){ 0 };
    }
    m->input[m->n_input++] = (model_input){ .name = text_copy(name), .initial = initial, .place = m->place };
    return (bi_input){ m->n_input };
}

bi_body bi_model_body(const bi_model *m, const char *name)
{
    for (int k = 0; m && name && k < m->n_body; k++) {
        if (strcmp(m->body[k].def.name, name) == 0) {
            return (bi_body){ k + 1 };
        }
    }
    return (bi_body){ 0 };
}

bi_joint bi_model_joint(const bi_model *m, const char *name)
{
    for (int k = 0; m && name && k < m->n_joint; k++) {
        if (strcmp(m->joint[k].def.name, name) == 0) {
            return (bi_joint){ k + 1 };
        }
    }
    return (bi_joint){ 0 };
}

bi_element bi_model_element(const bi_model *m, const char *name)
{
    for (int k = 0; m && name && k < m->n_element; k++) {
        if (strcmp(m->element[k].name, name) == 0) {
            return (bi_element){ k + 1 };
        }
    }
    return (bi_element){ 0 };
}

bi_input bi_model_input(const bi_model *m, const char *name)
{
    for (int k = 0; m && name && k < m->n_input; k++) {
        if (strcmp(m->input[k].name, name) == 0) {
            return (bi_input){ k + 1 };
        }
    }
    return (bi_input){ 0 };
}

int bi_model_body_count(const bi_model *m) { return m ? m->n_body : 0; }

int bi_model_joint_count(const bi_model *m) { return m ? m->n_joint : 0; }

const char *bi_model_body_name(const bi_model *m, bi_body b)
{
    return m && b.i >= 1 && b.i <= m->n_body ? m->body[b.i - 1].def.name : NULL;
}

const char *bi_model_joint_name(const bi_model *m, bi_joint j)
{
    return m && j.i >= 1 && j.i <= m->n_joint ? m->joint[j.i - 1].def.name : NULL;
}

int bi_model_joint_coordinates(const bi_model *m, bi_joint j)
{
    return m && j.i >= 1 && j.i <= m->n_joint ? model_coordinate_count(m->joint[j.i - 1].def.kind) : 0;
}

const char *bi_model_joint_coordinate(const bi_model *m, bi_joint j, int k)
{
    int count = bi_model_joint_coordinates(m, j);
    return k >= 0 && k < count ? model_coordinate_name(m->joint[j.i - 1].def.kind, k) : NULL;
}

void bi_add_event(bi_model *m, const bi_event_def *def)
{
    if (!MODEL_ROOM(m, def, event)) {
        return;
    }
    model_event *e = &m->event[m->n_event++];
    *e = (model_event){ .def = *def, .place = m->place };
    e->def.name = text_copy(def->name ? def->name : "");
    e->def.channel = text_copy(def->channel ? def->channel : "");
    e->def.remedy = def->remedy ? text_copy(def->remedy) : NULL;
}

int bi_model_event_count(const bi_model *m) { return m ? m->n_event : 0; }

const char *bi_model_event_name(const bi_model *m, int k)
{
    return m && k >= 0 && k < m->n_event ? m->event[k].def.name : NULL;
}

int model_event_contact(const bi_model *m, int k)
{
    const char *channel = m->event[k].def.channel;
    for (int i = 0; i < m->n_output && m->event[k].def.expr.i == 0; i++) {
        const bi_output_def *d = &m->output[i].def;
        size_t length = strlen(d->name);
        if (d->kind == BI_OUT_CONTACT && strncmp(channel, d->name, length) == 0 && channel[length] == '.' &&
            !strchr(channel + length + 1, '.')) {
            return d->element.i - 1;
        }
    }
    return -1;
}

bool bi_model_stop_at(bi_model *m, const char *event)
{
    for (int k = 0; m && event && k < m->n_event; k++) {
        if (strcmp(m->event[k].def.name, event) == 0) {
            m->event[k].def.action = BI_EVENT_STOP;
            return true;
        }
    }
    return false;
}
