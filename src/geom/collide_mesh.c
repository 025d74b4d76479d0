// SPDX-License-Identifier: MIT
// Mesh against mesh and against a plane: regions of the line in which they meet.
#include "base/check.h"
#include "geom/collide.h"

static geom_contact turn_outside(const geom_pose *pose, geom_contact c)
{
    c.point = geom_outside(pose, c.point);
    c.normal = mat3_apply(pose->rot, c.normal);
    // R S R^T
    const double *s = c.spread;
    mat3 S = { { { s[0], s[3], s[5] }, { s[3], s[1], s[4] }, { s[5], s[4], s[2] } } };
    S = mat3_multiply(mat3_multiply(pose->rot, S), mat3_transposed(pose->rot));
    const double turned[6] = { S.col[0].x, S.col[1].y, S.col[2].z, S.col[1].x, S.col[2].y, S.col[2].x };
    for (int k = 0; k < 6; k++) {
        c.spread[k] = turned[k];
    }
    return c;
}

// Is one surface inside the other without touching it?
static bool is_contained(const geom_meeting *meet)
{
    vec3 a = geom_outside(&meet->pose, meet->a->vertex[meet->a->triangle[0][0]]);
    if (!meet->b) {
        return a.z < 0.0;
    }
    vec3 b = geom_inside(&meet->pose, meet->b->vertex[meet->b->triangle[0][0]]);
    const geom_box *box_a = &meet->a->bounds, *box_b = &meet->b->bounds;
    bool may_a = a.x > box_b->low.x && a.y > box_b->low.y && a.z > box_b->low.z && a.x < box_b->high.x &&
                 a.y < box_b->high.y && a.z < box_b->high.z;
    bool may_b = b.x > box_a->low.x && b.y > box_a->low.y && b.z > box_a->low.z && b.x < box_a->high.x &&
                 b.y < box_a->high.y && b.z < box_a->high.z;
    return (may_a && meet->b->is_closed && geom_mesh_near(meet->b, a, INFINITY).distance < 0.0) ||
           (may_b && meet->a->is_closed && geom_mesh_near(meet->a, b, INFINITY).distance < 0.0);
}

void geom_mesh_any(geom_placed a, geom_placed b, geom_work *work, geom_contacts *out)
{
    const geom_mesh *mesh_b = b.shape->kind == GEOM_PLANE ? NULL : b.shape->mesh;
    geom_meeting meet = { a.shape->mesh, mesh_b, geom_relative(a.pose, b.pose) };
    // a work space that is too small, or missing, is told like a full list
    bool does_fit = work && meet.a->n_vertex <= work->n_vertex && meet.a->n_edge <= work->n_edge &&
                    (!mesh_b || (mesh_b->n_vertex <= work->n_vertex && mesh_b->n_edge <= work->n_edge));
    BI_ASSERT(does_fit);
    if (!does_fit) {
        out->is_full = true;
        return;
    }
    int first = out->count;
    int n_piece = geom_find_pieces(&meet, work, out);
    if (n_piece == 0) {
        out->is_contained = out->is_contained || is_contained(&meet);
        return;
    }
    geom_measure_regions(&meet, work, n_piece, out);
    for (int k = first; k < out->count; k++) {
        out->item[k] = turn_outside(b.pose, out->item[k]);
    }
}
