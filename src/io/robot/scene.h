// SPDX-License-Identifier: MIT
// A robot or scene of another program between its file and the model file. Every body frame stands at the origin of its
// link, parallel to the ground axes as described: so points and axes are plain ground vectors, and joint coordinates are
// those of the robot.
#pragma once
#include "io/model/names.h"
#include "io/robot/xml.h"
#include <biela/io.h>
#include <stdio.h>

typedef struct {
    double m[3][3];
} rotation;

typedef struct {
    bi_vec3 pos;
    rotation rot;
} frame;

typedef struct {
    const xml_element *element;
    const char *name;   // in the file
    const char *called; // in the model
    int parent;         // body that carries it; -1: the ground itself
    int host;           // the body of the model that it is a part of; itself when it is one
    bool is_joined;     // a joint, or its freedom, is between it and its parent
    bool is_free;       // nothing holds it
    frame at;           // ground axes
    double mass;
    bi_vec3 com;       // from the origin, ground axes
    double inertia[6]; // about com, ground axes: xx yy zz xy yz zx
    frame reference;   // likewise, where the file's own description has it, before it starts elsewhere
} scene_body;

typedef struct {
    const xml_element *element;
    const char *name, *called;
    const char *type; // of the model
    int a, b;         // bodies
    bi_vec3 at, axis; // ground axes, as described
    bi_vec3 axis_b;   // universal: the second axis
    double pitch;     // screw: m per turn
    double ref;       // the coordinate as described
    double reference; // the coordinate in the file's own description
    bool is_loop;     // other joints make the tree
    double armature, damping, stiffness, rest, friction;
    bool is_limited;
    double lower, upper;
    double stop_stiffness, stop_damping; // 0: from what the joint carries and stop_time
    double stop_time;                    // s, time constant of a stop
    double carried;                      // inertia that it moves as described, armature included, kg m2 or kg
    int address;                         // of its first coordinate among those of the file; -1: none
} scene_joint;

typedef struct {
    const xml_element *element;
    const char *name, *called;
    const char *type; // of the model: box, sphere ...
    int body;
    frame at;           // ground axes
    double size[3];     // box: edges; ellipsoid: half axes; sphere: radius; cylinder, capsule: radius, length
    const char *file;   // mesh, hull; relative to the model file
    double scale[3];    // of the file
    double colour[4];   //
    bool is_hidden;     //
    bool is_solid;      // touches others
    unsigned mask[2];   // they touch when mask[0] of one and mask[1] of the other have a bit in common
    int priority;       // the friction of the higher one counts
    double friction[3]; // coefficient; m of spinning and rolling friction
} scene_shape;

typedef struct {
    int a, b; // bodies that do not touch
} scene_exclusion;

typedef struct {
    const xml_element *element; // where it is first
    const char *key;            // attribute; NULL: the element itself
    const char *why;
    int count;
} scene_omission;

// Lines of the model file that are made while reading.
enum {
    LINES_INPUTS,
    LINES_SIGNALS,
    LINES_JOINTS,
    LINES_FORCES,
    LINES_CONTACTS,
    LINES_CONSTRAINTS,
    LINES_OUTPUTS,
    N_LINES
};

typedef struct {
    const char *path;
    const bi_import_options *options;
    bi_report *report;
    const char *name; // of the model
    blocks memory;
    scene_body *body; // (n_body) 0 is the ground
    scene_joint *joint;
    scene_shape *shape;
    scene_exclusion *exclusion;
    scene_omission *omission;
    int n_body, n_joint, n_shape, n_exclusion, n_omission;
    int cap_body, cap_joint, cap_shape, cap_exclusion, cap_omission;
    name_set bodies, joints, shapes, elements, inputs; // names in the model
    name_set omissions;
    bi_vec3 gravity;
    bool filters_static; // neighbours of what is fixed to the ground do not touch it either
    bool has_failed;     // no memory, told
    double mass;         // of all that moves, kg
    FILE *line[N_LINES];
    char *text[N_LINES];
    size_t length[N_LINES];
} scene;

// ---- a reader, and what it adds ------------------------------------------------------------------------------------
// Reads what is below `root`; mistakes go to the report.
void mjcf_read(scene *s, xml_element *root);
void urdf_read(scene *s, const xml_element *root);
void sdf_read(scene *s, xml_element *root);

// New entries, zeroed, with the names they have in the model; NULL: no memory, which is told.
scene_body *scene_add_body(scene *s, const xml_element *e, const char *name, int parent);
scene_joint *scene_add_joint(scene *s, const xml_element *e, const char *name, const char *type, int a,
                             int b);
scene_shape *scene_add_shape(scene *s, const xml_element *e, const char *name, const char *type, int body);
void scene_exclude(scene *s, int a, int b);
// A name of the model for one of the file: letters, digits and '_', not used yet in the set.
const char *scene_call(scene *s, name_set *set, const xml_element *e, const char *name);
// An element of the tree in the file `name` besides `from`. NULL: the report says why.
xml_element *scene_open(scene *s, const char *path, const xml_element *from);
// Folder of the file of an element and a name below it, in the memory of the scene.
const char *scene_beside(scene *s, const xml_element *e, const char *folder, const char *name);
// The path of package://NAME/..., model://NAME/..., file://..., or a name beside the file of the element.
const char *scene_uri(scene *s, const xml_element *e, const char *uri);
// A mesh file as the model file names it, or NULL, and why is told.
const char *scene_mesh_file(scene *s, const xml_element *e, const char *path);

// ---- messages ------------------------------------------------------------------------------------------------------
void scene_tell(scene *s, bi_severity severity, const xml_element *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Something that has no counterpart: an attribute, or the element itself (key NULL). Told once, with how often.
void scene_leave(scene *s, const xml_element *e, const char *key, const char *why);
void scene_tell_omissions(scene *s);
bool scene_without(const scene *s, unsigned what);

// ---- numbers -------------------------------------------------------------------------------------------------------
// From `least` to `most` numbers of a text, which stands in `key` of the element (NULL: between its tags); how many, or
// -1: a mistake was told. Those that are not there stay.
int scene_numbers(scene *s, const xml_element *e, const char *key, const char *text, int least, int most,
                  double *value);
double scene_number(scene *s, const xml_element *e, const char *key, double otherwise);
bi_vec3 scene_vector(scene *s, const xml_element *e, const char *key, bi_vec3 otherwise);
bool scene_is_direction(scene *s, const xml_element *e, bi_vec3 *axis); // made of length 1; false: it is zero

bi_vec3 sum(bi_vec3 a, bi_vec3 b);
bi_vec3 difference(bi_vec3 a, bi_vec3 b);
bi_vec3 scaled(double factor, bi_vec3 v);
bi_vec3 crossed(bi_vec3 a, bi_vec3 b);
double dotted(bi_vec3 a, bi_vec3 b);
bi_vec3 turned(const rotation *a, bi_vec3 v);
bi_vec3 turned_back(const rotation *a, bi_vec3 v);
rotation product(const rotation *a, const rotation *b);
rotation inverse_of(const rotation *a);
rotation of_rpy(bi_vec3 rpy); // about the fixed x, y, z: Rz Ry Rx
rotation of_axis(bi_vec3 unit, double angle);
bool of_quaternion(const double wxyz[4], rotation *r); // false: it is zero
bi_quat quaternion_of(const rotation *r);
rotation along_z(bi_vec3 unit); // turns z into the direction, the shortest way
frame frame_in(const frame *outer, const frame *inner);
extern const rotation no_rotation;

// ---- masses ---------------------------------------------------------------------------------------------------------
// R I R^T, both xx yy zz xy yz zx.
void inertia_turned(const rotation *r, const double own[6], double turned[6]);
// One more piece of a body: com and inertia in ground axes, com from the origin of the body.
void inertia_add(scene_body *b, double mass, bi_vec3 com, const double inertia[6]);
// Volume of a shape, its centre and the inertia about it per density, axes of the shape. False: it has none (told).
bool shape_volume(scene *s, const scene_shape *shape, const char *path, double *volume, bi_vec3 *centre,
                  double inertia[6]);
void inertia_principal(const double inertia[6], double moment[3], rotation *axes);
// What the engine would say of such a body, where its numbers stand.
void scene_check_body(scene *s, const scene_body *b, const xml_element *at);

// ---- inputs of joints -------------------------------------------------------------------------------------------------
typedef enum { DRIVE_PLACE, DRIVE_SPEED, DRIVE_EFFORT } scene_drive_kind;
// An input that a joint follows, with an effort and at a speed of at most so much (0: no limit is known). What the joint
// carries is known.
void scene_drive(scene *s, const scene_joint *j, scene_drive_kind kind, double effort, double speed);

// ---- the model file ---------------------------------------------------------------------------------------------------
// "[1, 2, 3]" without digits that only rounding made.
const char *scene_format(char buffer[112], bi_vec3 v);
// The shortest text that is this number, but for what rounding left behind its 13th digit.
const char *number_text(char buffer[32], double x);
// What bodies are one in the model, what joints carry, which shapes stay and which of them touch.
void scene_finish(scene *s);
void scene_find_carried(scene *s);
void scene_find_contacts(scene *s);
void scene_write(scene *s, FILE *out);
