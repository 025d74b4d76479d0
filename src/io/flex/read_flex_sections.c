// SPDX-License-Identifier: MIT
// Materials and sections of a flexible body.
#include "io/flex/flex_mesh.h"

void read_flex_materials(reader *r, const yaml_node *map, const char *where, flex_mesh *m)
{
    const yaml_node *all = yaml_get(map, "materials");
    where_path list = where_at(where, "materials");
    if (!all || !reader_expect(r, all, YAML_MAP, list.text,
                               "materials such as {steel: {young: 210 GPa, density: 7850}}")) {
        return;
    }
    for (int k = 0; k < all->count; k++) {
        const yaml_node *one = all->item[k];
        where_path here = where_at(list.text, all->key[k]->text);
        bi_material material = { .name = all->key[k]->text,
                                 .poisson = 0.3,
                                 .place = reader_place_of(r, one) };
        if (!reader_expect(r, one, YAML_MAP, here.text, "{young: 210 GPa, poisson: 0.3, density: 7850}")) {
            continue;
        }
        reader_known(r, one, &keys_flex_material, here.text);
        if (!yaml_get(one, "young") || !yaml_get(one, "density")) {
            reader_error(r, one, here.text, "needs 'young' and 'density'");
            continue;
        }
        reader_values(r, one, &keys_flex_material, ~0u, here.text, &material);
        flex_add_material(m, &material);
    }
}

static void read_section(reader *r, const yaml_node *one, const char *name, const char *where, flex_mesh *m)
{
    bi_section section = { 0 };
    double size[2] = { 0.0, 0.0 };
    const yaml_node *tube = yaml_get(one, "tube"), *rectangle = yaml_get(one, "rectangle");
    reader_known(r, one, &keys_flex_section, where);
    if (tube && rectangle) {
        reader_error(r, one, where, "'tube' and 'rectangle' exclude each other");
    } else if (tube && reader_numbers(r, tube, 2, "m", where_at(where, "tube").text, size)) {
        if (!(size[0] > 0.0 && size[1] >= 0.0 && size[1] <= 0.5 * size[0])) {
            reader_error(r, tube, where_at(where, "tube").text,
                         "must be a positive diameter and a wall up to half of it (0: full), and is [%g, %g]",
                         size[0], size[1]);
        }
        section = bi_section_tube(size[0], size[1]);
    } else if (rectangle && reader_numbers(r, rectangle, 2, "m", where_at(where, "rectangle").text, size)) {
        if (!(size[0] > 0.0 && size[1] > 0.0)) {
            reader_error(r, rectangle, where_at(where, "rectangle").text,
                         "sides must be positive, and are [%g, %g]", size[0], size[1]);
        }
        section = bi_section_rectangle(size[0], size[1]);
    }
    section.name = name;
    section.place = reader_place_of(r, one);
    reader_values(r, one, &keys_flex_section, ~0u, where, &section);
    flex_add_section(m, &section);
}

void read_flex_sections(reader *r, const yaml_node *map, const char *where, flex_mesh *m)
{
    const yaml_node *all = yaml_get(map, "sections");
    where_path list = where_at(where, "sections");
    if (!all ||
        !reader_expect(r, all, YAML_MAP, list.text, "sections such as {bar: {tube: [30 mm, 2 mm]}}")) {
        return;
    }
    for (int k = 0; k < all->count; k++) {
        where_path here = where_at(list.text, all->key[k]->text);
        if (reader_expect(r, all->item[k], YAML_MAP, here.text,
                          "{tube: [diameter, wall]}, {rectangle: [y, z]} or moments")) {
            read_section(r, all->item[k], all->key[k]->text, here.text, m);
        }
    }
}
