// SPDX-License-Identifier: MIT
// What modes are written in, and what they are called where they lose stability.
#include "io/model/reader.h"
#include <stdio.h>
#include <string.h>

// {name: hip.angle, when: rider}: counts where the number is not zero. False: not this time, or a mistake was told.
static bool read_optional(reader *r, const yaml_node **item)
{
    const yaml_node *map = *item, *name = yaml_get(map, "name"), *when = yaml_get(map, "when");
    double value = 1.0;
    reader_known(r, map, &keys_independent, "independent");
    if (!name) {
        reader_error(r, map, "independent", "needs 'name', a joint coordinate such as pivot.angle");
        return false;
    }
    *item = name;
    return (!when || reader_number(r, when, NULL, "independent.when", &value)) && value != 0.0;
}

void read_independent(reader *r)
{
    const yaml_node *list = yaml_get(r->root, "independent");
    if (!list || !reader_expect(r, list, YAML_LIST, "independent",
                                "a list of joint coordinates, such as [base.angle2, steer.angle]")) {
        return;
    }
    for (int k = 0; k < list->count; k++) {
        const yaml_node *item = list->item[k];
        if (item->kind == YAML_MAP && !read_optional(r, &item)) {
            continue;
        }
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
    const yaml_node *map = yaml_get(r->root, "critical");
    if (!map || !reader_expect(r, map, YAML_MAP, "critical",
                               "a mapping such as {oscillating: weave, real: capsize}")) {
        return;
    }
    reader_known(r, map, &keys_critical, "critical");
    read_label(r, map, "oscillating", run->critical_oscillating, sizeof run->critical_oscillating);
    read_label(r, map, "real", run->critical_real, sizeof run->critical_real);
    read_label(r, map, "fast", run->critical_fast, sizeof run->critical_fast);
}
