// SPDX-License-Identifier: MIT
// Time steppers on the equations of any set of coordinates: the door of this room. `sim` and `analysis` share states
// and trays with the stepper and ask it for everything else.
#pragma once
#include "dynamics/dynamics.h"
#include "integrate/inside.h"

// One per simulation; cut from its arena.
typedef struct {
    const dynamics *d;
    trays trays;
    coords now, old; // present state, start of the step
    double
        *right; // right-hand side and solution, the last correction after a step; between steps anybody's (n)
    double *product;   // between steps anybody's (n)
    stepper_inside in; // of this room only
} stepper;

// ---- life -----------------------------------------------------------------------------------------------------

typedef enum { STEPPER_HAS_STAGES, STEPPER_IS_IMPLICIT } stepper_stages;
// vibrations: of flexible bodies, whose phase is corrected; may be none.
void stepper_cut(stepper *s, const dynamics *d, const solver *fac, const vibrations *vibrations,
                 stepper_stages stages, arena *a);
// And its room within a step, of which the next one needs nothing.
void stepper_cut_room(stepper *s, arena *a);
void stepper_close(stepper *s);
// usual: length of most steps, s.
void stepper_set(stepper *s, stepper_options options, double usual);
// For who compares steps: until it is given back, implicit steps are solved to this tolerance, in more iterations if need be.
typedef struct {
    double tolerance;
    int iterations;
} stepper_goal;
stepper_goal stepper_tighten(stepper *s, stepper_goal goal); // gives that of before
// `now` is where a run begins: it is `old`, too; nothing is counted or remembered.
void stepper_begin(stepper *s);
// `now` becomes `old` before a step; a step that failed leaves no trace after stepper_put_back.
void stepper_save(stepper *s);
void stepper_pass(stepper *s, double t); // nothing moves until t
void stepper_put_back(stepper *s);
// `old` is again what it was before stepper_save, and `now` stays.
void stepper_put_old_back(stepper *s);
// Its states that have a pool.
enum { STEPPER_STATES = 3 };
void stepper_states(stepper *s, coords *out[STEPPER_STATES]);
// The step is kept: what it formed serves the next ones. Else the kept tangent is still that of the steps before.
void stepper_accept(stepper *s);
// The kept tangent is of no use any more.
void stepper_forget(stepper *s);

// Where in a stepper whole numbers lie that differ between runs of one system: the fastest body; a gap, too.
enum { STEPPER_OWN = 2 };
void stepper_own(size_t at[STEPPER_OWN]);

// A run of bytes of a snapshot.
typedef struct {
    void *data;
    size_t size;
} piece;
// What belongs to the state of a run, and what is only counted or follows from states before.
typedef struct {
    piece weight, sigma, use, last;
    piece n_iteration, n_factor, spin, tangent, gradients, rank;
} stepper_pieces;
stepper_pieces stepper_list(stepper *s);
// The pieces were read from a snapshot: the factor of the kept tangent again.
void stepper_restore(stepper *s);

// ---- what a step leaves to ask for ------------------------------------------------------------------------------

// Start of the step before, whose end is `old`: together they tell the trend.
static inline const coords *stepper_before(const stepper *s) { return &s->in.before; }
// It came to a position where constraints lose rank, which no stage of an explicit rule can stand at.
static inline bool stepper_lost_rank(const stepper *s) { return s->in.has_lost_rank; }
// Other rows hold: ranks of before do not count.
void stepper_forget_rank(stepper *s);
// An implicit step ended with forces of its end, since it did not form a tangent in each iteration; with the power of
// guides, W.
static inline bool stepper_has_estimates(const stepper *s) { return !s->in.is_afresh; }
// The same of the forces alone.
static inline bool stepper_has_forces(const stepper *s)
{
    return !s->in.is_afresh || (s->trays.of_step & LAW_LATE);
}
// Forces of contacts that live were looked for beside the others: they are not in the load.
static inline bool stepper_is_swept(const stepper *s) { return s->in.touching.is_swept; }
// Of guides against contacts that acted in the whole step as at its end, J; their power is then that without contacts.
static inline double stepper_work_of_guides(const stepper *s)
{
    return s->trays.of_step & LAW_LATE ? s->in.work_of_guides : 0.0;
}
static inline double stepper_power_of_guides(const stepper *s) { return s->in.power_of_guides; }
// `now` was found otherwise than by a step.
void stepper_replaced(stepper *s);
// Multipliers of `now` from elsewhere: no projection has to add to them.
void stepper_take_multipliers(stepper *s, const double *lambda);

// Local errors of an explicit step with an estimate: largest of a coordinate and of a rate; of each state of laws
// (n_z).
typedef struct {
    double q, v;
    const double *z;
} stepper_errors;
static inline stepper_errors stepper_local_errors(const stepper *s)
{
    return (stepper_errors){ s->in.local_error, s->in.local_error_v, s->in.local_error_z };
}
// The same of the coordinates in an implicit step of h from `old`, just tried (adapt.1, adapt.6); `work` is
// overwritten.
double stepper_error(const stepper *s, double h, coords *work);
// The same of each coordinate, left in work->q.
void stepper_error_of_each(const stepper *s, double h, coords *work);

// The fastest body at `now`: its angular velocity, rad/s, and its number; -1: none turns.
typedef struct {
    double rate;
    int body;
} stepper_turning;
static inline stepper_turning stepper_spin(const stepper *s)
{
    return (stepper_turning){ s->in.spin, s->in.spinning };
}

typedef struct {
    int64_t iterations, factors;
} stepper_counts;
static inline stepper_counts stepper_counted(const stepper *s)
{
    return (stepper_counts){ s->in.n_iteration, s->in.n_factor };
}
// A try that ended early does not count.
static inline void stepper_count_from(stepper *s, stepper_counts counts)
{
    s->in.n_iteration = counts.iterations;
    s->in.n_factor = counts.factors;
}

// What failed: the row of the largest violation, or the variable without inertia; -1: none.
typedef struct {
    int row, variable;
} stepper_blame;
static inline stepper_blame stepper_worst(const stepper *s)
{
    return (stepper_blame){ s->in.worst_row, s->in.bad_variable };
}

// ---- what it works out of a state -----------------------------------------------------------------------------

// initial.c: position, velocity and acceleration at the start
typedef struct {
    int variable;
    double value, rate;
    bool set_value, set_rate;
} held_coordinate;
bi_status initial_position(stepper *s, const held_coordinate *held, int n_held, double *worst);
// The same with flexible bodies put together as they are drawn.
bi_status initial_position_straight(stepper *s, const held_coordinate *held, int n_held, double *worst);
bi_status initial_velocity(stepper *s, const held_coordinate *held, int n_held, double *worst);
// The same with nothing held, and flexible bodies vibrating as `now` says.
bi_status initial_velocity_given(stepper *s, double *worst);
bi_status initial_inertia(stepper *s); // BI_SINGULAR: stepper_worst names the variable
bi_status initial_acceleration(stepper *s);
// The same as a run begins: bodies inside each other are not thrown apart (contact.29).
bi_status first_acceleration(stepper *s);
// Exact multipliers of the state `from`, found on a copy of it. Asking is no part of the run.
bi_status reaction_pass(stepper *s, const coords *from, coords *copy);
// The same with further generalised forces (n).
bi_status forced_pass(stepper *s, const coords *from, const double *force, coords *copy);

// impact.c: `now` onto the rows that hold now, without rebound; accelerations and multipliers afresh.
bi_status stepper_impact(stepper *s);

// After a step of another scheme: how far `now` is from where constraints lose rank.
void explicit_look(stepper *s);
// Logarithm of the determinant of the tangent at `at`: it falls where constraints lose rank (explicit.9). NAN: it is
// singular. Overwrites the working tangent; asking is no part of the run.
double stepper_rank(stepper *s, coords *at);
// fastest.c: largest frequency and rate of decay of the laws at `at`, 1/s; false: they have none. Overwrites the
// working tangent.
bool stepper_fastest(stepper *s, coords *at, double *frequency, double *decay);
