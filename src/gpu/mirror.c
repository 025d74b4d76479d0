// SPDX-License-Identifier: MIT
// A device that is this machine, at other addresses: what a GPU does with packs, systems and blocks is done here, too, so that
// tests need none.
#include "gpu/gpu.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The code: ours, or with BIELA_GPU_MIRROR that of a file which tools/gpu/build made from the code for GPUs.
typedef void run_case(const gpu_layout *, gpu_case *, uint64_t *, const gpu_work *, uint64_t *);
typedef void list_things(uint64_t *);

typedef struct {
    void *library;
    run_case *run;
    list_things *things;
    uint64_t *block, *kept; // where a sim is stepped; its own block meanwhile
    size_t words;           // of a sim here
} mirror;

enum { NOTHING = 0xa5, GUARD = 4096 }; // bytes behind a block, which no step may touch

static bool take_code(mirror *m, const char *file)
{
    m->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *run = m->library ? dlsym(m->library, "gpu_case_run") : NULL;
    void *things = m->library ? dlsym(m->library, "biela_things") : NULL;
    if (run && things) {
        memcpy(&m->run, &run, sizeof run);
        memcpy(&m->things, &things, sizeof things);
    }
    return run && things;
}

static void *open_mirror(bi_report *report)
{
    mirror *m = calloc(1, sizeof *m);
    const char *file = getenv("BIELA_GPU_MIRROR");
    if (!m) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "gpu", "out of memory");
        return NULL;
    }
    m->run = gpu_case_run;
    m->things = gpu_things;
    if (file && !take_code(m, file)) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "gpu", "no code for this machine in %s",
                      file);
        free(m);
        return NULL;
    }
    return m;
}

static void close_mirror(void *own)
{
    mirror *m = own;
    if (m->library) {
        dlclose(m->library);
    }
    free(m->block);
    free(m->kept);
    free(m);
}

static const char here[] = "this machine at other addresses";

static bool look(char *about, size_t size, size_t *memory, bi_report *report)
{
    (void)report;
    snprintf(about, size, "%s", here);
    *memory = 0;
    return true;
}

static double thread_bytes(const gpu_layout *layout) { return 8.0 * (double)layout->words; }

static uint64_t take(void *own, size_t size)
{
    (void)own;
    return (uint64_t)(uintptr_t)aligned_alloc(64, (size + 63) / 64 * 64);
}

static void give(void *own, uint64_t at)
{
    (void)own;
    free((void *)(uintptr_t)at);
}

static bool put(void *own, uint64_t to, const void *from, size_t size)
{
    (void)own;
    memcpy((void *)(uintptr_t)to, from, size);
    return true;
}

static bool get(void *own, void *to, uint64_t from, size_t size)
{
    (void)own;
    memcpy(to, (const void *)(uintptr_t)from, size);
    return true;
}

static bool things(void *own, uint64_t at[GPU_THINGS])
{
    ((mirror *)own)->things(at);
    return true;
}

static bool is_untouched(const unsigned char *guard)
{
    int k = 0;
    while (k < GUARD && guard[k] == NOTHING) {
        k++;
    }
    return k == GUARD;
}

static bool run(void *own, const gpu_layout *layout, uint64_t one, uint64_t pack, int64_t stride, int count,
                const gpu_work *work)
{
    mirror *m = own;
    const size_t here = ((size_t)layout->words * sizeof *m->block + 63) / 64 * 64;
    const size_t size = ((size_t)layout->host_words * sizeof *m->block + 63) / 64 * 64;
    if (m->words < (size_t)layout->host_words) {
        free(m->block);
        free(m->kept);
        m->block = aligned_alloc(64, here + GUARD);
        m->kept = aligned_alloc(64, size);
        m->words = m->block && m->kept ? (size_t)layout->host_words : 0;
    }
    for (int k = 0; m->words > 0 && k < count; k++) {
        gpu_case *at = (gpu_case *)(uintptr_t)one + k;
        void *host = (void *)(uintptr_t)at->block;
        // as on a GPU, nothing stands here from the sim before, and what the host has cannot be reached
        memset(m->block, NOTHING, here + GUARD);
        memcpy(m->kept, host, (size_t)layout->host_words * sizeof *m->kept);
        memset(host, NOTHING, (size_t)layout->host_words * sizeof *m->kept);
        m->run(layout, at, (uint64_t *)(uintptr_t)pack + k * stride, work, m->block);
        memcpy(host, m->kept, (size_t)layout->host_words * sizeof *m->kept);
        if (!is_untouched((const unsigned char *)m->block + here)) {
            return false;
        }
    }
    return m->words > 0;
}

static size_t free_memory(void *own)
{
    (void)own;
    return (size_t)1 << 32;
}

static const char *describe(void *own)
{
    (void)own;
    return here;
}

static const char *failure(void *own)
{
    (void)own;
    return "out of memory, or a step touched what is not its own";
}

const gpu_driver gpu_mirror = { "mirror", open_mirror, close_mirror, look, thread_bytes, take,     give,
                                put,      get,         things,       run,  free_memory,  describe, failure };
