// SPDX-License-Identifier: MIT
// Files as they were when they were first read: trees of YAML files, meshes and their surfaces.
#pragma once
#include "io/yaml/yaml.h"
#include <biela/geom.h>
#include <biela/io.h>

// A file that was parsed.
typedef struct {
    char *path;
    yaml_file *yaml;  // NULL: not readable, and told
    bool is_doubtful; // its mistakes were told: the next read parses it again
} shelf_tree;

// Before a model is read: nothing that the last read found wrong counts any more.
void shelf_begin(bi_shelf *shelf);
// After it: `has_mistakes` when it told any, so that entries may be marked.
void shelf_end(bi_shelf *shelf, bool has_mistakes);

bool shelf_has_doubts(const bi_shelf *shelf); // some tree will not stay
// The tree of a file; NULL: it is not there yet.
shelf_tree *shelf_find_tree(const bi_shelf *shelf, const char *path);
// A new one, which takes `path` and `yaml`, in doubt until told otherwise. NULL: no memory, both are freed. Trees may move when one is
// added; paths and nodes do not.
shelf_tree *shelf_add_tree(bi_shelf *shelf, char *path, yaml_file *yaml, bool is_doubtful);

// The mesh of a file, read the first time, its axes stretched by `scale` (mirrored where that is negative); what there was to say is added to `said` each time. Borrowed. NULL: see `said`.
const bi_mesh *shelf_mesh(bi_shelf *shelf, const char *path, const double scale[3], bi_place used,
                          const char *where, bi_report *said);
// Its surface in so many pieces, made the first time. Borrowed. NULL: it cannot be made, and bi_add_shape says why.
bi_surface *shelf_surface(bi_shelf *shelf, const bi_mesh *mesh, int pieces);
