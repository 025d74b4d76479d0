// SPDX-License-Identifier: MIT
/* instance.h - one instance of an FMU, whichever version of the standard asks: a model that is read from the resources,
 * and a sim of it. */
#pragma once
#include "fmu/fmi_types.h"
#include <biela/io.h>

typedef enum {
    PHASE_NEW,   /* start values may be set */
    PHASE_START, /* initialization mode: inputs act, outputs can be read */
    PHASE_STEPS,
    PHASE_ENDED
} instance_phase;

typedef struct instance instance;
/* Tells a message; `status` as the standard counts. */
typedef void instance_tell(const instance *, fmi_status status, const char *message);

struct instance {
    char *name;
    char *folder; /* resources, with a slash at its end */
    instance_tell *tell;
    void *environment;
    fmi_any_logger *logger; /* fmi2_logger or fmi3_logger */
    bool is_logging;
    instance_phase phase;
    struct fmu_state *states; /* that the simulator keeps (states.h) */

    /* what resources/fmu.txt says */
    char *model_path, *run_name, *token;
    bool is_image;       /* the path is that of a compiled model, else of its file */
    bi_setting *setting; /* (n_setting) of the export, then those that were set; texts are owned */
    int n_setting, n_exported;
    char **option_key, **option_value; /* (n_option) options of the run */
    int n_option;
    double dt; /* s, of steps */
    uint64_t names;
    bool is_exchange; /* for model exchange; else for co-simulation */
    bool is_auto;     /* the step is chosen as it goes */
    bool starts_in_equilibrium, starts_settled;
    double first_time; /* s, at which a compiled model begins */

    /* what runs */
    const bi_model *model;
    bi_model *own_model; /* the same where it was read from files; NULL: the system has it */
    bi_system *system;
    bi_sim *sim;
    double *input; /* (inputs) as they are now */
    double *x;     /* (states) of model exchange: as they were set; NULL before the initialization */
    bool is_moved; /* time, state or inputs were set since the sim was put there */
    bool is_stale; /* parameters were set since the model was read */
    double start_time, t;
    bool has_start_time;
    bool is_odd;  /* a step that is no multiple of dt was told */
    bool is_over; /* an event has ended the run */
};

/* NULL: told why. `folder` is the path of the resources. */
instance *instance_create(const char *name, const char *folder, instance_tell *tell, fmi_any_logger *logger,
                          void *environment, bool is_logging);
void instance_destroy(instance *);
/* The instance, if the token is its own and it is asked for what it can be; else it is destroyed, and NULL. */
instance *instance_admit(instance *, const char *token, bool is_co_simulation);
void instance_say(const instance *, fmi_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

fmi_status instance_start_at(instance *, double t);
/* The sim is started: parameters count from here on. */
fmi_status instance_start(instance *);
fmi_status instance_step(instance *, double t, double h);
fmi_status instance_reset(instance *);

fmi_status instance_get(instance *, fmi_reference, double *value);
fmi_status instance_set(instance *, fmi_reference, double value);
uint64_t instance_hash(instance *);
/* All messages of a report. */
void instance_say_report(const instance *, const bi_report *);
void instance_drop_model(instance *);
/* Parameters may change how many of something there are; a description is written once. False: said so. */
bool instance_is_as_described(const instance *);
void instance_apply_inputs(instance *); /* all of them, to the sim */
