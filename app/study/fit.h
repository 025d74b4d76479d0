// SPDX-License-Identifier: MIT
/* fit.h - parameters of a model from measured data: least squares over whole runs.
 *
 * Residuals are measured less computed, divided by the noise of their column. Parameters are in their own unit throughout. */
#pragma once
#include "cli/words.h"
#include "running/session.h"
#include "study/pool.h"
#include <biela/verdict.h>

typedef struct {
    char *name, *unit; /* unit "" if it has none */
    double start, low, high;
    double scale; /* its size: |start|, or the width of its bounds, or 1 */
} fit_parameter;

typedef struct {
    int index;    /* in the table */
    char *name;   /* channel or input */
    char *unit;   /* of a channel; "": none */
    double noise; /* standard deviation; 0: to be estimated */
    int count;    /* values without gaps */
    double range;
} fit_column;

/* Rows of one file: a run of its own, from t = 0. */
typedef struct {
    const char *path;     /* of the data, borrowed */
    const char *run_name; /* a case of the model's `runs`; NULL: that of the request */
    int from, rows;       /* in the table */
    char *time;           /* its last instant, as a word */
    session_kept *kept;   /* the model of its runs */
} fit_segment;

typedef struct {
    session_request request;
    const char *path;     /* of the first file */
    fit_segment *segment; /* (n_segment) in the order of their rows */
    int n_segment;
    words_list runs; /* names of their runs, as given */
    double huber; /* residuals beyond this many sigmas count in proportion, not squared; 0: all are squared */
    bi_table table; /* all files, one below the other */
    int t;          /* column of the time */
    fit_parameter *parameter;
    int n_parameter;
    fit_column *measured, *driven; /* channels to compare; inputs to apply */
    int n_measured, n_driven;
    int n_value;    /* measured values without gaps */
    bool has_noise; /* of every column */
} fit_problem;

/* Options, data and model brought together; messages are printed. Clear in both cases. `s` stays open. */
exit_code fit_make(const arguments *, fit_problem *, session *s);
void fit_clear(fit_problem *);

/* Where a row of the data stands. */
bi_place fit_place(const fit_problem *, int row);

/* ---- runs ----------------------------------------------------------------------------------------------------- */
/* Question: the parameters. Answer: 0 or 1 (failed), then the channels at each row: [row * n_measured + column]. */
int fit_answer_size(const fit_problem *);
void fit_work(const void *context, const double *question, double *answer, char message[POOL_MESSAGE]);

/* What the run with these parameters thinks of itself. */
bi_verdict fit_verdict(const fit_problem *, const double *x);

/* ---- least squares ------------------------------------------------------------------------------------------------ */
static const double fit_smooth = 0.05;
typedef enum { FIT_CONVERGED, FIT_STUCK, FIT_TOO_LONG, FIT_NO_START, FIT_INTERRUPTED } fit_ending;
typedef struct {
    fit_ending ending;
    char message[POOL_MESSAGE]; /* why a run failed */
    int iterations, runs;
    double *x;          /* (n) values found */
    double *model;      /* (rows * n_measured) channels there */
    double *sigma;      /* (n_measured) noise used: given or estimated */
    double *rms;        /* (n_measured) of measured less computed */
    double *echo;       /* (n_measured) correlation of neighbouring residuals */
    double chi2;        /* sum of squares of the residuals */
    double freedom;     /* values less parameters */
    double *J;          /* (n_value * n) by columns: derivative of the residuals */
    double *covariance; /* (n * n) of what the data identify */
    double *deviation;  /* (n) standard deviation; infinite: not identified */
    bool *is_at_bound;  /* (n) */
    double *rough; /* (n) how far the two sides of its derivative disagree; above fit_smooth the data jump */
    double *singular; /* (n) of J with columns of length one, largest first */
    int n_lost;       /* directions that the data do not determine */
    double *raw;      /* (n_value) residuals over sigma, none of them cut */
    double *lost; /* (n_lost * n) in those columns' scale: which parameters change together without effect */
} fit_result;
void fit_solve(const fit_problem *, pool *, fit_result *);
/* The ends of the interval of parameter j by the likelihood itself: there the least sum of squares over all others has grown as
 * t sigmas ask for. An end beyond a bound, or that is not found: not a number. `x`, `chi2` are of the minimum. */
typedef struct {
    double low, high;
    int runs;
} fit_profile;
fit_profile fit_profile_of(const fit_problem *, pool *, const fit_result *, int j, double t);
/* The k-th residual (of its column, n_value in all) in sigmas of the middle ones, which outliers do not move; and its row and
 * column. */
typedef struct {
    int row, column;
    double sigmas;
} fit_stray;
fit_stray fit_stray_at(const fit_problem *, const fit_result *, int k);
/* Standard deviation by the middle size of residuals. */
double fit_middle(const double *residual, int count);
/* Covariance and what is lost, from J at x. */
void fit_judge(const fit_problem *, fit_result *);
void fit_result_clear(fit_result *);

/* ---- singular values: one-sided Jacobi ------------------------------------------------------------------------------ */
/* A (m * n by columns, m >= 1) becomes U S by columns; S (n) in decreasing order, V (n * n by columns). */
void svd_jacobi(double *A, int m, int n, double *S, double *V);
