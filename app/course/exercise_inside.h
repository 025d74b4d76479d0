// SPDX-License-Identifier: MIT
/* exercise_inside.h - what reading, judging and telling of an exercise share. */
#pragma once
#include "course/exercise.h"

struct exercise {
    bi_document *doc;
    bi_document *machine; /* the model file, for its faults; NULL: none are asked for */
    char *path, *name;
    uint64_t hash;
    exercise_goal *goal;
    exercise_limit *limit; /* (n_limit) those of the file first (n_own), then faults */
    char **place;          /* (n_limit) where each limit is written, "limits.0" or "faults.NAME" */
    int n_goal, n_own, n_limit;
    double limit_time, par, per_second; /* s; s; points per second beyond par */
    bool begins_with_input;             /* the clock does */
    /* evaluation: a model that holds nothing but names and their values now */
    bi_model *scratch;
    int n_name, n_input;
    char **variable; /* (n_name) as expressions call it */
    int *column;     /* (n_name) channel, or n_channel + input */
    int n_channel;
    double *initial; /* (n_input) of the inputs */
    /* state */
    exercise_state state;
    double t, begun_at, ended_at; /* s; negative: not yet */
};

/* exercise_read.c: the faults that the exercise names, from the model file; false: told. */
bool exercise_take_faults(exercise *, const char *model_path, bi_report *);
bool exercise_reads(const exercise *, const char *name); /* an expression names it */
void exercise_mistake(bi_report *, const bi_document *, const char *place, const char *what);
