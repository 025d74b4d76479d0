// SPDX-License-Identifier: MIT
#include "live/live.h"
#include "cli/progress.h"
#include "cli/words.h"
#include "running/events.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double report_period = 1.0, timeline_period = 0.25, flush_period = 0.1; // s of the clock
static const double silence = 1.0; // s after which a driver's page counts as gone: inputs become safe
static const double slice = 0.005; // s of each round in which a recording is simulated for its plots
static const size_t enough_waiting = (size_t)1
                                     << 20; // bytes: a client that has not taken these gets no frames

double live_clock(void) { return progress_clock(); }

// ---- runs ------------------------------------------------------------------------------------------------------

static void run_close(live_run *run)
{
    live_modes_close(run->modes);
    (void)live_record_end(run);
    bi_loop_destroy(run->loop);
    live_arrows_clear(&run->arrows);
    free(run->scene);
    free(run->inside);
    free(run->instructors);
    for (int k = 0; k < run->n_comment; k++) {
        free(run->comment[k]);
    }
    free(run->comment);
    live_past_close(run->past);
    live_history_destroy(run->history);
    session_close(&run->s);
    rerun_close(&run->recorded);
    *run = (live_run){ 0 };
}

// With other parameters both are seen: what was recorded moves beside this run.
static void open_recorded(live_run *run, const rerun_source *source)
{
    char *hash = words_format("%016" PRIx64, bi_system_hash(run->s.system));
    const char *then = bi_recording_note(&source->recording, "system");
    if (then && strcmp(then, hash) != 0 && rerun_open(&run->recorded, source, NULL, 0, 1) != CLI_OK) {
        rerun_close(&run->recorded);
    }
    free(hash);
}

// A step that the error chooses cannot keep time: the first step of such a model is used throughout.
static exit_code open_with_fixed_step(session *s, const session_request *request)
{
    exit_code code = session_open(s, request);
    if (code == CLI_OK && s->run.start_time != 0.0) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "start_time",
                      "a drive begins at t = 0, and the file says %g s: take a case of 'runs' without it",
                      s->run.start_time);
        return CLI_BAD;
    }
    if (code != CLI_OK || !s->run.is_auto) {
        return code;
    }
    char *dt = words_format("%.17g s", s->run.dt);
    session_request fixed = *request;
    fixed.dt = dt;
    fixed.tolerance = NULL;
    session_close(s);
    code = session_open(s, &fixed);
    free(dt);
    return code;
}

static exit_code run_open(live_run *run, const session_request *request, const rerun_source *source)
{
    *run = (live_run){ 0 };
    exit_code code = open_with_fixed_step(&run->s, request);
    if (code != CLI_OK) {
        return code;
    }
    if (source) {
        // unpacked in some folder, the model has its own name still
        const char *name = bi_recording_note(&source->recording, "model");
        free(run->s.short_name);
        run->s.short_name = words_format("%s", name ? name : "recording");
        (void)rerun_load_start(source, &run->s);
    }
    run->arrows = live_arrows_make(run->s.model, run->s.system);
    run->history = live_history_create(bi_channel_count(run->s.system));
    run->instructors = live_instructor_inputs(&run->s);
    run->scene =
        live_scene(&run->s, &run->arrows, source ? "replay" : "drive", request->run_name, &run->n_scene);
    return run->scene ? CLI_OK : CLI_MACHINE;
}

// The arrows' table must not move any more: the loop keeps its address.
static bool run_start(live_run *run, bi_loop_options options)
{
    options.n_arrow = live_arrows_count(&run->arrows);
    options.arrows = live_arrows_fill;
    options.data = &run->arrows;
    options.is_kept = run->instructors;
    run->loop = bi_loop_create(run->s.model, run->s.system, run->s.sim, &options);
    return run->loop && bi_loop_start(run->loop);
}

bool live_start(live *l, const session_request *request)
{
    // a drive goes on without its usual recording, but not without one that was asked for by name
    l->lacks_recording = l->is_recorded && !live_record_begin(l, request) && l->record_path;
    if (l->lacks_recording) {
        return false;
    }
    live_take_comments(l);
    l->run.modes = live_modes_open(&l->run.s, request);
    bi_loop_options options = l->loop_options;
    options.is_paused = options.is_paused || l->is_waiting;
    if (l->source) {
        options.past = l->source->track.change;
        options.n_past = l->source->track.n_change;
        options.past_steps = l->source->track.steps;
        open_recorded(&l->run, l->source);
        options.recorded = l->run.recorded.s.sim;
        options.recorded_system = l->run.recorded.s.system;
        // the settings of the recording are among those of the request already
        l->run.past_end = INFINITY;
        l->run.past = live_past_open(l->source, request->setting, request->n_setting);
    }
    return run_start(&l->run, options);
}

exit_code live_open(live *l, const session_request *request, const bi_loop_options *options,
                    const rerun_source *source)
{
    *l = (live){ .request = *request,
                 .n_own = request->n_setting,
                 .loop_options = *options,
                 .source = source,
                 .driver = -1,
                 .driver_left = -1.0 };
    exit_code code = run_open(&l->run, request, source);
    session_print_messages(&l->run.s);
    return code;
}

void live_close(live *l)
{
    live_devices_close(l);
    bi_server_destroy(l->server);
    l->server = NULL;
    run_close(&l->run);
    (void)book_close(l->book);
    l->book = NULL;
    exercise_close(l->exercise);
    l->exercise = NULL;
    free(l->chosen_model);
    free(l->chosen_run);
    l->chosen_model = l->chosen_run = NULL;
    session_request_clear(&(session_request){ .setting = l->chosen_setting, .n_setting = l->n_chosen });
    free(l->packet);
    live_scenario_forget(l);
    free(l->report_path);
    l->report_path = NULL;
    free(l->resource);
    l->packet = l->resource = NULL;
}

// Settings of the command line, of the exercise, and further ones; free the list only.
static bi_setting *all_settings(const live *l, const exercise *ex, const bi_setting *more, int n_more,
                                int *count)
{
    int n_exercise = ex ? exercise_setting_count(ex) : 0;
    bi_setting *all = words_alloc((size_t)(l->n_own + n_exercise + n_more + 1) * sizeof *all);
    *count = 0;
    for (int k = 0; k < l->n_own; k++) {
        all[(*count)++] = l->request.setting[k];
    }
    for (int k = 0; k < n_exercise; k++) {
        all[(*count)++] = exercise_setting(ex, k);
    }
    for (int k = 0; k < n_more; k++) {
        all[(*count)++] = more[k];
    }
    return all;
}

bi_setting *live_settings(const live *l, const exercise *ex, int *count)
{
    return all_settings(l, ex, NULL, 0, count);
}

void live_first_error(const bi_report *report, const char *usual, char *why, size_t size)
{
    snprintf(why, size, "%s", usual);
    for (int k = report->count - 1; k >= 0; k--) {
        if (report->issue[k].severity == BI_ERROR) {
            snprintf(why, size, "%s: %s", report->issue[k].where, report->issue[k].what);
        }
    }
}

bool live_restart(live *l, exercise *ex, const bi_setting *more, int n_more, const char *run_name, char *why,
                  size_t size)
{
    session_request request = l->request;
    request.setting = all_settings(l, ex, more, n_more, &request.n_setting);
    request.run_name = run_name ? run_name : request.run_name;
    live_run *next = words_alloc(sizeof *next);
    bool is_good = run_open(next, &request, l->source) == CLI_OK &&
                   (!ex || exercise_bind(ex, next->s.path, next->s.model, next->s.system, &next->s.report));
    if (is_good) {
        book_leave(l->book);
        l->record_path = l->run.loop ? NULL : l->record_path;
        run_close(&l->run);
        l->run = *next;
        if (ex != l->exercise) {
            exercise_close(l->exercise);
            l->exercise = ex;
        }
        if (ex) {
            exercise_reset(ex);
        }
        l->event_t = -1.0;
        l->is_rewound = false;
        live_devices_choose(l);
        is_good = live_start(l, &request);
        snprintf(why, size, "no memory for the new run");
    } else {
        live_first_error(&next->s.report, "the model refuses these settings", why, size);
        run_close(next);
        if (ex != l->exercise) {
            exercise_close(ex);
        }
    }
    free(next);
    free(request.setting);
    return is_good;
}

// ---- other parameters while it runs -----------------------------------------------------------------------------------

// The controls stay as they are in hand, time goes as fast as before.
static bool go_on_like(live *l, const session_request *request, const bi_loop_frame *before)
{
    int n = before->n_input;
    double *input = words_alloc((size_t)(n + 1) * sizeof *input);
    memcpy(input, before->input, (size_t)n * sizeof *input);
    const bi_loop_options usual = l->loop_options;
    l->loop_options.is_paused = (before->flags & BI_FRAME_PAUSED) != 0;
    l->loop_options.speed = before->speed;
    run_close(&l->run);
    l->run = l->next;
    l->next = (live_run){ 0 };
    l->record_path = NULL;
    l->event_t = -1.0;
    l->is_rewound = false;
    live_devices_choose(l);
    bool is_good = live_start(l, request);
    l->loop_options = usual;
    for (int k = 0; is_good && k < n && k < bi_input_count(l->run.s.system); k++) {
        bi_loop_input(l->run.loop, k, input[k]);
    }
    free(input);
    return is_good;
}

static const char
    has_exercise[] = "an exercise is driven with its own parameters: restart with these",
    is_replay[] = "a recording keeps its parameters until somebody takes over: restart with these",
    other_variables[] =
        "these parameters change what the model is made of, not only its numbers: restart with them",
    no_state[] = "with these parameters the machine cannot stand as it did: it begins anew";

bool live_carry(live *l, const bi_setting *more, int n_more, const char *run_name, char *why, size_t size)
{
    if (l->exercise || l->source) {
        snprintf(why, size, "%s", l->exercise ? has_exercise : is_replay);
        return false;
    }
    session_request request = l->request;
    request.setting = all_settings(l, NULL, more, n_more, &request.n_setting);
    request.run_name = run_name ? run_name : request.run_name;
    bool is_good = run_open(&l->next, &request, NULL) == CLI_OK;
    if (!is_good) {
        live_first_error(&l->next.s.report, "the model refuses these settings", why, size);
    } else if (!bi_system_is_alike(l->next.s.system, l->run.s.system)) {
        is_good = false;
        snprintf(why, size, "%s", other_variables);
    } else {
        // what is shown after the last step is where the next one begins
        bi_loop_stop(l->run.loop);
        bool is_there = bi_sim_carry(l->next.s.sim, l->run.s.sim, NULL) == BI_OK;
        l->next.is_carried = is_there;
        is_good = go_on_like(l, &request, bi_loop_latest(l->run.loop, NULL));
        snprintf(why, size, "%s", !is_good ? "no memory for the new run" : is_there ? "" : no_state);
    }
    run_close(&l->next);
    free(request.setting);
    return is_good;
}

// ---- what goes out -----------------------------------------------------------------------------------------------

static bool can_take(const live *l, int k)
{
    const live_client *c = &l->client[k];
    return c->is_open && c->n_waiting < LIVE_WINDOW && bi_server_waiting(l->server, k) < enough_waiting;
}

// Whether a client has not got this frame. One that could take none when it was new gets it later: it may be the last
// for long.
static bool lacks(const live_client *c, uint32_t number)
{
    return c->is_open && (c->frames == 0 || c->last != number);
}

void live_send_packet(live *l, uint32_t number)
{
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        live_client *c = &l->client[k];
        if (lacks(c, number) && can_take(l, k) &&
            bi_server_send_binary(l->server, k, l->packet, l->n_packet)) {
            c->waiting[c->n_waiting++] = number;
            c->last = number;
            c->frames++;
        }
    }
}

static void send_frame(live *l, const bi_loop_frame *frame)
{
    bool is_wanted = false;
    for (int k = 0; k < LIVE_CLIENTS; k++) {
        is_wanted = is_wanted || (lacks(&l->client[k], frame->number) && can_take(l, k));
    }
    if (is_wanted) {
        live_encode(l, frame);
        live_send_packet(l, frame->number);
    }
}

static void write_verdict(json *j, const bi_loop_frame *f)
{
    open_report_verdict(j);
    put_verdict_outcome(j, bi_outcome_name(f->outcome));
    if (f->outcome != BI_GOOD) {
        put_verdict_line(j, f->verdict);
    }
    json_end(j);
}

static double per_time_spent(const bi_deadlines *d, bi_loop_room room)
{
    return d->room[room] > 0.0 ? d->simulated / d->room[room] : 0.0;
}

static void write_rooms(json *j, const bi_deadlines *d)
{
    static_assert(BI_ROOMS == 5, "every room is told");
    open_report_rooms(j);
    put_rooms_step(j, per_time_spent(d, BI_ROOM_STEP));
    put_rooms_ghost(j, per_time_spent(d, BI_ROOM_GHOST));
    put_rooms_history(j, per_time_spent(d, BI_ROOM_HISTORY));
    put_rooms_frame(j, per_time_spent(d, BI_ROOM_FRAME));
    put_rooms_log(j, per_time_spent(d, BI_ROOM_LOG));
    json_end(j);
}

static void send_report(live *l, const bi_loop_frame *f)
{
    const bi_deadlines *d = &f->deadlines;
    outgoing o;
    json *j = outgoing_begin(&o, begin_report);
    if (!j) {
        return;
    }
    put_report_steps(j, d->steps);
    put_report_worst_us(j, 1e6 * d->worst);
    put_report_worst_t(j, d->worst_t);
    put_report_mean_us(j, d->steps > 0 ? 1e6 * d->sum / (double)d->steps : 0.0);
    put_report_misses(j, d->misses);
    put_report_slips(j, d->slips);
    put_report_slipped(j, d->slipped);
    put_report_factor(j, f->reached);
    put_report_deadline_us(j, 1e6 * bi_system_dt(l->run.s.system) / f->speed);
    open_report_histogram(j);
    for (int k = 0; k < BI_DEADLINE_BINS; k++) {
        json_integer(j, NULL, d->histogram[k]);
    }
    json_end(j);
    write_rooms(j, d);
    write_verdict(j, f);
    live_send(l, -1, &o);
}

void live_send_timeline(live *l, const bi_timeline *line)
{
    outgoing o;
    json *j = outgoing_begin(&o, begin_timeline);
    if (!j) {
        return;
    }
    put_timeline_begin(j, line->begin);
    put_timeline_end(j, line->end);
    put_timeline_now(j, line->now);
    put_timeline_branch(j, line->branch);
    put_timeline_recording(j, l->run.recorder ? bi_recorder_path(l->run.recorder) : NULL);
    live_send(l, -1, &o);
}

static void put_touch(json *j, const bi_loop_notice *n)
{
    const bi_hit *h = &n->hit;
    if (n->number >= 0) {
        put_event_number(j, n->number);
    }
    if (h->a.i == 0) {
        return;
    }
    open_event_hit(j);
    put_hit_a(j, h->title_a);
    put_hit_b(j, h->title_b);
    open_hit_at(j);
    live_write_vec3(j, h->at);
    put_hit_speed(j, sqrt(h->velocity.x * h->velocity.x + h->velocity.y * h->velocity.y +
                          h->velocity.z * h->velocity.z));
    put_hit_closing(j, h->closing);
    put_hit_force(j, h->force);
    put_hit_energy(j, h->energy);
    put_hit_over(j, isfinite(h->until));
    json_end(j);
}

static void print_notice(const bi_loop_notice *n)
{
    char touch[EVENTS_TOUCH];
    fprintf(stderr, "biela: t = %.6g s: %s: %s\n", n->t, n->name,
            events_touch(&n->hit, touch) ? touch : n->text);
}

void live_send_notices(live *l)
{
    bi_loop_notice n;
    while (bi_loop_next_notice(l->run.loop, &n)) {
        live_exercise_event(l, &n);
        outgoing o;
        json *j = outgoing_begin(&o, begin_event);
        if (!j) {
            return;
        }
        put_event_t(j, n.t);
        put_event_name(j, n.name);
        put_event_text(j, n.text);
        put_touch(j, &n);
        live_send(l, -1, &o);
        // a touch that lasts is one line, and one more when it is over
        if (!l->is_quiet && (n.hit.a.i == 0 || !(n.hit.force > 0.0) || isfinite(n.hit.until))) {
            print_notice(&n);
        }
    }
}

// ---- who holds the controls ----------------------------------------------------------------------------------------

// Nobody there, or a page that has not been heard of for a while: the machine must not go on with its last inputs.
static void watch_driver(live *l, double now)
{
    bool is_silent = l->driver >= 0 && now - l->client[l->driver].last_heard > silence;
    bool is_left = l->driver < 0 && l->driver_left >= 0.0;
    // a device in the driver's hand is a driver, too
    bool has_device = l->devices && bi_devices_count(l->devices) > 0;
    bool must_be_safe = l->device_lost || (!has_device && (is_silent || is_left));
    if (must_be_safe != l->is_safe &&
        bi_loop_send(l->run.loop, (bi_loop_command){ BI_LOOP_SAFE, must_be_safe ? 1.0 : 0.0 })) {
        l->is_safe = must_be_safe;
    }
}

// Pieces of a tenth of a second: that is what a kill may cost.
static void flush_recording(live *l, double now)
{
    bi_recorder *recorder = l->run.recorder;
    if (!recorder || now < l->next_flush) {
        return;
    }
    l->next_flush = now + flush_period;
    if (!bi_recorder_flush(recorder) && !l->run.told_failure) {
        l->run.told_failure = true;
        fprintf(stderr, "biela: error: the recording stops: %s\n", bi_recorder_failure(recorder));
        if (l->server) {
            live_error(l, -1, "the recording stops: the disk refuses");
        }
    }
}

// Frames as they come while the machine runs; of a recording what it holds, before anybody has looked at it.
static void keep_history(live *l, const bi_loop_frame *frame, bool is_new)
{
    live_run *run = &l->run;
    bool is_rewound = (frame->flags & BI_FRAME_REWOUND) != 0;
    if (!is_rewound) {
        run->past_end = fmin(run->past_end, frame->t);
    }
    if (run->past && !live_past_pump(run->past, run->history, slice, run->past_end)) {
        live_past_close(run->past);
        run->past = NULL;
    }
    if (is_new && !is_rewound && !run->past) {
        live_history_add(run->history, frame->t, frame->channel);
    }
}

void live_pump(live *l)
{
    bi_log_entry entry;
    bool is_new;
    double now = live_clock();
    bi_loop_slept(l->run.loop);
    while (bi_loop_log(l->run.loop, &entry)) {
        if (l->run.recorder) {
            bi_recorder_add(l->run.recorder, &entry);
        }
    }
    flush_recording(l, now);
    const bi_loop_frame *frame = bi_loop_latest(l->run.loop, &is_new);
    live_exercise_pump(l, frame, is_new);
    live_status(l, frame, now);
    keep_history(l, frame, is_new);
    if (l->devices) {
        bi_devices_poll(l->devices);
        live_devices_feel(l, frame);
        watch_driver(l, now);
    }
    if (!l->server) {
        if (l->exercise) {
            live_send_notices(l); // faults are among them
        }
        return;
    }
    send_frame(l, frame);
    live_send_notices(l);
    char *modes = live_modes_pump(l->run.modes, frame, now);
    if (modes) {
        live_say(l, -1, modes);
        free(modes);
    }
    watch_driver(l, now);
    if (now >= l->next_report) {
        send_report(l, frame);
        l->next_report = now + report_period;
    }
    if (now >= l->next_timeline) {
        live_send_timeline(l, &frame->timeline);
        l->next_timeline = now + timeline_period;
    }
}
