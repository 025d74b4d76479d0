// SPDX-License-Identifier: MIT
/* equilibrium_path.h - equilibria along a load, point by point: `biela equilibrium --path`. */
#pragma once
#include "cli/options.h"
#include "running/session.h"
#include <biela/load_path.h>

typedef struct {
    char *input; // owned
    bi_load_path_def def;
    bool is_asked;
} path_request;

#define PATH_OPTIONS                                                                                         \
    { "--path", "INPUT=VALUE",                                                                               \
      "follow equilibria from here until the input has this value, through limits" },                        \
        { "--branch", "K", "with --path: leave where the K-th branch begins; -K to its other side" },        \
        { "--points", "N", "with --path: this many at most (default 500)" },                                 \
    {                                                                                                        \
        "--step", "S", "with --path: longest step, of the mechanism's size (default 0.05)"                   \
    }

/* False: told why. */
bool path_request_make(const arguments *, path_request *);
void path_request_clear(path_request *);
/* Channel `input.NAME`, so that a table tells the load; a mistake when there is no such input. For session_request.drive,
 * with the path_request. */
void path_request_prepare(const void *request, bi_model *, bi_report *);
/* Along the path from where the sim stands; rows into `out` (NULL: none), the table or JSON to stdout. */
exit_code path_follow(session *, const path_request *, const arguments *);
