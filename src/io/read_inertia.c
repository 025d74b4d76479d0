// SPDX-License-Identifier: MIT
// Inertia of a body: as numbers, or of a homogeneous shape with the body's mass or its own density.
#include "io/reader.h"
#include <string.h>

#define IO_PI 3.14159265358979323846

// A shape of unit mass: moments in m2 about its centre, body axes, and volume in m3.
typedef struct {
    double inertia[6]; // xx yy zz xy yz zx
    double volume;
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

// The one shape in the map. False: a mistake was told.
static bool read_shape(reader *r, const yaml_node *map, const char *where, shape *s)
{
    const yaml_node *box = yaml_get(map, "box"), *cylinder = yaml_get(map, "cylinder");
    const yaml_node *sphere = yaml_get(map, "sphere"), *rod = yaml_get(map, "rod"),
                    *axis = yaml_get(map, "axis");
    if ((box != NULL) + (cylinder != NULL) + (sphere != NULL) + (rod != NULL) != 1) {
        reader_error(r, map, where, "needs exactly one of 'box', 'cylinder', 'sphere' and 'rod'");
        return false;
    }
    if (axis && !cylinder) {
        reader_error(r, axis, where_at(where, "axis").text, "is for a cylinder only");
        return false;
    }
    return box        ? read_box(r, box, where_at(where, "box").text, s)
           : cylinder ? read_cylinder(r, map, cylinder, where_at(where, "cylinder").text, s)
           : sphere   ? read_sphere(r, sphere, where_at(where, "sphere").text, s)
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
    static const char *const keys[] = { "box", "cylinder", "sphere", "rod", "axis", "density", NULL };
    shape s = { 0 };
    reader_keys(r, node, keys, where);
    if (!read_shape(r, node, where, &s)) {
        return;
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

void read_inertia(reader *r, const yaml_node *body, const char *body_where, bi_body_def *def)
{
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
