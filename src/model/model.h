// SPDX-License-Identifier: MIT
#pragma once
#include "geom/mesh.h"
#include "math/chart.h"
#include "math/expr.h"
#include "math/unit.h"
#include "model/joint_kinds.h"
#include <biela/biela.h>
#include <biela/look.h>

// The description as given: plain lists, owned strings, source positions. Ids are index + 1.
typedef struct {
    bi_body_def def;
    bi_place place;
    struct bi_flex *flex; // what its modes were made of; NULL: nothing; owned
} model_body;             // item 0 is the ground

typedef struct {
    bi_joint_def def;
    bi_place place;
} model_joint;

// A function of time through samples: cubic between them.
typedef struct {
    int count;                  // 0: none
    double *t, *value, *second; // (count) each, one block that t owns
} model_samples;
double model_samples_at(const model_samples *s, double t);

typedef struct {
    const bi_kind *kind;
    void *def; // copy of the definition, kind->size bytes; its first member is the name
    const char *name;
    bi_place place;
    bi_expr active;        // condition of a constraint; unset: always
    model_samples samples; // of an action
} model_element;

typedef struct {
    bi_imposed_def def;
    bi_place place;
} model_imposed;

typedef struct {
    bi_output_def def;
    bi_place place;
} model_output;

typedef struct {
    bi_event_def def;
    bi_place place;
} model_event;

typedef struct {
    char *text, *unit;
    expr *code;       // NULL: see error
    expr_error error; // of parsing
    bi_place place;
    int scope;        // element + 1 whose points and vectors it may read; 0: none
    bool is_of_graph; // its names are explained by the bond graph it belongs to
    char *prefix;     // of its names, where some of them are read as units; NULL: none is
} model_expr;

// A point or vector with a name.
typedef struct {
    char *name;
    bool is_vector;
    bi_body body;
    bi_vec3 at; // point, m; direction as given
    bi_place place;
} model_named;

typedef struct {
    char *name, *unit;
    double value;
    bool has_dimension;
    dimension dim;
} model_parameter;

// Straight lines between samples, end values held.
typedef struct {
    int count;         // 0: none
    double *t, *value; // (count) each, one block that t owns
    double range;      // of the values
} model_line;
double model_line_at(const model_line *, double t, double *rate);
// The first sample after t, and before the limit, where the slope changes by more than a smooth curve's; the limit:
// there is none.
double model_line_corner(const model_line *, double t, double limit);

typedef struct {
    char *name;
    double initial;
    bi_place place;
    model_line line;   // of a manoeuvre
    double min, max;   // range of a control; equal: not said
    char *unit, *help; // NULL: none
} model_input;

typedef struct {
    char *name;
    table *code;         // NULL: see mistake, or a map
    chart *surface;      // of two variables; NULL: a table of one
    const char *mistake; // of its points
    uint64_t hash;       // of its points and rules
    bi_place place;
} model_curve;

// Another name of a curve, while a part that calls it so is read.
typedef struct {
    char *name;
    bi_curve curve;
} model_callee;

typedef struct {
    char *name; // as given
    bi_place place;
} model_independent;

// A shape with what its queries need: trees and normals are made when it is added.
typedef struct {
    bi_shape_def def;          // name, surface and arrays are owned; arrays of a mesh lie in its surface
    geom_shape form;           // in the axes of the shape
    geom_pose in_body;         // of its axes
    bool is_along;             // these are the axes of the body
    geom_mesh *mesh;           // that form points to: of its surface, or its own in place of it; NULL: none
    geom_field *field;         // that form points to
    geom_hull *hull;           // that form points to
    const geom_parts *parts;   // that form points to, of its surface
    const char *key, *mistake; // of its sizes or triangles; NULL: none
    bi_place place;
    const char *doubt; // what is wrong with a mesh that touches and may still be meant; NULL: nothing
    bool is_looked_at; // for that
    int thing;         // the first shape of its body with its title, from 1: people take them for one
} model_shape;

typedef struct {
    bi_patch_def def;
    geom_pose pose;
    bi_place place;
} model_patch;

typedef struct {
    bi_strut_def def; // name is owned
    bi_place place;
} model_strut;

typedef struct {
    bi_look_def def; // texts are owned
    bi_place place;
} model_look;

enum { MODEL_MAX_VARIABLES = 32 }; // names in one expression

// Lists whose items may be described again (bi_model_reopen), and those that only grow.
#define MODEL_REOPENED(X) X(body) X(joint) X(element) X(expr) X(input) X(output) X(event) X(imposed)
#define MODEL_GROWING(X) X(named) X(curve) X(callee) X(independent) X(shape) X(patch) X(strut) X(look) X(kept)

// How long the lists of a model are.
typedef struct {
#define MODEL_LENGTH(list) int list;
    MODEL_REOPENED(MODEL_LENGTH) MODEL_GROWING(MODEL_LENGTH)
#undef MODEL_LENGTH
} model_lengths;

struct bi_model {
    char *name;
    bi_vec3 gravity;     // m/s2
    bi_place place;      // of what is added next; file is interned
    char **file;         // names of files met, owned
    const char *misused; // function that was called without what it needs; NULL: none
    int n_file, cap_file;
    model_body *body;
    int n_body, cap_body;
    model_joint *joint;
    int n_joint, cap_joint;
    model_element *element;
    int n_element, cap_element;
    model_output *output;
    int n_output, cap_output;
    model_event *event;
    int n_event, cap_event;
    model_expr *expr;
    int n_expr, cap_expr;
    model_parameter *parameter;
    int n_parameter, cap_parameter;
    model_input *input;
    int n_input, cap_input;
    int hand; // first of the inputs of the hand, from 1; 0: there is none
    model_named *named;
    int n_named, cap_named;
    char *prefix; // of the names in expressions that are added next; NULL: none
    model_curve *curve;
    int n_curve, cap_curve;
    model_callee *callee; // other names of curves, the newest last
    int n_callee, cap_callee;
    model_independent *independent;
    int n_independent, cap_independent;
    model_imposed *imposed;
    int n_imposed, cap_imposed;
    model_shape *shape;
    int n_shape, cap_shape;
    model_patch *patch;
    int n_patch, cap_patch;
    model_strut *strut;
    int n_strut, cap_strut;
    model_look *look;
    int n_look, cap_look;
    bool no_memory; // some addition was lost
    struct {
        void *data;
        void (*release)(void *);
    } * kept; // (n_kept) of callbacks
    int n_kept, cap_kept;
    int holders;               // systems made from it: it lives until the last of them is destroyed
    struct model_again *again; // a part is described again (reopen.c); NULL: none is
    model_lengths end;         // of that part: no list grows beyond it
    void (*reads)(void *context, const char *parameter); // hears of parameters that are read; NULL: nobody
    void *reads_context;
};

void model_body_release(model_body *);
void model_joint_release(model_joint *);
void model_element_release(model_element *);
void model_expr_release(model_expr *);
void model_input_release(model_input *);
void model_output_release(model_output *);
void model_event_release(model_event *);
void model_imposed_release(model_imposed *);
// Notes that a part described again has more items than before; false.
bool model_outgrows(bi_model *m);

// A system reads names and expressions of its model as long as it lives.
void model_hold(const bi_model *m);
bool model_has_element(const bi_model *m, bi_element e); // there is one, and it was not taken out

// Same description, same number: everything a run depends on, texts and gaps of structs aside.
uint64_t model_fingerprint(const bi_model *m);

// What a name inside an expression stands for.
typedef enum {
    MODEL_NAME_NONE,
    MODEL_NAME_TIME,
    MODEL_NAME_INPUT,
    MODEL_NAME_VALUE,
    MODEL_NAME_RATE,
    MODEL_NAME_SIGNAL
} model_name_kind;
typedef struct {
    model_name_kind kind;
    int index;      // input, joint, or element that is a signal
    int coordinate; // of the joint: 0, or 1 for the position of a cylindrical joint
} model_name;
model_name model_resolve(const bi_model *m, const char *name);

// A number of a point or vector that an element's expression reads: "P.x".
typedef struct {
    bool is_vector;
    bi_body body;
    bi_vec3 at; // vectors: unit
    int component;
} model_place;
bool model_resolve_place(const bi_model *m, int element, const char *name, model_place *out);
int model_find_named(const bi_model *m, const char *name); // index; -1: none
// Elements of the section "signals" have values, not forces.
bool model_is_signal(const model_element *e);
// The table of an id; NULL: unset.
const table *model_table(const bi_model *m, bi_curve curve); // NULL: none, or of two variables
// The table that expressions call so where the model stands; NULL: none.
const model_curve *model_callee_of(const bi_model *m, const char *name);
// Whether an expression reads a joint coordinate or rate, itself or through signals.
bool model_reads_joint(const bi_model *m, bi_expr e);
// The graph that a signal of type `effort` reads inside a step, as an element; -1: none, or at the end of the last one.
int model_graph_read(const bi_model *m, int element);
// What is wrong with a force or signal beyond its single fields, and where; NULL: nothing.
const char *model_law_mistake(const bi_model *m, const model_element *e, const char **key);
const char *model_numbers_mistake(const bi_field *f, const bi_numbers *list);
// Mistakes of tables and signals: points, circles, names that mean two things.
void model_check_signals(const bi_model *m, bi_report *report);
// The joint coordinate that an independent name stands for; MODEL_NAME_NONE: none.
model_name model_independent_at(const bi_model *m, int k);
double model_independent_sign(const bi_model *m, int k); // -1 for "-steer.angle"
void model_independent_check(const bi_model *m, bi_report *report);

// Coordinates of a joint by number: how many, and what they are called ("angle", "position"; "" where there is none).
int model_coordinate_count(bi_joint_kind kind);
const char *model_coordinate_name(bi_joint_kind kind, int coordinate);
bool model_is_angle(bi_joint_kind kind, int coordinate);

// The three axes of a free or spherical joint's turns, 0 x 1 y 2 z, and +1 when they follow each other cyclically, else
// -1.
typedef struct {
    int axis[3];
    int gap; // nothing: without it, images would hold what lay there
    double sign;
} model_angles;
model_angles model_angle_order(const bi_joint_def *d);

// The joint's points and unit axes in the frames of its two bodies, completed from what was given.
typedef struct {
    bi_vec3 at_a, at_b, axis_a, axis_b;
    bi_vec3 across_a,
        across_b;  // reference directions of the axes, by which angles are told; the chosen zero is in them
    double length; // distance joint: m
} model_joint_frame;
model_joint_frame model_joint_frames(const bi_model *m, int joint);

// What a joint says about the start of one of its coordinates; nothing of one that it has not.
typedef struct {
    bool set_value, set_rate, hold;
    double value, rate;
} model_joint_start;
model_joint_start model_start_of(const bi_joint_def *d, int coordinate);
bool model_joint_is_set(const bi_joint_def *d); // one of them at least

// An angle about an axis of a joint: from a direction of a to one of b.
typedef struct {
    bi_vec3 axis; // of a, or of b
    bool is_of_b;
    bi_vec3 from, to; // of a, of b
} model_turn;
model_turn model_joint_turn(const bi_joint_def *d, const model_joint_frame *f, int coordinate);
// The direction of body a along which a coordinate that is a way is told.
bi_vec3 model_joint_way(const bi_joint_def *d, const model_joint_frame *f, int coordinate);

// nodes.c: the first node of a flexible body at that place, from 0; -1: none.
int model_node_at(const bi_modes *f, vec3 at);
// The same of a body, from 1, if a shape moves or turns it; 0: the point follows the body's frame.
int model_moved_node(const bi_model *m, int body, vec3 at);
double model_body_mass(const bi_model *m, int body); // kg, of a flexible one that of its nodes
// A joint on such a node.
bool model_joint_is_flexible(const bi_model *m, int joint);
// Writes what is wrong with the modes of a body; false: nothing.
bool model_modes_mistake(const bi_modes *f, char *what, size_t size);
// A copy that owns its arrays; NULL: none was given, or no memory.
const bi_modes *model_modes_copy(const bi_modes *modes);
void model_modes_free(const bi_modes *modes);

// touch.c: a place of a body that a joint, force or constraint holds, and what of its turns.
typedef enum { MODEL_NO_TURN, MODEL_TURNS_ACROSS, MODEL_ALL_TURNS } model_turns;
typedef struct {
    int body;
    bi_vec3 at, axis; // body frame; axis: of MODEL_TURNS_ACROSS
    model_turns turns;
    const char *section, *name, *key; // "forces", "push", "point"; of a joint the key is ""
    bi_place place;
} model_touch;
typedef void model_touch_fn(void *context, const model_touch *);
void model_touches(const bi_model *m, model_touch_fn *fn, void *context);
// The contact whose output event k watches, as an element from 0; -1: it watches something else.
int model_event_contact(const bi_model *m, int k);
// What people call a shape: its title, else its body, else its own name.
const char *model_shape_title(const bi_model *m, const bi_shape_def *shape);
// check_outputs.c: NULL: nothing.
const char *model_output_mistake(const bi_model *m, const bi_output_def *d);
// check_nodes.c: what touches a flexible body, or is shown of it, must be at a node.
void model_check_nodes(const bi_model *m, bi_report *report);
// A joint's coordinate with the bodies as described, rad or m.
double model_described_coordinate(const bi_model *m, int joint, int coordinate);
// A point or direction of a body in ground axes, with the body as described.
bi_vec3 model_described_point(const bi_model *m, bi_body body, bi_vec3 at);
bi_vec3 model_described_vector(const bi_model *m, bi_body body, bi_vec3 along);

// Notes that a function was called without what it needs, so that the check tells it; false.
bool model_misused(bi_model *m, const char *function);
// Notes that there was no memory; false.
bool model_lacks_memory(bi_model *m);
// Makes room for one more item of a list of the model. False: model or item are not given, or no memory; noted.
#define MODEL_ROOM(m, item, list)                                                                            \
    ((m) && (item)                                                                                           \
         ? ((m)->again && (m)->n_##list >= (m)->end.list                                                     \
                ? model_outgrows(m)                                                                          \
                : LIST_RESERVE((m)->list, (m)->n_##list, (m)->cap_##list) || model_lacks_memory(m))          \
         : model_misused((m), __func__))
// The same place with the name of its file owned by the model: what is kept may outlive the document it came from.
bi_place model_own_place(bi_model *m, bi_place place);
// Definitions with arrays and texts: a copy owns them.
bool model_fields_copy(bi_model *m, const bi_kind *kind, void *def);
// Expressions of the element that may read its points and vectors are told so.
void model_fields_scope(bi_model *m, int element_id);
void model_fields_free(const bi_kind *kind, void *def);
// What is wrong with a field of the kinds that fields.c knows; NULL: nothing.
const char *model_field_mistake(const bi_model *m, const bi_field *f, const void *at);
// Carries the fingerprint over such a field; what is not given changes nothing.
uint64_t model_field_hash(uint64_t h, const bi_field *f, const void *at);
// Bond graphs: a copy owns its lists; nodes, bonds and joints that do not exist are mistakes.
bool model_graph_copy(bi_model *m, void *at);
void model_graph_free(void *at);
void model_graph_scope(bi_model *m, const void *at);
const char *model_graph_mistake(const bi_model *m, const void *at);
uint64_t model_graph_hash(uint64_t h, const void *at);
// Some constraint imposes the joint's coordinate: a distance joint then leaves its length to it.
bool model_is_driven(const bi_model *m, int joint);

void model_shapes_free(bi_model *m);
// The shapes that an element names get the triangles that may stand for them, where one of the others meets those: balls
// in a box need none.
void model_shapes_touch(bi_model *m, const bi_kind *kind, const void *def);
void model_patches_free(bi_model *m);
void model_struts_free(bi_model *m);
void model_check_struts(const bi_model *m, bi_report *report);
void model_check_expressions(const bi_model *m, bi_report *report);
void model_check_patches(const bi_model *m, bi_report *report);
bool model_patch_moves(const bi_patch_def *d);          // its disc is given by expressions
bool model_patch_covers(const model_patch *p, vec3 at); // as it is given without expressions
uint64_t model_patch_hash(uint64_t h, const bi_patch_def *d);
void model_check_shapes(const bi_model *m, bi_report *report);
uint64_t model_shape_hash(uint64_t h, const bi_shape_def *d); // without its looks

static inline const void *model_field(const model_element *e, const bi_field *f)
{
    return (const char *)e->def + f->offset;
}
