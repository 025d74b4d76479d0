// SPDX-License-Identifier: MIT
/* book.h - the attempts of a drive, written into the results as they go: at the first move, at every fault, at the end. What cannot
 * be written waits and is tried again; at the end it goes into a table beside the results. */
#pragma once
#include "course/exercise.h"
#include "course/results.h"

typedef struct book book;
/* NULL: the problem is told on stderr. */
book *book_open(const char *path, const char *trainee);
const char *book_trainee(const book *); /* NULL: there is no book */
/* What an attempt is driven with; borrowed for the call. */
typedef struct {
    const char *model, *version, *system, *recording; /* system: hash */
} book_drive;
/* How the exercise goes. `clock`: s of the clock. */
void book_note(book *, const exercise *, const book_drive *, double clock);
/* The drive was left or begins again: an attempt that had not ended stays as it is. */
void book_leave(book *);
/* Why something is not written yet; RESULTS_FINE: all is. */
results_problem book_problem(const book *);
/* Writes what waits; false: told where it is instead. */
bool book_close(book *);
