// SPDX-License-Identifier: MIT
// Cross-check: three runs of one model side by side, and which of them differs (verdict.12).
#include "sim/system.h"
#include <biela/loop.h>
#include <biela/verdict.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- rows -----------------------------------------------------------------------------------------------------------

enum { THIS, FORMULATION, STEP, RUNS };

// What is known of a channel.
typedef struct {
    double low, high, size; // of this run; largest absolute value
    double gap[RUNS];       // this to formulation, this to step, these two
    double at;              // s
} crossing_channel;

struct bi_crossing {
    const bi_system *system;
    crossing_channel *channel; // (n_channel)
    double *value[RUNS];       // (n_channel) of the present row
};

bi_crossing *bi_crossing_create(const bi_system *s)
{
    bi_crossing *c = s ? calloc(1, sizeof *c) : NULL;
    if (!c) {
        return NULL;
    }
    size_t n = (size_t)s->n_channel + 1;
    c->system = s;
    c->channel = calloc(n, sizeof *c->channel);
    bool ok = c->channel != NULL;
    for (int k = 0; k < RUNS; k++) {
        c->value[k] = calloc(n, sizeof **c->value);
        ok = ok && c->value[k];
    }
    for (int k = 0; ok && k < s->n_channel; k++) {
        c->channel[k].low = INFINITY;
        c->channel[k].high = -INFINITY;
    }
    if (!ok) {
        bi_crossing_destroy(c);
        c = NULL;
    }
    return c;
}

void bi_crossing_destroy(bi_crossing *c)
{
    if (c) {
        free(c->channel);
        for (int k = 0; k < RUNS; k++) {
            free(c->value[k]);
        }
        free(c);
    }
}

static void take_gap(crossing_channel *c, int which, double a, double b, double t)
{
    double gap = fabs(a - b), most = fmax(c->gap[0], fmax(c->gap[1], c->gap[2]));
    // written so that what is not a number is the largest
    if (!(gap <= c->gap[which])) {
        c->at = gap <= most ? c->at : t;
        c->gap[which] = gap;
    }
}

void bi_crossing_row(bi_crossing *c, bi_sim *run, bi_sim *formulation, bi_sim *step)
{
    if (!c || !run) {
        return;
    }
    bi_sim *sim[RUNS] = { run, formulation, step };
    for (int k = 0; k < RUNS; k++) {
        if (sim[k]) {
            bi_sim_read_all(sim[k], c->value[k]);
        }
    }
    for (int k = 0; k < c->system->n_channel; k++) {
        crossing_channel *ch = &c->channel[k];
        double x = c->value[THIS][k];
        ch->low = fmin(ch->low, x);
        ch->high = fmax(ch->high, x);
        ch->size = fmax(ch->size, fabs(x));
        if (formulation) {
            take_gap(ch, 0, x, c->value[FORMULATION][k], run->t);
        }
        if (step) {
            take_gap(ch, 1, x, c->value[STEP][k], run->t);
        }
        if (formulation && step) {
            take_gap(ch, 2, c->value[FORMULATION][k], c->value[STEP][k], run->t);
        }
    }
}

// ---- the answer --------------------------------------------------------------------------------------------------------

double bi_gap_relative(const bi_gap *g, double gap)
{
    double scale = g ? fmax(g->range, g->floor) : 0.0;
    return scale > 0.0 ? gap / scale : gap > 0.0 ? INFINITY : 0.0;
}

static double worst_of(const bi_gap *g)
{
    return bi_gap_relative(g, fmax(g->formulation, fmax(g->step, g->between)));
}

static int by_gap(const void *a, const void *b)
{
    double x = worst_of(a), y = worst_of(b);
    return x < y ? 1 : x > y ? -1 : strcmp(((const bi_gap *)a)->name, ((const bi_gap *)b)->name);
}

// Two that agree three times better with each other than with the third leave it alone.
static bi_cross_odd odd_of(const bi_gap *g)
{
    static const double better = 3.0;
    double to_formulation = g->formulation, to_step = g->step, between = g->between;
    if (to_step * better < to_formulation && to_step * better < between) {
        return BI_CROSS_FORMULATION;
    }
    if (to_formulation * better < to_step && to_formulation * better < between) {
        return BI_CROSS_STEP;
    }
    return between * better < to_step && between * better < to_formulation ? BI_CROSS_THIS : BI_CROSS_NONE;
}

static double range_of(const crossing_channel *c) { return c->high > c->low ? c->high - c->low : 0.0; }

// What is rounding is small against the largest value of the same unit. Sums of energies that should not change at all
// are measured by what moves between the energies. A force that is nearly none beside others of its kind, such as the
// side force of a tyre on a straight road beside its load, is measured by a part of these.
static double floor_of(const bi_crossing *c, int k)
{
    // a millionth of the largest, of ratios and angles what nobody could see, of forces a hundredth of the largest
    static const double rounding = 1e-6, unseen = 1e-4, slight = 1e-2;
    const channel *own = &c->system->channel[k];
    bool is_force = strcmp(own->unit, "N") == 0 || strcmp(own->unit, "N*m") == 0;
    double most = 0.0, moved = 0.0, load = 0.0;
    for (int i = 0; i < c->system->n_channel; i++) {
        const channel *other = &c->system->channel[i];
        if (strcmp(own->unit, other->unit) == 0) {
            most = fmax(most, c->channel[i].size);
            load = is_force && own->kind == other->kind ? fmax(load, c->channel[i].size) : load;
            moved = other->kind == CHANNEL_ENERGY ? fmax(moved, range_of(&c->channel[i])) : moved;
        }
    }
    bool is_ratio = strcmp(own->unit, "1") == 0 || strcmp(own->unit, "rad") == 0;
    return fmax(own->kind == CHANNEL_ENERGY ? moved : is_ratio ? unseen : slight * load, rounding * most);
}

bool bi_crossing_end(const bi_crossing *c, bi_cross *out)
{
    if (!out) {
        return false;
    }
    *out = (bi_cross){ 0 };
    out->item = c ? calloc((size_t)c->system->n_channel + 1, sizeof *out->item) : NULL;
    if (!out->item) {
        return false;
    }
    for (int k = 0; k < c->system->n_channel; k++) {
        const crossing_channel *ch = &c->channel[k];
        out->item[out->count++] = (bi_gap){ c->system->channel[k].name,
                                            range_of(ch),
                                            floor_of(c, k),
                                            ch->gap[0],
                                            ch->gap[1],
                                            ch->gap[2],
                                            ch->at };
    }
    qsort(out->item, (size_t)out->count, sizeof *out->item, by_gap);
    out->worst = out->count > 0 ? worst_of(&out->item[0]) : 0.0;
    out->odd = out->count > 0 ? odd_of(&out->item[0]) : BI_CROSS_NONE;
    return true;
}

void bi_cross_clear(bi_cross *c)
{
    if (c) {
        free(c->item);
        *c = (bi_cross){ 0 };
    }
}

// ---- a whole run -------------------------------------------------------------------------------------------------------

typedef struct {
    bi_system *system;
    bi_sim *sim;
} cross_case;

static bi_status open_case(const bi_model *m, const bi_options *options, cross_case *out, bi_report *report)
{
    out->system = bi_compile(m, options, report);
    out->sim = out->system ? bi_sim_create(out->system) : NULL;
    return !out->system ? BI_BAD_MODEL : !out->sim ? BI_NO_MEMORY : bi_sim_start(out->sim, report);
}

static bi_status run_cases(cross_case *c, double time, double every, bi_crossing *crossing)
{
    bi_status status = BI_OK;
    double start = bi_sim_time(c[THIS].sim);
    int64_t rows = (int64_t)fmax(1.0, ceil(time / every - 1e-9));
    for (int64_t r = 0; r <= rows && status == BI_OK; r++) {
        double t = start + fmin(time, (double)r * every);
        for (int k = 0; k < RUNS && status == BI_OK; k++) {
            status = bi_sim_run_to(c[k].sim, t);
        }
        if (status == BI_OK) {
            bi_crossing_row(crossing, c[THIS].sim, c[FORMULATION].sim, c[STEP].sim);
        }
    }
    return status;
}

bi_status bi_cross_run(const bi_model *m, const bi_options *options, double time, double every, bi_cross *out,
                       bi_report *report)
{
    if (out) {
        *out = (bi_cross){ 0 };
    }
    if (!m || !out || !(time > 0.0) || !(every > 0.0) || !isfinite(time) || !isfinite(every)) {
        return BI_BAD_ARGUMENT;
    }
    bi_options o[RUNS];
    for (int k = 0; k < RUNS; k++) {
        o[k] = options ? *options : (bi_options){ 0 };
        o[k].dt = o[k].dt > 0.0 ? o[k].dt : 1e-3;
    }
    o[FORMULATION].coordinates = o[THIS].coordinates == BI_NATURAL ? BI_JOINT : BI_NATURAL;
    o[STEP].dt *= 0.5;
    o[STEP].accuracy /= 8.0;
    cross_case c[RUNS] = { { 0 } };
    bi_status status = BI_OK;
    for (int k = 0; k < RUNS && status == BI_OK; k++) {
        status = open_case(m, &o[k], &c[k], report);
    }
    bi_crossing *crossing = status == BI_OK ? bi_crossing_create(c[THIS].system) : NULL;
    status = status == BI_OK && !crossing ? BI_NO_MEMORY : status;
    if (status == BI_OK) {
        status = run_cases(c, time, every, crossing);
        status = status == BI_OK && !bi_crossing_end(crossing, out) ? BI_NO_MEMORY : status;
    }
    bi_crossing_destroy(crossing);
    for (int k = 0; k < RUNS; k++) {
        bi_sim_destroy(c[k].sim);
        bi_system_destroy(c[k].system);
    }
    return status;
}
