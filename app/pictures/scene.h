// SPDX-License-Identifier: MIT
/* scene.h - a picture of a model where it is, without a browser: its shapes and struts, lit, with shadows. */
#pragma once
#include <biela/biela.h>

typedef enum {
    SCENE_EYE, /* as seen from `eye`; `half` is the tangent of half the angle across */
    SCENE_PLAN /* without perspective; `half` is half the width, m */
} scene_kind;
/* Under a model without anything to stand on: nothing, or the plane z = 0. */
typedef enum { SCENE_AIR, SCENE_FLOOR } scene_ground;
typedef struct {
    scene_kind kind;
    scene_ground ground;
    bi_vec3 eye, ahead, up; /* ground axes; need not be unit or square */
    double half;
    bi_vec3 sun; /* from the ground to it; the shadows are sharp within `shaded` of `middle` */
    bi_vec3 middle;
    double shaded;       /* m; 0: no shadows */
    const bool *is_part; /* of the machine whose points are counted (n_body); NULL: none */
} scene_view;

typedef struct {
    int width, height;
    unsigned char *rgb; /* (3 * width * height) rows from above */
    int seen;           /* points of the machine, of four times as many */
} scene_picture;
/* `pose` of all bodies, the ground first. False: no memory. Release with free(rgb). */
bool scene_draw(const bi_model *, const bi_pose *pose, const scene_view *, int width, int height,
                scene_picture *);
