// SPDX-License-Identifier: MIT
// What modes are written in, and what they are called where they lose stability.
#include "io/reader.h"
#include <stdio.h>
#include <string.h>

void read_independent(reader *r)
{
    const yaml_node *list = yaml_get(r->root, "independent");
    if (!list || !reader_expect(r, list, YAML_LIST, "independent",
                                "a list of joint coordinates, such as [base.angle2, steer.angle]")) {
        return;
    }
    for (int k = 0; k < list->count; k++) {
        yaml_node *item = list->item[k];
        const char *name =
            reader_expect(r, item, YAML_SCALAR, "independent", "a joint coordinate, such as pivot.angle")
                ? reader_text(r, item, "independent")
                : NULL;
        if (name) {
            reader_place(r, item);
            bi_model_independent(r->model, name);
        }
    }
    blocks_free(&r->memory);
}

static void read_label(reader *r, const yaml_node *map, const char *key, char *to, size_t size)
{
    const yaml_node *node = yaml_get(map, key);
    where_path here = where_at("critical", key);
    if (!node || !reader_expect(r, node, YAML_SCALAR, here.text, "a name")) {
        return;
    }
    if (!node->text[0] || strlen(node->text) >= size) {
        reader_error(r, node, here.text, "must be a name of 1 to %d letters", (int)size - 1);
        return;
    }
    snprintf(to, size, "%s", node->text);
}

void read_critical(reader *r, bi_run *run)
{
    static const char *const keys[] = { "oscillating", "real", NULL };
    const yaml_node *map = yaml_get(r->root, "critical");
    if (!map || !reader_expect(r, map, YAML_MAP, "critical",
                               "a mapping such as {oscillating: weave, real: capsize}")) {
        return;
    }
    reader_keys(r, map, keys, "critical");
    read_label(r, map, "oscillating", run->critical_oscillating, sizeof run->critical_oscillating);
    read_label(r, map, "real", run->critical_real, sizeof run->critical_real);
}
