// SPDX-License-Identifier: MIT
// Which points and vectors the bodies have in common, and which of them never move.
#pragma once
#include "math/mat3.h"
#include "state/plan.h"

// A point or vector as one body knows it. Slots that joints make coincide form a class; vectors up to sign.
typedef struct {
    int body;
    bool is_vector;
    vec3 local;  // body frame
    int parent;  // slot, itself when it is the root of its class
    double sign; // vector = sign * vector of the parent
    int next;    // next slot of the same body, -1 at the end
    // of roots:
    bool is_fixed;
    vec3 value; // fixed: ground axes; otherwise the initial guess
    int q;      // first coordinate: variables below n, constants from there on; -1: not yet numbered
} slot;

typedef struct {
    const bi_model *model;
    slot *slot;
    int n_slot, cap_slot;
    int *first;       // first slot of each body, -1: none (n_body)
    mat3 *described;  // axes of each body in the described configuration (n_body)
    bool *keeps_axes; // body never rotates (n_body)
    mat3 *axes;       // its constant axes then (n_body)
    double size;      // length scale of the mechanism, m
    struct joining {
        int joint, slot_a, slot_b;
    } * joined; // what each joint made common
    int n_joined, cap_joined;
    bool no_memory;
} sharing;

typedef struct {
    int slot;
    double sign;
} slot_ref;

bool sharing_create(sharing *s, const bi_model *model);
void sharing_clear(sharing *s);

// The body's slot of that point, of that vector or its opposite; made when there is none.
slot_ref sharing_point(sharing *s, int body, vec3 local);
slot_ref sharing_vector(sharing *s, int body, vec3 local);
slot_ref sharing_root(const sharing *s, int slot);

// Joins what the joints join and finds everything that cannot move. Contradictions go to the report.
void sharing_solve(sharing *s, bi_report *report);
