// SPDX-License-Identifier: MIT
// Patches of the ground with another friction.
#include "io/model/reader.h"

int32_t read_patch(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_patch_def def = { .name = name, .friction = 1.0 };
    if (!reader_expect(r, value, YAML_MAP, where,
                       "a mapping such as {at: [5, 0, 0], size: [2, 3], friction: 0.3}")) {
        return 0;
    }
    reader_known(r, value, &keys_patch, where);
    const yaml_node *size = yaml_get(value, "size"), *radius = yaml_get(value, "radius");
    if ((size != NULL) + (radius != NULL) != 1) {
        reader_error(r, r->entry, where, "needs either 'size: [x, y]', a rectangle, or 'radius', a disc");
        return 0;
    }
    if (!yaml_get(value, "friction")) {
        reader_error(r, r->entry, where, "needs 'friction', a factor: 1 is as elsewhere, 0.1 ice");
        return 0;
    }
    bool is_good = reader_values(r, value, &keys_patch, ~0u, where, &def);
    reader_turn(r, yaml_get(value, "turn"), where_at(where, "turn").text, &def.pose.rot);
    is_good = (!size || reader_numbers(r, size, 2, "m", where_at(where, "size").text, def.size)) && is_good;
    if (is_good && radius && def.radius == 0.0) {
        def.radius = -1.0; // told as a radius that is not positive
    }
    def.pose = reader_place_pose(r, def.pose);
    reader_place(r, r->entry);
    if (is_good) {
        bi_add_patch(r->model, &def);
    }
    return is_good;
}
