// SPDX-License-Identifier: MIT
// A view into a model: points, vectors, joints, masses and what touches, with what the equations make of them.
#include "analysis/freedom.h"
#include "math/rotation.h"
#include "sparse/dense_eigen.h"
#include <biela/inside.h>
#include <biela/names.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is handed out, and the memory behind it.
typedef struct {
    bi_inside shown; // first: it is what the caller holds
    bi_inside_entity *entity;
    bi_inside_joint *joint;
    bi_inside_mass *mass;
    bi_inside_constraint *constraint;
    bi_inside_touch *touch;
    bi_inside_force *force;
    bi_body *shares;  // of all entities, one after the other
    char (*name)[96]; // of those that the model does not name
    int n_share, n_name;
} inside;

const char *bi_entity_role_name(bi_entity_role role)
{
    switch (role) {
    case BI_ENTITY_VARIABLE: return "variable";
    case BI_ENTITY_CONSTANT: return "constant";
    case BI_ENTITY_NAMED: return "named";
    }
    return NULL;
}

// ---- points and vectors ------------------------------------------------------------------------------------------

static bool is_same(const entity_seat *seat, bool is_vector, int body, vec3 at, double size)
{
    double near = 1e-9 * (is_vector ? 1.0 : size);
    vec3 own = is_vector ? vec3_normalized(at) : at;
    return seat->body == body && seat->is_vector == is_vector &&
           (vec3_norm(vec3_sub(own, seat->local)) <= near ||
            (is_vector && vec3_norm(vec3_add(own, seat->local)) <= near));
}

// The name that the model gives to a point or vector of a body, and -1: none.
static int named_seat(const bi_model *m, const entity_seat *seat, double size)
{
    for (int k = 0; k < m->n_named; k++) {
        const model_named *n = &m->named[k];
        if (is_same(seat, n->is_vector, n->body.i - 1, n->at, size)) {
            return k;
        }
    }
    return -1;
}

// The joint that has this point, or this axis, of a body; -1: none.
static int joint_at(const bi_model *m, const entity_seat *seat, double size)
{
    for (int k = 0; k < m->n_joint; k++) {
        const bi_joint_def *d = &m->joint[k].def;
        model_joint_frame f = model_joint_frames(m, k);
        if (is_same(seat, seat->is_vector, d->a.i - 1, seat->is_vector ? f.axis_a : f.at_a, size) ||
            is_same(seat, seat->is_vector, d->b.i - 1, seat->is_vector ? f.axis_b : f.at_b, size)) {
            return k;
        }
    }
    return -1;
}

// Where a vector of a body is drawn: at the joint that has it as its axis, else at the first point of the body, else at
// its centre of mass.
static vec3 vector_place(const bi_model *m, const entity_seat *seat, const entity_seat *all, int count,
                         double size)
{
    int joint = joint_at(m, seat, size);
    if (joint >= 0) {
        model_joint_frame f = model_joint_frames(m, joint);
        return m->joint[joint].def.b.i - 1 == seat->body ? f.at_b : f.at_a;
    }
    for (int k = 0; k < count; k++) {
        if (all[k].body == seat->body && !all[k].is_vector) {
            return all[k].local;
        }
    }
    return m->body[seat->body].def.com;
}

static const char *entity_name_of(inside *o, const bi_system *s, const entity_seat *seat, bool is_variable)
{
    const bi_model *m = s->model;
    char *name = o->name[o->n_name++];
    int joint = joint_at(m, seat, s->dynamics.structure.size);
    if (is_variable) {
        bi_variable_name(s, seat->q, name, sizeof o->name[0]);
        char *dot = strrchr(name, '.');
        if (dot) {
            *dot = '\0';
        }
    } else if (joint >= 0) {
        snprintf(name, sizeof o->name[0], "%.90s", m->joint[joint].def.name);
    } else {
        snprintf(name, sizeof o->name[0], "%.80s.%s", m->body[seat->body].def.name,
                 seat->is_vector ? "vector" : "point");
    }
    return name;
}

// The entity of one point or vector of q, from the seat of the first body that has it.
static void add_entity(inside *o, const bi_system *s, const entity_seat *all, int count, int first)
{
    const entity_seat *seat = &all[first];
    double size = s->dynamics.structure.size;
    bi_inside_entity *e = &o->entity[o->shown.n_entity++];
    int named = -1;
    bool is_variable = seat->q < s->dynamics.structure.n;
    *e = (bi_inside_entity){ .is_vector = seat->is_vector,
                             .role = is_variable ? BI_ENTITY_VARIABLE : BI_ENTITY_CONSTANT,
                             .variable = is_variable ? seat->q : -1,
                             .body = { seat->body + 1 },
                             .at = seat->local,
                             .shares = &o->shares[o->n_share] };
    for (int k = first; k < count; k++) {
        bool is_known = all[k].q != seat->q;
        for (int i = 0; i < e->n_body && !is_known; i++) {
            is_known = e->shares[i].i == all[k].body + 1;
        }
        if (!is_known) {
            o->shares[o->n_share++] = (bi_body){ all[k].body + 1 };
            e->n_body++;
        }
        named = all[k].q == seat->q && named < 0 ? named_seat(s->model, &all[k], size) : named;
    }
    if (seat->is_vector) {
        e->at = vector_place(s->model, seat, all, count, size);
        e->along = seat->local;
    }
    e->name = named >= 0 ? s->model->named[named].name : entity_name_of(o, s, seat, is_variable);
}

// Names of the model that no number of q stands for.
static void add_named(inside *o, const bi_system *s, const entity_seat *all, int count)
{
    const bi_model *m = s->model;
    for (int k = 0; k < m->n_named; k++) {
        const model_named *n = &m->named[k];
        bool is_held = n->body.i < 1 || n->body.i > m->n_body;
        for (int i = 0; i < count && !is_held; i++) {
            is_held = is_same(&all[i], n->is_vector, n->body.i - 1, n->at, s->dynamics.structure.size);
        }
        if (is_held) {
            continue;
        }
        entity_seat seat = { .body = n->body.i - 1, .is_vector = n->is_vector, .local = n->at };
        seat.local = n->is_vector ? vec3_normalized(n->at) : n->at;
        bi_inside_entity *e = &o->entity[o->shown.n_entity++];
        *e = (bi_inside_entity){ .name = n->name,
                                 .is_vector = n->is_vector,
                                 .role = BI_ENTITY_NAMED,
                                 .variable = -1,
                                 .body = n->body,
                                 .at = n->at,
                                 .n_body = 1,
                                 .shares = &o->shares[o->n_share] };
        o->shares[o->n_share++] = n->body;
        if (n->is_vector) {
            e->at = vector_place(m, &seat, all, count, s->dynamics.structure.size);
            e->along = seat.local;
        }
    }
}

static bool look_at_entities(inside *o, const bi_system *s)
{
    const dynamics *d = &s->dynamics;
    int count = 0;
    const entity_seat *all = d->set->seats ? d->set->seats(d->coordinates, &count) : NULL;
    size_t room = (size_t)count + (size_t)s->model->n_named + 1;
    o->entity = calloc(room, sizeof *o->entity);
    o->shares = calloc(room, sizeof *o->shares);
    o->name = calloc(room, sizeof *o->name);
    if (!o->entity || !o->shares || !o->name) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        bool is_first = true;
        for (int i = 0; i < k && is_first; i++) {
            is_first = all[i].q != all[k].q;
        }
        if (is_first) {
            add_entity(o, s, all, count, k);
        }
    }
    add_named(o, s, all, count);
    return true;
}

// ---- joints, constraints, shapes that touch --------------------------------------------------------------------------

static bool has_axis(bi_joint_kind kind)
{
    const joint_kind *k = joint_of(kind);
    return k->place == JOINT_PLACE_LINE || k->place == JOINT_PLACE_PLANE || k->turn == JOINT_TURN_AXIS ||
           k->turn == JOINT_TURN_CROSS;
}

static int variables_of(const dynamics *d, int joint)
{
    int count = 0;
    for (int k = 0; k < d->structure.n; k++) {
        count += d->structure.variable_owner[k].joint == joint + 1;
    }
    // coordinates of joints that close a loop
    for (int k = 0; k < d->plan.n_marker; k++) {
        int q = d->structure.marker_q[k];
        count += d->plan.marker[k].kind == MARKER_JOINT && d->plan.marker[k].joint == joint && q >= 0 &&
                 d->structure.variable_owner[q].joint != joint + 1;
    }
    return count;
}

static void look_at_joints(inside *o, const bi_system *s, const freedom_marks *marks)
{
    const bi_model *m = s->model;
    for (int k = 0; k < m->n_joint; k++) {
        const bi_joint_def *d = &m->joint[k].def;
        model_joint_frame f = model_joint_frames(m, k);
        o->joint[o->shown.n_joint++] = (bi_inside_joint){ .joint = { k + 1 },
                                                          .name = d->name,
                                                          .kind = bi_joint_kind_name(d->kind),
                                                          .a = { d->a, f.at_a },
                                                          .b = { d->b, f.at_b },
                                                          .has_axis = has_axis(d->kind),
                                                          .axis = f.axis_b,
                                                          .variables = variables_of(&s->dynamics, k),
                                                          .redundant = marks->joint[k].redundant,
                                                          .is_shared = marks->joint[k].is_shared };
    }
}

static void add_touches(inside *o, const model_element *e)
{
    for (int k = 0; k < e->kind->n_field; k++) {
        const bi_field *f = &e->kind->field[k];
        if (f->type != BI_FIELD_SHAPES) {
            continue;
        }
        const bi_shapes *list = model_field(e, f);
        for (int i = 0; i < list->count; i++) {
            bool is_known = false;
            for (int t = 0; t < o->shown.n_touch && !is_known; t++) {
                is_known = o->touch[t].shape.i == list->item[i].i;
            }
            if (!is_known) {
                o->touch[o->shown.n_touch++] = (bi_inside_touch){ list->item[i], e->name };
            }
        }
    }
}

// Points of a force in the order of its keys: points and frames; of a tyre the centre of its wheel.
static int points_of(const model_element *e, bi_point out[2])
{
    int count = 0;
    bi_point wheel = { 0 };
    for (int k = 0; k < e->kind->n_field && count < 2; k++) {
        const bi_field *f = &e->kind->field[k];
        const void *at = model_field(e, f);
        if (f->type == BI_FIELD_POINT) {
            out[count++] = *(const bi_point *)at;
        } else if (f->type == BI_FIELD_FRAME) {
            const bi_frame *frame = at;
            out[count++] = (bi_point){ frame->body, frame->at };
        } else if (f->type == BI_FIELD_BODY) {
            wheel.body = *(const bi_body *)at;
        } else if (f->type == BI_FIELD_VEC3 && strcmp(f->key, "centre") == 0) {
            wheel.at = *(const bi_vec3 *)at;
        }
    }
    if (count == 0 && wheel.body.i > 0) {
        out[count++] = wheel;
    }
    return count;
}

static void add_force(inside *o, const model_element *e)
{
    bi_point at[2];
    int count = strcmp(e->kind->section, "forces") == 0 ? points_of(e, at) : 0;
    if (count > 0) {
        o->force[o->shown.n_force++] =
            (bi_inside_force){ e->name, e->kind->type, at[0], at[count - 1], count == 2 };
    }
}

static void look_at_elements(inside *o, const bi_model *m, const freedom_marks *marks)
{
    for (int k = 0; k < m->n_element; k++) {
        const model_element *e = &m->element[k];
        if (strcmp(e->kind->section, "constraints") == 0) {
            o->constraint[o->shown.n_constraint++] =
                (bi_inside_constraint){ e->name, e->kind->type, marks->element[k].redundant,
                                        marks->element[k].is_shared };
        }
        add_touches(o, e);
        add_force(o, e);
    }
}

// ---- masses ----------------------------------------------------------------------------------------------------------

// Mass, centre of mass and inertia about it of a body as it is described, with modes from the masses of its nodes.
static double inertia_of(const bi_body_def *d, vec3 *com, double I[6])
{
    if (!d->flex) {
        *com = d->com;
        memcpy(I, d->inertia, sizeof d->inertia);
        return d->mass;
    }
    double mass = 0.0;
    vec3 sum = { 0.0, 0.0, 0.0 };
    memset(I, 0, 6 * sizeof *I);
    for (int k = 0; k < d->flex->n_node; k++) {
        mass += d->flex->mass[k];
        sum = vec3_add(sum, vec3_scale(d->flex->mass[k], d->flex->at[k]));
    }
    *com = mass > 0.0 ? vec3_scale(1.0 / mass, sum) : sum;
    for (int k = 0; k < d->flex->n_node; k++) {
        vec3 r = vec3_sub(d->flex->at[k], *com);
        double w = d->flex->mass[k];
        I[0] += w * (r.y * r.y + r.z * r.z);
        I[1] += w * (r.z * r.z + r.x * r.x);
        I[2] += w * (r.x * r.x + r.y * r.y);
        I[3] -= w * r.x * r.y;
        I[4] -= w * r.y * r.z;
        I[5] -= w * r.z * r.x;
    }
    return mass;
}

// Of even density: I_x = m (b^2 + c^2) / 5 and so on, hence a^2 = 5/2 (I_y + I_z - I_x) / m.
static bi_inside_mass mass_of(int body, const bi_body_def *d)
{
    double I[6], value[3], V[9];
    vec3 com;
    double mass = inertia_of(d, &com, I);
    double A[9] = { I[0], I[3], I[5], I[3], I[1], I[4], I[5], I[4], I[2] };
    dense_symmetric_eigen(3, A, value, V);
    mat3 axes = { { { V[0], V[3], V[6] }, { V[1], V[4], V[7] }, { V[2], V[5], V[8] } } };
    if (mat3_det(axes) < 0.0) {
        axes.col[2] = vec3_scale(-1.0, axes.col[2]);
    }
    double trace = value[0] + value[1] + value[2], half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = mass > 0.0 ? sqrt(fmax(0.0, 2.5 * (trace - 2.0 * value[k]) / mass)) : 0.0;
    }
    return (bi_inside_mass){ .body = { body + 1 },
                             .mass = mass,
                             .ellipsoid = { com, quat_from_mat3(axes) },
                             .half_axes = { half[0], half[1], half[2] } };
}

static void look_at_masses(inside *o, const bi_model *m)
{
    for (int b = 1; b < m->n_body; b++) {
        bi_inside_mass mass = mass_of(b, &m->body[b].def);
        if (mass.mass > 0.0) {
            o->mass[o->shown.n_mass++] = mass;
        }
    }
}

// ---- all of it -------------------------------------------------------------------------------------------------------

static bool look(inside *o, bi_sim *sim, freedom_marks *marks)
{
    const bi_system *s = sim->system;
    const bi_model *m = s->model;
    bi_info info;
    bi_report unused = { 0 };
    sim_show(sim, SHOWN_STATE);
    info.variables = s->dynamics.structure.n;
    bool ok = freedom_find(sim, &info, marks, &unused) && look_at_entities(o, s);
    bi_report_clear(&unused);
    sim->have = 0;
    if (ok) {
        o->shown.redundant = info.redundant;
        look_at_joints(o, s, marks);
        look_at_elements(o, m, marks);
        look_at_masses(o, m);
    }
    return ok;
}

bi_inside *bi_sim_inside(bi_sim *sim)
{
    if (sim_refuse(sim) != BI_OK) {
        return NULL;
    }
    const bi_model *m = sim->system->model;
    freedom_marks marks = { calloc((size_t)m->n_joint + 1, sizeof *marks.joint),
                            calloc((size_t)m->n_element + 1, sizeof *marks.element) };
    inside *o = calloc(1, sizeof *o);
    if (o) {
        o->joint = calloc((size_t)m->n_joint + 1, sizeof *o->joint);
        o->mass = calloc((size_t)m->n_body + 1, sizeof *o->mass);
        o->constraint = calloc((size_t)m->n_element + 1, sizeof *o->constraint);
        o->touch = calloc((size_t)m->n_shape + 1, sizeof *o->touch);
        o->force = calloc((size_t)m->n_element + 1, sizeof *o->force);
    }
    bool ok = o && marks.joint && marks.element && o->joint && o->mass && o->constraint && o->touch &&
              o->force && look(o, sim, &marks);
    free(marks.joint);
    free(marks.element);
    if (!ok) {
        bi_inside_destroy(o ? &o->shown : NULL);
        return NULL;
    }
    o->shown.entity = o->entity;
    o->shown.joint = o->joint;
    o->shown.mass = o->mass;
    o->shown.constraint = o->constraint;
    o->shown.touch = o->touch;
    o->shown.force = o->force;
    return &o->shown;
}

void bi_inside_destroy(bi_inside *shown)
{
    inside *o = (inside *)shown;
    if (o) {
        free(o->entity);
        free(o->joint);
        free(o->mass);
        free(o->constraint);
        free(o->touch);
        free(o->force);
        free(o->shares);
        free(o->name);
        free(o);
    }
}
