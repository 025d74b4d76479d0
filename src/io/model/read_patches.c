// SPDX-License-Identifier: MIT
// Patches of the ground with another friction.
#include "io/model/reader.h"

// Its place follows the file it is included by as little as inputs do: it is on the ground.
static bool read_disc(reader *r, const yaml_node *node, const char *where, bi_patch_def *def)
{
    where_path here = where_at(where, "disc");
    bool is_good = reader_expect(r, node, YAML_LIST, here.text, "a list such as [ice_x, ice_y, ice_radius]");
    if (is_good && node->count != 3) {
        reader_error(r, node, here.text, "three are expected: x, y and radius");
        is_good = false;
    }
    for (int k = 0; is_good && k < 3; k++) {
        is_good = reader_expr(r, node->item[k], "m", here.text, &def->disc[k]);
    }
    return is_good;
}

int32_t read_patch(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_patch_def def = { .name = name, .friction = 1.0 };
    if (!reader_expect(r, value, YAML_MAP, where,
                       "a mapping such as {at: [5, 0, 0], size: [2, 3], friction: 0.3}")) {
        return 0;
    }
    reader_known(r, value, &keys_patch, where);
    const yaml_node *size = yaml_get(value, "size"), *radius = yaml_get(value, "radius"),
                    *disc = yaml_get(value, "disc"), *factor = yaml_get(value, "factor");
    if ((size != NULL) + (radius != NULL) + (disc != NULL) != 1) {
        reader_error(r, r->entry, where,
                     "needs either 'size: [x, y]', a rectangle, or 'radius', a disc, or 'disc: [x, y, "
                     "radius]', a disc that moves");
        return 0;
    }
    if ((yaml_get(value, "friction") != NULL) + (factor != NULL) != 1) {
        reader_error(r, r->entry, where,
                     "needs either 'friction', a factor: 1 is as elsewhere, 0.1 ice; or 'factor', the same "
                     "as an expression");
        return 0;
    }
    bool is_good = reader_values(r, value, &keys_patch, ~0u, where, &def);
    reader_turn(r, yaml_get(value, "turn"), where_at(where, "turn").text, &def.pose.rot);
    is_good = (!size || reader_numbers(r, size, 2, "m", where_at(where, "size").text, def.size)) && is_good;
    is_good = (!disc || read_disc(r, disc, where, &def)) && is_good;
    is_good =
        (!factor || reader_expr(r, factor, NULL, where_at(where, "factor").text, &def.factor)) && is_good;
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
