// SPDX-License-Identifier: MIT
// Tyre property files (.tir): what of them a tyre of ours can use, as the mapping that a model file would have.
#pragma once
#include "io/yaml/blocks.h"
#include "io/yaml/yaml.h"

// Mistakes are errors with file and line; keys and sections that are not used are notes. The nodes live in `memory` and
// carry the lines of the file. as: the type that is asked for, "tyre-tmeasy" or NULL: as the file has it. NULL: errors,
// or no memory.
yaml_node *tir_read(const char *text, size_t length, const char *path, const char *as, blocks *memory,
                    bi_report *report);
