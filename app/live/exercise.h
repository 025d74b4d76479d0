// SPDX-License-Identifier: MIT
/* exercise.h - a task for a driver: goals in order, limits, time, score. Judged on channels, live or in a replay. */
#pragma once
#include "cli/json.h"
#include <biela/io.h>

typedef enum { EXERCISE_READY, EXERCISE_RUNNING, EXERCISE_PASSED, EXERCISE_FAILED } exercise_state;
enum { EXERCISE_CONDITIONS = 8 };

typedef struct {
    const char *text;
    const char *when[EXERCISE_CONDITIONS]; /* expressions; all must hold (n_when) */
    int n_when;
    double hold;    /* s for which they must hold */
    double since;   /* s since when they hold; negative: they do not */
    double done_at; /* s; negative: not yet */
} exercise_goal;

typedef struct {
    const char *text, *value;
    const char *when[EXERCISE_CONDITIONS]; /* it counts only while these hold (n_when) */
    int n_when;
    double max, cost; /* of the value; points lost each time */
    bool is_final;    /* going beyond ends the exercise */
    double now, worst,
        first;      /* value; largest while it counted; s of the first time beyond, negative: none */
    bool is_broken; /* now */
    int times;
} exercise_limit;

typedef struct exercise exercise;
/* NULL: mistakes are in the report. */
exercise *exercise_open(const char *path, bi_report *);
exercise *exercise_parse(const char *text, size_t length, const char *path, bi_report *);
void exercise_close(exercise *);
/* Checks every expression against the channels of the system; false: told. */
bool exercise_bind(exercise *, const bi_model *, const bi_system *, bi_report *);
void exercise_reset(exercise *);
/* The state at t; going back in time forgets goals that were reached later. */
void exercise_update(exercise *, double t, const double *channel);

const char *exercise_name(const exercise *); /* file name without its ending */
const char *exercise_title(const exercise *);
const char *exercise_path(const exercise *);
const char *exercise_run(const exercise *); /* NULL: none */
int exercise_setting_count(const exercise *);
bi_setting exercise_setting(const exercise *, int k);
exercise_state exercise_state_of(const exercise *);
double exercise_score(const exercise *);
double exercise_time(const exercise *);
const char *exercise_state_name(exercise_state);
int exercise_goal_count(const exercise *);
const exercise_goal *exercise_goal_at(const exercise *, int k);
int exercise_limit_count(const exercise *);
const exercise_limit *exercise_limit_at(const exercise *, int k);
/* Members of an open object: name, title, text, state, time, limit, score, goals, limits, marks. */
void exercise_json(const exercise *, json *);
