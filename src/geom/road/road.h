// SPDX-License-Identifier: MIT
// Roads: heights over the stations u along a reference line and the distance v to its left, for any point of the plane.
// Either exactly as OpenCRG means it (a polygon, bilinear heights) or smooth (a curve with two continuous derivatives, bicubic
// heights), eq. (geometry.28) to (geometry.30). Beyond its ends a road goes straight on.
#pragma once

#include "geom/field.h"
#include "geom/geom.h"

// What the road is where there are no data.
typedef enum {
    ROAD_NONE,   // nothing
    ROAD_ZERO,   // height 0
    ROAD_KEEP,   // the height of the border
    ROAD_REPEAT, // the data again
    ROAD_REFLECT // the data mirrored
} road_border;

typedef struct {
    double low[2], high[2];
} road_box;

typedef struct geom_road {
    int n_u, n_v;            // nodes along and across
    bool is_smooth;          // a curve and bicubic relief; otherwise a polygon and bilinear relief
    bool is_angle;           // bank is an angle, not a slope
    const double *u;         // (n_u) m, stations, increasing
    const double (*line)[6]; // (n_u) x, y and their first and second derivatives with u
    const double (*z)[4];    // (n_u - 1) height of the reference line: cubic in u - u[i]; NULL: 0
    const double (*bank)[4]; // (n_u - 1) slope upwards to the left; NULL: 0
    const double (*right)[4], (*left)[4]; // (n_u - 1) v of the two borders; NULL: first and last v
    const double *v;                      // (n_v) m, increasing
    const double *relief;  // (n_u * n_v) m, node (i, j) at i * n_v + j, NAN: nothing there; NULL: flat
    road_border border[2]; // at the ends, at the sides
    double offset[2];      // m, heights there
    const road_box *box;   // (n_box) a tree around the pieces of the reference line
    int n_box, n_leaf;
} geom_road;

// Where a point is on the road, and how that changes with x and y.
typedef struct {
    double u, v;
    double du[2], dv[2];
    double ddu[3], ddv[3]; // by x x, x y, y y
} road_place;

// Station and distance of the place of the reference line that is nearest. False: it is beyond the middle of its curve.
bool geom_road_place(const geom_road *road, double x, double y, road_place *out);
// The point at a station.
void geom_road_point(const geom_road *road, double u, double v, double xy[2]);
// Height over a place of the road; derivatives by u and v. False: nothing there.
bool geom_road_height(const geom_road *road, double u, double v, geom_height *out);
// Height over x and y with two derivatives. False: nothing there.
bool geom_road_curve(const geom_road *road, double x, double y, geom_height *out);
// v of the right and the left border at a station.
void geom_road_sides(const geom_road *road, double u, double side[2]);

// ---- making one (make.c) ----------------------------------------------------------------------------------------

// How many boxes a road of n_u nodes needs, and their making.
int geom_road_box_count(int n_u, int *n_leaf);
void geom_road_boxes(geom_road *road, road_box *box);
// Derivatives of a curve through the points of `line`: cubic splines with two continuous derivatives; work: (4 n_u).
void geom_road_spline(int n_u, const double *u, double (*line)[6], double *work);
// Pieces between values at the nodes: straight, or with continuous slopes.
void geom_road_pieces(int n_u, const double *u, const double *value, bool is_smooth, double (*piece)[4]);
