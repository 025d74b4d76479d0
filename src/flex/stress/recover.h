// SPDX-License-Identifier: MIT
// Rows from amplitudes to stresses under way.
#pragma once
#include "flex/modes/result.h"

// Empty rows, in Pa; NULL: no memory.
bi_recovery *recovery_new(bi_recovery_form form, int n_point, int n_row, int n_mode);
double *recovery_rows(const bi_recovery *r, int point);
double recovery_label(int64_t number, int place); // a number of the file, else the place from 1
// From rows (6 x n_mode) of the section forces of a beam to what was asked; NULL: `why` says it, or no memory. The rows
// are worked with.
bi_recovery *recovery_of_beam(const bi_flex *flex, const bi_flex_probe *asked, double *force, char *why,
                              size_t size);
int32_t *recovery_starts(bi_recovery *r); // adds bi_recovery.start; NULL: no memory
bool recovery_is_beam(const bi_flex *flex, int element);
// Rows of N/A, Mz top/Iz, My side/Iy, Mt twist/J from those of the section forces.
void recovery_section(const bi_flex *flex, int element, const double *force, double *to);

// The von Mises stress of all elements; NULL: no memory.
bi_recovery *recover_everywhere(const bi_flex *flex);
// A tree of its places with six rows, so that the largest is found without looking at all. False: no memory.
bool recovery_branch(const bi_flex *flex, bi_recovery *r);
