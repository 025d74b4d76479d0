// SPDX-License-Identifier: MIT
// The process of an FMU: loads its library, does what it is asked, and ends with the other side.
#include "io/fmu/host.h"
#include <dlfcn.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void any_function(void);
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*free)(void *);
    void (*step_finished)(void *, int);
    void *environment;
} callbacks2;

typedef struct {
    const host_def *def;
    void *library, *fmu;
    callbacks2 callbacks;
    char said[HOST_TEXT]; // the last message of the FMU
    host_answer *answer;
} child;

static void *function_of(child *c, const char *name)
{
    char full[80];
    snprintf(full, sizeof full, "fmi%d%s", c->def->about.version, name);
    void *found = dlsym(c->library, full);
    if (!found && c->answer->is_good) {
        c->answer->is_good = 0;
        snprintf(c->answer->text, HOST_TEXT, "its library has no %s", full);
    }
    return found;
}

// CALL(c, "DoStep", (types), (arguments)): nothing happens after a failure; warnings are fine.
#define CALL(c, name, types, arguments)                                                                      \
    do {                                                                                                     \
        int(*function) types = NULL;                                                                         \
        *(void **)&function = (c)->answer->is_good ? function_of(c, name) : NULL;                            \
        if (function) {                                                                                      \
            judge(c, name, function arguments);                                                              \
        }                                                                                                    \
    } while (0)

static void judge(child *c, const char *name, int status)
{
    if (status > 1) {
        static const char *const words[] = { "", "", "discard", "error", "fatal" };
        c->answer->is_good = 0;
        snprintf(c->answer->text, HOST_TEXT, "fmi%d%s gives %s%s%.250s", c->def->about.version, name,
                 status < 5 ? words[status] : "an unknown status", c->said[0] ? ": " : "", c->said);
    }
}

static void tell2(void *environment, const char *instance, int status, const char *category,
                  const char *format, ...)
{
    child *c = environment;
    va_list list;
    (void)instance;
    (void)category;
    if (c && status > 1) {
        va_start(list, format);
        vsnprintf(c->said, sizeof c->said, format, list);
        va_end(list);
    }
}

static void tell3(void *environment, int status, const char *category, const char *message)
{
    child *c = environment;
    (void)category;
    if (c && status > 1) {
        snprintf(c->said, sizeof c->said, "%s", message);
    }
}

// ---- values -----------------------------------------------------------------------------------------------------------

// A number as the FMU wants it, in the range of its type.
static double fitting(child *c, double value, const char *type, double least, double most)
{
    bool is_whole = least > -1e30;
    double fits = most == 1.0 ? value != 0.0 : is_whole ? nearbyint(value) : value;
    if (c->answer->is_good && !(fits >= least && fits <= most)) {
        c->answer->is_good = 0;
        snprintf(c->answer->text, HOST_TEXT, "%.9g is no %s", value, type);
    }
    return c->answer->is_good ? fits : 0.0;
}

// Both for one type of the list; 2.0 has no word of how many values there are.
#define EXCHANGE(value_of, since, name, function_name, type, least, most)                                    \
    case value_of: {                                                                                         \
        type all[HOST_PARAMETERS] = { 0 };                                                                   \
        size_t n = (size_t)v->count;                                                                         \
        for (size_t k = 0; way == SET && k < n; k++) {                                                       \
            all[k] = (type)fitting(c, value[k], name, least, most);                                          \
        }                                                                                                    \
        if ((since) == 2) {                                                                                  \
            CALL(c, way == SET ? "Set" function_name : "Get" function_name,                                  \
                 (void *, const uint32_t *, size_t, type *), (c->fmu, &v->reference, 1, all));               \
        } else {                                                                                             \
            CALL(c, way == SET ? "Set" function_name : "Get" function_name,                                  \
                 (void *, const uint32_t *, size_t, type *, size_t), (c->fmu, &v->reference, 1, all, n));    \
        }                                                                                                    \
        for (size_t k = 0; way == GET && k < n; k++) {                                                       \
            value[k] = (double)all[k];                                                                       \
        }                                                                                                    \
        break;                                                                                               \
    }

typedef enum { SET, GET } exchange_way;
static void exchange(child *c, exchange_way way, const host_value *v, double *value)
{
    switch (v->type) {
        FMU_TYPE_LIST(EXCHANGE)
    case FMU_OTHER: break;
    }
}

static void exchange_all(child *c, exchange_way way, const host_value *v, int count, double *value)
{
    for (int k = 0; c->answer->is_good && k < count; value += v[k++].count) {
        exchange(c, way, &v[k], value);
    }
}

// Parameters that say how long arrays are come first, in a mode of their own.
static void set_parameters(child *c)
{
    const host_def *def = c->def;
    bool has_structure = false;
    for (int k = 0; k < def->n_parameter; k++) {
        has_structure = has_structure || def->parameter[k].is_structural;
    }
    for (int pass = has_structure ? 0 : 1; pass < 2; pass++) {
        if (pass == 0) {
            CALL(c, "EnterConfigurationMode", (void *), (c->fmu));
        }
        for (int k = 0, at = 0; c->answer->is_good && k < def->n_parameter; at += def->parameter[k++].count) {
            if (def->parameter[k].is_structural == (pass == 0)) {
                double value[HOST_PARAMETERS];
                memcpy(value, &def->parameter_value[at], (size_t)def->parameter[k].count * sizeof *value);
                exchange(c, SET, &def->parameter[k], value);
            }
        }
        if (pass == 0) {
            CALL(c, "ExitConfigurationMode", (void *), (c->fmu));
        }
    }
}

static void set_inputs(child *c, const host_request *request)
{
    double value[HOST_VALUES];
    memcpy(value, request->input, sizeof value);
    exchange_all(c, SET, c->def->input, c->def->n_input, value);
}

// ---- life -------------------------------------------------------------------------------------------------------------

static void load_library(child *c)
{
    char path[PATH_MAX];
    const fmu_description *about = &c->def->about;
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", c->def->folder,
             about->version == 2 ? "linux64" : "x86_64-linux", about->identifier);
    c->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!c->library) {
        const char *why = dlerror();
        c->answer->is_good = 0;
        snprintf(c->answer->text, HOST_TEXT, "its library for this machine cannot be loaded: %.300s",
                 why ? why : "");
    }
}

static void instantiate(child *c)
{
    const fmu_description *about = &c->def->about;
    char place[PATH_MAX];
    snprintf(place, sizeof place, "%s%s/resources/", about->version == 2 ? "file://" : "", c->def->folder);
    if (about->version == 2) {
        void *(*make)(const char *, int, const char *, const char *, const callbacks2 *, int, int) = NULL;
        *(void **)&make = function_of(c, "Instantiate");
        c->callbacks = (callbacks2){ tell2, calloc, free, NULL, c };
        c->fmu = make ? make(c->def->name, 1, about->token, place, &c->callbacks, 0, 0) : NULL;
    } else {
        void *(*make)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *,
                      size_t, void *, void (*)(void *, int, const char *, const char *), void *) = NULL;
        *(void **)&make = function_of(c, "InstantiateCoSimulation");
        c->fmu = make ? make(c->def->name, about->token, place, false, false, false, false, NULL, 0, c, tell3,
                             NULL)
                      : NULL;
    }
    if (!c->fmu && c->answer->is_good) {
        c->answer->is_good = 0;
        snprintf(c->answer->text, HOST_TEXT, "it makes no instance%s%.300s", c->said[0] ? ": " : "", c->said);
    }
}

static void start(child *c, const host_request *request)
{
    const host_def *def = c->def;
    if (!c->library) {
        load_library(c);
    }
    if (c->fmu) {
        CALL(c, "Reset", (void *), (c->fmu));
    } else if (c->answer->is_good) {
        instantiate(c);
    }
    set_parameters(c);
    if (def->about.version == 2) {
        CALL(c, "SetupExperiment", (void *, int, double, double, int, double),
             (c->fmu, 0, 0.0, request->t, 0, 0.0));
        CALL(c, "EnterInitializationMode", (void *), (c->fmu));
    } else {
        CALL(c, "EnterInitializationMode", (void *, bool, double, double, bool, double),
             (c->fmu, false, 0.0, request->t, false, 0.0));
    }
    set_inputs(c, request);
    CALL(c, "ExitInitializationMode", (void *), (c->fmu));
}

static void step(child *c, const host_request *request)
{
    if (request->h > 0.0 && c->def->about.version == 2) {
        CALL(c, "DoStep", (void *, double, double, int), (c->fmu, request->t, request->h, 0));
    } else if (request->h > 0.0) {
        bool needs_events = false, ends = false, is_early = false;
        double last = 0.0;
        CALL(c, "DoStep", (void *, double, double, bool, bool *, bool *, bool *, double *),
             (c->fmu, request->t, request->h, false, &needs_events, &ends, &is_early, &last));
        if (c->answer->is_good && ends) {
            c->answer->is_good = 0;
            snprintf(c->answer->text, HOST_TEXT, "it asks to end the run at t = %.9g s", last);
        }
    }
    set_inputs(c, request);
}

// ---- states -----------------------------------------------------------------------------------------------------------

#define STATE(c, old, new) ((c)->def->about.version == 2 ? (old) : (new))

static void put_state(child *c, const void *bytes, size_t size)
{
    void *state = NULL;
    CALL(c, STATE(c, "DeSerializeFMUstate", "DeserializeFMUState"), (void *, const void *, size_t, void **),
         (c->fmu, bytes, size, &state));
    CALL(c, STATE(c, "SetFMUstate", "SetFMUState"), (void *, void *), (c->fmu, state));
    CALL(c, STATE(c, "FreeFMUstate", "FreeFMUState"), (void *, void **), (c->fmu, &state));
}

static void *take_state(child *c, size_t *size)
{
    void *state = NULL, *bytes = NULL;
    *size = 0;
    CALL(c, STATE(c, "GetFMUstate", "GetFMUState"), (void *, void **), (c->fmu, &state));
    CALL(c, STATE(c, "SerializedFMUstateSize", "SerializedFMUStateSize"), (void *, void *, size_t *),
         (c->fmu, state, size));
    bytes = c->answer->is_good && *size < 1u << 26 ? calloc(*size + 1, 1) : NULL;
    if (bytes) {
        CALL(c, STATE(c, "SerializeFMUstate", "SerializeFMUState"), (void *, void *, void *, size_t),
             (c->fmu, state, bytes, *size));
    } else {
        *size = 0;
    }
    CALL(c, STATE(c, "FreeFMUstate", "FreeFMUState"), (void *, void **), (c->fmu, &state));
    return bytes;
}

void child_serve(const host_def *def, int socket)
{
    child c = { .def = def };
    host_request request;
    size_t known = 0; // bytes of a state
    while (host_receive(socket, &request, sizeof request, -1.0) == 1) {
        host_answer answer = { .is_good = 1 };
        c.answer = &answer;
        c.said[0] = '\0';
        if (request.has_state) {
            void *bytes = malloc(known + 1);
            if (!bytes || host_receive(socket, bytes, known, -1.0) != 1) {
                break;
            }
            put_state(&c, bytes, known);
            free(bytes);
        }
        if (request.order == HOST_START) {
            start(&c, &request);
        } else {
            step(&c, &request);
        }
        exchange_all(&c, GET, def->output, def->n_output, answer.output);
        size_t size = 0;
        void *bytes = def->about.can_save && answer.is_good ? take_state(&c, &size) : NULL;
        known = size > 0 ? size : known;
        answer.n_state = answer.is_good ? (uint32_t)size : 0;
        bool is_sent = host_send(socket, &answer, sizeof answer) &&
                       (answer.n_state == 0 || host_send(socket, bytes, size));
        free(bytes);
        if (!is_sent) {
            break;
        }
    }
    _exit(0);
}
