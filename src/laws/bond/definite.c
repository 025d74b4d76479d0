// SPDX-License-Identifier: MIT
// Matrices of storages and resistors as physics allows them (bond.2): what stores energy is symmetric and positive in
// every direction, what resists takes power. Those that change during a run cannot be looked at beforehand.
#include "laws/bond/net.h"
#include "sparse/dense_eigen.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// of products of a few rounded numbers
static const double rounding = 1e-9;

static bool is_constant_matrix(const net_node *n)
{
    bool is_so = n->law == NET_LINEAR && n->rows > 1 && n->rows == n->columns && n->rows <= DENSE_SMALL;
    for (int k = 0; is_so && k < n->n_value; k++) {
        is_so = !n->value[k].code && isfinite(n->value[k].constant);
    }
    return is_so;
}

static bool is_symmetric(int n, const double *A, double size, char *what, size_t room)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double above = A[j * n + i], below = A[i * n + j];
            if (fabs(above - below) > rounding * size) {
                snprintf(what, room,
                         "its matrix is not symmetric: %g in row %d, column %d, and %g in row %d, column %d; "
                         "what stores "
                         "energy is, or a round trip would make some",
                         above, j + 1, i + 1, below, i + 1, j + 1);
                return false;
            }
        }
    }
    return true;
}

static void describe(int n, double least, const double *direction, const char *why, char *what, size_t room)
{
    snprintf(what, room, "its matrix has the eigenvalue %g in the direction [", least);
    for (int i = 0; i < n; i++) {
        size_t used = strlen(what);
        snprintf(what + used, room - used, "%.3g%s", direction[i], i + 1 < n ? ", " : "]: ");
    }
    strncat(what, why, room - strlen(what) - 1);
}

bool net_matrix_mistake(const net_node *n, char *what, size_t room)
{
    bool stores = n->kind == NET_I || n->kind == NET_C;
    if ((!stores && n->kind != NET_R) || !is_constant_matrix(n)) {
        return false;
    }
    double A[DENSE_SMALL * DENSE_SMALL], direction[DENSE_SMALL], size;
    for (int k = 0; k < n->n_value; k++) {
        A[k] = n->value[k].constant;
    }
    double least = dense_least(n->rows, A, direction, &size);
    if (stores && !is_symmetric(n->rows, A, size, what, room)) {
        return true;
    }
    if (stores && !(least > rounding * size)) {
        describe(n->rows, least, direction,
                 "what stores energy is positive in every direction (of two coils the mutual term is below "
                 "the root of the "
                 "product of the others)",
                 what, room);
        return true;
    }
    if (least < -rounding * size) {
        describe(n->rows, least, direction, "it would make power from nothing there", what, room);
        return true;
    }
    return false;
}
