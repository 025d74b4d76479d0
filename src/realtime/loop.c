// SPDX-License-Identifier: MIT
// The caller's side of a loop: memory, thread, rings.
#include "realtime/engine.h"
#include <biela/flex.h>
#include <biela/look.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { COMMANDS = 256, LOG = 1 << 16, NOTICES = 64 };
static const size_t usual_memory = (size_t)64 << 20;

const char *bi_loop_room_name(bi_loop_room room)
{
    static const char *const name[] = { "step", "ghost", "history", "frame", "log" };
    return (unsigned)room < BI_ROOMS ? name[room] : "";
}

static bool make_ring(ring *r, size_t size, size_t capacity)
{
    r->item = malloc(size * capacity);
    r->size = size;
    r->capacity = capacity;
    atomic_init(&r->head, 0);
    atomic_init(&r->tail, 0);
    if (r->item) {
        memset(r->item, 0xff, size * capacity);
    }
    return r->item != NULL;
}

static void *make_array(int count, size_t size) { return calloc((size_t)(count > 0 ? count : 1), size); }

// Bodies with a mesh; their amplitudes are part of a frame. Gives their number, -1: no memory.
static int find_modes(engine *e, const bi_model *model)
{
    int count = 0;
    e->flexible = make_array(bi_model_body_count(model), sizeof *e->flexible);
    for (int b = 1; e->flexible && b <= bi_model_body_count(model); b++) {
        const bi_flex *flex = bi_model_flex(model, (bi_body){ b });
        if (flex) {
            e->flexible[e->n_flexible++] = (bi_body){ b };
            count += bi_flex_modes(flex)->n_mode;
        }
    }
    return e->flexible ? count : -1;
}

static bool make_frame(bi_loop_frame *f, const bi_system *system, int n_body, int n_arrow, int n_mode)
{
    f->n_mode = n_mode;
    f->mode = make_array(n_mode, sizeof *f->mode);
    f->n_body = n_body;
    f->n_channel = bi_channel_count(system);
    f->n_input = bi_input_count(system);
    f->pose = make_array(n_body, sizeof *f->pose);
    f->ghost = make_array(n_body, sizeof *f->ghost);
    f->channel = make_array(f->n_channel, sizeof *f->channel);
    f->arrow = make_array(n_arrow, sizeof *f->arrow);
    f->input = make_array(f->n_input, sizeof *f->input);
    return f->pose && f->ghost && f->channel && f->arrow && f->input && f->mode;
}

static bool make_inputs(bi_loop *loop, const bi_model *model)
{
    engine *e = &loop->engine;
    e->n_input = bi_input_count(e->system);
    e->safe = make_array(e->n_input, sizeof *e->safe);
    e->in_use = make_array(e->n_input, sizeof *e->in_use);
    e->input_id = make_array(e->n_input, sizeof *e->input_id);
    loop->input = make_array(e->n_input, sizeof *loop->input);
    if (!e->safe || !e->in_use || !e->input_id || !loop->input) {
        return false;
    }
    for (int k = 0; k < e->n_input; k++) {
        bi_input_info info = { 0 };
        e->input_id[k] = bi_find_input(e->system, bi_input_name(e->system, k));
        bi_model_input_info(model, bi_model_input(model, bi_input_name(e->system, k)), &info);
        e->in_use[k] = info.initial;
        e->safe[k] = e->options.is_kept && e->options.is_kept[k] ? NAN : info.initial;
        bi_loop_input(loop, k, info.initial);
    }
    return true;
}

static bool make_pipe(int wake[2])
{
    if (pipe(wake) != 0) {
        wake[0] = wake[1] = -1;
        return false;
    }
    for (int k = 0; k < 2; k++) {
        fcntl(wake[k], F_SETFL, O_NONBLOCK);
        fcntl(wake[k], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

static bool make_engine(bi_loop *loop, const bi_model *model)
{
    engine *e = &loop->engine;
    bi_loop_options *o = &e->options;
    e->dt = bi_system_dt(e->system);
    e->speed = o->speed > 0.0 ? o->speed : 1.0;
    o->frame_rate = o->frame_rate > 0.0 ? o->frame_rate : 60.0;
    o->memory = o->memory > 0 ? o->memory : usual_memory;
    o->hash_every = o->hash_every > 0 ? o->hash_every : (int)fmax(1.0, fmin(round(0.5 / e->dt), 1e6));
    e->is_paused = o->is_paused;
    e->target = e->judged = -1;
    e->running_since = -1.0;
    e->ghost.is_wanted = true;
    e->n_event = bi_sim_event_count(e->sim);
    size_t size = bi_sim_save(e->sim, NULL, 0);
    e->snapshot = malloc(size);
    e->snapshot_room = size;
    e->ghost.sim = bi_sim_create(e->system);
    // a second of steps between keyframes at first
    bool is_good = history_create(&e->past, size, bi_input_count(e->system), o->memory,
                                  (int64_t)fmax(1.0, round(1.0 / e->dt)));
    if (!is_good || !e->snapshot || !e->ghost.sim || !make_inputs(loop, model)) {
        return false;
    }
    e->ghost.inputs = (change_list){ .item = malloc((size_t)e->past.changes.capacity * sizeof(input_change)),
                                     .capacity = e->past.changes.capacity };
    history_reached(&e->past, e->sim, e->in_use, 0);
    for (int64_t k = 0; k < o->n_past; k++) {
        const bi_log_entry *c = &o->past[k];
        history_change(&e->past, (input_change){ c->step, c->input, c->value });
    }
    e->end = o->past_steps;
    e->is_rewound = o->past_steps > 0;
    return e->ghost.inputs.item && beside_create(e);
}

// What is not said is zero; nothing is below it, and nothing endless.
static bool is_usable(const bi_loop_options *o)
{
    return isfinite(o->speed) && o->speed >= 0.0 && isfinite(o->frame_rate) && o->frame_rate >= 0.0 &&
           isfinite(o->time) && o->time >= 0.0 && o->hash_every >= 0 && o->n_arrow >= 0 && o->n_past >= 0 &&
           o->past_steps >= 0 && (o->n_past == 0 || o->past);
}

bi_loop *bi_loop_create(const bi_model *model, const bi_system *system, bi_sim *sim,
                        const bi_loop_options *options)
{
    const bi_loop_options usual = { 0 };
    options = options ? options : &usual;
    if (!model || !system || !sim || bi_sim_view(sim).n_body == 0 || !is_usable(options)) {
        return NULL;
    }
    bi_loop *loop = aligned_alloc(_Alignof(bi_loop), sizeof *loop);
    if (!loop) {
        return NULL;
    }
    memset(loop, 0, sizeof *loop);
    loop->engine.system = system;
    loop->engine.sim = sim;
    loop->engine.options = *options;
    mailbox_start(&loop->mail);
    atomic_init(&loop->is_stopping, false);
    bool is_good = make_pipe(loop->wake) && make_ring(&loop->commands, sizeof(bi_loop_command), COMMANDS) &&
                   make_ring(&loop->log, sizeof(bi_log_entry), LOG) &&
                   make_ring(&loop->notices, sizeof(bi_loop_notice), NOTICES) && make_engine(loop, model);
    int n_mode = is_good ? find_modes(&loop->engine, model) : -1;
    is_good = n_mode >= 0;
    for (int k = 0; is_good && k < 3; k++) {
        is_good = make_frame(&loop->frame[k], system, bi_sim_view(sim).n_body, options->n_arrow, n_mode);
    }
    if (!is_good) {
        bi_loop_destroy(loop);
        return NULL;
    }
    // somebody may look before the first frame
    engine_publish(loop);
    return loop;
}

void bi_loop_destroy(bi_loop *loop)
{
    if (!loop) {
        return;
    }
    bi_loop_stop(loop);
    engine *e = &loop->engine;
    for (int k = 0; k < 3; k++) {
        free(loop->frame[k].pose);
        free(loop->frame[k].ghost);
        free(loop->frame[k].channel);
        free(loop->frame[k].arrow);
        free(loop->frame[k].input);
        free(loop->frame[k].mode);
    }
    for (int k = 0; k < 2; k++) {
        if (loop->wake[k] >= 0) {
            close(loop->wake[k]);
        }
    }
    free(e->flexible);
    history_clear(&e->past);
    bi_sim_destroy(e->ghost.sim);
    free(e->ghost.inputs.item);
    beside_clear(e);
    free(e->snapshot);
    free(e->safe);
    free(e->in_use);
    free(e->input_id);
    free(loop->input);
    free(loop->commands.item);
    free(loop->log.item);
    free(loop->notices.item);
    free(loop);
}

bool bi_loop_start(bi_loop *loop)
{
    if (!loop) {
        return false;
    }
    if (!loop->is_running && loop->engine.options.is_threadless) {
        engine_begin(loop);
        loop->is_running = true;
    }
    loop->is_running = loop->is_running || pthread_create(&loop->thread, NULL, engine_run, loop) == 0;
    return loop->is_running;
}

double bi_loop_turn(bi_loop *loop, double longest)
{
    if (!loop || !loop->is_running || !loop->engine.options.is_threadless || !(longest >= 0.0)) {
        return NAN;
    }
    double wait = engine_turns(loop, longest);
    if (loop->engine.is_done) {
        bi_loop_stop(loop);
    }
    return wait;
}

void bi_loop_stop(bi_loop *loop)
{
    if (loop && loop->is_running && loop->engine.options.is_threadless) {
        engine_end(loop);
        loop->is_running = false;
    } else if (loop && loop->is_running) {
        atomic_store_explicit(&loop->is_stopping, true, memory_order_relaxed);
        pthread_join(loop->thread, NULL);
        loop->is_running = false;
    }
}

bool bi_loop_send(bi_loop *loop, bi_loop_command command)
{
    return loop && (unsigned)command.order <= BI_LOOP_SAFE && isfinite(command.value) &&
           ring_put(&loop->commands, &command);
}

void bi_loop_input(bi_loop *loop, int k, double value)
{
    if (loop && k >= 0 && k < bi_input_count(loop->engine.system) && isfinite(value)) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        atomic_store_explicit(&loop->input[k], bits, memory_order_relaxed);
    }
}

const bi_loop_frame *bi_loop_latest(bi_loop *loop, bool *is_new)
{
    bool is_newer = loop && mailbox_look(&loop->mail);
    if (is_new) {
        *is_new = is_newer;
    }
    return loop ? &loop->frame[loop->mail.front] : NULL;
}

bool bi_loop_log(bi_loop *loop, bi_log_entry *entry) { return loop && entry && ring_take(&loop->log, entry); }

bool bi_loop_next_notice(bi_loop *loop, bi_loop_notice *notice)
{
    return loop && notice && ring_take(&loop->notices, notice);
}

int bi_loop_wake(const bi_loop *loop) { return loop ? loop->wake[0] : -1; }

void bi_loop_slept(bi_loop *loop)
{
    char bytes[256];
    while (loop && read(loop->wake[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {
    }
}
