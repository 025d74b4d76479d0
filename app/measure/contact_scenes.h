// SPDX-License-Identifier: MIT
/* contact_scenes.h - scenes of the contact bench, ready to step: boxes by rule, and the forklift with a pallet on its
 * forks. */
#pragma once
#include "cli/command.h"
#include "measure/contact_boxes.h"
#include <biela/biela.h>

typedef enum { SCENE_BOXES, SCENE_FORKLIFT, SCENE_CRATES } scene_source;

/* What is asked for. */
typedef struct {
    scene_source source;
    boxes_kind boxes; /* of SCENE_BOXES, and how many */
    int n;
    bi_options options; /* how to compute it */
} scene_request;

typedef struct {
    bi_model *model;
    bi_system *system;
    bi_sim *sim;                        /* started, at t = 0 */
    bi_channel kinetic, total, balance; /* J */
    bi_channel depth[2],
        touching[2];      /* of the floor and between boxes: m, and pairs that touch; unset: none */
    double half_diagonal; /* m, of a box */
} contact_scene;

/* Mistakes are printed. Close it in any case. */
exit_code contact_scene_open(contact_scene *, const scene_request *);
void contact_scene_close(contact_scene *);
