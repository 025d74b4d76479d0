// SPDX-License-Identifier: MIT
// Layout of the factor, shared by its symbolic and its numeric phase.
//
// Columns of L with the same rows are grouped into panels of at most 8 columns, stored as full blocks, so that the
// numeric phase works on short contiguous columns with the sums over a panel held in registers. What is stored is U = L
// D (lower triangle of each panel); L itself is never formed: with g_k = 1 / d_k
//     a_ij -= sum_k U_ik (U_jk g_k).
// Every column ends with one spare zero, so that loops may always take two rows at a time.
#pragma once
#include "sparse/ldl.h"
#include <stddef.h>

#define PANEL_WIDTH 8 // 8 broadcast factors, 1 sum and 1 product fit the 16 vector registers of x86-64

// Part of the rows below a panel that are columns of one later panel.
typedef struct {
    int begin;       // these rows, counted from the first row below the panel: begin <= a < end
    int end;         //
    int stride;      // distance of columns in the later panel
    int index;       // start in `place` of the local rows in the later panel of the rows begin.. and the
                     // spare one, or -1 if these local rows are consecutive
    ptrdiff_t block; // start of the later panel in the numbers, plus the local row if consecutive
} target;

// Consecutive columns with common rows.
typedef struct {
    int first;          // first column
    int width;          // columns, <= PANEL_WIDTH
    int below;          // rows below the diagonal block
    int stride;         // distance of columns: width + below + 1 (spare)
    int row;            // start in `row` of the rows below and the spare one, which is n
    int target_begin;   // targets of this panel
    int target_end;     //
    bool is_contiguous; // the rows below follow one another
    ptrdiff_t block;    // start in the numbers
} panel;

struct ldl {
    int n;            // order of the matrix
    int nnz;          // entries of the pattern
    int n_panel;      // panels
    int n_target;     // targets
    int nnz_factor;   // entries of the factor
    size_t n_number;  // doubles in all panels
    int *original;    // original variable of each column                       (n)
    int *diagonal;    // entry of the pattern with the diagonal of each column  (n)
    int *scatter;     // place in the numbers of each entry of the pattern      (nnz)
    int n_blank;      // places to clear, a multiple of 4
    int *blank;       // places in the numbers that are read but not in A       (n_blank)
    panel *panel;     // in order of elimination                                (n_panel)
    target *target;   // in order of the panels                                 (n_target)
    int *row;         // columns of the factor that the rows below panels are
    int *place;       // local rows in the targets
    ptrdiff_t *pivot; // place in the numbers of the pivot of each original variable (n)
};
