// SPDX-License-Identifier: MIT
// Nonlinear finite elements in absolute coordinates: geometrically exact beams, total-Lagrangian quads, rigid bodies
// and joints, statics and implicit dynamics. Knows nothing of floating frames and modes: the yardstick that they are
// measured with. Theory: docs/theory/yardstick.md.
#pragma once
#include "math/expr.h"
#include "math/rotation.h"
#include <biela/biela.h>

typedef struct yard yard;

// A value of time with two derivatives: what loads and drives follow.
typedef struct {
    jet (*at)(const void *ctx, double t);
    const void *ctx;
} yard_profile;

// A place (three components) and a turn (a frame). Several nodes may share a place (a hinge) or both (a weld).
typedef struct {
    int place, turn; // turn -1: the node has no rotation
} yard_node;
enum { YARD_X = 1, YARD_Y = 2, YARD_Z = 4, YARD_ALL = 7 };

// Stiffness and inertia of a beam's section. A planar beam bends about z: it reads EA, GAy, EIz, rhoA, rhoIz.
typedef struct {
    double EA, GAy, GAz;       // N
    double GJ, EIy, EIz;       // N m2
    double rhoA, rhoIy, rhoIz; // kg/m, kg m
    double viscous;            // s: section forces are those of the strain plus viscous times its rate
} yard_section;

typedef struct {
    int first, count; // elements along a bar, in order
    bool is_planar;
} yard_bar;

typedef struct {
    double N, Qy, Qz, Mt, My, Mz; // N, N m; axes of the section: x along the bar
} yard_forces;                    // the elastic part only

// ---- describing: adding never fails; yard_finish tells what was wrong ----------------------------------------------

yard *yard_create(void); // NULL: no memory
void yard_destroy(yard *y);
void yard_planar(yard *y);          // first: all that follows moves in x and y, and turns about z
void yard_gravity(yard *y, vec3 g); // default none
int yard_place(yard *y, vec3 at);   // free to move
int yard_turn(yard *y, quat rot);   // free to turn; rot takes its axes to ground axes
yard_node yard_add_node(yard *y, vec3 at, quat rot);
void yard_hold_place(yard *y, int place, unsigned components); // YARD_X | ...
void yard_hold_turn(yard *y, int turn, unsigned components);   // spins about its own axes
void yard_set_velocity(yard *y, int place, vec3 v);            // at the start, m/s
void yard_set_spin(yard *y, int turn, vec3 w);                 // at the start, ground axes, rad/s
// Turns about a ground axis as given, from where it stands at value zero.
void yard_drive_turn(yard *y, int turn, vec3 axis, yard_profile angle);

// A straight bar of `count` elements from a to b. Planar: cubic elements, two more nodes inside each. Spatial: two-node
// elements; `up` is the section's z axis, about.
yard_bar yard_add_bar(yard *y, yard_node a, yard_node b, vec3 up, const yard_section *section, int count);
// A bar through given nodes whose x axes are its tangents: constant initial curvature in each element of length
// `length`.
yard_bar yard_add_curved_bar(yard *y, const yard_node *node, int count, double length,
                             const yard_section *section);

typedef struct {
    double E, nu, rho, thickness; // Pa, -, kg/m3, m
    double viscous;               // s, as in a section
} yard_plate;
int yard_add_quad(yard *y, const int place[4], const yard_plate *plate);     // counterclockwise
int yard_add_triangle(yard *y, const int place[3], const yard_plate *plate); // the same, constant strain

// Mass and inertia about the node (tensor in the axes of the turn); com: from the node, same axes.
void yard_add_body(yard *y, yard_node node, double mass, vec3 com, mat3 inertia);

// A point of a and a point of b coincide; offsets in the axes of their turns (zero without a turn). Gives the first
// row.
int yard_join(yard *y, yard_node a, vec3 offset_a, yard_node b, vec3 offset_b);
// Directions of two turns, given in ground axes as they stand, stay at right angles.
int yard_perpendicular(yard *y, int turn_a, vec3 u, int turn_b, vec3 w);
// Two turns revolve about an axis (ground axes, as they stand) that both carry: two rows.
int yard_hinge(yard *y, int turn_a, int turn_b, vec3 axis);
// No relative turn: three rows (planar one).
int yard_align(yard *y, int turn_a, int turn_b);
// The point of b stays where it is along a direction of a (ground axes, as they stand): one row.
int yard_guide_point(yard *y, yard_node a, vec3 offset_a, vec3 direction, yard_node b, vec3 offset_b);
// The same, and moves along it as given, from where it stands at the value's start.
int yard_drive_point(yard *y, yard_node a, vec3 offset_a, vec3 direction, yard_node b, vec3 offset_b,
                     yard_profile value);
// Planar: angle of b less angle of a = value, from where they stand at zero.
int yard_drive_angle(yard *y, int turn_a, int turn_b, yard_profile value);

void yard_force(yard *y, yard_node node, vec3 offset, vec3 direction, yard_profile value); // ground axes, N
void yard_torque(yard *y, int turn, vec3 axis, yard_profile value); // ground axes, N m; minus it on nobody

typedef struct {
    double stiffness, damping, rest,
        preload; // N/m, N s/m, m, N: tension preload + stiffness (l - rest) + damping dl/dt
    int only;    // 2: only pulls, 3: only pushes
} yard_spring;
void yard_add_spring(yard *y, yard_node a, vec3 offset_a, yard_node b, vec3 offset_b, const yard_spring *law);

// Numbers the freedoms, plans the matrix. False: no memory or nothing that moves.
bool yard_finish(yard *y);
int yard_freedoms(const yard *y);
void yard_sizes(const yard *y, int *beams, int *quads, int *rows); // elements, equations of joints

// ---- solving -------------------------------------------------------------------------------------------------------

typedef struct {
    double h;       // s
    double rho_inf; // 0..1: what is left of the fastest oscillations after a step
    double
        tolerance; // last correction against the size of the structure, and in rad; 0 = least of 1e-10 and 1e-4 h^2
    int iterations; // 0 = 30 at most
} yard_options;
typedef struct {
    int64_t steps, iterations, factors;
} yard_statistics;

// Loads grow from zero to their value at t in `steps` equal parts; the structure then stands in equilibrium.
bi_status yard_static(yard *y, double t, int steps, const yard_options *o);
bi_status yard_start(yard *y);                       // at t = 0, as described
bi_status yard_step(yard *y, const yard_options *o); // one h; on failure the state is the one before
double yard_time(const yard *y);
yard_statistics yard_counts(const yard *y);

// ---- reading -------------------------------------------------------------------------------------------------------

vec3 yard_at(const yard *y, int place);
vec3 yard_velocity(const yard *y, int place);
mat3 yard_axes(const yard *y, int turn);
double yard_angle(const yard *y, int turn); // planar, or driven: turned since the start, all revolutions
double yard_rate(const yard *y, int turn);  // about its own z, rad/s
vec3 yard_point(const yard *y, yard_node node, vec3 offset);
yard_forces yard_bar_forces(const yard *y, yard_bar bar, double along); // along: 0..1
void yard_bar_point(const yard *y, yard_bar bar, double along, vec3 *at, mat3 *axes);
// Mean over the quads that meet at a place of sigma xx, yy, xy in the axes of the undeformed plate, Pa.
void yard_plate_stress(const yard *y, int place, double stress[3]);
vec3 yard_reaction(const yard *y, int place);      // what holds a place, N
double yard_drive_effort(const yard *y, int turn); // what drives or holds a turn about its own z, N m
double yard_multiplier(const yard *y, int row);    // of a row, N or N m
double yard_energy(const yard *y);                 // kinetic, elastic and of gravity, J
