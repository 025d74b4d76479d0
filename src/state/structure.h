// SPDX-License-Identifier: MIT
// How the equations look to the solver: sizes, patterns, names. Made once by the coordinates, then constant.
#pragma once
#include "sparse/pattern.h"
#include "state/plan.h"
#include <stdbool.h>

// Who a row or a variable belongs to, for messages.
typedef struct {
    const char *what; // "length", "axis"
    int body, group;  // body, or row group of the plan; -1: none
    int joint;        // from 1, that a variable is a coordinate of; 0: none
} owner_name;

// The point or vector a variable is a component of.
typedef struct {
    int first;  // its first variable
    int number; // among the points, or vectors, of its body, from 1; 0: the variable is no such component
    int named;  // in model.named; -1: it has no name
} entity_name;

// A mechanism that nothing holds: its momentum is the sum of these times the rates of the coordinate triples from x on.
typedef struct {
    int x;
    double share;  // of the whole mass
    bool is_point; // it moves when the mechanism is shifted
    int frame;     // that turns it (set.h); -1: none
    int group;     // number of the mechanism
} floating_part;

// What the columns of a row are, so that products with it need fewer loops and indices. A triple is three columns that
// follow one another: a point or vector.
typedef enum {
    ROWS_ONE,
    ROWS_TWO,
    ROWS_TRIPLE,
    ROWS_TWO_TRIPLES,
    ROWS_THREE, // single columns
    ROWS_FOUR,
    ROWS_FIVE,
    ROWS_FLAT,     // a triple, and a row with one column after it: a point that stays in a plane
    ROWS_TWO_FLAT, // two triples, and a row with two columns
    ROWS_TRIPLES,  // any number of them, then single columns
    ROWS_LONG      // with a stretch of many
} rows_form;

// One row, or the two of ROWS_FLAT and ROWS_TWO_FLAT, in the order of the spans: its number, where its gradient begins, its first column, and that of its second
// triple or its second column.
typedef struct {
    int row, at;
    int col, other;
} rows_place;

// Rows of one form, one after the other in structure.place.
typedef struct {
    int form, count;
    int length, n_triple; // of each (first) row: columns, and the triples they begin with
} rows_span;

typedef struct {
    int n;                // variables
    int n_q;              // length of q, v, a: variables and constants
    int n_row;            // constraints, those of the coordinates themselves included
    int n_G;              // stored gradient numbers
    int *G_start, *G_col; // compressed rows                                   (n_row + 1), (n_G)
    int *run; // longest stretch of consecutive columns of each row: where in it, how many; 0: short (2 n_row)
    rows_place *place; // all rows, in the order of the spans                   (n_row)
    rows_span *span;   // rows that share a column keep their order: sums over rows have it, too  (n_span)
    int n_span;
    int *alike;        // rows from this one on with the same columns, many of them, 3 at most     (n_row)
    bool *is_velocity; // row on velocities                                 (n_row)
    owner_name *row_owner, *variable_owner; //                                 (n_row), (n)
    entity_name *variable_entity; // of variables that are components of points and vectors (n), or NULL
    pattern tangent;              // of M + C + K + G^T G, upper triangle
    int *pair_start;              // first product of each row in `pair`               (n_row + 1)
    int *pair;       // entry of the tangent for each pair of a row's columns, (0,0) (1,0) (1,1) (2,0) ...
    double *light;   // inertia below which a variable has none of its own, for penalties (n), or NULL: zero
    double *q0, *v0; // described configuration and first guess of rates  (n_q)
    int n_site, *site_start, *site_col; // variables that move each site (plan.site), one after the other
    int *marker_q;                      // variable of each joint and mode marker, else -1   (n_marker)
    int n_chart, n_own, n_room;         // lengths of coords.chart, motion.own and motion.room
    int n_frame;                        // frames that turn with bodies in a step (set.h)
    floating_part *floating;            // mechanisms that nothing holds, one after the other (n_floating)
    int n_floating;
    double *chart0; // charts of the described configuration                 (n_chart)
    bool has_bias;  // some marker accelerates with all second rates zero
    double size;    // length scale of the mechanism, m
} structure;

void structure_clear(structure *s);
// With G_start and G_col set and all other couplings in `builder`: the tangent's pattern and the row products.
bool structure_finish(structure *s, pattern_builder *builder);
// Spans and places of its rows, with G_start, G_col and run set; false: no memory (rows_order.c).
bool structure_order_rows(structure *s);
// The next site, moved by these variables; false: no memory.
bool structure_add_site(structure *s, const int *col, int count);
