// SPDX-License-Identifier: MIT
#pragma once
#include "coordinates/joint/joint_tree.h"
#include "coordinates/modal.h"
#include "coordinates/products.h"
#include "coordinates/set.h"
#include "math/wide3.h"

// Motion of a node, ground axes. ang_bias, lin_bias: accelerations with all second rates zero.
typedef struct {
    wide3 pos, arm; // origin, and its arm from the parent's
    wide_mat3 axes;
    wide3 ang, lin, ang_bias, lin_bias;
} node_motion;

// A body with everything it carries, about its node's origin.
typedef struct {
    double mass;
    wide3 first;       // mass times arm to the centre of mass
    wide_mat3 inertia; // about the node's origin
} composite;

// Articulated body: what a subtree needs as wrench for an acceleration of its node (joint.9),
//   moment = angular ang + cross^T lin,  force = cross ang + linear lin.
typedef struct {
    wide_mat3 angular, linear, cross;
    wide3 moment, force;  // that it already needs
    wide3 U[6];           // moment and force for a unit of each coordinate
    double D[3][3], u[3]; // inverse of S^T U, and what drives the coordinates
} articulated;

// Acceleration of a node by second rates, ground axes.
typedef struct {
    wide3 ang, lin;
} node_second;

// What lift leaves for drop, cut from motion.own.
typedef struct {
    node_motion *node;     // (n_node)
    wide3 *axis;           // of each coordinate: angular or linear direction (n_dof)
    composite *body;       // of each node alone (n_node), written by drop_load
    composite *whole;      // scratch (n_node)
    wide3 *force, *moment; // scratch (n_node)
    node_second *second;   // scratch (n_node)
    articulated *branch;   // scratch, of one part of the tree at a time (n_branch)
    wide3 *coupling;       // of flexible bodies: force and moment for a unit of each amplitude
    double *seen;          // 1 + SEEN_... and the q, v and charts of the last lift (1 + 2 n + n_chart)
    double *still;         // of nodes that sleep: how far they are known, STILL_... (n_node)
    double *modal;         // their mass matrices, and scratch
    vec3 *turn;            // rotations of their nodes, and rates, written by lift
    double *room;          // motion.room
} own_motion;
// no markers, those that are read, all, all with their bias
enum { SEEN_NOTHING, SEEN_READ, SEEN_ALL, SEEN_BIAS };
// Lifted with the markers that are read, with all; and its body placed.
enum { STILL_READ = 1, STILL_ALL = 2, STILL_PLACED = 4 };

// A body with modes on its node.
typedef struct {
    int node, q; // first amplitude, or what stands for it
    flex_sums sums;
    modal_set modal;
    int coupling, work, kept, turn; // its slices in own_motion
} joint_flex;

// Its slices: couplings (n_mode each), mass matrix of the amplitudes (n_mode x n_mode), scratch (n_mode).
typedef struct {
    wide3 *lin, *ang;
    double *P, *x;
} flexible_work;

typedef struct {
    marker_kind kind;
    int node; // -1: ground
    int dof, frame;
    vec3 at; // own frame of the node
    int q;   // joint coordinates, amplitudes; -1: an amplitude that is no variable
    bool is_angle;
    bool is_read;
    bool has_bias; // some row reads how it accelerates by itself
    int mode;      // amplitudes
    int place;     // on a moving node of a flexible body: in fours, in joint.place; else -1
} joint_marker;

static inline bool is_scalar(marker_kind kind) { return kind == MARKER_JOINT || kind == MARKER_MODE; }

// Its body sleeps: nothing of the node changes (contact.17).
static inline bool node_sleeps(const tree_node *n, const coords *at)
{
    return n->sleep >= 0 && at->memory[n->sleep + SLEEP_IS] > 0.0;
}
static inline bool still_has(const own_motion *own, int k, int what)
{
    return ((int)own->still[k] & what) == what;
}

// A list of markers and the coordinates that move them.
typedef struct {
    int marker, n_marker; // in joint.list
    int width, n_col;
    int first;           // in joint.spread
    int value;           // rows: first row, block: offset in load.K
    int count, gradient; // rows
    int entry;           // block: in joint.entry
    int col;             // block: in joint.block_col
    bool is_site;        // block: of a site
} joint_group;

typedef struct {
    int dof; // tree coordinate; -1: a scalar variable of its own; -1 - mode: an amplitude, or what stands for it
    int to; // position among the columns
} joint_spread;

// The loops over the tree, compiled for more than one kind of processor.
typedef struct {
    void (*lift)(const void *tab, const coords *in, unsigned want, motion *out);
    void (*drop_rows)(const void *tab, const coords *at, const motion *m, unsigned want, rows *r,
                      equations *out);
    void (*drop_load)(const void *tab, const coords *at, const motion *m, const load *in, unsigned want,
                      equations *out);
    void (*drop_tangent)(const void *tab, const coords *at, const motion *m, const load *in, double wK,
                         double wC, double *T);
    void (*site_maps)(const void *tab, const coords *at, const motion *m, const bool *wanted, double *J);
    void (*accelerate)(const void *tab, motion *m, int part, const double *Q, double *a);
} joint_passes;

// A coordinate with an armature (joint.18): variable, its place in the tangent, inertia.
typedef struct {
    int q, entry;
    double inertia;
} joint_rotor;

typedef struct {
    tree tree;
    const joint_passes *passes; // those of this processor
    const structure *structure;
    int n, n_body, n_joint;
    int *part, n_part,
        n_branch;    // first nodes of what nothing but the ground carries, and the end; nodes of the largest
    int *dof_node;   // node of each tree coordinate (n_dof)
    bool *is_linear; // coordinate displaces (n_dof)
    joint_marker *marker;
    int n_marker;
    bool may_sleep;    // one of the nodes may
    flex_place *place; // point, or point and axes, of markers on flexible bodies (4 n_place)
    int n_place;
    joint_flex *flex;
    int n_flex, n_coupling, n_modal, n_turn; // lengths of what own_motion holds of them
    int *list, n_list;
    joint_spread *spread;
    int n_spread, cap_spread;
    int *spread_start, *spread_end; // spreads of each list entry (n_list)
    joint_group *row, *block;
    int n_row, n_block;
    const plan_site *site; // of the plan
    int *block_col, n_block_col, cap_block_col;
    int *entry, n_entry, cap_entry;
    mass_entry *mass; // pairs of coordinates of which one moves the other
    int n_mass;
    joint_rotor *rotor;
    int n_rotor;
    struct joint_reaction {
        bool is_tree;
        int last;    // node that carries the child
        double sign; // of the wrench on the joint's second body
        int body_b, node_b;
        vec3 at_b, axis_b; // where it is given, and the joint's axis, own frame of node_b
        int dof;           // in the trays: of the marker where it is given; -1: at_b
        int first, count;  // nodes whose free directions are left out
    } * reaction;
    int *row_joint, *row_body; // of each row group: joint it belongs to, its second body
} joint_table;

// Parts of the tree that nothing but the ground carries, if their nodes stand together; false: no memory.
bool joint_part_tree(joint_table *tab);
own_motion own_cut(const joint_table *tab, const motion *m);
size_t own_size(const joint_table *tab);
int joint_room(const joint_table *tab); // numbers of motion.room

static inline flexible_work flexible_cut(const joint_table *tab, const own_motion *own, const joint_flex *f)
{
    (void)tab;
    int n = f->sums.n_mode;
    wide3 *coupling = own->coupling + f->coupling;
    double *modal = own->modal + f->work;
    return (flexible_work){ coupling, coupling + n, modal, modal + n * n };
}

void *joint_create(const plan *p, structure *out, bi_report *report);
void joint_destroy(void *tab);

// passes_avx2.c: for processors with AVX2; passes.c: for the present one. All give the same bits.
const joint_passes *joint_passes_avx2(void);
const joint_passes *joint_passes_here(void);
// reactions.c momentum.c
void joint_momentum(const void *tab, const coords *at, const motion *m, const bi_twist *twist, double *out);
bool joint_kinetic(const void *tab, const motion *m, double *out);
int joint_massless(const void *tab, const coords *at, motion *m, double *scratch);
size_t joint_reactions_scratch(const void *tab);
void joint_reactions(const void *tab, const coords *at, const motion *m, const load *in, const rows *r,
                     double *scratch, bi_wrench *out);
