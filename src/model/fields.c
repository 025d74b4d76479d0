// SPDX-License-Identifier: MIT
// Fields of definitions that are more than one number: copies of their arrays, and their checks.
#include "base/hash.h"
#include "base/text.h"
#include "math/vec3.h"
#include "model/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *field_at(const bi_field *f, void *def) { return (char *)def + f->offset; }

// The count of a list that was given without items: nothing is copied, the check tells it.
enum { NO_ITEMS = -1 };

static bool copy_grid(void *at)
{
    bi_grid grid;
    memcpy(&grid, at, sizeof grid);
    size_t size =
        grid.rows > 0 && grid.columns > 0 ? (size_t)grid.rows * (size_t)grid.columns * sizeof *grid.value : 0;
    double *own = grid.value && size > 0 ? malloc(size) : NULL;
    bool ok = own || !grid.value || size == 0;
    grid.value = own ? memcpy(own, grid.value, size) : NULL;
    grid.rows = own ? grid.rows : grid.rows != 0 ? NO_ITEMS : 0;
    memcpy(at, &grid, sizeof grid);
    return ok;
}

// Lists of named points and of named vectors have one shape: count, items that begin with their name.
static bool copy_named(void *at, size_t item)
{
    bi_points list;
    memcpy(&list, at, sizeof list);
    size_t count = list.item && list.count > 0 ? (size_t)list.count : 0;
    char *own = count > 0 ? malloc(count * item) : NULL;
    bool ok = own || count == 0;
    if (own) {
        memcpy(own, list.item, count * item);
    }
    for (size_t k = 0; own && k < count; k++) {
        const char *name;
        memcpy(&name, own + k * item, sizeof name);
        name = text_copy(name ? name : "");
        memcpy(own + k * item, &name, sizeof name);
        ok = ok && name;
    }
    list = (bi_points){ own               ? list.count
                        : list.count != 0 ? NO_ITEMS
                                          : 0,
                        (const bi_named_point *)(void *)own };
    memcpy(at, &list, sizeof list);
    return ok;
}

static void free_named(void *at, size_t item)
{
    bi_points list;
    memcpy(&list, at, sizeof list);
    const char *own = (const char *)list.item;
    for (int k = 0; own && k < list.count; k++) {
        char *name;
        memcpy(&name, own + (size_t)k * item, sizeof name);
        free(name);
    }
    free((void *)list.item);
}

static bool copy_shapes(void *at)
{
    bi_shapes list;
    memcpy(&list, at, sizeof list);
    size_t count = list.item && list.count > 0 ? (size_t)list.count : 0;
    bi_shape *own = count > 0 ? malloc(count * sizeof *own) : NULL;
    list = (bi_shapes){ own               ? list.count
                        : list.count != 0 ? NO_ITEMS
                                          : 0,
                        own ? memcpy(own, list.item, count * sizeof *own) : NULL };
    memcpy(at, &list, sizeof list);
    return own || count == 0;
}

static bool copy_name(void *at)
{
    const char *name;
    memcpy(&name, at, sizeof name);
    name = text_copy(name ? name : "");
    memcpy(at, &name, sizeof name);
    return name != NULL;
}

static void free_name(void *at)
{
    char *name;
    memcpy(&name, at, sizeof name);
    free(name);
}

_Static_assert(sizeof(bi_points) == sizeof(bi_vectors), "lists of names have one shape");

bool model_fields_copy(bi_model *m, const bi_kind *kind, void *def)
{
    bool ok = true;
    for (int k = 0; k < kind->n_field; k++) {
        void *at = field_at(&kind->field[k], def);
        switch (kind->field[k].type) {
        case BI_FIELD_GRID: ok = copy_grid(at) && ok; break;
        case BI_FIELD_NAME: ok = copy_name(at) && ok; break;
        case BI_FIELD_POINTS: ok = copy_named(at, sizeof(bi_named_point)) && ok; break;
        case BI_FIELD_VECTORS: ok = copy_named(at, sizeof(bi_named_vector)) && ok; break;
        case BI_FIELD_SHAPES: ok = copy_shapes(at) && ok; break;
        case BI_FIELD_GRAPH: ok = model_graph_copy(m, at) && ok; break;
        default: break;
        }
    }
    return ok;
}

void model_fields_free(const bi_kind *kind, void *def)
{
    for (int k = 0; def && k < kind->n_field; k++) {
        void *at = field_at(&kind->field[k], def);
        bi_grid grid;
        bi_shapes shapes;
        switch (kind->field[k].type) {
        case BI_FIELD_GRID:
            memcpy(&grid, at, sizeof grid);
            free((void *)grid.value);
            break;
        case BI_FIELD_SHAPES:
            memcpy(&shapes, at, sizeof shapes);
            free((void *)shapes.item);
            break;
        case BI_FIELD_GRAPH: model_graph_free(at); break;
        case BI_FIELD_POINTS: free_named(at, sizeof(bi_named_point)); break;
        case BI_FIELD_VECTORS: free_named(at, sizeof(bi_named_vector)); break;
        case BI_FIELD_NAME: free_name(at); break;
        default: break;
        }
    }
}

void model_fields_scope(bi_model *m, int element_id)
{
    const model_element *e = &m->element[element_id - 1];
    for (int k = 0; k < e->kind->n_field; k++) {
        bi_expr code;
        if (e->kind->field[k].type == BI_FIELD_GRAPH) {
            model_graph_scope(m, model_field(e, &e->kind->field[k]));
        }
        if (e->kind->field[k].type == BI_FIELD_EXPR && (e->kind->field[k].rules & BI_OF_POINTS)) {
            memcpy(&code, model_field(e, &e->kind->field[k]), sizeof code);
            if (code.i >= 1 && code.i <= m->n_expr) {
                m->expr[code.i - 1].scope = element_id;
            }
        }
    }
}

// ---- checks -----------------------------------------------------------------------------------------------

static const char *coordinate_mistake(const bi_model *m, bi_joint_coordinate c)
{
    if (c.joint.i < 1 || c.joint.i > m->n_joint) {
        return "needs a joint of this model";
    }
    int count = model_coordinate_count(m->joint[c.joint.i - 1].def.kind);
    return count == 0                        ? "needs a joint that has a coordinate"
           : c.index < 0 || c.index >= count ? "needs a coordinate that this joint has"
                                             : NULL;
}

static const char *terms_mistake(const bi_model *m, const bi_term *term)
{
    int count = 0;
    for (int k = 0; k < BI_TERMS; k++) {
        if (term[k].coordinate.joint.i == 0) {
            continue;
        }
        const char *what = coordinate_mistake(m, term[k].coordinate);
        if (what) {
            return what;
        }
        if (!isfinite(term[k].coefficient) || term[k].coefficient == 0.0) {
            return "has a coefficient that is zero or not finite";
        }
        count++;
    }
    return count > 0 ? NULL : "needs a joint and its coefficient at least";
}

static const char no_items[] = "has a count without items, or one below zero";

static const char *grid_mistake(const bi_field *f, const bi_grid *grid)
{
    int columns = 1;
    for (const char *c = f->unit; c && *c; c++) {
        columns += *c == ',';
    }
    if (grid->rows < 0) {
        return no_items;
    }
    if (!grid->value || grid->rows < 1) {
        return f->rules & BI_REQUIRED ? "needs rows of numbers" : NULL;
    }
    if (grid->columns != columns) {
        return "has rows of the wrong length";
    }
    for (int k = 0; k < grid->rows * grid->columns; k++) {
        if (!isfinite(grid->value[k])) {
            return "has a number that is not finite";
        }
    }
    return NULL;
}

static const char *name_mistake(const bi_model *m, const bi_field *f, const void *at)
{
    const char *name;
    memcpy(&name, at, sizeof name);
    bool is_given = name && name[0];
    if (f->unit) {
        return NULL; // a channel: known when its element is compiled
    }
    return (is_given || (f->rules & BI_REQUIRED)) && (!is_given || bi_model_element(m, name).i == 0)
               ? "needs the name of a force or constraint of this model"
               : NULL;
}

static const char *points_mistake(const bi_model *m, const void *at)
{
    bi_points list;
    memcpy(&list, at, sizeof list);
    for (int k = 0; k < list.count; k++) {
        bi_point p = list.item[k].point;
        if (p.body.i < 1 || p.body.i > m->n_body || !vec3_is_finite(p.at)) {
            return "needs points on bodies of this model";
        }
    }
    return list.count < 0 ? no_items : NULL;
}

static const char *vectors_mistake(const bi_model *m, const void *at)
{
    bi_vectors list;
    memcpy(&list, at, sizeof list);
    for (int k = 0; k < list.count; k++) {
        bi_vector v = list.item[k].vector;
        if (v.body.i < 1 || v.body.i > m->n_body || !vec3_is_finite(v.along) || vec3_norm(v.along) == 0.0) {
            return "needs directions, not zero, on bodies of this model";
        }
    }
    return list.count < 0 ? no_items : NULL;
}

static const char *shapes_mistake(const bi_model *m, const bi_field *f, const void *at)
{
    bi_shapes list;
    memcpy(&list, at, sizeof list);
    for (int k = 0; k < list.count; k++) {
        if (list.item[k].i < 1 || list.item[k].i > m->n_shape) {
            return "needs shapes of this model";
        }
    }
    return list.count < 0 ? no_items : list.count == 0 && (f->rules & BI_REQUIRED) ? "needs a shape" : NULL;
}

// Counted from 1; 0 is the default.
static const char *choice_mistake(const bi_field *f, const void *at)
{
    int32_t value, count = 1;
    memcpy(&value, at, sizeof value);
    for (const char *c = f->unit; c && *c; c++) {
        count += *c == ',';
    }
    return value < 0 || value > count               ? "is not one of its choices"
           : value == 0 && (f->rules & BI_REQUIRED) ? "needs one of its choices"
                                                    : NULL;
}

const char *model_field_mistake(const bi_model *m, const bi_field *f, const void *at)
{
    bi_vector vector;
    bi_joint_coordinate coordinate;
    bi_term term[BI_TERMS];
    bi_grid grid;
    switch (f->type) {
    case BI_FIELD_VECTOR:
        memcpy(&vector, at, sizeof vector);
        if (vector.body.i == 0 && !(f->rules & BI_REQUIRED)) {
            return NULL;
        }
        return vector.body.i < 1 || vector.body.i > m->n_body ? "needs a direction on a body of this model"
               : !vec3_is_finite(vector.along)                ? "is not finite"
               : vec3_norm(vector.along) == 0.0 ? "has no length: give a direction such as [0, 0, 1]"
                                                : NULL;
    case BI_FIELD_COORDINATE:
        memcpy(&coordinate, at, sizeof coordinate);
        return coordinate_mistake(m, coordinate);
    case BI_FIELD_TERMS: memcpy(term, at, sizeof term); return terms_mistake(m, term);
    case BI_FIELD_GRID: memcpy(&grid, at, sizeof grid); return grid_mistake(f, &grid);
    case BI_FIELD_POINTS: return points_mistake(m, at);
    case BI_FIELD_VECTORS: return vectors_mistake(m, at);
    case BI_FIELD_SHAPES: return shapes_mistake(m, f, at);
    case BI_FIELD_NAME: return name_mistake(m, f, at);
    case BI_FIELD_CHOICE: return choice_mistake(f, at);
    case BI_FIELD_GRAPH: return model_graph_mistake(m, at);
    default: return NULL;
    }
}

// ---- fingerprint ----------------------------------------------------------------------------------------------

static uint64_t hash_coordinate(uint64_t h, bi_joint_coordinate c)
{
    const int32_t id[2] = { c.joint.i, c.index };
    return hash_bytes(h, id, sizeof id);
}

uint64_t model_field_hash(uint64_t h, const bi_field *f, const void *at)
{
    bi_vector vector;
    bi_joint_coordinate coordinate;
    bi_term term[BI_TERMS];
    bi_grid grid;
    bi_points points;
    bi_vectors vectors;
    bi_shapes shapes;
    const char *name;
    int32_t choice;
    bool flag;
    switch (f->type) {
    case BI_FIELD_VECTOR:
        memcpy(&vector, at, sizeof vector);
        h = hash_bytes(h, &vector.body.i, sizeof vector.body.i);
        return hash_bytes(h, &vector.along, sizeof vector.along);
    case BI_FIELD_COORDINATE:
        memcpy(&coordinate, at, sizeof coordinate);
        return hash_coordinate(h, coordinate);
    case BI_FIELD_TERMS:
        memcpy(term, at, sizeof term);
        for (int k = 0; k < BI_TERMS; k++) {
            h = hash_coordinate(h, term[k].coordinate);
            h = hash_bytes(h, &term[k].coefficient, sizeof term[k].coefficient);
        }
        return h;
    case BI_FIELD_GRID:
        memcpy(&grid, at, sizeof grid);
        return grid.value ? hash_bytes(h, grid.value, (size_t)(grid.rows * grid.columns) * sizeof *grid.value)
                          : h;
    case BI_FIELD_POINTS:
        memcpy(&points, at, sizeof points);
        for (int k = 0; k < points.count; k++) {
            h = hash_bytes(h, points.item[k].name, strlen(points.item[k].name));
            h = hash_bytes(h, &points.item[k].point.body.i, sizeof(int32_t));
            h = hash_bytes(h, &points.item[k].point.at, sizeof(bi_vec3));
        }
        return h;
    case BI_FIELD_VECTORS:
        memcpy(&vectors, at, sizeof vectors);
        for (int k = 0; k < vectors.count; k++) {
            h = hash_bytes(h, vectors.item[k].name, strlen(vectors.item[k].name));
            h = hash_bytes(h, &vectors.item[k].vector.body.i, sizeof(int32_t));
            h = hash_bytes(h, &vectors.item[k].vector.along, sizeof(bi_vec3));
        }
        return h;
    case BI_FIELD_SHAPES:
        memcpy(&shapes, at, sizeof shapes);
        for (int k = 0; k < shapes.count; k++) {
            h = hash_bytes(h, &shapes.item[k].i, sizeof shapes.item[k].i);
        }
        return hash_bytes(h, &shapes.count, sizeof shapes.count);
    case BI_FIELD_NAME: memcpy(&name, at, sizeof name); return name ? hash_bytes(h, name, strlen(name)) : h;
    case BI_FIELD_GRAPH: return model_graph_hash(h, at);
    case BI_FIELD_CHOICE:
        memcpy(&choice, at, sizeof choice);
        return choice ? hash_bytes(h, &choice, sizeof choice) : h;
    case BI_FIELD_FLAG: memcpy(&flag, at, sizeof flag); return flag ? hash_bytes(h, "true", 4) : h;
    default: return h;
    }
}

// ---- joints that elements name ---------------------------------------------------------------------------------

bi_joint_coordinate bi_model_coordinate(const bi_model *m, const char *name)
{
    if (!m || !name) {
        return (bi_joint_coordinate){ 0 };
    }
    bi_joint first = bi_model_joint(m, name);
    if (first.i > 0) {
        return (bi_joint_coordinate){ first, 0 };
    }
    model_name found = model_resolve(m, name);
    return found.kind == MODEL_NAME_VALUE ? (bi_joint_coordinate){ { found.index + 1 }, found.coordinate }
                                          : (bi_joint_coordinate){ 0 };
}

static bool names_joint(const bi_field *f, const void *at, int joint)
{
    bi_joint_coordinate coordinate;
    bi_term term[BI_TERMS];
    bool found = false;
    if (f->type == BI_FIELD_COORDINATE) {
        memcpy(&coordinate, at, sizeof coordinate);
        found = coordinate.joint.i - 1 == joint;
    } else if (f->type == BI_FIELD_TERMS) {
        memcpy(term, at, sizeof term);
        for (int k = 0; k < BI_TERMS; k++) {
            found |= term[k].coordinate.joint.i - 1 == joint;
        }
    }
    return found;
}

bool model_is_driven(const bi_model *m, int joint)
{
    for (int k = 0; k < m->n_element; k++) {
        const model_element *e = &m->element[k];
        if (strcmp(e->kind->section, "constraints") != 0) {
            continue;
        }
        if (strcmp(e->kind->type, "guide") == 0) {
            bi_guide_def guide;
            memcpy(&guide, e->def, sizeof guide);
            if (guide.joint.i - 1 == joint) {
                return true;
            }
        }
        for (int f = 0; f < e->kind->n_field; f++) {
            if (names_joint(&e->kind->field[f], model_field(e, &e->kind->field[f]), joint)) {
                return true;
            }
        }
    }
    return false;
}
