// SPDX-License-Identifier: MIT
// Points and vectors with names, of the model and of single elements.
#include "base/list.h"
#include "base/text.h"
#include "math/vec3.h"
#include "model/model.h"
#include <stdlib.h>
#include <string.h>

void bi_add_point(bi_model *m, const char *name, bi_point point)
{
    if (!MODEL_ROOM(m, name, named)) {
        return;
    }
    m->named[m->n_named++] = (model_named){ text_copy(name), false, point.body, point.at, m->place };
}

void bi_add_vector(bi_model *m, const char *name, bi_vector vector)
{
    if (!MODEL_ROOM(m, name, named)) {
        return;
    }
    m->named[m->n_named++] = (model_named){ text_copy(name), true, vector.body, vector.along, m->place };
}

int model_find_named(const bi_model *m, const char *name)
{
    for (int k = 0; k < m->n_named; k++) {
        if (strcmp(m->named[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

bool bi_model_point(const bi_model *m, const char *name, bi_point *out)
{
    int k = m && name ? model_find_named(m, name) : -1;
    if (k < 0 || m->named[k].is_vector) {
        return false;
    }
    if (out) {
        *out = (bi_point){ m->named[k].body, m->named[k].at };
    }
    return true;
}

bool bi_model_vector(const bi_model *m, const char *name, bi_vector *out)
{
    int k = m && name ? model_find_named(m, name) : -1;
    if (k < 0 || !m->named[k].is_vector) {
        return false;
    }
    if (out) {
        *out = (bi_vector){ m->named[k].body, m->named[k].at };
    }
    return true;
}

// ---- in expressions ------------------------------------------------------------------------------------------------

static bool is_same(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

// The element's own points and vectors come before those of the model.
static bool find_own(const model_element *e, const char *name, size_t length, model_place *out)
{
    for (int f = 0; f < e->kind->n_field; f++) {
        const bi_field *field = &e->kind->field[f];
        bi_points points = { 0 };
        bi_vectors vectors = { 0 };
        if (field->type == BI_FIELD_POINTS) {
            memcpy(&points, model_field(e, field), sizeof points);
        } else if (field->type == BI_FIELD_VECTORS) {
            memcpy(&vectors, model_field(e, field), sizeof vectors);
        }
        for (int k = 0; k < points.count; k++) {
            if (is_same(points.item[k].name, name, length)) {
                *out = (model_place){ false, points.item[k].point.body, points.item[k].point.at, 0 };
                return true;
            }
        }
        for (int k = 0; k < vectors.count; k++) {
            if (is_same(vectors.item[k].name, name, length)) {
                bi_vector v = vectors.item[k].vector;
                *out = (model_place){ true, v.body, vec3_normalized(v.along), 0 };
                return true;
            }
        }
    }
    return false;
}

bool model_resolve_place(const bi_model *m, int element, const char *name, model_place *out)
{
    const char *dot = strrchr(name, '.');
    if (!dot || strlen(dot) != 2 || dot[1] < 'x' || dot[1] > 'z') {
        return false;
    }
    size_t length = (size_t)(dot - name);
    bool found = element >= 0 && find_own(&m->element[element], name, length, out);
    for (int k = 0; k < m->n_named && !found; k++) {
        const model_named *n = &m->named[k];
        if (is_same(n->name, name, length)) {
            *out = (model_place){ n->is_vector, n->body, n->is_vector ? vec3_normalized(n->at) : n->at, 0 };
            found = true;
        }
    }
    out->component = dot[1] - 'x';
    return found;
}
