// SPDX-License-Identifier: MIT
/* pool.h - many independent questions answered in parallel: by processes on this machine, or by the ranks of mpirun.
 *
 * Everybody runs the same program up to pool_open; the answers depend on the question only, never on who answers. */
#pragma once
#include "cli/command.h"
#include <stdbool.h>
#include <stdint.h>

enum { POOL_MESSAGE = 1000 };
typedef struct {
    /* From n_question numbers to n_answer; a text for people beside it, "" if there is nothing to say. */
    void (*work)(const void *context, const double *question, double *answer, char message[POOL_MESSAGE]);
    const void *context;
    int n_question, n_answer;
} pool_task;

typedef struct pool pool;

/* mpirun started us: joins the other ranks. `is_helper`: this rank must stay silent and call pool_open, which serves
 * and returns NULL with *code set. CLI_OK also when there is no mpirun; otherwise printed on stderr. */
exit_code cluster_join(bool *is_helper);
/* Before the program ends, in every rank, whatever happened: helpers are sent home. */
void cluster_leave(void);
/* The same after Ctrl-C: without waiting for anybody. Does not return under mpirun. */
void cluster_abandon(exit_code);

/* `n_worker` processes (0: one per core); under mpirun the other ranks. NULL in a helper, whose work is done then, and
 * when no process could be made, printed on stderr; *code tells. */
pool *pool_open(const pool_task *, int n_worker, exit_code *code);
int pool_size(const pool *);
bool pool_is_free(const pool *); /* somebody waits for a question */
void pool_ask(pool *, int64_t id, const double *question);

typedef enum { POOL_NOTHING, POOL_ANSWERED, POOL_DIED } pool_event;
/* The next answer; waits 0.1 s at most. POOL_DIED: the process that worked on question `id` ended; another one took its place. */
pool_event pool_next(pool *, int64_t *id, double *answer, char message[POOL_MESSAGE]);
/* Ends the processes at once; what they were working on is lost. */
void pool_close(pool *);
