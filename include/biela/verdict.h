// SPDX-License-Identifier: MIT
/* verdict.h - what a run thinks of itself: every step is looked at, the worst of each kind is kept
 * (docs/theory/verdict.md). */
#pragma once
#include <biela/biela.h>
#ifdef __cplusplus
extern "C" {
#endif

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
    const char *advice;   /* what helps */
    bi_outcome outcome;
} bi_judgement;

enum { BI_JUDGEMENTS_MOST = 24 };
typedef struct {
    bi_outcome outcome;
    int count;                             /* what applies to this model and scheme */
    bi_judgement item[BI_JUDGEMENTS_MOST]; /* the worst first */
    char line[400];                        /* one line in words: outcome, reason, advice */
} bi_verdict;

/* Of all steps since the start, the present state included. Reading it changes nothing. */
bi_verdict bi_sim_verdict(bi_sim *);

#ifdef __cplusplus
}
#endif
