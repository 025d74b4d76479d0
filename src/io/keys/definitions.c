// SPDX-License-Identifier: MIT
// The list of all tables of keys, and the names of types that they use.
#include "io/keys/keys.h"
#include <string.h>

static const key_map *const maps[] = {
    &keys_file,         &keys_live_modes,    &keys_parameter_group, &keys_independent,   &keys_critical,
    &keys_parameter,    &keys_input,         &keys_include,         &keys_event,         &keys_curve,
    &keys_table_file,   &keys_imposed,       &keys_point,           &keys_direction,     &keys_frame,
    &keys_rotation,     &keys_body,          &keys_shape,           &keys_part,          &keys_solid,
    &keys_heights_file, &keys_patch,         &keys_strut,           &keys_look,          &keys_light,
    &keys_joint,        &keys_graph,         &keys_subgraph,        &keys_graph_part,    &keys_node,
    &keys_flex,         &keys_flex_mesh,     &keys_flex_interface,  &keys_flex_nodes,    &keys_flex_elements,
    &keys_flex_damping, &keys_flex_material, &keys_flex_section,    &keys_flex_line,     &keys_flex_rectangle,
    &keys_flex_element, &keys_flex_link,     &keys_flex_mass,       &keys_flex_boundary, &keys_output,
    &keys_relative,     &keys_run,
};
enum { N_MAP = sizeof maps / sizeof *maps };

const key_map *key_map_at(int k) { return k < N_MAP ? maps[k] : NULL; }

const key_map *key_map_find(const char *name)
{
    for (int k = 0; k < N_MAP; k++) {
        if (strcmp(maps[k]->name, name) == 0) {
            return maps[k];
        }
    }
    return NULL;
}

static const key_type types[] = {
    { "text", "string/real", NULL },
    { "number", "real/string", "a number, 30 deg, or an expression of parameters" },
    { "expression", "real/string",
      "an expression that may read t, inputs and joints (pivot.angle, pivot.rate)" },
    { "vector", "[number]3", NULL },
    { "entry", "string ~^([A-Za-z0-9_-]|[$][A-Za-z_]|[$][(][^)]*[)])+$",
      "a name of letters, digits, _ and -, or with $i of a repetition" },
    { "symbol", "string ~^[A-Za-z_][A-Za-z0-9_]*$", "a name that expressions can use" },
    { "label", "string ~^[^ ]+$", "a name without blanks" },
    { "range", "string ~[.][.]", "from..to" },
    { "for", "{range}..4", "repetition: {i: 1..N}; $i and $(i-1) in names and texts" },
    { "point", "string 'the name of a point' | =point", NULL },
    { "direction", "string 'the name of a vector' | =direction", NULL },
    { "frame", "=frame", NULL },
    { "local", "vector | string", NULL },
    { "rotation", "=rotation", NULL },
    { "turn", "rotation | [rotation]", "rotations, each about the axes as turned by those before" },
    { "curve", "=curve", NULL },
    { "table", "[[number]] | =table_file", NULL },
    { "parameters", "{symbol: number | =parameter}?", NULL },
    { "inputs", "{symbol: number | =input}?", NULL },
    { "include", "=include", NULL },
    { "bodies", "{entry: body}?", NULL },
    { "body", "=body", NULL },
    { "inertia", "[number]3..6 | shape",
      "kg*m^2 about com, body axes: [xx, yy, zz], [xx, yy, zz, xy, yz, zx], or a shape" },
    { "shape", "=shape", NULL },
    { "part", "=part", NULL },
    { "flex", "=flex", NULL },
    { "flex_node", "string/real | vector", "a node by its name, its number, or its place" },
    { "flex_kind", "@flex_kinds", NULL },
    { "flex_material", "=flex_material", NULL },
    { "flex_section", "=flex_section", NULL },
    { "flex_line", "=flex_line", NULL },
    { "flex_rectangle", "=flex_rectangle", NULL },
    { "flex_element", "=flex_element", NULL },
    { "flex_link", "=flex_link", NULL },
    { "flex_mass", "=flex_mass", NULL },
    { "flex_boundary", "=flex_boundary", NULL },
    { "solid", "=solid", "a shape on a body: what touches and what is shown" },
    { "patch", "=patch", "a part of the ground with another friction" },
    { "light", "=light", NULL },
    { "look", "=look", "a file of a modelling program, only seen" },
    { "strut", "=strut", "drawn between points of several bodies" },
    { "joints", "{entry: joint}?", NULL },
    { "joint", "=joint", NULL },
    { "signals", NULL, NULL },
    { "forces", NULL, NULL },
    { "constraints", NULL, NULL },
    { "actions", NULL, NULL },
    { "graphs", "{entry: graph}?", NULL },
    { "graph", "=graph", NULL },
    { "subgraph", "=subgraph", NULL },
    { "graph_part", "=graph_part", NULL },
    { "node", "=node", NULL },
    { "bond_value", "expression | [expression | [expression]]1..6", NULL },
    { "imposed", "{entry: =imposed}?", NULL },
    { "events", "{event}?", NULL },
    { "event", "=event", NULL },
    { "outputs", "{label: output}?", NULL },
    { "output", "expression | =output", NULL },
    { "run", "=run?", NULL },
    { "runs", "{run}?", NULL },
};
enum { N_TYPE = sizeof types / sizeof *types };

const key_type *key_type_at(int k) { return k < N_TYPE ? &types[k] : NULL; }
