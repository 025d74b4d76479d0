// SPDX-License-Identifier: MIT
// A straight flexible body in several pieces, welded end to end: the key `split`.
#pragma once
#include "io/flex/flex_mesh.h"

enum { FLEX_MOST_PIECES = 100 };

// Pieces of one body, or the one that it is. Axes of all are parallel; their origins lie `start` along the axis from
// its own.
typedef struct flex_pieces {
    int n;
    bool is_exact; // no pieces, but sections of exact beams: flex_exact.h
    bi_flex *flex[FLEX_MOST_PIECES];
    double start[FLEX_MOST_PIECES]; // m
    bi_vec3 axis, origin;           // away from the node of the frame; that node
} flex_pieces;

// Cuts the mesh into n pieces of about as many elements and reduces each. False: reported, and `out` is empty.
bool flex_split_build(reader *r, const yaml_node *at, const char *where, const flex_mesh *m, int n,
                      flex_pieces *out);

// The bodies behind the first one, and the welds between all of them; the model gets all pieces.
void flex_split_add(reader *r, const bi_body_def *def, bi_body first, const flex_pieces *pieces);

// From the axes of the first piece to those of piece k.
bi_vec3 reader_piece_start(const reader *r, bi_body first, int k);

// ---- flex_complete.c: joints and loads decide which static modes there are ------------------------------------------
// Reduces the mesh as far as its own keys say, whole or in pieces, and takes it over: it is kept until the model is known. False: reported.
bool flex_build(reader *r, const yaml_node *at, const char *where, flex_mesh *m, int n_piece,
                flex_pieces *out);
// The body, or first piece, that the mesh built last became.
void flex_of_body(reader *r, bi_body body);
