// SPDX-License-Identifier: MIT
// SDF while it is read: models, links, frames and joints by their scoped names, each with its pose.
#pragma once
#include "io/robot/scene.h"

typedef enum { SDF_MODEL, SDF_LINK, SDF_FRAME, SDF_JOINT } sdf_kind;

typedef struct {
    const xml_element *element;
    sdf_kind kind;
    const char *name;        // "outer::inner::link"
    int model;               // the model that it stands in; -1: the world
    const xml_element *pose; // its <pose>; NULL: none
    frame at;                // ground axes, when placed
    int state;               // 0: not placed, 1: under way, 2: placed
    bool is_static;          // of a model
    int body;                // of a link in the scene; -1: none yet
    int link;                // of a frame or model: the link that it is fixed to; -1: the world or not known
    int lead;                // of a link: the joint that holds it in the tree; -1: none
} sdf_item;

typedef struct {
    scene *s;
    sdf_item *item;
    int n_item, cap_item, n_include;
    name_set names; // in the order of `item`
} sdf;

// Text of a child element; NULL: there is none, or it is empty.
const char *sdf_text(const xml_element *e, const char *child);
double sdf_number(sdf *d, const xml_element *e, const char *child, double otherwise);
// "x y z roll pitch yaw" of a <pose>, as it stands; NULL: none.
frame sdf_pose(sdf *d, const xml_element *pose);
// Visuals and collisions of a link whose body is there.
void sdf_read_shapes(sdf *d, const xml_element *link, int body, const frame *at);
