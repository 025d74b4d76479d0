// SPDX-License-Identifier: MIT
// Roads made ready for queries once, and shared by the shapes of any number of models.
#pragma once

#include "geom/road/road.h"
#include <biela/shapes.h>

// What queries need of it.
const geom_road *road_form(const bi_road *road);
// Triangles in its place, made when they are first asked for; the caller releases them. NULL: no memory, or no road that
// could be seen.
bi_surface *road_surface(bi_road *road);
uint64_t road_hash(uint64_t h, const bi_road *road);
