// SPDX-License-Identifier: MIT
/* load_path.h - equilibria while a load changes, beyond its limits and onto branches. */
#pragma once
#include <biela/sim.h>
BI_BEGIN

/* Followed along their own length, so that the load may turn round on the way, and the mechanism go back. Wants a sim
 * that stands in equilibrium. */
typedef enum {
    BI_PATH_POINT,
    BI_PATH_LIMIT,  /* the load turns round: a dead one snaps through here */
    BI_PATH_BRANCH, /* another branch of equilibria begins: it buckles */
    BI_PATH_END     /* the load asked for */
} bi_path_mark;
typedef struct {
    bi_path_mark mark;
    int number;  /* of the point, from 0 */
    double load; /* value of the input */
    double
        along; /* length of the path so far: root of the mean square of what moves, over the size, with the load over
                   * its range */
    int unstable; /* directions along which it would leave */
} bi_path_point;
typedef bool bi_path_visit(void *context, bi_sim *, const bi_path_point *); /* false: enough */
typedef struct {
    bi_input input;
    double to;   /* value at which it ends, another than now */
    int points;  /* 0: 500 at most */
    double step; /* longest, 0: 0.05 */
    int branch;  /* branch to take where it begins, from 1; 0: none, minus: to the other side */
} bi_load_path_def;
/* Calls `visit` (may be NULL) at every point, where the sim stands at rest. BI_NOT_CONVERGED: the path cannot be followed
 * to the end, the report says how far; the sim stands where it came to. */
bi_status bi_load_path(bi_sim *, const bi_load_path_def *, bi_path_visit *visit, void *context, bi_report *);

BI_END
