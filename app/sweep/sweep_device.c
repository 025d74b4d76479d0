// SPDX-License-Identifier: MIT
// Cases of a sweep by a device of batches: many at a time are compiled, started and stepped together, round by round where each
// needs several runs. What the device does not take is done alone, by the same code as ever.
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "export/imaging.h"
#include "sweep/share.h"
#include "sweep/sweep_loop.h"
#include "sweep/sweep_run.h"
#include <biela/batch.h>
#include <biela/image.h>
#include <biela/loop.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One case of a block, with the run that it is at.
typedef struct {
    survey_case c;
    survey_recorder rec;
    double *answer;
    char message[POOL_MESSAGE];
    exit_code code;    // of compiling it
    bool is_open;      // it is compiled, and not stepped yet
    bool goes_on;      // it is stepped, and nothing was wrong so far
    bool is_alone;     // it is done alone, from its beginning
    bool is_over;      // all its runs are
    size_t image_size; // bytes
} candidate;

typedef struct {
    sweep_loop *loop;
    const survey *plan;
    survey *own; // (workers) the plan of each thread, with a kept model of its own
    int workers;
    bool takes_images, looks_each_step, is_told;
    candidate *one; // (n)
    int n;
    candidate **group; // (n_group) those that are stepped together
    int n_group;
    exit_code code;
} block;

enum { STEPS_FIRST = 10, STEPS_AT_ONCE = 250, CASES_MOST = 65536, CASES_HERE = 4096, CASES_FIRST = 256 };
// What a killed sweep loses is the block that it was at: blocks grow while they take less than this, s.
static const double block_time = 10.0;
// Ctrl-C is looked for that often, s: steps at once become fewer and more by it.
static const double look_time = 0.5;
static const double share_of_memory = 0.4; // of the machine's, for systems and sims of a block

// ---- compiled ---------------------------------------------------------------------------------------------------------

// As an image: what a device puts into other memory must be movable.
static void open_image(candidate *one, const session_request *request)
{
    session *s = &one->rec.session;
    imaging job = { .request = request, .code = CLI_BAD };
    size_t size = 0;
    void *image = imaging_make(&job, &size, &s->report);
    one->code = job.code;
    if (image) {
        one->image_size = size;
        s->system = bi_image_load(image, size, &s->report);
        s->is_image = true;
        s->run = job.note.run;
        s->grid = job.grid;
    }
    s->short_name = job.name;
    // a model that cannot travel is no mistake
    one->is_alone = one->code == CLI_OK && !s->system;
    free(image);
}

static void open_one(void *of, int k, int worker)
{
    block *b = of;
    candidate *one = &b->one[k];
    if (one->is_over || one->is_alone) {
        return;
    }
    session_request request = survey_request(&b->own[worker], one->c.number, one->c.value);
    survey_run_begin(b->plan, &one->rec, &one->c.run);
    if (interrupt_asked()) {
        survey_request_clear(&b->own[worker], &request);
        return;
    }
    if (b->takes_images) {
        request.kept = NULL;
        open_image(one, &request);
    } else {
        one->code = session_compile(&one->rec.session, &request);
    }
    one->is_open = one->code == CLI_OK && !one->is_alone;
    survey_request_clear(&b->own[worker], &request);
}

// ---- stepped together -------------------------------------------------------------------------------------------------

static void start_one(void *of, int k, int worker)
{
    block *b = of;
    candidate *one = b->group[k];
    (void)worker;
    exit_code code = session_start(&one->rec.session);
    one->goes_on = survey_run_opened(&one->rec, &one->c.run, code);
    one->is_open = one->goes_on;
    one->goes_on = one->goes_on && survey_see_channels(&one->rec, &one->c.run);
}

// What happened and where it stands, after a step.
static void see_one(void *of, int k, int worker)
{
    block *b = of;
    candidate *one = b->group[k];
    (void)worker;
    if (one->goes_on) {
        survey_see_events(&one->rec, &one->c.run);
        one->goes_on = survey_see_channels(&one->rec, &one->c.run);
    }
}

// A run that failed, or whose channels are no numbers any more, is over where it stands.
static void end_early(candidate *one)
{
    survey_run_over(&one->rec, &one->c.run, false);
    one->is_open = false;
}

// Sims that the device has, here; those that have failed tell why. A device that has lost one: it is done alone.
static void gather(block *b, bi_batch *batch)
{
    bi_batch_read(batch, NULL, 0, NULL);
    for (int k = 0; k < b->n_group; k++) {
        candidate *one = b->group[k];
        bi_status status = bi_batch_status(batch, k);
        if (!one->goes_on || status == BI_OK) {
            continue;
        }
        one->goes_on = false;
        one->is_alone = status == BI_LOST;
        one->is_open = one->is_open && !one->is_alone;
        survey_see_events(&one->rec, &one->c.run);
        snprintf(one->message, sizeof one->message, "%s", bi_sim_failure(one->rec.session.sim));
    }
}

static void end_those_that_stopped(block *b)
{
    for (int k = 0; k < b->n_group; k++) {
        if (b->group[k]->is_open && !b->group[k]->goes_on) {
            end_early(b->group[k]);
        }
    }
}

// The last step, which may be shorter or longer than the others, and what is seen at the end.
static void end_one(void *of, int k, int worker)
{
    block *b = of;
    candidate *one = b->group[k];
    session *s = &one->rec.session;
    if (!one->is_open) {
        return;
    }
    if (one->goes_on && s->grid.n_step > 0 && !bi_sim_stopped(s->sim) &&
        bi_sim_step_to(s->sim, time_grid_at(&s->grid, s->grid.n_step)) != BI_OK) {
        snprintf(one->message, sizeof one->message, "%s", bi_sim_failure(s->sim));
        one->goes_on = false;
    }
    see_one(of, k, worker);
    survey_run_over(&one->rec, &one->c.run, one->goes_on);
    one->is_open = false;
}

// False: after Ctrl-C.
static bool step_group(block *b, bi_batch *batch)
{
    int64_t left = b->group[0]->rec.session.grid.n_step - 1, most = b->looks_each_step ? 1 : STEPS_FIRST;
    while (left > 0) {
        int64_t n = left < most ? left : most;
        double begin = progress_clock();
        bi_batch_step(batch, n);
        left -= n;
        if (!b->looks_each_step) {
            bool is_long = progress_clock() - begin > look_time;
            most = is_long ? (most + 1) / 2 : 2 * most < STEPS_AT_ONCE ? 2 * most : STEPS_AT_ONCE;
        }
        if (b->looks_each_step) {
            gather(b, batch);
            share(b->n_group, b->workers, see_one, b);
            end_those_that_stopped(b);
        }
        b->code = sweep_loop_look(b->loop);
        if (b->code != CLI_OK) {
            return false;
        }
    }
    gather(b, batch);
    return true;
}

static bi_batch *batch_of_group(block *b, bi_report *report)
{
    const bi_system **system = words_alloc((size_t)b->n_group * sizeof *system);
    for (int k = 0; k < b->n_group; k++) {
        system[k] = b->group[k]->rec.session.system;
    }
    bi_batch_options options = { .device = b->loop->job->device, .workers = b->workers };
    bi_batch *batch = bi_batch_create_of(system, b->n_group, &options, report);
    free(system);
    return batch;
}

static void run_group(block *b, bi_batch *batch)
{
    bi_batch_start(batch);
    for (int k = 0; k < b->n_group; k++) {
        b->group[k]->rec.session.sim = bi_batch_sim(batch, k);
    }
    share(b->n_group, b->workers, start_one, b);
    end_those_that_stopped(b);
    if (step_group(b, batch)) {
        share(b->n_group, b->workers, end_one, b);
    }
    for (int k = 0; k < b->n_group; k++) {
        b->group[k]->rec.session.sim = NULL; // the batch's own
    }
}

static void tell(block *b, const char *what)
{
    if (!b->is_told) {
        fprintf(stderr, "biela sweep: --device %s: %s\n", b->loop->job->device, what);
    }
    b->is_told = true;
}

static const char *first_words(const bi_report *report)
{
    return report->count > 0 ? report->issue[report->count - 1].what : "it does not take the model";
}

// All of the group; in halves where there is no memory for the whole; alone where the device does not take it.
static void do_group(block *b, candidate **group, int n)
{
    bi_report report = { 0 };
    b->group = group;
    b->n_group = n;
    bi_batch *batch = batch_of_group(b, &report);
    bool is_memory = !batch && report.count > 0 && report.issue[report.count - 1].code == BI_NO_MEMORY;
    if (batch) {
        run_group(b, batch);
    } else if (is_memory && n > 1) {
        tell(b, "there is no memory for so many at once; in smaller parts");
    } else {
        tell(b, first_words(&report));
        for (int k = 0; k < n; k++) {
            group[k]->is_alone = true;
            group[k]->is_open = false;
        }
    }
    bi_batch_destroy(batch);
    bi_report_clear(&report);
    if (!batch && is_memory && n > 1) {
        do_group(b, group, n / 2);
        if (b->code == CLI_OK) {
            do_group(b, group + n / 2, n - n / 2);
        }
    }
}

// ---- rounds -----------------------------------------------------------------------------------------------------------

// A batch has sims of one size and steps of one number.
static bool are_alike(const candidate *a, const candidate *b)
{
    const session *s = &a->rec.session, *t = &b->rec.session;
    return s->grid.n_step == t->grid.n_step && bi_sim_size(s->system) == bi_sim_size(t->system) &&
           bi_input_count(s->system) == bi_input_count(t->system) &&
           bi_channel_count(s->system) == bi_channel_count(t->system);
}

static void do_groups(block *b)
{
    candidate **group = words_alloc((size_t)(b->n + 1) * sizeof *group);
    bool *is_taken = words_alloc((size_t)b->n + 1);
    for (int first = 0; first < b->n && b->code == CLI_OK; first++) {
        int n = 0;
        for (int k = first; k < b->n; k++) {
            candidate *one = &b->one[k];
            if (one->is_open && !is_taken[k] && (n == 0 ? k == first : are_alike(group[0], one))) {
                is_taken[k] = true;
                group[n++] = one;
            }
            if (n == 0) {
                break; // the first of a group is the first that is left
            }
        }
        if (n > 0) {
            do_group(b, group, n);
        }
    }
    free(group);
    free(is_taken);
}

static void do_alone(void *of, int k, int worker)
{
    block *b = of;
    candidate *one = &b->one[k];
    if (one->is_over || !one->is_alone || interrupt_asked()) {
        return;
    }
    const double number = (double)one->c.number;
    survey_case_end(&one->c);
    one->message[0] = '\0';
    survey_work(&b->own[worker], &number, one->answer, one->message);
    one->is_over = true;
}

// After a round: which cases need another run.
static bool close_round(block *b)
{
    bool goes_on = false;
    for (int k = 0; k < b->n; k++) {
        candidate *one = &b->one[k];
        if (one->is_over) {
            continue;
        }
        if (one->code != CLI_OK && !one->is_alone) {
            survey_run_opened(&one->rec, &one->c.run, one->code);
        }
        survey_run_clear(&one->rec);
        if (!one->is_alone && !survey_case_goes_on(&one->c)) {
            survey_case_end(&one->c);
            one->is_over = true;
        }
        goes_on = goes_on || !one->is_over;
    }
    return goes_on;
}

static void do_rounds(block *b)
{
    bool goes_on = true;
    while (goes_on && b->code == CLI_OK) {
        share(b->n, b->workers, open_one, b);
        b->code = sweep_loop_look(b->loop);
        do_groups(b);
        if (b->code != CLI_OK) {
            break;
        }
        goes_on = close_round(b);
        share(b->n, b->workers, do_alone, b);
        b->code = sweep_loop_look(b->loop); // cases may have been left out
    }
    for (int k = 0; k < b->n; k++) {
        candidate *one = &b->one[k];
        if (b->code == CLI_OK) {
            b->code = sweep_loop_take(b->loop, one->c.number, one->answer, one->message);
        } else if (!one->is_over) {
            survey_run_clear(&one->rec);
            survey_case_end(&one->c);
        }
        free(one->answer);
    }
    b->code = b->code == CLI_OK ? sweep_loop_look(b->loop) : b->code;
}

// ---- blocks -----------------------------------------------------------------------------------------------------------

// The next `most` cases that are not done; their number.
static int fill(block *b, int64_t *next, int most)
{
    const survey_results *r = &b->loop->job->results;
    b->n = 0;
    for (; *next < r->n_case && b->n < most; ++*next) {
        if (r->is_done[*next]) {
            continue;
        }
        candidate *one = &b->one[b->n++];
        *one = (candidate){ .answer = words_alloc((size_t)survey_answer_size(b->plan) * sizeof(double)) };
        survey_case_begin(&one->c, b->plan, *next, one->answer, one->message);
    }
    return b->n;
}

// The device is asked for the first case alone, which also tells what a case takes. 0: it cannot be used, and this is told.
static int cases_at_once(block *b)
{
    candidate *one = b->one;
    int64_t next = 0;
    if (fill(b, &next, 1) == 0) {
        return 1;
    }
    open_one(b, 0, 0);
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), most = CASES_HERE;
    if (one->is_alone || (one->is_open && one->rec.session.run.is_auto)) {
        tell(b, one->is_alone ? "the model cannot be made an image; threads do it"
                              : "steps are chosen as they come (--dt auto); threads do it");
        most = 0.0;
    } else if (one->is_open) {
        bi_report report = { 0 };
        b->group = &one;
        b->n_group = 1;
        bi_batch *batch = batch_of_group(b, &report);
        double bytes = (double)bi_sim_size(one->rec.session.system) * (b->takes_images ? 1.0 : 4.0) +
                       2.0 * (double)one->image_size;
        most = fmin(b->takes_images ? CASES_MOST : CASES_HERE, fmax(1.0, share_of_memory * memory / bytes));
        if (!batch) {
            char *words = words_format("%s; threads do the sweep", first_words(&report));
            tell(b, words);
            free(words);
            most = 0.0;
        }
        bi_batch_destroy(batch);
        bi_report_clear(&report);
    }
    survey_run_clear(&one->rec);
    survey_case_end(&one->c);
    free(one->answer);
    return (int)most;
}

static void make_plans(block *b)
{
    b->own = words_alloc((size_t)b->workers * sizeof *b->own);
    for (int k = 0; k < b->workers; k++) {
        b->own[k] = *b->plan;
        b->own[k].request.files = NULL; // they were noted when the first case was tried
        b->own[k].request.shelf = bi_shelf_create();
        b->own[k].request.kept = session_kept_create();
    }
}

static void do_blocks(block *b, int most)
{
    const sweep_job *job = b->loop->job;
    int64_t left = job->results.n_case - job->results.n_done, next = 0;
    most = left < most ? (int)left : most;
    if (left > most && most < CASES_HERE && !job->is_quiet) {
        fprintf(stderr, "biela sweep: --device %s: memory is enough for %d cases at once; in parts\n",
                job->device, most);
    }
    b->one = words_alloc(((size_t)most + 1) * sizeof *b->one);
    int size = most < CASES_FIRST ? most : CASES_FIRST;
    double begin = progress_clock();
    while (b->code == CLI_OK && fill(b, &next, size) > 0) {
        do_rounds(b);
        double now = progress_clock();
        size = now - begin > block_time ? size : 4 * size < most ? 4 * size : most;
        begin = now;
    }
    free(b->one);
}

bool sweep_by_device(sweep_loop *loop, exit_code *code)
{
    const sweep_job *job = loop->job;
    block b = { .loop = loop,
                .plan = &job->plan,
                .workers = share_workers(job->n_worker),
                .takes_images = bi_batch_device_takes_images(job->device) };
    for (int k = 0; k < job->plan.n_measure; k++) {
        measure_kind kind = job->plan.measure[k].kind;
        b.looks_each_step = b.looks_each_step || (kind != MEASURE_FINAL && kind != MEASURE_TIME);
    }
    make_plans(&b);
    candidate first;
    b.one = &first;
    int most = cases_at_once(&b);
    if (most > 0) {
        do_blocks(&b, most);
    }
    for (int k = 0; k < b.workers; k++) {
        session_kept_destroy(b.own[k].request.kept);
        bi_shelf_destroy(b.own[k].request.shelf);
    }
    free(b.own);
    *code = b.code;
    return most > 0;
}
