// SPDX-License-Identifier: MIT
// The points and vectors that carry each body, and how its frame follows from them.
#pragma once
#include "coordinates/natural/share.h"

typedef enum {
    BODY_FIXED,       // never moves
    BODY_TRANSLATING, // one point, constant axes; also a particle
    BODY_PLANAR,      // turns about a constant direction n: a point and a second point or vector
    BODY_BAR,         // two points; no inertia and nothing attached off their line
    BODY_GENERAL      // a point and three directions
} natural_body_kind;

enum { BODY_ENTITIES = 4 };

// Frame of a body, linear in its entities x_e (natural.2):  column_k = sum_e S[e][k] x_e + T[e][k] n x x_e with columns
// k = 0 origin, 1..3 axes.
typedef struct {
    natural_body_kind kind;
    int n_entity;
    int slot[BODY_ENTITIES]; // root slots while compiling
    int q[BODY_ENTITIES];    // first coordinate of each entity
    double S[BODY_ENTITIES][4], T[BODY_ENTITIES][4];
    vec3 n;             // constant axis of a planar body, ground axes; zero otherwise
    vec3 line;          // direction of a bar, body frame
    double orientation; // sign of det of the local basis directions, general bodies; zero otherwise
} natural_body;

// Constant dot product of two differences (x_a - x_b) . (x_c - x_d) = value; -1 stands for the null vector.
typedef struct {
    int a, b, c, d; // root slots
    double value, scale;
    int body; // for messages
} rigid_dot;

// An entity that follows a body besides those of its basis: x = its place in the body.
typedef struct {
    int slot;    // root
    double sign; // of the body's own vector against the root
    int body;
    vec3 local;
    bool is_vector;
} rigid_tie;

typedef struct {
    natural_body *body; // (n_body)
    rigid_dot *dot;
    int n_dot, cap_dot;
    rigid_tie *tie;
    int n_tie, cap_tie;
    bool no_memory;
} bases;

// Chooses a basis for every body; may add slots. The plan tells what else is attached to a body.
bool bases_create(bases *out, sharing *s, const plan *p);
void bases_clear(bases *b);
