// SPDX-License-Identifier: MIT
/* contact_boxes.h - many boxes by rule: where they start, and of what they are made. Needs no engine, so that other
 * programs can be given the same scenes. */
#pragma once
#include <biela/types.h>
#include <stdbool.h>

typedef enum {
    BOXES_FREE_FALL, /* on a grid, 1 m apart, no floor */
    BOXES_AT_REST,   /* the same on a floor, each as deep as it rests */
    BOXES_PILE, /* layers of a square, each box shifted and turned a little; falls onto a floor and tumbles */
    BOXES_APART /* on a grid, 1 m apart, sliding along x on a floor */
} boxes_kind;

typedef struct {
    double mass;                        /* kg, of a box */
    bi_vec3 size;                       /* m, edges of a box */
    double stiffness, damping;          /* N/m, N s/m of one touching point */
    double friction, friction_on_floor; /* box on box, box on the floor */
    double gravity;                     /* m/s2, downwards */
    bool has_floor;                     /* the plane z = 0 */
    int layers;                         /* of boxes, one on another */
} boxes_rule;

typedef struct {
    bi_vec3 at;   /* m, centre of the box */
    double turn;  /* rad, about z */
    double speed; /* m/s, along x */
} box_start;

boxes_rule boxes_of(boxes_kind, int n);
/* Writes n starts. The numbers of a pile are the same every time. */
void boxes_place(boxes_kind, int n, box_start *out);
/* How deep the lowest boxes sink under all that stands on them, m. */
double boxes_static_depth(const boxes_rule *);
