// SPDX-License-Identifier: MIT
/* sweep_run.h - one run of a case, and the runs of a case one after the other, whoever steps them. */
#pragma once
#include "sweep/sweep_cases.h"

typedef struct {
    survey_status status;
    bool happened;
    double event_time; // s, NAN: did not happen
    double *measure;   // (n_measure)
    bi_outcome worst;  // of all runs so far
    bool is_judged;    // one was made
    double hash;       // of its last state, 53 bits: a table holds them exactly
    char *message;
} survey_run;

typedef struct {
    const survey *plan;
    session session;
    bi_channel *channel;  // (n_measure) unset: an event
    double *area, before; // integrals for means, and the last instant
    double *last;         // values there
    int events;           // seen so far
} survey_recorder;

// Parameters of a case as words: base settings, grids, samples, and the one that is bisected.
session_request survey_request(const survey *, int64_t number, double bisected);
void survey_request_clear(const survey *, session_request *);

// In this order: begin; the session is opened with this code (false: it is over, and told); events and channels are seen at the start and
// after each step (false: a channel is not finite, which is told); over; clear.
void survey_run_begin(const survey *, survey_recorder *, survey_run *);
bool survey_run_opened(survey_recorder *, survey_run *, exit_code);
void survey_see_events(survey_recorder *, survey_run *);
bool survey_see_channels(survey_recorder *, survey_run *);
void survey_run_over(survey_recorder *, survey_run *, bool is_good);
void survey_run_clear(survey_recorder *);

// The runs of a case: one, or those of a bisection, each with a value of the parameter that is bisected.
typedef enum { CASE_LOW, CASE_HIGH, CASE_BETWEEN } case_stage;
typedef struct {
    const survey *plan;
    int64_t number;
    double value; // of the run that is next
    survey_run run;
    double *answer; // (survey_answer_size)
    case_stage stage;
    double low, high;
    bool at_low, at_high;
} survey_case;
void survey_case_begin(survey_case *, const survey *, int64_t number, double *answer, char *message);
// After a run: true, another one is to be made, with `value`.
bool survey_case_goes_on(survey_case *);
void survey_case_end(survey_case *);
