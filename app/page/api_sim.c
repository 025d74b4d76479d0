// SPDX-License-Identifier: MIT
// Runs for programs in JavaScript: step, read, set, save. Arrays are those of the engine: pointers into its memory.
#include "cli/words.h"
#include "page/api.h"
#include <biela/loop.h>
#include <biela/verdict.h>
#include <emscripten.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const bi_place nowhere = { 0 };

// ---- life ------------------------------------------------------------------------------------------------------------

// Options that change the model itself belong to its text: another run of it would inherit them.
static bool is_of_the_model(const char *key) { return strcmp(key, "manoeuvre") == 0; }

static void take_options(session_request *request, const api_pairs *pairs, bi_report *report)
{
    for (int k = 0; k < pairs->count; k++) {
        const char **text = session_text(request, pairs->name[k]);
        if (text && !is_of_the_model(pairs->name[k])) {
            *text = pairs->value[k];
        } else {
            bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, nowhere, pairs->name[k],
                          text ? "belongs to the model: write it into its section `run`"
                               : "is no option of a run");
        }
    }
}

// Never NULL: where the report has errors there is no run, and nothing but the report may be asked for.
EMSCRIPTEN_KEEPALIVE api_sim *api_sim_create(const api_model *m, const char *options)
{
    api_sim *a = words_alloc(sizeof *a);
    api_pairs pairs = api_pairs_of(options);
    session_request request = { 0 };
    take_options(&request, &pairs, &a->s.report);
    if (a->s.report.errors == 0 && m->read.model && m->read.report.errors == 0) {
        session_open_read(&a->s, &m->read, &request);
    } else if (a->s.report.errors == 0) {
        bi_report_add(&a->s.report, BI_ERROR, BI_BAD_MODEL, nowhere, "model",
                      "has mistakes: see its own report");
    }
    api_pairs_clear(&pairs);
    if (a->s.sim) {
        a->channel = words_alloc((size_t)(bi_channel_count(a->s.system) + 1) * sizeof *a->channel);
    }
    return a;
}

EMSCRIPTEN_KEEPALIVE void api_sim_free(api_sim *a)
{
    session_close(&a->s);
    free(a->channel);
    free(a->row);
    free(a->chosen);
    free(a);
}

EMSCRIPTEN_KEEPALIVE const bi_report *api_sim_report(const api_sim *a) { return &a->s.report; }
EMSCRIPTEN_KEEPALIVE bool api_sim_is_ready(const api_sim *a) { return a->s.sim && a->s.report.errors == 0; }

// (Again) to the beginning; false: the report says why.
EMSCRIPTEN_KEEPALIVE bool api_sim_start(api_sim *a)
{
    bi_report_clear(&a->s.report);
    a->step = 0;
    return session_start(&a->s) == CLI_OK;
}

// ---- steps: a bi_status -------------------------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE int api_sim_steps(api_sim *a, int count) { return bi_sim_steps(a->s.sim, count); }
EMSCRIPTEN_KEEPALIVE int api_sim_run_to(api_sim *a, double t) { return bi_sim_run_to(a->s.sim, t); }

EMSCRIPTEN_KEEPALIVE const char *api_sim_failure(const api_sim *a) { return bi_sim_failure(a->s.sim); }
EMSCRIPTEN_KEEPALIVE bool api_sim_stopped(const api_sim *a) { return bi_sim_stopped(a->s.sim); }

// The steps of `biela run` up to its next row, or `most` of them. 1: at a row; 0: not there yet; -1: the run is over,
// nothing was done; -2: a step failed.
EMSCRIPTEN_KEEPALIVE int api_sim_next_row(api_sim *a, int most)
{
    const time_grid *grid = &a->s.grid;
    bi_sim *sim = a->s.sim;
    bool is_free = a->s.run.is_auto && a->s.run.every == 0.0;
    for (int k = 0; k < most; k++) {
        if (a->step >= grid->n_step || bi_sim_stopped(sim)) {
            return -1;
        }
        int64_t next = a->step + 1;
        double t = time_grid_at(grid, next);
        bool is_off = t != grid->start + (double)next * grid->dt;
        bi_status status = is_free ? bi_sim_step_toward(sim, time_grid_at(grid, grid->n_step))
                           : is_off || a->s.run.is_auto ? bi_sim_step_to(sim, t)
                                                        : bi_sim_step(sim);
        if (status != BI_OK) {
            return -2;
        }
        bool is_end = is_free && bi_sim_time(sim) >= time_grid_at(grid, grid->n_step);
        a->step = is_end ? grid->n_step : is_free ? 0 : next;
        if (is_free || time_grid_has_row(grid, next) || bi_sim_stopped(sim)) {
            return 1;
        }
    }
    return 0;
}

// ---- names -----------------------------------------------------------------------------------------------------------------

// 0 channels, 1 inputs, 2 bodies with the ground, 3 variables, 4 events so far
EMSCRIPTEN_KEEPALIVE int api_sim_count(const api_sim *a, int which)
{
    switch (which) {
    case 0: return bi_channel_count(a->s.system);
    case 1: return bi_input_count(a->s.system);
    case 2: return bi_model_body_count(a->s.model);
    case 3: return bi_variable_count(a->s.system);
    default: return bi_sim_event_count(a->s.sim);
    }
}

EMSCRIPTEN_KEEPALIVE const char *api_sim_name(const api_sim *a, int which, int k)
{
    const char *name = which == 0   ? bi_channel_name(a->s.system, bi_channel_at(a->s.system, k))
                       : which == 1 ? bi_input_name(a->s.system, k)
                                    : bi_model_body_name(a->s.model, (bi_body){ k + 1 });
    return name ? name : "";
}

EMSCRIPTEN_KEEPALIVE const char *api_channel_unit(const api_sim *a, int k)
{
    const char *unit = bi_channel_unit(a->s.system, bi_channel_at(a->s.system, k));
    return unit ? unit : "";
}

// ---- reading -----------------------------------------------------------------------------------------------------------------

// 0 now, 1 step, 2 length of the run, 3 gap of its rows, 4 its start, all in s
EMSCRIPTEN_KEEPALIVE double api_sim_number(const api_sim *a, int which)
{
    const time_grid *grid = &a->s.grid;
    const double number[] = { bi_sim_time(a->s.sim), bi_system_dt(a->s.system), grid->time,
                              (double)grid->steps_per_row * grid->dt, grid->start };
    return number[which];
}

EMSCRIPTEN_KEEPALIVE double api_sim_step_count(api_sim *a)
{
    return (double)bi_sim_statistics(a->s.sim).steps;
}

// The arrays themselves, as long as the run lives: what is written to inputs counts from the next step on.
EMSCRIPTEN_KEEPALIVE double *api_sim_inputs(api_sim *a) { return bi_sim_input_values(a->s.sim); }

EMSCRIPTEN_KEEPALIVE const double *api_sim_channels(api_sim *a)
{
    bi_sim_read_all(a->s.sim, a->channel);
    return a->channel;
}

EMSCRIPTEN_KEEPALIVE double api_sim_read(api_sim *a, int k)
{
    return bi_sim_read(a->s.sim, bi_channel_at(a->s.system, k));
}

// 0 poses (7 numbers a body: x y z, w x y z), 1 twists (6), 2 q, 3 v, 4 a; valid until the next step
EMSCRIPTEN_KEEPALIVE const double *api_sim_view(api_sim *a, int which)
{
    bi_view view = bi_sim_view(a->s.sim);
    const double *const array[] = { (const double *)view.pose, (const double *)view.twist, view.q, view.v,
                                    view.a };
    return array[which];
}

// Channels that a run keeps: api_sim_row reads them into the array given here.
EMSCRIPTEN_KEEPALIVE double *api_sim_choose(api_sim *a, const int *channel, int count)
{
    free(a->chosen);
    free(a->row);
    a->n_chosen = count;
    a->chosen = words_alloc((size_t)(count + 1) * sizeof *a->chosen);
    a->row = words_alloc((size_t)(count + 1) * sizeof *a->row);
    for (int k = 0; k < count; k++) {
        a->chosen[k] = bi_channel_at(a->s.system, channel[k]);
    }
    return a->row;
}

EMSCRIPTEN_KEEPALIVE void api_sim_row(api_sim *a)
{
    bi_sim_read_these(a->s.sim, a->chosen, a->n_chosen, a->row);
}

static const char *hash_text(api_sim *a, uint64_t hash)
{
    snprintf(a->hash, sizeof a->hash, "%016" PRIx64, hash);
    return a->hash;
}

EMSCRIPTEN_KEEPALIVE const char *api_sim_hash(api_sim *a) { return hash_text(a, bi_sim_hash(a->s.sim)); }
EMSCRIPTEN_KEEPALIVE const char *api_system_hash(api_sim *a)
{
    return hash_text(a, bi_system_hash(a->s.system));
}

// The verdict so far: 0 good, 1 doubtful, 2 bad; api_sim_words has it in one line.
EMSCRIPTEN_KEEPALIVE int api_sim_verdict(api_sim *a)
{
    a->verdict = bi_sim_verdict(a->s.sim);
    return (int)a->verdict.outcome;
}

EMSCRIPTEN_KEEPALIVE const char *api_sim_words(const api_sim *a) { return a->verdict.line; }

// An event of the run: its name and what happened; "": none of that number.
EMSCRIPTEN_KEEPALIVE const char *api_event_name(const api_sim *a, int k)
{
    bi_event event;
    return bi_sim_event(a->s.sim, k, &event) ? event.name : "";
}

EMSCRIPTEN_KEEPALIVE double api_event_time(const api_sim *a, int k)
{
    bi_event event = { 0 };
    bi_sim_event(a->s.sim, k, &event);
    return event.t;
}

// ---- going back -----------------------------------------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE int api_sim_save(const api_sim *a, void *to, int size)
{
    return (int)bi_sim_save(a->s.sim, to, (size_t)size);
}

EMSCRIPTEN_KEEPALIVE int api_sim_load(api_sim *a, const void *from, int size)
{
    return (int)bi_sim_load(a->s.sim, from, (size_t)size);
}
