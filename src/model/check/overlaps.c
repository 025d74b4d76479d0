// SPDX-License-Identifier: MIT
// Shapes of contacts that lie inside each other: what a user has described by mistake.
#include "geom/broad.h"
#include "geom/work.h"
#include "math/rotation.h"
#include "model/shape_query.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// of the thickness of the thinner shape: what is less deep is weight that rests, what is deeper cannot be meant
static const double noted = 0.05, refused = 0.5;
enum { MOST_POINTS = 64, MOST_TOLD = 5, MOST_PIECES = 65536 };

// A shape of a contact where it is.
typedef struct {
    const model_shape *shape;
    geom_pose pose;
    geom_box box;
    bool is_in_a, is_in_b;
} placed;

typedef struct {
    const bi_model *m;
    const model_element *contact;
    placed *item;
    int n, n_told;
    bool is_among; // all of a
    bi_report *report;
} search;

static double thickness_of(const model_shape *s)
{
    if (s->form.kind == GEOM_PLANE || s->form.kind == GEOM_FIELD) {
        return INFINITY;
    }
    geom_pose home = geom_pose_identity();
    geom_box box = geom_shape_bounds(&s->form, &home);
    vec3 size = vec3_sub(box.high, box.low);
    return fmin(size.x, fmin(size.y, size.z));
}

static bool is_rough(const geom_shape *s) { return s->kind == GEOM_MESH || s->kind == GEOM_FIELD; }

static bool is_endless(const geom_shape *s) { return s->kind == GEOM_PLANE || s->kind == GEOM_FIELD; }

// How deep a point is in a shape that has an inside; 0: not at all.
static double depth_in(const placed *p, vec3 point)
{
    const geom_shape *form = &p->shape->form;
    if (form->kind == GEOM_MESH && !form->mesh->is_closed) {
        return 0.0;
    }
    return fmax(0.0, -geom_shape_near(form, &p->pose, point).distance);
}

// How deep the middle of p is in q, a mesh or a field; of rings the middle is not their own.
static double depth_of_middle(const placed *p, const placed *q)
{
    if (!is_rough(&q->shape->form) || is_endless(&p->shape->form)) {
        return 0.0;
    }
    geom_pose home = geom_pose_identity();
    geom_box box = geom_shape_bounds(&p->shape->form, &home);
    vec3 middle = geom_outside(&p->pose, vec3_scale(0.5, vec3_add(box.low, box.high)));
    return depth_in(p, middle) > 0.0 ? depth_in(q, middle) : 0.0;
}

// All that touches, with room for triangles where they are needed. False: no memory, or no triangles.
static bool collide(const placed *p, const placed *q, geom_contacts *list)
{
    const geom_shape *a = &p->shape->form, *b = &q->shape->form;
    bool is_plane_a = a->kind == GEOM_PLANE, is_plane_b = b->kind == GEOM_PLANE;
    const geom_mesh *mesh_a = is_plane_a ? b->mesh : a->mesh,
                    *mesh_b = is_plane_a || is_plane_b ? NULL : b->mesh;
    bool needs_room = geom_meets_by_meshes(a, b);
    if (needs_room && !(mesh_a && (mesh_b || is_plane_a || is_plane_b))) {
        return false; // a mistake that was told elsewhere
    }
    geom_work work, *room = NULL;
    void *memory = NULL;
    if (needs_room) {
        int pieces = 4 * (mesh_a->n_triangle + (mesh_b ? mesh_b->n_triangle : 0));
        pieces = pieces > MOST_PIECES || pieces < 0 ? MOST_PIECES : pieces;
        arena measure = { 0 };
        geom_work_take(&work, &measure, mesh_a, mesh_b, pieces);
        memory = calloc(1, measure.used + 64);
        if (!memory) {
            return false;
        }
        arena cut = { memory, 0, measure.used + 64, false };
        geom_work_take(&work, &cut, mesh_a, mesh_b, pieces);
        room = &work;
    }
    spare own = { malloc(geom_room(a, b)), 0, geom_room(a, b) };
    list->room = &own;
    if (own.memory) {
        geom_collide(a, &p->pose, b, &q->pose, room, list);
    }
    list->room = NULL;
    free(own.memory);
    free(memory);
    return own.memory != NULL;
}

// The largest depth; 0: none.
static double depth_of(const placed *p, const placed *q)
{
    const geom_shape *a = &p->shape->form, *b = &q->shape->form;
    if (is_endless(a) && is_endless(b)) {
        return 0.0;
    }
    double most = fmax(depth_of_middle(p, q), depth_of_middle(q, p));
    if (geom_are_bounds_apart(a, &p->pose, b, &q->pose)) {
        return most;
    }
    double apart = geom_meets_by_meshes(a, b) ? NAN : geom_distance(a, &p->pose, b, &q->pose).distance;
    if (isfinite(apart)) {
        return fmax(most, -apart);
    }
    geom_contact item[MOST_POINTS];
    geom_contacts list = { .item = item, .capacity = MOST_POINTS };
    bool has_looked = collide(p, q, &list);
    for (int k = 0; k < list.count && has_looked; k++) {
        most = fmax(most, item[k].depth);
    }
    // one surface around the other: no patch tells how deep
    return list.is_contained ? fmax(most, fmin(thickness_of(p->shape), thickness_of(q->shape))) : most;
}

// The joint between the bodies of two shapes; NULL: none.
static const char *joint_between(const bi_model *m, const placed *p, const placed *q)
{
    int a = p->shape->def.body.i, b = q->shape->def.body.i;
    for (int j = 0; j < m->n_joint; j++) {
        const bi_joint_def *d = &m->joint[j].def;
        if ((d->a.i == a && d->b.i == b) || (d->a.i == b && d->b.i == a)) {
            return d->name;
        }
    }
    return NULL;
}

static void tell(search *s, const placed *p, const placed *q, double depth, double thickness)
{
    bool is_refused = depth > refused * thickness;
    if (s->n_told++ >= MOST_TOLD && !is_refused) {
        return;
    }
    const char *joint = joint_between(s->m, p, q);
    bi_report_add(
        s->report, is_refused ? BI_ERROR : BI_NOTE, is_refused ? BI_BAD_MODEL : BI_OK, s->contact->place,
        s->contact->name, "%s and %s start %.3g m inside each other, %.0f %% of the thinner one: %s%s%s",
        p->shape->def.name, q->shape->def.name, depth, 100.0 * depth / thickness,
        joint        ? "joint "
        : is_refused ? "move them apart"
                     : "they are pushed apart slowly (5 mm/s) as soon as the run begins",
        joint ? joint : "",
        joint ? " holds their bodies there, and the contact works against it: leave one of the two out of a "
                "or b, or make it smaller"
              : "");
}

static void ask(search *s, const placed *p, const placed *q)
{
    bool is_listed = s->is_among || (p->is_in_a && q->is_in_b) || (p->is_in_b && q->is_in_a);
    if (!is_listed || p->shape->def.body.i == q->shape->def.body.i || !broad_overlap(&p->box, &q->box)) {
        return;
    }
    double depth = depth_of(p, q), thickness = fmin(thickness_of(p->shape), thickness_of(q->shape));
    if (depth > noted * thickness) {
        tell(s, p, q, depth, thickness);
    }
}

static int compare_low(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    // names of shapes are in order of their places: the same every time
    return p->box.low.x != q->box.low.x ? (p->box.low.x < q->box.low.x ? -1 : 1)
           : p->shape != q->shape       ? (p->shape < q->shape ? -1 : 1)
                                        : 0;
}

typedef enum { LIST_A, LIST_B } list_side;

// Adds the shapes of a list; those that are broken are told elsewhere.
static void place_list(const bi_model *m, const bi_pose *pose, const bi_shapes *list, list_side side,
                       search *s)
{
    for (int k = 0; k < list->count; k++) {
        int i = list->item[k].i - 1;
        const model_shape *shape = i >= 0 && i < m->n_shape ? &m->shape[i] : NULL;
        if (!shape || shape->mistake) {
            continue;
        }
        const bi_pose *body = &pose[shape->def.body.i - 1];
        geom_pose frame = { quat_to_mat3(body->rot), body->pos };
        placed *p = &s->item[s->n++];
        *p = (placed){ .shape = shape, .is_in_a = side == LIST_A, .is_in_b = side == LIST_B };
        p->pose = (geom_pose){ mat3_multiply(frame.rot, shape->in_body.rot),
                               geom_outside(&frame, shape->in_body.pos) };
        p->box = geom_shape_bounds(&shape->form, &p->pose);
        // a field is solid below
        p->box.low.z = shape->form.kind == GEOM_FIELD ? -INFINITY : p->box.low.z;
    }
}

static const bi_shapes *list_of(const model_element *e, const char *name)
{
    for (int k = 0; k < e->kind->n_field; k++) {
        const bi_field *f = &e->kind->field[k];
        if (f->type == BI_FIELD_SHAPES && strcmp(f->key, name) == 0) {
            return model_field(e, f);
        }
    }
    return NULL;
}

// Swept along x.
static void ask_all(search *s)
{
    qsort(s->item, (size_t)s->n, sizeof *s->item, compare_low);
    for (int i = 0; i < s->n; i++) {
        for (int k = i + 1; k < s->n && s->item[k].box.low.x <= s->item[i].box.high.x; k++) {
            bool is_before = s->item[i].shape < s->item[k].shape;
            ask(s, &s->item[is_before ? i : k], &s->item[is_before ? k : i]);
        }
    }
}

void model_overlaps(const bi_model *m, const bi_pose *pose, bi_report *report)
{
    for (int e = 0; e < m->n_element; e++) {
        const model_element *contact = &m->element[e];
        const bi_shapes *a = list_of(contact, "a"), *b = list_of(contact, "b");
        if (!a || !b) {
            continue;
        }
        search s = { .m = m, .contact = contact, .is_among = b->count == 0, .report = report };
        s.item = malloc(((size_t)a->count + (size_t)b->count + 1) * sizeof *s.item);
        if (!s.item) {
            return;
        }
        place_list(m, pose, a, LIST_A, &s);
        place_list(m, pose, b, LIST_B, &s);
        ask_all(&s);
        if (s.n_told > MOST_TOLD) {
            bi_report_add(report, BI_NOTE, BI_OK, contact->place, contact->name,
                          "%d pairs of shapes start inside each other", s.n_told);
        }
        free(s.item);
    }
}
