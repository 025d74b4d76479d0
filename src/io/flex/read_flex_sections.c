// SPDX-License-Identifier: MIT
// Materials and sections of a flexible body.
#include "io/flex/flex_mesh.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

// ---- tapered lines ------------------------------------------------------------------------------------------------

bool flex_read_taper(reader *r, const yaml_node *map, const char *where, const flex_mesh *m, int *section)
{
    const yaml_node *node = yaml_get(map, "to_section");
    where_path here = where_at(where, "to_section");
    *section = -1;
    if (!node) {
        return true;
    }
    const char *text = reader_expect(r, node, YAML_SCALAR, here.text, "the name of a section")
                           ? reader_text(r, node, here.text)
                           : NULL;
    for (int k = 0; text && k < m->def.mesh.n_section; k++) {
        if (strcmp(m->def.mesh.section[k].name, text) == 0) {
            *section = k;
        }
    }
    if (text && *section < 0) {
        reader_error(r, node, here.text, "there is no section '%.60s' in 'sections'", text);
    }
    return *section >= 0;
}

static double between(double a, double b, double s, double power)
{
    return pow((1.0 - s) * pow(a, 1.0 / power) + s * pow(b, 1.0 / power), power);
}

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

static bool is_rectangle(const bi_section *s)
{
    bi_section same = bi_section_rectangle(2.0 * s->top, 2.0 * s->side);
    return is_near(s->area, same.area) && is_near(s->iz, same.iz) && is_near(s->iy, same.iy) &&
           is_near(s->torsion, same.torsion);
}

static double inner_of(const bi_section *s)
{
    return sqrt(fmax(4.0 * s->top * s->top - s->area / 0.78539816339744831, 0.0));
}

int flex_tapered_section(flex_mesh *m, int first, int last, double s)
{
    if (first < 0) {
        return -1;
    }
    const bi_section *a = &m->def.mesh.section[first], *b = &m->def.mesh.section[last];
    double top = (1.0 - s) * a->top + s * b->top, side = (1.0 - s) * a->side + s * b->side;
    bi_section out = *a;
    if (is_rectangle(a) && is_rectangle(b)) {
        out = bi_section_rectangle(2.0 * top, 2.0 * side);
    } else if (a->is_round && b->is_round) {
        double inner = (1.0 - s) * inner_of(a) + s * inner_of(b), wall = top - 0.5 * inner;
        out = bi_section_tube(2.0 * top, wall >= top ? 0.0 : wall);
    } else {
        out.area = between(a->area, b->area, s, 2.0);
        out.iy = between(a->iy, b->iy, s, 4.0);
        out.iz = between(a->iz, b->iz, s, 4.0);
        out.torsion = between(a->torsion, b->torsion, s, 4.0);
        out.shear_y = between(a->shear_y, b->shear_y, s, 1.0);
        out.shear_z = between(a->shear_z, b->shear_z, s, 1.0);
        out.top = top;
        out.side = side;
        out.twist = between(a->twist, b->twist, s, 1.0);
    }
    char name[160];
    snprintf(name, sizeof name, "%.60s to %.60s, %.6g", a->name, b->name, s);
    out.name = name;
    out.place = a->place;
    return flex_add_section(m, &out);
}
