// SPDX-License-Identifier: MIT
/* verdict.h - what a run thinks of itself: every step is looked at, the worst of each kind is kept
 * (docs/theory/verdict.md). */
#pragma once
#include <biela/sim.h>
BI_BEGIN

typedef enum { BI_GOOD, BI_DOUBTFUL, BI_BAD } bi_outcome;
const char *bi_outcome_name(bi_outcome); /* "good", "doubtful", "bad" */

/* One thing that is judged. */
typedef struct {
    const char *name;     /* "energy"; the same in files and JSON */
    const char *what;     /* in words */
    const char *unit;     /* "1", "rad", "m" */
    double value;         /* the worst so far */
    double doubtful, bad; /* limits: above them it is so */
    double t;             /* s, when it was seen */
    char where[96];       /* body, joint, constraint or force; "": none */
    char advice[200];     /* what helps */
    bi_outcome outcome;
} bi_judgement;

enum { BI_JUDGEMENTS_MOST = 40, BI_VERDICT_LINE = 480 };
typedef struct {
    bi_outcome outcome;
    int count;                             /* what applies to this model and scheme */
    bi_judgement item[BI_JUDGEMENTS_MOST]; /* the worst first */
    char line[BI_VERDICT_LINE];            /* one line in words: outcome, reason, advice */
} bi_verdict;

/* Of all steps since the start, the present state included. Reading it changes nothing. */
bi_verdict bi_sim_verdict(bi_sim *);

/* ---- cross-check: the same run in the other formulation and with half the step ---------------------------------- */

/* How far the three runs are apart in one channel. Relative gaps are over the channel's range in this run, or over
 * `floor` where it does not change: a millionth of the largest value of the same unit, 1e-4 for ratios and angles; for
 * energies, the largest range of them. */
typedef struct {
    const char *name; /* of the channel; borrowed from the system */
    double range, floor;
    double formulation; /* largest gap to the other formulation */
    double step;        /* to half the step */
    double between;     /* of these two to each other */
    double t;           /* s, where the largest of the three gaps is */
} bi_gap;
double bi_gap_relative(const bi_gap *, double gap);

typedef enum { BI_CROSS_NONE, BI_CROSS_THIS, BI_CROSS_FORMULATION, BI_CROSS_STEP } bi_cross_odd;
typedef struct {
    int count;        /* channels, the worst first */
    bi_gap *item;     /* (count) */
    double worst;     /* relative gap of the first one */
    bi_cross_odd odd; /* the run that differs from the other two, if they agree much better */
} bi_cross;           /* ends with bi_cross_clear */

/* Rows of three runs, compared as they come. */
typedef struct bi_crossing bi_crossing;
bi_crossing *bi_crossing_create(const bi_system *); /* NULL: no memory */
/* All three stand at the same instant; `formulation` or `step` may be NULL: left out. */
void bi_crossing_row(bi_crossing *, bi_sim *run, bi_sim *formulation, bi_sim *step);
bool bi_crossing_end(const bi_crossing *, bi_cross *); /* false: no memory */
void bi_crossing_destroy(bi_crossing *);
void bi_cross_clear(bi_cross *);

/* All of it for a run of `time` s that begins as described, compared every `every` s. Inputs keep their first values or
 * follow their samples. BI_OK, or the status of the run that failed, named in the report. */
bi_status bi_cross_run(const bi_model *, const bi_options *, double time, double every, bi_cross *,
                       bi_report *);

BI_END
