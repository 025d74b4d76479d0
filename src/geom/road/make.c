// SPDX-License-Identifier: MIT
// Reference lines from points, and pieces between values at the nodes.
#include "geom/road/road.h"

// Second derivatives of the natural spline through y, eq. (geometry.28); work: (2 n).
static void second_derivatives(int n, const double *u, double (*line)[6], int c, double *work)
{
    double *diagonal = work, *right = work + n;
    line[0][4 + c] = line[n - 1][4 + c] = 0.0;
    for (int i = 1; i < n - 1; i++) {
        double before = u[i] - u[i - 1], after = u[i + 1] - u[i];
        double slope0 = (line[i][c] - line[i - 1][c]) / before,
               slope1 = (line[i + 1][c] - line[i][c]) / after;
        double share = i > 1 ? before / diagonal[i - 1] : 0.0;
        diagonal[i] = 2.0 * (before + after) - share * before;
        right[i] = 6.0 * (slope1 - slope0) - (i > 1 ? share * right[i - 1] : 0.0);
    }
    for (int i = n - 2; i > 0; i--) {
        line[i][4 + c] = (right[i] - (u[i + 1] - u[i]) * line[i + 1][4 + c]) / diagonal[i];
    }
}

void geom_road_spline(int n, const double *u, double (*line)[6], double *work)
{
    for (int c = 0; c < 2; c++) {
        second_derivatives(n, u, line, c, work);
        for (int i = 0; i < n; i++) {
            int a = i < n - 1 ? i : i - 1;
            double h = u[a + 1] - u[a], slope = (line[a + 1][c] - line[a][c]) / h;
            line[i][2 + c] = i < n - 1 ? slope - h * (2.0 * line[a][4 + c] + line[a + 1][4 + c]) / 6.0
                                       : slope + h * (line[a][4 + c] + 2.0 * line[a + 1][4 + c]) / 6.0;
        }
    }
}

static double slope_at(int n, const double *u, const double *y, int i)
{
    int a = i > 0 ? i - 1 : i, b = i < n - 1 ? i + 1 : i;
    return (y[b] - y[a]) / (u[b] - u[a]);
}

void geom_road_pieces(int n, const double *u, const double *y, bool is_smooth, double (*piece)[4])
{
    for (int i = 0; i < n - 1; i++) {
        double h = u[i + 1] - u[i], rise = (y[i + 1] - y[i]) / h;
        double s = is_smooth ? slope_at(n, u, y, i) : rise, e = is_smooth ? slope_at(n, u, y, i + 1) : rise;
        piece[i][0] = y[i];
        piece[i][1] = s;
        piece[i][2] = (3.0 * rise - 2.0 * s - e) / h;
        piece[i][3] = (s + e - 2.0 * rise) / (h * h);
    }
}
