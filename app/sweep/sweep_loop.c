// SPDX-License-Identifier: MIT
// The loop over all cases: who does them, what is kept of them, and what is told meanwhile.
#define _POSIX_C_SOURCE 200809L
#include "sweep/sweep_loop.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "study/cluster.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(sweep_loop *l)
{
    const sweep_job *job = l->job;
    sweep_ticker *t = &l->ticker;
    double now = progress_clock();
    if (!t->is_on || now < t->next) {
        return;
    }
    int64_t done = job->results.n_done, fresh = done - job->n_before;
    t->next = now + (t->is_terminal ? 0.2 : 10.0);
    if (t->is_terminal) {
        terminal_erase_line();
    }
    fprintf(stderr, "%s%s %" PRId64 " of %" PRId64 " cases", t->is_terminal ? "" : job->who,
            t->is_terminal ? "" : ":", done, job->results.n_case);
    if (fresh > 0) {
        fprintf(stderr, ", about %.0f s left",
                (now - t->started) * (double)(job->results.n_case - done) / (double)fresh);
    }
    fputs(t->is_terminal ? "" : "\n", stderr);
    t->is_shown = t->is_terminal;
}

static void take_answer(sweep_job *job, int64_t id, const double *answer, const char *message)
{
    survey_results *r = &job->results;
    int size = survey_answer_size(r->plan);
    memcpy(&r->answer[id * size], answer, (size_t)size * sizeof *answer);
    r->is_done[id] = 1;
    r->n_done++;
    bool is_done = answer[SURVEY_STATUS] < SURVEY_FAILED;
    if (*message && !is_done && (job->message_of < 0 || id < job->message_of)) {
        job->message_of = id;
        snprintf(job->message, sizeof job->message, "%s", message);
    }
    double now = answer[SURVEY_VERDICT];
    double before = job->verdict_of < 0 ? -1.0 : survey_answer(r, job->verdict_of, SURVEY_VERDICT);
    if (now > before || (now == before && id < job->verdict_of)) {
        job->verdict_of = id;
        snprintf(job->verdict, sizeof job->verdict, "%s", message);
    }
}

exit_code sweep_loop_take(sweep_loop *l, int64_t id, const double *answer, const char *message)
{
    take_answer(l->job, id, answer, message);
    return !l->journal || survey_journal_add(l->journal, &l->job->results, id) ? CLI_OK : CLI_MACHINE;
}

exit_code sweep_loop_look(sweep_loop *l)
{
    show(l);
    return interrupt_asked() ? interrupt_code() : CLI_OK;
}

// Asks and listens until everything is done. interrupt_code() after Ctrl-C.
static exit_code ask_pool(sweep_loop *l, pool *p)
{
    survey_results *r = &l->job->results;
    double *answer = words_alloc((size_t)survey_answer_size(r->plan) * sizeof *answer);
    exit_code code = CLI_OK;
    int64_t next = 0;
    while (code == CLI_OK && r->n_done < r->n_case) {
        while (pool_is_free(p) && next < r->n_case) {
            if (!r->is_done[next]) {
                double question = (double)next;
                pool_ask(p, next, &question);
            }
            next++;
        }
        char message[POOL_MESSAGE] = "";
        int64_t id = -1;
        pool_event event = pool_next(p, &id, answer, message);
        if (event == POOL_DIED) {
            for (int k = 0; k < survey_answer_size(r->plan); k++) {
                answer[k] = NAN;
            }
            answer[SURVEY_STATUS] = SURVEY_DIED;
            answer[SURVEY_RUNS] = 1.0;
            snprintf(message, sizeof message, "%s", survey_status_text(SURVEY_DIED));
        }
        if (event != POOL_NOTHING) {
            code = sweep_loop_take(l, id, answer, message);
        }
        exit_code asked = sweep_loop_look(l);
        code = asked == CLI_OK ? code : asked;
    }
    free(answer);
    return code;
}

static exit_code by_pool(sweep_loop *l)
{
    const sweep_job *job = l->job;
    exit_code code = CLI_OK;
    pool_task task = { job->work, job->context ? job->context : &job->plan, 1,
                       survey_answer_size(&job->plan) };
    // helpers serve here even when nothing is left to do: they cannot know
    pool *p = pool_open(&task, job->n_worker, &code);
    if (p) {
        interrupt_catch();
        code = ask_pool(l, p);
        interrupt_release();
        pool_close(p);
    }
    return code;
}

exit_code sweep_do(sweep_job *job, const char *signature)
{
    exit_code code = CLI_OK;
    survey_journal *journal =
        job->journal ? survey_journal_open(job->journal, signature, &job->results, &code) : NULL;
    if (job->journal && !journal) {
        return code;
    }
    job->n_before = job->results.n_done;
    if (job->n_before > 0 && !job->is_quiet) {
        fprintf(stderr, "%s: going on: %" PRId64 " of %" PRId64 " cases are done\n", job->who, job->n_before,
                job->results.n_case);
    }
    sweep_loop l = { .job = job, .journal = journal };
    l.ticker = (sweep_ticker){ .is_on = !job->is_quiet,
                               .is_terminal = isatty(STDERR_FILENO),
                               .started = progress_clock() };
    l.ticker.next = l.ticker.started + (l.ticker.is_terminal ? 1.0 : 10.0);
    bool is_done = false;
    if (job->device) {
        interrupt_catch();
        is_done = sweep_by_device(&l, &code);
        interrupt_release();
    }
    code = is_done ? code : by_pool(&l);
    if (l.ticker.is_shown) {
        terminal_erase_line();
    }
    survey_journal_close(journal);
    if (interrupt_asked() && code == interrupt_code()) {
        fprintf(stderr, "%s: interrupted: %" PRId64 " of %" PRId64 " cases are %s%s%s\n", job->who,
                job->results.n_done, job->results.n_case, job->journal ? "kept in " : "lost",
                job->journal ? job->journal : "", job->journal ? "; the same command goes on" : "");
        cluster_abandon(code);
    }
    return code;
}
