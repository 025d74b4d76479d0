// SPDX-License-Identifier: MIT
// Shapes on bodies: kept as given, and made ready for queries once.
#include "base/hash.h"
#include "base/list.h"
#include "base/text.h"
#include "geom/convex/hull.h"
#include "geom/field.h"
#include "math/rotation.h"
#include "model/model.h"
#include "model/shared_road.h"
#include "model/shared_surface.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACETS = 48, MOST_FACETS = 4096 };

static const char *const type_names[] = { NULL,    "box",       "sphere", "cylinder", "capsule",
                                          "torus", "plane",     "mesh",   "field",    "cone",
                                          "hull",  "ellipsoid", "road" };

const char *bi_shape_type_name(bi_shape_type type)
{
    return (int)type >= BI_SHAPE_BOX && (int)type <= BI_SHAPE_ROAD ? type_names[type] : NULL;
}

const char *bi_finish_name(bi_finish finish)
{
    static const char *const names[] = {
        [BI_FINISH_PLAIN] = "plain",   [BI_FINISH_CONCRETE] = "concrete", [BI_FINISH_ASPHALT] = "asphalt",
        [BI_FINISH_GRAVEL] = "gravel", [BI_FINISH_GRASS] = "grass",       [BI_FINISH_GRID] = "grid",
        [BI_FINISH_SHEET] = "sheet",   [BI_FINISH_METAL] = "metal",       [BI_FINISH_GLASS] = "glass",
        [BI_FINISH_WIRE] = "wire",     [BI_FINISH_PAINT] = "paint"
    };
    return (int)finish > 0 && (size_t)finish < sizeof names / sizeof *names ? names[finish] : NULL;
}

static void *copy_array(const void *from, size_t size)
{
    void *to = from && size > 0 ? malloc(size) : NULL;
    return to ? memcpy(to, from, size) : NULL;
}

static size_t count_of(int n) { return n > 0 ? (size_t)n : 0; }

// Its triangles lie in its surface.
static bool has_surface(const bi_shape_def *d)
{
    return d->type == BI_SHAPE_MESH || d->type == BI_SHAPE_ROAD;
}

// The definition with its own copies. False: no memory.
static bool copy_def(const bi_shape_def *from, bi_shape_def *to)
{
    bool is_mesh = has_surface(from); // its surface has the copies
    size_t vertices = count_of(from->n_vertex) * sizeof *to->vertex,
           triangles = count_of(from->n_triangle) * sizeof *to->triangle,
           heights = count_of(from->n_x) * count_of(from->n_y) * sizeof *to->height;
    *to = *from;
    to->name = text_copy(from->name ? from->name : "");
    to->title = from->title ? text_copy(from->title) : NULL;
    to->body = from->body.i == 0 ? BI_GROUND : from->body;
    to->road = from->type == BI_SHAPE_ROAD ? bi_road_keep(from->road) : NULL;
    to->surface = from->type == BI_SHAPE_MESH ? bi_surface_keep(from->surface) : NULL;
    to->height = copy_array(from->height, heights);
    if (is_mesh) {
        return to->name != NULL;
    }
    to->vertex = copy_array(from->vertex, vertices);
    to->triangle = copy_array(from->triangle, triangles);
    return to->name && (!from->vertex || !vertices || to->vertex) &&
           (!from->triangle || !triangles || to->triangle) && (!from->height || !heights || to->height);
}

static void free_shape(model_shape *s)
{
    if (has_surface(&s->def)) {
        bi_surface_release(s->def.surface);
        bi_road_release(s->def.road);
    } else {
        geom_mesh_destroy(s->mesh);
        free((void *)s->def.vertex);
        free((void *)s->def.triangle);
    }
    geom_hull_destroy(s->hull);
    free(s->field);
    free((void *)s->def.name);
    free((void *)s->def.title);
    free((void *)s->def.height);
}

static void fault(model_shape *s, const char *key, const char *what)
{
    if (!s->mistake) {
        s->key = key;
        s->mistake = what;
    }
}

static void need_positive(model_shape *s, const char *key, double x)
{
    if (!(x > 0.0) || !isfinite(x)) {
        fault(s, key, x == 0.0 ? "is zero: give a length above zero, in m" : "must be positive and finite");
    } else if (x < 1e-30 || x > 1e30) {
        // cubes of lengths must stay numbers
        fault(s, key, "must be from 1e-30 to 1e30 m");
    }
}

// What is wrong with the sizes, by the names of the definition.
static void check_sizes(model_shape *s)
{
    const bi_shape_def *d = &s->def;
    switch (d->type) {
    case BI_SHAPE_BOX:
        need_positive(s, "size", d->size.x);
        need_positive(s, "size", d->size.y);
        need_positive(s, "size", d->size.z);
        break;
    case BI_SHAPE_SPHERE: need_positive(s, "radius", d->radius); break;
    case BI_SHAPE_ELLIPSOID:
        need_positive(s, "half_axes", d->half_axes.x);
        need_positive(s, "half_axes", d->half_axes.y);
        need_positive(s, "half_axes", d->half_axes.z);
        break;
    case BI_SHAPE_CYLINDER:
    case BI_SHAPE_CAPSULE:
    case BI_SHAPE_CONE:
        need_positive(s, "radius", d->radius);
        need_positive(s, "length", d->length);
        break;
    case BI_SHAPE_TORUS:
        need_positive(s, "radius", d->radius);
        need_positive(s, "ring", d->ring);
        if (d->width != 0.0) {
            need_positive(s, "width", d->width);
        }
        if (d->ring < d->radius) {
            fault(s, "ring", "must not be smaller than 'radius': the section would cross the axis");
        }
        break;
    case BI_SHAPE_MESH:
        if (!d->surface && (d->n_triangle < 1 || !d->triangle || !d->vertex)) {
            fault(s, "file", "has no triangles");
        }
        break;
    case BI_SHAPE_FIELD:
        need_positive(s, "spacing", d->step_x);
        need_positive(s, "spacing", d->step_y);
        if (d->n_x < 2 || d->n_y < 2 || !d->height) {
            fault(s, "heights", "needs two rows and two columns at least");
        }
        break;
    case BI_SHAPE_HULL:
        if (d->n_vertex < 4 || !d->vertex) {
            fault(s, "points", "needs four points at least");
        }
        break;
    case BI_SHAPE_ROAD:
        if (!d->road) {
            fault(s, "file", "needs a road");
        }
        break;
    case BI_SHAPE_PLANE: break;
    default:
        fault(
            s, "type",
            "is not one of box, sphere, cylinder, capsule, torus, plane, mesh, field, cone, hull, ellipsoid, "
            "road");
    }
    if (d->pieces != 0 && d->type != BI_SHAPE_MESH) {
        fault(s, "pieces", "is for meshes only");
    }
    if (d->facets != 0 && (d->facets < 8 || d->facets > MOST_FACETS)) {
        fault(s, "facets", "must be from 8 to 4096");
    }
}

// Triangles in place of the shape where a pair of shapes has no other routine.
static void make_mesh(model_shape *s)
{
    const bi_shape_def *d = &s->def;
    bi_mesh made = { 0 };
    const char *why = NULL;
    if (geom_mesh_of_shape(&s->form, d->facets ? d->facets : FACETS, &made)) {
        s->mesh = geom_mesh_create(&made, &why);
        bi_mesh_clear(&made);
    }
    if (!s->mesh) {
        fault(s, "type", why ? why : "no memory for its triangles");
    }
    s->form.mesh = s->mesh;
}

// The surface of a mesh, its own or one that is shared; the arrays of the definition are those of it from now on.
static void make_surface(model_shape *s)
{
    bi_shape_def *d = &s->def;
    const char *key = "file", *why = "no memory for its triangles";
    if (d->road) {
        d->surface = road_surface(d->road);
        s->form.road = road_form(d->road);
    } else if (!d->surface) {
        // only read: surfaces copy
        bi_mesh given = { d->n_vertex, d->n_triangle, (bi_vec3 *)d->vertex, (int32_t(*)[3])d->triangle };
        d->surface = surface_make(&given, d->pieces, &key, &why);
    }
    if (!d->surface) {
        fault(s, key, why);
        return;
    }
    s->mesh = surface_mesh(d->surface);
    s->parts = surface_parts(d->surface);
    d->pieces = surface_pieces(d->surface);
    d->n_vertex = s->mesh->n_vertex;
    d->n_triangle = s->mesh->n_triangle;
    d->vertex = s->mesh->vertex;
    d->triangle = (const int32_t(*)[3])s->mesh->triangle;
    s->form.mesh = s->mesh;
    s->form.parts = s->parts;
}

static void make_field(model_shape *s)
{
    const bi_shape_def *d = &s->def;
    s->field = calloc(1, sizeof *s->field);
    if (!s->field) {
        fault(s, "heights", "no memory for the field");
        return;
    }
    *s->field = (geom_field){ .n_x = d->n_x,
                              .n_y = d->n_y,
                              .d_x = d->step_x,
                              .d_y = d->step_y,
                              .x_0 = d->first_x,
                              .y_0 = d->first_y,
                              .height = d->height,
                              .smoothness = d->is_smooth ? GEOM_BICUBIC : GEOM_BILINEAR };
    s->form.field = s->field;
    const char *why = geom_field_measure(s->field);
    if (why) {
        fault(s, "heights", why);
    }
}

// The hull of the points; its corners and triangles take their place.
static void make_hull(model_shape *s)
{
    bi_mesh made = { 0 };
    const char *why = NULL;
    s->hull = geom_hull_create(s->def.vertex, s->def.n_vertex, &why);
    if (!s->hull || !geom_hull_triangles(s->hull, &made)) {
        fault(s, "points", why ? why : "no memory for the hull");
        return;
    }
    free((void *)s->def.vertex);
    free((void *)s->def.triangle);
    s->def.n_vertex = made.n_vertex;
    s->def.n_triangle = made.n_triangle;
    s->def.vertex = made.vertex;
    s->def.triangle = (const int32_t(*)[3])made.triangle;
    s->form.hull = s->hull;
}

// From the sizes of the definition to the form of the queries.
static void make_form(model_shape *s)
{
    static const geom_kind kinds[] = { GEOM_BOX,   GEOM_BOX,       GEOM_SPHERE, GEOM_CYLINDER, GEOM_CAPSULE,
                                       GEOM_TORUS, GEOM_PLANE,     GEOM_MESH,   GEOM_FIELD,    GEOM_CONE,
                                       GEOM_HULL,  GEOM_ELLIPSOID, GEOM_MESH };
    const bi_shape_def *d = &s->def;
    s->form = (geom_shape){ .kind = kinds[d->type],
                            .radius = d->radius,
                            .half_length = 0.5 * d->length,
                            .ring = d->ring,
                            .half_width = d->width > 0.0 ? 0.5 * d->width : d->radius,
                            .half = d->type == BI_SHAPE_ELLIPSOID ? d->half_axes : vec3_scale(0.5, d->size) };
    if (d->type == BI_SHAPE_FIELD) {
        make_field(s);
    }
    if (d->type == BI_SHAPE_HULL) {
        make_hull(s);
    }
    const char *why = s->mistake || has_surface(d) ? NULL : geom_shape_fault(&s->form);
    if (why) {
        fault(s, "type", why);
    }
    if (!s->mistake && has_surface(d)) {
        make_surface(s);
    }
}

// Shapes that an element names, one of each kind; meshes in convex pieces are a kind of their own.
enum { IN_PIECES = GEOM_ELLIPSOID + 1, KINDS };
typedef struct {
    const geom_shape *of[KINDS];
} kinds_named;

typedef enum { NOTE_KINDS, MAKE_MESHES } touch_step;

static model_shape *sound_shape(bi_model *m, bi_shape id)
{
    model_shape *s = id.i >= 1 && id.i <= m->n_shape ? &m->shape[id.i - 1] : NULL;
    return s && !s->mistake ? s : NULL;
}

static bool meets_meshes(const geom_shape *s, const kinds_named *named)
{
    for (int k = 0; k < KINDS; k++) {
        if (named->of[k] && geom_meets_by_meshes(s, named->of[k])) {
            return true;
        }
    }
    return false;
}

// What a surface that touches others lacks of a solid; sheets are told by whoever reads their file.
static void look_at_mesh(model_shape *s)
{
    const geom_mesh *mesh = s->mesh;
    if (s->is_looked_at || s->def.type != BI_SHAPE_MESH || !mesh) {
        return;
    }
    s->is_looked_at = true;
    double size = vec3_norm(vec3_sub(mesh->bounds.high, mesh->bounds.low));
    if (mesh->is_closed && !(fabs(mesh->volume) > 1e-12 * size * size * size)) {
        s->doubt =
            "the mesh is closed and has no volume: what touches it is pushed to either side; give it a "
            "thickness, or use a sheet";
    } else if (surface_crosses_itself(s->def.surface)) {
        s->doubt =
            "the mesh crosses itself: where it does, inside and outside are not clear, and contacts may "
            "push the wrong way; unite its solids";
    }
}

static void touch_list(bi_model *m, const bi_shapes *list, touch_step step, kinds_named *named)
{
    for (int i = 0; i < list->count; i++) {
        model_shape *s = sound_shape(m, list->item[i]);
        if (!s) {
            continue;
        }
        if (step == NOTE_KINDS) {
            named->of[s->form.parts ? IN_PIECES : s->form.kind] = &s->form;
        } else if (!s->mesh && s->def.type != BI_SHAPE_PLANE && meets_meshes(&s->form, named)) {
            make_mesh(s);
        }
        look_at_mesh(s);
    }
}

void model_shapes_touch(bi_model *m, const bi_kind *kind, const void *def)
{
    kinds_named named = { { NULL } };
    for (touch_step step = NOTE_KINDS; step <= MAKE_MESHES; step++) {
        for (int k = 0; k < kind->n_field; k++) {
            bi_shapes list;
            if (kind->field[k].type == BI_FIELD_SHAPES) {
                memcpy(&list, (const char *)def + kind->field[k].offset, sizeof list);
                touch_list(m, &list, step, &named);
            }
        }
    }
}

// What people call by one name: shapes of a body with one title. Untitled ones of the ground are things of their own.
static int find_thing(const bi_model *m, const bi_shape_def *d)
{
    bool is_own = !d->title && d->body.i <= BI_GROUND.i;
    for (int k = 0; k < m->n_shape && !is_own; k++) {
        const bi_shape_def *other = &m->shape[k].def;
        bool is_alike = !d->title == !other->title && (!d->title || strcmp(d->title, other->title) == 0);
        if (other->body.i == d->body.i && is_alike) {
            return k + 1;
        }
    }
    return m->n_shape + 1;
}

bi_shape bi_add_shape(bi_model *m, const bi_shape_def *def)
{
    if (!m || !def) {
        model_misused(m, __func__);
        return (bi_shape){ 0 };
    }
    model_shape s = { .place = m->place };
    bool is_copied = copy_def(def, &s.def);
    m->no_memory = m->no_memory || !is_copied;
    if (!is_copied || !MODEL_ROOM(m, def, shape)) {
        free_shape(&s);
        return (bi_shape){ 0 };
    }
    bi_quat r = s.def.pose.rot;
    double size = r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z;
    if (!vec3_is_finite(s.def.pose.pos) || !isfinite(size)) {
        fault(&s, "at", "is not finite");
    }
    s.in_body = (geom_pose){ quat_to_mat3(quat_normalized(r)), s.def.pose.pos };
    const mat3 same = mat3_identity();
    s.is_along = memcmp(&s.in_body.rot, &same, sizeof same) == 0;
    check_sizes(&s);
    if (!s.mistake) {
        make_form(&s);
    }
    if (has_surface(&s.def) && !s.mesh) {
        // the arrays are still the caller's
        s.def.n_vertex = s.def.n_triangle = 0;
        s.def.vertex = NULL;
        s.def.triangle = NULL;
    }
    s.thing = find_thing(m, &s.def);
    m->shape[m->n_shape++] = s;
    return (bi_shape){ m->n_shape };
}

void model_shapes_free(bi_model *m)
{
    for (int k = 0; k < m->n_shape; k++) {
        free_shape(&m->shape[k]);
    }
    free(m->shape);
}

int bi_model_shape_count(const bi_model *m) { return m ? m->n_shape : 0; }

bi_shape bi_model_shape(const bi_model *m, const char *name)
{
    for (int k = 0; m && name && k < m->n_shape; k++) {
        if (strcmp(m->shape[k].def.name, name) == 0) {
            return (bi_shape){ k + 1 };
        }
    }
    return (bi_shape){ 0 };
}

bool bi_model_shape_at(const bi_model *m, bi_shape shape, bi_shape_def *out)
{
    if (!m || !out || shape.i < 1 || shape.i > m->n_shape) {
        return false;
    }
    *out = m->shape[shape.i - 1].def;
    return true;
}

int bi_model_shape_pieces(const bi_model *m, bi_shape shape, double *excess)
{
    const geom_parts *parts = m && shape.i >= 1 && shape.i <= m->n_shape ? m->shape[shape.i - 1].parts : NULL;
    if (excess) {
        *excess = parts ? parts->excess : 0.0;
    }
    return parts ? parts->n : 0;
}

void model_check_shapes(const bi_model *m, bi_report *report)
{
    for (int k = 0; k < m->n_shape; k++) {
        const model_shape *s = &m->shape[k];
        char where[256];
        bool is_body = s->def.body.i >= 1 && s->def.body.i <= m->n_body;
        const char *key = is_body ? s->key : "body",
                   *what = is_body ? s->mistake : "needs a body of this model";
        if (what) {
            snprintf(where, sizeof where, "shapes.%s.%s", s->def.name, key);
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, s->place, where, "%s", what);
        } else if (s->doubt) {
            snprintf(where, sizeof where, "shapes.%s", s->def.name);
            bi_report_add(report, BI_WARNING, BI_OK, s->place, where, "%s", s->doubt);
        }
    }
}

const char *model_shape_title(const bi_model *m, const bi_shape_def *shape)
{
    bool is_ground = shape->body.i <= BI_GROUND.i;
    return shape->title ? shape->title : is_ground ? shape->name : m->body[shape->body.i - 1].def.name;
}

uint64_t model_shape_hash(uint64_t h, const bi_shape_def *d)
{
    const int64_t integer[] = { d->type,       d->body.i, d->facets, d->n_vertex,
                                d->n_triangle, d->n_x,    d->n_y,    d->is_smooth };
    const bi_vec3 p = d->pose.pos;
    const bi_quat r = d->pose.rot;
    const double number[] = { p.x,     p.y,       p.z,        r.w,        r.x,       r.y,
                              r.z,     d->size.x, d->size.y,  d->size.z,  d->radius, d->length,
                              d->ring, d->width,  d->first_x, d->first_y, d->step_x, d->step_y };
    h = hash_bytes(hash_bytes(h, d->name, strlen(d->name)), integer, sizeof integer);
    h = hash_bytes(h, number, sizeof number);
    h = d->vertex ? hash_bytes(h, d->vertex, count_of(d->n_vertex) * sizeof *d->vertex) : h;
    h = d->triangle ? hash_bytes(h, d->triangle, count_of(d->n_triangle) * sizeof *d->triangle) : h;
    h = d->type == BI_SHAPE_ELLIPSOID ? hash_bytes(h, &d->half_axes, sizeof d->half_axes) : h;
    h = d->pieces ? hash_bytes(h, &d->pieces, sizeof d->pieces) : h;
    h = d->road ? road_hash(h, d->road) : h;
    return d->height ? hash_bytes(h, d->height, count_of(d->n_x) * count_of(d->n_y) * sizeof *d->height) : h;
}

bool bi_contact_observe(bi_model *m, bi_element contact, bi_touch_observes *observes, void *data)
{
    model_element *e = m && contact.i >= 1 && contact.i <= m->n_element ? &m->element[contact.i - 1] : NULL;
    if (!e || !e->kind || strcmp(e->kind->section, "forces") != 0 || strcmp(e->kind->type, "contact") != 0) {
        return false;
    }
    bi_contact_def *d = e->def;
    d->observes = observes;
    d->data = data;
    return true;
}
