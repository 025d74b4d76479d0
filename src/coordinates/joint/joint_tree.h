// SPDX-License-Identifier: MIT
// The spanning tree of a mechanism: which joints carry bodies, which ones close loops, and what moves between.
#pragma once
#include "math/sym3.h"
#include "state/plan.h"

typedef enum {
    NODE_WELD,        // no motion
    NODE_REVOLUTE,    // turns about an axis
    NODE_PRISMATIC,   // slides along an axis
    NODE_TRANSLATION, // three displacements, parent axes
    NODE_ROTATION     // three components of a rotation vector from a reference orientation (joint.4)
} node_kind;

// One elementary motion. A joint with several coordinates is a chain of nodes, the last of which carries the body.
typedef struct {
    node_kind kind;
    int parent;         // node, -1: ground
    int body;           // carried, -1: none
    int flex;           // which of the flexible bodies that is, -1: it is rigid
    vec3 at;            // origin in the parent's frame before the motion
    mat3 turn;          // orientation against the parent before the motion
    vec3 axis;          // of revolute and prismatic nodes, own frame
    int q;              // first coordinate
    int n_dof;          // 0, 1 or 3
    int chart;          // rotation: first number of its reference quaternion
    int turn_of_three;  // 1, 2, 3: one of three turns about moving axes; 0: none
    model_angles order; // of those turns
    vec3 origin;        // of the body frame, own frame
    double mass;
    vec3 com;                    // own frame
    sym3 inertia;                // about the centre of mass, own axes
    bool is_diagonal, is_turned; // inertia has no products; turn is not the identity
    int along;                   // axis is +-x, y, z of the own frame: 0, 1, 2; else -1
    double sense;                // +1 or -1 then
    bool is_empty;               // carries no mass of its own
    bool is_centred;             // its centre of mass is its origin
    bool is_at_parent;           // its origin stays at the parent's
    bool is_first;               // of the children of an empty parent the one that is joined first
    double rotor;                // inertia of its one coordinate alone; 0: none
    int n_child;
    int alone; // the one node whose body is all that this one carries; -1: there are more
    int sleep; // memory of sleep of a free body; -1: it never sleeps
} tree_node;

typedef struct {
    tree_node *node;
    int n_node, cap_node;
    int *body_node;    // node that carries each body (n_body); -1: ground
    bool *is_tree;     // joint carries a body; else it closes a loop (n_joint)
    int *joint_first;  // first node of a tree joint, -1 (n_joint)
    int (*joint_q)[6]; // coordinate of each joint coordinate, -1: none (n_joint)
    int n_dof, n_chart, n_flex;
    bool no_memory;
} tree;

// Breadth first from the ground; bodies that nothing holds float. Deterministic in the order of the model's joints.
bool tree_create(tree *t, const bi_model *m);
void tree_clear(tree *t);

// Where bodies are to be: as the model describes them, or by pose and twist of each (n_body).
typedef struct {
    const bi_model *model;
    const bi_pose *pose; // NULL: as described
    const bi_twist *twist;
} tree_goal;
// Coordinates and rates of that configuration; false: no memory.
bool tree_describe(const tree *t, const tree_goal *to, double *q, double *v, double *chart);

// Whether a joint carries a body, without the rest: for asking rows before the coordinates exist.
bool tree_choose(const bi_model *m, bool *is_tree, int *order, int *parent_joint);
