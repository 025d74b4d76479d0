// SPDX-License-Identifier: MIT
// Geoms of MJCF: what is seen, what touches, and what bodies without <inertial> weigh.
#include "io/robot/mjcf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const xml_element *mjcf_asset(const mjcf *m, const char *kind, const char *name)
{
    for (const xml_element *a = m->root->first; a; a = a->next) {
        for (const xml_element *e = strcmp(a->name, "asset") == 0 ? a->first : NULL; e; e = e->next) {
            const char *own = xml_get(e, "name"), *file = xml_get(e, "file");
            if (strcmp(e->name, kind) != 0) {
                continue;
            }
            if (own && strcmp(own, name) == 0) {
                return e;
            }
            // without a name it is that of the file
            if (!own && file) {
                const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file,
                           *dot = strrchr(base, '.');
                size_t length = dot ? (size_t)(dot - base) : strlen(base);
                if (strlen(name) == length && strncmp(base, name, length) == 0) {
                    return e;
                }
            }
        }
    }
    return NULL;
}

// ---- sizes -----------------------------------------------------------------------------------------------------

static bool is_type(const scene_shape *p, const char *type) { return strcmp(p->type, type) == 0; }

// fromto="x y z  x y z": ends of the axis. True: the length is known.
static bool read_ends(mjcf *m, const mjcf_class *c, const xml_element *e, frame *at, double *length)
{
    double v[6] = { 0 };
    int n = mjcf_numbers(m, c, e, "fromto", 6, v);
    if (n == 0) {
        return false;
    }
    bi_vec3 from = { v[0], v[1], v[2] }, to = { v[3], v[4], v[5] }, along = difference(from, to);
    *length = sqrt(dotted(along, along));
    if (n != 6 || !scene_is_direction(m->s, e, &along)) {
        if (n != 6) {
            scene_tell(m->s, BI_ERROR, e, "fromto must have 6 numbers");
        }
        return false;
    }
    *at = (frame){ scaled(0.5, sum(from, to)), along_z(along) };
    return true;
}

// Half lengths of the file become the model's. False: a mistake was told.
static bool read_size(mjcf *m, const mjcf_class *c, const xml_element *e, scene_shape *p, frame *at)
{
    double size[3] = { 0 }, length = 0.0;
    int n = mjcf_numbers(m, c, e, "size", 3, size);
    bool has_ends =
        (is_type(p, "capsule") || is_type(p, "cylinder") || is_type(p, "box") || is_type(p, "ellipsoid")) &&
        read_ends(m, c, e, at, &length);
    int needed = 0;
    if (is_type(p, "sphere")) {
        p->size[0] = size[0];
        needed = 1;
    } else if (is_type(p, "capsule") || is_type(p, "cylinder")) {
        p->size[0] = size[0];
        p->size[1] = has_ends ? length : 2.0 * size[1];
        needed = has_ends ? 1 : 2;
    } else if (is_type(p, "box") || is_type(p, "ellipsoid")) {
        double factor = is_type(p, "box") ? 2.0 : 1.0;
        double half[3] = { size[0], has_ends ? size[0] : size[1], has_ends ? 0.5 * length : size[2] };
        for (int k = 0; k < 3; k++) {
            p->size[k] = factor * half[k];
        }
        needed = has_ends ? 1 : 3;
    }
    bool is_positive = true;
    for (int k = 0; k < needed; k++) {
        is_positive = is_positive && size[k] > 0.0;
    }
    if (n < needed || !is_positive) {
        scene_tell(m->s, BI_ERROR, e, "a %s needs %d positive number%s in size", p->type, needed,
                   needed > 1 ? "s" : "");
        return false;
    }
    return true;
}

// ---- meshes ----------------------------------------------------------------------------------------------------

// The mesh of a geom: file and scale; `at` becomes that of its axes. False: the geom is left out, as told.
static bool read_mesh(mjcf *m, const xml_element *e, const char *name, scene_shape *p, const char **path,
                      frame *at)
{
    const xml_element *mesh = mjcf_asset(m, "mesh", name);
    if (!mesh) {
        scene_tell(m->s, BI_ERROR, e, "there is no mesh '%.80s' among the assets", name);
        return false;
    }
    const char *file = xml_get(mesh, "file");
    if (!file) {
        scene_leave(m->s, mesh, NULL, "its corners stand in the file itself; write them to an .obj");
        return false;
    }
    const mjcf_class *c = mjcf_class_of(m, mesh, NULL);
    if (mjcf_numbers(m, c, mesh, "scale", 3, p->scale) > 0 &&
        !(p->scale[0] * p->scale[1] * p->scale[2] != 0.0)) {
        scene_tell(m->s, BI_ERROR, mesh, "scale must not be zero");
        return false;
    }
    if (m->strips_path && strrchr(file, '/')) {
        file = strrchr(file, '/') + 1;
    }
    *path = mjcf_path(m, mesh, m->meshdir, file);
    p->file = scene_mesh_file(m->s, mesh, *path);
    // refpos and refquat are taken away from the corners of the file
    double pos[3] = { 0 }, quat[4] = { 1.0, 0.0, 0.0, 0.0 };
    rotation r = no_rotation;
    (void)mjcf_numbers(m, c, mesh, "refpos", 3, pos);
    if (mjcf_numbers(m, c, mesh, "refquat", 4, quat) > 0 && !of_quaternion(quat, &r)) {
        scene_tell(m->s, BI_ERROR, mesh, "refquat is zero");
    }
    r = inverse_of(&r);
    bi_vec3 back = { -pos[0], -pos[1], -pos[2] };
    frame inner = { turned(&r, back), r };
    *at = frame_in(at, &inner);
    mjcf_leave_others(m, mesh, " name file scale class refpos refquat ");
    return p->file != NULL;
}

// ---- looks and contact -----------------------------------------------------------------------------------------

static void read_look(mjcf *m, const mjcf_class *c, const xml_element *e, scene_shape *p)
{
    double rgba[4] = { 0.5, 0.5, 0.5, 1.0 };
    const char *name = mjcf_get(c, e, "material", NULL);
    const xml_element *material = name ? mjcf_asset(m, "material", name) : NULL;
    if (name && !material) {
        scene_tell(m->s, BI_ERROR, e, "there is no material '%.80s' among the assets", name);
    } else if (material) {
        for (int k = 0; k < 4; k++) {
            rgba[k] = 1.0;
        }
        (void)mjcf_numbers(m, mjcf_class_of(m, material, NULL), material, "rgba", 4, rgba);
        mjcf_leave_others(m, material, " name rgba class ");
    }
    (void)mjcf_numbers(m, c, e, "rgba", 4, rgba);
    for (int k = 0; k < 4; k++) {
        p->colour[k] = fmin(1.0, fmax(0.0, rgba[k]));
    }
    p->is_hidden = mjcf_number(m, c, e, "group", 0.0) > 2.5 || !(rgba[3] > 0.0);
}

static void read_contact(mjcf *m, const mjcf_class *c, const xml_element *e, scene_shape *p)
{
    double friction[3] = { 1.0, 0.005, 0.0001 };
    (void)mjcf_numbers(m, c, e, "friction", 3, friction);
    double of = mjcf_number(m, c, e, "contype", 1.0), with = mjcf_number(m, c, e, "conaffinity", 1.0);
    p->mask[0] = of > 0.0 && of < 4e9 ? (unsigned)of : 0;
    p->mask[1] = with > 0.0 && with < 4e9 ? (unsigned)with : 0;
    int dimension = (int)mjcf_number(m, c, e, "condim", 3.0);
    p->priority = (int)fmin(1e6, fmax(-1e6, mjcf_number(m, c, e, "priority", 0.0)));
    p->is_solid = p->mask[0] || p->mask[1];
    p->friction[0] = dimension > 1 ? friction[0] : 0.0;
    p->friction[1] = dimension > 3 ? friction[1] : 0.0;
    p->friction[2] = dimension > 4 ? friction[2] : 0.0;
}

// ---- masses ----------------------------------------------------------------------------------------------------

static void add_mass(mjcf *m, const mjcf_class *c, const xml_element *e, const scene_shape *p,
                     const char *path)
{
    double volume, own[6], inertia[6], mass = -1.0;
    bi_vec3 centre;
    double group = mjcf_number(m, c, e, "group", 0.0);
    if (group < m->group_range[0] || group > m->group_range[1]) {
        return;
    }
    if (!shape_volume(m->s, p, path, &volume, &centre, own) || !(volume > 0.0)) {
        return;
    }
    (void)mjcf_numbers(m, c, e, "mass", 1, &mass);
    double density = mjcf_number(m, c, e, "density", 1000.0);
    if (mjcf_get(c, e, "mass", NULL) ? mass < 0.0 : density < 0.0) {
        scene_tell(m->s, BI_ERROR, e, "mass and density must not be negative");
        return;
    }
    density = mjcf_get(c, e, "mass", NULL) ? mass / volume : density;
    if (strcmp(p->type, "mesh") == 0 && !m->has_told_mesh_mass) {
        m->has_told_mesh_mass = true;
        scene_tell(m->s, BI_NOTE, e,
                   "masses that follow from meshes are of the volume inside them; MuJoCo takes other ones, "
                   "unless exactmeshinertia"
                   " asks for these");
    }
    inertia_turned(&p->at.rot, own, inertia);
    for (int k = 0; k < 6; k++) {
        inertia[k] *= density;
    }
    scene_body *b = &m->s->body[p->body];
    bi_vec3 com = difference(sum(p->at.pos, turned(&p->at.rot, centre)), b->at.pos);
    inertia_add(b, density * volume, com, inertia);
}

void mjcf_read_geom(mjcf *m, const mjcf_class *child, const xml_element *e, int body, const frame *at,
                    bool makes_mass)
{
    static const char *const types[] = {
        "sphere", "capsule", "box", "cylinder", "ellipsoid", "plane", "mesh"
    };
    const mjcf_class *c = mjcf_class_of(m, e, child);
    const char *type = mjcf_get(c, e, "type", NULL), *mesh = mjcf_get(c, e, "mesh", NULL), *path = NULL;
    const char *kept = NULL;
    type = type ? type : "sphere";
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        kept = strcmp(type, types[k]) == 0 ? types[k] : kept;
    }
    if (!kept || (mesh && strcmp(kept, "mesh") != 0)) {
        scene_leave(m->s, e, NULL,
                    kept ? "a plain shape that is fitted to a mesh" : "its type is not known here");
        return;
    }
    scene_shape *p = scene_add_shape(m->s, e, xml_get(e, "name"), kept, body);
    frame own = mjcf_frame(m, c, e);
    if (!p) {
        return;
    }
    bool is_good = read_size(m, c, e, p, &own);
    if (is_good && strcmp(kept, "mesh") == 0) {
        if (!mesh) {
            scene_tell(m->s, BI_ERROR, e, "a geom of type mesh needs 'mesh', its name");
        }
        is_good = mesh && read_mesh(m, e, mesh, p, &path, &own);
    }
    if (!is_good) {
        m->s->n_shape--;
        return;
    }
    p->at = frame_in(at, &own);
    read_look(m, c, e, p);
    read_contact(m, c, e, p);
    if (makes_mass) {
        add_mass(m, c, e, p, path);
    }
    // what touches of a mesh is its hull
    if (strcmp(kept, "mesh") == 0 && p->is_solid && !scene_without(m->s, BI_WITHOUT_CONTACT)) {
        scene_shape seen = *p;
        p->type = "hull";
        bool is_hidden = p->is_hidden;
        p->is_hidden = true;
        if (!is_hidden) {
            scene_shape *look = scene_add_shape(m->s, e, NULL, "mesh", body);
            if (look) {
                *look = seen;
                look->is_solid = false;
                look->name = NULL;
            }
        }
    }
    mjcf_leave_others(
        m, e,
        " name class type size pos quat axisangle euler xyaxes zaxis fromto mesh material rgba group contype "
        "conaffinity condim friction priority mass density user ");
}
