// SPDX-License-Identifier: MIT
/* bonds.h - a bond graph as a picture. */
#pragma once
#include "cli/json.h"
#include "cli/options.h"
#include <biela/biela.h>
#include <stdio.h>

/* What of a graph is drawn. Parts that lie deeper than `depth` inside each other are boxes; components of a vector are one
 * node and their bonds a double line, unless `is_scalar`. part: only what is inside of it; NULL: all. */
typedef struct {
    int depth;
    bool is_scalar;
    const char *part;
} bonds_choice;

typedef struct {
    char *name;
    const char *kind; /* "": a box, or (is_outside) what a part is joined to */
    const char *of;   /* of a box: its sub-graph; "": not known */
    bi_causality causality;
    bool is_outside;
    int partner; /* of what is outside: the node that it is joined to */
} bonds_view_node;
typedef struct {
    int from, to;
    int count, strokes_to; /* scalar bonds, and how many of them have their stroke at `to` */
    int first, last;       /* their numbers, from 1 */
    double energy;
} bonds_view_bond;
typedef struct {
    bonds_view_node *node;
    bonds_view_bond *bond;
    int n_node, n_bond;
    int (*reads)[2]; /* (n_reads) nodes: a value in the second reads a name of the first */
    int n_reads;
} bonds_view;

/* The nodes and bonds as chosen. False: there is no such part; prints which there are. */
bool bonds_view_make(const bi_bonds *, const bonds_choice *, const double *energy, bonds_view *);
void bonds_view_clear(bonds_view *);

/* Writes an SVG. `energy` (n_bond): what went through each bond in a run, J; NULL: no run. On failure prints why. */
bool bonds_draw(const bi_bonds *, const bonds_choice *, const char *title, const double *energy,
                const char *path);

/* The closed equations as a page: text, latex or mathml. False: this is no form, or a graph has none; prints why. */
bool bonds_has_form(const char *form); /* NULL: none is asked for */
bool bonds_equations(FILE *to, const char *form, const bi_bonds *const *list, int count);

/* How an effort or flow answers a source ("S:L.f"): printed, as JSON, and as tables STEM-bode.csv and STEM-step.csv with their
 * pictures. Stem NULL: no files. */
exit_code bonds_response(const bi_bonds *const *list, int count, const char *text, const char *stem,
                         bool is_json, bool has_pictures, claims *);

/* Its structure and its numbers as members of an open object. */
void bonds_json_structure(json *, const bi_bonds *);
void bonds_json_numbers(json *, const bi_bonds *);
void bonds_json_matrix(json *, const char *key, const double *x, int rows, int columns);
