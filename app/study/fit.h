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

typedef struct {
    session_request request;
    const char *path; /* of the data */
    bi_table table;
    int t; /* column of the time */
    fit_parameter *parameter;
    int n_parameter;
    fit_column *measured, *driven; /* channels to compare; inputs to apply */
    int n_measured, n_driven;
    int n_value;    /* measured values without gaps */
    bool has_noise; /* of every column */
    char *time;     /* the last instant, as a word */
} fit_problem;

/* Options, data and model brought together; messages are printed. Clear in both cases. `s` stays open. */
exit_code fit_make(const arguments *, fit_problem *, session *s);
void fit_clear(fit_problem *);

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
    double *lost; /* (n_lost * n) in those columns' scale: which parameters change together without effect */
} fit_result;
void fit_solve(const fit_problem *, pool *, fit_result *);
/* Covariance and what is lost, from J at x. */
void fit_judge(const fit_problem *, fit_result *);
void fit_result_clear(fit_result *);

/* ---- singular values: one-sided Jacobi ------------------------------------------------------------------------------ */
/* A (m * n by columns, m >= 1) becomes U S by columns; S (n) in decreasing order, V (n * n by columns). */
void svd_jacobi(double *A, int m, int n, double *S, double *V);
