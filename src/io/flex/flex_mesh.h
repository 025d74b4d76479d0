// SPDX-License-Identifier: MIT
// A mesh that grows while it is read, with names for its parts.
#pragma once
#include "io/model/reader.h"
#include <biela/fe_file.h>
#include <biela/flex.h>

typedef struct {
    bi_flex_def def;
    int cap_node, cap_element, cap_section, cap_material;
    blocks names;         // texts and lists that live as long as the mesh
    const bi_fe_set *set; // (n_set) of nodes in its file: names and counts only
    int n_set;
    double scale;  // of coordinates in files and lists, m per unit
    bool is_draft; // no modes are asked for: one stands for those that the model will ask for
    bool has_gap;  // nodes or elements are missing for a mistake that was reported
    // how the next element is, unless it says so itself
    int32_t section, material;
    bi_fe_kind kind;
} flex_mesh;

// Rows of text from a CSV file: names in its first line.
typedef struct {
    const char *file;
    int n_column, n_row;
    char **head; // (n_column)
    char **cell; // (n_row * n_column)
    int *line;   // (n_row)
    int *column; // (n_row * n_column) of the first letter
} text_table;

#ifdef BI_FUZZ
enum { FLEX_MOST_NODES = 200 };
#else
enum { FLEX_MOST_NODES = 200000 };
#endif

// Lives in the memory of the mesh. False: reported at the node.
bool text_table_read(reader *r, flex_mesh *m, const yaml_node *file, const char *where, text_table *out);
int text_table_column(const text_table *t, const char *name); // -1: none

// Places in the lists; -1: no memory, or too many (reported).
int flex_add_node(reader *r, flex_mesh *m, const bi_fe_node *node);
int flex_add_element(reader *r, flex_mesh *m, const bi_fe_element *element);
int flex_add_section(flex_mesh *m, const bi_section *section);
int flex_add_material(flex_mesh *m, const bi_material *material);

// By name, else by number; -1: none.
int flex_find_node(const bi_fe_mesh *mesh, const char *text);
int flex_find_element(const bi_fe_mesh *mesh, const char *text);
// The name of the nodes that looks most like this, or the nearest node: "; did you mean 'tip'?" or "".
const char *flex_hint(flex_mesh *m, const char *text);

// -1: there is none.
int flex_nearest_node(const flex_mesh *m, bi_vec3 at, double *distance);

void flex_mesh_free(flex_mesh *m);

// ---- read_flex_mesh.c: the parts of `flex` that make nodes and elements -----------------------------------------
void read_flex_mesh(reader *r, const yaml_node *map, const char *where, flex_mesh *m);
// ---- read_flex_file.c: the key `mesh`, a file of another program
void read_flex_file(reader *r, const yaml_node *map, const char *where, flex_mesh *m);
// A node by its name, its number, or its coordinates [x, y, z]; -1: reported, with the nearest node.
int read_flex_node(reader *r, flex_mesh *m, const yaml_node *node, const char *where);

// kind, section and material of the elements of an entry; what is not said stays. False: reported.
bool flex_read_make(reader *r, const yaml_node *map, const char *where, const flex_mesh *m, bi_fe_element *e);

// ---- read_flex_lines.c, read_flex_sections.c ----------------------------------------------------------------------
bool flex_read_integer(reader *r, const yaml_node *node, const char *where, int least, int most, int *value);
void read_flex_line(reader *r, const yaml_node *map, const char *name, const char *where, flex_mesh *m);
void read_flex_rectangle(reader *r, const yaml_node *map, const char *name, const char *where, flex_mesh *m);
// `to_section` of a line; -1: there is none. False: reported.
bool flex_read_taper(reader *r, const yaml_node *map, const char *where, const flex_mesh *m, int *section);
// Between two sections, s from 0 to 1: sides of rectangles and diameters of tubes are linear, of others lengths.
int flex_tapered_section(flex_mesh *m, int first, int last, double s);
void read_flex_materials(reader *r, const yaml_node *map, const char *where, flex_mesh *m);
void read_flex_sections(reader *r, const yaml_node *map, const char *where, flex_mesh *m);

// ---- read_flex.c ------------------------------------------------------------------------------------------------
// The key `flex` of a body, whole or in pieces, which go to the model with bi_body_keep. None: there is no such key, or told.
struct flex_pieces;
void read_flex(reader *r, const yaml_node *body, const char *where, struct flex_pieces *out);
// What `foreshortening` in `flex` says: false, true, load, or a number from 0 to 2 of the same meaning.
typedef enum { SHORTEN_NOT, SHORTEN_MOVES, SHORTEN_LOAD } shortening;
shortening read_shortening(reader *r, const yaml_node *flex, const char *where);

// ---- read_recovery.c --------------------------------------------------------------------------------------------
// Beside `stress` or `section` of an output: where and what. The recovery is the caller's. True for other outputs without these
// keys.
bool read_recovery(reader *r, const yaml_node *map, const char *where, bi_output_def *def);

// ---- flex_cache.c -----------------------------------------------------------------------------------------------
// From the cache, or built and put there.
bi_flex *flex_cached(const bi_flex_def *def, const bi_read_watch *watch, bi_report *report);
