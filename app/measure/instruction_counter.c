// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // syscall
#include "measure/instruction_counter.h"
#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int instruction_counter_open(void)
{
    struct perf_event_attr what = { .type = PERF_TYPE_HARDWARE,
                                    .size = sizeof what,
                                    .config = PERF_COUNT_HW_INSTRUCTIONS,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1 };
    return (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, 0);
}

int64_t instruction_counter_read(int counter)
{
    int64_t count = 0;
    return counter >= 0 && read(counter, &count, sizeof count) == sizeof count ? count : -1;
}

void instruction_counter_close(int counter)
{
    if (counter >= 0) {
        close(counter);
    }
}
#else
int instruction_counter_open(void) { return -1; }

int64_t instruction_counter_read(int counter)
{
    (void)counter;
    return -1;
}

void instruction_counter_close(int counter) { (void)counter; }
#endif
