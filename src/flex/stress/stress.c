// SPDX-License-Identifier: MIT
// Rows that give stresses from amplitudes: stress of the element's freedoms in each mode, (fe.16).
#include "flex/mesh/beam.h"
#include "flex/modes/result.h"
#include <stdlib.h>
#include <string.h>

static fe_element element_of(const bi_flex *flex, int k)
{
    fe_element e = fe_element_of(&flex->mesh, k);
    e.is_plane = flex->is_plane;
    return e;
}

static const fe_kind *stressed_kind(const bi_flex *flex, int element)
{
    if (!flex || element < 0 || element >= flex->mesh.n_element) {
        return NULL;
    }
    const fe_kind *kind = fe_kind_of(flex->mesh.element[element].kind);
    return kind && kind->stress ? kind : NULL;
}

bool bi_flex_stress_rows(const bi_flex *flex, int element, bi_vec3 site, double *rows)
{
    const fe_kind *kind = rows ? stressed_kind(flex, element) : NULL;
    if (!kind) {
        return false;
    }
    fe_element e = element_of(flex, element);
    double own[FE_STRESSES * FE_MOST_DOF], u[FE_MOST_DOF];
    int n = fe_dof_count(kind), n_mode = flex->modes.n_mode;
    kind->stress(&e, site, own);
    for (int m = 0; m < n_mode; m++) {
        element_freedoms(flex, element, m, u);
        for (int s = 0; s < FE_STRESSES; s++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += own[s * n + i] * u[i];
            }
            rows[s * n_mode + m] = sum;
        }
    }
    return true;
}

bool bi_flex_site(const bi_flex *flex, int element, int k, bi_vec3 *site)
{
    const fe_kind *kind = stressed_kind(flex, element);
    if (!kind || !site || k < 0 || k >= kind->n_site) {
        return false;
    }
    *site = kind->site[k];
    return true;
}

bool bi_flex_nodal_rows(const bi_flex *flex, int node, double *rows)
{
    return flex && rows && node >= 0 && node < flex->mesh.n_node && flex_nodal_rows(flex, node, 1.0, rows);
}

// Top and bottom of the shells around a node are told apart by the normal of the first of them.
double flex_side_of(const bi_flex *flex, int element, double side, vec3 *normal)
{
    const fe_kind *kind = fe_kind_of(flex->mesh.element[element].kind);
    if (!kind->is_shell) {
        return 0.0;
    }
    fe_element e = element_of(flex, element);
    vec3 own = fe_shell_normal(&e);
    if (vec3_dot(*normal, *normal) == 0.0) {
        *normal = own;
    }
    return vec3_dot(own, *normal) < 0.0 ? -side : side;
}

bool flex_nodal_rows(const bi_flex *flex, int node, double side, double *rows)
{
    vec3 normal = { 0.0, 0.0, 0.0 };
    size_t n = (size_t)(FE_STRESSES * flex->modes.n_mode);
    double *part = malloc(n * sizeof *part), weight[BI_FE_MOST_NODES * FE_MOST_SITES];
    int count = 0;
    memset(rows, 0, n * sizeof *rows);
    for (int k = 0; part && k < flex->mesh.n_element; k++) {
        const fe_kind *kind = stressed_kind(flex, k);
        for (int i = 0; kind && kind->to_nodes && i < kind->n_node; i++) {
            if (flex->mesh.element[k].node[i] != node) {
                continue;
            }
            double z = flex_side_of(flex, k, side, &normal);
            kind->to_nodes(weight);
            for (int g = 0; g < kind->n_site; g++) {
                vec3 site = kind->site[g];
                site.z = kind->is_shell ? z : site.z;
                bi_flex_stress_rows(flex, k, site, part);
                for (size_t j = 0; j < n; j++) {
                    rows[j] += weight[i * kind->n_site + g] * part[j];
                }
            }
            count++;
        }
    }
    for (size_t j = 0; count > 1 && j < n; j++) {
        rows[j] /= count;
    }
    free(part);
    return count > 0;
}

void bi_flex_axes(const bi_flex *flex, int element, bi_vec3 axes[3])
{
    beam_axes a = { .x = { 1.0, 0.0, 0.0 }, .y = { 0.0, 1.0, 0.0 }, .z = { 0.0, 0.0, 1.0 } };
    bool is_there = flex && element >= 0 && element < flex->mesh.n_element;
    bi_fe_kind kind = is_there ? flex->mesh.element[element].kind : BI_FE_KIND_COUNT;
    if (!axes) {
        return;
    }
    if (bi_fe_is_beam(kind)) {
        fe_element e = element_of(flex, element);
        (void)beam_axes_of(&e, &a);
    }
    axes[0] = a.x, axes[1] = a.y, axes[2] = a.z;
}
