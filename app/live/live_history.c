// SPDX-License-Identifier: MIT
#include "live/live_history.h"
#include "cli/words.h"
#include "live/live.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 1500 };
static const double least_gap = 0.015; // s between rows of a recording: that is how often pages get frames

typedef struct {
    double first, last; // s, of its rows
    int rows;
} group;

struct live_history {
    int n_channel, n_group, rows_each;
    group group[GROUPS];
    float *least, *most; // (GROUPS * n_channel)
};

live_history *live_history_create(int n_channel)
{
    live_history *h = words_alloc(sizeof *h);
    h->n_channel = n_channel;
    h->rows_each = 1;
    size_t size = (size_t)GROUPS * (size_t)(n_channel + 1) * sizeof *h->least;
    h->least = words_alloc(size);
    h->most = words_alloc(size);
    // pages come now: a drive needs no more memory the longer it lasts
    memset(h->least, 0xff, size);
    memset(h->most, 0xff, size);
    return h;
}

void live_history_destroy(live_history *h)
{
    if (h) {
        free(h->least);
        free(h->most);
        free(h);
    }
}

static float *least_of(const live_history *h, int g) { return h->least + (size_t)g * (size_t)h->n_channel; }

static float *most_of(const live_history *h, int g) { return h->most + (size_t)g * (size_t)h->n_channel; }

// Two neighbours become one; numbers that are none are passed over where there is another.
static void join_pairs(live_history *h)
{
    for (int g = 0; g < GROUPS / 2; g++) {
        group *a = &h->group[2 * g], *b = &h->group[2 * g + 1];
        for (int c = 0; c < h->n_channel; c++) {
            float low = fminf(least_of(h, 2 * g)[c], least_of(h, 2 * g + 1)[c]);
            float high = fmaxf(most_of(h, 2 * g)[c], most_of(h, 2 * g + 1)[c]);
            least_of(h, g)[c] = low;
            most_of(h, g)[c] = high;
        }
        h->group[g] = (group){ a->first, b->last, a->rows + b->rows };
    }
    h->n_group = GROUPS / 2;
    h->rows_each *= 2;
}

static void forget_from(live_history *h, double t)
{
    while (h->n_group > 0 && h->group[h->n_group - 1].first >= t) {
        h->n_group--;
    }
    if (h->n_group > 0 && h->group[h->n_group - 1].last >= t) {
        // its rows before t are among those of its least and most
        h->group[h->n_group - 1].last = h->group[h->n_group - 1].first;
    }
}

void live_history_add(live_history *h, double t, const double *channel)
{
    forget_from(h, t);
    group *g = h->n_group > 0 ? &h->group[h->n_group - 1] : NULL;
    bool is_new = !g || g->rows >= h->rows_each;
    if (is_new && h->n_group == GROUPS) {
        join_pairs(h);
    }
    int at = is_new ? h->n_group++ : h->n_group - 1;
    g = &h->group[at];
    *g = is_new ? (group){ t, t, 1 } : (group){ g->first, t, g->rows + 1 };
    for (int c = 0; c < h->n_channel; c++) {
        float value = (float)channel[c], *low = &least_of(h, at)[c], *high = &most_of(h, at)[c];
        *low = is_new ? value : fminf(*low, value);
        *high = is_new ? value : fmaxf(*high, value);
    }
}

// ---- bytes -----------------------------------------------------------------------------------------------------------

static void put_times(FILE *out, const live_history *h)
{
    for (int g = 0; g < h->n_group; g++) {
        live_put_f32(out, h->group[g].first);
        if (h->group[g].rows > 1) {
            live_put_f32(out, h->group[g].last);
        }
    }
}

static void put_values(FILE *out, const live_history *h)
{
    for (int g = 0; g < h->n_group; g++) {
        for (int c = 0; c < h->n_channel; c++) {
            live_put_f32(out, (double)least_of(h, g)[c]);
        }
        for (int c = 0; h->group[g].rows > 1 && c < h->n_channel; c++) {
            live_put_f32(out, (double)most_of(h, g)[c]);
        }
    }
}

char *live_history_bytes(const live_history *h, size_t *size)
{
    char *bytes = NULL;
    FILE *out = h ? open_memstream(&bytes, size) : NULL;
    if (!out) {
        return NULL;
    }
    history_counts counts = { .channels = (uint32_t)h->n_channel };
    for (int g = 0; g < h->n_group; g++) {
        counts.rows += h->group[g].rows > 1 ? 2 : 1;
    }
#define PUT_COUNT(name) live_put_u32(out, counts.name);
    HISTORY_COUNTS(PUT_COUNT)
#define PUT_PART(name) put_##name(out, h);
    HISTORY_PARTS(PUT_PART)
    fclose(out);
    return bytes;
}

// ---- what a recording holds ------------------------------------------------------------------------------------------

struct live_past {
    rerun again;
    double *channel, shown; // values of a row; its time, s
    bool is_over;
};

live_past *live_past_open(const rerun_source *source, const bi_setting *more, int n_more)
{
    live_past *p = words_alloc(sizeof *p);
    p->shown = -INFINITY;
    if (rerun_open(&p->again, source, more, n_more, 1) != CLI_OK) {
        live_past_close(p);
        return NULL;
    }
    p->channel = words_alloc((size_t)(bi_channel_count(p->again.s.system) + 1) * sizeof *p->channel);
    return p;
}

void live_past_close(live_past *p)
{
    if (p) {
        rerun_close(&p->again);
        free(p->channel);
        free(p);
    }
}

static void add_row(live_past *p, live_history *h, double t)
{
    const bi_system *system = p->again.s.system;
    for (int c = 0; c < bi_channel_count(system); c++) {
        p->channel[c] = bi_sim_read(p->again.s.sim, bi_channel_at(system, c));
    }
    live_history_add(h, t, p->channel);
    p->shown = t;
}

bool live_past_pump(live_past *p, live_history *h, double seconds, double until)
{
    double end = live_clock() + seconds;
    while (p && !p->is_over && live_clock() < end) {
        double t = (double)p->again.step * p->again.source->dt;
        if (t >= until) {
            p->is_over = true;
            break;
        }
        bool is_last = p->again.step >= p->again.steps;
        if (is_last || t - p->shown >= least_gap) {
            add_row(p, h, t);
        }
        p->is_over = is_last || rerun_step(&p->again) != BI_OK;
    }
    return p && !p->is_over;
}
