// SPDX-License-Identifier: MIT
// Cards of Nastran that give elements their section and material: PSOLID, PBAR, PBARL, PSHELL, MAT1.
#include "io/fe/fe_nastran.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_property(card *c, properties *all, int64_t number, int64_t material, int section)
{
    if (all->count == all->capacity) {
        int more = all->capacity ? 2 * all->capacity : 64;
        property *grown = more > FE_MOST_ITEMS ? NULL : realloc(all->item, (size_t)more * sizeof *grown);
        if (!grown) {
            c->in->is_full = true;
            return;
        }
        all->item = grown;
        all->capacity = more;
    }
    all->item[all->count++] = (property){ number, material, c->line, section };
}

void nastran_psolid(card *c, properties *all)
{
    int64_t number;
    int64_t material;
    if (card_integer(c, 1, "its number", &number) && card_integer(c, 2, "its material", &material)) {
        add_property(c, all, number, material, -1);
    }
}

// PBAR: area, I1 about z, I2 about y, J.
void nastran_pbar(card *c, properties *all)
{
    int64_t number;
    int64_t material;
    double value[4];
    if (!card_integer(c, 1, "its number", &number) || !card_integer(c, 2, "its material", &material)) {
        return;
    }
    static const char *const what[] = { "its area", "I1", "I2", "J" };
    for (int k = 0; k < 4; k++) {
        if (!card_number(c, 3 + k, what[k], 0.0, &value[k])) {
            return;
        }
    }
    double s = c->in->units.length;
    double s4 = s * s * s * s;
    bi_section section = { .name = c->field[1],
                           .area = s * s * value[0],
                           .iz = s4 * value[1],
                           .iy = s4 * value[2],
                           .torsion = s4 * value[3],
                           .place = { c->in->path, c->line, 1 } };
    // stress points C and E: outermost fibres in y and z
    double y;
    double z;
    if (card_number(c, 9, "C1", 0.0, &y) && card_number(c, 10, "C2", 0.0, &z)) {
        section.top = s * fabs(y);
        section.side = s * fabs(z);
    }
    if (!(section.area > 0.0)) {
        fe_complain_at(c->in, c->line, "PBAR %lld: its area must be positive", (long long)number);
        return;
    }
    add_property(c, all, number, material, fe_add_section(c->in, &section));
}

// PBARL: shapes by their measures.
void nastran_pbarl(card *c, properties *all)
{
    int64_t number;
    int64_t material;
    double d[2];
    if (!card_integer(c, 1, "its number", &number) || !card_integer(c, 2, "its material", &material) ||
        !card_number(c, 9, "its first measure", 0.0, &d[0]) ||
        !card_number(c, 10, "its second measure", 0.0, &d[1])) {
        return;
    }
    double s = c->in->units.length;
    bool is_rod = !card_is_blank(c, 4) && strcmp(c->field[4], "ROD") == 0;
    bool is_tube = !card_is_blank(c, 4) && strcmp(c->field[4], "TUBE") == 0;
    bool is_bar = !card_is_blank(c, 4) && strcmp(c->field[4], "BAR") == 0;
    bool has_measures =
        d[0] > 0.0 && (is_rod || (is_bar && d[1] > 0.0) || (is_tube && d[1] >= 0.0 && d[1] < d[0]));
    if (!is_rod && !is_tube && !is_bar) {
        fe_complain_at(c->in, c->line, "PBARL %lld: shape '%s' is not supported; known are ROD, TUBE and BAR",
                       (long long)number, card_is_blank(c, 4) ? "" : c->field[4]);
        return;
    }
    if (!has_measures) {
        fe_complain_at(c->in, c->line, "PBARL %lld: its measures must be positive", (long long)number);
        return;
    }
    // ROD and TUBE are given by radii; BAR: width along z, height along y
    bi_section section = is_bar ? bi_section_rectangle(s * d[1], s * d[0])
                                : bi_section_tube(2.0 * s * d[0], is_tube ? s * (d[0] - d[1]) : 0.0);
    section.name = c->field[1];
    section.place = (bi_place){ c->in->path, c->line, 1 };
    add_property(c, all, number, material, fe_add_section(c->in, &section));
}

void nastran_material(card *c)
{
    int64_t number;
    double E;
    double G;
    double nu;
    double rho;
    if (!card_integer(c, 1, "its number", &number) || !card_number(c, 2, "E", 0.0, &E) ||
        !card_number(c, 3, "G", 0.0, &G) || !card_number(c, 4, "NU", -1.0, &nu) ||
        !card_number(c, 5, "RHO", 0.0, &rho)) {
        return;
    }
    if (nu == -1.0) {
        nu = G > 0.0 ? 0.5 * E / G - 1.0 : 0.0;
    } else if (E == 0.0) {
        E = 2.0 * G * (1.0 + nu);
    }
    double s = c->in->units.length;
    bi_material m = { .name = c->field[1],
                      .young = E * c->in->units.mass / s,
                      .poisson = nu,
                      .density = rho * c->in->units.mass / (s * s * s),
                      .place = { c->in->path, c->line, 1 } };
    fe_add_material(c->in, &m);
}

// PSHELL: material and thickness of the membrane; those of bending are taken to be the same.
void nastran_pshell(card *c, properties *all)
{
    int64_t number;
    int64_t material;
    double t;
    if (!card_integer(c, 1, "its number", &number) || !card_integer(c, 2, "its material", &material) ||
        !card_number(c, 3, "its thickness", 0.0, &t)) {
        return;
    }
    bi_section section = { .name = c->field[1],
                           .thickness = c->in->units.length * t,
                           .place = { c->in->path, c->line, 1 } };
    if (!(t > 0.0)) {
        fe_complain_at(c->in, c->line, "PSHELL %lld: its thickness must be positive", (long long)number);
        return;
    }
    c->has_pshell = true;
    add_property(c, all, number, material, fe_add_section(c->in, &section));
}

static int find_material(const fe_source *in, int64_t number)
{
    for (int k = 0; k < in->mesh.n_material; k++) {
        int64_t own;
        if (fe_integer(in->mesh.material[k].name, &own) && own == number) {
            return k;
        }
    }
    return -1;
}

void nastran_assign(fe_source *in, const properties *all)
{
    const property *last = NULL; // neighbours mostly share a property
    int material = -1;
    for (int k = 0; k < in->n_raw; k++) {
        fe_raw *raw = &in->raw[k];
        if (raw->def.kind == BI_FE_MASS || raw->def.kind == BI_FE_LINK) {
            continue;
        }
        if (!last || last->number != raw->property) {
            last = NULL;
            for (int i = 0; i < all->count; i++) {
                last = all->item[i].number == raw->property ? &all->item[i] : last;
            }
            material = last ? find_material(in, last->material) : -1;
        }
        if (!last) {
            fe_complain_at(in, raw->def.place.line,
                           "element %lld: there is no property %lld (PSOLID, PSHELL, PBAR or PBARL)",
                           (long long)raw->def.number, (long long)raw->property);
        } else if (material < 0) {
            fe_complain_at(in, last->line, "property %lld: there is no material MAT1 %lld",
                           (long long)last->number, (long long)last->material);
        } else {
            raw->def.section = last->section;
            raw->def.material = material;
        }
    }
}
