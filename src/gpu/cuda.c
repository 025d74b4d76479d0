// SPDX-License-Identifier: MIT
// NVIDIA's GPUs by their driver, which is looked for when it is asked for: no part of it is needed to build or to run otherwise.
#include "gpu/cuda_code.h"
#include "gpu/gpu.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is called of the driver, with its names. Handles are pointers, addresses there are numbers.
#define CUDA_LIST(X)                                                                                         \
    X(cuInit, (unsigned))                                                                                    \
    X(cuDriverGetVersion, (int *))                                                                           \
    X(cuDeviceGetCount, (int *))                                                                             \
    X(cuDeviceGet, (int *, int))                                                                             \
    X(cuDeviceGetName, (char *, int, int))                                                                   \
    X(cuDeviceGetAttribute, (int *, int, int))                                                               \
    X(cuDevicePrimaryCtxRetain, (void **, int))                                                              \
    X(cuDevicePrimaryCtxRelease_v2, (int))                                                                   \
    X(cuCtxSetCurrent, (void *))                                                                             \
    X(cuCtxSetLimit, (int, size_t))                                                                          \
    X(cuCtxSynchronize, (void))                                                                              \
    X(cuMemGetInfo_v2, (size_t *, size_t *))                                                                 \
    X(cuMemAlloc_v2, (uint64_t *, size_t))                                                                   \
    X(cuMemFree_v2, (uint64_t))                                                                              \
    X(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t))                                                     \
    X(cuMemcpyDtoH_v2, (void *, uint64_t, size_t))                                                           \
    X(cuModuleLoadData, (void **, const void *))                                                             \
    X(cuModuleUnload, (void *))                                                                              \
    X(cuModuleGetFunction, (void **, void *, const char *))                                                  \
    X(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, \
                       void **, void **))                                                                    \
    X(cuGetErrorString, (int, const char **))

typedef struct {
#define CUDA_MEMBER(name, arguments) int(*name) arguments;
    CUDA_LIST(CUDA_MEMBER)
#undef CUDA_MEMBER
} cuda_calls;

// Blocks of sims lie in the memory of their threads: an entry for each size, in kB; a thread may have 512 in all.
static const int sizes[] = { 32, 48, 64, 96, 128, 192, 288, 440 };
enum { N_SIZE = sizeof sizes / sizeof *sizes, FRAMES = 64 * 1024, THREADS = 32, STACK_LIMIT = 0 };
enum { MAJOR = 75, MINOR = 76 }; // attributes of a device

typedef struct {
    cuda_calls call;
    void *library, *context, *module, *entry[N_SIZE], *list_things;
    int device;
    size_t stack;
    char about[256], failure[512];
} cuda;

static bool is_fine(cuda *c, int code, const char *what)
{
    const char *words = NULL;
    if (code != 0 && (!c->call.cuGetErrorString || c->call.cuGetErrorString(code, &words) != 0)) {
        words = NULL;
    }
    if (code != 0) {
        snprintf(c->failure, sizeof c->failure, "%s: %s (%d)", what, words ? words : "no reason", code);
    }
    return code == 0;
}

#define FINE(c, name, ...) is_fine((c), (c)->call.name(__VA_ARGS__), #name)

// ---- opening ------------------------------------------------------------------------------------------------------

static bool find_calls(cuda *c)
{
    c->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!c->library) {
        snprintf(c->failure, sizeof c->failure, "there is no driver of a GPU here (libcuda.so.1)");
        return false;
    }
#define CUDA_FIND(name, arguments)                                                                           \
    {                                                                                                        \
        void *at = dlsym(c->library, #name);                                                                 \
        if (!at) {                                                                                           \
            snprintf(c->failure, sizeof c->failure, "the driver is too old: it has no " #name);              \
            return false;                                                                                    \
        }                                                                                                    \
        memcpy(&c->call.name, &at, sizeof at);                                                               \
    }
    CUDA_LIST(CUDA_FIND)
#undef CUDA_FIND
    return true;
}

static bool open_context(cuda *c)
{
    int count = 0, version = 0, major = 0, minor = 0;
    char name[96] = "";
    if (!FINE(c, cuInit, 0) || !FINE(c, cuDriverGetVersion, &version) || !FINE(c, cuDeviceGetCount, &count)) {
        return false;
    }
    const char *chosen = getenv("BIELA_GPU_DEVICE");
    int number = chosen ? atoi(chosen) : 0;
    if (number < 0 || number >= count) {
        snprintf(c->failure, sizeof c->failure, "the driver has %d GPUs, and number %d is asked for", count,
                 number);
        return false;
    }
    if (!FINE(c, cuDeviceGet, &c->device, number) ||
        !FINE(c, cuDeviceGetName, name, (int)sizeof name, c->device) ||
        !FINE(c, cuDeviceGetAttribute, &major, MAJOR, c->device) ||
        !FINE(c, cuDeviceGetAttribute, &minor, MINOR, c->device) ||
        !FINE(c, cuDevicePrimaryCtxRetain, &c->context, c->device) || !FINE(c, cuCtxSetCurrent, c->context)) {
        return false;
    }
    snprintf(c->about, sizeof c->about, "%s (compute capability %d.%d, driver for CUDA %d.%d)", name, major,
             minor, version / 1000, version % 1000 / 10);
    if (major < 8) {
        snprintf(c->failure, sizeof c->failure, "%s is older than what the code is made for (8.0)", c->about);
        return false;
    }
    return true;
}

static bool load_module(cuda *c, bi_report *report)
{
    char *code = cuda_code_read(c->about, report);
    if (!code) {
        snprintf(c->failure, sizeof c->failure, "its code was not found");
        return false;
    }
    bool is_loaded = FINE(c, cuModuleLoadData, &c->module, code) &&
                     FINE(c, cuModuleGetFunction, &c->list_things, c->module, "biela_things");
    for (int k = 0; is_loaded && k < N_SIZE; k++) {
        char name[32];
        snprintf(name, sizeof name, "biela_run_%d", sizes[k]);
        is_loaded = FINE(c, cuModuleGetFunction, &c->entry[k], c->module, name);
    }
    free(code);
    return is_loaded;
}

static void close_cuda(void *own)
{
    cuda *c = own;
    if (c->module) {
        c->call.cuModuleUnload(c->module);
    }
    if (c->context) {
        c->call.cuDevicePrimaryCtxRelease_v2(c->device);
    }
    if (c->library) {
        dlclose(c->library);
    }
    free(c);
}

static void *open_cuda(bi_report *report)
{
    cuda *c = calloc(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    if (find_calls(c) && open_context(c) && load_module(c, report)) {
        return c;
    }
    bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "gpu",
                  "%s; --device threads does the same", c->failure);
    close_cuda(c);
    return NULL;
}

static bool look(char *about, size_t size, size_t *memory, bi_report *report)
{
    cuda *c = calloc(1, sizeof *c);
    size_t all = 0;
    bool is_there = c && find_calls(c) && open_context(c) && FINE(c, cuMemGetInfo_v2, memory, &all);
    snprintf(about, size, "%s", is_there ? c->about : "");
    if (c && !is_there) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "gpu", "%s", c->failure);
    }
    if (c) {
        close_cuda(c);
    }
    return is_there;
}

// ---- memory -------------------------------------------------------------------------------------------------------

static uint64_t take(void *own, size_t size)
{
    cuda *c = own;
    uint64_t at = 0;
    return FINE(c, cuMemAlloc_v2, &at, size) ? at : 0;
}

static void give(void *own, uint64_t at) { ((cuda *)own)->call.cuMemFree_v2(at); }

static bool put(void *own, uint64_t to, const void *from, size_t size)
{
    cuda *c = own;
    return FINE(c, cuMemcpyHtoD_v2, to, from, size);
}

static bool get(void *own, void *to, uint64_t from, size_t size)
{
    cuda *c = own;
    return FINE(c, cuMemcpyDtoH_v2, to, from, size);
}

static size_t free_memory(void *own)
{
    cuda *c = own;
    size_t left = 0, all = 0;
    return FINE(c, cuMemGetInfo_v2, &left, &all) ? left : 0;
}

// ---- work ---------------------------------------------------------------------------------------------------------

static bool launch(cuda *c, void *entry, unsigned blocks, unsigned threads, void **arguments)
{
    return FINE(c, cuLaunchKernel, entry, blocks, 1, 1, threads, 1, 1, 0, NULL, arguments, NULL) &&
           is_fine(c, c->call.cuCtxSynchronize(), "the steps");
}

static bool things(void *own, uint64_t at[GPU_THINGS])
{
    cuda *c = own;
    uint64_t there = take(c, GPU_THINGS * sizeof *at);
    void *arguments[] = { &there };
    bool is_told = there != 0 && launch(c, c->list_things, 1, 1, arguments) &&
                   get(c, at, there, GPU_THINGS * sizeof *at);
    if (there) {
        give(c, there);
    }
    return is_told;
}

static bool set_stack(cuda *c, size_t size)
{
    if (size <= c->stack) {
        return true;
    }
    c->stack = size;
    return FINE(c, cuCtxSetLimit, STACK_LIMIT, size);
}

// Number of the entry whose threads have room for such a sim; N_SIZE: none.
static int size_of(const gpu_layout *layout)
{
    int k = 0;
    while (k < N_SIZE && layout->words > (int64_t)sizes[k] * 128) {
        k++;
    }
    return k;
}

static double thread_bytes(const gpu_layout *layout)
{
    int k = size_of(layout);
    return k < N_SIZE ? 1024.0 * (sizes[k] + FRAMES / 1024) : 0.0;
}

static bool run(void *own, const gpu_layout *layout, uint64_t one, uint64_t pack, int64_t stride, int count,
                const gpu_work *work)
{
    cuda *c = own;
    int k = size_of(layout);
    if (k == N_SIZE) {
        snprintf(c->failure, sizeof c->failure, "a sim has %.0f kB, and a thread has room for %d",
                 (double)layout->words / 128.0, sizes[N_SIZE - 1]);
        return false;
    }
    gpu_layout there = *layout;
    gpu_work what = *work;
    void *arguments[] = { &there, &one, &pack, &stride, &count, &what };
    if (!set_stack(c, (size_t)sizes[k] * 1024 + FRAMES)) {
        return false;
    }
    int most = getenv("BIELA_GPU_AT_ONCE") ? atoi(getenv("BIELA_GPU_AT_ONCE")) : count, all = count;
    bool is_done = true;
    for (int first = 0; first < all && is_done; first += most) {
        count = all - first < most ? all - first : most;
        unsigned blocks = ((unsigned)count + THREADS - 1) / THREADS;
        is_done = launch(c, c->entry[k], blocks, THREADS, arguments);
        one += (uint64_t)count * sizeof(gpu_case);
        pack += (uint64_t)count * (uint64_t)stride * sizeof(uint64_t);
    }
    return is_done;
}

static const char *describe(void *own) { return ((cuda *)own)->about; }
static const char *failure(void *own) { return ((cuda *)own)->failure; }

const gpu_driver gpu_cuda = { "cuda", open_cuda, close_cuda, look, thread_bytes, take,     give,
                              put,    get,       things,     run,  free_memory,  describe, failure };
