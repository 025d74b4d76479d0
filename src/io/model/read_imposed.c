// SPDX-License-Identifier: MIT
// Imposed motion: {coordinate: base.y, value: 0.01*sin(2*pi*t)}.
#include "io/model/reader.h"

int32_t read_imposed(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_imposed_def def = { .name = name };
    if (!reader_expect(r, value, YAML_MAP, where,
                       "a mapping such as {coordinate: crank.angle, value: 2*t}")) {
        return 1;
    }
    reader_known(r, value, &keys_imposed, where);
    const yaml_node *coordinate = yaml_get(value, "coordinate"), *motion = yaml_get(value, "value");
    if (!coordinate || !motion) {
        reader_error(r, r->entry, where, "needs '%s'", coordinate ? "value" : "coordinate");
        return 1;
    }
    where_path here = where_at(where, "coordinate");
    if (reader_expect(r, coordinate, YAML_SCALAR, here.text,
                      "a coordinate of a joint, such as crank.angle")) {
        const char *text = reader_text(r, coordinate, here.text);
        def.coordinate = text ? reader_full_name(r, text) : NULL;
    }
    if (def.coordinate && reader_expr(r, motion, NULL, where_at(where, "value").text, &def.value)) {
        reader_place(r, r->entry);
        bi_add_imposed(r->model, &def);
    }
    return 1;
}
