// SPDX-License-Identifier: MIT
#include "base/crew.h"
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

// Turns of a processor's loop that a thread waits before it sleeps: some tens of microseconds, which is what waking takes.
enum { PATIENCE = 1000 };

#if defined(__x86_64__) || defined(__i386__)
#define RELAX() __builtin_ia32_pause()
#else
#define RELAX() ((void)0)
#endif

struct crew {
    pthread_mutex_t lock;
    pthread_cond_t wake, idle;
    pthread_t thread[CREW_MOST];
    int n_thread;          // besides the caller's
    int n_begun;           // of them
    void (*share)(crew *); // how it calls them: a step without a crew knows of no threads
    pid_t owner;           // a process that was forked has none of them
    bool is_ending, is_open;
    int n_asleep;
    crew_task *task;
    void *of;
    int count, grain;
    atomic_uint call; // of crew_do, so far
    atomic_int next;  // the first turn that nobody has taken
    atomic_int busy;  // threads at it, besides the caller's
};

crew *crew_cut(arena *a) { return arena_take(a, 1, sizeof(crew)); }

static void work(crew *c, int worker)
{
    for (int first; (first = atomic_fetch_add(&c->next, c->grain)) < c->count;) {
        int end = c->count - first < c->grain ? c->count : first + c->grain;
        c->task(c->of, first, end, worker);
    }
}

// With the lock: until there is a call after `seen`, or the end.
static void await_call(crew *c, unsigned seen)
{
    pthread_mutex_unlock(&c->lock);
    for (int k = 0; k < PATIENCE && atomic_load(&c->call) == seen; k++) {
        RELAX();
    }
    pthread_mutex_lock(&c->lock);
    c->n_asleep++;
    while (!c->is_ending && atomic_load(&c->call) == seen) {
        pthread_cond_wait(&c->wake, &c->lock);
    }
    c->n_asleep--;
}

static void *help(void *of)
{
    crew *c = of;
    pthread_mutex_lock(&c->lock);
    int worker = ++c->n_begun;
    for (unsigned seen = 0; !c->is_ending;) {
        await_call(c, seen);
        seen = atomic_load(&c->call);
        if (!c->is_open || c->is_ending) {
            continue; // the others have done it all
        }
        atomic_fetch_add(&c->busy, 1);
        pthread_mutex_unlock(&c->lock);
        work(c, worker);
        pthread_mutex_lock(&c->lock);
        if (atomic_fetch_sub(&c->busy, 1) == 1) {
            pthread_cond_signal(&c->idle);
        }
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void call_all(crew *c)
{
    pthread_mutex_lock(&c->lock);
    atomic_store(&c->next, 0);
    c->is_open = true;
    atomic_fetch_add(&c->call, 1);
    if (c->n_asleep > 0) {
        pthread_cond_broadcast(&c->wake);
    }
    pthread_mutex_unlock(&c->lock);
}

static void await_all(crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->is_open = false;
    pthread_mutex_unlock(&c->lock);
    for (int k = 0; k < PATIENCE && atomic_load(&c->busy) > 0; k++) {
        RELAX();
    }
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->busy) > 0) {
        pthread_cond_wait(&c->idle, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
}

static void share(crew *c)
{
    if (c->owner != getpid()) {
        c->task(c->of, 0, c->count, 0);
        return;
    }
    call_all(c);
    work(c, 0);
    await_all(c);
}

bool crew_start(crew *c, int count)
{
    count = count < CREW_MOST ? count : CREW_MOST;
    if (count <= 1) {
        return true;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->wake, NULL);
    pthread_cond_init(&c->idle, NULL);
    c->owner = getpid();
    c->share = share;
    // signals are for the threads of the program
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (c->n_thread < count - 1 && pthread_create(&c->thread[c->n_thread], NULL, help, c) == 0) {
        c->n_thread++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return c->n_thread == count - 1;
}

void crew_end(crew *c)
{
    if (!c || c->owner != getpid()) {
        return;
    }
    pthread_mutex_lock(&c->lock);
    c->is_ending = true;
    atomic_fetch_add(&c->call, 1); // who has not gone to sleep yet
    pthread_cond_broadcast(&c->wake);
    pthread_mutex_unlock(&c->lock);
    for (int k = 0; k < c->n_thread; k++) {
        pthread_join(c->thread[k], NULL);
    }
    pthread_cond_destroy(&c->idle);
    pthread_cond_destroy(&c->wake);
    pthread_mutex_destroy(&c->lock);
    c->owner = 0;
    c->n_thread = 0;
}

int crew_count(const crew *c) { return c ? c->n_thread + 1 : 1; }

void crew_do(crew *c, int count, int grain, crew_task *task, void *of)
{
    if (!c || c->n_thread == 0 || count <= grain) {
        if (count > 0) {
            task(of, 0, count, 0);
        }
        return;
    }
    c->task = task;
    c->of = of;
    c->count = count;
    c->grain = grain;
    c->share(c);
}
#else
// No threads here: the caller does all.
struct crew {
    int nothing;
};

crew *crew_cut(arena *a) { return arena_take(a, 1, sizeof(crew)); }
bool crew_start(crew *c, int count)
{
    (void)c;
    return count <= 1;
}
void crew_end(crew *c) { (void)c; }
int crew_count(const crew *c)
{
    (void)c;
    return 1;
}
void crew_do(crew *c, int count, int grain, crew_task *task, void *of)
{
    (void)c;
    (void)grain;
    if (count > 0) {
        task(of, 0, count, 0);
    }
}
#endif
