// SPDX-License-Identifier: MIT
// Inertia of a body with modes: sums over its nodes made once, moments of the deformed body from them (flex.2 ..
// flex.6).
#pragma once
#include "math/vec3.h"
#include "model/model.h"
#include <stdbool.h>

// the most modes of a body, and of one with second-order shapes: its sums grow as the fourth power
enum { FLEX_MODES = 256, FLEX_BEND_MODES = 24 };
enum { FLEX_SHAPES = 1 + FLEX_BEND_MODES + FLEX_BEND_MODES * (FLEX_BEND_MODES + 1) / 2 };

// Shapes s_a: the undeformed place, the modes, and the pairs of modes m <= n where they bend (flex.2). Only components
// that are not zero everywhere are kept, those along x first, then y and z: a plane beam with bending has a fifth of
// all products.
typedef struct {
    int n_mode, n_shape, n_part;
    int stride, shape_stride; // n_part and n_shape, rounded up to four
    bool is_bent;
    double mass;            // kg
    int *shape;             // shape of each kept component             (n_part)
    int start[4];           // first component along x, y, z; the end
    int *part;              // place of each component, -1: zero        (n_shape x 3)
    double *mean;           // integral over dm of the component        (n_part)
    double *G;              // of the product of two components         (n_part x stride)
    double *trace;          // int s_a . s_b dm                         (n_shape x shape_stride)
    double *P;              // int psi_m . psi_n dm                     (n_mode x n_mode)
    struct flex_bent *bent; // the same for few modes that bend (bent.h); NULL: not made
    double *flat;       // many modes, none bends: G in another order (flat.c), which is empty then; else NULL
    bool is_flat_plane; // flat: all shapes lie in the plane of x and y
    double *load; // int s_0 bend_mn^T dm, where bending is a load only (n_mode x n_mode x 9); NULL: it is not
} flex_sums;

// Places are counted from the point of the body frame that lies at -origin. Y: other variables y in place of the
// amplitudes, eta_m = sum_k Y_km y_k, rows `stride` apart (nodal.h); NULL: the amplitudes. False: no memory; clear all
// the same.
bool flex_sums_create(flex_sums *s, const bi_modes *modes, vec3 origin, const double *Y, int stride);
void flex_sums_clear(flex_sums *s);

// The shape of a pair of modes: m <= n behind the modes, row by row of the upper triangle.
static inline int flex_pair_shape(int n, int i, int j)
{
    int m = i < j ? i : j, k = i < j ? j : i;
    return 1 + n + m * n - m * (m - 1) / 2 + (k - m);
}

// Moments of the deformed body in its frame: p place, dp its rate, p_m its derivative with amplitude m, w its second
// rate when those of the amplitudes are zero (flex.4).
typedef struct {
    double J[16];        // int [1 p][1 p]^T dm                                    (4 x 4)
    double D[12], W[12]; // int [1 p] dp^T dm, int [1 p] w^T dm                    (4 x 3)
    double (*H)[12];     // int [1 p] p_m^T dm                                     (4 x 3)
    double (*N)[9];      // int p_m dp^T dm                                        (3 x 3), not of many modes
    double *T;           // <turn, N_m> = int p_m . turn dp dm, turn given (3 x 3)
    double *S;           // int p_m . w dm
    double *bent;        // P of a body that bends
    const double *P;     // int p_m . p_n dm                                       (n_mode x n_mode)
    double *work;        // what stands between sums and moments
} flex_moments;

// Numbers that moments and their making take, and moments in such a room.
int flex_moments_room(const flex_sums *s);
flex_moments flex_moments_cut(const flex_sums *s, double *room);

// out: cut before.
void flex_moments_at(const flex_sums *s, const double *eta, const double *rate, const double turn[9],
                     flex_moments *out);
// flat.c
bool flex_flat_create(flex_sums *s, const double *T, int stride, const vec3 *mean);
void flex_flat_moments(const flex_sums *s, const double *eta, const double *rate, const double turn[9],
                       flex_moments *out);

// Forces on the amplitudes by the stiffness of the centrifugal load at this angular velocity, body axes (flex.16).
// Nothing where bending is kinematics.
void flex_load_force(const flex_sums *s, vec3 omega, const double *eta, double *force);

// A point of the body, at + sum_m shape_m eta_m + 1/2 sum_mn bend_mn eta_m eta_n, or a vector n that turns by
// theta = sum_m shape_m eta_m, n + theta x n + 1/2 theta x (theta x n); body frame (flex.1).
typedef struct {
    int n_mode;
    bool is_turned; // a vector: shapes are rotations
    int turn;       // of a vector without shapes: who has them (coordinates/modal.h)
    vec3 at;
    int n_used;
    int *used;   // modes that move it, NULL: all                (n_used)
    vec3 *shape; // of these                                     (n_used)
    vec3 *bend;  // (n_mode x n_mode), NULL: none
} flex_place;

// Of a node (from 0), or the centre of mass (-1).
bool flex_point_create(flex_place *p, const bi_modes *modes, int node, vec3 at);
// A direction that turns with a node; to second order, so that it keeps its length.
bool flex_vector_create(flex_place *p, const bi_modes *modes, int node, vec3 direction);
void flex_place_clear(flex_place *p);
bool flex_place_moves(const flex_place *p, int mode);

// Place, its rate, and its second rate when those of the amplitudes are zero.
void flex_place_at(const flex_place *p, const double *eta, const double *rate, vec3 out[3]);
// Sums of the shapes alone: displacement or rotation, and its rate.
void flex_place_sum(const flex_place *p, const double *eta, const double *rate, vec3 out[2]);
// A vector that turns by sum[0] and its rate; what a force on it does on a rotation, dual to it.
void flex_vector_at(vec3 direction, const vec3 sum[2], vec3 out[3]);
vec3 flex_vector_force(vec3 direction, vec3 turn, vec3 force);
// modal += shapes . u
void flex_place_add(const flex_place *p, vec3 u, double *modal);
// What a force, body axes, does on the amplitudes: added to modal (n_mode).
void flex_place_push(const flex_place *p, const double *eta, vec3 force, double *modal);
