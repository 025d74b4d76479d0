// SPDX-License-Identifier: MIT
// A machine that steps many sims at once in memory of its own, and what travels between it and this one.
#pragma once
#include "gpu/kernel.h"

// What such a machine can do. Addresses on it are numbers here.
typedef struct gpu_driver {
    const char *name;
    // Opens it; NULL: the report says why it cannot be.
    void *(*open)(bi_report *report);
    void (*close)(void *own);
    // Only who is there, and how much memory is free; nothing is loaded. False: the report says why not.
    bool (*look)(char *about, size_t size, size_t *memory, bi_report *report);
    // What a sim of this layout takes there while it is stepped, bytes; 0: more than there is.
    double (*thread_bytes)(const gpu_layout *layout);
    uint64_t (*take)(void *own, size_t size); // 0: there is no memory
    void (*give)(void *own, uint64_t at);
    // False: it failed.
    bool (*put)(void *own, uint64_t to, const void *from, size_t size);
    bool (*get)(void *own, void *to, uint64_t from, size_t size);
    bool (*things)(void *own, uint64_t at[GPU_THINGS]); // addresses of tables there, by number
    // Cases at `one` with their packs, `stride` words apart; waits until they are done.
    bool (*run)(void *own, const gpu_layout *layout, uint64_t one, uint64_t pack, int64_t stride, int count,
                const gpu_work *work);
    size_t (*free_memory)(void *own);   // bytes
    const char *(*describe)(void *own); // name of the machine and its driver
    const char *(*failure)(void *own);  // of what failed last
} gpu_driver;

extern const gpu_driver gpu_cuda;
// The same code on this machine, at other addresses: for tests of all that is not the GPU itself.
extern const gpu_driver gpu_mirror;

// layout.c: how sims of a system travel. `inner` and `system` of the result are freed by gpu_layout_clear. False: the report says why
// they cannot.
bool gpu_layout_of(const bi_system *s, gpu_layout *out, bi_report *report);
void gpu_layout_clear(gpu_layout *layout);
int64_t gpu_pack_words(const gpu_layout *layout);
void gpu_pack(const gpu_layout *layout, const bi_sim *sim, uint64_t *pack);
// Back into the same sim; what had been worked out for readers is forgotten.
void gpu_unpack(const gpu_layout *layout, const uint64_t *pack, bi_sim *sim);

// upload.c: bytes of the system of an image.
size_t gpu_system_bytes(const bi_system *s);
// The system there; 0: the report says why not.
uint64_t gpu_put_system(const gpu_driver *driver, void *own, const bi_system *s,
                        const uint64_t things[GPU_THINGS], bi_report *report);
