// SPDX-License-Identifier: MIT
/* sparsity.h - the matrix of a step and its factor as a picture: which variables meet. */
#pragma once
#include <biela/biela.h>

/* An SVG file of both, side by side; names the variables of small systems. Prints on stderr why there is none. */
bool sparsity_write(const bi_system *, const char *title, const char *path);
/* The same in letters on stdout, when it fits a terminal: # a number of the matrix, + one that the factor adds. */
void sparsity_print(const bi_system *);
