// SPDX-License-Identifier: MIT
// What a set of coordinates offers: the staircase between bodies and q.
#pragma once
#include "base/lanes.h"
#include "state/law.h"
#include "state/structure.h"
#include <biela/sim.h>

// Three coordinates that turn with a body about a centre, as a step sees them (ali3p.15).
typedef struct {
    int x, centre; // first coordinates; the centre may be a constant
    int parent;    // frame of the centre, before this one in the list; -1: it does not turn
    bool
        is_plane; // it turns about a coordinate axis, and so does its parent: only two coordinates take part, i and j
    int i, j, centre_i, centre_j;
    double rate, sin, cos; // about that axis: rad/s, and of the turn over the step
    vec3 spin;             // about any, rad/s
    mat3 turn;             // over the step
    vec3 more_v,
        more_a; // what the last correction added beside that of coordinates at rest; in a plane i, j, -
} turning_frame;

// A point or vector of a body that three numbers of q stand for: variables below structure.n, constants from there on.
typedef struct {
    int q, body;
    bool is_vector;
    vec3 local; // body frame
    double
        share; // in the mean of all bodies that have it; negative: the body's own vector points the other way
} entity_seat;

typedef struct {
    bi_coordinates value; // its line in BI_COORDINATES_LIST
    const char *name;
    // The rows a joint needs beside what these coordinates build in.
    void (*request)(plan *p);
    // Tables and structure from everything that was planned. NULL: see the report.
    void *(*create)(const plan *p, structure *out, bi_report *report);
    void (*destroy)(void *tab);
    // Points and vectors, or coordinates of the tree, where the bodies are, with their rates; the rest stays. False: no memory.
    bool (*place)(const void *tab, const bi_pose *pose, const bi_twist *twist, coords *out);
    // ---- from here on: what steps use, and no memory (tools/check_core.py)
    // Markers from coordinates. want: LIFT_ALL, or only those that laws and constraints read; LIFT_JOINTS: of these at
    // least the joint coordinates.
    void (*lift)(const void *tab, const coords *in, unsigned want, motion *out);
    // Rows of the coordinates themselves and the gradients of all rows with respect to q. want: LAW_POSITION,
    // LAW_SECOND.
    void (*drop_rows)(const void *tab, const coords *at, const motion *m, unsigned want, rows *r,
                      equations *out);
    // Generalised forces; with want & DROP_MASS the mass matrix too, with DROP_RESIDUAL less M a of the second rates,
    // for which the matrix need not be formed.
    void (*drop_load)(const void *tab, const coords *at, const motion *m, const load *in, unsigned want,
                      equations *out);
    // Accelerations without constraints in time linear in the bodies; NULL: not offered.
    void (*accelerate)(const void *tab, const coords *at, motion *m, const double *Q, double *a);
    // The first variable that moves without inertia while all others hold still or follow freely, by the pivots of
    // `accelerate`, after an evaluation of forces; -1: none. Offered with `accelerate`. scratch: 2 n.
    int (*massless)(const void *tab, const coords *at, motion *m, double *scratch);
    // What the twists of all bodies are as generalised momentum, were they possible, after an evaluation of forces;
    // NULL: not offered.
    void (*momentum)(const void *tab, const coords *at, const motion *m, const bi_twist *twist, double *out);
    // All points and vectors that q holds, once for each body that has them; NULL: q holds none.
    const entity_seat *(*seats)(const void *tab, int *count);
    // New references for rotation coordinates, so that they stay small; NULL: there are none.
    void (*recentre)(const void *tab, coords *c);
    // Largest angular velocity of a body, rad/s, and which; after lift. -1: none turns.
    double (*spin)(const void *tab, const coords *at, const motion *m, own_int *body);
    // The frames in which a step sees turning bodies nearly at rest (structure.n_frame): what of them is constant; and
    // as they turn in a step of h from `at`. NULL: these coordinates turn by themselves.
    void (*frames_create)(const void *tab, turning_frame *out);
    void (*frames)(const void *tab, const coords *at, double h, turning_frame *out);
    // T += wK K + wC C, symmetric part, on the tangent's pattern.
    void (*drop_tangent)(const void *tab, const coords *at, const motion *m, const load *in, double wK,
                         double wC, double *T);
    // How each site (plan.site) that is wanted moves with its variables, structure.site_col: 6 rows per site, one after
    // the other.
    void (*site_maps)(const void *tab, const coords *at, const motion *m, const bool *wanted, double *J);
    // Kinetic energy from the motion alone, after lift, in time linear in the bodies; false: not offered for this
    // mechanism.
    bool (*kinetic)(const void *tab, const motion *m, double *out);
    // y += M x.
    void (*multiply_mass)(const void *tab, const equations *e, const double *x, double *y);
    // Pose and twist of the bodies that are wanted, after lift; wanted NULL: of every one.
    void (*poses)(const void *tab, const coords *at, const motion *m, const bool *wanted, bi_pose *pose,
                  bi_twist *twist);
    // First body whose basis came out mirrored against its description; -1: none.
    int (*mirrored)(const void *tab, const coords *at);
    // Wrench of every joint on its second body about its point there, ground axes (n_joint), from accelerations a and
    // multipliers lambda; `m` holds the markers' motion, `in` the loads; scratch: that many doubles.
    size_t (*reactions_scratch)(const void *tab);
    void (*reactions)(const void *tab, const coords *at, const motion *m, const load *in, const rows *r,
                      double *scratch, bi_wrench *out);
} coordinates_set;

// closure.c: all rows of a joint that closes a loop, or sits on a moving node of a flexible body.
void closure_request(plan *p, int joint);
void closure_request_unshared(plan *p, int joint); // less what bodies do that share its points and directions
void closure_request_pitch(plan *p, int joint);    // that angle and position keep step, if they do

// A new set is a file with its `coordinates_set`, and a line of BI_COORDINATES_LIST in <biela/sim.h>. A line without
// the file does not link, a file without the line does not compile (docs/guide/add-coordinates.md).
#define SET_DECLARED(value, its_name) extern const coordinates_set its_name##_set;
BI_COORDINATES_LIST(SET_DECLARED)
#undef SET_DECLARED
