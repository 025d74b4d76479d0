// SPDX-License-Identifier: MIT
// Questions to a convex hull.
#include "geom/convex/convex.h"
#include "geom/convex/hull.h"
#include <stdlib.h>

vec3 geom_hull_support(const geom_hull *h, vec3 d)
{
    int best = 0;
    double most = vec3_dot(d, h->vertex[0]);
    for (int k = 1; k < h->n_vertex; k++) {
        double here = vec3_dot(d, h->vertex[k]);
        if (here > most) {
            most = here;
            best = k;
        }
    }
    return h->vertex[best];
}

geom_near geom_hull_near(const geom_hull *h, vec3 p)
{
    int face = 0;
    double most = -INFINITY;
    for (int f = 0; f < h->n_face; f++) {
        double out = vec3_dot(h->normal[f], p) - h->offset[f];
        if (out > most) {
            most = out;
            face = f;
        }
    }
    geom_near inside = { most, vec3_add_scaled(p, -most, h->normal[face]), h->normal[face] };
    if (most <= 0.0) {
        return inside;
    }
    // outside the nearest place may be an edge or a corner
    const geom_shape point = { .kind = GEOM_SPHERE }, hull = { .kind = GEOM_HULL, .hull = h };
    geom_pose at = { mat3_identity(), p }, home = geom_pose_identity();
    geom_core a, b;
    geom_core_of(&point, &at, &a);
    geom_core_of(&hull, &home, &b);
    geom_way way = geom_core_way(&a, &b, h->normal[face]);
    return way.distance > 0.0 ? (geom_near){ way.distance, way.on_b, way.normal } : inside;
}

geom_hit geom_hull_ray(const geom_hull *h, vec3 o, vec3 d, double reach)
{
    double enter = -INFINITY, leave = INFINITY;
    int in = 0, out = 0;
    for (int f = 0; f < h->n_face; f++) {
        double speed = vec3_dot(h->normal[f], d), apart = vec3_dot(h->normal[f], o) - h->offset[f];
        if (speed == 0.0 && apart > 0.0) {
            return (geom_hit){ false, INFINITY, { 0.0, 0.0, 1.0 } };
        }
        double t = -apart / speed;
        if (speed < 0.0 && t > enter) {
            enter = t;
            in = f;
        } else if (speed > 0.0 && t < leave) {
            leave = t;
            out = f;
        }
    }
    bool is_from_inside = enter < 0.0;
    double t = is_from_inside ? leave : enter;
    if (!(enter <= leave && t >= 0.0 && t <= reach)) {
        return (geom_hit){ false, INFINITY, { 0.0, 0.0, 1.0 } };
    }
    return (geom_hit){ true, t, h->normal[is_from_inside ? out : in] };
}

bool geom_hull_triangles(const geom_hull *h, bi_mesh *out)
{
    int n_triangle = h->n_corner - 2 * h->n_face, n = 0;
    *out = (bi_mesh){ h->n_vertex, n_triangle, malloc((size_t)h->n_vertex * sizeof *out->vertex),
                      malloc((size_t)n_triangle * sizeof *out->triangle) };
    if (!out->vertex || !out->triangle) {
        bi_mesh_clear(out);
        return false;
    }
    for (int k = 0; k < h->n_vertex; k++) {
        out->vertex[k] = h->vertex[k];
    }
    for (int f = 0; f < h->n_face; f++) {
        for (int k = h->first[f] + 1; k + 1 < h->first[f + 1]; k++, n++) {
            out->triangle[n][0] = h->corner[h->first[f]];
            out->triangle[n][1] = h->corner[k];
            out->triangle[n][2] = h->corner[k + 1];
        }
    }
    return true;
}
