// SPDX-License-Identifier: MIT
// Keys of bodies, of shapes that make their mass, and of joints.
#include "io/keys/keys.h"
#include <biela/model.h>

static const key_def body[] = {
    KEY("mass", "number", "of the body; 0, the default: a massless body", .unit = "kg",
        .at = offsetof(bi_body_def, mass)),
    KEY("com", "vector", "centre of mass in the body frame", .unit = "m", .at = offsetof(bi_body_def, com)),
    KEY("inertia", "inertia", "kg*m^2 about com, body axes: see below; default zero"),
    KEY("parts", "[part]1..", "shapes that make the body, instead of mass, com and inertia"),
    KEY("at", "vector", "origin of the body frame, ground axes", .unit = "m",
        .at = offsetof(bi_body_def, pose.pos)),
    KEY("turn", "turn", "orientation: see below"),
    KEY("velocity", "vector", "of the origin, first guess at t = 0", .unit = "m/s",
        .at = offsetof(bi_body_def, twist.lin)),
    KEY("basis", "[string]4", "points and vectors that natural coordinates use"),
    KEY("flex", "flex", "a mesh that makes the body flexible, instead of mass, com and inertia"),
    KEY("spin", "vector", "ground axes, first guess at t = 0", .unit = "rad/s",
        .at = offsetof(bi_body_def, twist.ang)),
    KEY("for", "for", NULL),
};
const key_map keys_body = { "body", KEY_ROWS(body) };

// Homogeneous shapes, of which one makes the inertia of a body, or a part of it.
static const key_def mass_shape[] = {
    KEY("box", "vector", "lengths of the edges", .unit = "m"),
    KEY("cylinder", "[number]2", "[radius, length]", .unit = "m"),
    KEY("axis", "<x, y, z>", "of the cylinder; default z"),
    KEY("sphere", "number", "radius", .unit = "m"),
    KEY("ellipsoid", "vector", "half axes", .unit = "m"),
    KEY("rod", "vector", "from end to end", .unit = "m"),
    KEY("mesh", "string", "a closed mesh, file .obj or .stl, relative to this file"),
    KEY("scale", "number", "of the mesh, to metres"),
    KEY("density", "number", "instead of mass", .unit = "kg/m^3"),
};
const key_map keys_shape = { "shape", KEY_ROWS(mass_shape) };

static const key_def part[] = {
    KEY("mass", "number", "instead of density", .unit = "kg"),
    KEY("at", "vector", "its centre (mesh: its origin), body frame", .unit = "m"),
    KEY("turn", "turn", "of its axes against those of the body"),
};
const key_map keys_part = { "part", &keys_shape, KEY_ROWS(part) };

static const key_def joint[] = {
    KEY("type", "@joints", "what it leaves free", KEY_REQUIRED),
    KEY("bodies", "[string]2", "two bodies, a and b", KEY_REQUIRED),
    KEY("at", "vector", "m, its point in ground axes, bodies as described; default origin",
        .of = JOINT_OTHER),
    KEY("axis", "vector", "in ground axes, bodies as described; default z", .of = JOINT_OTHER),
    KEY("at_a", "local", "m, the point in the frame of a; used instead of at"),
    KEY("at_b", "local", "m, the point in the frame of b"),
    KEY("axis_a", "local", "the axis in the frame of a; used instead of axis", .of = JOINT_OTHER),
    KEY("axis_b", "local", "the axis in the frame of b", .of = JOINT_OTHER),
    KEY("from", "vector", "distance: m, point on the first body, ground axes", .of = JOINT_DISTANCE),
    KEY("to", "vector", "distance: m, point on the second body, ground axes", .of = JOINT_DISTANCE),
    KEY("length", "number", "distance: m; default as described", .of = JOINT_DISTANCE),
    KEY("pitch", "number", "screw: m per turn; position and angle keep step from the described ones on",
        .of = JOINT_OTHER),
    KEY("clearance", "number",
        "revolute: m, room of the journal of b in the ring of a; a force of type bearing is the ring. The "
        "joint then has "
        "the coordinates angle, x, y",
        .of = JOINT_OTHER),
    KEY("armature", "number",
        "revolute, prismatic: kg*m^2 or kg, inertia on the coordinate alone: the rotor of a motor, seen "
        "through its gear",
        .of = JOINT_OTHER),
    KEY("angles", "string", "free, spherical: order of the turns, such as xyz", .of = JOINT_OTHER),
    KEY("value", "number | [number]",
        "first coordinate at the start, rad or m, or all of them: the assembly moves the mechanism there"),
    KEY("rate", "number | [number]", "rate at the start, rad/s or m/s; a list: of all coordinates"),
    KEY("zero", "<described> | number | [number]2",
        "the angle that counts as zero, rad, or the described one; of a universal joint two",
        .of = JOINT_OTHER),
    KEY("hold", "flag", "the assembly keeps the described value"),
    KEY("loop", "flag", "joint coordinates: this joint closes a loop, others make the tree",
        .of = JOINT_OTHER),
    KEY("for", "for", NULL),
};
const key_map keys_joint = { "joint", KEY_ROWS(joint) };
