// SPDX-License-Identifier: MIT
/* sim.h - a system that is compiled once, and runs of it: start, step, read, save. */
#pragma once
#include <biela/model.h>
BI_BEGIN

/* ---- system: compile once --------------------------------------------------------------------- */
/* The two lists below are the only ones: value, and the name that the engine's own table of it begins with. New ones
 * come last, so that values stay what they are. */
#define BI_COORDINATES_LIST(X)                                                                               \
    X(BI_NATURAL, natural)                                                                                   \
    X(BI_JOINT, joint)                                                                                       \
    /* end of coordinates */
#define BI_COORDINATES_ENUM(value, set) value,
typedef enum { BI_COORDINATES_LIST(BI_COORDINATES_ENUM) } bi_coordinates;
#define BI_SCHEME_LIST(X)                                                                                    \
    X(BI_ALI3P, ali3p)                                                                                       \
    X(BI_INDEX1_RK4, rk4)                          /* explicit, order 4 */                                   \
    X(BI_ALI3P_ALPHA, ali3p_alpha)                 /* generalised-alpha */                                   \
    X(BI_EULER, euler)                             /* explicit, order 1 */                                   \
    X(BI_HEUN, heun)                               /* explicit, order 2 */                                   \
    X(BI_DOPRI5, dopri5)                           /* Dormand-Prince 5(4); `accuracy` controls its error */  \
    X(BI_SEMI_IMPLICIT_EULER, semi_implicit_euler) /* velocities first: order 1, one factor per step */      \
    X(BI_ALI3P_FLEX, ali3p_flex)                   /* vibrations of flexible bodies: phase of order 4 */     \
    X(BI_PILES, piles)                             /* many bodies that touch: contact only takes energy */   \
    /* end of schemes */
#define BI_SCHEME_ENUM(value, scheme) value,
typedef enum { BI_SCHEME_LIST(BI_SCHEME_ENUM) BI_RK4 = BI_INDEX1_RK4 } bi_scheme;
typedef enum {
    BI_SOLVER_OWN,
    BI_SOLVER_KLU,
    BI_SOLVER_DENSE
} bi_solver; /* of the linear equations of a step */
typedef struct {
    bi_coordinates coordinates; /* 0 = natural */
    bi_scheme scheme;           /* 0 = ALI3-P with the trapezoidal rule */
    double dt;                  /* 0 = 1e-3 s */
    double tolerance;           /* 0 = 1e-3: last correction against the first one of a step */
    int iterations;             /* 0 = 5 at most per step, then step over */
    double penalty;             /* 0 = 1e9, dimensionless */
    void *(*alloc)(size_t);     /* NULL = malloc */
    void (*release)(void *);    /* NULL = free */
    double damping;   /* BI_ALI3P_ALPHA: 1 - rho_inf; 0 = trapezoidal, 1 = fast modes vanish in a step.
                       * BI_ALI3P_FLEX: the same, 0 = 0.1 */
    bi_solver solver; /* 0 = own sparse factor */
    double
        accuracy; /* 0 = steps of dt; else steps of any length that keep the error over `horizon` near this */
    double dt_min, dt_max; /* with accuracy: 0 = 1e-9 s, 0 = 0.1 s */
    double horizon;        /* with accuracy: length of the run, s; 0 = 10 */
    double baumgarte;      /* explicit schemes: 1/s; 0 = projections instead */
    double baumgarte_beta; /* with baumgarte: of positions, 1/s; 0 = as baumgarte */
    double start_time;     /* s, where runs start */
    double sleep;          /* s, at rest after which free bodies fall asleep (contact.17); 0 = never */
    int threads; /* that share the work of contacts among many bodies; 0 = 1, at most 64; same bits with any */
} bi_options;
bool bi_solver_exists(bi_solver); /* false: built without that library */
typedef struct bi_system bi_system;
bi_system *bi_compile(const bi_model *, const bi_options *, bi_report *); /* NULL: see the report */
void bi_system_destroy(bi_system *);
bi_channel bi_find_channel(const bi_system *, const char *name); /* unset: none of that name */
int bi_channel_count(const bi_system *);
bi_channel bi_channel_at(const bi_system *, int k);
const char *bi_channel_name(const bi_system *, bi_channel);
const char *bi_channel_unit(const bi_system *, bi_channel);
bi_input bi_find_input(const bi_system *, const char *name);
int bi_input_count(const bi_system *);
const char *bi_input_name(const bi_system *, int k);
int bi_variable_count(const bi_system *);
/* "p3.x" of a named point, "rod.point1.x", "crank.angle"; written to the buffer, which is returned. */
const char *bi_variable_name(const bi_system *, int k, char *buffer, size_t size);
/* Where the matrix of a step and its factor have numbers, by compressed columns. */
typedef struct {
    int n;            /* variables */
    int *start, *row; /* (n + 1), (start[n]) upper triangle of the matrix, variables in their order */
    int *order;       /* (n) variable of each column of the factor; NULL: the solver does not tell */
    int *factor_start,
        *factor_row; /* (n + 1), (factor_start[n]) lower triangle, in that order; NULL likewise */
} bi_sparsity;       /* ends with bi_sparsity_clear */
bool bi_system_sparsity(const bi_system *, bi_sparsity *); /* false: no memory */
void bi_sparsity_clear(bi_sparsity *);
double bi_system_dt(const bi_system *);
uint64_t bi_system_hash(const bi_system *); /* of the model, the options and the build */
const char *bi_version(void);               /* "0.1.0" */
const char *bi_build_name(void);            /* "default" or "fast": part of every hash */

/* ---- sim: step and read -------------------------------------------------------------------------- */
typedef struct bi_sim bi_sim;
/* NULL: no memory. The last allocation of a run, but for contacts among many bodies: their room grows between steps. */
bi_sim *bi_sim_create(const bi_system *);
void bi_sim_destroy(bi_sim *);
size_t bi_sim_size(const bi_system *);         /* bytes that a sim of it takes at its start */
bi_status bi_sim_start(bi_sim *, bi_report *); /* position, velocity, acceleration at start_time */
/* Held until changed. A value that is not finite makes steps fail with BI_NOT_FINITE, whoever reads it. */
void bi_sim_input(bi_sim *, bi_input, double value);
bi_status bi_sim_step(bi_sim *);      /* one dt; all or nothing; no malloc inside */
bool bi_can_sleep(const bi_system *); /* bi_options.sleep is given, and some free body has contacts */
bool bi_sim_is_asleep(const bi_sim *, bi_body); /* with bi_options.sleep */
/* One step that ends at t, from now to now + 1.5 dt. A time in the past, farther away or not finite is refused:
 * BI_BAD_ARGUMENT, bi_sim_failure says why, and the sim stays where it is. Back in time lead snapshots
 * (bi_sim_load). */
bi_status bi_sim_step_to(bi_sim *, double t);
/* With bi_options.accuracy steps have a length of their own choice: bi_sim_step takes one, bi_sim_step_toward one that
 * does not pass t, bi_sim_step_to as many as it needs to end at t; a failure leaves the sim at the last good step.
 * Times in the past and not finite ones are refused likewise. */
bi_status bi_sim_step_toward(bi_sim *, double t);
/* As many steps as it takes to stand at t: of dt, the last one longer or shorter, or of the length that accuracy
 * allows. Ends early, with BI_OK, at an event that stops the run. */
bi_status bi_sim_run_to(bi_sim *, double t);

typedef struct {
    double t;
    int64_t step;
    int n_body, n_q, n_rows;
    const double *q, *v, *a;
    const bi_pose *pose;   /* (n_body), body 0 is the ground */
    const bi_twist *twist; /* (n_body) */
} bi_view;
double bi_sim_time(const bi_sim *);          /* s, the clock of the view without the rest; NAN: not started */
bi_view bi_sim_view(bi_sim *);               /* valid until the next step; all zero before the start */
double bi_sim_read(bi_sim *, bi_channel);    /* NAN: no such channel, or not started */
void bi_sim_read_all(bi_sim *, double *out); /* (bi_channel_count) */
size_t bi_sim_save(const bi_sim *, void *buffer,
                   size_t capacity); /* NULL, 0: asks the size, which follows what touches: ask before each */
bi_status bi_sim_load(bi_sim *, const void *buffer, size_t size);
uint64_t bi_sim_hash(const bi_sim *); /* same bits, same hash */

typedef struct {
    int64_t steps, iterations, factors, step_overs, unconverged; /* since start */
    double violation, violation_rate, violation_acceleration; /* largest row now: Phi, dPhi/dt, d2Phi/dt2 */
    double moved, turned; /* largest change of a body by the assembly at start, m and rad */
    int64_t rejected,
        forced; /* with accuracy: steps taken back; steps kept in spite of their error (dead points, dt_min) */
    double dt_smallest, dt_largest; /* with accuracy, s */
} bi_statistics;
bi_statistics bi_sim_statistics(bi_sim *);
const char *
bi_sim_failure(const bi_sim *); /* what went wrong in the last step that failed, with names; "" if none */
/* Who is no finite number where the sim stands, when a channel is not: "force push", "signal u, force m", and the tables
 * that refuse what lies outside; "" if none is found. Borrowed until the next call. */
const char *bi_sim_lost(bi_sim *);
/* Compares the tangents that callbacks of your own give (BI_TANGENT_GIVEN, gives_tangent) with differences of their
 * efforts, where the sim stands. The start of a run does the same; call it where a law yields, touches or turns round.
 * Differences: BI_BAD_MODEL, and the report names law and entry. Changes nothing. */
bi_status bi_sim_check_tangents(bi_sim *, bi_report *);

/* What the mechanism looks like to the solver, at the sim's present position. Redundant constraints and reactions that
 * are not unique are added to the report as notes, by name. At the start, degrees of freedom and redundant are those of
 * the mechanism's joints and constraints, the same in all coordinates; -1: too large to compute. */
typedef struct {
    int bodies, joints, variables, constraints, velocity_constraints, rank, degrees_of_freedom, redundant;
    int nonzeros_tangent, nonzeros_factor;
    bi_scheme recommended;
    const char *reason; /* of the recommendation */
} bi_info;
bi_status bi_sim_info(bi_sim *, bi_info *, bi_report *);
BI_END
