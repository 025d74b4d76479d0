// SPDX-License-Identifier: MIT
// The cases of a study, asked of a pool, kept in a journal, shown as they go.
#define _POSIX_C_SOURCE 200809L
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "study/cluster.h"
#include "study/sweep_job.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    bool is_on, is_terminal, is_shown;
    double started, next;
} ticker;

static void ticker_show(ticker *t, const sweep_job *job)
{
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

// Asks and listens until everything is done. interrupt_code() after Ctrl-C.
static exit_code do_cases(sweep_job *job, pool *p, survey_journal *journal)
{
    survey_results *r = &job->results;
    double *answer = words_alloc((size_t)survey_answer_size(r->plan) * sizeof *answer),
           now = progress_clock();
    ticker t = { .is_on = !job->is_quiet, .is_terminal = isatty(STDERR_FILENO), .started = now };
    t.next = now + (t.is_terminal ? 1.0 : 10.0);
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
            take_answer(job, id, answer, message);
            code = !journal || survey_journal_add(journal, r, id) ? CLI_OK : CLI_MACHINE;
        }
        code = interrupt_asked() ? interrupt_code() : code;
        ticker_show(&t, job);
    }
    if (t.is_shown) {
        terminal_erase_line();
    }
    free(answer);
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
    pool_task task = { job->work, job->context ? job->context : &job->plan, 1,
                       survey_answer_size(&job->plan) };
    // helpers serve here even when nothing is left to do: they cannot know
    pool *p = pool_open(&task, job->n_worker, &code);
    if (p) {
        interrupt_catch();
        code = do_cases(job, p, journal);
        interrupt_release();
        pool_close(p);
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
