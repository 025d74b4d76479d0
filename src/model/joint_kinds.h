// SPDX-License-Identifier: MIT
// The table of joints: what each kind holds, its coordinates and its names.
// Rows and shared points follow from what a joint holds. A new kind is its value in the enum of the public header, an
// entry here, and its nodes in coordinates/joint/joint_tree.c (docs/guide/add-a-joint.md); rows that no other joint has
// are a joint_rows_kind. What is forgotten does not compile.
#pragma once
#include <biela/names.h>
#include <stdbool.h>

// What it holds of the points of its two bodies.
typedef enum {
    JOINT_PLACE_FREE,
    JOINT_PLACE_POINT,   // they are one
    JOINT_PLACE_LINE,    // that of b is on the axis of a
    JOINT_PLACE_PLANE,   // that of b is in the plane across the axis of a
    JOINT_PLACE_DISTANCE // they stay as far apart: one row, which is never part of a tree
} joint_place;

// What it holds of their orientations.
typedef enum {
    JOINT_TURN_FREE,
    JOINT_TURN_AXIS,  // the two axes are one: b turns about it
    JOINT_TURN_CROSS, // the two axes are at right angles
    JOINT_TURN_NONE   // b does not turn
} joint_turn;

enum { JOINT_COORDINATES = 6 }; // at most

typedef struct {
    const char *name;
    joint_place place;
    joint_turn turn;
    const char *help;
    int n_coordinate;
    const char
        *coordinate[JOINT_COORDINATES]; // names; those that begin with "angle" are in rad, the others in m
    unsigned takes;                     // BI_TAKES_...
    int first_angle;                    // BI_TAKES_ANGLES: the first of the three successive turns
} joint_kind;

// Value, name, place, turn, help, and the rest.
#define JOINT_LIST(X)                                                                                        \
    X(BI_FIXED, "fixed", JOINT_PLACE_POINT, JOINT_TURN_NONE, "nothing", .n_coordinate = 0)                   \
    X(BI_REVOLUTE, "revolute", JOINT_PLACE_POINT, JOINT_TURN_AXIS, "a turn about the axis",                  \
      .n_coordinate = 1, .coordinate = { "angle" })                                                          \
    X(BI_PRISMATIC, "prismatic", JOINT_PLACE_LINE, JOINT_TURN_NONE, "a way along the axis",                  \
      .n_coordinate = 1, .coordinate = { "position" })                                                       \
    X(BI_CYLINDRICAL, "cylindrical", JOINT_PLACE_LINE, JOINT_TURN_AXIS,                                      \
      "a turn about the axis and a way along it", .n_coordinate = 2, .coordinate = { "angle", "position" })  \
    X(BI_FREE, "free", JOINT_PLACE_FREE, JOINT_TURN_FREE, "everything, with six named coordinates",          \
      .n_coordinate = 6, .coordinate = { "x", "y", "z", "angle1", "angle2", "angle3" },                      \
      .takes = BI_TAKES_ANGLES, .first_angle = 3)                                                            \
    X(BI_UNIVERSAL, "universal", JOINT_PLACE_POINT, JOINT_TURN_CROSS,                                        \
      "turns about two axes at right angles", .n_coordinate = 2, .coordinate = { "angle1", "angle2" })       \
    X(BI_SPHERICAL, "spherical", JOINT_PLACE_POINT, JOINT_TURN_FREE, "all turns about a point",              \
      .n_coordinate = 3, .coordinate = { "angle1", "angle2", "angle3" }, .takes = BI_TAKES_ANGLES)           \
    X(BI_DISTANCE, "distance", JOINT_PLACE_DISTANCE, JOINT_TURN_FREE, "all but the distance of two points",  \
      .n_coordinate = 1, .coordinate = { "position" }, .takes = BI_TAKES_LENGTH)                             \
    X(BI_PLANAR, "planar", JOINT_PLACE_PLANE, JOINT_TURN_AXIS, "a turn about the axis and ways across it",   \
      .n_coordinate = 3, .coordinate = { "angle", "x", "y" })                                                \
    X(BI_SCREW, "screw", JOINT_PLACE_LINE, JOINT_TURN_AXIS,                                                  \
      "a turn about the axis with a way along it by the pitch", .n_coordinate = 2,                           \
      .coordinate = { "angle", "position" }, .takes = BI_TAKES_PITCH)                                        \
    /* end of joints */

bool joint_exists(bi_joint_kind kind); // an enum may have any number in it
const joint_kind *
joint_of(bi_joint_kind kind); // one without a name and free in all where there is no such kind

// Nothing moves, only turns about a point, or all of it does.
static inline bool joint_is_rigid(bi_joint_kind kind)
{
    return joint_of(kind)->place == JOINT_PLACE_POINT && joint_of(kind)->turn == JOINT_TURN_NONE;
}
static inline bool joint_is_ball(bi_joint_kind kind)
{
    return joint_of(kind)->place == JOINT_PLACE_POINT && joint_of(kind)->turn == JOINT_TURN_FREE;
}
static inline bool joint_is_free(bi_joint_kind kind)
{
    return joint_of(kind)->place == JOINT_PLACE_FREE && joint_of(kind)->turn == JOINT_TURN_FREE;
}
static inline bool joint_is_distance(bi_joint_kind kind)
{
    return joint_of(kind)->place == JOINT_PLACE_DISTANCE;
}
// Its coordinates are three successive turns, alone or after three ways.
static inline bool joint_has_angles(bi_joint_kind kind) { return joint_of(kind)->takes & BI_TAKES_ANGLES; }
// Angle and position keep step.
static inline bool joint_has_pitch(bi_joint_kind kind) { return joint_of(kind)->takes & BI_TAKES_PITCH; }
