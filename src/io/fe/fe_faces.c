// SPDX-License-Identifier: MIT
// Meshers write triangles on faces and lines on edges only to name them: in a deck for CalculiX their sets become sets
// of nodes.
#include "io/fe/fe_source.h"
#include <stdlib.h>

static bool is_solid(bi_fe_kind kind)
{
    return kind == BI_FE_TET10 || kind == BI_FE_HEX8 || kind == BI_FE_HEX20 || kind == BI_FE_WEDGE15;
}

static bool is_plate(bi_fe_kind kind)
{
    return kind == BI_FE_QUAD || kind == BI_FE_TRIANGLE || kind == BI_FE_SHELL4 || kind == BI_FE_SHELL3;
}

// Faces of second order and lines: Biela has no such elements, so they can only be names.
static bool is_only_name(const fe_raw *raw)
{
    int own = raw->def.kind == BI_FE_TRIANGLE || raw->def.kind == BI_FE_SHELL3 ? 3 : 4;
    return is_plate(raw->def.kind) && raw->n_node != own;
}

static bool is_line(const fe_raw *raw) { return is_only_name(raw) && raw->n_node < 4; }

// Plane elements, shells of a file without *SHELL SECTION, and what can only be a name.
static bool is_name(const fe_raw *raw, bool has_solids, bool has_shell_section)
{
    bool is_shell = raw->def.kind == BI_FE_SHELL4 || raw->def.kind == BI_FE_SHELL3;
    bool is_face = is_plate(raw->def.kind) && (!is_shell || !has_shell_section || is_only_name(raw));
    return is_line(raw) || (has_solids && is_face);
}

static void name_nodes(fe_source *in, const fe_numbered *list, bool has_solids, bool has_shells)
{
    for (int s = 0; s < in->n_element_set; s++) {
        const fe_raw_set *set = &in->element_set[s];
        for (int i = 0; i < set->count; i++) {
            int32_t place = fe_find(list, in->n_raw, set->item[i]);
            const fe_raw *raw = place >= 0 ? &in->raw[place] : NULL;
            for (int k = 0; raw && is_name(raw, has_solids, has_shells) && k < raw->n_node; k++) {
                fe_set_add(in, fe_node_set(in, set->name), raw->node[k]);
            }
        }
    }
}

void fe_take_faces_off(fe_source *in, bool has_shell_section)
{
    int n_name = 0;
    bool has_solids = false;
    for (int k = 0; k < in->n_raw; k++) {
        has_solids = has_solids || is_solid(in->raw[k].def.kind);
    }
    for (int k = 0; k < in->n_raw; k++) {
        n_name += is_name(&in->raw[k], has_solids, has_shell_section);
    }
    fe_numbered *list = n_name > 0 ? fe_index_elements(in) : NULL;
    if (list) {
        name_nodes(in, list, has_solids, has_shell_section);
    }
    free(list);
    int kept = 0;
    int line = 0;
    for (int k = 0; k < in->n_raw; k++) {
        const fe_raw *raw = &in->raw[k];
        if (is_name(raw, has_solids, has_shell_section)) {
            line = line ? line : raw->def.place.line;
            continue;
        }
        if (is_only_name(raw)) {
            fe_complain_at(
                in, raw->def.place.line,
                "plane elements and shells of second order are taken as names of faces of solids only; mesh "
                "plates with elements of three or four nodes");
        }
        in->raw[kept++] = *raw;
    }
    in->n_raw = kept;
    if (n_name > 0) {
        fe_warn(
            in, line,
            "%d plane elements and lines are taken as names of faces and edges: their sets are sets of nodes",
            n_name);
    }
}
