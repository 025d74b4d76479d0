// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "sweep/share.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

enum { WORKERS_MOST = 64 };

typedef struct {
    share_work *work;
    void *of;
    int count;
    atomic_int next;
} shared;

typedef struct {
    shared *all;
    int worker;
    pthread_t thread;
    bool is_running;
} helper;

static void *serve(void *context)
{
    helper *h = context;
    for (int k = atomic_fetch_add(&h->all->next, 1); k < h->all->count;
         k = atomic_fetch_add(&h->all->next, 1)) {
        h->all->work(h->all->of, k, h->worker);
    }
    return NULL;
}

int share_workers(int asked)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int workers = asked > 0 ? asked : cores > 0 ? (int)cores : 1;
    return workers < WORKERS_MOST ? workers : WORKERS_MOST;
}

void share(int count, int workers, share_work *work, void *of)
{
    shared all = { .work = work, .of = of, .count = count };
    helper own[WORKERS_MOST] = { { 0 } };
    atomic_init(&all.next, 0);
    workers = workers < count ? workers : count;
    // fewer threads, if no more can be had, do the same
    for (int k = 0; k < workers; k++) {
        own[k] = (helper){ .all = &all, .worker = k };
        own[k].is_running = k > 0 && pthread_create(&own[k].thread, NULL, serve, &own[k]) == 0;
    }
    if (workers > 0) {
        serve(&own[0]);
    }
    for (int k = 1; k < workers; k++) {
        if (own[k].is_running) {
            pthread_join(own[k].thread, NULL);
        }
    }
}
