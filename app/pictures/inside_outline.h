// SPDX-License-Identifier: MIT
/* inside_outline.h - shapes and ellipsoids as they look from far away: outlines in a picture. */
#pragma once
#include <biela/shapes.h>

typedef struct {
    double x, y;
} outline_spot;

/* A parallel view: right and up in ground axes, where the origin lies in the picture, pixels per metre. y of the picture
 * points down. */
typedef struct {
    bi_vec3 right, up;
    double left, top, scale;
} outline_view;

typedef struct {
    outline_spot at;
    double rx, ry, degrees;
} outline_ellipse;

typedef struct {
    int count;
    outline_spot *spot; /* (count) around; freed by the caller */
} outline;

bi_vec3 outline_place(bi_pose, bi_vec3 at); /* a point of a body in ground axes */
outline_spot outline_project(const outline_view *, bi_vec3);
/* The convex outline of a shape of a body; false: it has none (planes, fields), or no memory. */
bool outline_shape(const outline_view *, bi_pose body, const bi_shape_def *, outline *);
/* The exact outline of an ellipsoid whose axes stand in those of a body. */
outline_ellipse outline_ellipsoid(const outline_view *, bi_pose body, bi_pose own, bi_vec3 half_axes);
