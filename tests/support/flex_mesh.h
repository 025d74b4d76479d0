// SPDX-License-Identifier: MIT
// Meshes for tests of flexible bodies: bars of beams, rods of quadrilaterals.
#pragma once
#include <biela/flex.h>
#include <stdlib.h>

typedef struct {
    bi_flex_def def;
    bi_material material;
    bi_section section;
    int32_t frame[1];
    bi_flex_boundary boundary[2];
} flex_case;

// A bar along x of n equal beams; node 0 is the frame. Free with flex_case_free.
static inline void flex_bar(flex_case *c, bi_fe_kind kind, int n, double L, bool is_plane)
{
    bi_fe_mesh *m = &c->def.mesh;
    m->n_node = n + 1;
    m->n_element = n;
    m->n_section = m->n_material = 1;
    m->node = calloc((size_t)n + 1, sizeof *m->node);
    m->element = calloc((size_t)n, sizeof *m->element);
    m->section = &c->section;
    m->material = &c->material;
    m->is_plane = is_plane;
    for (int i = 0; i <= n; i++) {
        m->node[i].at.x = L * i / n;
    }
    for (int k = 0; k < n; k++) {
        m->element[k].kind = kind;
        m->element[k].node[0] = k;
        m->element[k].node[1] = k + 1;
    }
    c->def.name = "bar";
    c->def.n_frame = 1;
    c->def.frame = c->frame;
    c->def.boundary = c->boundary;
}

// The last node is a boundary point.
static inline void flex_hold_tip(flex_case *c)
{
    c->def.n_boundary = 1;
    c->boundary[0] = (bi_flex_boundary){ .node = c->def.mesh.n_node - 1, .is_point = true };
}

// A rod of nx by ny quadrilaterals whose end faces are rigid: they follow the nodes at their centres (ny even).
static inline void flex_rod(flex_case *c, bi_fe_kind kind, int nx, int ny, double L, double width)
{
    bi_fe_mesh *m = &c->def.mesh;
    int across = ny + 1;
    m->n_node = (nx + 1) * across;
    m->n_element = 0;
    m->n_section = m->n_material = 1;
    m->node = calloc((size_t)m->n_node, sizeof *m->node);
    m->element = calloc((size_t)(nx * ny + 2 * ny), sizeof *m->element);
    m->section = &c->section;
    m->material = &c->material;
    for (int i = 0; i <= nx; i++) {
        for (int j = 0; j <= ny; j++) {
            m->node[i * across + j].at = (bi_vec3){ L * i / nx, width * (2 * j - ny) / (2.0 * ny), 0.0 };
        }
    }
    for (int i = 0; i < nx; i++) {
        for (int j = 0; j < ny; j++) {
            bi_fe_element *e = &m->element[m->n_element++];
            e->kind = kind;
            e->node[0] = i * across + j;
            e->node[1] = e->node[0] + across;
            e->node[2] = e->node[1] + 1;
            e->node[3] = e->node[0] + 1;
        }
    }
    for (int end = 0; end < 2; end++) {
        for (int j = 0; j <= ny; j++) {
            if (2 * j != ny) {
                bi_fe_element *e = &m->element[m->n_element++];
                *e = (bi_fe_element){ .kind = BI_FE_LINK, .section = -1, .material = -1 };
                e->node[0] = end * nx * across + ny / 2;
                e->node[1] = end * nx * across + j;
            }
        }
    }
    c->def.name = "rod";
    c->frame[0] = ny / 2;
    c->def.n_frame = 1;
    c->def.frame = c->frame;
    c->def.n_boundary = 1;
    c->boundary[0] = (bi_flex_boundary){ .node = nx * across + ny / 2, .is_point = true };
    c->def.boundary = c->boundary;
}

static inline void flex_case_free(flex_case *c)
{
    free(c->def.mesh.node);
    free(c->def.mesh.element);
}
