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

typedef struct batch_device {
    const char *name;
    // What it needs for so many workers; NULL: no memory.
    void *(*open)(int workers);
    void (*close)(void *own);
    // All of them, done when it returns; nothing depends on who does which.
    void (*each)(void *own, batch_case *one, int count, batch_work *work, void *of);
} batch_device;

// From 0; NULL: no more.
const batch_device *batch_device_at(int k);
const batch_device *batch_device_find(const char *name);
extern const batch_device batch_threads;
