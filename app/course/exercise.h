// SPDX-License-Identifier: MIT
/* exercise.h - a task for a driver: goals in order, limits and faults, time, score. Judged on channels and inputs, live or in a
 * replay. */
#pragma once
#include "cli/json.h"
#include <biela/io.h>

typedef enum { EXERCISE_READY, EXERCISE_RUNNING, EXERCISE_PASSED, EXERCISE_FAILED } exercise_state;
enum { EXERCISE_CONDITIONS = 8 };

typedef struct {
    const char *text, *hint;               /* hint: how to reach it; NULL: none */
    const char *when[EXERCISE_CONDITIONS]; /* expressions; all must hold (n_when) */
    int n_when;
    double hold;    /* s for which they must hold */
    double since;   /* s since when they hold; negative: they do not */
    double done_at; /* s; negative: not yet */
} exercise_goal;

typedef struct {
    const char *
        name; /* of a fault, as the section `faults` of the model has it; NULL: a limit of this exercise alone */
    const char *text, *hint, *value;       /* hint: how to avoid it; NULL: none */
    const char *when[EXERCISE_CONDITIONS]; /* it counts only while these hold (n_when) */
    int n_when;
    const char *event[EXERCISE_CONDITIONS]; /* instead of a value: events of the model (n_event) */
    int n_event;
    double max, cost; /* of the value; points lost each time */
    bool is_final;    /* going beyond ends the exercise */
    double now, worst,
        first;      /* value; largest while it counted; s of the first time beyond, negative: none */
    double last;    /* s when it was beyond last: again within a second is the same time; negative: never */
    bool is_broken; /* now */
    int times;
} exercise_limit;

/* Why the score is not 100. */
typedef enum {
    REASON_FAULT, /* of the model */
    REASON_LIMIT, /* of the exercise */
    REASON_TIME,  /* slower than `par` */
    REASON_FINAL, /* what ended it */
    REASON_LATE,  /* the time was over */
    REASON_GOAL   /* not reached when it ended */
} exercise_reason_kind;
typedef struct {
    exercise_reason_kind kind;
    const char *text, *hint; /* "": the kind says it all; NULL: none */
    int times;
    double points; /* lost; 0 where the whole score is */
} exercise_reason;

typedef struct exercise exercise;
/* NULL: mistakes are in the report. */
exercise *exercise_open(const char *path, bi_report *);
exercise *exercise_parse(const char *text, size_t length, const char *path, bi_report *);
void exercise_close(exercise *);
/* Takes the faults that it names from the model file, and checks every expression against channels and inputs of the system; false:
 * told. */
bool exercise_bind(exercise *, const char *model_path, const bi_model *, const bi_system *, bi_report *);
void exercise_reset(exercise *);
/* The state at t, with the inputs in use in the order of the system; going back in time forgets goals that were reached later. */
void exercise_update(exercise *, double t, const double *channel, const double *input);
/* An event of the model at t. */
void exercise_event(exercise *, double t, const char *name);

const char *exercise_name(const exercise *); /* file name without its ending */
const char *exercise_title(const exercise *);
const char *exercise_path(const exercise *);
const char *exercise_run(const exercise *); /* NULL: none */
uint64_t exercise_hash(const exercise *);   /* of what its file says */
int exercise_setting_count(const exercise *);
bi_setting exercise_setting(const exercise *, int k);
exercise_state exercise_state_of(const exercise *);
double exercise_score(const exercise *);
double exercise_time(const exercise *); /* s since its clock began */
bool exercise_waits(const exercise *);  /* the clock begins with the first input, and there was none yet */
const char *exercise_state_name(exercise_state);
int exercise_goal_count(const exercise *);
const exercise_goal *exercise_goal_at(const exercise *, int k);
int exercise_limit_count(const exercise *);
const exercise_limit *exercise_limit_at(const exercise *, int k);
/* In order of weight of their kind; false: no more. */
bool exercise_reason_at(const exercise *, int k, exercise_reason *);
/* Members of an open object: all of the message `exercise` but the report and what comes next. */
void exercise_json(const exercise *, json *);
