// SPDX-License-Identifier: MIT
// Keys of flexible bodies.
#include "io/keys/keys.h"
#include <biela/flex.h>

static const key_def flex[] = {
    KEY("model", "<modal, exact>",
        "modal: linear about its frame, in modes (default); exact: beams of any turns and strains, every "
        "node "
        "a rigid section NAME.node (that of the frame: NAME), every beam a force NAME.beam"),
    KEY("plane", "flag", "nodes move in x and y and turn about z only; default false"),
    KEY("scale", "number", "of coordinates of nodes: 0.001 for a mesh in mm; default 1"),
    KEY("materials", "{flex_material}", "by name"),
    KEY("sections", "{flex_section}", "by name"),
    KEY("kind", "flex_kind", "of elements that do not say it; default beam"),
    KEY("section", "string/real", "of elements that do not say it; default the only one"),
    KEY("material", "string/real", "of elements that do not say it; default the only one"),
    KEY("mesh", "string | =flex_mesh", "a file of Gmsh (.msh), CalculiX (.inp) or Nastran (.bdf .nas .dat)"),
    KEY("nodes", "=flex_nodes | {vector} | [vector]",
        "m, body frame: by name, in a list, or a CSV file with columns id, x, y, z, name"),
    KEY("lines", "{flex_line}", "chains of beams NAME.1, NAME.2 ... between two nodes"),
    KEY("rectangles", "{flex_rectangle}", "plane elements NAME.1 ... with nodes NAME.i.j"),
    KEY("elements", "=flex_elements | {flex_element} | [flex_element]",
        "by name, in a list, or a CSV file with columns id, kind, n1, n2 ..., section, material"),
    KEY("links", "[flex_link]", "nodes that follow another as if both were one rigid piece"),
    KEY("masses", "[flex_mass]", "masses at nodes"),
    KEY("frame", "flex_node | [flex_node]", "node that the axes of the body are fixed to, or several",
        KEY_REQUIRED),
    KEY("boundary", "[flex_node | flex_boundary]",
        "more nodes with static modes, three each; those that joints, forces and constraints hold have them "
        "without being listed"),
    KEY("modes", "number",
        "normal modes with frame and boundary held; with up_to: at most; default 0. auto 1 %: as many as "
        "stresses "
        "within 1 % of those of the full mesh take while what acts has frequencies up to up_to"),
    KEY("up_to", "number", "normal modes up to this frequency, such as 100 Hz"),
    KEY("weight_modes", "flag",
        "and the static shapes under the weight of the body and its accelerations, six at most: section "
        "forces between boundary nodes; default false"),
    KEY("damping", "number | =flex_damping",
        "ratio of critical damping of every mode; alpha M + beta K besides"),
    KEY("foreshortening", "flag | <load> | number",
        "straight beams: bending pulls the tip back, for fast rotation; load: only its stiffness, for a "
        "prescribed rotation; default false; 0, 1, 2 of an expression are false, true, load"),
    KEY("split", "number",
        "a straight line of beams in so many pieces, each linear about a frame of its own, welded end to "
        "end: NAME, NAME.2 ... with joints NAME.weld2 ...; modes are those of each; default 1"),
    KEY("rotary", "flag", "beams: inertia of the turning sections; default true"),
    KEY("mass", "number", "kg, what the mesh should weigh: checked to 1 %"),
};
const key_map keys_flex = { "flex", KEY_ROWS(flex) };

static const key_def flex_mesh[] = {
    KEY("file", "string", "relative to this file", KEY_REQUIRED),
    KEY("units", "<m, mm>", "SI (default), or mm, t, s, MPa"),
    KEY("thickness", "number", "m: triangles and quadrilaterals of the file are shells of this thickness"),
    KEY("interfaces", "{string/real | =flex_interface}",
        "nodes that lead all nodes of a set: name, set, at (default: middle of the set)"),
};
const key_map keys_flex_mesh = { "flex_mesh", KEY_ROWS(flex_mesh) };

static const key_def flex_interface[] = {
    KEY("set", "string/real", "of nodes, in the file"),
    KEY("at", "vector", "m, where it is; default the middle of the set"),
};
const key_map keys_flex_interface = { "flex_interface", KEY_ROWS(flex_interface) };

static const key_def flex_nodes[] = {
    KEY("file", "string", "CSV, relative to this file", KEY_REQUIRED),
};
const key_map keys_flex_nodes = { "flex_nodes", KEY_ROWS(flex_nodes) };

static const key_def flex_elements[] = {
    KEY("file", "string", "CSV, relative to this file", KEY_REQUIRED),
    KEY("kind", "flex_kind", "where the file has no column for it"),
    KEY("section", "string/real", "likewise"),
    KEY("material", "string/real", "likewise"),
};
const key_map keys_flex_elements = { "flex_elements", KEY_ROWS(flex_elements) };

static const key_def flex_damping[] = {
    KEY("ratio", "number", "of critical damping"),
    KEY("alpha", "number", "1/s, proportional to mass"),
    KEY("beta", "number", "s, proportional to stiffness"),
};
const key_map keys_flex_damping = { "flex_damping", KEY_ROWS(flex_damping) };

static const key_def flex_material[] = {
    KEY("young", "number", "modulus of elasticity", .unit = "Pa", KEY_REQUIRED,
        .at = offsetof(bi_material, young)),
    KEY("poisson", "number", "default 0.3", .at = offsetof(bi_material, poisson)),
    KEY("density", "number", "mass by volume", .unit = "kg/m^3", KEY_REQUIRED,
        .at = offsetof(bi_material, density)),
};
const key_map keys_flex_material = { "flex_material", KEY_ROWS(flex_material) };

static const key_def flex_section[] = {
    KEY("tube", "[number]2", "[diameter, wall] m; wall 0: full"),
    KEY("rectangle", "[number]2", "[y, z] m, sides along the axes of the section"),
    KEY("area", "number", "of the section", .unit = "m^2", .at = offsetof(bi_section, area)),
    KEY("iy", "number", "bending about y", .unit = "m^4", .at = offsetof(bi_section, iy)),
    KEY("iz", "number", "bending about z", .unit = "m^4", .at = offsetof(bi_section, iz)),
    KEY("torsion", "number", "of St Venant; default iy + iz", .unit = "m^4", .is_positive = true,
        .at = offsetof(bi_section, torsion)),
    KEY("shear_y", "number", "shear area over area, of timoshenko; default rigid", .is_positive = true,
        .at = offsetof(bi_section, shear_y)),
    KEY("shear_z", "number", "likewise along z", .is_positive = true, .at = offsetof(bi_section, shear_z)),
    KEY("top", "number", "outermost fibres at y = +-top", .unit = "m", .at = offsetof(bi_section, top)),
    KEY("side", "number", "outermost fibres at z = +-side", .unit = "m", .at = offsetof(bi_section, side)),
    KEY("twist", "number", "stress of torsion is twist * moment / torsion", .unit = "m", .is_positive = true,
        .at = offsetof(bi_section, twist)),
    KEY("thickness", "number", "of plane elements and shells", .unit = "m",
        .at = offsetof(bi_section, thickness)),
};
const key_map keys_flex_section = { "flex_section", KEY_ROWS(flex_section) };

static const key_def flex_line[] = {
    KEY("from", "flex_node", "node where it begins", KEY_REQUIRED),
    KEY("to", "flex_node", "node where it ends", KEY_REQUIRED),
    KEY("elements", "number", "how many; default 1"),
    KEY("kind", "<beam, timoshenko>", "default that of the mesh"),
    KEY("section", "string/real", "its name; default that of the mesh"),
    KEY("material", "string/real", "its name; default that of the mesh"),
    KEY("y_axis", "vector", "towards the y axis of the section; default z x beam"),
    KEY("via", "flex_node",
        "a point on its way: the line is the arc through it; beams in modes are its chords"),
    KEY("to_section", "string/real", "tapered: the section at the end, from 'section' at the start"),
    KEY("prestress", "number", "of exact beams: normal force as described, tension positive", .unit = "N"),
};
const key_map keys_flex_line = { "flex_line", KEY_ROWS(flex_line) };

static const key_def flex_rectangle[] = {
    KEY("at", "vector", "m, its corner; default the origin"),
    KEY("size", "[number]2", "m, along x and y", KEY_REQUIRED),
    KEY("divisions", "[number]2", "elements along x and y", KEY_REQUIRED),
    KEY("rigid_ends", "flag", "its faces across x follow nodes NAME.start and NAME.end in their middle"),
    KEY("kind", "<quad, quad-plain, triangle, shell4, shell3>", "default that of the mesh"),
    KEY("section", "string/real", "its name; default that of the mesh"),
    KEY("material", "string/real", "its name; default that of the mesh"),
};
const key_map keys_flex_rectangle = { "flex_rectangle", KEY_ROWS(flex_rectangle) };

static const key_def flex_element[] = {
    KEY("kind", "flex_kind", "default that of the mesh"),
    KEY("nodes", "[flex_node]", "as many as its kind has, in order", KEY_REQUIRED),
    KEY("section", "string/real", "its name; default that of the mesh"),
    KEY("material", "string/real", "its name; default that of the mesh"),
    KEY("y_axis", "vector", "towards the y axis of the section"),
    KEY("offsets", "[vector]2", "m, from the nodes to the ends of a beam"),
    KEY("mass", "number", "kg, of kind mass"),
    KEY("inertia", "[number]6", "kg m2, of kind mass: xx yy zz xy yz zx"),
};
const key_map keys_flex_element = { "flex_element", KEY_ROWS(flex_element) };

static const key_def flex_link[] = {
    KEY("leader", "flex_node", "the node that leads", KEY_REQUIRED),
    KEY("followers", "[flex_node]", "those that follow it", KEY_REQUIRED),
};
const key_map keys_flex_link = { "flex_link", KEY_ROWS(flex_link) };

static const key_def flex_mass[] = {
    KEY("node", "flex_node", "where it is", KEY_REQUIRED),
    KEY("mass", "number", "kg", KEY_REQUIRED),
    KEY("inertia", "[number]6", "kg m2 about the node: xx yy zz xy yz zx"),
};
const key_map keys_flex_mass = { "flex_mass", KEY_ROWS(flex_mass) };

static const key_def flex_boundary[] = {
    KEY("node", "flex_node", "which", KEY_REQUIRED),
    KEY("point", "flag", "its displacements; default true"),
    KEY("vectors", "[vector]..3",
        "directions whose turns have static modes, two for the first; those that joints hold have them "
        "without being listed"),
};
const key_map keys_flex_boundary = { "flex_boundary", KEY_ROWS(flex_boundary) };
