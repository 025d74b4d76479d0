// SPDX-License-Identifier: MIT
// Inside of a loop: what belongs to the engine's thread, and what the two threads share.
#pragma once
#include "realtime/history.h"
#include "realtime/ring.h"
#include <biela/realtime.h>
#include <pthread.h>

// The old future after somebody took over, computed beside the present.
typedef struct {
    bi_sim *sim;
    change_list inputs;
    int64_t next;      // change to come
    int64_t step, end; // steps done, and where the old timeline ended
    bool is_there, is_wanted;
} ghost_track;

// A recorded drive of another system with the same inputs (options.recorded); it knows no way back but its start.
typedef struct {
    bi_sim *sim; // NULL: none
    char *start; // snapshot (size)
    size_t size;
    bi_input *input_id; // (n_input) of the inputs of our system; unset: it has none of that name
    int64_t next, step; // change to come, steps done
} beside_track;

// An event whose touch lasts, and what was sent of it.
typedef struct {
    int number;      // from 1; 0: none
    double t, force; // s, N
} told_hit;

typedef struct {
    // constant
    const bi_system *system;
    bi_sim *sim;
    bi_loop_options options;
    double dt, *safe; // s; inputs when nobody holds the controls, NAN: as they are (n_input)
    int n_input;
    bi_input *input_id; // (n_input)
    bi_body *flexible;  // (n_flexible) bodies with a mesh
    int n_flexible;
    // the run
    int64_t step, end; // steps done in the state shown; in the timeline
    int64_t next;      // change to come, while rewound
    double *in_use;    // inputs (n_input)
    bool is_paused, is_rewound, is_ended, is_safe, has_arrows, is_done;
    int64_t steps_asked; // by BI_LOOP_STEP; 0: none
    int64_t target;      // step being sought; -1: none
    int branch;
    int n_event;        // events of the sim that were sent
    told_hit told[8];   // events whose touch lasts
    int64_t judged;     // step at which the verdict was looked at; -1: not in this timeline
    bi_outcome outcome; // of the verdict then
    char verdict[BI_VERDICT_LINE];
    history past;
    ghost_track ghost;
    beside_track beside;
    char *snapshot; // scratch (snapshot_room)
    size_t snapshot_room;
    // the clock
    double speed;
    double begin;      // instant at which the next step may begin, s
    double next_frame; // s
    double last_frame; // s
    bool is_urgent;    // an input changed: whoever moved it wants to see it
    double window_clock, window_t, advanced, reached;
    double running_since; // s; negative: not running
    bool is_dirty;        // something to show besides a step
    bool lost_log;
    uint32_t frames;
    bi_deadlines deadlines;
} engine;

struct bi_loop {
    engine engine; // the engine's thread alone, while it runs
    // shared
    ring commands, log, notices;
    mailbox mail;
    bi_loop_frame frame[3];
    _Atomic uint64_t *input; // bits of what the controls say (n_input)
    atomic_bool is_stopping;
    int wake[2]; // pipe
    // the caller's thread alone
    pthread_t thread;
    bool is_running; // with its thread, or by turns of the caller
};

double engine_clock(void); // s
void *engine_run(void *loop);
// The same in pieces, where the caller's thread is the only one: begin, turns of at most so many seconds (gives how long
// nothing is due), end.
void engine_begin(bi_loop *loop);
double engine_turns(bi_loop *loop, double longest);
void engine_end(bi_loop *loop);
// commands.c: everything asked for since the last time.
void engine_obey(bi_loop *loop);
// beside.c
bool beside_create(engine *e); // false: no memory
void beside_clear(engine *e);
bool beside_follow(engine *e);        // true: it has not caught up with what is shown yet
bool beside_is_here(const engine *e); // it stands at the instant shown, and is to be seen
// publish.c
void engine_publish(bi_loop *loop);
void engine_notice(bi_loop *loop, const char *name, const char *text);
void engine_notice_events(bi_loop *loop); // a stop of the model ends the run
void engine_notice_again(bi_loop *loop);  // the same of steps that are only shown again: nothing ends
void engine_judge(bi_loop *loop);         // looks at the verdict; what was driven worse than before is sent
void engine_judge_now_and_then(bi_loop *loop); // the same every so many steps
void engine_log(bi_loop *loop, bi_log_entry entry);
// replaying: one step with the recorded inputs; false: it failed.
bool engine_step_again(bi_loop *loop);
void engine_go_to(bi_loop *loop, int64_t step);
