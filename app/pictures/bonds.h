// SPDX-License-Identifier: MIT
/* bonds.h - a bond graph as a picture. */
#pragma once
#include <biela/biela.h>

/* Writes an SVG. `energy` (n_bond): what went through each bond in a run, J; NULL: no run. On failure prints why. */
bool bonds_draw(const bi_bonds *, const char *title, const double *energy, const char *path);
