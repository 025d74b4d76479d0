// SPDX-License-Identifier: MIT
// Eigenvalues while driving: the model file says which parameters follow which channels or inputs (`live_modes`); a
// thread of its own opens the model with their values, linearises it about its steady motion, and the answer goes to
// the pages. The loop is not touched: it does not even know. Where there are no threads it is done between two turns of the loop, which
// makes up for so short a time.
#define _POSIX_C_SOURCE 200809L
#include "live/live_modes.h"
#include "cli/words.h"
#include "live/drive.h"
#include "live/outgoing.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const double period = 0.3;       // s of the clock between two questions
static const double period_alone = 1.0; // the same where the loop waits for the answer

typedef struct {
    char *parameter;
    int channel, input; // one of them; -1: not that
} follower;

struct live_modes {
    char *path, *run_name;
    bi_setting *setting; // (n_setting) of the drive, then of the section, then what follows
    int n_setting, n_fixed;
    follower *follow; // (n_follow)
    int n_follow;
    double next;     // s
    bi_shelf *shelf; // the file is read for every question
    pthread_t thread;
    bool has_thread;
    // shared with the thread
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool is_asked, is_busy, is_answered, is_ending;
    double *value;  // (n_follow) asked
    double *answer; // (2 n_answer) real and imaginary parts
    int n_answer;
};

// ---- the thread ----------------------------------------------------------------------------------------------------

// The eigenvalues with these values; NULL: none, the motion is not steady there.
static double *solve(const live_modes *m, const double *value, int *count)
{
    session_request request = {
        .model = m->path, .run_name = m->run_name, .formulation = "joint", .shelf = m->shelf
    };
    session s = { 0 };
    bi_linear linear = { 0 };
    double *out = NULL;
    request.setting = words_alloc((size_t)(m->n_fixed + m->n_follow + 1) * sizeof *request.setting);
    if (m->n_fixed > 0) {
        memcpy(request.setting, m->setting, (size_t)m->n_fixed * sizeof *request.setting);
    }
    request.n_setting = m->n_fixed;
    for (int k = 0; k < m->n_follow; k++) {
        request.setting[request.n_setting++] =
            (bi_setting){ m->follow[k].parameter, words_format("%.9g", value[k]) };
    }
    *count = 0;
    if (session_open(&s, &request) == CLI_OK && bi_linearize(s.sim, &linear, &s.report) == BI_OK) {
        *count = linear.n_value;
        out = words_alloc((size_t)(2 * *count + 1) * sizeof *out);
        for (int k = 0; k < *count; k++) {
            out[2 * k] = linear.re[k];
            out[2 * k + 1] = linear.im[k];
        }
    }
    bi_linear_clear(&linear);
    session_close(&s);
    for (int k = m->n_fixed; k < request.n_setting; k++) {
        free((char *)request.setting[k].value);
    }
    free(request.setting);
    return out;
}

static void *work(void *data)
{
    live_modes *m = data;
    double *value = words_alloc((size_t)(m->n_follow + 1) * sizeof *value);
    pthread_mutex_lock(&m->lock);
    while (!m->is_ending) {
        if (!m->is_asked) {
            pthread_cond_wait(&m->wake, &m->lock);
            continue;
        }
        memcpy(value, m->value, (size_t)m->n_follow * sizeof *value);
        m->is_asked = false;
        m->is_busy = true;
        pthread_mutex_unlock(&m->lock);
        int count = 0;
        double *answer = solve(m, value, &count);
        pthread_mutex_lock(&m->lock);
        free(m->answer);
        m->answer = answer;
        m->n_answer = count;
        m->is_busy = false;
        m->is_answered = true;
    }
    pthread_mutex_unlock(&m->lock);
    free(value);
    return NULL;
}

// ---- from the model file ---------------------------------------------------------------------------------------------

static int find_channel(const bi_system *system, const char *name)
{
    for (int k = 0; k < bi_channel_count(system); k++) {
        if (strcmp(bi_channel_name(system, bi_channel_at(system, k)), name) == 0) {
            return k;
        }
    }
    return -1;
}

static int find_input(const bi_system *system, const char *name)
{
    for (int k = 0; k < bi_input_count(system); k++) {
        if (strcmp(bi_input_name(system, k), name) == 0) {
            return k;
        }
    }
    return -1;
}

static void add_setting(live_modes *m, const char *name, const char *value)
{
    m->setting[m->n_setting++] = (bi_setting){ words_format("%s", name), words_format("%s", value) };
}

static void read_section(live_modes *m, const bi_document *doc, const bi_system *system)
{
    for (int k = 0; k < bi_document_count(doc, "live_modes.set"); k++) {
        const char *name = bi_document_key(doc, "live_modes.set", k);
        char *place = words_format("live_modes.set.%s", name);
        const char *value = bi_document_text(doc, place);
        if (value) {
            add_setting(m, name, value);
        }
        free(place);
    }
    m->n_fixed = m->n_setting;
    for (int k = 0; k < bi_document_count(doc, "live_modes.follow"); k++) {
        const char *name = bi_document_key(doc, "live_modes.follow", k);
        char *place = words_format("live_modes.follow.%s", name);
        const char *source = bi_document_text(doc, place);
        follower f = { .channel = source ? find_channel(system, source) : -1, .input = -1 };
        f.input = source && f.channel < 0 ? find_input(system, source) : -1;
        if (f.channel >= 0 || f.input >= 0) {
            f.parameter = words_format("%s", name);
            m->follow[m->n_follow++] = f;
        } else {
            fprintf(stderr, "biela: warning: live_modes: there is no channel or input '%s'\n",
                    source ? source : "");
        }
        free(place);
    }
}

live_modes *live_modes_open(const session *s, const session_request *request)
{
    bi_report unused = { 0 };
    bi_document *doc = bi_document_open(s->path, &unused);
    int n_set = bi_document_count(doc, "live_modes.set"),
        n_follow = bi_document_count(doc, "live_modes.follow");
    live_modes *m = NULL;
    if (n_follow > 0) {
        m = words_alloc(sizeof *m);
        *m = (live_modes){ .path = words_format("%s", s->path),
                           .run_name = request->run_name ? words_format("%s", request->run_name) : NULL };
        m->setting = words_alloc((size_t)(request->n_setting + n_set + n_follow + 1) * sizeof *m->setting);
        m->follow = words_alloc((size_t)(n_follow + 1) * sizeof *m->follow);
        for (int k = 0; k < request->n_setting; k++) {
            add_setting(m, request->setting[k].name, request->setting[k].value);
        }
        read_section(m, doc, s->system);
        m->value = words_alloc((size_t)(m->n_follow + 1) * sizeof *m->value);
        pthread_mutex_init(&m->lock, NULL);
        pthread_cond_init(&m->wake, NULL);
        m->shelf = bi_shelf_create();
        m->has_thread = !drive_is_threadless && pthread_create(&m->thread, NULL, work, m) == 0;
    }
    bi_document_close(doc);
    bi_report_clear(&unused);
    return m;
}

void live_modes_close(live_modes *m)
{
    if (!m) {
        return;
    }
    if (m->has_thread) {
        pthread_mutex_lock(&m->lock);
        m->is_ending = true;
        pthread_cond_signal(&m->wake);
        pthread_mutex_unlock(&m->lock);
        pthread_join(m->thread, NULL);
    }
    bi_shelf_destroy(m->shelf);
    pthread_mutex_destroy(&m->lock);
    pthread_cond_destroy(&m->wake);
    for (int k = 0; k < m->n_setting; k++) {
        free((char *)m->setting[k].name);
        free((char *)m->setting[k].value);
    }
    for (int k = 0; k < m->n_follow; k++) {
        free(m->follow[k].parameter);
    }
    free(m->setting);
    free(m->follow);
    free(m->value);
    free(m->answer);
    free(m->path);
    free(m->run_name);
    free(m);
}

// ---- questions and answers -----------------------------------------------------------------------------------------

static char *write_answer(const live_modes *m)
{
    outgoing o;
    json *j = outgoing_begin(&o, begin_modes);
    if (!j) {
        return NULL;
    }
    open_modes_at(j);
    for (int k = 0; k < m->n_follow; k++) {
        json_number(j, m->follow[k].parameter, m->value[k]);
    }
    json_end(j);
    open_modes_eigenvalues(j);
    for (int k = 0; k < m->n_answer; k++) {
        json_array(j, NULL);
        json_number(j, NULL, m->answer[2 * k]);
        json_number(j, NULL, m->answer[2 * k + 1]);
        json_end(j);
    }
    json_end(j);
    return outgoing_end(&o);
}

// What is asked now; false: it is no number.
static bool take_values(live_modes *m, const bi_loop_frame *frame)
{
    bool is_finite = true;
    for (int k = 0; k < m->n_follow; k++) {
        const follower *f = &m->follow[k];
        m->value[k] = f->channel >= 0 ? frame->channel[f->channel] : frame->input[f->input];
        is_finite = is_finite && isfinite(m->value[k]);
    }
    return is_finite;
}

static char *answer_at_once(live_modes *m, const bi_loop_frame *frame, double now)
{
    if (now < m->next) {
        return NULL;
    }
    m->next = now + period_alone;
    if (!take_values(m, frame)) {
        return NULL;
    }
    free(m->answer);
    m->answer = solve(m, m->value, &m->n_answer);
    return write_answer(m);
}

char *live_modes_pump(live_modes *m, const bi_loop_frame *frame, double now)
{
    char *text = NULL;
    if (m && drive_is_threadless) {
        return answer_at_once(m, frame, now);
    }
    if (!m || !m->has_thread) {
        return NULL;
    }
    pthread_mutex_lock(&m->lock);
    if (m->is_answered) {
        m->is_answered = false;
        text = write_answer(m);
    } else if (!m->is_busy && !m->is_asked && now >= m->next) {
        m->next = now + period;
        m->is_asked = take_values(m, frame);
        pthread_cond_signal(&m->wake);
    }
    pthread_mutex_unlock(&m->lock);
    return text;
}
