// SPDX-License-Identifier: MIT
// What the readers of finite-element files share: lines, complaints, lists that grow, numbers of nodes that are looked
// up at the end.
#pragma once
#include "io/yaml/blocks.h"
#include <biela/fe_file.h>

enum { FE_LINE = 1024, FE_WORD = 96 };
#ifdef BI_FUZZ
enum { FE_MOST_ITEMS = 3000 };
#else
enum { FE_MOST_ITEMS = 20000000 };
#endif

// An element with the numbers that the file gives it.
typedef struct {
    bi_fe_element def;
    int64_t node[BI_FE_MOST_NODES]; // numbers in the file
    int n_node;                     // how many: 4 for a tetrahedron that gets its middles here
    int64_t property;               // number or set that gives section and material
} fe_raw;

typedef struct {
    const char *name;
    int line, count, capacity;
    int64_t *item; // numbers in the file
} fe_raw_set;

typedef struct {
    const char *path;
    const char *text, *end; // what is left
    int line;               // of the last line read
    bi_report *report;
    int n_complaint;
    bool is_full; // no memory, or too many
    bi_fe_units units;
    blocks memory;
    bi_fe_mesh mesh; // nodes, sections, materials
    int cap_node, cap_section, cap_material;
    fe_raw *raw;
    int n_raw, cap_raw;
    fe_raw_set *node_set, *element_set;
    int n_node_set, n_element_set, cap_node_set, cap_element_set;
    bool has_plain_tets;
} fe_source;

// The next line without its end, cut to FE_LINE - 1 letters; NULL: the end of the text.
char *fe_next_line(fe_source *in, char *line);
// A mistake in the present line, or in another. Reading goes on: twenty are reported at most.
void fe_complain(fe_source *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fe_complain_at(fe_source *in, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void fe_warn(fe_source *in, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

void fe_add_node(fe_source *in, int64_t number, double x, double y, double z);
// Number, kind, nodes; gives the element, or NULL.
fe_raw *fe_add_element(fe_source *in, int64_t number, bi_fe_kind kind, int n_node, const int64_t *node);
int fe_add_material(fe_source *in, const bi_material *material); // place, or -1
int fe_add_section(fe_source *in, const bi_section *section);
// The set of that name, made if there is none; NULL: no memory.
fe_raw_set *fe_node_set(fe_source *in, const char *name);
fe_raw_set *fe_element_set(fe_source *in, const char *name);
fe_raw_set *fe_find_element_set(fe_source *in, const char *name); // NULL: none
fe_raw_set *fe_find_node_set(fe_source *in, const char *name);
void fe_set_add(fe_source *in, fe_raw_set *set, int64_t number);
const char *fe_keep(fe_source *in, const char *text);

// A whole number or a number at the start of text; false: there is none. Fortran's 1.5-3 and 1d5 are numbers too.
bool fe_integer(const char *text, int64_t *value);
bool fe_number(const char *text, double *value);
// Trims blanks in place at both ends.
char *fe_trim(char *text);

// Numbers in ascending order with the places of what has them.
typedef struct {
    int64_t number;
    int32_t place;
} fe_numbered;
fe_numbered *fe_index_elements(const fe_source *in);                 // (n_raw), to be freed; NULL: no memory
int32_t fe_find(const fe_numbered *list, int count, int64_t number); // the first place; -1: none

// Looks up numbers, leaves out what no element uses, gives tetrahedra their middles, makes the sets.
bool fe_finish(fe_source *in, bi_fe_file *out);

void fe_read_gmsh(fe_source *in);
void fe_read_inp(fe_source *in);
// fe_faces.c: elements that only name faces and edges leave; sets of them become sets of nodes.
void fe_take_faces_off(fe_source *in, bool has_shell_section);
void fe_read_nastran(fe_source *in);
