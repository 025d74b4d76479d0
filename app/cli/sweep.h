// SPDX-License-Identifier: MIT
/* sweep.h - linearised equations of a model over the values of one parameter: modes followed from value to value, and
 * the values where one of them loses or gains stability. */
#pragma once
#include "cli/session.h"

typedef struct {
    double x;         /* value of the parameter, in its own unit */
    bi_linear linear; /* eigenvalues sorted by real part */
    int *branch;      /* (n_value) which eigenvalue each followed mode is here */
} sweep_point;

typedef struct {
    double x;      /* of the parameter */
    double re, im; /* of the mode there; im >= 0 */
    bool becomes_stable;
    char name[48]; /* "weave", "weave_2" */
} sweep_critical;

typedef struct {
    char *parameter; /* NULL: one point, no parameter */
    double from, to, step;
    sweep_point *point; /* (n_point) */
    int n_point, n_mode;
    sweep_critical *critical; /* (n_critical) */
    int n_critical;
    session session; /* of the first point: names, units, messages */
} sweep;

/* "v=0:10:0.05"; NULL: no sweep. False: a mistake was printed. */
bool sweep_parse(const char *text, sweep *);
/* Linearises every point, follows the modes, finds the critical values. Messages are printed. */
exit_code sweep_run(sweep *, const session_request *);
void sweep_clear(sweep *);

double sweep_re(const sweep *, int point, int mode);
double sweep_im(const sweep *, int point, int mode);

/* Real and imaginary parts over the parameter, drawn by gnuplot. */
bool sweep_plot(const sweep *, const char *out);
