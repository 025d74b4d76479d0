// SPDX-License-Identifier: MIT
// What the text and the binary form of Gmsh's files share: types of elements, physical groups, and what is made of an
// element.
#pragma once
#include "io/fe/fe_source.h"

enum { MOST_GMSH_NODES = 27 };

typedef struct {
    int type, dimension, n_node;
    bi_fe_kind kind; // BI_FE_KIND_COUNT: only for groups
    const char *name;
} gmsh_type;

// A physical group of an entity (4.1), or the name of a group.
typedef struct {
    int dimension;
    int64_t entity, group;
    const char *name;
} gmsh_group;

typedef struct {
    fe_source *in;
    const char *start; // of the file
    gmsh_group *group; // names: entity -1
    int n_group, cap_group;
    double version;
    bool is_binary, is_swapped; // the numbers have the other order of bytes, the most significant one first
    bool is_stopped;            // what follows would make no sense
} gmsh;

const gmsh_type *gmsh_type_of(int64_t type); // NULL: not known
void gmsh_add_group(gmsh *g, gmsh_group group);
// An element by its nodes' numbers in the order of the file; false: refused, reported.
bool gmsh_take_element(gmsh *g, const gmsh_type *type, int64_t number, const int64_t *node);
// Puts the nodes of an element into a group, and the element itself if it is one of ours.
void gmsh_join_group(gmsh *g, const gmsh_type *type, int64_t group, int64_t number, const int64_t *node);
// The same for all groups of its entity (4.1).
void gmsh_join_entity(gmsh *g, const gmsh_type *type, int64_t dimension, int64_t entity, int64_t number,
                      const int64_t *node);

// Binary sections; the format's line has been read, or the line with the section's name. What is wrong is reported with
// the byte where it is.
void gmsh_binary_order(gmsh *g);
void gmsh_binary_entities(gmsh *g);
void gmsh_binary_nodes(gmsh *g);
void gmsh_binary_elements(gmsh *g);
// Whatever the section holds, up to its $End line.
void gmsh_binary_skip(gmsh *g, const char *section);
