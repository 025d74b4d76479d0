// SPDX-License-Identifier: MIT
/* control.h - wheels, pedals, joysticks and gamepads: which axis or button moves which input. Mapping files are those
 * of the page (web/mappings/README.md). */
#pragma once
#include <biela/biela.h>
BI_BEGIN

/* ---- mapping files ------------------------------------------------------------------------------------- */
typedef struct bi_mapping bi_mapping;
bi_mapping *bi_mapping_open(const char *path, bi_report *); /* NULL: see the report */
bi_mapping *bi_mapping_parse(const char *text, size_t length, const char *path, bi_report *);
void bi_mapping_close(bi_mapping *);
const char *bi_mapping_name(const bi_mapping *);
/* How well it fits a device: letters of the longest part of the name that matches; 0 when it fits every device; -1: not. */
int bi_mapping_fit(const bi_mapping *, const char *device);
/* For a machine with these inputs: rules name what they are for ("steer|wheel", the first that it has, also with a prefix
 * as in truck_steer; * one that no other rule moves) and what they stay away from (`unless`). Before, each moves the
 * first input that it names. */
void bi_mapping_choose(bi_mapping *, const char *const *inputs, int n_input);
/* Raw axes in -1 .. 1. Inputs that it moves, and what they are worth: -1 .. 1, several rules add up. */
typedef struct {
    int n_axis, n_button;
    const double *axis; /* (n_axis) */
    const bool *button; /* (n_button) */
} bi_device_state;
int bi_mapping_input_count(const bi_mapping *);
const char *bi_mapping_input(const bi_mapping *, int k);
double bi_mapping_value(const bi_mapping *, int k, const bi_device_state *);
/* Buttons that call an action: "play", "take", ...; `button` that calls it. NULL: none of that number. */
const char *bi_mapping_action(const bi_mapping *, int k, int *button);
/* A value of -1 .. 1 within the range of an input, its initial value in the middle. */
double bi_control_scale(double value, double min, double initial, double max);

/* ---- devices of this machine, through SDL2 --------------------------------------------------------------- */
bool bi_devices_exist(void); /* false: built without SDL2 */
typedef struct bi_devices bi_devices;
typedef struct {
    void *data;
    void (*input)(void *data, const char *name, double value);            /* -1 .. 1, when it changed */
    void (*action)(void *data, const char *name);                         /* a button went down */
    void (*plugged)(void *data, const char *device, const char *mapping); /* mapping NULL: none fits */
    void (*unplugged)(void *data, const char *device); /* its inputs were set to 0 before */
} bi_device_events;
/* Mappings are tried in order of fit; they are borrowed. NULL: see the report. */
bi_devices *bi_devices_open(bi_mapping *const *mapping, int n_mapping, const bi_device_events *, bi_report *);
void bi_devices_close(bi_devices *);
void bi_devices_poll(bi_devices *);       /* calls the events */
int bi_devices_count(const bi_devices *); /* with a mapping, plugged in */
/* A force on what moves this input, -1 .. 1 of what the device can, positive the way that the input grows on the page (a wheel:
 * to the left). It stays until the next one. How many devices have a motor for it. */
int bi_devices_force(bi_devices *, const char *input, double force);
BI_END
