// SPDX-License-Identifier: MIT
#include "math/mat3.h"

// One Jacobi rotation in the plane (p, q) of the symmetric a; r is the third index. Makes a[p][q] zero.
static void jacobi_rotate(double a[3][3], int p, int q)
{
    if (a[p][q] == 0.0) {
        return;
    }
    int r = 3 - p - q;

    // tangent of the smaller of the two angles that annihilate a[p][q]; if theta overflows, t is zero as it should
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0);
    double s = t * c;

    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0.0;
    double rp = c * a[r][p] - s * a[r][q];
    double rq = s * a[r][p] + c * a[r][q];
    a[r][p] = a[p][r] = rp;
    a[r][q] = a[q][r] = rq;
}

static void sort_pair(double *low, double *high)
{
    if (*low > *high) {
        double keep = *low;
        *low = *high;
        *high = keep;
    }
}

void mat3_symmetric_eigenvalues(mat3 A, double e[3])
{
    double xy = A.col[1].x;
    double xz = A.col[2].x;
    double yz = A.col[2].y;
    double a[3][3] = { { A.col[0].x, xy, xz }, { xy, A.col[1].y, yz }, { xz, yz, A.col[2].z } };

    // convergence is quadratic: five sweeps reach the last bit from any matrix, the others find zeros
    for (int sweep = 0; sweep < 8; sweep++) {
        jacobi_rotate(a, 0, 1);
        jacobi_rotate(a, 0, 2);
        jacobi_rotate(a, 1, 2);
    }

    for (int i = 0; i < 3; i++) {
        e[i] = a[i][i];
    }
    sort_pair(&e[0], &e[1]);
    sort_pair(&e[1], &e[2]);
    sort_pair(&e[0], &e[1]);
}
