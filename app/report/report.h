// SPDX-License-Identifier: MIT
/* report.h - a recorded drive on the table, and the sections of its page; each writes one, in the language of `said`. */
#pragma once
#include "cli/options.h"
#include "report/outcome.h"
#include "report/spoken.h"
#include "sweep/sweep_job.h"

typedef struct {
    const arguments *args;
    char *path, *samples; /* of the page; of the table of samples, NULL: none */
    char *recording,
        *made_at; /* of a run: where its recording will be, and where it is made; NULL: it was there before */
    const char *name; /* of the recording; NULL: it is a link */
    rerun_source source;
    rerun base; /* as recorded; stands at its end */
    evidence_run run;
    exercise *exercise; /* NULL: none */
    spoken said;
    int body;          /* that `view` names, of a bi_view */
    int margin, speed; /* channels; -1: none */
    bool is_vehicle, is_running;
    outcome end;
    sweep_job job; /* of the samples: plan, results */
    char *table;   /* their file as bytes (table_size) */
    size_t table_size;
    int *shown; /* channels in plots (n_shown) */
    int n_shown;
    FILE *out;
} report;

/* ---- choices: false: told ------------------------------------------------------------------------------- */
bool report_choose_channels(report *);
void report_choose_body(report *);
/* Simulates as recorded, with poses, and finds the outcome. */
void report_simulate(report *);
/* A watch for this drive or another one of the same model, begun; false: with its parameters there is nothing to watch. */
bool report_watch(const report *, const rerun *, outcome_watch *);

/* ---- a run in the place of a recording: made, kept beside the page, forgotten ----------------------------- */
bool report_is_recording(const char *word);
exit_code report_record(report *, const session_request *);
bool report_keep_recording(const report *);
void report_forget_recording(report *);

/* ---- samples within the tolerances ------------------------------------------------------------------------- */
/* The tolerance of a parameter, in its unit; false: the model tells none. */
bool report_tolerance(const report *, const char *name, double *half);
double report_parameter(const report *, const char *name, const char **unit); /* in its unit; NAN: none */
bool report_spreads(report *);                                                /* false: told */
bool report_wants_samples(const report *);
/* Simulates all of them, or --sample alone, which is printed. */
exit_code report_samples(report *);
/* What is told of those that tip over, in the order of the table. */
enum { SAMPLE_TIP_SPEED, SAMPLE_LOST_TIME, SAMPLE_LOST_SPEED, SAMPLE_LEAST, SAMPLE_END, SAMPLE_MEASURES };
void report_band(report *); /* the section */
char *report_spread_text(const report *, const survey_variation *);

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
const char *report_name(const report *);  /* of the recording, as people read it */
const char *report_model(const report *); /* its short name, "forklift" */
const char *report_say(const report *, const char *english, const char *spanish);
void report_title(report *, const char *english, const char *spanish); /* of a section */
void report_row(report *, const char *key, const char *value);
void report_row_free(report *, const char *key, char *value); /* frees the value */
/* "12.35 s" in the language. Free it. */
char *report_time(const report *, double t);
char *report_speed(const report *, double v); /* "12.3 km/h (3.42 m/s)" */
