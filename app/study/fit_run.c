// SPDX-License-Identifier: MIT
// One run of the model with given parameters, read at the instants of the data.
#include "study/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int fit_answer_size(const fit_problem *f) { return 1 + f->table.rows * f->n_measured; }

// Inputs in the data are what drove the machine.
static void drive(const void *context, bi_model *model, bi_report *report)
{
    const fit_problem *f = context;
    for (int k = 0; k < f->n_driven; k++) {
        bi_input_samples(model, bi_model_input(model, f->driven[k].name), f->table.rows, f->table.value[f->t],
                         f->table.value[f->driven[k].index], report);
    }
}

static session_request request_of(const fit_problem *f, const double *x)
{
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
    request.time = f->time;
    request.drive = drive;
    request.drive_context = f;
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

static bool follow(const fit_problem *f, const session *s, double *value, char *message)
{
    const double *t = f->table.value[f->t];
    bi_channel *channel = words_alloc((size_t)(f->n_measured + 1) * sizeof *channel);
    for (int c = 0; c < f->n_measured; c++) {
        channel[c] = bi_find_channel(s->system, f->measured[c].name);
    }
    bool is_good = true;
    double now = 0.0;
    for (int row = 0; row < f->table.rows && is_good; row++) {
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

bi_verdict fit_verdict(const fit_problem *f, const double *x)
{
    session s = { 0 };
    session_request request = request_of(f, x);
    double *value = words_alloc((size_t)fit_answer_size(f) * sizeof *value);
    char message[POOL_MESSAGE] = "";
    bi_verdict verdict = { .outcome = BI_BAD, .line = "bad: the run with these values fails" };
    if (session_open(&s, &request) == CLI_OK && follow(f, &s, value, message)) {
        verdict = bi_sim_verdict(s.sim);
    }
    session_close(&s);
    request_free(f, &request);
    free(value);
    return verdict;
}

void fit_work(const void *context, const double *question, double *answer, char message[POOL_MESSAGE])
{
    const fit_problem *f = context;
    session s = { 0 };
    session_request request = request_of(f, question);
    bool is_good = false;
    for (int k = 0; k < fit_answer_size(f); k++) {
        answer[k] = 0.0;
    }
    if (session_open(&s, &request) == CLI_OK) {
        is_good = follow(f, &s, answer + 1, message);
    } else {
        for (int k = s.report.count - 1; k >= 0; k--) {
            if (s.report.issue[k].severity == BI_ERROR) {
                snprintf(message, POOL_MESSAGE, "%.80s: %.800s", s.report.issue[k].where,
                         s.report.issue[k].what);
            }
        }
    }
    answer[0] = is_good ? 0.0 : 1.0;
    session_close(&s);
    request_free(f, &request);
}
