// SPDX-License-Identifier: MIT
/* contact_measure.h - what a step of a scene costs, and whether it keeps its promises: energy, depth, rest. */
#pragma once
#include "measure/contact_scenes.h"

typedef struct {
    scene_request scene;
    double from, span; /* s, simulated: where the measurement begins, and how long it is */
    double budget;     /* s of CPU for all of it */
} contact_job;

/* What is not known is NAN. */
typedef struct {
    exit_code code;
    double stopped;      /* s of CPU when the budget was spent; 0: it was enough */
    double reached;      /* s simulated by then */
    int runs;            /* whole ones: each group of steps counts with the best of them */
    int bodies, asleep;  /* all of them, and those that sleep at the end */
    double us;           /* of CPU, per step, the mean */
    double instructions; /* per step */
    double iterations;   /* per step */
    double setup;        /* s of CPU, until the first step */
    double growth;       /* largest rise of the energy over the largest energy; nothing drives boxes */
    double nowhere; /* the same of energy less the work done by contacts and others: energy from nowhere */
    double depth, depth_static,
        depth_allowed; /* m: greatest; at rest; at rest twice, and what the speed explains */
    double touching;   /* pairs, most at an instant */
    double speed;      /* m/s, of the fastest point at the end */
    double bytes;      /* that model, system and sim hold, at the end of the run */
    bi_outcome verdict;
} contact_result;

contact_result contact_measure(const contact_job *);
