// SPDX-License-Identifier: MIT
#pragma once
#include "coordinates/modal.h"
#include "coordinates/natural/basis.h"
#include "coordinates/products.h"
#include "coordinates/set.h"

// s x + t n x x with x = q[q .. q+2]
typedef struct {
    int q;
    double s, t;
} map_term;

// A vector linear in the entities: its terms on variables come first, those on constants after.
typedef struct {
    int first, n_variable, count; // in natural.term
    int body;                     // whose n
} map_vec;

typedef struct {
    map_vec vec;
    int dof;
} linear_marker; // point or vector of a rigid body

typedef struct {
    map_vec column[4]; // position, axes
    int dof, frame;
} frame_marker;

typedef struct {
    int q, dof;
} scalar_marker; // joint coordinate or modal amplitude

// How the gradients of a group of markers reach the columns of a row (or of a block).
typedef enum { SPREAD_COPY, SPREAD_SCALE, SPREAD_PLANAR, SPREAD_SCALAR } spread_kind;
typedef struct {
    spread_kind kind;
    int from, to; // offset in the expanded gradient; position among the columns
    double s, t;
    int body; // whose n
} spread;

// An expanded gradient: as given for points, vectors and scalars; four columns for a frame; four columns and the modes
// for a marker on a flexible body.
typedef struct {
    marker_kind kind;
    int dof, at; // in the trays; in the group's own gradient
    int index;   // frame: index of axes; else -1
    int flex;    // on a flexible body: in natural.flex_marker; else -1
} spread_source;

typedef struct {
    int source, n_source; // in natural.source
    int width, expanded;  // widths of the gradient before and after
    int first, count;     // in natural.spread
    int n_col;
    bool is_plain; // nothing to expand
} spread_group;

typedef struct {
    spread_group map;
    int col;          // in natural.block_col
    int width, value; // as in block_group
    int entry;        // in natural.block_entry: tangent entries of pairs of columns
} block_map;

typedef struct {
    int a, b, c, d; // coordinates of the ends; the null vector is a constant too
    int at[4];      // position of a, b, c, d in the row's columns; -1: constant
    double value, scale;
    bool is_square; // (a,b) and (c,d) are the same
    bool is_apart;  // no two ends share columns
    int n_constant; // against a constant direction: that many gradient numbers, which never change; else 0
    int constant_at[6]; // position among the row's columns
    double constant[6];
} dot_row;

// A body with modes: inertia integrals over its nodes, and what its columns are of the variables.
typedef struct {
    int body, n_mode, q; // first amplitude
    flex_sums sums;
    modal_set modal;
    int kept, turn; // in motion.own
    map_vec column[4];
    int n_col;     // body's variables, amplitudes last
    int *col;      // (n_col)
    double *B;     // columns (12 rows) over the variables                     (12 x n_col)
    int *entry;    // tangent entries of pairs of columns, as structure.pair   (n_col (n_col + 1) / 2)
    double *frame; // B_k . B_l, k <= l, for pairs of frame variables        (n_frame (n_frame + 1) / 2 x 10)
} flex_body;

// A point, vector or frame (point and three axes) on a moving node of a flexible body.
typedef struct {
    int flex, dof;
    marker_kind kind;
    int frame;    // index of axes
    bool is_read; // in every step; else only for outputs
    flex_place place[4];
} flex_marker;

// the widest expanded gradient of one law or constraint; more is refused when compiling
enum { MAX_EXPANDED = 2048 };

// The joint that hands what `child` lacks on to `parent`; sign of the reaction on the joint's second body.
typedef struct {
    int joint, child, parent;
    double sign;
} fixed_hand;

// A body that can turn. Planar ones and bars: ends of a direction, and one over its square across the axis.
typedef struct {
    int body, to, from;
    int axis; // of coordinates, that it turns about always; 3: about any
    double share;
} turning_body;

// A point or vector that turns with a body about a point of it (the null vector for vectors).
typedef struct {
    int q, centre;
    int parent;  // of the centre, in natural.carried; -1: it is not carried
    int turning; // in natural.turning
    int axis;    // as of turning_body, if the centre turns about the same
} carried_entity;

typedef struct {
    int n, n_q, n_body, n_row, first_rigid; // rows from first_rigid on are of the coordinates themselves
    const structure *structure;             // borrowed, filled before any call
    natural_body *body;
    map_term *term;
    int n_term, cap_term;
    linear_marker *linear; // those whose motion is read first
    int n_linear, n_read;
    frame_marker *frame;
    int n_frame;
    scalar_marker *scalar;
    int n_scalar;
    flex_marker *flex_marker;
    int n_flex_marker;
    flex_body *flex;
    int n_flex;
    spread_source *source;
    int n_source, cap_source;
    spread *spread;
    int n_spread, cap_spread;
    spread_group *group; // one per row group of the plan
    int n_group;
    int most_expanded, expands_at;                   // widest of them, and where in motion.room
    int *group_first, *group_count, *group_gradient; // rows and gradients of each group
    const plan_site *site;                           // of the plan
    block_map *block;
    int n_block;
    int *block_col, n_block_col, cap_block_col;
    int *block_entry, n_block_entry, cap_block_entry;
    dot_row *dot;
    int n_dot;
    int n_tie;              // entities tied to a body, three rows each
    int *tie_start, *tie_q; // terms of the constant rows, constants included  (3 n_tie + 1)
    double *tie_s;
    double *tie_G; // gradients of these rows (n_tie_G)
    int n_tie_G;
    double *M0; // constant part of the mass matrix (n_tangent)
    mass_entry *mass;
    int n_mass;
    struct reaction_plan *reaction;
    fixed_hand *fixed_hand,
        *fixed_neighbour; // between still bodies, root first; from a moving body to a still one
    int n_fixed_hand, n_fixed_neighbour;
    entity_seat *seat; // (n_seat) of variables, then (n_still) of constants
    int n_seat, n_still;
    turning_body *turning;
    int n_turning;
    carried_entity *carried; // each after its centre
    int n_carried;
} natural;

vec3 map_value(const natural *tab, const map_vec *map, const double *x);

// The vector of body b with coefficients (w, x, y, z) on the columns: a point (1, x, y, z), a direction (0, x, y, z).
bool map_create(natural *tab, int body, const double weight[4], map_vec *out);

// compile.c
void *natural_create(const plan *p, structure *out, bi_report *report);
void natural_destroy(void *tab);
const entity_seat *natural_seats(const void *tab, int *count);
bool natural_place(const void *tab, const bi_pose *pose, const bi_twist *twist, coords *out);
// turning.c
double natural_spin(const void *tab, const coords *at, const motion *m, own_int *body);
void natural_frames_create(const void *tab, turning_frame *out);
void natural_frames(const void *tab, const coords *at, double h, turning_frame *out);
// flexible.c
bool flexible_create(natural *tab, const plan *p, const int *mode_q);
void flexible_lift(const natural *tab, const coords *in, unsigned want, motion *out);
void flexible_drop(const natural *tab, const coords *at, const motion *m, equations *out);
void flexible_drop_tangent(const natural *tab, const motion *m, const load *in, double wK, double wC,
                           double *T);
bool flexible_has_block(const natural *tab, const plan *p, const block_group *b);
void flexible_pattern(const natural *tab, pattern_builder *builder);
bool flexible_entries(natural *tab, const structure *s);
// Effort on a marker of a flexible body to forces on the four columns and on the amplitudes.
void flexible_expand(const natural *tab, const flex_marker *k, const coords *at, const motion *m,
                     const double *effort, double *out);
// What the inertia of a flexible body needs on its four columns.
void flexible_inertia_columns(const natural *tab, int flex, const coords *at, const motion *m,
                              vec3 column[4]);
void flexible_destroy(natural *tab);
// reactions.c
bool reactions_create(natural *tab, const plan *p, const sharing *s, const bases *base);
// The 4x4 integral of [1 r][1 r]^T dm of a rigid body about its frame (natural.7).
void mass_moments(const bi_body_def *d, double J[4][4]);
// Column k (0 origin, 1..3 axes) of a body's frame, or its rate.
vec3 column_value(const natural_body *b, int k, const double *x);
// All four.
void columns_value(const natural_body *b, const double *x, vec3 out[4]);
void reactions_destroy(natural *tab);
// reactions_fixed.c: bodies that never move; `column` what each body lacks, `lack` room for a wrench per body
bool fixed_reactions_create(natural *tab, const plan *p);
void fixed_reactions_destroy(natural *tab);
void fixed_reactions(const natural *tab, const coords *at, const vec3 *column, const vec3 *where,
                     bi_wrench *lack, bi_wrench *out);
size_t natural_reactions_scratch(const void *tab);
void natural_reactions(const void *tab, const coords *at, const motion *m, const load *in, const rows *r,
                       double *scratch, bi_wrench *out);
