// SPDX-License-Identifier: MIT
// Sims side by side in the lanes of a core's vectors; what they cannot do so is done one after the other, as on `threads`.
#include "lanes/lanes.h"
#include "base/crew.h"
#include "batch/device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    crew *crew;
    lanes_code code;
    gpu_layout layout;
    lanes_worker *worker[CREW_MOST]; // one for each thread
    bool is_alone;                   // none of them can go side by side
    int *on;                         // those on their way (count)
} own_lanes;

static void close_lanes(void *memory)
{
    own_lanes *own = memory;
    if (!own) {
        return;
    }
    for (int k = 0; k < CREW_MOST; k++) {
        lanes_worker_close(own->worker[k]);
    }
    gpu_layout_clear(&own->layout);
    lanes_code_close(&own->code);
    free(own->on);
    crew_end(own->crew);
    free(own);
}

static void *open_lanes(int workers, bi_report *report)
{
    arena measure = { 0 };
    arena_take(&measure, 1, sizeof(own_lanes));
    crew_cut(&measure);
    arena a = { calloc(1, measure.used), 0, measure.used, true };
    own_lanes *own = a.memory ? arena_take(&a, 1, sizeof *own) : NULL;
    if (!own) {
        return NULL;
    }
    own->crew = crew_cut(&a);
    crew_start(own->crew, workers); // fewer do the same
    if (!lanes_code_open(&own->code, report)) {
        close_lanes(own);
        return NULL;
    }
    return own;
}

// Whether sims of this system go side by side, and how they travel. False: they are stepped one by one.
static bool goes_side_by_side(const bi_system *s, gpu_layout *layout)
{
    bi_report why = { 0 };
    bool goes = scheme_of(s->options.scheme)->is_explicit && gpu_layout_of(s, layout, &why);
    bi_report_clear(&why);
    return goes;
}

static bool fits(const bi_system *s, bi_batch_fit *fit, bi_report *report)
{
    lanes_code code;
    if (!lanes_code_open(&code, report)) {
        return false;
    }
    gpu_layout layout = { 0 };
    const char *one_by_one =
        "one by one, as on threads: side by side go explicit schemes without contacts of many shapes";
    if (goes_side_by_side(s, &layout)) {
        snprintf(fit->machine, sizeof fit->machine, "%d sims side by side on each core", code.lanes);
    } else {
        snprintf(fit->machine, sizeof fit->machine, "%s", one_by_one);
    }
    gpu_layout_clear(&layout);
    lanes_code_close(&code);
    return true;
}

static bool prepare(void *memory, batch_case *one, int count, bi_report *report)
{
    own_lanes *own = memory;
    own->is_alone = !goes_side_by_side(one[0].sim->system, &own->layout);
    for (int k = 0; k < count && !own->is_alone; k++) {
        own->is_alone = !one[k].sim->system->image || one[k].sim->hot != one[0].sim->hot ||
                        one[k].sim->size != one[0].sim->size;
    }
    own->on = calloc((size_t)count, sizeof *own->on);
    bool is_made = own->on != NULL;
    for (int k = 0; k < crew_count(own->crew) && is_made && !own->is_alone; k++) {
        own->worker[k] = lanes_worker_open(&own->code, &own->layout);
        is_made = own->worker[k] != NULL;
    }
    if (!is_made) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "lanes",
                      "no memory for the sims side by side");
    }
    return is_made;
}

typedef struct {
    own_lanes *own;
    batch_case *one;
    int n_on;
    const batch_way *way;
} all_groups;

static void do_groups(void *of, int first, int end, int worker)
{
    const all_groups *all = of;
    const own_lanes *own = all->own;
    gpu_work work = { all->way->steps, all->way->t };
    for (int g = first; g < end; g++) {
        int from = g * own->code.lanes, n = all->n_on - from;
        n = n < own->code.lanes ? n : own->code.lanes;
        bi_sim *sim[LANES_MOST];
        bi_status status[LANES_MOST];
        for (int k = 0; k < n; k++) {
            sim[k] = all->one[own->on[from + k]].sim;
            status[k] = BI_OK;
        }
        lanes_go(own->worker[worker], sim, n, &work, status);
        for (int k = 0; k < n; k++) {
            all->one[own->on[from + k]].status = status[k];
        }
    }
}

static void advance(void *memory, batch_case *one, int count, const batch_way *way)
{
    own_lanes *own = memory;
    if (own->is_alone) {
        batch_each(own->crew, one, count, way->alone, way->of);
        return;
    }
    all_groups all = { own, one, 0, way };
    for (int k = 0; k < count; k++) {
        if (one[k].is_started && one[k].status == BI_OK) {
            own->on[all.n_on++] = k;
        }
    }
    crew_do(own->crew, (all.n_on + own->code.lanes - 1) / own->code.lanes, 1, do_groups, &all);
}

static void each(void *memory, batch_case *one, int count, batch_work *work, void *of)
{
    batch_each(((own_lanes *)memory)->crew, one, count, work, of);
}

const batch_device batch_lanes = {
    "lanes", open_lanes, close_lanes, each, prepare, advance, NULL, true, fits
};
