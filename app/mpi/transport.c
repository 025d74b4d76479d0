// SPDX-License-Identifier: MIT
// Messages by MPI, as a module that the command loads under mpirun.
#include "cli/transport.h"
#include <mpi.h>
#include <time.h>

static int start(int *rank, int *size)
{
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS) {
        return 1;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    return 0;
}

static void send(int to, const void *data, int bytes)
{
    MPI_Send(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

// Looks now and then: a process that waits inside MPI would take a whole core away from those that work.
static int receive(void *data, int capacity, double wait, int *from)
{
    const double nap = 5e-4; // s
    double waited = 0.0;
    for (;;) {
        int is_there = 0, bytes = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status);
        if (is_there) {
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            if (bytes > capacity) {
                return -1;
            }
            *from = status.MPI_SOURCE;
            MPI_Recv(data, bytes, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            return bytes;
        }
        if (wait >= 0.0 && waited >= wait) {
            return -1;
        }
        nanosleep(&(struct timespec){ .tv_nsec = (long)(nap * 1e9) }, NULL);
        waited += nap;
    }
}

static void end(void) { MPI_Finalize(); }

static void give_up(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

const transport *biela_transport(void);

const transport *biela_transport(void)
{
    static const transport table = { start, send, receive, end, give_up };
    return &table;
}
