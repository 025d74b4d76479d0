// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "study/pool.h"
#include "cli/words.h"
#include "study/cluster.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    pid_t process; // 0: a rank of mpirun
    int to, from;  // pipes
    int64_t id;    // of the question; -1: free
} pool_worker;

struct pool {
    pool_task task;
    const cluster *ranks; // NULL: processes
    pool_worker *worker;  // (n_worker)
    int n_worker;
    size_t question_size, answer_size; // bytes of a message: id, numbers, text
    char *box;                         // one message
};

static bool write_all(int file, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t n = write(file, at, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool read_all(int file, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        ssize_t n = read(file, at, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        at += n;
        size -= (size_t)n;
    }
    return true;
}

// ---- processes ------------------------------------------------------------------------------------------------------

static void serve(const pool *p, int in, int out)
{
    // Ctrl-C and the end of a terminal reach the whole group; the first process decides what it means
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    double *question = words_alloc(((size_t)p->task.n_question + 1) * sizeof *question);
    double *answer = words_alloc(((size_t)p->task.n_answer + 1) * sizeof *answer);
    while (read_all(in, p->box, p->question_size)) {
        char message[POOL_MESSAGE] = "";
        memcpy(question, p->box + sizeof(int64_t), (size_t)p->task.n_question * sizeof *question);
        p->task.work(p->task.context, question, answer, message);
        size_t numbers = (size_t)p->task.n_answer * sizeof *answer;
        memcpy(p->box + sizeof(int64_t), answer, numbers);
        memcpy(p->box + sizeof(int64_t) + numbers, message, sizeof message);
        if (!write_all(out, p->box, p->answer_size)) {
            break;
        }
    }
    _exit(0);
}

static bool start_worker(pool *p, int k)
{
    int down[2], up[2];
    if (pipe(down) != 0) {
        return false;
    }
    if (pipe(up) != 0) {
        close(down[0]);
        close(down[1]);
        return false;
    }
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        for (int other = 0; other < p->n_worker; other++) {
            if (other != k && p->worker[other].process > 0) {
                close(p->worker[other].to);
                close(p->worker[other].from);
            }
        }
        close(down[1]);
        close(up[0]);
        serve(p, down[0], up[1]);
    }
    close(down[0]);
    close(up[1]);
    if (process < 0) {
        close(down[1]);
        close(up[0]);
        return false;
    }
    p->worker[k] = (pool_worker){ .process = process, .to = down[1], .from = up[0], .id = -1 };
    return true;
}

static void end_worker(pool_worker *w)
{
    if (w->process > 0) {
        kill(w->process, SIGKILL);
        close(w->to);
        close(w->from);
        waitpid(w->process, NULL, 0);
        w->process = 0;
    }
}

// ---- the pool -----------------------------------------------------------------------------------------------------

static int core_count(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 1024 ? 1024 : (int)n;
}

pool *pool_open(const pool_task *task, int n_worker, exit_code *code)
{
    const cluster *ranks = cluster_here();
    *code = CLI_OK;
    if (ranks->net && ranks->rank > 0) {
        cluster_serve(task);
        return NULL;
    }
    pool *p = words_alloc(sizeof *p);
    p->task = *task;
    p->ranks = ranks->net ? ranks : NULL;
    p->n_worker = p->ranks ? ranks->size - 1 : n_worker > 0 ? n_worker : core_count();
    p->worker = words_alloc((size_t)p->n_worker * sizeof *p->worker);
    p->question_size = sizeof(int64_t) + (size_t)task->n_question * sizeof(double);
    p->answer_size = sizeof(int64_t) + (size_t)task->n_answer * sizeof(double) + POOL_MESSAGE;
    p->box = words_alloc(p->question_size + p->answer_size);
    for (int k = 0; k < p->n_worker; k++) {
        p->worker[k].id = -1;
        if (!p->ranks && !start_worker(p, k)) {
            p->n_worker = k;
        }
    }
    if (p->n_worker == 0) {
        fprintf(stderr, "biela: error: no process can be started: %s\n", strerror(errno));
        pool_close(p);
        *code = CLI_MACHINE;
        return NULL;
    }
    return p;
}

int pool_size(const pool *p) { return p->n_worker; }

static int free_worker(const pool *p)
{
    for (int k = 0; k < p->n_worker; k++) {
        if (p->worker[k].id < 0) {
            return k;
        }
    }
    return -1;
}

bool pool_is_free(const pool *p) { return free_worker(p) >= 0; }

void pool_ask(pool *p, int64_t id, const double *question)
{
    int k = free_worker(p);
    pool_worker *w = &p->worker[k];
    w->id = id;
    memcpy(p->box, &id, sizeof id);
    memcpy(p->box + sizeof id, question, (size_t)p->task.n_question * sizeof *question);
    if (p->ranks) {
        p->ranks->net->send(k + 1, p->box, (int)p->question_size);
        return;
    }
    // a worker that is gone shows when its answer is read
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    (void)!write_all(w->to, p->box, p->question_size);
    signal(SIGPIPE, old);
}

static pool_event take_answer(const pool *p, pool_worker *w, int64_t *id, double *answer, char *message)
{
    size_t numbers = (size_t)p->task.n_answer * sizeof *answer;
    memcpy(id, p->box, sizeof *id);
    memcpy(answer, p->box + sizeof *id, numbers);
    memcpy(message, p->box + sizeof *id + numbers, POOL_MESSAGE);
    w->id = -1;
    return POOL_ANSWERED;
}

static pool_event next_of_ranks(pool *p, int64_t *id, double *answer, char *message)
{
    int from = 0;
    int bytes = p->ranks->net->receive(p->box, (int)p->answer_size, 0.1, &from);
    return bytes == (int)p->answer_size ? take_answer(p, &p->worker[from - 1], id, answer, message)
                                        : POOL_NOTHING;
}

pool_event pool_next(pool *p, int64_t *id, double *answer, char message[POOL_MESSAGE])
{
    if (p->ranks) {
        return next_of_ranks(p, id, answer, message);
    }
    struct pollfd *watch = words_alloc((size_t)p->n_worker * sizeof *watch);
    for (int k = 0; k < p->n_worker; k++) {
        watch[k] = (struct pollfd){ .fd = p->worker[k].id >= 0 ? p->worker[k].from : -1, .events = POLLIN };
    }
    int ready = poll(watch, (nfds_t)p->n_worker, 100), found = -1;
    for (int k = 0; ready > 0 && k < p->n_worker && found < 0; k++) {
        found = watch[k].revents ? k : -1;
    }
    free(watch);
    if (found < 0) {
        return POOL_NOTHING;
    }
    pool_worker *w = &p->worker[found];
    if (read_all(w->from, p->box, p->answer_size)) {
        return take_answer(p, w, id, answer, message);
    }
    *id = w->id;
    end_worker(w);
    w->id = -1;
    if (!start_worker(p, found)) {
        // go on with fewer: the last takes the empty place
        p->worker[found] = p->worker[--p->n_worker];
    }
    return POOL_DIED;
}

void pool_close(pool *p)
{
    if (!p) {
        return;
    }
    for (int k = 0; k < p->n_worker; k++) {
        end_worker(&p->worker[k]);
    }
    free(p->worker);
    free(p->box);
    free(p);
}
