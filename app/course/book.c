// SPDX-License-Identifier: MIT
#include "course/book.h"
#include "cli/words.h"
#include "running/outfiles.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double again = 0.5; // s of the clock until what was refused is tried again

struct book {
    results *file;
    char *path, *trainee;
    attempts waiting; // not written yet; the last one may be the present one
    attempt now;      // id NULL: none
    bool is_over;     // the present one has ended: what is driven after that counts no more
    int faults;       // times, in all, that are written
    exercise_state state;
    results_problem problem;
    double next; // s
};

book *book_open(const char *path, const char *trainee)
{
    results_problem problem;
    results *file = results_open(path, RESULTS_WRITE, &problem);
    if (!file) {
        fprintf(stderr, "%s: error: %s\n", path, results_say(problem, false));
        return NULL;
    }
    book *b = words_alloc(sizeof *b);
    b->file = file;
    b->path = words_format("%s", path);
    b->trainee = words_format("%s", trainee);
    return b;
}

const char *book_trainee(const book *b) { return b ? b->trainee : NULL; }

results_problem book_problem(const book *b) { return b ? b->problem : RESULTS_FINE; }

static char *or_nothing(const char *text) { return words_format("%s", text ? text : ""); }

static void copy_faults(attempt *to, const attempt *from)
{
    to->n_fault = from->n_fault;
    to->fault = words_alloc((size_t)(from->n_fault + 1) * sizeof *to->fault);
    for (int k = 0; k < from->n_fault; k++) {
        to->fault[k] = from->fault[k];
        to->fault[k].name = or_nothing(from->fault[k].name);
    }
}

static void copy_attempt(attempt *to, const attempt *from)
{
    *to = *from;
    char **const text[] = {
        &to->id,     &to->trainee, &to->exercise, &to->title, &to->model, &to->version,
        &to->system, &to->lesson,  &to->started,  &to->ended, &to->state, &to->recording
    };
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        *text[k] = or_nothing(*text[k]);
    }
    copy_faults(to, from);
}

// The present one waits, in the place of what it was before.
static void wait_for(book *b)
{
    attempts *all = &b->waiting;
    int k = 0;
    while (k < all->count && strcmp(all->item[k].id, b->now.id) != 0) {
        k++;
    }
    attempt *place = k < all->count ? &all->item[k] : attempts_add(all);
    attempt_clear(place);
    copy_attempt(place, &b->now);
}

static void write_waiting(book *b, double clock)
{
    int unused;
    b->next = clock + again;
    if (b->waiting.count == 0) {
        return;
    }
    b->problem = results_put_all(b->file, &b->waiting, &unused);
    if (b->problem == RESULTS_FINE) {
        attempts_clear(&b->waiting);
    }
}

static void begin(book *b, const exercise *e, const book_drive *d)
{
    b->now = (attempt){ .id = attempt_new_id(),
                        .trainee = or_nothing(b->trainee),
                        .exercise = or_nothing(exercise_name(e)),
                        .title = or_nothing(exercise_title(e)),
                        .model = or_nothing(d->model),
                        .version = or_nothing(d->version),
                        .system = or_nothing(d->system),
                        .lesson = words_format("%016" PRIx64, exercise_hash(e)),
                        .started = attempt_now(),
                        .ended = or_nothing(NULL),
                        .recording = or_nothing(d->recording) };
    b->now.id = b->now.id ? b->now.id : words_format("%032d", (int)getpid());
    b->faults = -1;
}

// Times that limits were broken, in all.
static int count_faults(const exercise *e)
{
    int count = 0;
    for (int k = 0; k < exercise_limit_count(e); k++) {
        count += exercise_limit_at(e, k)->times;
    }
    return count;
}

static void take_state(book *b, const exercise *e)
{
    attempt *a = &b->now;
    for (int k = 0; k < a->n_fault; k++) {
        free(a->fault[k].name);
    }
    free(a->fault);
    free(a->state);
    a->state = or_nothing(exercise_state_name(exercise_state_of(e)));
    a->time = exercise_time(e);
    a->score = exercise_score(e);
    a->fault = words_alloc((size_t)(exercise_limit_count(e) + 1) * sizeof *a->fault);
    a->n_fault = 0;
    for (int k = 0; k < exercise_limit_count(e); k++) {
        const exercise_limit *l = exercise_limit_at(e, k);
        if (l->times > 0) {
            a->fault[a->n_fault++] = (attempt_fault){ or_nothing(l->name ? l->name : l->text), l->first,
                                                      l->times, l->cost * l->times };
        }
    }
}

void book_note(book *b, const exercise *e, const book_drive *d, double clock)
{
    exercise_state state = exercise_state_of(e);
    bool is_driven = state != EXERCISE_READY && !exercise_waits(e);
    if (b->waiting.count > 0 && clock >= b->next) {
        write_waiting(b, clock);
    }
    if (!is_driven || b->is_over) {
        return;
    }
    if (!b->now.id) {
        begin(b, e, d);
    }
    int faults = count_faults(e);
    if (faults == b->faults && state == b->state) {
        return;
    }
    b->faults = faults;
    b->state = state;
    b->is_over = state == EXERCISE_PASSED || state == EXERCISE_FAILED;
    take_state(b, e);
    if (b->is_over) {
        free(b->now.ended);
        b->now.ended = attempt_now();
    }
    wait_for(b);
    // a file that just refused is left alone for a moment
    if (b->problem == RESULTS_FINE || clock >= b->next) {
        write_waiting(b, clock);
    }
}

void book_leave(book *b)
{
    if (b) {
        attempt_clear(&b->now);
        b->is_over = false;
        b->faults = -1;
    }
}

// What could not be written, as a table that `biela course import` takes.
static bool rescue(const book *b)
{
    char *path = words_format("%s.rescued-%d.csv", b->path, (int)getpid());
    bi_outfile *output = outfiles_begin(path);
    bool is_written =
        output && attempts_write_csv(&b->waiting, bi_outfile_file(output)) && outfiles_end(output);
    if (is_written) {
        fprintf(stderr, "%s: error: %s; %d attempts are in %s: `biela course import %s` takes them\n",
                b->path, results_say(b->problem, false), b->waiting.count, path, path);
    } else {
        fprintf(stderr, "%s: error: %s; %d attempts are lost\n", b->path, results_say(b->problem, false),
                b->waiting.count);
    }
    free(path);
    return is_written;
}

bool book_close(book *b)
{
    if (!b) {
        return true;
    }
    write_waiting(b, 0.0);
    bool is_good = b->waiting.count == 0;
    if (!is_good) {
        (void)rescue(b);
    }
    book_leave(b);
    attempts_clear(&b->waiting);
    results_close(b->file);
    free(b->path);
    free(b->trainee);
    free(b);
    return is_good;
}
