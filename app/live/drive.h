// SPDX-License-Identifier: MIT
/* drive.h - what the commands with a page share. */
#pragma once
#include "live/live.h"

#define DRIVE_OPTIONS                                                                                        \
    { "--port", "N",                                                                                         \
      "port of the page; default 8817, or any free one when that is taken; 0: any free one" },               \
        { "--address", "A", "address to listen on; default 127.0.0.1, this machine only" },                  \
        { "--token", "T", "what a driver's page must know; made up when others can reach the address" },     \
        { "--watch-token", "T", "what a page must know that only watches; made up likewise" },               \
        { "--instruct-token", "T",                                                                           \
          "what the instructor's page must know, who freezes the drive and comments on it" },                \
        { "--open", NULL, "open the browser even when the output is not a terminal" },                       \
    {                                                                                                        \
        "--no-open", NULL, "do not open a browser"                                                           \
    }

/* The same with other callbacks; only those, `data` and, where it is given, `root` of the options are used. */
exit_code drive_open_server(live *, const arguments *, const bi_server_options *);
/* Opens the server by the options --port --address --token --open, prints its address. */
exit_code drive_serve(live *, const arguments *);
/* A recording in the browser until the user interrupts. */
exit_code drive_show(const rerun_source *, const arguments *, const bi_setting *more, int n_more);
/* Serves until the loop ends or the user interrupts; the loop stands still afterwards. In a page it does not come back:
 * the page asks for turns (app/page). */
void drive_loop(live *);
extern const bool drive_is_threadless; /* steps are done by turns of drive_loop, not by a thread */
void drive_print_deadlines(const bi_deadlines *, double dt);
/* An option that is a number; false: told. */
bool drive_number(const arguments *, const char *name, double least, double most, double *value);
