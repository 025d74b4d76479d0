// SPDX-License-Identifier: MIT
// Keys of shapes that touch and are shown, of struts between bodies, of files that are only seen, and of patches of the
// ground.
#include "io/keys/keys.h"
#include <biela/look.h>
#include <biela/shapes.h>

#define OF(type) SHAPE_BIT(type)
#define AT(field) offsetof(bi_shape_def, field)
enum { LONG = OF(CYLINDER) | OF(CAPSULE) | OF(CONE), ROUND = OF(SPHERE) | LONG | OF(TORUS) };

// Of `of`: the bits are those of bi_shape_type.
static const key_def solid[] = {
    KEY("type", "@shapes", "a plane is the half space below its x y plane, a field the solid below it",
        KEY_REQUIRED),
    KEY("body", "string", "default ground"),
    KEY("at", "vector", "its origin in the body frame", .unit = "m", .at = AT(pose.pos)),
    KEY("turn", "turn", "of its axes against those of the body"),
    KEY("size", "vector", "box: lengths of the edges", .unit = "m", .of = OF(BOX), .needed_by = OF(BOX),
        .at = AT(size)),
    KEY("half_axes", "vector", "ellipsoid: from its middle to its surface along x, y and z", .unit = "m",
        .of = OF(ELLIPSOID), .needed_by = OF(ELLIPSOID), .at = AT(half_axes)),
    KEY("radius", "number", "of the shape; of a torus: of its section, across z", .unit = "m", .of = ROUND,
        .needed_by = ROUND, .at = AT(radius)),
    KEY("length", "number", "cylinder, capsule, cone: along z, caps come on top; random road: along x",
        .unit = "m", .of = LONG | OF(ROAD), .needed_by = LONG, .at = AT(length)),
    KEY("ends", "[vector]2",
        "cylinder, capsule, cone (base, tip): ends of the axis instead of at, turn and length", .unit = "m",
        .of = LONG),
    KEY("ring", "number", "torus: middle of the section from z", .unit = "m", .of = OF(TORUS),
        .needed_by = OF(TORUS), .at = AT(ring)),
    KEY("width", "number",
        "torus: of its section along z, default 2 radius; random road: across, default 4 m", .unit = "m",
        .of = OF(TORUS) | OF(ROAD), .is_positive = true, .at = AT(width)),
    KEY("facets", "number", "corners around where triangles stand for it; default 48",
        .of = OF(BOX) | ROUND | OF(ELLIPSOID)),
    KEY("points", "[vector]", "hull: the points that it spans", .unit = "m", .of = OF(HULL)),
    KEY("file", "string",
        "mesh; hull: its corners: an .obj or .stl; road: OpenCRG or OpenDRIVE (.xodr); relative to this file",
        .of = OF(MESH) | OF(HULL) | OF(ROAD)),
    KEY("road", "string", "road with an .xodr file: its id there; default its only one", .of = OF(ROAD)),
    KEY("iso_class", "<A, B, C, D, E, F, G, H>", "random road: its class of ISO 8608, in place of a file",
        .of = OF(ROAD)),
    KEY("roughness", "number", "random road: spectral density of its height at 0.1/m, in place of a class",
        .unit = "m^3", .of = OF(ROAD)),
    KEY("seed", "number",
        "random road: a whole number; another one is another road of the same class; default 1",
        .of = OF(ROAD)),
    KEY("incoherence", "number",
        "random road: lines at a distance d share waves of wave number n with exp(-incoherence n d); default "
        "4",
        .of = OF(ROAD)),
    KEY("flat", "number", "random road: level at its beginning; the roughness comes in over as much again",
        .unit = "m", .of = OF(ROAD)),
    KEY("scale", "number | [number]3",
        "of the file: the length of its unit in m, or that along x, y and z; negative ones mirror it",
        .of = OF(MESH) | OF(HULL)),
    KEY("solid", "flag", "mesh: false: it is only seen, so that holes and loose corners are not told",
        .of = OF(MESH) | OF(HULL)),
    KEY("unit", "string", "of the file: its unit, such as mm", .of = OF(MESH) | OF(HULL)),
    KEY("pieces", "number",
        "mesh: cut into so many convex pieces at most, 1 to 256, which meet convex shapes and planes; "
        "default: "
        "it meets them by its triangles",
        .of = OF(MESH)),
    KEY("heights", "[[number]] | =heights_file",
        "field: rows along x; or {file: heights.csv} with a line of names", .unit = "m", .of = OF(FIELD)),
    KEY("surface", "expression",
        "field: its height; an expression of x and y, which are numbers in m without a unit", .unit = "m",
        .of = OF(FIELD)),
    KEY("spacing", "number | [number]2",
        "field: distance of the nodes, one number or [x, y]; random road: default [0.1 m, 0.25 m]",
        .unit = "m", .of = OF(FIELD) | OF(ROAD)),
    KEY("from", "[number]2", "field: the first node; default [0, 0]", .unit = "m", .of = OF(FIELD)),
    KEY("to", "[number]2", "field with surface: the last node", .unit = "m", .of = OF(FIELD)),
    KEY("smooth", "flag", "field, road: continuous slopes; default false for a field, true for a road",
        .of = OF(FIELD) | OF(ROAD), .at = AT(is_smooth)),
    KEY("colour", "string | [number]", "#rrggbb in quotes, or [red, green, blue, opacity] from 0 to 1"),
    KEY("finish", "@finishes", "what it is painted with; shapes of the ground that have one are scenery"),
    KEY("title", "string", "what people call it, for events; default: its body, on the ground its own name"),
    KEY("visible", "flag", "false hides it"),
    KEY("for", "for", NULL),
};
const key_map keys_solid = { "solid", KEY_ROWS(solid) };

static const key_def heights_file[] = {
    KEY("file", "string", "CSV, relative to this file", KEY_REQUIRED),
};
const key_map keys_heights_file = { "heights_file", KEY_ROWS(heights_file) };

static const key_def patch[] = {
    KEY("at", "vector", "its middle, ground axes", .unit = "m", .at = offsetof(bi_patch_def, pose.pos)),
    KEY("turn", "turn", "of its sides about the vertical"),
    KEY("size", "[number]2", "sides of a rectangle", .unit = "m"),
    KEY("radius", "number", "of a disc", .unit = "m", .at = offsetof(bi_patch_def, radius)),
    KEY("disc", "[expression]3",
        "x, y and radius of a disc by t and inputs, in place of at, size and radius; it is there while its "
        "radius is above zero",
        .unit = "m"),
    KEY("friction", "number", "factor: 1 as elsewhere, 0.1 ice", .at = offsetof(bi_patch_def, friction)),
    KEY("factor", "expression", "the same by t and inputs, in place of friction"),
    KEY("for", "for", NULL),
};
const key_map keys_patch = { "patch", KEY_ROWS(patch) };

enum { STRUT_CYLINDER = 1u << BI_STRUT_CYLINDER };
static const key_def strut[] = {
    KEY("type", "<rod, cylinder, chain>",
        "a cylinder has a barrel at its first point and a rod to its second", KEY_REQUIRED),
    KEY("points", "[point]2..8", "of any bodies, which it follows; a cylinder has two", KEY_REQUIRED),
    KEY("radius", "number", "of the rod, the barrel or the links", KEY_REQUIRED, .unit = "m",
        .at = offsetof(bi_strut_def, radius)),
    KEY("rod", "number", "cylinder: radius of its rod; default 0.6 radius", .unit = "m", .of = STRUT_CYLINDER,
        .is_positive = true, .at = offsetof(bi_strut_def, rod)),
    KEY("barrel", "number", "cylinder: length of its barrel; default 0.6 of the way as described",
        .unit = "m", .of = STRUT_CYLINDER, .is_positive = true, .at = offsetof(bi_strut_def, barrel)),
    KEY("colour", "string | [number]", "as of a shape"),
    KEY("for", "for", NULL),
};
const key_map keys_strut = { "strut", KEY_ROWS(strut) };

static const key_def look[] = {
    KEY("file", "string", ".gltf, .glb (its y is up) or .obj with its .mtl, relative to this file",
        KEY_REQUIRED),
    KEY("body", "string", "default ground: a part of the scenery"),
    KEY("at", "vector", "its origin in the body frame", .unit = "m", .at = offsetof(bi_look_def, pose.pos)),
    KEY("turn", "turn", "of its axes against those of the body"),
    KEY("scale", "number", "the length of its unit in m; default 1", .is_positive = true,
        .at = offsetof(bi_look_def, scale)),
    KEY("for", "for", NULL),
};
const key_map keys_look = { "look", KEY_ROWS(look) };
