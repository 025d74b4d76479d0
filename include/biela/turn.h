// SPDX-License-Identifier: MIT
/* turn.h - steady turns: a vehicle at a speed and a lateral acceleration, found as an equilibrium of the frame that turns
 * with it, and small motions about it. */
#pragma once
#include <biela/sim.h>
BI_BEGIN

typedef struct {
    double speed;   /* m/s, level, of the body's origin; above zero */
    double lateral; /* m/s2, level, towards the centre; positive: it turns to the left; 0: straight on */
    bi_body body;   /* unset: the heaviest */
    int n_input;    /* inputs that may change, so that it goes on like that: steering, throttle */
    const bi_input *input; /* (n_input) */
} bi_turn_def;

typedef struct {
    double speed, lateral; /* reached: those asked for, or, when there is no such turn, the last ones found */
    double yaw_rate;       /* rad/s */
    double radius;         /* m; infinite: straight on */
    double sideslip;       /* rad, from the way the body pointed at the start to its velocity, less its yaw */
    double residual;       /* largest second rate left, SI */
    int iterations;        /* of Newton, in all */
} bi_turn;

/* From a sim that moves, and is about as fast: level ground, gravity, nothing that depends on the place. The sim then
 * stands in the turn, with its inputs changed, at the time where it stood. BI_NOT_STEADY: there is none; the report says how far it
 * came and what would accelerate; the sim stays where it was. out may be NULL. */
bi_status bi_steady_turn(bi_sim *, const bi_turn_def *, bi_turn *out, bi_report *);

/* Small motions x' = A x + B u about the steady turn where the sim stands, in the frame that turns with it: coordinates, their rates
 * and states of laws, less those that nothing depends on (the place, the heading, angles of what spins). */
typedef struct {
    int n, n_input;              /* of x; inputs of the definition */
    int n_position;              /* the first of them are coordinates, then their rates, then states */
    char **name;                 /* (n) "steer.angle", "steer.angle rate", "state 3" */
    double *A, *B;               /* (n * n), (n * n_input) by rows */
    double *re, *im;             /* (n) eigenvalues, 1/s, by real part */
    double *shape_re, *shape_im; /* (n * n) vector of each eigenvalue, largest component 1 */
} bi_turn_modes;                 /* ends with bi_turn_modes_clear */
/* The definition is that of bi_steady_turn. Wants a sim that stands in that turn: BI_NOT_STEADY else. */
bi_status bi_turn_linearize(bi_sim *, const bi_turn_def *, bi_turn_modes *, bi_report *);
void bi_turn_modes_clear(bi_turn_modes *);
BI_END
