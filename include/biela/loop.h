// SPDX-License-Identifier: MIT
/* loop.h - a sim in somebody's loop: more in one call, for callers to whom a call is not free, as from another language. */
#pragma once
#include <biela/sim.h>
BI_BEGIN

/* So many steps of dt; ends early at one that fails, with its status, or, with BI_OK, at an event that stops the run. */
bi_status bi_sim_steps(bi_sim *, int64_t count);
/* The inputs themselves (bi_input_count), as long as the sim lives: what is written here is as set by bi_sim_input. NULL:
 * no sim. */
double *bi_sim_input_values(bi_sim *);
/* Channels in the order asked for (count); NAN: no such channel, or not started. */
void bi_sim_read_these(bi_sim *, const bi_channel *, int count, double *out);
BI_END
