// SPDX-License-Identifier: MIT
// A random mechanism: parts that can be left out, made of entries of a model file, made of fields.
#ifndef BIELA_TESTS_RANDOM_MECHANISM_H
#define BIELA_TESTS_RANDOM_MECHANISM_H

#include "chance.h"
#include <stddef.h>
#include <stdio.h>

typedef enum {
    IN_INPUTS,
    IN_TABLES,
    IN_SIGNALS,
    IN_BODIES,
    IN_SHAPES,
    IN_PATCHES,
    IN_JOINTS,
    IN_FORCES,
    IN_GRAPHS,
    IN_CONSTRAINTS,
    IN_OUTPUTS,
    SECTIONS
} section;

enum {
    FIELD_TEXT = 480,
    FIELDS_MOST = 16,
    ENTRIES_MOST = 16,
    NEEDS_MOST = 8,
    PARTS_MOST = 48,
    BODIES_MOST = 16,
    JOINTS_MOST = 24,
    VALUES_MOST = 16
};

typedef struct {
    char text[FIELD_TEXT];
    bool is_optional, is_dropped;
} field;

typedef struct {
    section in;
    char name[24];
    int n_field;
    field field[FIELDS_MOST];
} entry;

typedef struct {
    int n_entry;
    entry entry[ENTRIES_MOST];
    int n_need;
    int need[NEEDS_MOST]; // parts without which this one makes no sense
    bool is_dropped;
} part;

// What parts may be attached to.
typedef struct {
    int part; // -1: the ground
    char name[24];
    double at[3], turn[9]; // of the frame; columns are its axes
    bool is_flexible, is_plane;
} made_body;

typedef struct {
    int part;
    char name[24];
    char coordinate[48]; // the first one, such as j1.angle; "": none
    bool is_angle;
    bool is_zero; // it is zero as described
    bool is_guided;
    double carried; // inertia or mass behind it, a rough guess
} made_joint;

typedef struct {
    int part;
    char name[24];
} made_value; // an input or a signal

typedef struct {
    uint64_t seed;
    chance chance;
    int n_part, n_body, n_joint, n_value;
    part part[PARTS_MOST];
    made_body body[BODIES_MOST]; // the first one is the ground
    made_joint joint[JOINTS_MOST];
    made_value value[VALUES_MOST];
    bool is_plane;  // all moves in x and y
    bool is_moving; // some joints start at speed
    double gravity[3];
    double time, dt;
    bool starts_in_equilibrium;
    double aside; // where the next part that stands alone has its place, m along x
} mechanism;

// ---- texts -----------------------------------------------------------------------------------------------------------

part *part_add(mechanism *); // NULL: full
int part_index(const mechanism *, const part *);
void part_needs(part *, int other); // -1 and itself: nothing
entry *entry_add(part *, section, const char *format, ...) __attribute__((format(printf, 3, 4)));
void field_add(entry *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// One that the model is valid without.
void field_maybe(entry *, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The model file; free it. NULL: no memory.
char *mechanism_print(const mechanism *);
// Leaves out the part and all that need it.
void mechanism_drop(mechanism *, int part);
int mechanism_parts(const mechanism *); // that are left

// ---- generation ------------------------------------------------------------------------------------------------------

void mechanism_generate(mechanism *, uint64_t seed);

// Something that exists, by chance. A body that is not the ground and, of two, not the same.
int pick_body(mechanism *);
int pick_other(mechanism *, int body); // the ground may be
made_joint *pick_joint(mechanism *);   // one with a coordinate; NULL: none
made_joint *pick_of(mechanism *, bool (*fits)(const made_joint *));

// A point in the body's frame: of a flexible body, one of its nodes. Written as a mapping.
typedef struct {
    double local[3], ground[3];
    char text[FIELD_TEXT / 4]; // {body: b1, at: [..]}
} made_point;
made_point pick_point(mechanism *, int body);
made_point point_at(const mechanism *, int body, const double ground[3]);
void to_ground(const made_body *, const double local[3], double out[3]);
void to_body(const made_body *, const double ground[3], double out[3]);
void vector_to_body(const made_body *, const double along[3], double out[3]);
void pick_direction(mechanism *, double out[3]); // of integers, not zero
// An expression of time, inputs, signals and joints of about this size, in quotes; notes what it needs.
void write_expression(mechanism *, part *, double size, char *out, size_t size_of_out);
// The same, of t and inputs only.
void write_of_time(mechanism *, part *, double size, char *out, size_t size_of_out);

// Rooms of the generator: each adds one part by chance, or nothing where nothing fits.
void add_tree_body(mechanism *);
void add_loop(mechanism *);
void add_classic(mechanism *); // four-bars, slider-cranks, doors: at their singular positions, too
void add_constraint(mechanism *);
void add_law(mechanism *);
void add_joint_law(mechanism *);
void add_signal(mechanism *);
void add_input(mechanism *);
void add_contact(mechanism *);
void add_collision(mechanism *);
void add_wheel(mechanism *);
void add_tyre(mechanism *);
void add_graph(mechanism *);
void add_flexible(mechanism *);
void add_cam(mechanism *);

made_body *body_new(mechanism *, part *, const char *name, const double at[3]);
made_joint *joint_new(mechanism *, part *, const char *name);

#endif
