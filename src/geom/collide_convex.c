// SPDX-License-Identifier: MIT
// Two convex shapes with faces: the way that parts them is the normal, the faces seen along it make the patch.
#include "geom/collide.h"
#include "geom/convex/convex.h"
#include "geom/convex/faces.h"

static void add_region(const geom_seen *low, const geom_seen *high, const geom_view *view,
                       const geom_contact *otherwise, geom_contacts *out)
{
    geom_overlap sum = { .has_origin = false };
    for (int i = 0; i < low->n_face; i++) {
        for (int j = 0; j < high->n_face; j++) {
            geom_overlap_add(&low->face[i], &high->face[j], &sum);
        }
    }
    geom_contact c = geom_overlap_contact(&sum, view, out->n_region);
    out->is_full = out->is_full || low->is_full || high->is_full;
    geom_add(out, c.depth > 0.0 ? c : *otherwise);
    out->n_region++;
}

void geom_convex_convex(geom_placed a, geom_placed b, geom_hint *hint, geom_contacts *out)
{
    geom_core ca, cb;
    if (geom_are_apart(a.shape, a.pose, b.shape, b.pose, hint) || !geom_core_of(a.shape, a.pose, &ca) ||
        !geom_core_of(b.shape, b.pose, &cb)) {
        return;
    }
    vec3 guess = vec3_sub(a.pose->pos, b.pose->pos);
    geom_way way = geom_core_way(&ca, &cb, guess);
    if (way.distance > 0.0) {
        hint->axis = mat3_apply_transposed(a.pose->rot, vec3_neg(way.normal));
        return;
    }
    hint->axis = (vec3){ 0.0, 0.0, 0.0 };
    geom_parting part = geom_core_parting(&ca, &cb, guess, out->room);
    if (!(part.depth > 0.0)) {
        return;
    }
    geom_view view = { .normal = part.normal, .origin = geom_core_support(&ca, vec3_neg(part.normal)) };
    geom_across(view.normal, &view.x, &view.y);
    vec3 top = vec3_sub(geom_core_support(&cb, view.normal), view.origin);
    double depth = vec3_dot(view.normal, top);
    geom_seen low = geom_seen_take(a.shape, out->room), high = geom_seen_take(b.shape, out->room);
    geom_see(a.shape, a.pose, &view, GEOM_LOWER, depth, depth, &low);
    geom_see(b.shape, b.pose, &view, GEOM_UPPER, 0.0, depth, &high);
    // so shallow that roundings leave no patch
    vec3 middle = vec3_scale(0.5, vec3_add(part.on_a, part.on_b));
    geom_contact point = geom_contact_make(middle, view.normal, part.depth, 0.0, out->n_region);
    point.mean = 0.5 * part.depth;
    add_region(&low, &high, &view, &point, out);
    spare_give(out->room, low.face);
}

void geom_convex_plane(geom_placed a, geom_placed b, geom_contacts *out)
{
    geom_core core;
    if (!geom_core_of(a.shape, a.pose, &core)) {
        return;
    }
    geom_view view = { .normal = b.pose->rot.col[2] };
    view.origin = geom_core_support(&core, vec3_neg(view.normal));
    geom_across(view.normal, &view.x, &view.y);
    double depth = vec3_dot(view.normal, vec3_sub(b.pose->pos, view.origin));
    if (!(depth > 0.0)) {
        return;
    }
    geom_spot under[4];
    geom_shadow ground;
    geom_seen low = geom_seen_take(a.shape, out->room),
              high = { .n_face = 1, .face = &ground, .spot = under };
    geom_see(a.shape, a.pose, &view, GEOM_LOWER, depth, depth, &low);
    // a square under all of the shape
    double far = 2.0 * geom_core_reach(&core, view.origin);
    static const double around[4][2] = { { -1.0, -1.0 }, { 1.0, -1.0 }, { 1.0, 1.0 }, { -1.0, 1.0 } };
    for (int k = 0; k < 4; k++) {
        high.spot[k] = (geom_spot){ far * around[k][0], far * around[k][1] };
    }
    high.face[0] = (geom_shadow){ 4, high.spot, depth, 0.0, 0.0, 1.0, { -far, -far }, { far, far } };
    vec3 middle = vec3_add_scaled(view.origin, 0.5 * depth, view.normal);
    geom_contact point = geom_contact_make(middle, view.normal, depth, 0.0, out->n_region);
    point.mean = 0.5 * depth;
    add_region(&low, &high, &view, &point, out);
    spare_give(out->room, low.face);
}
