// SPDX-License-Identifier: MIT
/* report.h - a recorded drive on the table, and the sections of its page; each writes one, in the language of `said`. */
#pragma once
#include "cli/options.h"
#include "report/outcome.h"
#include "report/spoken.h"

typedef struct {
    const arguments *args;
    rerun_source source;
    rerun base; /* as recorded; stands at its end */
    evidence_run run;
    exercise *exercise; /* NULL: none */
    spoken said;
    int body;          /* that `view` names, of a bi_view */
    int margin, speed; /* channels; -1: none */
    bool is_vehicle, is_running;
    outcome end;
    int *shown; /* channels in plots (n_shown) */
    int n_shown;
    FILE *out;
} report;

/* ---- choices: false: told ------------------------------------------------------------------------------- */
bool report_choose_channels(report *);
void report_choose_body(report *);
/* Simulates as recorded, with poses, and finds the outcome. */
void report_simulate(report *);
/* A watch for this drive or another one of the same model. */
outcome_watch report_watch(const report *, const rerun *);

/* ---- sections --------------------------------------------------------------------------------------------- */
void report_head(report *);     /* style, title, when, how long */
void report_happened(report *); /* in sentences, with pictures of the key moments */
void report_recorded(report *); /* rows: how long, how it ended */
void report_exercise(report *);
void report_map(report *);
void report_plots(report *);
void report_events(report *);
void report_verdict(report *);
void report_identity(report *); /* versions, hashes, parameters */
void report_error(report *);    /* of the step, by halving it */
/* How the outcome changes with parameters, by this part; false: told. */
bool report_sensitivity(report *, double by);

/* ---- what sections share ------------------------------------------------------------------------------------ */
const char *report_say(const report *, const char *english, const char *spanish);
void report_title(report *, const char *english, const char *spanish); /* of a section */
void report_row(report *, const char *key, const char *value);
void report_row_free(report *, const char *key, char *value); /* frees the value */
/* "12.35 s" in the language. Free it. */
char *report_time(const report *, double t);
char *report_speed(const report *, double v); /* "12.3 km/h (3.42 m/s)" */
