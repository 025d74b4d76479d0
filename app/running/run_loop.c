// SPDX-License-Identifier: MIT
#include "running/run_loop.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/words.h"
#include "running/actions.h"
#include "running/checkpoint.h"
#include "running/events.h"
#include <biela/loop.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    const session *s;
    bi_csv *csv;
    double *value; // channels of the present row (n_value)
    int n_value;
    int balance;          // position of energy.balance; -1: none
    double balance_start; // its value at t = 0, J
    const record_plan *plan;
} recorder;

static recorder recorder_make(const session *s, bi_csv *csv)
{
    recorder rec = { .s = s, .csv = csv, .n_value = bi_channel_count(s->system), .balance = -1 };
    rec.value = words_alloc((size_t)rec.n_value * sizeof *rec.value);
    bi_channel balance = bi_find_channel(s->system, "energy.balance");
    for (int k = 0; k < rec.n_value; k++) {
        if (balance.i != 0 && bi_channel_at(s->system, k).i == balance.i) {
            rec.balance = k;
        }
    }
    return rec;
}

static void recorder_touches(const session *s, record *result)
{
    for (int k = 0; k < bi_touch_count(s->system) && k < RECORD_TOUCHES; k++) {
        double force = bi_sim_touch(s->sim, k), t = bi_sim_time(s->sim);
        record_touch *touch = &result->touch[k];
        if (force < 0.0) {
            touch->first = touch->pulls ? touch->first : t;
            touch->pulls = true;
            touch->rows++;
            touch->at = force < touch->worst ? t : touch->at;
            touch->worst = fmin(force, touch->worst);
        }
    }
}

// Those of a checkpoint have no names.
static void recorder_name_touches(const session *s, record *result)
{
    for (int k = 0; k < bi_touch_count(s->system) && k < RECORD_TOUCHES; k++) {
        result->touch[k].name = bi_touch_name(s->system, k);
    }
}

// Writes one row, unless a channel is not finite: such a number never enters a file.
static bool recorder_row(recorder *rec, record *result)
{
    const session *s = rec->s;
    if (s->is_inverse) {
        result->status = actions_row(s);
        if (result->status != BI_OK) {
            result->ending = RECORD_FAILED;
            return false;
        }
    }
    bi_sim_read_all(s->sim, rec->value);
    for (int k = 0; k < rec->n_value; k++) {
        if (!isfinite(rec->value[k])) {
            result->ending = RECORD_NOT_FINITE;
            result->status = BI_NOT_FINITE;
            result->channel = bi_channel_name(s->system, bi_channel_at(s->system, k));
            return false;
        }
    }
    result->status = bi_csv_row(rec->csv, s->sim);
    if (result->status == BI_OK && rec->plan && rec->plan->row &&
        !rec->plan->row(rec->plan->context, s->sim)) {
        result->status = BI_BAD_FILE;
    }
    if (result->status != BI_OK) {
        result->ending = RECORD_NOT_WRITTEN;
        return false;
    }

    if (rec->balance >= 0) {
        double balance = rec->value[rec->balance];
        rec->balance_start = result->rows == 0 ? balance : rec->balance_start;
        result->energy_drift = fmax(result->energy_drift, fabs(balance - rec->balance_start));
    }
    result->mark = bi_csv_mark(rec->csv);
    result->violation = fmax(result->violation, bi_sim_statistics(s->sim).violation);
    recorder_touches(s, result);
    result->rows++;
    return true;
}

// A step of the length that the error allows; the last one ends the run. Gives the number of the step on the grid.
static bool recorder_free_step(const recorder *rec, int64_t *k, record *result)
{
    const session *s = rec->s;
    result->status = bi_sim_step_toward(s->sim, time_grid_at(&s->grid, s->grid.n_step));
    result->ending = result->status == BI_OK ? result->ending : RECORD_FAILED;
    result->t = bi_sim_time(s->sim);
    *k = result->t >= time_grid_at(&s->grid, s->grid.n_step) ? s->grid.n_step : 0;
    return result->status == BI_OK;
}

static bool recorder_step(const recorder *rec, int64_t *step, record *result)
{
    const session *s = rec->s;
    if (s->run.is_auto && s->run.every == 0.0 && !s->is_kinematic && !s->is_inverse && !s->has_feedback) {
        return recorder_free_step(rec, step, result);
    }
    int64_t k = *step;
    // a run that ends on the grid of its steps ends with a step like the others: the hash is that of as many steps
    bool is_off = time_grid_at(&s->grid, k) != s->grid.start + (double)k * s->grid.dt;
    bool is_last = is_off || s->run.is_auto;
    if (s->is_inverse || s->has_feedback) {
        result->status = actions_step(s, time_grid_at(&s->grid, k));
    } else if (s->is_kinematic) {
        result->status = bi_kinematics_step_to(s->sim, time_grid_at(&s->grid, k));
    } else {
        result->status = is_last ? bi_sim_step_to(s->sim, time_grid_at(&s->grid, k)) : bi_sim_step(s->sim);
    }
    if (result->status != BI_OK) {
        result->ending = RECORD_FAILED;
        result->t = s->run.is_auto ? bi_sim_time(s->sim) : result->t;
        return false;
    }
    result->t = time_grid_at(&s->grid, k);
    return true;
}

// Keeps a checkpoint when it is time for one; *last: when the last one was kept.
static void recorder_keep(const recorder *rec, const record_plan *plan, int64_t k, record *result,
                          double *last)
{
    static const double patience = 60.0; // s, before a disk that refused is asked again
    double now = progress_clock();
    if (!plan || !plan->path || now - *last < plan->seconds ||
        (result->lost_checkpoint && now - *last < patience)) {
        return;
    }
    checkpoint c = { .step = k,
                     .csv_bytes = bi_csv_position(rec->csv),
                     .balance_start = rec->balance_start,
                     .so_far = *result };
    if (c.csv_bytes >= 0) {
        result->lost_checkpoint = !checkpoint_write(plan->path, &c, rec->s->sim);
    }
    *last = now;
}

// What looks at every step, such as what counts cycles.
static bool recorder_look(const recorder *rec, record *result)
{
    if (rec->plan && rec->plan->step && !rec->plan->step(rec->plan->context, rec->s->sim)) {
        result->ending = RECORD_FAILED;
        result->status = BI_NO_MEMORY;
        return false;
    }
    return true;
}

void record_run(const session *s, bi_csv *csv, record_manner manner, const record_plan *plan, record *result)
{
    bool is_resumed = plan && plan->is_resumed;
    int64_t from = is_resumed ? plan->from : 0;
    *result = is_resumed ? plan->so_far : (record){ 0 };
    result->ending = RECORD_DONE;
    recorder_name_touches(s, result);
    recorder rec = recorder_make(s, csv);
    rec.balance_start = is_resumed ? plan->balance_start : 0.0;
    rec.plan = plan;
    progress bar = manner == RECORD_WITH_PROGRESS ? progress_start() : progress_none();
    clock_t cpu = clock();
    double wall = progress_clock();

    int n_printed = is_resumed ? bi_sim_event_count(s->sim) : 0;
    double kept = wall;
    bool goes_on = is_resumed || (recorder_row(&rec, result) && recorder_look(&rec, result));
    events_print(s->sim, &n_printed);
    if (goes_on && !is_resumed && bi_sim_stopped(s->sim)) {
        result->ending = RECORD_STOPPED;
        goes_on = false;
    }
    for (int64_t k = from + 1; goes_on && k <= s->grid.n_step; k++) {
        if (interrupt_asked()) {
            result->ending = RECORD_INTERRUPTED;
            break;
        }
        goes_on = recorder_step(&rec, &k, result) && recorder_look(&rec, result);
        result->step = goes_on ? k : result->step;
        events_print(s->sim, &n_printed);
        bool is_stopped = goes_on && bi_sim_stopped(s->sim);
        if (is_stopped) {
            result->ending = RECORD_STOPPED;
            result->t = bi_sim_time(s->sim);
        }
        if (goes_on && (is_stopped || time_grid_has_row(&s->grid, k))) {
            goes_on = recorder_row(&rec, result) && !is_stopped;
            if (goes_on) {
                recorder_keep(&rec, plan, k, result, &kept);
            }
        }
        progress_show(&bar, result->t - s->grid.start, s->grid.time);
    }

    progress_end(&bar);
    events_print_touches(s->sim);
    result->csv_bytes = bi_csv_position(csv);
    result->mark = bi_csv_mark(csv);
    result->cpu = (double)(clock() - cpu) / (double)CLOCKS_PER_SEC;
    result->wall = progress_clock() - wall;
    result->last = bi_sim_statistics(s->sim);
    free(rec.value);
}

// ---- printing --------------------------------------------------------------------------------------------------------

const char *record_ending_name(const record *rec)
{
    static const char *const name[] = { [RECORD_DONE] = "done",
                                        [RECORD_INTERRUPTED] = "interrupted",
                                        [RECORD_STOPPED] = "stopped by an event",
                                        [RECORD_FAILED] = "failed",
                                        [RECORD_NOT_FINITE] = "not finite",
                                        [RECORD_NOT_WRITTEN] = "not written" };
    return name[rec->ending];
}

void record_print_lost(const record *rec, bi_sim *sim)
{
    const char *who = bi_sim_lost(sim);
    fprintf(stderr, "biela: error: channel %s is not finite at t = %.9g s%s%s\n", rec->channel, rec->t,
            who[0] ? ": " : "", who);
}

void record_print_pulls(const record *rec)
{
    for (int k = 0; k < RECORD_TOUCHES; k++) {
        const record_touch *p = &rec->touch[k];
        if (p->pulls) {
            fprintf(stderr,
                    "biela: warning: %s pulls on the ground from t = %.6g s on (%d of %" PRId64
                    " rows, up to %.4g N at t = %.6g s): a real wheel would lift\n",
                    p->name, p->first, p->rows, rec->rows, -p->worst, p->at);
        }
    }
}

void record_json_pulls(json *j, const record *rec)
{
    json_array(j, "pulling");
    for (int k = 0; k < RECORD_TOUCHES; k++) {
        if (rec->touch[k].pulls) {
            json_object(j, NULL);
            json_text(j, "name", rec->touch[k].name);
            json_number(j, "time", rec->touch[k].first);
            json_number(j, "force", rec->touch[k].worst);
            json_end(j);
        }
    }
    json_end(j);
}
