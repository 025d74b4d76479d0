// SPDX-License-Identifier: MIT
// Keys of bond graphs.
#include "io/keys/keys.h"

static const key_def graph[] = {
    KEY("parts", "{graph_part}", "sub-graphs in it"),
    KEY("nodes", "{node}", "the elements"),
    KEY("bonds", "[string]", "chains such as V -> j1 -> L", KEY_REQUIRED),
    KEY("for", "for", NULL),
};
const key_map keys_graph = { "graph", KEY_ROWS(graph) };

static const key_def subgraph[] = {
    KEY("parameters", "{number}",
        "its own, with defaults; `needed`: without one, set or bound wherever it is used"),
    KEY("ports", "[string]", "nodes that others may join; default all"),
    KEY("nodes", "{node}", "the elements"),
    KEY("parts", "{graph_part}", "sub-graphs in it"),
    KEY("bonds", "[string]", "chains such as V -> j1 -> L", KEY_REQUIRED),
    KEY("help", "text", "free text"),
};
const key_map keys_subgraph = { "subgraph", KEY_ROWS(subgraph) };

static const key_def graph_part[] = {
    KEY("graph", "string", "a name in subgraphs", KEY_REQUIRED),
    KEY("file", "string", "of another file, relative to this one"),
    KEY("set", "{number}", "parameters of the sub-graph"),
    KEY("bind", "{string}",
        "names in its values: names of the graph or model, or numbers, that they stand for"),
};
const key_map keys_graph_part = { "graph_part", KEY_ROWS(graph_part) };

// The words of `type` are in the order of bi_bond_kind.
static const key_def node[] = {
    KEY("type", "<Se, Sf, R, C, I, TF, GY, 0, 1, #0, #1, state, port, value>", "kind of element",
        KEY_REQUIRED),
    KEY("value", "bond_value",
        "effort or flow of a source; R, C, I, ratio; rate of a state; a value; also a list per component, or "
        "rows"),
    KEY("effort", "bond_value", "instead: effort of an R, of its flow f; of a C, of q"),
    KEY("flow", "bond_value", "instead: flow of an R, of its effort e; of an I, of p"),
    KEY("holds", "bond_value",
        "instead: effort of an R that slips; at rest it is locked, and carries up to that"),
    KEY("breakaway", "number", "beside holds: effort that unlocks over the one that slips; default 1"),
    KEY("settle", "number", "beside holds: s in which what is left of slipping fades; default 2 ms"),
    KEY("inertia", "number",
        "beside holds: kg m2 or kg that it stops, where that is a body at a port; default: what the graph "
        "has"),
    KEY("size", "number", "components of its bonds; default 1"),
    KEY("joint", "string", "of a port: a joint or one of its coordinates"),
    KEY("between", "[point]2", "of a port: the distance of two points; the effort pushes them apart"),
    KEY("force", "point", "of a port: a point, along axis or (size 3) all axes of its body"),
    KEY("torque", "string", "of a port: a body, about axis or (size 3) all its axes"),
    KEY("axis", "vector", "beside force and torque, in axes of the body"),
    KEY("initial", "number | [number]", "p, q or state at the start; default 0"),
    KEY("orthogonal", "flag", "of a TF: its transposed matrix is its inverse"),
};
const key_map keys_node = { "node", KEY_ROWS(node) };
