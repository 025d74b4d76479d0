// SPDX-License-Identifier: MIT
/* analysis.h - other ways to move a started sim: kinematics, equilibrium, linearised equations. */
#pragma once
#include <biela/shapes.h>
#include <biela/sim.h>
BI_BEGIN

/* ---- analyses: other ways to move a started sim ---------------------------------------------------- */
/* Kinematic simulation: guides drive every degree of freedom. The check reports the ones that are free, by name
 * (BI_BAD_MODEL); the step solves position, velocity and acceleration at t, any distance from now, also backwards, that
 * the mechanism can follow. Channels, reactions and efforts of guides are those of inverse dynamics. */
bi_status bi_kinematics_check(bi_sim *, bi_report *);
bi_status bi_kinematics_step_to(bi_sim *, double t);

/* Static equilibrium near the present position, guides held where they are at t = 0; contact included. The sim then
 * stands there at rest, t = 0, and can be stepped. What stands by friction stays where it is: of all equilibria the one that
 * is reached without sliding; BI_NOT_CONVERGED if it would slide, roll or tip. Directions without stiffness are held and named in the report (note);
 * so are those along which the equilibrium is unstable (warning). BI_NOT_CONVERGED: none was found; start the sim again. */
typedef struct {
    int iterations, relaxation_steps; /* of Newton; of dynamic relaxation, 0 when Newton was enough */
    int soft, unstable;               /* directions */
    double residual;                  /* largest force left, against the largest force */
} bi_balance;
bi_status bi_equilibrium(bi_sim *, bi_balance *, bi_report *); /* balance, report: may be NULL */
/* The same, and then it moves as it was started: a vehicle at speed that has sunk onto its springs and tyres. Rates are
 * those of the start, as far as the constraints allow there. */
bi_status bi_settle(bi_sim *, bi_balance *, bi_report *);

/* Events: a limit on an expression or channel, or a condition, watched in every step; the instant at which it becomes
 * true is found to 1e-9 s on the interpolated state. Steps that did not converge are events too. */
typedef enum { BI_EVENT_NOTE, BI_EVENT_STOP } bi_event_action;
typedef struct {
    const char *name;
    bi_expr expr;              /* what is watched; unset: a channel */
    const char *channel;       /* "P.y" */
    bool has_above, has_below; /* limits; none: expr is a condition, true when not zero */
    double above, below;
    bi_event_action action;
    const char *remedy; /* what to do about it; may be NULL */
} bi_event_def;
void bi_add_event(bi_model *, const bi_event_def *);
int bi_model_event_count(const bi_model *);
const char *bi_model_event_name(const bi_model *, int k); /* NULL: none of that number */
/* The run ends at this event, whatever its definition says. Before bi_compile. False: there is none of that name. */
bool bi_model_stop_at(bi_model *, const char *event);
/* A touch that an event of a contact tells of. Force, energy and end grow while it lasts. */
typedef struct {
    bi_shape a, b; /* of the lists a and b of the contact; unset: the event is not of a touch */
    const char *title_a,
        *title_b;     /* what people call them: title of the shape, else its body, else its name */
    bi_vec3 at;       /* where it began, m, ground axes */
    bi_vec3 velocity; /* of a against b there, before the step in which it began, m/s, ground axes */
    double closing;   /* its part along the normal, m/s; positive: they came nearer */
    double force;     /* largest force between these two things so far, N */
    double energy;    /* that they have lost by it so far, J */
    double until;     /* when they parted, s; infinite: they touch */
} bi_hit;

typedef struct {
    const char *name;
    double t, value; /* s; of what is watched */
    bi_event_action action;
    char what[200];
    const char *remedy; /* NULL: none */
    bi_hit hit;
} bi_event;
int bi_sim_event_count(const bi_sim *);               /* since the start; the first 200 are kept */
bool bi_sim_event(const bi_sim *, int k, bi_event *); /* false: none of that number */
bool bi_sim_stopped(const bi_sim *); /* an event with BI_EVENT_STOP: the sim stands at its instant */

/* The last step that failed: where the solver stood when it gave up. */
typedef struct {
    char name[96];    /* of a constraint or body */
    const char *what; /* "constraint left open, m or rad" */
    double value;
} bi_residual;
typedef struct {
    bi_status status;
    double t, h;          /* start and length of the step, s */
    int n_worst;          /* five at most, the worst first */
    bi_residual worst[5]; /* a name stands there once */
    char grew[96];        /* the law or constraint that grew most over the last steps; "": none did */
    bool grew_is_law;
    double grew_from, grew_to; /* its effort, usual and last */
    char advice[240];          /* what to try */
} bi_divergence;
bool bi_sim_divergence(const bi_sim *, bi_divergence *); /* false: none failed since the start */

/* What a model consists of, by number: ids 1 to count. */

/* ---- linearisation about a steady motion ----------------------------------------------------------- */
/* A joint coordinate that the linearised equations are written in: "base.angle2", or "steer" when the joint has one
 * coordinate; "-steer" counts it the other way. Call once per coordinate, in order. None: the solver chooses as many as
 * there are degrees of freedom. */
void bi_model_independent(bi_model *, const char *coordinate);

/* M d2q + C dq + K q = F z for small changes q of the independent coordinates, all constraints kept, and z of the
 * states that laws and signals have (currents, filters): dz = Zq q + Zv dq + Zz z. */
typedef struct {
    int n, n_state, n_value;     /* coordinates, states, eigenvalues: 2 n + n_state */
    char **name;                 /* (n) "base.angle2" */
    double *M, *C, *K;           /* (n * n) by rows; SI */
    double *F, *Zq, *Zv, *Zz;    /* (n * n_state), (n_state * n) twice, (n_state * n_state), by rows */
    double *re, *im;             /* (n_value) eigenvalues, 1/s, sorted by real part, then imaginary part */
    double *shape_re, *shape_im; /* (n_value * n) q of each eigenvalue, largest component 1 */
} bi_linear;                     /* ends with bi_linear_clear */

/* Linearises about the state where the sim stands, which stays as it is; the system must be in joint coordinates. That
 * state must be steady: all second rates zero, now and further along its rates. BI_NOT_STEADY, BI_BAD_MODEL (names that
 * are not independent, or too few): the report tells which coordinate and why. */
bi_status bi_linearize(bi_sim *, bi_linear *, bi_report *);
void bi_linear_clear(bi_linear *);
BI_END
