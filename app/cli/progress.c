// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "cli/progress.h"
#include "cli/terminal.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double silence = 1.0;  // s before the first line: short runs stay quiet
static const double interval = 0.1; // s between lines

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

progress progress_none(void) { return (progress){ .is_on = false }; }

progress progress_start(void)
{
    double now = progress_clock();
    return (progress){ .is_on = isatty(STDERR_FILENO), .started = now, .next = now + silence };
}

// 75 s as "1 min 15 s"
static void print_duration(double seconds)
{
    if (seconds < 60.0) {
        fprintf(stderr, "%.0f s", seconds);
    } else if (seconds < 3600.0) {
        fprintf(stderr, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    } else if (seconds < 1e9) {
        fprintf(stderr, "%ld h %02ld min", (long)seconds / 3600, (long)seconds % 3600 / 60);
    } else {
        fputs("very long", stderr);
    }
}

void progress_show(progress *bar, double t, double time)
{
    if (!bar->is_on) {
        return;
    }
    double now = progress_clock();
    if (now < bar->next || !(t > 0.0)) {
        return;
    }
    bar->next = now + interval;
    bar->is_shown = true;
    double elapsed = now - bar->started;
    terminal_erase_line();
    fprintf(stderr, " %3.0f %%   t = %.4g of %.4g s   %.3g x real time   ", 100.0 * t / time, t, time,
            t / elapsed);
    print_duration(elapsed * (time - t) / t);
    fputs(" left", stderr);
}

void progress_stage(progress *bar, const char *of, const char *stage, double done)
{
    double now = bar->is_on ? progress_clock() : 0.0;
    if (bar->is_on && now >= bar->next) {
        bar->next = now + interval;
        bar->is_shown = true;
        terminal_erase_line();
        fprintf(stderr, " %s: %s", of, stage);
        if (done > 0.0) {
            fprintf(stderr, " %.0f %%", 100.0 * done);
        }
        fputs("   ", stderr);
        print_duration(now - bar->started);
    }
}

void progress_end(progress *bar)
{
    if (bar->is_shown) {
        terminal_erase_line();
    }
    bar->is_shown = false;
}
