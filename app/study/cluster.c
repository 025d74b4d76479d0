// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "study/cluster.h"
#include "cli/files.h"
#include "cli/words.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef BI_MODULES_FROM_BIN
#define BI_MODULES_FROM_BIN "../lib/biela"
#endif

// One per process, as MPI itself: whoever ends the program must be able to leave.
static cluster joined;

const cluster *cluster_here(void) { return &joined; }

// Ranks and size as the starters of Open MPI, MPICH and their relatives tell them; 0: not started by one.
static int launched_size(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *text = getenv(names[k]);
        if (text) {
            return atoi(text);
        }
    }
    return 0;
}

static bool is_first_rank(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    return !rank || atoi(rank) == 0;
}

// The module beside the executable (a build), or in the folder of an installation.
static void *load_module(void)
{
    static const char *const folders[] = { "", BI_MODULES_FROM_BIN "/" };
    char *folder = file_of_executable();
    void *module = NULL;
    for (int k = 0; k < 2 && !module; k++) {
        char *path = words_format("%s%sbiela_mpi.so", folder, folders[k]);
        // the library's own modules look for its symbols among the global ones
        module = file_exists(path) ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
        free(path);
    }
    free(folder);
    return module;
}

// The first rank speaks for all.
static bool fall_silent(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    bool is_silent = nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0;
    if (nowhere > STDERR_FILENO) {
        close(nowhere);
    }
    return is_silent;
}

exit_code cluster_join(bool *is_helper)
{
    *is_helper = false;
    if (launched_size() <= 1 || joined.net) {
        return CLI_OK;
    }
    void *module = load_module();
    transport_entry entry = NULL;
    void *symbol = module ? dlsym(module, TRANSPORT_SYMBOL) : NULL;
    memcpy(&entry, &symbol, sizeof entry);
    if (!entry) {
        if (is_first_rank()) {
            fprintf(
                stderr,
                "biela: error: mpirun started %d processes, and this biela was built without MPI (Debian: "
                "libopenmpi-dev); without mpirun it uses all cores of this machine\n",
                launched_size());
        }
        return CLI_MACHINE;
    }
    const transport *net = entry();
    if (net->start(&joined.rank, &joined.size) != 0) {
        fputs("biela: error: MPI did not start\n", stderr);
        return CLI_MACHINE;
    }
    joined.net = net;
    *is_helper = joined.rank > 0;
    return *is_helper && !fall_silent() ? CLI_MACHINE : CLI_OK;
}

void cluster_send_home(void)
{
    for (int to = 1; joined.net && joined.rank == 0 && !joined.is_dismissed && to < joined.size; to++) {
        joined.net->send(to, "", 0);
    }
    joined.is_dismissed = true;
}

void cluster_leave(void)
{
    if (!joined.net) {
        return;
    }
    if (joined.rank == 0) {
        cluster_send_home();
    } else if (!joined.is_dismissed) {
        // something was wrong here and with everybody: the first rank says what, and sends nothing but this
        int nothing, from;
        if (joined.net->receive(&nothing, sizeof nothing, -1.0, &from) != 0) {
            joined.net->give_up(CLI_MACHINE);
        }
    }
    joined.net->end();
    joined = (cluster){ 0 };
}

void cluster_abandon(exit_code code)
{
    if (joined.net) {
        joined.net->give_up((int)code);
    }
}

void cluster_serve(const pool_task *task)
{
    size_t n_question = (size_t)task->n_question, n_answer = (size_t)task->n_answer;
    size_t most = sizeof(int64_t) + (n_question + n_answer) * sizeof(double) + POOL_MESSAGE;
    char *box = words_alloc(most);
    double *question = words_alloc((n_question + 1) * sizeof *question);
    double *answer = words_alloc((n_answer + 1) * sizeof *answer);
    int from;
    // an empty message is the end
    while (joined.net->receive(box, (int)most, -1.0, &from) > 0) {
        memcpy(question, box + sizeof(int64_t), n_question * sizeof *question);
        char message[POOL_MESSAGE] = "";
        task->work(task->context, question, answer, message);
        memcpy(box + sizeof(int64_t), answer, n_answer * sizeof *answer);
        memcpy(box + sizeof(int64_t) + n_answer * sizeof *answer, message, sizeof message);
        joined.net->send(from, box, (int)(sizeof(int64_t) + n_answer * sizeof *answer + POOL_MESSAGE));
    }
    joined.is_dismissed = true;
    free(box);
    free(question);
    free(answer);
}
