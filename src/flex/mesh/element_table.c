// SPDX-License-Identifier: MIT
// The one list of element kinds.
#include "flex/mesh/fe.h"
#include <string.h>

const fe_kind *fe_kind_of(bi_fe_kind kind)
{
    static const fe_kind *const all[BI_FE_KIND_COUNT] = {
        [BI_FE_BEAM] = &fe_beam,         [BI_FE_TIMOSHENKO] = &fe_timoshenko,
        [BI_FE_QUAD] = &fe_quad,         [BI_FE_QUAD_PLAIN] = &fe_quad_plain,
        [BI_FE_TRIANGLE] = &fe_triangle, [BI_FE_MASS] = &fe_mass,
        [BI_FE_TET10] = &fe_tet10,       [BI_FE_HEX8] = &fe_hex8,
        [BI_FE_HEX20] = &fe_hex20,       [BI_FE_SHELL4] = &fe_shell4,
        [BI_FE_SHELL3] = &fe_shell3,     [BI_FE_WEDGE15] = &fe_wedge15,
    };
    return (unsigned)kind < BI_FE_KIND_COUNT ? all[kind] : NULL;
}

int fe_dof_count(const fe_kind *kind)
{
    int per_node = 0;
    for (unsigned bit = kind->freedoms; bit; bit >>= 1) {
        per_node += (int)(bit & 1u);
    }
    return per_node * kind->n_node;
}

fe_element fe_element_of(const bi_fe_mesh *mesh, int k)
{
    const bi_fe_element *def = &mesh->element[k];
    const fe_kind *kind = fe_kind_of(def->kind);
    fe_element e = { .def = def, .is_plane = mesh->is_plane };
    e.material = def->material >= 0 ? &mesh->material[def->material] : NULL;
    e.section = def->section >= 0 ? &mesh->section[def->section] : NULL;
    for (int i = 0; kind && i < kind->n_node; i++) {
        e.at[i] = mesh->node[def->node[i]].at;
    }
    return e;
}

void fe_mass_matrix(const fe_element *e, double *M)
{
    const fe_kind *kind = fe_kind_of(e->def->kind);
    int n = fe_dof_count(kind);
    fe_particle p[FE_MOST_PARTICLES];
    int n_particle = kind->particles(e, p);
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int g = 0; g < n_particle; g++) {
        for (int c = 0; c < 3; c++) {
            const double *s = p[g].shape[c];
            for (int i = 0; i < n; i++) {
                double w = p[g].mass * s[i];
                for (int j = 0; w != 0.0 && j < n; j++) {
                    M[i * n + j] += w * s[j];
                }
            }
        }
    }
}

const double fe_gauss_at[4][4] = {
    { 0.0 },
    { -0.57735026918962576451, 0.57735026918962576451 },
    { -0.77459666924148337704, 0.0, 0.77459666924148337704 },
    { -0.86113631159405257522, -0.33998104358485626480, 0.33998104358485626480, 0.86113631159405257522 },
};
const double fe_gauss_weight[4][4] = {
    { 2.0 },
    { 1.0, 1.0 },
    { 0.55555555555555555556, 0.88888888888888888889, 0.55555555555555555556 },
    { 0.34785484513745385737, 0.65214515486254614263, 0.65214515486254614263, 0.34785484513745385737 },
};

bool bi_fe_is_beam(bi_fe_kind kind) { return kind == BI_FE_BEAM || kind == BI_FE_TIMOSHENKO; }
