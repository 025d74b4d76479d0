// SPDX-License-Identifier: MIT
// The keys of a road: a file, or a random one by its class.
#pragma once
#include "io/model/reader.h"

// To be released. NULL: a mistake was told.
bi_road *read_road(reader *r, const yaml_node *value, const char *where);
