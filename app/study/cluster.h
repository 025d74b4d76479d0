// SPDX-License-Identifier: MIT
/* cluster.h - the ranks of mpirun, seen by the pool. */
#pragma once
#include "cli/transport.h"
#include "study/pool.h"

typedef struct {
    const transport *net; /* NULL: no mpirun */
    int rank, size;
    bool is_dismissed; /* the helpers were sent home (or this one was) */
} cluster;
const cluster *cluster_here(void);
/* A helper answers until it is sent home. */
void cluster_serve(const pool_task *);
void cluster_send_home(void);
