// SPDX-License-Identifier: MIT
// Sims on the threads of this machine: the device that the others are compared with.
#include "base/crew.h"
#include "batch/device.h"
#include <stdlib.h>

typedef struct {
    crew *crew;
} own_threads;

typedef struct {
    batch_case *one;
    batch_work *work;
    void *of;
} all_cases;

static void *open_threads(int workers, bi_report *report)
{
    (void)report;
    arena measure = { 0 };
    arena_take(&measure, 1, sizeof(own_threads));
    crew_cut(&measure);
    arena a = { calloc(1, measure.used), 0, measure.used, true };
    own_threads *own = a.memory ? arena_take(&a, 1, sizeof *own) : NULL;
    if (own) {
        own->crew = crew_cut(&a);
        crew_start(own->crew, workers); // fewer do the same
    }
    return own;
}

static void close_threads(void *memory)
{
    own_threads *own = memory;
    if (own) {
        crew_end(own->crew);
    }
    free(memory);
}

static void do_some(void *of, int first, int end, int worker)
{
    (void)worker;
    const all_cases *all = of;
    for (int k = first; k < end; k++) {
        all->work(&all->one[k], k, all->of);
    }
}

void batch_each(crew *crew, batch_case *one, int count, batch_work *work, void *of)
{
    all_cases all = { one, work, of };
    crew_do(crew, count, 1, do_some, &all);
}

static void each(void *memory, batch_case *one, int count, batch_work *work, void *of)
{
    batch_each(((own_threads *)memory)->crew, one, count, work, of);
}

const batch_device batch_threads = { "threads", open_threads, close_threads, each, NULL,
                                     NULL,      NULL,         false,         NULL };
