// SPDX-License-Identifier: MIT
// The trays that travel between rooms: plain arrays with one writer each.
#pragma once
#include "math/expr.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include <stdbool.h>
#include <stdint.h>

// Where a part of the pool lies now, and the working room that goes with it: as large as what is near needs.
typedef struct {
    int at, size; // numbers of coords.pool
    int pairs;    // at most
    size_t work;  // in the scratch
} pool_room;

// Where the mechanism is. Natural coordinates keep their constant entities behind the n variables (rates zero).
typedef struct {
    double t;              // s
    double *q;             // coordinates                                   (n_q), written by integrate
    double *v;             // their rates                                   (n_q)
    double *a;             // their second rates                            (n_q)
    double *lambda;        // multipliers of the rows: lambda* of ALI3-P, N (n_row)
    double *z;             // states of laws                                (n_z)
    double *dz;            // their rates                                   (n_z)
    double *drive;         // algorithmic acceleration of generalised-alpha (n_q), written by integrate
    double *memory;        // what laws remember between steps: anchors     (n_memory), written by commit
    double *pool;          // lists that laws remember: contacts that live, written by commit
    const pool_room *room; // where they lie in it                  (n_pools)
    double *chart; // references of rotation coordinates: unit quaternions (n_chart), written by recentre
} coords;

// What physics sees. A marker owns 1, 3 or 6 consecutive numbers from its `dof` on:
//   point 3 (position; velocity), vector 3 (direction; its rate), frame 6 (position; velocity and angular velocity),
//   joint coordinate 1, modal amplitude 1.
typedef struct {
    double *value; // (n_dof), written by lift; the last three of a frame are not used
    double *rate;  // (n_dof), written by lift
    double *bias;  // acceleration of the marker when all second rates of q are zero (n_dof), written by lift
    mat3 *axes;    // of frames (n_frame), written by lift
    double *own;   // what the coordinates keep from lift to drop (n_own)
    double *room;  // to work in while a tangent is formed (n_room)
} motion;

// What physics answers: efforts dual to the rates, only added to; stiffness and damping of groups of markers.
typedef struct {
    double *effort; // N, N m (n_dof)
    double *K, *C;  // -d effort / d value, -d effort / d rate: dense blocks, row-major (n_block_value)
    bool has_sites; // blocks of sites (plan.h) may hold more than zeros
    double *scalar; // one telling number per element (n_element): tension, torque, current, normal force
} load;

// Constraints on markers. Position rows: phi = 0; velocity rows: phi is the violated velocity.
typedef struct {
    double *phi;   // (n_row), m or rad, or their rates on velocity rows
    double *phi_t; // partial derivative with time, position rows (n_row)
    double
        *gamma; // second derivative (first, on velocity rows) when all marker accelerations are zero (n_row)
    double *gradient; // with respect to the markers of each group, dense (n_gradient)
} rows;

// The same seen by the solver: everything in terms of q.
typedef struct {
    double *M; // mass matrix on the tangent's pattern (n_tangent)
    double *Q; // generalised forces, inertia forces quadratic in v included (n_variable)
    double *G; // gradients of the rows, compressed rows (n_G)
} equations;

// What the outside and the clock tell the laws.
typedef struct {
    const double *outside;      // inputs as last set from outside; NULL: `input` is set by hand (n_input)
    double *input, *input_rate; // at t, and what a manoeuvre changes them by (n_input), written by signal
    double t, h;                // time of the evaluation; step, zero outside implicit steps
    double stiffer;             // 0: beams are as they are, 1: twice as stiff; while an equilibrium is sought
    double number;              // of the evaluation, counted: what is known of it is not worked out twice
    double longest;             // s, that steps usually are: parts of one are shorter
    double coarse;   // s, of fixed steps in which contacts act as they are at the end; 0: others (contact.26)
    jet *signal;     // expressions: value and partial derivatives with t (n_expr), written by signal
    double *partial; // derivatives of expressions with joint coordinates and rates (n_partial)
    jet *room;       // to evaluate an expression (n_register)
} signals;

static inline vec3 tray_vec3(const double *from) { return (vec3){ from[0], from[1], from[2] }; }

static inline void tray_put(double *to, vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static inline void tray_add(double *to, vec3 v)
{
    to[0] += v.x;
    to[1] += v.y;
    to[2] += v.z;
}
