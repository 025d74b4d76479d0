// SPDX-License-Identifier: MIT
// Notches and seams of a file of fatigue data: which elements and nodes they mean.
#pragma once
#include "io/life/life_data.h"
#include "io/model/reader.h"

void life_spots_read(reader *r, const yaml_node *map, life_data *d);
