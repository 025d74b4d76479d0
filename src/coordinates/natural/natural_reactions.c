// SPDX-License-Identifier: MIT
// Reactions of joints (natural.14 .. natural.16). Joints made by sharing have no multiplier: what a joint carries is
// what its bodies lack for their own balance at the shared entities. A force on a vector v counts as the moment v x f.
#include "base/list.h"
#include "coordinates/natural/natural.h"
#include <stdlib.h>
#include <string.h>

// One body at one class of shared entities. Class 0 holds all constant vectors, as moments.
typedef struct {
    int body, class;
} node;

// Leaf to root: the joint hands the sum at `child` on to `parent` (-1: the ground).
typedef struct {
    int joint, child, parent;
    double sign; // of the reaction on the joint's second body
    bool is_moment;
} hand_over;

typedef struct {
    int node;
    bool is_vector;
    int q;
} entity_node;

typedef struct {
    int body, first; // row
    int node;        // of the tied entity; -1: ground
    bool is_vector;
    int q;
    double sign, weight[4];
} tie_node;

typedef struct {
    int marker_body, dof, width, frame, flex;
    marker_kind kind;
    vec3 at;
    bool is_angle; // joint coordinate
} body_marker;

struct reaction_plan {
    int n_joint, n_group, n_dof;
    node *node;
    int n_node, cap_node;
    entity_node *entity; // (n_body x BODY_ENTITIES)
    tie_node *tie;
    int n_tie;
    int *dot_body;
    hand_over *hand;
    int n_hand, cap_hand;
    body_marker *marker;
    int n_marker;
    double (*J)[4][4]; // inertia of rigid bodies (n_body)
    struct joint_point {
        int body;
        vec3 at, axis; // body frame
        int dof;       // in the trays: of its marker on a moving node of a flexible body; -1: at
    } * point;         // where each reaction is given (n_joint)
    struct row_force {
        int first, count, gradient, width, joint, body_b;
        int marker, n_marker; // in list
    } * group;
    int *list; // indices into marker (body_marker), by group
};

// Room to work in, cut from the caller's scratch.
typedef struct {
    vec3 *sum;       // (n_node)
    vec3 *column;    // (4 n_body)
    vec3 *where;     // (n_joint) places where reactions are given
    bi_wrench *lack; // (n_body) of bodies that never move
    double *effort;  // (n_dof)
} work;

// ---- create --------------------------------------------------------------------------------------------------

static int class_of(const sharing *s, int slot_index)
{
    int root = sharing_root(s, slot_index).slot;
    return s->slot[root].is_vector && s->slot[root].is_fixed ? 0 : 1 + root;
}

static int find_node(struct reaction_plan *r, const natural *tab, int body, int class)
{
    if (tab->body[body].kind == BODY_FIXED) {
        return -1;
    }
    for (int k = r->n_node - 1; k >= 0; k--) {
        if (r->node[k].body == body && r->node[k].class == class) {
            return k;
        }
        if (r->node[k].body < body) {
            break; // nodes are made body by body
        }
    }
    return -1;
}

static int make_node(struct reaction_plan *r, const natural *tab, int body, int class)
{
    int have = find_node(r, tab, body, class);
    if (have >= 0 || tab->body[body].kind == BODY_FIXED || !LIST_RESERVE(r->node, r->n_node, r->cap_node)) {
        return have;
    }
    r->node[r->n_node] = (node){ body, class };
    return r->n_node++;
}

static int search_node(const struct reaction_plan *r, int body, int class)
{
    for (int k = 0; k < r->n_node; k++) {
        if (r->node[k].body == body && r->node[k].class == class) {
            return k;
        }
    }
    return -1;
}

static bool create_nodes(struct reaction_plan *r, natural *tab, const sharing *s, const bases *base)
{
    r->entity = calloc((size_t)tab->n_body * BODY_ENTITIES, sizeof *r->entity);
    r->tie = calloc((size_t)base->n_tie + 1, sizeof *r->tie);
    r->dot_body = calloc((size_t)base->n_dot + 1, sizeof *r->dot_body);
    if (!r->entity || !r->tie || !r->dot_body) {
        return false;
    }
    int t = 0;
    for (int b = 0; b < tab->n_body; b++) {
        const natural_body *body = &tab->body[b];
        for (int e = 0; e < body->n_entity; e++) {
            r->entity[b * BODY_ENTITIES + e] =
                (entity_node){ make_node(r, tab, b, class_of(s, body->slot[e])),
                               s->slot[body->slot[e]].is_vector, body->q[e] };
        }
        // ties were made body by body, too
        for (; t < base->n_tie && base->tie[t].body == b; t++) {
            const rigid_tie *k = &base->tie[t];
            double w = k->is_vector ? 0.0 : 1.0;
            r->tie[t] = (tie_node){ b,
                                    tab->first_rigid + tab->n_dot + 3 * t,
                                    make_node(r, tab, b, class_of(s, k->slot)),
                                    k->is_vector,
                                    s->slot[k->slot].q,
                                    k->sign,
                                    { w, k->local.x, k->local.y, k->local.z } };
        }
    }
    r->n_tie = base->n_tie;
    for (int k = 0; k < base->n_dot; k++) {
        r->dot_body[k] = base->dot[k].body;
    }
    return true;
}

typedef struct {
    int joint, class, a, b; // nodes, -1: ground
    bool used;
} edge;

static int by_class(const void *x, const void *y)
{
    const edge *a = x, *b = y;
    return a->class != b->class ? (a->class > b->class) - (a->class < b->class)
                                : (a->joint > b->joint) - (a->joint < b->joint);
}

// Walks one class from the ground (or from any node when it has none) and lists the hand-overs, root first.
static bool walk(struct reaction_plan *r, edge *e, int count, bool *reached)
{
    bool rooted = false, grew = true;
    for (int k = 0; k < count; k++) {
        rooted |= e[k].a < 0 || e[k].b < 0;
    }
    if (!rooted) {
        reached[e[0].a] = true;
    }
    while (grew) {
        grew = false;
        for (int k = 0; k < count; k++) {
            bool has_a = e[k].a < 0 || reached[e[k].a], has_b = e[k].b < 0 || reached[e[k].b];
            if (e[k].used || has_a == has_b) {
                continue;
            }
            if (!LIST_RESERVE(r->hand, r->n_hand, r->cap_hand)) {
                return false;
            }
            int child = has_a ? e[k].b : e[k].a, parent = has_a ? e[k].a : e[k].b;
            r->hand[r->n_hand++] = (hand_over){ e[k].joint, child, parent, has_a ? 1.0 : -1.0, false };
            reached[child] = e[k].used = grew = true;
        }
    }
    return true;
}

static bool create_hands(struct reaction_plan *r, const natural *tab, const sharing *s)
{
    edge *e = malloc(((size_t)s->n_joined + 1) * sizeof *e);
    bool *reached = calloc((size_t)r->n_node + 1, sizeof *reached);
    bool ok = e && reached;
    int count = 0;
    for (int k = 0; ok && k < s->n_joined; k++) {
        const struct joining *j = &s->joined[k];
        int class = class_of(s, j->slot_a), a = s->slot[j->slot_a].body, b = s->slot[j->slot_b].body;
        bool again = false;
        for (int i = count - 1; i >= 0 && e[i].joint == j->joint; i--) {
            again |= e[i].class == class;
        }
        if (!again) {
            int node_a = tab->body[a].kind == BODY_FIXED ? -1 : search_node(r, a, class);
            int node_b = tab->body[b].kind == BODY_FIXED ? -1 : search_node(r, b, class);
            e[count++] = (edge){ j->joint, class, node_a, node_b, false };
        }
    }
    if (ok) {
        qsort(e, (size_t)count, sizeof *e, by_class);
    }
    for (int from = 0, to; ok && from < count; from = to) {
        for (to = from; to < count && e[to].class == e[from].class; to++) {
        }
        int first = r->n_hand;
        ok = walk(r, &e[from], to - from, reached);
        int root = e[from].class - 1;
        for (int k = first; k < r->n_hand; k++) {
            r->hand[k].is_moment = e[from].class == 0 || s->slot[root].is_vector;
        }
    }
    free(e);
    free(reached);
    return ok;
}

static bool create_markers(struct reaction_plan *r, const natural *tab, const plan *p)
{
    r->marker = calloc((size_t)p->n_marker + 1, sizeof *r->marker);
    r->group = calloc((size_t)p->n_row_group + 1, sizeof *r->group);
    r->list = malloc(((size_t)p->n_list + 1) * sizeof *r->list);
    if (!r->marker || !r->group || !r->list) {
        return false;
    }
    for (int m = 0; m < p->n_marker; m++) {
        const marker *k = &p->marker[m];
        body_marker *b = &r->marker[m];
        *b = (body_marker){ k->body, k->dof, marker_width(k->kind), k->frame, -1, k->kind, k->at, false };
        if (k->kind == MARKER_JOINT) {
            bi_joint_kind kind = p->model->joint[k->joint].def.kind;
            b->is_angle = model_is_angle(kind, k->coordinate);
        }
        for (int i = 0; i < tab->n_flex_marker && k->node != 0; i++) {
            b->flex = tab->flex_marker[i].dof == k->dof ? i : b->flex;
        }
    }
    r->n_marker = p->n_marker;
    for (int k = 0; k < p->n_list; k++) {
        r->list[k] = p->list[k];
    }
    for (int g = 0; g < p->n_row_group; g++) {
        const row_group *from = &p->row[g];
        int joint = from->joint;
        r->group[g] =
            (struct row_force){ from->first,    from->count,
                                from->gradient, from->width,
                                joint,          joint >= 0 ? p->model->joint[joint].def.b.i - 1 : -1,
                                from->marker,   from->n_marker };
    }
    r->n_group = p->n_row_group;
    return true;
}

bool reactions_create(natural *tab, const plan *p, const sharing *s, const bases *base)
{
    struct reaction_plan *r = calloc(1, sizeof *r);
    tab->reaction = r;
    if (!r) {
        return false;
    }
    r->n_joint = p->model->n_joint;
    r->n_dof = p->n_dof;
    r->J = calloc((size_t)tab->n_body, sizeof *r->J);
    r->point = calloc((size_t)r->n_joint + 1, sizeof *r->point);
    bool ok = r->J && r->point && create_nodes(r, tab, s, base) && create_hands(r, tab, s) &&
              create_markers(r, tab, p) && fixed_reactions_create(tab, p);
    for (int b = 0; ok && b < tab->n_body; b++) {
        mass_moments(&p->model->body[b].def, r->J[b]);
    }
    for (int j = 0; ok && j < r->n_joint; j++) {
        r->point[j].body = p->model->joint[j].def.b.i - 1;
        r->point[j].at = model_joint_frames(p->model, j).at_b;
        // an effort on a distance acts through the row that defines it
        r->point[j].axis = joint_is_distance(p->model->joint[j].def.kind)
                               ? (vec3){ 0.0, 0.0, 0.0 }
                               : model_joint_frames(p->model, j).axis_b;
        int node = model_moved_node(p->model, r->point[j].body, r->point[j].at);
        r->point[j].dof = -1;
        for (int m = 0; node > 0 && m < p->n_marker; m++) {
            const marker *k = &p->marker[m];
            bool is_it = k->kind == MARKER_POINT && k->body == r->point[j].body && k->node == node;
            r->point[j].dof = is_it ? k->dof : r->point[j].dof;
        }
    }
    return ok;
}

size_t natural_reactions_scratch(const void *table)
{
    const natural *tab = table;
    const struct reaction_plan *r = tab->reaction;
    return 3 * (size_t)(r->n_node + 6 * tab->n_body + r->n_joint) + (size_t)r->n_dof;
}

void reactions_destroy(natural *tab)
{
    struct reaction_plan *r = tab->reaction;
    fixed_reactions_destroy(tab);
    if (!r) {
        return;
    }
    free(r->node);
    free(r->entity);
    free(r->tie);
    free(r->dot_body);
    free(r->hand);
    free(r->marker);
    free(r->group);
    free(r->list);
    free(r->J);
    free(r->point);
    free(r);
}

// ---- at work ---------------------------------------------------------------------------------------------------

// What the inertia of a rigid body needs on its four columns.
static void inertia_columns(const natural *tab, int b, double J[4][4], const coords *at, vec3 column[4])
{
    vec3 second[4];
    for (int k = 0; k < 4; k++) {
        second[k] = column_value(&tab->body[b], k, at->a);
    }
    for (int k = 0; k < 4; k++) {
        column[k] = (vec3){ 0.0, 0.0, 0.0 };
        for (int l = 0; l < 4; l++) {
            column[k] = vec3_add_scaled(column[k], J[k][l], second[l]);
        }
    }
}

// An effort on a marker taken from the columns of its body.
static void take_effort(const natural *tab, const body_marker *m, const coords *at, const motion *mo,
                        const double *f, vec3 *column)
{
    vec3 force = tray_vec3(f);
    if (m->flex >= 0) {
        double part[12 + FLEX_MODES];
        flexible_expand(tab, &tab->flex_marker[m->flex], at, mo, f, part);
        for (int k = 0; k < 4; k++) {
            column[k] = vec3_sub(column[k], tray_vec3(&part[3 * k]));
        }
        return;
    }
    if (m->kind != MARKER_VECTOR) {
        column[0] = vec3_sub(column[0], force);
    }
    column[1] = vec3_add_scaled(column[1], -m->at.x, force);
    column[2] = vec3_add_scaled(column[2], -m->at.y, force);
    column[3] = vec3_add_scaled(column[3], -m->at.z, force);
    if (m->kind == MARKER_FRAME) {
        vec3 moment = tray_vec3(&f[3]);
        for (int k = 0; k < 3; k++) {
            vec3 part = vec3_cross(moment, mo->axes[m->frame].col[k]);
            column[1 + k] = vec3_add_scaled(column[1 + k], -0.5, part);
        }
    }
}

// Efforts of laws and of the constraint rows together, per marker.
static void gather_efforts(const struct reaction_plan *r, const coords *at, const load *in, const rows *ro,
                           double *effort)
{
    memcpy(effort, in->effort, (size_t)r->n_dof * sizeof *effort);
    for (int g = 0; g < r->n_group; g++) {
        const struct row_force *group = &r->group[g];
        for (int k = 0; k < group->count; k++) {
            const double *gradient = &ro->gradient[group->gradient + k * group->width];
            double lambda = at->lambda[group->first + k];
            for (int m = 0; m < group->n_marker; m++) {
                const body_marker *b = &r->marker[r->list[group->marker + m]];
                for (int i = 0; i < b->width; i++) {
                    effort[b->dof + i] -= lambda * *gradient++;
                }
            }
        }
    }
}

static void add_node(const work *w, int at, bool is_vector, vec3 entity, vec3 force)
{
    if (at >= 0) {
        w->sum[at] = vec3_add(w->sum[at], is_vector ? vec3_cross(entity, force) : force);
    }
}

// From columns to entities; a planar body also holds its constant axis.
static void columns_to_entities(const natural *tab, const struct reaction_plan *r, int b, const coords *at,
                                work *w)
{
    const natural_body *body = &tab->body[b];
    const vec3 *column = &w->column[4 * b];
    vec3 on_axis = { 0.0, 0.0, 0.0 };
    for (int e = 0; e < body->n_entity; e++) {
        const entity_node *node_of = &r->entity[b * BODY_ENTITIES + e];
        vec3 x = tray_vec3(&at->q[node_of->q]), force = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < 4; k++) {
            force = vec3_add_scaled(force, body->S[e][k], column[k]);
            force = vec3_add_scaled(force, body->T[e][k], vec3_cross(column[k], body->n));
            on_axis = vec3_add_scaled(on_axis, body->T[e][k], vec3_cross(x, column[k]));
        }
        add_node(w, node_of->node, node_of->is_vector, x, force);
    }
    if (body->kind == BODY_PLANAR) {
        add_node(w, r->entity[b * BODY_ENTITIES + 2].node, true, body->n, on_axis);
    }
}

static void add_dot_forces(const natural *tab, const struct reaction_plan *r, const coords *at, work *w)
{
    for (int k = 0; k < tab->n_dot; k++) {
        const dot_row *d = &tab->dot[k];
        const int end[4] = { d->a, d->b, d->c, d->d };
        double push = at->lambda[tab->first_rigid + k] * d->scale;
        vec3 left = vec3_sub(tray_vec3(&at->q[d->a]), tray_vec3(&at->q[d->b]));
        vec3 right = vec3_sub(tray_vec3(&at->q[d->c]), tray_vec3(&at->q[d->d]));
        const vec3 part[4] = { right, vec3_neg(right), left, vec3_neg(left) };
        for (int i = 0; i < 4; i++) {
            for (int e = 0; e < tab->body[r->dot_body[k]].n_entity; e++) {
                const entity_node *n = &r->entity[r->dot_body[k] * BODY_ENTITIES + e];
                if (n->q == end[i]) {
                    add_node(w, n->node, n->is_vector, tray_vec3(&at->q[n->q]), vec3_scale(push, part[i]));
                }
            }
        }
    }
}

static void add_tie_forces(const struct reaction_plan *r, const coords *at, work *w)
{
    for (int k = 0; k < r->n_tie; k++) {
        const tie_node *t = &r->tie[k];
        vec3 lambda = tray_vec3(&at->lambda[t->first]);
        add_node(w, t->node, t->is_vector, tray_vec3(&at->q[t->q]), lambda);
        for (int i = 0; i < 4; i++) {
            vec3 *column = &w->column[4 * t->body + i];
            *column = vec3_add_scaled(*column, -t->sign * t->weight[i], lambda);
        }
    }
}

// An effort on the joint's own coordinate: a force along its axis, or a moment about it.
static void add_axis_effort(const natural *tab, const struct joint_point *joint, const coords *at,
                            bool is_angle, double effort, bi_wrench *out)
{
    const double axis[3] = { joint->axis.x, joint->axis.y, joint->axis.z };
    vec3 *to = is_angle ? &out->moment : &out->force;
    for (int k = 0; k < 3; k++) {
        *to = vec3_add_scaled(*to, effort * axis[k], column_value(&tab->body[joint->body], 1 + k, at->q));
    }
}

// The rows that belong to a joint act on its second body directly.
static void add_row_forces(const natural *tab, const struct reaction_plan *r, const coords *at,
                           const motion *mo, const rows *ro, const vec3 *where, bi_wrench *out)
{
    for (int g = 0; g < r->n_group; g++) {
        const struct row_force *group = &r->group[g];
        if (group->joint < 0) {
            continue;
        }
        bi_wrench *w = &out[group->joint];
        for (int k = 0; k < group->count; k++) {
            const double *gradient = &ro->gradient[group->gradient + k * group->width];
            double lambda = at->lambda[group->first + k];
            for (int m = 0; m < group->n_marker; m++) {
                const body_marker *b = &r->marker[r->list[group->marker + m]];
                vec3 force = vec3_scale(-lambda, b->width >= 3 ? tray_vec3(gradient) : (vec3){ 0, 0, 0 });
                double effort = -lambda * *gradient;
                gradient += b->width;
                if (b->kind == MARKER_JOINT) {
                    add_axis_effort(tab, &r->point[group->joint], at, b->is_angle, effort, w);
                }
                if (b->marker_body != group->body_b || b->width < 3) {
                    continue;
                }
                vec3 value = tray_vec3(&mo->value[b->dof]);
                if (b->kind == MARKER_POINT) {
                    w->force = vec3_add(w->force, force);
                    w->moment = vec3_add(w->moment, vec3_cross(vec3_sub(value, where[group->joint]), force));
                } else {
                    w->moment = vec3_add(w->moment, vec3_cross(value, force));
                }
            }
        }
    }
}

static work cut(const struct reaction_plan *r, int n_body, double *scratch)
{
    work w;
    w.sum = (vec3 *)scratch;
    w.column = w.sum + r->n_node;
    w.where = w.column + 4 * n_body;
    w.lack = (bi_wrench *)(w.where + r->n_joint);
    w.effort = (double *)(w.lack + n_body);
    memset(w.sum, 0, (size_t)r->n_node * sizeof *w.sum);
    return w;
}

// Where the reaction of each joint is given: its point on the second body.
static void joint_places(const natural *tab, const struct reaction_plan *r, const coords *at,
                         const motion *mo, vec3 *where)
{
    for (int j = 0; j < r->n_joint; j++) {
        const natural_body *b = &tab->body[r->point[j].body];
        const double p[4] = { 1.0, r->point[j].at.x, r->point[j].at.y, r->point[j].at.z };
        where[j] = (vec3){ 0.0, 0.0, 0.0 };
        for (int k = 0; k < 4; k++) {
            where[j] = vec3_add_scaled(where[j], p[k], column_value(b, k, at->q));
        }
        where[j] = r->point[j].dof >= 0 ? tray_vec3(&mo->value[r->point[j].dof]) : where[j];
    }
}

void natural_reactions(const void *table, const coords *at, const motion *mo, const load *in, const rows *ro,
                       double *scratch, bi_wrench *out)
{
    const natural *tab = table;
    const struct reaction_plan *r = tab->reaction;
    work w = cut(r, tab->n_body, scratch);

    // what every body lacks, on its columns and then on its entities
    gather_efforts(r, at, in, ro, w.effort);
    for (int b = 0; b < tab->n_body; b++) {
        inertia_columns(tab, b, r->J[b], at, &w.column[4 * b]);
    }
    for (int f = 0; f < tab->n_flex; f++) {
        flexible_inertia_columns(tab, f, at, mo, &w.column[4 * tab->flex[f].body]);
    }
    for (int m = 0; m < r->n_marker; m++) {
        const body_marker *k = &r->marker[m];
        if (k->marker_body >= 0 && k->kind != MARKER_MODE) {
            take_effort(tab, k, at, mo, &w.effort[k->dof], &w.column[4 * k->marker_body]);
        }
    }
    add_tie_forces(r, at, &w);
    for (int b = 0; b < tab->n_body; b++) {
        columns_to_entities(tab, r, b, at, &w);
    }
    add_dot_forces(tab, r, at, &w);

    // each joint hands over what its side of the shared entity lacks
    for (int j = 0; j < r->n_joint; j++) {
        out[j] = (bi_wrench){ { 0, 0, 0 }, { 0, 0, 0 } };
    }
    for (int k = r->n_hand - 1; k >= 0; k--) {
        const hand_over *h = &r->hand[k];
        vec3 *to = h->is_moment ? &out[h->joint].moment : &out[h->joint].force;
        *to = vec3_add_scaled(*to, h->sign, w.sum[h->child]);
        if (h->parent >= 0) {
            w.sum[h->parent] = vec3_add(w.sum[h->parent], w.sum[h->child]);
        }
    }
    joint_places(tab, r, at, mo, w.where);
    fixed_reactions(tab, at, w.column, w.where, w.lack, out);
    add_row_forces(tab, r, at, mo, ro, w.where, out);
}
