// SPDX-License-Identifier: MIT
/* requests.h - what pages say to the program: the list of requests, and one function for each of their fields.
 * Made by tools/generate from app/live/messages.txt; change that. get_ gives a value, find_ the item that holds several. */
#pragma once
#include "cli/json_read.h"

// clang-format off

typedef enum {
    REQUEST_ACK, // a frame was drawn, and all earlier ones
    REQUEST_ARROWS, // forces in the frames
    REQUEST_INSIDE, // asks for the message `inside`
    REQUEST_DRIVER, // asks for the seat; gets it at once when it is empty or its driver has been silent for 10 s, else when the driver gives it
    REQUEST_FREEZE, // everything stands until it is released; the instructor's where there is one, and whoever drives can do nothing about it
    REQUEST_COMMENT, // a remark at the instant shown, for all pages and in the recording; the instructor's where there is one
    REQUEST_HAND, // gives the seat to a page, also to one that only watches; the instructor's where there is one
    REQUEST_SITUATION, // what happens to the driver: inputs of `instructor` of the model; the instructor's where there is one
    REQUEST_SEAT, // answers those who ask for the seat
    REQUEST_INPUTS, // what the controls say; of others it is ignored
    REQUEST_PAUSE, // stands still
    REQUEST_PLAY, // goes on; after a seek it shows the recorded inputs again, and pauses at their end
    REQUEST_STEP, // goes on by some steps, then stands still
    REQUEST_SPEED, // how fast time goes
    REQUEST_SEEK, // goes to an instant and stands still; inputs are ignored until `take` (flag `rewound`)
    REQUEST_TAKE, // goes on from the instant shown with live inputs; the old future becomes the ghost
    REQUEST_GHOST, // the drive that was left, beside this one
    REQUEST_SCENARIO, // writes an exercise into the folder of `--exercises`, in pieces, all or nothing; the instructor's where there is one
    REQUEST_EXERCISE, // restarts with an exercise; the instructor may, too
    REQUEST_RESTART, // a new run; what is not set is as on the command line; if the model refuses, the old run goes on and `error` says why
    REQUEST_MODEL, // leaves this model for another one, with the run that it names for driving; if that cannot start, the old run goes on and `error` says why
    REQUEST_UNKNOWN, // of another type
    REQUEST_NONE // no JSON object with a type
} request_kind;

static inline request_kind request_read(const char *text, size_t length, json_tree *tree)
{
    int type = json_read(text, length, tree) ? json_member(tree, 0, "type") : -1;
    if (json_is(tree, type, "ack")) { return REQUEST_ACK; }
    if (json_is(tree, type, "arrows")) { return REQUEST_ARROWS; }
    if (json_is(tree, type, "inside")) { return REQUEST_INSIDE; }
    if (json_is(tree, type, "driver")) { return REQUEST_DRIVER; }
    if (json_is(tree, type, "freeze")) { return REQUEST_FREEZE; }
    if (json_is(tree, type, "comment")) { return REQUEST_COMMENT; }
    if (json_is(tree, type, "hand")) { return REQUEST_HAND; }
    if (json_is(tree, type, "situation")) { return REQUEST_SITUATION; }
    if (json_is(tree, type, "seat")) { return REQUEST_SEAT; }
    if (json_is(tree, type, "inputs")) { return REQUEST_INPUTS; }
    if (json_is(tree, type, "pause")) { return REQUEST_PAUSE; }
    if (json_is(tree, type, "play")) { return REQUEST_PLAY; }
    if (json_is(tree, type, "step")) { return REQUEST_STEP; }
    if (json_is(tree, type, "speed")) { return REQUEST_SPEED; }
    if (json_is(tree, type, "seek")) { return REQUEST_SEEK; }
    if (json_is(tree, type, "take")) { return REQUEST_TAKE; }
    if (json_is(tree, type, "ghost")) { return REQUEST_GHOST; }
    if (json_is(tree, type, "scenario")) { return REQUEST_SCENARIO; }
    if (json_is(tree, type, "exercise")) { return REQUEST_EXERCISE; }
    if (json_is(tree, type, "restart")) { return REQUEST_RESTART; }
    if (json_is(tree, type, "model")) { return REQUEST_MODEL; }
    return type < 0 ? REQUEST_NONE : REQUEST_UNKNOWN;
}

static inline bool request_is_for_driver(request_kind kind)
{
    switch (kind) {
    case REQUEST_FREEZE:
    case REQUEST_COMMENT:
    case REQUEST_HAND:
    case REQUEST_SITUATION:
    case REQUEST_SEAT:
    case REQUEST_INPUTS:
    case REQUEST_PAUSE:
    case REQUEST_PLAY:
    case REQUEST_STEP:
    case REQUEST_SPEED:
    case REQUEST_SEEK:
    case REQUEST_TAKE:
    case REQUEST_GHOST:
    case REQUEST_SCENARIO:
    case REQUEST_EXERCISE:
    case REQUEST_RESTART:
    case REQUEST_MODEL:
        return true;
    case REQUEST_ACK:
    case REQUEST_ARROWS:
    case REQUEST_INSIDE:
    case REQUEST_DRIVER:
    case REQUEST_UNKNOWN:
    case REQUEST_NONE: return false;
    }
    return false;
}

static inline bool get_ack_frame(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "frame"), value); } // its number
static inline bool get_arrows_on(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "on"), value); } // send them
static inline bool get_freeze_on(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "on"), value); } // true: stands; false: goes on
static inline bool get_comment_text(const json_tree *tree, char *to, size_t size) { return json_text_at(tree, json_member(tree, 0, "text"), to, size); } // of the remark, at most 200 bytes
static inline bool get_hand_to(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "to"), value); } // number of the page, one of `people`
static inline int find_situation_values(const json_tree *tree) { return json_member(tree, 0, "values"); } // [own] by the names of these inputs; the others stay
static inline bool get_seat_give(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "give"), value); } // true: to the first who asked; false: to nobody
static inline int find_inputs_values(const json_tree *tree) { return json_member(tree, 0, "values"); } // [own] by the names of inputs; the others stay
static inline bool get_step_n(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "n"), value); } // how many
static inline bool get_speed_value(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "value"), value); } // 1/32 to 8
static inline bool get_seek_t(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "t"), value); } // [s] the instant
static inline bool get_ghost_on(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "on"), value); } // compute and send it
static inline bool get_scenario_name(const json_tree *tree, char *to, size_t size) { return json_text_at(tree, json_member(tree, 0, "name"), to, size); } // of its file, without the ending: small letters, digits, '-'
static inline bool get_scenario_part(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "part"), value); } // number of this piece, from 0
static inline bool get_scenario_of(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "of"), value); } // how many there are
static inline bool get_scenario_replace(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "replace"), value); } // one of that name may be there and is replaced
static inline bool get_scenario_text(const json_tree *tree, char *to, size_t size) { return json_text_at(tree, json_member(tree, 0, "text"), to, size); } // of this piece, at most 3000 bytes
static inline bool get_exercise_name(const json_tree *tree, char *to, size_t size) { return json_text_at(tree, json_member(tree, 0, "name"), to, size); } // as in `exercises`; "": without one
static inline int find_restart_set(const json_tree *tree) { return json_member(tree, 0, "set"); } // [own] by the names of parameters, numbers in their own units
static inline bool get_restart_run(const json_tree *tree, char *to, size_t size) { return json_text_at(tree, json_member(tree, 0, "run"), to, size); } // one of `runs`
static inline bool get_restart_keep(const json_tree *tree, double *value) { return json_number_at(tree, json_member(tree, 0, "keep"), value); } // true: it begins in the state that this one has, where both have the same variables; else `error` says why, and this one goes on
static inline bool get_model_name(const json_tree *tree, char *to, size_t size) { return json_text_at(tree, json_member(tree, 0, "name"), to, size); } // one of the list `/models`
