// SPDX-License-Identifier: MIT
// Normal force of a straight bar by equilibrium: its ends' displacement and the inertia between them, (fe.19) to
// (fe.21).
#pragma once
#include "flex/modes/result.h"

// A body of beams end to end on one line. Places are counted along its axis from the node of the frame.
typedef struct {
    int element;
    double from, to, flexibility; // m, m, 1/N
} axial_link;

typedef struct {
    const bi_flex *flex;
    vec3 axis, origin;
    int n_link, n_held;
    axial_link *link; // in order
    int *held;        // nodes whose displacement is an unknown of its own or zero, in order
    double *held_at;  //
} axial_line;

// False: the body is no straight line of beams, or no memory; clear all the same.
bool axial_create(axial_line *line, const bi_flex *flex);
void axial_clear(axial_line *line);

// Numbers per place of bi_recovery.axial: weights of three values, weighted mass; rows of N by the held nodes, of N by
// the modes, slopes v' w' (second-order bodies only), shears Vy Vz; moments of the undeformed bar, of its modes, of
// their pairs.
int axial_size(const bi_flex *flex);
// Of the section of element `k` at `x` (-1 to 1), averaged with the beginning of `next` (-1: none).
void axial_fill(const axial_line *line, int k, int next, double x, const double times[3], double *out);
