// SPDX-License-Identifier: MIT
// From bodies and joints to a tree: which joints are its branches, which ones close loops.
#include "coordinates/joint/joint_tree.h"
#include "base/list.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "model/described.h"
#include "sparse/dense_eigen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- choosing the tree ---------------------------------------------------------------------------------------

// A node that modes move carries nothing: such a joint closes a loop.
static bool can_carry(const bi_model *m, int joint)
{
    const bi_joint_def *d = &m->joint[joint].def;
    return !joint_is_distance(d->kind) && !d->closes_loop && !model_joint_is_flexible(m, joint);
}

// order: bodies in the order they are reached; parent_joint: joint that carries each body, -1: it floats.
bool tree_choose(const bi_model *m, bool *is_tree, int *order, int *parent_joint)
{
    bool *reached = calloc((size_t)m->n_body, sizeof *reached);
    if (!reached) {
        return false;
    }
    memset(is_tree, 0, (size_t)m->n_joint * sizeof *is_tree);
    int count = 0, next = 0;
    reached[0] = true;
    order[count++] = 0;
    for (int start = 0; start < m->n_body; start++) {
        // a body that no joint reaches floats and carries its own neighbours
        if (!reached[start]) {
            reached[start] = true;
            parent_joint[start] = -1;
            order[count++] = start;
        }
        for (; next < count; next++) {
            int body = order[next];
            for (int j = 0; j < m->n_joint; j++) {
                const bi_joint_def *d = &m->joint[j].def;
                int a = d->a.i - 1, b = d->b.i - 1, other = a == body ? b : b == body ? a : -1;
                if (other >= 0 && !reached[other] && can_carry(m, j)) {
                    reached[other] = is_tree[j] = true;
                    parent_joint[other] = j;
                    order[count++] = other;
                }
            }
        }
    }
    free(reached);
    return true;
}

// ---- nodes -------------------------------------------------------------------------------------------------------

static tree_node *add_node(tree *t, node_kind kind, int parent, vec3 at, mat3 turn, vec3 axis)
{
    if (!LIST_RESERVE(t->node, t->n_node, t->cap_node)) {
        t->no_memory = true;
        return NULL;
    }
    tree_node *n = &t->node[t->n_node++];
    *n = (tree_node){
        .kind = kind, .parent = parent, .body = -1, .flex = -1, .at = at, .turn = turn, .axis = axis
    };
    n->n_dof = kind == NODE_WELD ? 0 : kind == NODE_REVOLUTE || kind == NODE_PRISMATIC ? 1 : 3;
    n->q = t->n_dof;
    n->chart = t->n_chart;
    t->n_dof += n->n_dof;
    t->n_chart += kind == NODE_ROTATION ? 4 : 0;
    return n;
}

static mat3 triad(vec3 axis, vec3 across) { return (mat3){ { axis, across, vec3_cross(axis, across) } }; }

static mat3 described_axes(const bi_model *m, int body)
{
    return quat_to_mat3(quat_normalized(quat_or_identity(m->body[body].def.pose.rot)));
}

// A joint seen from the body that carries (parent) to the carried one (child).
typedef struct {
    vec3 at_parent, at_child, axis_parent, axis_child, across_parent, across_child;
    double sign;    // +1 when the child is the joint's second body
    mat3 described; // orientation of the child against the parent
} carried;

static carried seen_from(const bi_model *m, int joint, int child)
{
    const bi_joint_def *d = &m->joint[joint].def;
    model_joint_frame f = model_joint_frames(m, joint);
    bool forward = d->b.i - 1 == child;
    int parent = forward ? d->a.i - 1 : d->b.i - 1;
    return (carried){ forward ? f.at_a : f.at_b,
                      forward ? f.at_b : f.at_a,
                      forward ? f.axis_a : f.axis_b,
                      forward ? f.axis_b : f.axis_a,
                      forward ? f.across_a : f.across_b,
                      forward ? f.across_b : f.across_a,
                      forward ? 1.0 : -1.0,
                      mat3_multiply(mat3_transposed(described_axes(m, parent)), described_axes(m, child)) };
}

static const vec3 nothing = { 0.0, 0.0, 0.0 };

static tree_node *add_turn_nodes(tree *t, const bi_model *m, int joint, int parent, vec3 at, int first,
                                 bool forward);

// The nodes of one joint; its coordinates are angle (0) and position (1, or 0 of a prismatic joint).
static void add_joint_nodes(tree *t, const bi_model *m, int joint, int child, int parent)
{
    carried c = seen_from(m, joint, child);
    vec3 at = parent < 0 ? c.at_parent : vec3_add(t->node[parent].origin, c.at_parent);
    vec3 axis_parent = vec3_scale(c.sign, c.axis_parent), axis_child = vec3_scale(c.sign, c.axis_child);
    // lays the child's axis and its reference direction on those of the parent
    mat3 own = triad(c.axis_child, c.across_child);
    mat3 zero = mat3_multiply(triad(c.axis_parent, c.across_parent), mat3_transposed(own));
    tree_node *n = NULL;
    switch (m->joint[joint].def.kind) {
    case BI_REVOLUTE:
        n = add_node(t, NODE_REVOLUTE, parent, at, zero, axis_child);
        t->joint_q[joint][0] = n ? n->q : -1;
        break;
    case BI_PRISMATIC:
        n = add_node(t, NODE_PRISMATIC, parent, at, c.described, axis_child);
        t->joint_q[joint][0] = n ? n->q : -1;
        break;
    case BI_PLANAR: {
        // two slides across the parent's axis, then a turn about it; ways are told in the axes of a only
        vec3 across = vec3_perpendicular(axis_parent);
        n = add_node(t, NODE_PRISMATIC, parent, at, mat3_identity(), across);
        t->joint_q[joint][1] = n && c.sign > 0.0 ? n->q : -1;
        n = add_node(t, NODE_PRISMATIC, t->n_node - 1, nothing, mat3_identity(),
                     vec3_cross(axis_parent, across));
        t->joint_q[joint][2] = n && c.sign > 0.0 ? n->q : -1;
        n = add_node(t, NODE_REVOLUTE, t->n_node - 1, nothing, zero, axis_child);
        t->joint_q[joint][0] = n ? n->q : -1;
        break;
    }
    case BI_SCREW: // its advance is a row on the two coordinates
    case BI_CYLINDRICAL:
        n = add_node(t, NODE_PRISMATIC, parent, at, mat3_identity(), axis_parent);
        t->joint_q[joint][1] = n ? n->q : -1;
        n = add_node(t, NODE_REVOLUTE, t->n_node - 1, nothing, zero, axis_child);
        t->joint_q[joint][0] = n ? n->q : -1;
        break;
    case BI_UNIVERSAL: {
        // about the parent's axis; then, from its reference direction, about the child's axis
        int of_parent = c.sign > 0.0 ? 0 : 1;
        n = add_node(t, NODE_REVOLUTE, parent, at, mat3_identity(), axis_parent);
        t->joint_q[joint][of_parent] = n ? n->q : -1;
        mat3 from = triad(c.across_parent, c.axis_parent);
        n = add_node(t, NODE_REVOLUTE, t->n_node - 1, nothing, mat3_multiply(from, mat3_transposed(own)),
                     axis_child);
        t->joint_q[joint][1 - of_parent] = n ? n->q : -1;
        break;
    }
    case BI_SPHERICAL: n = add_turn_nodes(t, m, joint, parent, at, 0, c.sign > 0.0); break;
    case BI_FREE: {
        int base = t->n_node;
        n = add_node(t, NODE_TRANSLATION, parent, at, mat3_identity(), nothing);
        for (int i = 0; n && c.sign > 0.0 && i < 3; i++) {
            t->joint_q[joint][i] = n->q + i;
        }
        n = add_turn_nodes(t, m, joint, base, nothing, 3, c.sign > 0.0);
        break;
    }
    case BI_FIXED: n = add_node(t, NODE_WELD, parent, at, c.described, nothing); break;
    case BI_DISTANCE: break; // a row: it carries nobody
    }
    if (n) {
        n->origin = vec3_neg(c.at_child);
    }
}

// A ball: three turns about moving axes where the joint names them, else one rotation from a reference.
static tree_node *add_turn_nodes(tree *t, const bi_model *m, int joint, int parent, vec3 at, int first,
                                 bool forward)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const bi_joint_def *d = &m->joint[joint].def;
    if (!d->angles || !forward) {
        return add_node(t, NODE_ROTATION, parent, at, mat3_identity(), nothing);
    }
    tree_node *n = NULL;
    model_angles order = model_angle_order(d);
    for (int i = 0; i < 3; i++) {
        n = add_node(t, NODE_REVOLUTE, i == 0 ? parent : t->n_node - 1, i == 0 ? at : nothing,
                     mat3_identity(), unit[order.axis[i]]);
        if (n) {
            n->turn_of_three = 1 + i;
            n->order = order;
            t->joint_q[joint][first + i] = n->q;
        }
    }
    return n;
}

static void add_floating_nodes(tree *t)
{
    add_node(t, NODE_TRANSLATION, -1, nothing, mat3_identity(), nothing);
    add_node(t, NODE_ROTATION, t->n_node - 1, nothing, mat3_identity(), nothing);
}

// The last node made carries the body.
static void load_body(tree *t, const bi_model *m, int body)
{
    if (t->no_memory) {
        return;
    }
    tree_node *n = &t->node[t->n_node - 1];
    const bi_body_def *d = &m->body[body].def;
    const double *i = d->inertia;
    n->body = body;
    t->body_node[body] = t->n_node - 1;
    if (d->flex) {
        n->flex = t->n_flex++;
        return; // its inertia moves with its modes
    }
    n->mass = d->mass;
    n->com = vec3_add(n->origin, d->com);
    n->inertia = (sym3){ i[0], i[1], i[2], i[3], i[4], i[5] };
    n->is_diagonal = i[3] == 0.0 && i[4] == 0.0 && i[5] == 0.0;
}

// A thin rod between two balls may spin about itself, and has no inertia for it. Nothing else feels that spin, so a
// little inertia keeps its equation regular and changes no motion (joint.16).
static void steady_idle_spin(tree_node *n)
{
    static const double little = 1e-9, none = 1e-12; // of the largest moment of inertia about the ball
    if (n->kind != NODE_ROTATION || n->body < 0 || n->flex >= 0) {
        return;
    }
    const sym3 *i = &n->inertia;
    vec3 c = n->com;
    double c2 = vec3_dot(c, c), m = n->mass;
    double A[9] = {
        i->xx + m * (c2 - c.x * c.x), i->xy - m * c.x * c.y,        i->zx - m * c.z * c.x,
        i->xy - m * c.x * c.y,        i->yy + m * (c2 - c.y * c.y), i->yz - m * c.y * c.z,
        i->zx - m * c.z * c.x,        i->yz - m * c.y * c.z,        i->zz + m * (c2 - c.z * c.z)
    };
    double value[3], V[9];
    dense_symmetric_eigen(3, A, value, V);
    if (!(value[2] > 0.0) || value[0] > none * value[2] || !(value[1] > none * value[2])) {
        return;
    }
    vec3 l = { V[0], V[3], V[6] };
    double add = little * value[2];
    n->inertia = (sym3){ i->xx + add * l.x * l.x, i->yy + add * l.y * l.y, i->zz + add * l.z * l.z,
                         i->xy + add * l.x * l.y, i->yz + add * l.y * l.z, i->zx + add * l.z * l.x };
    n->is_diagonal = n->inertia.xy == 0.0 && n->inertia.yz == 0.0 && n->inertia.zx == 0.0;
}

// What the step may skip: turns that are none, axes along one of the frame's own.
static void simplify(tree_node *n)
{
    static const mat3 one = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    const double axis[3] = { n->axis.x, n->axis.y, n->axis.z };
    steady_idle_spin(n);
    n->is_turned = false;
    for (int i = 0; i < 3; i++) {
        n->is_turned |= n->turn.col[i].x != one.col[i].x || n->turn.col[i].y != one.col[i].y ||
                        n->turn.col[i].z != one.col[i].z;
    }
    n->along = -1;
    for (int i = 0; i < 3; i++) {
        if (fabs(axis[i]) == 1.0 && axis[(i + 1) % 3] == 0.0 && axis[(i + 2) % 3] == 0.0) {
            n->along = i;
            n->sense = axis[i];
        }
    }
    n->is_centred = n->flex < 0 && n->com.x == 0.0 && n->com.y == 0.0 && n->com.z == 0.0;
    bool slides = n->kind == NODE_PRISMATIC || n->kind == NODE_TRANSLATION;
    n->is_at_parent = !slides && n->parent >= 0 && n->at.x == 0.0 && n->at.y == 0.0 && n->at.z == 0.0;
    const sym3 *i = &n->inertia;
    n->is_empty = n->body < 0 || (n->flex < 0 && n->mass == 0.0 && i->xx == 0.0 && i->yy == 0.0 &&
                                  i->zz == 0.0 && n->is_diagonal);
}

// From the last node on, the first child that comes to a parent without mass brings all that is there. What ends the tree
// is alone, and so is such a parent of one that is.
static void find_first_children(tree *t)
{
    for (int k = 0; k < t->n_node; k++) {
        t->node[k].n_child = 0;
        t->node[k].alone = k;
    }
    for (int k = t->n_node - 1; k >= 0; k--) {
        tree_node *n = &t->node[k];
        n->is_first = n->parent >= 0 && t->node[n->parent].is_empty && t->node[n->parent].n_child == 0;
        if (n->parent >= 0) {
            tree_node *up = &t->node[n->parent];
            up->alone = n->is_first && n->is_at_parent ? n->alone : -1;
            up->n_child++;
        }
    }
}

bool tree_create(tree *t, const bi_model *m)
{
    size_t bodies = (size_t)m->n_body, joints = (size_t)m->n_joint + 1;
    int *order = malloc(bodies * sizeof *order), *parent_joint = malloc(bodies * sizeof *parent_joint);
    *t = (tree){ .body_node = malloc(bodies * sizeof *t->body_node),
                 .is_tree = calloc(joints, sizeof *t->is_tree),
                 .joint_first = malloc(joints * sizeof *t->joint_first),
                 .joint_q = malloc(joints * sizeof *t->joint_q) };
    bool ok = order && parent_joint && t->body_node && t->is_tree && t->joint_first && t->joint_q &&
              tree_choose(m, t->is_tree, order, parent_joint);
    for (int j = 0; ok && j < m->n_joint; j++) {
        t->joint_first[j] = -1;
        for (int i = 0; i < 6; i++) {
            t->joint_q[j][i] = -1;
        }
    }
    if (ok) {
        t->body_node[0] = -1;
    }
    for (int k = 1; ok && k < m->n_body; k++) {
        int body = order[k], joint = parent_joint[body];
        if (joint < 0) {
            add_floating_nodes(t);
        } else {
            const bi_joint_def *d = &m->joint[joint].def;
            int parent = d->a.i - 1 == body ? d->b.i - 1 : d->a.i - 1;
            t->joint_first[joint] = t->n_node;
            add_joint_nodes(t, m, joint, body, t->body_node[parent]);
        }
        load_body(t, m, body);
        ok = !t->no_memory;
    }
    for (int k = 0; ok && k < t->n_node; k++) {
        simplify(&t->node[k]);
    }
    if (ok) {
        find_first_children(t);
    }
    free(order);
    free(parent_joint);
    return ok;
}

void tree_clear(tree *t)
{
    free(t->node);
    free(t->body_node);
    free(t->is_tree);
    free(t->joint_first);
    free(t->joint_q);
    *t = (tree){ 0 };
}

// ---- the described configuration -----------------------------------------------------------------------------------

typedef struct {
    mat3 axes;
    vec3 pos, lin, ang; // origin, its velocity, angular velocity; ground axes
} placed;

// Where the node's motion must take it: the frame of the body at the end of the chain, at the node's own origin.
static placed wanted(const tree *t, const tree_goal *goal, int node)
{
    int last = node;
    while (t->node[last].body < 0) {
        last++;
    }
    int body = t->node[last].body;
    bi_pose pose = goal->pose ? goal->pose[body] : goal->model->body[body].def.pose;
    bi_twist twist = goal->pose ? goal->twist[body] : goal->model->body[body].def.twist;
    mat3 axes = goal->pose ? quat_to_mat3(quat_normalized(pose.rot)) : described_axes(goal->model, body);
    placed w = { axes, nothing, nothing, twist.ang };
    vec3 arm = mat3_apply(w.axes, vec3_neg(t->node[last].origin));
    w.pos = vec3_add(pose.pos, arm);
    w.lin = vec3_add(twist.lin, vec3_cross(w.ang, arm));
    return w;
}

static double angle_about(vec3 axis, mat3 relative)
{
    vec3 across = vec3_perpendicular(axis), turned = mat3_apply(relative, across);
    return described_angle(vec3_dot(axis, vec3_cross(across, turned)), vec3_dot(across, turned));
}

// The first axis of a universal joint turns until the second one points where the child's does.
static double universal_angle(const tree_node *first, const tree_node *second, mat3 relative)
{
    vec3 zero = mat3_apply(second->turn, second->axis), target = mat3_apply(relative, second->axis);
    return math_atan2(vec3_dot(first->axis, vec3_cross(zero, target)), vec3_dot(zero, target));
}

static void describe_slide(const placed *goal, vec3 axis, placed *here, double *q, double *v)
{
    vec3 apart = vec3_sub(goal->pos, here->pos);
    *q = vec3_dot(axis, apart);
    *v = vec3_dot(axis, vec3_sub(vec3_sub(goal->lin, here->lin), vec3_cross(here->ang, apart)));
    vec3 slide = vec3_scale(*q, axis);
    here->pos = vec3_add(here->pos, slide);
    here->lin = vec3_add(here->lin, vec3_add_scaled(vec3_cross(here->ang, slide), *v, axis));
}

// From the parent's point, in its axes, as seen from there.
static void describe_translation(const placed *goal, placed *here, double *q, double *v)
{
    vec3 apart = vec3_sub(goal->pos, here->pos);
    vec3 rate = vec3_sub(vec3_sub(goal->lin, here->lin), vec3_cross(here->ang, apart));
    vec3 place = mat3_apply_transposed(here->axes, apart), slide = mat3_apply_transposed(here->axes, rate);
    here->pos = goal->pos;
    here->lin = goal->lin;
    memcpy(q, &place, sizeof place);
    memcpy(v, &slide, sizeof slide);
}

bool tree_describe(const tree *t, const tree_goal *to, double *q, double *v, double *chart)
{
    placed *at = malloc(((size_t)t->n_node + 1) * sizeof *at);
    if (!at) {
        return false;
    }
    for (int k = 0; k < t->n_node; k++) {
        const tree_node *n = &t->node[k];
        placed base = n->parent < 0 ? (placed){ mat3_identity(), nothing, nothing, nothing } : at[n->parent];
        placed goal = wanted(t, to, k), here;
        vec3 arm = mat3_apply(base.axes, n->at);
        here.axes = mat3_multiply(base.axes, n->turn);
        here.pos = vec3_add(base.pos, arm);
        here.lin = vec3_add(base.lin, vec3_cross(base.ang, arm));
        here.ang = base.ang;
        vec3 axis = mat3_apply(here.axes, n->axis);
        mat3 relative = mat3_multiply(mat3_transposed(here.axes), goal.axes);
        bool is_first_of_cross =
            n->kind == NODE_REVOLUTE && n->body < 0 && k + 1 < t->n_node && t->node[k + 1].parent == k;
        if (n->turn_of_three == 1) {
            vec3 spin = mat3_apply_transposed(here.axes, vec3_sub(goal.ang, here.ang));
            euler_angles e = euler_from_axes(n->order, relative, spin);
            memcpy(&q[n->q], e.angle, sizeof e.angle);
            memcpy(&v[n->q], e.rate, sizeof e.rate);
        }
        switch (n->kind) {
        case NODE_REVOLUTE:
            if (n->turn_of_three == 0) {
                q[n->q] = is_first_of_cross ? universal_angle(n, &t->node[k + 1], relative)
                                            : angle_about(n->axis, relative);
                v[n->q] = vec3_dot(axis, vec3_sub(goal.ang, here.ang));
            }
            here.axes = mat3_multiply(here.axes, mat3_from_axis_angle(n->axis, q[n->q]));
            here.ang = vec3_add_scaled(here.ang, v[n->q], axis);
            break;
        case NODE_PRISMATIC: describe_slide(&goal, axis, &here, &q[n->q], &v[n->q]); break;
        case NODE_TRANSLATION: describe_translation(&goal, &here, &q[n->q], &v[n->q]); break;
        case NODE_ROTATION: {
            bi_quat rot = quat_from_mat3(relative);
            vec3 spin = mat3_apply_transposed(goal.axes, vec3_sub(goal.ang, here.ang));
            memcpy(&chart[n->chart], &rot, sizeof rot);
            memset(&q[n->q], 0, 3 * sizeof *q);
            memcpy(&v[n->q], &spin, sizeof spin);
            here.axes = goal.axes;
            here.ang = goal.ang;
            break;
        }
        case NODE_WELD: break;
        }
        at[k] = here;
    }
    free(at);
    return true;
}
