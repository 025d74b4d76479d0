// SPDX-License-Identifier: MIT
// What a device of batches can do. A new one is a file and a line in devices.c.
#pragma once
#include <biela/batch.h>

// One of the sims: what it is to do, and how it went.
typedef struct {
    bi_sim *sim;
    bi_status status;
    bool is_started;
} batch_case;

// Turns of the same work for many sims; `of` is what it needs besides.
typedef void batch_work(batch_case *one, int k, void *of);

// How far all are to go: so many steps, or, with steps negative, to the time t.
typedef struct {
    int64_t steps;
    double t;
    batch_work *alone; // what one of them does for it here
    void *of;
} batch_way;
typedef enum { BATCH_LOOK, BATCH_CHANGE } batch_intent;

typedef struct batch_device {
    const char *name;
    // What it needs for so many workers; NULL: no memory, or the report says why.
    void *(*open)(int workers, bi_report *);
    void (*close)(void *own);
    // All of them, done when it returns; nothing depends on who does which.
    void (*each)(void *own, batch_case *one, int count, batch_work *work, void *of);
    // These three only where sims are stepped in other memory than ours. Room for the sims there; false: the report says why not.
    bool (*prepare)(void *own, batch_case *one, int count, bi_report *);
    void (*advance)(void *own, batch_case *one, int count, const batch_way *way);
    // Sims first .. end - 1 are here as they are there, before somebody looks at them or changes them.
    void (*fetch)(void *own, batch_case *one, int first, int end, batch_intent intent);
    // It takes systems of images only.
    bool takes_images;
    // Whether it takes this system: what is not of threads is written into the fit. False: the report says why not. NULL: it takes all.
    bool (*fits)(const bi_system *, bi_batch_fit *, bi_report *);
} batch_device;

// From 0; NULL: no more.
const batch_device *batch_device_at(int k);
const batch_device *batch_device_find(const char *name);
extern const batch_device batch_threads, batch_lanes, batch_gpu, batch_mirror;

// threads.c: `work` for all, by a crew.
struct crew;
void batch_each(struct crew *crew, batch_case *one, int count, batch_work *work, void *of);
