// SPDX-License-Identifier: MIT
/* state.h - where a sim stands, in the open: put it anywhere, and see the equations there.
 *
 * Coordinates q, rates v and second rates a are those of bi_sim_view, their names those of bi_variable_name; both depend on
 * the formulation. With multipliers lambda the equations are
 *
 *     M a + G^T lambda = Q + force        G a + gamma = 0
 *
 * Everything here is of the state where the sim stands, and nothing here but bi_sim_set_... changes the run. Pointers are borrowed
 * from the sim until it is stepped, read or asked again. One thread at a time may use a sim; different sims, of one system
 * or of several, may be used by different threads at once. */
#pragma once
#include <biela/shapes.h>
#include <biela/sim.h>
BI_BEGIN

/* ---- constraints ---------------------------------------------------------------------------------------------- */
int bi_row_count(const bi_system *);
/* "joint B (slide)": who asks for row k, from 0; written to the buffer, which is returned. NULL: there is no such row. */
const char *bi_row_name(const bi_system *, int k, char *buffer, size_t size);
bool bi_row_is_velocity(const bi_system *, int k); /* it restricts velocities only, as rolling does */

/* ---- setting the state ------------------------------------------------------------------------------------------ */
/* q and v (bi_variable_count each; NULL: as they are) become the state, at the time where the sim stands: the positions that the constraints
 * allow and that are nearest, then the velocities with the least kinetic energy of the difference. Where
 * q is another one than before, it is a start from there: states of laws and signals rest, and what laws remember (where
 * friction sticks) is made anew; else laws stay as they are. Work, energy, events and verdict are counted from here. BI_CANNOT_ASSEMBLE and others: the report and bi_sim_failure say why, and the sim stands where it stood. */
bi_status bi_sim_set_state(bi_sim *, const double *q, const double *v, bi_report *);
/* The same by bodies: pose and twist of each as of bi_view (n_body, that of the ground is not looked at); twist NULL: at rest.
 * Amplitudes of flexible bodies stay. A pose that joints do not allow is met as well as they do. */
bi_status bi_sim_set_poses(bi_sim *, const bi_pose *, const bi_twist *, bi_report *);

/* The state of another sim, whose system has the same variables and differs in its numbers: its coordinates and rates as
 * bi_sim_set_state takes them, states of laws and signals as they are; what laws remember is made anew. The clock is that of
 * this sim. BI_BAD_ARGUMENT: the variables are others. */
bi_status bi_sim_carry(bi_sim *, bi_sim *from, bi_report *);
bool bi_system_is_alike(const bi_system *, const bi_system *); /* it can be carried from one to the other */

/* ---- the equations ------------------------------------------------------------------------------------------------ */
typedef struct {
    int n, n_rows;                 /* variables, constraints */
    const int *m_start, *m_row;    /* (n + 1), (m_start[n]): upper triangle of M, compressed columns */
    const double *m;               /* (m_start[n]) kg, kg m, kg m2 */
    const int *g_start, *g_column; /* (n_rows + 1), (g_start[n_rows]): G, compressed rows */
    const double *g;               /* (g_start[n_rows]) */
    const double *Q;               /* (n) forces of all laws, and of inertia quadratic in v */
    const double *phi, *phi_t,
        *gamma; /* (n_rows) value, its partial derivative with time, d2phi/dt2 with a = 0; rows on velocities:
                                        * phi is the velocity left, gamma its rate with a = 0 */
} bi_equations;
bi_status bi_sim_equations(bi_sim *, bi_equations *); /* without copies */
/* The same as full matrices, by rows. */
bi_status bi_sim_mass_matrix(bi_sim *, double *M); /* (n * n) */
bi_status bi_sim_gradient(bi_sim *, double *G);    /* (n_rows * n) */
bi_status bi_sim_forces(bi_sim *, double *Q);      /* (n) */

/* ---- dynamics at this state ---------------------------------------------------------------------------------------- */
/* Accelerations and multipliers with `force` (n; NULL: none) besides; a (n) and lambda (bi_row_count) may be NULL. Where
 * constraints are redundant, the sum G^T lambda is unique, and each lambda is not. */
bi_status bi_forward_dynamics(bi_sim *, const double *force, double *a, double *lambda);
/* force = M a - Q: what has to act besides, reactions of constraints included, so that the accelerations are a (n). */
bi_status bi_inverse_dynamics(bi_sim *, const double *a, double *force);
/* Velocity of a point of a body and the angular velocity there by the rates: J v (6 x n by rows; m/s, then rad/s; ground axes),
 * for all v that the constraints allow. A point of a flexible body is one of its nodes, and moves with its modes. */
bi_status bi_point_jacobian(bi_sim *, bi_point, double *J);

/* ---- contacts of this instant ----------------------------------------------------------------------------------------- */
/* Tells every place where shapes touch now, with the force of its law on a, N, ground axes. */
bi_status bi_sim_touches(bi_sim *, bi_touch_observes *, void *data);

/* ---- the step as a function ------------------------------------------------------------------------------------------- */
/* The numbers x of a state: q (bi_variable_count), v, then the states of laws and signals. */
int bi_state_count(const bi_system *);
bi_status bi_sim_state(bi_sim *, double *x);
/* Derivatives of the state after one step of dt, by rows: A (x by x) with the state, B (x by bi_input_count) with the inputs; either
 * may be NULL. The function is: put there with these inputs, what laws remember kept, accelerations as the equations give them, one step. Columns are central
 * differences of steps that are solved to the last digits, `change` of each number to either side (0: 1e-6); where constraints do
 * not allow the change of one number, of the nearest state that they do: A x' is right for every x' that they allow. */
bi_status bi_step_gradient(bi_sim *, double change, double *A, double *B);
BI_END
