// SPDX-License-Identifier: MIT
// The rounds of a drive inside a page, one by one: the worker around us asks for each, and hears how long it may wait.
#include "live/drive.h"
#include <emscripten.h>
#include <math.h>

const bool drive_is_threadless = true;
static const double longest_turn = 0.02; // s: then the worker hears what the page says

// The drive that the worker turns: there is one engine in a worker.
static live *the_drive;

void drive_loop(live *l)
{
    the_drive = l;
    // the frames of the callers stay where they are: what they own is used in every turn
    emscripten_exit_with_live_runtime();
}

// Seconds to wait; negative: there is nothing to turn any more.
EMSCRIPTEN_KEEPALIVE double page_turn(void)
{
    live *l = the_drive;
    if (!l) {
        return -1.0;
    }
    double wait = bi_loop_turn(l->run.loop, longest_turn);
    live_pump(l);
    return isnan(wait) ? -1.0 : wait;
}
