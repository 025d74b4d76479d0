// SPDX-License-Identifier: MIT
// Time steppers on the equations of any set of coordinates.
#pragma once
#include "dynamics/dynamics.h"
#include "integrate/phase.h"
#include "sparse/solver.h"

typedef struct {
    double tolerance;        // of the last correction against the first
    int iterations;          // at most
    double penalty;          // c of ALI3-P
    double damping;          // 1 - rho of generalised-alpha; 0: trapezoidal
    double baumgarte;        // of explicit schemes, 1/s; 0: projections
    double velocity_penalty; // at most, of velocity rows
} stepper_options;

enum { STAGES = 7 }; // of the longest explicit rule

// How long a tangent of ALI3-P serves (ali3p.20).
typedef enum { TANGENT_ITERATION, TANGENT_STEP, TANGENT_STEPS } tangent_life;

// How a tangent of ALI3-P serves the steps after the one that formed it (ali3p.20).
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
    double turn;       // what a further solution is of the one before it (ali3p.19); 0: not known
    int64_t is_known;  // there was such a step
    int64_t has_trend; // accelerations go on changing as they did: the next step begins with that (ali3p.21)
} step_memory;

// A tangent, its factor, and what they were made from.
typedef struct {
    double *T;       // tangent                                                     (n_tangent)
    double *numeric; // its factor
    double *G;       // gradients of the rows in it                                 (n_G)
    tangent_use use;
} tangent;

// One per simulation; cut from its arena.
typedef struct {
    const dynamics *d;
    const solver *fac;
    stepper_options options;
    trays trays;
    coords now, old, stage; // present, start of the step, work of explicit schemes
    double *weight;         // penalty of each row, c m_k, kg                        (n_row)
    tangent kept;           // of ALI3-P, left by the last step; reading does not touch it
    tangent work;           // the one formed last
    tangent_life life;
    double last_correction;       // size of the last one of the present step
    double *drift;                // of each row by time alone: Phi_t; b of velocity rows (n_row)
    double power_of_guides;       // W, when the step was not afresh
    bool is_afresh;               // the present step has formed one in each iteration
    step_memory last, next;       // of the step before; of the present one
    int64_t n_last;               // iterations of the last step since its tangent was formed
    bool has_formed;              // the present step ends with `work` instead of `kept`
    double *right;                // right-hand side and solution                         (n)
    double *product;              // (n)
    double *residual;             // per row                                             (n_row)
    double *sigma;                // correction of the multipliers by the last projection (n_row)
    double *mass;                 // diagonal of M while weighing rows                    (n)
    double *slope;                // stages of explicit schemes: rates of q, v, z   (STAGES * (2 n + n_z))
    double *product_row;          // (n_row)
    double *increment;            // of multipliers                                      (n_row)
    double local_error;           // of an embedded pair: largest of a coordinate in the last step
    double local_error_v;         // of a rate
    double *local_error_z;        // of each state of laws (n_z)
    const vibrations *vibrations; // of flexible bodies, whose phase is corrected; NULL or none
    double *lost_inertia;         // inertia that they lose in a step of lost_h, s: their pairs, kg m2
    double lost_h, usual_h;       // usual_h: length of most steps, s
    double spin;                  // largest angular velocity of a body at the start of the step, rad/s
    int spinning;                 // that body; -1: none
    turning_frame *frame;         // of the present step (structure.n_frame)
    bool is_corrected;            // accelerations of the step, not of the body, are looked for
    bool is_straight;             // initial positions: flexible bodies are put together as they are drawn
    double rank_now,
        rank_next; // explicit steps: logarithms of determinants at their start and end; NAN: not known
    bool is_semi_implicit; // explicit rule whose positions follow the new rates
    bool has_lost_rank;    // the present step came to a position with less
    int64_t n_iteration, n_factor;
    int worst_row;    // largest violation when a step failed; -1
    int bad_variable; // without inertia when a factor failed; -1
} stepper;

void stepper_cut(stepper *s, const dynamics *d, const solver *fac, arena *a);
void stepper_close(stepper *s);
// The step is kept: what it formed serves the next ones. Else `kept` is still that of the steps before.
void stepper_accept(stepper *s);
// The spin of the state on the trays, which the next step begins with.
void stepper_spin(stepper *s);
// The kept tangent is of no use any more.
void stepper_forget(stepper *s);
// The numbers of the kept tangent were read from a snapshot: its factor again.
void stepper_restore(stepper *s);

// system.c: building blocks
void rows_weigh(stepper *s, bool for_position);       // weight of each row from G and M (ali3p.6)
void tangent_build(stepper *s, double wK, double wC); // work.T = M + wC C + wK K + G^T weight G
bool tangent_factor(stepper *s, double pivot_tolerance);
void rows_apply(const structure *st, const double *G, const double *coefficient,
                double *out); // out += G^T coefficient
double long_row_dot(const structure *st, const double *G, int row, const double *x);
static inline double row_dot(const structure *st, const double *G, int row, const double *x)
{
    double sum = 0.0;
    if (st->run[2 * row + 1] > 0) {
        return long_row_dot(st, G, row, x);
    }
    for (int k = st->G_start[row], end = st->G_start[row + 1]; k < end; k++) {
        sum += G[k] * x[st->G_col[k]];
    }
    return sum;
}
void gradients_keep(stepper *s); // G set aside as those of the factor in `work`
static inline bool has_phase(const stepper *s) { return s->vibrations && s->vibrations->count > 0; }
void stepper_use_length(stepper *s, double h); // the correction of the phase for steps of this length
double largest(const double *x, int n);

// initial.c: position, velocity and acceleration at the start
typedef struct {
    int variable;
    double value, rate;
    bool set_value, set_rate;
} held_coordinate;
bi_status initial_position(stepper *s, const held_coordinate *held, int n_held, double *worst);
bi_status initial_velocity(stepper *s, const held_coordinate *held, int n_held, double *worst);
bi_status initial_inertia(stepper *s); // BI_SINGULAR: bad_variable names it
bi_status initial_acceleration(stepper *s);
// a += T^-1 (Q - M a - G^T (mu + w (G a + gamma))), the change left in `right`; then mu += w (G a + gamma) (initial.4).
void acceleration_correct(stepper *s, double *a, const double *mu);
void multipliers_follow(stepper *s, const double *a, double *mu);
// Exact multipliers of the state `from`, found on a copy of it.
bi_status reaction_pass(stepper *s, const coords *from, coords *copy);

// impact.c: `now` onto the rows that hold now, without rebound; accelerations and multipliers afresh.
bi_status stepper_impact(stepper *s);

// Local error of the coordinates in an implicit step of h from `old`, just tried (adapt.1, adapt.7); `work` is overwritten.
double stepper_error(const stepper *s, double h, coords *work);
void explicit_look(
    stepper *s); // after a step of another scheme: how far `now` is from where constraints lose rank
// Logarithm of the determinant of the tangent at `at`: it falls where constraints lose rank (explicit.9). NAN: it is singular.
// Overwrites the working tangent.
double stepper_rank(stepper *s, coords *at);
// fastest.c: largest frequency and rate of decay of the laws at `at`, 1/s; false: they have none. Overwrites the working tangent.
bool stepper_fastest(stepper *s, coords *at, double *frequency, double *decay);
