// SPDX-License-Identifier: MIT
// Entries of the code for GPUs, and what its compiler expects of a C library. Compiled for GPUs only (tools/gpu/build).
#include "gpu/kernel.h"

typedef unsigned long word;

// a function of ours that only copies must not become a call of itself
#define KEEP __asm__ volatile("" ::: "memory")

void gpu_copy_words(char *to, const char *from, word n)
{
    word *a = (word *)to;
    const word *b = (const word *)from;
    for (word k = 0; k < n / 8; k++) {
        a[k] = b[k];
    }
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    if (((word)to | (word)from | n) % 8 == 0) {
        word *a = to;
        const word *b = from;
        for (word k = 0; k < n / 8; k++) {
            a[k] = b[k];
        }
        return to;
    }
    char *a = to;
    const char *b = from;
    for (word k = 0; k < n; k++) {
        a[k] = b[k];
        KEEP;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    char *a = to;
    const char *b = from;
    if (a < b) {
        for (word k = 0; k < n; k++) {
            a[k] = b[k];
            KEEP;
        }
    } else {
        for (word k = n; k-- > 0;) {
            a[k] = b[k];
            KEEP;
        }
    }
    return to;
}

void *memset(void *to, int value, size_t n)
{
    char *a = to;
    if (value == 0 && ((word)to | n) % 8 == 0) {
        word *b = to;
        for (word k = 0; k < n / 8; k++) {
            b[k] = 0;
        }
        return to;
    }
    for (word k = 0; k < n; k++) {
        a[k] = (char)value;
        KEEP;
    }
    return to;
}

int memcmp(const void *x, const void *y, size_t n)
{
    const unsigned char *a = x, *b = y;
    for (word k = 0; k < n; k++) {
        if (a[k] != b[k]) {
            return a[k] - b[k];
        }
    }
    return 0;
}

static int me(void)
{
    return (int)(__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x());
}

void biela_things(uint64_t *at) { gpu_things(at); }

// The block of a sim lies in the memory of its thread, which the hardware interleaves with that of its neighbours.
#define ENTRY(kilobytes)                                                                                          \
    void biela_run_##kilobytes(gpu_layout layout, gpu_case *one, uint64_t *pack, int64_t stride, int count,         \
                               gpu_work work)                                                                      \
    {                                                                                                              \
        uint64_t block[kilobytes * 128] __attribute__((aligned(64)));                                              \
        int k = me();                                                                                              \
        if (k < count) {                                                                                           \
            gpu_case_run(&layout, &one[k], pack + k * stride, &work, block);                                       \
        }                                                                                                          \
    }
ENTRY(32)
ENTRY(48)
ENTRY(64)
ENTRY(96)
ENTRY(128)
ENTRY(192)
ENTRY(288)
ENTRY(440)
