// SPDX-License-Identifier: MIT
// What the laws, constraints and outputs of a model ask of the coordinates, collected while compiling.
#pragma once
#include "math/vec3.h"
#include "model/model.h"
#include <stdbool.h>

typedef enum { MARKER_POINT, MARKER_VECTOR, MARKER_FRAME, MARKER_JOINT, MARKER_MODE } marker_kind;
typedef struct {
    marker_kind kind;
    int body;  // point, vector, frame, mode
    vec3 at;   // point, frame: body frame; vector: direction in body axes
    int node;  // of a flexible body, from 1, that carries it; 0: the body's frame; -1: the centre of mass
    int joint; // joint coordinate
    int coordinate; // of the joint, or number of the mode
    int dof;        // first number in the trays
    int frame;      // frame: index of its axes
    int is_read;    // its motion is read in every step; else only for outputs
    int site;       // number of the site that it is, from 1; 0: it is none
    int no_gap; // 0: between or behind fields copies would keep what chance left there, and images would differ
} marker;

// Rows that share one list of markers; gradient block: n rows times `width`.
typedef struct {
    int first, count; // rows
    bool is_velocity;
    int marker, n_marker; // in plan.list
    int width, gradient;  // sum of marker widths; offset in rows.gradient
    bi_place place;
    char name[64]; // of the joint or constraint, for messages
    int joint;     // owner, for reactions; -1: none
    int element;   // owner, for its effort; -1: none
    int condition; // in plan.condition; -1: the rows always hold
} row_group;

// When the rows of a constraint hold: decided at the start of a step, remembered during it.
typedef struct {
    int element;
    int signal; // holds where this expression is above zero
    int memory; // 1: it holds, 0: it does not
} row_condition;

// Stiffness and damping of a list of markers: width x width values.
typedef struct {
    int marker, n_marker; // in plan.list
    int width, value;     // offset in load.K and load.C
    int element;          // whose it is; -1: of no element
} block_group;

// A number of z.
typedef struct {
    bool is_carried;  // no motion depends on it: a first guess, an effort given, an energy counted
    int element;      // whose it is; -1: of no element
    double least;     // size below which it means nothing, in its own unit
    const char *name; // of a graph: "flywheel.p"; NULL: it has none
} state_info;

// Rows a joint still needs beside what its coordinate set builds in: asked by coordinates, written by constraint.
typedef enum {
    JOINT_ROWS_ALIGN,         // points of b on the axis line of a
    JOINT_ROWS_PERPENDICULAR, // the two axes at right angles: universal joint
    JOINT_ROWS_DISTANCE,      // points at constant distance
    JOINT_ROWS_ANGLE,         // definition of the angle
    JOINT_ROWS_POSITION,      // definition of the displacement along the axis
    JOINT_ROWS_LENGTH,        // definition of the distance of the two points
    JOINT_ROWS_EULER,         // definition of one of the three angles of a free or spherical joint
    JOINT_ROWS_COINCIDE,      // the two points are one
    JOINT_ROWS_PARALLEL,      // the two axes are parallel
    JOINT_ROWS_ORIENT,        // relative orientation as described
    JOINT_ROWS_PLANE,         // the point of b on the plane of a through its point, across the axis
    JOINT_ROWS_SCREW,         // position advances with the angle by the pitch
    JOINT_ROWS_COUNT
} joint_rows_kind;
typedef struct {
    joint_rows_kind kind;
    int joint, coordinate;
} joint_request;

// A joint coordinate or rate that an expression or signal depends on, directly or through other signals.
typedef struct {
    int marker; // joint coordinate
    bool is_rate;
} signal_partial;
typedef struct {
    int first, count; // in plan.partial and signals.partial
} signal_use;

// A row that can only push (a wheel on the ground), and what its element tells besides.
typedef struct {
    int element, row;
    int scalar; // in load.scalar: angle of the contact point in the body, and its rate
} plan_contact;

// An expression whose law would take what is no number for another: a step that ends with none is no step.
typedef struct {
    int slot, element; // in `signal`; whose it is
    const char *key;   // of one that must not be negative; NULL: it may
} plan_certain;

// A name that a graph reads from outside, or the joint of one of its ports: only of graphs that signals read in a step.
typedef struct {
    int element; // the graph
    model_name name;
} plan_outside;

// Numbers that an element tells besides its scalar, with names: outputs show them.
typedef struct {
    int element, scalar, count; // scalar: first one in load.scalar
    const char *const *name, *const *unit;
} plan_readings;

// A free body that may fall asleep (contact.17): offset of what is remembered of it.
typedef struct {
    int body, memory;
    int frame;    // marker
    double reach; // of its touching shapes from its origin, m
} plan_sleeper;
enum {
    SLEEP_IS,                     // 1: asleep
    SLEEP_STILL,                  // s, for which it has hardly moved
    SLEEP_STIRRED,                // 1: something changed that it rests on
    SLEEP_TWIST,                  // velocity and spin after the last step
    SLEEP_PUSH = SLEEP_TWIST + 6, // force and moment about the ground's origin of what is no contact
    SLEEP_KNOWN = SLEEP_PUSH + 6, // 1: that has been looked at since it fell asleep
    SLEEP_SIZE
};

// A part of coords.pool: a list that grows and shrinks, in a room that grows between steps. What lies behind the numbers
// used is zero.
typedef struct {
    int element;
    int pairs, numbers;        // that there is room for at first
    size_t fixed;              // bytes of working room,
    size_t of_pair, of_number; // and for each pair and each number
} plan_pool_part;
// numbers used, these three included; POOL_LACKS_...: more room is wanted; instant of the last step, s; the list
enum { POOL_USED, POOL_FULL, POOL_TIME, POOL_LIST };
enum { POOL_LACKS_PAIRS = 1, POOL_LACKS_NUMBERS = 2 };

// A frame that meets others now and then, in pairs that stand in no pattern: a block of its own.
typedef struct {
    int marker, group, value; // of the block: its number, and its offset in load.K and load.C
} plan_site;

typedef struct {
    const bi_model *model;
    bi_report *report; // mistakes found while compiling, by whoever finds them
    void **kept;       // memory of compiled items that are longer than one item
    int n_kept, cap_kept;
    marker *marker;
    int n_marker, cap_marker;
    int *list; // marker indices of groups, one after the other
    int n_list, cap_list;
    row_group *row;
    int n_row_group, cap_row;
    row_condition *condition;
    int n_condition, cap_condition;
    block_group *block;
    int n_block, cap_block;
    joint_request *request;
    int n_request, cap_request;
    signal_use *signal; // (n_expr + n_element of the model): expressions, then the elements that are signals
    int n_signal, cap_signal;
    int *order; // slots in `signal`, each after those it reads
    int n_order, cap_order;
    int n_order_of_laws; // those behind are read by outputs only
    plan_outside *outside;
    int n_outside, cap_outside;
    int *open; // elements on their way into the order, each needed by the one before
    int n_open, cap_open;
    bi_expr *postponed; // what signals read after a step only and could not be put before them
    int n_postponed, cap_postponed;
    plan_certain *certain;
    int n_certain, cap_certain;
    signal_partial *partial;
    int n_partial, cap_partial;
    plan_contact *contact;
    int n_contact, cap_contact;
    plan_readings *readings;
    int n_readings, cap_readings;
    double sleep; // s, at rest before a body falls asleep; 0: never
    bool settles; // all contacts live
    plan_sleeper *sleeper;
    int n_sleeper, cap_sleeper;
    plan_site *site;
    int n_site, cap_site;
    plan_pool_part *pool;
    int n_pools, cap_pools;
    size_t n_scratch; // bytes of working room of the laws
    size_t n_spare;   // bytes that a call takes at most while it runs
    int n_scalar;     // of elements that tell more than one number, behind those of all elements
    int n_dof, n_frame, n_row, n_gradient, n_block_value, n_z, n_memory;
    int n_register;    // of the longest expression that a step evaluates
    state_info *state; // (n_z)
    int cap_state;
    int compiling; // element + 1; 0: none
    bool no_memory;
} plan;

void plan_clear(plan *p);

// Markers: the same one twice gives the same index.
int plan_point(plan *p, int body, vec3 at);
int plan_load_point(plan *p, int body, vec3 at); // a point that only receives a load
int plan_mass_point(plan *p, int body);          // the centre of mass of a flexible body, for a load
int plan_vector(plan *p, int body, vec3 direction);
int plan_vector_at(plan *p, int body, vec3 at,
                   vec3 direction); // turns with the node of a flexible body there
int plan_frame(plan *p, int body, vec3 at);
// Weight of a kilogram, N; where nothing weighs, that on Earth: loads may come from forces.
double plan_weight(const plan *p);
int plan_shown_frame(plan *p, int body, vec3 at); // only for outputs
int plan_joint(plan *p, int joint, int coordinate);
// The coordinate of a joint that a field of this choice says, counted from 1; 0: the joint's first. A joint without it
// is a complaint.
#define COORDINATE_WORDS "angle,position,x,y,z,angle1,angle2,angle3"
int plan_joint_choice(plan *p, int element, bi_joint joint, int32_t choice);
int plan_mode(plan *p, int body, int mode);
static inline int plan_dof(const plan *p, int marker) { return p->marker[marker].dof; }
int marker_width(marker_kind kind);

typedef struct {
    int row, gradient;
} row_handle; // first row, and where its gradient block starts
typedef struct {
    const char *name;
    bi_place place;
    bool is_velocity;
    int joint, element;
} row_owner;
row_handle plan_rows(plan *p, const row_owner *owner, int count, const int *markers, int n_marker);
int plan_block(plan *p, const int *markers, int n_marker); // offset in load.K and load.C
// Offsets in z. States move by their rates; least: a size that is nothing, in their unit.
int plan_states(plan *p, int count, double least);
void plan_name_state(plan *p, int state, const char *name); // which lives as long as the plan
// Numbers that go from step to step beside them: no motion depends on them.
int plan_carried(plan *p, int count);
int plan_memory(plan *p, int count);         // offset in memory
int plan_pool(plan *p, plan_pool_part part); // its number
int plan_add_site(plan *p, int marker);      // number of the site; the same marker twice gives the same
// Offset in memory of SLEEP_... of a body that touches things within `reach` of its origin; -1: it never sleeps.
int plan_sleep(plan *p, int body, double reach);
bool plan_is_free(const bi_model *m, int body); // and rigid: no joint holds it, and it weighs something
// Zeroed memory for a compiled item, freed with the plan; NULL: no memory.
void *plan_keep(plan *p, size_t size);
// A mistake of an element that only its own room can see.
void plan_complain(plan *p, int element, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Offset of `count` numbers in load.scalar; the texts of names and units must outlive the plan.
int plan_add_readings(plan *p, int element, int count, const char *const *name, const char *const *unit);
// Working room in law_in.scratch, aligned and zero at first; what is left there may not change an answer.
size_t plan_scratch(plan *p, size_t size);
// A call of a law takes so much of law_in.spare at most.
void plan_spare(plan *p, size_t size);
int plan_touch(plan *p, int element, int row); // offset of two numbers in load.scalar
void plan_request(plan *p, joint_rows_kind kind, int joint, int coordinate);
// The rows that define a coordinate of a joint from the markers of its bodies.
void plan_request_definition(plan *p, int joint, int coordinate);

// Joint coordinates and rates that an expression reads become markers; call once per expression used. An unset
// expression depends on nothing.
signal_use plan_signal(plan *p, bi_expr expression);
// It has to stay a number, and one that is not negative where its key is given.
signal_use plan_certain_signal(plan *p, int element, bi_expr expression, const char *key);
bool plan_is_negative(const plan_certain *c, double value);
// The same of a signal, by its element.
signal_use plan_named_signal(plan *p, int element);
// A graph that signals read inside a step is evaluated before them, in its place of the order: its slot. First what it
// reads (plan_add_outside), then its use: by what its numbers change.
void plan_add_outside(plan *p, int element, model_name name);
signal_use plan_graph(plan *p, int element);
void plan_postponed(plan *p); // now that all others have their place
static inline int plan_signal_slot(const plan *p, int element) { return p->model->n_expr + element; }
