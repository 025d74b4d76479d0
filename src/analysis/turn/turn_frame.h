// SPDX-License-Identifier: MIT
// A motion that turns steadily about the vertical, seen from a frame that turns with it (turn.1 .. turn.3). Dense; for
// analysis.
#pragma once
#include "analysis/reduction.h"
#include <biela/turn.h>

enum { SLIDE_AHEAD, SLIDE_LEFT, TURN_ABOUT, N_GROUP };

typedef struct {
    reduction r;
    bi_sim *sim;
    int body;               // whose origin has the speed and the lateral acceleration
    vec3 up, ahead, left;   // ahead: where it moved at the start, level
    vec3 nose;              // the way it pointed then, body axes
    double speed, rate;     // m/s; rad/s about up
    double slip;            // rad, from ahead to the velocity
    double *spin;           // rates besides those of the turn                            (n)
    bool *spins;            // they are not zero: wheels, engines                         (n)
    double *chart;          // of q0                                                      (n_chart)
    double *turned;         // second rates of the steady turn                            (n)
    double *wanted;         // rates of the turn alone, which rolling may not allow        (n)
    double *group[N_GROUP]; // rates of the coordinates when all slides or turns as one (n)
    bi_pose *pose, *moved;  //                                                          (n_body)
    bi_twist *twist, *one;  //                                                          (n_body)
    coords put;             // what bodies at given places have as coordinates
    double *memory;
} turn_search;

bool turn_is_right(const bi_sim *sim, const bi_turn_def *def);

// From where the sim stands, which has to move; the report tells what is wrong.
bi_status turn_create(turn_search *t, bi_sim *sim, const bi_turn_def *def, bi_report *report);
void turn_clear(turn_search *t);

// Second rates y of the state q0, z0, slip, spin with the inputs as they are, and `turned`. False: not possible there.
bool turn_evaluate(turn_search *t);
// `turned` and the poses and twists of r.at, after an evaluation.
void turn_look(turn_search *t);
// Second rates and `turned` of r.at as it is.
bool turn_accelerate(turn_search *t);
// Rates of the coordinates of r.at when all bodies move as one: velocity of the point `about`, and angular velocity
// about up. After turn_look.
void turn_rates(turn_search *t, vec3 about, vec3 velocity, double rate, double *out);
// `group` at r.at: about the reference body's origin.
void turn_group(turn_search *t);
// (n) The three coordinates by which place and heading are told: nothing depends on them. Destroys `group`.
void turn_ignorable(turn_search *t, bool *is_ignored);
// What is found becomes the state that the unknowns are counted from.
void turn_keep(turn_search *t);
// Where the turn's centre is; angle from the way the body points to its velocity, rad. After turn_look.
vec3 turn_centre(const turn_search *t);
double turn_sideslip(const turn_search *t);
