// SPDX-License-Identifier: MIT
/* actions.h - imposed motion and actions on the command line: files of actions, inverse dynamics, feedback. */
#pragma once
#include "running/session.h"

/* Columns of a CSV file that are called as actions of the model become their samples over its column t. */
void actions_read(const char *path, bi_model *, bi_report *);

/* --follow T, --offset A=x,B=y, --feedback kp,kv: where the run begins and how it is steered. */
exit_code actions_begin(session *, const arguments *);

/* inverse: the motion can be followed and produced; the file of --actions is open then. */
exit_code actions_begin_inverse(session *, const arguments *);

/* One step of a session that is steered; and what belongs to a row. */
bi_status actions_step(const session *, double t);
bi_status actions_row(const session *);
/* False: the file of actions could not be written. */
bool actions_end(session *);
