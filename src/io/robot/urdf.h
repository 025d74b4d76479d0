// SPDX-License-Identifier: MIT
// A robot of URDF between its file and the model file: links and joints, placed in ground axes.
#pragma once
#include "io/model/names.h"
#include "io/robot/xml.h"
#include <stdio.h>

typedef struct {
    double m[3][3];
} rotation;

typedef struct {
    bi_vec3 pos;
    rotation rot;
} frame;

typedef struct {
    const xml_element *element;
    const char *name;   // as in the robot
    const char *called; // in the model
    int parent;         // joint that leads here; -1: the root
    frame at;           // in ground axes, all joints at zero
    bool is_placed;
    double mass;
    bi_vec3 com;       // from the origin, ground axes
    double inertia[6]; // about com, ground axes
} link;

typedef struct {
    const xml_element *element;
    const char *name, *called, *type;
    int parent, child; // links
    bi_vec3 at, axis;  // ground axes
} joint;

typedef struct {
    const char *path;
    bi_report *report;
    blocks memory;
    link *link;
    joint *joint;
    int n_link, n_joint, root;
    name_set links;  // names in the robot, in the order of `link`
    name_set called; // names in the model
} robot;

typedef struct {
    bool is_there;
    double lower, upper, stiffness;
} stop_of_joint;

// The stop that a limit becomes, and the damping of the joint. Their numbers have been looked at.
stop_of_joint urdf_stop(const joint *j);
double urdf_damping(const joint *j);
// The model file; is_ground: the root link is the ground.
void urdf_write(FILE *out, const robot *r, const char *name, bool is_ground);
