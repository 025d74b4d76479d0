// SPDX-License-Identifier: MIT
// The rounds of a drive: whoever is there is served, and what happened goes out.
#include "cli/interrupt.h"
#include "live/drive.h"
#include <time.h>

const bool drive_is_threadless = false;

void drive_loop(live *l)
{
    const bi_loop_frame *frame = bi_loop_latest(l->run.loop, NULL);
    interrupt_catch();
    while (!interrupt_asked() && !frame->is_done) {
        if (l->server) {
            bi_server_serve(l->server, l->devices ? 5 : 20, bi_loop_wake(l->run.loop));
        } else {
            (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
        }
        live_pump(l);
        frame = bi_loop_latest(l->run.loop, NULL);
    }
    bi_loop_stop(l->run.loop);
    live_pump(l);
    interrupt_release();
}
