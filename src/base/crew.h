// SPDX-License-Identifier: MIT
// Threads that help with loops whose turns do not depend on each other. Who does which turn never changes a result; the
// order of sums is the business of whoever adds up afterwards.
#pragma once
#include "base/arena.h"

typedef struct crew crew;
// Turns first .. end - 1 of a loop; `of` is shared by all. worker: who does them, below the number of threads; the caller is 0.
typedef void crew_task(void *of, int first, int end, int worker);

enum { CREW_MOST = 64 };

// Room for one that has no threads yet.
crew *crew_cut(arena *a);
// `count` threads in all, the caller's among them: the others begin, and sleep until there is something to do. False: the
// system gives no more, and there are as many as it gave.
bool crew_start(crew *c, int count);
void crew_end(crew *c);        // NULL is fine
int crew_count(const crew *c); // at least 1

// The loop over `count` turns, `grain` at a time, done when it returns. Without a crew, or in a process that was forked
// from the one that started it, the caller does all. Not from inside a task, and from one thread at a time.
void crew_do(crew *c, int count, int grain, crew_task *task, void *of);
