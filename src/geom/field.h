// SPDX-License-Identifier: MIT
// Height fields: a regular grid of heights over x and y, the solid below. Outside the grid there is nothing.
#pragma once

#include "geom/geom.h"

typedef enum {
    GEOM_BILINEAR, // continuous; slopes jump at the lines of the grid
    GEOM_BICUBIC   // continuous slopes (Catmull-Rom); may exceed the heights given
} geom_smoothness;

struct geom_field {
    int n_x, n_y;    // nodes along x and y, at least 2
    double d_x, d_y; // distance of the nodes, m
    double x_0, y_0; // the first node, m
    const double
        *height; // (n_y * n_x), row by row: height[j * n_x + i] over (x_0 + i d_x, y_0 + j d_y); borrowed
    geom_smoothness smoothness;
    double low, high; // the surface lies between them; written by geom_field_measure
};

// What is wrong with the field; NULL: nothing. Writes low and high.
const char *geom_field_measure(geom_field *field);

// Height and slopes over (x, y). False: outside the grid; the nearest place of the rim is used then.
bool geom_field_height(const geom_field *field, double x, double y, double *height, double slope[2]);
// Height and its first and second derivatives; the same outside.
typedef struct {
    double h, x, y, xx, xy, yy;
} geom_height;
bool geom_field_curve(const geom_field *field, double x, double y, geom_height *out);
// The unit normal, upwards.
vec3 geom_field_normal(const geom_field *field, double x, double y);

geom_near geom_field_near(const geom_field *field, vec3 p, double reach);
geom_hit geom_field_ray(const geom_field *field, vec3 origin, vec3 direction, double reach);

// Places of the surface that are nearer to p than all around them and than `reach`: one per cell at most, `capacity` in
// all. Returns how many there are, which may be more than were written.
int geom_field_minima(const geom_field *field, vec3 p, double reach, int capacity, geom_near *out);
