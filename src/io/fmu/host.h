// SPDX-License-Identifier: MIT
// Somebody else's FMU in a process of its own: a crash, a hang or a wrong number there is a message here.
#pragma once
#include "io/fmu/description.h"

enum { HOST_VALUES = 64, HOST_PARAMETERS = 1024, HOST_TEXT = 400 };

// A variable that goes in or comes out: one number, or so many of an array.
typedef struct {
    uint32_t reference;
    fmu_type type;
    int count;
    bool is_structural; // a parameter that says how long arrays are
} host_value;

typedef struct {
    const char *name;   // of the element, for messages
    const char *folder; // where the FMU is unpacked
    fmu_description about;
    host_value input[HOST_VALUES], output[HOST_VALUES], parameter[HOST_PARAMETERS];
    double parameter_value[HOST_PARAMETERS]; // one variable after the other, as all values are
    int n_input, n_output, n_parameter;      // variables
    int n_input_value, n_output_value, n_parameter_value;
    double limit; // s, of the clock, that an answer may take
} host_def;

typedef struct host host;
// Loads the FMU and starts it once, at t = 0 with inputs of zero, to know its outputs there and how large its state is. NULL:
// `why` says why (HOST_TEXT).
host *host_create(const host_def *, double *output, char *why);
void host_destroy(host *);
void host_remove_folder(const char *path); // with all that is in it
size_t host_state_size(const host *);      // bytes; 0: its state cannot be kept
const char *host_failure(const host *);    // "" if none

// Anew from its start values: outputs at t, and the state (NULL: not wanted).
bool host_start(host *, double t, const double *input, double *output, void *state);
// From the state given (NULL: as it stands) over h; then the inputs of the end, its outputs and its state.
bool host_step(host *, const void *from, double t, double h, const double *input, double *output,
               void *state);

// ---- the other side (child.c): never returns
void child_serve(const host_def *, int socket);
typedef enum { HOST_START, HOST_STEP } host_order;
typedef struct {
    int order;
    int has_state;
    double t, h;
    double input[HOST_VALUES];
} host_request; // the state follows
typedef struct {
    int is_good;
    uint32_t n_state; // bytes that follow
    char text[HOST_TEXT];
    double output[HOST_VALUES];
} host_answer;
// All bytes or nothing; seconds < 0: waits for ever. 1: done, 0: the other end is gone, -1: too late.
int host_send(int socket, const void *bytes, size_t size);
int host_receive(int socket, void *bytes, size_t size, double seconds);
