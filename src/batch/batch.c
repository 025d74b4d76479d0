// SPDX-License-Identifier: MIT
// A batch: its sims, what each of them does and how it went.
#include "batch/device.h"
#include <biela/loop.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bi_batch {
    int count;
    batch_case *one; // (count)
    const batch_device *device;
    void *own;               // of the device
    const bi_system *system; // the first
};

// ---- memory --------------------------------------------------------------------------------------------------

static double machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (double)pages * (double)size : INFINITY;
}

static void refuse(bi_report *report, bi_status code, const char *where, const char *what)
{
    bi_report_add(report, BI_ERROR, code, (bi_place){ 0 }, where, "%s", what);
}

// False: told.
static bool fits(const bi_system *const *system, int step, int count, double most, bi_report *report)
{
    double all = 0.0;
    for (int k = 0; k < (step ? count : 1); k++) {
        all += (double)bi_sim_size(system[k * step]) * (step ? 1 : count);
    }
    most = most > 0.0 ? most : 0.8 * machine_memory();
    if (all > most) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "batch",
                      "%d sims take %.3g GB, and %.3g GB are allowed; do them in parts", count, all * 1e-9,
                      most * 1e-9);
    }
    return all <= most;
}

// ---- what all systems share ----------------------------------------------------------------------------------

static const char *difference(const bi_system *a, const bi_system *b)
{
    if (bi_input_count(a) != bi_input_count(b) || bi_channel_count(a) != bi_channel_count(b)) {
        return "has other inputs or channels than the first: its parameters change what the model is made of";
    }
    for (int k = 0; k < bi_input_count(a); k++) {
        if (strcmp(bi_input_name(a, k), bi_input_name(b, k)) != 0) {
            return "has other inputs than the first";
        }
    }
    for (int k = 0; k < bi_channel_count(a); k++) {
        if (strcmp(bi_channel_name(a, bi_channel_at(a, k)), bi_channel_name(b, bi_channel_at(b, k))) != 0) {
            return "has other channels than the first";
        }
    }
    return NULL;
}

// False: told.
static bool are_alike(const bi_system *const *system, int count, bi_report *report)
{
    for (int k = 0; k < count; k++) {
        const char *what = !system[k]               ? "is missing"
                           : system[k] != system[0] ? difference(system[0], system[k])
                                                    : NULL;
        if (what) {
            bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "batch", "system %d %s", k,
                          what);
            return false;
        }
    }
    return true;
}

// ---- made and ended ------------------------------------------------------------------------------------------

static int workers_of(const bi_batch_options *options, int count)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int workers = options->workers > 0 ? options->workers : processors > 0 ? (int)processors : 1;
    workers = workers < count ? workers : count;
    return workers < 64 ? workers : 64;
}

static const batch_device *device_of(const bi_batch_options *options, bi_report *report)
{
    const batch_device *device = options->device ? batch_device_find(options->device) : batch_device_at(0);
    if (!device) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "batch",
                      "there is no device '%.40s'; '%s' is there", options->device, bi_batch_device_name(0));
    }
    return device;
}

static bool make_sims(bi_batch *b, const bi_system *const *system, int step)
{
    for (int k = 0; k < b->count; k++) {
        b->one[k] = (batch_case){ bi_sim_create(system[k * step]), BI_NOT_STARTED, false };
        if (!b->one[k].sim) {
            return false;
        }
    }
    return true;
}

// step: 1, a system for each sim; 0, one for all.
static bi_batch *create(const bi_system *const *system, int step, int count, const bi_batch_options *given,
                        bi_report *report)
{
    bi_batch_options options = given ? *given : (bi_batch_options){ 0 };
    if (count < 1 || !system || !system[0] || options.workers < 0 || options.workers > 64 ||
        !(options.most_memory >= 0.0)) {
        refuse(report, BI_BAD_ARGUMENT, "batch",
               "needs a system, one sim at least, and 64 workers at most (0: one per processor)");
        return NULL;
    }
    const batch_device *device = device_of(&options, report);
    if (!device || (step && !are_alike(system, count, report)) ||
        !fits(system, step, count, options.most_memory, report)) {
        return NULL;
    }
    bi_batch *b = calloc(1, sizeof *b);
    batch_case *one = calloc((size_t)count, sizeof *one);
    int errors = report ? report->errors : 0;
    void *own = device->open(workers_of(&options, count), report);
    bool is_made = b && one && own;
    if (is_made) {
        *b = (bi_batch){ count, one, device, own, system[0] };
        is_made =
            make_sims(b, system, step) && (!device->prepare || device->prepare(own, one, count, report));
    }
    if (is_made) {
        return b;
    }
    if (!report || report->errors == errors) {
        refuse(report, BI_NO_MEMORY, "batch", "no memory for the sims; do them in parts");
    }
    for (int k = 0; one && k < count; k++) {
        bi_sim_destroy(one[k].sim);
    }
    if (own) {
        device->close(own);
    }
    free(one);
    free(b);
    return NULL;
}

bi_batch *bi_batch_create(const bi_system *system, int count, const bi_batch_options *options,
                          bi_report *report)
{
    return create(&system, 0, count, options, report);
}

bi_batch *bi_batch_create_of(const bi_system *const *system, int count, const bi_batch_options *options,
                             bi_report *report)
{
    return create(system, 1, count, options, report);
}

void bi_batch_destroy(bi_batch *b)
{
    for (int k = 0; b && k < b->count; k++) {
        bi_sim_destroy(b->one[k].sim);
    }
    if (b) {
        b->device->close(b->own);
        free(b->one);
        free(b);
    }
}

int bi_batch_count(const bi_batch *b) { return b ? b->count : 0; }

static batch_case *case_of(const bi_batch *b, int k)
{
    return b && k >= 0 && k < b->count ? &b->one[k] : NULL;
}

// Before sims first .. end - 1 are looked at, or changed.
static void fetch(bi_batch *b, int first, int end, batch_intent intent)
{
    if (b->device->fetch) {
        b->device->fetch(b->own, b->one, first, end, intent);
    }
}

bi_sim *bi_batch_sim(bi_batch *b, int k)
{
    const batch_case *one = case_of(b, k);
    if (one) {
        fetch(b, k, k + 1, BATCH_CHANGE);
    }
    return one ? one->sim : NULL;
}

bool bi_batch_fits(const bi_system *system, const char *name, bi_batch_fit *fit, bi_report *report)
{
    if (!system || !fit) {
        return false;
    }
    *fit = (bi_batch_fit){ .sim = (double)bi_sim_size(system) };
    const bi_batch_options options = { .device = name };
    const batch_device *device = device_of(&options, report);
    if (!device) {
        return false;
    }
    fit->most = floor(0.8 * machine_memory() / fit->sim);
    snprintf(fit->machine, sizeof fit->machine, "%d cores of this machine", workers_of(&options, 64));
    if (device->fits) {
        fit->machine[0] = '\0';
        fit->most = 0.0;
        return device->fits(system, fit, report);
    }
    return true;
}

// ---- work ----------------------------------------------------------------------------------------------------

static void start_one(batch_case *one, int k, void *of)
{
    (void)k;
    (void)of;
    bi_report own = { 0 };
    one->status = bi_sim_start(one->sim, &own);
    one->is_started = one->status == BI_OK;
    bi_report_clear(&own);
}

bi_status bi_batch_start(bi_batch *b)
{
    if (!b) {
        return BI_BAD_ARGUMENT;
    }
    fetch(b, 0, b->count, BATCH_CHANGE);
    b->device->each(b->own, b->one, b->count, start_one, NULL);
    return BI_OK;
}

bi_status bi_batch_restart(bi_batch *b, int k)
{
    batch_case *one = case_of(b, k);
    if (!one) {
        return BI_BAD_ARGUMENT;
    }
    fetch(b, k, k + 1, BATCH_CHANGE);
    start_one(one, k, NULL);
    return one->status;
}

typedef struct {
    int64_t steps;
    double t;
} distance;

static bool goes_on(const batch_case *one)
{
    return one->is_started && one->status == BI_OK && !bi_sim_stopped(one->sim);
}

static void step_one(batch_case *one, int k, void *of)
{
    (void)k;
    const distance *d = of;
    for (int64_t n = 0; n < d->steps && goes_on(one); n++) {
        one->status = bi_sim_step(one->sim);
    }
}

static void advance(bi_batch *b, const batch_way *way)
{
    if (b->device->advance) {
        b->device->advance(b->own, b->one, b->count, way);
    } else {
        b->device->each(b->own, b->one, b->count, way->alone, way->of);
    }
}

bi_status bi_batch_step(bi_batch *b, int64_t steps)
{
    distance d = { steps, 0.0 };
    if (!b || steps < 0) {
        return BI_BAD_ARGUMENT;
    }
    advance(b, &(batch_way){ steps, 0.0, step_one, &d });
    return BI_OK;
}

static void run_one(batch_case *one, int k, void *of)
{
    (void)k;
    const distance *d = of;
    if (goes_on(one) && bi_sim_time(one->sim) < d->t) {
        one->status = bi_sim_run_to(one->sim, d->t);
    }
}

bi_status bi_batch_run_to(bi_batch *b, double t)
{
    distance d = { 0, t };
    if (!b || !isfinite(t)) {
        return BI_BAD_ARGUMENT;
    }
    advance(b, &(batch_way){ -1, t, run_one, &d });
    return BI_OK;
}

// ---- numbers in and out --------------------------------------------------------------------------------------

bi_status bi_batch_inputs(bi_batch *b, const bi_input *input, int n_input, const double *value)
{
    if (!b || n_input < 0 || (n_input > 0 && (!input || !value))) {
        return BI_BAD_ARGUMENT;
    }
    for (int i = 0; i < n_input; i++) {
        if (input[i].i < 1 || input[i].i > bi_input_count(b->system)) {
            return BI_BAD_ARGUMENT;
        }
    }
    fetch(b, 0, b->count, BATCH_CHANGE);
    for (int k = 0; k < b->count; k++) {
        for (int i = 0; i < n_input; i++) {
            bi_sim_input(b->one[k].sim, input[i], value[(size_t)i * (size_t)b->count + (size_t)k]);
        }
    }
    return BI_OK;
}

typedef struct {
    const bi_channel *channel;
    int n_channel;
    size_t count;
    double *value;
} wanted;

static void read_one(batch_case *one, int k, void *of)
{
    const wanted *w = of;
    for (int i = 0; i < w->n_channel; i++) {
        w->value[(size_t)i * w->count + (size_t)k] =
            one->is_started ? bi_sim_read(one->sim, w->channel[i]) : (double)NAN;
    }
}

bi_status bi_batch_read(bi_batch *b, const bi_channel *channel, int n_channel, double *value)
{
    if (!b || n_channel < 0 || (n_channel > 0 && (!channel || !value))) {
        return BI_BAD_ARGUMENT;
    }
    for (int i = 0; i < n_channel; i++) {
        if (!bi_channel_name(b->system, channel[i])) {
            return BI_BAD_ARGUMENT;
        }
    }
    fetch(b, 0, b->count, BATCH_LOOK);
    wanted w = { channel, n_channel, (size_t)b->count, value };
    b->device->each(b->own, b->one, b->count, read_one, &w);
    return BI_OK;
}

static void hash_one(batch_case *one, int k, void *of)
{
    uint64_t *hash = of;
    hash[k] = one->is_started ? bi_sim_hash(one->sim) : 0;
}

bi_status bi_batch_hashes(bi_batch *b, uint64_t *hash)
{
    if (!b || !hash) {
        return BI_BAD_ARGUMENT;
    }
    fetch(b, 0, b->count, BATCH_LOOK);
    b->device->each(b->own, b->one, b->count, hash_one, hash);
    return BI_OK;
}

// ---- how it went ---------------------------------------------------------------------------------------------

bi_status bi_batch_status(const bi_batch *b, int k)
{
    const batch_case *one = case_of(b, k);
    return one ? one->status : BI_BAD_ARGUMENT;
}

static bool has_failed(const batch_case *one)
{
    return one->status != BI_OK && one->status != BI_NOT_STARTED;
}

const char *bi_batch_failure(const bi_batch *b, int k)
{
    const batch_case *one = case_of(b, k);
    if (!one || !has_failed(one)) {
        return "";
    }
    const char *words = bi_sim_failure(one->sim);
    return words && *words ? words : bi_status_text(one->status);
}

int bi_batch_failed(const bi_batch *b)
{
    int failed = 0;
    for (int k = 0; b && k < b->count; k++) {
        failed += has_failed(&b->one[k]);
    }
    return failed;
}
