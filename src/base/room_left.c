// SPDX-License-Identifier: MIT
#include "base/room_left.h"
#include <math.h>

#if defined(__linux__) && !defined(__EMSCRIPTEN__)
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// The first number of a file, times `unit`; infinite: there is none, such as "max".
static double number_in(const char *path, const char *key, double unit)
{
    char line[200];
    double value = INFINITY;
    FILE *in = fopen(path, "r");
    while (in && isinf(value) && fgets(line, sizeof line, in)) {
        const char *at = key ? strstr(line, key) : line;
        double number;
        if (at && sscanf(at + (key ? strlen(key) : 0), "%lf", &number) == 1) {
            value = unit * number;
        }
    }
    if (in) {
        fclose(in);
    }
    return value;
}

double room_left(void)
{
    double left = number_in("/proc/meminfo", "MemAvailable:", 1024.0);
    double most = number_in("/sys/fs/cgroup/memory.max", NULL, 1.0);
    if (isfinite(most)) {
        double used = number_in("/sys/fs/cgroup/memory.current", NULL, 1.0);
        // what is only a copy of files gives way
        double files = number_in("/sys/fs/cgroup/memory.stat", "inactive_file ", 1.0);
        left = fmin(left, most - (isfinite(used) ? used : 0.0) + (isfinite(files) ? files : 0.0));
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        double own = number_in("/proc/self/statm", NULL, (double)sysconf(_SC_PAGESIZE));
        left = fmin(left, (double)limit.rlim_cur - (isfinite(own) ? own : 0.0));
    }
    return fmax(0.0, left);
}
#else
double room_left(void) { return INFINITY; }
#endif
