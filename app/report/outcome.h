// SPDX-License-Identifier: MIT
/* outcome.h - how a drive ended, in a few numbers: did it lose its balance, tip, hit something, at which speed. */
#pragma once
#include "live/evidence.h"

enum { OUTCOME_NAME = 64 };
typedef struct {
    double end;                /* s that were reached */
    double least, least_t;     /* of the margin to the nearest tipping line; NAN: the model has none */
    double lost_t, lost_speed; /* s, m/s: the margin was gone for the first time; NAN: never */
    double tipped_t,
        tipped_speed;          /* the body leaned by more than outcome_lean for the first time; NAN: never */
    double fastest, fastest_t; /* m/s along the ground, s */
    double way;                /* m along the ground */
    double hit_t, hit_speed, hit_force; /* of the hardest touch that an event tells of; NAN: none */
    char hit_a[OUTCOME_NAME], hit_b[OUTCOME_NAME]; /* what touched what */
    int touches;
    bi_vec3 place; /* of the body at the end, m */
} outcome;
extern const double outcome_lean; /* rad */

/* Follows a sim; as data of an evidence_watch with `outcome_step`. */
typedef struct {
    bi_sim *sim;
    int body;                 /* of a bi_view */
    bi_channel margin, speed; /* unset: none, the speed is that of the body */
    bool is_vehicle;
    bi_vec3 up, own_up, before; /* against gravity; the same in the body at the start; place a step ago */
    double t;
    outcome is;
} outcome_watch;
/* Body, channels and kind are set; the rest begins. */
void outcome_begin(outcome_watch *, bi_sim *, const bi_model *);
void outcome_step(void *, const double *unused);
void outcome_end(outcome_watch *); /* what only the end tells: events */
