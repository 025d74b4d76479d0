// SPDX-License-Identifier: MIT
#include "io/reader.h"

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
