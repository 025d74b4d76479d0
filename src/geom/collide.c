// SPDX-License-Identifier: MIT
// Which routine for which pair.
#include "geom/collide.h"
#include "geom/broad.h"
#include "geom/convex/convex.h"
#include "geom/convex/decompose.h"
#include "geom/convex/faces.h"

typedef enum {
    BY_NOTHING,
    BY_SPHERE,
    BY_PLANE,
    BY_CAPSULE,
    BY_RING,
    BY_BOXES,
    BY_ELLIPSOID,
    BY_FACES,
    BY_FACES_ON_PLANE,
    BY_FACES_ON_FIELD,
    BY_MESHES
} way;

static bool is_convex_or_torus(geom_kind kind)
{
    return kind == GEOM_BOX || kind == GEOM_CAPSULE || kind == GEOM_CYLINDER || kind == GEOM_TORUS ||
           kind == GEOM_CONE || kind == GEOM_HULL || kind == GEOM_ELLIPSOID;
}

// Convex, with faces.
static bool has_faces(geom_kind kind)
{
    return kind == GEOM_BOX || kind == GEOM_CYLINDER || kind == GEOM_CONE || kind == GEOM_HULL;
}

// A torus that is a ring of balls, on what is convex.
static bool is_ring_on_convex(const geom_shape *a, const geom_shape *b)
{
    return a->kind == GEOM_TORUS && a->half_width == a->radius &&
           (has_faces(b->kind) || b->kind == GEOM_ELLIPSOID);
}

// The way for a against b in this order; BY_NOTHING: try the other order.
static way way_of(const geom_shape *a, const geom_shape *b)
{
    if (a->kind == GEOM_SPHERE) {
        return BY_SPHERE;
    }
    if (b->kind == GEOM_PLANE && is_convex_or_torus(a->kind)) {
        return a->kind == GEOM_CONE || a->kind == GEOM_HULL ? BY_FACES_ON_PLANE : BY_PLANE;
    }
    if (a->kind == GEOM_CAPSULE && is_convex_or_torus(b->kind)) {
        return BY_CAPSULE;
    }
    if (is_ring_on_convex(a, b)) {
        return BY_RING;
    }
    if (is_ring_on_convex(b, a)) {
        return BY_NOTHING;
    }
    if (a->kind == GEOM_BOX && b->kind == GEOM_BOX) {
        return BY_BOXES;
    }
    if (a->kind == GEOM_ELLIPSOID && (has_faces(b->kind) || b->kind == GEOM_ELLIPSOID)) {
        return BY_ELLIPSOID;
    }
    if (b->kind == GEOM_ELLIPSOID && has_faces(a->kind)) {
        return BY_NOTHING;
    }
    // in one order only, so that the answer does not depend on it
    if (has_faces(a->kind) && has_faces(b->kind)) {
        return a->kind <= b->kind ? BY_FACES : BY_NOTHING;
    }
    if (has_faces(a->kind) && b->kind == GEOM_FIELD) {
        return BY_FACES_ON_FIELD;
    }
    if (a->kind == GEOM_FIELD && has_faces(b->kind)) {
        return BY_NOTHING;
    }
    bool is_first = a->mesh && (b->kind == GEOM_PLANE || b->mesh);
    return is_first && b->kind != GEOM_SPHERE && b->kind != GEOM_CAPSULE ? BY_MESHES
           : is_first && b->kind == GEOM_CAPSULE && a->kind == GEOM_MESH ? BY_MESHES
                                                                         : BY_NOTHING;
}

static void collide_by(way how, geom_placed a, geom_placed b, geom_hint *hint, geom_work *work,
                       geom_contacts *out)
{
    switch (how) {
    case BY_SPHERE:
        if (b.shape->kind == GEOM_MESH) {
            geom_sphere_mesh(a, b, out);
        } else if (b.shape->kind == GEOM_FIELD) {
            geom_sphere_field(a, b, out);
        } else {
            geom_sphere_any(a, b, out);
        }
        break;
    case BY_PLANE: geom_any_plane(a, b, out); break;
    case BY_CAPSULE: geom_capsule_any(a, b, out); break;
    case BY_RING: geom_ring_convex(a, b, out); break;
    case BY_BOXES: geom_box_box(a, b, hint, out); break;
    case BY_ELLIPSOID: geom_ellipsoid_convex(a, b, hint, out); break;
    case BY_FACES: geom_convex_convex(a, b, hint, out); break;
    case BY_FACES_ON_PLANE: geom_convex_plane(a, b, out); break;
    case BY_FACES_ON_FIELD:
        if (!geom_convex_field(a, b, out)) {
            collide_by(a.shape->mesh && b.shape->mesh && work ? BY_MESHES : BY_NOTHING, a, b, hint, work,
                       out);
        }
        break;
    case BY_MESHES: geom_mesh_any(a, b, work, out); break;
    case BY_NOTHING: out->is_unsupported = true; break;
    }
}

// The normal the other way round: A and B have changed places.
static void turn_over(geom_contact *c)
{
    double below = c->below;
    c->normal = vec3_neg(c->normal);
    c->below = c->above;
    c->above = below;
}

// ---- meshes in convex parts ------------------------------------------------------------------------------------

// Balls keep the mesh itself, which is exact; tori and meshes without parts need it.
static bool meets_parts(const geom_shape *s)
{
    return s->parts || s->kind == GEOM_PLANE || s->kind == GEOM_FIELD || s->kind == GEOM_CAPSULE ||
           s->kind == GEOM_ELLIPSOID || has_faces(s->kind);
}

// Every part of A that may reach B, in their order.
static void collide_parts(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                          const geom_pose *pose_b, geom_contacts *out)
{
    geom_pose relative = geom_relative(pose_b, pose_a);
    geom_box box = geom_shape_bounds(b, &relative);
    for (int k = 0; k < a->parts->n; k++) {
        geom_shape part = { .kind = GEOM_HULL, .hull = a->parts->hull[k] };
        if (broad_overlap(&part.hull->bounds, &box)) {
            geom_collide(&part, pose_a, b, pose_b, NULL, out);
        }
    }
}

static bool is_by_parts(const geom_shape *a, const geom_shape *b)
{
    return (a->parts && meets_parts(b)) || (b->parts && meets_parts(a));
}

bool geom_meets_by_meshes(const geom_shape *a, const geom_shape *b)
{
    if (a->kind == GEOM_SPHERE || b->kind == GEOM_SPHERE || is_by_parts(a, b) || is_ring_on_convex(a, b) ||
        is_ring_on_convex(b, a)) {
        return false;
    }
    bool is_rough =
             a->kind == GEOM_MESH || b->kind == GEOM_MESH || a->kind == GEOM_FIELD || b->kind == GEOM_FIELD,
         is_torus = a->kind == GEOM_TORUS || b->kind == GEOM_TORUS,
         is_round = a->kind == GEOM_CAPSULE || b->kind == GEOM_CAPSULE || a->kind == GEOM_PLANE ||
                    b->kind == GEOM_PLANE;
    return is_rough || (is_torus && !is_round);
}

static void collide_by_parts(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                             const geom_pose *pose_b, geom_contacts *out)
{
    if (a->parts) {
        collide_parts(a, pose_a, b, pose_b, out);
        return;
    }
    int first = out->count;
    collide_parts(b, pose_b, a, pose_a, out);
    for (int k = first; k < out->count; k++) {
        turn_over(&out->item[k]);
    }
}

// ---- all of it -------------------------------------------------------------------------------------------------

void geom_collide_again(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b,
                        const geom_pose *pose_b, geom_hint *hint, geom_work *work, geom_contacts *out)
{
    if (is_by_parts(a, b)) {
        collide_by_parts(a, pose_a, b, pose_b, out);
        return;
    }
    geom_placed pa = { a, pose_a }, pb = { b, pose_b };
    way how = way_of(a, b);
    if (how != BY_NOTHING) {
        collide_by(how, pa, pb, hint, work, out);
        return;
    }
    // the axis of the hint belongs to the first shape
    vec3 *axis = &hint->axis;
    int first = out->count;
    *axis = vec3_neg(mat3_apply_transposed(pose_b->rot, mat3_apply(pose_a->rot, *axis)));
    collide_by(way_of(b, a), pb, pa, hint, work, out);
    *axis = vec3_neg(mat3_apply_transposed(pose_a->rot, mat3_apply(pose_b->rot, *axis)));
    for (int k = first; k < out->count; k++) {
        turn_over(&out->item[k]);
    }
}

void geom_collide(const geom_shape *a, const geom_pose *pose_a, const geom_shape *b, const geom_pose *pose_b,
                  geom_work *work, geom_contacts *out)
{
    geom_hint none = { { 0.0, 0.0, 0.0 } };
    geom_collide_again(a, pose_a, b, pose_b, &none, work, out);
}

// ---- room ------------------------------------------------------------------------------------------------------

// What the shapes of a list may need, each for itself.
typedef struct {
    size_t seen, cells;
    bool has_others; // than boxes: with faces, or ellipsoids
} need;

static void add_need(const geom_shape *s, need *of)
{
    size_t seen = geom_seen_size(s);
    of->seen = seen > of->seen ? seen : of->seen;
    of->has_others |= s->kind != GEOM_BOX && (seen > 0 || s->kind == GEOM_ELLIPSOID);
}

static void add_cells(const geom_shape *s, const geom_field *f, need *of)
{
    size_t cells = geom_seen_size(s) > 0 ? geom_cells_size(s, f) : 0;
    of->cells = cells > of->cells ? cells : of->cells;
}

static size_t room_of(const need *n)
{
    // of two shapes, or of one on a field from above and along the normal of a region
    size_t seen = 2 * n->seen + n->cells, spread = geom_spread_size();
    size_t parting = n->has_others ? geom_parting_size() : 0;
    size_t most = seen > parting ? seen : parting;
    return most > spread ? most : spread;
}

size_t geom_room(const geom_shape *a, const geom_shape *b)
{
    return geom_room_among((const geom_shape *[]){ a, b }, 2);
}

size_t geom_room_among(const geom_shape *const *shape, int count)
{
    need all = { 0 };
    for (int k = 0; k < count; k++) {
        add_need(shape[k], &all);
        for (int i = 0; i < count && shape[k]->kind == GEOM_FIELD; i++) {
            add_cells(shape[i], shape[k]->field, &all);
        }
    }
    return room_of(&all);
}
