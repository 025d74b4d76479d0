// SPDX-License-Identifier: MIT
// What the pages of this room share. Every place and turn has three components; component k of place p is number 3
// p + k, of turn t number 3 (n_place + t) + k. A component moves freely (it has a freedom), is held or is driven.
#pragma once
#include "exact/elements/yardstick.h"
#include "sparse/solver.h"

enum { MOST_LOCAL = 12, ROW_ENTRIES = 12 };

typedef struct {
    int a[MOST_LOCAL]; // components of an element
    int where[MOST_LOCAL * (MOST_LOCAL + 1) /
              2]; // entry of the matrix of each pair i <= j, by columns; -1: none
} local_map;

typedef struct {
    quat rot0;     // as described
    int is_driven; // the turn follows `drive` about `axis`
    vec3 axis;     // ground axes
    yard_profile drive;
} turn_def;

typedef struct {
    local_map map;
    int place[4], turn[4];
    double off[4]; // direction of the bar less the angle of the turn, as described
    double length;
    yard_section section;
} planar_beam;

typedef struct {
    local_map map;
    yard_node node[2];
    quat fit[2]; // section axes in the axes of the turns
    double length;
    double d0[6]; // relative configuration without load
    yard_section section;
} spatial_beam;

typedef struct {
    local_map map;
    int n; // corners: a triangle has three, and the fourth is the third again
    int place[4];
    double slope[4][4][2]; // [Gauss point][node][X, Y]: derivatives of the shape functions, 1/m
    double weight[4];      // area of each Gauss point times thickness
    double mass[4][4];     // kg
    double D[3];           // plane stress: E/(1-nu2), nu E/(1-nu2), G
    double viscous;
} quad;

typedef struct {
    local_map map;
    yard_node node;
    double mass;
    vec3 com;
    mat3 inertia;
} rigid;

typedef struct {
    local_map map;
    yard_node node[2];
    vec3 offset[2]; // axes of the turns
    double stiffness, damping, rest, preload;
    int only; // 2: only pulls, 3: only pushes
} spring;

typedef enum { ROW_JOIN, ROW_PERPENDICULAR, ROW_GUIDE, ROW_ANGLE } row_kind;
typedef struct {
    row_kind kind;
    yard_node a, b;
    vec3 u, w;      // ROW_JOIN: offsets; ROW_PERPENDICULAR: directions; ROW_GUIDE: offsets. Axes of the turns
    vec3 direction; // ROW_GUIDE: axes of a
    int component;  // ROW_JOIN
    double constant;
    yard_profile drive;
    int count;                                      // entries
    int entry[ROW_ENTRIES];                         // components
    int where[ROW_ENTRIES * (ROW_ENTRIES + 1) / 2]; // as in local_map
    double coef[ROW_ENTRIES];                       // gradient, written by rows_evaluate
    double coef_factor[ROW_ENTRIES];                // the same when the matrix was factored
    double phi, penalty, lambda;
} row;

typedef struct {
    yard_node node; // place -1: a torque
    vec3 offset, direction;
    yard_profile value;
} load;

struct yard {
    bool is_planar, is_short, is_finished;
    vec3 gravity;
    int n_place, n_turn, n_planar, n_spatial, n_quad, n_rigid, n_row, n_load, n_spring; // counts
    int c_place, c_turn, c_planar, c_spatial, c_quad, c_rigid, c_row, c_load, c_hold, n_hold,
        c_spring;    // capacities
    vec3 *place0;    // as described                                 (n_place)
    turn_def *turn0; //                                              (n_turn)
    struct hold {
        int is_turn, index;
        unsigned components;
    } * hold; //          (n_hold)
    int n_start, c_start;
    struct start {
        int is_turn, index;
        vec3 v; // of a turn: its own axes
    } * start;  //                                                                (n_start)
    planar_beam *planar;
    spatial_beam *spatial;
    quad *quad;
    rigid *rigid;
    spring *spring;
    row *row;
    load *load;

    // numbering and matrix, made by yard_finish
    int n_all, n; // components, freedoms
    int *freedom; // of each component, -1: held or driven         (n_all)
    pattern pat;
    solver *solver;
    double *value, *numeric; // of the matrix, of its factor
    double shape[3][2][4];   // of planar beams: at each Gauss point N and dN/ds
    double size;             // of the structure, m

    // state
    double t;
    double *x;        // places, m; angle about z of planar turns, rad (n_all)
    double *v, *a;    // velocities, accelerations                     (n_all)
    double *smooth;   // the accelerations of the scheme               (n_all)
    quat *rot;        // of spatial turns                              (n_turn)
    bool *needs_axes; // planar turns that rows, bodies or loads look at    (n_turn)
    mat3 *axes;       // the same as matrices                          (n_turn)
    double *x_old, *v_old, *a_old, *smooth_old, *delta; //                      (n_all)
    quat *rot_old;         //                                               (n_turn)
    double *lambda_old;    //                                               (n_row)
    double *force;         // residual: inertia + inside - outside          (n_all)
    double *b;             // right-hand side and solution                  (n)
    double scale;          // share of the loads: 1 but in statics
    double f_mass, f_rate; // accelerations and velocities per displacement, 1/s2, 1/s; zero in statics
    double f_smooth;       // accelerations of the scheme per displacement, 1/s2
    double factor_h, factor_rho;
    bool has_factor, has_loads;
    yard_statistics counts;
};

static inline int component_of_place(int place, int k) { return 3 * place + k; }
static inline int component_of_turn(const yard *y, int turn, int k) { return 3 * (y->n_place + turn) + k; }
static inline vec3 place_get(const double *array, int place)
{
    return (vec3){ array[3 * place], array[3 * place + 1], array[3 * place + 2] };
}
static inline vec3 turn_get(const yard *y, const double *array, int turn)
{
    return place_get(array, y->n_place + turn);
}
static inline void place_add(double *array, int place, vec3 f)
{
    array[3 * place] += f.x;
    array[3 * place + 1] += f.y;
    array[3 * place + 2] += f.z;
}
static inline void turn_add(const yard *y, double *array, int turn, vec3 f)
{
    place_add(array, y->n_place + turn, f);
}

// Components of a node: place, then turn if it has one. Gives the next free place in `out`.
static inline int node_components(const yard *y, yard_node node, int *out)
{
    int n = 0;
    for (int k = 0; k < 3; k++) {
        out[n++] = component_of_place(node.place, k);
    }
    for (int k = 0; node.turn >= 0 && k < 3; k++) {
        out[n++] = component_of_turn(y, node.turn, k);
    }
    return n;
}

// Upper triangle by columns.
static inline int pair_index(int i, int j) { return j * (j + 1) / 2 + i; }

// Adds the upper triangle of a local matrix (n x n, by rows) to the matrix.
static inline void map_add(const local_map *map, int n, const double *K, double *value)
{
    for (int j = 0; j < n; j++) {
        const int *where = map->where + j * (j + 1) / 2;
        for (int i = 0; i <= j; i++) {
            if (where[i] >= 0) {
                value[where[i]] += K[i * n + j];
            }
        }
    }
}

// Every kind of element adds its forces to y->force and, when asked, its tangent to y->value.
typedef enum { FORCES_ONLY, FORCES_AND_TANGENT } yard_want;
void planar_beams_add(yard *y, yard_want want);
void spatial_beams_add(yard *y, yard_want want);
void quads_add(yard *y, yard_want want);
void rigids_add(yard *y, yard_want want);
void springs_add(yard *y, yard_want want);
void loads_add(yard *y);
void rows_evaluate(yard *y);
double planar_beams_energy(const yard *y);
double spatial_beams_energy(const yard *y);
double quads_energy(const yard *y);
double rigids_energy(const yard *y);
double springs_energy(const yard *y);

void planar_beams_prepare(yard *y);
yard_forces planar_beam_forces(const yard *y, const planar_beam *e, double s); // s: 0..1
void planar_beam_point(const yard *y, const planar_beam *e, double s, vec3 *at, double *angle);
yard_forces spatial_beam_forces(const yard *y, const spatial_beam *e);
void spatial_beam_point(const yard *y, const spatial_beam *e, double s, vec3 *at, mat3 *axes);
bool quad_prepare(yard *y, quad *e, const yard_plate *plate); // false: not convex or clockwise
void quad_stress(const yard *y, const quad *e, double xi, double eta, double stress[3]);
void spatial_beam_rest(yard *y, spatial_beam *e); // writes d0

// Places, axes and drives of the present time and displacements; forces; matrix. Of the present state.
void yard_move(yard *y, double t);
void yard_assemble(yard *y, yard_want want);
