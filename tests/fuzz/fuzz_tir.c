// SPDX-License-Identifier: MIT
// Any bytes as a .tir file: mistakes are told, nothing crashes.
#include "io/tyre/tir.h"
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bi_report report = { 0 };
    blocks memory = { 0 };
    yaml_node *map = tir_read((const char *)data, size, "fuzz.tir", NULL, &memory, &report);
    // what is given has texts that can be read
    for (int k = 0; map && k < map->count; k++) {
        if (!map->key[k] || !map->item[k] || !map->key[k]->text) {
            __builtin_trap();
        }
    }
    blocks_free(&memory);
    bi_report_clear(&report);
    return 0;
}
