// SPDX-License-Identifier: MIT
// The mapping that a tyre property file becomes.
#include "io/tyre/tir_lines.h"
#include <stdio.h>
#include <string.h>

yaml_node *tir_text(tir *t, const char *text, int line)
{
    yaml_node *n = blocks_new(t->memory, sizeof *n);
    if (n) {
        *n = (yaml_node){ .kind = YAML_SCALAR, .line = line, .column = 1, .is_plain = true, .size = 1 };
        n->text = blocks_text(t->memory, text, strlen(text));
    }
    return n && n->text ? n : NULL;
}

static yaml_node *number_node(tir *t, double value, int line)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return tir_text(t, text, line);
}

void tir_put(tir *t, const char *key, yaml_node *value)
{
    yaml_node *name = value ? tir_text(t, key, value->line) : NULL;
    if (name && t->map->count < TIR_PAIRS) {
        t->map->key[t->map->count] = name;
        t->map->item[t->map->count++] = value;
    }
}

void tir_put_numbers(tir *t, const char *key, const double *value, int count, int line)
{
    yaml_node *n = blocks_new(t->memory, sizeof *n);
    yaml_node **item = blocks_new(t->memory, (size_t)count * sizeof *item);
    if (!n || !item) {
        return;
    }
    *n = (yaml_node){
        .kind = YAML_LIST, .line = line, .column = 1, .count = count, .item = item, .size = count + 1
    };
    for (int k = 0; k < count; k++) {
        item[k] = number_node(t, value[k], line);
        if (!item[k]) {
            return;
        }
    }
    tir_put(t, key, n);
}

void tir_put_number(tir *t, const char *key, double value, int line)
{
    tir_put(t, key, number_node(t, value, line));
}

bool tir_carry(tir *t, const char *key, double si, const char *ours)
{
    double value;
    if (!tir_number(t, key, &value)) {
        return false;
    }
    tir_put(t, ours, number_node(t, value * si, tir_find(t, key)->line));
    return true;
}
