// SPDX-License-Identifier: MIT
/* survey.h - many runs of a model: grids of parameters, random samples, the value of a parameter at which an event begins to happen.
 *
 * A case is one point of the grids and one sample. Its row of numbers depends on its number only, so that cases can be done in
 * any order, by anybody, and again. */
#pragma once
#include "cli/words.h"
#include "pictures/gnuplot.h"
#include "running/session.h"
#include "study/distribution.h"
#include "study/pool.h"
#include <biela/verdict.h>

typedef struct {
    char *name;
    double *value; /* (count) in the parameter's own unit */
    int count;
} survey_axis;

typedef struct {
    char *name;
    distribution spread;
} survey_variation;

typedef enum { MEASURE_FINAL, MEASURE_MAX, MEASURE_MIN, MEASURE_MEAN, MEASURE_TIME } measure_kind;
typedef struct {
    measure_kind kind;
    char *text, *name; /* "max:P.z", "P.z" */
} survey_measure;

/* How a case ended: the column `status`. */
#define SURVEY_STATUS_LIST(X)                                                                                \
    X(SURVEY_DONE, "done")                                                                                   \
    X(SURVEY_ALWAYS, "the event happens at both ends of the range")                                          \
    X(SURVEY_NEVER, "the event happens at neither end of the range")                                         \
    X(SURVEY_FAILED, "a run failed")                                                                         \
    X(SURVEY_REFUSED, "the model refused these values")                                                      \
    X(SURVEY_DIED, "the process that ran it ended")
#define SURVEY_STATUS_ENUM(code, text) code,
typedef enum { SURVEY_STATUS_LIST(SURVEY_STATUS_ENUM) SURVEY_STATUS_COUNT } survey_status;
const char *survey_status_text(survey_status);

typedef struct {
    session_request request; /* of every run, without what the survey sets */
    survey_axis *axis;       /* (n_axis) the first one changes slowest */
    int n_axis;
    survey_variation *variation; /* (n_variation) */
    int n_variation;
    int n_sample; /* per point of the grids; 0: no random sampling */
    uint64_t seed;
    char *bisected; /* parameter; NULL: none */
    double low, high, resolution;
    char *event;             /* that ends a run, as its column is called; NULL: none */
    survey_measure *measure; /* (n_measure) */
    int n_measure;
} survey;

/* Reads --grid, --bisect, --until, --random, --vary, --seed, --record. False: mistakes were printed. Clear in both cases. */
bool survey_make(const arguments *, survey *);
void survey_clear(survey *);

int64_t survey_case_count(const survey *);
int64_t survey_point_count(const survey *); /* of the grids, 1 without */
/* Value of axis k, or of variation k, in a case. */
double survey_axis_value(const survey *, int64_t number, int k);
double survey_variation_value(const survey *, int64_t number, int k);

/* Answer of a case: status, then these, NAN where there is nothing to tell. */
enum {
    SURVEY_STATUS,
    SURVEY_RUNS,
    SURVEY_BISECTED,
    SURVEY_RISES,
    SURVEY_HAPPENED,
    SURVEY_EVENT_TIME,
    SURVEY_VERDICT, /* bi_outcome, the worst of the case's runs; NAN: none was made */
    SURVEY_HASH,    /* of the last state of the case's last run, its upper 53 bits; NAN: none was made */
    SURVEY_MEASURES
};
int survey_answer_size(const survey *);
/* The work of the pool: question is the number of a case. The message is why it failed, or why its verdict is not good. */
void survey_work(const void *context, const double *question, double *answer, char message[POOL_MESSAGE]);
/* The first error of a report as a message of a case. */
void survey_first_error(const bi_report *, char message[POOL_MESSAGE]);
/* One run that shows whether the model, the parameters, the event and the channels exist; `s` stays open. */
exit_code survey_try(const survey *, session *s);

/* ---- results ---------------------------------------------------------------------------------------------- */
typedef struct {
    const survey *plan;
    double *answer; /* (n_case * survey_answer_size) by cases; of one case alone: (survey_answer_size) */
    char *is_done;  /* (n_case) */
    int64_t n_case, n_done;
    int64_t only; /* the case that `answer` is of, when it is one alone; else -1 */
} survey_results;
double survey_answer(const survey_results *, int64_t number, int k);

/* One row per case; one row per point of the grids when there are samples. False: printed on stderr. */
bool survey_write(const survey_results *, const char *path);
void survey_put(const survey_results *, FILE *); /* the same text */
typedef struct {
    words_list level; /* quantiles as written, "0.05" */
    double confidence;
} survey_levels;
bool survey_write_summary(const survey_results *, const survey_levels *, const char *path);

/* What is estimated at a point of the grids: the parameter of the bisection, or a measure. Samples in which the event
 * happens always (never) lie beyond the ends of the range. `sorted` has room for the samples; gives their number. */
int survey_samples(const survey_results *, int64_t point, int k, double *sorted);
int survey_hits(const survey_results *, int64_t point, int *count); /* how often the event happened */
/* Of all cases: how many ended how. */
void survey_count(const survey_results *, int64_t count[SURVEY_STATUS_COUNT]);
/* Of the cases that were run: how many are good, doubtful, bad; gives the first of the worst, -1: none was run. */
enum { SURVEY_OUTCOMES = 3 };
int64_t survey_outcomes(const survey_results *, int64_t count[SURVEY_OUTCOMES]);

/* ---- journal: what is done already, beside the result file until that is written ------------------------------- */
typedef struct survey_journal survey_journal;
/* Opens or begins it and takes what it has. NULL: it belongs to another command, or cannot be written; printed on
 * stderr, and the code is set. */
survey_journal *survey_journal_open(const char *path, const char *signature, survey_results *, exit_code *);
bool survey_journal_add(survey_journal *, const survey_results *, int64_t number);
void survey_journal_close(survey_journal *);

/* A map, a curve or a distribution, by gnuplot. `s` knows units. */
plot_result survey_plot(const survey_results *, const survey_levels *, const session *s, const char *out);
