// SPDX-License-Identifier: MIT
// Struts: rods, cylinders and chains between points of bodies; and colours, which shapes have, too.
#include "io/model/reader.h"
#include <biela/look.h>
#include <stdlib.h>
#include <string.h>

// '#rrggbb', '#rrggbbaa', [r, g, b] or [r, g, b, a].
void reader_colour(reader *r, const yaml_node *node, const char *where, double colour[4])
{
    colour[3] = 1.0;
    if (node->kind == YAML_LIST && (node->count == 3 || node->count == 4)) {
        if (reader_numbers(r, node, node->count, "1", where, colour)) {
            for (int k = 0; k < 4; k++) {
                if (!(colour[k] >= 0.0 && colour[k] <= 1.0)) {
                    reader_error(r, node, where, "has %g; the parts of a colour are from 0 to 1", colour[k]);
                    return;
                }
            }
        }
        return;
    }
    const char *text = node->kind == YAML_SCALAR ? node->text : "";
    size_t length = strlen(text);
    if (text[0] != '#' || (length != 7 && length != 9) ||
        strspn(text + 1, "0123456789abcdefABCDEF") != length - 1) {
        reader_error(r, node, where, "a colour is '#rrggbb', in quotes, or [red, green, blue] from 0 to 1");
        return;
    }
    for (int k = 0; k < (int)(length - 1) / 2; k++) {
        const char pair[3] = { text[1 + 2 * k], text[2 + 2 * k], '\0' };
        colour[k] = (double)strtol(pair, NULL, 16) / 255.0;
    }
}

static bool read_points(reader *r, const yaml_node *value, const char *where, bi_strut_def *def)
{
    const yaml_node *points = yaml_get(value, "points");
    where_path here = where_at(where, "points");
    if (!points) {
        reader_error(r, r->entry, where,
                     "needs 'points', two at least, such as [p1, {body: mast, at: [0, 0, 1]}]");
        return false;
    }
    if (!reader_expect(r, points, YAML_LIST, here.text, "a list of points")) {
        return false;
    }
    if (points->count < 2 || points->count > BI_STRUT_POINTS) {
        reader_error(r, points, here.text, "has %d points; 2 to %d are needed", points->count,
                     BI_STRUT_POINTS);
        return false;
    }
    bool is_good = true;
    for (int k = 0; k < points->count; k++) {
        is_good = reader_point(r, points->item[k], here.text, &def->point[k]) && is_good;
    }
    def->n_point = points->count;
    return is_good;
}

int32_t read_strut(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_strut_def def = { .name = name };
    if (!reader_expect(r, value, YAML_MAP, where,
                       "a mapping such as {type: rod, points: [p1, p2], radius: 0.02}")) {
        return 0;
    }
    if (!yaml_get(value, "type")) {
        reader_error(r, r->entry, where, "needs 'type': rod, cylinder or chain");
        return 0;
    }
    // the words of the key in the order of the list
    def.type = (bi_strut_type)(1 + reader_word_of(r, value, &keys_strut, "type", where));
    if (def.type == BI_STRUT_NONE) {
        return 0;
    }
    reader_known_of(r, value, &keys_strut, 1u << def.type, where);
    if (!yaml_get(value, "radius")) {
        reader_error(r, r->entry, where, "needs 'radius', in m");
        return 0;
    }
    bool is_good = reader_values(r, value, &keys_strut, 1u << def.type, where, &def);
    is_good = read_points(r, value, where, &def) && is_good;
    const yaml_node *colour = yaml_get(value, "colour");
    if (colour) {
        reader_colour(r, colour, where_at(where, "colour").text, def.colour);
    }
    reader_place(r, r->entry);
    if (is_good) {
        bi_add_strut(r->model, &def);
    }
    return is_good;
}
