// SPDX-License-Identifier: MIT
/* live.h - a simulation that people watch and drive: a loop, a server, a recording, clients with roles. */
#pragma once
#include "cli/json_read.h"
#include "course/book.h"
#include "live/live_history.h"
#include "live/live_modes.h"
#include "live/outgoing.h"
#include "running/rerun.h"
#include "running/session.h"
#include <biela/control.h>
#include <biela/look.h>
#include <biela/realtime.h>
#include <biela/record.h>
#include <biela/server.h>
#include <biela/shapes.h>
#include <stdio.h>

enum { LIVE_CLIENTS = 64, LIVE_WINDOW = 4 };

typedef struct {
    bool is_open;
    uint32_t waiting[LIVE_WINDOW]; /* frames sent and not acknowledged, oldest first */
    int n_waiting;
    double last_heard; /* s */
    int64_t frames;    /* sent */
    uint32_t last;     /* number of the last one */
    bool may_drive;    /* its token is the driver's */
    bool instructs;    /* its token is the instructor's */
    double asked;      /* s, when it asked for the seat; 0: it does not */
} live_client;

/* What is drawn besides bodies: forces on joints, and of every output that tells a force and a place (tyres, contacts). */
typedef struct {
    int n_joint;
    bi_point *at; /* (n_joint) on body b */
    int n_output;
    bi_channel (*channel)[6]; /* (n_output) x y z fx fy fz */
    char (*name)[64];         /* (n_output) */
    bool *is_tyre;            /* (n_output) */
    const bi_model *model;
} live_arrows;

/* One run, from start or restart to the next. */
typedef struct {
    session s;
    bi_loop *loop;
    live_arrows arrows;
    char *scene; /* JSON message */
    size_t n_scene;
    bi_recorder *recorder; /* NULL: none */
    bool told_failure;     /* of the recording */
    char **comment;        /* (n_comment) "12.345 text": of this run, and of the recording that is shown */
    int n_comment;
    live_modes *modes;     /* NULL: none */
    char *inside;          /* JSON message, once it was asked for */
    live_history *history; /* for the plots */
    bool is_carried;       /* it began in the state of the run before */
    live_past *past;       /* of a recording: what is not in `history` yet; NULL: nothing */
    double past_end;       /* s, where somebody took over; until then INFINITY */
    bool *instructors;     /* (inputs) those that are the instructor's */
    rerun recorded;        /* the recording with its own parameters, where this run has others; else empty */
} live_run;

/* `feel` of an input in `controls`: channels whose sum, times `feel_gain`, is the torque in the driver's hand; `feel_full` is all
 * that the device can. */
enum { LIVE_FELT = 4 };
typedef struct {
    char input[80];       /* "": there is none */
    int n, at[LIVE_FELT]; /* channels, from 0 */
    double gain, full;    /* N m each */
} live_feel;

typedef struct {
    session_request request; /* borrowed settings first, those of restarts behind */
    int n_own;               /* settings of the command line */
    bi_loop_options loop_options;
    live_run run;
    live_run next;     /* while it is made */
    bi_server *server; /* NULL: headless */
    live_client client[LIVE_CLIENTS];
    int driver;         /* client; -1: nobody */
    double driver_left; /* s; negative: somebody drives */
    bool is_safe;       /* the loop was told to use safe inputs */
    char *packet;       /* binary frame */
    size_t n_packet, packet_capacity;
    double next_report, next_timeline; /* s */
    char *resource;                    /* bytes of the last resource */
    int report_pid;                    /* process that makes the report; 0: none */
    char *report_path;                 /* of that */
    bi_devices *devices;               /* NULL: none */
    bi_mapping **mapping;              /* (n_mapping) */
    int n_mapping;
    double *sign;   /* of the inputs, as `controls` of the model says; NULL: devices were not opened */
    live_feel feel; /* what a wheel of this machine lets feel */
    char *scenario; /* pieces of an exercise that have come (n_scenario) */
    size_t n_scenario;
    int scenario_of, scenario_next; /* client; the piece that comes next */
    bool has_instructor;            /* somebody may come with that token */
    bool is_frozen;                 /* by the instructor */
    bool device_lost;               /* until a control is moved again */
    bool is_quiet;
    bool tells_status;  /* to stdout, each second */
    double next_status; /* s */
    bool is_recorded;
    bool lacks_recording;         /* the file that was asked for cannot be written; told */
    bool is_waiting;              /* stands until the first client is there */
    const char *record_path;      /* of the first run; NULL: out/MODEL-DATE.biela */
    double next_flush;            /* s */
    exercise *exercise;           /* NULL: none */
    double next_exercise;         /* s */
    book *book;                   /* where attempts are noted; NULL: nowhere */
    results_problem told_problem; /* of the book */
    double event_t;               /* s: events up to here are judged already (event_number) */
    int event_number;
    bool is_rewound;                 /* the last frame shows the past again */
    const rerun_source *source;      /* a recording that is shown; NULL: a drive */
    char *chosen_model, *chosen_run; /* in the gallery; NULL: none */
    bi_setting *chosen_setting;      /* (n_chosen) for that one */
    int n_chosen;
} live;

/* Reads, compiles and starts the model; prints messages. */
exit_code live_open(live *, const session_request *, const bi_loop_options *, const rerun_source *);
/* Starts the loop of a run that is open, and its recording. False: no memory, no thread, or (told) not the recording asked for. */
bool live_start(live *, const session_request *);
void live_close(live *);
/* A new run with further settings, with or without an exercise (taken over): on failure the old one goes on, and `why`
 * says what is wrong. */
bool live_restart(live *, exercise *, const bi_setting *more, int n_more, const char *run_name, char *why,
                  size_t size);
/* The same in the state that the run has; `more` as for a restart. False: the old run goes on, and `why`
 * says why. True, with a `why`: the machine cannot stand so, and the new run is at its beginning. */
bool live_carry(live *, const bi_setting *more, int n_more, const char *run_name, char *why, size_t size);
/* What happened since the last call: frames and notices to the clients. */
void live_pump(live *);
double live_clock(void);
/* Inputs that the model's run section drives belong to the driver here. */
void live_forget_manoeuvre(bi_model *);
/* The same, and a hand for whoever watches (bi_add_hand). What a request does with its model: */
typedef void live_preparation(bi_model *);
live_preparation *live_prepare(bool has_hand);
/* The first of the inputs of the hand, from 0; -1: there is none. */
static inline int live_hand(const bi_system *system) { return bi_find_input(system, "hand_body").i - 1; }

/* live_record.c: how it is run, with the text of its exercise (NULL: none) and all files of its model. */
void live_record_head(bi_recorder *, const session *, const session_request *, const exercise *);
/* Everything that does not change is written at once; false: told, and nothing is recorded. */
bool live_record_begin(live *, const session_request *);
/* The drive so far, to be freed: the bytes of its recording, or a line for an address (rerun_link). NULL: there is none. */
char *live_recording(live *, size_t *size);
char *live_link(live *, size_t *size);
bool live_record_end(live_run *); /* stops the loop; false: there is no whole recording */

/* Which way a control moves an input: `sign` of `controls` of the model, as on the page.
 * -1: a stick pushed ahead makes the input smaller; 1 where nothing is said. */
static inline double control_sign(const bi_document *model, const char *input)
{
    char place[200];
    double sign = 1.0;
    snprintf(place, sizeof place, "controls.%.150s.sign", input);
    return model && bi_document_number(model, place, &sign) && sign < 0.0 ? -1.0 : 1.0;
}

/* live_devices.c: --sdl and --mapping. */
exit_code live_devices_open(live *, const arguments *);
void live_devices_close(live *);
void live_devices_choose(live *); /* mappings for the inputs of the run */
void live_devices_feel(live *, const bi_loop_frame *);
/* live_exercise.c: those that the model offers, as (count) paths to be freed; how it goes, now and then. */
int live_exercise_list(const char *model_path, char ***paths);
void live_exercise_pump(live *, const bi_loop_frame *, bool is_new);
void live_exercise_event(live *, const bi_loop_notice *);
void live_exercise_choose(live *, int client, const char *name); /* restarts; "": without one */
/* Settings of the command line and of the exercise; free the list only. The first error of a report, with its place. */
bi_setting *live_settings(const live *, const exercise *, int *count);
void live_first_error(const bi_report *, const char *usual, char *why, size_t size);
/* Whether the model can be driven with it: read, compiled and bound once; false: `why` says what is wrong and where. */
bool live_exercise_fits(const live *, exercise *, char *why, size_t size);
/* teach/live_status.c: how the drive goes, as a line on stdout; whoever reads it and has gone ends the drive. */
void live_status(live *, const bi_loop_frame *, double now);
/* teach/live_scenario.c: exercises that pages write, in the one folder that was named for them; NULL: there is none. */
void live_scenario_into(const char *folder); /* borrowed */
const char *live_scenario_folder(void);
void live_scenario(live *, int client, const json_tree *); /* a piece of one */
void live_scenario_forget(live *);
bool live_scenario_resource(const live *, const char *path, char **bytes, size_t *size);
/* teach/live_instructor.c: settings that bring the instructor's inputs, before those of the request; which inputs they are, to be freed. */
void live_teach(session_request *);
bool *live_instructor_inputs(const session *);
/* Values of a message: the driver's, or the instructor's; others are ignored. */
void live_take_values(live *, const json_tree *, int values, bool of_instructor);
void live_situation(live *, int client, const json_tree *);
void live_write_people(const live *, json *); /* the list of a role */
int live_seat_for(const live *,
                  const json_tree *); /* the page that a message hands the seat to; -1: there is none */
void live_tell_instructors(live *);   /* that there are several, if there are */
/* live_gallery.c: the models that a page can choose from, as JSON to be freed; the run that a model names for driving, to be freed,
 * NULL: none; another model in the place of this one, as live_restart. */
char *live_gallery(size_t *size);
char *live_first_model(void); /* what is driven until somebody has chosen; to be freed */
char *live_usual_run(const char *model);
bool live_change_model(live *, const char *name, char *why, size_t size);
/* live_scene.c: the message that describes the model. */
typedef struct {
    const char *model, *title, *kind, *run, *hash;
    double dt, t; /* s */
    bi_vec3 gravity;
} live_scene_head;
void live_write_scene_head(json *, const live_scene_head *);
void live_write_shape(json *, const bi_shape_def *, int number, int body);
void live_write_shape_fields(json *, const bi_shape_def *, int number,
                             int body);                               /* into an object that is open */
void live_write_strut(json *, const bi_strut_def *, const int *body); /* body: of each point, -1 the ground */
void live_write_vec3(json *, bi_vec3); /* into a list that is open, and ends it */
/* `kind`: what is shown; `run`: the named run in use; NULL: none. */
char *live_scene(const session *, const live_arrows *, const char *kind, const char *run, size_t *size);
void live_write_free_sections(json *, const bi_document *); /* sections that only the page understands */
// Flexible bodies (live_flex.c): their list in the scene, and the bytes of /flex/BODY.
void live_write_flexible(json *, const bi_model *);
bool live_flexible_resource(const bi_model *, const char *path, char **bytes, size_t *size);
/* live_looks.c: files that are only seen. */
void live_write_look(json *, const bi_look_def *, int number, int body);
bool live_look_resource(const bi_model *, const char *path, char **bytes, size_t *size);
/* live_mesh.c: the bytes of /mesh/K, and of /flex/BODY. */
bool live_resource(const session *, const char *path, char **bytes, size_t *size);
/* live_inside.c: the message `inside`, to be freed; NULL: it cannot be. `number`: of each body of the model in the scene, -2: it is
 * not there; NULL: as they are. */
char *live_inside(const session *, const int *number);
void live_send_inside(live *, int client);
/* live_report.c: the report of the drive so far, made by a process of its own. */
bool live_report_path(const char *path); /* of the report, in one of its languages */
bool live_report(live *, const char *path, bi_server_reply *);
/* live_frame.c */
void live_encode(live *, const bi_loop_frame *);
live_arrows live_arrows_make(const bi_model *, const bi_system *);
int live_arrows_count(const live_arrows *);
void live_arrows_clear(live_arrows *);
void live_arrows_fill(void *arrows, bi_sim *, bi_loop_arrow *out);
/* live_message.c: a message of a client. */
void live_message(void *live, int client, const char *text, size_t length);
void live_joined(void *live, int client);
void live_left(void *live, int client);
void live_say(live *, int client, const char *text); /* one JSON message; client -1: everybody */
void live_send(live *, int client, outgoing *);      /* ends it and says it */
void live_send_timeline(live *, const bi_timeline *);
void live_send_notices(live *l); // events and verdicts, to all pages and to stderr
void live_error(live *, int client, const char *text);
void live_acknowledge(live *, int client, double frame);
void live_send_packet(live *, uint32_t number); /* to all whose window is open */
/* A remark at the instant shown, to all and into the recording; those of the recording that is shown, to whoever joins (-1: all). */
void live_comment(live *, const char *text);
void live_send_comments(live *, int client);
void live_take_comments(live *);
void live_roles(live *);
void live_announce(live *); /* after a restart: scene, roles, windows */
/* Four bytes, the lowest first. */
void live_put_u32(FILE *out, uint32_t value);
void live_put_f32(FILE *out, double value);
void live_put_vec3(FILE *out, bi_vec3);
