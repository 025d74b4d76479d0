// SPDX-License-Identifier: MIT
/* transport.h - messages between the processes of mpirun. The functions live in a module of their own (app/mpi), loaded
 * when mpirun started us, so that the command itself is not linked with MPI. */
#pragma once

typedef struct {
    int (*start)(int *rank, int *size); /* 0: done */
    void (*send)(int to, const void *data, int bytes);
    /* The next message from anybody, at most after `wait` seconds (negative: as long as it takes); bytes of it, -1: none came. */
    int (*receive)(void *data, int capacity, double wait, int *from);
    void (*end)(void);
    void (*give_up)(int code); /* ends all processes */
} transport;

#define TRANSPORT_SYMBOL "biela_transport" /* const transport *biela_transport(void) */
typedef const transport *(*transport_entry)(void);
