// SPDX-License-Identifier: MIT
/* ode.h - a system as ordinary differential equations, for integrators of others: x' = f(t, x, inputs). */
#pragma once
#include <biela/state.h>
BI_BEGIN

/* True: the numbers x of bi_sim_state are all that the motion depends on. So it is with trees in joint coordinates whose bodies
 * turn about axes or slide: no constraints, contacts, or laws and signals that remember, and no events that stop. False: *why
 * (may be NULL) says what is in the way. */
bool bi_system_is_ode(const bi_system *, const char **why);
/* "pin.angle" of x[k], "pin.angle.rate", "law.1" of laws and signals; written to the buffer, which is returned. NULL: none. */
const char *bi_state_name(const bi_system *, int k, char *buffer, size_t size);
/* The sim stands at t in the state x (bi_state_count; NULL: as it is): channels tell of there, and steps go on from there. Work and energy are
 * counted from there. BI_BAD_MODEL: it is no such system. */
bi_status bi_sim_put(bi_sim *, double t, const double *x);
/* dx/dt where it stands, with the inputs of now. */
bi_status bi_sim_rates(bi_sim *, double *dx);
BI_END
