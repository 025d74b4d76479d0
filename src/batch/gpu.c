// SPDX-License-Identifier: MIT
// Sims on a GPU: their packs stay there as long as nobody here asks for them. One whose step fails there is stepped again
// here, from where it was before, so that failures, events and their words are those of the other devices.
#include "gpu/gpu.h"
#include "base/crew.h"
#include "batch/device.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const bi_system *system;
    uint64_t at; // there
} put_system;

typedef struct {
    crew *crew;
    const gpu_driver *driver;
    void *own;
    uint64_t things[GPU_THINGS];
    gpu_layout layout, there; // with lists here, and there
    put_system *system;       // (n_system)
    int n_system;
    int count;      // of sims,
    int part;       // of which so many have room there at a time
    gpu_case *one;  // (count)
    bool *is_there; // what is there is newer or the same (count)
    bool *is_here;  // what is here is newer or the same (count)
    uint64_t one_there, pack_there, *stage;
    int64_t stride; // words of a pack
    int n_stage;    // packs that go at once
    char failure[256];
} own_gpu;

// ---- opened and closed ------------------------------------------------------------------------------------------

static void close_gpu(void *memory)
{
    own_gpu *g = memory;
    if (!g) {
        return;
    }
    const uint64_t at[] = { g->one_there, g->pack_there, (uint64_t)(uintptr_t)g->there.inner,
                            (uint64_t)(uintptr_t)g->there.system };
    for (size_t k = 0; g->own && k < sizeof at / sizeof *at; k++) {
        if (at[k]) {
            g->driver->give(g->own, at[k]);
        }
    }
    for (int k = 0; k < g->n_system; k++) {
        g->driver->give(g->own, g->system[k].at);
    }
    if (g->own) {
        g->driver->close(g->own);
    }
    gpu_layout_clear(&g->layout);
    free(g->system);
    free(g->one);
    free(g->is_there);
    free(g->is_here);
    free(g->stage);
    crew_end(g->crew);
    free(g);
}

static void *open_with(const gpu_driver *driver, int workers, bi_report *report)
{
    arena measure = { 0 };
    arena_take(&measure, 1, sizeof(own_gpu));
    crew_cut(&measure);
    arena a = { calloc(1, measure.used), 0, measure.used, true };
    own_gpu *g = a.memory ? arena_take(&a, 1, sizeof *g) : NULL;
    if (!g) {
        return NULL;
    }
    g->crew = crew_cut(&a);
    crew_start(g->crew, workers);
    g->driver = driver;
    g->own = driver->open(report);
    if (g->own && !driver->things(g->own, g->things)) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "gpu", "%s",
                      driver->failure(g->own));
        driver->close(g->own);
        g->own = NULL;
    }
    if (!g->own) {
        close_gpu(g);
        return NULL;
    }
    return g;
}

static void *open_gpu(int workers, bi_report *report) { return open_with(&gpu_cuda, workers, report); }
static void *open_mirror(int workers, bi_report *report) { return open_with(&gpu_mirror, workers, report); }

// ---- prepared for its sims ---------------------------------------------------------------------------------------

static bool no_room(bi_report *report, const char *what, double bytes)
{
    bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "gpu", "no memory there for %s (%.3g MB)",
                  what, 1e-6 * bytes);
    return false;
}

static bool put_list(own_gpu *g, const int32_t *list, int64_t n, const int32_t **there)
{
    size_t size = (size_t)(n + 1) * sizeof *list;
    uint64_t at = g->driver->take(g->own, size);
    *there = (const int32_t *)(uintptr_t)at;
    return at && g->driver->put(g->own, at, list, (size_t)n * sizeof *list);
}

enum { SYSTEMS_LOOKED_AT = 64 };

// Where the system of a case lies there; put there first if it is new, or was not among the last ones. 0: told.
static uint64_t system_there(own_gpu *g, const bi_system *s, bi_report *report)
{
    for (int k = g->n_system - 1; k >= 0 && k >= g->n_system - SYSTEMS_LOOKED_AT; k--) {
        if (g->system[k].system == s) {
            return g->system[k].at;
        }
    }
    uint64_t at = s->image ? gpu_put_system(g->driver, g->own, s, g->things, report) : 0;
    if (at) {
        g->system[g->n_system++] = (put_system){ s, at };
    } else if (!s->image) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "gpu",
                      "takes systems of images only");
    }
    return at;
}

static bool put_systems(own_gpu *g, const batch_case *one, bi_report *report)
{
    for (int k = 0; k < g->count; k++) {
        const bi_system *s = one[k].sim->system;
        if (one[k].sim->hot != one[0].sim->hot || one[k].sim->size != one[0].sim->size) {
            bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "gpu",
                          "sim %d is laid out in another way than the first", k);
            return false;
        }
        uint64_t at = system_there(g, s, report);
        if (!at) {
            return false;
        }
        g->one[k] = (gpu_case){ (uint64_t)(uintptr_t)one[k].sim, (uint64_t)(uintptr_t)s, at, 0, BI_OK };
    }
    return true;
}

enum { STAGE_BYTES = 64 << 20 };

// How many packs have room there, beside what threads need.
static bool take_packs(own_gpu *g, bi_report *report)
{
    size_t one = (size_t)g->stride * sizeof *g->stage + sizeof(gpu_case);
    size_t left = g->driver->free_memory(g->own);
    size_t most = (left - left / 2) / one; // the other half is for the threads' own memory
    g->part = most < (size_t)g->count ? (int)most : g->count;
    g->n_stage = (int)(STAGE_BYTES / (g->stride * (int64_t)sizeof *g->stage)) + 1;
    g->n_stage = g->n_stage < g->part ? g->n_stage : g->part;
    if (g->part < 1) {
        return no_room(report, "one sim", (double)one);
    }
    g->stage = malloc((size_t)g->n_stage * (size_t)g->stride * sizeof *g->stage);
    g->one_there = g->driver->take(g->own, (size_t)g->part * sizeof *g->one);
    g->pack_there = g->driver->take(g->own, (size_t)g->part * (size_t)g->stride * sizeof *g->stage);
    return (g->stage && g->one_there && g->pack_there) || no_room(report, "the sims", (double)one * g->part);
}

static bool prepare(void *memory, batch_case *one, int count, bi_report *report)
{
    own_gpu *g = memory;
    g->count = count;
    g->one = calloc((size_t)count, sizeof *g->one);
    g->is_there = calloc((size_t)count, sizeof *g->is_there);
    g->is_here = calloc((size_t)count, sizeof *g->is_here);
    g->system = calloc((size_t)count, sizeof *g->system);
    if (!g->one || !g->is_there || !g->is_here || !g->system) {
        return no_room(report, "the list of sims", 0.0);
    }
    memset(g->is_here, true, (size_t)count * sizeof *g->is_here);
    if (!gpu_layout_of(one[0].sim->system, &g->layout, report)) {
        return false;
    }
    g->there = g->layout;
    g->there.inner = g->there.system = NULL;
    g->stride = gpu_pack_words(&g->layout);
    bool is_put = put_list(g, g->layout.inner, g->layout.n_inner, &g->there.inner) &&
                  put_list(g, g->layout.system, g->layout.n_system, &g->there.system);
    return (is_put || no_room(report, "lists", 0.0)) && put_systems(g, one, report) && take_packs(g, report);
}

// ---- here and there ----------------------------------------------------------------------------------------------

static uint64_t pack_at(const own_gpu *g, int place)
{
    return g->pack_there + (uint64_t)place * (uint64_t)g->stride * sizeof *g->stage;
}

// Those of a part that are newer here go there.
static bool send(own_gpu *g, const batch_case *one, int first, int end)
{
    bool is_sent = true;
    for (int k = first; k < end && is_sent;) {
        int n = 0;
        while (k + n < end && n < g->n_stage && !g->is_there[k + n]) {
            gpu_pack(&g->layout, one[k + n].sim, g->stage + (int64_t)n * g->stride);
            n++;
        }
        is_sent = n == 0 || g->driver->put(g->own, pack_at(g, k - first), g->stage,
                                           (size_t)n * (size_t)g->stride * sizeof *g->stage);
        for (int i = 0; is_sent && i < n; i++) {
            g->is_there[k + i] = true;
        }
        k += n > 0 ? n : 1;
    }
    return is_sent;
}

// Those of a part that are newer there come here.
static bool bring(own_gpu *g, const batch_case *one, int first, int from, int end)
{
    bool is_brought = true;
    for (int k = from; k < end && is_brought;) {
        int n = 0;
        while (k + n < end && n < g->n_stage && !g->is_here[k + n]) {
            n++;
        }
        is_brought = n == 0 || g->driver->get(g->own, g->stage, pack_at(g, k - first),
                                              (size_t)n * (size_t)g->stride * sizeof *g->stage);
        for (int i = 0; is_brought && i < n; i++) {
            gpu_unpack(&g->layout, g->stage + (int64_t)i * g->stride, one[k + i].sim);
            g->is_here[k + i] = true;
        }
        k += n > 0 ? n : 1;
    }
    return is_brought;
}

// ---- steps -------------------------------------------------------------------------------------------------------

typedef struct {
    own_gpu *g;
    batch_case *one;
    int first;
    const batch_way *way;
} alone_work;

static void step_alone(void *of, int first, int end, int worker)
{
    const alone_work *w = of;
    (void)worker;
    for (int k = w->first + first; k < w->first + end; k++) {
        if (w->g->one[k].is_on && w->g->one[k].status != BI_OK) {
            w->way->alone(&w->one[k], k, w->way->of);
        }
    }
}

// Those whose step failed there are brought as they were and stepped here.
static bool redo(own_gpu *g, batch_case *one, int first, int end, const batch_way *way)
{
    bool is_brought = true;
    for (int k = first; k < end && is_brought; k++) {
        if (g->one[k].is_on && g->one[k].status != BI_OK) {
            is_brought = bring(g, one, first, k, k + 1);
            g->is_there[k] = false;
        }
    }
    if (is_brought) {
        alone_work w = { g, one, first, way };
        crew_do(g->crew, end - first, 1, step_alone, &w);
    }
    return is_brought;
}

static bool do_part(own_gpu *g, batch_case *one, int first, int end, const batch_way *way)
{
    int on = 0, n = end - first;
    for (int k = first; k < end; k++) {
        g->one[k].is_on = one[k].is_started && one[k].status == BI_OK;
        on += g->one[k].is_on;
    }
    if (on == 0) {
        return true;
    }
    const gpu_work work = { way->steps, way->t };
    size_t size = (size_t)n * sizeof *g->one;
    if (!send(g, one, first, end) || !g->driver->put(g->own, g->one_there, g->one + first, size) ||
        !g->driver->run(g->own, &g->there, g->one_there, g->pack_there, g->stride, n, &work) ||
        !g->driver->get(g->own, g->one + first, g->one_there, size)) {
        return false;
    }
    for (int k = first; k < end; k++) {
        g->is_here[k] = g->is_here[k] && !g->one[k].is_on;
    }
    return redo(g, one, first, end, way);
}

// What is only there is lost with it: these sims say so.
static void lose(own_gpu *g, batch_case *one)
{
    for (int k = 0; k < g->count; k++) {
        if (!g->is_here[k]) {
            one[k].status = BI_LOST;
            g->is_here[k] = true;
        }
        g->is_there[k] = false;
    }
}

static void advance(void *memory, batch_case *one, int count, const batch_way *way)
{
    own_gpu *g = memory;
    bool is_whole = true, is_one_part = g->part >= count;
    for (int first = 0; first < count && is_whole; first += g->part) {
        int end = first + g->part < count ? first + g->part : count;
        is_whole = do_part(g, one, first, end, way) && (is_one_part || bring(g, one, first, first, end));
        for (int k = first; k < end && !is_one_part; k++) {
            g->is_there[k] = false; // the next part takes the place
        }
    }
    if (!is_whole) {
        lose(g, one);
    }
}

static void fetch(void *memory, batch_case *one, int first, int end, batch_intent intent)
{
    own_gpu *g = memory;
    if (!bring(g, one, 0, first, end)) {
        lose(g, one);
    }
    for (int k = first; k < end && intent == BATCH_CHANGE; k++) {
        g->is_there[k] = false;
    }
}

static void each(void *memory, batch_case *one, int count, batch_work *work, void *of)
{
    own_gpu *g = memory;
    batch_each(g->crew, one, count, work, of);
}

// ---- what a system takes ---------------------------------------------------------------------------------------

static bool fits_with(const gpu_driver *driver, const bi_system *s, bi_batch_fit *fit, bi_report *report)
{
    gpu_layout layout;
    if (!gpu_layout_of(s, &layout, report)) {
        return false;
    }
    fit->travels = (double)gpu_pack_words(&layout) * (double)sizeof(uint64_t);
    fit->system = (double)gpu_system_bytes(s);
    fit->there = driver->thread_bytes(&layout);
    gpu_layout_clear(&layout);
    if (fit->there == 0.0) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "gpu",
                      "a sim has %.0f kB, more than a thread has there; this machine's threads do it",
                      1e-3 * (double)bi_sim_size(s));
        return false;
    }
    size_t memory = 0;
    bi_report own = { 0 };
    if (driver->look(fit->machine, sizeof fit->machine, &memory, &own)) {
        // half of it is for the threads' own memory (take_packs)
        fit->most = floor(0.5 * (double)memory / (fit->travels + (double)sizeof(gpu_case)));
    } else if (own.count > 0) {
        bi_report_add(report, BI_NOTE, own.issue[0].code, (bi_place){ 0 }, "gpu", "%s", own.issue[0].what);
    }
    bi_report_clear(&own);
    return true;
}

static bool fits_gpu(const bi_system *s, bi_batch_fit *fit, bi_report *report)
{
    return fits_with(&gpu_cuda, s, fit, report);
}

static bool fits_mirror(const bi_system *s, bi_batch_fit *fit, bi_report *report)
{
    return fits_with(&gpu_mirror, s, fit, report);
}

const batch_device batch_gpu = { "gpu", open_gpu, close_gpu, each, prepare, advance, fetch, true, fits_gpu };
const batch_device batch_mirror = { "mirror", open_mirror, close_gpu, each,       prepare,
                                    advance,  fetch,       true,      fits_mirror };
