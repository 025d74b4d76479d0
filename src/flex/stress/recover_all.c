// SPDX-License-Identifier: MIT
// The stress of a whole body: beams at both ends, other elements at their nodes.
#include "flex/stress/recover.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Every beam at both ends: four rows each.
static bi_recovery *all_beams(const bi_flex *flex)
{
    int n_mode = flex->modes.n_mode, count = 0;
    for (int k = 0; k < flex->mesh.n_element; k++) {
        count += recovery_is_beam(flex, k);
    }
    bi_recovery *r = recovery_new(BI_FORM_SECTION, 2 * count, 4, n_mode);
    double *force = malloc((size_t)(FE_STRESSES * n_mode) * sizeof *force);
    for (int k = 0, point = 0; r && force && k < flex->mesh.n_element; k++) {
        const bi_fe_element *e = &flex->mesh.element[k];
        for (int end = 0; recovery_is_beam(flex, k) && end < 2; end++, point++) {
            bi_flex_stress_rows(flex, k, (vec3){ end ? 1.0 : -1.0, 0.0, 0.0 }, force);
            recovery_section(flex, k, force, recovery_rows(r, point));
            ((double *)(uintptr_t)r->label)[point] = recovery_label(e->number, k);
            ((bool *)(uintptr_t)r->is_round)[point] = flex->mesh.section[e->section].is_round;
            ((int32_t *)(uintptr_t)r->node)[point] = e->node[end];
        }
    }
    free(force);
    return r;
}

// Stresses of one element, carried from its sites to its nodes and added there.
static void spread_element(const bi_flex *flex, int k, double side, vec3 *normal, double *site_rows,
                           double *rows, int *count)
{
    const bi_fe_element *e = &flex->mesh.element[k];
    const fe_kind *kind = fe_kind_of(e->kind);
    size_t n = (size_t)(FE_STRESSES * flex->modes.n_mode);
    double weight[BI_FE_MOST_NODES * FE_MOST_SITES];
    if (!kind || !kind->stress || !kind->to_nodes) {
        return;
    }
    kind->to_nodes(weight);
    for (int g = 0; g < kind->n_site; g++) {
        // shells: both sides, because the next node may count them from another normal
        vec3 site = kind->site[g];
        double *other = site_rows + n;
        site.z = kind->is_shell ? 1.0 : site.z;
        bi_flex_stress_rows(flex, k, site, site_rows);
        if (kind->is_shell) {
            site.z = -1.0;
            bi_flex_stress_rows(flex, k, site, other);
        }
        for (int i = 0; i < kind->n_node; i++) {
            bool is_top = flex_side_of(flex, k, side, &normal[e->node[i]]) >= 0.0;
            double w = weight[i * kind->n_site + g], *to = rows + (size_t)e->node[i] * n;
            for (size_t j = 0; j < n; j++) {
                to[j] += w * (is_top ? site_rows : other)[j];
            }
        }
    }
    for (int i = 0; i < kind->n_node; i++) {
        count[e->node[i]]++;
    }
}

// Averages at all nodes, as bi_flex_nodal_rows gives them, element by element: once each. Rows of nodes without
// elements stay zero.
static void spread_side(const bi_flex *flex, double side, double *site_rows, vec3 *normal, double *rows,
                        int *count)
{
    int n_node = flex->mesh.n_node;
    size_t n = (size_t)(FE_STRESSES * flex->modes.n_mode);
    memset(count, 0, (size_t)n_node * sizeof *count);
    for (int k = 0; k < flex->mesh.n_element; k++) {
        spread_element(flex, k, side, normal, site_rows, rows, count);
    }
    for (int i = 0; i < n_node; i++) {
        for (size_t j = 0; count[i] > 1 && j < n; j++) {
            rows[(size_t)i * n + j] /= count[i];
        }
    }
}

static bool has_shells(const bi_flex *flex)
{
    bool has = false;
    for (int k = 0; k < flex->mesh.n_element; k++) {
        const fe_kind *kind = fe_kind_of(flex->mesh.element[k].kind);
        has = has || (kind && kind->is_shell);
    }
    return has;
}

// Each node once, nodes of shells with both sides.
static bi_recovery *all_nodes(const bi_flex *flex)
{
    int n_node = flex->mesh.n_node, kept = 0, n_side = has_shells(flex) ? 2 : 1;
    size_t n = (size_t)(FE_STRESSES * flex->modes.n_mode);
    bi_recovery *r = recovery_new(BI_FORM_MISES, n_side * n_node, FE_STRESSES, flex->modes.n_mode);
    double *site_rows = malloc(2 * n * sizeof *site_rows);
    int *count = calloc((size_t)n_node + 1, sizeof *count);
    vec3 *normal = calloc((size_t)n_node + 1, sizeof *normal);
    bool is_good = r && site_rows && count && normal;
    for (int side = 0; is_good && side < n_side; side++) {
        spread_side(flex, side ? -1.0 : 1.0, site_rows, normal, recovery_rows(r, side * n_node), count);
    }
    for (int i = 0; is_good && i < n_side * n_node; i++) {
        int node = i % n_node;
        bool is_kept = count[node] > 0;
        if (is_kept) {
            memmove(recovery_rows(r, kept), recovery_rows(r, i), n * sizeof(double));
            ((int32_t *)(uintptr_t)r->node)[kept] = node;
            ((double *)(uintptr_t)r->label)[kept++] = recovery_label(flex->mesh.node[node].number, node);
        }
    }
    if (is_good) {
        r->n_point = kept;
    } else {
        bi_recovery_destroy(r);
        r = NULL;
    }
    free(site_rows);
    free(count);
    free(normal);
    return r;
}

// ---- beams and others together ------------------------------------------------------------------------------------------

// Rows of `from` behind those that are there; places are named by their nodes, because elements and nodes are counted
// apart.
static void put_places(const bi_flex *flex, const bi_recovery *from, bi_recovery *to)
{
    size_t n = (size_t)(from->n_row * from->n_mode);
    for (int k = 0; k < from->n_point; k++, to->n_point++) {
        int node = from->node[k];
        memcpy(recovery_rows(to, to->n_point), recovery_rows(from, k), n * sizeof(double));
        ((int32_t *)(uintptr_t)to->node)[to->n_point] = node;
        ((bool *)(uintptr_t)to->is_round)[to->n_point] = from->is_round[k];
        ((double *)(uintptr_t)to->label)[to->n_point] = recovery_label(flex->mesh.node[node].number, node);
    }
}

static bi_recovery *join(const bi_flex *flex, bi_recovery *beams, bi_recovery *others)
{
    bi_recovery *r = beams && others ? recovery_new(BI_FORM_MIXED, beams->n_point + others->n_point,
                                                    FE_STRESSES, flex->modes.n_mode)
                                     : NULL;
    if (r) {
        r->n_section = beams->n_point;
        r->n_point = 0;
        put_places(flex, beams, r);
        put_places(flex, others, r);
    }
    bi_recovery_destroy(beams);
    bi_recovery_destroy(others);
    return r;
}

bi_recovery *recover_everywhere(const bi_flex *flex)
{
    bool has_beam = false, has_other = false;
    for (int k = 0; k < flex->mesh.n_element; k++) {
        const fe_kind *kind = fe_kind_of(flex->mesh.element[k].kind);
        has_beam = has_beam || recovery_is_beam(flex, k);
        has_other = has_other || (kind && kind->stress && kind->to_nodes);
    }
    bi_recovery *r = has_beam && has_other ? join(flex, all_beams(flex), all_nodes(flex))
                     : has_beam            ? all_beams(flex)
                                           : all_nodes(flex);
    if (r && has_other && !recovery_branch(flex, r)) {
        bi_recovery_destroy(r);
        r = NULL;
    }
    return r;
}
