// SPDX-License-Identifier: MIT
// What is inside the model, for pages that ask: a sim of its own is started and looked at, so that the one that runs is left alone.
#include "live/live.h"
#include <biela/inside.h>
#include <stdlib.h>

// Bodies of the message by their numbers in the model, from 1: -1 the ground.
typedef struct {
    const int *number; // (bodies of the model); NULL: all are there, in their order
} numbering;

enum { NOT_THERE = -2 };

static int number_of(numbering n, bi_body body)
{
    return body.i <= 1 ? -1 : n.number ? n.number[body.i - 1] : body.i - 2;
}

static void write_quaternion(json *j, bi_quat q)
{
    json_number(j, NULL, q.w);
    json_number(j, NULL, q.x);
    json_number(j, NULL, q.y);
    json_number(j, NULL, q.z);
    json_end(j);
}

static void write_entities(json *j, const bi_inside *in, numbering n)
{
    open_inside_entities(j);
    for (int k = 0; k < in->n_entity; k++) {
        const bi_inside_entity *e = &in->entity[k];
        if (number_of(n, e->body) == NOT_THERE) {
            continue;
        }
        json_object(j, NULL);
        put_inside_entity_name(j, e->name);
        put_inside_entity_vector(j, e->is_vector);
        put_inside_entity_role(j, bi_entity_role_name(e->role));
        put_inside_entity_body(j, number_of(n, e->body));
        open_inside_entity_at(j);
        live_write_vec3(j, e->at);
        if (e->is_vector) {
            open_inside_entity_along(j);
            live_write_vec3(j, e->along);
        }
        open_inside_entity_shares(j);
        for (int i = 0; i < e->n_body; i++) {
            if (number_of(n, e->shares[i]) != NOT_THERE) {
                json_integer(j, NULL, number_of(n, e->shares[i]));
            }
        }
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void write_joints(json *j, const bi_inside *in, numbering n)
{
    open_inside_joints(j);
    for (int k = 0; k < in->n_joint; k++) {
        const bi_inside_joint *d = &in->joint[k];
        int a = number_of(n, d->a.body), b = number_of(n, d->b.body);
        if (a == NOT_THERE || b == NOT_THERE) {
            continue;
        }
        json_object(j, NULL);
        put_inside_joint_name(j, d->name);
        put_inside_joint_kind(j, d->kind);
        put_inside_joint_a(j, a);
        put_inside_joint_b(j, b);
        open_inside_joint_at_a(j);
        live_write_vec3(j, d->a.at);
        open_inside_joint_at(j);
        live_write_vec3(j, d->b.at);
        if (d->has_axis) {
            open_inside_joint_axis(j);
            live_write_vec3(j, d->axis);
        }
        put_inside_joint_variables(j, d->variables);
        put_inside_joint_redundant(j, d->redundant);
        put_inside_joint_shared(j, d->is_shared);
        json_end(j);
    }
    json_end(j);
}

static void write_masses(json *j, const bi_inside *in, numbering n)
{
    open_inside_masses(j);
    for (int k = 0; k < in->n_mass; k++) {
        const bi_inside_mass *m = &in->mass[k];
        if (number_of(n, m->body) == NOT_THERE) {
            continue;
        }
        json_object(j, NULL);
        put_inside_mass_body(j, number_of(n, m->body));
        put_inside_mass_mass(j, m->mass);
        open_inside_mass_at(j);
        live_write_vec3(j, m->ellipsoid.pos);
        open_inside_mass_quaternion(j);
        write_quaternion(j, m->ellipsoid.rot);
        open_inside_mass_half_axes(j);
        live_write_vec3(j, m->half_axes);
        json_end(j);
    }
    json_end(j);
}

static void write_constraints(json *j, const bi_inside *in)
{
    open_inside_constraints(j);
    for (int k = 0; k < in->n_constraint; k++) {
        json_object(j, NULL);
        put_inside_constraint_name(j, in->constraint[k].name);
        put_inside_constraint_kind(j, in->constraint[k].kind);
        put_inside_constraint_redundant(j, in->constraint[k].redundant);
        put_inside_constraint_shared(j, in->constraint[k].is_shared);
        json_end(j);
    }
    json_end(j);
}

static void write_touches(json *j, const bi_inside *in, const bi_model *m, numbering n)
{
    open_inside_touches(j);
    for (int k = 0; k < in->n_touch; k++) {
        bi_shape_def d;
        if (bi_model_shape_at(m, in->touch[k].shape, &d) && number_of(n, d.body) != NOT_THERE) {
            json_object(j, NULL);
            open_inside_touch_shape(j);
            live_write_shape_fields(j, &d, in->touch[k].shape.i, number_of(n, d.body));
            json_end(j);
            put_inside_touch_element(j, in->touch[k].element);
            json_end(j);
        }
    }
    json_end(j);
}

static void write_forces(json *j, const bi_inside *in, numbering n)
{
    open_inside_forces(j);
    for (int k = 0; k < in->n_force; k++) {
        const bi_inside_force *f = &in->force[k];
        int a = number_of(n, f->a.body), b = number_of(n, f->b.body);
        if (a == NOT_THERE || b == NOT_THERE) {
            continue;
        }
        json_object(j, NULL);
        put_inside_force_name(j, f->name);
        put_inside_force_kind(j, f->kind);
        put_inside_force_a(j, a);
        open_inside_force_at_a(j);
        live_write_vec3(j, f->a.at);
        if (f->has_two) {
            put_inside_force_b(j, b);
            open_inside_force_at_b(j);
            live_write_vec3(j, f->b.at);
        }
        json_end(j);
    }
    json_end(j);
}

char *live_inside(const session *s, const int *number)
{
    numbering n = { number };
    bi_report unused = { 0 };
    bi_sim *sim = bi_sim_create(s->system);
    bi_inside *in = sim && bi_sim_start(sim, &unused) == BI_OK ? bi_sim_inside(sim) : NULL;
    outgoing o;
    json *j = in ? outgoing_begin(&o, begin_inside) : NULL;
    if (j) {
        write_entities(j, in, n);
        write_joints(j, in, n);
        write_masses(j, in, n);
        write_constraints(j, in);
        write_touches(j, in, s->model, n);
        write_forces(j, in, n);
        put_inside_redundant(j, in->redundant);
    }
    bi_inside_destroy(in);
    bi_sim_destroy(sim);
    bi_report_clear(&unused);
    return j ? outgoing_end(&o) : NULL;
}

void live_send_inside(live *l, int client)
{
    if (!l->run.inside) {
        l->run.inside = live_inside(&l->run.s, NULL);
    }
    if (l->run.inside) {
        live_say(l, client, l->run.inside);
    } else {
        live_error(l, client,
                   "the model cannot be looked at: its start does not converge, or there is no memory");
    }
}
