// SPDX-License-Identifier: MIT
// What steppers work with and nobody else sees: weights of rows, tangents, what one step leaves for the next.
#pragma once
#include "base/lanes.h"
#include "dynamics/parts.h"
#include "integrate/phase.h"
#include "sparse/solver.h"
#include "state/trays.h"

// Of contacts that live: how sites move, of the tangent formed last.
typedef struct {
    double *J;        // maps of the sites                             (6 per variable of each)
    double *A;        // mobilities, times fA                           (parts.n_A)
    double *u, *w;    // of the sites                                  (6 n_site)
    double *before;   // rates of the sites in the mean of the step, less those of now (6 n_site)
    double *shift;    // displacements of the sites as contacts pushed them last      (6 n_site)
    void *sites;      // (n_site)
    bool *wanted;     // those that touch                               (n_site)
    int *active;      // a list of them                                (n_site)
    void *moves[8];   // (n_site)
    part_table parts; // with the sites that touch
    place_groups groups;
    double *work;
    int64_t counts[PLACES_COUNTS];
    bool is_stiff; // springs of places found last are too stiff for the step
    bool is_swept; // in the present step their forces are looked for beside all others
} touching;

typedef struct {
    double tolerance;        // of the last correction against the first
    int iterations;          // at most
    double penalty;          // c of ALI3-P
    double damping;          // 1 - rho of generalised-alpha; 0: trapezoidal
    double baumgarte;        // of explicit schemes, 1/s; 0: projections
    double baumgarte_beta;   // of positions, 1/s
    double velocity_penalty; // at most, of velocity rows
} stepper_options;

enum { STAGES = 7 }; // of the longest explicit rule

// How long a tangent of ALI3-P serves (ali3p.10).
typedef enum { TANGENT_ITERATION, TANGENT_STEP, TANGENT_STEPS } tangent_life;

// How a tangent of ALI3-P serves the steps after the one that formed it (ali3p.10).
typedef struct {
    double fA, fV;    // factors of the step it was formed for; zero: there is none
    int64_t age;      // steps it has served
    int64_t usual;    // iterations of the first of them
    int64_t is_stale; // the next step begins with one of its own
    int64_t alone;    // so many further steps do, too: the last ones did not serve long enough
} tangent_use;

// What a step that keeps its tangent leaves for the next one.
typedef struct {
    double
        correction; // the first one of a step, from the plain predictor: the largest of late, half as much after each step
    double turn;       // what a further solution is of the one before it (ali3p.7); 0: not known
    int64_t is_known;  // there was such a step
    int64_t has_trend; // accelerations go on changing as they did: the next step begins with that (ali3p.9)
} step_memory;

// A tangent, its factor, and what they were made from.
typedef struct {
    double *T;       // tangent                                                     (n_tangent)
    double *numeric; // its factor
    double *G;       // gradients of the rows in it                                 (n_G)
    tangent_use use;
} tangent;

// Of one stepper; named only in this room (tools/check_house.py).
typedef struct {
    const solver *fac;
    stepper_options options;
    double *weight; // penalty of each row, c m_k, kg                        (n_row)
    tangent kept;   // of ALI3-P, left by the last step; reading does not touch it
    tangent work;   // the one formed last
    tangent_life life;
    double last_correction; // size of the last one of the present step
    double *drift;          // of each row by time alone: Phi_t; b of velocity rows (n_row)
    double power_of_guides; // W, when the step was not afresh
    double work_of_guides;  // J, against contacts that acted in the whole step as at its end (contact.23)
    bool is_afresh;         // the present step has formed one in each iteration
    step_memory last, next; // of the step before; of the present one
    int64_t n_last;         // iterations of the last step since its tangent was formed
    bool has_formed;        // the present step ends with `work` instead of `kept`
    double *residual;       // per row                                             (n_row)
    double *sigma;          // correction of the multipliers by the last projection (n_row)
    double *mass;           // diagonal of M while weighing rows                    (n)
    double *slope;          // stages of explicit schemes: rates of q, v, z   (STAGES * (2 n + n_z)); else 3 n
    double *product_row;    // (n_row)
    double *increment;      // of multipliers                                      (n_row)
    double local_error;     // of an embedded pair: largest of a coordinate in the last step
    double local_error_v;   // of a rate
    double *local_error_z;  // of each state of laws (n_z)
    const vibrations *vibrations; // of flexible bodies, whose phase is corrected; NULL or none
    double *lost_inertia;         // inertia that they lose in a step of lost_h, s: their pairs, kg m2
    double lost_h, usual_h;       // usual_h: length of most steps, s
    double spin;                  // largest angular velocity of a body at the start of the step, rad/s
    own_int spinning;             // that body; -1: none
    turning_frame *frame;         // of the present step (structure.n_frame)
    bool is_corrected;            // accelerations of the step, not of the body, are looked for
    unsigned left_out;            // LAW_APART: accelerations without contacts that live are looked for
    bool is_given;    // initial velocities: amplitudes of flexible bodies move as they are told to
    bool is_straight; // initial positions: flexible bodies are put together as they are drawn
    double rank_now,
        rank_next; // explicit steps: logarithms of determinants at their start and end; NAN: not known
    bool is_semi_implicit; // explicit rule whose positions follow the new rates
    bool has_lost_rank;    // the present step came to a position with less
    int64_t n_iteration, n_factor;
    touching touching;
    int worst_row;        // largest violation when a step failed; -1
    int bad_variable;     // without inertia when a factor failed; -1
    coords before;        // start of the step before the present one, whose end is `old`
    double *sigma_before; // as it was at the start of the present step (n_row)
} stepper_inside;
