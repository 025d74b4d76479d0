// SPDX-License-Identifier: MIT
// A run with its manoeuvre as a recording: the model is read twice, with the manoeuvre, which tells the inputs, and without, to be driven by these.
#include "report/record_run.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/words.h"
#include "live/live.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { GATHERED = 1000 };         // steps between two pieces of the file
static const double hashed = 0.5; // s between hashes, as of a drive

typedef struct {
    session told, driven; // has the manoeuvre, and is not run; is driven by what is noted
    double *value;        // (inputs) in use
    bi_recorder *recorder;
    int64_t n_step, step;
    bi_status status;
} run_record;

static bool fits(const session *s)
{
    const char *why = s->run.is_auto    ? "has steps of its own size; a recording wants equal ones: give --dt"
                      : s->is_kinematic ? "is moved by guides, not by forces, and nobody drives it"
                      : s->is_inverse   ? "has an imposed motion, and nobody drives it"
                      : s->grid.start != 0.0 ? "does not begin at 0 s, and a recording does"
                                             : NULL;
    if (why) {
        fprintf(stderr, "biela: error: this run of %s %s\n", s->short_name, why);
    }
    return !why;
}

static exit_code open_both(run_record *r, const session_request *request)
{
    session_request driven = *request;
    driven.manoeuvre = NULL;
    driven.prepare = live_prepare(false);
    exit_code code = session_compile(&r->told, request);
    session_print_messages(&r->told);
    if (code == CLI_OK && !fits(&r->told)) {
        code = CLI_BAD;
    }
    return code == CLI_OK ? session_open(&r->driven, &driven) : code;
}

// What an input is in a step is what its manoeuvre gives at the end of it.
static void note_inputs(run_record *r)
{
    double t = time_grid_at(&r->told.grid, r->step + 1);
    for (int k = 0; k < bi_input_count(r->told.system); k++) {
        double now = bi_model_input_at(r->told.model, (bi_input){ k + 1 }, t);
        if (now != r->value[k]) {
            r->value[k] = now;
            bi_sim_input(r->driven.sim, (bi_input){ k + 1 }, now);
            bi_recorder_add(
                r->recorder,
                &(bi_log_entry){ .kind = BI_LOG_INPUT, .input = k, .step = r->step, .value = now });
        }
    }
}

static void note_hash(run_record *r)
{
    bi_recorder_add(
        r->recorder,
        &(bi_log_entry){ .kind = BI_LOG_HASH, .step = r->step, .hash = bi_sim_hash(r->driven.sim) });
}

static bool simulate(run_record *r)
{
    double dt = r->told.grid.dt;
    int64_t every = (int64_t)fmax(1.0, fmin(round(hashed / dt), 1e6));
    progress bar = progress_start();
    bool is_written = true;
    while (r->step < r->n_step && r->status == BI_OK && is_written && !interrupt_asked()) {
        note_inputs(r);
        r->status = bi_sim_step(r->driven.sim);
        r->step += r->status == BI_OK;
        if (r->status == BI_OK && (r->step % every == 0 || r->step == r->n_step)) {
            note_hash(r);
        }
        if (r->step % GATHERED == 0 || r->step == r->n_step) {
            bi_recorder_add(r->recorder, &(bi_log_entry){ .kind = BI_LOG_STEPS, .step = r->step });
            is_written = bi_recorder_flush(r->recorder);
        }
        progress_show(&bar, (double)r->step * dt, (double)r->n_step * dt);
    }
    progress_end(&bar);
    bi_recorder_add(r->recorder, &(bi_log_entry){ .kind = BI_LOG_STEPS, .step = r->step });
    return is_written;
}

static exit_code write_recording(run_record *r, const session_request *request, const char *path)
{
    bi_report report = { 0 };
    r->recorder = bi_recorder_create(path, &report);
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    if (!r->recorder) {
        return CLI_MACHINE;
    }
    live_record_head(r->recorder, &r->driven, request, NULL);
    bool is_good = bi_recorder_begin(r->recorder, r->driven.system, r->driven.sim) && simulate(r);
    if (interrupt_asked()) {
        return interrupt_code();
    }
    char *summary = words_format("steps %" PRId64 ", of a run with its manoeuvre", r->step);
    is_good = is_good && bi_recorder_end(r->recorder, summary);
    free(summary);
    if (!is_good) {
        fprintf(stderr, "biela: error: the run cannot be recorded: %s\n", bi_recorder_failure(r->recorder));
    } else if (r->status != BI_OK) {
        fprintf(stderr, "biela: warning: the run fails at t = %.6g s. %s\n",
                (double)r->step * r->told.grid.dt, bi_sim_failure(r->driven.sim));
    }
    return is_good ? CLI_OK : CLI_MACHINE;
}

exit_code run_recorded(const session_request *request, const char *path)
{
    run_record r = { .status = BI_OK };
    exit_code code = open_both(&r, request);
    if (code == CLI_OK) {
        int n = bi_input_count(r.driven.system);
        r.value = words_alloc(((size_t)n + 1) * sizeof *r.value);
        for (int k = 0; k < n; k++) {
            r.value[k] = bi_model_input_at(r.driven.model, (bi_input){ k + 1 }, 0.0);
        }
        // whole steps only: what a last, shorter one would add is left out
        r.n_step = (int64_t)floor((r.told.grid.time - r.told.grid.start) / r.told.grid.dt + 1e-9);
        interrupt_catch();
        code = write_recording(&r, request, path);
        interrupt_release();
    }
    bi_recorder_destroy(r.recorder);
    session_close(&r.told);
    session_close(&r.driven);
    free(r.value);
    return code;
}
