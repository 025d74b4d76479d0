// SPDX-License-Identifier: MIT
#include "laws/tyre/road.h"
#include "laws/tyre/footprint.h"

// ---- compile -------------------------------------------------------------------------------------------------------

static void compile_shapes(plan *p, int element, const bi_shapes *list, road *out)
{
    road_shape *shape = plan_keep(p, (size_t)(list->count + 1) * sizeof *shape);
    if (!shape) {
        return;
    }
    for (int k = 0; k < list->count; k++) {
        const model_shape *s = &p->model->shape[list->item[k].i - 1];
        if (s->def.body.i > 1) {
            plan_complain(p, element, "road", "%s moves with a body: a road is a shape of the ground",
                          s->def.name);
        }
        shape[k] = (road_shape){ s->form, s->in_body };
    }
    out->shape = shape;
    out->n_shape = list->count;
    if (list->count == 1 && shape[0].form.road) {
        out->smooth = (smooth_ground){ .road = shape[0].form.road, .pose = shape[0].pose };
    }
    if (list->count == 1 && shape[0].form.kind == GEOM_FIELD &&
        shape[0].form.field->smoothness == GEOM_BICUBIC) {
        out->smooth = (smooth_ground){ .field = shape[0].form.field, .pose = shape[0].pose };
    }
}

// A height without x and y in it is a plane.
static void compile_surface(plan *p, int element, const bi_wheel *def, road *out)
{
    surface height = surface_compile(p, element, def->surface);
    if (expr_is_constant(height.code)) {
        out->point.z = expr_value(height.code, NULL);
    } else {
        out->smooth = (smooth_ground){ .height = height };
    }
    if (def->road.count > 0 || vec3_norm(def->plane) > 0.0 || vec3_norm(def->normal) > 0.0) {
        plan_complain(p, element, "surface", "cannot be given beside '%s'; leave one of them out",
                      def->road.count > 0           ? "road"
                      : vec3_norm(def->plane) > 0.0 ? "plane"
                                                    : "normal");
    }
}

road road_compile(plan *p, int element, const bi_wheel *def)
{
    road out = { .patched = slippery_plan(p, element),
                 .point = def->plane,
                 .normal = vec3_norm(def->normal) > 0.0 ? vec3_normalized(def->normal) : (vec3){ 0, 0, 1 } };
    if (def->road.count > 0) {
        compile_shapes(p, element, &def->road, &out);
        if (vec3_norm(def->plane) > 0.0) {
            plan_complain(p, element, "plane", "cannot be given beside a road; leave it out");
        }
    }
    if (def->surface.i > 0) {
        compile_surface(p, element, def, &out);
    }
    out.envelops = def->envelops && smooth_is_there(&out.smooth);
    if (def->envelops && out.n_shape > 0 && !out.envelops) {
        plan_complain(
            p, element, "enveloping",
            "needs a road, a smooth field or a surface: other shapes have no height over the plane");
    }
    return out;
}

// ---- where the ground is -------------------------------------------------------------------------------------------

// The first surface met from `from` downwards along -n.
static bool look_down(const road *r, vec3 from, vec3 n, double reach, vec3 *point, vec3 *normal)
{
    double nearest = INFINITY;
    vec3 down = vec3_neg(n);
    for (int k = 0; k < r->n_shape; k++) {
        geom_hit hit = geom_shape_ray(&r->shape[k].form, &r->shape[k].pose, from, down, reach);
        if (hit.is_hit && hit.t < nearest) {
            nearest = hit.t;
            *point = vec3_add_scaled(from, hit.t, down);
            // the side that is looked at
            *normal = vec3_dot(hit.normal, n) < 0.0 ? vec3_neg(hit.normal) : hit.normal;
        }
    }
    return nearest < INFINITY;
}

bool road_under(const road *r, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out)
{
    out->point = r->point;
    out->normal = r->normal;
    out->friction = 1.0;
    out->gain = 1.0;
    if (r->envelops) {
        return envelope_under(&r->smooth, shape, at, out);
    }
    if (smooth_is_there(&r->smooth)) {
        return smooth_under(&r->smooth, shape, at, out);
    }
    if (r->n_shape == 0) {
        return true;
    }
    // the deepest point for a normal, the ground below it, its normal, and again: each pass gains a factor of wheel
    // radius over radius of curvature of the ground
    enum { PASSES = 40 };
    double size = tyre_radius(shape);
    vec3 normal = r->normal, point = r->point;
    for (int k = 0; k < PASSES; k++) {
        tyre_ground guess = { .point = at->centre, .normal = normal };
        tyre_patch p = patch_find(shape, &guess, at);
        vec3 from = vec3_add_scaled(vec3_add(at->centre, p.rim), size, normal), found = normal;
        if (!look_down(r, from, normal, 3.0 * size, &point, &found)) {
            return false;
        }
        double change = vec3_norm(vec3_sub(found, normal));
        // on a mesh the last facet counts if two of them take turns
        normal = found;
        if (change < 1e-14) {
            break;
        }
    }
    out->point = point;
    out->normal = normal;
    return true;
}

void road_tilt(const road *r, const tyre_shape *shape, const tyre_pose *at, tyre_ground *out)
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    static const double step = 1e-5; // m, rad
    static const mat3 none = { { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } };
    out->d_normal = out->d_normal_by_turn = none;
    out->d_gain = out->d_gain_by_turn = (vec3){ 0.0, 0.0, 0.0 };
    if (smooth_is_there(&r->smooth) && !r->envelops) {
        smooth_tilt(&r->smooth, shape, at, out);
        return;
    }
    for (int j = 0; j < 6 && (r->n_shape > 0 || r->envelops); j++) {
        tyre_ground side[2];
        bool is_there = true;
        for (int s = 0; s < 2; s++) {
            double by = s == 0 ? step : -step;
            tyre_pose moved = *at;
            if (j < 3) {
                moved.centre = vec3_add_scaled(at->centre, by, unit[j]);
            } else {
                moved.axis =
                    vec3_normalized(vec3_add_scaled(at->axis, by, vec3_cross(unit[j - 3], at->axis)));
            }
            is_there = road_under(r, shape, &moved, &side[s]) && is_there;
        }
        vec3 d = vec3_scale(0.5 / step, vec3_sub(side[0].normal, side[1].normal));
        // an edge of a mesh between the two is no curvature
        bool is_smooth = is_there && (r->envelops || vec3_norm(d) * tyre_radius(shape) < 2.0);
        double *gain = &(j < 3 ? &out->d_gain : &out->d_gain_by_turn)->x + j % 3;
        *gain = r->envelops && is_smooth ? 0.5 / step * (side[0].gain - side[1].gain) : 0.0;
        (j < 3 ? &out->d_normal : &out->d_normal_by_turn)->col[j % 3] = is_smooth ? d : (vec3){ 0, 0, 0 };
    }
}

double road_friction(const road *r, const signals *u, vec3 at)
{
    return r->patched ? slippery_at(r->patched, u, at) : 1.0;
}
