// SPDX-License-Identifier: MIT
// A reduction under way: who is held, the matrices, the modes.
#pragma once
#include "flex/modes/eigen.h"
#include "flex/modes/result.h"
#include "sparse/front.h"

enum { HELD = -1, BOUNDARY = -2 }; // roles of unknowns; from 0 on: their number among the free ones

typedef struct {
    const bi_flex_def *def;
    bi_report *report;
    bi_flex_progress *progress;
    // of the normal modes, as reported so far: the estimate may fall, what is reported does not
    double share;
    void *context;
    double *turn; // (9 * n_node) bases of turns
    fe_freedoms f;
    fe_matrices m;
    int *role;                 // (f.n)
    int *held_by;              // (n_boundary) unknowns that are boundary, in order of the definition
    int n_free, n_b;           // free and boundary unknowns
    pattern ii;                // of the free ones
    double *Kii, *Mii;         //
    front *factor;             // of Kii
    double *place;             // (3 * n_free) coordinates of each free unknown, for the ordering, m
    int n_normal, n_load, n_r; // normal modes; those of the body's own weight; all modes
    double *V;                 // (n_r * f.n) modes on all unknowns, mode by mode
    double *normal_hz;         // (n_normal)
    double *lambda;            // (n_r) of the final modes, (rad/s)^2
    double truncation;         // stress that the chosen number of modes lacks; 0: the number was given
} reduction;

void reduction_refuse(reduction *r, bi_place place, bi_status code, const char *what);
void reduction_say(const reduction *r, const char *stage, double done);

// Static shapes of the free unknowns under unit accelerations of the body, less what the normal modes
// (n_normal x n_free) have of them and those that are made of others; to be freed. Gives their number, at most 6; -1:
// no memory.
int reduction_load_modes(const reduction *r, const double *normal, double **out);

// Whether what comes fits into the memory that is left; false: reported, with what it would take.
bool reduction_fits_assembly(const reduction *r);
bool reduction_fits_modes(const reduction *r);
// The unknowns of a motion of the whole body, along x, y, z or about them (which: 0 to 5).
void reduction_rigid_motion(const reduction *r, int which, double *u);
// Static modes into V (n_b * f.n); work: n_b * n_free + f.n. (fe.11)
void reduction_static_modes(const reduction *r, double *V, double *work);
// So many of the lowest normal modes. False: reported.
bool reduction_solve_modes(reduction *r, int count, eigen_result *out);
// As many normal modes as the tolerance of the definition needs: n_normal and truncation. False: reported.
bool reduction_choose_modes(reduction *r, eigen_result *out);

// V, lambda and normal_hz: modes orthogonal to each other, of modal mass `mass`. False: reported.
bool reduction_find_modes(reduction *r, double mass);
