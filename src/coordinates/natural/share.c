// SPDX-License-Identifier: MIT
#include "coordinates/natural/share.h"
#include "base/list.h"
#include "math/rotation.h"
#include <math.h>
#include <stdlib.h>

// entities closer than this, relative to the size of the mechanism, are the same
static const double same = 1e-9;
// constants reached on two ways may differ by this much before the mechanism contradicts itself: angles of a drawing
static const double contradiction = 1e-6;

bool sharing_create(sharing *s, const bi_model *model)
{
    size_t n = (size_t)model->n_body;
    *s = (sharing){ .model = model };
    s->first = malloc(n * sizeof *s->first);
    s->described = malloc(n * sizeof *s->described);
    s->keeps_axes = calloc(n, sizeof *s->keeps_axes);
    s->axes = malloc(n * sizeof *s->axes);
    if (!s->first || !s->described || !s->keeps_axes || !s->axes) {
        sharing_clear(s);
        return false;
    }
    for (int b = 0; b < model->n_body; b++) {
        s->first[b] = -1;
        s->described[b] = quat_to_mat3(quat_normalized(quat_or_identity(model->body[b].def.pose.rot)));
        s->axes[b] = s->described[b];
        s->size = fmax(s->size, vec3_norm(model->body[b].def.pose.pos));
    }
    for (int j = 0; j < model->n_joint; j++) {
        model_joint_frame f = model_joint_frames(model, j);
        s->size = fmax(s->size, fmax(vec3_norm(f.at_a), vec3_norm(f.at_b)));
    }
    s->size = s->size > 0.0 ? s->size : 1.0;
    s->keeps_axes[0] = true;
    return true;
}

void sharing_clear(sharing *s)
{
    free(s->slot);
    free(s->joined);
    free(s->first);
    free(s->described);
    free(s->keeps_axes);
    free(s->axes);
    *s = (sharing){ 0 };
}

static slot_ref add_slot(sharing *s, slot fresh)
{
    if (!LIST_RESERVE(s->slot, s->n_slot, s->cap_slot)) {
        s->no_memory = true;
        return (slot_ref){ 0, 1.0 };
    }
    int k = s->n_slot++;
    fresh.parent = k;
    fresh.sign = 1.0;
    fresh.next = s->first[fresh.body];
    fresh.is_fixed = fresh.body == 0;
    fresh.q = -1;
    s->slot[k] = fresh;
    s->first[fresh.body] = k;
    return (slot_ref){ k, 1.0 };
}

slot_ref sharing_point(sharing *s, int body, vec3 local)
{
    for (int k = s->first[body]; k >= 0; k = s->slot[k].next) {
        const slot *have = &s->slot[k];
        if (!have->is_vector && vec3_norm(vec3_sub(have->local, local)) <= same * s->size) {
            return (slot_ref){ k, 1.0 };
        }
    }
    vec3 turned = mat3_apply(s->described[body], local);
    vec3 value = vec3_add(s->model->body[body].def.pose.pos, turned);
    return add_slot(s, (slot){ .body = body, .local = local, .value = value });
}

slot_ref sharing_vector(sharing *s, int body, vec3 local)
{
    for (int k = s->first[body]; k >= 0; k = s->slot[k].next) {
        const slot *have = &s->slot[k];
        if (have->is_vector && vec3_norm(vec3_sub(have->local, local)) <= same) {
            return (slot_ref){ k, 1.0 };
        }
        if (have->is_vector && vec3_norm(vec3_add(have->local, local)) <= same) {
            return (slot_ref){ k, -1.0 };
        }
    }
    vec3 value = mat3_apply(s->described[body], local);
    return add_slot(s, (slot){ .body = body, .is_vector = true, .local = local, .value = value });
}

slot_ref sharing_root(const sharing *s, int k)
{
    double sign = 1.0;
    while (s->slot[k].parent != k) {
        sign *= s->slot[k].sign;
        k = s->slot[k].parent;
    }
    return (slot_ref){ k, sign };
}

static const char *body_name(const sharing *s, int slot_index)
{
    return s->model->body[s->slot[slot_index].body].def.name;
}

// A class turns out to be constant; complains when it already was, elsewhere.
static bool fix(sharing *s, int k, vec3 value, const model_joint *because, bi_report *report)
{
    slot_ref root = sharing_root(s, k);
    slot *r = &s->slot[root.slot];
    vec3 own = vec3_scale(root.sign, value);
    if (!r->is_fixed) {
        r->is_fixed = true;
        r->value = own;
        return true;
    }
    double gap = vec3_norm(vec3_sub(r->value, own));
    if (gap > contradiction * (r->is_vector ? 1.0 : s->size)) {
        bi_place place = because ? because->place : s->model->body[s->slot[k].body].place;
        bi_report_add(report, BI_ERROR, BI_CANNOT_ASSEMBLE, place,
                      because ? because->def.name : body_name(s, k),
                      "cannot be assembled: %s of body %s that cannot move would have to be in two places, "
                      "%g %s apart; "
                      "check the positions and axes of its joints",
                      r->is_vector ? "an axis" : "a point", body_name(s, k), gap,
                      r->is_vector ? "(unit vectors)" : "m");
    }
    return false;
}

static void join(sharing *s, slot_ref a, slot_ref b, const model_joint *because, bi_report *report)
{
    slot_ref ra = sharing_root(s, a.slot), rb = sharing_root(s, b.slot);
    double sign = a.sign * ra.sign * b.sign * rb.sign; // root a = sign * root b
    if (ra.slot == rb.slot) {
        if (sign < 0.0) {
            bi_report_add(
                report, BI_ERROR, BI_CANNOT_ASSEMBLE, because->place, because->def.name,
                "cannot be assembled: the axis would have to be its own opposite; check axis_a and axis_b");
        }
        return;
    }
    if (s->slot[rb.slot].is_fixed) {
        fix(s, ra.slot, vec3_scale(sign, s->slot[rb.slot].value), because, report);
    }
    // the first root stays; the guess of b is dropped, the assembly finds the rest
    s->slot[rb.slot].parent = ra.slot;
    s->slot[rb.slot].sign = sign;
}

static void join_slots(sharing *s, const model_joint *j, slot_ref a, slot_ref b, bi_report *report)
{
    join(s, a, b, j, report);
    if (!LIST_RESERVE(s->joined, s->n_joined, s->cap_joined)) {
        s->no_memory = true;
        return;
    }
    s->joined[s->n_joined++] = (struct joining){ (int)(j - s->model->joint), a.slot, b.slot };
}

static void join_points(sharing *s, const model_joint *j, vec3 local_a, vec3 local_b, bi_report *report)
{
    slot_ref a = sharing_point(s, j->def.a.i - 1, local_a);
    slot_ref b = sharing_point(s, j->def.b.i - 1, local_b);
    join_slots(s, j, a, b, report);
}

static void join_vectors(sharing *s, const model_joint *j, vec3 local_a, vec3 local_b, bi_report *report)
{
    slot_ref a = sharing_vector(s, j->def.a.i - 1, local_a);
    slot_ref b = sharing_vector(s, j->def.b.i - 1, local_b);
    join_slots(s, j, a, b, report);
}

// Axes across the joint's axis that coincide in the described configuration.
static void join_triad(sharing *s, const model_joint *j, const model_joint_frame *f, bi_report *report)
{
    int a = j->def.a.i - 1, b = j->def.b.i - 1;
    vec3 across_a = vec3_perpendicular(f->axis_a);
    vec3 across_b = mat3_apply_transposed(s->described[b], mat3_apply(s->described[a], across_a));
    across_b = vec3_normalized(vec3_add_scaled(across_b, -vec3_dot(across_b, f->axis_b), f->axis_b));
    join_vectors(s, j, f->axis_a, f->axis_b, report);
    join_vectors(s, j, across_a, across_b, report);
    join_vectors(s, j, vec3_cross(f->axis_a, across_a), vec3_cross(f->axis_b, across_b), report);
}

static void join_joint(sharing *s, int index, bi_report *report)
{
    const model_joint *j = &s->model->joint[index];
    model_joint_frame f = model_joint_frames(s->model, index);
    const joint_kind *kind = joint_of(j->def.kind);
    if (kind->place == JOINT_PLACE_POINT) {
        join_points(s, j, f.at_a, f.at_b, report);
    }
    switch (kind->turn) {
    case JOINT_TURN_AXIS: join_vectors(s, j, f.axis_a, f.axis_b, report); break;
    case JOINT_TURN_NONE: join_triad(s, j, &f, report); break;
    case JOINT_TURN_FREE:
    case JOINT_TURN_CROSS: break;
    }
}

// ---- what never moves -----------------------------------------------------------------------------

typedef struct {
    vec3 local, ground;
} direction;

// Constant directions of a body, independent ones only: fixed vectors and differences of fixed points.
static int fixed_directions(const sharing *s, int body, direction found[2])
{
    int count = 0, first_point = -1;
    for (int k = s->first[body]; k >= 0 && count < 2; k = s->slot[k].next) {
        slot_ref root = sharing_root(s, k);
        if (!s->slot[root.slot].is_fixed) {
            continue;
        }
        direction d = { s->slot[k].local, vec3_scale(root.sign, s->slot[root.slot].value) };
        if (!s->slot[k].is_vector) {
            if (first_point < 0) {
                first_point = k;
                continue;
            }
            d.local = vec3_sub(d.local, s->slot[first_point].local);
            d.ground = vec3_sub(d.ground, s->slot[sharing_root(s, first_point).slot].value);
        }
        d.local = vec3_normalized(d.local);
        d.ground = vec3_normalized(d.ground);
        // independent of the first one: more than a milliradian apart
        if (count == 0 || vec3_norm(vec3_cross(found[0].local, d.local)) > 1e-3) {
            found[count++] = d;
        }
    }
    return count;
}

static mat3 triad(vec3 first, vec3 second)
{
    vec3 third = vec3_normalized(vec3_cross(first, second));
    return (mat3){ { first, vec3_cross(third, first), third } };
}

// One pass: bodies that turn out not to rotate fix their vectors, and then, with one fixed point, all points.
static bool propagate(sharing *s, bi_report *report)
{
    bool changed = false;
    for (int b = 1; b < s->model->n_body; b++) {
        direction d[2];
        if (!s->keeps_axes[b] && fixed_directions(s, b, d) == 2) {
            s->keeps_axes[b] = changed = true;
            s->axes[b] = mat3_multiply(triad(d[0].ground, d[1].ground),
                                       mat3_transposed(triad(d[0].local, d[1].local)));
        }
        if (!s->keeps_axes[b]) {
            continue;
        }
        int anchor = -1;
        for (int k = s->first[b]; k >= 0; k = s->slot[k].next) {
            if (s->slot[k].is_vector) {
                changed |= fix(s, k, mat3_apply(s->axes[b], s->slot[k].local), NULL, report);
            } else if (s->slot[sharing_root(s, k).slot].is_fixed) {
                anchor = k;
            }
        }
        for (int k = s->first[b]; k >= 0 && anchor >= 0; k = s->slot[k].next) {
            if (!s->slot[k].is_vector) {
                vec3 arm = vec3_sub(s->slot[k].local, s->slot[anchor].local);
                vec3 at = vec3_add(s->slot[sharing_root(s, anchor).slot].value, mat3_apply(s->axes[b], arm));
                changed |= fix(s, k, at, NULL, report);
            }
        }
    }
    return changed;
}

void sharing_solve(sharing *s, bi_report *report)
{
    for (int j = 0; j < s->model->n_joint; j++) {
        // a node that modes move is no constant point of its body: rows hold it
        if (!model_joint_is_flexible(s->model, j)) {
            join_joint(s, j, report);
        }
    }
    int errors = report->errors;
    while (!s->no_memory && report->errors == errors && propagate(s, report)) {
    }
}
