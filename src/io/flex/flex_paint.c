// SPDX-License-Identifier: MIT
#include "io/flex/flex_paint.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool paint_make(flex_paint *p)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(p->flex);
    size_t n_mode = (size_t)bi_flex_modes(p->flex)->n_mode, n_node = (size_t)mesh->n_node;
    bi_flex_probe everywhere = {
        .quantity = BI_PROBE_MISES, .is_everywhere = true, .element = -1, .next = -1
    };
    char why[200];
    p->mises = bi_flex_recover(p->flex, &everywhere, why, sizeof why);
    p->eta = calloc(n_mode + 1, sizeof *p->eta);
    p->at = calloc(n_node + 1, sizeof *p->at);
    p->stress = calloc(n_node + 1, sizeof *p->stress);
    p->forces = calloc((size_t)mesh->n_element * 6 * n_mode + 1, sizeof *p->forces);
    if (!p->mises || !p->eta || !p->at || !p->stress || !p->forces) {
        return false;
    }
    for (int k = 0; k < mesh->n_element; k++) {
        if (bi_fe_is_beam(mesh->element[k].kind)) {
            bi_flex_stress_rows(p->flex, k, (bi_vec3){ 0 }, p->forces + (size_t)k * 6 * n_mode);
        }
    }
    return true;
}

int flex_paint_all(const bi_model *model, flex_paint **out)
{
    int n_body = bi_model_body_count(model), count = 0;
    flex_paint *all = calloc((size_t)n_body + 1, sizeof *all);
    for (int b = 1; all && b <= n_body; b++) {
        const bi_flex *flex = bi_model_flex(model, (bi_body){ b });
        if (flex) {
            all[count] = (flex_paint){ .body = { b }, .flex = flex };
            all[count].name = bi_model_body_name(model, (bi_body){ b });
            if (!paint_make(&all[count++])) {
                flex_paint_free(all, count);
                return -1;
            }
        }
    }
    *out = all;
    return all ? count : -1;
}

void flex_paint_free(flex_paint *all, int count)
{
    for (int k = 0; all && k < count; k++) {
        bi_recovery_destroy(all[k].mises);
        free(all[k].forces);
        free(all[k].eta);
        free(all[k].at);
        free(all[k].stress);
    }
    free(all);
}

void flex_paint_nodes(flex_paint *p, bi_pose pose)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(p->flex);
    double value[6];
    bi_flex_deformed(p->flex, p->eta, pose, p->at);
    memset(p->stress, 0, (size_t)mesh->n_node * sizeof *p->stress);
    for (int k = 0; k < p->mises->n_point; k++) {
        int node = p->mises->node[k];
        bi_recovery_values(p->mises, k, p->eta, pose.rot, value);
        p->stress[node] = fmax(p->stress[node], value[0]);
    }
}

int flex_paint_sections(const flex_paint *p)
{
    const bi_recovery *r = p->mises;
    return r->form == BI_FORM_SECTION ? r->n_point : r->n_section;
}

void flex_paint_forces(const flex_paint *p, int element, double force[6])
{
    int n = bi_flex_modes(p->flex)->n_mode;
    const double *row = p->forces + (size_t)element * 6 * (size_t)n;
    for (int k = 0; k < 6; k++, row += n) {
        force[k] = 0.0;
        for (int m = 0; m < n; m++) {
            force[k] += row[m] * p->eta[m];
        }
    }
}
