// SPDX-License-Identifier: MIT
// One run of the model with given parameters, read at the instants of the data.
#include "study/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int fit_answer_size(const fit_problem *f) { return 1 + f->table.rows * f->n_measured; }

// A run of one file of the data.
typedef struct {
    const fit_problem *f;
    const fit_segment *part;
} part_of;

// Inputs in the data are what drove the machine.
static void drive(const void *context, bi_model *model, bi_report *report)
{
    const fit_problem *f = ((const part_of *)context)->f;
    const fit_segment *part = ((const part_of *)context)->part;
    for (int k = 0; k < f->n_driven; k++) {
        bi_input_samples(model, bi_model_input(model, f->driven[k].name), part->rows,
                         &f->table.value[f->t][part->from], &f->table.value[f->driven[k].index][part->from],
                         report);
    }
}

static session_request request_of(const part_of *of, const double *x)
{
    const fit_problem *f = of->f;
    session_request request = f->request;
    int n = request.n_setting;
    request.setting = words_alloc((size_t)(n + f->n_parameter + 1) * sizeof *request.setting);
    if (n > 0) {
        memcpy(request.setting, f->request.setting, (size_t)n * sizeof *request.setting);
    }
    for (int k = 0; k < f->n_parameter; k++) {
        request.setting[n++] = (bi_setting){ f->parameter[k].name, words_format("%.17g", x[k]) };
    }
    request.n_setting = n;
    request.threads = "1"; // runs are shared by processes
    request.time = of->part->time;
    request.run_name = of->part->run_name ? of->part->run_name : request.run_name;
    request.drive = drive;
    request.drive_context = of;
    request.kept = of->part->kept;
    return request;
}

// Equal steps, none longer than the run's, that end at t.
static bi_status step_to(const session *s, double from, double t)
{
    if (s->run.is_auto) {
        return bi_sim_step_to(s->sim, t);
    }
    int64_t n = (int64_t)ceil((t - from) / s->grid.dt - 1e-9);
    n = n < 1 ? 1 : n;
    bi_status status = BI_OK;
    for (int64_t k = 1; k <= n && status == BI_OK; k++) {
        status = bi_sim_step_to(s->sim, k == n ? t : from + (t - from) * ((double)k / (double)n));
    }
    return status;
}

static bool follow(const part_of *of, const session *s, double *value, char *message)
{
    const fit_problem *f = of->f;
    const double *t = f->table.value[f->t];
    int end = of->part->from + of->part->rows;
    bi_channel *channel = words_alloc((size_t)(f->n_measured + 1) * sizeof *channel);
    for (int c = 0; c < f->n_measured; c++) {
        channel[c] = bi_find_channel(s->system, f->measured[c].name);
    }
    bool is_good = true;
    double now = 0.0;
    for (int row = of->part->from; row < end && is_good; row++) {
        if (t[row] > now && (step_to(s, now, t[row]) != BI_OK || bi_sim_stopped(s->sim))) {
            bool is_stopped = bi_sim_stopped(s->sim);
            snprintf(message, POOL_MESSAGE, "%s",
                     is_stopped ? "an event ended the run before the data end" : bi_sim_failure(s->sim));
            is_good = false;
        }
        now = t[row];
        for (int c = 0; c < f->n_measured && is_good; c++) {
            value[row * f->n_measured + c] = bi_sim_read(s->sim, channel[c]);
            if (!isfinite(value[row * f->n_measured + c])) {
                snprintf(message, POOL_MESSAGE, "%s is not finite at t = %.6g s", f->measured[c].name,
                         t[row]);
                is_good = false;
            }
        }
    }
    free(channel);
    return is_good;
}

static void request_free(const fit_problem *f, session_request *request)
{
    for (int k = f->request.n_setting; k < request->n_setting; k++) {
        free((char *)request->setting[k].value);
    }
    free(request->setting);
}

// One file of the data with these parameters; what failed is in the message. The session stays open.
static bool run_part(const part_of *of, session *s, const double *x, double *value,
                     char message[POOL_MESSAGE])
{
    session_request request = request_of(of, x);
    bool is_good = false;
    if (session_open(s, &request) == CLI_OK) {
        is_good = follow(of, s, value, message);
    } else {
        for (int k = s->report.count - 1; k >= 0; k--) {
            if (s->report.issue[k].severity == BI_ERROR) {
                snprintf(message, POOL_MESSAGE, "%.80s: %.800s", s->report.issue[k].where,
                         s->report.issue[k].what);
            }
        }
    }
    request_free(of->f, &request);
    return is_good;
}

// Of several runs the worst.
bi_verdict fit_verdict(const fit_problem *f, const double *x)
{
    double *value = words_alloc((size_t)fit_answer_size(f) * sizeof *value);
    bi_verdict worst = { .outcome = BI_BAD, .line = "bad: the run with these values fails" };
    for (int k = 0; k < f->n_segment; k++) {
        session s = { 0 };
        char message[POOL_MESSAGE] = "";
        part_of of = { f, &f->segment[k] };
        bi_verdict one = { .outcome = BI_BAD, .line = "bad: the run with these values fails" };
        if (run_part(&of, &s, x, value, message)) {
            one = bi_sim_verdict(s.sim);
        }
        worst = k == 0 || one.outcome > worst.outcome ? one : worst;
        session_close(&s);
    }
    free(value);
    return worst;
}

void fit_work(const void *context, const double *question, double *answer, char message[POOL_MESSAGE])
{
    const fit_problem *f = context;
    bool is_good = true;
    for (int k = 0; k < fit_answer_size(f); k++) {
        answer[k] = 0.0;
    }
    for (int k = 0; k < f->n_segment && is_good; k++) {
        session s = { 0 };
        part_of of = { f, &f->segment[k] };
        is_good = run_part(&of, &s, question, answer + 1, message);
        session_close(&s);
    }
    answer[0] = is_good ? 0.0 : 1.0;
}
