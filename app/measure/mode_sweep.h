// SPDX-License-Identifier: MIT
/* sweep.h - linearised equations of a model over the values of one parameter: modes followed from value to value, and
 * the values where one of them loses or gains stability. */
#pragma once
#include "pictures/gnuplot.h"
#include "running/session.h"

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

/* The model with the parameter at x, and with one more setting unless it is NULL, linearised. The session stays open. */
exit_code sweep_linear(const sweep *, const session_request *, double x, const bi_setting *also, session *,
                       bi_linear *);
/* How many eigenvalues are zero at every value of the parameter. */
int sweep_zeros(const sweep *);
/* How many eigenvalues are nearer to zero than the k-th. */
int sweep_rank(const bi_linear *, int k);

/* The name of a followed mode from the model file: "weave"; NULL: none. */
const char *sweep_mode_name(const sweep *, int mode);

/* Another model over the same values. */
typedef struct {
    char *label; /* "whipple", "bicycle rider=1" */
    sweep sweep;
} sweep_other;

/* Real and imaginary parts over the parameter, drawn by gnuplot: this model and others beside it. */
plot_result sweep_plot(const sweep *, const char *label, const sweep_other *other, int n_other,
                       const double *range, const char *out);
