// SPDX-License-Identifier: MIT
/* live_modes.h - eigenvalues of the steady motion that resembles the one being driven, by a thread of its own. */
#pragma once
#include "running/session.h"
#include <biela/realtime.h>

typedef struct live_modes live_modes;

/* By the section `live_modes` of the model file; NULL: it has none. */
live_modes *live_modes_open(const session *, const session_request *);
void live_modes_close(live_modes *);
/* Asks now and then, and gives the message of an answer that has come; NULL: none. Free it. */
char *live_modes_pump(live_modes *, const bi_loop_frame *, double now);
