// SPDX-License-Identifier: MIT
/* realtime.h - a simulation that keeps step with the clock, in a thread of its own.
 *
 * One thread (the engine) steps; one other thread (the caller of everything below) sends commands and inputs and takes
 * frames, log entries and notices. They meet only in lock-free rings of fixed size: the engine neither allocates nor waits
 * for anybody. Whatever the caller does, or fails to do, the steps go on. Where there are no threads the caller does both
 * (is_threadless). */
#pragma once
#include <biela/biela.h>
#include <biela/verdict.h>
BI_BEGIN

typedef enum {
    BI_LOOP_PAUSE,
    BI_LOOP_PLAY,   /* after a seek: shows the recorded inputs again, and pauses at their end */
    BI_LOOP_STEP,   /* value: how many; pauses then */
    BI_LOOP_SPEED,  /* value: 1/32 .. 8 */
    BI_LOOP_SEEK,   /* value: s; pauses there */
    BI_LOOP_TAKE,   /* go on from the instant shown with live inputs; the old future becomes the ghost */
    BI_LOOP_GHOST,  /* value 0 or 1: compute the ghost */
    BI_LOOP_ARROWS, /* value 0 or 1: compute arrows */
    BI_LOOP_SAFE    /* value 0 or 1: inputs go to their initial values, nobody holds the controls */
} bi_loop_order;
typedef struct {
    bi_loop_order order;
    double value;
} bi_loop_command;

typedef struct {
    bi_vec3 point, force; /* ground axes, m and N */
} bi_loop_arrow;

typedef struct {
    double speed;      /* 0 = 1 */
    double frame_rate; /* frames per second of the clock; 0 = 60 */
    double time;       /* the loop ends there, s; 0 = never */
    bool is_paused;    /* at first */
    bool is_unpaced;   /* as fast as the machine can */
    bool
        is_threadless; /* no thread is made: steps are done in bi_loop_turn (in a page, in a program without threads) */
    size_t memory;  /* for going back, bytes; 0 = 64 MiB */
    int hash_every; /* steps between hashes in the log; 0 = 0.5 s of steps */
    const struct bi_log_entry
        *past; /* changes of inputs that were recorded before (n_past): the loop shows them, rewound, */
    int64_t n_past, past_steps; /* until somebody takes over; copied by bi_loop_create */
    /* with `past`: a run of the system as it was recorded, standing at its start. The same inputs move it, and its poses are
     * the ghost, until somebody takes over. The loop's alone until bi_loop_stop; not used where dt or the number of
     * bodies is another one. NULL: none */
    bi_sim *recorded;
    const bi_system *recorded_system;
    const bool *
        is_kept; /* (inputs) those that stay when nobody holds the controls (BI_LOOP_SAFE), since they are not the
                          * driver's; read by bi_loop_create; NULL: none */
    int n_arrow;
    void (*arrows)(void *data, bi_sim *, bi_loop_arrow *out); /* called in the engine's thread; NULL: none */
    void *data;
} bi_loop_options;

/* How the steps kept their deadlines. A step may begin when the clock shows its start and must end before the clock
 * shows its end; the bins are powers of two of a microsecond: bin k counts 2^k <= d < 2^(k+1). */
enum { BI_DEADLINE_BINS = 24 };
typedef enum {
    BI_ROOM_STEP,
    BI_ROOM_GHOST,
    BI_ROOM_HISTORY,
    BI_ROOM_FRAME,
    BI_ROOM_LOG,
    BI_ROOMS
} bi_loop_room;
const char *bi_loop_room_name(bi_loop_room);
typedef struct {
    int64_t steps, misses, slips; /* slips: times at which lost time was given up */
    double slipped;               /* s of the clock given up */
    double worst, sum;            /* s, of one step; of all */
    double worst_t;               /* model time of the worst step, s */
    double simulated, clock;      /* s advanced, and s the clock showed while running */
    int64_t histogram[BI_DEADLINE_BINS];
    double room[BI_ROOMS]; /* s spent in each */
} bi_deadlines;

typedef struct {
    double begin, end, now; /* s that can be reached, and the instant shown */
    int branch;             /* how many times somebody took over */
} bi_timeline;

enum {
    BI_FRAME_PAUSED = 1,
    BI_FRAME_REWOUND = 2,
    BI_FRAME_GHOST = 4,
    BI_FRAME_ENDED = 8, /* a step failed, an event stopped it, or the end was reached */
    BI_FRAME_STALE = 16 /* inputs are the safe ones */
};
typedef struct {
    uint32_t number;
    unsigned flags;
    double t;
    int64_t step;
    double speed, reached; /* asked for; measured over the last half second */
    int n_body, n_channel, n_arrow, n_input, n_ghost;
    bi_pose *pose;        /* (n_body) */
    double *channel;      /* (n_channel) */
    bi_loop_arrow *arrow; /* (n_arrow) */
    double *input;        /* (n_input) in use */
    bi_pose *ghost;       /* (n_ghost) */
    int n_mode;
    double
        *mode; /* (n_mode) amplitudes of the bodies with a mesh (bi_model_flex), in the order of the bodies */
    bi_deadlines deadlines;
    bi_timeline timeline;
    bi_outcome outcome; /* of all steps up to the instant shown; looked at now and then, and when it stands */
    char verdict[BI_VERDICT_LINE]; /* the same in one line: outcome, reason, advice */
    bool is_done;                  /* the engine's thread has ended */
    bool lost_log;                 /* the log was not taken in time: entries are missing */
} bi_loop_frame;

/* What happened, in order: enough to repeat the run. */
typedef enum {
    BI_LOG_INPUT, /* `input` has `value` from step `step` on */
    BI_LOG_STEPS, /* `step` steps are done */
    BI_LOG_HASH,  /* after `step` steps the hash is `hash` */
    BI_LOG_BRANCH /* what follows goes on from `step`, not from the end */
} bi_log_kind;
typedef struct bi_log_entry {
    bi_log_kind kind;
    int32_t input;
    int64_t step;
    double value;
    uint64_t hash;
} bi_log_entry;

typedef struct {
    double t;
    int number; /* of an event, from 0; the same again: its touch has gone on or is over. -1: none */
    char name[64], text[240];
    bi_hit hit; /* its titles are borrowed from the model */
} bi_loop_notice;

typedef struct bi_loop bi_loop;
/* The sim is started and stands where the run begins; loop and caller share it no more until bi_loop_stop. */
bi_loop *bi_loop_create(const bi_model *, const bi_system *, bi_sim *,
                        const bi_loop_options *); /* NULL: no memory, or not usable */
void bi_loop_destroy(bi_loop *);                  /* stops it first */
bool bi_loop_start(bi_loop *);                    /* false: no thread */
void bi_loop_stop(bi_loop *);                     /* waits for the present step; rings stay readable */
/* Of a threadless loop that was started: does what is due, for at most so many seconds, and gives the seconds in which
 * nothing will be; 0: call again at once. NAN: it has a thread, or does not run. */
double bi_loop_turn(bi_loop *, double longest);
bool bi_loop_send(bi_loop *, bi_loop_command); /* false: the queue is full, try later; or it makes no sense */
void bi_loop_input(bi_loop *, int k, double value);           /* counted from 0; not finite: ignored */
const bi_loop_frame *bi_loop_latest(bi_loop *, bool *is_new); /* valid until the next call */
bool bi_loop_log(bi_loop *, bi_log_entry *);                  /* false: nothing new */
bool bi_loop_next_notice(bi_loop *, bi_loop_notice *);
int bi_loop_wake(const bi_loop *); /* a file descriptor that becomes readable with a new frame; -1: none */
void bi_loop_slept(bi_loop *);     /* empties it */
BI_END
