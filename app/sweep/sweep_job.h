// SPDX-License-Identifier: MIT
/* sweep_job.h - cases that are done, by the command sweep or for a report, and what sweep says at the end. */
#pragma once
#include "running/judgement.h"
#include "study/statistics.h"
#include "sweep/sweep_cases.h"

typedef struct {
    const char *who; // "biela sweep", before what is told
    // of a case, as of a pool, and what it gets; NULL: the plan
    void (*work)(const void *context, const double *question, double *answer, char message[POOL_MESSAGE]);
    const void *context;
    survey plan;
    survey_results results;
    survey_levels levels;
    session first; // the model as in the first case: names, units, hash
    char *out, *summary, *journal, *picture;
    int n_worker;
    const char *device;         // of batches, which does cases of a sweep; NULL: processes or ranks do them
    int64_t n_before;           // cases that an earlier run had done
    char message[POOL_MESSAGE]; // of the first case that failed
    int64_t message_of;
    char verdict[POOL_MESSAGE]; // of the first of the worst cases; "": an earlier run had done it
    int64_t verdict_of;
    bool is_quiet, is_json, is_helper;
    bool has_table, has_summary; // the files are written
    bool is_printed;             // the JSON object is out
} sweep_job;

exit_code sweep_judge(const sweep_job *job);
exit_code sweep_judge_runs(const sweep_job *job, const arguments *args);
/* Does the cases, with a journal where `journal` is named; results and messages are in the job. interrupt_code() after Ctrl-C. The
 * signature is what the numbers depend on, in a line. */
exit_code sweep_do(sweep_job *, const char *signature);
/* Tells which parameters have the files read. */
void sweep_note_files(const sweep_job *job);
void sweep_print_result(const sweep_job *job);
void sweep_json_result(const sweep_job *job, exit_code code);
