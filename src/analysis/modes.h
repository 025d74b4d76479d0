// SPDX-License-Identifier: MIT
#pragma once
#include <biela/biela.h>

// Eigenvalues and shapes of M, C, K, F, Zq, Zv, Zz (linearisation.10). False: not finite.
bool modes_find(bi_linear *l);
