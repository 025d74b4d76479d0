// SPDX-License-Identifier: MIT
#include "dynamics/laws.h"
#include "dynamics/law_list.h"
#include "laws/bond/bond.h"
#include "laws/constraint/constraint.h"
#include "laws/contact/contact.h"
#include "laws/force/force.h"
#include "laws/force/user_force.h"
#include "laws/signal/kinds.h"
#include "laws/tyre/tyre.h"
#include <stdlib.h>
#include <string.h>

// ---- the kinds, as law_list.h has them ---------------------------------------------------------------------

#define LAW_LISTED(name) &name##_kind,
static const law_kind *const kinds[] = { LAW_LIST(LAW_LISTED) };
#undef LAW_LISTED
static const law_kind *const request_kinds[] = {
    [JOINT_ROWS_ALIGN] = &joint_align_kind,       [JOINT_ROWS_PERPENDICULAR] = &joint_perpendicular_kind,
    [JOINT_ROWS_DISTANCE] = &joint_distance_kind, [JOINT_ROWS_ANGLE] = &joint_angle_kind,
    [JOINT_ROWS_POSITION] = &joint_position_kind, [JOINT_ROWS_LENGTH] = &joint_length_kind,
    [JOINT_ROWS_COINCIDE] = &joint_coincide_kind, [JOINT_ROWS_PARALLEL] = &joint_parallel_kind,
    [JOINT_ROWS_ORIENT] = &joint_orient_kind,     [JOINT_ROWS_EULER] = &joint_euler_kind,
    [JOINT_ROWS_PLANE] = &joint_plane_kind,       [JOINT_ROWS_SCREW] = &joint_screw_kind,
};
_Static_assert(sizeof request_kinds / sizeof *request_kinds == JOINT_ROWS_COUNT,
               "each kind of rows that joints ask for needs its constraint");
enum {
    N_KINDS = sizeof kinds / sizeof *kinds,
    N_REQUEST_KINDS = sizeof request_kinds / sizeof *request_kinds,
    N_TABLES = N_KINDS + N_REQUEST_KINDS + 3, // and gravity, elastic modes, the hand
};

int laws_kind_count(void) { return N_TABLES; }

const law_kind *laws_kind_at(int k)
{
    static const law_kind *const of_bodies[] = { &gravity_kind, &elastic_kind, &hand_kind };
    if (k < N_KINDS) {
        return kinds[k];
    }
    return k < N_KINDS + N_REQUEST_KINDS ? request_kinds[k - N_KINDS]
                                         : of_bodies[k - N_KINDS - N_REQUEST_KINDS];
}

// laws and constraints, then signals
int bi_kind_count(void) { return N_KINDS + signal_kind_count(); }

const bi_kind *bi_kind_at(int k)
{
    if (k < 0 || k >= bi_kind_count()) {
        return NULL;
    }
    return k < N_KINDS ? kinds[k]->schema : signal_kind_at(k - N_KINDS)->schema;
}

const bi_kind *bi_kind_find(const char *section, const char *type)
{
    for (int k = 0; section && type && k < bi_kind_count(); k++) {
        const bi_kind *kind = bi_kind_at(k);
        if (strcmp(kind->section, section) == 0 && strcmp(kind->type, type) == 0) {
            return kind;
        }
    }
    return NULL;
}

LAW_ADDER(spring)
LAW_ADDER(torque)
LAW_ADDER(dc_motor)
LAW_ADDER(point_contact)
LAW_ADDER(guide)
LAW_ADDER(rolling)
LAW_ADDER(torsion_spring)
LAW_ADDER(bearing)
LAW_ADDER(stop)
LAW_ADDER(motor)
LAW_ADDER(brake)
LAW_ADDER(joint_friction)
LAW_ADDER(bushing)
LAW_ADDER(beam)
LAW_ADDER(force)
LAW_ADDER(body_torque)
LAW_ADDER(drag)
LAW_ADDER(air)
LAW_ADDER(user_force)
LAW_ADDER(user_law)
LAW_ADDER(tyre_linear)
LAW_ADDER(contact)
LAW_ADDER(tyre_pacejka)
LAW_ADDER(tyre_tmeasy)
LAW_ADDER(tyre_lean)
LAW_ADDER(tyre_magic)
LAW_ADDER(graph)

// ---- tables ------------------------------------------------------------------------------------------------

static law_table *add_table(laws *out, const law_kind *kind, int count)
{
    law_table *t = &out->table[out->n_table++];
    *t = (law_table){ kind, calloc((size_t)count + 1, kind->item), 0 };
    return t->item ? t : NULL;
}

static void add_item(law_table *t, plan *p, int element, const void *def)
{
    int first = p->n_block;
    p->compiling = element + 1;
    t->kind->compile(p, element, def, (char *)t->item + (size_t)t->count++ * t->kind->item);
    for (int k = first; k < p->n_block; k++) {
        p->block[k].element = element;
    }
    p->compiling = 0;
}

// Graphs that signals read inside a step have their place between them.
static void order_graphs(plan *p)
{
    const bi_model *m = p->model;
    for (int k = 0; k < m->n_element; k++) {
        int graph = model_graph_read(m, k);
        if (graph >= 0) {
            graph_outside(p, graph);
        }
    }
}

static bool compile_elements(plan *p, laws *out)
{
    const bi_model *m = p->model;
    order_graphs(p);
    for (int k = 0; k < N_KINDS; k++) {
        law_table *t = add_table(out, kinds[k], m->n_element);
        if (!t) {
            return false;
        }
        for (int e = 0; e < m->n_element; e++) {
            if (m->element[e].kind == kinds[k]->schema) {
                add_item(t, p, e, m->element[e].def);
            }
        }
    }
    return true;
}

// Weights of bodies; elastic forces of the modes of flexible ones.
static bool compile_bodies(plan *p, laws *out)
{
    const bi_model *m = p->model;
    int n_weight = m->n_body, n_mode = 0;
    for (int b = 0; b < m->n_body; b++) {
        n_mode += m->body[b].def.flex ? m->body[b].def.flex->n_mode : 0;
    }
    law_table *weight = add_table(out, &gravity_kind, n_weight),
              *elastic = add_table(out, &elastic_kind, n_mode);
    if (!weight || !elastic) {
        return false;
    }
    bool has_gravity = vec3_norm(m->gravity) > 0.0;
    for (int b = 1; b < m->n_body; b++) {
        const bi_body_def *d = &m->body[b].def;
        const bi_modes *flex = d->flex;
        if (has_gravity && !flex && d->mass > 0.0) {
            add_item(weight, p, -1, &(gravity_def){ b, d->com, d->mass });
        }
        if (has_gravity && flex && model_body_mass(m, b) > 0.0) {
            add_item(weight, p, -1, &(gravity_def){ b, { 0.0, 0.0, 0.0 }, model_body_mass(m, b) });
        }
        for (int i = 0; flex && i < flex->n_mode; i++) {
            double damping = flex->damping ? flex->damping[i] : 0.0;
            add_item(elastic, p, -1, &(elastic_def){ b, i, flex->stiffness[i], damping });
        }
    }
    return true;
}

// What the hand of whoever watches may pull.
static bool compile_hand(plan *p, laws *out)
{
    const bi_model *m = p->model;
    law_table *pull = add_table(out, &hand_kind, m->hand > 0 ? m->n_body : 0);
    for (int b = 1; pull && m->hand > 0 && b < m->n_body; b++) {
        double mass = model_body_mass(m, b);
        if (mass > 0.0) {
            add_item(pull, p, -1, &(hand_def){ b, m->hand - 1, mass });
        }
    }
    return pull != NULL;
}

// Kinds that the model does not use leave no table: an evaluation then passes only those with work.
static void leave_out_empty(laws *out)
{
    int kept = 0;
    for (int k = 0; k < out->n_table; k++) {
        if (out->table[k].count > 0) {
            out->table[kept++] = out->table[k];
        } else {
            free(out->table[k].item);
        }
    }
    out->n_table = kept;
}

bool laws_compile(plan *p, laws *out)
{
    *out = (laws){ .table = calloc(N_TABLES, sizeof *out->table) };
    return out->table && compile_elements(p, out) && compile_bodies(p, out) && compile_hand(p, out) &&
           !p->no_memory;
}

bool laws_compile_requests(plan *p, laws *out)
{
    for (int k = 0; k < N_REQUEST_KINDS; k++) {
        law_table *t = add_table(out, request_kinds[k], p->n_request);
        if (!t) {
            return false;
        }
        for (int r = 0; r < p->n_request; r++) {
            if ((int)p->request[r].kind == k) {
                add_item(t, p, -1, &p->request[r]);
            }
        }
    }
    leave_out_empty(out);
    return !p->no_memory;
}

void laws_check_user(const laws *l, const plan *p, const law_in *in, bi_report *report)
{
    for (int k = 0; k < l->n_table; k++) {
        if (l->table[k].kind == &user_force_kind) {
            user_force_check(p, l->table[k].item, l->table[k].count, in, report);
        } else if (l->table[k].kind == &user_law_kind) {
            user_law_check(p, l->table[k].item, l->table[k].count, in, report);
        }
    }
}

int laws_lost_by_user(const laws *l, const law_in *in, char *text, size_t size)
{
    int element = -1;
    for (int k = 0; k < l->n_table && element < 0; k++) {
        const law_table *t = &l->table[k];
        if (t->kind == &user_force_kind) {
            element = user_force_lost(t->item, t->count, in, text, size);
        } else if (t->kind == &user_law_kind) {
            element = user_law_lost(t->item, t->count, in, text, size);
        }
    }
    return element;
}

bool laws_test_tyre(const laws *l, const bi_model *m, int element, const bi_tyre_state *state,
                    bi_tyre_force *out)
{
    // items of a table are in the order of the model's elements of that kind
    int item = 0;
    for (int k = 0; k < element; k++) {
        item += m->element[k].kind == m->element[element].kind;
    }
    for (int k = 0; k < l->n_table; k++) {
        const law_table *t = &l->table[k];
        if (t->kind->schema == m->element[element].kind && item < t->count) {
            return tyre_test(t->kind, (const char *)t->item + (size_t)item * t->kind->item, state, out);
        }
    }
    return false;
}

void laws_clear(laws *l)
{
    for (int k = 0; k < l->n_table; k++) {
        free(l->table[k].item);
    }
    free(l->table);
    *l = (laws){ 0 };
}
