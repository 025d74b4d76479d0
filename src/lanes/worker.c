// SPDX-License-Identifier: MIT
// Groups of sims in an arena: brought together, stepped side by side, brought back; where their ways part they are stepped alone.
#include "lanes/lanes.h"
#include "lanes/turn.h"
#include "sim/image/image.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SITES = 16384,
    WINDOW_LEAST = 1,
    WINDOW_FIRST = 8,
    WINDOW_MOST = 64,
    REST_FIRST = 16,
    REST_MOST = 4096
};

struct lanes_worker {
    lanes_arena *arena;
    const lanes_code *code;
    const gpu_layout *layout;
    const bi_system *system[LANES_MOST]; // whose tables are there
    uint64_t system_at, block_at, behind;
    uint64_t *pack; // of one sim
    jmp_buf parting;
    int window;   // so many turns before they are brought back
    int64_t rest; // and so many alone, after they have parted
    lanes_count counted;
    int64_t parted[SITES];
};

static size_t arena_size(const lanes_code *code) { return (size_t)LANES_MAIN * (size_t)(1 + code->lanes); }

static lanes_worker *worker_of(const lanes_arena *a)
{
    return ((lanes_worker *const *)(const void *)(a + 1))[0];
}

static void part(lanes_arena *a, int32_t site)
{
    lanes_worker *w = worker_of(a);
    if (site >= 0 && site < SITES - LANES_MOST) {
        w->parted[site]++;
    } else if (site < 0 && site >= -LANES_MOST) {
        w->parted[SITES + site]++;
    }
    longjmp(w->parting, 1);
}

static uint64_t *main_words(const lanes_worker *w, uint64_t at)
{
    return (uint64_t *)(void *)((char *)w->arena + at);
}

static uint64_t *lane_words(const lanes_worker *w, uint64_t at)
{
    return lanes_words(w->arena, (char *)w->arena + at, w->code->lanes);
}

// ---- opened and closed ------------------------------------------------------------------------------------------

// Tables of kinds, the same in all lanes; what points into them points into these.
static void put_globals(lanes_worker *w)
{
    const lanes_code *c = w->code;
    uint64_t *main = main_words(w, LANES_GLOBALS), *all = lane_words(w, LANES_GLOBALS);
    memcpy(main, c->globals, (size_t)c->n_globals);
    uint64_t first = (uint64_t)(uintptr_t)c->globals, here = (uint64_t)(uintptr_t)main;
    for (int64_t k = 0; k < c->n_globals / 8; k++) {
        if (main[k] >= first && main[k] < first + (uint64_t)c->n_globals) {
            main[k] = main[k] - first + here;
        }
        for (int i = 0; i < c->lanes; i++) {
            all[k * c->lanes + i] = main[k];
        }
    }
}

lanes_worker *lanes_worker_open(const lanes_code *code, const gpu_layout *layout)
{
    lanes_worker *w = calloc(1, sizeof *w);
    void *memory = w ? mmap(NULL, arena_size(code), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                     : MAP_FAILED;
    if (memory == MAP_FAILED) {
        free(w);
        return NULL;
    }
    w->arena = memory;
    w->code = code;
    w->layout = layout;
    w->window = WINDOW_FIRST;
    w->arena->bail = part;
    memcpy(w->arena + 1, &w, sizeof(lanes_worker *));
    put_globals(w);
    w->system_at = (LANES_GLOBALS + (uint64_t)code->n_globals + 63) / 64 * 64;
    w->pack = malloc((size_t)layout->host_words * sizeof *w->pack);
    if (!w->pack) {
        lanes_worker_close(w);
        return NULL;
    }
    return w;
}

void lanes_worker_close(lanes_worker *w)
{
    if (w) {
        munmap(w->arena, arena_size(w->code));
        free(w->pack);
        free(w);
    }
}

lanes_count lanes_counted(const lanes_worker *w) { return w->counted; }

const int64_t *lanes_parted(const lanes_worker *w, int32_t site)
{
    return site >= 0 && site < SITES ? &w->parted[site] : NULL;
}

// ---- systems ----------------------------------------------------------------------------------------------------

// Numbers may differ from lane to lane, and nothing else: whole numbers and addresses have no exponent.
static bool is_number(uint64_t word)
{
    uint64_t exponent = word >> 52 & 0x7ff;
    return word << 1 == 0 || (exponent != 0 && exponent != 0x7ff);
}

// Words of a sim's block with whole numbers of its own (own_int), or with a gap.
static bool is_own(int64_t word)
{
    enum { FIRST = offsetof(bi_sim, judge.worst) / 8 };
    static const int64_t end = FIRST + (int64_t)(sizeof(((bi_sim *)0)->judge.worst) / 8);
    size_t own[STEPPER_OWN];
    stepper_own(own);
    bool is = word >= FIRST && word < end;
    for (int k = 0; k < STEPPER_OWN; k++) {
        is = is || word == (int64_t)((offsetof(bi_sim, stepper) + own[k]) / 8);
    }
    return is;
}

static bool may_differ(uint64_t a, uint64_t b) { return a == b || (is_number(a) && is_number(b)); }

// The system of lane i as it is in the arena. False: it is another one in more than numbers.
static bool put_system(lanes_worker *w, const bi_system *s, int i)
{
    const image_words *image = s->image;
    char *base = (char *)w->arena;
    uint64_t *main = main_words(w, w->system_at), *all = lane_words(w, w->system_at);
    uint64_t here = (uint64_t)(uintptr_t)main, there = (uint64_t)(uintptr_t)s;
    const bi_system *first = w->system[0];
    int lanes = w->code->lanes;
    int64_t n = (int64_t)(image->n_data + 7) / 8;
    if (i > 0 && (image->n_data != first->image->n_data || image->n_inner != first->image->n_inner ||
                  image->n_outer != first->image->n_outer)) {
        return false;
    }
    uint64_t *data = malloc((size_t)n * 8);
    if (!data) {
        return false;
    }
    memcpy(data, s, (size_t)image->n_data);
    for (uint64_t k = 0; k < image->n_inner; k++) {
        data[image->inner[k] / 8] += here - there;
    }
    for (uint64_t k = 0; k < image->n_outer; k++) {
        const image_outer *o = &image->outer[k];
        uint32_t thing = o->thing - 2; // less those of the C library, which no step calls
        uint64_t at = o->thing < 2 || thing >= GPU_THINGS ? 0 : w->code->things[thing];
        data[o->at / 8] = at == 0 ? 0 : (uint64_t)(uintptr_t)base + at + o->offset;
    }
    ((bi_system *)(void *)data)->hash = 0; // nothing reads it in a step
    bool fits = true;
    for (int64_t k = 0; i > 0 && k < n && fits; k++) {
        fits = may_differ(data[k], main[k]);
    }
    for (int64_t k = 0; k < n && fits; k++) {
        all[k * lanes + i] = data[k];
        main[k] = i == 0 ? data[k] : main[k];
    }
    free(data);
    w->system[i] = fits ? s : NULL;
    return fits;
}

static void settle_places(lanes_worker *w, const bi_system *s)
{
    w->block_at = (w->system_at + s->image->n_data + 127) / 64 * 64;
    w->behind = (w->block_at + (uint64_t)w->layout->host_words * 8 + 127) / 64 * 64;
}

// ---- sims -------------------------------------------------------------------------------------------------------

static const int64_t outside_word = offsetof(bi_sim, outside) / 8;

// Sim of lane i into the arena. False: it differs from that of lane 0 in more than numbers.
static bool bring(lanes_worker *w, const bi_sim *sim, int i)
{
    const gpu_layout *l = w->layout;
    int lanes = w->code->lanes;
    uint64_t *main = main_words(w, w->block_at), *all = lane_words(w, w->block_at), *p = w->pack;
    gpu_pack(l, sim, p);
    gpu_move(p, l->inner, l->n_inner, (uint64_t)(uintptr_t)sim, (uint64_t)(uintptr_t)main);
    gpu_move(p, l->system, l->n_system, (uint64_t)(uintptr_t)sim->system,
             (uint64_t)(uintptr_t)main_words(w, w->system_at));
    p[outside_word] = (uint64_t)(uintptr_t)((char *)w->arena + w->code->outside);
    bool fits = true;
    int64_t words = gpu_pack_words(l);
    for (int64_t k = 0; i > 0 && k < words && fits; k++) {
        int64_t at = k < l->hot ? k : l->log + (k - l->hot);
        fits = may_differ(p[k], main[at]) || is_own(at);
    }
    for (int64_t k = 0; k < words && fits; k++) {
        int64_t at = k < l->hot ? k : l->log + (k - l->hot);
        all[at * lanes + i] = p[k];
        main[at] = i == 0 ? p[k] : main[at];
    }
    return fits;
}

static void bring_back(lanes_worker *w, bi_sim *sim, int i)
{
    const gpu_layout *l = w->layout;
    int lanes = w->code->lanes;
    const uint64_t *all = lane_words(w, w->block_at);
    uint64_t *p = w->pack;
    int64_t words = gpu_pack_words(l);
    for (int64_t k = 0; k < words; k++) {
        int64_t at = k < l->hot ? k : l->log + (k - l->hot);
        p[k] = all[at * lanes + i];
    }
    gpu_move(p, l->inner, l->n_inner, (uint64_t)(uintptr_t)main_words(w, w->block_at),
             (uint64_t)(uintptr_t)sim);
    gpu_move(p, l->system, l->n_system, (uint64_t)(uintptr_t)main_words(w, w->system_at),
             (uint64_t)(uintptr_t)sim->system);
    p[outside_word] = (uint64_t)(uintptr_t)sim->outside;
    gpu_unpack(l, p, sim);
}

// ---- on their way -----------------------------------------------------------------------------------------------

typedef struct {
    bi_sim *sim[LANES_MOST]; // those that go along; the lanes behind them do what the first one does
    int number[LANES_MOST];  // among those asked for
    int count;
    bool is_there; // the arena has them as they are
} group;

static bool all_there(lanes_worker *w, group *g)
{
    int lanes = w->code->lanes;
    for (int i = 0; i < lanes; i++) {
        const bi_sim *sim = g->sim[i < g->count ? i : 0];
        if (w->system[i] != sim->system && !put_system(w, sim->system, i)) {
            return false;
        }
        if (!bring(w, sim, i)) {
            return false;
        }
    }
    return true;
}

// Who goes along with the first one: the others are done alone.
static void gather(lanes_worker *w, bi_sim *const *sim, int count, group *g, bool *is_alone)
{
    if (w->system[0] != sim[0]->system) {
        memset(w->system, 0, sizeof w->system);
        settle_places(w, sim[0]->system);
        put_system(w, sim[0]->system, 0);
    }
    bring(w, sim[0], 0);
    *g = (group){ .sim = { sim[0] }, .count = 1 };
    for (int k = 1; k < count; k++) {
        int i = g->count;
        bool goes =
            (w->system[i] == sim[k]->system || put_system(w, sim[k]->system, i)) && bring(w, sim[k], i);
        is_alone[k] = !goes;
        if (goes) {
            g->number[g->count] = k;
            g->sim[g->count++] = sim[k];
        }
    }
}

static int turn(const lanes_worker *w, const gpu_work *work)
{
    char *base = (char *)w->arena;
    return work->steps < 0 ? w->code->step_toward(w->arena, base + w->behind, base + w->block_at, work->t)
                           : w->code->step(w->arena, base + w->behind, base + w->block_at);
}

// Some turns side by side. Below 0: lanes have parted, and nothing of it counts; TURN_DONE: there are no more.
static int together(lanes_worker *w, const gpu_work *work, int64_t turns, int64_t *done)
{
    volatile int64_t n = 0;
    volatile int how = BI_OK;
    if (setjmp(w->parting) != 0) {
        return -1;
    }
    while (n < turns && how == BI_OK) {
        how = turn(w, work);
        n = n + 1;
    }
    *done = n;
    return how == TURN_STOPPED ? -1 : how;
}

// The same for one sim; BI_OK: there may be more.
static bool alone(bi_sim *sim, const gpu_work *work, int64_t turns, bi_status *status)
{
    for (int64_t k = 0; k < turns; k++) {
        if (*status != BI_OK || bi_sim_stopped(sim)) {
            return false;
        }
        double now = bi_sim_time(sim);
        bool is_last = work->steps < 0 && !(work->t - now > 1.25 * sim->system->options.dt);
        if (work->steps < 0 && !(now < work->t)) {
            return false;
        }
        *status = is_last ? bi_sim_step_to(sim, work->t) : bi_sim_step(sim);
    }
    return *status == BI_OK;
}

static void all_the_way(lanes_worker *w, bi_sim *sim, const gpu_work *work, bi_status *status)
{
    alone(sim, work, work->steps < 0 ? INT64_MAX : work->steps, status);
    w->counted.alone += work->steps < 0 ? 0 : work->steps;
}

// The next turns of all that go along, one sim after the other; those that end, or fail, go along no more.
static void take_apart(lanes_worker *w, group *g, const gpu_work *work, int64_t turns, bi_status *status)
{
    group next = { .count = 0 };
    for (int i = 0; i < g->count; i++) {
        if (alone(g->sim[i], work, turns, &status[g->number[i]])) {
            next.number[next.count] = g->number[i];
            next.sim[next.count++] = g->sim[i];
        }
        w->counted.alone += turns;
    }
    *g = next;
}

// Lanes that part at once, again and again, are left alone for longer and longer before they are tried together.
static int64_t apart_for(lanes_worker *w)
{
    bool is_hopeless = w->window == WINDOW_LEAST;
    w->window = is_hopeless ? WINDOW_LEAST : w->window / 2;
    w->rest = !is_hopeless ? 0 : w->rest == 0 ? REST_FIRST : w->rest < REST_MOST ? 2 * w->rest : REST_MOST;
    return w->rest;
}

static void went_together(lanes_worker *w, const group *g, int64_t turns)
{
    for (int i = 0; i < g->count; i++) {
        bring_back(w, g->sim[i], i);
    }
    w->counted.together += turns * g->count;
    w->window = w->window < WINDOW_MOST ? 2 * w->window : WINDOW_MOST;
    w->rest = 0;
}

// Who cannot go along from the beginning is done; the lanes that are left do what the first one does.
static void set_out(lanes_worker *w, bi_sim *const *sim, int count, const gpu_work *work, bi_status *status,
                    group *g)
{
    bool is_alone[LANES_MOST] = { false };
    gather(w, sim, count, g, is_alone);
    g->is_there = true;
    for (int i = g->count; i < w->code->lanes && g->is_there; i++) {
        g->is_there = (w->system[i] == g->sim[0]->system || put_system(w, g->sim[0]->system, i)) &&
                      bring(w, g->sim[0], i);
    }
    for (int k = 0; k < count; k++) {
        if (is_alone[k]) {
            all_the_way(w, sim[k], work, &status[k]);
        }
    }
}

void lanes_go(lanes_worker *w, bi_sim *const *sim, int count, const gpu_work *work, bi_status *status)
{
    group g;
    int64_t left = work->steps < 0 ? INT64_MAX : work->steps;
    set_out(w, sim, count, work, status, &g);
    while (left > 0 && g.count > 0) {
        int64_t turns = w->window < left ? w->window : left, done = turns;
        bool goes = g.is_there || all_there(w, &g);
        int how = goes ? together(w, work, turns, &done) : -1;
        if (how >= 0) {
            g.is_there = true;
            went_together(w, &g, done);
            left = how == TURN_DONE ? 0 : left - done;
            continue;
        }
        turns += goes ? apart_for(w) : REST_MOST; // or they have come to differ in more than numbers
        turns = turns < left ? turns : left;
        take_apart(w, &g, work, turns, status);
        g.is_there = false;
        left -= turns;
    }
}
