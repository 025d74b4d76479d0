// SPDX-License-Identifier: MIT
// Joints: two places become one, components are held, and only what is left needs equations.
#include "exact/bridge/bridge.h"

// Drafts that joints have turned against each other would make the hinge's own z axis wrong: only a free turn is laid.
static bool is_free_turn(const bi_yardstick *g, int turn)
{
    const draft_turn *t = &g->turn[draft_turn_of(g, turn)];
    return t->held == 0 && !t->is_driven;
}

static bool has_offset(spot s) { return vec3_norm(s.offset) > 0.0; }

static void hold_spot(bi_yardstick *g, spot s) { g->place[draft_place_of(g, s.place)].held |= YARD_ALL; }

static void join_places(bi_yardstick *g, spot a, spot b)
{
    int p = draft_place_of(g, a.place), q = draft_place_of(g, b.place);
    if (a.is_ground && !has_offset(b)) {
        hold_spot(g, b);
        g->place[a.place].is_dropped = true;
    } else if (b.is_ground && !has_offset(a)) {
        hold_spot(g, a);
        g->place[b.place].is_dropped = true;
    } else if (!has_offset(a) && !has_offset(b)) {
        if (p != q) {
            g->place[p].held |= g->place[q].held;
            g->place[q].into = p;
        }
    } else {
        *pending_add(g) = (pending){ .kind = PENDING_JOIN, .a = a, .b = b };
    }
}

// In space the two turns share an axis; in a plane they always do.
static void join_axes(bi_yardstick *g, spot a, spot b, vec3 axis)
{
    spot moving = a.is_ground ? b : a;
    if (g->is_planar) {
        return;
    }
    if ((a.is_ground || b.is_ground) && is_free_turn(g, moving.turn)) {
        // the turn's own z is laid along the axis: two held components are the hinge
        draft_turn *t = &g->turn[draft_turn_of(g, moving.turn)];
        vec3 x = vec3_perpendicular(axis);
        t->rot = quat_from_mat3((mat3){ { x, vec3_cross(axis, x), axis } });
        t->held = YARD_X | YARD_Y;
        return;
    }
    *pending_add(g) = (pending){ .kind = PENDING_HINGE, .a = a, .b = b, .axis = axis };
}

static void join_turns(bi_yardstick *g, spot a, spot b)
{
    int p = draft_turn_of(g, a.turn), q = draft_turn_of(g, b.turn);
    if (a.is_ground || b.is_ground) {
        g->turn[a.is_ground ? q : p].held = YARD_ALL;
    } else if (is_free_turn(g, p) && is_free_turn(g, q) && p != q) {
        g->turn[q].into = p;
    } else {
        *pending_add(g) = (pending){ .kind = PENDING_ALIGN, .a = a, .b = b };
    }
}

// b stays on the line through a's point; along a ground axis two held components do it.
static void join_line(bi_yardstick *g, spot a, spot b, vec3 axis)
{
    spot moving = a.is_ground ? b : a;
    if ((a.is_ground || b.is_ground) && !has_offset(moving)) {
        const double *e = &axis.x;
        for (int k = 0; k < 3; k++) {
            if (fabs(fabs(e[k]) - 1.0) < 1e-12) {
                g->place[draft_place_of(g, moving.place)].held |= (unsigned)YARD_ALL & ~(1u << k);
                g->place[a.is_ground ? a.place : b.place].is_dropped = true;
                return;
            }
        }
    }
    vec3 z = { 0.0, 0.0, 1.0 };
    vec3 u = g->is_planar ? vec3_cross(z, axis) : vec3_perpendicular(axis);
    *pending_add(g) = (pending){ .kind = PENDING_GUIDE, .a = a, .b = b, .axis = u };
    if (!g->is_planar) {
        *pending_add(g) = (pending){ .kind = PENDING_GUIDE, .a = a, .b = b, .axis = vec3_cross(axis, u) };
    }
}

// What has no counterpart is refused before.
static void join(bi_yardstick *g, const joint_kind *kind, spot a, spot b, vec3 axis, vec3 axis_b)
{
    switch (kind->place) {
    case JOINT_PLACE_POINT: join_places(g, a, b); break;
    case JOINT_PLACE_LINE: join_line(g, a, b, axis); break;
    case JOINT_PLACE_FREE:
    case JOINT_PLACE_PLANE:
    case JOINT_PLACE_DISTANCE: break;
    }
    switch (kind->turn) {
    case JOINT_TURN_FREE: break;
    case JOINT_TURN_AXIS: join_axes(g, a, b, axis); break;
    case JOINT_TURN_CROSS:
        *pending_add(g) =
            (pending){ .kind = PENDING_PERPENDICULAR, .a = a, .b = b, .axis = axis, .other = axis_b };
        break;
    case JOINT_TURN_NONE: join_turns(g, a, b); break;
    }
}

static bool has_counterpart(bi_joint_kind kind)
{
    joint_place place = joint_of(kind)->place;
    return (place == JOINT_PLACE_POINT || place == JOINT_PLACE_LINE) && !joint_has_pitch(kind);
}

static void draft_joint(bi_yardstick *g, int j)
{
    const model_joint *joint = &g->m->joint[j];
    const bi_joint_def *d = &joint->def;
    const joint_kind *kind = joint_of(d->kind);
    if (joint_is_free(d->kind)) {
        return;
    }
    if (!has_counterpart(d->kind)) {
        bridge_complain(
            g, joint->place, d->name,
            "%s joints have no counterpart in the nonlinear finite elements; known are fixed, revolute, "
            "spherical, universal, prismatic, cylindrical and free",
            kind->name);
        return;
    }
    bi_joint_def start = *d;
    start.hold = false;
    if (model_joint_is_set(&start)) {
        bridge_complain(
            g, joint->place, d->name,
            "starts with a value or rate of its own; describe the bodies where they start, at rest");
    }
    model_joint_frame f = model_joint_frames(g->m, j);
    spot a = body_spot(g, d->a.i - 1, f.at_a, joint->place, d->name);
    spot b = body_spot(g, d->b.i - 1, f.at_b, joint->place, d->name);
    if (a.place < 0 || b.place < 0) {
        return;
    }
    vec3 axis = model_described_vector(g->m, d->a, f.axis_a);
    vec3 gap = vec3_sub(model_described_point(g->m, d->b, f.at_b), model_described_point(g->m, d->a, f.at_a));
    vec3 open = kind->place == JOINT_PLACE_LINE ? vec3_add_scaled(gap, -vec3_dot(gap, axis), axis) : gap;
    if (vec3_norm(open) > 1e-6) {
        bridge_complain(
            g, joint->place, d->name,
            "is open by %.3g m as described; give the bodies the pose in which they are assembled",
            vec3_norm(open));
        return;
    }
    g->joint[j] = (joint_spots){ .a = a, .b = b, .axis = axis, .def = d };
    g->joint[j].start = model_coordinate_count(d->kind) == 1 ? model_described_coordinate(g->m, j, 0) : 0.0;
    bool needs_turns = kind->turn != JOINT_TURN_FREE && !(g->is_planar && d->kind == BI_REVOLUTE);
    if (needs_turns && (a.turn < 0 || b.turn < 0)) {
        bridge_complain(
            g, joint->place, d->name,
            "holds the rotation of a node of plane elements, which has none; link the node to others");
        return;
    }
    join(g, kind, a, b, axis, model_described_vector(g->m, d->b, f.axis_b));
}

void joints_draft(bi_yardstick *g)
{
    for (int j = 0; j < g->m->n_joint; j++) {
        draft_joint(g, j);
    }
}

void joints_make(bi_yardstick *g)
{
    for (int k = 0; k < g->n_pending; k++) {
        const pending *p = &g->pending[k];
        yard_node a = bridge_node(g, p->a), b = bridge_node(g, p->b);
        vec3 u = bridge_offset(g, p->a), w = bridge_offset(g, p->b);
        switch (p->kind) {
        case PENDING_JOIN: yard_join(g->y, a, u, b, w); break;
        case PENDING_HINGE: yard_hinge(g->y, a.turn, b.turn, p->axis); break;
        case PENDING_ALIGN: yard_align(g->y, a.turn, b.turn); break;
        case PENDING_GUIDE: yard_guide_point(g->y, a, u, p->axis, b, w); break;
        case PENDING_PERPENDICULAR: yard_perpendicular(g->y, a.turn, p->axis, b.turn, p->other); break;
        case PENDING_SLIDE: yard_drive_point(g->y, a, u, p->axis, b, w, p->drive); break;
        case PENDING_ANGLE: yard_drive_angle(g->y, a.turn, b.turn, p->drive); break;
        }
    }
}
