// SPDX-License-Identifier: MIT
// Inertia of a body: as numbers, of a homogeneous shape or mesh with the body's mass or its own density, or of several
// parts together.
#include "io/mesh/mesh_volume.h"
#include "io/model/reader.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IO_PI 3.14159265358979323846

// A shape of unit mass: moments in m2 about its centre, its axes, and volume in m3.
typedef struct {
    double inertia[6]; // xx yy zz xy yz zx
    double volume;
    bi_vec3 centre; // of a mesh, in the axes of its file; others are centred
} shape;

static bool all_positive(reader *r, const yaml_node *node, const char *where, const double *size, int count)
{
    for (int k = 0; k < count; k++) {
        if (!(size[k] > 0.0)) {
            const yaml_node *at = node->kind == YAML_LIST ? node->item[k] : node;
            reader_error(r, at, where, "must be positive, and it is %g", size[k]);
            return false;
        }
    }
    return true;
}

static bool read_box(reader *r, const yaml_node *node, const char *where, shape *s)
{
    double l[3];
    if (!reader_numbers(r, node, 3, "m", where, l) || !all_positive(r, node, where, l, 3)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        double u = l[(k + 1) % 3], v = l[(k + 2) % 3];
        s->inertia[k] = (u * u + v * v) / 12.0;
    }
    s->volume = l[0] * l[1] * l[2];
    return true;
}

// 0, 1, 2 for x, y, z; -1: a mistake was told. Default z.
static int read_axis_letter(reader *r, const yaml_node *node, const char *where)
{
    if (!node) {
        return 2;
    }
    if (!reader_expect(r, node, YAML_SCALAR, where, "x, y or z")) {
        return -1;
    }
    static const char *const letters[] = { "x", "y", "z" };
    for (int k = 0; k < 3; k++) {
        if (strcmp(node->text, letters[k]) == 0) {
            return k;
        }
    }
    reader_error(r, node, where, "x, y or z is expected here, not '%.80s'", node->text);
    return -1;
}

static bool read_cylinder(reader *r, const yaml_node *map, const yaml_node *node, const char *where, shape *s)
{
    double size[2]; // radius, length
    int axis = read_axis_letter(r, yaml_get(map, "axis"), where_at(where, "axis").text);
    if (!reader_numbers(r, node, 2, "m", where, size) || !all_positive(r, node, where, size, 2) || axis < 0) {
        return false;
    }
    double r2 = size[0] * size[0], l2 = size[1] * size[1];
    for (int k = 0; k < 3; k++) {
        s->inertia[k] = k == axis ? 0.5 * r2 : (3.0 * r2 + l2) / 12.0;
    }
    s->volume = IO_PI * r2 * size[1];
    return true;
}

static bool read_sphere(reader *r, const yaml_node *node, const char *where, shape *s)
{
    double radius;
    if (!reader_number(r, node, "m", where, &radius) || !all_positive(r, node, where, &radius, 1)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        s->inertia[k] = 0.4 * radius * radius;
    }
    s->volume = 4.0 / 3.0 * IO_PI * radius * radius * radius;
    return true;
}

// Half axes.
static bool read_ellipsoid(reader *r, const yaml_node *node, const char *where, shape *s)
{
    double h[3];
    if (!reader_numbers(r, node, 3, "m", where, h) || !all_positive(r, node, where, h, 3)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        double u = h[(k + 1) % 3], v = h[(k + 2) % 3];
        s->inertia[k] = (u * u + v * v) / 5.0;
    }
    s->volume = 4.0 / 3.0 * IO_PI * h[0] * h[1] * h[2];
    return true;
}

// A thin rod; the vector goes from end to end.
static bool read_rod(reader *r, const yaml_node *node, const char *where, shape *s)
{
    double d[3];
    if (!reader_numbers(r, node, 3, "m", where, d)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        double u = d[(k + 1) % 3], v = d[(k + 2) % 3];
        s->inertia[k] = (u * u + v * v) / 12.0;
        s->inertia[3 + k] = -d[k] * u / 12.0; // xy, yz, zx
    }
    return true;
}

// The mesh must enclose a volume. False: a mistake was told.
static bool is_volume(reader *r, const yaml_node *node, const char *where, const char *path, const bi_mesh *m,
                      const mesh_volume *v)
{
    mesh_faults f;
    if (!mesh_find_faults(m, &f)) {
        reader_error(r, node, where, "out of memory");
        return false;
    }
    if (f.n_open > 0 || f.n_clash > 0) {
        reader_error(
            r, node, where,
            "%.200s encloses no volume: %d edges have one triangle only, at %d more than two meet in "
            "a way that has no inside; "
            "the first is from (%g, %g, %g) to (%g, %g, %g)",
            path, f.n_open, f.n_clash, f.from.x, f.from.y, f.from.z, f.to.x, f.to.y, f.to.z);
        return false;
    }
    if (!isfinite(v->volume) || !(v->volume > 0.0)) {
        reader_error(r, node, where, "%.200s encloses the volume %g", path, v->volume);
        return false;
    }
    return true;
}

// {mesh: file.stl, scale: s}
static bool read_mesh(reader *r, const yaml_node *map, const yaml_node *node, const char *where, shape *s)
{
    double scale = 1.0;
    const yaml_node *scale_node = yaml_get(map, "scale");
    if (scale_node && (!reader_number(r, scale_node, NULL, where_at(where, "scale").text, &scale) ||
                       !all_positive(r, scale_node, where_at(where, "scale").text, &scale, 1))) {
        return false;
    }
    const char *name = reader_expect(r, node, YAML_SCALAR, where, "a file .obj or .stl")
                           ? reader_text(r, node, where)
                           : NULL;
    char *path = name ? reader_path_beside(r, name) : NULL;
    bi_report scratch = { 0 };
    const bi_mesh *m = path ? shelf_mesh(r->shelf, path, (double[3]){ scale, scale, scale },
                                         reader_place_of(r, node), where, &scratch)
                            : NULL;
    mesh_volume v = { 0 };
    bool is_good = false;
    if (m) {
        v = mesh_integrate(m);
        is_good = is_volume(r, node, where, path, m, &v);
    }
    // what was mended; of no interest where there is no volume
    for (int k = 0; k < scratch.count && (is_good || !m); k++) {
        reader_tell(r, &scratch.issue[k]);
    }
    bi_report_clear(&scratch);
    free(path);
    if (!is_good) {
        return false;
    }
    // I = trace(S) 1 - S, of unit mass
    const double *S = v.second;
    for (int k = 0; k < 3; k++) {
        s->inertia[k] = (S[(k + 1) % 3] + S[(k + 2) % 3]) / v.volume;
        s->inertia[3 + k] = -S[3 + k] / v.volume;
    }
    s->volume = v.volume;
    s->centre = v.centre;
    return true;
}

// The one shape in the map. False: a mistake was told.
static bool read_shape(reader *r, const yaml_node *map, const char *where, shape *s)
{
    const yaml_node *box = yaml_get(map, "box"), *cylinder = yaml_get(map, "cylinder");
    const yaml_node *sphere = yaml_get(map, "sphere"), *rod = yaml_get(map, "rod"),
                    *axis = yaml_get(map, "axis");
    const yaml_node *mesh_file = yaml_get(map, "mesh"), *scale = yaml_get(map, "scale");
    const yaml_node *ellipsoid = yaml_get(map, "ellipsoid");
    int count = (box != NULL) + (cylinder != NULL) + (sphere != NULL) + (ellipsoid != NULL) + (rod != NULL) +
                (mesh_file != NULL);
    if (count != 1) {
        reader_error(r, map, where,
                     "needs exactly one of 'box', 'cylinder', 'sphere', 'ellipsoid', 'rod' and 'mesh'");
        return false;
    }
    if (scale && !mesh_file) {
        reader_error(r, scale, where_at(where, "scale").text, "is for a mesh only");
        return false;
    }
    if (axis && !cylinder) {
        reader_error(r, axis, where_at(where, "axis").text, "is for a cylinder only");
        return false;
    }
    return box         ? read_box(r, box, where_at(where, "box").text, s)
           : cylinder  ? read_cylinder(r, map, cylinder, where_at(where, "cylinder").text, s)
           : mesh_file ? read_mesh(r, map, mesh_file, where_at(where, "mesh").text, s)
           : ellipsoid ? read_ellipsoid(r, ellipsoid, where_at(where, "ellipsoid").text, s)
           : sphere    ? read_sphere(r, sphere, where_at(where, "sphere").text, s)
                       : read_rod(r, rod, where_at(where, "rod").text, s);
}

// Mass from density and volume. False: a mistake was told.
static bool read_density(reader *r, const yaml_node *body, const yaml_node *density, const shape *s,
                         const char *where, double *mass)
{
    double rho = 0.0;
    where_path here = where_at(where, "density");
    if (yaml_get(body, "mass")) {
        reader_error(r, density, here.text, "is given besides 'mass'; one of them is enough");
        return false;
    }
    if (s->volume == 0.0) {
        reader_error(r, density, here.text, "says nothing about a thin rod; give 'mass'");
        return false;
    }
    if (!reader_number(r, density, "kg/m^3", here.text, &rho) ||
        !all_positive(r, density, here.text, &rho, 1)) {
        return false;
    }
    *mass = rho * s->volume;
    return true;
}

static void read_shape_inertia(reader *r, const yaml_node *body, const yaml_node *node, const char *where,
                               bi_body_def *def)
{
    shape s = { 0 };
    reader_known(r, node, &keys_shape, where);
    if (!read_shape(r, node, where, &s)) {
        return;
    }
    if (yaml_get(node, "mesh")) {
        if (yaml_get(body, "com")) {
            reader_error(r, yaml_get(body, "com"), where, "'com' follows from the mesh; leave it out");
            return;
        }
        def->com = s.centre;
    }
    const yaml_node *density = yaml_get(node, "density");
    if (!density && !yaml_get(body, "mass")) {
        reader_error(r, node, where, "a shape needs the body's 'mass', or a 'density' beside the shape");
        return;
    }
    if (density && !read_density(r, body, density, &s, where, &def->mass)) {
        return;
    }
    for (int k = 0; k < 6; k++) {
        def->inertia[k] = def->mass * s.inertia[k];
    }
}

// ---- parts -----------------------------------------------------------------------------------------------------

typedef struct {
    double mass;
    bi_vec3 centre;    // body frame
    double inertia[6]; // about its centre, body axes
} piece;

// R I R^T; the columns of R are the images of the axes.
static void turn_inertia(bi_quat q, const double I[6], double out[6])
{
    const double R[3][3] = {
        { 1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z), 2.0 * (q.x * q.z + q.w * q.y) },
        { 2.0 * (q.x * q.y + q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z - q.w * q.x) },
        { 2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.y * q.z + q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y) },
    };
    const double T[3][3] = { { I[0], I[3], I[5] }, { I[3], I[1], I[4] }, { I[5], I[4], I[2] } };
    static const int row[6] = { 0, 1, 2, 0, 1, 2 }, column[6] = { 0, 1, 2, 1, 2, 0 };
    for (int k = 0; k < 6; k++) {
        out[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                out[k] += R[row[k]][i] * T[i][j] * R[column[k]][j];
            }
        }
    }
}

static bi_vec3 turn_vector(bi_quat q, bi_vec3 v)
{
    bi_vec3 c = { q.y * v.z - q.z * v.y, q.z * v.x - q.x * v.z, q.x * v.y - q.y * v.x };
    bi_vec3 cc = { q.y * c.z - q.z * c.y, q.z * c.x - q.x * c.z, q.x * c.y - q.y * c.x };
    return (bi_vec3){ v.x + 2.0 * (q.w * c.x + cc.x), v.y + 2.0 * (q.w * c.y + cc.y),
                      v.z + 2.0 * (q.w * c.z + cc.z) };
}

static bool read_piece(reader *r, const yaml_node *node, const char *where, piece *p)
{
    shape s = { 0 };
    bi_quat rot;
    bi_vec3 at = { 0 };
    if (!reader_expect(r, node, YAML_MAP, where, "a mapping such as {box: [1, 1, 1], density: 7850}")) {
        return false;
    }
    reader_known(r, node, &keys_part, where);
    const yaml_node *density = yaml_get(node, "density"), *mass = yaml_get(node, "mass");
    bool is_good = read_shape(r, node, where, &s);
    is_good = reader_vec3_of(r, node, "at", "m", where, &at) && is_good;
    reader_turn(r, yaml_get(node, "turn"), where_at(where, "turn").text, &rot);
    if (!density && !mass) {
        reader_error(r, node, where, "needs 'density' or 'mass'");
        return false;
    }
    if (is_good && density) {
        is_good = read_density(r, node, density, &s, where, &p->mass);
    } else if (is_good) {
        is_good = reader_number(r, mass, "kg", where_at(where, "mass").text, &p->mass) &&
                  all_positive(r, mass, where_at(where, "mass").text, &p->mass, 1);
    }
    bi_vec3 c = turn_vector(rot, s.centre);
    p->centre = (bi_vec3){ at.x + c.x, at.y + c.y, at.z + c.z };
    turn_inertia(rot, s.inertia, p->inertia);
    return is_good;
}

// Mass, centre and inertia of all pieces: Steiner's theorem.
static void join_pieces(const piece *p, int count, bi_body_def *def)
{
    double mass = 0.0;
    bi_vec3 sum = { 0 };
    for (int k = 0; k < count; k++) {
        mass += p[k].mass;
        sum.x += p[k].mass * p[k].centre.x;
        sum.y += p[k].mass * p[k].centre.y;
        sum.z += p[k].mass * p[k].centre.z;
    }
    def->mass = mass;
    def->com = (bi_vec3){ sum.x / mass, sum.y / mass, sum.z / mass };
    for (int k = 0; k < count; k++) {
        double m = p[k].mass;
        bi_vec3 d = { p[k].centre.x - def->com.x, p[k].centre.y - def->com.y, p[k].centre.z - def->com.z };
        const double steiner[6] = { d.y * d.y + d.z * d.z,
                                    d.z * d.z + d.x * d.x,
                                    d.x * d.x + d.y * d.y,
                                    -d.x * d.y,
                                    -d.y * d.z,
                                    -d.z * d.x };
        for (int i = 0; i < 6; i++) {
            def->inertia[i] += m * (p[k].inertia[i] + steiner[i]);
        }
    }
}

static void read_parts(reader *r, const yaml_node *body, const yaml_node *list, const char *body_where,
                       bi_body_def *def)
{
    static const char *const instead[] = { "mass", "com", "inertia" };
    where_path where = where_at(body_where, "parts");
    if (!reader_expect(r, list, YAML_LIST, where.text, "a list such as [{box: [1, 1, 1], density: 7850}]")) {
        return;
    }
    bool is_good = list->count > 0;
    if (!is_good) {
        reader_error(r, list, where.text, "is empty; name at least one shape");
    }
    for (int k = 0; k < 3; k++) {
        const yaml_node *other = yaml_get(body, instead[k]);
        if (other) {
            reader_error(r, other, where_at(body_where, instead[k]).text,
                         "follows from 'parts'; leave it out");
            is_good = false;
        }
    }
    piece *p = calloc((size_t)list->count + 1, sizeof *p);
    for (int k = 0; p && k < list->count; k++) {
        is_good = read_piece(r, list->item[k], where.text, &p[k]) && is_good;
    }
    if (p && is_good) {
        join_pieces(p, list->count, def);
    }
    free(p);
}

void read_inertia(reader *r, const yaml_node *body, const char *body_where, bi_body_def *def)
{
    const yaml_node *parts = yaml_get(body, "parts");
    if (parts) {
        read_parts(r, body, parts, body_where, def);
        return;
    }
    const yaml_node *node = yaml_get(body, "inertia");
    if (!node) {
        return;
    }
    where_path where = where_at(body_where, "inertia");
    double value[6] = { 0 };
    if (node->kind == YAML_MAP) {
        read_shape_inertia(r, body, node, where.text, def);
        return;
    }
    if (!reader_expect(r, node, YAML_LIST, where.text,
                       "a list [xx, yy, zz] or a shape such as {box: [x, y, z]}")) {
        return;
    }
    if (node->count != 3 && node->count != 6) {
        reader_error(r, node, where.text,
                     "3 numbers xx yy zz or 6 numbers xx yy zz xy yz zx are expected here, "
                     "and there are %d",
                     node->count);
        return;
    }
    if (reader_numbers(r, node, node->count, "kg*m^2", where.text, value)) {
        memcpy(def->inertia, value, sizeof value);
    }
}
