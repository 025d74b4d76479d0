// SPDX-License-Identifier: MIT
// Texts, poses, visuals and collisions of SDF.
#include "io/robot/sdf.h"
#include <math.h>
#include <string.h>

const char *sdf_text(const xml_element *e, const char *child)
{
    const xml_element *k = e ? xml_child(e->first, child) : NULL;
    const char *text = k ? k->text : NULL;
    return text && text[strspn(text, " \t\r\n")] ? text + strspn(text, " \t\r\n") : NULL;
}

double sdf_number(sdf *d, const xml_element *e, const char *child, double otherwise)
{
    const char *text = sdf_text(e, child);
    double value = otherwise;
    return text && scene_numbers(d->s, xml_child(e->first, child), NULL, text, 1, 1, &value) == 1 ? value
                                                                                                  : otherwise;
}

frame sdf_pose(sdf *d, const xml_element *pose)
{
    static const double degree = 3.14159265358979323846 / 180.0;
    frame f = { { 0 }, no_rotation };
    double v[7] = { 0 };
    const char *text = pose ? pose->text : NULL, *form = pose ? xml_get(pose, "rotation_format") : NULL;
    if (!text || !text[strspn(text, " \t\r\n")]) {
        return f;
    }
    bool is_quaternion = form && strcmp(form, "quat_xyzw") == 0;
    int n = is_quaternion ? 7 : 6;
    if (scene_numbers(d->s, pose, NULL, text, n, n, v) != n) {
        return f;
    }
    f.pos = (bi_vec3){ v[0], v[1], v[2] };
    const char *in_degrees = xml_get(pose, "degrees");
    double unit =
        in_degrees && (strcmp(in_degrees, "true") == 0 || strcmp(in_degrees, "1") == 0) ? degree : 1.0;
    if (is_quaternion) {
        const double q[4] = { v[6], v[3], v[4], v[5] };
        if (!of_quaternion(q, &f.rot)) {
            scene_tell(d->s, BI_ERROR, pose, "the quaternion is zero");
        }
    } else {
        f.rot = of_rpy((bi_vec3){ unit * v[3], unit * v[4], unit * v[5] });
    }
    return f;
}

// ---- shapes ----------------------------------------------------------------------------------------------------

static void read_lengths(sdf *d, const xml_element *g, const char *child, int n, double *value)
{
    const char *text = sdf_text(g, child);
    if (!text) {
        scene_tell(d->s, BI_ERROR, g, "needs '%s'", child);
        return;
    }
    const xml_element *k = xml_child(g->first, child);
    if (scene_numbers(d->s, k, NULL, text, n, n, value) != n) {
        return;
    }
    for (int i = 0; i < n; i++) {
        if (!(value[i] > 0.0)) {
            scene_tell(d->s, BI_ERROR, k, "must be positive");
            return;
        }
    }
}

static bool read_plane(sdf *d, const xml_element *g, scene_shape *p)
{
    double v[3] = { 0.0, 0.0, 1.0 };
    const char *text = sdf_text(g, "normal");
    p->type = "plane";
    if (text && scene_numbers(d->s, xml_child(g->first, "normal"), NULL, text, 3, 3, v) != 3) {
        return false;
    }
    bi_vec3 normal = { v[0], v[1], v[2] };
    if (!scene_is_direction(d->s, g, &normal)) {
        return false;
    }
    rotation r = along_z(normal);
    p->at.rot = product(&p->at.rot, &r);
    return true;
}

static bool read_mesh(sdf *d, const xml_element *g, scene_shape *p)
{
    const char *uri = sdf_text(g, "uri"), *scale = sdf_text(g, "scale");
    p->type = "mesh";
    if (!uri) {
        scene_tell(d->s, BI_ERROR, g, "needs 'uri'");
        return false;
    }
    if (scale && scene_numbers(d->s, xml_child(g->first, "scale"), NULL, scale, 3, 3, p->scale) == 3 &&
        !(p->scale[0] * p->scale[1] * p->scale[2] != 0.0)) {
        scene_tell(d->s, BI_ERROR, g, "scale must not be zero");
    }
    p->file = scene_mesh_file(d->s, xml_child(g->first, "uri"), scene_uri(d->s, g, uri));
    return p->file != NULL;
}

static bool read_geometry(sdf *d, const xml_element *e, scene_shape *p)
{
    const xml_element *geometry = xml_child(e->first, "geometry"), *g = geometry ? geometry->first : NULL;
    int errors = d->s->report->errors;
    if (!g) {
        scene_tell(d->s, BI_ERROR, e, "needs a geometry");
    } else if (strcmp(g->name, "box") == 0) {
        p->type = "box";
        read_lengths(d, g, "size", 3, p->size);
    } else if (strcmp(g->name, "sphere") == 0) {
        p->type = "sphere";
        read_lengths(d, g, "radius", 1, p->size);
    } else if (strcmp(g->name, "ellipsoid") == 0) {
        p->type = "ellipsoid";
        read_lengths(d, g, "radii", 3, p->size);
    } else if (strcmp(g->name, "cylinder") == 0 || strcmp(g->name, "capsule") == 0) {
        p->type = g->name[1] == 'y' ? "cylinder" : "capsule";
        read_lengths(d, g, "radius", 1, p->size);
        read_lengths(d, g, "length", 1, p->size + 1);
    } else if (strcmp(g->name, "plane") == 0) {
        return read_plane(d, g, p);
    } else if (strcmp(g->name, "mesh") == 0) {
        return read_mesh(d, g, p) && d->s->report->errors == errors;
    } else {
        scene_leave(d->s, g, NULL, "a geometry without counterpart");
        return false;
    }
    return g && d->s->report->errors == errors;
}

static void read_look(sdf *d, const xml_element *e, scene_shape *p)
{
    const xml_element *material = xml_child(e->first, "material");
    const char *text = material ? sdf_text(material, "diffuse") : NULL;
    text = material && !text ? sdf_text(material, "ambient") : text;
    if (text) {
        (void)scene_numbers(d->s, material, "diffuse", text, 3, 4, p->colour);
    }
    p->colour[3] *= 1.0 - sdf_number(d, e, "transparency", 0.0);
    for (int k = 0; k < 4; k++) {
        p->colour[k] = fmin(1.0, fmax(0.0, p->colour[k]));
    }
}

static void read_friction(sdf *d, const xml_element *e, scene_shape *p)
{
    static const char *const way[] = { "surface", "friction", "ode" };
    const xml_element *k = e;
    for (int i = 0; i < 3 && k; i++) {
        k = xml_child(k->first, way[i]);
    }
    p->friction[0] = k ? sdf_number(d, k, "mu", 1.0) : 1.0;
    if (!(p->friction[0] >= 0.0)) {
        scene_tell(d->s, BI_ERROR, k, "mu is negative");
    }
    p->friction[0] = fmin(p->friction[0], 10.0); // 1e15 stands for "never slips"
}

static void read_shape(sdf *d, const xml_element *e, int body, const frame *at)
{
    scene *s = d->s;
    bool is_visual = strcmp(e->name, "visual") == 0;
    const xml_element *pose = xml_child(e->first, "pose");
    frame own = sdf_pose(d, pose);
    if (pose && xml_get(pose, "relative_to")) {
        scene_leave(s, pose, "relative_to", "of a visual or collision: the link counts");
    }
    char name[120];
    snprintf(name, sizeof name, "%.100s%s", s->body[body].called, is_visual ? "_look" : "");
    scene_shape *p = scene_add_shape(s, e, blocks_text(&s->memory, name, strlen(name)), "box", body);
    if (!p) {
        return;
    }
    p->at = frame_in(at, &own);
    p->is_hidden = !is_visual;
    p->is_solid = !is_visual;
    if (is_visual) {
        read_look(d, e, p);
    } else {
        read_friction(d, e, p);
    }
    if (!read_geometry(d, e, p)) {
        s->n_shape--;
    } else if (!is_visual && strcmp(p->type, "mesh") == 0) {
        p->type = "hull";
    }
}

void sdf_read_shapes(sdf *d, const xml_element *link, int body, const frame *at)
{
    static const char known[] = " inertial visual collision pose gravity self_collide kinematic enable_wind "
                                "velocity_decay must_be_base_link ";
    int first = d->s->n_shape;
    bool is_seen = false;
    for (const xml_element *e = link->first; e; e = e->next) {
        char word[80];
        snprintf(word, sizeof word, " %.70s ", e->name);
        if (strcmp(e->name, "visual") == 0 || strcmp(e->name, "collision") == 0) {
            read_shape(d, e, body, at);
            is_seen = is_seen || strcmp(e->name, "visual") == 0;
        } else if (!strstr(known, word)) {
            scene_leave(d->s, e, NULL, NULL);
        }
    }
    for (int k = first; k < d->s->n_shape && !is_seen; k++) {
        d->s->shape[k].is_hidden = strcmp(d->s->shape[k].type, "hull") == 0;
    }
}
