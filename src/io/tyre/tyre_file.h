// SPDX-License-Identifier: MIT
// Data of a tyre in a file of their own: a mapping like that of the model file, or a .tir file.
#pragma once
#include "io/model/reader.h"

typedef struct {
    const yaml_node *map; // NULL: none
    const char *file;     // as in messages
    bool is_broken;       // it was asked for and cannot be read, which is reported
} tyre_data;

// What `file` of an entry of the section `forces` names; nothing when there is no such key.
tyre_data tyre_data_of(reader *r, const char *section, const yaml_node *value, const char *where);
