// SPDX-License-Identifier: MIT
/* inside.h - a model as a drawing of what is inside: points, vectors, axes, frames, masses, what touches. */
#pragma once
#include <biela/sim.h>

/* From where one looks, along which axis: "corner", "front" (against x), "side" (along y), "top"; false: no such word. */
typedef enum { INSIDE_CORNER, INSIDE_FRONT, INSIDE_SIDE, INSIDE_TOP } inside_side;
#define INSIDE_SIDES "corner|front|side|top"
bool inside_side_of(const char *word, inside_side *);
/* Where a started sim is. False: told. */
bool inside_write(bi_sim *, const bi_model *, inside_side, const char *path);
