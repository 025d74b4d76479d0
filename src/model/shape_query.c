// SPDX-License-Identifier: MIT
// Rays and distances among shapes.
#include "model/shape_query.h"
#include "math/rotation.h"
#include <math.h>

static geom_pose pose_of(const model_shape *s, const bi_pose *pose)
{
    const bi_pose *body = &pose[s->def.body.i - 1];
    geom_pose frame = { quat_to_mat3(body->rot), body->pos };
    return (geom_pose){ mat3_multiply(frame.rot, s->in_body.rot), geom_outside(&frame, s->in_body.pos) };
}

bool model_ray(const bi_model *m, const bi_pose *pose, bi_vec3 origin, bi_vec3 direction, double reach,
               bi_ray_hit *hit)
{
    double length = vec3_norm(direction);
    if (!vec3_is_finite(origin) || !isfinite(length) || !(length > 0.0) || !(reach >= 0.0)) {
        return false;
    }
    vec3 along = vec3_scale(1.0 / length, direction);
    for (int k = 0; k < m->n_shape; k++) {
        geom_pose at = pose_of(&m->shape[k], pose);
        geom_hit one = geom_shape_ray(&m->shape[k].form, &at, origin, along, reach);
        if (one.is_hit) {
            // of equal ones the first
            bool is_nearer = hit->shape.i == 0 || one.t < hit->distance;
            *hit = is_nearer
                       ? (bi_ray_hit){ { k + 1 }, one.t, vec3_add_scaled(origin, one.t, along), one.normal }
                       : *hit;
        }
    }
    return hit->shape.i > 0;
}

// A ball and anything else: the signed distance of its middle.
static geom_gap ball_gap(const model_shape *ball, const geom_pose *at, const model_shape *other,
                         const geom_pose *other_at)
{
    geom_near near = geom_shape_near(&other->form, other_at, at->pos);
    double radius = ball->form.radius;
    return (geom_gap){ near.distance - radius, vec3_add_scaled(at->pos, -radius, near.normal), near.point,
                       near.normal };
}

bool model_gap(const bi_model *m, const bi_pose *pose, bi_shape a, bi_shape b, bi_shape_gap *gap)
{
    if (a.i < 1 || b.i < 1 || a.i > m->n_shape || b.i > m->n_shape) {
        return false;
    }
    const model_shape *sa = &m->shape[a.i - 1], *sb = &m->shape[b.i - 1];
    geom_pose pa = pose_of(sa, pose), pb = pose_of(sb, pose);
    geom_gap found;
    if (sa->form.kind == GEOM_SPHERE) {
        found = ball_gap(sa, &pa, sb, &pb);
    } else if (sb->form.kind == GEOM_SPHERE) {
        geom_gap back = ball_gap(sb, &pb, sa, &pa);
        found = (geom_gap){ back.distance, back.on_b, back.on_a, vec3_neg(back.normal) };
    } else {
        found = geom_distance(&sa->form, &pa, &sb->form, &pb);
    }
    if (!isfinite(found.distance)) {
        return false;
    }
    *gap = (bi_shape_gap){ found.distance, found.on_a, found.on_b, found.normal };
    return true;
}
