// SPDX-License-Identifier: MIT
/* The options of a run: those of the file, with those of the command line over them. */
#include "cli/words.h"
#include "running/session.h"
#include <biela/names.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const bi_place nowhere = { 0 };
// s; in a shorter time nothing moves by as much as the last digit of its place
static const double shortest_step = 1e-15;

const char **session_text(session_request *request, const char *key)
{
#define RUN_TEXT_PLACE(name)                                                                                 \
    if (strcmp(key, #name) == 0) {                                                                           \
        return &request->name;                                                                               \
    }
    RUN_TEXT_LIST(RUN_TEXT_PLACE)
    return NULL;
}

void session_take_options(const arguments *args, session_request *request)
{
    for (int k = 0; k < bi_run_option_count(); k++) {
        const char **to = session_text(request, bi_run_option_at(k).key);
        char *name = words_format("--%s", bi_run_option_at(k).key);
        if (to) {
            *to = arguments_value(args, name);
        }
        free(name);
    }
}

static void need(session *s, bool is_right, const char *where, const char *what)
{
    if (!is_right) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, where, "%s", what);
    }
}

// ---- the command line over the file ---------------------------------------------------------------------------------

static void set_each(session *s, session_request *texts)
{
    for (int k = 0; k < bi_run_option_count(); k++) {
        const char *key = bi_run_option_at(k).key, **text = session_text(texts, key);
        if (text && *text) {
            char *where = words_format("--%s", key);
            bi_run_set(&s->run, s->model, key, *text, where, &s->report);
            free(where);
        }
    }
}

// What is asked for and does nothing. What the file says may be idle: the command line has changed what it is for.
static void refuse_idle(session *s, session_request *texts)
{
    for (int k = 0; k < bi_run_option_count(); k++) {
        const char *key = bi_run_option_at(k).key, **text = session_text(texts, key);
        const char *why = text && *text ? bi_run_idle(&s->run, key) : NULL;
        if (why) {
            char *where = words_format("--%s", key);
            need(s, false, where, why);
            free(where);
        }
    }
}

// A scheme of the command line may choose its steps, or leave that to the one of the file: then another dt counts.
static void tell_steps(session *s, const session_request *request, const bi_run *file)
{
    const bi_run *run = &s->run;
    const char *name = bi_scheme_name(run->scheme);
    if (!request->scheme) {
        return;
    }
    if (run->is_auto_by_scheme && !file->is_auto && file->has_dt) {
        bi_report_add(&s->report, BI_NOTE, BI_OK, nowhere, "--scheme",
                      "%s chooses its steps, and the model's dt of %g s is the first one only; --dt %g keeps "
                      "it",
                      name, file->dt, file->dt);
    } else if (!request->dt && file->is_auto && !run->is_auto) {
        bi_report_add(&s->report, BI_NOTE, BI_OK, nowhere, "--scheme",
                      "%s takes steps of %g s, which %s of the model chooses itself; --dt auto chooses them",
                      name, run->dt, bi_scheme_name(file->scheme));
    }
}

// ---- times ----------------------------------------------------------------------------------------------------------

// A time that is given must be as long as a step can be.
static void need_length(session *s, const char *key, const char *text, double time)
{
    if (time >= shortest_step || time == 0.0) {
        return;
    }
    char *where = words_format("%s%s", text ? "--" : "", key);
    bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, where,
                  "%g s is too short: a step takes %g s at least", time, shortest_step);
    free(where);
}

static void make_grid(session *s, const session_request *request)
{
    const bi_run *run = &s->run;
    // steps chosen by error end on the rows; what lies between is their own business
    double dt = run->is_auto && run->every > 0.0 ? run->every : run->dt;
    if (!time_grid_make(run->time, dt, run->every, &s->grid)) {
        const char *where = request->dt                      ? "--dt"
                            : request->time                  ? "--time"
                            : request->every && dt < run->dt ? "--every"
                                                             : "dt";
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, where,
                      "a run of %g s has too many steps of %g s; make them longer, or the run shorter",
                      run->time, fmin(dt, s->grid.dt));
        return;
    }
    s->grid.start = run->start_time;
    if (!run->is_auto && run->time > 0.0 && run->dt > run->time) {
        bi_report_add(&s->report, BI_WARNING, BI_OK, nowhere, "dt",
                      "the step of %g s is longer than the run of %g s, which is one step of that length",
                      run->dt, run->time);
    }
}

// ---- all of it ------------------------------------------------------------------------------------------------------

exit_code session_set_options(session *s, const session_request *request)
{
    const bi_run file = s->run;
    bi_run *run = &s->run;
    session_request texts = *request;
    bi_model_place(s->model, nowhere);
    set_each(s, &texts);
    need(s, !request->tolerance || !request->dt || strcmp(request->dt, "auto") == 0, "--tolerance",
         "is for steps chosen by error: leave --dt out, or write --dt auto");
    need(s, bi_solver_exists(run->solver), "solver", "this build of biela has no KLU; use --solver own");
    if (s->report.errors == 0 && !request->is_repeated) {
        refuse_idle(s, &texts);
    }
    if (s->report.errors == 0) {
        need_length(s, "time", request->time, run->time);
        need_length(s, "dt", request->dt, run->dt);
        need_length(s, "every", request->every, run->every);
    }
    if (s->report.errors == 0) {
        make_grid(s, request);
    }
    if (s->report.errors == 0) {
        tell_steps(s, request, &file);
    }
    return s->report.errors == 0 ? CLI_OK : CLI_BAD;
}

exit_code session_check_sleep(session *s, const session_request *request)
{
    static const char *const what = "no body of the model can fall asleep: only free ones with contacts do";
    if (!(s->run.sleep > 0.0) || bi_can_sleep(s->system)) {
        return CLI_OK;
    }
    if (request->sleep && !request->is_repeated) {
        need(s, false, "--sleep", what);
        return CLI_BAD;
    }
    // a file may be made for more parameters than these
    bi_report_add(&s->report, BI_NOTE, BI_OK, nowhere, "run.sleep", "%s", what);
    return CLI_OK;
}
