// SPDX-License-Identifier: MIT
// One number for a description: two models that differ in anything a run depends on differ in it.
#include "base/hash.h"
#include "model/model.h"
#include <string.h>

static uint64_t add_text(uint64_t h, const char *text)
{
    return hash_bytes(h, text ? text : "", text ? strlen(text) : 0);
}

static uint64_t add_number(uint64_t h, double x) { return hash_bytes(h, &x, sizeof x); }

static uint64_t add_integer(uint64_t h, int64_t k) { return hash_bytes(h, &k, sizeof k); }

static uint64_t add_numbers(uint64_t h, const double *x, int count)
{
    return x ? hash_bytes(h, x, (size_t)count * sizeof *x) : add_integer(h, -1);
}

static uint64_t add_vec3s(uint64_t h, const bi_vec3 *v, int count)
{
    for (int k = 0; v && k < count; k++) {
        h = add_numbers(h, (double[3]){ v[k].x, v[k].y, v[k].z }, 3);
    }
    return h;
}

static uint64_t add_body(uint64_t h, const bi_body_def *d)
{
    const bi_quat *r = &d->pose.rot;
    const bi_vec3 vectors[4] = { d->com, d->pose.pos, d->twist.lin, d->twist.ang };
    h = add_number(add_text(h, d->name), d->mass);
    h = add_vec3s(h, vectors, 4);
    h = add_numbers(h, d->inertia, 6);
    h = add_numbers(h, (double[4]){ r->w, r->x, r->y, r->z }, 4);
    for (int k = 0; k < 4 && d->basis[k]; k++) {
        h = add_text(h, d->basis[k]);
    }
    if (d->flex) {
        const bi_modes *f = d->flex;
        h = add_integer(add_integer(h, f->n_node), f->n_mode);
        h = add_vec3s(h, f->at, f->n_node);
        h = add_numbers(h, f->mass, f->n_node);
        h = add_vec3s(h, f->shape, f->n_mode * f->n_node);
        h = add_numbers(h, f->stiffness, f->n_mode);
        h = add_numbers(h, f->damping, f->n_mode);
        h = add_vec3s(add_integer(h, f->turn != NULL), f->turn, f->n_mode * f->n_node);
        h = add_vec3s(add_integer(h, f->bend != NULL), f->bend, f->n_mode * f->n_mode * f->n_node);
        h = add_integer(h, f->bend_is_load);
    }
    return h;
}

static uint64_t add_joint(uint64_t h, const bi_joint_def *d)
{
    const int64_t choices[] = { d->kind,      d->a.i,      d->b.i,  d->local,
                                d->set_value, d->set_rate, d->hold, d->closes_loop };
    const bi_vec3 vectors[6] = { d->at, d->axis, d->at_a, d->at_b, d->axis_a, d->axis_b };
    h = hash_bytes(add_text(h, d->name), choices, sizeof choices);
    h = add_vec3s(h, vectors, 6);
    h = add_numbers(h, (double[3]){ d->length, d->value, d->rate }, 3);
    if (d->zero_described || d->zero[0] != 0.0 || d->zero[1] != 0.0) {
        h = add_numbers(add_integer(h, d->zero_described), d->zero, 2);
    }
    for (int k = 0; k < JOINT_COORDINATES - 1; k++) {
        if (d->more[k].set_value || d->more[k].set_rate) {
            h = add_integer(h, 4 * k + 2 * d->more[k].set_value + d->more[k].set_rate);
            h = add_numbers(h, (double[2]){ d->more[k].value, d->more[k].rate }, 2);
        }
    }
    h = d->armature > 0.0 ? add_number(h, d->armature) : h;
    h = d->clearance > 0.0 ? add_number(h, d->clearance) : h;
    return joint_has_pitch(d->kind) ? add_number(h, d->pitch) : h;
}

// Field by field: the gaps between them hold anything.
static uint64_t add_field(uint64_t h, const model_element *e, const bi_field *f)
{
    const void *at = model_field(e, f);
    bi_point point;
    bi_vec3 vector;
    bi_frame frame;
    bi_numbers list;
    double number;
    int32_t id;
    switch (f->type) {
    case BI_FIELD_NUMBER: memcpy(&number, at, sizeof number); return add_number(h, number);
    case BI_FIELD_VEC3: memcpy(&vector, at, sizeof vector); return add_vec3s(h, &vector, 1);
    case BI_FIELD_POINT:
        memcpy(&point, at, sizeof point);
        return add_vec3s(add_integer(h, point.body.i), &point.at, 1);
    case BI_FIELD_EXPR:
    case BI_FIELD_BODY:
    case BI_FIELD_TABLE:
    case BI_FIELD_JOINT: memcpy(&id, at, sizeof id); return add_integer(h, id);
    case BI_FIELD_FRAME:
        memcpy(&frame, at, sizeof frame);
        h = add_vec3s(add_integer(h, frame.body.i), &frame.at, 1);
        return add_numbers(h, (double[4]){ frame.rot.w, frame.rot.x, frame.rot.y, frame.rot.z }, 4);
    case BI_FIELD_NUMBERS:
        memcpy(&list, at, sizeof list);
        return add_numbers(add_integer(h, list.count), list.value, list.count);
    default: return model_field_hash(h, f, at);
    }
}

// The table that an expression calls by its name.
static uint64_t add_callee(uint64_t h, const bi_model *m, expr_callee c)
{
    for (int k = 0; k < m->n_curve; k++) {
        bool is_same = m->curve[k].code == c.table && m->curve[k].surface == c.map;
        h = is_same ? add_integer(h, k) : h;
    }
    return h;
}

uint64_t model_fingerprint(const bi_model *m)
{
    uint64_t h = add_vec3s(hash_seed, &m->gravity, 1);
    for (int k = 0; k < m->n_body; k++) {
        h = add_body(h, &m->body[k].def);
    }
    for (int k = 0; k < m->n_joint; k++) {
        h = add_joint(h, &m->joint[k].def);
    }
    for (int k = 0; k < m->n_element; k++) {
        const model_element *e = &m->element[k];
        h = add_text(add_text(h, e->kind->type), e->name);
        for (int f = 0; f < e->kind->n_field; f++) {
            h = add_field(h, e, &e->kind->field[f]);
        }
        h = e->active.i > 0 ? add_integer(h, e->active.i) : h;
        if (e->samples.count > 0) {
            h = add_numbers(add_integer(h, e->samples.count), e->samples.t, 3 * e->samples.count);
        }
    }
    h = m->hand > 0 ? add_integer(h, m->hand) : h;
    for (int k = 0; k < m->n_imposed; k++) {
        h = add_integer(add_text(h, m->imposed[k].def.coordinate), m->imposed[k].def.value.i);
    }
    for (int k = 0; k < m->n_expr; k++) {
        h = add_text(h, m->expr[k].text);
        for (int i = 0; m->expr[k].code && i < expr_callee_count(m->expr[k].code); i++) {
            h = add_callee(h, m, expr_callee_at(m->expr[k].code, i));
        }
    }
    for (int k = 0; k < m->n_parameter; k++) {
        h = add_number(add_text(h, m->parameter[k].name), m->parameter[k].value);
    }
    for (int k = 0; k < m->n_curve; k++) {
        h = add_integer(h, (int64_t)m->curve[k].hash);
    }
    for (int k = 0; k < m->n_input; k++) {
        h = add_number(add_text(h, m->input[k].name), m->input[k].initial);
        if (m->input[k].line.count > 0) {
            h = add_numbers(h, m->input[k].line.t, 2 * m->input[k].line.count);
        }
    }
    for (int k = 0; k < m->n_named; k++) {
        const model_named *n = &m->named[k];
        h = add_integer(add_text(h, n->name), 2 * n->body.i + n->is_vector);
        h = add_vec3s(h, &n->at, 1);
    }
    for (int k = 0; k < m->n_shape; k++) {
        h = model_shape_hash(h, &m->shape[k].def);
    }
    for (int k = 0; k < m->n_patch; k++) {
        h = model_patch_hash(h, &m->patch[k].def);
    }
    return h;
}
