// SPDX-License-Identifier: MIT
/* session.h - from the words of the command line to a started simulation: find, read, set, compile, start. */
#pragma once
#include "cli/json.h"
#include "cli/options.h"
#include "study/grid.h"
#include <biela/io.h>
#include <biela/outfile.h>

/* Options shared by the commands that take a MODEL. */
#define SESSION_OPTIONS                                                                                      \
    { "--run", "NAME", "a named case of the model's `runs` section" },                                       \
    {                                                                                                        \
        "--set", "P=V",                                                                                      \
            "parameter P = V (an expression; a bare number is in P's own unit)" OPTION_REPEATABLE            \
    }

/* The options of runs that a request can hold: those of bi_run_option_at that have a place on the command line. */
#define RUN_TEXT_LIST(X)                                                                                     \
    X(time)                                                                                                  \
    X(scheme)                                                                                                \
    X(dt)                                                                                                    \
    X(tolerance)                                                                                             \
    X(every)                                                                                                 \
    X(rho)                                                                                                   \
    X(formulation)                                                                                           \
    X(solver)                                                                                                \
    X(start)                                                                                                 \
    X(sleep)                                                                                                 \
    X(threads)                                                                                               \
    X(start_time)                                                                                            \
    X(newton)                                                                                                \
    X(iterations)                                                                                            \
    X(penalty)                                                                                               \
    X(manoeuvre)

/* A model that stays open for the runs of a study: it is read once, and of a run with other parameters only what reads them is read
 * again, unless they change more (bi_kept). For requests that differ in their settings and options only. */
typedef struct session_kept session_kept;
session_kept *session_kept_create(void);
void session_kept_destroy(session_kept *);
/* What has the files read again when this parameter changes; NULL: nothing has. */
const char *session_kept_reason(const session_kept *, const char *parameter);

/* What is asked for; texts are borrowed, NULL = as the model says. */
typedef struct {
    const char *model;    /* path or name */
    const char *run_name; /* a case of `runs` */
#define RUN_TEXT_FIELD(key) const char *key;
    RUN_TEXT_LIST(RUN_TEXT_FIELD) /* as on the command line */
    bool takes_image;    /* the model may be an image, compiled before; then nothing of it can change */
    bool is_repeated;    /* the options are those of a run before: all of them, also idle ones */
    const char *actions; /* file of actions; NULL: none */
    const char *until;   /* event, or condition, that ends the run; NULL: none */
    void (*prepare)(bi_model *); /* adds to the model before it is compiled; may be NULL */
    /* the same with what it needs to know, and a place for mistakes; may be NULL */
    void (*drive)(const void *context, bi_model *, bi_report *);
    const void *drive_context;
    claims *files;       /* that the command reads; may be NULL */
    bi_shelf *shelf;     /* of whoever reads the model several times, borrowed; may be NULL */
    session_kept *kept;  /* the model of the run before, borrowed; may be NULL */
    bi_setting *setting; /* (n_setting) owned, and so are the names inside */
    int n_setting;
} session_request;

typedef struct {
    char *path;       /* of the model file */
    char *short_name; /* "pendulum" */
    bi_model *model;
    bi_run run; /* with the command line applied; dt as asked for */
    time_grid grid;
    bi_system *system; /* of an image: the model is its own */
    bool is_image;
    bool is_borrowed;  /* the model is of another session, or kept */
    bi_sim *sim;       /* stands at t = 0 */
    bool is_kinematic; /* guides move it, not forces */
    bool is_inverse;   /* imposed motion moves it */
    bool has_feedback; /* actions are steered to the imposed motion with kp, kv */
    double kp, kv;
    bi_outfile *actions; /* written by inverse; NULL: none */
    bi_balance balance;  /* when it starts in equilibrium */
    void (*prepare)(bi_model *);
    bi_report report; /* all messages */
} session;

/* Reads the options of a command. Mistakes are printed; false then. Clear in both cases. */
bool session_request_make(const arguments *, session_request *);
void session_request_clear(session_request *);

/* Stages of session_open (session_options.c). The texts of the command line, as given. */
void session_take_options(const arguments *, session_request *);
/* Where a request holds the text of an option of runs; NULL: nowhere. */
const char **session_text(session_request *, const char *key);
/* Puts them over what the file says and makes the grid of steps; all mistakes are in the report. */
exit_code session_set_options(session *, const session_request *);
/* Of the compiled model: can anything fall asleep? */
exit_code session_check_sleep(session *, const session_request *);

/* Reads a model file; what takes long is shown on a terminal. */
bi_model *session_read_model(const char *path, const session_request *, bi_run *, bi_report *);

/* The same without a sim: up to the compiled system. */
exit_code session_compile(session *, const session_request *);
/* What goes into an image beside the system. */
typedef struct {
    bi_run run;
} session_image_note;

/* Does everything, stops at the first stage with errors; all messages are in the report. CLI_OK: `sim` is started. */
exit_code session_open(session *, const session_request *);
/* The same in two parts: the model only, and from there on any number of runs of it, which may outlive the first session. */
exit_code session_read(session *, const session_request *);
exit_code session_open_read(session *, const session *read, const session_request *);
exit_code session_start(session *); /* (again) to the beginning, in equilibrium where the run asks for it */
void session_close(session *);
/* Messages for people on stderr. */
void session_print_messages(const session *);
/* Messages as the array "messages" of an open object. */
void session_json_messages(json *, const bi_report *);

/* Channel by name; when there is none, prints an error with the nearest name and returns the unset channel. */
bi_channel session_channel(const session *, const char *name);
