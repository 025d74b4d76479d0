// SPDX-License-Identifier: MIT
// From a model to nonlinear finite elements. Places and turns are collected first, so that joints can make two of them
// one or hold them; then the structure is made.
#pragma once
#include "exact/elements/yardstick.h"
#include "model/model.h"
#include <biela/flex.h>
#include <biela/yardstick.h>

typedef struct {
    vec3 at, v;      // as described, ground axes
    int into;        // the place it was joined with; -1: its own
    unsigned held;   // YARD_X | ...
    bool is_dropped; // inside a bar, which makes its own
    int id;          // in the structure
} draft_place;

typedef struct {
    quat rot;
    vec3 spin; // ground axes
    int into;
    unsigned held;
    bool is_driven, is_dropped;
    vec3 axis;
    yard_profile drive;
    int id;
} draft_turn;

// A point of a body: a node of the structure, and where the point is from it, in ground axes as described.
typedef struct {
    int place, turn; // drafts; turn -1: none
    vec3 offset;
    bool is_ground;
} spot;

// Straight beams of one section, one behind the other.
typedef struct {
    int from, to; // nodes of the mesh
    int end[2];   // places of its ends where they lie off their nodes: drafts; -1: at the node
    vec3 up;      // ground axes
    double length;
    int count; // elements of the structure
    yard_section section;
    yard_bar bar;
} draft_bar;

// Where an element of the mesh lies on its bar: shares at its first and second node.
typedef struct {
    int bar; // -1: not a beam
    double first, second;
} on_bar;

typedef struct {
    bool is_flexible;
    mat3 axes;  // as described
    vec3 pos;   //
    spot rigid; // rigid bodies: their node
    const bi_fe_mesh *mesh;
    int *place, *turn; // drafts of the mesh's nodes; -1: none                  (n_node)
    int *master;       // node whose rigid body it belongs to; -1: none         (n_node)
    bool *is_kept;     // ends of bars                                          (n_node)
    on_bar *on;        // (n_element)
    draft_bar *bar;    // (n_element at most)
    int n_bar;
    int *corner, n_corner, c_corner; // places of divided quads beyond the nodes of the mesh: drafts
} draft_body;

// A value of time: an expression with its names looked up.
typedef struct {
    const struct bi_yardstick *of;
    const expr *code;
    int n_name;
    model_name name[MODEL_MAX_VARIABLES];
} timed;
// A timed value less where it starts, with a sign.
typedef struct {
    const timed *value;
    double factor, shift;
} timed_profile;

typedef enum {
    PENDING_JOIN,
    PENDING_HINGE,
    PENDING_ALIGN,
    PENDING_GUIDE,
    PENDING_PERPENDICULAR,
    PENDING_ANGLE,
    PENDING_SLIDE
} pending_kind;
typedef struct {
    pending_kind kind;
    spot a, b;
    vec3 axis, other; // ground axes
    yard_profile drive;
} pending;

// The two nodes and the axis of a joint.
typedef struct {
    spot a, b;
    vec3 axis;    // ground axes, as described
    double start; // first coordinate as described
    const bi_joint_def *def;
} joint_spots;

typedef enum {
    CHANNEL_POINT,    // component 0..2 place, 3..5 velocity
    CHANNEL_JOINT,    // first coordinate of joint index, and its rate (component 1)
    CHANNEL_EXPR,     // of joint coordinates and time
    CHANNEL_RELATIVE, // component of the way from a point `to` to the point, in the axes of its body
    CHANNEL_ALIAS,    // times another one, number index, plus an expression
    CHANNEL_RECOVERY  // value number component of output index: forces of a section, stresses
} channel_kind;
typedef struct {
    char *name;
    channel_kind kind;
    int component, index, body, node; // node of the mesh; -1: a point of a rigid body
    spot at;
    spot to;
    double factor;
    int bar; // -1: none
    double along;
    timed value;
} yard_channel;

struct bi_yardstick {
    const bi_model *m;
    yard *y;
    bi_yardstick_options options;
    yard_options step;
    bool is_planar, is_short;
    bi_report *report; // while it is made
    draft_place *place;
    draft_turn *turn;
    pending *pending, lost; // lost: written when memory ran out
    int n_place, n_turn, n_pending, c_place, c_turn, c_pending;
    draft_body *body; // (n_body)
    timed **timed;    // (n_expr)
    timed_profile **profile;
    int n_profile, c_profile;
    int ground_turn;    // draft
    joint_spots *joint; // (n_joint)
    spot *spring;       // (2 * n_element) ends of springs
    yard_channel *channel;
    int n_channel, c_channel;
};

// bridge.c
int draft_place_add(bi_yardstick *g, vec3 at);
int draft_turn_add(bi_yardstick *g, quat rot);
int draft_place_of(const bi_yardstick *g, int place); // after what it was joined with
int draft_turn_of(const bi_yardstick *g, int turn);
yard_node bridge_node(const bi_yardstick *g, spot s); // of the structure, once it is made
vec3 bridge_offset(const bi_yardstick *g, spot s);    // in the axes of its turn
pending *pending_add(bi_yardstick *g);
void bridge_complain(bi_yardstick *g, bi_place place, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// bridge_bodies.c
bool bodies_draft(bi_yardstick *g);
spot body_spot(bi_yardstick *g, int body, vec3 at, bi_place place, const char *name); // place -1: reported
void bodies_make(bi_yardstick *g);
void bodies_free(bi_yardstick *g);
int mesh_node_at(const draft_body *b, vec3 at); // -1: none

// bridge_mesh.c
void mesh_draft(bi_yardstick *g, int body);
void mesh_bars(bi_yardstick *g, int body); // once it is known which nodes are held by joints
void mesh_make(bi_yardstick *g, int body);

// bridge_joints.c
void joints_draft(bi_yardstick *g);
void joints_make(bi_yardstick *g);

// bridge_loads.c
void loads_draft(bi_yardstick *g); // guides, and what has no counterpart
void loads_make(bi_yardstick *g);
const timed *timed_of(bi_yardstick *g, bi_expr e, bi_place place, const char *name); // NULL: reported
jet timed_at(const timed *value, double t);
yard_profile timed_profile_of(bi_yardstick *g, const timed *value, double factor, double shift);

// bridge_channels.c
void channels_make(bi_yardstick *g);
